"""What a search hands over: values, strategies as found, and states for others to search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...tree import Tree
from ..lemmas import LOSS
from ..table.score_table import SHOWN_WORDS, ScoreTable, show

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
    #: No value is below this; and none below that, as an earlier search has found, which went
    #: through all levels up to there.
    bound: int = 0
    least: int = 0


#: Takes hard buckets, and gives their values and strategies in the same order.
Share = Callable[[Sequence[HardBucket]], Iterable[tuple[Value, Tree]]]


def parted(
    table: ScoreTable, members: Rows, column: int, shown: Shown
) -> Iterator[tuple[Rows, Shown]]:
    """In results about a state, its buckets, each with what hard mode has shown there."""
    scores = table.scores[column, members]
    for score in np.flatnonzero(np.bincount(scores)).tolist():
        rows = members[scores == score]
        after = np.zeros(SHOWN_WORDS, dtype=np.uint64)
        show(table, column, int(rows[0]), shown, after)
        yield rows, after
