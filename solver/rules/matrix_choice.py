"""The next guess by a one-step rule, over the secret-major score matrix.

Two ways to the same choice:

* any rule: count every guess into buckets, dropping it once it cannot win;
* Knuth's rule with few candidates: the size of a bucket is how often one of its members scores like
  the others, so compare the candidates' rows of scores pairwise, a vector of guesses at a time, and
  skip a vector once all guesses in it have lost (``vector_steps.most_alike``).

Where scores colour letters, Knuth's rule needs no matrix (``word_choice``). Ties are the same
everywhere: a candidate before the others, then the first guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from ..machine.rows import Ids
from ..machine.vector_steps import VECTOR_BYTES, most_alike
from .split_cost import NO_COST, Criterion

if TYPE_CHECKING:
    from ..splits.logarithms import Costs


class MatrixSearch(NamedTuple):
    """What stays the same while guesses are chosen by a score matrix."""

    #: ``scores[secret, column]`` against the guesses of the pool; rows padded for vectors.
    scores: NDArray[Any]
    #: The guesses of the pool, a column each.
    pool: Ids
    #: The column of each secret.
    own_column: Ids
    criterion: Criterion
    #: Up to so many candidates, Knuth's rule compares them pairwise.
    few: int
    #: A counter for each score; all zero between uses.
    tally: Ids


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
    """By a rule, the first column that costs least, if below ``best``: place and cost, else -1.

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
def best_column(search: MatrixSearch, state: Ids) -> Any:
    """The column that a rule chooses by the score matrix, for three candidates or more."""
    own = search.own_column[state]
    criterion = search.criterion
    if criterion.by_largest and criterion.from_pool and len(state) <= search.few:
        return _smallest_largest_of_few(search.scores, state, own, criterion.steps, search.tally)
    return _cheapest_of_all(search, state, own)


@kernel(inner=True)
def _cheapest_of_all(search: MatrixSearch, state: Ids, own: Ids) -> Any:
    """Any rule: candidates first, then the pool where it costs less."""
    scores, counts, criterion = search.scores, search.tally, search.criterion
    steps, by_largest = criterion.steps, criterion.by_largest
    reward = len(state) if criterion.candidate_bonus else 0
    at, cost = cheapest(scores, state, own, steps, by_largest, reward, counts, NO_COST)
    column = own[at]
    if criterion.from_pool:
        everyone = np.arange(scores.shape[1]).astype(np.int32)
        at, _ = cheapest(scores, state, everyone, steps, by_largest, 0, counts, cost)
        column = everyone[at] if at >= 0 else column
    return column


@kernel(inner=True)
def _smallest_largest_of_few(
    scores: NDArray[Any], state: Ids, own: Ids, steps: Costs, counts: Ids
) -> Any:
    """Knuth's rule: candidates first, then vectors of guesses from the first to the last.

    The largest bucket of the best candidate goes first in the comparison: words that one guess
    cannot tell apart are alike to most, and so most guesses lose after a few rows.
    """
    at, largest = cheapest(scores, state, own, steps, True, 0, counts, NO_COST)
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
