"""What a beam takes from a state on, and from a guess on that was made in it.

Both are upper bounds, made by the same beam: the value of the state, and the guess's own price with
the values of its buckets. The search is interrupted after so much work, and resumed from its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel
from .branch_and_bound import beam_search
from .guess_values import Buckets, lay_out, new_buckets, split_guess
from .score_table import ScoreTable
from .search_frames import NOWHERE, Workspace
from .state import Memo, State
from .table_vectors import Sums

#: Where the search stands: at the state itself, or which of the buckets of the guess; the level of
#: the beam.
AT, LEVEL = 0, 1
_STATE = -1
#: What is found: the value of the state, the column that has it, and the total of the guess.
VALUE, COLUMN, OWN = 0, 1, 2


class BeamTask(NamedTuple):
    """What a beam looks at, and what it has found."""

    #: What the beam has found of states.
    found: Memo
    state: State
    #: Memory for the buckets of the guess.
    buckets: Buckets
    place: Sums
    totals: Sums


def new_task(table: ScoreTable, found: Memo, state: State) -> BeamTask:
    """A state that nothing is known of yet."""
    place = np.array([_STATE, NOWHERE], dtype=np.int64)
    totals = np.full(3, -1, dtype=np.int64)
    return BeamTask(found, state, new_buckets(table, 1), place, totals)


@kernel
def beam_totals(work: Workspace, task: BeamTask, column: int, width: int, budget: int) -> bool:
    """Find the totals of a whole state and of the guess ``column`` in it, -1 for none.

    False if the search goes on after about so much work.
    """
    table, state, buckets, place, totals = (
        work.table, task.state, task.buckets, task.place, task.totals,
    )  # fmt: skip
    level = place[LEVEL : LEVEL + 1]
    if place[AT] == _STATE:
        if level[0] == NOWHERE:
            for k in range(state.size):
                work.scratch.members[k] = state.members[k]
            for k in range(len(state.revealed)):
                work.stack.revealed[0, k] = state.revealed[k]
        value, best = beam_search(work, task.found, level, state.size, state.left, width, budget)
        if level[0] != NOWHERE:
            return False
        totals[VALUE], totals[COLUMN], totals[OWN] = value, best, value
        if column in (-1, best):
            return True
        split_guess(table, state.members, column, state.left, buckets, 0)
        place[AT], totals[OWN] = 0, state.size * table.price
    while place[AT] < buckets.number[0]:
        k = int(place[AT])
        size = int(buckets.size[0, k])
        if buckets.rows[0, buckets.start[0, k]] != table.secret[column]:
            if level[0] == NOWHERE:
                lay_out(work, buckets, 0, k, state.revealed)
            value, _ = beam_search(work, task.found, level, size, state.left, width, budget)
            if level[0] != NOWHERE:
                return False
            totals[OWN] += value
        place[AT] += 1
    return True
