"""Grows a whole strategy by a one-step rule, for any game.

Depth first. The candidates of a state are a stretch of one array; a split sorts the stretch by
score in place, and the states below are stretches of it. So nothing is copied and nothing grows: a
state that waits is five numbers.

How a guess is chosen is the only difference between the games: by the score matrix, by letters, or
by codes graded on the way. All but one of the searches are None; numba leaves out what needs None.

Among words Knuth's guess is sought in one way where candidates are many and in another where they
are few (``word_choice``). Each has a loop of its own: the states of many are grown first
(``grow_many``), and from its nodes of few the second loop goes on.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids, sort_by_score
from ..machine.jit import kernel
from ..machine.vectors import VECTOR_BYTES, most_alike
from ..splits.measures import NO_COST, Costs, Criterion
from .code_choice import CodeSearch, split_by_codes
from .grow_many import COLUMNS, GUESS, HIGH, LOW, PARENT, SCORE, grow_many, put, put_below
from .letter_bits import WordSearch
from .word_choice import note_scores, split_by_words


class MatrixSearch(NamedTuple):
    """What stays the same while guesses are chosen by rows of scores."""

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


def all_states(
    matrix: MatrixSearch | None,
    words: WordSearch | None,
    sums: int | None,
    codes: CodeSearch | None,
    solved: int,
    members: Ids,
    starts: Ids,
    start_rows: NDArray[Any],
) -> Ids:
    """The guess, score and parent of all states of a rule's strategy below ``members``.

    ``starts`` are the guesses of the first depths, ``start_rows`` their scores against ``members``,
    or nothing if the search by letters has all guesses in its pool; ``sums`` is a number if that
    follows a rule whose costs are sums, else None. ``solved`` is the highest score there is.
    ``members`` is overwritten.
    """
    most = (2 + len(starts)) * len(members) + len(starts) + 1
    states = np.empty((3, most), dtype=np.int32)
    if words is not None and sums is None:
        nodes = np.empty((most, COLUMNS), dtype=np.int32)
        nodes = nodes[: grow_many(words, solved, members, starts, start_rows, nodes)]
        fixed = None
    else:
        nodes, fixed = np.array([[-1, -1, -1, 0, len(members)]], dtype=np.int32), starts
    end = grow_states(matrix, words, sums, codes, solved, members, nodes, fixed, start_rows, states)
    return states[:, :end]


@kernel
def grow_states(  # noqa: PLR0912, PLR0913 - flat: calls with so many arrays take their time
    matrix: MatrixSearch | None,
    words: WordSearch | None,
    sums: int | None,
    codes: CodeSearch | None,
    solved: int,
    members: Ids,
    nodes: Ids,
    starts: Ids | None,
    start_rows: NDArray[Any],
    states: Ids,
) -> int:
    """Fill ``states`` with all states of a rule's strategy that ``nodes`` lead to; their number.

    The arguments are those of ``all_states``; ``starts`` is None where guesses of the first depths
    are in ``nodes``. Where Knuth's rule is followed among words, open nodes have few candidates.
    """
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    tally = np.zeros(solved + 1, dtype=np.int32)
    waiting = np.empty((len(members) + 1, 5), dtype=np.int32)
    size = 0
    for node in range(len(nodes)):
        above = nodes[node, PARENT]
        parent = nodes[above, LOW] if above >= 0 else -1
        if nodes[node, GUESS] >= 0:
            states[0, size] = nodes[node, GUESS]
            states[1, size], states[2, size] = nodes[node, SCORE], parent
            nodes[node, LOW] = size  # its number
            size += 1
            continue
        left = put(waiting, 0, nodes[node, LOW], nodes[node, HIGH], parent, nodes[node, SCORE], 0)
        while left > 0:
            left -= 1
            low, high, depth = waiting[left, 0], waiting[left, 1], waiting[left, 4]
            states[1, size], states[2, size] = waiting[left, 3], waiting[left, 2]
            state, split = members[low:high], labels[: high - low]
            if words is not None and len(state) == 1 and starts is None:
                states[0, size] = words.pool[words.own_column[state[0]]]
                size += 1
                continue
            if starts is not None and depth < len(starts):
                states[0, size] = starts[depth]
                if words is not None and len(start_rows) == 0:
                    note_scores(words.letters, starts[depth], state, split)
                else:
                    for at in range(len(state)):
                        split[at] = start_rows[depth, state[at]]
            elif words is not None:
                states[0, size] = split_by_words(words, sums, state, split)
            elif codes is not None:
                states[0, size] = split_by_codes(codes, state, split)
            elif matrix is not None:  # spelt out: a call with so many arrays takes 0.2 µs a state
                column = matrix.own_column[state[0]]
                if len(state) > 2:
                    column = best_column(matrix, state)
                states[0, size] = matrix.pool[column]
                for at in range(len(state)):
                    split[at] = matrix.scores[state[at], column]
            sort_by_score(split, state, tally, spare)
            left = put_below(waiting, left, low, split, size, depth, solved)
            size += 1
    return size


# ---- The next guess by the secret-major score matrix
#
# Two ways to the same choice:
#
# * any rule: count every guess into buckets, dropping it once it cannot win;
# * Knuth's rule with few candidates: the size of a bucket is how often one of its members scores
#   like the others, so compare the candidates' rows of scores pairwise, a vector of guesses at a
#   time, and skip a vector once all guesses in it have lost (``vectors.most_alike``).
#
# Where scores colour letters, Knuth's rule needs no matrix (``word_choice``). Ties are the same
# everywhere: a candidate before the others, then the first guess.


@kernel
def cheapest(
    scores: NDArray[Any],
    members: Ids,
    columns: Ids,
    steps: Costs,
    by_largest: bool,
    reward: int,
    counts: Ids,
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
    rows = _largest_first(scores, state, column, counts)
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
def _largest_first(scores: NDArray[Any], state: Ids, column: int, counts: Ids) -> Ids:
    """The candidates, those in the largest bucket of a guess in front."""
    largest = scores[state[0], column]
    for member in state:
        score = scores[member, column]
        counts[score] += 1
        if counts[score] > counts[largest]:
            largest = score
    for member in state:
        counts[scores[member, column]] = 0
    rows = np.empty_like(state)
    front, back = 0, len(state) - 1
    for member in state:
        if scores[member, column] == largest:
            rows[front] = member
            front += 1
        else:
            rows[back] = member
            back -= 1
    return rows
