"""Knuth's choice by letters: few candidates, many, and the vector steps beneath, each by itself."""

from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.arrays import Ids
from solver.machine.jit import kernel
from solver.rules import few_candidates
from solver.rules.few_candidates import QUAD, best_of_few
from solver.rules.letter_bits import BLOCK, LETTERS, MOST_LETTERS, SEPARATED, Bits, WordSearch
from solver.rules.many_candidates import best_of_many, hold_candidates, largest_bucket
from solver.rules.searcher import Searcher
from solver.rules.word_choice import best_word, cheapest_sum
from solver.splits.measures import NO_COST
from tests.support import PLAIN, naive
from tests.support.worlds import all_secrets, game_of, made_up_games, real_games, some_candidates

few = kernel(lambda search, state: best_of_few(search, state))  # noqa: PLW0108
many = kernel(lambda search, state: best_of_many(search, state))  # noqa: PLW0108


@kernel
def bucket(search: WordSearch, state: Ids, guess: int, limit: int) -> int:
    hold_candidates(search, state)
    return largest_bucket(search.letters, guess, len(state), limit, search.scratch)


def search_of(game: WordleGame, pool: str = "allowed", rule: str = "minimax") -> WordSearch:
    search = Searcher(game, rule, guess_from=pool)._word_search
    assert search is not None
    return search


def is_left_clean(search: WordSearch) -> bool:
    return not search.scratch.tally.any() and not search.scratch.mine.any()


def expected_of(game: WordleGame, state: Ids, pool: str = "allowed", rule: str = "minimax") -> str:
    guesses = game.guesses if pool == "allowed" else game.secrets
    return naive.next_guess(guesses, [game.secrets[at] for at in state], rule)


def check_both(game: WordleGame, candidates: Ids, pool: str = "allowed") -> None:
    if len(candidates) < 3:
        return
    search = search_of(game, pool)
    for way in (few, many) if len(candidates) <= SEPARATED else (many,):
        guess = game.guesses[search.pool[way(search, candidates)]]
        assert guess == expected_of(game, candidates, pool) and is_left_clean(search)


few_words, worlds = real_games(20, 30), real_games(40, 160) | made_up_games(longest=5)
pools = st.sampled_from(["allowed", "secrets"])


@pytest.mark.plain
@settings(max_examples=10 if PLAIN else 45)
@given(few_words if PLAIN else worlds | few_words | made_up_games(shortest=6), pools, st.data())
def test_few_and_many_candidates(game: WordleGame, pool: str, data: st.DataObject) -> None:
    most = 40 if len(game.guesses) > 40 else 20
    check_both(game, some_candidates(data, len(game.secrets), 3, most), pool)


def test_wide_rows_and_no_room() -> None:
    """Words over 40 letters: each secret has a longer row of letters."""
    letters = "abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìí"
    words = {letters[at % 40] + letters[at * 7 % 40] + letters[at // 3 % 40] for at in range(90)}
    game = game_of(sorted(words))
    assert search_of(game).letters.held.shape[1] == MOST_LETTERS
    check_both(game, np.arange(0, 60, 5, dtype=np.int32))
    assert search_of(game_of(["ab", "cd"])).letters.held.shape[1] == LETTERS
    game = game_of(sorted(load_game().secrets[::25]))
    full, none = search_of(game), search_of(game)
    none.letters.room[1] = 0
    for start in range(0, len(game.secrets) - 12, 7):
        state = np.arange(start, start + 12, dtype=np.int32)
        assert few(full, state) == few(none, state)
    assert not none.letters.apart.any() and full.letters.apart.any()


@settings(max_examples=20)
@given(worlds, st.data())
def test_the_largest_bucket_is_that_of_the_scores(game: WordleGame, data: st.DataObject) -> None:
    """By bits of any number of machine words, and never above the limit."""
    search = search_of(game)
    candidates = some_candidates(data, len(game.secrets), 3, 150)
    guess = data.draw(st.integers(0, len(game.guesses) - 1))
    limit = data.draw(st.integers(1, len(candidates) + 1))
    scores = [naive.grade(game.guesses[guess], game.secrets[at]) for at in candidates]
    largest = max(scores.count(score) for score in scores)
    assert bucket(search, candidates, guess, limit) == min(largest, limit)


def test_large_states_of_a_real_list() -> None:
    """More candidates than a vector of counters can count; and the next guess, counted."""
    game = load_game()
    chosen = game.score_rows(np.array([game.guess_id("fuzzy")], dtype=np.int32))[0]
    state = np.flatnonzero(chosen == 0).astype(np.int32)
    assert len(state) > 1000
    sizes = np.array([np.bincount(row).max() for row in game.score_rows(None, state)])
    ties = np.flatnonzero(sizes == sizes.min())
    own = ties[np.isin(ties, game.secret_ids[state])]
    assert best_word(search_of(game), None, state) == (own if len(own) else ties)[0]


overflow = kernel(
    lambda bits, rows, shape, bias, dead, left: (
        few_candidates.overflow_two(bits, BLOCK, rows, *shape, bias, dead)
        if left
        else few_candidates.overflow_none(bits, BLOCK, rows, *shape, bias, dead)
    )
)


repeats = kernel(
    lambda bits, rows, shape, counts, dead: few_candidates.repeat_lanes(
        bits, BLOCK, rows, *shape, counts, dead
    )
)
tally = kernel(
    lambda bits, rows, width, depth, count, planes: few_candidates.tally_lanes(
        bits, BLOCK, rows, width, depth, count, planes
    )
)


join = kernel(lambda bits, row, other, width: few_candidates.join_row(bits, row, other, width))  # noqa: PLW0108
differ = kernel(lambda held, one, other: few_candidates.differing(held, one, other))  # noqa: PLW0108


def some_rows(dice: np.random.Generator) -> Bits:
    """Twelve rows of three blocks, each bit set in one of three cases."""
    set_ = dice.random((12, 3 * BLOCK, 64)) < 1 / 3
    weights = np.uint64(1) << np.arange(64, dtype=np.uint64)
    return (set_ * weights).sum(axis=2, dtype=np.uint64).reshape(-1)


def is_set(bits: Bits, start: int, lane: int) -> bool:
    return bool(bits[start + lane // 64] >> np.uint64(lane % 64) & np.uint64(1))


def number_in(planes: Bits, lane: int) -> int:
    """What a lane has counted, a plane for each bit of the number."""
    return sum(is_set(planes, k * BLOCK, lane) << k for k in range(len(planes) // BLOCK))


def drawn_rows(seed: int, count: int) -> tuple[Bits, Ids, np.random.Generator]:
    """Bits of twelve rows, and where so many rows begin that are drawn of them."""
    dice = np.random.default_rng(seed)
    bits = some_rows(dice)
    return bits, (dice.integers(0, 12, count) * 3 * BLOCK).astype(np.int32), dice


@pytest.mark.plain
@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(1, 4))
def test_crowds_are_those_of_the_twin(seed: int, depth: int, groups: int) -> None:
    bits, rows, _ = drawn_rows(seed, 3 + groups * depth * QUAD)
    for left, bias in ((0, 0), (2, 0), (2, 1), (2, 2)):
        dead = np.zeros((2, 2 * BLOCK), dtype=np.uint64)
        alive = overflow(bits, rows, (3, depth, groups), bias, dead[0], left)
        twin = few_candidates._overflow_plain(left)
        assert alive == twin(bits, BLOCK, rows, 3, depth, groups, bias, dead[1])
        if alive:  # else it may have stopped as soon as all were dead
            assert (dead[0] == dead[1]).all()


@pytest.mark.plain
@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(1, 4), st.integers(0, 255))
def test_repeats_are_those_of_the_twin(seed: int, depth: int, groups: int, first: int) -> None:
    bits, rows, _ = drawn_rows(seed, 3 + groups * depth * QUAD)
    ones = [first >> k & 1 for k in range(few_candidates.REPEATS)]
    counts = np.repeat(np.array([ones] * 2, dtype=np.uint64) * np.uint64(2**64 - 1), BLOCK, axis=1)
    dead = np.zeros((2, 2 * BLOCK), dtype=np.uint64)
    alive = repeats(bits, rows, (3, depth, groups), counts[0], dead[0])
    twin = few_candidates.repeat_lanes_plain
    assert alive == twin(bits, BLOCK, rows, 3, depth, groups, counts[1], dead[1])
    assert (counts[0] == counts[1]).all() and (dead[0] == dead[1]).all()
    members = rows[3:].reshape(groups, depth, QUAD)
    held_by_all = all(
        any(is_set(bits, members[group, level, at] + BLOCK, 7) for level in range(depth))
        for group, at in product(range(groups), range(QUAD))
    )
    assert number_in(counts[0], 7) == (first + (not held_by_all)) % 256


@pytest.mark.plain
@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(1, 3), st.integers(1, 6))
def test_tallies_are_those_of_the_twin(seed: int, depth: int, groups: int) -> None:
    count = groups * few_candidates.GROUP
    bits, rows, _ = drawn_rows(seed, depth * (count + 2))
    planes = np.ones((2, few_candidates.PLANES * BLOCK), dtype=np.uint64)
    tally(bits, rows, count + 2, depth, count, planes[0])
    few_candidates.tally_lanes_plain(bits, BLOCK, rows, count + 2, depth, count, planes[1])
    assert (planes[0] == planes[1]).all()
    levels = rows.reshape(depth, count + 2)[:, :count]
    for lane in (0, 1, 300, 511):
        held = [any(is_set(bits, row + BLOCK, lane) for row in rows) for rows in levels.T]
        assert number_in(planes[0], lane) == held.count(False)


@pytest.mark.plain
@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_rows_are_joined_and_letters_compared_as_by_the_twins(seed: int) -> None:
    row, _, dice = drawn_rows(seed, 0)
    bits = np.array([row] * 2)
    join(bits[0], 3 * BLOCK, 9 * BLOCK, 3 * BLOCK)
    few_candidates.join_row_plain(bits[1], 3 * BLOCK, 9 * BLOCK, 3 * BLOCK)
    assert (bits[0] == bits[1]).all()
    held = dice.integers(0, 3, (4, LETTERS)).astype(np.uint8)
    assert differ(held, 1, 3) == few_candidates.differing_plain(held, 1, 3)


SUMS = ["entropy", "expected-size", "parts", "proportion"]
#: For its 15 secrets a bound once read a logarithm past the end of their table.
FIFTEEN = """aahed aalii aargh aarti abaca abaci aback abacs abaft abaka abamp aband abase abash
    maiks abask abate abaya abbas abbed abbes abbey abbot abcee abeam abear abele abers abets
    abhor""".split()
#: What is needed of the columns of the best guess here is nearly what they tell.
NARROW = "add bae bcb cbd cea ced dbb dcb dcc ddc dec ded eab eac ecd".split()


@kernel
def in_order(search: WordSearch, state: Ids) -> int:
    return cheapest_sum(search, state, int(search.own_column[state[0]]), NO_COST, 0)


def check_sums(game: WordleGame, rule: str, state: Ids, pool: str = "allowed") -> None:
    """Without a perfect guess: by pairs left together, and by splitting on and on."""
    if len(state) > 2:
        search = search_of(game, pool, rule)
        for guess in (best_word(search, 1, state), in_order(search, state)):
            assert game.guesses[search.pool[guess]] == expected_of(game, state, pool, rule)
            assert is_left_clean(search)


@pytest.mark.plain
@settings(max_examples=20 if PLAIN else 40)
@given(real_games(20, 40), st.sampled_from(SUMS))
@example(game_of(FIFTEEN, FIFTEEN[:15]), "proportion")
@example(game_of(NARROW), "proportion")
@example(game_of(NARROW), "expected-size")
def test_other_rules_of_whole_games(game: WordleGame, rule: str) -> None:
    check_sums(game, rule, all_secrets(game))


@settings(max_examples=25)
@given(worlds, pools, st.sampled_from(SUMS), st.data())
def test_other_rules(game: WordleGame, pool: str, rule: str, data: st.DataObject) -> None:
    """By parts side by side, by what columns tell, and by splitting on and on."""
    check_sums(game, rule, some_candidates(data, len(game.secrets), 3, 60), pool)


@pytest.mark.parametrize("rule", SUMS)
def test_hundreds_of_candidates_of_a_real_list(rule: str) -> None:
    """The same guess whether bounds exclude others or each is counted; many ties among them."""
    game = load_game()
    search = search_of(game, rule=rule)
    scores = game.score_rows(np.array([game.guess_id("lares")], dtype=np.int32))[0]
    for score in np.unique(scores):
        state = np.flatnonzero(scores == score).astype(np.int32)
        if len(state) > 14:
            assert best_word(search, 1, state) == in_order(search, state) and is_left_clean(search)
