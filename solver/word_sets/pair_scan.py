"""The scan for pairs: kernels that decide which pairs must be counted, and which are kept.

It is branch and bound over the ordered list of guesses, one level deep: A is fixed, the Bs behind
it are run through, and each is dropped by the cheapest bound that suffices. The bounds, with
their slack for rounding, are explained in ``pairs``; (one), (all) and (least) are proved on
top of ``letter_bounds``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..game.score_matrix import Scores
from ..machine.arrays import Ids, copy_into
from ..machine.jit import noalloc
from ..machine.vectors import MASKS, disjoint, first_bit
from ..splits.joint_splits import (
    SEGMENTS,
    Blocks,
    Counting,
    segment_weight,
    sort_by_bucket,
    weights_of_rest,
)
from ..splits.measures import Costs
from .letter_bounds import LetterBounds, Masks, answer_questions, fetch_row

#: Above every weight.
ABOVE_ALL = 1 << 61
#: Bs for which one set of forbidden letters is made.
_RUN = 128
#: The row of a B is fetched so many Bs ahead.
_AHEAD = 2


class Guesses(NamedTuple):
    """The guesses that pairs are made of, in the order in which they are A."""

    scores: Scores
    #: Of each guess: its row in ``scores``, its number in the game, its own weight.
    rows: Ids
    ids: Ids
    weights: Costs


class PairScratch(NamedTuple):
    """Memory for what is known of guess A: its buckets, counters, what it tells about letters."""

    blocks: Blocks
    counting: Counting
    questions: LetterBounds
    #: Two sets of letters at places.
    sets: Masks
    #: The Bs that are left to be evaluated, what they weigh together with A at least, and by a
    #: finer bound, with which the evaluation begins.
    left: Ids
    leasts: Costs
    finer: Costs


class Wanted(NamedTuple):
    """The pairs that are wanted, and those that have been found."""

    #: Rows (weight, guess, guess), sorted; rows that are still free hold ABOVE_ALL. Without any
    #: row, pairs are counted only.
    kept: Costs
    #: Pairs evaluated, pairs found within the limit, the limit.
    tally: Costs
    #: If there are rows, one for each pair evaluated: its place ``a * guesses + b``, the least
    #: limit with which it is, its weight if that is within the limit.
    noted: Costs


@noalloc
def scan_best(
    first: int, last: int, guesses: Guesses, scratch: PairScratch, slack: int, wanted: Wanted
) -> bool:
    """Find the pairs (A, B) within the limit, for A in first..last; True if no later A has one."""
    scores, rows, ids, weights = guesses
    counting, left, leasts, finer = scratch.counting, scratch.left, scratch.leasts, scratch.finer
    kept, tally, noted = wanted
    count = rows.shape[0]
    whole = counting.log_weights[counting.log_weights.shape[0] - 1]
    counted_only = kept.shape[0] == 0
    for a in range(first, last):
        if a + 1 == count or weights[a] + weights[a + 1] - whole > tally[2] + slack:
            return True  # (1)
        if counted_only and weights[a] + slack <= tally[2]:
            tally[1] += count - a - 1  # W(A, B) <= W(A): all of these are better
            continue
        _fix_first(scores[rows[a]], scratch)
        found = _pass_over(a, counted_only, guesses, scratch, slack, wanted)
        for at in range(found):
            ahead = min(at + _AHEAD, found - 1)
            b, limit = left[at], tally[2]
            if finer[ahead] <= limit + slack:
                fetch_row(scores, rows[left[ahead]])
            if leasts[at] > limit + slack or _is_late(ids[a], ids[b], wanted):
                continue  # the limit has come down
            weight = ABOVE_ALL
            if finer[at] <= limit + slack:
                copy_into(counting.row, scores[rows[b]])
                weight = _joint_weight(b, limit, limit if counted_only else -1, slack, scratch)
            if tally[0] < noted.shape[0]:
                note = noted[tally[0]]
                note[0], note[1], note[2] = a * count + b, leasts[at] - slack, weight
            tally[0] += 1
            if weight <= limit:
                keep_pair(weight, min(ids[a], ids[b]), max(ids[a], ids[b]), kept, tally)
    return False


@noalloc
def scan_worst(
    first: int, last: int, guesses: Guesses, scratch: PairScratch, slack: int, wanted: Wanted
) -> bool:
    """Find the pairs (A, B) of the largest weights, for A in first..last; True if it is the end.

    Guesses stand worst first, and weights are negated, in the limit and among the pairs kept.

    W(A, B) <= W(B): both guesses of a bad pair are bad, and the first B that is not ends A's row.
    What A tells about the letters of B must be little too.
    """
    scores, rows, ids, weights = guesses
    kept, tally, _ = wanted
    questions = scratch.questions
    count = rows.shape[0]
    excluded = scratch.sets[0]
    for a in range(first, last):
        if a + 1 == count or -weights[a + 1] > tally[2] + slack:
            return True
        _fix_first(scores[rows[a]], scratch)
        for b in range(a + 1, count):
            limit = tally[2]
            if -weights[b] > limit + slack:
                break
            if (b - a - 1) % _RUN == 0:
                _letters_below(-limit - slack, questions, excluded)
            if _clash(questions.masks, b, excluded):
                continue  # (least)
            tally[0] += 1
            copy_into(scratch.counting.row, scores[rows[b]])
            weight = -_joint_weight(b, ABOVE_ALL, -limit - 1, slack, scratch)
            if weight <= limit:
                keep_pair(weight, -min(ids[a], ids[b]), -max(ids[a], ids[b]), kept, tally)
    return False


@noalloc(inner=True)
def _pass_over(
    a: int, counted_only: bool, guesses: Guesses, scratch: PairScratch, slack: int, wanted: Wanted
) -> int:
    """List the Bs that the bounds by letters leave of those behind A; returns how many.

    Those known to be better, if pairs are counted only, are added to the tally.
    """
    weights, masks, questions = guesses.weights, scratch.questions.masks, scratch.questions
    ids, tally = guesses.ids, wanted.tally
    log_weights, forbidden, granted = scratch.counting.log_weights, scratch.sets[0], scratch.sets[1]
    limit = tally[2] + slack
    count = weights.shape[0]
    whole = log_weights[log_weights.shape[0] - 1]
    _letters_below(tally[2] - slack + 1, questions, granted)
    found = 0
    for start in range(a + 1, count, MASKS):
        if weights[a] + weights[start] - whole > limit:
            break  # (1)
        if (start - a - 1) % _RUN == 0:  # later Bs of the run have weights no smaller
            _forbid(limit - weights[start], questions, forbidden)
        free = _free(masks, start, forbidden)
        while free:
            b = start + first_bit(free)
            free &= free - np.uint64(1)
            if b >= count or weights[a] + weights[b] - whole > limit:
                break  # (1)
            if _is_late(ids[a], ids[b], wanted):
                continue
            if counted_only and _clash(masks, b, granted):
                tally[1] += 1  # (least)
                continue
            least = _least_by_letters(a, b, weights, whole, questions)
            scratch.left[found] = b
            scratch.leasts[found] = least
            scratch.finer[found] = max(least, _least_by_all(a, b, weights, questions))
            found += least <= limit
    return found


@noalloc(inner=True)
def _fix_first(row: Scores, scratch: PairScratch) -> None:
    """Let the guess with these scores be A: fill in its blocks and what it tells about letters."""
    blocks, counting, questions = scratch.blocks, scratch.counting, scratch.questions
    copy_into(counting.row, row)
    split = sort_by_bucket(counting.row, blocks)
    weights_of_rest(blocks, counting.log_weights, counting.rest)
    if questions.codes.shape[1]:
        answer_questions(blocks, split, questions, counting.log_weights)


@noalloc(inner=True, inline=True)
def _joint_weight(b: int, limit: int, enough: int, slack: int, scratch: PairScratch) -> int:
    """The joint weight of A and B, whose row is copied; only as much of it as is wanted.

    That is: anything above ``limit`` once it is certain to be above, anything up to ``enough`` once
    it is certain to be no more. After each segment of A's blocks, (all) and (least) bound what the
    blocks to come can add: no less, and no more.
    """
    blocks, counting, questions = scratch.blocks, scratch.counting, scratch.questions
    rest, known = counting.rest, questions.known
    codes, per_letter, beyond = questions.codes[b], questions.per_letter[b], questions.beyond[b]
    weight = 0
    result = ABOVE_ALL
    for segment in range(SEGMENTS):
        weight += segment_weight(blocks, counting, segment)
        left = rest[segment + 1]
        least, most = left - beyond, left
        for place in range(codes.shape[0]):
            most = min(most, known[segment + 1, codes[place]])
            least -= left - known[segment + 1, per_letter[place]]
        if weight > limit or weight + least > limit + slack:
            break
        if weight + most + slack <= enough:
            result = enough
            break
        if left == 0:
            result = weight
            break
    return result


@noalloc(inner=True)
def _forbid(most: int, questions: LetterBounds, forbidden: Masks) -> None:
    """(one) for all Bs whose own weight leaves ``most`` to be added: letters they must not have."""
    known, alone = questions.known, questions.alone
    forbidden[:] = 0
    for code in range(alone.shape[0]):
        is_out = np.uint64(known[0, code] - alone[code] > most)
        forbidden[code >> 6] |= is_out << np.uint64(code & 63)


@noalloc(inner=True)
def _letters_below(least: int, questions: LetterBounds, letters: Masks) -> None:
    """(least): letters at places with which every joint weight is below ``least``."""
    letters[:] = 0
    for code in range(questions.alone.shape[0]):
        is_below = np.uint64(questions.known[0, code] < least)
        letters[code >> 6] |= is_below << np.uint64(code & 63)


@noalloc(inner=True, inline=True)
def _free(masks: Masks, start: int, forbidden: Masks) -> np.uint64:
    """Which of MASKS guesses from ``start`` on have none of the letters at places, as bits."""
    free = disjoint(masks[0], start, forbidden[0])
    for part in range(1, forbidden.shape[0]):
        free &= disjoint(masks[part], start, forbidden[part])
    return free


@noalloc(inner=True)
def _clash(masks: Masks, guess: int, letters: Masks) -> bool:
    """Whether a guess has one of some letters at places."""
    common = np.uint64(0)
    for part in range(letters.shape[0]):
        common |= masks[part, guess] & letters[part]
    return bool(common != 0)


@noalloc(inner=True)
def _least_by_letters(a: int, b: int, weights: Costs, whole: int, questions: LetterBounds) -> int:
    """A lower bound of the joint weight of A and B: (1), (one), and (all) for different letters."""
    alone, known, codes = questions.alone, questions.known, questions.codes
    mine, other = weights[a], weights[b]
    least = mine + other - whole
    total = mine
    for place in range(codes.shape[1]):
        code = codes[b, place]
        least = max(least, other + known[0, code] - alone[code])
        total += known[0, code] - mine
    return int(max(least, total) if questions.distinct[b] else least)


@noalloc(inner=True)
def _least_by_all(a: int, b: int, weights: Costs, questions: LetterBounds) -> int:
    """A lower bound of the joint weight of A and B: (all) with one question a letter."""
    known, per_letter = questions.known, questions.per_letter
    mine = weights[a]
    least = mine - questions.beyond[b]
    for place in range(per_letter.shape[1]):
        least -= mine - known[0, per_letter[b, place]]
    return int(least)


@noalloc
def keep_pair(weight: int, a: int, b: int, kept: Costs, tally: Costs) -> None:
    """Keep a pair within the limit, in order; the last one kept is the new limit."""
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


@noalloc(inner=True, inline=True)
def _is_late(one: int, other: int, wanted: Wanted) -> bool:
    """Whether a pair comes too late in the alphabet, where all that are kept tell everything.

    No weight is less than theirs, which is 0.
    """
    rows = wanted.kept.shape[0]
    if rows == 0 or wanted.tally[2] > 0:
        return False
    last = wanted.kept[rows - 1]
    first = min(one, other)
    return bool(first > last[1] or (first == last[1] and max(one, other) > last[2]))


@noalloc(inner=True)
def _before(weight: int, a: int, b: int, pair: Costs) -> bool:
    """Whether a pair comes before another: by weight, then by its guesses."""
    if weight != pair[0]:
        return bool(weight < pair[0])
    return bool(a < pair[1] or (a == pair[1] and b < pair[2]))
