"""What is compiled beforehand: the list of kernels, and compiling by several processes."""

import io
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine import cache, dispatch
from solver.machine.forms import arg_types_of, class_of
from solver.machine.jit import Kernel, kernel
from strategy.cli import COMMANDS
from strategy.toolbox import machine_code
from tests.support import PLAIN, needs_compiler, raising, refused
from tests.support.asked import made_words
from tests.support.commands import ran
from tools import list_kernels


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    cache.kernel_folder.cache_clear()
    yield tmp_path / "knuthle"
    cache.kernel_folder.cache_clear()


@needs_compiler
def test_the_list_names_kernels_and_classes_as_they_are() -> None:
    commands = machine_code.commands_with_kernels()
    assert set(commands) <= set(COMMANDS)
    listed = machine_code.kernels_of(commands)
    assert len(listed) > 30
    for door, form in listed:
        assert isinstance(door, Kernel) and not door.inner
        assert len(form[2]) == door.py_func.__code__.co_argcount, door
        _check_tuples(form)
    for command, of_it in machine_code.listed_calls().items():
        plain = machine_code.kernels_of([command], [""])
        assert plain and {*plain} <= {*machine_code.kernels_of([command])} <= {*listed}
        for label in of_it:
            kernel, form = machine_code.kernels_of([command], [label])[-1]
            assert machine_code.labels_of(command, kernel, form) == [label]
            both = machine_code.labels_of(command, kernel, form, ["--hard", "--top"])
            assert both == [it for it in of_it if it in (label, "--hard")]
    assert machine_code.labels_of("suggest", another(), FORMS[0], ["--hard"]) == []


def _check_tuples(form: Any) -> None:
    if not isinstance(form, str):
        assert getattr(class_of(form[0]), "_fields", ()) == form[1]
        for part in form[2]:
            _check_tuples(part)


@pytest.mark.long(180)
@needs_compiler
def test_the_list_is_what_commands_need() -> None:
    """In a process of its own: what is called depends on how workers are started."""
    done = ran([sys.executable, "-m", "tools.list_kernels", "--check"])
    assert done.returncode == 0, done.stderr


def test_a_command_that_compiles_nothing_is_refused() -> None:
    wanted = ["suggest", "lookup\n"]
    refused(WrongInputError, r"'lookup\\n' compiles", machine_code.wanted_commands, wanted)
    assert machine_code.wanted_commands(["suggest"]) == ["suggest"]
    assert machine_code.wanted_commands([]) == machine_code.commands_with_kernels()


def test_without_a_safe_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    if PLAIN:
        assert machine_code.compile_for(["suggest"], 1, lambda *_: None) == (0, 0)
        return
    monkeypatch.setattr(cache, "kernel_folder", lambda: None)
    ask = machine_code.compile_for
    refused(CouldNotFinishError, "NUMBA_CACHE_DIR", ask, ["suggest"], 1, lambda *_: None)


#: Calls that choose kernels otherwise than those that the list is made of.
CALLS = Path(__file__).with_name("calls.txt").read_text(encoding="utf-8").splitlines()


#: Words of which some guess has more than 255 scores.
SEVEN = made_words(7, 480, "abcdefgh")


@pytest.mark.slow(120)
@needs_compiler
def test_after_compile_no_command_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is called is on the list, of one command or another."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KNUTHLE_SETTINGS", "")
    words = {
        "six": list_kernels.SIX,
        "few": list_kernels.FEW[1:],
        "weights": [f"{word} {2 + len(word)}" for word in list_kernels.FEW[1:]],
        "seven": SEVEN,
        "most": SEVEN[:400],
        "of-most": [f"{word} {2 + word.count('a')}" for word in SEVEN[:400]],
    }
    for name, lines in words.items():
        (tmp_path / name).write_text("\n".join(lines))
    for door in list_kernels._all_kernels():
        monkeypatch.setattr(door, "entries", {})
        monkeypatch.setattr(door, "ready", [])
    of_commands = machine_code.listed_calls().values()
    listed = {it for labels in of_commands for calls in labels.values() for it in calls}
    monkeypatch.setattr(sys, "stdin", io.StringIO())  # those who ask take it away
    for call in CALLS:
        said = call.format(word=list_kernels.SIX[3], seven=SEVEN[0], seven2=SEVEN[1])
        command, _, options = said.partition(" ")
        more = {*list_kernels._called(command, [options])} - listed
        assert not more, f"{call} needs {min(more)}"


# ---- by several processes
@kernel
def plus(one: Any, other: Any) -> Any:
    """A door that processes find by its name, forked or not."""
    return one + other


def another() -> Any:
    return kernel(getattr(plus, "__wrapped__", plus))


#: The last is one with the first to numba, and a form of its own here.
FORMS = [arg_types_of(args) for args in ((1, 2), (1, 2.5), (True, 1), (np.int64(1), 2))]


@pytest.fixture(scope="module")
def compiler() -> None:
    """What the compiler makes ready when it is first asked, and forked workers find so."""
    dispatch._code(another(), arg_types_of((1.5, 2)))


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("workers", [1, 3])
def test_each_is_compiled_once_and_counted(folder: Path, workers: int) -> None:
    heard: list[tuple[int, int]] = []
    door = another()
    wanted = [(door, form) for form in (*FORMS, *FORMS)]
    made = dispatch.prepare(wanted, workers, lambda *it: heard.append(it))
    assert made == 4 and heard == [(min(step, 8), 8) for step in range(1, 10)]
    (library,) = _libraries(folder)
    assert len(list(folder.iterdir())) == 5, "all are in one file, and each has one that names it"
    assert dispatch.prepare(wanted, workers, lambda *it: heard.append(it)) == 0
    assert another()(1, 2.5) == 3.5 and another()(True, 1) == 2
    whole = library.read_bytes()
    library.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    cache._library.cache_clear()
    assert all(cache.is_missing(*it) for it in wanted), "a bit of it is another"
    assert cache.clear() == 4 and not list(folder.iterdir())


def test_a_worker_keeps_to_its_package_as_long_as_it_can() -> None:
    task_for = dispatch._handed_out({"a.x": [0], "a.y": [1], "b.x": [2, 3], "b.y": [4], "a.z": [5]})
    order = [(worker, task_for(worker)) for worker in (0, 1, 1, 0, 1, 0, 0, 1, 1)]
    given = [(0, [0]), (1, [2, 3]), (1, [4]), (0, [1]), (1, [5]), (0, []), (0, None), (1, [])]
    assert order == [*given, (1, None)]


def _libraries(folder: Path) -> list[Path]:
    return [it for it in folder.iterdir() if it.name.startswith("library.")]


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("compiler")
def test_a_library_stays_while_it_is_needed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dispatch.prepare([(another(), form) for form in FORMS[:2]], 1, lambda *_: None)
    first = set(_libraries(folder))
    for version in range(3):
        monkeypatch.setattr(cache, "source_digest", lambda _, it=version: str(it))
        dispatch.prepare([(another(), FORMS[0])], 1, lambda *_: None)
    assert len(_libraries(folder)) == 2 and first <= {*_libraries(folder)}
    dispatch.prepare([(another(), FORMS[1])], 1, lambda *_: None)
    monkeypatch.setattr(cache, "source_digest", lambda _: "new")
    dispatch.prepare([(another(), FORMS[1])], 1, lambda *_: None)
    assert not first & {*_libraries(folder)}, "two newer versions of both kernels"


@needs_compiler
@pytest.mark.usefixtures("compiler")
def test_one_that_cannot_be_stored_keeps_no_other_from_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gc.disable", lambda: None)  # this process does not end with the library
    unfit: Any = kernel(_with_a_list)
    wanted = [(unfit, arg_types_of((3,))), (another(), FORMS[0])]
    put = dispatch._compile_and_store(wanted)
    assert (put([0, 1]), put([])) == (2, 2)
    assert cache.is_missing(*wanted[0]) and not cache.is_missing(*wanted[1])


@needs_compiler
@pytest.mark.usefixtures("compiler")
def test_what_took_long_is_stored_before_all_is_done(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is interrupted then goes on from there."""
    monkeypatch.setattr("gc.disable", lambda: None)  # this process does not end with the library
    wanted = [(another(), form) for form in FORMS]
    for longest, steps in ((60.0, 2), (0.0, 4)):
        monkeypatch.setattr(dispatch, "_LONGEST", longest)
        put = dispatch._compile_and_store(wanted)
        assert put([0, 1]) == steps
        assert [cache.is_missing(*it) for it in wanted] == [longest > 0.0] * 2 + [True] * 2
    assert put([]) == 0, "all that was written is stored"
    assert dispatch.prepare(wanted, 1, lambda *_: None) == 2


def _with_a_list(count: int) -> int:
    """For a list numba needs its own runtime."""
    held = [count]
    held.append(count)
    return len(held)


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("compiler")
def test_compiled_before_the_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    door = another()
    heard: list[str] = []
    monkeypatch.setattr(dispatch, "listeners", [lambda: heard.append("compiled")])
    wanted = [(door, form) for form in FORMS]

    def prepare(missing: Any, form: Any) -> None:
        if (missing, form) in wanted:
            heard.append(f"{dispatch.prepare(wanted, 2, lambda *_: None)} at once")

    dispatch.expect(prepare)
    assert door(1, 2) == 3 and door(1, 2.5) == 3.5 and door(True, 1) == 2 and heard == ["4 at once"]
    assert door(2.5, 2.5) == 5.0 and heard == ["4 at once", "compiled"]
    dispatch.expect(None)


@needs_compiler
def test_a_preparation_that_fails_is_done_without(folder: Path) -> None:
    dispatch.expect(raising(CouldNotFinishError("no process can be started")))
    assert another()(1, 2) == 3
    dispatch.expect(None)


@needs_compiler
def test_the_two_newest_versions_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for version in range(4):
        monkeypatch.setattr(cache, "source_digest", lambda _, it=version: str(it))
        for form in FORMS[:2]:
            cache.store(another(), form, "int", b"code")
        files.append({it.name for it in folder.iterdir()})
    assert [len(it) for it in files] == [2, 4, 4, 4]
    assert len(files[3] & files[2]) == 2 and not files[3] & files[1]
    (folder / "notes.txt").write_text("not ours")
    assert cache.clear() == 4 and [it.name for it in folder.iterdir()] == ["notes.txt"]


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("compiler")
def test_a_command_compiles_all_that_it_needs_at_once(folder: Path) -> None:
    """The smallest there is."""
    commands = ["buckets"]
    wanted = machine_code.kernels_of(commands)
    made, whole = machine_code.compile_for(commands, 2, lambda *_: None)
    assert (made, whole) == (len(wanted), len(wanted))
    assert not any(cache.is_missing(*it) for it in wanted)
