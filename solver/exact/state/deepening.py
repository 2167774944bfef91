"""The exact value of a state, by deepening on the bound.

A state keeps the guesses whose bound is within its limit. At each level, from the least bound
upwards, it tries those whose bound has not passed the level: splits, glances at the buckets,
spreads what slack is left over the unsettled ones and searches them with it. A guess that fails
keeps its raised bound; the first that holds has the value. No recursion: frames on a stack.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import lean
from ..table.byte_lanes import copy_row
from ..table.score_table import ScoreTable, show
from .bounds import NEVER, after_guess, guesses_left, least, next_value, not_listed
from .glance import glance, split
from .listing import list_guesses
from .memo import Memo, note
from .scratch import (
    BUCKETS,
    BUCKETS_END,
    CHILD,
    COST,
    COUNT,
    FIRST,
    LEFT,
    LEVEL,
    LIMIT,
    TOP,
    TRIED,
    TRIES,
    TRIES_END,
    Scratch,
    Stack,
)

_NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2
#: A search is broken off between two guesses of its state; deeper down, after so many budgets more.
_OVERRUN = 4


@lean(inner=True, inline=True)
def _pick_guess(table: ScoreTable, stack: Stack, level: int) -> bool:
    """Move the frame to its next guess whose bound does not pass the level, raising the level."""
    frame = stack.frames[level]
    first, end = frame[TRIES], frame[TRIES_END]
    bounds = stack.bounds
    at = frame[TRIED] + 1
    while True:
        while at < end:
            if bounds[at] <= frame[LEVEL]:
                frame[TRIED] = at
                return True
            at += 1
        lowest = NEVER
        for k in range(first, end):
            lowest = min(lowest, bounds[k])
        lowest = next_value(table.price, frame[COUNT], frame[LEFT], lowest)
        frame[LEVEL] = lowest
        if lowest > frame[LIMIT]:
            return False
        at = first


@lean(inner=True, inline=True)
def _try_guess(table: ScoreTable, memo: Memo, scratch: Scratch, stack: Stack, level: int) -> bool:
    """Split by the picked guess and glance at its buckets; False if its bound passes the level."""
    frame = stack.frames[level]
    at = frame[TRIED]
    column = int(np.int64(stack.columns[at]))
    left, top = frame[LEFT], frame[TOP]
    scratch.work[1] += 1
    cost, buckets = split(table, scratch, frame[FIRST], frame[COUNT], column, left, top)
    then = after_guess(left)
    ceiling = stack.ceilings[level]
    begin = frame[BUCKETS]
    for j in range(buckets):
        size = scratch.sizes[j]
        stack.bucket_start[begin + j] = scratch.starts[j]
        stack.bucket_size[begin + j] = size
        stack.bucket_bound[begin + j] = least(table.price, size, guesses_left(then, size))
        stack.bucket_exact[begin + j] = 0
        cost += stack.bucket_bound[begin + j]
        top += size
    frame[BUCKETS_END] = begin + buckets
    for j in range(begin, begin + buckets):
        if cost > frame[LEVEL]:
            break
        known = stack.bucket_bound[j]
        start, size = stack.bucket_start[j], stack.bucket_size[j]
        below = stack.shown[level + 1]
        show(table, column, scratch.members[start], stack.shown[level], below)
        limit = frame[LEVEL] - cost + known
        bound, exact, _ = glance(
            table, memo, scratch, ceiling, start, size, then, below, limit, top
        )
        bound = max(bound, known)
        stack.bucket_bound[j] = bound
        stack.bucket_exact[j] = exact
        cost += bound - known
    frame[COST] = cost
    if cost > frame[LEVEL]:
        stack.bounds[at] = cost
        return False
    return True


@lean(inner=True)
def _open_bucket(
    table: ScoreTable,
    stack: Stack,
    scratch: Scratch,
    level: int,
    bucket: int,
    unsettled: int,
    free: int,
) -> None:
    """A new frame for a bucket, with its share of the slack."""
    frame, below = stack.frames[level], stack.frames[level + 1]
    start, size = stack.bucket_start[bucket], stack.bucket_size[bucket]
    frame[CHILD] = bucket
    below[FIRST] = start
    below[COUNT] = size
    below[LEFT] = guesses_left(after_guess(frame[LEFT]), size)
    below[LIMIT] = stack.bucket_bound[bucket] + (frame[LEVEL] - frame[COST]) // unsettled
    below[TRIES] = frame[TRIES_END] if level > 0 else free
    below[BUCKETS] = frame[BUCKETS_END]
    last = frame[BUCKETS_END] - 1
    below[TOP] = stack.bucket_start[last] + stack.bucket_size[last]
    column = int(np.int64(stack.columns[frame[TRIED]]))
    show(table, column, scratch.members[start], stack.shown[level], stack.shown[level + 1])


@lean(inner=True)
def _update_bucket(stack: Stack, level: int, bound: int, exact: int) -> bool:
    """Take over what was found out about the open bucket; False if the guess fails by it."""
    frame = stack.frames[level]
    bucket = frame[CHILD]
    if bound > stack.bucket_bound[bucket]:
        frame[COST] += bound - stack.bucket_bound[bucket]
        stack.bucket_bound[bucket] = bound
    stack.bucket_exact[bucket] = exact
    if frame[COST] > frame[LEVEL]:
        stack.bounds[frame[TRIED]] = frame[COST]
        return False
    return True


@lean(inner=True)
def _enter(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """List the guesses of a new frame."""
    frame = stack.frames[level]
    ceiling = stack.ceilings[level]
    copy_row(ceiling, stack.ceilings[level - 1])
    frame[TRIES_END] = list_guesses(
        table,
        scratch,
        stack,
        ceiling,
        frame[FIRST],
        frame[COUNT],
        frame[LEFT],
        stack.shown[level],
        frame[LIMIT],
        frame[TRIES],
    )
    frame[LEVEL] = -1
    frame[TRIED] = frame[TRIES_END]


@lean
def search(  # noqa: PLR0912 - the whole state machine
    table: ScoreTable,
    memo: Memo,
    scratch: Scratch,
    stack: Stack,
    ceiling: NDArray[np.uint8],
    count: int,
    left: int,
    limit: int,
    listed: int,
    listed_end: int,
    free: int,
    budget: int,
) -> tuple[int, int, int]:
    """The value of the state ``members[:count]``, if it is at most ``limit``.

    Its guesses stand at ``listed`` to ``listed_end`` in the lists of the stack, where raised bounds
    stay; other lists begin at ``free``. Returns (bound, exact, column): exact 1: the bound is the
    value; 0: the value is at least the bound, which is above the limit; -1: so much is known after
    about ``budget`` units of work.
    """
    frames = stack.frames
    copy_row(stack.ceilings[0], ceiling)
    frames[0, FIRST], frames[0, COUNT], frames[0, LEFT] = 0, count, guesses_left(left, count)
    frames[0, LIMIT], frames[0, LEVEL] = limit, -1
    frames[0, TRIES], frames[0, TRIES_END], frames[0, TRIED] = listed, listed_end, listed_end
    frames[0, BUCKETS], frames[0, TOP] = 0, count
    stop = work_done(scratch) + budget
    level = 0
    state = _NEXT_GUESS
    bound, exact, column = 0, 0, -1
    while True:
        frame = frames[level]
        if state == _NEXT_GUESS:
            if work_done(scratch) > stop and (
                level == 0 or work_done(scratch) > stop + _OVERRUN * budget
            ):
                return max(frames[0, LEVEL], 0), -1, -1
            if not _pick_guess(table, stack, level):
                others = not_listed(table.price, frame[COUNT], frame[LEFT], frame[LIMIT])
                bound, exact, column = min(frame[LEVEL], others), 0, -1
                state = _DONE
            elif _try_guess(table, memo, scratch, stack, level):
                state = _NEXT_BUCKET
        elif state == _NEXT_BUCKET:
            unsettled, bucket = 0, -1
            for j in range(frame[BUCKETS], frame[BUCKETS_END]):
                if stack.bucket_exact[j] == 0:
                    unsettled += 1
                    if bucket < 0:
                        bucket = j
            if unsettled == 0:
                bound, exact, column = frame[COST], 1, int(np.int64(stack.columns[frame[TRIED]]))
                state = _DONE
                continue
            if level + 2 >= frames.shape[0]:
                raise MemoryError("states are nested too deeply for the exact search")
            _open_bucket(table, stack, scratch, level, bucket, unsettled, free)
            below = frames[level + 1]
            bound, exact, column = glance(
                table,
                memo,
                scratch,
                stack.ceilings[level],
                below[FIRST],
                below[COUNT],
                below[LEFT],
                stack.shown[level + 1],
                below[LIMIT],
                below[TOP],
            )
            if exact == 1 or bound > below[LIMIT]:
                state = _NEXT_BUCKET if _update_bucket(stack, level, bound, exact) else _NEXT_GUESS
            else:
                level += 1
                _enter(table, scratch, stack, level)
                state = _NEXT_GUESS
        else:
            note(
                table,
                memo,
                scratch.members,
                frame[FIRST],
                frame[COUNT],
                frame[LEFT],
                stack.shown[level],
                bound,
                exact,
                column,
            )
            if level == 0:
                return bound, exact, column
            level -= 1
            state = _NEXT_BUCKET if _update_bucket(stack, level, bound, exact) else _NEXT_GUESS


@lean
def work_done(scratch: Scratch) -> int:
    """Work done so far: chunks counted, with states and guesses at their rough price in chunks."""
    return int(scratch.work[2] + 2 * scratch.work[0] + scratch.work[1])
