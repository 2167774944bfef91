"""The least worst case: the smallest number of guesses that always suffices, and why fewer do not.

Limits are tried upwards, so that what refutes one serves for the next. Without hard mode, and in
hard mode as a first sieve (docs/exact.md, lemma 8), the search of mere possibility decides: it
refutes a limit for all first guesses together. What it does not refute is left, in hard mode, to
the exact search, one first guess after the other. In the end, where the secrets are not too many,
the total is made least after the first guess that was found.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from ...errors import CouldNotFinishError
from ...tree import Tree
from ..feasibility.limit_first import Possibility
from ..first_guesses.problem import Problem
from ..first_guesses.workbench import Workbench
from ..lemmas import LOSS
from ..state_values.forced_guesses import loses_nothing, solve_forced
from ..table.layout import score_table_of
from .answer import Answer, FirstGuess
from .best_strategy import best_strategy

#: Called with the limit under test, the first guesses excluded so far, and how many there are.
Excluded = Callable[[int, int, int], None]
#: Of so many secrets the total is made least as well; of more that would take too long.
POLISHED = 4_000


class LeastWorst:
    """The least worst case, the limit raised until it is met; ``answer`` tells what is known."""

    def __init__(
        self,
        problem: Problem,
        start: Sequence[str] = (),
        progress: Excluded = lambda limit, excluded, whole: None,
        check_time: Callable[[], None] = lambda: None,
    ) -> None:
        self._problem = problem
        self._start = tuple(start)
        self._progress = progress
        self._check_time = check_time
        chosen = problem.candidates
        self._count = len(problem.game.secrets if chosen is None else chosen)
        #: No strategy meets a limit below this one.
        self._least = 1
        self._found: Answer | None = None

    def settle(self) -> None:
        """Refute limits until one is met, or the largest is refuted."""
        within = self._problem.within
        # n guesses suffice for n candidates, after fixed ones that may tell nothing
        largest = self._count + len(self._start) if within is None else within
        try:
            while self._least <= largest:
                tree = self._tree(self._least)
                if tree is not None:
                    self._take(tree)
                    return
                self._least += 1
        except CouldNotFinishError as error:
            if self._found is None and self._least > 1:
                proved = f"{error}; proved: within {self._least - 1} is impossible"
                raise type(error)(proved) from None
            raise
        self._found = Answer(None, [], True, self._least, largest)

    def answer(self) -> Answer | None:
        """The smallest limit with a strategy, or the proof that the largest is too small."""
        return self._found

    # --- one limit ------------------------------------------------------------------------

    def _tree(self, limit: int) -> Tree | None:
        """A strategy within a limit; None: it is proved that there is none."""
        possibility, tell = self._mere, self._progress
        possibility.search.progress = lambda excluded, whole: tell(limit, excluded, whole)
        guesses = [self._problem.game.guess_id(word) for word in self._start]
        if not possibility.meets(limit, guesses):
            return None
        return (
            self._tree_in_hard_mode(limit)
            if self._problem.hard
            else possibility.tree(limit, guesses)
        )

    def _tree_in_hard_mode(self, limit: int) -> Tree | None:
        """A strategy within a limit in hard mode, by exact search; None: proved there is none."""
        bench = Workbench(replace(self._problem, within=limit, price=0), self._check_time)
        fixed = [bench.column_of[self._problem.game.guess_id(word)] for word in self._start]
        tries = [fixed] if fixed else [[column] for column in bench.columns]
        for number, firsts in enumerate(tries):
            self._check_time()
            self._progress(limit, number, len(tries))
            if self._follows(bench, firsts):
                tree = Tree()
                solve_forced(bench.engine, bench.members, firsts, limit, bench.shown, tree)
                return tree
        return None

    @staticmethod
    def _follows(bench: Workbench, columns: Sequence[int]) -> bool:
        """Whether the limit can be met after these guesses."""
        if len(columns) == 1:
            return bench.value(columns[0], LOSS - 1).exact
        return loses_nothing(bench.engine, bench.members, columns, bench.problem.left, bench.shown)

    @cached_property
    def _mere(self) -> Possibility:
        """One search for all limits: what it learns from one serves for the next."""
        chosen = self._problem.candidates
        secrets = None if chosen is None else np.array(chosen, dtype=np.int32)
        table = score_table_of(self._problem.game, hard=False, secrets=secrets, price=0)
        return Possibility(table, self._check_time)

    # --- what is found --------------------------------------------------------------------

    def _take(self, tree: Tree) -> None:
        """Keep a strategy; then make its total least, if that can be done."""
        problem = replace(self._problem, within=self._least)
        word = problem.game.guesses[tree.guess[0]]
        opener = FirstGuess(word, 2 * self._count - 1, 0, False, self._start[1:])
        self._found = Answer(problem.graded(tree), [opener], True, self._least, self._least)
        if self._count <= POLISHED:
            with contextlib.suppress(CouldNotFinishError):  # what was asked is known already
                best = best_strategy(problem, self._start or (word,), check_time=self._check_time)
                self._found = replace(self._found, tree=best.tree, first_guesses=best.first_guesses)
