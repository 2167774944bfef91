"""What a beam takes from a state on, and from a guess on that was made in it.

Both are upper bounds, made by the same beam: the value of the state, and the guess's own price with
the values of its buckets. The search is interrupted after so much work, and resumed from its place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel, noalloc
from .beam import LEVEL_AT, Beaming, beam_search, begin_anew
from .guess_values import Buckets, lay_out, new_buckets, split_guess
from .lemmas import after_guess
from .memo import State
from .score_table import ScoreTable, reveal
from .search_frames import NOWHERE, Workspace
from .table_vectors import Rows, Scores, Sums

#: Where the search stands: at the state itself, or which of the buckets of the guess.
AT = 0
_STATE = -1
#: Units of work of a search that goes on to its end.
_UNINTERRUPTED = 1 << 60
#: What is found: the value of the state, the column that has it, and the total of the guess.
VALUE, COLUMN, OWN = 0, 1, 2


class BeamTask(NamedTuple):
    """What a beam looks at, and what it has found."""

    beaming: Beaming
    state: State
    #: Memory for the buckets of the guess.
    buckets: Buckets
    place: Sums
    totals: Sums


def new_task(table: ScoreTable, beaming: Beaming, state: State) -> BeamTask:
    """A state that nothing is known of yet."""
    begin_anew(beaming)
    place, totals = np.full(1, _STATE, dtype=np.int64), np.full(3, -1, dtype=np.int64)
    return BeamTask(beaming, state, new_buckets(table, 1), place, totals)


@kernel
def beam_totals(work: Workspace, task: BeamTask, column: int, budget: int) -> bool:
    """Find the totals of a whole state and of the guess ``column`` in it, -1 for none.

    False if the search goes on after about so much work.
    """
    table, state, buckets, place, totals = (
        work.table, task.state, task.buckets, task.place, task.totals,
    )  # fmt: skip
    level = task.beaming.place[LEVEL_AT : LEVEL_AT + 1]
    if place[AT] == _STATE:
        if level[0] == NOWHERE:
            for k in range(state.size):
                work.scratch.members[k] = state.members[k]
            for k in range(len(state.revealed)):
                work.stack.revealed[0, k] = state.revealed[k]
        value, best = beam_search(work, task.beaming, state.size, state.left, budget)
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
            value, _ = beam_search(work, task.beaming, size, state.left, budget)
            if level[0] != NOWHERE:
                return False
            totals[OWN] += value
        place[AT] += 1
    return True


@kernel
def beam_lengths(work: Workspace, task: BeamTask, column: int, lengths: Sums) -> int:
    """Write the guesses that the beam's strategy takes for each row of a whole table.

    It begins with a guess, or the beam's own (-1); its column is returned. States that wait lie in
    a list, one behind the other, and the rows of each lie side by side.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    count, words = task.state.size, len(task.state.revealed)
    rows, ordered = np.empty((2, count), dtype=np.int32)
    first, size, left, depth = np.zeros((4, count + 1), dtype=np.int64)
    revealed = np.zeros((count + 2, words), dtype=np.uint64)
    seen = revealed[count + 1]
    scores = task.buckets.start.shape[1]
    times = np.zeros(scores + 1, dtype=np.int64)
    for k in range(count):
        rows[k] = task.state.members[k]
    for k in range(words):
        revealed[0, k] = task.state.revealed[k]
    size[0], left[0], waiting, chosen = count, task.state.left, 1, column
    while waiting > 0:
        waiting -= 1
        begin, number, guesses = first[waiting], size[waiting], depth[waiting] + 1
        guess, here = column, left[waiting]
        for k in range(words):
            seen[k] = stack.revealed[0, k] = revealed[waiting, k]
        if guesses > 1 or guess < 0:
            for k in range(number):
                scratch.members[k] = rows[begin + k]
            _, guess = beam_search(work, task.beaming, number, here, _UNINTERRUPTED)
        if guesses == 1:
            chosen = guess
        _sort_by_score(table.scores[guess], rows[begin : begin + number], ordered, times)
        start = 0
        for score in range(scores):
            end = times[score]
            if end > start and table.secret[guess] == ordered[start]:
                lengths[ordered[start]] = guesses
            elif end > start:
                for k in range(start, end):
                    rows[begin + k] = ordered[k]
                first[waiting], size[waiting] = begin + start, end - start
                left[waiting], depth[waiting] = after_guess(here), guesses
                reveal(table, guess, ordered[start], seen, revealed[waiting])
                waiting += 1
            start = end
    return int(chosen)


@noalloc(inner=True)
def _sort_by_score(scores: Scores, members: Rows, ordered: Rows, times: Sums) -> None:
    """Write rows in the order of their scores, and where the rows of each score end."""
    for score in range(len(times)):
        times[score] = 0
    for k in range(len(members)):
        times[int(scores[members[k]]) + 1] += 1
    for score in range(len(times) - 1):
        times[score + 1] += times[score]
    for k in range(len(members)):
        score = int(scores[members[k]])
        ordered[times[score]] = members[k]
        times[score] += 1
