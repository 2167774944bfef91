"""Kernels about single states of Mastermind: the guesses to try, their bounds, the split by one.

A guess is worth at least the candidates plus, for each of its buckets but the solved one, what the
best imaginable strategy needs for so many. All representatives are graded against all candidates,
and of a row of scores nothing is kept but that bound: only guesses that are tried are split.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...game.codes import (
    Codes,
    CodeSpace,
    Marks,
    fill_places,
    fill_tallies,
    find_alike,
    list_representatives,
    rank,
    score_against_packed,
    shared_pegs,
)
from ...machine.arrays import Ids, copy_into, sort_by_score
from ...machine.jit import kernel
from .lemmas import LOSS

#: A lower bound of a total for each guess, or for each size of a state.
Totals = NDArray[np.int64]


class CodeScratch(NamedTuple):
    """Memory for searches among the codes of a board, made once."""

    #: A byte for every code, zero between uses.
    marks: Marks
    #: The representatives of the state at hand.
    guess_places: Codes
    #: The candidates of the state at hand.
    places: Codes
    tallies: Codes
    #: Scores that the first pegs of a guess alone contribute, hole by hole.
    partial: Codes


def code_scratch(space: CodeSpace) -> CodeScratch:
    """Memory for all exact searches in a code space."""
    n_codes, holes = space.codes.shape
    return CodeScratch(
        marks=np.zeros(n_codes, dtype=np.uint8),
        guess_places=np.zeros((holes, n_codes), dtype=np.uint8),
        places=np.zeros((holes, n_codes), dtype=np.uint8),
        tallies=np.zeros((space.n_colours, n_codes), dtype=np.uint8),
        partial=np.zeros((holes + 1, n_codes), dtype=np.uint8),
    )


@kernel
def bounds_of_guesses(
    space: CodeSpace, scratch: CodeScratch, members: Ids, ideal: Totals
) -> tuple[Ids, Totals]:
    """The guesses to try in a state, and a lower bound of the exact total with each.

    A candidate that tells all others apart, or all but two, cannot be beaten: the total is
    2n - 1 or 2n, and with a guess that is no candidate it is 2n or more. Else all representatives.
    """
    n = len(members)
    fill_places(space.codes, members, scratch.places)
    fill_tallies(scratch.places, n, scratch.tallies)
    if ideal[n] <= 2 * n:
        fill_places(space.codes, members, scratch.guess_places)
        bounds = _bounds(scratch, n, n, ideal)
        first = np.argmin(bounds)
        if bounds[first] <= 2 * n:
            return members[first : first + 1].copy(), bounds[first : first + 1].copy()
    alike = find_alike(space, members, scratch.marks)
    count = list_representatives(alike, space.distinct, scratch.guess_places)
    bounds = _bounds(scratch, n, count, ideal)
    guesses = np.empty(count, dtype=np.int32)
    code = np.empty(space.codes.shape[1], dtype=np.uint8)
    for at in range(count):
        copy_into(code, scratch.guess_places[:, at])
        guesses[at] = rank(code, space.weights, space.distinct)
    return guesses, bounds


@kernel
def _bounds(scratch: CodeScratch, n: int, count: int, ideal: Totals) -> Totals:
    """The bounds of the guesses listed in scratch memory."""
    holes = scratch.places.shape[0]
    solved = holes * (holes + 1)
    sizes = np.zeros(solved + 1, dtype=np.int64)
    row = np.empty(n, dtype=np.uint8)
    code = np.empty(holes, dtype=np.uint8)
    last = np.full(holes, 255, dtype=np.uint8)
    bounds = np.empty(count, dtype=np.int64)
    for at in range(count):
        copy_into(code, scratch.guess_places[:, at])
        known = shared_pegs(code, last)
        score_against_packed(code, known, scratch.places, scratch.tallies, 0, scratch.partial, row)
        copy_into(last, code)
        sizes[:] = 0
        for score in row:
            sizes[score] += 1
        bound = n
        for size in sizes[:solved]:
            bound += ideal[size]
        bounds[at] = bound
    return bounds


@kernel
def split_state(
    space: CodeSpace, scratch: CodeScratch, guess: int, members: Ids
) -> tuple[Ids, Ids, Ids]:
    """The split of a state: scores, members, starts.

    Scores and members are in order of the scores; the starts say where the buckets begin and the
    last one ends.
    """
    n, holes = len(members), space.codes.shape[1]
    solved = holes * (holes + 1)
    row, scores = np.empty(n, dtype=np.uint8), np.empty(n, dtype=np.int32)
    fill_places(space.codes, members, scratch.places)
    fill_tallies(scratch.places, n, scratch.tallies)
    code = space.codes[guess]
    score_against_packed(code, 0, scratch.places, scratch.tallies, 0, scratch.partial, row)
    copy_into(scores, row)
    order = members.copy()
    sort_by_score(scores, order, np.zeros(solved + 1, dtype=np.int32), np.empty_like(order))
    starts = np.empty(solved + 2, dtype=np.int32)
    count = 0
    for at in range(n):
        if at == 0 or scores[at] != scores[at - 1]:
            starts[count] = at
            count += 1
    starts[count] = n
    return scores, order, starts[: count + 1].copy()


@kernel
def ideal_totals(holes: int, most: int, left: int) -> Totals:
    """Lower bounds: with ``left`` guesses, n candidates take entry n at least.

    Each guess may be right, and each other score may lead to a state of its own. Candidates beyond
    the guesses left cost LOSS more.
    """
    others = (holes + 1) * (holes + 2) // 2 - 2
    totals = np.zeros(most + 1, dtype=np.int64)
    n, depth, states = 0, 0, 1
    while n < most:
        depth += 1
        for _ in range(min(states, most - n)):
            n += 1
            totals[n] = totals[n - 1] + depth + (LOSS if depth > left else 0)
        states = min(states * others, most)
    return totals
