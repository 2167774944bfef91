"""A few words to play with, and players that need no search."""

from collections.abc import Sequence

from strategy import Settings, Strategy, load_game, solve
from strategy.checkers.verify import grade_wordle

WORDS = "abide adieu arise crane crate raise slate stare trace".split()


def first_that_fits(words: Sequence[str], secret: str) -> int:
    """What those players take, the plain way."""
    left, number = list(words), 0
    while True:
        guess, number = left[0], number + 1
        if guess == secret:
            return number
        score = grade_wordle(guess, secret)
        left = [word for word in left if grade_wordle(guess, word) == score]


def strategy_of(words: Sequence[str], start: str = "auto", hard: bool = False) -> Strategy:
    return solve(load_game(words), Settings(start=(start,), hard=hard)).strategy
