"""Whether a limit can be met after an opener, and which limit is the least: no totals.

The search of mere possibility decides. What it has refuted, small sets of secrets that cannot be
solved in time, it keeps from opener to opener; in hard mode it is a sieve, and the exact search
has the last word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from solver.exact.feasibility.limit_first import Possibility
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.lemmas import LOSS
from solver.exact.table.layout import score_table_of
from solver.tree import Tree

if TYPE_CHECKING:
    from solver.exact.first_guesses.problem import Problem

#: States whose strategies are remembered.
_KNOWN = 4096


class LimitBench:
    """What one process needs to tell whether openers of one problem meet a limit."""

    def __init__(self, problem: Problem, check_time: Callable[[], None]) -> None:
        self._problem = replace(problem, price=0)
        self._check_time = check_time
        table = score_table_of(problem.game, hard=False, secrets=None, price=0)
        self._mere = Possibility(table, check_time)
        self._everyone = np.arange(len(problem.game.secrets), dtype=np.int32)
        self._column_of = {int(guess): at for at, guess in enumerate(table.guess) if guess >= 0}
        #: Hard mode: the exact searches of limits.
        self._hard: dict[int, Workbench] = {}

    def within(self, opener: int, limit: int) -> Tree | None:
        """A strategy of an opener within a limit; None if it is proved that there is none."""
        column, search = self._column_of[opener], self._mere.search
        search.forget(_KNOWN)
        if search.refutes_guess(limit, self._everyone, column):
            return None
        if self._problem.hard:
            return self._within_in_hard_mode(opener, limit)
        return self._problem.graded(self._mere.tree(limit, (opener,)))

    def _within_in_hard_mode(self, opener: int, limit: int) -> Tree | None:
        if limit not in self._hard:
            problem = replace(self._problem, within=limit)
            self._hard[limit] = Workbench(problem, self._check_time)
        bench = self._hard[limit]
        value, tree = bench.engine.plan_of_guess(
            bench.members, bench.column_of[opener], limit, bench.shown, LOSS - 1
        )
        return self._problem.graded(tree) if value.exact else None
