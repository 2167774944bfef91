"""States in exact search: their memory, splits by a guess, and quick bounds.

Memory is made once, before a search: the first touch of fresh memory costs more than the sums
that are written there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.arrays import aligned
from ...machine.forms import record
from ...machine.jit import noalloc
from ...machine.vectors import bit_count, first_bit
from .lemmas import (
    LOSS,
    NEVER,
    UNLIMITED,
    after_guess,
    fewest_parts,
    guesses_left,
    least,
    least_by_parts,
    lost,
    not_listed,
)
from .memo import Memo, State, known, note
from .score_table import ScoreTable, count_parts, is_legal, parts_of, score_numbers, score_type
from .table_vectors import BLOCK_COLUMNS, SORTED, Bits, Bytes, Rows, Scores, Sums, at_least, cap


@record
class Scratch(NamedTuple):
    """Scratch memory of one search: where states are split and counted."""

    #: Rows of the states on the stack, one state after the other.
    members: Rows
    #: While splitting: how often each score occurs, which ones, the score of each member.
    times: Sums
    seen: Sums
    scores: Sums
    #: The buckets of three and more of the last split, largest first.
    sizes: Sums
    starts: Sums
    labels: Sums
    #: 1 for each row of the state whose guesses are being counted.
    inside: Bytes
    #: Which scores occur in a single column.
    present: Bits
    #: Parts of 64 columns.
    lanes: Scores
    #: Counters: states bounded quickly, guesses tried, chunks of 64 guesses counted.
    work: Sums


@record
class Weighing(NamedTuple):
    """The weights of the rows of a table, and scratch memory to add them up."""

    #: Of each row, the largest first.
    weights: Sums
    #: While splitting: the weight of the rows with each score, that of each larger bucket.
    sums: Sums
    bucket_weight: Sums


def new_scratch(table: ScoreTable, levels: int) -> Scratch:
    """Scratch for the states of a table, nested ``levels`` deep."""
    secrets, scores = len(table.column), score_numbers(table)
    return Scratch(
        np.zeros(secrets * (levels + 2), dtype=np.int32),
        np.zeros(scores, dtype=np.int64),
        np.zeros(scores, dtype=np.int64),
        np.zeros(secrets + 1, dtype=np.int64),
        np.zeros(scores, dtype=np.int64),
        np.zeros(scores, dtype=np.int64),
        np.zeros(scores, dtype=np.int64),
        np.zeros(secrets, dtype=np.uint8),
        np.zeros(scores // 8, dtype=np.uint64),
        aligned((BLOCK_COLUMNS,), score_type(table)),
        np.zeros(3, dtype=np.int64),
    )


@noalloc
def work_done(scratch: Scratch) -> int:
    """The work noted in scratch memory: chunks counted, states, guesses tried."""
    return int(scratch.work[2] + 2 * scratch.work[0] + scratch.work[1])


# ---- One state: its split by a guess, and its bound without a search
#
# Most states never need a search. In this order, each step only where the ones before say nothing:
#
#     one or two candidates     the value is known
#     the memo                  known from before
#     up to 16 candidates       a candidate that tells all others apart cannot be beaten, nor one
#                               that leaves one pair together, where none tells all apart
#     all guesses               the most parts give the bound (lemma 2): 64 guesses a step, best
#                               first, until no guess that is left can better it
#     a split by the best       if it leaves no bucket of three, its cost is the value
#
# The arithmetic of the bounds is in ``lemmas``.

#: Up to this many candidates, all of them are tried as guesses before any other word.
CANDIDATES_FIRST = 16
#: Up to this many of 64 guesses are counted one by one rather than all together; where counting
#: all takes long, and where it does not.
_SINGLY, _SELDOM = 6, 1


@noalloc(inner=True)
def contains(members: Rows, first: int, count: int, row: int) -> bool:
    """Whether a state, whose rows are sorted, has a row."""
    low, high = first, first + count
    while low < high:
        middle = (low + high) >> 1
        if members[middle] < row:
            low = middle + 1
        else:
            high = middle
    return low < first + count and members[low] == row


@noalloc(inline=True)
def split(
    table: ScoreTable,
    weighing: Weighing | None,
    scratch: Scratch,
    state: State,
    column: int,
    top: int,
) -> tuple[int, int]:
    """Split a state by a guess.

    Buckets of three and more go to ``members[top:]``, largest first, and to ``scratch.sizes``,
    ``scratch.starts`` and ``weighing.bucket_weight``. Returns the cost of this guess and of all
    that is settled by it (smaller buckets, losses), and the number of those larger buckets.

    With weights the cost has the least that those take as well (lemma 16), and is LOSS or more if a
    bucket cannot be solved in time.
    """
    members, times = state.members, scratch.times
    first, count, left = state.first, state.size, state.left
    of_row = table.scores[column]
    distinct, cost = np.uint64(0), 0
    for k in range(np.uint64(count)):
        row = np.uint32(members[np.uint64(first) + k])
        score = np.uint64(of_row[row])
        scratch.scores[k] = score
        scratch.seen[distinct] = score  # overwritten, unless the score is new
        distinct += np.uint64(times[score] == 0)
        if weighing is not None:  # the heaviest of a bucket takes one guess more, the others two
            weight = weighing.weights[row]
            cost += 3 * weight - (weight if times[score] == 0 else 0)
            weighing.sums[score] += weight
        times[score] += 1
    then = after_guess(left)
    if weighing is None:
        cost = count * table.price
    buckets = 0
    for j in range(distinct):
        score = np.uint64(scratch.seen[j])
        size = times[score]
        if weighing is None:
            cost += size * lost(left) + (least(table.price, size, then) if size <= 2 else 0)
        elif size > 1 and then == 1:
            cost += LOSS
        if size > 2:
            _insert_bucket(weighing, scratch, buckets, score, size)
            buckets += 1
        times[score] = 0
        if weighing is not None:
            weighing.sums[score] = 0
    own = table.secret[column]
    hit = own >= 0 and contains(members, first, count, own)
    if weighing is None:
        cost -= table.price + lost(left) if hit else 0
    else:
        cost -= weighing.weights[own] if hit else 0
        cost += LOSS if left == 1 and count > hit else 0
    if buckets > 0:
        _place_buckets(scratch, first, count, buckets, top)
    return int(cost), buckets


@noalloc(inner=True, inline=True)
def _insert_bucket(
    weighing: Weighing | None, scratch: Scratch, buckets: int, score: np.uint64, size: int
) -> None:
    """Insert a bucket among so many others, the largest first."""
    k = buckets
    while k > 0 and scratch.sizes[k - 1] < size:
        scratch.sizes[k], scratch.labels[k] = scratch.sizes[k - 1], scratch.labels[k - 1]
        if weighing is not None:
            weighing.bucket_weight[k] = weighing.bucket_weight[k - 1]
        k -= 1
    scratch.sizes[k], scratch.labels[k] = size, score
    if weighing is not None:
        weighing.bucket_weight[k] = weighing.sums[score]


@noalloc(inner=True, inline=True)
def mark(scratch: Scratch, state: State, inside: int) -> None:
    """Mark the rows of a state as inside it (1), or take that back (0)."""
    for k in range(state.first, state.first + state.size):
        scratch.inside[state.members[k]] = inside


@noalloc(inner=True, inline=True)
def _place_buckets(scratch: Scratch, first: int, count: int, buckets: int, top: int) -> None:
    """Copy the rows of the larger buckets, in order."""
    members, times = scratch.members, scratch.times
    at = top
    for j in range(buckets):
        scratch.starts[j] = at
        times[scratch.labels[j]] = at + 1
        at += scratch.sizes[j]
    for k in range(np.uint64(count)):
        score = np.uint64(scratch.scores[k])
        at = times[score]
        if at > 0:
            members[np.uint64(at - 1)] = members[np.uint64(first) + k]
            times[score] = at + 1
    for j in range(buckets):
        times[scratch.labels[j]] = 0


@noalloc
def quick_bound(  # noqa: PLR0911 - each way to an answer is a return
    table: ScoreTable,
    memo: Memo,
    scratch: Scratch,
    ceiling: Scores,
    state: State,
    limit: int,
    top: int,
) -> tuple[int, int, int]:
    """A state's lower bound without a search: (bound, is it the value, column attaining it).

    No guess has more parts than ``ceiling`` says. The bound is the value, or the least
    ``least_by_parts`` of all guesses, or above ``limit``; with one guess left it is Lemma 1. What
    the memo has is taken as it was noted. The column attains the bound where that is the value.
    """
    members, first, count = state.members, state.first, state.size
    left = guesses_left(state.left, count)
    if count <= 2:
        return least(table.price, count, left), 1, int(np.int64(table.column[members[first]]))
    if table.price == 0 and left == UNLIMITED:
        return 0, 1, int(np.int64(table.column[members[first]]))
    filed = State(members, first, count, left, state.revealed)
    if count > 3 or left <= 2:  # three are settled below sooner than found
        bound, exact, column = known(memo, filed)
        if bound >= 0:
            return bound, exact, column
    if left == 1:
        return least(table.price, count, left), 0, -1
    scratch.work[0] += 1
    bound, column = NEVER, -1
    if count <= CANDIDATES_FIRST:
        parts, column = best_candidate(table, scratch, filed)
        bound = least_by_parts(table.price, count, parts, 1, left)
        settled = parts == count or (parts == count - 1 and left > 2)
        if settled:
            if count > 3:
                note(memo, filed, bound, 1, column)
            return bound, 1, column
        if 2 * count * table.price > limit:
            return 2 * count * table.price, 0, -1
    bound, column = _best_by_blocks(table, scratch, ceiling, filed, limit, bound, column)
    exact = 0
    if bound <= limit:
        cost, buckets = split(table, None, scratch, filed, column, top)
        exact = 1 if buckets == 0 and cost == bound else 0
    else:
        bound = not_listed(table.price, count, left, limit)
    note(memo, filed, bound, exact, column)
    return bound, exact, column


@noalloc(inner=True, inline=True)
def best_candidate(table: ScoreTable, scratch: Scratch, state: State) -> tuple[int, int]:
    """The candidate of a state with the most parts: (parts, column)."""
    members, first, count = state.members, state.first, state.size
    best, best_column = 0, -1
    for k in range(count):
        column = int(np.int64(table.column[members[first + k]]))
        parts = parts_of(table, members, first, count, column, scratch.present)
        if parts > best:
            best, best_column = parts, column
            if parts == count:
                break
    return best, best_column


@noalloc(inline=True)
def promising(
    table: ScoreTable, scratch: Scratch, state: State, ceiling: Scores, column: int, need: int
) -> np.uint64:
    """Like ``counted``; only columns whose ceiling is as high are looked at."""
    hopeful = at_least(ceiling, column, need)
    if hopeful == np.uint64(0):
        return hopeful
    return counted(table, scratch, state, hopeful, column, need)


@noalloc(inline=True)
def counted(
    table: ScoreTable, scratch: Scratch, state: State, hopeful: np.uint64, column: int, need: int
) -> np.uint64:
    """Which ``hopeful`` ones of 64 columns have ``need`` parts, as bits.

    Their parts are in ``scratch.lanes`` then.
    """
    members, first, count = state.members, state.first, state.size
    scratch.work[2] += 1
    if bit_count(hopeful) > (_SELDOM if count <= SORTED else _SINGLY):
        return hopeful & count_parts(table, members, first, count, column, need, scratch.lanes)
    good = np.uint64(0)
    while hopeful != np.uint64(0):
        lane = first_bit(hopeful)
        hopeful &= hopeful - np.uint64(1)
        parts = parts_of(table, members, first, count, column + lane, scratch.present)
        if parts >= need:
            good |= np.uint64(1) << np.uint64(lane)
            scratch.lanes[lane] = parts
    return good


@noalloc(inner=True, inline=True)
def tighten(
    table: ScoreTable, scratch: Scratch, state: State, ceiling: Scores, column: int, need: int
) -> np.uint64:
    """Like ``promising``; the ceiling is lowered to the parts."""
    good = promising(table, scratch, state, ceiling, column, need)
    cap(ceiling, column, need - 1)
    rest = good
    while rest != np.uint64(0):
        lane = first_bit(rest)
        rest &= rest - np.uint64(1)
        ceiling[column + lane] = scratch.lanes[lane]
    return good


@noalloc(inner=True, inline=True)
def _best_by_blocks(
    table: ScoreTable,
    scratch: Scratch,
    ceiling: Scores,
    state: State,
    limit: int,
    bound: int,
    best: int,
) -> tuple[int, int]:
    """The least ``least_by_parts`` over all legal guesses, if it is below ``bound``.

    Stops looking below ``limit``: then the result is only known to be above it.
    """
    count, left = state.size, state.left
    hit = 1 if count > CANDIDATES_FIRST else 0  # else they have been tried already
    floor = (2 * count - hit) * table.price  # nothing is better
    if hit:
        mark(scratch, state, 1)
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        need = fewest_parts(table.price, count, left, min(limit, bound - 1), hit)
        if need > count or table.parts[column] < need:
            break
        good = promising(table, scratch, state, ceiling, column, need)
        while good != np.uint64(0):
            lane = first_bit(good)
            good &= good - np.uint64(1)
            at = column + lane
            row = table.secret[at]
            is_candidate = 1 if hit == 1 and row >= 0 and scratch.inside[row] == 1 else 0
            value = least_by_parts(
                table.price, count, int(np.int64(scratch.lanes[lane])), is_candidate, left
            )
            if value < bound and is_legal(table, at, state.revealed):
                bound, best = value, at
        if bound <= floor:
            break
    if hit:
        mark(scratch, state, 0)
    return bound, best
