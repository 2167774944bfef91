"""Whether a limit can be met, asked before anything is made least under it.

The search of mere possibility refutes a limit for all first guesses together, where the exact
search would take them one by one. It knows nothing of hard mode; but whatever hard mode allows is
allowed without it too, so what it refutes is refuted there as well (docs/exact.md, lemma 8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from .engine import NOTHING_SHOWN, Nodes, Value
from .forced import loses_nothing, solve_forced
from .possible import Possible
from .room import Room
from .states import LOSS, NEVER

Rows = NDArray[np.int32]
Shown = NDArray[np.uint64]


class Mere:
    """The search of mere possibility as a solver of states: their value is 0, or a loss."""

    def __init__(self, room: Room, check_time: Callable[[], None] = lambda: None) -> None:
        self.room = room._replace(hard=False)
        self.search = Possible(self.room, check_time)
        self._everyone = np.arange(len(room.column), dtype=np.int32)

    def meets(self, limit: int, start: Sequence[int] = ()) -> bool:
        """Whether some strategy that begins with these guesses solves everything within it."""
        columns = self._columns(start)
        return loses_nothing(self, self._everyone, columns, limit, NOTHING_SHOWN)

    def nodes(self, limit: int, start: Sequence[int] = ()) -> Nodes:
        """Such a strategy, where there is one."""
        nodes = Nodes()
        columns = self._columns(start)
        solve_forced(self, self._everyone, columns, limit, NOTHING_SHOWN, nodes)
        return nodes

    def _columns(self, guesses: Sequence[int]) -> list[int]:
        return [int(np.flatnonzero(self.room.guess == guess)[0]) for guess in guesses]

    def value_of_state(
        self, members: Rows, left: int, shown: Shown, limit: int = NEVER
    ) -> tuple[Value, int]:
        """Whether the state can be solved; only ``plan`` needs to know the guess."""
        lost = self.search.solve(left, members) is not None
        return Value(LOSS if lost else 0, exact=not lost), -1

    def plan(
        self,
        members: Rows,
        left: int,
        shown: Shown,
        nodes: Nodes,
        parent: int,
        names: Rows | None,
    ) -> None:
        """Append a strategy of a state that can be solved."""
        found = self.search.plan(left, members)
        base = len(nodes.guess)
        for guess, above, witness in zip(found.guess, found.parent, found.witness, strict=True):
            nodes.add(guess, parent if above < 0 else base + above, witness)


__all__ = ["Mere"]
