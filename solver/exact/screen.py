"""Bounds of many guesses at once: which openers can be excluded without a search?

The buckets of a whole batch of guesses are bounded together, block of columns by block, so that a
block of the scores is read once for all of them while it lies in the cache. A batch goes in rounds:
the largest buckets first, and only of the guesses that are not excluded yet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel
from .lanes import LANES, lowest_bit
from .memo import Memo, note
from .opener import Buckets, part
from .room import Room, count_parts, is_legal, show
from .states import (
    FEW,
    LOSS,
    NEVER,
    Desk,
    after_guess,
    best_candidate,
    contains,
    fewest_parts,
    guesses_left,
    least,
    least_by_parts,
    lost,
    split,
)

#: Guesses that are bounded together.
BATCH = 128
#: Buckets of a guess that are bounded in each round; the last round takes all the others.
_ROUNDS = (1, 1, 1, 1, 1, 1, 2, 2, 2, 4, 4, 8, 16, 256)


class Pile(NamedTuple):
    """States of several guesses whose bounds are computed together."""

    rows: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    #: Bounds above this need not be told apart.
    limit: NDArray[np.int64]
    bound: NDArray[np.int64]
    column: NDArray[np.int64]
    #: Which guess of the batch, and which of its buckets.
    owner: NDArray[np.int64]
    rank: NDArray[np.int64]
    #: 1 while better guesses may still come.
    alive: NDArray[np.uint8]
    shown: NDArray[np.uint64]


def new_pile(secrets: int, batch: int = BATCH) -> Pile:
    """Memory for the buckets of a batch."""
    most = min(secrets, 256) * batch
    start, size, limit, bound, column, owner, rank = np.zeros((7, most), dtype=np.int64)
    return Pile(
        np.zeros(secrets * batch, dtype=np.int32),
        start,
        size,
        limit,
        bound,
        column,
        owner,
        rank,
        np.zeros(most, dtype=np.uint8),
        np.zeros((most, 4), dtype=np.uint64),
    )


@kernel
def bound_pile(room: Room, desk: Desk, pile: Pile, count: int, left: int) -> None:
    """The least ``least_by_parts`` of all legal guesses for each state of the pile."""
    alive = count
    for column in range(0, room.guess.shape[0], LANES):
        if alive == 0:
            break
        for k in range(count):
            if pile.alive[k] == 1:
                alive -= _bound_by_block(room, desk, pile, k, left, column)


@kernel
def _bound_by_block(room: Room, desk: Desk, pile: Pile, k: int, left: int, column: int) -> int:
    """Let 64 guesses lower a bound; 1 if neither they nor any behind them can."""
    size, start = pile.size[k], pile.start[k]
    filed = guesses_left(left, size)
    hit = 1 if size > FEW else 0
    need = fewest_parts(room.price, size, filed, min(pile.limit[k], pile.bound[k] - 1), hit)
    if need > size or room.parts[column] < need or pile.bound[k] <= (2 * size - hit) * room.price:
        pile.alive[k] = 0
        return 1
    desk.work[2] += 1
    good = count_parts(room, pile.rows, start, size, column, need, desk.lanes)
    while good != np.uint64(0):
        lane = lowest_bit(good)
        good &= good - np.uint64(1)
        here = column + lane
        if room.guess[here] < 0:
            continue
        row = room.secret[here]
        is_candidate = 0
        if hit == 1 and row >= 0 and contains(pile.rows, start, size, row):
            is_candidate = 1
        value = least_by_parts(room.price, size, np.int64(desk.lanes[lane]), is_candidate, filed)
        if value < pile.bound[k] and is_legal(room, here, pile.shown[k]):
            pile.bound[k] = value
            pile.column[k] = here
    return 0


@kernel
def screen(
    room: Room,
    memo: Memo,
    desk: Desk,
    pile: Pile,
    buckets: Buckets,
    members: NDArray[np.int32],
    columns: NDArray[np.int32],
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
    keep: bool,
    totals: NDArray[np.int64],
) -> None:
    """A lower bound for each guess of ``columns``: exact to a glance up to ``limit``.

    With ``keep``, what was found about the buckets of guesses within the limit goes to the memo.
    """
    batch = columns.shape[0]
    counts = np.zeros(batch, dtype=np.int64)
    then = after_guess(left)
    for g in range(batch):
        counts[g] = part(room, members, np.int64(columns[g]), buckets, g)
        total = members.shape[0] * room.price
        for k in range(counts[g]):
            size = buckets.size[g, k]
            value = least(room.price, size, guesses_left(then, size)) + size * lost(left)
            if size == 1 and buckets.rows[g, buckets.start[g, k]] == room.secret[columns[g]]:
                value = 0
            buckets.bound[g, k] = value
            buckets.state[g, k] = -1
            total += value
        totals[g] = total
    first = 0
    for step in _ROUNDS:
        count = _fill_pile(
            room,
            desk,
            pile,
            buckets,
            columns,
            counts,
            first,
            first + step,
            left,
            shown,
            limit,
            totals,
        )
        bound_pile(room, desk, pile, count, then)
        for k in range(count):
            owner = pile.owner[k]
            rank = pile.rank[k]
            value = min(pile.bound[k], pile.limit[k] + 1) + pile.size[k] * lost(left)
            if value > buckets.bound[owner, rank]:
                totals[owner] += value - buckets.bound[owner, rank]
                buckets.bound[owner, rank] = value
            buckets.state[owner, rank] = pile.column[k] if pile.bound[k] <= pile.limit[k] else -1
        first += step
    if keep:
        for g in range(batch):
            if totals[g] <= limit:
                _keep(room, memo, desk, buckets, g, counts[g], np.int64(columns[g]), left, shown)


@kernel
def _fill_pile(
    room: Room,
    desk: Desk,
    pile: Pile,
    buckets: Buckets,
    columns: NDArray[np.int32],
    counts: NDArray[np.int64],
    first: int,
    end: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
    totals: NDArray[np.int64],
) -> int:
    """Take the buckets of these ranks, of all guesses that are within the limit; their number."""
    then = after_guess(left)
    count, at = 0, 0
    for g in range(columns.shape[0]):
        if totals[g] > limit:
            continue
        for k in range(first, min(end, counts[g])):
            size, start = buckets.size[g, k], buckets.start[g, k]
            filed = guesses_left(then, size)
            if size <= 2 or filed == 1:
                break
            for j in range(size):
                pile.rows[at + j] = buckets.rows[g, start + j]
            pile.start[count], pile.size[count] = at, size
            pile.bound[count], pile.column[count] = NEVER, -1
            pile.limit[count] = limit - totals[g] + buckets.bound[g, k] - size * lost(left)
            pile.owner[count], pile.rank[count] = g, k
            pile.alive[count] = 1
            show(room, np.int64(columns[g]), pile.rows[at], shown, pile.shown[count])
            if size <= FEW:
                for j in range(size):
                    desk.members[j] = pile.rows[at + j]
                parts, pile.column[count] = best_candidate(room, desk, 0, size)
                pile.bound[count] = least_by_parts(room.price, size, parts, 1, filed)
            at += size
            count += 1
    return count


@kernel
def _keep(
    room: Room,
    memo: Memo,
    desk: Desk,
    buckets: Buckets,
    g: int,
    count: int,
    column: int,
    left: int,
    shown: NDArray[np.uint64],
) -> None:
    """File the bounds of the buckets of one guess."""
    then = after_guess(left)
    after = np.zeros(4, dtype=np.uint64)
    for k in range(count):
        size, start = buckets.size[g, k], buckets.start[g, k]
        filed = guesses_left(then, size)
        if size <= 2 or filed == 1:
            break
        bound = buckets.bound[g, k] - size * lost(left)
        best = buckets.state[g, k]
        for j in range(size):
            desk.members[j] = buckets.rows[g, start + j]
        show(room, column, desk.members[0], shown, after)
        exact = 0
        if best >= 0:
            cost, larger = split(room, desk, 0, size, best, filed, size)
            exact = 1 if larger == 0 and cost == bound else 0
        note(room, memo, desk.members, 0, size, filed, after, bound, exact, best)


__all__ = ["BATCH", "LOSS", "Pile", "bound_pile", "new_pile", "screen"]
