"""What is compiled beforehand: the list of kernels, and compiling by several processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver.errors import CouldNotFinishError, WrongInputError
from solver.machine import dispatch
from solver.machine.argument_forms import class_of, form_of, leaves
from solver.machine.cache import checksum, kernel_cache
from solver.machine.jit import Door, kernel
from strategy.cli import COMMANDS
from strategy.toolbox import machine_code
from tests.support import ROOT

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing is compiled"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    kernel_cache.kernel_folder.cache_clear()
    yield tmp_path / "knuthle"
    kernel_cache.kernel_folder.cache_clear()


@compiled
def test_the_list_names_kernels_and_classes_as_they_are() -> None:
    commands = machine_code.commands_with_kernels()
    assert set(commands) <= set(COMMANDS)
    listed = machine_code.kernels_of(commands)
    assert len(listed) > 30
    for door, form in listed:
        assert isinstance(door, Door) and not door.inner
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


@pytest.mark.slow(37)
@compiled
def test_the_list_is_what_commands_need() -> None:
    """In a process of its own: what is called depends on how workers are started."""
    check = [sys.executable, "-m", "tools.list_kernels", "--check"]
    done = subprocess.run(check, check=False, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_command_that_compiles_nothing_is_refused() -> None:
    with pytest.raises(WrongInputError, match=r"'lookup\\n' is no command that compiles"):
        machine_code.wanted_commands(["suggest", "lookup\n"])
    assert machine_code.wanted_commands(["suggest"]) == ["suggest"]
    assert machine_code.wanted_commands([]) == machine_code.commands_with_kernels()


def test_without_a_safe_folder_nothing_can_be_prepared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        assert machine_code.compile_for(["suggest"], 1, lambda *_: None) == (0, 0)
        return
    monkeypatch.setattr(kernel_cache, "kernel_folder", lambda: None)
    with pytest.raises(CouldNotFinishError, match="NUMBA_CACHE_DIR"):
        machine_code.compile_for(["suggest"], 1, lambda *_: None)


# ---- by several processes


@kernel
def plus(one: Any, other: Any) -> Any:
    """A door that processes find by its name, forked or not."""
    return one + other


def another() -> Any:
    """The same door, which has no entry yet."""
    return kernel(getattr(plus, "__wrapped__", plus))


FORMS = [form_of(args) for args in ((1, 2), (1, 2.5), (True, 1), (np.uint8(1), np.int64(1)))]


@pytest.fixture(scope="module")
def compiler() -> None:
    """What the compiler makes ready when it is first asked, and forked workers find so."""
    dispatch._code(another(), form_of((1.5, 2)))


@compiled
@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("workers", [1, 3])
def test_each_is_compiled_once_and_counted(folder: Path, workers: int) -> None:
    heard: list[tuple[int, int]] = []
    door = another()
    wanted = [(door, form) for form in (*FORMS, *FORMS)]
    made = dispatch.prepare(wanted, workers, lambda *it: heard.append(it))
    assert made == 4
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4), (4, 4)]
    assert len(list(folder.iterdir())) == 4
    assert dispatch.prepare(wanted, workers, lambda *it: heard.append(it)) == 0
    assert kernel_cache.clear() == 4
    assert not list(folder.iterdir())


@compiled
@pytest.mark.usefixtures("compiler")
def test_what_is_expected_is_compiled_before_the_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = another()
    told: list[str] = []
    monkeypatch.setattr(dispatch, "listeners", [(lambda: told.append("compiled"), lambda: None)])
    wanted = [(door, form) for form in FORMS]
    dispatch.expect(lambda: told.append(f"{dispatch.prepare(wanted, 2, lambda *_: None)} at once"))
    assert door(1, 2) == 3 and door(1, 2.5) == 3.5 and door(True, 1) == 2
    assert told == ["4 at once"]
    assert door(2.5, 2.5) == 5.0
    assert told == ["4 at once", "compiled"]


@compiled
def test_a_preparation_that_fails_is_done_without(folder: Path) -> None:
    door = another()

    def fail() -> None:
        raise CouldNotFinishError("no process can be started")

    dispatch.expect(fail)
    assert door(1, 2) == 3


@compiled
def test_the_two_newest_versions_stay(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = []
    for version in range(4):
        monkeypatch.setattr(checksum, "source_digest", lambda _, it=version: str(it))
        for form in FORMS[:2]:
            kernel_cache.keep(another(), form, ("int", b"code"))
        files.append({it.name for it in folder.iterdir()})
    assert [len(it) for it in files] == [2, 4, 4, 4]
    assert len(files[3] & files[2]) == 2 and not files[3] & files[1]
    (folder / "notes.txt").write_text("not ours")
    assert kernel_cache.clear() == 4
    assert [it.name for it in folder.iterdir()] == ["notes.txt"]


@compiled
@pytest.mark.usefixtures("compiler")
def test_a_command_compiles_all_that_it_needs_at_once(folder: Path) -> None:
    """The smallest there is."""
    assert sys.executable and ROOT
    commands = ["buckets"]
    wanted = machine_code.kernels_of(commands)
    made, whole = machine_code.compile_for(commands, 2, lambda *_: None)
    assert (made, whole) == (len(wanted), len(wanted))
    assert not any(kernel_cache.is_missing(*it) for it in wanted)
