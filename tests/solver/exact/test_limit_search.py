"""What is possible within so many guesses, and the fewest losses, against brute force.

The kernels for three and four guesses left have no twin of their own: what they find is compared
with brute force, and every core that a search rests on is derived again from the scores. Of losses:
hitting sets, given up candidates, counts.
"""

import random
from collections import Counter
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.errors import CouldNotFinishError
from solver.exact import limit_search
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
from solver.exact.kernels.score_table import ScoreTable, apart, split_by_size
from solver.exact.kernels.table_vectors import alike, plain_alike
from solver.exact.limit_search import LimitSearch, RefutedSet
from solver.exact.losses import LossesByCores, count_disjoint, smallest_hitting_set
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import TopValues, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.jit import kernel
from tests.support import raising, refused
from tests.support.naive_exact import values_of_guesses
from tests.support.published import POSSIBLE
from tests.support.trees import histogram
from tests.support.worlds import all_secrets, game_of, of_few_letters


@kernel
def _alike(rows: NDArray[np.uint8], block: int, one: int, other: int) -> np.uint64:
    return alike(rows, block, one, other)


def small_game(dice: random.Random) -> WordleGame:
    length, letters = dice.choice([2, 3, 3, 4]), dice.choice(["ab", "abc", "abcd", "abcdef"])
    drawn = {"".join(dice.choices(letters, k=length)) for _ in range(dice.randint(3, 40))}
    words = sorted(drawn)
    return game_of(words, dice.sample(words, dice.randint(1, len(words))))


def check_refutation(game: Game, refuted: list[RefutedSet]) -> None:
    """Each claim re-derived: every guess leaves candidates that an earlier claim refutes."""
    scores = [[game.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    for left, rows, reasons in refuted:
        if left == 1:
            assert len(rows) > 1
            continue
        for row in scores:
            if left == 2:
                assert len({row[k] for k in rows}) < len(rows)
            else:
                assert any(
                    len({row[k] for k in refuted[why].rows}) == 1
                    and refuted[why].left >= left - 1
                    and set(refuted[why].rows) <= set(rows)
                    for why in reasons
                )


@pytest.mark.parametrize("seed", range(100))
def test_possible_or_refuted_as_brute_force_says(seed: int) -> None:
    game = small_game(random.Random(seed))
    search = LimitSearch(score_table_of(game, False))
    everyone = all_secrets(game)
    for left in range(1, 6):
        core = search.find_core(left, everyone)
        lost, _ = min(values_of_guesses(game.guesses, game.secrets, left).values())
        assert (core is None) == (lost == 0)
        if core is None:
            tree = search.plan(state_of(everyone, left)).graded(
                lambda guess, secret: game.grade(game.guesses[guess], game.secrets[secret])
            )
            assert len(histogram(game, tree)) <= left
        else:
            refuted = search.refutation(core)
            assert refuted[-1].left >= left
            check_refutation(game, refuted)


@pytest.mark.parametrize("seed", range(8))
def test_tables_within_tables_share_their_cores(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_search, "_OWN_TABLE", 4)  # small games have tables of their own, too
    dice = random.Random(seed)
    words = dice.sample(["".join(word) for word in product("abcde", repeat=3)], 34)
    game = game_of(words, dice.sample(words, 30))
    shared = LimitSearch(score_table_of(game, False))
    everyone = all_secrets(game)
    for left in (4, 6, 5, 7):
        values = values_of_guesses(game.guesses, game.secrets, left)
        for guess, (lost, _) in values.items():
            column = int(np.flatnonzero(shared.table.guess == game.guess_id(guess))[0])
            core = shared.core_against(left, everyone, column)
            assert (core is None) == (lost == 0)
            if core is not None:
                refuted = shared.refutation(core)
                check_refutation(game, refuted)
                row = {game.grade(guess, game.secrets[k]) for k in refuted[-1].rows}
                assert refuted[-1].left >= left - 1
                assert len(row) == 1


def test_too_many_cores_are_dropped_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_search, "_OWN_TABLE", 4)
    game = small_game(random.Random(7))
    table, everyone = score_table_of(game, False), all_secrets(game)
    kept, dropped = LimitSearch(table), LimitSearch(table)
    for column in np.flatnonzero(table.guess >= 0).tolist():
        monkeypatch.setattr(limit_search, "_KEPT", -1)
        dropped.forget(0)
        for left in (3, 4, 5):
            one, other = (it.core_against(left, everyone, column) for it in (kept, dropped))
            assert (one is None) == (other is None)
            if other is not None:
                check_refutation(game, dropped.refutation(other))


def test_a_table_within_a_table_within_a_table_keeps_its_reasons() -> None:
    secrets = ["".join(word) for word in product("pq", "xy", "abcdefgh")]
    game = game_of([*secrets, "pzz"], secrets)
    search = LimitSearch(score_table_of(game, False))
    column = int(np.flatnonzero(search.table.guess == game.guess_id("pzz"))[0])
    core = search.core_against(7, all_secrets(game), column)
    assert core is not None
    check_refutation(game, search.refutation(core))


@pytest.mark.parametrize("seed", range(30))
def test_strategies_do_not_depend_on_what_is_known(seed: int) -> None:
    game = small_game(random.Random(seed))
    table, everyone = score_table_of(game, False), all_secrets(game)
    shared = LimitSearch(table)
    for left in (5, 3, 4, 6):
        for guess in game.guesses[::5]:
            column = int(np.flatnonzero(table.guess == game.guess_id(guess))[0])
            fresh = LimitSearch(table)
            for bucket in shared.buckets_of(everyone, column):
                if shared.find_core(left, bucket) is None:
                    assert fresh.find_core(left, bucket) is None
                    one, other = (it.plan(state_of(bucket, left)) for it in (shared, fresh))
                    assert list(one.guess) == list(other.guess)
                else:
                    assert fresh.find_core(left, bucket) is not None


def test_buckets_by_size_are_those_of_grades() -> None:
    for seed in range(60):
        game = small_game(random.Random(seed))
        table, everyone = score_table_of(game, False), all_secrets(game)
        parted, ends = np.empty_like(everyone), np.empty(244, dtype=np.int64)
        for column in np.flatnonzero(table.guess >= 0)[::7]:
            many = split_by_size(table, everyone, int(column), parted, ends)
            guess = game.guesses[table.guess[column]]
            naive: dict[int, list[int]] = {}
            for k in everyone.tolist():
                naive.setdefault(game.grade(guess, game.secrets[k]), []).append(k)
            found = [parted[a:b].tolist() for a, b in pairwise(ends[: many + 1].tolist())]
            assert sorted(found) == sorted(naive.values())
            assert [len(one) for one in found] == sorted(map(len, found), reverse=True)


def test_masks_equal_their_plain_twins() -> None:
    table = score_table_of(load_game("original"), False)
    dice = random.Random(3)
    for _ in range(200):
        block = dice.randrange(table.rows.shape[0])
        one, other = dice.sample(range(table.rows.shape[1]), 2)
        word = plain_alike(table.rows, block, one, other)
        assert _alike(table.rows, block, one, other) == word


def test_apart_finds_a_guess_that_sets_all_apart() -> None:
    game = load_game("original")
    table = score_table_of(game, False)
    members = np.array([game.secrets.index(w) for w in ("eight", "might", "wight")], dtype=np.int32)
    column = apart(table.rows, members, 3)
    guess = game.guesses[table.guess[column]]
    assert len({game.grade(guess, game.secrets[k]) for k in members}) == 3
    family = [k for k, word in enumerate(game.secrets) if word.endswith("ight")]
    assert apart(table.rows, np.array(family, dtype=np.int32), len(family)) == -1


@pytest.mark.slow
@pytest.mark.parametrize("case", POSSIBLE, ids=str)
def test_published_limits(case: tuple[str, str, int, bool]) -> None:
    secrets, opener, within, possible = case
    game = load_game("original", secrets)
    search = LimitSearch(score_table_of(game, False))
    everyone = all_secrets(game)
    if opener:
        column = int(np.flatnonzero(search.table.guess == game.guess_id(opener))[0])
        assert (search.find_core_after(within, everyone, column) is None) == possible
    else:
        assert (search.find_core(within, everyone) is None) == possible


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
    while fewest.given_up is None:
        fewest.narrow(len(game.secrets) + 1, 1)
        bounds.append(fewest.least)
    assert bounds == sorted(bounds)
    assert len(fewest.given_up) == fewest.least == min(truth.values())[0]
