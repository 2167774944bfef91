"""The least total of a state's guesses, looked for with a measured effort.

The exact search is asked for one guess after the other, the most promising first, and is given up
where that is hard. Effort is counted in guesses and in the work of the kernels, so that the same
question has the same answer on any machine. ``advice.totals`` says what a total is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel
from .guess_values import HARD, Batch, screen, settle_buckets
from .lemmas import LOSS, least_by_parts
from .memo import State
from .search_frames import Workspace
from .table_vectors import Bytes, Rows, Sums

#: No total is larger; whatever is has left a candidate unsolved.
HIGHEST = LOSS - 1
#: In buckets up to this size there is nothing to choose.
PLAIN = 2
#: How a search ends: all other guesses are worse; it was broken off; it needs a score table.
PROVED, BROKEN_OFF, NEEDS_TABLE = 1, 0, -1
#: In place of a total: it takes too long; some candidate is not found in time.
UNKNOWN, OUT_OF_TIME = -1, -2


class Wanted(NamedTuple):
    """The guesses that may be made in a state, in the order of their ranking."""

    guesses: Rows
    #: The parts of each guess and the largest of them; whether the guess is a candidate.
    parts: Rows
    largest: Rows
    candidate: Bytes
    #: No strategy that begins with the guess has a smaller total.
    bounds: Sums


@kernel
def bound_by_parts(wanted: Wanted, count: int, left: int) -> None:
    """Write the bounds that follow from the number of parts, in a state of so many candidates.

    It is the total where no part has more than two candidates.
    """
    for at in range(len(wanted.guesses)):
        hit = int(wanted.candidate[at])
        wanted.bounds[at] = least_by_parts(1, count, int(wanted.parts[at]), hit, left)


@kernel
def least_plain_total(wanted: Wanted, effort: int, ties: Rows) -> tuple[int, int, int]:
    """As ``least_total``, as long as totals follow from the parts; else NEEDS_TABLE."""
    least, number = HIGHEST, 0
    for at in np.argsort(wanted.bounds, kind="mergesort"):
        value = int(wanted.bounds[at])
        if value > least:
            break
        if wanted.largest[at] > PLAIN:
            return least, number, NEEDS_TABLE
        least, number = _take(least, number, value, wanted.guesses[at], ties)
        effort -= 1
        if effort < 0:
            return least, number, BROKEN_OFF
    return least, number, PROVED


@kernel
def least_total(
    work: Workspace,
    batch: Batch,
    state: State,
    columns: Rows,
    wanted: Wanted,
    effort: int,
    ties: Rows,
) -> tuple[int, int, int]:
    """The least total of the wanted guesses, how many have it, and PROVED or BROKEN_OFF.

    These are written to ``ties``; ``columns`` are those of all guesses. After more guesses than the
    effort allows, and at the first that is hard, the search is broken off.
    """
    least, number = HIGHEST, 0
    for at in np.argsort(wanted.bounds, kind="mergesort"):
        if wanted.bounds[at] > least:
            break
        value = _total(work, batch, state, columns, wanted, at, least)
        if value == UNKNOWN:
            return least, number, BROKEN_OFF
        least, number = _take(least, number, value, wanted.guesses[at], ties)
        effort -= 1
        if effort < 0:
            return least, number, BROKEN_OFF
    return least, number, PROVED


@kernel
def find_totals(
    work: Workspace,
    batch: Batch,
    state: State,
    columns: Rows,
    wanted: Wanted,
    places: Rows,
    totals: Sums,
) -> None:
    """The totals of the guesses at some places among those wanted; UNKNOWN or OUT_OF_TIME."""
    for k in range(len(places)):
        value = _total(work, batch, state, columns, wanted, places[k], HIGHEST)
        totals[k] = OUT_OF_TIME if value > HIGHEST else value


@kernel(inner=True)
def _take(least: int, number: int, value: int, guess: int, ties: Rows) -> tuple[int, int]:
    """The least total and the number of its guesses, once one more is known."""
    if value < least:
        least, number = value, 0
    if value == least:
        ties[number] = guess
        number += 1
    return least, number


@kernel(inner=True)
def _total(
    work: Workspace,
    batch: Batch,
    state: State,
    columns: Rows,
    wanted: Wanted,
    at: int,
    limit: int,
) -> int:
    """The total of a guess, or anything above the limit; UNKNOWN if that takes too long."""
    bound = int(wanted.bounds[at])
    if wanted.largest[at] <= PLAIN or bound > limit:
        return bound
    total, known = _quick_value(work, batch, state, columns[wanted.guesses[at]], limit)
    return total if known or total > limit else UNKNOWN


@kernel(inner=True)
def _quick_value(
    work: Workspace, batch: Batch, state: State, column: int, limit: int
) -> tuple[int, bool]:
    """What a guess is worth at least, as far as it is at most the limit; whether that is all."""
    buckets = batch.buckets
    one = np.full(1, column, dtype=np.int32)
    screen(work, batch, state, one, limit)
    if buckets.total[0] <= limit:
        settle_buckets(work, batch, state, limit)
    hard = False
    for k in range(buckets.number[0]):
        hard |= buckets.state[0, k] == HARD
    total = int(buckets.total[0])
    return total, total <= limit and not hard
