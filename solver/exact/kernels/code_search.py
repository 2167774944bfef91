"""Exact search of Mastermind in one kernel: branch and bound over sets of codes.

A state is a set of candidates with the guesses that are left. Two lists of guesses are used, since
few states are large and most are small:

* Of a small state, the number of parts of *all* guesses is counted together: the scores of each
  candidate with many guesses lie side by side, and become bits that are joined. So many parts give
  the bound of a guess by the lemma of parts (docs/exact.md); guesses are tried by falling parts,
  and no list is made. Of guesses that are each other with the colours renamed, one is tried.
* Of a large state, only representatives are tried (``game.codes``), in the order of the bound that
  the sizes of their buckets give.

What a bucket may cost more than its bound is handed down as the limit of the state below. A state
that is settled is kept in a memo with all its candidates, so that no two can be confused. The
frames of nested states are rows of numbers: a search may be interrupted, and resumed from there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.codes import Codes, CodeSpace, Marks, find_alike, list_representatives, rank
from ...machine.arrays import Ids, aligned, copy_into
from ...machine.jit import kernel, noalloc
from ...machine.vectors import bit_count
from .lemmas import LOSS
from .set_memo import SetMemo, known_of_set, note_set

#: Values and bounds of states and guesses.
Totals = NDArray[np.int64]
#: Scores that occur, a bit for each.
Bits = NDArray[np.uint32]

#: States from this many candidates on are large, unless turns are sought in smaller ones.
_LARGE = 64
#: Guesses whose parts are counted together, and what the rows of scores are filled up to.
_BLOCK, _PADDING = 512, 64
#: States are rarely nested deeper.
_DEEPEST = 300


class CodeTable(NamedTuple):
    """The scores of some codes, the candidates, with all codes of a board."""

    #: ``scores[row, code]``, by numbers that are equal where scores are; filled up with zeros.
    scores: Codes
    #: The row of each code, -1 if it is no candidate.
    rows: Ids
    #: How many numbers of scores there are, and the number of the solved one.
    n_scores: int
    solved: int
    space: CodeSpace
    #: ``ideals[left, size]``: what a state of that size takes at least.
    ideals: Totals


#: Columns of a frame. FIRST, SIZE, LEFT: the state, whose candidates are ``members[FIRST:]``.
#: LIMIT: values above are of no interest. BEST, GUESS, LOWEST: the best value so far, its guess,
#: the least bound of guesses that failed.
FIRST, SIZE, LEFT, LIMIT, BEST, GUESS, LOWEST = range(7)
#: LISTED: whether the guesses are listed with bounds, or taken by PARTS from CODE on. ALIKE:
#: whether it is known which colours are alike. BUCKETS: how many the guess under test, TRIED,
#: leaves; NEXT is the next to settle, COST the bound of the guess, TOP the end of its members.
_LISTED, _PARTS, _CODE, _ALIKE, _BUCKETS, _NEXT, _COST, TRIED, _TOP, _FIELDS = range(7, 17)
#: Where a search that can be interrupted begins: at no level yet.
NOWHERE = -1


class CodeStack(NamedTuple):
    """The frames of nested states, and what is kept and counted for each."""

    frames: Totals
    members: Ids
    #: Of each level the parts of all guesses, one more for those that are candidates.
    parts: Codes
    #: Of each level the codes and bounds of a list.
    listed: Ids
    bounds: Totals
    #: Of each level the next lower colour of the class of each, and whether it need not be used.
    before: Totals
    idle: NDArray[np.bool_]
    #: Of each level the buckets of the guess under test: where each begins, its size and its bound.
    starts: Totals
    sizes: Totals
    #: Scratch: scores joined to bits, of a state's members, how often each occurs, marks of codes.
    joined: Bits
    row: Codes
    times: Totals
    marks: Marks
    places: Codes
    #: Work and states so far.
    work: Totals


def new_code_stack(table: CodeTable) -> CodeStack:
    """Memory for the states of a table."""
    count, width = table.scores.shape
    levels = min(count, _DEEPEST) + 2
    n_codes, holes = table.space.codes.shape
    return CodeStack(
        np.zeros((levels, _FIELDS), dtype=np.int64),
        np.empty(count * (levels + 1), dtype=np.int32),
        aligned((levels, width)),
        np.empty((levels, n_codes), dtype=np.int32),
        np.empty((levels, n_codes), dtype=np.int64),
        np.empty((levels, table.space.n_colours), dtype=np.int64),
        np.empty((levels, table.space.n_colours), dtype=np.bool_),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        aligned((_BLOCK,), np.uint32),
        np.empty(count, dtype=np.uint8),
        np.zeros(table.n_scores, dtype=np.int64),
        np.zeros(n_codes, dtype=np.uint8),
        np.empty((holes, n_codes), dtype=np.uint8),
        np.zeros(2, dtype=np.int64),
    )


def padded_width(n_codes: int) -> int:
    """How long a row of scores is with its padding."""
    return -(-n_codes // _PADDING) * _PADDING


# ---- One state without a search


@noalloc(inner=True)
def _settle(
    table: CodeTable, memo: SetMemo, stack: CodeStack, first: int, size: int, left: int, limit: int
) -> tuple[int, int, int]:
    """The value of a state, or a bound above a limit, as (bound, exact, guess); exact -1: unknown.

    A candidate that tells all others apart cannot be beaten; if there is none, nor can one that
    leaves but one pair together.
    """
    members = stack.members
    ideals = table.ideals[min(left, len(table.ideals) - 1)]
    ideal = ideals[size]
    if size <= 2 and ideal < LOSS:
        return ideal, 1, members[first]
    if ideal > limit:
        return ideal, 0, -1
    known, exact, guess = known_of_set(memo, members, first, size, left)
    if exact == 1 or known > limit:
        return known, exact, guess
    if left > 2 and ideal == 2 * size - 1:
        return _by_candidates(table, stack, first, size, limit)
    return 0, -1, -1


@noalloc(inner=True)
def _by_candidates(
    table: CodeTable, stack: CodeStack, first: int, size: int, limit: int
) -> tuple[int, int, int]:
    """The value of a state if a candidate tells all apart, or all but two; as ``_settle`` says."""
    members, times = stack.members, stack.times
    pair = -1
    for k in range(first, first + size):
        scores = table.scores[table.rows[members[k]]]
        twice, seen = 0, 0
        while seen < size:
            score = scores[members[first + seen]]
            twice += times[score]
            times[score] += 1
            seen += 1
            if twice > 1:
                break
        for j in range(first, first + seen):
            times[scores[members[j]]] = 0
        if twice == 0:
            return 2 * size - 1, 1, members[k]
        if twice == 1:
            pair = members[k]
    if pair >= 0:
        return 2 * size, int(limit >= 2 * size), pair
    if limit < 2 * size:
        return 2 * size, 0, -1
    return 0, -1, -1


# ---- The guesses of a state


@kernel(inner=True)
def _enter(table: CodeTable, stack: CodeStack, level: int) -> None:
    """Find the guesses of a new frame."""
    frame = stack.frames[level]
    frame[BEST], frame[GUESS], frame[LOWEST], frame[_ALIKE] = LOSS, -1, LOSS, 0
    frame[_LISTED] = int(frame[SIZE] >= min(_LARGE, table.space.turns_from))
    stack.work[1] += 1
    if frame[_LISTED]:
        _list(table, stack, level)
    else:
        _count_parts(table, stack, level)


@noalloc(inner=True)
def _count_parts(table: CodeTable, stack: CodeStack, level: int) -> None:
    """Count the parts of all guesses: the scores of each with the candidates become bits."""
    frame, parts, joined = stack.frames[level], stack.parts[level], stack.joined
    first, size = frame[FIRST], frame[SIZE]
    members = stack.members[first : first + size]
    width = len(parts)
    stack.work[0] += 1 + (size * width >> 12)
    for start in range(0, width, _BLOCK):
        count = min(_BLOCK, width - start)
        counted = parts[start : start + count]
        for lowest in range(0, table.n_scores, 32):
            joined[:] = 0
            for member in members:
                scores = table.scores[table.rows[member], start : start + count]
                if table.n_scores <= 32:
                    _join(joined, scores)
                else:
                    _join_some(joined, scores, lowest)
            _add_bits(joined, counted, lowest == 0)
    for member in members:
        parts[member] += 1
    parts[len(table.rows) :] = 0
    most = 0
    for number in parts:
        most = max(most, int(number))
    frame[_PARTS], frame[_CODE] = most, -1


@noalloc(inner=True)
def _join(joined: Bits, scores: Codes) -> None:
    """Join the scores of many guesses, each below 32, to what others have joined."""
    for k in range(len(scores)):
        joined[k] |= np.uint32(1) << (scores[k] & np.uint8(31))


@noalloc(inner=True)
def _join_some(joined: Bits, scores: Codes, lowest: int) -> None:
    """Join those scores that are at least ``lowest`` and below ``lowest + 32``."""
    for k in range(len(scores)):
        above = np.uint8(scores[k] - np.uint8(lowest))  # beyond the range: 32 and more
        bit = np.uint32(1) << (above & np.uint8(31))
        joined[k] |= bit if above < np.uint8(32) else np.uint32(0)


@noalloc(inner=True)
def _add_bits(joined: Bits, counted: Codes, first: bool) -> None:
    """Count the bits of each guess; unless it is the ``first`` time, beside those of before."""
    for k in range(len(counted)):
        had = np.uint8(0) if first else counted[k]
        counted[k] = had + np.uint8(bit_count(np.uint64(joined[k])))


@noalloc(inner=True)
def _bound_by_parts(table: CodeTable, size: int, left: int, parts: int) -> int:
    """The least value of guesses with so many parts, one more for those that are candidates.

    The first code of each bucket takes ``one`` guess more at least, all others ``more``.
    """
    ideals = table.ideals[min(left - 1, len(table.ideals) - 1)]
    one, more = ideals[1], ideals[2] - ideals[1]
    apart = min(parts, size)
    bound = size + apart * one + (size - apart) * more
    if parts >= 2:
        apart = min(parts - 2, size - 1)
        bound = min(bound, size + apart * one + (size - 1 - apart) * more)
    return int(bound)


@noalloc(inner=True)
def _some_within_limit(table: CodeTable, frame: Totals) -> bool:
    """Whether a guess of so many parts may be within the limit of a small state."""
    bound = _bound_by_parts(table, frame[SIZE], frame[LEFT], frame[_PARTS])
    return bool(bound <= frame[LIMIT])


@noalloc(inner=True)
def _next_by_parts(table: CodeTable, stack: CodeStack, level: int) -> int:
    """The next guess of a small state by falling parts; -1: no other can be within the limit."""
    frame, parts = stack.frames[level], stack.parts[level]
    n_codes = len(table.rows)
    size, left = frame[SIZE], frame[LEFT]
    while frame[_PARTS] >= 2:  # with one part all stays as it is
        if frame[_CODE] < 0:
            bound = _bound_by_parts(table, size, left, frame[_PARTS])
            if bound > frame[LIMIT]:
                frame[LOWEST] = min(frame[LOWEST], bound)
                return -1
        code, wanted = frame[_CODE] + 1, np.uint8(frame[_PARTS])
        while code < n_codes:
            if parts[code] == wanted and _is_first_of_kind(table, stack, level, code):
                frame[_CODE] = code
                return int(code)
            code += 1
        frame[_PARTS], frame[_CODE] = frame[_PARTS] - 1, -1
    return -1


@kernel(inner=True)
def _find_kinds(table: CodeTable, stack: CodeStack, level: int) -> None:
    """Find out which colours are alike in a small state, once a guess of it is wanted."""
    frame = stack.frames[level]
    first = frame[FIRST]
    alike = find_alike(table.space, stack.members[first : first + frame[SIZE]], stack.marks)
    copy_into(stack.before[level], alike.before)
    copy_into(stack.idle[level], alike.idle)
    frame[_ALIKE] = 1


@noalloc(inner=True)
def _is_first_of_kind(table: CodeTable, stack: CodeStack, level: int, code: int) -> bool:
    """Whether the colours of a guess that are alike come in their order, as none but one need."""
    before, idle = stack.before[level], stack.idle[level]
    used = 0
    for hole in range(table.space.codes.shape[1]):
        colour = int(table.space.codes[code, hole])
        if idle[colour] or (before[colour] >= 0 and (used >> before[colour]) & 1 == 0):
            return False
        used |= 1 << colour
    return True


@kernel(inner=True)
def _list(table: CodeTable, stack: CodeStack, level: int) -> None:
    """List the representatives of a large state with their bounds by the sizes of buckets."""
    frame, listed, bounds = stack.frames[level], stack.listed[level], stack.bounds[level]
    first, size = frame[FIRST], frame[SIZE]
    space, times = table.space, stack.times
    alike = find_alike(space, stack.members[first : first + size], stack.marks)
    count = list_representatives(alike, space.distinct, stack.places)
    ideals = table.ideals[min(frame[LEFT] - 1, len(table.ideals) - 1)]
    stack.work[0] += 1 + (size * count >> 8)
    code = np.empty(space.codes.shape[1], dtype=np.uint8)
    for at in range(count):
        copy_into(code, stack.places[:, at])
        listed[at] = rank(code, space.weights, space.distinct)
        _score_members(table, stack, first, size, listed[at])
        bounds[at] = size + _bound_of_buckets(table, stack, size, ideals)
        times[:] = 0
    frame[_PARTS], frame[_CODE] = count, -1


@noalloc(inner=True)
def _next_by_bound(stack: CodeStack, level: int) -> int:
    """The next guess of a large state by rising bounds; -1 when no other is within the limit."""
    frame, bounds = stack.frames[level], stack.bounds[level]
    best = -1
    for at in range(frame[_PARTS]):
        if best < 0 or bounds[at] < bounds[best]:
            best = at
    if best < 0:
        return -1
    if bounds[best] > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], bounds[best])
        return -1
    code = stack.listed[level, best]
    bounds[best] = 2 * LOSS  # it is not taken again
    return int(code)


@noalloc(inner=True)
def _score_members(table: CodeTable, stack: CodeStack, first: int, size: int, guess: int) -> None:
    """The scores of a guess with the members of a state, in ``row``, and how often each occurs."""
    members, row, times = stack.members, stack.row, stack.times
    if table.rows[guess] >= 0:
        scores = table.scores[table.rows[guess]]
        for k in range(size):
            row[k] = scores[members[first + k]]
    else:
        for k in range(size):
            row[k] = table.scores[table.rows[members[first + k]], guess]
    for k in range(size):
        times[row[k]] += 1


@noalloc(inner=True)
def _bound_of_buckets(table: CodeTable, stack: CodeStack, size: int, ideals: Totals) -> int:
    """What the buckets counted in ``times`` take at least; more than LOSS if they stay together."""
    bound = 0
    for score in range(table.n_scores):
        if stack.times[score] == size and score != table.solved:
            return 2 * LOSS
        if score != table.solved:
            bound += ideals[stack.times[score]]
    return int(bound)


# ---- The search


@noalloc(inner=True)
def _try(table: CodeTable, stack: CodeStack, level: int, guess: int) -> bool:
    """Split the state by a guess; False if its bound is above the limit.

    Buckets of two and less are settled; the others lie behind the members, the smallest first.
    """
    frame, times, members = stack.frames[level], stack.times, stack.members
    starts, sizes = stack.starts[level], stack.sizes[level]
    first, size = frame[FIRST], frame[SIZE]
    ideals = table.ideals[min(frame[LEFT] - 1, len(table.ideals) - 1)]
    _score_members(table, stack, first, size, guess)
    cost = size + _bound_of_buckets(table, stack, size, ideals)
    if cost > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], cost)
        times[:] = 0
        return False
    count = 0
    for score in range(table.n_scores):
        if times[score] > 2 and score != table.solved:
            at = count
            while at > 0 and sizes[at - 1] > times[score]:
                sizes[at], starts[at] = sizes[at - 1], starts[at - 1]
                at -= 1
            sizes[at], starts[at] = times[score], score
            count += 1
    times[:] = 0
    top = first + size
    for at in range(count):
        score, starts[at] = starts[at], top
        times[score] = top + 1
        top += sizes[at]
    for k in range(size):
        place = times[stack.row[k]]
        if place > 0:
            members[place - 1] = members[first + k]
            times[stack.row[k]] += 1
    times[:] = 0
    frame[TRIED], frame[_BUCKETS], frame[_NEXT] = guess, count, 0
    frame[_COST], frame[_TOP] = cost, top
    return True


@noalloc(inner=True)
def _take(table: CodeTable, stack: CodeStack, level: int, bound: int) -> bool:
    """Take over the bound of the next bucket of a guess; False if the guess is above the limit."""
    frame = stack.frames[level]
    ideals = table.ideals[min(frame[LEFT] - 1, len(table.ideals) - 1)]
    frame[_COST] += bound - ideals[stack.sizes[level, frame[_NEXT]]]
    frame[_NEXT] += 1
    if frame[_COST] > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], frame[_COST])
        return False
    return True


@noalloc(inner=True)
def _settle_buckets(table: CodeTable, memo: SetMemo, stack: CodeStack, level: int) -> bool:
    """Settle the buckets of the guess under test as far as no search is needed.

    True: one needs it, and lies in the frame below. False: the guess is the best so far, or is
    above the limit.
    """
    frame, starts, sizes = stack.frames[level], stack.starts[level], stack.sizes[level]
    left = frame[LEFT] - 1
    ideals = table.ideals[min(left, len(table.ideals) - 1)]
    while frame[_NEXT] < frame[_BUCKETS]:
        at = frame[_NEXT]
        first, size = starts[at], sizes[at]
        limit = ideals[size] + frame[LIMIT] - frame[_COST]
        bound, exact, _ = _settle(table, memo, stack, first, size, min(left, size), limit)
        if exact < 0:
            _lay_below(stack, level, first, size, min(left, size), limit)
            return True
        if not _take(table, stack, level, bound):
            return False
    frame[BEST], frame[GUESS] = frame[_COST], frame[TRIED]
    frame[LIMIT] = frame[_COST] - 1
    return False


@noalloc(inner=True)
def _lay_below(stack: CodeStack, level: int, first: int, size: int, left: int, limit: int) -> None:
    """Lay a bucket into the frame below, its members behind all that this frame has there."""
    if level + 2 >= len(stack.frames):
        raise MemoryError  # nested more than _DEEPEST deep
    frame, top = stack.frames[level + 1], stack.frames[level, _TOP]
    for k in range(size):
        stack.members[top + k] = stack.members[first + k]
    frame[FIRST], frame[SIZE], frame[LEFT], frame[LIMIT] = top, size, left, limit


@noalloc(inner=True)
def _close(memo: SetMemo, stack: CodeStack, frame: Totals) -> tuple[int, int]:
    """Note what was found out about the state of a frame: (bound, is it the value)."""
    exact = int(frame[GUESS] >= 0)
    bound = frame[BEST] if exact else min(frame[LOWEST], LOSS)
    first, size, left = frame[FIRST], frame[SIZE], frame[LEFT]
    note_set(memo, stack.members, (first, size, left), (bound, exact, frame[GUESS]))
    return bound, exact


@kernel(inner=True)
def _next_guess(table: CodeTable, stack: CodeStack, level: int) -> int:
    """The next guess of a frame, -1 when there is no other."""
    frame = stack.frames[level]
    stack.work[0] += 1
    if frame[_LISTED]:
        return _next_by_bound(stack, level)
    if frame[_ALIKE] == 0 and _some_within_limit(table, frame):
        _find_kinds(table, stack, level)
    return _next_by_parts(table, stack, level)


@kernel
def search_codes(
    table: CodeTable, memo: SetMemo, stack: CodeStack, place: Totals, state: Totals, budget: int
) -> tuple[int, int, int]:
    """The value of a state, if it is at most a limit, as (bound, exact, guess).

    The ``state`` is (size, guesses left, limit), its candidates the first of ``stack.members``,
    ascending. Exact 1: the bound is the value; 0: the value is at least the bound, which is above
    the limit; -1: interrupted after about ``budget`` units of work, to be resumed from ``place``,
    which is NOWHERE at first.
    """
    frames = stack.frames
    stop = stack.work[0] + budget
    level = place[0]
    if level == NOWHERE:
        size, left, limit = state
        left = min(left, size)
        bound, exact, guess = _settle(table, memo, stack, 0, size, left, limit)
        if exact >= 0:
            return bound, exact, guess
        level, frame = 0, frames[0]
        frame[FIRST], frame[SIZE], frame[LEFT], frame[LIMIT] = 0, size, left, min(limit, LOSS - 1)
        _enter(table, stack, 0)
    while True:
        frame = frames[level]
        if stack.work[0] > stop:
            place[0] = level
            return 0, -1, -1
        guess = _next_guess(table, stack, level)
        if guess >= 0 and not _try(table, stack, level, guess):
            continue
        if guess < 0:
            bound, exact = _close(memo, stack, frame)
            if level == 0:
                place[0] = NOWHERE
                return bound, exact, frame[GUESS]
            level -= 1
            if not _take(table, stack, level, bound):
                continue
        if _settle_buckets(table, memo, stack, level):
            level += 1
            _enter(table, stack, level)
