"""Tables that several processes will want, counted by all of them before anything else.

Each process counts the tables of its ceilings when they are first wanted (see ``ceilings``), and
most of them are wanted by every process that screens a fair share of the guesses. So those that
serve many buckets are counted first, each by one process, into memory that all of them see.
"""

from __future__ import annotations

from itertools import pairwise
from mmap import mmap
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..table.score_table import ScoreTable
from .ceilings import Ceilings, count_wanted, count_wants

#: Buckets smaller than this are not looked at.
_LEAST_ROWS = 25
#: A table is counted if so many of the buckets of some guesses would look at it: one of so many.
_OFTEN = 2
_SAMPLED = 4
#: Rows of the tables that are counted together, at least.
_ROWS = 1 << 13


class TablesAhead:
    """Which tables to count, in parts, and where they are found when they are counted."""

    def __init__(self, table: ScoreTable, ceilings: Ceilings, columns: NDArray[np.int32]) -> None:
        """The tables for guesses of a whole table; ``OSError`` if there is no memory for them."""
        wants = np.zeros(ceilings.place.shape, dtype=np.int32)
        count_wants(table, ceilings, columns[::_SAMPLED].copy(), _LEAST_ROWS, wants)
        marks = np.argwhere((wants >= _OFTEN) & (ceilings.place < 0)).astype(np.int32)
        rows = ceilings.size[marks[:, 0], marks[:, 1]]
        order = np.argsort(-rows, kind="stable")[: len(ceilings.tables) // 2]
        self._marks, self._rows = marks[order], rows[order].astype(np.int64)
        self._table, self._ceilings = table, ceilings
        width = ceilings.tables.shape[1]
        self._memory: Final = mmap(-1, max(1, len(order) * width))
        self._tables = np.frombuffer(self._memory, dtype=np.uint8, count=len(order) * width)
        self._tables = self._tables.reshape(len(order), width)

    def parts(self, workers: int) -> list[tuple[int, int]]:
        """Tables from one to another, for so many workers: the larger parts first."""
        most_tables, most_rows = len(self._ceilings.wanted), len(self._ceilings.members)
        done = np.concatenate(([0], np.cumsum(self._rows)))
        ends = [0]
        while ends[-1] < len(self._rows):
            first = ends[-1]
            share = max(int(done[-1] - done[first]) // (2 * workers), _ROWS)
            end = int(np.searchsorted(done, done[first] + min(share, most_rows), side="right")) - 1
            ends.append(max(first + 1, min(end, first + most_tables)))
        return list(pairwise(ends))

    def count(self, first: int, end: int) -> None:
        """Count the tables of a part."""
        ceilings = self._ceilings
        ceilings.wanted[: end - first] = self._marks[first:end]
        own = ceilings._replace(
            tables=self._tables[first:end],
            used=np.array([end - first, 0, self._rows[first:end].sum()], dtype=np.int64),
        )
        count_wanted(self._table, own)

    def take_over(self) -> None:
        """Put the tables, which are all counted, among those of the ceilings."""
        ceilings, count = self._ceilings, len(self._marks)
        first = int(ceilings.used[0])
        places = np.arange(first, first + count, dtype=np.int32)
        one, other = self._marks.T
        ceilings.place[one, other] = ceilings.place[other, one] = places
        ceilings.tables[first : first + count] = self._tables
        ceilings.used[:2] += count
