"""One guess exactly: its buckets settled together, until their sum passes the limit.

The buckets of a guess are independent, and only the sum of their values counts. First every bucket
gets its bound at a glance, the largest first; the guess is out as soon as the sum passes the limit.
Then the unsettled ones are searched in rounds, each with an equal share of the slack. A bucket that
takes more than ``PATIENCE`` is left for last, when it gets a room of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel
from .memo import Memo
from .room import Room, score_in, show
from .search import Stack, list_guesses, search
from .states import NEVER, Desk, after_guess, glance, guesses_left, least, lost

#: Units of work after which a bucket counts as hard.
PATIENCE = 15_000
#: The guesses of a bucket are listed this far above its bound at once.
_HORIZON = 8
#: In hard mode buckets from this size on get a room with the legal guesses only.
_ROOMY = 12
SETTLED, OPEN, HARD = 1, 0, -1
_SCORES = 256


class Buckets(NamedTuple):
    """Buckets of some guesses, largest first, and what is known of each: ``[guess, bucket]``."""

    #: Rows, bucket after bucket, and where each bucket begins.
    rows: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    bound: NDArray[np.int64]
    #: SETTLED: the bound is the value; OPEN; HARD: to be searched in a room of its own.
    state: NDArray[np.int64]
    #: Where the list of guesses of each ends, and up to which bound it is complete (-1: no list).
    listed: NDArray[np.int64]
    horizon: NDArray[np.int64]


def new_buckets(secrets: int, guesses: int = 1) -> Buckets:
    """Memory for the buckets of some guesses."""
    return Buckets(
        np.empty((guesses, secrets), dtype=np.int32),
        *(np.zeros((guesses, _SCORES), dtype=np.int64) for _ in range(6)),
    )


@kernel
def part(
    room: Room, members: NDArray[np.int32], column: int, buckets: Buckets, at_guess: int
) -> int:
    """Part the members by a guess into a row of ``buckets``, largest first; their number."""
    times = np.zeros(_SCORES, dtype=np.int64)
    for row in members:
        times[score_in(room, row, column)] += 1
    order = np.argsort(-times, kind="mergesort")
    place = np.zeros(_SCORES, dtype=np.int64)
    at = 0
    count = 0
    for score in order:
        if times[score] == 0:
            break
        buckets.start[at_guess, count] = at
        buckets.size[at_guess, count] = times[score]
        place[score] = at
        at += times[score]
        count += 1
    for row in members:
        score = score_in(room, row, column)
        buckets.rows[at_guess, place[score]] = row
        place[score] += 1
    return count


@kernel
def glance_at_buckets(
    room: Room,
    memo: Memo,
    desk: Desk,
    stack: Stack,
    buckets: Buckets,
    members: NDArray[np.int32],
    column: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
) -> tuple[int, int]:
    """Bound all buckets of a guess without a search: (their number, the bound of the guess).

    Stops when the bound of the guess passes ``limit``; later buckets then have no good bound.
    """
    count = part(room, members, column, buckets, 0)
    then = after_guess(left)
    total = members.shape[0] * room.price
    row = room.secret[column]
    for k in range(count):
        size = buckets.size[0, k]
        buckets.bound[0, k] = least(room.price, size, guesses_left(then, size)) + size * lost(left)
        buckets.state[0, k] = SETTLED if size <= 2 else OPEN
        buckets.horizon[0, k] = -1
        if size == 1 and buckets.rows[0, buckets.start[0, k]] == row:
            buckets.bound[0, k] = 0
        total += buckets.bound[0, k]
    for k in range(count):
        if total > limit or buckets.size[0, k] <= 2:
            break
        size, start = buckets.size[0, k], buckets.start[0, k]
        for j in range(size):
            desk.members[j] = buckets.rows[0, start + j]
        show(room, column, desk.members[0], shown, stack.shown[0])
        extra = size * lost(left)
        known = buckets.bound[0, k]
        bound, exact, _ = glance(
            room,
            memo,
            desk,
            0,
            size,
            then,
            stack.shown[0],
            min(limit - total + known - extra, NEVER),
            size,
        )
        buckets.state[0, k] = SETTLED if exact == 1 else OPEN
        if bound + extra > known:
            buckets.bound[0, k] = bound + extra
            total += bound + extra - known
    return count, total


@kernel
def settle_buckets(  # noqa: PLR0912 - one loop with its ways out
    room: Room,
    memo: Memo,
    desk: Desk,
    stack: Stack,
    buckets: Buckets,
    count: int,
    column: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
    total: int,
) -> int:
    """Search the open buckets until all are settled or hard, or the total passes the limit."""
    then = after_guess(left)
    width = room.guess.shape[0]
    for k in range(count):
        if room.hard and buckets.state[0, k] == OPEN and buckets.size[0, k] >= _ROOMY:
            buckets.state[0, k] = HARD
    while total <= limit:
        unsettled, easy = 0, 0
        for k in range(count):
            if buckets.state[0, k] != SETTLED:
                unsettled += 1
            if buckets.state[0, k] == OPEN:
                easy += 1
        if easy == 0:
            break
        for k in range(count):
            if buckets.state[0, k] != OPEN:
                continue
            size, start = buckets.size[0, k], buckets.start[0, k]
            for j in range(size):
                desk.members[j] = buckets.rows[0, start + j]
            show(room, column, desk.members[0], shown, stack.shown[0])
            extra = size * lost(left)
            value = buckets.bound[0, k] - extra
            ceiling = value + (limit - total) // unsettled
            if buckets.horizon[0, k] < ceiling:
                buckets.horizon[0, k] = max(ceiling, value + _HORIZON)
                buckets.listed[0, k] = list_guesses(
                    room,
                    desk,
                    stack,
                    0,
                    size,
                    guesses_left(then, size),
                    stack.shown[0],
                    buckets.horizon[0, k],
                    k * width,
                )
            bound, exact, _ = search(
                room,
                memo,
                desk,
                stack,
                size,
                then,
                ceiling,
                k * width,
                buckets.listed[0, k],
                count * width,
                PATIENCE,
            )
            if bound > value:
                total += bound - value
                buckets.bound[0, k] = bound + extra
            if exact == 1:
                buckets.state[0, k] = SETTLED
                unsettled -= 1
            elif exact == -1:
                buckets.state[0, k] = HARD
            if total > limit:
                break
    return total
