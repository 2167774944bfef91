"""The next guess and whole subtrees in Mastermind, graded while they are searched.

It does what ``minimax`` does with a score matrix, by the same rules and ties, but never holds a
matrix: memory grows with the number of codes, not with its square. Three things make it fast.

* Only representatives are looked at (see ``symmetry``).
* Guesses come in order, so neighbours share their first pegs: the scores that those pegs alone
  contribute are kept, hole by hole, and a further guess costs one vector pass (``add_peg``).
* A few candidates are scored against many guesses side by side, and compared pair by pair; many
  candidates are counted into buckets, guess by guess, until the guess cannot win any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.mastermind import (
    Codes,
    MastermindGame,
    add_pegs,
    fill_places,
    fill_tallies,
    shared_pegs,
)
from ..game.symmetry import (
    MOST_ORDERS,
    Marks,
    Numbers,
    find_alike,
    list_representatives,
    rank,
    rank_weights,
)
from ..machine.jit import kernel
from ..machine.rows import Ids, copy_into, sort_by_score
from ..splits.logarithms import Costs
from .rules import Rule

#: Sets up to this size are compared pair by pair, guesses side by side.
FEW = 128
#: Guesses side by side.
LANES = 256
#: Candidates counted between two looks at whether a guess is beaten.
STRETCH = 512
#: Above every cost that a rule can give.
_NO_COST = 1 << 61


class Desk(NamedTuple):
    """The board, the rule and the scratch space of one search; kernels pass it on."""

    codes: Codes
    n_colours: int
    distinct: bool
    ranks: Numbers
    #: A byte for every code, zero between uses.
    marks: Marks
    #: The representatives of the state at hand; LANES more than there can be.
    guess_places: Codes
    guess_tallies: Codes
    #: The candidates of the state at hand.
    places: Codes
    tallies: Codes
    #: Scores that the first pegs of a guess alone contribute, hole by hole.
    partial: Codes
    #: Scores of LANES guesses against a few candidates.
    few_scores: Codes
    #: The rule: what a bucket that grows from k adds, and what a bucket of k has added.
    steps: Costs
    weights: Costs
    by_largest: bool
    candidate_bonus: bool
    #: Whether guesses that are no candidates may be made.
    from_pool: bool
    #: Permutations of the holes are worth trying from this many candidates on.
    turns_from: int


class PegSearch:
    """Chooses guesses in one game of Mastermind by one rule."""

    def __init__(self, game: MastermindGame, rule: Rule, from_pool: bool = True) -> None:
        # a code's rank must be its position: parts of a board go through a score matrix
        if len(game.guesses) != game.board.n_codes:
            raise ValueError(f"{game.spec} has more codes than these {len(game.guesses):,}")
        self.game = game
        self.desk = lay_out(game, rule, from_pool)

    def choose(self, candidates: Ids) -> int:
        """The guess for a set of candidates: ascending positions of secrets."""
        return int(_choose(self.desk, self.game.secret_ids[candidates]))

    def grow(self, candidates: Ids, starts: Sequence[int]) -> tuple[Ids, Ids, Ids]:
        """All states below a set of candidates: guesses, scores, parents, in preorder."""
        capacity = (2 + len(starts)) * len(candidates) + len(starts) + 1
        states = np.empty((3, capacity), dtype=np.int32)
        members = self.game.secret_ids[candidates]
        size = _grow(self.desk, members, np.array(starts, dtype=np.int32), states)
        return states[0, :size].copy(), states[1, :size].copy(), states[2, :size].copy()


def lay_out(game: MastermindGame, rule: Rule, from_pool: bool) -> Desk:
    """Set up a search: everything that its kernels need, allocated once."""
    board = game.board
    n_codes, n_secrets = len(game.guesses), len(game.secrets)
    steps = rule.steps(n_secrets)
    orders = factorial(board.holes)
    wide = (n_codes + LANES - 1) // LANES * LANES
    return Desk(
        codes=game.packed,
        n_colours=board.colours,
        distinct=board.distinct,
        ranks=rank_weights(game),
        marks=np.zeros(n_codes, dtype=np.uint8),
        guess_places=np.zeros((board.holes, wide), dtype=np.uint8),
        guess_tallies=np.zeros((board.colours, wide), dtype=np.uint8),
        places=np.zeros((board.holes, max(n_secrets, LANES)), dtype=np.uint8),
        tallies=np.zeros((board.colours, max(n_secrets, LANES)), dtype=np.uint8),
        partial=np.zeros((board.holes + 1, max(n_secrets, LANES)), dtype=np.uint8),
        few_scores=np.zeros((FEW, LANES), dtype=np.uint8),
        steps=steps,
        weights=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(steps)]),
        by_largest=rule.by_largest,
        candidate_bonus=rule.candidate_bonus,
        from_pool=from_pool,
        turns_from=orders if orders <= MOST_ORDERS else 1 << 40,
    )


# --- one state ----------------------------------------------------------------------------


@kernel
def _choose(desk: Desk, state: Ids) -> int:
    """The cheapest guess; among equals a candidate, then the lowest."""
    n = len(state)
    if n <= 2:
        return int(state[0])
    reward = n if desk.candidate_bonus else 0
    best, cost = -1, _NO_COST
    if n <= FEW or not desk.from_pool:
        # they are so few that finding out which of them are alike would take longer
        fill_places(desk.codes, state, desk.guess_places)
        best, cost = _cheapest(desk, state, n, True, reward, best, cost)
        if not desk.from_pool or cost <= _floor(desk, n, 0):
            return best
    alike = find_alike(
        desk.codes,
        state,
        desk.n_colours,
        desk.distinct,
        desk.ranks,
        desk.marks,
        n >= desk.turns_from,
    )
    count = list_representatives(alike, desk.distinct, desk.guess_places)
    if n > FEW:
        best, cost = _cheapest(desk, state, count, True, reward, best, cost)
        if cost <= _floor(desk, n, 0):
            return best
    best, cost = _cheapest(desk, state, count, False, 0, best, cost)
    return best


@kernel(inner=True)
def _floor(desk: Desk, n: int, own: int) -> int:
    """No guess costs less: candidates spread evenly over all scores; ``own`` is 1 for one of them.

    All scores: black and white pegs, but neither all black, nor one white and else black.
    """
    holes = desk.codes.shape[1]
    scores = (holes + 1) * (holes + 2) // 2 - 2
    full, more = (n - own) // scores, (n - own) % scores
    if desk.by_largest:
        return max(own, int(full + (more > 0)))
    spread = own * desk.weights[1] + (scores - more) * desk.weights[full]
    if more:
        spread += more * desk.weights[full + 1]
    return int(spread)


@kernel(inner=True)
def _cheapest(
    desk: Desk, state: Ids, count: int, candidates: bool, reward: int, best: int, cost: int
) -> tuple[int, int]:
    """The first cheapest of the tabled guesses if it costs less than ``cost``, and its cost.

    Of a table that holds more than the candidates, only those are looked at, or only the others.
    """
    if len(state) <= FEW:
        fill_tallies(desk.guess_places, count, desk.guess_tallies)
        return _cheapest_for_few(desk, state, count, candidates, reward, best, cost)
    return _cheapest_for_many(desk, state, count, candidates, reward, best, cost)


@kernel(inner=True)
def _cheapest_for_few(
    desk: Desk, state: Ids, count: int, candidates: bool, reward: int, best: int, cost: int
) -> tuple[int, int]:
    """Guesses side by side: score them against one candidate after the other.

    A candidate's bucket has the size it grew from as often as earlier candidates score the same.
    """
    n = len(state)
    floor = _floor(desk, n, 1) - reward if candidates else _floor(desk, n, 0)
    costs = np.empty(LANES, dtype=np.int64)
    same = np.empty(LANES, dtype=np.uint8)
    most = np.empty(LANES, dtype=np.uint8)
    for start in range(0, count, LANES):
        width = min(LANES, count - start)
        limit = cost + reward
        beaten = False
        costs[:] = 0
        most[:] = 0
        for at in range(n):
            code = desk.codes[state[at]]
            known = shared_pegs(code, desk.codes[state[at - 1]]) if at else 0
            row = desk.few_scores[at]
            add_pegs(code, known, desk.guess_places, desk.guess_tallies, start, desk.partial, row)
            same[:] = 0
            for earlier in range(at):
                _add_equal(row, desk.few_scores[earlier], same)
            if desk.by_largest:
                beaten = _raise(most, same, width) + 1 >= limit
            else:
                beaten = _charge(costs, same, desk.steps, width) >= limit
            if beaten:
                break
        if beaten:
            continue
        for lane in range(width):
            paid = int(most[lane]) + 1 if desk.by_largest else int(costs[lane])
            if paid - reward < cost:
                cost = paid - reward
                best = rank(desk.guess_places[:, start + lane].copy(), desk.ranks, desk.distinct)
        if cost <= floor:
            break
    return best, cost


@kernel(inner=True)
def _add_equal(row: Codes, other: Codes, same: Codes) -> None:
    """Count where two rows agree."""
    for lane in range(LANES):
        same[lane] += np.uint8(row[lane] == other[lane])


@kernel(inner=True)
def _raise(most: Codes, same: Codes, width: int) -> int:
    """Raise the maxima to ``same``; returns the least of them."""
    for lane in range(LANES):
        most[lane] = max(most[lane], same[lane])
    least = np.uint8(255)
    for lane in range(width):
        least = min(least, most[lane])
    return int(least)


@kernel(inner=True)
def _charge(costs: Costs, same: Codes, steps: Costs, width: int) -> int:
    """Add the steps; returns the least cost."""
    least = _NO_COST
    for lane in range(width):
        costs[lane] += steps[same[lane]]
        least = min(least, int(costs[lane]))
    return least


@kernel(inner=True)
def _cheapest_for_many(
    desk: Desk, state: Ids, count: int, candidates: bool, reward: int, best: int, cost: int
) -> tuple[int, int]:
    """Guess by guess: count the candidates into buckets while the guess can still win."""
    n = len(state)
    fill_places(desk.codes, state, desk.places)
    fill_tallies(desk.places, n, desk.tallies)
    desk.marks[state] = 1
    holes = desk.codes.shape[1]
    counts = np.zeros((4, (holes + 1) * (holes + 1)), dtype=np.int32)
    row = np.empty(n, dtype=np.uint8)
    code = np.empty(holes, dtype=np.uint8)
    last = np.full(holes, 255, dtype=np.uint8)
    floor = _floor(desk, n, 1) - reward if candidates else _floor(desk, n, 0)
    for guess in range(count):
        copy_into(code, desk.guess_places[:, guess])
        position = rank(code, desk.ranks, desk.distinct)
        if (desk.marks[position] == 1) != candidates:
            continue
        known = shared_pegs(code, last)
        add_pegs(code, known, desk.places, desk.tallies, 0, desk.partial, row)
        copy_into(last, code)
        paid = _count(desk, row, counts, cost + reward) - reward
        if paid < cost:
            best, cost = position, paid
            if cost <= floor:
                break
    desk.marks[state] = 0
    return best, cost


@kernel
def _count(desk: Desk, row: Codes, counts: NDArray[np.int32], limit: int) -> int:
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
            if desk.by_largest:
                cost = max(cost, int(size))
            else:
                cost += desk.weights[size]
        if cost >= limit:
            break
    return cost


# --- whole subtrees -----------------------------------------------------------------------


@kernel
def _grow(desk: Desk, members: Ids, starts: Ids, states: NDArray[np.int32]) -> int:
    """Fill in guess, score and parent of all states below ``members``; returns their number.

    The members of a state are a stretch of one array, which a split sorts by score in place.
    """
    holes = desk.codes.shape[1]
    counts = np.zeros((holes + 1) * (holes + 1), dtype=np.int32)
    spare = np.empty(len(members), dtype=np.int32)
    labels = np.empty(len(members), dtype=np.int32)
    todo = [(0, len(members), -1, -1, 0)]
    size = 0
    while len(todo) > 0:
        low, high, parent, score, depth = todo.pop()
        state, split = members[low:high], labels[: high - low]
        guess = int(starts[depth]) if depth < len(starts) else _choose(desk, state)
        states[0, size], states[1, size], states[2, size] = guess, score, parent
        score_state(desk, guess, state, split)
        sort_by_score(split, state, counts, spare)
        end = len(state)
        for at in range(len(state) - 1, -1, -1):  # the smallest score is popped first
            if at == 0 or split[at - 1] != split[at]:
                if split[at] != holes * (holes + 1):
                    todo.append((low + at, low + end, size, int(split[at]), depth + 1))
                end = at
        size += 1
    return size


@kernel(inner=True)
def score_state(desk: Desk, guess: int, state: Ids, split: Ids) -> None:
    """The scores of one guess against the candidates of a state."""
    n = len(state)
    row = np.empty(n, dtype=np.uint8)
    fill_places(desk.codes, state, desk.places)
    fill_tallies(desk.places, n, desk.tallies)
    add_pegs(desk.codes[guess], 0, desk.places, desk.tallies, 0, desk.partial, row)
    copy_into(split, row)
