"""The value of a state that is far above its bound, by branch and bound.

Deepening goes up total by total and is at its best where the bound is nearly the value. A state
that must lose candidates lies far above it. Here a frame takes its guesses in the order of their
bounds and searches the buckets of each within all that the best guess so far leaves; what is lost
is bounded by the capacity of states (docs/exact.md, lemma 12). Memo, desk and stack are those of
the other search, and what either finds out serves both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel
from ..table.count_lanes import LANES
from ..table.score_table import ScoreTable, is_legal, show
from .bounds import LOSS, NEVER, after_guess, guesses_left, lost, next_value, not_listed
from .deepening import work_done
from .glance import contains, glance, split
from .listing import list_guesses
from .memo import Memo, note
from .scratch import (
    BEST,
    BUCKETS,
    BUCKETS_END,
    CHILD,
    COLUMN,
    COST,
    COUNT,
    FIRST,
    LEFT,
    LIMIT,
    LOWEST,
    NOWHERE,
    TOP,
    TRIED,
    TRIES,
    TRIES_END,
    Scratch,
    Stack,
)

#: So few candidates take over the capacity of the state before.
_INHERIT = 8
#: What comes next.
_ENTER, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3


@kernel(inner=True)
def least_by_capacity(price: int, count: int, capacity: NDArray[np.int32], left: int) -> int:
    """Lemma 12: no state of this size is worth less, where ``capacity`` is that of a larger one.

    ``solved`` is the most that a strategy can solve with so many guesses.
    """
    solved, guesses, value = 1, 1, count * price
    while solved < count:
        if guesses == left:
            value += (count - solved) * LOSS
        value += (count - solved) * price
        solved = int(np.int64(capacity[solved]))
        guesses += 1
    return value


@kernel(inner=True)
def _find_capacity(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """What one guess more can do: of each x the most, over all legal guesses, that its buckets hold
    if none counts for more than x. Of few candidates, what it is for the state before.
    """
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    first, count = frame[FIRST], frame[COUNT]
    capacity, shown = stack.capacity[level], stack.shown[level]
    if level > 0 and count <= _INHERIT:
        for x in range(count + 1):
            capacity[x] = min(stack.capacity[level - 1, x], np.int32(count))
        return
    times, tally = scratch.times, scratch.scores
    for x in range(count + 1):
        capacity[x], tally[x] = x, 0
    for column in range(ceiling.shape[0]):
        if ceiling[column] < 2 or not is_legal(table, column, shown):
            continue
        distinct = _histogram(table, scratch, first, count, column)
        most = 0
        for j in range(distinct):
            size = times[scratch.seen[j]]
            times[scratch.seen[j]] = 0
            tally[size] += 1
            most = max(most, size)
        held, wider = 0, distinct
        for x in range(1, most + 1):
            held += wider
            wider -= tally[x]
            tally[x] = 0
            capacity[x] = max(capacity[x], held)
        capacity[most] = count
    for x in range(1, count + 1):
        capacity[x] = max(capacity[x], capacity[x - 1])


@kernel(inner=True)
def _histogram(table: ScoreTable, scratch: Scratch, first: int, count: int, column: int) -> int:
    """Count the scores of a guess in ``desk.times``; how many different ones are in ``seen``."""
    times = scratch.times
    of_row = table.scores[column]
    distinct = 0
    for k in range(first, first + count):
        score = np.int64(of_row[scratch.members[k]])
        if times[score] == 0:
            scratch.seen[distinct] = score
            distinct += 1
        times[score] += 1
    return distinct


@kernel(inner=True)
def _least_by_sizes(
    table: ScoreTable,
    scratch: Scratch,
    frame: NDArray[np.int64],
    capacity: NDArray[np.int32],
    column: int,
) -> int:
    """The least value of a guess, from the sizes of its buckets."""
    first, count, left = frame[FIRST], frame[COUNT], frame[LEFT]
    distinct = _histogram(table, scratch, first, count, column)
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


@kernel(inner=True)
def _enter(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """List the guesses of a new frame, the most promising first."""
    frame = stack.frames[level]
    first, count, left, limit = frame[FIRST], frame[COUNT], frame[LEFT], frame[LIMIT]
    ceiling = stack.ceilings[level]
    ceiling[:] = table.parts if level == 0 else stack.ceilings[level - 1]
    begin = frame[TRIES]
    end = list_guesses(
        table, scratch, stack, ceiling, first, count, left, stack.shown[level], limit, begin
    )
    frame[TRIED], frame[BEST], frame[COLUMN] = begin - 1, NEVER, -1
    frame[LOWEST] = not_listed(table.price, count, left, limit)
    scratch.work[2] += (end - begin + ceiling.shape[0]) * count // LANES
    _find_capacity(table, scratch, stack, level)
    kept = 0
    for at in range(begin, end):
        column = int(np.int64(stack.columns[at]))
        bound = _least_by_sizes(table, scratch, frame, stack.capacity[level], column)
        if bound > limit:
            frame[LOWEST] = min(frame[LOWEST], bound)
        else:
            stack.keys[kept, 0], stack.keys[kept, 1] = bound, column
            kept += 1
    order = np.argsort(stack.keys[:kept, 0], kind="mergesort")
    for k in range(kept):
        stack.bounds[begin + k] = stack.keys[order[k], 0]
        stack.columns[begin + k] = stack.keys[order[k], 1]
    frame[TRIES_END] = begin + kept


@kernel(inner=True)
def _try_guess(table: ScoreTable, memo: Memo, scratch: Scratch, stack: Stack, level: int) -> bool:
    """Split by the guess in turn and glance at its buckets; False if it is above the limit."""
    frame = stack.frames[level]
    column = int(np.int64(stack.columns[frame[TRIED]]))
    left, top = frame[LEFT], frame[TOP]
    scratch.work[1] += 1
    cost, buckets = split(table, scratch, frame[FIRST], frame[COUNT], column, left, top)
    then = after_guess(left)
    begin = frame[BUCKETS]
    for j in range(buckets):
        size = scratch.sizes[j]
        bound = least_by_capacity(
            table.price, size, stack.capacity[level], guesses_left(then, size)
        )
        stack.bucket_start[begin + j], stack.bucket_size[begin + j] = scratch.starts[j], size
        stack.bucket_bound[begin + j], stack.bucket_exact[begin + j] = bound, 0
        cost += bound
        top += size
    frame[BUCKETS_END] = begin + buckets
    for j in range(begin, begin + buckets):
        if cost > frame[LIMIT]:
            break
        known = stack.bucket_bound[j]
        start, size = stack.bucket_start[j], stack.bucket_size[j]
        below = stack.shown[level + 1]
        show(table, column, scratch.members[start], stack.shown[level], below)
        bound, exact, _ = glance(
            table,
            memo,
            scratch,
            stack.ceilings[level],
            start,
            size,
            then,
            below,
            frame[LIMIT] - cost + known,
            top,
        )
        stack.bucket_bound[j] = max(bound, known)
        stack.bucket_exact[j] = exact
        cost += stack.bucket_bound[j] - known
    frame[COST] = cost
    return bool(_holds(frame))


@kernel(inner=True)
def _holds(frame: NDArray[np.int64]) -> bool:
    """Whether the guess in turn may still be within the limit; its bound is kept if not."""
    if frame[COST] <= frame[LIMIT]:
        return True
    frame[LOWEST] = min(frame[LOWEST], frame[COST])
    return False


@kernel(inner=True)
def _open_bucket(
    table: ScoreTable, scratch: Scratch, stack: Stack, level: int, bucket: int
) -> None:
    """A new frame for a bucket, which may be worth whatever the others leave."""
    frame, below = stack.frames[level], stack.frames[level + 1]
    start, size = stack.bucket_start[bucket], stack.bucket_size[bucket]
    frame[CHILD] = bucket
    below[FIRST], below[COUNT] = start, size
    below[LEFT] = guesses_left(after_guess(frame[LEFT]), size)
    below[LIMIT] = frame[LIMIT] - frame[COST] + stack.bucket_bound[bucket]
    below[TRIES], below[BUCKETS] = frame[TRIES_END], frame[BUCKETS_END]
    last = frame[BUCKETS_END] - 1
    below[TOP] = stack.bucket_start[last] + stack.bucket_size[last]
    column = int(np.int64(stack.columns[frame[TRIED]]))
    show(table, column, scratch.members[start], stack.shown[level], stack.shown[level + 1])


@kernel(inner=True)
def _first_unsettled(stack: Stack, frame: NDArray[np.int64]) -> int:
    """The largest bucket of the guess in turn whose value is not known yet; -1: none."""
    for bucket in range(frame[BUCKETS], frame[BUCKETS_END]):
        if stack.bucket_exact[bucket] == 0:
            return int(bucket)
    return -1


@kernel(inner=True)
def _result(table: ScoreTable, stack: Stack, frame: NDArray[np.int64]) -> tuple[int, int]:
    """What a frame has found out: (bound, is it the value)."""
    if frame[BEST] < NEVER:
        return frame[BEST], 1
    lowest = frame[LOWEST]
    if frame[TRIED] < frame[TRIES_END]:
        lowest = min(lowest, stack.bounds[frame[TRIED]])
    return next_value(table.price, frame[COUNT], frame[LEFT], lowest), 0


@kernel(inner=True)
def _lay_out(table: ScoreTable, stack: Stack, count: int, left: int, limit: int) -> None:
    """The first frame."""
    frame = stack.frames[0]
    frame[FIRST], frame[COUNT], frame[TOP] = 0, count, count
    frame[LEFT], frame[LIMIT] = guesses_left(left, count), limit
    frame[TRIES], frame[BUCKETS] = 0, 0


@kernel(inner=True)
def _only(stack: Stack, column: int) -> None:
    """One guess alone for the first frame."""
    frame = stack.frames[0]
    frame[TRIES], frame[TRIES_END], frame[TRIED] = 0, 1, -1
    frame[BEST], frame[COLUMN], frame[LOWEST] = NEVER, -1, NEVER
    stack.columns[0], stack.bounds[0] = column, 0


@kernel
def list_state(
    table: ScoreTable, scratch: Scratch, stack: Stack, count: int, left: int, limit: int
) -> int:
    """List the guesses of ``members[:count]`` that may be within a limit, the best bound first."""
    _lay_out(table, stack, count, left, limit)
    _enter(table, scratch, stack, 0)
    return int(stack.frames[0, TRIES_END])


@kernel
def branch_and_bound(  # noqa: PLR0912 - the whole state machine
    table: ScoreTable,
    memo: Memo,
    scratch: Scratch,
    stack: Stack,
    place: NDArray[np.int64],
    count: int,
    left: int,
    limit: int,
    first: int,
    budget: int,
) -> tuple[int, int, int]:
    """The value of the state ``members[:count]``, if it is at most ``limit``.

    With a column ``first`` it is that of this guess: the state must have been listed then, the last
    of all. ``place`` is NOWHERE at first; a search that was broken off after about ``budget`` units
    of work goes on from it. Returns (bound, exact, column): exact 1: the bound is the value; 0: the
    value is at least the bound, which is above the limit; -1: broken off.
    """
    frames = stack.frames
    stop = work_done(scratch) + budget
    level, step = place[0], _NEXT_GUESS
    if level == NOWHERE:
        level, step = 0, _ENTER
        _lay_out(table, stack, count, left, limit)
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
            if frame[TRIED] < frame[TRIES_END] and stack.bounds[frame[TRIED]] <= frame[LIMIT]:
                step = (
                    _NEXT_BUCKET if _try_guess(table, memo, scratch, stack, level) else _NEXT_GUESS
                )
            else:
                step = _DONE
        elif step == _NEXT_BUCKET:
            bucket = _first_unsettled(stack, frame)
            if bucket < 0:
                frame[BEST], frame[COLUMN] = frame[COST], stack.columns[frame[TRIED]]
                frame[LIMIT] = frame[COST] - 1
                step = _NEXT_GUESS
                continue
            if level + 2 >= frames.shape[0]:
                raise MemoryError("states are nested too deeply for the exact search")
            _open_bucket(table, scratch, stack, level, bucket)
            level += 1
            step = _ENTER
        else:
            bound, exact = _result(table, stack, frame)
            best = frame[COLUMN]
            if level == 0:
                place[0] = NOWHERE
                return bound, exact, best
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
                best,
            )
            level -= 1
            above = frames[level]
            bucket = above[CHILD]
            above[COST] += max(bound - stack.bucket_bound[bucket], 0)
            stack.bucket_bound[bucket] = max(bound, stack.bucket_bound[bucket])
            stack.bucket_exact[bucket] = exact
            step = _NEXT_BUCKET if _holds(above) else _NEXT_GUESS
