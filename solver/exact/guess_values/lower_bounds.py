"""Lower bounds for many guesses at once, without a search.

A guess is worth at least the sum of the bounds of its buckets (Lemma 2), and is out as soon as that
passes the limit. All guesses of a batch go through the same steps side by side, largest buckets
first: what the marks of a bucket say (see ``ceilings``); the parts of all guesses that may still
be good there (see ``shared_counts``); at last the small buckets, one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, lean
from ..lemmas import NEVER, after_guess, guesses_left, least_by_parts, not_listed
from ..state_values.memo import BOUND, EXACT, Memo, find, note
from ..state_values.scratch_memory import State
from ..state_values.search_frames import Stack, Workspace
from ..state_values.split_state import FEW, glance
from ..table.score_table import ScoreTable, show
from .buckets import OPEN, SETTLED, Buckets, part, raise_bound, slack
from .ceilings import count_wanted, make_space, want_marks
from .exact_value import Batch, lay_out
from .shared_counts import (
    SharedCount,
    add_state,
    enter_marks,
    find_best,
    has_room,
    highest_ceiling,
)

#: Marks say little about buckets up to this size.
_SMALL = 24
#: Buckets of a guess whose marks are looked at together.
_STRIDE = 2
#: Buckets of a guess that are counted together at most; the first may be enough.
_AHEAD = 4


@kernel
def screen(
    work: Workspace, batch: Batch, state: State, columns: NDArray[np.int32], limit: int
) -> None:
    """Lower bounds of the values of the guesses ``columns`` in a state, in the batch's buckets.

    They are exact to a glance up to ``limit``. A single guess is not worth any tables: only what is
    there already lowers its ceilings.
    """
    guesses = columns.shape[0]
    for g in range(guesses):
        part(work.table, state.members, int(columns[g]), state.left, batch.buckets, g)
    if guesses > 1:
        make_space(batch.ceilings)
        _bound_by_marks(work, batch, state, guesses, limit)
    _bound_by_counts(work, batch, state, guesses, limit)
    for g in range(guesses):
        _glance_at_rest(work, batch.buckets, g, state, limit)


@kernel(inner=True)
def _bound_by_marks(work: Workspace, batch: Batch, state: State, guesses: int, limit: int) -> None:
    """The bounds that follow from the highest ceilings of the buckets."""
    table = work.table
    ceilings, buckets, shared = batch
    then = after_guess(state.left)
    going = True
    first = 0
    while going:
        going = False
        for g in range(guesses):
            for k in range(first, min(first + _STRIDE, buckets.number[g])):
                if buckets.size[g, k] <= _SMALL or buckets.total[g] > limit:
                    break
                row = buckets.rows[g, buckets.start[g, k]]
                want_marks(table, ceilings, buckets.column[g], row)
                going = True
        count_wanted(table, ceilings)
        for g in range(guesses):
            for k in range(first, min(first + _STRIDE, buckets.number[g])):
                size = buckets.size[g, k]
                if size <= _SMALL or buckets.total[g] > limit:
                    break
                _enter(work, batch, state, 0, g, k)
                parts = highest_ceiling(table, ceilings, shared, 0, size)
                filed = guesses_left(then, size)
                raise_bound(buckets, g, k, least_by_parts(table.price, size, parts, 1, filed))
        first += _STRIDE


@lean(inner=True)
def _enter(work: Workspace, batch: Batch, state: State, t: int, g: int, k: int) -> None:
    """Enter the marks of a bucket, and whose it is, in place ``t`` of the shared count."""
    table, stack = work.table, work.stack
    ceilings, buckets, shared = batch
    column, row = buckets.column[g], buckets.rows[g, buckets.start[g, k]]
    show(table, column, row, state.shown, stack.shown[0])
    enter_marks(ceilings, shared, t, column, row, stack.shown[0])
    shared.owner[t, 0], shared.owner[t, 1] = g, k


@kernel(inner=True)
def _bound_by_counts(work: Workspace, batch: Batch, state: State, guesses: int, limit: int) -> None:
    """The bounds that follow from counting, in rounds: a few buckets of every guess in each."""
    table, memo, scratch, stack = work
    ceilings, buckets, shared = batch
    left, shown = state.left, state.shown
    if table.price == 0 or left == 2:
        return
    places = shared.start.shape[0]
    begin = np.zeros(guesses, dtype=np.int64)
    ahead = places if guesses == 1 else 1
    while True:
        states, going, full = 0, 0, False
        for g in range(guesses):
            end = min(begin[g] + ahead, buckets.number[g])
            while begin[g] < end and not full:
                k = begin[g]
                if buckets.size[g, k] <= FEW or buckets.total[g] > limit:
                    break
                if not has_room(shared, states, buckets.size[g, k]):
                    full = True
                    break
                if _is_new(table, memo, stack, buckets, g, k, left, shown):
                    _enter(work, batch, state, states, g, k)
                    _add(table, buckets, shared, states, g, k, left, limit)
                    states += 1
                going += 1
                begin[g] += 1
        if going == 0:
            return
        find_best(table, scratch, ceilings, shared, states)
        for t in range(states):
            _take_over(table, memo, stack, buckets, shared, t, shown)
        if guesses > 1:
            ahead = max(1, min(_AHEAD, places // going))


@lean(inner=True)
def _is_new(
    table: ScoreTable,
    memo: Memo,
    stack: Stack,
    buckets: Buckets,
    g: int,
    k: int,
    left: int,
    shown: NDArray[np.uint64],
) -> bool:
    """Whether nothing is known of a bucket; else its bound is raised to that."""
    start, size = buckets.start[g, k], buckets.size[g, k]
    rows = buckets.rows[g]
    show(table, buckets.column[g], rows[start], shown, stack.shown[0])
    filed = guesses_left(after_guess(left), size)
    entry = find(table, memo, State(rows, start, size, filed, stack.shown[0]))
    if entry < 0:
        return True
    raise_bound(buckets, g, k, memo.facts[entry, BOUND])
    if memo.facts[entry, EXACT] == 1:
        buckets.state[g, k] = SETTLED
    return False


@lean
def _add(
    table: ScoreTable,
    buckets: Buckets,
    shared: SharedCount,
    t: int,
    g: int,
    k: int,
    left: int,
    limit: int,
) -> None:
    """Enter a bucket into the shared count."""
    start, size = buckets.start[g, k], buckets.size[g, k]
    filed = guesses_left(after_guess(left), size)
    most = min(slack(buckets, g, k, limit), NEVER)
    add_state(table, shared, t, buckets.rows[g], start, size, filed, most)


@lean(inner=True)
def _take_over(
    table: ScoreTable,
    memo: Memo,
    stack: Stack,
    buckets: Buckets,
    shared: SharedCount,
    t: int,
    shown: NDArray[np.uint64],
) -> None:
    """What has been found out about a bucket."""
    g, k = shared.owner[t, 0], shared.owner[t, 1]
    start, size, left = shared.start[t], shared.size[t], shared.left[t]
    bound = shared.bound[t]
    if bound > shared.limit[t]:
        bound = not_listed(table.price, size, left, shared.limit[t])
    raise_bound(buckets, g, k, bound)
    show(table, buckets.column[g], shared.members[start], shown, stack.shown[0])
    state = State(shared.members, start, size, left, stack.shown[0])
    note(table, memo, state, bound, 0, shared.column[t])


@lean(inner=True)
def _glance_at_rest(work: Workspace, buckets: Buckets, g: int, state: State, limit: int) -> None:
    """Bound the small buckets of a guess; all of them, where counting them together is no use."""
    table, memo, scratch, stack = work
    left, then = state.left, after_guess(state.left)
    for k in range(buckets.number[g]):
        size = buckets.size[g, k]
        if size <= 2 or buckets.total[g] > limit:
            break
        if buckets.state[g, k] != OPEN or (size > FEW and table.price > 0 and left != 2):
            continue
        lay_out(table, scratch, stack, buckets, g, k, state.shown)
        bucket = State(scratch.members, 0, size, then, stack.shown[0])
        most = min(slack(buckets, g, k, limit), NEVER)
        bound, exact, _ = glance(table, memo, scratch, table.parts, bucket, most, size)
        raise_bound(buckets, g, k, bound)
        if exact == 1:
            buckets.state[g, k] = SETTLED
