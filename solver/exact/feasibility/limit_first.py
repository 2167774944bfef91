"""Whether a limit can be met, asked before anything is made least under it.

The search for what is possible at all refutes a limit for all first guesses together; the exact
search would take them one by one, and level by level if nothing but losses were left. It knows
nothing of hard mode; but what hard mode allows after a state is allowed in it too, so what it
refutes in a table of those guesses is refuted in hard mode as well (docs/exact.md, lemma 8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ...tree import Tree
from ..guess_values.engine import NOTHING_SHOWN
from ..lemmas import LOSS, NEVER
from ..state_values.forced_guesses import loses_nothing, solve_forced
from ..state_values.results import Rows, Shown, Value
from ..table.narrowed import narrowed
from ..table.score_table import ScoreTable
from .limit_search import Possible


class Possibility:
    """The search for what is possible at all as a solver of states: their value is 0, or a loss."""

    def __init__(self, table: ScoreTable, check_time: Callable[[], None] = lambda: None) -> None:
        self.table = table
        self.search = Possible(table._replace(hard=False), check_time)
        self._check_time = check_time
        self._everyone = np.arange(len(table.column), dtype=np.int32)
        #: Hard mode, states that show something: the searches of their tables.
        self._searches: dict[tuple[bytes, bytes], Possible] = {}

    def meets(self, limit: int, start: Sequence[int] = (), shown: Shown = NOTHING_SHOWN) -> bool:
        """Whether some strategy that begins with these guesses solves everything within a limit.

        In hard mode: whether that is not refuted.
        """
        columns = self._columns(start)
        return loses_nothing(self, self._everyone, columns, limit, shown)

    def tree(self, limit: int, start: Sequence[int] = ()) -> Tree:
        """A strategy within a limit that begins with these guesses; not for hard mode."""
        tree = Tree()
        columns = self._columns(start)
        solve_forced(self, self._everyone, columns, limit, NOTHING_SHOWN, tree)
        return tree

    def _columns(self, guesses: Sequence[int]) -> list[int]:
        return [int(np.flatnonzero(self.table.guess == guess)[0]) for guess in guesses]

    def value_of_state(
        self, members: Rows, left: int, shown: Shown, limit: int = NEVER
    ) -> tuple[Value, int]:
        """Whether the state can be solved; only ``plan`` needs to know the guess."""
        lost = self.refutes(members, left, shown)
        return Value(LOSS if lost else 0, exact=not lost), -1

    def refutes(self, members: Rows, left: int, shown: Shown) -> bool:
        """Whether it is proved that the state cannot be solved with so many guesses left."""
        if left >= len(members):
            return False
        search, own = self.search_of(members, shown)
        return search.solve(left, own) is not None

    def refutes_guess(self, members: Rows, left: int, shown: Shown, column: int) -> bool:
        """Whether it is proved that a state cannot be solved once a certain guess is made in it."""
        search, own = self.search_of(members, shown)
        place = np.flatnonzero(search.table.guess == self.table.guess[column])
        if not len(place):
            return False  # it tells nothing, and the table does without it
        return search.refutes_guess(left, own, int(place[0]))

    def search_of(self, members: Rows, shown: Shown) -> tuple[Possible, Rows]:
        """The search for a state, and its rows there.

        In hard mode that is one in a table of the guesses that are legal in the state.
        """
        if not (self.table.hard and shown.any()):
            return self.search, members
        key = members.tobytes(), shown.tobytes()
        if key not in self._searches:
            table = narrowed(self.table, members, shown)._replace(hard=False)
            self._searches[key] = Possible(table, self._check_time)
        return self._searches[key], np.arange(len(members), dtype=np.int32)

    def plan(
        self,
        members: Rows,
        left: int,
        shown: Shown,
        nodes: Tree,
        parent: int,
        names: Rows | None,
    ) -> None:
        """Append a strategy of a state that can be solved."""
        nodes.graft(self.search.plan(left, members), parent)
