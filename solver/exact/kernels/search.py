"""The value of a state: a search whose level rises from the lower bound until something holds.

So does IDA* (Korf, "Depth-first iterative-deepening", 1985). Here each state does so by itself, and
a value is a sum over buckets:

    enter    a frame lists the guesses whose bound is within its limit
    level    the next guess whose bound has not passed the level is tried: split, bound its buckets
             quickly; if the cost passes the level the guess fails, and keeps it as its raised bound
    bucket   else there is slack: the largest unsettled bucket is searched within its share of it
    holds    all buckets are settled: a value, and from now on only less is of interest
    fails    no guess is left at this level: go on at a higher one, up to the limit

There are three rules for what the next level is.

* DEEPENING: the least of the bounds, so the first guess that holds has the value. Where the bound
  is nearly the value, which most states are like, few levels and few guesses are looked at.
* BRANCHING: the limit at once (Land and Doig, "An automatic method of solving discrete programming
  problems", 1960), for a state that must lose candidates, and lies far above its bound. Guesses are
  bounded more closely when they are listed, and tried in that order; a bucket gets all the slack.
* DOUBLING: each level is twice as far above the bounds as the last one. This is for states with
  weights: sums of weights lie far apart, so that levels one above the other would be many.

What is lost is bounded by the capacity of states (docs/exact.md, lemmas 12 and 12a). Memo, scratch
memory and frames are the same for all rules: what one finds out serves the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import noalloc
from ...machine.vectors import first_bit
from .lemmas import (
    LOSS,
    NEVER,
    after_guess,
    fewest_parts,
    guesses_left,
    least_by_parts,
    lost,
    next_value,
    not_listed,
)
from .memo import State, note
from .score_table import ScoreTable, is_legal, reveal
from .search_frames import (
    BEST,
    BUCKETS,
    BUCKETS_END,
    COLUMN,
    COST,
    COUNT,
    FIRST,
    LEFT,
    LEVEL,
    LIMIT,
    LOWEST,
    NOWHERE,
    STEP,
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
    split_frame,
    state_at,
    top_below,
    unsettled,
)
from .state import Scratch, Weighing, contains, mark, quick_bound, tighten, work_done
from .table_vectors import BLOCK_COLUMNS, Rows, Scores, Sums, copy_row
from .weighted_states import VALUE, parts_needed, parts_weight, quick_weighted, weight_of

#: The rules.
DEEPENING, BRANCHING, DOUBLING = 0, 1, 2
#: What a search does next.
_ENTER, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3
#: How a search ends: the value is known; it is above the limit; interrupted.
EXACT, BEYOND, INTERRUPTED = 1, 0, -1
#: Deepening is interrupted between two guesses of its state; deeper down, after so many budgets.
_OVERRUN = 4
#: With weights the first level is one in so many of a state's weight above its bound.
_FIRST_STEP = 128
#: So few candidates take over the capacity of the state before. With weights all do where a guess
#: has more parts than one for so many candidates.
_INHERIT, _FEW_PARTS = 8, 4


class Lists(NamedTuple):
    """Where the guesses of a state stand in the lists of the stack, and where others may begin."""

    begin: int
    end: int
    free: int


# ---- The guesses to try: the legal ones with a bound within the limit
#
# A limit says how many parts a guess needs (lemma 2; with weights how much its parts weigh, lemma
# 17); columns stand in the order of their parts, so all behind the first block with too few are out
# at once. What ceilings do not exclude is counted, 64 guesses at a time, and kept as the ceiling of
# the states below.


@noalloc
def list_guesses(
    work: Workspace, weighing: Weighing | None, ceiling: Scores, state: State, limit: int, at: int
) -> int:
    """Write the legal guesses of a state, bounds up to ``limit``, to lists from ``at``; the end.

    The ceiling is lowered by what is found.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    count, left, begin = state.size, state.left, at
    if weighing is None:
        need = fewest_parts(table.price, count, left, limit, 1)
    else:
        weight = weight_of(weighing, state)
        heaviest = int(weighing.weights[state.members[state.first]])
        need = max(parts_needed(weighing, state, 3 * weight - limit - heaviest), 2)
    if need > count:
        return at
    mark(scratch, state, 1)
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        if table.parts[column] < need:
            break
        good = tighten(table, scratch, state, ceiling, column, need)
        while good != np.uint64(0):
            here = column + first_bit(good)
            good &= good - np.uint64(1)
            row = table.secret[here]
            hit = 1 if row >= 0 and scratch.inside[row] == 1 else 0
            if weighing is None:
                bound = least_by_parts(table.price, count, int(np.int64(ceiling[here])), hit, left)
            else:
                bound = 3 * weight - parts_weight(table, weighing, scratch, state, here)
                bound -= int(weighing.weights[row]) if hit == 1 else 0
            if bound <= limit and is_legal(table, here, state.revealed):
                stack.columns[at] = here
                stack.bounds[at] = bound
                at += 1
    mark(scratch, state, 0)
    if weighing is None and table.price == 0:
        _least_bucket_first(table, scratch, stack, state, begin, at)
    return at


@noalloc(inner=True)
def _least_bucket_first(
    table: ScoreTable, scratch: Scratch, stack: Stack, state: State, begin: int, end: int
) -> None:
    """Sort a list of guesses by the size of their largest bucket, where all bounds are alike."""
    times, below, count = scratch.times, scratch.scores, state.size
    columns, keys = stack.columns, stack.keys
    below[: count + 1] = 0
    for at in range(begin, end):
        most, column = 0, int(np.int64(columns[at]))
        for j in range(histogram(table, scratch, state.first, count, column)):
            most = max(most, times[scratch.seen[j]])
            times[scratch.seen[j]] = 0
        keys[at - begin, 0], keys[at - begin, 1] = most, column
        keys[at - begin, 2] = stack.bounds[at]
        below[most] += 1
    place = begin
    for size in range(count + 1):
        place, below[size] = place + below[size], place
    for k in range(end - begin):
        at = below[keys[k, 0]]
        below[keys[k, 0]] += 1
        columns[at], stack.bounds[at] = keys[k, 1], keys[k, 2]


# ---- Capacity: how many candidates so many guesses can solve at most
#
# Of rhymes no guess tells more than one or two from the others, and a search that knows nothing of
# that looks at every subset of them. docs/exact.md, lemma 12, says what capacity is and what it
# says of totals; lemma 12a what it says of totals by weight.


@noalloc(inner=True)
def histogram(table: ScoreTable, scratch: Scratch, first: int, count: int, column: int) -> int:
    """Count the scores of a guess in ``scratch.times``; how many different ones are in ``seen``."""
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


@noalloc(inner=True)
def find_capacity(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """What one guess more can do in the state of a frame, in ``capacity[x]`` for each x.

    The most that the buckets of any legal guess hold if none counts for more than x.
    """
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    first, count = frame[FIRST], frame[COUNT]
    capacity, revealed = stack.capacity[level], stack.revealed[level]
    times, tally = scratch.times, scratch.scores
    for x in range(count + 1):
        capacity[x], tally[x] = x, 0
    for column in range(ceiling.shape[0]):
        if ceiling[column] < 2 or not is_legal(table, column, revealed):
            continue
        distinct, most = histogram(table, scratch, first, count, column), 0
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


@noalloc(inner=True)
def take_over_capacity(stack: Stack, level: int) -> None:
    """Take over the capacity of the state before; nothing is known of the first state."""
    count, capacity = stack.frames[level][COUNT], stack.capacity[level]
    for x in range(count + 1):
        most = stack.capacity[level - 1, x] if level > 0 else np.int32(count)
        capacity[x] = min(most, np.int32(count))


@noalloc(inner=True)
def least_by_capacity(price: int, count: int, capacity: Rows, left: int) -> int:
    """The least value (lemma 12) of a state of this size, where ``capacity`` is of a larger one.

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


@noalloc(inner=True)
def least_weight_by_capacity(weighing: Weighing, state: State, weight: int, capacity: Rows) -> int:
    """The least value (lemma 12a) of a state of this weight; ``capacity`` is of a larger one."""
    solved, most, unsolved, total = 0, 1, weight, weight
    while most < state.size:
        while solved < most:
            unsolved -= weighing.weights[np.uint32(state.members[state.first + solved])]
            solved += 1
        total += unsolved
        most = int(np.int64(capacity[most]))
    return int(total)


# ---- A new frame


@noalloc(inner=True)
def _enter(work: Workspace, weighing: Weighing | None, rule: int, level: int) -> None:
    """List the guesses of a new frame."""
    table, scratch, stack = work.table, work.scratch, work.stack
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    copy_row(ceiling, table.parts if level == 0 else stack.ceilings[level - 1])
    state, limit, begin = state_at(scratch, stack, level), frame[LIMIT], frame[TRIES]
    end = list_guesses(work, weighing, ceiling, state, limit, begin)
    if weighing is not None:
        sort_by_bound(stack, begin, end)
        frame[STEP] = weight_of(weighing, state) // _FIRST_STEP
        most = 0
        for at in range(begin, end):
            most = max(most, int(ceiling[stack.columns[at]]))
        if state.size > _INHERIT and _FEW_PARTS * most <= state.size:
            scratch.work[2] += ceiling.shape[0] * state.size // BLOCK_COLUMNS
            find_capacity(table, scratch, stack, level)
        else:
            take_over_capacity(stack, level)
    else:
        frame[LOWEST] = not_listed(table.price, state.size, state.left, limit)
        if rule == BRANCHING:
            end = _bound_by_sizes(work, level, end)
    _open_list(frame, begin, end)


@noalloc(inner=True, inline=True)
def _open_list(frame: Sums, begin: int, end: int) -> None:
    """The guesses of a frame stand in a list, and none was tried."""
    frame[TRIES], frame[TRIES_END], frame[TRIED], frame[LEVEL] = begin, end, end, -1
    frame[BEST], frame[COLUMN] = NEVER, -1


@noalloc(inner=True)
def _bound_by_sizes(work: Workspace, level: int, end: int) -> int:
    """Bound the guesses of a frame by the sizes of their buckets; keep those within the limit.

    They are sorted, the least bound first; the new end of their list.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    frame, capacity = stack.frames[level], stack.capacity[level]
    begin, size = frame[TRIES], frame[COUNT]
    scratch.work[2] += (end - begin + len(table.guess)) * size // BLOCK_COLUMNS
    if level > 0 and size <= _INHERIT:
        take_over_capacity(stack, level)
    else:
        find_capacity(table, scratch, stack, level)
    kept = begin
    for at in range(begin, end):
        column = int(np.int64(stack.columns[at]))
        bound = _least_by_sizes(table, scratch, frame, capacity, column)
        if bound > frame[LIMIT]:
            frame[LOWEST] = min(frame[LOWEST], bound)
        else:
            stack.bounds[kept], stack.columns[kept] = bound, column
            kept += 1
    sort_by_bound(stack, begin, kept)
    return int(kept)


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


# ---- The guess under test


@noalloc(inner=True, inline=True)
def _pick_guess(table: ScoreTable, stack: Stack, rule: int, level: int) -> bool:
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
        lowest = NEVER
        for k in range(first, end):
            lowest = min(lowest, bounds[k])
        if rule == DEEPENING:
            lowest = next_value(table.price, frame[COUNT], frame[LEFT], lowest)
        frame[LEVEL] = lowest
        if lowest > frame[LIMIT]:
            return False
        if rule == BRANCHING:
            frame[LEVEL] = frame[LIMIT]
        elif rule == DOUBLING:
            frame[LEVEL] = min(frame[LIMIT], lowest + frame[STEP])
            frame[STEP] *= 2
        at = first


@noalloc(inner=True, inline=True)
def _try_guess(work: Workspace, weighing: Weighing | None, rule: int, level: int) -> bool:
    """Split by the picked guess and bound its buckets; False if its cost passes the level."""
    table, scratch, stack = work.table, work.scratch, work.stack
    scratch.work[1] += 1
    split_frame(table, weighing, scratch, stack, level)
    if rule != DEEPENING:
        _raise_by_capacity(work, weighing, level)
    frame = stack.frames[level]
    bound_buckets(work, weighing, stack.ceilings[level], level, frame[LEVEL], frame[LEVEL])
    return holds(stack, frame)


@noalloc(inner=True)
def _raise_by_capacity(work: Workspace, weighing: Weighing | None, level: int) -> None:
    """Raise the bounds of the buckets of the guess under test by the capacity of its state."""
    table, scratch, stack = work.table, work.scratch, work.stack
    frame, capacity = stack.frames[level], stack.capacity[level]
    then, begin = after_guess(frame[LEFT]), frame[BUCKETS]
    for j in range(begin, frame[BUCKETS_END]):
        size, known = stack.bucket_size[j], stack.bucket_bound[j]
        if weighing is None:
            bound = least_by_capacity(table.price, size, capacity, guesses_left(then, size))
        else:
            start, weight = stack.bucket_start[j], weighing.bucket_weight[j - begin]
            bucket = State(scratch.members, start, size, then, stack.revealed[level])
            bound = least_weight_by_capacity(weighing, bucket, weight, capacity)
        stack.bucket_bound[j] = bound
        frame[COST] += bound - known


@noalloc(inner=True, inline=True)
def bound_buckets(
    work: Workspace, weighing: Weighing | None, ceiling: Scores, level: int, most: int, limit: int
) -> None:
    """Raise the bounds of the buckets of the guess under test, until its cost passes ``most``.

    They are good as far as its cost is within the limit; no guess has more parts in them than
    ``ceiling`` says.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    frame, below = stack.frames[level], stack.revealed[level + 1]
    column, then = guess_of(stack, frame), after_guess(frame[LEFT])
    cost, top = frame[COST], top_below(stack, frame)
    for j in range(frame[BUCKETS], frame[BUCKETS_END]):
        if cost > most:
            break
        known, start = stack.bucket_bound[j], stack.bucket_start[j]
        reveal(table, column, scratch.members[start], stack.revealed[level], below)
        bucket = State(scratch.members, start, stack.bucket_size[j], then, below)
        spare = min(limit - cost + known, NEVER)
        bound, exact, _ = _bound_quickly(work, weighing, ceiling, bucket, spare, top)
        bound = max(bound, known)
        stack.bucket_bound[j], stack.bucket_exact[j] = bound, exact
        cost += bound - known
    frame[COST] = cost


@noalloc(inner=True, inline=True)
def _bound_quickly(
    work: Workspace, weighing: Weighing | None, ceiling: Scores, state: State, limit: int, top: int
) -> tuple[int, int, int]:
    """A quick bound of a state: (bound, is it the value, column)."""
    if weighing is None:
        return quick_bound(work.table, work.memo, work.scratch, ceiling, state, limit, top)
    bound, kind, column = quick_weighted(work, weighing, ceiling, state, limit, top)
    return bound, 1 if kind == VALUE else 0, column


# ---- The search


@noalloc(inner=True, inline=True)
def _result(
    table: ScoreTable, weighing: Weighing | None, rule: int, frame: Sums
) -> tuple[int, int]:
    """What a frame has found out in which no guess is left: (bound, EXACT or BEYOND)."""
    if frame[BEST] < NEVER:
        return frame[BEST], EXACT
    if weighing is not None:
        return min(frame[LIMIT] + 1, LOSS), BEYOND
    lowest = min(frame[LEVEL], frame[LOWEST])
    if rule == BRANCHING:
        lowest = next_value(table.price, frame[COUNT], frame[LEFT], lowest)
    return lowest, BEYOND


@noalloc(inner=True)
def _run(  # noqa: PLR0912 - the whole state machine
    work: Workspace, weighing: Weighing | None, rule: int, at: int, free: int, budget: int
) -> tuple[int, int, int, int]:
    """Search from a level on, NOWHERE at first: (bound, how it ends, column, level).

    Lists below the first frame begin at ``free`` or later.
    """
    table, memo, scratch, stack = work.table, work.memo, work.scratch, work.stack
    frames = stack.frames
    stop = work_done(scratch) + budget
    level, step = at, _NEXT_GUESS
    if level == NOWHERE:
        level, step = 0, _ENTER
    bound, exact, column = 0, BEYOND, -1
    while True:
        frame = frames[level]
        if step == _ENTER:
            _enter(work, weighing, rule, level)
            step = _NEXT_GUESS
        elif step == _NEXT_GUESS:
            if work_done(scratch) > stop and (
                rule != DEEPENING or level == 0 or work_done(scratch) > stop + _OVERRUN * budget
            ):
                return max(frames[0, LEVEL], 0), INTERRUPTED, -1, level
            if not _pick_guess(table, stack, rule, level):
                bound, exact = _result(table, weighing, rule, frame)
                column, step = frame[COLUMN], _DONE
            elif _try_guess(work, weighing, rule, level):
                step = _NEXT_BUCKET
        elif step == _NEXT_BUCKET:
            bucket, others = unsettled(stack, frame)
            if bucket < 0:
                bound, exact, column = frame[COST], EXACT, guess_of(stack, frame)
                frame[BEST], frame[COLUMN], stack.bounds[frame[TRIED]] = bound, column, NEVER
                frame[LIMIT] = frame[LEVEL] = bound - 1
                step = _DONE if rule == DEEPENING else _NEXT_GUESS
                continue
            spare = frame[LEVEL] - frame[COST]
            if rule == BRANCHING:
                others = 1
            open_bucket(table, scratch, stack, level, bucket, spare // others)
            below = frames[level + 1]
            below[TRIES] = max(below[TRIES], free)
            if rule != BRANCHING:
                state = state_at(scratch, stack, level + 1)
                bound, exact, column = _bound_quickly(
                    work, weighing, stack.ceilings[level], state, below[LIMIT], below[TOP]
                )
                if exact == EXACT or bound > below[LIMIT]:
                    close_bucket(stack, frame, bound, exact)
                    step = _NEXT_BUCKET if holds(stack, frame) else _NEXT_GUESS
                    continue
            level, step = level + 1, _ENTER
        else:
            if level > 0 or rule != BRANCHING:
                note(memo, state_at(scratch, stack, level), bound, exact, column)
            if level == 0:
                return bound, exact, column, NOWHERE
            level -= 1
            close_bucket(stack, frames[level], bound, exact)
            step = _NEXT_BUCKET if holds(stack, frames[level]) else _NEXT_GUESS


@noalloc
def search(
    work: Workspace,
    weighing: Weighing | None,
    place: Sums,
    count: int,
    left: int,
    limit: int,
    budget: int,
) -> tuple[int, int, int]:
    """The value of the state ``members[:count]``, if within ``limit``: (bound, its end, column).

    EXACT: the bound is the value; BEYOND: the value is at least the bound, which is above the
    limit; INTERRUPTED: after about ``budget`` units of work, to be resumed from ``place``, which is
    NOWHERE at first. What hard mode has seen lies in the first frame. The rule is DOUBLING with
    weights, else BRANCHING.
    """
    if place[0] == NOWHERE:
        first_frame(work.stack, count, left, limit)
    rule = BRANCHING if weighing is None else DOUBLING
    bound, exact, column, place[0] = _run(work, weighing, rule, place[0], 0, budget)
    return bound, exact, column


@noalloc
def deepen(
    work: Workspace, ceiling: Scores, count: int, left: int, limit: int, lists: Lists, budget: int
) -> tuple[int, int, int]:
    """The same by DEEPENING, for a state whose guesses are listed: raised bounds stay in the list.

    A search that is interrupted is begun anew; no value is below the bound that it returns.
    """
    table, stack = work.table, work.stack
    copy_row(stack.ceilings[0], ceiling)
    first_frame(stack, count, left, limit)
    frame = stack.frames[0]
    frame[LOWEST] = not_listed(table.price, count, frame[LEFT], limit)
    _open_list(frame, lists.begin, lists.end)
    bound, exact, column, _ = _run(work, None, DEEPENING, 0, lists.free, budget)
    return bound, exact, column


@noalloc
def begin_with(work: Workspace, count: int, left: int, limit: int, column: int, bound: int) -> None:
    """Lay out the first frame for a single guess of the state ``members[:count]``, with its bound.

    From level 0 on ``search`` finds the value of this guess. Ceilings and capacity of the frame
    stay as they are.
    """
    stack = work.stack
    first_frame(stack, count, left, limit)
    frame = stack.frames[0]
    frame[LOWEST], stack.columns[0], stack.bounds[0] = NEVER, column, bound
    _open_list(frame, 0, 1)


@noalloc
def list_state(work: Workspace, count: int, left: int, limit: int) -> int:
    """List the guesses of ``members[:count]`` that may be within a limit, the best bound first."""
    first_frame(work.stack, count, left, limit)
    _enter(work, None, BRANCHING, 0)
    return int(work.stack.frames[0, TRIES_END])


@noalloc
def begin_weighted(
    work: Workspace, weighing: Weighing, state: State, limit: int, column: int, bound: int
) -> None:
    """The same as ``begin_with`` for the whole of a state with weights, which lies at its place."""
    stack = work.stack
    copy_row(stack.ceilings[0], work.table.parts)
    begin_with(work, state.size, state.left, limit, column, bound)
    take_over_capacity(stack, 0)
    stack.frames[0, STEP] = weight_of(weighing, state) // _FIRST_STEP


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
    stack = work.stack
    copy_row(stack.ceilings[0], work.table.parts)
    for k in range(columns.shape[0]):
        first_frame(stack, count, left, limit)
        frame = stack.frames[0]
        frame[LEVEL], frame[TRIED] = limit, 0
        take_over_capacity(stack, 0)
        stack.columns[0] = columns[k]
        _try_guess(work, weighing, DOUBLING, 0)
        totals[k] = frame[COST]
