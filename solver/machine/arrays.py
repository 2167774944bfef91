"""Arrays for kernels: aligned in memory, rows copied and sorted, known sets found again."""

from __future__ import annotations

import mmap
import sys
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .jit import kernel, noalloc

#: Smaller arrays are the allocator's business.
_LARGE = 1 << 20
#: Bytes of a line of a processor's caches, and of the longest vector.
LINE = 64


def aligned(shape: tuple[int, ...], dtype: Any = np.uint8) -> NDArray[Any]:
    """An array like ``np.empty`` that begins where a line of a processor's caches does.

    An allocator begins anywhere in a line: then each vector of 64 bytes lies in two of them.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.empty(size + LINE, dtype=np.uint8)
    first = -room.__array_interface__["data"][0] % LINE
    array: NDArray[Any] = room[first : first + size].view(dtype).reshape(shape)
    return array


def returning(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array like ``aligned``, whose memory goes back to the system when nobody needs it.

    What an allocator has got it keeps in the hope of more of the kind; where hundreds of large
    tables of all sizes come and go, that comes to twice what is in use.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if size < _LARGE:
        return aligned(shape, dtype)
    private = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
    return np.frombuffer(mmap.mmap(-1, size, **private), dtype=dtype).reshape(shape)


# ---- Rows of numbers inside kernels: copied, compared and sorted, spelt out
#
# To assign one slice to another is one line, but numba then compiles the text of an error that
# cannot happen: two seconds of every first run.

#: Positions of words, candidates or nodes.
Ids = NDArray[np.int32]


@kernel(inner=True)
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy a row of numbers over the first elements of another."""
    for at in range(len(source)):
        target[at] = source[at]


@noalloc(inner=True)
def are_same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two rows of numbers of one length hold the same."""
    same = True
    for at in range(len(one)):
        same &= one[at] == other[at]
    return same


@kernel(inner=True)
def sort_by_score(split: Ids, state: Ids, counts: NDArray[np.int32], spare: Ids) -> None:
    """Sort candidates and their scores by score; equal ones stay in order.

    ``counts`` is zero before and after. Small states are sorted by insertion, since clearing
    counters for all scores would cost more.
    """
    n = len(state)
    if n * n <= 4 * len(counts):
        for at in range(1, n):
            score, member = split[at], state[at]
            place = at
            while place > 0 and split[place - 1] > score:
                split[place], state[place] = split[place - 1], state[place - 1]
                place -= 1
            split[place], state[place] = score, member
        return
    for at in range(n):
        counts[split[at]] += 1
    start = 0
    for score in range(len(counts)):
        start, counts[score] = start + counts[score], start
    for at in range(n):
        spare[counts[split[at]]] = state[at]
        counts[split[at]] += 1
    copy_into(state, spare[:n])
    start = 0
    for score in range(len(counts)):
        split[start : counts[score]] = score
        start = counts[score]
        counts[score] = 0


# ---- Sets that came up before, each with the number that was found for it
#
# The whole set is stored, so that no two can be taken for each other: a number that is recalled is
# the one that would be found again. What is stored, and what had to make room, changes no result.
#
# Entries lie one after the other: how many members, the number, the members in ascending order.
# When the memory is full, the next entry takes the place of the oldest ones. Where an entry begins
# is counted through all rounds, which shows whether it is still there.


class KnownSets(NamedTuple):
    """A memory of sets of numbers, each with the number found for it."""

    entries: NDArray[np.uint16]
    #: Where the entry of a set begins: in a row of the number that is mixed of the set. Each has
    #: some bits of that number besides.
    places: NDArray[np.int64]
    #: Where the next entry begins.
    end: NDArray[np.int64]


#: Larger sets are not stored.
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
    entries, places = np.zeros(count, dtype=np.uint16), np.zeros((rows, _ROW), dtype=np.int64)
    return KnownSets(entries, places, np.ones(1, dtype=np.int64))


@noalloc(inner=True, inline=True)
def recalled(known: KnownSets, members: Ids) -> tuple[int, int]:
    """The hash of a set, and the number that is stored for the set, or -1."""
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


@noalloc(inner=True, inline=True)
def note_set(known: KnownSets, mixed: int, members: Ids, found: int) -> None:
    """Store the number found for a set that is not in memory; ``mixed`` is mixed of it."""
    if len(known.places) == 0 or len(members) > _MOST:
        return
    entries, begin, size = known.entries, int(known.end[0]), _HEAD + len(members)
    if begin % len(entries) + size > len(entries):  # an entry is in one piece
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


@noalloc(inner=True, inline=True)
def _is_at(entries: NDArray[np.uint16], start: int, members: Ids) -> bool:
    """Whether an entry is that of a set."""
    same = entries[start] == len(members)
    if same:
        for at in range(len(members)):
            same &= entries[start + _HEAD + at] == members[at]
    return bool(same)
