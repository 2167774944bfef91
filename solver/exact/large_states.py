"""Large states below a guess, each searched as a problem of its own.

A poor first guess leaves most of the secrets together, far above their bound. Deepening would go up
to the value total by total, through all guesses again and again. Here they are looked at side by
side as first guesses are (``first_guesses``): a few promising ones get their values, and whatever
is not below the best of them is excluded by its bound.
"""

from __future__ import annotations

from dataclasses import replace

from ..tree import Tree
from .first_guesses import settle
from .kernels.lemmas import UNLIMITED
from .kernels.score_table import narrowed
from .kernels.table_vectors import Bits, Rows
from .problem import GuessBounds, Problem, SearchContext
from .values import CheckTime, HardBucket, Value


class LargeState:
    """A state below another problem's, searched when it is made."""

    def __init__(self, context: SearchContext, state: HardBucket) -> None:
        self._rows = state.rows
        self._limit = state.limit
        self._context = context_below(context, state.rows, state.left, state.revealed)
        self._bounds = GuessBounds(1, state.limit)
        settle(self._bounds, self._context, check_time=context.engine.check_time)

    @property
    def value(self) -> Value:
        """The value of the state, as far as it is within its limit."""
        best = self._bounds.best
        return Value(self._limit + 1, False) if best is None else Value(best, True)

    @property
    def guess(self) -> int:
        """The best guess, the first of several; -1 if the value is above the limit."""
        return self._bounds.ties()[0] if self.value.exact else -1

    def plan(self) -> Tree:
        """An optimal strategy of the state, its rows as in the table of the problem above."""
        if not self.value.exact:
            return Tree()
        context = self._context
        column, value = context.column_of[self.guess], self.value.bound
        context.forget()
        context.value(column, value, patient=False)
        return context.plan(column, value)[1].of_secrets(self._rows.tolist())


def context_below(context: SearchContext, rows: Rows, left: int, revealed: Bits) -> SearchContext:
    """A state below the problem of a context as a problem of its own."""
    problem = context.problem
    chosen = problem.candidates or range(len(problem.game.secrets))
    problem = replace(
        problem,
        candidates=tuple(chosen[row] for row in rows.tolist()),
        within=None if left == UNLIMITED else left,
        history=(),
    )
    below = narrowed(context.table, rows, revealed), revealed
    return SearchContext(problem, context.engine.check_time, LargeState, below)


def search_context(problem: Problem, check_time: CheckTime = lambda: None) -> SearchContext:
    """The context of a search that meets large states: of poor first guesses."""
    return SearchContext(problem, check_time, LargeState)
