"""Exact search with candidates as the only guesses: its steps of branch and bound over sets.

A state is a set of candidates with the guesses that are left, and its guesses are its members: what
may be guessed follows from the set alone, so a memo of sets is exact. Its value is the least cost
over all strategies that guess candidates only (docs/exact.md, *Candidates only*): no bound of a set
holds for the sets within it.

The members of a state are bounded by the sizes of their buckets, and tried in the order of these
bounds. A member that leaves no bucket of three has its bound as its value. The rest is as in all
searches over sets (``set_frames``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import Ids
from ...machine.jit import kernel, noalloc
from .lemmas import NEVER
from .memo import Memo, known, set_of
from .set_frames import (
    BEST,
    DEEPEST,
    FIRST,
    LEFT,
    OWN,
    SIZE,
    Totals,
    find_buckets,
    next_by_bound,
    search_sets,
)


class CandidateTable(NamedTuple):
    """The scores of all secrets with each other, and with a few more guesses."""

    #: ``scores[guess, secret]``: numbers that are equal where the guess's scores are. The first
    #: rows are those of the secrets, in their order; behind them are forced guesses.
    scores: NDArray[Any]
    #: How many numbers of scores a guess has at most.
    n_scores: int
    #: A value up to here is as good as any other: a search for it ends with the first guess.
    enough: int
    #: See ``set_frames.SetTable``.
    ideals: Totals
    #: What a further candidate adds to that: ``ideals[left, size + 1] - ideals[left, size]``.
    steps: Totals


class CandidateStack(NamedTuple):
    """The frames of nested states, and what is kept and counted for each."""

    frames: Totals
    members: Ids
    #: Of each level the bounds of its members.
    bounds: Totals
    #: Of each level the buckets of the guess under test: where each begins, its size, and what it
    #: costs at least.
    starts: Totals
    sizes: Totals
    costs: Totals
    #: Scratch: the scores of a state's members, how often each score occurs.
    row: Totals
    times: Totals
    #: Work and states so far.
    work: Totals


def new_candidate_stack(table: CandidateTable) -> CandidateStack:
    """Memory for the states of a table."""
    count = table.scores.shape[1]
    levels = min(count, DEEPEST) + 3
    return CandidateStack(
        np.zeros((levels, OWN), dtype=np.int64),
        np.empty(2 * count * (levels + 1), dtype=np.int32),
        np.empty((levels, count), dtype=np.int64),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty((levels, table.n_scores + 1), dtype=np.int64),
        np.empty(count, dtype=np.int64),
        np.zeros(table.n_scores, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
    )


# ---- Bounds


@noalloc(inner=True)
def _scan(
    table: CandidateTable, stack: CandidateStack, first: int, size: int, left: int, guess: int
) -> tuple[int, bool]:
    """What a guess costs at least by the sizes of its buckets, and whether it costs just that."""
    members, times, scores = stack.members, stack.times, table.scores[guess]
    steps = table.steps[min(left - 1, len(table.ideals) - 1)]
    largest, bound, end = 0, size, first + size
    for k in range(first, end):
        score = scores[members[k]]
        count = times[score]
        bound += steps[count]
        largest = max(largest, count)
        times[score] = count + 1
    if guess < scores.shape[0]:  # its own bucket costs nothing; if it is no member it has none
        bound -= times[scores[guess]] * steps[0]
    for k in range(first, end):
        times[scores[members[k]]] = 0
    return bound, largest <= 1


@noalloc(inner=True)
def _settle(
    table: CandidateTable,
    memo: Memo,
    stack: CandidateStack,
    state: tuple[int, int, int],
    limit: int,
) -> tuple[int, int, int]:
    """The value of a state (first, size, left), or a bound: (bound, exact, guess), by no search."""
    first, size, left = state
    members = stack.members
    ideal = table.ideals[min(left, len(table.ideals) - 1), size]
    if size <= 2:
        return ideal, 1, members[first]
    if ideal > limit:
        return ideal, 0, -1
    value, exact, guess = known(memo, set_of(memo, members, first, size, left))
    if exact == 1 or value > limit:
        return value, exact, guess
    stack.work[0] += 1 + (size * size >> 8)
    best, plain, chosen = NEVER, False, -1
    for k in range(size):
        bound, exactly = _scan(table, stack, first, size, left, members[first + k])
        if bound < best or (bound == best and exactly and not plain):
            best, plain, chosen = bound, exactly, members[first + k]
            if plain and best == ideal:
                break
    if plain:
        return best, 1, chosen
    return max(best, value), 0, -1


# ---- The search


@noalloc(inner=True)
def _list(table: CandidateTable, stack: CandidateStack, level: int) -> None:
    """Bound the guesses of a new frame."""
    frame, bounds = stack.frames[level], stack.bounds[level]
    first, size, left = frame[FIRST], frame[SIZE], frame[LEFT]
    stack.work[0] += 1 + (size * size >> 8)
    for k in range(size):
        bounds[k], _ = _scan(table, stack, first, size, left, stack.members[first + k])


@noalloc(inner=True)
def _next_guess(table: CandidateTable, stack: CandidateStack, level: int) -> int:
    """The next guess of a frame by rising bounds; -1: none is left that may be better."""
    frame = stack.frames[level]
    if frame[BEST] <= table.enough:
        return -1
    best = next_by_bound(frame, stack.bounds[level], frame[SIZE])
    return best if best < 0 else int(stack.members[frame[FIRST] + best])


@noalloc(inner=True)
def _split(table: CandidateTable, stack: CandidateStack, level: int, guess: int) -> tuple[int, int]:
    """Split a state by a guess: how many buckets of three and more there are, and its bound."""
    frame, times, row = stack.frames[level], stack.times, stack.row
    scores, first = table.scores[guess], frame[FIRST]
    for k in range(frame[SIZE]):
        row[k] = scores[stack.members[first + k]]
        times[row[k]] += 1
    if guess < scores.shape[0]:
        times[scores[guess]] = 0
    return find_buckets(table, stack, level)


@kernel
def search_candidates(
    table: CandidateTable,
    memo: Memo,
    stack: CandidateStack,
    place: Totals,
    state: Totals,
    budget: int,
) -> tuple[int, int, int]:
    """The value of a state: see ``search_sets``."""
    return search_sets(
        _settle, _list, _next_guess, _split, table, memo, stack, place, state, budget
    )


@kernel
def bound_guesses(
    table: CandidateTable, stack: CandidateStack, guesses: Ids, size: int, left: int, bounds: Totals
) -> None:
    """What some guesses cost at least in the state of the first ``stack.members``."""
    for k in range(len(guesses)):
        bounds[k], _ = _scan(table, stack, 0, size, left, guesses[k])
