"""The capacity of states: how many candidates so many guesses can solve at most.

Of rhymes no guess tells more than one or two from the others, and a search that knows nothing of
that looks at every subset of them. docs/exact.md, lemma 12, says what capacity is and what it says
of totals; lemma 12a what it says of totals by weight.
"""

from __future__ import annotations

import numpy as np

from ...machine.jit import noalloc
from .lemmas import LOSS
from .memo import State
from .score_table import ScoreTable, is_legal
from .search_frames import COUNT, FIRST, Stack
from .state import Scratch
from .table_vectors import Rows
from .weighted_states import Weighing


@noalloc(inner=True)
def histogram(table: ScoreTable, scratch: Scratch, first: int, count: int, column: int) -> int:
    """Count the scores of a guess in ``scratch.times``; how many different ones are in ``seen``."""
    times = scratch.times
    of_row = table.scores[column]
    distinct = 0
    for k in range(first, first + count):
        score = np.int64(of_row[scratch.members[k]])
        if times[score] == 0:
            scratch.seen[distinct] = score
            distinct += 1
        times[score] += 1
    return distinct


@noalloc(inner=True)
def find_capacity(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """What one guess more can do in the state of a frame, in ``capacity[x]`` for each x.

    The most that the buckets of any legal guess hold if none counts for more than x.
    """
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    first, count = frame[FIRST], frame[COUNT]
    capacity, revealed = stack.capacity[level], stack.revealed[level]
    times, tally = scratch.times, scratch.scores
    for x in range(count + 1):
        capacity[x], tally[x] = x, 0
    for column in range(ceiling.shape[0]):
        if ceiling[column] < 2 or not is_legal(table, column, revealed):
            continue
        distinct, most = histogram(table, scratch, first, count, column), 0
        for j in range(distinct):
            size = times[scratch.seen[j]]
            times[scratch.seen[j]] = 0
            tally[size] += 1
            most = max(most, size)
        held, wider = 0, distinct
        for x in range(1, most + 1):
            held += wider
            wider -= tally[x]
            tally[x] = 0
            capacity[x] = max(capacity[x], held)
        capacity[most] = count
    for x in range(1, count + 1):
        capacity[x] = max(capacity[x], capacity[x - 1])


@noalloc(inner=True)
def take_over_capacity(stack: Stack, level: int) -> None:
    """Take over the capacity of the state before; nothing is known of the first state."""
    count, capacity = stack.frames[level][COUNT], stack.capacity[level]
    for x in range(count + 1):
        most = stack.capacity[level - 1, x] if level > 0 else np.int32(count)
        capacity[x] = min(most, np.int32(count))


@noalloc(inner=True)
def least_by_capacity(price: int, count: int, capacity: Rows, left: int) -> int:
    """The least value (lemma 12) of a state of this size, where ``capacity`` is of a larger one.

    ``solved`` is the most that a strategy can solve with so many guesses.
    """
    solved, guesses, value = 1, 1, count * price
    while solved < count:
        if guesses == left:
            value += (count - solved) * LOSS
        value += (count - solved) * price
        solved = int(np.int64(capacity[solved]))
        guesses += 1
    return value


@noalloc(inner=True)
def least_weight_by_capacity(weighing: Weighing, state: State, weight: int, capacity: Rows) -> int:
    """The least value (lemma 12a) of a state of this weight; ``capacity`` is of a larger one."""
    solved, most, unsolved, total = 0, 1, weight, weight
    while most < state.size:
        while solved < most:
            unsolved -= weighing.weights[np.uint32(state.members[state.first + solved])]
            solved += 1
        total += unsolved
        most = int(np.int64(capacity[most]))
    return int(total)
