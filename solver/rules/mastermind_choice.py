"""The next guess by a one-step rule among all codes of a Mastermind board, graded on the way.

By the same rules and ties as ``matrix_choice``, but without a matrix: memory grows with the number
of codes, not with its square (5x8 would have a matrix of 1 GB). That is why it stays apart, and it
is faster where there could be a matrix too: 3.9 ms for a whole minimax strategy of 4x6, 8.1 ms by
the matrix (``./tools/bench mastermind`` shows both). Three things make it so.

* Only representatives are looked at (see ``symmetry``).
* Guesses come in order, so neighbours share their first pegs: the scores that those pegs alone
  contribute are kept, hole by hole, and a further guess costs one vector pass (``add_peg``).
* A few candidates are scored against many guesses side by side, and compared pair by pair; many
  candidates are counted into buckets, guess by guess, until the guess cannot win any more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.pegs import (
    Codes,
    CodeSpace,
    add_pegs,
    fill_places,
    fill_tallies,
    rank,
    shared_pegs,
)
from ..game.symmetry import Marks, find_alike, list_representatives
from ..machine.jit import kernel
from ..machine.rows import Ids, copy_into
from .criterion import NO_COST, Criterion

if TYPE_CHECKING:
    from ..splits.logarithms import Costs

#: Sets up to this size are compared pair by pair, guesses side by side.
FEW = 128
#: Guesses side by side.
BATCH = 256
#: Candidates counted between two looks at whether a guess is beaten.
STRETCH = 512


class CodeScratch(NamedTuple):
    """Memory for searches among the codes of a board, made once."""

    #: A byte for every code, zero between uses.
    marks: Marks
    #: The representatives of the state at hand; BATCH more than there can be.
    guess_places: Codes
    guess_tallies: Codes
    #: The candidates of the state at hand.
    places: Codes
    tallies: Codes
    #: Scores that the first pegs of a guess alone contribute, hole by hole.
    partial: Codes
    #: Scores of BATCH guesses against a few candidates.
    few_scores: Codes


class CodeSearch(NamedTuple):
    """What stays the same while guesses are chosen among all codes of a board."""

    space: CodeSpace
    criterion: Criterion
    scratch: CodeScratch


def code_scratch(space: CodeSpace) -> CodeScratch:
    """Memory for all searches in a code space."""
    n_codes, holes = space.codes.shape
    wide = -(-n_codes // BATCH) * BATCH
    return CodeScratch(
        marks=np.zeros(n_codes, dtype=np.uint8),
        guess_places=np.zeros((holes, wide), dtype=np.uint8),
        guess_tallies=np.zeros((space.n_colours, wide), dtype=np.uint8),
        places=np.zeros((holes, wide), dtype=np.uint8),
        tallies=np.zeros((space.n_colours, wide), dtype=np.uint8),
        partial=np.zeros((holes + 1, wide), dtype=np.uint8),
        few_scores=np.zeros((FEW, BATCH), dtype=np.uint8),
    )


# --- one state ----------------------------------------------------------------------------


@kernel
def best_code(search: CodeSearch, state: Ids) -> int:
    """The cheapest guess; among equals a candidate, then the lowest."""
    space, criterion, scratch = search.space, search.criterion, search.scratch
    n = len(state)
    if n <= 2:
        return int(state[0])
    best, cost = -1, NO_COST
    if n <= FEW or not criterion.from_pool:
        # they are so few that finding out which of them are alike would take longer
        fill_places(space.codes, state, scratch.guess_places)
        best, cost = _cheapest(search, state, n, True, best, cost)
        if not criterion.from_pool or cost <= _floor(search, n, 0):
            return best
    alike = find_alike(space, state, scratch.marks)
    count = list_representatives(alike, space.distinct, scratch.guess_places)
    if n > FEW:
        best, cost = _cheapest(search, state, count, True, best, cost)
        if cost <= _floor(search, n, 0):
            return best
    best, cost = _cheapest(search, state, count, False, best, cost)
    return best


@kernel(inner=True)
def split_by_codes(search: CodeSearch, state: Ids, split: Ids) -> int:
    """Choose a guess for a state and note its scores."""
    guess = best_code(search, state)
    score_state(search.space, search.scratch, guess, state, split)
    return guess


@kernel(inner=True)
def _floor(search: CodeSearch, n: int, own: int) -> int:
    """No guess costs less: candidates spread evenly over all scores; ``own`` is 1 for one of them.

    All scores: black and white pegs, but neither all black, nor one white and else black.
    """
    criterion, holes = search.criterion, search.space.codes.shape[1]
    scores = (holes + 1) * (holes + 2) // 2 - 2
    full, more = (n - own) // scores, (n - own) % scores
    if criterion.by_largest:
        return max(own, int(full + (more > 0)))
    spread = own * criterion.weights[1] + (scores - more) * criterion.weights[full]
    if more:
        spread += more * criterion.weights[full + 1]
    return int(spread)


@kernel(inner=True)
def _cheapest(
    search: CodeSearch, state: Ids, count: int, candidates: bool, best: int, cost: int
) -> tuple[int, int]:
    """The first cheapest of the tabled guesses if it costs less than ``cost``, and its cost.

    Of a table that holds more than the candidates, only those are looked at, or only the others.
    """
    if len(state) <= FEW:
        fill_tallies(search.scratch.guess_places, count, search.scratch.guess_tallies)
        return _cheapest_for_few(search, state, count, candidates, best, cost)
    return _cheapest_for_many(search, state, count, candidates, best, cost)


@kernel(inner=True)
def _cheapest_for_few(
    search: CodeSearch, state: Ids, count: int, candidates: bool, best: int, cost: int
) -> tuple[int, int]:
    """Guesses side by side: score them against one candidate after the other.

    A candidate's bucket has the size it grew from as often as earlier candidates score the same.
    """
    space, criterion, scratch = search.space, search.criterion, search.scratch
    n = len(state)
    reward = n if candidates and criterion.candidate_bonus else 0
    floor = _floor(search, n, 1) - reward if candidates else _floor(search, n, 0)
    places, tallies, scores = scratch.guess_places, scratch.guess_tallies, scratch.few_scores
    costs = np.empty(BATCH, dtype=np.int64)
    same = np.empty(BATCH, dtype=np.uint8)
    most = np.empty(BATCH, dtype=np.uint8)
    for start in range(0, count, BATCH):
        width = min(BATCH, count - start)
        limit = cost + reward
        beaten = False
        costs[:] = 0
        most[:] = 0
        for at in range(n):
            code = space.codes[state[at]]
            known = shared_pegs(code, space.codes[state[at - 1]]) if at else 0
            row = scores[at]
            add_pegs(code, known, places, tallies, start, scratch.partial, row)
            same[:] = 0
            for earlier in range(at):
                _add_equal(row, scores[earlier], same)
            if criterion.by_largest:
                beaten = _raise(most, same, width) + 1 >= limit
            else:
                beaten = _charge(costs, same, criterion.steps, width) >= limit
            if beaten:
                break
        if beaten:
            continue
        for lane in range(width):
            paid = int(most[lane]) + 1 if criterion.by_largest else int(costs[lane])
            if paid - reward < cost:
                cost = paid - reward
                best = rank(places[:, start + lane].copy(), space.weights, space.distinct)
        if cost <= floor:
            break
    return best, cost


@kernel(inner=True)
def _add_equal(row: Codes, other: Codes, same: Codes) -> None:
    """Count where two rows agree."""
    for lane in range(BATCH):
        same[lane] += np.uint8(row[lane] == other[lane])


@kernel(inner=True)
def _raise(most: Codes, same: Codes, width: int) -> int:
    """Raise the maxima to ``same``; returns the least of them."""
    for lane in range(BATCH):
        most[lane] = max(most[lane], same[lane])
    least = np.uint8(255)
    for lane in range(width):
        least = min(least, most[lane])
    return int(least)


@kernel(inner=True)
def _charge(costs: Costs, same: Codes, steps: Costs, width: int) -> int:
    """Add the steps; returns the least cost."""
    least = NO_COST
    for lane in range(width):
        costs[lane] += steps[same[lane]]
        least = min(least, int(costs[lane]))
    return least


@kernel(inner=True)
def _cheapest_for_many(
    search: CodeSearch, state: Ids, count: int, candidates: bool, best: int, cost: int
) -> tuple[int, int]:
    """Guess by guess: count the candidates into buckets while the guess can still win."""
    space, scratch, criterion = search.space, search.scratch, search.criterion
    n = len(state)
    fill_places(space.codes, state, scratch.places)
    fill_tallies(scratch.places, n, scratch.tallies)
    scratch.marks[state] = 1
    holes = space.codes.shape[1]
    counts = np.zeros((4, (holes + 1) * (holes + 1)), dtype=np.int32)
    row = np.empty(n, dtype=np.uint8)
    code = np.empty(holes, dtype=np.uint8)
    last = np.full(holes, 255, dtype=np.uint8)
    reward = n if candidates and criterion.candidate_bonus else 0
    floor = _floor(search, n, 1) - reward if candidates else _floor(search, n, 0)
    for guess in range(count):
        copy_into(code, scratch.guess_places[:, guess])
        position = rank(code, space.weights, space.distinct)
        if (scratch.marks[position] == 1) != candidates:
            continue
        known = shared_pegs(code, last)
        add_pegs(code, known, scratch.places, scratch.tallies, 0, scratch.partial, row)
        copy_into(last, code)
        paid = _count(criterion, row, counts, cost + reward) - reward
        if paid < cost:
            best, cost = position, paid
            if cost <= floor:
                break
    scratch.marks[state] = 0
    return best, cost


@kernel
def _count(criterion: Criterion, row: Codes, counts: NDArray[np.int32], limit: int) -> int:
    """The cost of a row of scores, or something not below ``limit`` once it cannot be less.

    Four sets of counters, so that equal scores in a row need not wait for each other.
    """
    counts[:] = 0
    n = len(row)
    cost = 0
    for start in range(0, n, STRETCH):
        end = min(n, start + STRETCH)
        fours = end - (end - start) % 4
        for at in range(start, fours, 4):
            counts[0, row[at]] += 1
            counts[1, row[at + 1]] += 1
            counts[2, row[at + 2]] += 1
            counts[3, row[at + 3]] += 1
        for at in range(fours, end):
            counts[0, row[at]] += 1
        cost = 0
        for score in range(counts.shape[1]):
            size = counts[0, score] + counts[1, score] + counts[2, score] + counts[3, score]
            if criterion.by_largest:
                cost = max(cost, int(size))
            else:
                cost += criterion.weights[size]
        if cost >= limit:
            break
    return cost


@kernel(inner=True)
def score_state(space: CodeSpace, scratch: CodeScratch, guess: int, state: Ids, split: Ids) -> None:
    """The scores of one guess against the candidates of a state."""
    n = len(state)
    row = np.empty(n, dtype=np.uint8)
    fill_places(space.codes, state, scratch.places)
    fill_tallies(scratch.places, n, scratch.tallies)
    add_pegs(space.codes[guess], 0, scratch.places, scratch.tallies, 0, scratch.partial, row)
    copy_into(split, row)
