"""Who does the work of a sweep, and however a run ends: in the end there is the same table."""

import concurrent.futures
import contextlib
import multiprocessing
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact.first_guesses import Screening
from solver.exact.kernels.lemmas import LOSS
from solver.exact.problem import TopValues
from solver.game.game import Game
from solver.machine.clock import OutOfTimeError
from solver.machine.jit import kernel
from solver.rules.searcher import RULES, Searcher
from solver.tree import Tree
from strategy import Strategy, load_game, open_sweep
from strategy.checkers.verify import check_guesses
from strategy.errors import OutputError, UnfinishedError, WrongStrategyError
from strategy.files.strategy_file import Origin, tree_of
from strategy.solving.checks import play_every_secret
from strategy.solving.optimal import Optimal, optimal
from strategy.solving.search import Question
from strategy.sweep import replay_kernels, store
from strategy.sweep.question import SweepQuestion, by_common_letters
from strategy.sweep.replay import Replayer
from strategy.sweep.replay_kernels import TreeColumns, first_illegal, mastermind_score, wordle_score
from strategy.sweep.rows import OpenerRow
from strategy.sweep.run import batches_of, sweep_openers
from strategy.sweep.runners import ByExecutor, DaskPlace, by_dask
from strategy.sweep.store import SweepStore
from strategy.sweep.work import OptimalHelpers, SweepBatch, _Helper, answer_batch
from tests.strategy.conftest import Start
from tests.support import PLAIN, naive, refused
from tests.support.commands import Knuthle, lives
from tests.support.sweeps import KINDS, WORDS, Cluster, befallen, befallen_code, figures, some_words
from tests.support.worlds import game_of, made_up_games, real_games

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
    kind = KINDS[name]
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


#: The kind, what befalls it, what it says then, and how many rows are stored at least.
BROKEN_OFF = [
    *(pytest.param(name, KILLED_WITHIN.format(kind.table), (), 3, marks=pytest.mark.slow)
      for name, kind in KINDS.items()),
    *((name, WORKER_KILLED, ("a worker process died", "SIGKILL"), 2) for name in KINDS),
    *(pytest.param(name, DISK_FULL.format(batches),
                   ("knuthle sweep: s: ", "the same command goes on"), 0, marks=pytest.mark.slow)
      for name, batches in (("rule", 0), ("exact", 0), ("exact", 2))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "happens", "said", "done"), BROKEN_OFF)
def test_a_run_that_is_broken_off_says_why_if_it_can_and_is_resumed(
    game: Game, folder: Path, wholes: dict[str, Path], name: str, happens: str,
    said: tuple[str, ...], done: int,
) -> None:  # fmt: skip
    outcome = disturbed(folder, name, happens)
    if said:
        stops(outcome, *said)
    else:
        assert outcome.returncode == -signal.SIGKILL
    resumes(game, folder, wholes, name, done)


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


@pytest.fixture(scope="module")
def larger() -> Game:
    return load_game(some_words(200))


@pytest.fixture(scope="module")
def whole(larger: Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "s.sqlite"
    sweep_openers(larger, path, workers=1)
    return path


def test_executors_of_processes_come_to_the_same(larger: Game, whole: Path, tmp_path: Path) -> None:
    spawned = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawned) as processes:
        sweep_openers(larger, tmp_path / "p", runner=ByExecutor(processes, 1))
    assert figures(tmp_path / "p") == figures(whole)


def test_batches_are_shorter_in_the_end() -> None:
    openers = list(range(1000))
    batches = batches_of(openers, 64, 2)
    sizes = [len(batch) for batch in batches]
    assert [opener for batch in batches for opener in batch] == openers
    assert sizes[0] == 64 and sizes[-2:] == [8, sizes[-1]]
    assert sizes == sorted(sizes, reverse=True)
    assert batches_of(openers[:3], 0, 9) == [(0,), (1,), (2,)] and batches_of([], 64, 2) == []


def test_openers_of_the_same_letters_stand_together() -> None:
    game = load_game(["abide", "crane", "least", "nacre", "slate", "stale", "vivid"])
    order = by_common_letters(game, list(range(7)))
    words = [game.guesses[opener] for opener in order]
    assert sorted(words) == list(game.guesses) and words[-1] == "vivid"
    for kin in (["least", "slate", "stale"], ["crane", "nacre"]):
        at = words.index(kin[0])
        assert words[at : at + len(kin)] == kin


class Dying:
    def __init__(self) -> None:
        self._left = 2

    def submit(self, task: object, /, *arguments: object) -> object:
        future: concurrent.futures.Future[object] = concurrent.futures.Future()
        self._left -= 1
        if self._left < 0:
            future.set_exception(concurrent.futures.BrokenExecutor("it broke"))
        else:
            future.set_result(answer_batch(*arguments))  # type: ignore[arg-type]
        return future


def test_an_executor_that_dies_is_told_of(larger: Game, whole: Path, tmp_path: Path) -> None:
    with pytest.raises(CouldNotFinishError, match="the workers have given up .* it broke"):
        sweep_openers(larger, tmp_path / "s", runner=ByExecutor(Dying(), 9))
    sweep_openers(larger, tmp_path / "s", workers=1)
    assert figures(tmp_path / "s") == figures(whole)


def test_a_worker_of_another_kind_refuses_with_a_reason() -> None:
    asked = SweepQuestion.of(load_game(), "minimax", "allowed", hard=False)
    other = replace(asked, version="9.9")
    with pytest.raises(WrongInputError, match="made by knuthle '9.9' and this is"):
        answer_batch(other, SweepBatch((0,)))
    other = replace(asked, secrets_digest="0" * 64)
    refused(WrongInputError, "it is another list", answer_batch, other, SweepBatch((0,)))


# ---- Dask
@pytest.fixture
def certificates(tmp_path: Path) -> tuple[str, str, str]:
    """An authority, a certificate by it, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("needs openssl")
    new = "openssl req -newkey rsa:2048 -nodes -subj"
    for line in (
        f"{new} /CN=authority -x509 -days 2 -keyout ca.key -out ca.pem",
        f"{new} /CN=node -keyout node.key -out node.csr",
        "openssl x509 -req -in node.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out node.pem",
    ):
        subprocess.run(line.split(), cwd=tmp_path, check=True, capture_output=True)
    ca, cert, key = (str(tmp_path / name) for name in ("ca.pem", "node.pem", "node.key"))
    return ca, cert, key


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_dask_over_tls(
    larger: Game, whole: Path, tmp_path: Path, certificates: tuple[str, str, str]
) -> None:
    pytest.importorskip("distributed")
    ca, cert, key = certificates
    tls = ("--tls-ca-file", ca, "--tls-cert", cert, "--tls-key", key)
    with contextlib.closing(Cluster(tmp_path, *tls)) as found:
        assert found.address.startswith("tls://")
        with by_dask(DaskPlace(found.address, ca, cert, key)) as runner:
            sweep_openers(larger, tmp_path / "s", runner=runner)
        assert figures(tmp_path / "s") == figures(whole)
        with (
            pytest.raises(CouldNotFinishError, match="no Dask scheduler answers"),
            by_dask(DaskPlace(found.address.replace("tls:", "tcp:"))),
        ):
            pass


def test_certificates_that_are_none(tmp_path: Path, certificates: tuple[str, str, str]) -> None:
    ca, cert, key = certificates
    DaskPlace("tls://h:1", ca, cert, key)
    (tmp_path / "text").write_text("no certificate\n")
    wrong = str(tmp_path / "text")
    locked = f"openssl rsa -aes128 -passout pass:secret -in {key} -out locked"
    subprocess.run(locked.split(), cwd=tmp_path, check=True, capture_output=True)
    for files, said in (
        ((wrong, cert, key), "text: not of use for TLS"),
        ((ca, wrong, key), "text, .*node.key: not of use for TLS"),
        ((ca, cert, wrong), "node.pem, .*text: not of use for TLS"),
        ((ca, cert, str(tmp_path / "ca.key")), "ca.key: not of use for TLS"),
        ((ca, cert, str(tmp_path / "locked")), "locked: not of use for TLS"),
    ):
        refused(WrongInputError, said, DaskPlace, "tls://h:1", *files)


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_does_not_answer_is_named() -> None:
    pytest.importorskip("distributed")
    with (
        pytest.raises(CouldNotFinishError, match="no Dask scheduler answers at tcp://127.0.0.1:9"),
        by_dask(DaskPlace("tcp://127.0.0.1:9"), connecting=0.5),
    ):
        pass


# ---- Workers help ``optimal``
def said_of(found: Optimal) -> object:
    """All that is said of it but the time."""
    assert found.strategy is not None
    return found.strategy.digest, found.proved, found.lower_bound, found.outcome


@pytest.mark.parametrize("objective", ["total", "losses"])
@pytest.mark.parametrize("hard", [False, True])
def test_any_executor_helps(objective: str, hard: bool) -> None:
    game = load_game(WORDS)
    settings = {"objective": objective, "within": 3, "hard": hard, "guess_from": "secrets"}
    alone = optimal(game, **settings, top=3, workers=1)
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        helpers = OptimalHelpers(ByExecutor(threads, 2), Question(game, (), *settings.values()))
        found = optimal(game, **settings, top=3, helpers=helpers)
    assert said_of(found) == said_of(alone) and found.first_guesses[:3] == alone.first_guesses[:3]
    assert _Helper(helpers._question).context.problem.losses == (objective == "losses")


def test_helpers_give_up_when_time_is_over() -> None:
    """One first guess may take them hours: they look at the clock themselves."""
    game, tasks = load_game(WORDS), [Screening(range(32), TopValues(1, LOSS - 1), patient=True)]
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        (found,) = OptimalHelpers(ByExecutor(threads, 1), Question(game), time_limit=99).run(tasks)
        assert len(found) == 32
        late = OptimalHelpers(ByExecutor(threads, 1), Question(game), time_limit=1e-9)
        refused(OutOfTimeError, "undecided after 1e-09 s, the time limit", list, late.run(tasks))
        none = "there are none to share"
        refused(WrongInputError, none, optimal, game, start=(WORDS[0],), helpers=late)


@pytest.mark.slow
def test_the_command_says_the_same_by_dask(knuthle: Knuthle, dask: Cluster) -> None:
    Path("w.txt").write_text("\n".join(WORDS))
    line = ("--list", "w.txt", "--quiet", "--top", "4", "--out")
    assert knuthle("optimal", *line, "one", "--workers", "1", "--csv", "one.csv").code == 0
    by_dask = (*line, "dask", "--dask", dask.address, "--csv", "dask.csv")
    assert befallen(Path(), "sys.argv[1:2] = ['optimal']\n", *by_dask).returncode == 0
    assert Path("one").read_bytes() == Path("dask").read_bytes()
    assert Path("one.csv").read_bytes() == Path("dask.csv").read_bytes()


@kernel
def colours(guess: Any, units: Any, places: Any) -> int:
    return wordle_score(guess, units, places)


@kernel
def pegs(guess: Any, units: Any, places: Any) -> int:
    return mastermind_score(guess, units, places)


def plainly(door: Any) -> Any:
    return getattr(door, "py_func", door)


@pytest.mark.plain
@pytest.mark.parametrize("length", [1, 2, 5, 11, 16])
def test_scores_are_those_of_the_naive_grader(length: int) -> None:
    dice = random.Random(length)
    rows = [[dice.randrange(4) for _ in range(length)] for _ in range(40)]
    words = np.array(rows, dtype=np.uint8)
    texts = ["".join("abcd"[letter] for letter in row) for row in rows]
    units = np.array([3**place for place in range(length)])
    for fill in (replay_kernels.fill_places, plainly(replay_kernels.fill_places)):
        places = np.empty((len(rows), 4), dtype=np.int32)
        fill(words, places)
        for at, guess in enumerate(texts):
            for other, secret in enumerate(texts):
                row = words[at], units, places[other]
                assert pegs(*row) == naive.pegs(guess, secret)
                assert colours(*row) == naive.grade(guess, secret)


def agreed(game: Game, opener: int, rule: str = "minimax", guess_from: str = "allowed") -> None:
    """The strategy of an opener, as the compiled checker and as the trusted one see it."""
    tree = Searcher(game, rule, guess_from=guess_from).grow(None, (opener,))
    played = Replayer(game.spec, game.guesses, game.secrets).play(tree, opener, guess_from)
    word = game.guesses[opener]
    origin = Origin.of(game, rule, (word,), guess_from=guess_from)
    strategy = Strategy.of_tree(game, origin, tree)
    verdict = play_every_secret(strategy, game)
    assert played == OpenerRow(word, tuple(strategy.histogram), strategy.nodes, strategy.digest)
    assert sum(n * count for n, count in enumerate(played.histogram, 1)) == verdict.total


@pytest.mark.plain
@given(made_up_games())
@settings(max_examples=8 if PLAIN else 10)
def test_both_checkers_say_the_same_of_made_up_words(game: Game) -> None:
    agreed(game, len(game.guesses) // 2)
    agreed(game, 0, "entropy", "secrets")


@given(real_games())
@settings(max_examples=5)
def test_both_checkers_say_the_same_of_real_words(game: Game) -> None:
    for opener, rule in enumerate(RULES):
        agreed(game, opener, rule, "candidates")


@pytest.mark.parametrize(
    "spec", ["mastermind:3x4", "mastermind:2x10:distinct", "mastermind:10x2", "mastermind:11x2"]
)
def test_both_checkers_say_the_same_of_codes(spec: str) -> None:
    game = load_game(spec=spec)
    agreed(game, len(game.guesses) // 3)


def test_a_replayer_is_used_again_for_larger_and_smaller_trees() -> None:
    game = load_game(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
    mine, searcher = Replayer(game.spec, game.guesses, game.secrets), Searcher(game)
    for opener in (0, 6, 3, 0):
        once = Replayer(game.spec, game.guesses, game.secrets)
        tree = searcher.grow(None, (opener,))
        assert mine.play(tree, opener) == once.play(tree, opener)


@pytest.mark.parametrize(("column", "node", "number", "fault"), [
    ("score", 1, 80, "'adieu' is never reached"), ("guess", 6, 99, "node 6 is no part of a tree"),
    ("guess", 6, -1, "node 6 is no part of a tree"),
    ("parent", 1, 2, "node 1 is no part of a tree"),  # a cycle
    ("parent", 2, 2, "node 2 is no part of a tree"),
    ("parent", 1, -1, "node 1 is no part of a tree"),
    ("score", 1, 243, "node 1 is no part of a tree"),
    ("score", 7, None, "node 7 follows a score that another node follows"),
    ("score", 7, 200, "node 7 is unreachable"),
])  # fmt: skip
def test_what_is_wrong_is_named(column: str, node: int, number: int | None, fault: str) -> None:
    """One number is another; or there is one more node, below the first."""
    game = game_of(["crane", "slate", "abide", "adieu", "stare", "raise", "arise"])
    tree = Searcher(game).grow(None, (3,))
    assert len(tree) == 7
    if node == len(tree):
        tree.add(tree.guess[1], 0, tree.score[1] if number is None else number)
    else:
        getattr(tree, column)[node] = number
    player = Replayer(game.spec, game.guesses, game.secrets)
    refused(WrongStrategyError, fault, player.play, tree, 3)


def test_guesses_are_held_to_what_is_said_of_them() -> None:
    game = game_of(["aab", "abb", "bbb", "bab", "ccc", "abc"], ["aab", "abb", "bbb", "bab"])
    tree = Searcher(game).grow(None, (5 - 1,))
    player = Replayer(game.spec, game.guesses, game.secrets)
    refused(WrongStrategyError, "is not the opener", player.play, tree, 0)
    strange = Tree.of([0, 2, 5, 1, 4], [-1, 0, 0, 2, 2], [-1, 0, 0, 0, 0])
    refused(WrongStrategyError, "", player.play, strange, 0)
    asking = Searcher(game).grow(None, (0, game.guess_id("abc")))
    assert player.play(asking, 0, "allowed")
    for pool in ("secrets", "candidates"):
        with pytest.raises(WrongStrategyError, match=f"'abc' is guessed .* not from {pool}"):
            player.play(asking, 0, pool)
    refused(OutputError, "", Replayer, "chess", ["aa", "bb"], ["aa"])


@given(real_games(least=30, most=80))
@settings(max_examples=10)
def test_hard_mode_is_what_the_trusted_checker_says(game: Game) -> None:
    """Strategies of hard mode keep to it; of others both checkers say the same."""
    player = Replayer(game.spec, game.guesses, game.secrets)
    for opener in (0, len(game.guesses) - 1):
        assert player.play(Searcher(game, hard=True).grow(None, (opener,)), opener, hard=True)
        tree = Searcher(game).grow(None, (opener,))
        origin = Origin.of(game, "minimax", (game.guesses[opener],), hard=True)
        whole = (tree.guess, tree.parent, tree.score)
        columns = TreeColumns(*(np.frombuffer(it, dtype=np.int32) for it in whole))
        node = first_illegal(player._board.words, columns)
        try:
            grown = tree_of(Strategy.of_tree(game, origin, tree))
            check_guesses(grown, "allowed", origin.start)
        except WrongStrategyError as error:
            assert repr(game.guesses[tree.guess[node]]) in str(error)
            refused(WrongStrategyError, "hard mode forbids", player.play, tree, opener, hard=True)
        else:
            assert node == -1


@pytest.mark.plain
def test_a_letter_that_was_shown_twice_is_used_twice() -> None:
    words = np.array([[0, 1, 0, 2], [0, 3, 3, 3], [3, 0, 3, 0], [0, 3, 3, 0]], dtype=np.uint8)
    score = 2 + 1 * 9  # green, grey, yellow, grey: two copies of letter 0, one in the first place
    for guess, breach in ((1, True), (2, True), (3, False)):
        rows = ([0, guess], [-1, 0], [-1, score])
        columns = TreeColumns(*(np.array(row, dtype=np.int32) for row in rows))
        assert (first_illegal(words, columns) == 1) == breach
