"""First guesses are settled the same by any number of workers, whole or resumed."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.errors import CouldNotFinishError
from solver.exact import first_guesses
from solver.exact.best_strategy import best_strategy
from solver.exact.first_guesses import batch_sizes, batches, in_turn, shares
from solver.exact.problem import BATCH, Answer, GuessBounds, Problem, SearchContext
from solver.game.load import load_game
from solver.game.mastermind import mastermind_game
from solver.machine.pool import Pool
from solver.words.lists import named_list
from strategy.files import strategy_file
from strategy.solving.optimal import optimal, strategy_of_answer
from strategy.solving.search import Question, read_checkpoint, save_checkpoint
from tests.support import raising
from tests.support.worlds import EVERYTHING, game_of

# --- Workers -----------------------------------------------------------------------------

#: Enough guesses for several batches, few enough secrets for a quick search.
SMALL_BATCH = 256
GUESSES, SECRETS = 3 * SMALL_BATCH + 50, 150


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several for each of several workers, and for one."""
    monkeypatch.setattr(first_guesses, "BATCH", SMALL_BATCH)


@cache
def problem_of(seed: int, objective: str, hard: bool, within: int | None) -> Problem:
    dice = random.Random(seed)
    guesses = dice.sample(EVERYTHING, GUESSES)
    game = game_of(guesses, guesses[:SECRETS])
    return Problem(game, hard, within, losses=objective == "losses")


CASES = [
    (1, "total", False, 6), (2, "total", True, None), (3, "losses", False, 3),
    (4, "losses", True, 3),
]  # fmt: skip
TOP = 3


@cache
def alone(case: tuple[int, str, bool, int | None]) -> Answer:
    """The answer of one process that was left in peace."""
    return best_strategy(problem_of(*case), top=TOP)


def file_of(case: tuple[int, str, bool, int | None], answer: Answer) -> bytes:
    _, objective, hard, within = case
    question = Question(problem_of(*case).game, (), objective, within, hard)
    strategy, _ = strategy_of_answer(question, answer)
    return strategy_file.to_bytes(strategy)


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("workers", [2, 3])
def test_any_number_of_workers(case: tuple[int, str, bool, int | None], workers: int) -> None:
    shared = best_strategy(problem_of(*case), top=TOP, workers=workers)
    assert shared == alone(case) and file_of(case, shared) == file_of(case, alone(case))


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(("objective", "within"), [("total", 6), ("losses", 3), ("worst", 6)])
def test_one_proof_for_any_number_of_workers(objective: str, within: int, tmp_path: Path) -> None:
    words = problem_of(1, "total", False, 6).game.guesses
    game = game_of(words, words[:30])
    for workers in (1, 2):
        proof = tmp_path / f"{workers}"
        found = optimal(game, objective=objective, within=within, workers=workers, proof=proof)
        assert found.proof_written
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@cache
def after_salet() -> tuple[Problem, Answer]:
    """The classic answers after SALET, by one process."""
    problem = Problem(load_game())
    return problem, best_strategy(problem, ["salet"])


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("platform", ["linux", pytest.param("elsewhere", marks=pytest.mark.slow)])
def test_hard_buckets_may_be_shared(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The buckets of SALET that are left for last; elsewhere workers begin with nothing."""
    problem, mine = after_salet()
    monkeypatch.setattr("sys.platform", platform)
    handed_out: list[int] = []
    run = Pool.run

    def watched(pool: Pool[Any, Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        handed_out.extend(task.state.size for task in tasks)
        return run(pool, tasks)

    monkeypatch.setattr(Pool, "run", watched)
    assert best_strategy(problem, ["salet"], workers=2) == mine
    assert len(handed_out) > 1 and handed_out == sorted(handed_out, reverse=True)


def laid_aside(problem: Problem, path: Path) -> GuessBounds:
    """What a search knows that takes up a file, if there is one."""
    state = GuessBounds(TOP, problem.highest_value)
    if (findings := read_checkpoint(path, problem)) is not None:
        state.add_all(findings.found)
    return state


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize(
    ("case", "workers"), [*((case, 1) for case in CASES), (CASES[0], 2), (CASES[1], 2)]
)
def test_a_search_that_is_broken_off_is_continued(
    case: tuple[int, str, bool, int | None], workers: int, tmp_path: Path
) -> None:
    """Broken off again and again, laid aside and taken up from the file each time."""
    problem, path = problem_of(*case), tmp_path / "aside"
    for attempt in range(100):
        state = laid_aside(problem, path)
        error = KeyboardInterrupt() if attempt % 2 else CouldNotFinishError("out of time")
        try:
            answer = best_strategy(
                problem, top=TOP, workers=workers, state=state, progress=raising(error, 1 + attempt)
            )
            break
        except (KeyboardInterrupt, CouldNotFinishError):
            known = dict(state.found)
            save_checkpoint(path, problem, state)
        assert path.exists() and laid_aside(problem, path).found == known
    else:
        pytest.fail("it never ends")
    assert attempt >= 1
    assert answer == alone(case) and file_of(case, answer) == file_of(case, alone(case))


# --- Shares ------------------------------------------------------------------------------
def context_of(spec: str | None = None) -> SearchContext:
    if spec is not None:
        return SearchContext(Problem(mastermind_game(spec), within=None))
    words = named_list("original", "answers").words[::4]
    return SearchContext(Problem(game_of(words, words[:60]), within=None))


@pytest.mark.parametrize("spec", [None, "mastermind:3x4"])
@pytest.mark.parametrize("workers", [1, 2, 7, 1000])
def test_shares_hold_every_guess_once_in_the_order_given(spec: str | None, workers: int) -> None:
    context = context_of(spec)
    for columns in (context.columns, context.columns[:3], []):
        found = shares(context, columns, workers)
        assert len(found) == workers
        assert sorted(column for share in found for column in share) == sorted(columns)
        assert all(share == sorted(share) for share in found)


def test_guesses_of_equal_letters_are_in_one_share() -> None:
    context = context_of()
    letters: dict[frozenset[str], set[int]] = {}
    for at, share in enumerate(shares(context, context.columns, 3)):
        assert share  # something is left for everybody
        for column in share:
            word = context.problem.game.guesses[context.table.guess[column]]
            letters.setdefault(frozenset(word), set()).add(at)
    torn = [word for word, found in letters.items() if len(found) > 1]
    assert len(torn) <= 2  # where one share ends and another begins
    assert len(letters) < len(context.columns)


def test_batches_are_smaller_where_others_may_help() -> None:
    assert max(batch_sizes(1)) == BATCH == max(batch_sizes(2)) > batch_sizes(2)[0]
    assert batches(range(5), (2,)) == [range(2), range(2, 4), range(4, 5)]
    assert batches(range(9), (1, 2, 5)) == [range(1), range(1, 3), range(3, 8), range(8, 9)]
    assert batches(range(2), (5, 2)) == [range(2)] and batches([], (2,)) == []


def test_batches_of_all_shares_come_in_turn() -> None:
    first, second = batches([1, 2, 3], (1,)), batches([4], (1,))
    assert in_turn([first, second, []]) == [[1], [4], [2], [3]]
