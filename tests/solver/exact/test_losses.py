"""The fewest losses: smallest hitting sets, and giving up candidates."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.exact.limit_search import LimitSearch
from solver.exact.losses import LossesByCores, count_disjoint, smallest_hitting_set
from solver.exact.table_layout import score_table_of
from tests.support.naive_exact import values_of_guesses
from tests.support.worlds import all_secrets, of_few_letters

FAMILIES = st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=4), max_size=9)


def hits(chosen: tuple[int, ...] | list[int], sets: list[frozenset[int]]) -> bool:
    return all(not some.isdisjoint(chosen) for some in sets)


@given(FAMILIES)
def test_hitting_sets_are_smallest(sets: list[frozenset[int]]) -> None:
    least, chosen = smallest_hitting_set(sets, Counter())
    truth = next(n for n in range(9) if any(hits(c, sets) for c in combinations(range(8), n)))
    assert (least, len(chosen), hits(chosen, sets)) == (truth, truth, True)


@given(FAMILIES, st.integers(0, 6))
def test_without_patience_the_bound_still_holds(sets: list[frozenset[int]], patience: int) -> None:
    truth, _ = smallest_hitting_set(sets, Counter())
    least, chosen = smallest_hitting_set(sets, Counter(), patience)
    assert count_disjoint(sets) <= least <= truth <= len(chosen) and hits(chosen, sets)


@pytest.mark.parametrize("seed", range(60))
def test_fewest_losses_as_brute_force_says(seed: int) -> None:
    game, limit = of_few_letters(random.Random(seed), "abcdef", 24, 2), 2 + seed % 3
    truth = values_of_guesses(game.guesses, game.secrets, limit)
    fewest = LossesByCores(LimitSearch(score_table_of(game, False)), limit, all_secrets(game))
    bounds = [fewest.least]
    while fewest.given_up is None:
        fewest.narrow(len(game.secrets) + 1, 1)
        bounds.append(fewest.least)
    assert bounds == sorted(bounds)
    assert len(fewest.given_up) == fewest.least == min(truth.values())[0]
