"""The kernels that choose a guess and grow whole subtrees, over the secret-major matrix.

Three ways to the same choice. Any rule: count every guess, dropping it once it cannot win. Knuth's
rule with few candidates: compare their rows of scores pairwise, a vector of guesses at a time.
Knuth's rule with many: exclude guesses by the majority bound.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from ..machine.rows import Ids, sort_by_score
from ..machine.vector_steps import VECTOR_BYTES, most_alike
from ..splits.logarithms import Costs
from .majority import smallest_largest
from .majority_tables import Letters, Scratch

#: Above every cost that a rule can give.
NO_COST = 1 << 61


class Problem(NamedTuple):
    """What stays the same while a strategy is grown."""

    #: ``scores[secret, column]`` against the guesses of the pool; rows padded for vectors.
    scores: NDArray[Any]
    #: The column of each secret.
    own_column: Ids
    #: All columns may be guessed, not only those of candidates.
    from_pool: bool
    #: The rule, as in ``rules.Rule``.
    steps: Costs
    by_largest: bool
    candidate_bonus: bool
    #: Up to so many candidates, Knuth's rule compares them pairwise.
    few: int
    #: The pool for the majority bound, if the game has letters.
    letters: Letters


@kernel
def cheapest(
    scores: NDArray[Any],
    members: Ids,
    columns: Ids,
    steps: Costs,
    by_largest: bool,
    reward: int,
    counts: NDArray[np.int32],
    best: int,
) -> tuple[int, int]:
    """The first column that costs least, if less than ``best``: its place and cost, else -1.

    ``counts`` is all zero before and after; a column is dropped once it cannot win.
    """
    n = len(members)
    rows = members.view(np.uint32)  # unsigned: no place counts from the end
    floor = (1 if by_largest else n * steps[0]) - reward  # every candidate in its own bucket
    found = -1
    for place in range(len(columns)):
        if best <= floor:
            break
        column = np.uint32(columns[place])
        limit = best + reward
        cost = 0
        seen = n
        for at in range(n):
            score = scores[rows[at], column]
            size = counts[score]
            counts[score] = size + 1
            cost = max(cost, steps[size]) if by_largest else cost + steps[size]
            if cost >= limit:
                seen = at + 1
                break
        for at in range(seen):
            counts[scores[rows[at], column]] = 0
        if cost < limit:
            best = cost - reward
            found = place
    return found, best


@kernel
def best_column(problem: Problem, state: Ids, scratch: Scratch) -> Any:
    """The column to guess for three candidates or more."""
    own = problem.own_column[state]
    if problem.by_largest and problem.from_pool:
        if len(state) <= problem.few:
            return _smallest_largest_of_few(problem, state, own, scratch.tally)
        if len(problem.letters.terms) > 0:
            return smallest_largest(problem.scores, state, own, problem.letters, scratch)
    return _cheapest_of_all(problem, state, own, scratch.tally)


@kernel(inner=True)
def _cheapest_of_all(problem: Problem, state: Ids, own: Ids, counts: Ids) -> Any:
    """Any rule: candidates first, then the pool where it costs less."""
    scores, steps, by_largest = problem.scores, problem.steps, problem.by_largest
    reward = len(state) if problem.candidate_bonus else 0
    at, cost = cheapest(scores, state, own, steps, by_largest, reward, counts, NO_COST)
    column = own[at]
    if problem.from_pool:
        everyone = np.arange(scores.shape[1]).astype(np.int32)
        at, _ = cheapest(scores, state, everyone, steps, by_largest, 0, counts, cost)
        column = everyone[at] if at >= 0 else column
    return column


@kernel(inner=True)
def _smallest_largest_of_few(problem: Problem, state: Ids, own: Ids, counts: Ids) -> Any:
    """Knuth's rule: candidates first, then vectors of guesses from the first to the last.

    The largest bucket of the best candidate goes first in the comparison: words that one guess
    cannot tell apart are alike to most, and so most guesses lose after a few rows.
    """
    scores = problem.scores
    at, largest = cheapest(scores, state, own, problem.steps, True, 0, counts, NO_COST)
    column = own[at]
    rows = _crowd_first(scores, state, column, counts)
    lanes = VECTOR_BYTES // scores.itemsize
    alike = np.empty(lanes, dtype=scores.dtype)
    for start in range(0, scores.shape[1], lanes):
        if largest == 1:
            break
        if most_alike(scores, rows, start, largest - 1, alike):
            for lane in range(min(lanes, scores.shape[1] - start)):
                if alike[lane] + 1 < largest:
                    largest = alike[lane] + 1
                    column = start + lane
    return column


@kernel(inner=True)
def _crowd_first(scores: NDArray[Any], state: Ids, column: int, counts: Ids) -> Ids:
    """The candidates, those in the largest bucket of a guess in front."""
    crowd = scores[state[0], column]
    for member in state:
        score = scores[member, column]
        counts[score] += 1
        if counts[score] > counts[crowd]:
            crowd = score
    for member in state:
        counts[scores[member, column]] = 0
    rows = np.empty_like(state)
    front, back = 0, len(state) - 1
    for member in state:
        if scores[member, column] == crowd:
            rows[front] = member
            front += 1
        else:
            rows[back] = member
            back -= 1
    return rows


@kernel
def grow_states(
    problem: Problem,
    pool: Ids,
    solved: int,
    members: Ids,
    starts: Ids,
    start_rows: NDArray[Any],
    scratch: Scratch,
    out: NDArray[np.int32],
) -> int:
    """Fill ``out`` (guess, score, parent) with all states below ``members``; their number.

    Depth first. The members of a state are a stretch of one array; a split sorts the stretch by
    score in place, and the children are stretches of it. ``members`` is overwritten.
    """
    scores, own_column = problem.scores, problem.own_column
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    todo = [(0, len(members), -1, -1, 0)]
    size = 0
    while len(todo) > 0:
        low, high, parent, score, depth = todo.pop()
        state = members[low:high]
        split = labels[: high - low]
        if depth < len(starts):
            guess = starts[depth]
            for at in range(len(state)):
                split[at] = start_rows[depth, state[at]]
        else:
            column = own_column[state[0]]
            if len(state) > 2:
                column = best_column(problem, state, scratch)
            guess = pool[column]
            for at in range(len(state)):
                split[at] = scores[state[at], column]
        out[0, size] = guess
        out[1, size] = score
        out[2, size] = parent
        sort_by_score(split, state, scratch.tally, spare)
        end = len(state)
        for at in range(len(state) - 1, -1, -1):  # the smallest score is popped first
            if at == 0 or split[at - 1] != split[at]:
                if split[at] != solved:
                    todo.append((low + at, low + end, size, split[at], depth + 1))
                end = at
        size += 1
    return size
