"""Which guesses of a state a search has to try: the legal ones with a bound within its limit.

A limit says how many parts a guess needs (lemma 2); columns stand in the order of their parts, so
all behind the first block with too few are out at once. What ceilings do not exclude is counted, 64
guesses at a time, and kept as the ceiling of the states below.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import lean
from ...machine.vector_steps import first_bit
from ..lemmas import fewest_parts, least_by_parts
from ..table.count_lanes import LANES
from ..table.score_table import ScoreTable, is_legal
from .scratch_memory import Scratch, State
from .search_frames import Stack
from .split_state import tighten


@lean
def list_guesses(
    table: ScoreTable,
    scratch: Scratch,
    stack: Stack,
    ceiling: NDArray[np.uint8],
    state: State,
    limit: int,
    at: int,
) -> int:
    """Write the legal guesses of a state, bounds up to ``limit``, to lists from ``at``; the end.

    The ceiling is lowered by what is found.
    """
    members, first, count, left = state.members, state.first, state.size, state.left
    need = fewest_parts(table.price, count, left, limit, 1)
    if need > count:
        return at
    begin = at
    for k in range(first, first + count):
        scratch.inside[members[k]] = 1
    for column in range(0, table.guess.shape[0], LANES):
        if table.parts[column] < need:
            break
        good = tighten(table, scratch, members, first, count, ceiling, column, need)
        while good != np.uint64(0):
            here = column + first_bit(good)
            good &= good - np.uint64(1)
            row = table.secret[here]
            hit = 1 if row >= 0 and scratch.inside[row] == 1 else 0
            bound = least_by_parts(table.price, count, int(np.int64(ceiling[here])), hit, left)
            if bound <= limit and is_legal(table, here, state.shown):
                stack.columns[at] = here
                stack.bounds[at] = bound
                at += 1
    for k in range(first, first + count):
        scratch.inside[members[k]] = 0
    if table.price == 0:
        _least_bucket_first(table, scratch, stack, state, begin, at)
    return at


@lean(inner=True)
def _least_bucket_first(
    table: ScoreTable, scratch: Scratch, stack: Stack, state: State, begin: int, end: int
) -> None:
    """Sort a list of guesses by the size of their largest bucket, where all bounds are alike."""
    times, below = scratch.times, scratch.scores
    members, first, count = state.members, state.first, state.size
    columns, keys = stack.columns, stack.keys
    below[: count + 1] = 0
    for at in range(begin, end):
        of_row = table.scores[columns[at]]
        most = 0
        for k in range(count):
            score = np.int64(of_row[members[first + k]])
            times[score] += 1
            most = max(most, times[score])
        for k in range(count):
            times[np.int64(of_row[members[first + k]])] = 0
        keys[at - begin, 0], keys[at - begin, 1] = most, columns[at]
        keys[at - begin, 2] = stack.bounds[at]
        below[most] += 1
    place = begin
    for size in range(count + 1):
        place, below[size] = place + below[size], place
    for k in range(end - begin):
        at = below[keys[k, 0]]
        below[keys[k, 0]] += 1
        columns[at], stack.bounds[at] = keys[k, 1], keys[k, 2]


@lean(inner=True)
def sort_by_bound(stack: Stack, begin: int, end: int) -> None:
    """Sort a list of guesses by their bounds, equal ones as they stand: merge runs of 1, 2, 4, …"""
    columns, bounds, keys = stack.columns, stack.bounds, stack.keys
    count, run = end - begin, 1
    while run < count:
        for k in range(count):
            keys[k, 0], keys[k, 1] = bounds[begin + k], columns[begin + k]
        for start in range(0, count, 2 * run):
            middle, stop = min(start + run, count), min(start + 2 * run, count)
            one, other = start, middle
            for at in range(begin + start, begin + stop):
                if other == stop or (one < middle and keys[one, 0] <= keys[other, 0]):
                    bounds[at], columns[at] = keys[one, 0], keys[one, 1]
                    one += 1
                else:
                    bounds[at], columns[at] = keys[other, 0], keys[other, 1]
                    other += 1
        run *= 2
