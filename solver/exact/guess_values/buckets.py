"""The buckets of a guess, largest first, and what is known of each; for many guesses at once.

What a guess is worth is its own price and the sum over its buckets, so each bound that rises raises
the total, and the slack of one bucket is what the total leaves below the limit.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, lean
from ..lemmas import after_guess, guesses_left, least, lost
from ..table.score_table import ScoreTable, score_in

#: More scores than any guess has.
SCORES = 256
#: What is known of a bucket: the bound is the value; it is not; it is left to an engine of its own.
SETTLED, OPEN, HARD = 1, 0, -1


class Buckets(NamedTuple):
    """The buckets of some guesses, ``[guess, bucket]``; those of a guess begin with the largest."""

    #: The guesses as columns, how many buckets each has, and what it is worth at least.
    column: NDArray[np.int64]
    number: NDArray[np.int64]
    total: NDArray[np.int64]
    #: Rows, bucket after bucket, and where each bucket begins.
    rows: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    #: What a bucket is worth at least, and SETTLED, OPEN or HARD.
    bound: NDArray[np.int64]
    state: NDArray[np.int64]


def new_buckets(guesses: int, secrets: int) -> Buckets:
    """Memory for the buckets of so many guesses that exact search values."""
    column, number, total = np.zeros((3, guesses), dtype=np.int64)
    start, size, bound, state = np.zeros((4, guesses, SCORES), dtype=np.int64)
    rows = np.empty((guesses, secrets), dtype=np.int32)
    return Buckets(column, number, total, rows, start, size, bound, state)


@kernel
def part(
    table: ScoreTable, members: NDArray[np.int32], column: int, left: int, buckets: Buckets, g: int
) -> None:
    """Part a state by a guess to be valued, into place ``g`` of the buckets; bounds by lemma 1."""
    times = np.zeros(SCORES, dtype=np.int64)
    for row in members:
        times[score_in(table, row, column)] += 1
    order = np.argsort(-times, kind="mergesort")
    place = np.zeros(SCORES, dtype=np.int64)
    at = 0
    count = 0
    for score in order:
        if times[score] == 0:
            break
        buckets.start[g, count] = at
        buckets.size[g, count] = times[score]
        place[score] = at
        at += times[score]
        count += 1
    for row in members:
        score = score_in(table, row, column)
        buckets.rows[g, place[score]] = row
        place[score] += 1
    buckets.column[g], buckets.number[g] = column, count
    _bound_by_size(table, left, buckets, g)


@lean(inner=True)
def _bound_by_size(table: ScoreTable, left: int, buckets: Buckets, g: int) -> None:
    then = after_guess(left)
    total = 0
    for k in range(buckets.number[g]):
        size = buckets.size[g, k]
        if size == 1 and buckets.rows[g, buckets.start[g, k]] == table.secret[buckets.column[g]]:
            buckets.bound[g, k] = 0
            total += table.price
        else:
            buckets.bound[g, k] = least(table.price, size, guesses_left(then, size))
            total += buckets.bound[g, k] + size * (table.price + lost(left))
        buckets.state[g, k] = SETTLED if size <= 2 else OPEN
    buckets.total[g] = total


@lean
def raise_bound(buckets: Buckets, g: int, k: int, bound: int) -> None:
    """Raise the bound of a bucket, and with it the bound of the guess's value."""
    known = buckets.bound[g, k]
    if bound > known:
        buckets.bound[g, k] = bound
        buckets.total[g] += bound - known


@lean
def slack(buckets: Buckets, g: int, k: int, limit: int) -> int:
    """Of a guess's buckets, what one may be worth if the guess is to be worth at most ``limit``."""
    return int(limit - buckets.total[g] + buckets.bound[g, k])
