"""Exact search of Mastermind: its steps of branch and bound over sets of codes (``set_frames``).

A state is a set of candidates with the guesses that are left. Two lists of guesses are used, since
few states are large and most are small:

* Of a small state, the number of parts of *all* guesses is counted, 64 side by side. So many parts
  give the bound of a guess by the lemma of parts (docs/exact.md); guesses are tried by falling
  parts, and no list is made. Of guesses that are each other with the colours renamed, one is tried.
* Of a large state, the sizes of the buckets of all guesses are counted side by side. They give the
  bounds by which guesses are listed; of those that a renaming of colours and an order of the holes
  turn into each other, one is.

Values are those of ``lemmas``: a candidate beyond the limit costs LOSS more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.codes import Alike, Codes, CodeSpace, Marks, find_alike, is_lowest
from ...machine.arrays import Ids, aligned, copy_into
from ...machine.jit import kernel, noalloc
from ...machine.vectors import first_bit
from .lemmas import NEVER
from .memo import Memo, known, set_of
from .set_frames import (
    DEEPEST,
    FIRST,
    LEFT,
    LIMIT,
    LOWEST,
    OWN,
    SIZE,
    Totals,
    find_buckets,
    next_by_bound,
    search_sets,
)
from .table_vectors import BLOCK_COLUMNS, at_least, count_block

#: States from this many candidates on are large, unless turns are sought in smaller ones.
_LARGE = 64
#: The bound of a guess that leaves all candidates together.
_USELESS = 2 * NEVER
#: Candidates whose scores are counted together in single bytes.
_COUNTED = 255


class CodeTable(NamedTuple):
    """The scores of some codes, the candidates, with all codes of a board."""

    #: ``scores[block, row, lane]`` of code 64 * block + lane: numbers that are equal where scores
    #: are; filled up with zeros.
    scores: Codes
    #: The row of each code, -1 if it is no candidate.
    rows: Ids
    #: How many numbers of scores there are, and the number of the solved one.
    n_scores: int
    solved: int
    space: CodeSpace
    #: See ``set_frames.SetTable``.
    ideals: Totals


#: Columns of a frame besides. LISTED: whether the guesses are listed with bounds, so many as PARTS
#: says, or taken by PARTS from CODE on. ALIKE: whether it is known which colours are alike.
_LISTED, _PARTS, _CODE, _ALIKE, _FIELDS = range(OWN, OWN + 5)


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
    #: Of each level the open buckets of the guess under test: where each begins, its size, and its
    #: bound.
    starts: Totals
    sizes: Totals
    costs: Totals
    #: Scratch: the rows and scores of a state's members, how often each score occurs, marks of
    #: codes; of 64 guesses the bounds, and how often one score occurs, in bytes and in all.
    rows: Ids
    row: Codes
    times: Totals
    marks: Marks
    sums: Totals
    few: Codes
    many: Ids
    #: Work and states so far.
    work: Totals


def new_code_stack(table: CodeTable, deepest: int = DEEPEST) -> CodeStack:
    """Memory for the states of a table, nested so deep: below that it raises MemoryError."""
    blocks, count, lanes = table.scores.shape
    levels = min(count, deepest) + 2
    n_codes, n_colours = len(table.rows), table.space.n_colours
    return CodeStack(
        np.zeros((levels, _FIELDS), dtype=np.int64),
        np.empty(count * (levels + 1), dtype=np.int32),
        aligned((levels, blocks * lanes)),
        np.empty((levels, n_codes), dtype=np.int32),
        np.empty((levels, n_codes), dtype=np.int64),
        np.empty((levels, n_colours), dtype=np.int64),
        np.empty((levels, n_colours), dtype=np.bool_),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.uint8),
        np.zeros(table.n_scores, dtype=np.int64),
        np.zeros(n_codes, dtype=np.uint8),
        np.empty(lanes, dtype=np.int64),
        aligned((lanes,)),
        np.empty(lanes, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
    )


def new_scores(count: int, n_codes: int) -> Codes:
    """Memory for the scores of so many candidates with all codes, zero."""
    scores = aligned((-(-n_codes // BLOCK_COLUMNS), count, BLOCK_COLUMNS))
    scores[:] = 0
    return scores


@noalloc(inner=True)
def _score(table: CodeTable, member: int, code: int) -> int:
    """The number of the score of a candidate with a code."""
    at = np.uint64(code)
    block, lane = at >> np.uint64(6), at & np.uint64(BLOCK_COLUMNS - 1)
    return int(table.scores[block, np.uint64(table.rows[np.uint64(member)]), lane])


# ---- One state without a search


@noalloc(inner=True)
def _settle(
    table: CodeTable, memo: Memo, stack: CodeStack, state: tuple[int, int, int], limit: int
) -> tuple[int, int, int]:
    """The value of a state (first, size, left), or a bound, as (bound, exact, guess).

    A candidate that tells all others apart cannot be beaten; if there is none, nor can one that
    leaves but one pair together. Few states lie in the memo whose candidates do so: it comes last.
    """
    first, size, left = state
    members = stack.members
    ideal = table.ideals[min(left, len(table.ideals) - 1), size]
    if ideal > limit:
        return ideal, 0, -1
    if size <= 2:
        return ideal, 1, members[first]
    bound = ideal
    if left > 2 and ideal == 2 * size - 1:
        bound, exact, guess = _by_candidates(table, stack, first, size, limit)
        if exact == 1 or bound > limit:
            return bound, exact, guess
    value, exact, guess = known(memo, set_of(memo, members, first, size, left))
    if exact == 1 or value > limit:
        return value, exact, guess
    return max(bound, value), 0, -1


@noalloc(inner=True)
def _by_candidates(
    table: CodeTable, stack: CodeStack, first: int, size: int, limit: int
) -> tuple[int, int, int]:
    """The value of a state if a candidate tells all apart, or all but two; else a bound."""
    members, times = stack.members, stack.times
    pair, most = -1, 2 * size
    for k in range(first, first + size):
        twice, seen = 0, 0
        while seen < size:
            score = _score(table, members[first + seen], members[k])
            stack.row[seen] = score
            twice += times[score]
            times[score] += 1
            seen += 1
            if twice > 1:
                break
        for j in range(seen):
            times[stack.row[j]] = 0
        if twice == 0:
            return most - 1, 1, members[k]
        if twice == 1:
            pair = members[k]
    is_settled = pair >= 0 and limit >= most
    return most, int(is_settled), pair if is_settled else -1


# ---- The guesses of a state


@kernel(inner=True)
def _find_guesses(table: CodeTable, stack: CodeStack, level: int) -> None:
    """Find the guesses of a new frame."""
    frame = stack.frames[level]
    if frame[SIZE] >= min(_LARGE, table.space.turns_from):
        _list(table, stack, level)
    else:
        _count_parts(table, stack, level)


@noalloc(inner=True)
def _find_rows(table: CodeTable, stack: CodeStack, first: int, size: int) -> None:
    """Look up the rows of the members of a state."""
    for k in range(size):
        stack.rows[k] = table.rows[stack.members[first + k]]


@noalloc(inner=True)
def _count_parts(table: CodeTable, stack: CodeStack, level: int) -> None:
    """Count the parts of all guesses with the members."""
    frame, parts = stack.frames[level], stack.parts[level]
    first, size = frame[FIRST], frame[SIZE]
    _find_rows(table, stack, first, size)
    stack.work[0] += 1 + (size * len(parts) >> 12)
    most = 1
    for start in range(0, len(parts), BLOCK_COLUMNS):
        counted = parts[start : start + BLOCK_COLUMNS]
        rows, spread = stack.rows, table.n_scores
        if count_block(table.scores, spread, rows, 0, size, start, most + 1, counted):
            for number in counted:
                most = max(most, int(number))
    for k in range(first, first + size):
        member = stack.members[k]
        parts[member] += 1
        most = max(most, int(parts[member]))
    frame[_LISTED], frame[_ALIKE], frame[_PARTS], frame[_CODE] = 0, 0, most, -1


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
    if bound > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], bound)
    return bool(bound <= frame[LIMIT])


@noalloc(inner=True)
def _next_by_parts(table: CodeTable, stack: CodeStack, level: int) -> int:
    """The next guess of a small state by falling parts; -1: no other can be within the limit."""
    frame, parts = stack.frames[level], stack.parts[level]
    while frame[_PARTS] >= 2:  # with one part all stays as it is
        if not _some_within_limit(table, frame):
            return -1
        code, wanted = frame[_CODE] + 1, frame[_PARTS]
        while code < len(parts):
            start = code & -BLOCK_COLUMNS
            found = at_least(parts, start, wanted) & ~at_least(parts, start, wanted + 1)
            found >>= np.uint64(code - start)
            if found == 0:
                code = start + BLOCK_COLUMNS
                continue
            code += first_bit(found)
            if _is_first_of_kind(table, stack, level, code):
                frame[_CODE] = code
                return int(code)
            code += 1
        frame[_PARTS], frame[_CODE] = frame[_PARTS] - 1, -1
    return -1


@kernel(inner=True)
def _find_kinds(table: CodeTable, stack: CodeStack, level: int) -> Alike:
    """Find out which colours are alike in a state: of a small one once a guess is wanted."""
    first, size = stack.frames[level, FIRST], stack.frames[level, SIZE]
    alike = find_alike(table.space, stack.members[first : first + size], stack.marks)
    copy_into(stack.before[level], alike.before)
    copy_into(stack.idle[level], alike.idle)
    stack.frames[level, _ALIKE] = 1
    return alike


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
    """List one guess of each kind of a large state, with its bound by the sizes of its buckets.

    What is above the limit need not be listed.
    """
    frame, listed, bounds = stack.frames[level], stack.listed[level], stack.bounds[level]
    first, size, space = frame[FIRST], frame[SIZE], table.space
    _find_rows(table, stack, first, size)
    alike = _find_kinds(table, stack, level)
    code = np.empty(space.codes.shape[1], dtype=np.int64)
    next_free, name = np.empty_like(alike.leader), np.empty_like(alike.leader)
    turned, count = len(alike.holes) > 0, 0
    stack.work[0] += 1 + (size * len(table.rows) >> 9)
    for at in range(len(table.rows)):
        if at % BLOCK_COLUMNS == 0:
            _bound_block(table, stack, size, frame[LEFT], at)
        bound = stack.sums[at % BLOCK_COLUMNS]
        if bound > frame[LIMIT]:
            frame[LOWEST] = min(frame[LOWEST], bound)
        elif _is_first_of_kind(table, stack, level, at):
            if turned:
                copy_into(code, space.codes[at])
            if not turned or is_lowest(code, alike, next_free, name):
                listed[count], bounds[count] = at, bound
                count += 1
    frame[_LISTED], frame[_PARTS] = 1, count


@noalloc(inner=True)
def _bound_block(table: CodeTable, stack: CodeStack, size: int, left: int, start: int) -> None:
    """The bounds of 64 guesses, by the sizes of their buckets, to ``sums``."""
    ideals = table.ideals[min(left - 1, len(table.ideals) - 1)]
    sums, few, many = stack.sums, stack.few, stack.many
    block = table.scores[start // BLOCK_COLUMNS]
    sums[:] = size
    for score in range(table.n_scores):
        if score == table.solved:
            continue
        many[:] = 0
        for begin in range(0, size, _COUNTED):
            few[:] = 0
            for k in range(begin, min(size, begin + _COUNTED)):
                _count_score(few, block[stack.rows[k]], np.uint8(score))
            for lane in range(BLOCK_COLUMNS):
                many[lane] += few[lane]
        for lane in range(BLOCK_COLUMNS):
            sums[lane] += ideals[many[lane]] if many[lane] < size else _USELESS


@noalloc(inner=True)
def _count_score(few: Codes, scores: Codes, score: np.uint8) -> None:
    """Count the guesses that have a score, each in its byte."""
    for lane in range(BLOCK_COLUMNS):
        few[lane] += np.uint8(scores[lane] == score)


# ---- The search


@noalloc(inner=True)
def _split(table: CodeTable, stack: CodeStack, level: int, guess: int) -> tuple[int, int]:
    """Split a state by a guess: how many buckets of three and more there are, and its bound."""
    frame, times, row = stack.frames[level], stack.times, stack.row
    first = frame[FIRST]
    for k in range(frame[SIZE]):
        row[k] = _score(table, stack.members[first + k], guess)
        times[row[k]] += 1
    times[table.solved] = 0
    return find_buckets(table, stack, level)


@kernel(inner=True)
def _next_guess(table: CodeTable, stack: CodeStack, level: int) -> int:
    """The next guess of a frame, -1 when there is no other."""
    frame = stack.frames[level]
    if frame[_LISTED]:
        best = next_by_bound(frame, stack.bounds[level], frame[_PARTS])
        return best if best < 0 else int(stack.listed[level, best])
    if frame[_ALIKE] == 0 and _some_within_limit(table, frame):
        _find_kinds(table, stack, level)
    return _next_by_parts(table, stack, level)


@kernel
def search_codes(
    table: CodeTable, memo: Memo, stack: CodeStack, place: Totals, state: Totals, budget: int
) -> tuple[int, int, int]:
    """The value of a state: see ``search_sets``."""
    return search_sets(
        _settle, _find_guesses, _next_guess, _split, table, memo, stack, place, state, budget
    )


@kernel
def list_codes(table: CodeTable, stack: CodeStack, size: int, left: int, limit: int) -> int:
    """List one guess of each kind in the state of the first ``stack.members``, with its bound.

    Those within a limit; they stand in the lists of the first level. How many they are.
    """
    frame = stack.frames[0]
    frame[FIRST], frame[SIZE], frame[LEFT], frame[LIMIT], frame[LOWEST] = 0, size, left, limit, 0
    _list(table, stack, 0)
    return int(frame[_PARTS])
