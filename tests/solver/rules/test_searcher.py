"""Choices by every rule: against a plain Knuth, by a score matrix, by letters and bits."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.advice.suggest import candidates_after
from solver.choices import GUESS_POOLS
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.arrays import Ids
from solver.machine.jit import kernel
from solver.rules import few_candidates
from solver.rules import searcher as searcher_module
from solver.rules.few_candidates import QUAD, best_of_few
from solver.rules.grow_tree import MatrixSearch, best_column, cheapest
from solver.rules.letter_bits import BLOCK, LETTERS, MOST_LETTERS, SEPARATED, Bits, WordSearch
from solver.rules.many_candidates import best_of_many, hold_candidates, largest_bucket
from solver.rules.searcher import RULES, Rule, Searcher, find_rule
from solver.rules.word_choice import best_word, cheapest_sum
from solver.splits import ranking as ranking_module
from solver.splits.measures import NO_COST, Costs, split_measures
from tests.support import PLAIN, naive, refused
from tests.support.trees import described
from tests.support.worlds import all_secrets, game_of, made_up_games, real_games, some_candidates

rules = st.sampled_from(list(RULES))
pools = st.sampled_from(GUESS_POOLS)
SMALL = real_games(30, 45)


def nodes_of(game: Game, rule: str, pool: str, hard: bool, starts: Sequence[str] = ()) -> list[Any]:
    how = {"starts": starts, "guess_from": pool, "secrets": game.secrets, "hard": hard}
    return list(naive.nodes(game.guesses, game.secrets, rule, **how))


def check(game: WordleGame, rule: str, pool: str, data: st.DataObject) -> None:
    hard = data.draw(st.booleans())
    starts = data.draw(st.lists(st.sampled_from(game.guesses), max_size=2))
    searcher = Searcher(game, rule, guess_from=pool, hard=hard)
    tree = searcher.grow(starts=[game.guess_id(word) for word in starts])
    assert described(game, tree) == nodes_of(game, rule, pool, hard, starts)


@pytest.mark.plain
@settings(max_examples=20 if PLAIN else 50)
@given(SMALL if PLAIN else SMALL | made_up_games(longest=5), rules, pools, st.data())
def test_every_rule_and_pool(game: WordleGame, rule: str, pool: str, data: st.DataObject) -> None:
    check(game, rule, pool, data)


@pytest.mark.slow
@settings(max_examples=30)
@given(made_up_games(shortest=6), rules, pools, st.data())
def test_rules_on_long_words(game: WordleGame, rule: str, pool: str, data: st.DataObject) -> None:
    check(game, rule, pool, data)


@settings(max_examples=6)
@given(real_games(), rules, pools)
def test_rules_on_real_words(game: WordleGame, rule: str, pool: str) -> None:
    words = {"allowed": game.guesses}.get(pool, game.secrets)
    guess = Searcher(game, rule, guess_from=pool).next_guess(all_secrets(game))
    assert game.guesses[guess] == naive.next_guess(words, game.secrets, rule)


@settings(max_examples=10)
@given(real_games(50, 120), rules, pools, st.booleans(), st.data())
def test_trees_with_and_without_rows(
    game: WordleGame, rule: str, pool: str, hard: bool, data: st.DataObject
) -> None:
    """No state has rows, those of up to five candidates have, all have."""
    starts = data.draw(st.lists(st.sampled_from(range(len(game.guesses))), max_size=2))
    trees = []
    row = len(game.guesses if pool == "allowed" else game.secrets)
    for limit in (0, 5 * row, 1 << 27):
        with patch.multiple(searcher_module, ROWS_LIMIT=limit):
            searcher = Searcher(game, rule, guess_from=pool, hard=hard)
            trees.append(described(game, searcher.grow(starts=starts)))
            root = searcher.next_guess(all_secrets(game))
            assert starts or game.guesses[root] == trees[0][0][2]
    assert trees[0] == trees[1] == trees[2]


#: Here only its bonus makes a candidate the best guess.
CLOSE = game_of(
    "aab aac abb aca bba bcb bcc caa cca ccb ccc".split(), "aac abb bba bcb caa cca ccb ccc".split()
)


@settings(max_examples=40)
@example(CLOSE, "cubes", "allowed", True, True, 0, 99)
@given(
    made_up_games(max_words=25), st.sampled_from([*RULES, *["cubes"] * 3]), pools, st.booleans(),
    st.booleans(), st.sampled_from([0, 0, 1 << 27]), st.sampled_from([1, 99]),
)  # fmt: skip
def test_states_without_rows_and_any_other_rule(
    game: WordleGame, name: str, pool: str, hard: bool, bonus: bool, limit: int, block: int
) -> None:
    """Rules need no more than their steps, whether states have rows or not."""

    def steps(n: int) -> Costs:
        return 3 * np.arange(n, dtype=np.int64) * np.arange(1, n + 1) + 1

    def cubes(sizes: Sequence[int], is_candidate: bool) -> int:
        return sum(n**3 for n in sizes) - bonus * is_candidate * sum(sizes)

    rule = Rule("cubes", "", steps, candidate_bonus=bonus)
    with (
        patch.multiple(searcher_module, ROWS_LIMIT=limit),
        patch.multiple(ranking_module, BLOCK_BYTES=block),
        patch.dict(RULES, cubes=rule), patch.dict(naive.RULES, cubes=cubes),
    ):  # fmt: skip
        tree = Searcher(game, name, guess_from=pool, hard=hard).grow()
        assert described(game, tree) == nodes_of(game, name, pool, hard)


@pytest.mark.parametrize("start", ["lares", pytest.param("fuzzy", marks=pytest.mark.slow)])
def test_every_state_of_a_big_game_is_chosen_alike(start: str) -> None:
    """All three ways to Knuth's choice agree on the real thing; subtrees are parts of the tree."""
    game = load_game()
    fast, by_rows, measured = (Searcher(game) for _ in range(3))
    by_rows.__dict__["_word_search"] = measured.__dict__["_word_search"] = None
    root = game.guess_id(start)
    tree = described(game, fast.grow(starts=[root]))
    assert described(game, by_rows.grow(starts=[root])) == tree
    pieces = [tree[0]]
    buckets = [it for it in fast.children(root, all_secrets(game)) if it[0] != game.solved]
    for at, (score, bucket) in enumerate(buckets):
        subtree = described(game, fast.grow(bucket))
        (_, _, guess), *rest = subtree
        pieces += [(1, score, guess), *((depth + 1, edge, word) for depth, edge, word in rest)]
        if at < 12:
            with patch.multiple(searcher_module, ROWS_LIMIT=0):
                assert described(game, measured.grow(bucket)) == subtree
    assert pieces == tree


def test_histories_and_memory() -> None:
    """Rows have one memory layout, whatever the number of words and of candidates."""
    game = load_game()
    for guesses, candidates in ((63, 63), (64, 64), (65, 2), (128, 1)):
        some = np.arange(candidates, dtype=np.int32)
        rows = Searcher(game_of(list(game.secrets[:guesses])))._search_among(some).scores
        assert not rows.flags.c_contiguous and rows.strides[0] > rows.shape[1]
    history = [(word, naive.grade(word, "baker")) for word in ("raise", "hater")]
    ids = candidates_after(game, tuple(history))
    steps = [(game.guess_id(word), score) for word, score in history]
    guess = game.guesses[Searcher(game, hard=True).next_guess(ids, steps)]
    assert all(naive.may_follow(guess, word, "baker") for word, _ in history)


@pytest.mark.plain
def test_small_questions() -> None:
    game = game_of(["aback", "abase", "zonal"], ["abase", "zonal"])
    for name, rule in RULES.items():
        assert Searcher(game, name).next_guess(np.array([0, 1], dtype=np.int32)) == 1
        steps = rule.steps(300)
        assert len(steps) == 300 and (np.diff(steps) >= 0).all() and steps[0] >= 0
    nobody = np.array([], dtype=np.int32)
    refused(WrongInputError, "no possible secret", Searcher(game).next_guess, nobody)
    refused(WrongInputError, "--guess-from is one of", Searcher, game, guess_from="all")
    refused(WrongInputError, "did you mean minimax", find_rule, "minmax")


def search_of(game: WordleGame, rule: str) -> MatrixSearch:
    return Searcher(game, rule)._search_among(all_secrets(game))


@pytest.mark.plain
@settings(max_examples=30)
@given(made_up_games(max_words=12, longest=5), st.sampled_from(list(RULES)), st.data())
def test_the_first_cheapest_is_chosen(game: WordleGame, rule: str, data: st.DataObject) -> None:
    candidates = some_candidates(data, len(game.secrets), 1, 40)
    search, chosen = search_of(game, rule), find_rule(rule)
    bonus = len(candidates) if chosen.candidate_bonus else 0
    counts = np.zeros(game.n_scores, dtype=np.int32)
    own = search.own_column[candidates]
    steps, by_largest = search.criterion.steps, chosen.by_largest
    at, _ = cheapest(search.scores, candidates, own, steps, by_largest, bonus, counts, NO_COST)
    words = [game.secrets[place] for place in candidates]
    assert words[at] == naive.next_guess(words, words, rule) and not counts.any()


@settings(max_examples=25)
@given(real_games(40, 90), st.data())
def test_pairs_of_rows_choose_as_the_plain_rule(game: WordleGame, data: st.DataObject) -> None:
    """Knuth's choice by rows of scores compared, and by counting."""
    candidates = some_candidates(data, len(game.secrets), 3, 40)
    search = search_of(game, "minimax")
    expected = naive.next_guess(game.guesses, [game.secrets[at] for at in candidates])
    for few in (0, len(game.secrets)):
        column = best_column(search._replace(few=few), candidates)
        assert game.guesses[search.pool[column]] == expected


def cost(rule: str, sizes: list[int], is_candidate: bool) -> int:
    steps = RULES[rule].steps(sum(sizes))
    grown = [int(steps[k]) for size in sizes for k in range(size)]
    bonus = sum(sizes) if is_candidate and RULES[rule].candidate_bonus else 0
    return (max(grown) if RULES[rule].by_largest else sum(grown)) - bonus


#: The bucket sizes of a guess, and whether it is a candidate.
Split = tuple[list[int], bool]


@st.composite
def splits(draw: st.DrawFn, total: int) -> Split:
    cuts = draw(st.lists(st.integers(1, max(total - 1, 1)), max_size=20))
    places = [0, *sorted(set(cuts) - {total}), total]
    return [b - a for a, b in pairwise(places)], draw(st.booleans())


@pytest.mark.plain
@pytest.mark.parametrize("rule", RULES)
@given(st.integers(1, 80).flatmap(lambda total: st.tuples(splits(total), splits(total))))
def test_costs_order_splits(rule: str, pair: tuple[Split, Split]) -> None:
    ours = [cost(rule, *split) for split in pair]
    truth = [naive.RULES[rule](*split) for split in pair]
    assert (ours[0] < ours[1], ours[0] == ours[1]) == (truth[0] < truth[1], truth[0] == truth[1])


@pytest.mark.plain
@pytest.mark.parametrize(("scores", "dtype"), [(27, np.uint8), (3**11, np.uint32)])
@given(st.lists(st.tuples(st.integers(0, 26), st.integers(1, 40)), min_size=1, max_size=12))
def test_measures_of_a_split(scores: int, dtype: type, parts: list[tuple[int, int]]) -> None:
    row = [score * (scores // 27) for score, size in parts for _ in range(size)]
    measures = split_measures(np.array([row, row], dtype=dtype), scores)
    sizes = [*Counter(row).values()]
    kept, squares = naive.share_kept(sizes, False), sum(n * n for n in sizes)
    for at in range(2):
        assert measures.parts[at] == len(sizes) and measures.largest[at] == max(sizes)
        assert measures.squares[at] == squares
        assert measures.entropy()[at] == pytest.approx(naive.entropy(sizes), abs=1e-9)
        assert measures.expected_size()[at] == pytest.approx(squares / len(row))
        assert measures.eliminated()[at] == pytest.approx(float(-kept), abs=1e-12)


few = kernel(lambda search, state: best_of_few(search, state))  # noqa: PLW0108
many = kernel(lambda search, state: best_of_many(search, state))  # noqa: PLW0108


@kernel
def bucket(search: WordSearch, state: Ids, guess: int, limit: int) -> int:
    hold_candidates(search, state)
    return largest_bucket(search.letters, guess, len(state), limit, search.scratch)


def word_search(game: WordleGame, pool: str = "allowed", rule: str = "minimax") -> WordSearch:
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
    search = word_search(game, pool)
    for way in (few, many) if len(candidates) <= SEPARATED else (many,):
        guess = game.guesses[search.pool[way(search, candidates)]]
        assert guess == expected_of(game, candidates, pool) and is_left_clean(search)


few_words, worlds = real_games(20, 30), real_games(40, 160) | made_up_games(longest=5)
word_pools = st.sampled_from(["allowed", "secrets"])


@pytest.mark.plain
@settings(max_examples=10 if PLAIN else 45)
@given(
    few_words if PLAIN else worlds | few_words | made_up_games(shortest=6), word_pools, st.data()
)
def test_few_and_many_candidates(game: WordleGame, pool: str, data: st.DataObject) -> None:
    most = 40 if len(game.guesses) > 40 else 20
    check_both(game, some_candidates(data, len(game.secrets), 3, most), pool)


def test_wide_rows_and_no_room() -> None:
    """Words over 40 letters: each secret has a longer row of letters."""
    letters = "abcdefghijklmnopqrstuvwxyzàáâãäåæçèéêëìí"
    words = {letters[at % 40] + letters[at * 7 % 40] + letters[at // 3 % 40] for at in range(90)}
    game = game_of(sorted(words))
    assert word_search(game).letters.held.shape[1] == MOST_LETTERS
    check_both(game, np.arange(0, 60, 5, dtype=np.int32))
    assert word_search(game_of(["ab", "cd"])).letters.held.shape[1] == LETTERS
    game = game_of(sorted(load_game().secrets[::25]))
    full, none = word_search(game), word_search(game)
    none.letters.room[1] = 0
    for start in range(0, len(game.secrets) - 12, 7):
        state = np.arange(start, start + 12, dtype=np.int32)
        assert few(full, state) == few(none, state)
    assert not none.letters.apart.any() and full.letters.apart.any()


@settings(max_examples=20)
@given(worlds, st.data())
def test_the_largest_bucket_is_that_of_the_scores(game: WordleGame, data: st.DataObject) -> None:
    """By bits of any number of machine words, and never above the limit."""
    search = word_search(game)
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
    assert best_word(word_search(game), None, state) == (own if len(own) else ties)[0]


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
        search = word_search(game, pool, rule)
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
@given(worlds, word_pools, st.sampled_from(SUMS), st.data())
def test_other_rules(game: WordleGame, pool: str, rule: str, data: st.DataObject) -> None:
    """By parts side by side, by what columns tell, and by splitting on and on."""
    check_sums(game, rule, some_candidates(data, len(game.secrets), 3, 60), pool)


@pytest.mark.parametrize("rule", SUMS)
def test_hundreds_of_candidates_of_a_real_list(rule: str) -> None:
    """The same guess whether bounds exclude others or each is counted; many ties among them."""
    game = load_game()
    search = word_search(game, rule=rule)
    scores = game.score_rows(np.array([game.guess_id("lares")], dtype=np.int32))[0]
    for score in np.unique(scores):
        state = np.flatnonzero(scores == score).astype(np.int32)
        if len(state) > 14:
            assert best_word(search, 1, state) == in_order(search, state) and is_left_clean(search)
