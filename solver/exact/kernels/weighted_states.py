"""States whose candidates have weights: their splits, and quick bounds of their values.

The value of a state is the least sum, over its candidates, of weight times guesses still to be
made; docs/exact.md has the lemmas (16 to 18). Weights are whole numbers of 1 or more, and the rows
of a table stand in their order, the heaviest first: so the first of a state's rows is its heaviest
candidate, and whoever goes through a state meets the heaviest of each bucket first.

A state that cannot be solved in the guesses that are left has the value ``LOSS``, whatever it
loses. Tables, memo and scratch memory are those of searches without weights.
"""

from __future__ import annotations

import numpy as np

from ...machine.jit import noalloc
from ...machine.vectors import first_bit
from .lemmas import LOSS, NEVER, guesses_left
from .memo import State, known, note
from .score_table import ScoreTable, is_legal, score_numbers
from .search_frames import Workspace
from .state import Scratch, Weighing, promising, split
from .table_vectors import BLOCK_COLUMNS, Scores, Sums

#: What is known of a state: its value; a bound that no guess is below; that its value is above the
#: limit it was looked at with.
VALUE, LEAST, ABOVE = 1, 0, 2


def new_weighing(table: ScoreTable, weights: Sums) -> Weighing:
    """Memory for a table whose rows have these weights."""
    sums = np.zeros((2, score_numbers(table)), dtype=np.int64)
    return Weighing(weights.astype(np.int64), sums[0], sums[1])


@noalloc(inner=True, inline=True)
def weight_of(weighing: Weighing, state: State) -> int:
    """The weight of all candidates of a state."""
    total = 0
    for k in range(np.uint64(state.first), np.uint64(state.first + state.size)):
        total += weighing.weights[np.uint32(state.members[k])]
    return int(total)


@noalloc(inner=True, inline=True)
def parts_weight(
    table: ScoreTable, weighing: Weighing, scratch: Scratch, state: State, column: int
) -> int:
    """The weight of the parts of a guess: of each bucket its heaviest candidate, added up."""
    scores, flags, weights = table.scores[column], scratch.present.view(np.uint8), weighing.weights
    scratch.present[:] = 0
    total = 0
    for k in range(np.uint64(state.first), np.uint64(state.first + state.size)):
        row = np.uint32(state.members[k])
        score = np.uint64(scores[row])
        total += weights[row] * np.int64(np.uint8(1) - flags[score])
        flags[score] = 1
    return int(total)


@noalloc(inner=True, inline=True)
def parts_needed(weighing: Weighing, state: State, weight: int) -> int:
    """The least number of parts that may have so much weight; more than there are candidates: none.

    So many of the heaviest candidates have it.
    """
    held, parts = 0, 0
    while parts < state.size and held < weight:
        held += weighing.weights[np.uint32(state.members[state.first + parts])]
        parts += 1
    return parts if held >= weight else state.size + 1


@noalloc
def quick_weighted(
    work: Workspace, weighing: Weighing, ceiling: Scores, state: State, limit: int, top: int
) -> tuple[int, int, int]:
    """A state's lower bound without a search: (bound, VALUE, LEAST or ABOVE, column attaining it).

    No guess has more parts than ``ceiling`` says.
    """
    table, memo, scratch = work.table, work.memo, work.scratch
    members, first, count = state.members, state.first, state.size
    left = guesses_left(state.left, count)
    heaviest = int(weighing.weights[members[first]])
    own = int(np.int64(table.column[members[first]]))
    if left == 1 and count > 1:
        return LOSS, VALUE, own
    weight = weight_of(weighing, state)
    if count <= 2:
        return 2 * weight - heaviest, VALUE, own
    filed = State(members, first, count, left, state.revealed)
    if count > 3 or left == 2:
        bound, kind, column = known(memo, filed)
        if bound > limit or (bound >= 0 and kind != ABOVE):
            return bound, kind, column
    least = 2 * weight - heaviest
    if least > limit:
        return least, ABOVE, -1
    scratch.work[0] += 1
    bound, column = _best_candidate(table, weighing, scratch, filed, weight)
    if bound > 2 * weight:
        bound, column = _best_of_all(work, weighing, ceiling, filed, limit, bound, column)
    if bound > limit:
        bound, kind = (LOSS, VALUE) if bound >= LOSS else (limit + 1, ABOVE)
    else:
        cost, buckets = split(table, weighing, scratch, filed, column, top)
        kind = VALUE if buckets == 0 and cost == bound else LEAST
    if count > 3 or left == 2:
        note(memo, filed, bound, kind, column)
    return bound, kind, column


@noalloc(inner=True, inline=True)
def _best_candidate(
    table: ScoreTable, weighing: Weighing, scratch: Scratch, state: State, weight: int
) -> tuple[int, int]:
    """The least bound of a candidate as the next guess, and its column."""
    weights, members, first = weighing.weights, state.members, state.first
    bound, best = NEVER, -1
    for k in range(first, first + state.size):
        row = members[k]
        floor = 2 * weight - weights[row]
        if floor >= bound:  # lighter ones are no better
            break
        column = int(np.int64(table.column[row]))
        held = parts_weight(table, weighing, scratch, state, column)
        value = int(3 * weight - held - weights[row])
        if state.left == 2 and held < weight:
            continue
        if value < bound:
            bound, best = value, column
    return bound, best


@noalloc(inner=True, inline=True)
def _best_of_all(
    work: Workspace,
    weighing: Weighing,
    ceiling: Scores,
    state: State,
    limit: int,
    bound: int,
    best: int,
) -> tuple[int, int]:
    """The least bound of all legal guesses, if it is below ``bound`` and at most ``limit``.

    No candidate is below ``bound``, so one of the others must be: where the parts of such a guess
    weigh ``held``, it has the bound 3 weight - held. With two guesses left it tells all apart.
    """
    table, scratch = work.table, work.scratch
    weight = weight_of(weighing, state)
    enough = weight if state.left == 2 else max(3 * weight - min(limit, bound - 1), 1)
    need = parts_needed(weighing, state, enough)
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        if need > state.size or table.parts[column] < need:
            break
        good = promising(table, scratch, state, ceiling, column, need)
        while good != np.uint64(0):
            lane = first_bit(good)
            good &= good - np.uint64(1)
            at = column + lane
            if table.guess[at] < 0:
                continue
            held = parts_weight(table, weighing, scratch, state, at)
            if held >= enough and is_legal(table, at, state.revealed):
                bound, best = 3 * weight - held, at
                enough = held + 1
                need = parts_needed(weighing, state, enough)
                if need > state.size:
                    break
    return bound, best
