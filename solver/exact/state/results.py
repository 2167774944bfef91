"""What a search hands over: values, strategies as found, and states for others to search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..table.score_table import ScoreTable, show
from .bounds import LOSS

Rows = NDArray[np.int32]
Shown = NDArray[np.uint64]


@dataclass(frozen=True)
class Value:
    """What is known about a guess or a state: its value, or a lower bound of it."""

    bound: int
    exact: bool

    @property
    def total(self) -> int:
        """Guesses summed over the candidates, losses apart."""
        return self.bound % LOSS

    @property
    def losses(self) -> int:
        """Candidates beyond the limit."""
        return self.bound // LOSS


@dataclass
class Nodes:
    """A strategy as flat columns: guesses of the game, parents first."""

    guess: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    #: A secret (by row of the table) that took the edge; the score follows from it.
    witness: list[int] = field(default_factory=list)

    def add(self, guess: int, parent: int, witness: int) -> int:
        """Append a node; its number."""
        self.guess.append(guess)
        self.parent.append(parent)
        self.witness.append(witness)
        return len(self.guess) - 1

    def graft(self, other: Nodes, parent: int) -> None:
        """Append another strategy below a node."""
        first = len(self.guess)
        self.guess += other.guess
        self.parent += [parent if above < 0 else first + above for above in other.parent]
        self.witness += other.witness


@dataclass(frozen=True)
class HardBucket:
    """A state that takes long, and depends on no other: whoever has time may search it."""

    rows: Rows
    left: int
    shown: Shown
    #: A value up to here is looked for before anything else is asked.
    near: int
    #: Values above this are of no interest.
    limit: int


#: Takes hard buckets, and gives their values and strategies in the same order.
Share = Callable[[Sequence[HardBucket]], Iterable[tuple[Value, Nodes]]]


def parted(
    table: ScoreTable, members: Rows, column: int, shown: Shown
) -> Iterator[tuple[Rows, Shown]]:
    """The buckets of a state, and what hard mode asks for in each."""
    scores = table.scores[column, members]
    for score in np.unique(scores):
        rows = members[scores == score]
        after = np.zeros(4, dtype=np.uint64)
        show(table, column, int(rows[0]), shown, after)
        yield rows, after
