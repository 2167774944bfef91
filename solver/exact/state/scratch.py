"""The scratch memory of one search: where states are split and counted, and their frames.

A frame is what a nested state needs instead of recursion.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..table.count_lanes import LANES

#: More scores than any guess has.
_SCORES = 256
#: Columns of a frame. FIRST, COUNT, LEFT: the state. LIMIT: values above are of no interest.
#: LEVEL: the bound under test. TRIES, TRIES_END, TRIED: its guesses. BUCKETS, BUCKETS_END, COST,
#: CHILD: the guess under test. TOP: free rows behind it.
FIRST, COUNT, LEFT, LIMIT, LEVEL = 0, 1, 2, 3, 4
TRIES, TRIES_END, TRIED, BUCKETS, BUCKETS_END, COST, CHILD, TOP = 5, 6, 7, 8, 9, 10, 11, 12
#: Of branch and bound: the best value so far and its guess, the least bound of guesses that failed.
BEST, COLUMN, LOWEST = 13, 14, 15
_FIELDS = 16
#: Where a search that can be broken off begins: at no level yet.
NOWHERE = -1
_MOST_BUCKETS = 256
#: States are rarely nested deeper; a world where they are is searched all the same up to here.
_DEEPEST = 300


class Scratch(NamedTuple):
    """Scratch memory of one search: where states are split and counted."""

    #: Rows of the states on the stack, one state after the other.
    members: NDArray[np.int32]
    #: While splitting: how often each score occurs, which ones, the score of each member.
    times: NDArray[np.int64]
    seen: NDArray[np.int64]
    scores: NDArray[np.int64]
    #: The buckets of three and more of the last split, largest first.
    sizes: NDArray[np.int64]
    starts: NDArray[np.int64]
    labels: NDArray[np.int64]
    #: 1 for each row of the state whose guesses are being counted.
    inside: NDArray[np.uint8]
    #: Which scores occur in a single column.
    present: NDArray[np.uint64]
    #: Parts of 64 columns.
    lanes: NDArray[np.uint8]
    #: Counters: states glanced at, guesses tried, chunks of 64 guesses counted.
    work: NDArray[np.int64]


def new_scratch(secrets: int, levels: int) -> Scratch:
    """Scratch for states of up to ``secrets`` candidates, nested ``levels`` deep."""
    return Scratch(
        np.zeros(secrets * (levels + 2), dtype=np.int32),
        np.zeros(_SCORES, dtype=np.int64),
        np.zeros(_SCORES, dtype=np.int64),
        np.zeros(secrets + 1, dtype=np.int64),
        np.zeros(_SCORES, dtype=np.int64),
        np.zeros(_SCORES, dtype=np.int64),
        np.zeros(_SCORES, dtype=np.int64),
        np.zeros(secrets, dtype=np.uint8),
        np.zeros(_SCORES // 8, dtype=np.uint64),
        np.zeros(LANES, dtype=np.uint8),
        np.zeros(3, dtype=np.int64),
    )


class Stack(NamedTuple):
    """The frames of nested states, and their guesses and buckets."""

    frames: NDArray[np.int64]
    shown: NDArray[np.uint64]
    #: What no guess exceeds in parts, for the state of each frame.
    ceilings: NDArray[np.uint8]
    columns: NDArray[np.int32]
    bounds: NDArray[np.int64]
    #: Scratch for sorting a list: (key, column, bound).
    keys: NDArray[np.int64]
    bucket_start: NDArray[np.int64]
    bucket_size: NDArray[np.int64]
    bucket_bound: NDArray[np.int64]
    bucket_exact: NDArray[np.int64]
    #: Of branch and bound: what one guess more can do in the state of each frame (see there).
    capacity: NDArray[np.int32]


def nesting(secrets: int) -> int:
    """How deep states of a room can be nested: every guess worth trying excludes a candidate."""
    return min(secrets, _DEEPEST) + 1


def new_stack(secrets: int, guesses: int, lists: int = 1) -> Stack:
    """Memory for the frames; room for ``lists`` lists of all guesses that outlive a search."""
    levels = nesting(secrets)
    tries = guesses * (levels + lists)
    buckets = _MOST_BUCKETS * (levels + 1)
    return Stack(
        np.zeros((levels + 2, _FIELDS), dtype=np.int64),
        np.zeros((levels + 2, 4), dtype=np.uint64),
        np.empty((levels + 2, guesses), dtype=np.uint8),
        np.empty(tries, dtype=np.int32),
        np.empty(tries, dtype=np.int64),
        np.empty((guesses, 3), dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty((levels + 2, secrets + 1), dtype=np.int32),
    )
