"""The best guesses of a state where losses cannot be avoided, each with its exact value.

The guesses are taken in the order of their bounds, by branch and bound over a table of those that
differ (lemma 5), until the next bound is above the last place. What holds for one of equal guesses
holds for the others, but that a candidate may be right.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..guess_values.engine import Engine
from ..lemmas import guesses_left, lost
from ..state_values.scratch_memory import work_done
from ..table.narrowed import narrowed
from .standings import FirstGuesses
from .workbench import Workbench

_MEMO_BITS = 18


class Ranking:
    """The guesses of the state of a workbench, ranked where losses cannot be avoided."""

    def __init__(self, bench: Workbench, check: Callable[[int], None]) -> None:
        """``check`` is called now and then with the units of work done so far."""
        self._bench = bench
        self._table = narrowed(bench.table, bench.members, bench.shown)
        self._engine = Engine(self._table, _MEMO_BITS)
        scratch = self._engine.scratch
        self._engine.check_time = lambda: check(work_done(scratch))

    def settle(self, state: FirstGuesses) -> None:
        """Settle all guesses that may win a place in the ranking."""
        bench, engine = self._bench, self._engine
        left, shown = bench.problem.left, bench.shown
        for bound, column in engine.listed(bench.members, left, shown, state.limit):
            if bound > state.limit:
                break
            value, _ = engine.branch(bench.members, left, shown, state.limit, column)
            guess = int(self._table.guess[column])
            for other in self._equals(guess) if value.exact else []:
                state.add((other, value.bound + self._dearer(guess, other), True))

    def _equals(self, guess: int) -> list[int]:
        """A guess of the game and those that part the candidates like it, candidates apart.

        In hard mode there are none: words differ by what they make legal.
        """
        table, column = self._bench.table, self._bench.column_of[guess]
        if table.hard:
            return [guess]
        others = np.array(self._bench.columns, dtype=np.int64)
        others = others[(table.parts[others] == table.parts[column]) & (table.secret[others] < 0)]
        order = np.argsort(table.scores[column, self._bench.members], kind="stable")
        scores = table.scores[:, self._bench.members[order]]
        mine = scores[column]
        together = mine[1:] == mine[:-1]
        alike = (scores[others, 1:] == scores[others, :-1])[:, together].all(axis=1)
        found = {guess, *table.guess[others[alike]].tolist()}
        return sorted(found)

    def _dearer(self, guess: int, other: int) -> int:
        """What a word costs more than an equal guess that is a candidate."""
        table, column_of = self._bench.table, self._bench.column_of
        if other == guess or table.secret[column_of[guess]] < 0:
            return 0
        left = guesses_left(self._bench.problem.left, len(self._bench.members))
        return table.price + lost(left)
