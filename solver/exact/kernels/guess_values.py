"""The value of one guess: its buckets, its lower bound, and its exact value.

What a guess is worth is its own price and the sum over its buckets, so each bound that rises raises
the total, and the slack of one bucket is what the total leaves below the limit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from .ceilings import (
    Ceilings,
    SharedCount,
    add_state,
    count_wanted,
    enter_marks,
    find_best,
    has_room,
    highest_ceiling,
    lower_to_marks,
    make_space,
    start_ceiling,
    want_marks,
)
from .lemmas import NEVER, after_guess, guesses_left, least, least_by_parts, lost, not_listed
from .memo import Memo, State, known, note
from .score_table import ScoreTable, reveal, score_numbers, sort_by_bucket
from .search import Lists, deepen, list_guesses
from .search_frames import Workspace
from .state import CANDIDATES_FIRST, quick_bound, work_done
from .table_vectors import BLOCK_COLUMNS, Bits, Rows, Sums

#: What is known of a bucket: the bound is the value; it is not; it is left to an engine of its own.
SETTLED, OPEN, HARD = 1, 0, -1


@record
class Buckets(NamedTuple):
    """The buckets of some guesses, ``[guess, bucket]``; those of a guess begin with the largest."""

    #: The guesses as columns, how many buckets each has, and what it is worth at least.
    column: Sums
    number: Sums
    total: Sums
    #: Rows, bucket after bucket, and where each bucket begins.
    rows: Rows
    start: Sums
    size: Sums
    #: What a bucket is worth at least, and SETTLED, OPEN or HARD.
    bound: Sums
    state: Sums


def new_buckets(table: ScoreTable, guesses: int) -> Buckets:
    """Memory for the buckets of so many guesses of a table."""
    column, number, total = np.zeros((3, guesses), dtype=np.int64)
    shape = 4, guesses, score_numbers(table)
    start, size, bound, state = np.zeros(shape, dtype=np.int64)
    rows = np.empty((guesses, len(table.column)), dtype=np.int32)
    return Buckets(column, number, total, rows, start, size, bound, state)


@kernel
def split_guess(
    table: ScoreTable, members: Rows, column: int, left: int, buckets: Buckets, g: int
) -> None:
    """Split a state by a guess, into place ``g`` of the buckets; bounds by lemma 1."""
    start, spread = buckets.start[g], table.spread[column // BLOCK_COLUMNS]
    count = sort_by_bucket(table.scores[column], spread, members, buckets.rows[g], start)
    buckets.column[g], buckets.number[g] = column, count
    then, total = after_guess(left), 0
    for k in range(count):
        size = buckets.size[g, k] = start[k + 1] - start[k]
        if size == 1 and buckets.rows[g, start[k]] == table.secret[column]:
            buckets.bound[g, k] = 0
            total += table.price
        else:
            buckets.bound[g, k] = least(table.price, size, guesses_left(then, size))
            total += buckets.bound[g, k] + size * (table.price + lost(left))
        buckets.state[g, k] = SETTLED if size <= 2 else OPEN
    buckets.total[g] = total


@noalloc
def raise_bound(buckets: Buckets, g: int, k: int, bound: int) -> None:
    """Raise the bound of a bucket, and with it the bound of the guess's value."""
    known = buckets.bound[g, k]
    if bound > known:
        buckets.bound[g, k] = bound
        buckets.total[g] += bound - known


@noalloc
def slack(buckets: Buckets, g: int, k: int, limit: int) -> int:
    """What a bucket may be worth if its guess is to be worth at most ``limit``."""
    return int(limit - buckets.total[g] + buckets.bound[g, k])


@kernel
def list_hard(buckets: Buckets, found: Sums) -> int:
    """List the hard buckets of the first guess, the smallest first; how many there are."""
    count = 0
    for k in range(buckets.number[0] - 1, -1, -1):
        if buckets.state[0, k] == HARD:
            found[count] = k
            count += 1
    return count


#: A value is near a bound if it is no further above it than one in so many candidates.
_NEAR = 4


@noalloc
def hard_bucket(
    table: ScoreTable, buckets: Buckets, k: int, revealed: Bits, limit: int, after: Bits
) -> tuple[int, int]:
    """Of a bucket of the first guess a value near its bound, and the highest of interest.

    If the guess is to be worth at most ``limit``. What it reveals is written to ``after``.
    """
    near = buckets.bound[0, k] + buckets.size[0, k] // _NEAR
    reveal(table, buckets.column[0], buckets.rows[0, buckets.start[0, k]], revealed, after)
    return int(near), slack(buckets, 0, k, limit)


@noalloc
def take_over(buckets: Buckets, k: int, bound: int, exact: int) -> None:
    """Take over what was found out about a bucket of the first guess."""
    raise_bound(buckets, 0, k, bound)
    buckets.state[0, k] = SETTLED if exact == 1 else OPEN


# ---- One guess exactly: its buckets searched together
#
# The buckets of a guess are independent, and only the sum of their values counts. Those that are
# not settled by quick bounds are searched in rounds, each with an equal share of
# the slack: a guess that fails mostly fails by a little everywhere, and no bucket need be searched
# to its end. A bucket that takes more than ``PATIENCE`` is left for last, when it gets an engine of
# its own.

#: Units of work after which a bucket counts as hard.
PATIENCE = 3_000
#: So many times that, all rounds together, is too much as well: its bound has risen too slowly.
_ROUNDS = 8
#: The guesses of a bucket are listed this far above its bound at once.
_HORIZON = 8
#: So far above its share of the slack, where the slack is small.
_MARGIN = 2


@record
class Batch(NamedTuple):
    """Guesses that are looked at together, and what is known of their buckets."""

    ceilings: Ceilings
    buckets: Buckets
    shared: SharedCount


@noalloc
def lay_out(work: Workspace, buckets: Buckets, g: int, k: int, revealed: Bits) -> None:
    """Copy a bucket of a guess to scratch memory, and what it reveals to a frame."""
    table, scratch, stack = work.table, work.scratch, work.stack
    start = buckets.start[g, k]
    for j in range(buckets.size[g, k]):
        scratch.members[j] = buckets.rows[g, start + j]
    reveal(table, buckets.column[g], scratch.members[0], revealed, stack.revealed[0])


@noalloc
def ceiling_of_bucket(work: Workspace, batch: Batch, k: int, revealed: Bits) -> None:
    """The ceiling of a bucket of the first guess by all that is known without counting it."""
    table, buckets = work.table, batch.buckets
    ceiling, after = batch.shared.ceiling[k], work.stack.revealed[0]
    column, row = buckets.column[0], buckets.rows[0, buckets.start[0, k]]
    reveal(table, column, row, revealed, after)
    start_ceiling(table, after, ceiling)
    lower_to_marks(table, batch.ceilings, column, row, ceiling)


@noalloc(inner=True)
def _number(state: Sums, count: int, kind: int) -> int:
    """How many of the buckets are settled, open or hard."""
    number = 0
    for k in range(count):
        if state[k] == kind:
            number += 1
    return number


@kernel
def settle_buckets(work: Workspace, batch: Batch, state: State, limit: int) -> None:
    """Search the open buckets of a guess in a state until all are settled or hard.

    Or until the total passes the limit: the first few may do, so the guesses of a bucket are listed
    when its turn comes.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    buckets, shared = batch.buckets, batch.shared
    then, revealed = after_guess(state.left), state.revealed
    width = table.guess.shape[0]
    count, lists = buckets.number[0], 0
    while lists < count and buckets.size[0, lists] > 2:  # smaller ones are settled
        lists += 1
    known, bound = buckets.state[0], buckets.bound[0]
    horizon = np.full(count, -1, dtype=np.int64)
    end = np.zeros(count, dtype=np.int64)
    spent = np.zeros(count, dtype=np.int64)
    while buckets.total[0] <= limit:
        unsettled = _number(known, count, OPEN) + _number(known, count, HARD)
        if _number(known, count, OPEN) == 0:
            break
        for k in range(count):
            if known[k] != OPEN:
                continue
            size, ceiling, at = buckets.size[0, k], shared.ceiling[k], k * width
            before = work_done(scratch)
            share = min((limit - buckets.total[0]) // unsettled, _HORIZON)
            most = bound[k] + share
            if horizon[k] < most:
                if horizon[k] < 0:
                    ceiling_of_bucket(work, batch, k, revealed)
                horizon[k] = bound[k] + min(share + _MARGIN, _HORIZON, limit - buckets.total[0])
                lay_out(work, buckets, 0, k, revealed)
                filed = guesses_left(then, size)
                bucket = State(scratch.members, 0, size, filed, stack.revealed[0])
                end[k] = list_guesses(work, None, ceiling, bucket, horizon[k], at)
            lay_out(work, buckets, 0, k, revealed)
            listed = Lists(at, end[k], lists * width)
            value, exact, _ = deepen(work, ceiling, size, then, most, listed, PATIENCE)
            raise_bound(buckets, 0, k, value)
            spent[k] += work_done(scratch) - before
            if exact == 1:
                known[k] = SETTLED
                unsettled -= 1
            elif exact == -1 or spent[k] > _ROUNDS * PATIENCE:
                known[k] = HARD
            if buckets.total[0] > limit:
                break


@kernel(inner=True)
def settle_guess(work: Workspace, batch: Batch, state: State, column: Rows, limit: int) -> bool:
    """Bound a single guess, and settle its easy buckets up to a limit; whether none is hard."""
    buckets = batch.buckets
    screen(work, batch, state, column, limit)
    if buckets.total[0] <= limit:
        settle_buckets(work, batch, state, limit)
    return _number(buckets.state[0], buckets.number[0], HARD) == 0


# ---- Lower bounds for many guesses at once
#
# A guess is worth at least the sum of the bounds of its buckets (Lemma 2), and is out as soon as
# that passes the limit. All guesses of a batch go through the same steps side by side, largest
# buckets first: what the marks of a bucket say; the parts of all guesses that may still be
# good there (see ``ceilings`` for both); at last the small buckets, one by one.

#: Marks say little about buckets up to this size.
_SMALL = 24
#: Buckets of a guess whose marks are looked at together.
_STRIDE = 2
#: Buckets of a guess that are counted together at most; the first may be enough.
_MOST_TOGETHER = 4


@kernel
def screen(work: Workspace, batch: Batch, state: State, columns: Rows, limit: int) -> None:
    """Lower bounds of the values of the guesses ``columns`` in a state, in the batch's buckets.

    They are as good as quick bounds up to ``limit``. A single guess is not worth any tables: only
    what is there already lowers its ceilings.
    """
    guesses = columns.shape[0]
    for g in range(guesses):
        split_guess(work.table, state.members, int(columns[g]), state.left, batch.buckets, g)
    if guesses > 1:
        make_space(batch.ceilings)
        _bound_by_marks(work, batch, state, guesses, limit)
    _bound_by_counts(work, batch, state, guesses, limit)
    for g in range(guesses):
        _bound_the_rest(work, batch.buckets, g, state, limit)


@kernel(inner=True)
def _bound_by_marks(work: Workspace, batch: Batch, state: State, guesses: int, limit: int) -> None:
    """The bounds that follow from the highest ceilings of the buckets.

    The tables that some buckets of every guess want are counted together, and then read.
    """
    table = work.table
    ceilings, buckets, shared = batch.ceilings, batch.buckets, batch.shared
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


@noalloc(inner=True)
def _enter(work: Workspace, batch: Batch, state: State, t: int, g: int, k: int) -> None:
    """Enter the marks of a bucket, and whose it is, in place ``t`` of the shared count."""
    table, stack = work.table, work.stack
    ceilings, buckets, shared = batch.ceilings, batch.buckets, batch.shared
    column, row = buckets.column[g], buckets.rows[g, buckets.start[g, k]]
    reveal(table, column, row, state.revealed, stack.revealed[0])
    enter_marks(ceilings, shared, t, column, row, stack.revealed[0])
    shared.owner[t, 0], shared.owner[t, 1] = g, k


@kernel(inner=True)
def _bound_by_counts(work: Workspace, batch: Batch, state: State, guesses: int, limit: int) -> None:
    """The bounds that follow from counting, in rounds: a few buckets of every guess in each."""
    table, memo, scratch = work.table, work.memo, work.scratch
    ceilings, buckets, shared = batch.ceilings, batch.buckets, batch.shared
    if table.price == 0 or state.left == 2:
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
                if buckets.size[g, k] <= CANDIDATES_FIRST or buckets.total[g] > limit:
                    break
                if not has_room(shared, states, buckets.size[g, k]):
                    full = True
                    break
                bucket = _bucket_of(work, buckets, g, k, state)
                if not _take_known(memo, buckets, g, k, bucket):
                    _enter(work, batch, state, states, g, k)
                    most = min(slack(buckets, g, k, limit), NEVER)
                    add_state(table, shared, states, bucket, most)
                    states += 1
                going += 1
                begin[g] += 1
        if going == 0:
            return
        find_best(table, scratch, ceilings, shared, states)
        for t in range(states):
            _take_over(work, buckets, shared, t, state.revealed)
        if guesses > 1:
            ahead = max(1, min(_MOST_TOGETHER, places // going))


@noalloc(inner=True, inline=True)
def _bucket_of(work: Workspace, buckets: Buckets, g: int, k: int, state: State) -> State:
    """A bucket of a guess in a state, as a state that is filed in the memo."""
    rows, start, size = buckets.rows[g], buckets.start[g, k], buckets.size[g, k]
    after = work.stack.revealed[0]
    reveal(work.table, buckets.column[g], rows[start], state.revealed, after)
    return State(rows, start, size, guesses_left(after_guess(state.left), size), after)


@noalloc(inner=True)
def _take_known(memo: Memo, buckets: Buckets, g: int, k: int, bucket: State) -> bool:
    """Raise the bound of a bucket to what the memo knows; whether it knows anything."""
    bound, exact, _ = known(memo, bucket)
    raise_bound(buckets, g, k, bound)
    if exact == 1:
        buckets.state[g, k] = SETTLED
    return bound >= 0


@noalloc(inner=True)
def _take_over(
    work: Workspace, buckets: Buckets, shared: SharedCount, t: int, revealed: Bits
) -> None:
    """Raise the bound of a bucket to what was found out about it, and note that in the memo."""
    table, after = work.table, work.stack.revealed[0]
    g, k = shared.owner[t, 0], shared.owner[t, 1]
    start, size, left = shared.start[t], shared.size[t], shared.left[t]
    bound = shared.bound[t]
    if bound > shared.limit[t]:
        bound = not_listed(table.price, size, left, shared.limit[t])
    raise_bound(buckets, g, k, bound)
    reveal(table, buckets.column[g], shared.members[start], revealed, after)
    state = State(shared.members, start, size, left, after)
    note(work.memo, state, bound, 0, shared.column[t])


@noalloc(inner=True)
def _bound_the_rest(work: Workspace, buckets: Buckets, g: int, state: State, limit: int) -> None:
    """Bound the small buckets of a guess; all of them, where counting them together is no use."""
    table, memo, scratch, stack = work.table, work.memo, work.scratch, work.stack
    left, then = state.left, after_guess(state.left)
    for k in range(buckets.number[g]):
        size = buckets.size[g, k]
        if size <= 2 or buckets.total[g] > limit:
            break
        counted = size > CANDIDATES_FIRST and table.price > 0 and left != 2
        if buckets.state[g, k] != OPEN or counted:
            continue
        lay_out(work, buckets, g, k, state.revealed)
        bucket = State(scratch.members, 0, size, then, stack.revealed[0])
        most = min(slack(buckets, g, k, limit), NEVER)
        bound, exact, _ = quick_bound(table, memo, scratch, table.parts, bucket, most, size)
        raise_bound(buckets, g, k, bound)
        if exact == 1:
            buckets.state[g, k] = SETTLED
