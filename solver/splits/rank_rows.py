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
from .measures import LOG_BITS, NOTHING, Costs, Measures

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


# ---- Words ranked by the exact number of guesses that they take


@kernel
def rank_totals(
    totals: Numbers, preferred: Numbers, guesses: Ids, classes: Ids, order: Ids, rank: Ids
) -> None:
    """Order guesses by ``preferred``, then by class and guess; their ranks are by ``totals``."""
    order_totals(preferred, guesses, classes, order)
    for place in range(len(order)):
        at = order[place]
        less = 0
        for other in range(len(totals)):
            less += int(totals[other] < totals[at])
        rank[place] = less + 1


@kernel
def order_totals(totals: Numbers, guesses: Ids, classes: Ids, order: Ids) -> None:
    """Order guesses by their totals, then by class and guess."""
    by_guess = np.argsort(guesses, kind="mergesort")
    by_class = by_guess[np.argsort(classes[by_guess], kind="mergesort")]
    places = by_class[np.argsort(totals[by_class], kind="mergesort")]
    for place in range(len(places)):
        order[place] = places[place]
