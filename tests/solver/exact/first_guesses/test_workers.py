"""Exact results do not depend on who shares the work, nor on being broken off in the middle."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from solver.errors import CouldNotFinishError
from solver.exact.first_guesses import best_guess, worker_shares
from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.standings import FirstGuesses
from solver.exact.questions.answer import Answer
from solver.exact.questions.best_strategy import best_strategy
from solver.game.load import load_game
from solver.game.words import named_list
from solver.machine.pool import Pool
from strategy.build.interrupted_search import lay_aside, read_findings
from strategy.build.optimal import optimal, strategy_of_answer
from strategy.build.optimal_question import Question
from strategy.files import strategy_file
from tests.support.worlds import game_of

#: Enough guesses for several batches, few enough secrets for a quick search.
BATCH = 256
GUESSES, SECRETS = 3 * BATCH + 50, 150


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several for each of several workers, and for one."""
    monkeypatch.setattr(worker_shares, "BATCH", BATCH)
    monkeypatch.setattr(best_guess, "BATCH", BATCH)


@cache
def problem_of(seed: int, objective: str, hard: bool, within: int | None) -> Problem:
    dice = random.Random(seed)
    guesses = dice.sample(named_list("original", "allowed").words, GUESSES)
    game = game_of(guesses, guesses[:SECRETS])
    return Problem(game, hard, within, losses=objective == "losses")


CASES = [
    (1, "total", False, 6),
    (2, "total", True, None),
    (3, "losses", False, 3),
    (4, "losses", True, 3),
]
TOP = 3


@cache
def alone(case: tuple[int, str, bool, int | None]) -> Answer:
    """The answer of one process that was left in peace."""
    return best_strategy(problem_of(*case), top=TOP)


def file_of(case: tuple[int, str, bool, int | None], answer: Answer) -> bytes:
    """The bytes of the strategy file."""
    _, objective, hard, within = case
    question = Question(problem_of(*case).game, (), objective, within, hard)
    strategy, _ = strategy_of_answer(question, answer)
    return strategy_file.to_bytes(strategy.contents)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("workers", [2, 3])
def test_the_same_for_any_number_of_workers(
    case: tuple[int, str, bool, int | None], workers: int
) -> None:
    shared = best_strategy(problem_of(*case), top=TOP, workers=workers)
    assert shared == alone(case)
    assert file_of(case, shared) == file_of(case, alone(case))


@pytest.mark.parametrize(("objective", "within"), [("total", 6), ("losses", 3), ("worst", 6)])
def test_the_same_proof_for_any_number_of_workers(
    objective: str, within: int, tmp_path: Path
) -> None:
    words = problem_of(1, "total", False, 6).game.guesses
    game = game_of(words, words[:30])
    for workers in (1, 2):
        proof = tmp_path / f"{workers}"
        found = optimal(game, objective=objective, within=within, workers=workers, proof=proof)
        assert found.proof_written
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


@pytest.mark.parametrize("platform", ["linux", "elsewhere"])
def test_hard_buckets_may_be_shared(platform: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The buckets of SALET that are left for last; elsewhere workers begin with nothing."""
    problem = Problem(load_game())
    mine = best_strategy(problem, ["salet"])
    monkeypatch.setattr("sys.platform", platform)
    handed_out: list[int] = []
    run = Pool.run

    def watched(pool: Pool[Any, Any], tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        handed_out.extend(len(task.rows) for task in tasks)
        return run(pool, tasks)

    monkeypatch.setattr(Pool, "run", watched)
    assert best_strategy(problem, ["salet"], workers=2) == mine
    assert len(handed_out) > 1
    assert handed_out == sorted(handed_out, reverse=True)


def stop_after(steps: int, error: BaseException) -> Callable[[FirstGuesses, int], None]:
    """A listener that breaks the search off at its n-th report."""
    left = iter(range(steps))

    def listen(state: FirstGuesses, count: int) -> None:
        if next(left, None) is None:
            raise error

    return listen


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_search_that_is_broken_off_is_continued(
    case: tuple[int, str, bool, int | None], workers: int, tmp_path: Path
) -> None:
    """Broken off again and again, laid aside and taken up from the file each time."""
    problem, path = problem_of(*case), tmp_path / "aside"
    for attempt in range(100):
        state = FirstGuesses(TOP, problem.ceiling)
        if (findings := read_findings(path, problem)) is not None:
            findings.add_to(state)
        steps = 1 + attempt
        error = KeyboardInterrupt() if attempt % 2 else CouldNotFinishError("out of time")
        try:
            answer = best_strategy(
                problem, top=TOP, workers=workers, state=state, progress=stop_after(steps, error)
            )
            break
        except (KeyboardInterrupt, CouldNotFinishError):
            known = dict(state.found)
            lay_aside(path, problem, state)
        again = FirstGuesses(TOP, problem.ceiling)
        findings = read_findings(path, problem)
        assert findings is not None
        findings.add_to(again)
        assert again.found == known
    else:
        pytest.fail("it never ends")
    assert attempt >= 1
    assert answer == alone(case)
    assert file_of(case, answer) == file_of(case, alone(case))
