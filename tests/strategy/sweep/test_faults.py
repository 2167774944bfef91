"""However a run of a sweep ends: the same command resumes it, and comes to the same table."""

import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from solver.errors import CouldNotFinishError
from solver.game.game import Game
from solver.game.load import load_game
from strategy.errors import UnfinishedError
from strategy.sweep import store
from strategy.sweep.runners import DaskPlace, by_dask
from strategy.sweep.store import SweepStore
from strategy.sweep.table import open_sweep
from tests.strategy.conftest import Start
from tests.support import refused
from tests.support.commands import lives
from tests.support.sweeps import KINDS, Cluster, Kind, befallen, befallen_code, figures, some_words

WORDS = some_words(60)
RUN = ("run", "--list", "w.txt", "--out", "s", "--quiet")

#: The run is killed once it has stored so many rows, its workers being in the middle of theirs.
KILLED = """
def slow(done):
    def slowly(self, *arguments):
        if os.getpid() != parent:
            note(os.getpid())
            time.sleep(0.05)
        return done(self, *arguments)
    return slowly

def counting(self, rows):
    global made
    found = improve(self, rows)
    made += len(rows)
    if made >= {}:
        os.kill(parent, signal.{})
    return found

work.RuleWorker.row, work.ExactWorker._best = slow(row), slow(best)
work.ExactWorker._quick, store.SweepStore.improve = slow(quick), counting
"""
#: The run is killed between the rows of a batch and the end of their transaction.
KILLED_WITHIN = """
def half(self, rows):
    global made
    made += 1
    if made > 3:
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("DELETE FROM {}")
        os.kill(parent, signal.SIGKILL)
    return improve(self, rows)

store.SweepStore.improve = half
"""
WORKER_KILLED = """
def dying(done):
    def die(self, opener, *more):
        if os.getpid() != parent and opener > 30:
            os.kill(os.getpid(), signal.SIGKILL)
        return done(self, opener, *more)
    return die

work.RuleWorker.row, work.ExactWorker._best = dying(row), dying(best)
"""
#: There is no more room once there are so many batches.
DISK_FULL = """
import resource

def full(self, rows):
    global made
    made += 1
    if made > {}:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8_000, 8_000))
    return improve(self, rows)

store.SweepStore.improve = full
"""
#: The run stores its first rows when it is told to go on, and then waits for its end.
WAITING = """
def waiting(self, rows):
    global made
    made += 1
    Path(f"waiting {made}").touch()
    while made > 1 or not Path("go on").exists():
        time.sleep(0.01)
    return improve(self, rows)

store.SweepStore.improve = waiting
"""
both_kinds = pytest.mark.parametrize("name", KINDS)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A list in a file, as commands take it."""
    path = tmp_path_factory.mktemp("list") / "w.txt"
    path.write_text("\n".join(WORDS))
    return load_game(path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    return tmp_path


def disturbed(
    folder: Path, name: str, happens: str, *more: str
) -> subprocess.CompletedProcess[str]:
    return befallen(folder, happens, *RUN, *KINDS[name].options, *(more or ("--workers", "2")))


def stops(outcome: subprocess.CompletedProcess[str], *said: str) -> None:
    """It says why, in one line."""
    assert outcome.returncode == 3 and outcome.stderr.count("\n") == 1
    assert [text for text in said if text not in outcome.stderr] == []


def resumes(game: Game, folder: Path, wholes: dict[str, Path], name: str, done: int = 0) -> None:
    """The same again: it ends as if nothing had been, and leaves no other file."""
    kind: Kind = KINDS[name]
    before = open_sweep(folder / "s")
    assert len(before) >= done and before.n_done < 60
    kind.sweep(game, folder / "s", workers=1)
    assert figures(folder / "s") == figures(wholes[name])
    assert {path.name for path in folder.glob("s*")} == {"s"}


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize(("name", "number", "code", "done"), [
    ("rule", "SIGKILL", -9, 7), ("rule", "SIGINT", 130, 7), ("rule", "SIGTERM", 143, 7),
    ("exact", "SIGKILL", -9, 20), ("exact", "SIGINT", 130, 70),
])  # fmt: skip
def test_a_run_that_is_ended_is_resumed_and_takes_its_workers_with_it(
    game: Game, folder: Path, wholes: dict[str, Path], name: str, number: str, code: int, done: int
) -> None:
    outcome = disturbed(folder, name, KILLED.format(done, number))
    assert outcome.returncode == code and "Traceback" not in outcome.stderr
    workers = set(map(int, (folder / "pids").read_text().split()))
    assert workers
    while any(map(lives, workers)):  # without end, if a worker outlives its parent
        time.sleep(0.01)
    resumes(game, folder, wholes, name, min(done, 60))


@pytest.mark.slow
@both_kinds
def test_a_run_that_is_killed_within_a_transaction_is_resumed(
    game: Game, folder: Path, wholes: dict[str, Path], name: str
) -> None:
    happens = KILLED_WITHIN.format(KINDS[name].table)
    assert disturbed(folder, name, happens).returncode == -9
    resumes(game, folder, wholes, name, 3)


@both_kinds
def test_a_run_whose_worker_is_killed_says_so_and_is_resumed(
    game: Game, folder: Path, wholes: dict[str, Path], name: str
) -> None:
    outcome = disturbed(folder, name, WORKER_KILLED)
    stops(outcome, "a worker process died", "SIGKILL")
    resumes(game, folder, wholes, name, 2)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "batches"), [("rule", 0), ("exact", 0), ("exact", 2)])
def test_a_run_on_a_full_disk_says_so_and_is_resumed(
    game: Game, folder: Path, wholes: dict[str, Path], name: str, batches: int
) -> None:
    outcome = disturbed(folder, name, DISK_FULL.format(batches))
    stops(outcome, "knuthle sweep: s: ", "the same command goes on")
    resumes(game, folder, wholes, name)


@both_kinds
def test_a_second_run_stops_and_says_why(
    game: Game, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(store, "_LOCK_PATIENCE", 0.1)
    place = folder / "s"
    with store.locked(place):
        assert store.is_locked(place)
        said = "another run is at work"
        refused(CouldNotFinishError, said, KINDS[name].sweep, game, place, workers=1)
        stops(disturbed(folder, name, ""))
    assert not store.is_locked(place) and len(KINDS[name].sweep(game, place, workers=1)) == 60


@both_kinds
def test_a_store_that_fails_keeps_whole_batches(
    game: Game, folder: Path, wholes: dict[str, Path], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    improve, calls = SweepStore.improve, [0]

    def failing(self: SweepStore, rows: Any) -> Any:
        calls[0] += 1
        if calls[0] == 4:
            rows = [*rows, replace(rows[0], opener=None)]  # a row of no opener
        return improve(self, rows)

    monkeypatch.setattr(SweepStore, "improve", failing)
    refused(UnfinishedError, "", KINDS[name].sweep, game, folder / "s", workers=1)
    monkeypatch.undo()
    assert len(open_sweep(folder / "s")) > 0
    resumes(game, folder, wholes, name)


@pytest.mark.slow
def test_of_two_runs_at_once_the_second_stops_and_the_first_goes_on(
    game: Game, folder: Path, wholes: dict[str, Path], start: Start
) -> None:
    command = [sys.executable, "-c", befallen_code(WAITING), "sweep", *RUN, "--rule", "optimal"]
    first = start(command, folder)

    def wait_for(name: str) -> None:
        while not (folder / name).exists():
            assert first.poll() is None
            time.sleep(0.01)

    wait_for("waiting 1")
    assert store.is_locked(folder / "s")
    stops(disturbed(folder, "exact", ""), "another run is at work on it")
    (folder / "go on").touch()
    wait_for("waiting 2")
    first.send_signal(signal.SIGINT)
    assert first.wait(timeout=60) == 130
    assert len(open_sweep(folder / "s")) > 0
    resumes(game, folder, wholes, "exact")


# ---- Dask


@pytest.mark.filterwarnings("default")
@pytest.mark.slow
@both_kinds
def test_dask_comes_to_the_same_though_a_worker_is_killed(
    game: Game, wholes: dict[str, Path], tmp_path: Path, dask: Cluster, name: str
) -> None:
    made = 0

    def count(what: str, new: int, all_of_it: int, more: str) -> None:
        nonlocal made
        made += new if what != "bounds" else 0
        if made >= 20 and dask.workers[0].poll() is None:
            dask.workers[0].send_signal(signal.SIGKILL)
            dask.workers[0].wait()

    with by_dask(DaskPlace(dask.address)) as runner:
        runner.executor._client.wait_for_workers(2)  # type: ignore[attr-defined]
        small = replace(runner, workers=2, seconds=0.005)
        KINDS[name].sweep(game, tmp_path / "s", runner=small, progress=count)
    assert dask.workers[0].poll() == -signal.SIGKILL
    assert figures(tmp_path / "s") == figures(wholes[name])


@pytest.mark.filterwarnings("default")
@pytest.mark.long
def test_time_ends_a_run_by_dask_which_goes_on(
    folder: Path, wholes: dict[str, Path], dask: Cluster
) -> None:
    line = (*RUN, "--rule", "optimal", "--dask", dask.address, "--time-limit")
    late = befallen(folder, "", *line, "0.000001")
    stops(late, "60 openers not exact after 1e-06 s, the time limit")
    assert open_sweep(folder / "s").n_open == 60
    outcome = befallen(folder, "", *line, "300")
    assert (outcome.returncode, outcome.stderr) == (0, "")
    assert figures(folder / "s") == figures(wholes["exact"])
    assert befallen(folder, "", *line, "300").returncode == 0  # nothing left to do


@pytest.mark.filterwarnings("default")
@pytest.mark.long
def test_an_opener_that_takes_long_is_given_up_in_time(tmp_path: Path, dask: Cluster) -> None:
    """Minutes each, with all words secret: workers give up, and leave a bound and what is begun."""
    run = ("run", "--rule", "optimal", "--secrets", "allowed", "--openers", "fuzzy,fizzy,jazzy")
    line = (*run, "--out", "s", "--quiet", "--dask", dask.address, "--time-limit", "6")
    bounds = []
    for _ in range(2):
        outcome = befallen(tmp_path, "", *line)
        assert outcome.returncode == 3 and "openers not exact after 6 s" in outcome.stderr
        bounds.append({row.opener: row.lower or 0 for row in open_sweep(tmp_path / "s")})
    once, again = bounds  # where other work goes on, not all may have been begun at once
    assert all(again[opener] >= bound for opener, bound in once.items())
    with sqlite3.connect(tmp_path / "s") as connection:
        assert connection.execute("SELECT sum(times) FROM begun").fetchone()[0] >= 2
    connection.close()


@pytest.mark.slow
def test_time_ends_optimal_by_dask(folder: Path, dask: Cluster) -> None:
    begin = "sys.argv[1:2] = ['optimal']\n"
    # so many that three seconds do not suffice; all of them would take a gigabyte
    (folder / "many.txt").write_text("\n".join(load_game(secrets="allowed").secrets[::3]))
    line = ("--secrets", "many.txt", "--dask", dask.address, "--time-limit", "3", "--quiet")
    outcome = befallen(folder, begin, *line, "--json", "r.json", "--out", "best.strategy")
    assert outcome.returncode == 3
    assert "undecided" in outcome.stderr or "time limit" in outcome.stderr
    assert "Traceback" not in outcome.stderr
