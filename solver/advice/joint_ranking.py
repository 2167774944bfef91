"""Kernels: guesses ranked for several boards, by sums of measures or by expected guesses."""

from __future__ import annotations

import numpy as np

from ..machine.arrays import Ids
from ..machine.jit import kernel
from ..splits.measures import LOG_BITS, NOTHING, Costs, Measures
from ..splits.rank_rows import (
    ENTROPY,
    EXPECTED_SIZE,
    PROPORTION,
    REMAINING,
    Flags,
    Numbers,
    cost_of,
)

#: Sums are rounded to this unit, far above what floats are off: equal ones are equal.
UNIT = 2.0**-30
#: Expected guesses are rounded to so many decimal places.
_DECIMALS = 1e9


@kernel
def add_measured(
    measures: Measures, candidate: Flags, by: int, known: float, costs: Numbers, entropy: Numbers
) -> None:
    """Add what guesses cost on one board by a measure, and their information in bits.

    ``candidate`` says which may be the board's secret, and ``known`` is the binary logarithm of the
    number of its candidates.
    """
    size = measures.candidates
    divisor = 1.0
    if by == EXPECTED_SIZE:
        divisor = float(size)
    elif by == PROPORTION:
        divisor = float(size * size)
    for at in range(len(costs)):
        missing = measures.weights[at] / (size * 2.0**LOG_BITS)
        told = known - missing
        entropy[at] += 0.0 if told < NOTHING else told
        if by in (ENTROPY, REMAINING):
            costs[at] += missing
        else:
            costs[at] += float(cost_of(measures, at, by, int(candidate[at]))) / divisor


@kernel
def rank_joint(
    costs: Numbers, hits: Numbers, certain: Flags, common: Flags, order: Ids, rank: Ids,
    rounded: Costs,
) -> None:  # fmt: skip
    """Order guesses: those that are certain first, then by costs, by hits, common ones first.

    ``rank`` is that by the rounded costs alone; all are written in the new order.
    """
    count = len(costs)
    whole, likely = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    for at in range(count):
        whole[at] = np.int64(np.rint(costs[at] / UNIT))
        likely[at] = -np.int64(np.rint(hits[at] / UNIT))
    places = np.empty(count, dtype=np.int64)
    found = 0
    for kind in (1, 0):
        for at in range(count):
            if common[at] == kind:
                places[found] = at
                found += 1
    places = places[np.argsort(likely[places], kind="mergesort")]
    places = places[np.argsort(whole[places], kind="mergesort")]
    ranks, last = np.empty(count, dtype=np.int32), 0
    for at in range(count):
        if at == 0 or whole[places[at]] != whole[places[at - 1]]:
            last = at + 1
        ranks[places[at]] = last
    found = 0
    for kind in (1, 0):
        for place in places:
            if certain[place] == kind:
                order[found], rank[found], rounded[found] = place, ranks[place], whole[place]
                found += 1


@kernel
def rank_means(
    means: Numbers, hits: Numbers, common: Flags, rebate: float, order: Ids, rank: Ids
) -> None:
    """Order guesses by expected guesses, then by hits, common ones first, then as they stand.

    Common ones count as if they took less by the ``rebate``; ``rank``, in the new order, is that of
    the expected guesses alone.
    """
    count = len(means)
    rounded, wanted, likely = np.empty((3, count), dtype=np.float64)
    for at in range(count):
        rounded[at] = np.rint(means[at] * _DECIMALS) / _DECIMALS
        wanted[at] = rounded[at] - rebate * common[at]
        likely[at] = -(np.rint(hits[at] * _DECIMALS) / _DECIMALS)
    places = np.argsort(1 - common.astype(np.int64), kind="mergesort")
    places = places[np.argsort(likely[places], kind="mergesort")]
    places = places[np.argsort(wanted[places], kind="mergesort")]
    for place in range(count):
        at, less = places[place], 0
        for other in range(count):
            less += int(rounded[other] < rounded[at])
        order[place], rank[place] = at, less + 1
