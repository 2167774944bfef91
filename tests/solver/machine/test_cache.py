"""Compiled kernels that are kept or came with the package: nothing that others put there runs."""

import os
import pickle
import stat
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from solver.machine import cache, dispatch, safe_folder
from solver.machine.cache import sealed, unsealed
from solver.machine.forms import arg_types_of
from solver.machine.jit import kernel
from solver.machine.object_code import Code, callable_form
from solver.machine.safe_folder import KernelFolder, homes, temporary_homes
from tests.support import needs_compiler, raising
from tests.support.commands import ran
from tools.wheel import processors

pytestmark = needs_compiler

NOBODY = 65534
NAME = "kernel-0123"
#: What the program says; what is kept is loaded without a compiler.
SAID = "570571 0 1 2 3 "
FRESH = f"compiled {SAID}{'llvmlite numba' if sys.platform == 'linux' else ''}\n"
KEPT = f"{SAID}\n"
by_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")

PROGRAM = """
import sys
import numpy as np
from solver.machine.arrays import copy_into
from solver.machine.dispatch import listeners
from solver.machine.jit import kernel

listeners.append(lambda: print("compiled", end=" "))


@kernel
def triangle(n, target, source):
    copy_into(target, source)
    total = 0
    for i in range(n):
        total += i if i % 7 else 2 * i
    return total, np.zeros(3)

row = np.zeros(4, dtype=np.int64)
print(triangle(1000, row, np.arange(4))[0], *row, end=" ")
print(*sorted({"numba", "llvmlite"} & set(sys.modules)) if sys.platform == "linux" else ())
"""


def _twice(value: int) -> int:
    return 2 * value


twice: Any = kernel(_twice)
OF_TWICE = arg_types_of((1,))


class Evil:
    """Unpickled, it says so."""

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return print, ("UNPICKLED",)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with a program that has one kernel, and nowhere else to keep it than in cache/."""
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "cache").mkdir()
    return tmp_path


def _run(home: Path, **elsewhere: str) -> str:
    """What the program says; that is all, and it ends well."""
    done = ran(
        [sys.executable, home / "program.py"], HOME=str(home / "cache" / "no" / "home"),
        NUMBA_CACHE_DIR=str(home / "cache"), XDG_CACHE_HOME="", LOCALAPPDATA="",
        **{"XDG_RUNTIME_DIR": "", "TMPDIR": str(home / "program.py"), **elsewhere},
    )  # fmt: skip
    assert done.stderr == "" and done.returncode == 0
    return done.stdout


def _only_file(home: Path) -> Path:
    (file,) = (home / "cache" / "knuthle").iterdir()
    return file


def _folder(path: Path) -> KernelFolder:
    folder = KernelFolder.tried(path)
    assert isinstance(folder, KernelFolder)
    return folder


def _is_refused(path: Path, is_temporary: bool = False) -> bool:
    return isinstance(KernelFolder.tried(path, is_temporary), str)


def test_a_kernel_is_compiled_once(home: Path) -> None:
    assert _run(home) == FRESH and _run(home) == KEPT
    kept = _only_file(home)
    assert kept.stat().st_mode & 0o777 == 0o600 and kept.parent.stat().st_mode & 0o777 == 0o700
    assert not list(home.rglob("*.nb?")), "numba keeps nothing beside it"


def test_what_a_kernel_has_from_around_it_must_be_plain() -> None:
    def with_own(first: Any, second: Any) -> Any:
        def both() -> Any:
            return first, second

        return kernel(both)

    assert cache.sources_of(with_own(1, "two")) != cache.sources_of(with_own(1, "2"))
    assert cache.sources_of(with_own(1, [2])) is None


def test_every_flipped_bit_is_noticed() -> None:
    key, stored = bytes(range(32)), os.urandom(2000)
    whole = sealed(key, stored)
    assert unsealed(key, whole) == stored
    for offset in range(len(whole)):
        broken = bytearray(whole)
        broken[offset] ^= 1 << offset % 8
        assert unsealed(key, bytes(broken)) is None, offset
    for length in (0, 1, 31, 32, 33, len(whole) - 1):
        assert unsealed(key, whole[:length]) is None
    assert unsealed(key, whole + b"\0") is None
    assert unsealed(bytes(32), whole) is None, "it belongs to another kernel"


@pytest.mark.long
def test_what_is_damaged_is_compiled_anew_and_mended(home: Path) -> None:
    _run(home)
    file = _only_file(home)
    whole = file.read_bytes()
    at = len(whole) // 2
    flipped = whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :]
    foreign = sealed(bytes(32), pickle.dumps(Evil()))
    for damaged in (flipped, b"", pickle.dumps(Evil()), foreign):
        file.write_bytes(damaged)
        assert _run(home) == FRESH and file.read_bytes() != damaged
    assert _run(home) == KEPT


def test_links_and_what_is_no_file(tmp_path: Path) -> None:
    """It is not read, and not waited for; a link is replaced, not followed."""
    folder, place = _folder(tmp_path / "kernels"), tmp_path / "kernels"
    (tmp_path / "elsewhere").write_bytes(b"evil")
    (place / NAME).symlink_to(tmp_path / "elsewhere")
    assert folder.read(NAME) is None
    folder.write(NAME, b"good")
    assert folder.read(NAME) == b"good"
    assert (tmp_path / "elsewhere").read_bytes() == b"evil"
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    assert _is_refused(tmp_path / "linked") and _is_refused(tmp_path / "dangling")
    assert not (tmp_path / "nowhere").exists()
    os.mkfifo(place / "queue")
    (place / "folder").mkdir()
    assert folder.read("queue") is None and folder.read("folder") is None
    folder.write("folder", b"cannot lie there")
    assert sorted(it.name for it in place.iterdir()) == ["folder", NAME, "queue"]


@pytest.mark.parametrize(("mode", "owner"), [
    (0o666, -1), (0o620, -1), (0o602, -1), pytest.param(0o600, NOBODY, marks=by_root),
])  # fmt: skip
def test_a_file_of_others_is_not_read(tmp_path: Path, mode: int, owner: int) -> None:
    """Nor is a folder that somebody else owns; a file that others may write is replaced."""
    folder, path = _folder(tmp_path / "kernels"), tmp_path / "kernels" / NAME
    folder.write(NAME, b"good")
    path.chmod(mode)
    os.chown(path, owner, owner)
    assert folder.read(NAME) is None
    folder.write(NAME, b"good")
    assert folder.read(NAME) == b"good"
    os.chown(path.parent, owner, owner)
    assert _is_refused(path.parent) == (owner == NOBODY)


def test_folders_that_change(tmp_path: Path) -> None:
    folder, place = _folder(tmp_path / "kernels"), tmp_path / "kernels"
    folder.write(NAME, b"good")
    place.rename(tmp_path / "moved")
    place.mkdir()
    (place / NAME).write_bytes(b"evil")
    assert folder.read(NAME) == b"good"
    folder.write(NAME, b"better")
    assert (place / NAME).read_bytes() == b"evil" and folder.read(NAME) == b"better"
    folder = _folder(tmp_path / "removed")
    (tmp_path / "removed").rmdir()
    folder.write(NAME, b"good")
    assert folder.read(NAME) is None


#: What lies where the folder should be.
IN_THE_WAY = {
    "file": lambda place: place.write_text("in the way"),
    "folder 777": lambda place: (place.mkdir(), place.chmod(0o777)),
    "link": lambda place: place.symlink_to(place.parent.with_name("real")),
    "null": lambda place: (place.parent.chmod(0o700), place.symlink_to("/dev/null")),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", IN_THE_WAY)
def test_without_a_safe_folder_kernels_are_compiled_each_time(home: Path, what: str) -> None:
    (home / "cache" / "no").write_text("so there is no home")
    (home / "real").mkdir(mode=0o700)
    IN_THE_WAY[what](home / "cache" / "knuthle")
    before = sorted(home.rglob("*"))
    assert _run(home) == FRESH
    assert sorted(home.rglob("*")) == before, "nor is anything kept next to the sources"


def test_a_folder_that_cannot_be_written_is_not_used(tmp_path: Path) -> None:
    unwritable = Path("/proc/self") if os.geteuid() == 0 else tmp_path / "kernels"
    if os.geteuid() != 0:
        unwritable.mkdir(mode=0o500)
    elif not unwritable.exists():
        pytest.skip("root may write everywhere else")
    assert _is_refused(unwritable) and _is_refused(unwritable / "below")
    assert _is_refused(Path("null\0character"))


def test_a_folder_that_cannot_be_written_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with patch("os.access", return_value=False), patch("os.close", wraps=os.close) as closed:
        assert KernelFolder.tried(tmp_path) == "it cannot be written"
    assert closed.called or not os.supports_dir_fd


def test_the_places_are_those_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of temporary ones the session's serves before the shared folder."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/home/somebody")
    assert list(homes()) == [Path("/home/somebody/.cache/knuthle")]
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/5")
    monkeypatch.setenv("TMPDIR", "/scratch")
    own = Path(f"knuthle-{os.geteuid()}")
    assert list(temporary_homes()) == [Path("/run/user/5/knuthle"), "/scratch" / own]
    monkeypatch.setenv("XDG_RUNTIME_DIR", "run")
    monkeypatch.delenv("TMPDIR")
    assert list(temporary_homes()) == ["/tmp" / own], "nothing lies where we happen to be"


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder such as /tmp: everybody may write in it, nobody rename what others have made."""
    folder = tmp_path / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def test_a_temporary_folder_is_made_for_us_alone(shared: Path) -> None:
    for _ in range(2):  # made, and found again
        folder = KernelFolder.tried(shared / "own", is_temporary=True)
        assert isinstance(folder, KernelFolder) and folder.is_temporary
        folder.write(NAME, folder.read(NAME) or b"good")
    assert folder.read(NAME) == b"good" and (shared / "own").stat().st_mode & 0o777 == 0o700
    assert _is_refused(shared / "no" / "own", is_temporary=True)


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707, 0o1777, 0o755, 0o750, 0o711, 0o710, 0o701])
def test_a_folder_that_others_may_use_is_not_used(shared: Path, mode: int) -> None:
    """A temporary one of which they may see what is in it; another where they may write."""
    (shared / "own").mkdir()
    (shared / "own").chmod(mode)
    assert _is_refused(shared / "own", is_temporary=True)
    assert _is_refused(shared / "own") == bool(mode & 0o022)


@by_root
def test_a_temporary_folder_that_somebody_made_before_us_is_not_used(shared: Path) -> None:
    (shared / "own").mkdir(mode=0o700)
    (shared / "own" / NAME).write_bytes(b"evil")
    os.chown(shared / "own", NOBODY, NOBODY)
    assert "other users" in str(KernelFolder.tried(shared / "own", is_temporary=True))
    (shared / "real").mkdir(mode=0o700)
    (shared / "linked").symlink_to(shared / "real")
    os.chown(shared / "linked", NOBODY, NOBODY, follow_symlinks=False)
    assert _is_refused(shared / "linked", is_temporary=True)


@pytest.mark.parametrize(("mode", "owner"), [
    (0o777, -1), pytest.param(0o700, NOBODY, marks=by_root),
])  # fmt: skip
def test_no_temporary_folder_where_others_may_rename_it(
    shared: Path, mode: int, owner: int
) -> None:
    """Nor in the session of somebody else, as ``sudo`` may leave it in the environment."""
    shared.chmod(mode)
    os.chown(shared, owner, owner)
    assert "exchange" in str(KernelFolder.tried(shared / "own", is_temporary=True))
    assert not list(shared.iterdir())


@pytest.mark.slow
def test_where_there_is_no_home_kernels_are_kept_for_a_while(home: Path, shared: Path) -> None:
    (home / "cache" / "no").write_text("so there is no home")
    (home / "cache" / "knuthle").write_text("in the way")
    elsewhere = {"TMPDIR": str(shared), "XDG_RUNTIME_DIR": ""}
    assert _run(home, **elsewhere) == FRESH and _run(home, **elsewhere) == KEPT
    (folder,) = shared.iterdir()
    assert folder.name == f"knuthle-{os.geteuid()}" and len(list(folder.iterdir())) == 1


def test_each_place_has_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(cache, "homes", lambda: [tmp_path / "file"])
    monkeypatch.setattr(cache, "temporary_homes", lambda: [tmp_path / "none" / "own"])
    monkeypatch.setattr(cache, "kernel_folder", cache.kernel_folder.__wrapped__)
    assert cache.why_nothing_is_kept() == (
        f"{tmp_path}/file: File exists; {tmp_path}/none/own: No such file or directory"
    )
    monkeypatch.setattr(cache, "temporary_homes", lambda: [tmp_path / "own"])
    tmp_path.chmod(0o700)
    assert cache.why_nothing_is_kept() is None
    assert cache.places_refused() == [f"{tmp_path}/file: File exists"]


def test_a_full_disk_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = _folder(tmp_path / "kernels")
    with patch.multiple(os, rename=raising(OSError(28, "No space left on device"))):
        folder.write(NAME, b"good")
    assert list((tmp_path / "kernels").iterdir()) == []


def test_code_for_another_processor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "kernel_folder", lambda: _folder(tmp_path / "kernels"))
    monkeypatch.setattr(cache, "machine", cache.machine.__wrapped__)
    cache.store(twice, OF_TWICE, "int", b"code")
    stored = cache.load(twice, OF_TWICE)
    assert stored and (stored.returned, stored.code.stored, stored.number) == ("int", b"code", 0)
    flags = cache.processor()
    monkeypatch.setattr(cache, "processor", lambda: flags.replace(" sse2 ", " "))
    assert cache.load(twice, OF_TWICE) is None and cache.is_missing(twice, OF_TWICE)


@pytest.mark.slow
def test_two_processes_that_compile_the_same_at_once_are_both_right(home: Path) -> None:
    """Each writes a file of its own and renames it: one stays, and it is whole."""
    with ThreadPoolExecutor(2) as both:
        said = list(both.map(_run, [home, home]))
    assert set(said) <= {FRESH, KEPT} and FRESH in said and _only_file(home) and _run(home) == KEPT


# --- that came with the package
HERE = cache.level()
#: The levels of this machine, and of every one that code is shipped for.
LEVELS = list(cache.levels())
ALL_LEVELS = [level for levels in cache.LEVELS.values() for level in levels]
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
    if HERE is None:
        pytest.skip("no code is shipped for this machine")
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
