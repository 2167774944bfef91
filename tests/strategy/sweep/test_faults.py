"""Whatever ends a run: the same command goes on, and comes to the same table."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from solver.errors import CouldNotFinishError
from solver.game.load import load_game
from strategy.errors import UnfinishedError
from strategy.sweep import lock
from strategy.sweep.run import sweep_openers
from strategy.sweep.store import SweepStore
from strategy.sweep.view import open_sweep
from tests.support.sweeps import befallen, figures, some_words

RUN = ("run", "--list", "w.txt", "--out", "s.sqlite", "--workers", "2", "--quiet")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX")

#: The run is killed once it has stored so many rows, its workers being in the middle of theirs.
KILLED = """
def slow(self, opener, replayed):
    if os.getpid() != parent:
        note(os.getpid())
        time.sleep(0.05)
    return row(self, opener, replayed)

def counting(self, rows):
    global made
    rows = list(rows)
    add(self, rows)
    made += len(rows)
    if made >= 7:
        os.kill(parent, signal.{})

tasks.SweepBench.row, store.SweepStore.add = slow, counting
"""
#: The run is killed between the rows of a batch and the end of their transaction.
KILLED_WITHIN = """
def half(self, rows):
    global made
    made += 1
    if made > 3:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("DELETE FROM openers")
        os.kill(parent, signal.SIGKILL)
    add(self, rows)

store.SweepStore.add = half
"""
WORKER_KILLED = """
def dying(self, opener, replayed):
    if os.getpid() != parent and opener > 30:
        os.kill(os.getpid(), signal.SIGKILL)
    return row(self, opener, replayed)

tasks.SweepBench.row = dying
"""
#: There is no more room once the tables are made.
DISK_FULL = """
import resource

def full(self, rows):
    resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))
    add(self, rows)

store.SweepStore.add = full
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a list, and what an undisturbed run makes of it."""
    (tmp_path / "w.txt").write_text("\n".join(some_words(60)))
    sweep_openers(load_game(tmp_path / "w.txt"), tmp_path / "whole.sqlite", workers=1)
    return tmp_path


def goes_on(folder: Path, done: int) -> None:
    """The same command again: it has what was stored, and ends as if nothing had been."""
    before = open_sweep(folder / "s.sqlite")
    assert len(before) >= done
    assert before.missing
    sweep_openers(load_game(folder / "w.txt"), folder / "s.sqlite", workers=1)
    assert figures(folder / "s.sqlite") == figures(folder / "whole.sqlite")
    assert {path.name for path in folder.glob("s.sqlite*")} == {"s.sqlite"}


def is_alive(process: int) -> bool:
    """Whether a process is there, and more than a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] not in "ZX"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_run_that_is_killed_goes_on_and_takes_its_workers_with_it(folder: Path) -> None:
    outcome = befallen(folder, KILLED.format("SIGKILL"), *RUN)
    assert outcome.returncode == -9
    end = time.monotonic() + 1
    workers = set(map(int, (folder / "pids").read_text().split()))
    assert workers
    while any(map(is_alive, workers)):
        assert time.monotonic() < end, "a worker outlives its parent"
        time.sleep(0.01)
    goes_on(folder, 7)


def test_a_run_that_is_killed_within_a_transaction_goes_on(folder: Path) -> None:
    assert befallen(folder, KILLED_WITHIN, *RUN).returncode == -9
    goes_on(folder, 3)


@pytest.mark.parametrize(("signal", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_run_that_is_interrupted_goes_on(folder: Path, signal: str, code: int) -> None:
    outcome = befallen(folder, KILLED.format(signal), *RUN)
    assert outcome.returncode == code
    assert "Traceback" not in outcome.stderr
    goes_on(folder, 7)


def test_a_run_whose_worker_is_killed_says_so_and_goes_on(folder: Path) -> None:
    outcome = befallen(folder, WORKER_KILLED, *RUN)
    assert outcome.returncode == 3
    assert "a worker process died" in outcome.stderr
    assert "SIGKILL" in outcome.stderr
    goes_on(folder, 2)


def test_a_run_on_a_full_disk_says_so_and_goes_on(folder: Path) -> None:
    outcome = befallen(folder, DISK_FULL, *RUN)
    assert outcome.returncode == 3
    assert "Traceback" not in outcome.stderr
    assert "s.sqlite: " in outcome.stderr
    assert "the same command goes on" in outcome.stderr
    goes_on(folder, 0)


def test_a_second_run_stops_and_says_why(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "_PATIENCE", 0.1)
    game = load_game(folder / "w.txt")
    place = folder / "s.sqlite"
    with lock.locked(place):
        assert lock.is_locked(place)
        with pytest.raises(CouldNotFinishError, match="another run is at work"):
            sweep_openers(game, place, workers=1)
        outcome = befallen(folder, "", *RUN)
        assert outcome.returncode == 3
        assert outcome.stderr.count("\n") == 1
    assert not lock.is_locked(place)
    assert len(sweep_openers(game, place, workers=1)) == 60


def test_a_store_that_fails_keeps_whole_batches(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows of a batch are stored together or not at all."""
    add, calls = SweepStore.add, [0]

    def failing(self: SweepStore, rows: Any) -> None:
        calls[0] += 1
        if calls[0] == 4:
            rows = [*rows, *open_sweep(folder / "whole.sqlite").rows[:1]]  # it is there already
        add(self, rows)

    monkeypatch.setattr(SweepStore, "add", failing)
    game = load_game(folder / "w.txt")
    with pytest.raises(UnfinishedError):
        sweep_openers(game, folder / "s.sqlite", workers=1)
    monkeypatch.undo()
    kept = open_sweep(folder / "s.sqlite")
    assert 0 < len(kept) < 60
    goes_on(folder, len(kept))
