"""The exact value of a state, by deepening on the bound.

A state keeps the guesses whose bound is within its limit. At each level, from the least bound
upwards, it tries those whose bound has not passed the level: splits, glances at the buckets,
spreads what slack is left over the unsettled ones and searches them with it. A guess that fails
keeps its raised bound; the first that holds has the value. No recursion: frames on a stack.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import lean
from .lanes import LANES, at_least, lowest_bit
from .memo import Memo, note
from .room import Room, is_legal, show
from .states import (
    NEVER,
    Desk,
    after_guess,
    fewest_parts,
    glance,
    guesses_left,
    least,
    least_by_parts,
    not_listed,
    split,
    tighten,
)

#: Columns of a frame. FIRST, COUNT, LEFT: the state. LIMIT: values above are of no interest.
#: LEVEL: the bound under test. TRIES, TRIES_END, TRIED: its guesses. BUCKETS, BUCKETS_END, COST,
#: CHILD: the guess under test. TOP: free rows behind it.
FIRST, COUNT, LEFT, LIMIT, LEVEL = 0, 1, 2, 3, 4
TRIES, TRIES_END, TRIED, BUCKETS, BUCKETS_END, COST, CHILD, TOP = 5, 6, 7, 8, 9, 10, 11, 12
_FIELDS = 13
_NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2
_MOST_BUCKETS = 256
#: States are rarely nested deeper; a world where they are is searched all the same up to here.
_DEEPEST = 300


class Stack(NamedTuple):
    """The frames of nested states, and their guesses and buckets."""

    frames: NDArray[np.int64]
    shown: NDArray[np.uint64]
    #: What no guess exceeds in parts, for the state of each frame.
    ceilings: NDArray[np.uint8]
    columns: NDArray[np.int32]
    bounds: NDArray[np.int64]
    #: Scratch for sorting a list: (key, column, bound).
    keys: NDArray[np.int64]
    bucket_start: NDArray[np.int64]
    bucket_size: NDArray[np.int64]
    bucket_bound: NDArray[np.int64]
    bucket_exact: NDArray[np.int64]


def nesting(secrets: int) -> int:
    """How deep states of a room can be nested: every guess worth trying excludes a candidate."""
    return min(secrets, _DEEPEST) + 1


def new_stack(levels: int, guesses: int, lists: int = 1) -> Stack:
    """Memory for the frames; room for ``lists`` lists of all guesses that outlive a search."""
    tries = guesses * (levels + lists)
    buckets = _MOST_BUCKETS * (levels + 1)
    return Stack(
        np.zeros((levels + 2, _FIELDS), dtype=np.int64),
        np.zeros((levels + 2, 4), dtype=np.uint64),
        np.empty((levels + 2, guesses), dtype=np.uint8),
        np.empty(tries, dtype=np.int32),
        np.empty(tries, dtype=np.int64),
        np.empty((guesses, 3), dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
    )


@lean
def list_guesses(
    room: Room,
    desk: Desk,
    stack: Stack,
    ceiling: NDArray[np.uint8],
    first: int,
    count: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
    at: int,
) -> int:
    """Write the legal guesses with a bound up to ``limit`` to the lists from ``at``; the end.

    The ceiling is lowered by what is found.
    """
    need = fewest_parts(room.price, count, left, limit, 1)
    if need > count:
        return at
    for column in range(0, room.guess.shape[0], LANES):
        if room.parts[column] < need:
            break
        tighten(room, desk, desk.members, first, count, ceiling, column, need)
    return list_counted(room, desk, stack, ceiling, first, count, left, shown, limit, at)


@lean
def list_counted(
    room: Room,
    desk: Desk,
    stack: Stack,
    ceiling: NDArray[np.uint8],
    first: int,
    count: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
    at: int,
) -> int:
    """The same, where the ceiling is exact as far as it is of interest."""
    members = desk.members
    begin = at
    need = fewest_parts(room.price, count, left, limit, 1)
    for k in range(first, first + count):
        desk.inside[members[k]] = 1
    for column in range(0, room.guess.shape[0], LANES):
        if need > count or room.parts[column] < need:
            break
        good = at_least(ceiling, column, need)
        while good != np.uint64(0):
            here = column + lowest_bit(good)
            good &= good - np.uint64(1)
            row = room.secret[here]
            hit = 1 if row >= 0 and desk.inside[row] == 1 else 0
            bound = least_by_parts(room.price, count, np.int64(ceiling[here]), hit, left)
            if bound <= limit and is_legal(room, here, shown):
                stack.columns[at] = here
                stack.bounds[at] = bound
                at += 1
    for k in range(first, first + count):
        desk.inside[members[k]] = 0
    if room.price == 0:
        _least_bucket_first(room, desk, stack, first, count, begin, at)
    return at


@lean
def _least_bucket_first(
    room: Room, desk: Desk, stack: Stack, first: int, count: int, begin: int, end: int
) -> None:
    """Sort a list of guesses by the size of their largest bucket, where all bounds are alike."""
    times, below = desk.times, desk.scores
    columns, keys = stack.columns, stack.keys
    below[: count + 1] = 0
    for at in range(begin, end):
        of_row = room.scores[columns[at]]
        most = 0
        for k in range(count):
            score = np.int64(of_row[desk.members[first + k]])
            times[score] += 1
            most = max(most, times[score])
        for k in range(count):
            times[np.int64(of_row[desk.members[first + k]])] = 0
        keys[at - begin, 0], keys[at - begin, 1] = most, columns[at]
        keys[at - begin, 2] = stack.bounds[at]
        below[most] += 1
    place = begin
    for size in range(count + 1):
        place, below[size] = place + below[size], place
    for k in range(end - begin):
        at = below[keys[k, 0]]
        below[keys[k, 0]] += 1
        columns[at], stack.bounds[at] = keys[k, 1], keys[k, 2]


@lean
def _pick_guess(stack: Stack, level: int) -> bool:
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
        frame[LEVEL] = lowest
        if lowest > frame[LIMIT]:
            return False
        at = first


@lean
def _try_guess(room: Room, memo: Memo, desk: Desk, stack: Stack, level: int) -> bool:
    """Split by the picked guess and glance at its buckets; False if its bound passes the level."""
    frame = stack.frames[level]
    at = frame[TRIED]
    column = np.int64(stack.columns[at])
    left, top = frame[LEFT], frame[TOP]
    desk.work[1] += 1
    cost, buckets = split(room, desk, frame[FIRST], frame[COUNT], column, left, top)
    then = after_guess(left)
    ceiling = stack.ceilings[level]
    begin = frame[BUCKETS]
    for j in range(buckets):
        size = desk.sizes[j]
        stack.bucket_start[begin + j] = desk.starts[j]
        stack.bucket_size[begin + j] = size
        stack.bucket_bound[begin + j] = least(room.price, size, guesses_left(then, size))
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
        show(room, column, desk.members[start], stack.shown[level], below)
        limit = frame[LEVEL] - cost + known
        bound, exact, _ = glance(room, memo, desk, ceiling, start, size, then, below, limit, top)
        bound = max(bound, known)
        stack.bucket_bound[j] = bound
        stack.bucket_exact[j] = exact
        cost += bound - known
    frame[COST] = cost
    if cost > frame[LEVEL]:
        stack.bounds[at] = cost
        return False
    return True


@lean
def _open_bucket(
    room: Room, stack: Stack, desk: Desk, level: int, bucket: int, unsettled: int, free: int
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
    column = np.int64(stack.columns[frame[TRIED]])
    show(room, column, desk.members[start], stack.shown[level], stack.shown[level + 1])


@lean
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


@lean
def _enter(room: Room, desk: Desk, stack: Stack, level: int) -> None:
    """List the guesses of a new frame."""
    frame = stack.frames[level]
    ceiling, above = stack.ceilings[level], stack.ceilings[level - 1]
    for at in range(ceiling.shape[0]):
        ceiling[at] = above[at]
    frame[TRIES_END] = list_guesses(
        room,
        desk,
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
    room: Room,
    memo: Memo,
    desk: Desk,
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
    for at in range(ceiling.shape[0]):
        stack.ceilings[0, at] = ceiling[at]
    frames[0, FIRST], frames[0, COUNT], frames[0, LEFT] = 0, count, guesses_left(left, count)
    frames[0, LIMIT], frames[0, LEVEL] = limit, -1
    frames[0, TRIES], frames[0, TRIES_END], frames[0, TRIED] = listed, listed_end, listed_end
    frames[0, BUCKETS], frames[0, TOP] = 0, count
    stop = _work(desk) + budget
    level = 0
    state = _NEXT_GUESS
    bound, exact, column = 0, 0, -1
    while True:
        frame = frames[level]
        if state == _NEXT_GUESS:
            if level == 0 and _work(desk) > stop:
                return max(frame[LEVEL], 0), -1, -1
            if not _pick_guess(stack, level):
                others = not_listed(room.price, frame[COUNT], frame[LEFT], frame[LIMIT])
                bound, exact, column = min(frame[LEVEL], others), 0, -1
                state = _DONE
            elif _try_guess(room, memo, desk, stack, level):
                state = _NEXT_BUCKET
        elif state == _NEXT_BUCKET:
            unsettled, bucket = 0, -1
            for j in range(frame[BUCKETS], frame[BUCKETS_END]):
                if stack.bucket_exact[j] == 0:
                    unsettled += 1
                    if bucket < 0:
                        bucket = j
            if unsettled == 0:
                bound, exact, column = frame[COST], 1, np.int64(stack.columns[frame[TRIED]])
                state = _DONE
                continue
            if level + 2 >= frames.shape[0]:
                raise MemoryError("states are nested too deeply for the exact search")
            _open_bucket(room, stack, desk, level, bucket, unsettled, free)
            below = frames[level + 1]
            bound, exact, column = glance(
                room,
                memo,
                desk,
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
                _enter(room, desk, stack, level)
                state = _NEXT_GUESS
        else:
            if level == 0:
                return bound, exact, column
            note(
                room,
                memo,
                desk.members,
                frame[FIRST],
                frame[COUNT],
                frame[LEFT],
                stack.shown[level],
                bound,
                exact,
                column,
            )
            level -= 1
            state = _NEXT_BUCKET if _update_bucket(stack, level, bound, exact) else _NEXT_GUESS


@lean
def _work(desk: Desk) -> int:
    """Work done so far: chunks counted, with states and guesses at their rough price in chunks."""
    return desk.work[2] + 2 * desk.work[0] + desk.work[1]
