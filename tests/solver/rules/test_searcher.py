"""The search against a plain Knuth, and against the published strategies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.game import GUESS_POOLS, Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.rules import searcher as searcher_module
from solver.rules.rules import RULES
from solver.rules.searcher import Searcher
from solver.splits import ranking as ranking_module
from solver.tree import Tree
from tests.support import naive
from tests.support.trees import described, histogram
from tests.support.worlds import game_of, made_up_games, real_games

rules = st.sampled_from(list(RULES))
pools = st.sampled_from(GUESS_POOLS)


def check_against_plain_search(game: WordleGame, rule: str, pool: str, data: st.DataObject) -> None:
    hard = data.draw(st.booleans())
    starts = data.draw(st.lists(st.sampled_from(game.guesses), max_size=2))
    searcher = Searcher(game, rule, guess_from=pool, hard=hard)
    tree = searcher.grow(starts=[game.guess_id(word) for word in starts])
    expected = naive.nodes(
        game.guesses,
        game.secrets,
        rule,
        starts=starts,
        guess_from=pool,
        secrets=game.secrets,
        hard=hard,
    )
    assert described(game, tree) == list(expected)


@settings(max_examples=60)
@given(made_up_games(longest=5), rules, pools, st.data())
def test_every_rule_and_pool_is_the_plain_one(
    game: WordleGame, rule: str, pool: str, data: st.DataObject
) -> None:
    check_against_plain_search(game, rule, pool, data)


@pytest.mark.slow(28)
@settings(max_examples=60)
@given(made_up_games(shortest=6), rules, pools, st.data())
def test_long_words_are_searched_like_short_ones(
    game: WordleGame, rule: str, pool: str, data: st.DataObject
) -> None:
    check_against_plain_search(game, rule, pool, data)


@settings(max_examples=15)
@given(real_games(), rules, pools)
def test_real_words_are_searched_as_by_the_plain_rule(
    game: WordleGame, rule: str, pool: str
) -> None:
    words = {"allowed": game.guesses}.get(pool, game.secrets)
    everything = np.arange(len(game.secrets), dtype=np.int32)
    guess = Searcher(game, rule, guess_from=pool).next_guess(everything)
    assert game.guesses[guess] == naive.next_guess(words, game.secrets, rule)


@settings(max_examples=10)
@given(real_games(50, 120), rules, pools, st.booleans(), st.data())
def test_states_with_rows_and_states_without_grow_the_same_tree(
    game: WordleGame, rule: str, pool: str, hard: bool, data: st.DataObject
) -> None:
    """No state has rows, those of up to five candidates have, all have."""
    starts = data.draw(st.lists(st.sampled_from(range(len(game.guesses))), max_size=2))
    trees = []
    row = len(game.guesses if pool == "allowed" else game.secrets)
    for limit in (0, 5 * row, 1 << 27):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(searcher_module, "ROWS_LIMIT", limit)
            searcher = Searcher(game, rule, guess_from=pool, hard=hard)
            trees.append(described(game, searcher.grow(starts=starts)))
            root = searcher.next_guess(np.arange(len(game.secrets), dtype=np.int32))
            assert starts or game.guesses[root] == trees[0][0][2]
    assert trees[0] == trees[1] == trees[2]


@settings(max_examples=25)
@given(made_up_games(max_words=25), rules, pools, st.booleans())
def test_states_without_rows_are_chosen_by_the_plain_rule(
    game: WordleGame, rule: str, pool: str, hard: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searcher_module, "ROWS_LIMIT", 0)
        patch.setattr(ranking_module, "_BLOCK_BYTES", 1)
        tree = Searcher(game, rule, guess_from=pool, hard=hard).grow()
    expected = naive.nodes(
        game.guesses, game.secrets, rule, guess_from=pool, secrets=game.secrets, hard=hard
    )
    assert described(game, tree) == list(expected)


@pytest.mark.plain
@settings(max_examples=20)
@given(real_games(30, 45), rules, pools)
def test_small_worlds_need_no_compiler(game: WordleGame, rule: str, pool: str) -> None:
    tree = Searcher(game, rule, guess_from=pool).grow()
    expected = naive.nodes(game.guesses, game.secrets, rule, guess_from=pool, secrets=game.secrets)
    assert described(game, tree) == list(expected)


@pytest.mark.parametrize("start", ["lares", "fuzzy"])
def test_every_state_of_a_big_game_is_chosen_alike(start: str) -> None:
    """All three ways to Knuth's choice agree on the real thing, thousands of states."""
    game = load_game("original", "answers")
    fast = Searcher(game)
    root = game.guess_id(start)
    tree = described(game, fast.grow(starts=[root]))
    by_rows = Searcher(game)
    by_rows.__dict__["_word_search"] = None
    assert described(game, by_rows.grow(starts=[root])) == tree
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searcher_module, "ROWS_LIMIT", 0)
        measured = Searcher(game)
        measured.__dict__["_word_search"] = None
        some = measured.children(root, np.arange(len(game.secrets), dtype=np.int32))[:12]
        for _, bucket in some:
            assert described(game, measured.grow(bucket)) == described(game, fast.grow(bucket))


def test_a_subtree_is_a_part_of_the_tree() -> None:
    game = game_of(sorted(load_game("original", "answers").secrets[::9]))
    searcher = Searcher(game)
    tree = described(game, searcher.grow())
    root = game.guess_id(tree[0][2])
    pieces = [tree[0]]
    everything = np.arange(len(game.secrets), dtype=np.int32)
    for score, bucket in searcher.children(root, everything):
        if score != game.solved:
            (_, _, guess), *rest = described(game, searcher.grow(bucket))
            pieces += [(1, score, guess), *((depth + 1, edge, word) for depth, edge, word in rest)]
    assert pieces == tree


def test_the_main_job_compiles_once() -> None:
    """Rows have one memory layout, whatever the number of words and of candidates."""
    for guesses, candidates in ((63, 63), (64, 64), (65, 2), (128, 1)):
        words = load_game("original", "answers").secrets[:guesses]
        some = np.arange(candidates, dtype=np.int32)
        rows = Searcher(game_of(list(words)))._search_among(some).scores
        assert not rows.flags.c_contiguous
        assert rows.strides[0] > rows.shape[1]


def test_two_candidates_the_first_is_guessed() -> None:
    game = game_of(["aback", "abase", "zonal"], ["abase", "zonal"])
    for rule in RULES:
        assert Searcher(game, rule).next_guess(np.array([0, 1], dtype=np.int32)) == 1


def test_hard_mode_minds_the_history() -> None:
    game = load_game("original", "answers")
    searcher = Searcher(game, hard=True)
    history = [(word, naive.grade(word, "baker")) for word in ("raise", "hater")]
    left = [s for s in game.secrets if all(naive.grade(g, s) == score for g, score in history)]
    ids = np.array([game.secrets.index(word) for word in left], dtype=np.int32)
    steps = [(game.guess_id(word), score) for word, score in history]
    guess = game.guesses[searcher.next_guess(ids, steps)]
    assert all(naive.may_follow(guess, word, left[0]) for word, _ in history)


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(WrongInputError, match="no candidates"):
        Searcher(game_of(["ab", "cd"])).next_guess(np.array([], dtype=np.int32))
    with pytest.raises(WrongInputError, match="none of them"):
        Searcher(game_of(["ab", "cd"]), guess_from="all")


def published(secrets: str, start: str | None) -> tuple[Game, Tree]:
    game = load_game("original", secrets)
    return game, Searcher(game).grow(starts=[game.guess_id(start)] if start else ())


@pytest.mark.parametrize(
    ("secrets", "start", "counts"),
    [("allowed", "serai", [1, 66, 1740, 6412, 4059, 652, 38, 4])],
)
def test_published_strategy_from_the_rules_own_start(
    secrets: str, start: str, counts: Sequence[int]
) -> None:
    """Published figures: SERAI over 12,972 secrets, mean 4.27890842."""
    game, tree = published(secrets, None)
    assert game.guesses[tree.guess[0]] == start
    assert histogram(game, tree) == counts
    total = sum(turn * count for turn, count in enumerate(counts, 1))
    assert f"{total / len(game.secrets):.8f}" == "4.27890842"


def test_published_strategy_from_lares() -> None:
    """Published figures: LARES needs 7 guesses, for 35 secrets; 14,517 states."""
    game, tree = published("allowed", "lares")
    counts = histogram(game, tree)
    assert (len(counts), counts[-1], len(tree)) == (7, 35, 14_517)


def test_published_strategy_on_the_answers() -> None:
    """Published figure: LARES over 2,315 answers needs 5 guesses at worst."""
    assert len(histogram(*published("answers", "lares"))) == 5
