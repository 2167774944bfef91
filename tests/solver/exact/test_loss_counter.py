"""The fewest losses: hitting sets, given up candidates, counts as brute force finds them."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError
from solver.exact.best_strategy import best_strategy
from solver.exact.engine import LossCounter
from solver.exact.kernels.fewest_lost import (
    AT,
    FEWEST,
    MOST_LOST,
    count_losses,
    fewest_repeats,
    new_loss_count,
)
from solver.exact.kernels.lemmas import LOSS
from solver.exact.kernels.score_table import ScoreTable
from solver.exact.limit_search import LimitSearch
from solver.exact.losses import LossesByCores, count_disjoint, smallest_hitting_set
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import TopValues
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from tests.support import raising, refused
from tests.support.naive_exact import values_of_guesses
from tests.support.worlds import all_secrets, game_of, of_few_letters


def counter_of(game: WordleGame) -> tuple[LossCounter, ScoreTable]:
    table = score_table_of(game, False)
    return LossCounter(table, lambda: None), table


def rhymes(seed: int, most: int) -> WordleGame:
    """A world of words that differ in their first letters above all: few guesses lose some."""
    dice = random.Random(seed)
    firsts = "abcdefghijkl"[: dice.randint(5, 12)]
    drawn = {dice.choice(firsts) + "".join(dice.choices("xyz", k=2)) for _ in range(most)}
    words = sorted(drawn)
    return game_of(words, sorted(dice.sample(words, dice.randint(len(words) // 2, len(words)))))


@pytest.mark.parametrize("seed", range(24))
def test_three_guesses_lose_what_brute_force_says(seed: int) -> None:
    game = rhymes(seed, 24)
    truth = min(values_of_guesses(game.guesses, game.secrets, 3).values())[0]
    counter, _ = counter_of(game)
    rows = all_secrets(game)
    for most in (MOST_LOST, 1, 2, truth, truth + 1):
        assert counter.fewest(rows, most) == min(truth, most)
    assert counter_of(game)[0].fewest(rows, truth + 1) == truth


@pytest.mark.parametrize("seed", range(16))
def test_four_guesses_lose_what_brute_force_says(seed: int) -> None:
    game = rhymes(seed, 32)
    truth = values_of_guesses(game.guesses, game.secrets, 4)
    counter, table = counter_of(game)
    rows = all_secrets(game)
    for column, guess in enumerate(table.guess.tolist()):
        if guess >= 0:
            lost = truth[game.guesses[guess]][0]
            assert counter.after(rows, column, MOST_LOST) == lost
            assert counter.after(rows, column, 1) == min(lost, 1)


@pytest.mark.parametrize("seed", range(16))
def test_those_given_up_are_as_few_and_the_others_are_solved(seed: int) -> None:
    game = rhymes(seed, 30)
    counter, _ = counter_of(game)
    rows = all_secrets(game)
    fewest = counter.fewest(rows, MOST_LOST)
    assert counter.given_up(rows, fewest) is None
    given_up = counter.given_up(rows, fewest + 1)
    assert given_up is not None and len(given_up) == fewest
    others = [game.secrets[row] for row in np.setdiff1d(rows, given_up)]
    assert min(values_of_guesses(game.guesses, others, 3).values())[0] == 0


@given(st.integers(0, 1_000), st.integers(1, 12), st.data())
def test_repeats_are_counted_as_one_by_one(seed: int, most: int, data: st.DataObject) -> None:
    game = rhymes(seed, 40)
    table = score_table_of(game, False)
    everyone = all_secrets(game).tolist()
    members = data.draw(st.lists(st.sampled_from(everyone), min_size=2, unique=True))
    repeats = {
        column: len(members) - len(set(table.scores[column, members].tolist()))
        for column, guess in enumerate(table.guess.tolist())
        if guess >= 0
    }
    fewest, column, _ = fewest_repeats(table, np.array(members, dtype=np.int32), most)
    assert fewest == min(most, *repeats.values())
    assert column == -1 if fewest == most else repeats[column] == fewest


@pytest.mark.parametrize("seed", range(20))
def test_a_count_that_pauses_ends_the_same(seed: int) -> None:
    table = score_table_of(rhymes(seed, 30), False)
    whole, halting = new_loss_count(table, MOST_LOST), new_loss_count(table, MOST_LOST)
    assert count_losses(table, whole, 1 << 20)
    while not count_losses(table, halting, 1):
        assert halting.place[AT] > 0
    assert halting.place.tolist()[FEWEST:] == whole.place.tolist()[FEWEST:]


@given(st.integers(0, 300), st.data())
def test_what_lies_in_a_state_loses_no_more(seed: int, data: st.DataObject) -> None:
    """What is known of small states is taken over for large ones, and must hold there."""
    game = rhymes(seed, 40)
    counter, _ = counter_of(game)
    rows = all_secrets(game)
    for _ in range(4):
        some = data.draw(st.lists(st.sampled_from(rows.tolist()), min_size=1, unique=True))
        state = np.array(sorted(some), dtype=np.int32)
        fresh, _ = counter_of(game)
        assert counter.fewest(state, MOST_LOST) == fresh.fewest(state, MOST_LOST)


@pytest.mark.parametrize("seed", range(12))
def test_the_best_over_all_openers_is_that_of_brute_force(seed: int) -> None:
    game = rhymes(seed, 32)
    answer = best_strategy(Problem(game, within=4, losses=True), top=len(game.guesses))
    truth = min(values_of_guesses(game.guesses, game.secrets, 4).values())
    best = answer.first_guesses[0]
    assert (best.losses, best.total, answer.proved) == (*truth, True)


def test_time_ends_a_count() -> None:
    game = load_game()
    counter = LossCounter(score_table_of(game, False), raising(CouldNotFinishError("out of time")))
    refused(CouldNotFinishError, "out of time", counter.fewest, all_secrets(game)[:300], 1)


@pytest.mark.slow
def test_a_problem_excludes_openers_by_their_losses() -> None:
    game = load_game()
    context = SearchContext(Problem(game, within=4, losses=True))
    guesses = [game.guess_id(word) for word in ("crate", "lotos", "jiffy")]
    columns = [context.column_of[guess] for guess in guesses]
    found = context.screened(columns, TopValues(1, 18 * LOSS - 1), False)
    assert sorted((guess, bound // LOSS, exact) for guess, bound, exact in found) == sorted(
        (guess, 18, False) for guess in guesses
    )


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
    while fewest.step():
        bounds.append(fewest.least)
    assert fewest.given_up is not None
    assert bounds == sorted(bounds)
    assert len(fewest.given_up) == fewest.least == min(truth.values())[0]
