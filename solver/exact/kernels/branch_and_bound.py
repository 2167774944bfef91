"""Branch and bound over one state.

Deepening goes up total by total and is at its best where the bound is nearly the value. A state
that must lose candidates lies far above it. Here (Land and Doig, "An automatic method of solving
discrete programming problems", 1960) a value that is attained is the limit for all that follows:

    enter    list the guesses within the limit, and bound each by the sizes of its buckets
    guess    take them in the order of their bounds: split, bound the buckets quickly, add up
    bucket   search the largest unsettled one within all that the limit leaves to it
    holds    all are settled: the best so far; from now on only less is of interest

What is lost is bounded by the capacity of states (docs/exact.md, lemma 12). Memo, scratch memory
and frames are those of deepening, and what either finds out serves both.
"""

from __future__ import annotations

import numpy as np

from ...machine.jit import noalloc
from .capacity import find_capacity, histogram, least_by_capacity, take_over_capacity
from .lemmas import NEVER, after_guess, guesses_left, lost, next_value, not_listed
from .memo import Memo, note
from .score_table import ScoreTable
from .search_frames import (
    BEST,
    BUCKETS,
    BUCKETS_END,
    COLUMN,
    COST,
    COUNT,
    FIRST,
    LEFT,
    LIMIT,
    LOWEST,
    NOWHERE,
    TRIED,
    TRIES,
    TRIES_END,
    Stack,
    Workspace,
    bound_buckets_quickly,
    close_bucket,
    first_frame,
    guess_of,
    list_guesses,
    open_bucket,
    sort_by_bound,
    split_frame,
    state_at,
    unsettled,
)
from .state import Scratch, contains, work_done
from .table_vectors import BLOCK_COLUMNS, Rows, Sums, copy_row

#: What a search does next.
_ENTER, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3
#: So few candidates take over the capacity of the state before.
_INHERIT = 8


@noalloc(inner=True)
def _least_by_sizes(
    table: ScoreTable, scratch: Scratch, frame: Sums, capacity: Rows, column: int
) -> int:
    """The least value of a guess, from the sizes of its buckets."""
    first, count, left = frame[FIRST], frame[COUNT], frame[LEFT]
    distinct = histogram(table, scratch, first, count, column)
    then = after_guess(left)
    cost = count * table.price
    for j in range(distinct):
        size = scratch.times[scratch.seen[j]]
        scratch.times[scratch.seen[j]] = 0
        cost += size * lost(left)
        cost += least_by_capacity(table.price, size, capacity, guesses_left(then, size))
    row = table.secret[column]
    if row >= 0 and contains(scratch.members, first, count, row):
        cost -= table.price + lost(left)
    return int(cost)


@noalloc(inner=True)
def _enter(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """List the guesses of a new frame, the most promising first."""
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    copy_row(ceiling, table.parts if level == 0 else stack.ceilings[level - 1])
    limit, begin = frame[LIMIT], frame[TRIES]
    state = state_at(scratch, stack, level)
    end = list_guesses(table, scratch, stack, ceiling, state, limit, begin)
    frame[TRIED], frame[BEST], frame[COLUMN] = begin - 1, NEVER, -1
    frame[LOWEST] = not_listed(table.price, state.size, state.left, limit)
    scratch.work[2] += (end - begin + ceiling.shape[0]) * state.size // BLOCK_COLUMNS
    if level > 0 and state.size <= _INHERIT:
        take_over_capacity(stack, level)
    else:
        find_capacity(table, scratch, stack, level)
    kept = begin
    for at in range(begin, end):
        column = int(np.int64(stack.columns[at]))
        bound = _least_by_sizes(table, scratch, frame, stack.capacity[level], column)
        if bound > limit:
            frame[LOWEST] = min(frame[LOWEST], bound)
        else:
            stack.bounds[kept], stack.columns[kept] = bound, column
            kept += 1
    sort_by_bound(stack, begin, kept)
    frame[TRIES_END] = kept


@noalloc(inner=True)
def _try_guess(table: ScoreTable, memo: Memo, scratch: Scratch, stack: Stack, level: int) -> bool:
    """Split by the guess in turn and bound its buckets; False if it is above the limit."""
    scratch.work[1] += 1
    split_frame(table, scratch, stack, level)
    frame, capacity = stack.frames[level], stack.capacity[level]
    then = after_guess(frame[LEFT])
    for j in range(frame[BUCKETS], frame[BUCKETS_END]):
        size, known = stack.bucket_size[j], stack.bucket_bound[j]
        bound = least_by_capacity(table.price, size, capacity, guesses_left(then, size))
        stack.bucket_bound[j] = bound
        frame[COST] += bound - known
    bound_buckets_quickly(table, memo, scratch, stack, level, frame[LIMIT])
    return bool(_holds(frame))


@noalloc(inner=True)
def _holds(frame: Sums) -> bool:
    """Whether the guess in turn may still be within the limit; its bound is kept if not."""
    if frame[COST] <= frame[LIMIT]:
        return True
    frame[LOWEST] = min(frame[LOWEST], frame[COST])
    return False


@noalloc(inner=True)
def _result(table: ScoreTable, stack: Stack, frame: Sums) -> tuple[int, int]:
    """What a frame has found out: (bound, is it the value)."""
    if frame[BEST] < NEVER:
        return frame[BEST], 1
    lowest = frame[LOWEST]
    if frame[TRIED] < frame[TRIES_END]:
        lowest = min(lowest, stack.bounds[frame[TRIED]])
    return next_value(table.price, frame[COUNT], frame[LEFT], lowest), 0


@noalloc(inner=True)
def _only(stack: Stack, column: int) -> None:
    """One guess alone for the first frame."""
    frame = stack.frames[0]
    frame[TRIES], frame[TRIES_END], frame[TRIED] = 0, 1, -1
    frame[BEST], frame[COLUMN], frame[LOWEST] = NEVER, -1, NEVER
    stack.columns[0], stack.bounds[0] = column, 0


@noalloc
def list_state(
    table: ScoreTable, scratch: Scratch, stack: Stack, count: int, left: int, limit: int
) -> int:
    """List the guesses of ``members[:count]`` that may be within a limit, the best bound first."""
    first_frame(stack, count, left, limit)
    _enter(table, scratch, stack, 0)
    return int(stack.frames[0, TRIES_END])


@noalloc
def branch_and_bound(
    work: Workspace, place: Sums, count: int, left: int, limit: int, first: int, budget: int
) -> tuple[int, int, int]:
    """The value of the state ``members[:count]``, if it is at most ``limit``.

    With a column ``first`` it is that of this guess: the state must have been listed then, the last
    of all. ``place`` is NOWHERE at first; a search that was interrupted after about ``budget``
    units of work is resumed from it. Returns (bound, exact, column): exact 1: the bound is the
    value; 0: the value is at least the bound, which is above the limit; -1: interrupted.
    """
    table, memo, scratch, stack = work
    frames = stack.frames
    stop = work_done(scratch) + budget
    level, step = place[0], _NEXT_GUESS
    if level == NOWHERE:
        level, step = 0, _ENTER
        first_frame(stack, count, left, limit)
        if first >= 0:
            _only(stack, first)
            step = _NEXT_GUESS
    bound, exact, best = 0, 0, -1
    while True:
        frame = frames[level]
        if step == _ENTER:
            _enter(table, scratch, stack, level)
            step = _NEXT_GUESS
        elif step == _NEXT_GUESS:
            if work_done(scratch) > stop:
                place[0] = level
                return 0, -1, -1
            frame[TRIED] += 1
            if frame[TRIED] == frame[TRIES_END] or stack.bounds[frame[TRIED]] > frame[LIMIT]:
                step = _DONE
            elif _try_guess(table, memo, scratch, stack, level):
                step = _NEXT_BUCKET
        elif step == _NEXT_BUCKET:
            bucket, _ = unsettled(stack, frame)
            if bucket < 0:
                frame[BEST], frame[COLUMN] = frame[COST], guess_of(stack, frame)
                frame[LIMIT] = frame[COST] - 1
                step = _NEXT_GUESS
                continue
            open_bucket(table, scratch, stack, level, bucket, frame[LIMIT] - frame[COST])
            level += 1
            step = _ENTER
        else:
            bound, exact = _result(table, stack, frame)
            best = frame[COLUMN]
            if level == 0:
                place[0] = NOWHERE
                return bound, exact, best
            note(memo, state_at(scratch, stack, level), bound, exact, best)
            level -= 1
            close_bucket(stack, frames[level], bound, exact)
            step = _NEXT_BUCKET if _holds(frames[level]) else _NEXT_GUESS
