"""Words of six to eight letters: guesses with more scores than a byte numbers.

Small worlds are searched as if a byte were enough for fewer scores than it is; larger ones have
more than 255. Both are compared with brute force.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from solver.choices import OBJECTIVES
from solver.exact import table_layout
from solver.exact.best_strategy import NextWords, best_strategy
from solver.exact.engine import Engine
from solver.exact.kernels import score_table
from solver.exact.kernels.lemmas import UNLIMITED
from solver.exact.kernels.score_table import narrowed, score_type
from solver.exact.limit_search import LimitSearch
from solver.exact.problem import Problem
from solver.exact.table_layout import possibility_table, score_table_of
from solver.exact.widening import beam_strategy
from solver.game.wordle import WordleGame
from tests.support import naive
from tests.support.naive_exact import values_of_guesses
from tests.support.naive_weighted import UNLIMITED as NO_LIMIT
from tests.support.naive_weighted import weighted_values
from tests.support.worlds import all_secrets, game_of, words_by_score

from .test_best_strategy import LIMITS, check_world
from .test_weighted_search import check_answer

COMBINATIONS = list(product(OBJECTIVES, (False, True), LIMITS))


@pytest.fixture(params=[0, 5])
def narrow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """As if a byte numbered so many scores: then states narrow again as they get smaller."""
    for module in (table_layout, score_table):
        monkeypatch.setattr(module, "MOST_NARROW", request.param)
    return int(request.param)


def long_world(dice: random.Random, least: int, most: int) -> WordleGame:
    """Words of six to eight letters, few different ones: many have the same score."""
    length, letters = dice.randint(6, 8), "abcd"[: dice.randint(2, 4)]
    count = dice.randint(least, most)
    words: set[str] = set()
    while len(words) < count:
        word = "".join(dice.choices(letters, k=length))
        words |= {word} if len(set(word)) > 1 else set()  # hard mode counts a letter up to seven
    guesses = sorted(words)
    return game_of(guesses, dice.sample(guesses, dice.randint(min(3, count), count)))


@pytest.mark.parametrize(("objective", "hard", "within"), COMBINATIONS)
def test_random_worlds(narrow: int, objective: str, hard: bool, within: int | None) -> None:
    dice = random.Random(f"long {objective} {hard} {within} {narrow}")
    for _ in range(8):
        check_world(long_world(dice, 8, 20), objective, hard, within)


@pytest.mark.parametrize("seed", range(12))
def test_beams(narrow: int, seed: int) -> None:
    """As wide as all guesses a beam is exact; narrower it is no better, and within the limit."""
    dice = random.Random(f"long beams {seed} {narrow}")
    game, hard = long_world(dice, 6, 14), seed % 3 == 0
    limit = None if hard else dice.choice([None, 3, 4])
    least = min(values_of_guesses(game.guesses, game.secrets, limit or 99, hard).values())
    for width in (1, len(game.guesses)):
        answer = beam_strategy(Problem(game, hard, limit), width, (), "total")
        assert answer.impossible == (least[0] > 0)
        if answer.tree is not None:
            total = answer.first_guesses[0].total
            assert total >= least[1] if width == 1 else total == least[1]


@pytest.mark.parametrize("seed", range(30))
def test_weights(narrow: int, seed: int) -> None:
    dice = random.Random(f"long weights {seed} {narrow}")
    game, hard, within = long_world(dice, 3, 12), seed % 2 == 0, dice.choice([2, 3, None])
    weights = tuple(dice.randint(1, 9) for _ in game.secrets)
    by_word = dict(zip(game.secrets, weights, strict=True))
    truth = weighted_values(game.guesses, by_word, within or NO_LIMIT, hard)
    problem = Problem(game, hard, within, weights=weights)
    check_answer(game, problem, best_strategy(problem), truth)
