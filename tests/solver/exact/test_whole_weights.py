"""Weights as whole numbers: the same ratio, or near it where there is no room."""

import random
from fractions import Fraction

import pytest

from solver.errors import WrongInputError
from solver.exact.problem import most_weight, require_weights, rounded_weights, whole_weights
from tests.support import refused


def test_as_they_are_written() -> None:
    assert whole_weights([0.1, 0.25, 3]) == (2, 5, 60)
    assert whole_weights([6, 4, 10]) == (3, 2, 5)
    assert whole_weights([1e-9]) == (1,)
    dice = random.Random(1)
    for _ in range(50):
        given = [round(dice.uniform(0.001, 20), dice.randint(0, 3)) or 1.0 for _ in range(9)]
        whole = whole_weights(given)
        ratios = {Fraction(str(weight)) / n for weight, n in zip(given, whole, strict=True)}
        assert len(ratios) == 1


def test_rounded_where_there_is_no_room() -> None:
    given = [1 / 3, 1e-12, 0.25]
    whole = rounded_weights(given)
    assert min(whole) == 1 and sum(whole) <= most_weight(None, 3)
    assert whole[0] / whole[2] == pytest.approx(4 / 3, rel=1e-6)
    assert rounded_weights([0.5, 1.5]) == (1, 3)


def test_no_total_is_taken_for_a_loss() -> None:
    require_weights((1, 2**29), 6)
    for weights, within in (((1 << 30, 1 << 30), 2), ((0, 1), 6), ((2**26,) * 70, None)):
        refused(WrongInputError, "", require_weights, weights, within)
