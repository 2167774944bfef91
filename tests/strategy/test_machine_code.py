"""What is compiled beforehand: the list of kernels, and compiling by several processes."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine import cache, dispatch
from solver.machine.forms import arg_types_of, class_of, leaves
from solver.machine.jit import Kernel, kernel
from strategy.cli import COMMANDS
from strategy.toolbox import machine_code
from tests.support import PLAIN, needs_compiler, raising
from tests.support.commands import ran


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
    for command in commands:
        assert set(machine_code.kernels_of([command])) <= set(listed)


def _check_tuples(form: Any) -> None:
    if isinstance(form, str):
        assert list(leaves(form)) == [form]
        return
    assert getattr(class_of(form[0]), "_fields", ()) == form[1]
    for part in form[2]:
        _check_tuples(part)


@pytest.mark.long
@needs_compiler
def test_the_list_is_what_commands_need() -> None:
    """In a process of its own: what is called depends on how workers are started."""
    done = ran([sys.executable, "-m", "tools.list_kernels", "--check"])
    assert done.returncode == 0, done.stderr


def test_a_command_that_compiles_nothing_is_refused() -> None:
    with pytest.raises(WrongInputError, match=r"'lookup\\n' compiles nothing"):
        machine_code.wanted_commands(["suggest", "lookup\n"])
    assert machine_code.wanted_commands(["suggest"]) == ["suggest"]
    assert machine_code.wanted_commands([]) == machine_code.commands_with_kernels()


def test_without_a_safe_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if PLAIN:
        assert machine_code.compile_for(["suggest"], 1, lambda *_: None) == (0, 0)
        return
    monkeypatch.setattr(cache, "kernel_folder", lambda: None)
    with pytest.raises(CouldNotFinishError, match="NUMBA_CACHE_DIR"):
        machine_code.compile_for(["suggest"], 1, lambda *_: None)


# ---- by several processes
@kernel
def plus(one: Any, other: Any) -> Any:
    """A door that processes find by its name, forked or not."""
    return one + other


def another() -> Any:
    return kernel(getattr(plus, "__wrapped__", plus))


FORMS = [arg_types_of(args) for args in ((1, 2), (1, 2.5), (True, 1), (np.uint8(1), np.int64(1)))]


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
    assert made == 4 and heard == [(1, 4), (2, 4), (3, 4), (4, 4), (4, 4)]
    assert len(list(folder.iterdir())) == 4
    assert dispatch.prepare(wanted, workers, lambda *it: heard.append(it)) == 0
    assert cache.clear() == 4 and not list(folder.iterdir())


@pytest.mark.slow
@needs_compiler
@pytest.mark.usefixtures("compiler")
def test_compiled_before_the_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    door = another()
    heard: list[str] = []
    monkeypatch.setattr(dispatch, "listeners", [(lambda: heard.append("compiled"), lambda: None)])
    wanted = [(door, form) for form in FORMS]
    dispatch.expect(lambda: heard.append(f"{dispatch.prepare(wanted, 2, lambda *_: None)} at once"))
    assert door(1, 2) == 3 and door(1, 2.5) == 3.5 and door(True, 1) == 2 and heard == ["4 at once"]
    assert door(2.5, 2.5) == 5.0 and heard == ["4 at once", "compiled"]


@needs_compiler
def test_a_preparation_that_fails_is_done_without(folder: Path) -> None:
    dispatch.expect(raising(CouldNotFinishError("no process can be started")))
    assert another()(1, 2) == 3


@needs_compiler
def test_the_two_newest_versions_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for version in range(4):
        monkeypatch.setattr(cache, "source_digest", lambda _, it=version: str(it))
        for form in FORMS[:2]:
            cache.store(another(), form, ("int", b"code"))
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
