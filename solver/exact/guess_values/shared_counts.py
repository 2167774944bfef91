"""Counting the parts of all guesses for many states together.

The scores of a whole game are far larger than the caches of a core, those of 64 guesses are not.
So the guesses are taken 64 at a time, and all states are counted with them before the next 64
(loop tiling, in the words of compilers): three times as fast as state by state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import lean
from ...machine.vector_steps import first_bit
from ..lemmas import NEVER, fewest_parts, least_by_parts
from ..state_values.scratch_memory import Scratch
from ..state_values.split_state import contains, counted
from ..table.count_lanes import LANES
from ..table.score_table import ScoreTable
from .ceilings import TABLES, Ceilings, hopeful_in, tables_of

#: More parts than any guess has: nothing to count.
_NOTHING = 1 << 20
#: Rows of all states together: what is looked at again for every 64 guesses should stay in a cache.
_ROWS = 1 << 17


class SharedCount(NamedTuple):
    """States whose parts are counted together for all guesses, and what is found out about each."""

    #: Rows, state after state, where each state begins and how large it is.
    members: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    #: Guesses left (as states are filed), and the bound above which no guess is of interest.
    left: NDArray[np.int64]
    limit: NDArray[np.int64]
    #: Guesses with fewer parts need not be counted.
    need: NDArray[np.int64]
    #: The least ``least_by_parts`` of all guesses up to the limit, and the column that has it.
    bound: NDArray[np.int64]
    column: NDArray[np.int64]
    #: Of the first states: what no guess exceeds in parts; the number itself from ``need`` on.
    ceiling: NDArray[np.uint8]
    #: The tables of marks that hold each state (see ``ceilings``), and what hard mode has seen.
    tables: NDArray[np.int32]
    shown: NDArray[np.uint64]
    #: For whoever enters states: which guess and which of its buckets each is.
    owner: NDArray[np.int64]


def new_shared_count(states: int, lists: int, secrets: int, width: int) -> SharedCount:
    """Memory to count so many states of a table with so many secrets and columns together.

    The guesses of the first ``lists`` of them may be listed; those may hold all secrets together.
    """
    start, size, left, limit, need, bound, column = np.zeros((7, states), dtype=np.int64)
    return SharedCount(
        np.empty(max(_ROWS, secrets), dtype=np.int32),
        start,
        size,
        left,
        limit,
        need,
        bound,
        column,
        aligned((lists, width)),
        np.zeros((states, TABLES), dtype=np.int32),
        np.zeros((states, 4), dtype=np.uint64),
        np.zeros((states, 2), dtype=np.int64),
    )


@lean
def has_room(shared: SharedCount, t: int, size: int) -> bool:
    """Whether a state of this size can be entered in place ``t`` of a shared count of parts."""
    if t == shared.start.shape[0]:
        return False
    at = 0 if t == 0 else shared.start[t - 1] + shared.size[t - 1]
    return bool(at + size <= shared.members.shape[0])


@lean
def add_state(
    table: ScoreTable,
    shared: SharedCount,
    t: int,
    rows: NDArray[np.int32],
    first: int,
    size: int,
    left: int,
    limit: int,
) -> None:
    """Enter ``rows[first : first + size]`` as state ``t`` of a shared count of parts."""
    at = 0 if t == 0 else shared.start[t - 1] + shared.size[t - 1]
    shared.start[t], shared.size[t] = at, size
    for k in range(size):
        shared.members[at + k] = rows[first + k]
    shared.left[t], shared.limit[t] = left, limit
    shared.bound[t], shared.column[t] = NEVER, -1
    need = fewest_parts(table.price, size, left, limit, 1)
    shared.need[t] = need if need <= size else _NOTHING


@lean
def enter_marks(
    ceilings: Ceilings,
    shared: SharedCount,
    t: int,
    column: int,
    row: int,
    shown: NDArray[np.uint64],
) -> None:
    """Note what bounds the parts of all guesses on state ``t`` of a shared count, before any count.

    It is the bucket of ``row`` under the guess ``column``, and has shown so much.
    """
    tables_of(ceilings, column, row, shared.tables[t])
    for k in range(4):
        shared.shown[t, k] = shown[k]


@lean
def highest_ceiling(
    table: ScoreTable, ceilings: Ceilings, shared: SharedCount, t: int, size: int
) -> int:
    """The highest ceiling of all guesses in state ``t`` of a shared count, its marks entered."""
    tables, shown = shared.tables[t], shared.shown[t]
    most = 1
    for column in range(0, table.guess.shape[0], LANES):
        if most >= size or most >= table.parts[column]:
            break
        higher = hopeful_in(table, ceilings, tables, shown, column, most + 1)
        while higher != np.uint64(0):
            most = max(most, int(np.int64(ceilings.lanes[first_bit(higher)])))
            higher &= higher - np.uint64(1)
    return min(most, size)


@lean
def find_best(
    table: ScoreTable, scratch: Scratch, ceilings: Ceilings, shared: SharedCount, states: int
) -> None:
    """The best bound of each state in a shared count of parts; what cannot better it is left."""
    for column in range(0, table.guess.shape[0], LANES):
        parts = int(table.parts[column])
        going = False
        for t in range(states):
            need = shared.need[t]
            if need > parts:
                continue
            going = True
            hopeful = hopeful_in(table, ceilings, shared.tables[t], shared.shown[t], column, need)
            if hopeful == np.uint64(0):
                continue
            first, size = shared.start[t], shared.size[t]
            good = counted(table, scratch, shared.members, first, size, hopeful, column, need)
            if good != np.uint64(0):
                _improve(table, scratch, shared, t, column, good)
        if not going:
            break


@lean(inner=True)
def _improve(
    table: ScoreTable, scratch: Scratch, shared: SharedCount, t: int, column: int, good: Any
) -> None:
    """Take the best of the columns that are given as bits."""
    size, left = shared.size[t], shared.left[t]
    before = shared.bound[t]
    while good != np.uint64(0):
        lane = first_bit(good)
        good &= good - np.uint64(1)
        row = int(table.secret[column + lane])
        hit = 1 if row >= 0 and contains(shared.members, shared.start[t], size, row) else 0
        value = least_by_parts(table.price, size, int(np.int64(scratch.lanes[lane])), hit, left)
        if value < shared.bound[t]:
            shared.bound[t], shared.column[t] = value, column + lane
    if shared.bound[t] < before:
        need = fewest_parts(table.price, size, left, min(shared.limit[t], shared.bound[t] - 1), 1)
        shared.need[t] = max(need, shared.need[t]) if need <= size else _NOTHING
