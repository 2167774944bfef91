"""Optimal Mastermind as an answer like any other: symmetry keeps its proof small."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...errors import WrongInputError
from ...game.game import Game
from ..first_guesses.problem import Problem
from ..mastermind_engine import OptimalStrategy, solve_exactly
from .answer import Answer, FirstGuess


def best_pegs(
    problem: Problem,
    start: Sequence[str],
    objective: str,
    check_time: Callable[[], None] = lambda: None,
) -> Answer:
    """The best strategy of a whole Mastermind game, proved over all first guesses or the given."""
    game = problem.game
    if problem.hard or objective == "losses":
        what = "hard mode is" if problem.hard else "losses are"
        raise WrongInputError(f"{what} for Wordle only")
    starts = tuple(game.guess_id(word) for word in start)
    if objective == "total":
        found = solve_exactly(game, problem.within, starts, check_time)
        return _answer(game, found, problem.within, start)
    largest = problem.within or len(game.secrets) + len(starts)
    for limit in range(1, largest + 1):
        found = solve_exactly(game, limit, starts, check_time)
        if found is not None:
            return replace(_answer(game, found, limit, start), lower_bound=limit)
    return replace(_answer(game, None, largest, start), lower_bound=largest + 1)


def _answer(
    game: Game, found: OptimalStrategy | None, within: int | None, start: Sequence[str]
) -> Answer:
    if found is None:
        return Answer(None, [], True, None, within)
    opener = FirstGuess(game.guesses[found.tree.guess[0]], found.total, 0, True, tuple(start[1:]))
    return Answer(found.tree, [opener], True, found.total, within)
