"""The kernels behind ``pair_search``: which pairs of guesses are worth counting, which are kept.

It is branch and bound over the ordered list of guesses, one level deep: A is held fast, the Bs
behind it are run through, and each is dropped by the cheapest bound that suffices. The bounds, with
their slack for rounding, are explained in ``pair_search``; (one), (all) and (least) are proved on
top of ``letter_bounds``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..game.score_matrix import Scores
from ..machine.jit import kernel, lean
from ..machine.rows import Ids, copy_into
from ..splits.joint import (
    SEGMENTS,
    Blocks,
    Counting,
    segment_weight,
    sort_by_bucket,
    weights_of_rest,
)
from ..splits.logarithms import Costs, Places
from .letter_bounds import Masks, Questions, tell

#: Above every weight.
ABOVE_ALL = 1 << 61
#: Bs for which one set of forbidden letters is made.
_RUN = 128


class Guesses(NamedTuple):
    """The guesses that pairs are made of, in the order in which they are A."""

    scores: Scores
    #: Of each guess: its row in ``scores``, its number in the game, its own weight.
    rows: Ids
    ids: Ids
    weights: Costs


class PairScratch(NamedTuple):
    """Memory for what is known of A: its buckets, counters, what it tells about letters."""

    blocks: Blocks
    counting: Counting
    questions: Questions


class Wanted(NamedTuple):
    """What is asked for, and what has been found."""

    #: Rows (weight, guess, guess), sorted; rows that are still free hold ABOVE_ALL. Without any
    #: row, pairs are counted only.
    kept: Costs
    #: Pairs evaluated, pairs found within the limit, the limit.
    tally: Costs


@kernel
def scan_best(
    first: int, last: int, guesses: Guesses, scratch: PairScratch, slack: int, wanted: Wanted
) -> bool:
    """Find the pairs (A, B) within the limit, for A in first..last; True if no later A has one."""
    scores, rows, ids, weights = guesses
    counting, questions = scratch.counting, scratch.questions
    kept, tally = wanted
    # tuples are slow to hand on: what is needed for every pair is taken out of them
    log_weights, copied = counting.log_weights, counting.row
    codes, masks, distinct = questions.codes, questions.masks, questions.distinct
    alone, known = questions.alone, questions.known
    count = rows.shape[0]
    whole = log_weights[log_weights.shape[0] - 1]
    lettered = codes.shape[1] > 0
    forbidden = np.zeros(masks.shape[1], dtype=np.uint64)
    granted = np.zeros(masks.shape[1], dtype=np.uint64)
    for a in range(first, last):
        if a + 1 == count or weights[a] + weights[a + 1] - whole > tally[2] + slack:
            return True  # (1)
        counted_only = kept.shape[0] == 0
        if counted_only and weights[a] + slack <= tally[2]:
            tally[1] += count - a - 1  # W(A, B) <= W(A): all of these are better
            continue
        _hold_fast(scores[rows[a]], scratch)
        if lettered:
            _letters_below(tally[2] - slack + 1, questions, granted)
        for b in range(a + 1, count):
            limit = tally[2]
            if weights[a] + weights[b] - whole > limit + slack:
                break  # (1)
            if lettered:
                if (b - a - 1) % _RUN == 0:  # later Bs of the run have weights no smaller
                    _forbid(limit + slack - weights[b], questions, forbidden)
                if _clash(masks[b], forbidden):
                    continue
                if counted_only and _clash(masks[b], granted):
                    tally[1] += 1  # (least)
                    continue
                if _is_out(
                    limit + slack, weights[a], weights[b], codes[b], distinct[b], alone, known[0]
                ):
                    continue
            tally[0] += 1
            copy_into(copied, scores[rows[b]])
            enough = limit if counted_only else -1
            weight = _joint_weight(b, limit, enough, slack, scratch)
            if weight <= limit:
                _offer(weight, min(ids[a], ids[b]), max(ids[a], ids[b]), kept, tally)
    return False


@kernel
def scan_worst(
    first: int, last: int, guesses: Guesses, scratch: PairScratch, slack: int, wanted: Wanted
) -> bool:
    """Find the pairs (A, B) of the largest weights, for A in first..last; True if it is the end.

    Guesses stand worst first, and weights are negated, in the limit and among the pairs kept.

    W(A, B) <= W(B): both guesses of a bad pair are bad, and the first B that is not ends A's row.
    What A tells about the letters of B must be little too.
    """
    scores, rows, ids, weights = guesses
    kept, tally = wanted
    copied, questions = scratch.counting.row, scratch.questions
    masks = questions.masks
    count = rows.shape[0]
    lettered = questions.codes.shape[1] > 0
    telling = np.zeros(masks.shape[1], dtype=np.uint64)
    for a in range(first, last):
        if a + 1 == count or -weights[a + 1] > tally[2] + slack:
            return True
        _hold_fast(scores[rows[a]], scratch)
        for b in range(a + 1, count):
            limit = tally[2]
            if -weights[b] > limit + slack:
                break
            if lettered:
                if (b - a - 1) % _RUN == 0:
                    _letters_below(-limit - slack, questions, telling)
                if _clash(masks[b], telling):
                    continue  # (least)
            tally[0] += 1
            copy_into(copied, scores[rows[b]])
            weight = -_joint_weight(b, ABOVE_ALL, -limit - 1, slack, scratch)
            if weight <= limit:
                _offer(weight, -min(ids[a], ids[b]), -max(ids[a], ids[b]), kept, tally)
    return False


@kernel(inner=True)
def _hold_fast(row: Scores, scratch: PairScratch) -> None:
    """Let the guess with these scores be A: fill in its blocks and what it tells about letters."""
    blocks, counting, questions = scratch
    copy_into(counting.row, row)
    split = sort_by_bucket(counting.row, blocks)
    weights_of_rest(blocks, counting.log_weights, counting.rest)
    if questions.codes.shape[1]:
        tell(blocks, split, questions, counting.log_weights)


@lean(inner=True, inline=True)
def _joint_weight(b: int, limit: int, enough: int, slack: int, scratch: PairScratch) -> int:
    """The joint weight of A and B; only as much of it as is asked for.

    That is: anything above ``limit`` once it is certain to be above, anything up to ``enough`` once
    it is certain to be no more. After each segment of A's blocks, (all) and (least) bound what the
    blocks to come can add: no less, and no more.
    """
    blocks, counting, questions = scratch
    cuts, rest, known = blocks.cuts, counting.rest, questions.known
    codes, distinct = questions.codes[b], questions.distinct[b]
    weight = 0
    result = ABOVE_ALL
    for segment in range(SEGMENTS):
        weight += segment_weight(
            counting.row,
            blocks.members,
            blocks.starts,
            cuts[segment],
            cuts[segment + 1],
            counting.steps,
            counting.counts,
        )
        left = rest[segment + 1]
        least = left if distinct else 0
        most = left
        for code in codes:
            after = known[segment + 1, code]
            most = min(most, after)
            if distinct:
                least -= left - after
        if weight > limit or weight + least > limit + slack:
            break
        if weight + most + slack <= enough:
            result = enough
            break
        if segment + 1 == SEGMENTS or left == 0:
            result = weight
            break
    return result


@kernel(inner=True)
def _forbid(most: int, questions: Questions, forbidden: Masks) -> None:
    """(one) for all Bs whose own weight leaves ``most`` to be added: letters they must not have."""
    known, alone = questions.known[0], questions.alone
    forbidden[:] = 0
    for code in range(alone.shape[0]):
        if known[code] - alone[code] > most:
            forbidden[code >> 6] |= np.uint64(1) << np.uint64(code & 63)


@kernel(inner=True)
def _letters_below(least: int, questions: Questions, letters: Masks) -> None:
    """(least): letters at places with which every joint weight is below ``least``."""
    letters[:] = 0
    for code in range(questions.alone.shape[0]):
        if questions.known[0, code] < least:
            letters[code >> 6] |= np.uint64(1) << np.uint64(code & 63)


@kernel(inner=True)
def _clash(mask: Masks, forbidden: Masks) -> bool:
    """Whether two sets of letters at places have one in common."""
    common = np.uint64(0)
    for part in range(forbidden.shape[0]):
        common |= mask[part] & forbidden[part]
    return bool(common != 0)


@kernel(inner=True)
def _is_out(
    limit: int,
    weight_a: int,
    weight_b: int,
    codes: Places,
    distinct: bool,
    alone: Costs,
    known: Costs,
) -> bool:
    """(one) and (all) for one pair: whether its joint weight is above the limit."""
    added = 0
    for code in codes:
        if weight_b + known[code] - alone[code] > limit:
            return True
        added += known[code] - weight_a
    return bool(distinct and weight_a + added > limit)


@kernel(inner=True)
def _offer(weight: int, a: int, b: int, kept: Costs, tally: Costs) -> None:
    """Keep a pair that is within the limit, in order; the last one kept is the new limit."""
    tally[1] += 1
    rows = kept.shape[0]
    if rows == 0 or not _before(weight, a, b, kept[rows - 1]):
        return
    at = rows - 1
    while at > 0 and _before(weight, a, b, kept[at - 1]):
        copy_into(kept[at], kept[at - 1])
        at -= 1
    kept[at, 0] = weight
    kept[at, 1] = a
    kept[at, 2] = b
    tally[2] = kept[rows - 1, 0]


@kernel(inner=True)
def _before(weight: int, a: int, b: int, pair: Costs) -> bool:
    """Whether a pair comes before another: by weight, then by its guesses."""
    if weight != pair[0]:
        return bool(weight < pair[0])
    return bool(a < pair[1] or (a == pair[1] and b < pair[2]))
