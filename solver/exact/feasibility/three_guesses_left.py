"""Can some candidates be solved with three guesses left? The kernel that possibility rests on.

After the first guess every bucket must have a guess that sets it apart entirely. The first bucket
that has none gives a core, and the core takes along all other guesses that leave it undivided;
so a few dozen guesses stand for all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel
from ...machine.vector_steps import first_bit
from ..table.count_lanes import LANES
from ..table.guess_sets import ALL, apart
from .cores import Cores, Rows, add_core, choose, core_of_two, gather, has_space

#: What ``three_left`` may find.
SOLVED, FAILED, NO_SPACE = 1, 0, -1


@kernel
def three_left(
    scores: NDArray[np.uint8],
    members: Rows,
    twos: Cores,
    inside: NDArray[np.uint8],
    union: NDArray[np.uint8],
    found: Rows,
) -> tuple[int, int]:
    """With three guesses: (SOLVED, column to guess), (FAILED, number of ``twos``) or NO_SPACE.

    ``inside`` marks the members. On failure ``found`` begins with the cores, and ``union`` marks
    their candidates.
    """
    blocks = scores.shape[0]
    covered = np.zeros(blocks, dtype=np.uint64)
    listed = np.empty(twos.helpless.shape[0], dtype=np.int32)
    count = gather(twos, inside, covered, listed)
    sorted_rows = np.empty(members.shape[0], dtype=np.int32)
    ends = np.empty(257, dtype=np.int64)
    core = np.empty(members.shape[0], dtype=np.int32)
    block = 0
    while True:
        while block < blocks and covered[block] == ALL:
            block += 1
        if block == blocks:
            return FAILED, choose(twos, listed, count, union, found)
        lane = first_bit(~covered[block])
        _sort_by_score(scores, block, lane, members, sorted_rows, ends)
        start, size = _stuck_bucket(scores, sorted_rows, ends)
        if size == 0:
            return SOLVED, block * LANES + lane
        if not has_space(twos, size):
            return NO_SPACE, 0
        width = core_of_two(scores, sorted_rows[start : start + size], size, core)
        number = add_core(twos, scores, core, width)
        listed[count] = number
        count += 1
        for other in range(blocks):
            covered[other] |= twos.helpless[number, other]


@kernel(inner=True)
def _sort_by_score(
    scores: NDArray[np.uint8],
    block: int,
    lane: int,
    members: Rows,
    sorted_rows: Rows,
    ends: NDArray[np.int64],
) -> None:
    """Members by their score; those of score s end before ``ends[s]``."""
    ends[:] = 0
    for k in range(members.shape[0]):
        ends[np.int64(scores[block, members[k], lane]) + 1] += 1
    for score in range(256):
        ends[score + 1] += ends[score]
    for k in range(members.shape[0]):
        place = np.int64(scores[block, members[k], lane])
        sorted_rows[ends[place]] = members[k]
        ends[place] += 1


@kernel(inner=True)
def _stuck_bucket(
    scores: NDArray[np.uint8], sorted_rows: Rows, ends: NDArray[np.int64]
) -> tuple[int, int]:
    """Where a bucket lies that no guess sets apart, the largest first, and its size; or (0, 0)."""
    ceiling = sorted_rows.shape[0] + 1
    while True:
        size = 2
        for score in range(256):
            here = ends[score] - (ends[score - 1] if score > 0 else 0)
            if size < here < ceiling:
                size = here
        if size == 2:
            return 0, 0
        for score in range(256):
            start = ends[score - 1] if score > 0 else 0
            if ends[score] - start == size and apart(scores, sorted_rows[start:], size) < 0:
                return start, size
        ceiling = size
