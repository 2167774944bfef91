"""Chances: their logarithms, sums and orders, beside plain Python, compiled and not."""

from __future__ import annotations

import math
import random
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from solver.exact.kernels.lemmas import UNLIMITED
from solver.exact.problem import lengths_of
from solver.exact.table_layout import score_table_of
from solver.exact.values import Beam, state_of
from solver.splits import measures, rank_rows
from tests.support.worlds import all_secrets, some_world

pytestmark = pytest.mark.plain


def plain(kernel: Any) -> Any:
    """The kernel as Python runs it, and the kernels that it calls as well."""
    function = getattr(kernel, "py_func", kernel)
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        if hasattr(names.get(name), "py_func"):
            names[name] = plain(names[name])
    return FunctionType(function.__code__, names)


def some_chances(dice: random.Random, count: int) -> tuple[list[float], measures.Chances]:
    weights = [dice.choice([1.0, 1.0, dice.random(), 1e-9, 1e200]) for _ in range(count)]
    return weights, measures.chances_of(np.array(weights))


@pytest.mark.parametrize("seed", range(20))
def test_weights_as_chances_and_their_bits(seed: int) -> None:
    weights, chances = some_chances(random.Random(seed), 1 + seed * 17)
    whole = math.fsum(weight / max(weights) for weight in weights)
    assert chances == pytest.approx([weight / max(weights) / whole for weight in weights])
    again = np.empty(len(weights))
    plain(measures.fill_chances)(np.array(weights), again)
    assert (again == chances).all()
    own, bits = [p * math.log2(p) for p in chances.tolist()], np.empty(len(chances))
    entropy = measures.fill_own_bits(chances, bits)
    assert bits == pytest.approx(own, rel=1e-15, abs=1e-300)
    assert entropy == pytest.approx(max(0.0, -math.fsum(own)), abs=1e-15)
    assert measures.bits_of_split(chances) == pytest.approx(entropy, abs=1e-14)
    assert plain(measures.fill_own_bits)(chances, bits) == entropy


def test_powers_of_two_have_whole_logarithms() -> None:
    powers = np.array([2.0**-k for k in range(1, 1075)])
    bits = np.empty(len(powers))
    measures.fill_own_bits(powers, bits)
    assert (bits == [-k * 2.0**-k for k in range(1, 1075)]).all()


@pytest.mark.parametrize("seed", range(20))
def test_classes_of_likely_words(seed: int) -> None:
    dice = random.Random(seed)
    weights = np.array([dice.choice([0.0, 0.5, 0.5, dice.random()]) for _ in range(30)])
    common = np.array([dice.randrange(2) for _ in weights], dtype=np.uint8)
    classes = np.empty(len(weights), dtype=np.int32)
    for kernel in (rank_rows.fill_classes, plain(rank_rows.fill_classes)):
        kernel(weights, common, classes)
        kinds = sorted(set((-weights).tolist()))
        expected = [2 * kinds.index(-w) + 1 - c for w, c in zip(weights, common, strict=True)]
        assert classes.tolist() == expected


@pytest.mark.parametrize("seed", range(12))
def test_lengths_of_a_beam_are_those_of_its_strategy(seed: int) -> None:
    dice = random.Random(seed)
    game = some_world(dice, 4, 14)
    table = score_table_of(game, hard=seed % 2 == 1)
    rows = all_secrets(game)
    column = -1 if seed < 4 else dice.randrange(len(game.guesses))
    first, lengths = Beam(table, 2).lengths(state_of(rows, UNLIMITED), column)
    forced = [] if column < 0 else [column]
    tree = Beam(table, 2).plan_of_forced(state_of(rows, UNLIMITED), forced)
    graded = tree.graded(lambda guess, row: game.grade(game.guesses[guess], game.secrets[row]))
    assert lengths.tolist() == lengths_of(game, graded, rows).tolist()
    assert table.guess[first] == tree.guess[0]
