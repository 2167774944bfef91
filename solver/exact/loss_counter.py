"""What states with three guesses left lose at least, counted once and kept.

A first guess loses what its buckets lose. So of four guesses most first guesses are excluded by
their largest buckets alone, in a fraction of a second: a search has to do with the others only.
"""

from __future__ import annotations

import numpy as np

from .kernels import fewest_lost
from .kernels.score_table import ScoreTable
from .kernels.table_columns import narrowed
from .kernels.table_vectors import Bits, Rows
from .values import NOTHING_REVEALED, CheckTime, buckets_of

#: Guesses left in the states whose losses are counted.
THREE = 3
#: Columns between two checks of the time limit.
_PAUSE = 256
#: So many states are kept.
_KEPT = 4_096


class LossCounter:
    """Counts the fewest losses of states of one table, without hard mode."""

    def __init__(self, table: ScoreTable, check_time: CheckTime) -> None:
        self._table = table
        self._check_time = check_time
        words = -(-len(table.column) // 64)
        #: States that were counted, as sets of rows, and what they lose at least.
        self._sets: Bits = np.zeros((_KEPT, words), dtype=np.uint64)
        self._least = np.zeros(_KEPT, dtype=np.int64)
        self._counted = 0

    def fewest(self, rows: Rows, most: int) -> int:
        """The fewest losses of a state with three guesses left, up to ``most``."""
        most = min(most, fewest_lost.MOST_LOST)
        if most <= 0 or len(rows) <= THREE:
            return 0
        members = self._as_set(rows)
        if self._least_known(members) >= most:
            return most
        fewest, _ = self._count(narrowed(self._table, rows, NOTHING_REVEALED), most)
        if fewest > 0:
            at = self._counted % _KEPT
            self._sets[at], self._least[at] = members, fewest
            self._counted += 1
        return fewest

    def after(self, rows: Rows, column: int, most: int) -> int:
        """What a guess loses at least with four guesses left, up to ``most``."""
        lost, most = 0, min(most, fewest_lost.MOST_LOST)
        buckets = buckets_of(self._table, rows, column, NOTHING_REVEALED)
        for bucket, _ in sorted(buckets, key=lambda bucket: -len(bucket[0])):
            lost += self.fewest(bucket, most - lost)
            if lost >= most:
                break
        return lost

    def given_up(self, rows: Rows, most: int) -> Rows | None:
        """Of a state with three guesses left the rows that a best strategy loses.

        None if no strategy loses fewer than ``most``, or than are counted.
        """
        table = narrowed(self._table, rows, NOTHING_REVEALED)
        _, column = self._count(table, min(most, fewest_lost.MOST_LOST))
        if column < 0:
            return None
        lost: list[int] = []
        everyone: Rows = np.arange(len(rows), dtype=np.int32)
        for bucket, _ in buckets_of(table, everyone, column, NOTHING_REVEALED):
            _, second, _ = fewest_lost.fewest_repeats(table, bucket, fewest_lost.MOST_LOST)
            for part, _ in buckets_of(table, bucket, second, NOTHING_REVEALED):
                lost.extend(part[1:].tolist())
        return rows[sorted(lost)]

    def _count(self, table: ScoreTable, most: int) -> tuple[int, int]:
        """The fewest losses of all rows of a table, and the column that loses so few."""
        count = fewest_lost.new_loss_count(table, most)
        while not fewest_lost.count_losses(table, count, _PAUSE):
            self._check_time()
        return int(count.place[fewest_lost.FEWEST]), int(count.place[fewest_lost.COLUMN])

    def _as_set(self, rows: Rows) -> Bits:
        inside = np.zeros(self._sets.shape[1] * 64, dtype=np.uint8)
        inside[rows] = 1
        return np.packbits(inside).view(np.uint64)

    def _least_known(self, members: Bits) -> int:
        """The most that a state inside loses at least: the whole loses no fewer."""
        kept = min(self._counted, _KEPT)
        inside = ((self._sets[:kept] & ~members) == 0).all(axis=1)
        return int(self._least[:kept][inside].max(initial=0))
