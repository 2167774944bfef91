"""Rows of numbers inside kernels: copied, compared and sorted, spelt out.

To assign one slice to another is one line, but numba then compiles the text of an error that
cannot happen: two seconds of every first run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import kernel

#: Positions of words, candidates or nodes.
Ids = NDArray[np.int32]


@kernel(inner=True)
def copy_into(target: NDArray[Any], source: NDArray[Any]) -> None:
    """Copy, in any kernel, a row of numbers over the first elements of another."""
    for at in range(len(source)):
        target[at] = source[at]


@kernel(inner=True)
def are_same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether, in any kernel, two rows of numbers of one length hold the same."""
    same = True
    for at in range(len(one)):
        same &= one[at] == other[at]
    return same


@kernel(inner=True)
def sort_by_score(split: Ids, state: Ids, counts: NDArray[np.int32], spare: Ids) -> None:
    """Sort rows, as any kernel has candidates, by their scores; equal ones stay in order.

    Small states by insertion, since clearing counters for all scores would cost more.
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
