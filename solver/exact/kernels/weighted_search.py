"""The value of a state with weights, by branch and bound whose limit rises with the bounds.

Sums of weights lie far apart, so levels one above the other, as in ``deepening``, would be many.
Here each level is further from the last, and where a guess holds, the search goes on below it:

    enter    list the guesses whose bound is within the limit, least bounds first
    level    the next guess whose bound has not passed the level is tried: split, bound its buckets
             quickly, search the largest unsettled one within its share of the slack
    holds    all buckets are settled: a value, and from now on only less is of interest
    fails    no guess is left at this level: go on with a higher one, up to the limit

Frames, memo and scratch memory are those of searches without weights (``search_frames``).
"""

from __future__ import annotations

import numpy as np

from ...machine.jit import noalloc
from ...machine.vectors import first_bit
from .capacity import find_capacity, least_weight_by_capacity, take_over_capacity
from .lemmas import LOSS, NEVER, after_guess
from .memo import State, note
from .score_table import is_legal, reveal
from .search_frames import (
    BEST,
    BUCKETS,
    BUCKETS_END,
    COLUMN,
    COST,
    LEFT,
    LEVEL,
    LIMIT,
    NOWHERE,
    TOP,
    TRIED,
    TRIES,
    TRIES_END,
    Stack,
    Workspace,
    close_bucket,
    first_frame,
    guess_of,
    holds,
    open_bucket,
    sort_by_bound,
    state_at,
    unsettled,
)
from .state import tighten, work_done
from .table_vectors import BLOCK_COLUMNS, Rows, Scores, Sums, copy_row
from .weighted_states import (
    LEAST,
    VALUE,
    Weighing,
    parts_needed,
    parts_weight,
    quick_weighted,
    split_weights,
    weight_of,
)

#: A column of a frame: how far the next level is above the least bound (the field that keeps the
#: least bound elsewhere).
STEP = 15
#: What a search does next.
_ENTER, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3
#: The first level is one in so many of a state's weight above its bound.
_FIRST_STEP = 128
#: A state gets a capacity of its own if it has more candidates than this, and no guess more parts
#: than one for so many candidates.
_INHERIT, _FEW_PARTS = 8, 4
#: How a search ends: the value is known; it is above the limit; interrupted.
EXACT, BEYOND, INTERRUPTED = 1, 0, -1


@noalloc(inner=True)
def list_weighted(
    work: Workspace, weighing: Weighing, ceiling: Scores, state: State, limit: int, at: int
) -> int:
    """Write the legal guesses of a state, bounds up to ``limit``, to lists from ``at``; the end.

    The ceiling is lowered by what is found.
    """
    table, _, scratch, stack = work
    members, first, count = state.members, state.first, state.size
    weights, weight = weighing.weights, weight_of(weighing, state)
    heaviest = int(weights[members[first]])
    need = max(parts_needed(weighing, state, 3 * weight - limit - heaviest), 2)
    if need > count:
        return at
    for k in range(first, first + count):
        scratch.inside[members[k]] = 1
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        if table.parts[column] < need:
            break
        good = tighten(table, scratch, state, ceiling, column, need)
        while good != np.uint64(0):
            here = column + first_bit(good)
            good &= good - np.uint64(1)
            if table.guess[here] < 0 or not is_legal(table, here, state.revealed):
                continue
            bound = 3 * weight - parts_weight(table, weighing, scratch, state, here)
            row = table.secret[here]
            if row >= 0 and scratch.inside[row] == 1:
                bound -= weights[row]
            if bound <= limit:
                stack.columns[at] = here
                stack.bounds[at] = bound
                at += 1
    for k in range(first, first + count):
        scratch.inside[members[k]] = 0
    return at


@noalloc(inner=True)
def _enter(work: Workspace, weighing: Weighing, level: int) -> None:
    """List the guesses of a new frame."""
    table, _, scratch, stack = work
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    copy_row(ceiling, table.parts if level == 0 else stack.ceilings[level - 1])
    state, limit, begin = state_at(scratch, stack, level), frame[LIMIT], frame[TRIES]
    end = list_weighted(work, weighing, ceiling, state, limit, begin)
    sort_by_bound(stack, begin, end)
    frame[TRIES_END], frame[TRIED], frame[LEVEL] = end, end, -1
    frame[BEST], frame[COLUMN] = NEVER, -1
    frame[STEP] = weight_of(weighing, state) // _FIRST_STEP
    most = 0
    for at in range(begin, end):
        most = max(most, int(ceiling[stack.columns[at]]))
    if state.size > _INHERIT and _FEW_PARTS * most <= state.size:
        scratch.work[2] += ceiling.shape[0] * state.size // BLOCK_COLUMNS
        find_capacity(table, scratch, stack, level)
    else:
        take_over_capacity(stack, level)


@noalloc(inner=True, inline=True)
def _pick_guess(stack: Stack, level: int) -> bool:
    """Move the frame to its next guess whose bound does not pass the level, raising the level."""
    frame, bounds = stack.frames[level], stack.bounds
    first, end = frame[TRIES], frame[TRIES_END]
    at = frame[TRIED] + 1
    while True:
        while at < end:
            if bounds[at] <= frame[LEVEL]:
                frame[TRIED] = at
                return True
            at += 1
        if frame[LEVEL] >= frame[LIMIT]:
            return False
        lowest = NEVER
        for k in range(first, end):
            lowest = min(lowest, bounds[k])
        if lowest > frame[LIMIT]:
            return False
        frame[LEVEL] = min(frame[LIMIT], lowest + frame[STEP])
        frame[STEP] *= 2
        at = first


@noalloc(inner=True, inline=True)
def _try_guess(work: Workspace, weighing: Weighing, level: int) -> bool:
    """Split by the picked guess and bound its buckets; False if its cost passes the level."""
    table, _, scratch, stack = work
    frame = stack.frames[level]
    scratch.work[1] += 1
    state, begin = state_at(scratch, stack, level), frame[BUCKETS]
    cost, buckets = split_weights(
        table, weighing, scratch, state, guess_of(stack, frame), frame[TOP]
    )
    top = frame[TOP]
    for j in range(buckets):
        start, size = scratch.starts[j], scratch.sizes[j]
        bucket = State(scratch.members, start, size, state.left, state.revealed)
        weight, heaviest = weighing.bucket_weight[j], weighing.weights[scratch.members[start]]
        bound = least_weight_by_capacity(weighing, bucket, weight, stack.capacity[level])
        stack.bucket_start[begin + j], stack.bucket_size[begin + j] = start, size
        stack.bucket_bound[begin + j], stack.bucket_exact[begin + j] = bound, 0
        cost += bound - (2 * weight - heaviest)
        top = start + size
    frame[BUCKETS_END], frame[COST] = begin + buckets, cost
    if cost <= frame[LEVEL]:
        _bound_buckets(work, weighing, level, top)
    return holds(stack, frame)


@noalloc(inner=True, inline=True)
def _bound_buckets(work: Workspace, weighing: Weighing, level: int, top: int) -> None:
    """Raise the bounds of the buckets of the guess under test, until its cost passes the level."""
    table, _, scratch, stack = work
    frame, below = stack.frames[level], stack.revealed[level + 1]
    column, then, limit = guess_of(stack, frame), after_guess(frame[LEFT]), frame[LEVEL]
    cost = frame[COST]
    for j in range(frame[BUCKETS], frame[BUCKETS_END]):
        known, start = stack.bucket_bound[j], stack.bucket_start[j]
        reveal(table, column, scratch.members[start], stack.revealed[level], below)
        bucket = State(scratch.members, start, stack.bucket_size[j], then, below)
        bound, kind, _ = quick_weighted(
            work, weighing, stack.ceilings[level], bucket, limit - cost + known, top
        )
        bound = max(bound, known)
        stack.bucket_bound[j], stack.bucket_exact[j] = bound, 1 if kind == VALUE else 0
        cost += bound - known
        if cost > limit:
            break
    frame[COST] = cost


@noalloc(inner=True, inline=True)
def _take_value(stack: Stack, frame: Sums) -> None:
    """The picked guess is settled: the best so far, and the limit for all that follow."""
    frame[BEST], frame[COLUMN] = frame[COST], guess_of(stack, frame)
    stack.bounds[frame[TRIED]] = NEVER
    frame[LIMIT] = frame[LEVEL] = frame[COST] - 1


@noalloc
def weighted_search(  # noqa: PLR0912 - the whole state machine
    work: Workspace,
    weighing: Weighing,
    place: Sums,
    count: int,
    left: int,
    limit: int,
    budget: int,
) -> tuple[int, int, int]:
    """The value of the state ``members[:count]``, if within ``limit``: (bound, its end, column).

    EXACT: the bound is the value; BEYOND: the value is at least the bound, which is above the
    limit; INTERRUPTED: after about ``budget`` units of work, to be resumed from ``place``, which is
    NOWHERE at first. What hard mode has seen lies in the first frame.
    """
    table, memo, scratch, stack = work
    frames = stack.frames
    stop = work_done(scratch) + budget
    level, step = int(place[0]), _NEXT_GUESS
    if level == NOWHERE:
        level, step = 0, _ENTER
        first_frame(stack, count, left, limit)
    bound, known, column = 0, 0, -1
    while True:
        frame = frames[level]
        if step == _ENTER:
            _enter(work, weighing, level)
            step = _NEXT_GUESS
        elif step == _NEXT_GUESS:
            if work_done(scratch) > stop:
                place[0] = level
                return 0, INTERRUPTED, -1
            if not _pick_guess(stack, level):
                column = frame[COLUMN]
                bound, known = min(frame[LIMIT] + 1, LOSS), BEYOND
                if column >= 0:
                    bound, known = frame[BEST], EXACT
                step = _DONE
            elif _try_guess(work, weighing, level):
                step = _NEXT_BUCKET
        elif step == _NEXT_BUCKET:
            bucket, others = unsettled(stack, frame)
            if bucket < 0:
                _take_value(stack, frame)
                step = _NEXT_GUESS
                continue
            open_bucket(
                table, scratch, stack, level, bucket, (frame[LEVEL] - frame[COST]) // others
            )
            below = frames[level + 1]
            state = state_at(scratch, stack, level + 1)
            bound, known, column = quick_weighted(
                work, weighing, stack.ceilings[level], state, below[LIMIT], below[TOP]
            )
            if known == VALUE or bound > below[LIMIT]:
                close_bucket(stack, frame, bound, 1 if known == VALUE else 0)
                step = _NEXT_BUCKET if holds(stack, frame) else _NEXT_GUESS
            else:
                level += 1
                step = _ENTER
        else:
            kind = VALUE if known == EXACT else LEAST
            note(memo, state_at(scratch, stack, level), bound, kind, column)
            if level == 0:
                place[0] = NOWHERE
                return bound, known, column
            level -= 1
            close_bucket(stack, frames[level], bound, known)
            step = _NEXT_BUCKET if holds(stack, frames[level]) else _NEXT_GUESS


@noalloc
def screen_weighted(
    work: Workspace,
    weighing: Weighing,
    columns: Rows,
    count: int,
    left: int,
    limit: int,
    totals: Sums,
) -> None:
    """Write bounds of guesses in the state ``members[:count]``, quick ones, as far as the limit.

    The buckets of the last guess stay in the stack.
    """
    table, _, _, stack = work
    copy_row(stack.ceilings[0], table.parts)
    for k in range(columns.shape[0]):
        first_frame(stack, count, left, limit)
        frame = stack.frames[0]
        frame[LEVEL], frame[TRIED] = limit, 0
        take_over_capacity(stack, 0)
        stack.columns[0] = columns[k]
        _try_guess(work, weighing, 0)
        totals[k] = frame[COST]
