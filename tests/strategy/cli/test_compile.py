"""``knuthle compile``: prepared beforehand, cleared, and refused."""

import json
from pathlib import Path

import pytest

from solver.machine import cache, dispatch, jit
from solver.machine.safe_folder import KernelFolder
from strategy.cli import output
from strategy.toolbox import machine_code
from tests.support import needs_compiler
from tests.support.commands import Knuthle

pytestmark = needs_compiler


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "kernel_folder", cache.kernel_folder.__wrapped__)


def test_prepared_once_then_cleared(knuthle: Knuthle) -> None:
    first, again, cleared, none = (
        knuthle("compile", *words, "--json", "-")
        for words in (["buckets"], ["buckets"], ["--clear"], ["--clear"])
    )
    count = json.loads(first.out)["n_kernels"]
    assert count > 0
    assert json.loads(first.out) == {"n_compiled": count, "n_kernels": count, "n_removed": 0}
    assert first.err.startswith(f"compiling {count} kernels, this once: ")
    assert json.loads(again.out) == {"n_compiled": 0, "n_kernels": count, "n_removed": 0}
    assert again.err == ""
    assert json.loads(cleared.out)["n_removed"] == count
    assert json.loads(none.out) == dict.fromkeys(json.loads(first.out), 0)


def test_without_a_safe_folder(knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "kernel_folder", lambda: None)
    outcome = knuthle("compile", "buckets")
    assert outcome.code == 3 and "NUMBA_CACHE_DIR" in outcome.err
    assert knuthle("compile", "--clear").out == "removed 0 compiled kernels\n"


# ---- what is said at a first run
def test_a_first_run_says_what_for_and_what_else_compiles() -> None:
    said = machine_code.notice("suggest")
    assert "compiling what a plain 'suggest' needs, this once: " in said
    assert "Other commands, and 'suggest' with --hard, " in said and "'knuthle compile'" in said
    for label in machine_code.listed_calls()["suggest"]:
        assert label in said
        assert (
            f"'suggest' needs besides for {label}, this once"
            in machine_code.notice("suggest", [label])
            or not label
        )
    assert "this call of 'suggest' needs besides" in machine_code.notice("suggest", [])
    assert "Other commands compile more" in machine_code.notice("five-words")
    assert "Other" not in machine_code.notice()
    said = machine_code.notice("suggest", ["", "--hard", "Mastermind"])
    assert "compiling what 'suggest' with --hard, Mastermind needs, this once: " in said
    assert "and 'suggest' with --weights, " in said


def test_nothing_is_promised_where_nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "kernel_folder", lambda: None)
    monkeypatch.setattr(cache, "places_refused", lambda: ["/home/a: Read-only file system"])
    for command in ("suggest", ""):
        said = machine_code.notice(command)
        assert "every run compiles again: /home/a: Read-only file system" in said
        assert "NUMBA_CACHE_DIR" in said and "at once" not in said and "once" not in said


def test_a_temporary_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = KernelFolder(tmp_path, None, is_temporary=True)
    monkeypatch.setattr(cache, "kernel_folder", lambda: folder)
    monkeypatch.setattr(cache, "places_refused", lambda: ["/home/a: Read-only file system"])
    said = machine_code.notice("suggest")
    assert f"kept in {tmp_path} only until" in said and "/home/a: Read-only" in said
    assert "once" not in said


def test_a_command_says_the_notice_once_however_it_compiles(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Also what no list names, one kernel after the other."""
    monkeypatch.setattr(dispatch, "listeners", [])
    monkeypatch.setattr(output, "command", "suggest")
    output.say_when_compiling(quiet=False)
    dispatch._expected.clear()
    for _ in range(2):
        assert jit.kernel(lambda value: value + 1)(1) == 2
    assert capfd.readouterr().err == machine_code.notice("suggest", []) + "\n"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("label", [machine_code.CODES, machine_code.LONG])
def test_one_sentence_stands_for_what_is_plain_and_what_is_not(
    first: int, label: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whichever kind of kernel is missing first."""
    monkeypatch.setattr(dispatch, "listeners", [])
    monkeypatch.setattr(dispatch, "prepare", lambda _wanted, _workers, report: report(1, 2))
    monkeypatch.setattr(output, "command", "suggest")
    monkeypatch.setattr(output, "asked", {label} if first == 0 else {"--top"})
    output.say_when_compiling(quiet=False)
    for kind in ["", label, ""] if first == 0 else [label, "", label]:
        dispatch._expected[0](*machine_code.kernels_of(["suggest"], [kind])[-1])
    assert capfd.readouterr().err == machine_code.notice("suggest", ["", label]) + "\n"


@pytest.mark.parametrize("quiet", [False, True])
def test_what_ran_before_in_the_process_says_nothing(
    quiet: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Each command speaks for itself alone, and nobody for a quiet one."""
    monkeypatch.setattr(dispatch, "listeners", [])
    for command, silent in [("five-words", False), ("play", quiet)]:
        monkeypatch.setattr(output, "command", command)
        output.say_when_compiling(silent)
    dispatch._expected.clear()
    with dispatch._announced():
        pass
    said = "" if quiet else machine_code.notice("play", []) + "\n"
    assert capfd.readouterr().err == said
