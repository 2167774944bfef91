"""Machine code that came with the package: taken where it fits, else as if it were not there."""

import os
import stat
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from solver.machine import cache, dispatch, safe_folder
from solver.machine.forms import arg_types_of
from solver.machine.jit import kernel
from solver.machine.object_code import Code, callable_form
from tests.support import needs_compiler
from tools.wheel import processors

HERE = cache.level()
#: The levels of this machine, and of every one that code is shipped for.
LEVELS = list(cache.levels())
ALL_LEVELS = [level for levels in cache.LEVELS.values() for level in levels]

pytestmark = [
    needs_compiler,
    pytest.mark.skipif(HERE is None, reason="no code is shipped for this machine"),
]

NOBODY = 65534
#: A tenth is a little more than that, so ten times a tenth, exactly, is more than one.
ARGUMENTS = (np.full(9, 0.1), 10.0)


def _weigh(values: Any, factor: float) -> float:
    """A sum that is 0 where each product is rounded before something is added to it."""
    total = 0.0
    for k in range(len(values)):
        total += values[k] * factor - 1.0
    return total


weigh: Any = kernel(_weigh)
FORM = arg_types_of(ARGUMENTS)


def _codes() -> dict[str, Any]:
    from solver.machine.compiler import compiled_for

    known = processors()
    (returned,), codes = compiled_for([(weigh, FORM)], list(known.values()))
    return {it: (returned, callable_form(code)) for it, code in zip(known, codes, strict=True)}


@pytest.fixture(scope="module")
def codes() -> dict[str, Any]:
    return _codes()


@pytest.fixture
def file(codes: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package that has come with code for this level: the kernel's file."""
    for name in [it for it in os.environ if it.startswith("NUMBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(cache, "PLACE", tmp_path / "shipped")
    monkeypatch.setattr(cache, "kernel_folder", lambda: None)
    cache._folder.cache_clear()
    place = cache.place_of(weigh, FORM, str(HERE))
    assert place
    home = cache.PLACE / str(HERE)
    home.mkdir(parents=True)
    home.chmod(0o755)
    (home / place[0]).write_bytes(cache.packed(*codes[str(HERE)], place[1]))
    (home / place[0]).chmod(0o644)
    yield home / place[0]
    cache._folder.cache_clear()


def _comes() -> str:
    """Whether a kernel that has not been called is taken or compiled; its answer is right."""
    door: Any = kernel(_weigh)
    heard: list[None] = []
    cache._folder.cache_clear()
    with patch.object(dispatch, "listeners", [lambda: heard.append(None)]):
        assert door(*ARGUMENTS) == _weigh(*ARGUMENTS)
    return "compiled" if heard else "taken"


def test_what_fits_is_taken(file: Path) -> None:
    """A kernel that a function makes is not shipped."""
    assert _comes() == "taken" and not cache.is_missing(weigh, FORM)
    assert dispatch.prepare([(weigh, FORM)], 1, lambda *_: None) == 0
    file.unlink()
    assert _comes() == "compiled"
    local: Any = kernel(lambda value: value)
    assert cache.place_of(local, arg_types_of((1,)), str(HERE)) is None


def test_every_level_gives_the_same(codes: dict[str, Any]) -> None:
    """As far as this processor goes; products are rounded before they are added in each."""
    assert _weigh(*ARGUMENTS) == 0 < Fraction(0.1) * 10 - 1
    for level in LEVELS[: LEVELS.index(str(HERE)) + 1]:
        entry = dispatch.Entry(weigh, FORM, cache.Stored(codes[level][0], Code(codes[level][1])))
        assert entry(ARGUMENTS) == _weigh(*ARGUMENTS), level
    assert len({codes[level][1] for level in ALL_LEVELS}) > 2, "one level is like every other"


def test_the_same_code_gives_the_same_bytes(codes: dict[str, Any]) -> None:
    again = _codes()
    for level in ALL_LEVELS:
        place = cache.place_of(weigh, FORM, level)
        assert place
        new, old = (cache.packed(*each[level], place[1]) for each in (again, codes))
        assert new == old
    assert all(str(Path(__file__).parent).encode() not in code[1][0] for code in codes.values())


def test_what_is_damaged_or_foreign_is_not_believed(file: Path, codes: dict[str, Any]) -> None:
    whole = file.read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 4]) + whole[middle + 1 :]
    foreign = cache.packed(*codes[str(HERE)], bytes(32))
    for content in (flipped, whole[:-1], whole + b"\0", b"", b"\x7fELF", foreign):
        file.write_bytes(content)
        assert _comes() == "compiled"
    file.write_bytes(whole)
    assert _comes() == "taken"


def test_another_level(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where a file lies in its place: its key is another."""
    other = next(level for level in ALL_LEVELS if level != HERE)
    monkeypatch.setattr(cache, "level", lambda: other)
    assert _comes() == "compiled"
    place = cache.place_of(weigh, FORM, other)
    assert place
    file.parent.rename(cache.PLACE / other)
    (cache.PLACE / other / file.name).rename(cache.PLACE / other / place[0])
    for level in (other, None):
        monkeypatch.setattr(cache, "level", lambda level=level: level)
        assert _comes() == "compiled"


@pytest.mark.parametrize("what", ["sources", "maker", "setting", "python", "system"])
def test_what_code_depends_on(file: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    assert _comes() == "taken"
    digest = cache.source_digest
    if what in ("sources", "maker"):
        changed = Path(__file__ if what == "sources" else cache._MAKER)
        monkeypatch.setattr(
            cache, "source_digest", lambda it: "new" if Path(it) == changed else digest(it)
        )
    elif what == "setting":
        monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    elif what == "python":
        monkeypatch.setattr(cache.sys.implementation, "name", "other")
    else:
        monkeypatch.setattr("sys.platform", "darwin")
    cache._folder.cache_clear()
    assert cache.load_shipped(weigh, FORM) is None


def _linked(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


#: What somebody else may have done to the file, or to its folder.
OTHERS = {
    "a file for everybody": lambda file: file.chmod(0o646),
    "a folder for everybody": lambda file: file.parent.chmod(0o757),
    "a link to a file": _linked,
    "a link to a folder": lambda file: _linked(file.parent),
    "a file of theirs": lambda file: os.chown(file, NOBODY, NOBODY),
}


@pytest.mark.parametrize("what", OTHERS)
def test_what_others_may_have_written_is_not_believed(file: Path, what: str) -> None:
    if what == "a file of theirs" and os.geteuid() != 0:
        pytest.skip("only root gives files away")
    OTHERS[what](file)
    assert _comes() == "compiled"


def test_who_may_write_a_safe_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "source.py"
    source.touch()
    me, group = source.stat().st_uid, source.stat().st_gid
    monkeypatch.setattr(os, "geteuid", lambda: 1234)
    for own, mode, user, of, is_safe in (
        (0o644, 0o644, me, group, True), (0o644, 0o444, 0, 0, True), (0o644, 0o600, 1234, 77, True),
        (0o644, 0o644, NOBODY, group, False), (0o644, 0o664, me, group, False),
        (0o664, 0o664, me, group, True), (0o664, 0o775, 0, group, True),
        (0o664, 0o664, me, group + 1, False), (0o664, 0o646, me, group, False),
        (0o666, 0o666, me, group, False),
    ):  # fmt: skip
        source.chmod(own)
        status: Any = SimpleNamespace(st_mode=stat.S_IFREG | mode, st_uid=user, st_gid=of)
        assert safe_folder.as_safe_as(source)(status) == is_safe


X86 = cache.LEVELS["x86_64"]
FLAGS = {name: flags.split() for name, flags in X86.items()}
ALL = " ".join(X86.values())


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], str | None]:
    """The level of a machine, as Linux calls it, whose first core is described so."""

    def level(name: str, described: str) -> str | None:
        cores = tmp_path / "cpuinfo"
        cores.write_text(f"model name\t: Any\n{described}\n\nflags\t\t: {ALL}\n")
        monkeypatch.setattr(cache, "_CORES", cores)
        monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=name))
        return cache.level.__wrapped__()

    return level


@pytest.mark.parametrize(("flags", "expected"), [
    ("", None), ("fpu sse sse2", None), (" ".join(FLAGS["x86-64-v2"]), "x86-64-v2"),
    (" ".join(FLAGS["x86-64-v2"][1:]), None),
    (" ".join(FLAGS["x86-64-v3"] + FLAGS["x86-64-v4"]), None), (ALL, "x86-64-v4"),
    (ALL.rpartition(" ")[0], "x86-64-v3"), (ALL.replace(" avx2 ", " avx3 "), "x86-64-v2"),
])  # fmt: skip
def test_the_level_is_what_the_first_core_can_do(
    machine: Any, flags: str, expected: str | None
) -> None:
    assert machine("x86_64", f"flags\t\t: {flags}") == expected


def test_one_level_or_none(machine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an emulator says of the processor below it is not asked."""
    for described in ("Features\t: fp asimd evtstrm", f"flags\t\t: {ALL}"):
        assert machine("aarch64", described) == "aarch64"
        assert machine("riscv64", described) is None
    for name, level in (("x86_64", None), ("aarch64", "aarch64")):
        assert machine(name, "") == level
        monkeypatch.setattr(cache, "_CORES", tmp_path / "none")
        assert cache.level.__wrapped__() == level
    monkeypatch.delattr(os, "uname")
    assert cache.level.__wrapped__() is None
