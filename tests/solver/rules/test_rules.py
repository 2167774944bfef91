"""The rules' integer costs against exact arithmetic."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.rules.rules import RULES, find_rule
from solver.splits.logarithms import LOG_BITS, fixed_log_weights
from solver.splits.measures import split_measures
from tests.support import naive

pytestmark = pytest.mark.plain

sizes_lists = st.lists(st.integers(1, 40), min_size=1, max_size=12)


def cost(rule: str, sizes: list[int], is_candidate: bool) -> int:
    steps = RULES[rule].steps(sum(sizes))
    grown = [int(steps[k]) for size in sizes for k in range(size)]
    bonus = sum(sizes) if is_candidate and RULES[rule].candidate_bonus else 0
    return (max(grown) if RULES[rule].by_largest else sum(grown)) - bonus


@st.composite
def splits(draw: st.DrawFn, total: int) -> tuple[list[int], bool]:
    """The bucket sizes of a guess, and whether it is a candidate."""
    cuts = draw(st.lists(st.integers(1, max(total - 1, 1)), max_size=20))
    places = [0, *sorted(set(cuts) - {total}), total]
    return [b - a for a, b in pairwise(places)], draw(st.booleans())


@pytest.mark.parametrize("rule", RULES)
@given(st.integers(1, 80).flatmap(lambda total: st.tuples(splits(total), splits(total))))
def test_costs_order_splits_exactly(
    rule: str, pair: tuple[tuple[list[int], bool], tuple[list[int], bool]]
) -> None:
    ours = [cost(rule, *split) for split in pair]
    truth = [naive.RULES[rule](*split) for split in pair]
    assert (ours[0] < ours[1], ours[0] == ours[1]) == (truth[0] < truth[1], truth[0] == truth[1])


def test_equal_information_is_an_exact_tie() -> None:
    weights = fixed_log_weights(20)
    assert weights[4] + 4 * weights[1] == 4 * weights[2]
    assert weights[6] == 2 * weights[3] + 3 * weights[2]


def test_fixed_logarithms_are_as_precise_as_stated() -> None:
    weights = fixed_log_weights(20_000)
    for k in (2, 3, 97, 1024, 9_999, 12_972, 19_997):
        assert abs(weights[k] / 2**LOG_BITS - k * log2(k)) <= k * log2(k) * 2.0**-41 + 1e-10


def test_too_many_candidates_for_exact_entropies() -> None:
    with pytest.raises(WrongInputError, match="too many"):
        RULES["entropy"].steps((1 << 18) + 1)
    with pytest.raises(OverflowError):
        fixed_log_weights((1 << 18) + 1)


def test_steps_never_shrink_a_cost() -> None:
    for rule in RULES.values():
        steps = rule.steps(300)
        assert len(steps) == 300
        assert (np.diff(steps) >= 0).all()
        assert steps[0] >= 0


def test_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(WrongInputError, match="did you mean minimax"):
        find_rule("minmax")


@given(st.lists(st.lists(st.integers(0, 26), min_size=6, max_size=6), min_size=1, max_size=5))
def test_measures_are_those_of_the_split(rows: list[list[int]]) -> None:
    measures = split_measures(np.array(rows, dtype=np.uint8), 27)
    for at, row in enumerate(rows):
        sizes = list(Counter(row).values())
        assert measures.parts[at] == len(sizes)
        assert measures.largest[at] == max(sizes)
        assert measures.squares[at] == sum(n * n for n in sizes)
        assert measures.entropy()[at] == pytest.approx(naive.entropy(sizes), abs=1e-9)
        assert measures.expected_size()[at] == pytest.approx(sum(n * n for n in sizes) / 6)
        kept = naive.share_kept(sizes, False)
        assert measures.eliminated()[at] == pytest.approx(float(-kept), abs=1e-12)


@given(st.lists(st.integers(0, 3**11 - 1), min_size=1, max_size=30))
def test_measures_with_many_scores(row: list[int]) -> None:
    measures = split_measures(np.array([row, row], dtype=np.uint32), 3**11)
    assert measures.parts.tolist() == [len(set(row))] * 2
    assert measures.largest.tolist() == [max(Counter(row).values())] * 2


@given(sizes_lists)
def test_entropy_is_the_information(sizes: list[int]) -> None:
    row = [score for score, size in enumerate(sizes) for _ in range(size)]
    measures = split_measures(np.array([row], dtype=np.uint8), 243)
    assert measures.entropy()[0] == pytest.approx(naive.entropy(sizes), abs=1e-9)
