"""What kernels that look at states are handed: a state, and scratch memory to split and count it.

Memory is made once, before a search: the first touch of fresh memory costs more than the sums
that are written there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import lean
from ..table.count_lanes import LANES

#: More scores than any guess has.
_SCORES = 256


class State(NamedTuple):
    """Candidates, and what may still be done about them.

    It is made where it is needed and lives in registers: to hand it on costs what its parts cost.
    """

    #: The candidates are the rows ``members[first : first + size]``, ascending.
    members: NDArray[np.int32]
    first: int
    size: int
    #: Guesses left; UNLIMITED where their number does not matter.
    left: int
    #: What hard mode has seen, in four words (see ``score_table.show``).
    shown: NDArray[np.uint64]


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
        aligned((LANES,)),
        np.zeros(3, dtype=np.int64),
    )


@lean
def work_done(scratch: Scratch) -> int:
    """Work noted in the scratch memory of exact search: chunks counted, states, guesses priced."""
    return int(scratch.work[2] + 2 * scratch.work[0] + scratch.work[1])
