"""Sets that came up before, each with the number that was found for it.

What is kept of a set is the whole set, so that no two can be taken for each other: a number that is
recalled is the one that would be found again. What has been kept, and what has had to make room, is
therefore no part of any result.

Entries lie one after the other: how many members, the number, the members in ascending order. When
the memory is full, the next entry takes the place of the oldest ones. Where an entry begins is
counted through all rounds, which tells whether it is still there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import lean
from .rows import Ids


class KnownSets(NamedTuple):
    """A memory of sets of numbers, each with the number found for it."""

    entries: NDArray[np.uint16]
    #: Where the entry of a set begins: in a row of the number that is mixed of the set. Each has
    #: some bits of that number besides.
    places: NDArray[np.int64]
    #: Where the next entry begins.
    end: NDArray[np.int64]


#: Larger sets are not kept.
_MOST = 2048
#: Numbers from here on have no room in an entry.
TOO_LARGE = 1 << 16
#: What an entry has besides the members.
_HEAD = 2
#: Places in a row, and bits of a mixed number that they have.
_ROW, _TAG = 8, 16
_TAGS = (1 << _TAG) - 1


def known_sets(size: int) -> KnownSets:
    """An empty memory of sets, of about so many bytes; with 0 it stays empty."""
    rows = size // 4 // (8 * _ROW)
    rows = 1 << (rows.bit_length() - 1) if rows else 0
    count = max(size * 3 // 8, 2 * _MOST) if rows else 0
    return KnownSets(
        np.zeros(count, dtype=np.uint16),
        np.zeros((rows, _ROW), dtype=np.int64),
        np.ones(1, dtype=np.int64),
    )


@lean(inner=True, inline=True)
def recalled(known: KnownSets, members: Ids) -> tuple[int, int]:
    """From a kernel's memory of sets: a number mixed of a set, and the one found for it, or -1."""
    if len(known.places) == 0 or len(members) > _MOST:
        return 0, -1
    entries, mixed = known.entries, len(members)
    for at in range(len(members)):
        mixed = (mixed ^ int(members[at])) * 0x5851F5 & 0xFFFFFFFFFF
        mixed ^= mixed >> 19
    row = known.places[(mixed >> _TAG) & (len(known.places) - 1)]
    oldest = known.end[0] - len(entries)
    for at in range(_ROW):
        place = row[at] >> _TAG
        if (row[at] ^ mixed) & _TAGS == 0 and place >= oldest and place > 0:
            start = place % len(entries)
            if _is_at(entries, start, members):
                return mixed, int(entries[start + 1])
    return mixed, -1


@lean(inner=True, inline=True)
def note_set(known: KnownSets, mixed: int, members: Ids, found: int) -> None:
    """Keep the number found for a set that is not in memory; ``mixed`` is mixed of it."""
    if len(known.places) == 0 or len(members) > _MOST:
        return
    entries, begin, size = known.entries, int(known.end[0]), _HEAD + len(members)
    if begin % len(entries) + size > len(entries):  # an entry is not parted
        begin += len(entries) - begin % len(entries)
    start = begin % len(entries)
    entries[start], entries[start + 1] = len(members), found
    for at in range(len(members)):
        entries[start + _HEAD + at] = members[at]
    known.end[0] = begin + size
    row = known.places[(mixed >> _TAG) & (len(known.places) - 1)]
    oldest = 0
    for at in range(1, _ROW):
        if row[at] < row[oldest]:
            oldest = at
    row[oldest] = begin << _TAG | mixed & _TAGS


@lean(inner=True, inline=True)
def _is_at(entries: NDArray[np.uint16], start: int, members: Ids) -> bool:
    """Whether an entry is that of a set."""
    same = entries[start] == len(members)
    if same:
        for at in range(len(members)):
            same &= entries[start + _HEAD + at] == members[at]
    return bool(same)
