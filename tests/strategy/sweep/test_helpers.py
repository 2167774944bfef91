"""Workers of any engine help ``optimal``: the answer is that of one process."""

import concurrent.futures
from pathlib import Path

import pytest

from solver.errors import WrongInputError
from solver.exact.first_guesses import Screening
from solver.exact.kernels.lemmas import LOSS
from solver.exact.problem import TopValues
from solver.game.load import load_game
from solver.machine.clock import OutOfTimeError
from strategy.solving.optimal import Optimal, optimal
from strategy.solving.search import Question
from strategy.sweep.runners import ByExecutor, DaskPlace, by_dask
from strategy.sweep.work import OptimalHelpers
from tests.support.clusters import Cluster
from tests.support.commands import Knuthle
from tests.support.sweeps import befallen, some_words

WORDS = some_words(60)


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


def test_helpers_give_up_when_time_is_over() -> None:
    """One first guess may take them hours: they look at the clock themselves."""
    game, tasks = load_game(WORDS), [Screening(range(32), TopValues(1, LOSS - 1), patient=True)]
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        (found,) = OptimalHelpers(ByExecutor(threads, 1), Question(game), time_limit=99).run(tasks)
        assert len(found) == 32
        late = OptimalHelpers(ByExecutor(threads, 1), Question(game), time_limit=1e-9)
        with pytest.raises(OutOfTimeError, match="undecided after 1e-09 s, the time limit"):
            list(late.run(tasks))


@pytest.mark.filterwarnings("default")
@pytest.mark.slow
def test_a_cluster_of_dask_helps(tmp_path: Path, dask: Cluster) -> None:
    (tmp_path / "w.txt").write_text("\n".join(WORDS))
    game = load_game(tmp_path / "w.txt")
    with by_dask(DaskPlace(dask.address)) as runner:
        found = optimal(game, helpers=OptimalHelpers(runner, Question(game)), top=5)
    alone = optimal(game, workers=1, top=5)
    assert said_of(found) == said_of(alone) and found.first_guesses[:5] == alone.first_guesses[:5]


@pytest.mark.slow
def test_the_command_says_the_same_by_dask(knuthle: Knuthle, dask: Cluster) -> None:
    Path("w.txt").write_text("\n".join(WORDS))
    line = ("--list", "w.txt", "--quiet", "--top", "4", "--out")
    assert knuthle("optimal", *line, "one", "--workers", "1", "--csv", "one.csv").code == 0
    by_dask = (*line, "dask", "--dask", dask.address, "--csv", "dask.csv")
    assert befallen(Path(), "sys.argv[1:2] = ['optimal']\n", *by_dask).returncode == 0
    assert Path("one").read_bytes() == Path("dask").read_bytes()
    assert Path("one.csv").read_bytes() == Path("dask.csv").read_bytes()


@pytest.mark.parametrize(("arguments", "said"), [
    (("--start", WORDS[0]), "with --start there are none to share"),
    (("--objective", "worst"), "with --objective worst there are none"),
    (("--width", "2"), "with --width there are none"), (("--workers", "2"), "--dask has its own"),
    (("--state", f"{WORDS[0]}.bbbbb"), "does not go with --state"),
])  # fmt: skip
def test_what_nobody_can_share(knuthle: Knuthle, arguments: tuple[str, ...], said: str) -> None:
    pytest.importorskip("distributed")
    Path("w.txt").write_text("\n".join(WORDS))
    outcome = knuthle("optimal", "--list", "w.txt", "--dask", "tcp://127.0.0.1:9", *arguments)
    assert outcome.code == 2 and said in outcome.err
    assert [path.name for path in Path().iterdir()] == ["w.txt"]


def test_pegs_and_mistaken_options_are_refused(knuthle: Knuthle) -> None:
    pytest.importorskip("distributed")
    outcome = knuthle("optimal", "--game", "mastermind:3x4", "--dask", "tcp://h:1")
    assert (outcome.code, "of Wordle, not mastermind:3x4" in outcome.err) == (2, True)
    assert "for --dask, not given" in knuthle("optimal", "--dask-ca", "x").err
    game = load_game(WORDS)
    with concurrent.futures.ThreadPoolExecutor(1) as threads:
        helpers = OptimalHelpers(ByExecutor(threads, 1), Question(game))
        with pytest.raises(WrongInputError, match="there are none to share"):
            optimal(game, start=(WORDS[0],), helpers=helpers)
