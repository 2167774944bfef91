"""The fewest losses with two and with three guesses left, counted over all guesses.

With two guesses left a guess loses the candidates that repeat a score: all but one of each part.
With three left it loses what its buckets lose (docs/exact.md, lemma 13a). To count that takes
neither a search nor a memo: repeats are counted for 64 guesses side by side, and where a bucket
loses as many as the best guess so far, so does every other guess that leaves those candidates
together which were looked at.

Losses are counted up to a number: who asks does not care whether there are more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel
from ...machine.vectors import first_bit
from .score_table import ScoreTable, new_ends, split_by_size
from .table_vectors import ALL, BLOCK_COLUMNS, Bits, Rows, Scores, Sums, alike

#: Columns of ``LossCount.place``: the next column to look at, the fewest losses so far, and the
#: column that loses so few (-1: none loses fewer than asked for).
AT, FEWEST, COLUMN = range(3)
#: Losses are counted up to 2 ** this many.
_BITS = 6
#: No more losses are counted.
MOST_LOST = 1 << _BITS


class LossCount(NamedTuple):
    """A count of losses with three guesses left, which may pause between two guesses."""

    place: Sums
    #: The columns that are known to lose as many as the best so far.
    covered: Bits


def new_loss_count(table: ScoreTable, most: int) -> LossCount:
    """A count up to so many losses, which has not begun."""
    blocks = len(table.guess) // BLOCK_COLUMNS
    return LossCount(np.array([0, most, -1], dtype=np.int64), np.zeros(blocks, dtype=np.uint64))


@kernel(inner=True)
def _count_repeats(table: ScoreTable, block: int, members: Rows, most: int, planes: Bits) -> int:
    """Count in 64 columns, up to ``most``, the members that repeat the score of one before.

    The counts stand in ``planes``, bit by bit, and begin so high that a carry out of the highest
    says that ``most`` is reached. Returns how many members were looked at before all columns
    reached it; -1 if some did not.
    """
    for p in range(_BITS):
        planes[p] = ALL if (MOST_LOST - most) >> p & 1 else np.uint64(0)
    full = np.uint64(0)
    for k in range(1, members.shape[0]):
        word = full
        for j in range(k):
            word |= alike(table.rows, block, members[k], members[j])
            if word == ALL:
                break
        carry = word & ~full
        p = 0
        while p < _BITS and carry != 0:
            before = planes[p]
            planes[p] = before ^ carry
            carry &= before
            p += 1
        full |= carry
        if full == ALL:
            return k + 1
    planes[_BITS] = full
    return -1


@kernel(inner=True)
def _least_count(planes: Bits, most: int) -> tuple[int, int]:
    """The least count that ``planes`` hold, and the first of 64 columns that has it."""
    columns, least = ~planes[_BITS], most - MOST_LOST
    for p in range(_BITS - 1, -1, -1):
        lower = columns & ~planes[p]
        if lower != 0:
            columns = lower
        else:
            least += 1 << p
    return least, first_bit(columns)


@kernel
def fewest_repeats(table: ScoreTable, members: Rows, most: int) -> tuple[int, int, int]:
    """The fewest losses of some rows of a table with two guesses left, up to ``most``.

    With it the column that loses so few (-1: none), and how many members lose as many already.
    """
    planes = np.empty(_BITS + 1, dtype=np.uint64)
    count = members.shape[0]
    fewest, column, looked = most, -1, 0
    for block in range(table.rows.shape[0]):
        ceiling = int(table.parts[block * BLOCK_COLUMNS])
        if count - ceiling >= fewest:
            looked = max(looked, ceiling + fewest)
            break
        far = _count_repeats(table, block, members, fewest, planes)
        if far < 0:
            fewest, lane = _least_count(planes, fewest)
            column = block * BLOCK_COLUMNS + lane
            far = count
            if fewest == 0:
                return 0, column, count
        looked = max(looked, far)
    return fewest, column, looked


@kernel(inner=True)
def _cover(table: ScoreTable, together: Rows, first: int, covered: Bits) -> None:
    """Cover the columns from a block on that score the same against all of some rows."""
    for block in range(first, covered.shape[0]):
        word = ~covered[block]
        k = 1
        while word != 0 and k < together.shape[0]:
            word &= alike(table.rows, block, together[0], together[k])
            k += 1
        covered[block] |= word


@kernel
def count_losses(table: ScoreTable, count: LossCount, many: int) -> bool:
    """Go on counting the losses of all rows with three guesses left; whether all is counted.

    ``many``: pause after so many columns that are not covered.
    """
    place, rows = count.place, len(table.column)
    everyone = np.arange(rows).astype(np.int32)
    parted, ends = np.empty(rows, dtype=np.int32), new_ends(table)
    for _ in range(many):
        column = _next_column(table, count)
        if column < 0 or place[FEWEST] == 0:
            return True
        place[AT] = column + 1
        buckets = split_by_size(table, everyone, column, parted, ends)
        lost = 0
        for k in range(buckets):
            bucket = parted[ends[k] : ends[k + 1]]
            if len(bucket) <= 2 or lost >= place[FEWEST]:
                break
            more, _, looked = fewest_repeats(table, bucket, place[FEWEST] - lost)
            if more >= place[FEWEST]:
                _cover(table, bucket[:looked], column >> 6, count.covered)
            lost += more
        if lost < place[FEWEST]:
            place[FEWEST], place[COLUMN] = lost, column
    return False


@kernel(inner=True)
def _next_column(table: ScoreTable, count: LossCount) -> int:
    """The next column that is not covered; -1: there is none."""
    for column in range(count.place[AT], len(table.guess)):
        if table.guess[column] < 0:
            break
        if not count.covered[column >> 6] >> np.uint64(column & 63) & np.uint64(1):
            return column
    return -1


@kernel
def largest_parts(
    scores: Scores, members: Rows, columns: Sums, tally: Sums, sizes: Sums, largest: Sums
) -> None:
    """The size and the score of the largest part that each of some guesses makes of a set."""
    for k in range(len(columns)):
        column = columns[k]
        sizes[k] = 0
        for member in members:
            score = scores[column, member]
            tally[score] += 1
            if tally[score] > sizes[k]:
                sizes[k] = tally[score]
                largest[k] = score
        for member in members:
            tally[scores[column, member]] = 0
