"""Chances, words that fit grids, letters counted: beside plain Python, compiled and not."""

import math
import random
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.exact.kernels.lemmas import UNLIMITED
from solver.exact.problem import lengths_of
from solver.exact.table_layout import score_table_of
from solver.exact.values import Beam, state_of
from solver.splits import measures, rank_rows
from solver.splits.fitting import count_fitting, count_words
from solver.splits.measures import bits_beyond, chances_of
from solver.splits.ranking import order_totals, spell_commonest
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


def test_bits_of_equal_parts_are_whole_numbers() -> None:
    row, chances = np.arange(64, dtype=np.int32), chances_of(np.ones(64))
    assert bits_beyond(row // 8, 3, chances) == 0.0
    assert bits_beyond(row // 64, 0, chances) == 0.0
    assert bits_beyond(row % 2, 1, chances_of(np.ones(64))) == 0.0


def test_totals_are_ordered_by_class_and_guess_among_equals() -> None:
    dice = random.Random(3)
    rows = [(dice.choice((1.5, 2.0)), dice.randrange(4), guess) for guess in range(50)]
    dice.shuffle(rows)
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    order = order_totals(*columns)
    assert [rows[at] for at in order] == sorted(rows)


def spelt(words: list[list[int]], n_letters: int) -> tuple[list[list[int]], list[int], list[int]]:
    """The counts, the letters spelled, the order of the places."""
    n_places = len(words[0])
    counts = [[0] * n_letters for _ in range(n_places)]
    for word in words:
        for place, letter in enumerate(word):
            counts[place][letter] += 1
    left = [list(row) for row in counts]
    spelled, order = [-1] * n_places, []
    for _ in range(n_places):
        if max(map(max, left)) < 0:
            left = [[0] * n_letters if spelled[at] < 0 else row for at, row in enumerate(left)]
        cells = [(-left[p][k], p, k) for p in range(n_places) for k in range(n_letters)]
        _, place, letter = min(cells)
        spelled[place] = letter
        order.append(place)
        left[place] = [-1] * n_letters
        for row in left:
            row[letter] = -1
    return counts, spelled, order


@given(st.data(), st.integers(2, 6), st.integers(1, 8))
def test_the_commonest_letters(data: st.DataObject, n_places: int, n_letters: int) -> None:
    letter = st.integers(0, n_letters - 1)
    words = data.draw(st.lists(st.lists(letter, min_size=n_places, max_size=n_places), min_size=1))
    counts, spelled, order = spell_commonest(np.array(words, dtype=np.uint8), n_letters)
    assert (counts.tolist(), spelled, order) == spelt(words, n_letters)
