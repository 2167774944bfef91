"""Words that fit the rows of share grids, information of scores, and ranks, by plain Python."""

import math
import random
from typing import Any

import numpy as np
import pytest

from solver.splits.fitting import count_fitting, count_words
from solver.splits.measures import bits_beyond, chances_of
from solver.splits.ranking import order_totals


@pytest.mark.plain
@pytest.mark.parametrize("kind", [np.uint8, np.uint32])
def test_words_that_fit_are_counted(kind: type) -> None:
    dice = np.random.default_rng(1)
    for guesses, secrets in ((1, 1), (5, 3), (9, 40)):
        grades: Any = dice.integers(0, 6, (guesses, secrets)).astype(kind)
        wanted = np.array([2, 5, 2], dtype=np.int32)
        possible = dice.integers(0, 2, secrets).astype(np.uint8)
        words, found = np.zeros((3, secrets), np.int32), np.zeros(3, np.int32)
        count_words(grades, wanted, words)
        count_fitting(grades, wanted, possible, found)
        for k, score in enumerate(wanted.tolist()):
            assert words[k].tolist() == (grades == score).sum(axis=0).tolist()
            some = (grades == score) & (possible == 1)
            assert found[k] == some.any(axis=1).sum()


@pytest.mark.plain
def test_bits_are_the_information_less_the_entropy() -> None:
    dice = random.Random(2)
    for size in (1, 2, 7, 8, 9, 130, 700):
        row = np.array([dice.choice((0, 0, 3, 5, dice.randrange(99))) for _ in range(size)])
        score = int(dice.choice(row.tolist()))
        weights = chances_of(np.array([dice.random() + 1e-6 for _ in range(size)]))
        for chances in (chances_of(np.ones(size)), weights):
            by_score = [math.fsum(chances[row == each]) for each in set(row.tolist())]
            entropy = -math.fsum(p * math.log2(p) for p in by_score)
            gained = -math.log2(math.fsum(chances[row == score]))
            found = bits_beyond(row.astype(np.int32), score, chances)
            assert found == pytest.approx(gained - entropy, abs=1e-12)


@pytest.mark.plain
def test_bits_of_equal_parts_are_whole_numbers() -> None:
    row, chances = np.arange(64, dtype=np.int32), chances_of(np.ones(64))
    assert bits_beyond(row // 8, 3, chances) == 0.0
    assert bits_beyond(row // 64, 0, chances) == 0.0
    assert bits_beyond(row % 2, 1, chances_of(np.ones(64))) == 0.0


@pytest.mark.plain
def test_totals_are_ordered_by_class_and_guess_among_equals() -> None:
    dice = random.Random(3)
    rows = [(dice.choice((1.5, 2.0)), dice.randrange(4), guess) for guess in range(50)]
    dice.shuffle(rows)
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    order = order_totals(*columns)
    assert [rows[at] for at in order] == sorted(rows)
