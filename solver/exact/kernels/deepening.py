"""The exact value of a state, by iterative deepening on its bound.

As in IDA* (Korf, "Depth-first iterative-deepening", 1985), a limit rises from the lower bound until
something holds within it. Here each state does so by itself, and a value is a sum over buckets:

    a frame lists the guesses whose bound is within its limit, and begins at the least bound
    level    the next guess whose bound has not passed the level is tried:
             split, bound its buckets quickly, and the cost either passes the level: the guess
             fails, and keeps the cost as its raised bound; or there is slack: it is spread evenly
             over the unsettled buckets, and the largest of them is searched within its share
    holds    all buckets are settled within the level: no other guess is better
    fails    no guess is left at this level: go on at the least of the raised bounds

Where the bound is nearly the value, which is the rule, few levels and few guesses are looked at.
"""

from __future__ import annotations

from typing import NamedTuple

from ...machine.jit import noalloc
from .lemmas import NEVER, next_value, not_listed
from .memo import Memo, note
from .score_table import ScoreTable
from .search_frames import (
    COST,
    COUNT,
    LEFT,
    LEVEL,
    LIMIT,
    TOP,
    TRIED,
    TRIES,
    TRIES_END,
    Stack,
    Workspace,
    bound_buckets_quickly,
    close_bucket,
    first_frame,
    guess_of,
    holds,
    list_guesses,
    open_bucket,
    split_frame,
    state_at,
    unsettled,
)
from .state import Scratch, quick_bound, work_done
from .table_vectors import Scores, copy_row

_NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2
#: A search is interrupted between two guesses of its state; deeper down, after so many budgets.
_OVERRUN = 4


class Lists(NamedTuple):
    """Where the guesses of a state stand in the lists of the stack, and where others may begin."""

    begin: int
    end: int
    free: int


@noalloc(inner=True, inline=True)
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


@noalloc(inner=True, inline=True)
def _try_guess(table: ScoreTable, memo: Memo, scratch: Scratch, stack: Stack, level: int) -> bool:
    """Split by the picked guess and bound its buckets; False if its cost passes the level."""
    scratch.work[1] += 1
    split_frame(table, scratch, stack, level)
    frame = stack.frames[level]
    bound_buckets_quickly(table, memo, scratch, stack, level, frame[LEVEL])
    return holds(stack, frame)


@noalloc(inner=True)
def _enter(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """List the guesses of a new frame."""
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    copy_row(ceiling, stack.ceilings[level - 1])
    state, limit, at = state_at(scratch, stack, level), frame[LIMIT], frame[TRIES]
    frame[TRIES_END] = list_guesses(table, scratch, stack, ceiling, state, limit, at)
    frame[LEVEL] = -1
    frame[TRIED] = frame[TRIES_END]


@noalloc
def search(
    work: Workspace, ceiling: Scores, count: int, left: int, limit: int, lists: Lists, budget: int
) -> tuple[int, int, int]:
    """The value of the state ``members[:count]``, if within ``limit``, by deepening on its bound.

    Its guesses are listed, and raised bounds stay in the list; what hard mode has seen lies in the
    first frame. Returns (bound, exact, column): exact 1: the bound is the value; 0: the value is at
    least the bound, which is above the limit; -1: so much is known after about ``budget`` units of
    work.
    """
    table, memo, scratch, stack = work
    frames = stack.frames
    copy_row(stack.ceilings[0], ceiling)
    first_frame(stack, count, left, limit)
    frames[0, LEVEL] = -1
    frames[0, TRIES], frames[0, TRIES_END], frames[0, TRIED] = lists.begin, lists.end, lists.end
    stop = work_done(scratch) + budget
    level = 0
    step = _NEXT_GUESS
    bound, exact, column = 0, 0, -1
    while True:
        frame = frames[level]
        if step == _NEXT_GUESS:
            if work_done(scratch) > stop and (
                level == 0 or work_done(scratch) > stop + _OVERRUN * budget
            ):
                return max(frames[0, LEVEL], 0), -1, -1
            if not _pick_guess(table, stack, level):
                others = not_listed(table.price, frame[COUNT], frame[LEFT], frame[LIMIT])
                bound, exact, column = min(frame[LEVEL], others), 0, -1
                step = _DONE
            elif _try_guess(table, memo, scratch, stack, level):
                step = _NEXT_BUCKET
        elif step == _NEXT_BUCKET:
            bucket, others = unsettled(stack, frame)
            if bucket < 0:
                bound, exact, column = frame[COST], 1, guess_of(stack, frame)
                step = _DONE
                continue
            open_bucket(
                table, scratch, stack, level, bucket, (frame[LEVEL] - frame[COST]) // others
            )
            below = frames[level + 1]
            if level == 0:
                below[TRIES] = lists.free
            state = state_at(scratch, stack, level + 1)
            bound, exact, column = quick_bound(
                table, memo, scratch, stack.ceilings[level], state, below[LIMIT], below[TOP]
            )
            if exact == 1 or bound > below[LIMIT]:
                close_bucket(stack, frame, bound, exact)
                step = _NEXT_BUCKET if holds(stack, frame) else _NEXT_GUESS
            else:
                level += 1
                _enter(table, scratch, stack, level)
                step = _NEXT_GUESS
        else:
            note(memo, state_at(scratch, stack, level), bound, exact, column)
            if level == 0:
                return bound, exact, column
            level -= 1
            close_bucket(stack, frames[level], bound, exact)
            step = _NEXT_BUCKET if holds(stack, frames[level]) else _NEXT_GUESS
