"""Upper bounds in a moment: a strategy by a beam, where a proof is not wanted or takes too long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ...errors import CouldNotFinishError, WrongInputError
from ...tree import Tree
from ..first_guesses.problem import Problem
from ..first_guesses.workbench import Workbench
from ..lemmas import LOSS, NEVER, UNLIMITED, guesses_left
from ..state_values.beam_bounds import Beam
from ..state_values.forced_guesses import solve_forced
from .answer import Answer, FirstGuess


@dataclass(frozen=True)
class _Found:
    value: int
    tree: Tree


def beam_strategy(
    problem: Problem,
    width: int,
    start: Sequence[str] = (),
    objective: str = "total",
    check_time: Callable[[], None] = lambda: None,
) -> Answer:
    """The best strategy that tries the ``width`` most promising guesses of every state.

    A bound, never a proof: among the other guesses there may be better ones.
    """
    if problem.game.code_space is not None:
        raise WrongInputError("--width is for Wordle; Mastermind is searched whole")
    search = _Search(problem, width, start)
    limits: Sequence[int | None] = (problem.within,)
    if objective == "worst":
        most = len(problem.game.secrets)
        limits = range(1, min(most, problem.within or most) + 1)
    for limit in limits:
        check_time()
        found = search.found(limit)
        if found.value < LOSS or objective == "losses":
            return search.answer(found, limit, objective)
    raise CouldNotFinishError(
        f"undecided: no strategy within {limits[-1]} among the {width} most promising guesses "
        "of every state; a wider beam, or a search without --width, may find one"
    )


class _Search:
    """One beam, asked about one limit after the other."""

    def __init__(self, problem: Problem, width: int, start: Sequence[str]) -> None:
        self._problem = problem
        self._more = tuple(start[1:])
        self._bench = Workbench(problem)
        self._beam = Beam(self._bench.table, width)
        self._columns = [self._bench.column_of[problem.game.guess_id(word)] for word in start]

    def found(self, limit: int | None) -> _Found:
        """The best strategy that the beam sees."""
        bench, tree = self._bench, Tree()
        left = UNLIMITED if limit is None else limit
        left = guesses_left(left, len(bench.members)) if not self._columns else left
        value = solve_forced(self._beam, bench.members, self._columns, left, bench.shown, tree)
        return _Found(value, tree)

    def answer(self, found: _Found, limit: int | None, objective: str) -> Answer:
        """The strategy as an answer, with the bound that holds at a glance."""
        problem = replace(self._problem, within=limit)
        lower = self._lower_bound()
        word = problem.game.guesses[found.tree.guess[0]]
        opener = FirstGuess(word, lower % LOSS, lower // LOSS, False, self._more)
        bound = {"worst": 1, "losses": lower // LOSS}.get(objective, lower % LOSS)
        return Answer(problem.graded(found.tree), [opener], False, bound, limit)

    def _lower_bound(self) -> int:
        """Of the value: at a glance after one given guess, else by lemma 2 over all of them."""
        bench = self._bench
        if len(self._columns) == 1:
            return int(bench.bounds(self._columns, NEVER)[0])
        return 3 * len(bench.members) - int(bench.table.parts[0]) - 1
