"""Tables that several processes will want, counted by all of them before anything else.

Each process counts the tables of its ceilings when they are first wanted (see ``ceilings``), and
most of them are wanted by every process that screens a fair share of the guesses. So those that
serve many buckets are counted first, each by one process, into memory that all of them see.
"""

from __future__ import annotations

import mmap
import os
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..table.score_table import ScoreTable
from .ceilings import Ceilings, count_wanted, count_wants

#: Buckets smaller than this are not looked at.
_LEAST_ROWS = 25
#: A table is counted if so many of the buckets of some guesses would look at it: one of so many.
_OFTEN = 3
_SAMPLED = 4
#: Rows of the tables that are counted together, at least.
_ROWS = 1 << 13


class TablesAhead:
    """Which tables of ceilings processes count in parts, and where they are found when counted."""

    def __init__(self, table: ScoreTable, ceilings: Ceilings, columns: NDArray[np.int32]) -> None:
        """The tables for guesses of a whole table; ``OSError`` if there is no memory for them."""
        wants = np.zeros(ceilings.place.shape, dtype=np.int32)
        count_wants(table, ceilings, columns[::_SAMPLED].copy(), _LEAST_ROWS, wants)
        marks = np.argwhere(wants >= _OFTEN).astype(np.int32)
        rows = ceilings.size[marks[:, 0], marks[:, 1]]
        order = np.argsort(-rows, kind="stable")[: len(ceilings.tables) // 2]
        self._marks, self._rows = marks[order], rows[order].astype(np.int64)
        self._table, self._ceilings = table, ceilings
        self._file = _SharedMemory(ceilings.tables.shape)

    def parts(self, workers: int) -> list[tuple[int, int]]:
        """The tables to count, from one to another, for so many workers: larger parts first."""
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
        """Count the tables of ceilings of a part."""
        ceilings = self._ceilings
        ceilings.wanted[: end - first] = self._marks[first:end]
        own = ceilings._replace(
            tables=self._file.seen_by_all()[first:end],
            used=np.array([end - first, 0, self._rows[first:end].sum()], dtype=np.int64),
        )
        count_wanted(self._table, own)

    def taken_over(self) -> Ceilings:
        """The ceilings with these tables, which are all counted; what is added stays with us."""
        ceilings, count = self._ceilings._replace(tables=self._file.our_own()), len(self._marks)
        places = np.arange(count, dtype=np.int32)
        one, other = self._marks.T
        ceilings.place[:] = -1
        ceilings.place[one, other] = ceilings.place[other, one] = places
        ceilings.used[:] = count, count, 0
        return ceilings


class _SharedMemory:
    """Rows of bytes in a file without a name: processes that are forked later see it, too."""

    _number = -1

    def __init__(self, shape: tuple[int, ...]) -> None:
        """``OSError`` where there are no such files, or none of this size."""
        self._shape = shape
        if not hasattr(os, "memfd_create"):
            raise OSError
        self._number = os.memfd_create("tables")
        os.ftruncate(self._number, shape[0] * shape[1])

    def __del__(self) -> None:
        if self._number >= 0:
            os.close(self._number)

    def _mapped(self, flags: int) -> NDArray[np.uint8]:
        size = self._shape[0] * self._shape[1]
        memory = mmap.mmap(self._number, size, flags, mmap.PROT_READ | mmap.PROT_WRITE)
        return np.frombuffer(memory, dtype=np.uint8).reshape(self._shape)

    def seen_by_all(self) -> NDArray[np.uint8]:
        """All rows, to be read and written by everybody."""
        return self._mapped(mmap.MAP_SHARED)

    def our_own(self) -> NDArray[np.uint8]:
        """All rows as they are now, of which we change only copies."""
        return self._mapped(mmap.MAP_PRIVATE)
