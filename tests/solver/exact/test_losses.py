"""The fewest losses: smallest hitting sets, giving up candidates, and the strategies that do so."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.exact.limit_search import LimitSearch
from solver.exact.losses import LeastLosses, LossesByCores, count_disjoint, smallest_hitting_set
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from strategy.solving.optimal import strategy_of_answer
from strategy.solving.search import Question
from tests.support.naive_exact import NOTHING_FOUND, values_of_guesses
from tests.support.worlds import of_few_letters

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
    everyone = np.arange(len(game.secrets), dtype=np.int32)
    fewest = LossesByCores(LimitSearch(score_table_of(game, False)), limit, everyone)
    bounds = [fewest.least]
    while fewest.step():
        bounds.append(fewest.least)
    assert fewest.given_up is not None
    assert bounds == sorted(bounds)
    assert len(fewest.given_up) == fewest.least == min(truth.values())[0]


@pytest.mark.parametrize("seed", range(60, 90))
@pytest.mark.parametrize("hard", [False, True])
def test_losses_after_a_first_guess(seed: int, hard: bool) -> None:
    game, limit = of_few_letters(random.Random(seed), "abcdef", 24, 2), 2 + seed % 3
    truth = values_of_guesses(game.guesses, game.secrets, limit, hard)
    word = random.Random(seed).choice([w for w in game.guesses if truth[w][0] < 10**6])
    problem = Problem(game, hard, limit, losses=True)
    search = LeastLosses(problem, word)
    search.settle()
    answer = search.answer()
    strategy, _ = strategy_of_answer(Question(game, (word,), "losses", limit, hard), answer)
    lost = len(strategy.beyond(limit))
    assert answer.lower_bound == lost == truth[word][0]


@pytest.mark.slow
def test_one_secret_is_lost_after_lares() -> None:
    """Published: the rule leaves 35 beyond six, and no strategy solves all. One is the least."""
    game = load_game(secrets="allowed")
    search = LeastLosses(Problem(game, False, 6, losses=True), "lares")
    search.settle()
    answer = search.answer()
    strategy, _ = strategy_of_answer(Question(game, ("lares",), "losses"), answer)
    assert (answer.lower_bound, len(strategy.beyond(6))) == (1, 1)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize(("rhymes", "limit"), [(6, 4), (7, 3), (8, 6), (9, 2), (10, 5)])
def test_rhymes_fall_one_by_one(rhymes: int, limit: int, hard: bool) -> None:
    words = tuple(f"{letter}zzz" for letter in "abcdefghij"[:rhymes])
    problem = Problem(WordleGame("r", "r", words, words), within=limit, hard=hard, losses=True)
    context = SearchContext(problem)
    value = context.value(context.columns[0], problem.highest_value)
    assert (value.exact, value.losses) == (True, rhymes - limit)
    assert value.total == rhymes * (rhymes + 1) // 2


@pytest.mark.parametrize("seed", range(40))
def test_losses_that_cannot_be_avoided(seed: int) -> None:
    """Rhymes among other words: the totals of every number of losses, as brute force says."""
    dice = random.Random(seed)
    rhymes = {f"{letter}zz" for letter in dice.sample("abcdefgh", dice.randint(4, 7))}
    others = {"".join(dice.choices("abcz", k=3)) for _ in range(dice.randint(1, 5))}
    words = tuple(sorted(rhymes | others))
    game = WordleGame("r", "r", words, tuple(sorted(rhymes)))
    limit, hard = 2 + seed % 3, seed % 2 == 1
    truth = values_of_guesses(words, game.secrets, limit, hard)
    problem = Problem(game, within=limit, hard=hard, losses=True)
    context = SearchContext(problem)
    for column in context.columns:
        value = context.value(column, problem.highest_value)
        word = game.guesses[int(context.table.guess[column])]
        assert value.exact and truth[word] in (NOTHING_FOUND, (value.losses, value.total))
