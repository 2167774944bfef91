"""The kernels behind ``pairs``: which pairs of guesses are worth counting, and which are kept.

The bounds (1) to (4) and their slack are explained there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .carried import question_weights
from .jit import kernel
from .joint import joint_weight, sort_by_bucket
from .rules import Costs

Ids = NDArray[np.int32]
Places = NDArray[np.uint32]
Scores = NDArray[Any]
Masks = NDArray[np.uint64]

#: Above every weight.
ABOVE_ALL = 1 << 61
#: Bs for which one set of forbidden letters is made.
_RUN = 128


@kernel
def scan_best(
    first: int,
    last: int,
    scores: Scores,
    rows: Ids,
    ids: Ids,
    weights: Costs,
    codes: Places,
    questions: Places,
    masks: Masks,
    distinct: NDArray[np.bool_],
    of_nothing: Costs,
    slack: int,
    sizes: Places,
    by_size: Places,
    where: Places,
    members: Places,
    starts: Places,
    letters: Places,
    log_weights: Costs,
    letter_counts: Places,
    touched: Places,
    steps: Costs,
    counts: Places,
    kept: Costs,
    tally: Costs,
) -> bool:
    """Find the pairs (A, B) within the limit, for A in first..last; True if no later A has one.

    Bounds are numbered as in the module's docstring.
    """
    count = rows.shape[0]
    length = codes.shape[1]
    whole = log_weights[log_weights.shape[0] - 1]
    known = np.zeros(of_nothing.shape[0], dtype=np.int64)
    forbidden = np.zeros(masks.shape[1], dtype=np.uint64)
    for a in range(first, last):
        if a + 1 == count or weights[a] + weights[a + 1] - whole > tally[2] + slack:
            return True  # (1)
        if kept.shape[0] == 0 and weights[a] + slack <= tally[2]:
            tally[1] += count - a - 1  # W(A, B) <= W(A): all of these are better
            continue
        blocks = sort_by_bucket(scores[rows[a]], sizes, by_size, where, members, starts)
        if length:
            question_weights(
                members,
                starts,
                blocks,
                questions,
                letters,
                log_weights,
                letter_counts,
                touched,
                known,
            )
        for b in range(a + 1, count):
            limit = tally[2]
            if weights[a] + weights[b] - whole > limit + slack:
                break  # (1)
            if length:
                if (b - a - 1) % _RUN == 0:  # later Bs of the run have weights no smaller
                    _forbid(limit + slack - weights[b], known, of_nothing, letters, forbidden)
                if _clash(masks[b], forbidden) or _is_out(
                    limit + slack, weights[a], weights[b], codes[b], known, of_nothing, distinct[b]
                ):
                    continue
            tally[0] += 1
            weight = joint_weight(scores[rows[b]], members, starts, blocks, steps, counts, limit)
            if weight <= limit:
                _offer(weight, ids[a], ids[b], kept, tally)
    return False


@kernel
def _forbid(most: int, known: Costs, of_nothing: Costs, letters: Places, forbidden: Masks) -> None:
    """(2) for all Bs whose own weight leaves ``most`` to be added: letters they must not have."""
    forbidden[:] = 0
    for code in range(letters.shape[0]):
        if known[code] - of_nothing[code] > most:
            forbidden[code >> 6] |= np.uint64(1) << np.uint64(code & 63)


@kernel
def _clash(mask: Masks, forbidden: Masks) -> bool:
    """Whether two sets of letters at places have one in common."""
    common = np.uint64(0)
    for part in range(forbidden.shape[0]):
        common |= mask[part] & forbidden[part]
    return bool(common != 0)


@kernel
def _is_out(
    limit: int,
    weight_a: int,
    weight_b: int,
    codes: Places,
    known: Costs,
    of_nothing: Costs,
    distinct: bool,
) -> bool:
    """(2) and (3) for one pair: whether its joint weight is above the limit."""
    total = weight_a
    for code in codes:
        if weight_b + known[code] - of_nothing[code] > limit:
            return True
        total += known[code] - weight_a
    return bool(distinct and total > limit)


@kernel
def scan_worst(
    scores: Scores,
    rows: Ids,
    ids: Ids,
    weights: Costs,
    slack: int,
    sizes: Places,
    by_size: Places,
    where: Places,
    members: Places,
    starts: Places,
    steps: Costs,
    counts: Places,
    kept: Costs,
    tally: Costs,
) -> None:
    """Find the pairs of the largest weights, worst guesses first; kept weights are negative.

    W(A, B) <= W(B): both guesses of a bad pair are bad, and the first B that is not ends A's row.
    """
    count = rows.shape[0]
    for a in range(count - 1):
        if -weights[a + 1] > tally[2] + slack:
            return
        blocks = sort_by_bucket(scores[rows[a]], sizes, by_size, where, members, starts)
        for b in range(a + 1, count):
            if -weights[b] > tally[2] + slack:
                break
            tally[0] += 1
            row = scores[rows[b]]
            weight = -joint_weight(row, members, starts, blocks, steps, counts, ABOVE_ALL)
            if weight <= tally[2]:
                _offer(weight, ids[a], ids[b], kept, tally)


@kernel
def _offer(weight: int, one: int, other: int, kept: Costs, tally: Costs) -> None:
    """Keep a pair that is within the limit, in order; the last one kept is the new limit."""
    tally[1] += 1
    room = kept.shape[0]
    if room == 0:
        return
    a = min(one, other)
    b = max(one, other)
    at = room - 1
    if not _before(weight, a, b, kept[at]):
        return
    while at > 0 and _before(weight, a, b, kept[at - 1]):
        kept[at] = kept[at - 1]
        at -= 1
    kept[at, 0] = weight
    kept[at, 1] = a
    kept[at, 2] = b
    tally[2] = kept[room - 1, 0]


@kernel
def _before(weight: int, a: int, b: int, pair: Costs) -> bool:
    """Whether a pair comes before another: by weight, then alphabetically."""
    if weight != pair[0]:
        return bool(weight < pair[0])
    return bool(a < pair[1] or (a == pair[1] and b < pair[2]))
