"""Tables that several processes will want, counted by all of them before anything else.

What one has counted the others need not (see ``table_space``), but what all of them want first
all would count at the same time. So the tables that serve many buckets are counted ahead, each by
one process.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..table.score_table import ScoreTable
from .ceilings import Ceilings, count_wanted, count_wants, in_space, is_full, want_all
from .table_space import common_space, own_space

#: Buckets smaller than this are not looked at.
_LEAST_ROWS = 25
#: A table is counted if so many of the buckets of some guesses would look at it: one of so many.
_OFTEN = 2
_SAMPLED = 8
#: Rows of the tables that are counted together, at least.
_ROWS = 1 << 13


class TablesAhead:
    """Which tables of ceilings processes count in parts, and the ceilings that will have them."""

    def __init__(self, table: ScoreTable, ceilings: Ceilings, columns: NDArray[np.int32]) -> None:
        """The tables for guesses of a whole table; ``OSError`` if there is no memory for them."""
        wants = np.zeros(ceilings.place.shape, dtype=np.int32)
        count_wants(table, ceilings, columns[::_SAMPLED].copy(), _LEAST_ROWS, wants)
        marks = np.argwhere(wants >= _OFTEN).astype(np.int32)
        rows = ceilings.size[marks[:, 0], marks[:, 1]]
        tables, width = ceilings.space.tables.shape
        order = np.argsort(-rows, kind="stable")[: tables // 2]
        self._marks, self._rows = marks[order], rows[order].astype(np.int64)
        self._table = table
        #: With tables that all see who are forked from now on.
        self.ceilings = in_space(ceilings, common_space(tables, width, len(wants)))

    def parts(self, workers: int) -> list[tuple[int, int]]:
        """The tables to count, from one to another, for so many workers: larger parts first."""
        most_tables, most_rows = len(self.ceilings.wanted), len(self.ceilings.members)
        done = np.concatenate(([0], np.cumsum(self._rows)))
        ends = [0]
        while ends[-1] < len(self._rows):
            first = ends[-1]
            share = max(int(done[-1] - done[first]) // (2 * workers), _ROWS)
            end = int(np.searchsorted(done, done[first] + min(share, most_rows), side="right")) - 1
            ends.append(max(first + 1, min(end, first + most_tables)))
        return list(pairwise(ends))

    def count(self, first: int, end: int) -> None:
        """Count the tables of ceilings of a part."""
        want_all(self._table, self.ceilings, self._marks[first:end])
        count_wanted(self._table, self.ceilings)

    def unless_full(self, ceilings: Ceilings) -> Ceilings:
        """These ceilings; if there is no space left in what all share, new ones of our own."""
        space = ceilings.space
        if len(space.told) == 0 or not is_full(space):
            return ceilings
        return in_space(ceilings, own_space(*space.tables.shape))
