"""Kernels: the guess with the most entropy, summed over boards, where many games are played.

What is missing on a board after a guess is ``sum(k * log2(k)) / n`` bits over the buckets of its n
candidates. A bucket grows by one candidate after the other, so each adds what the bucket gains that
it falls into: a number that depends on how many of those before it have the same score. These are
counted for all guesses side by side. The numbers are those that ``boards.rank_over_boards`` ranks
by, to the last bit, and so is the guess.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids
from ..machine.jit import kernel
from ..splits.measures import LOG_BITS, Costs
from .joint_ranking import UNIT

Numbers = NDArray[np.float64]
#: Of more candidates not all can be in one bucket that a byte counts.
MOST = 255


@kernel
def missing_bits(scores: NDArray[Any], members: Ids, steps: Costs, missing: Numbers) -> None:
    """Write for each guess the bits that are missing on a board after it.

    ``scores`` has a row for each candidate, with all guesses; the board has those of ``members``,
    at most ``MOST``. ``steps[k]`` is what a bucket gains that grows from k to k + 1, as
    ``measures.fixed_log_weight_steps`` has it.
    """
    count = len(missing)
    same = np.empty(count, dtype=np.uint8)
    weights = np.zeros(count, dtype=np.int64)
    for at in range(1, len(members)):
        row = scores[members[at]]
        same[:] = 0
        for before in range(at):
            beside = scores[members[before]]
            for guess in range(count):
                same[guess] += np.uint8(row[guess] == beside[guess])
        for guess in range(count):
            weights[guess] += steps[same[guess]]
    for guess in range(count):
        missing[guess] = weights[guess] / (len(members) * 2.0**LOG_BITS)


@kernel
def best_by_sum(costs: Numbers, hits: Numbers, common: NDArray[np.uint8]) -> int:
    """The guess with the least costs; of equal ones the likeliest, a common one, the first.

    ``hits`` is how many boards each guess is expected to solve.
    """
    best, least, most = -1, np.int64(0), np.int64(0)
    for guess in range(len(costs)):
        cost = np.int64(np.rint(costs[guess] / UNIT))
        likely = np.int64(np.rint(hits[guess] / UNIT))
        if best >= 0:
            if cost > least or (cost == least and likely < most):
                continue
            if cost == least and likely == most and common[guess] <= common[best]:
                continue
        best, least, most = guess, cost, likely
    return best
