"""The best pairs, found in strides by one process or by several, as if one after the other.

The limit within which pairs are wanted comes down while they are found, and with it the number of
pairs that are evaluated. A worker begins a stride with the pairs found in *some* of the strides
before: its limit is never below the one that all of them would have given, so it evaluates at least
what had to be evaluated, and notes with which limit that had to be. Put together in order, the
pairs found and those evaluated are what a single process finds and evaluates.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ..splits.logarithms import Costs
from .guesses_by_weight import Field, wanted_pairs
from .pair_scan import ABOVE_ALL, Wanted, keep_pair
from .strides import STRIDE, Search, Span, Told, search_all, strides


class Notes(NamedTuple):
    """What a stride of a search of pairs has found: places ``a * guesses + b``, in order."""

    #: Whether no later guess has to be A.
    done: bool
    #: The pairs evaluated, and the least limit with which each one is.
    places: Costs
    least: Costs
    #: Those within the limit of their time: place and weight.
    found: Costs


class BestPairs:
    """A search for so many best pairs, and those found so far."""

    def __init__(self, field: Field, count: int) -> None:
        self.wanted = wanted_pairs(count)
        self._field, self._count = field, count

    def __reduce__(self) -> tuple[Any, ...]:
        return BestPairs, (self._field, self._count)

    def search(self, told: Told, workers: int) -> Wanted:
        """Find the best pairs; with several workers, all strides put together in order."""
        if workers == 1:
            search_all(self._field.scanner(self.wanted), len(self._field), told)
        else:
            self.search_shared(told, workers)
        return self.wanted

    def search_shared(self, told: Told, workers: int) -> None:
        """Find the best pairs in strides that begin with what is known at their time."""
        whole = len(self._field)
        for (first, last), notes in strides(self, 0, whole, workers):
            self._add(notes)
            told(whole - first if notes.done else last - first, whole)
            if notes.done:
                break

    def task(self, span: Span) -> tuple[Span, Costs]:
        """The task of a stride: its guesses, and the pairs found by then."""
        return span, self.wanted.kept.copy()

    def take(self, task: tuple[Span, Costs]) -> Notes:
        """What searching one stride finds."""
        span, kept = task
        mine, scan = self._scan
        mine.kept[:] = kept
        mine.tally[:] = 0, 0, kept[-1, 0]
        done = scan(*span)
        notes = mine.noted[: mine.tally[0]]
        found = notes[notes[:, 2] < ABOVE_ALL]
        return Notes(done, notes[:, 0].copy(), notes[:, 1].copy(), found[:, ::2].copy())

    @cached_property
    def _scan(self) -> tuple[Wanted, Search]:
        mine = wanted_pairs(self._count, notes=STRIDE * len(self._field))
        return mine, self._field.scanner(mine)

    def _add(self, notes: Notes) -> None:
        """Put a stride behind those before it."""
        kept, tally, _ = self.wanted
        ids, count = self._field.ids, len(self._field)
        places, limits, latest = [], [int(tally[2])], [_latest(kept)]
        for place, weight in notes.found.tolist():
            if weight <= tally[2]:
                a, b = int(ids[place // count]), int(ids[place % count])
                keep_pair(weight, min(a, b), max(a, b), kept, tally)
                places.append(place)
                limits.append(int(tally[2]))
                latest.append(_latest(kept))
        before = np.searchsorted(np.array(places, dtype=np.int64), notes.places, side="left")
        one, other = ids[notes.places // count], ids[notes.places % count]
        named = np.minimum(one, other).astype(np.int64) << _HALF | np.maximum(one, other)
        in_time = named <= np.array(latest)[before]
        tally[0] += np.count_nonzero(in_time & (notes.least <= np.array(limits)[before]))


#: Bits for one guess of two.
_HALF = 31


def _latest(kept: Costs) -> int:
    """The last pair of the alphabet that may still be kept: any, unless all tell everything."""
    weight, a, b = map(int, kept[-1])
    return a << _HALF | b if weight == 0 else (1 << 2 * _HALF)
