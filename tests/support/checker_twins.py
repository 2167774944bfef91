"""Lemmas 1, 2 and 6 of docs/proof-format.md as formulas, and checkers of small worlds."""

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from solver.game.game import Game
from strategy.proofs.checker import board as boards
from strategy.proofs.checker.bounds import LOSS, UNLIMITED
from strategy.proofs.checker.check import CheckedWords, ProofChecker
from strategy.proofs.writer import statement_of

from . import naive
from .proof_worlds import made_up

WORLD = made_up(3, 40, 24)
#: Guesses with more than 64 scores, and with more than 256.
WIDE = made_up(4, 240, 200, "aabbccddefghijklmnop", 5)
WIDEST = made_up(4, 420, 400, "aaabbcdefghijkl", 7)
LEFTS = (1, 2, 3, 4, UNLIMITED)


def checker_of(
    game: Game,
    objective: str = "total",
    limit: int = 0,
    hard: bool = False,
    start: str = "",
    value: int = LOSS,
) -> ProofChecker:
    statement = statement_of(game, objective, limit, value, start=start, hard=hard)
    return ProofChecker(CheckedWords(game.guesses, game.secrets), statement, 50, 500)


def ids(*members: int) -> Any:
    return np.array(members, dtype=np.int32)


def some(draw: random.Random, game: Game, least: int = 1, most: int = 99) -> tuple[int, ...]:
    count = len(game.secrets)
    return tuple(sorted(draw.sample(range(count), draw.randint(least, min(most, count)))))


def state(members: Sequence[int], left: int, revealed: Any) -> boards.State:
    return boards.State(ids(*members), left, revealed)


def words_at(game: Game, members: Sequence[int]) -> list[str]:
    return [game.secrets[member] for member in members]


def word_of(game: Game, board: boards.LetterBoard, column: int) -> str:
    return game.guesses[board.guess[column]]


# --- twins -------------------------------------------------------------------------------------
_graded = cache(naive.grade)


def after(left: int) -> int:
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


def lemma_1(price: int, n: int, left: int) -> int:
    return (2 * n - 1) * price + (n - 1) * LOSS * (left == 1)


def lemma_2(price: int, n: int, p: int, hit: int, left: int) -> int:
    value = (3 * n - p - hit) * price
    return value + LOSS * ((n - hit) if left == 1 else (n - p) if left == 2 else 0)


def one_step(game: Game, price: int, words: list[str], left: int, legal: Sequence[str]) -> int:
    return min(
        (
            lemma_2(
                price, len(words), len(naive.split(guess, words, _graded)), guess in words, left
            )
            for guess in legal
        ),
        default=1 << 60,
    )


def lemma_6(
    game: Game,
    price: int,
    words: list[str],
    guess: str,
    left: int,
    legal: Sequence[str],
    hard: bool,
    known: Callable[[list[str]], int] = lambda bucket: 0,
) -> int:
    """``known``: what else is known of a bucket."""
    total = len(words) * price
    for bucket in naive.split(guess, words, _graded).values():
        if bucket == [guess]:
            continue
        best = max(lemma_1(price, len(bucket), after(left)), known(bucket))
        if len(bucket) >= 3:
            then = [w for w in legal if not hard or naive.may_follow(w, guess, bucket[0])]
            best = max(best, one_step(game, price, bucket, after(left), then))
        total += best + len(bucket) * LOSS * (left == 1)
    return total
