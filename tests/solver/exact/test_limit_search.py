"""What is possible within so many guesses, and the fewest losses, against brute force.

The kernels for three and four guesses left have no twin of their own: what they find is compared
with brute force, and every core that a search rests on is derived again from the scores. Of losses:
hitting sets, given up candidates, counts.
"""

import random
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError
from solver.exact import limit_search
from solver.exact.engine import LossCounter
from solver.exact.kernels import fewest_lost
from solver.exact.kernels.fewest_lost import MOST_LOST
from solver.exact.kernels.four_left import by_parts
from solver.exact.kernels.lemmas import LOSS
from solver.exact.kernels.score_table import ScoreTable, apart, split_by_size
from solver.exact.kernels.table_vectors import alike, plain_alike
from solver.exact.limit_search import LimitSearch
from solver.exact.losses import LossesByCores, count_disjoint, smallest_hitting_set
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import TopValues, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.jit import kernel
from tests.support import naive, raising, refused
from tests.support.exact_worlds import of_any_length, rhymes
from tests.support.naive_exact import check_refutation, values_of_guesses
from tests.support.proof_worlds import made_up
from tests.support.published import POSSIBLE
from tests.support.trees import taken
from tests.support.worlds import all_secrets, game_of, of_few_letters, some_candidates

_alike = kernel(lambda rows, block, one, other: alike(rows, block, one, other))  # noqa: PLW0108


def column_of(game: Game, table: ScoreTable, guess: str) -> int:
    return int(np.flatnonzero(table.guess == game.guess_id(guess))[0])


def least_lost(game: Game, left: int, secrets: Sequence[str] = ()) -> int:
    """Brute force: how few secrets are lost."""
    return min(values_of_guesses(game.guesses, secrets or game.secrets, left).values())[0]


@pytest.mark.parametrize("seed", range(100))
def test_possible_or_refuted_as_brute_force_says(seed: int) -> None:
    game = of_any_length(random.Random(seed))
    search = LimitSearch(score_table_of(game, False))
    everyone = all_secrets(game)
    for left in range(1, 6):
        core = search.find_core(left, everyone)
        assert (core is None) == (least_lost(game, left) == 0)
        if core is None:
            tree = Problem(game).graded(search.plan(state_of(everyone, left)))
            assert max(taken(game, tree)) <= left
        else:
            refuted = search.refutation(core)
            assert refuted[-1].left >= left
            check_refutation(game.guesses, game.secrets, refuted)


@pytest.mark.parametrize("seed", range(8))
def test_tables_within_tables_share_their_cores(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_search, "_OWN_TABLE", 4)  # small games have tables of their own, too
    game = made_up(seed, 34, 30, "abcde")
    shared = LimitSearch(score_table_of(game, False))
    for left in (4, 6, 5, 7):
        for guess, (lost, _) in values_of_guesses(game.guesses, game.secrets, left).items():
            core = shared.core_against(
                left, all_secrets(game), column_of(game, shared.table, guess)
            )
            assert (core is None) == (lost == 0)
            if core is not None:
                refuted = shared.refutation(core)
                check_refutation(game.guesses, game.secrets, refuted)
                assert refuted[-1].left >= left - 1
                assert len({game.grade(guess, game.secrets[k]) for k in refuted[-1].rows}) == 1


def test_too_many_cores_are_dropped_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_search, "_OWN_TABLE", 4)
    monkeypatch.setattr(limit_search, "_KEPT", -1)
    game = of_any_length(random.Random(7))
    table, everyone = score_table_of(game, False), all_secrets(game)
    kept, dropped = LimitSearch(table), LimitSearch(table)
    for column in np.flatnonzero(table.guess >= 0).tolist():
        dropped.forget(0)
        for left in (3, 4, 5):
            one, other = (it.core_against(left, everyone, column) for it in (kept, dropped))
            assert (one is None) == (other is None)
            if other is not None:
                check_refutation(game.guesses, game.secrets, dropped.refutation(other))


def test_a_table_within_a_table_within_a_table_keeps_its_reasons() -> None:
    secrets = ["".join(word) for word in product("pq", "xy", "abcdefgh")]
    game = game_of([*secrets, "pzz"], secrets)
    search = LimitSearch(score_table_of(game, False))
    core = search.core_against(7, all_secrets(game), column_of(game, search.table, "pzz"))
    assert core is not None
    check_refutation(game.guesses, game.secrets, search.refutation(core))


@pytest.mark.parametrize("seed", range(12))
def test_guesses_with_the_most_parts_come_first_and_candidates_among_them(seed: int) -> None:
    game = of_any_length(random.Random(seed))
    search = LimitSearch(score_table_of(game, False))
    table, members = search.table, all_secrets(game)[::2].copy()
    order = np.empty(len(table.guess), dtype=np.int32)
    found = order[: by_parts(table, members, search._padding, search._by_guess, order)].tolist()
    rank = {
        column: (-len(set(table.scores[column, members].tolist())), row not in members, guess)
        for column, (row, guess) in enumerate(zip(table.secret, table.guess, strict=True))
        if guess >= 0
    }
    assert found == sorted(rank, key=rank.__getitem__)
    for row in members.tolist():  # the last guess is the candidate itself
        one = np.array([row], dtype=np.int32)
        assert [it for it in found if not search.refutes_guess(1, one, it)] == [table.column[row]]


@pytest.mark.parametrize("seed", range(30))
def test_strategies_do_not_depend_on_what_is_known(seed: int) -> None:
    game = of_any_length(random.Random(seed))
    table = score_table_of(game, False)
    shared = LimitSearch(table)
    for left, guess in product((5, 3, 4, 6), game.guesses[::5]):
        fresh = LimitSearch(table)
        for bucket in shared.buckets_of(all_secrets(game), column_of(game, table, guess)):
            cores = [it.find_core(left, bucket) for it in (shared, fresh)]
            assert (cores[0] is None) == (cores[1] is None)
            if cores[0] is None:
                one, other = (it.plan(state_of(bucket, left)) for it in (shared, fresh))
                assert list(one.guess) == list(other.guess)


def test_buckets_by_size_are_those_of_grades() -> None:
    for seed in range(60):
        game = of_any_length(random.Random(seed))
        table, everyone = score_table_of(game, False), all_secrets(game)
        parted, ends = np.empty_like(everyone), np.empty(244, dtype=np.int64)
        for column in np.flatnonzero(table.guess >= 0)[::7]:
            many = split_by_size(table, everyone, int(column), parted, ends)
            buckets = naive.split(game.guesses[table.guess[column]], game.secrets).values()
            found = [parted[a:b].tolist() for a, b in pairwise(ends[: many + 1].tolist())]
            assert sorted(found) == sorted([*map(game.secrets.index, it)] for it in buckets)
            assert [len(one) for one in found] == sorted(map(len, found), reverse=True)


def test_words_set_apart_and_masks_equal_to_their_plain_twins() -> None:
    game, dice = load_game("original"), random.Random(3)
    table = score_table_of(game, False)
    for _ in range(200):
        block = dice.randrange(table.rows.shape[0])
        one, other = dice.sample(range(table.rows.shape[1]), 2)
        word = plain_alike(table.rows, block, one, other)
        assert _alike(table.rows, block, one, other) == word
    few = [game.secrets.index(word) for word in ("eight", "might", "wight")]
    guess = game.guesses[table.guess[apart(table.rows, np.array(few, dtype=np.int32), 3)]]
    assert len({game.grade(guess, game.secrets[k]) for k in few}) == 3
    family = [k for k, word in enumerate(game.secrets) if word.endswith("ight")]
    assert apart(table.rows, np.array(family, dtype=np.int32), len(family)) == -1


@pytest.mark.slow
@pytest.mark.parametrize(("secrets", "opener", "within", "possible"), POSSIBLE)
def test_published_limits(secrets: str, opener: str, within: int, possible: bool) -> None:
    game = load_game("original", secrets)
    search = LimitSearch(score_table_of(game, False))
    column = column_of(game, search.table, opener)
    assert (search.find_core_after(within, all_secrets(game), column) is None) == possible


def test_time_ends_a_count() -> None:
    game, late = load_game(), raising(CouldNotFinishError("out of time"))
    counter = LossCounter(score_table_of(game, False), late)
    refused(CouldNotFinishError, "out of time", counter.fewest, all_secrets(game)[:300], 1)


def counter_of(game: WordleGame) -> LossCounter:
    return LossCounter(score_table_of(game, False), lambda: None)


@pytest.mark.parametrize(
    ("most_words", "seed"), [*product([24], range(24)), *product([30], range(16))]
)
def test_three_guesses_lose_what_brute_force_says(most_words: int, seed: int) -> None:
    """Those given up are as few, and the others are solved."""
    game = rhymes(seed, most_words)
    rows, counter, truth = all_secrets(game), counter_of(game), least_lost(game, 3)
    for most in (MOST_LOST, 1, 2, truth, truth + 1):
        assert counter.fewest(rows, most) == min(truth, most)
    assert counter_of(game).fewest(rows, truth + 1) == truth
    assert counter.given_up(rows, truth) is None
    given_up = counter.given_up(rows, truth + 1)
    assert given_up is not None and len(given_up) == truth
    others = [game.secrets[row] for row in np.setdiff1d(rows, given_up)]
    assert least_lost(game, 3, others) == 0


@pytest.mark.parametrize("seed", range(16))
def test_four_guesses_lose_what_brute_force_says(seed: int) -> None:
    game = rhymes(seed, 32)
    table, counter = score_table_of(game, False), counter_of(game)
    for guess, (lost, _) in values_of_guesses(game.guesses, game.secrets, 4).items():
        column = column_of(game, table, guess)
        for most in (MOST_LOST, 1):
            assert counter.after(all_secrets(game), column, most) == min(lost, most)


@given(st.integers(0, 1_000), st.integers(1, 12), st.data())
def test_repeats_are_counted_as_one_by_one(seed: int, most: int, data: st.DataObject) -> None:
    game = rhymes(seed, 40)
    table = score_table_of(game, False)
    members = some_candidates(data, len(game.secrets), 2, len(game.secrets))
    repeats = {
        column: len(members) - len(set(table.scores[column, members].tolist()))
        for column, guess in enumerate(table.guess.tolist())
        if guess >= 0
    }
    fewest, column, _ = fewest_lost.fewest_repeats(table, members, most)
    assert fewest == min(most, *repeats.values())
    assert column == -1 if fewest == most else repeats[column] == fewest


@pytest.mark.parametrize("seed", range(20))
def test_a_count_that_pauses_ends_the_same(seed: int) -> None:
    table = score_table_of(rhymes(seed, 30), False)
    whole, halting = (
        fewest_lost.new_loss_count(table, MOST_LOST),
        fewest_lost.new_loss_count(table, MOST_LOST),
    )
    assert fewest_lost.count_losses(table, whole, 1 << 20)
    while not fewest_lost.count_losses(table, halting, 1):
        assert halting.place[fewest_lost.AT] > 0
    assert (
        halting.place.tolist()[fewest_lost.FEWEST :] == whole.place.tolist()[fewest_lost.FEWEST :]
    )


@given(st.integers(0, 300), st.data())
def test_what_lies_in_a_state_loses_no_more(seed: int, data: st.DataObject) -> None:
    """What is known of small states is taken over for large ones, and must hold there."""
    game = rhymes(seed, 40)
    counter, count = counter_of(game), len(game.secrets)
    for _ in range(4):
        state = some_candidates(data, count, 1, count)
        assert counter.fewest(state, MOST_LOST) == counter_of(game).fewest(state, MOST_LOST)


@pytest.mark.slow
def test_a_problem_excludes_openers_by_their_losses() -> None:
    game = load_game()
    context = SearchContext(Problem(game, within=4, losses=True))
    guesses = sorted(game.guess_id(word) for word in ("crate", "lotos", "jiffy"))
    columns = [context.column_of[guess] for guess in guesses]
    found = context.screened(columns, TopValues(1, 18 * LOSS - 1), False)
    expected = [(guess, 18, False) for guess in guesses]
    assert sorted((guess, bound // LOSS, exact) for guess, bound, exact in found) == expected


FAMILIES = st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=4), max_size=9)


def hits(chosen: tuple[int, ...] | list[int], sets: list[frozenset[int]]) -> bool:
    return all(not some.isdisjoint(chosen) for some in sets)


@given(FAMILIES, st.integers(0, 6))
def test_hitting_sets_are_smallest(sets: list[frozenset[int]], patience: int) -> None:
    """Without patience the bound still holds."""
    truth = next(n for n in range(9) if any(hits(c, sets) for c in combinations(range(8), n)))
    least, chosen = smallest_hitting_set(sets, Counter())
    assert (least, len(chosen), hits(chosen, sets)) == (truth, truth, True)
    least, chosen = smallest_hitting_set(sets, Counter(), patience)
    assert count_disjoint(sets) <= least <= truth <= len(chosen) and hits(chosen, sets)


@pytest.mark.parametrize("seed", range(60))
def test_fewest_losses_as_brute_force_says(seed: int) -> None:
    game, limit = of_few_letters(random.Random(seed), "abcdef", 24, 2), 2 + seed % 3
    fewest = LossesByCores(LimitSearch(score_table_of(game, False)), limit, all_secrets(game))
    bounds = [fewest.least]
    while fewest.given_up is None:
        fewest.narrow(len(game.secrets) + 1, 1)
        bounds.append(fewest.least)
    assert bounds == sorted(bounds)
    assert len(fewest.given_up) == fewest.least == least_lost(game, limit)
