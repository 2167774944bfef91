"""What is possible within so many guesses, against brute force, and every refutation.

The kernels for three and four guesses left have no twin of their own: what they find is compared
with brute force, and every core that a search rests on is derived again from the scores.
"""

import random
from itertools import pairwise, product

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.exact import limit_search
from solver.exact.kernels.score_table import apart, split_by_size
from solver.exact.kernels.table_vectors import alike, plain_alike
from solver.exact.limit_search import LimitSearch, RefutedSet
from solver.exact.table_layout import score_table_of
from solver.exact.values import state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.jit import kernel
from tests.support.naive_exact import values_of_guesses
from tests.support.published import POSSIBLE
from tests.support.trees import histogram
from tests.support.worlds import all_secrets, game_of


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
