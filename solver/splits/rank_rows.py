"""The rows of a ranking: measures as people read them, sorted by one of them, ties in order.

What a guess is sorted by is an exact integer. Guesses of equal cost share a rank; among them those
of the lower *class* stand first (such as those that may be the secret), then the lower guess.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids
from ..machine.jit import kernel
from .measures import LOG_BITS, NOTHING, Costs, Measures, WeightedMeasures

Numbers = NDArray[np.float64]
Flags = NDArray[np.uint8]

#: The measures by their places in ``choices.MEASURES``.
ENTROPY, REMAINING, EXPECTED_SIZE, PARTS, MINIMAX, PROPORTION = range(6)
#: Classes of guesses among equals: below this number.
CLASSES = 4


class GuessRows(NamedTuple):
    """The rows of a ranking, column by column: the fields of ``ranking.FIELDS``."""

    guess: Ids
    rank: Ids
    entropy: Numbers
    remaining_bits: Numbers
    expected_size: Numbers
    largest: Ids
    parts: Ids
    proportion: Numbers
    candidate: Flags


def new_rows(count: int) -> GuessRows:
    """Memory for the rows of so many guesses."""
    numbers = {float: np.float64, int: np.int32, bool: np.uint8}
    kinds = (int, int, float, float, float, int, int, float, bool)
    return GuessRows(*(np.empty(count, dtype=numbers[kind]) for kind in kinds))


@kernel
def rank_rows(
    measures: Measures,
    guesses: Ids,
    candidate: Flags,
    classes: Flags,
    by: int,
    known: float,
    rows: GuessRows,
) -> None:
    """Rank guesses, which are ascending, by a measure.

    ``candidate`` says which may be the secret, and ``known`` is the binary logarithm of the number
    of candidates.
    """
    count, size = len(guesses), measures.candidates
    costs = np.empty(count, dtype=np.int64)
    for at in range(count):
        costs[at] = cost_of(measures, at, by, int(candidate[at]))
    order = _sorted(costs, classes)
    rank = 0
    for place in range(count):
        at = order[place]
        if place == 0 or costs[at] != costs[order[place - 1]]:
            rank = place + 1
        square = float(measures.squares[at])
        missing = measures.weights[at] / (size * 2.0**LOG_BITS)
        entropy = known - missing
        rows.guess[place], rows.rank[place] = guesses[at], rank
        rows.entropy[place] = 0.0 if entropy < NOTHING else entropy
        rows.remaining_bits[place] = missing
        rows.expected_size[place] = square / size
        rows.largest[place], rows.parts[place] = measures.largest[at], measures.parts[at]
        rows.proportion[place] = (1.0 - square / (size * size)) + float(candidate[at]) / size
        rows.candidate[place] = candidate[at]


@kernel(inner=True)
def cost_of(measures: Measures, at: int, by: int, candidate: int) -> int:
    """What a guess is sorted by, the smaller the better."""
    if by in (ENTROPY, REMAINING):
        return int(measures.weights[at])
    if by == EXPECTED_SIZE:
        return int(measures.squares[at])
    if by == PARTS:
        return -int(measures.parts[at])
    if by == MINIMAX:
        return int(measures.largest[at])
    return int(measures.squares[at]) - candidate * measures.candidates


@kernel(inner=True)
def _sorted(costs: Costs, classes: Flags) -> NDArray[np.int64]:
    """Places by cost, then by class, then as they stand."""
    count = len(costs)
    by_class = np.empty(count, dtype=np.int64)
    found = 0
    for kind in range(CLASSES):
        for at in range(count):
            if classes[at] == kind:
                by_class[found] = at
                found += 1
    return by_class[np.argsort(costs[by_class], kind="mergesort")]


# ---- The same where some secrets are likelier than others

#: Costs are rounded to this unit, far above what sums of floats are off: equal ones are equal.
_UNIT = 2.0**-30


class Likely(NamedTuple):
    """How likely each of some guesses is the secret, and what else orders equal ones."""

    #: Chances that sum to one over all candidates; 0 for what is none.
    hits: Numbers
    #: What the candidates weigh.
    weights: Numbers
    #: Among equals the likeliest stand first, then those marked here; else they stay as they are.
    common: Flags
    is_ordered: bool


@kernel
def rank_weighted(
    measures: WeightedMeasures,
    guesses: Ids,
    candidate: Flags,
    likely: Likely,
    by: int,
    unknown: float,
    candidates: int,
    rows: GuessRows,
) -> None:
    """Rank guesses, which are ascending, by a measure over chances.

    So many bits are ``unknown``, and so many candidates there are.
    """
    count = len(guesses)
    costs = np.empty(count, dtype=np.int64)
    for at in range(count):
        costs[at] = _weighted_cost(measures, at, by, likely.hits[at], candidates)
    order = np.argsort(costs, kind="mergesort")
    if likely.is_ordered:
        classes = np.empty(count, dtype=np.int32)
        fill_classes(likely.weights, likely.common, classes)
        order = np.argsort(classes, kind="mergesort")
        order = order[np.argsort(costs[order], kind="mergesort")]
    rank = 0
    for place in range(count):
        at = order[place]
        if place == 0 or costs[at] != costs[order[place - 1]]:
            rank = place + 1
        kept, missing = measures.kept[at], measures.missing[at]
        gained = 0.0 if measures.parts[at] == 1 else unknown - missing
        rows.guess[place], rows.rank[place] = guesses[at], rank
        rows.entropy[place] = max(gained, 0.0)
        rows.remaining_bits[place], rows.expected_size[place] = missing, kept
        rows.largest[place], rows.parts[place] = measures.largest[at], measures.parts[at]
        rows.proportion[place] = 1.0 - kept / candidates + likely.hits[at]
        rows.candidate[place] = candidate[at]


@kernel(inner=True)
def _weighted_cost(
    measures: WeightedMeasures, at: int, by: int, hit: float, candidates: int
) -> int:
    """What a guess is sorted by, the smaller the better."""
    if by == PARTS:
        return -int(measures.parts[at])
    if by == MINIMAX:
        return int(measures.largest[at])
    cost = measures.missing[at]
    if by == EXPECTED_SIZE:
        cost = measures.kept[at]
    elif by == PROPORTION:
        cost = measures.kept[at] / candidates - hit
    return int(np.rint(cost / _UNIT))


@kernel
def fill_classes(weights: Numbers, common: Flags, classes: Ids) -> None:
    """Write classes of guesses: the likeliest first, of equally likely ones those marked."""
    order = np.argsort(-weights, kind="mergesort")
    kind = 0
    for place in range(len(order)):
        at = order[place]
        if place > 0 and weights[at] != weights[order[place - 1]]:
            kind += 2
        classes[at] = kind + 1 - common[at]
