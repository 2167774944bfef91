"""Whatever befalls an exact sweep: the same command goes on, and comes to the same table."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from strategy.sweep import lock
from strategy.sweep.cluster import DaskPlace, by_dask
from strategy.sweep.optimal.run import sweep_optimal
from strategy.sweep.optimal.view import open_exact_sweep
from tests.support import ROOT
from tests.support.clusters import Cluster
from tests.support.sweeps import befallen, befallen_code, exact_figures, some_words

WORDS = some_words(60)
RUN = ("run", "--rule", "optimal", "--list", "w.txt", "--out", "s", "--quiet")
TWO = (*RUN, "--workers", "2")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and limits are POSIX")

#: A worker is killed while it looks for exact values.
WORKER_KILLED = """
from strategy.sweep.optimal.tasks import ExactBench
best = ExactBench._best

def dying(self, opener, *more):
    if os.getpid() != parent and opener > 30:
        os.kill(os.getpid(), signal.SIGKILL)
    return best(self, opener, *more)

ExactBench._best = dying
"""
#: There is no more room once there are some rows.
DISK_FULL = """
import resource
from strategy.sweep.optimal.store import ExactStore
improve = ExactStore.improve

def full(self, rows):
    global made
    made += 1
    if made > {}:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))
    return improve(self, rows)

ExactStore.improve = full
"""
#: The run is killed between the rows of a batch and the end of their transaction.
KILLED_WITHIN = """
from strategy.sweep.optimal.store import ExactStore
improve = ExactStore.improve

def half(self, rows):
    global made
    made += 1
    if made > 3:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("DELETE FROM exact")
        os.kill(parent, signal.SIGKILL)
    return improve(self, rows)

ExactStore.improve = half
"""
#: The run waits before it stores exact values.
SLOW = """
from strategy.sweep.optimal.store import ExactStore
improve = ExactStore.improve

def slow(self, rows):
    note(parent)
    time.sleep(0.2)
    return improve(self, rows)

ExactStore.improve = slow
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A list in a file, as commands take it."""
    path = tmp_path_factory.mktemp("list") / "w.txt"
    path.write_text("\n".join(WORDS))
    return load_game(path)


@pytest.fixture(scope="module")
def whole(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What one process makes of it, undisturbed."""
    path = tmp_path_factory.mktemp("whole") / "s"
    sweep_optimal(game, path, workers=1)
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    return tmp_path


def goes_on(game: Game, folder: Path, whole: Path) -> None:
    """The same again: it ends as if nothing had been, and leaves no other file."""
    assert open_exact_sweep(folder / "s").n_open > 0
    sweep_optimal(game, folder / "s", workers=1)
    assert exact_figures(folder / "s") == exact_figures(whole)
    assert {path.name for path in folder.glob("s*")} == {"s"}


def test_a_run_whose_worker_is_killed_says_so_and_goes_on(
    game: Game, folder: Path, whole: Path
) -> None:
    outcome = befallen(folder, WORKER_KILLED, *TWO)
    assert outcome.returncode == 3
    assert "a worker process died" in outcome.stderr
    assert "SIGKILL" in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    goes_on(game, folder, whole)


@pytest.mark.parametrize("batches", [0, 2])
def test_a_run_on_a_full_disk_says_so_and_goes_on(
    game: Game, folder: Path, whole: Path, batches: int
) -> None:
    outcome = befallen(folder, DISK_FULL.format(batches), *TWO)
    assert outcome.returncode == 3
    assert outcome.stderr.count("\n") == 1
    assert "knuthle sweep: s: " in outcome.stderr
    assert "the same command goes on" in outcome.stderr
    goes_on(game, folder, whole)


def test_a_run_that_is_killed_within_a_transaction_goes_on(
    game: Game, folder: Path, whole: Path
) -> None:
    assert befallen(folder, KILLED_WITHIN, *TWO).returncode == -9
    goes_on(game, folder, whole)


def test_of_two_runs_at_once_the_second_stops_and_the_first_goes_on(
    game: Game, folder: Path, whole: Path
) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", befallen_code(SLOW), "sweep", *TWO],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    while not (folder / "pids").exists():
        assert first.poll() is None
        time.sleep(0.01)
    assert lock.is_locked(folder / "s")
    second = befallen(folder, "", *TWO)
    assert second.returncode == 3
    assert "another run is at work on it" in second.stderr
    assert second.stderr.count("\n") == 1
    first.send_signal(signal.SIGINT)
    assert first.wait() == 130
    goes_on(game, folder, whole)


# ---- Dask


@pytest.mark.filterwarnings("default")
@pytest.mark.slow
def test_dask_comes_to_the_same_though_a_worker_is_killed(
    game: Game, whole: Path, tmp_path: Path, dask: Cluster
) -> None:
    exact = 0

    def count(what: str, new: int, all_of_it: int, more: str) -> None:
        nonlocal exact
        exact += new if what == "exact" else 0
        if exact >= 20 and dask.workers[0].poll() is None:
            dask.workers[0].send_signal(signal.SIGKILL)
            dask.workers[0].wait()

    with by_dask(DaskPlace(dask.address)) as runner:
        runner.executor._client.wait_for_workers(2)  # type: ignore[attr-defined]
        small = replace(runner, workers=2, seconds=0.005)
        sweep_optimal(game, tmp_path / "s", runner=small, progress=count)
    assert dask.workers[0].poll() == -signal.SIGKILL
    assert exact_figures(tmp_path / "s") == exact_figures(whole)


@pytest.mark.filterwarnings("default")
@pytest.mark.slow
def test_time_ends_a_run_by_dask_which_goes_on(game: Game, folder: Path, whole: Path) -> None:
    pytest.importorskip("distributed")
    line = (*RUN, "--dask", "local:2", "--time-limit")
    outcome = befallen(folder, "", *line, "0.000001")
    assert outcome.returncode == 3
    assert "60 openers not exact after 1e-06 s, the time limit" in outcome.stderr
    assert outcome.stderr.count("\n") == 1
    assert open_exact_sweep(folder / "s").n_open == 60
    outcome = befallen(folder, "", *line, "300")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert exact_figures(folder / "s") == exact_figures(whole)
    assert befallen(folder, "", *line, "300").returncode == 0  # nothing left to do


@pytest.mark.filterwarnings("default")
@pytest.mark.slow(20)
def test_an_opener_that_takes_longer_is_given_up_by_dask_in_time(tmp_path: Path) -> None:
    """FUZZY takes hours: workers give it up, and leave a bound and what is begun."""
    pytest.importorskip("distributed")
    run = ("run", "--rule", "optimal", "--secrets", "answers", "--openers", "fuzzy,fizzy,jazzy")
    line = (*run, "--out", "s", "--quiet", "--dask", "local:2", "--time-limit", "6")
    bounds = []
    for _ in range(2):
        outcome = befallen(tmp_path, "", *line)
        assert outcome.returncode == 3
        assert "openers not exact after 6 s" in outcome.stderr
        bounds.append([row.lower or 0 for row in open_exact_sweep(tmp_path / "s")])
    assert all(one <= other for one, other in zip(*bounds, strict=True))
    with sqlite3.connect(tmp_path / "s") as connection:
        assert connection.execute("SELECT sum(times) FROM begun").fetchone()[0] >= 2
    connection.close()


@pytest.mark.slow
def test_time_ends_optimal_by_dask(folder: Path) -> None:
    pytest.importorskip("distributed")
    begin = "sys.argv[1:2] = ['optimal']\n"
    # so many that three seconds do not suffice; all of them would take a gigabyte
    (folder / "many.txt").write_text("\n".join(load_game(secrets="allowed").secrets[::3]))
    line = ("--secrets", "many.txt", "--dask", "local:2", "--time-limit", "3", "--json", "r.json")
    outcome = befallen(folder, begin, *line, "--quiet", "--out", "best.strategy")
    assert outcome.returncode == 3
    assert "undecided" in outcome.stderr or "time limit" in outcome.stderr
    assert "Traceback" not in outcome.stderr
