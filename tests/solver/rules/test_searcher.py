"""The search against a plain Knuth, choices by a score matrix, and rules by name."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
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
from solver.rules import searcher as searcher_module
from solver.rules.grow_tree import MatrixSearch, best_column, cheapest
from solver.rules.searcher import RULES, Rule, Searcher, find_rule
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
