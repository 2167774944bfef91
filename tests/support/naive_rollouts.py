"""The slow truth of words that are played out: the quick rule in plain Python, from words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from solver.advice.rollouts import PER_BIT
from solver.game.game import Game
from solver.splits.measures import LOG_BITS, fixed_log_weights

#: A board: the words that it may hide, each with its chance.
Board = dict[str, float]
#: Costs are rounded to so much of a guess.
_UNIT = 2.0**-20


def slow_value(size: int) -> float:
    """What the rule takes a board for that has so many candidates left."""
    bits = int(fixed_log_weights(size)[size]) / (size * 2.0**LOG_BITS)
    return 1.0 + PER_BIT * bits


def slow_cost(game: Game, guess: str, boards: Sequence[Board]) -> int:
    """What a guess costs on all open boards, in units."""
    cost = 0
    for board in boards:
        scores = {word: game.grade(guess, word) for word in board}
        whole = 0.0
        for chance in board.values():
            whole += chance
        for word, chance in board.items():
            same = sum(score == scores[word] for score in scores.values())
            if word != guess:
                cost += round(slow_value(same) * (chance / whole / _UNIT))
    return cost


def slow_game(
    game: Game, boards: Sequence[Board], pool: Sequence[str], world: Sequence[str], first: str
) -> int:
    """How many guesses a world takes that begins with a word."""
    left = [dict(board) for board in boards]
    still, guess, count = set(range(len(boards))), first, 0
    while True:
        count += 1
        for at in sorted(still):
            score = game.grade(guess, world[at])
            if score == game.solved:
                still.remove(at)
            left[at] = {
                word: chance
                for word, chance in left[at].items()
                if game.grade(guess, word) == score
            }
        if not still:
            return count
        some = [left[at] for at in sorted(still)]
        certain = [next(iter(board)) for board in some if len(board) == 1]
        guess = certain[0] if certain else min(pool, key=lambda it: slow_cost(game, it, some))


def all_worlds(boards: Sequence[Board]) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """All worlds in which no two boards hide the same, or if there are none, all; with chances."""
    every = list(product(*boards))
    apart = [world for world in every if len({*world}) == len(world)] or every
    weights = [
        prod((Fraction(board[word]) for board, word in zip(boards, world, strict=True)), start=1)
        for world in apart
    ]
    whole = sum(weights)
    for world, weight in zip(apart, weights, strict=True):
        yield world, Fraction(weight) / whole


def slow_mean(game: Game, boards: Sequence[Board], pool: Sequence[str], first: str) -> float:
    """What a word takes on average over all worlds."""
    found = Fraction(0)
    for world, chance in all_worlds(boards):
        found += chance * slow_game(game, boards, pool, world, first)
    return float(found)
