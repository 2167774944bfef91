"""Pairs: published figures, brute force on small lists, the tree of partners."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.game.words import named_list
from solver.pairs.count_tree import count_pairs
from solver.pairs.guesses_by_weight import slack_of
from solver.pairs.pair_search import PairSearch
from solver.splits.joint_splits import (
    joint_measures,
    partition_by,
)
from solver.splits.logarithms import fixed_log_weights
from tests.support import published
from tests.support.joint import joint_weight
from tests.support.worlds import game_of, made_up_games, real_games


def brute(game: Game, words: tuple[str, ...]) -> list[tuple[int, tuple[str, str]]]:
    """All pairs, best first, ties in alphabetical order."""
    weights = fixed_log_weights(len(game.secrets)).tolist()
    rows = {word: [game.grade(word, secret) for secret in game.secrets] for word in words}

    def weight(a: str, b: str) -> int:
        return sum(weights[size] for size in Counter(zip(rows[a], rows[b], strict=True)).values())

    return sorted((weight(*pair), pair) for pair in combinations(words, 2))


@pytest.fixture(scope="module")
def nyt_2022() -> PairSearch:
    return PairSearch(load_game("nyt-2022"))


def test_published_pairs() -> None:
    found = PairSearch(load_game()).best(3)
    for pair, (words, entropy) in zip(found.pairs, published.PAIRS.items(), strict=True):
        assert pair.words == tuple(sorted(words))
        assert pair.joint_entropy == pytest.approx(entropy, abs=1e-9)
    assert found.evaluated < found.pairs_in_all // 100


def test_published_best_pair_and_rank_of_nyt_2022(nyt_2022: PairSearch) -> None:
    (best,) = nyt_2022.best(1).pairs
    assert best.words == ("clint", "soare")
    assert best.remaining_bits == pytest.approx(published.REMAINING["soare clint"], abs=1e-6)
    (named,) = nyt_2022.ranked("trace", "lions").pairs
    rank, remaining = published.TRACE_LIONS
    assert named.rank == rank
    assert named.remaining_bits == pytest.approx(remaining, abs=5e-4)


def test_the_best_list_goes_on_to_the_named_pair(nyt_2022: PairSearch) -> None:
    last = nyt_2022.best(published.TRACE_LIONS[0]).pairs[-1]
    assert last.words == ("lions", "trace")


@settings(max_examples=20)
@given(real_games(40, 80), st.integers(1, 60))
def test_best_and_worst_are_those_of_brute_force(game: Game, count: int) -> None:
    truth = brute(game, game.guesses)
    search = PairSearch(game)
    assert [(p.weight, p.words) for p in search.best(count).pairs] == truth[:count]
    worst = search.worst(count).pairs
    assert [(p.weight, p.words) for p in worst] == truth[-count:]
    values = [weight for weight, _ in truth]
    assert [p.rank for p in worst] == [values.index(p.weight) + 1 for p in worst]
    middle = truth[len(truth) // 2]
    assert search.ranked(*middle[1]).pairs[0].rank == values.index(middle[0]) + 1


@pytest.mark.plain
@settings(max_examples=12)
@given(made_up_games(max_words=9), st.integers(1, 40))
def test_pairs_of_any_length_ties_and_ranks(game: Game, count: int) -> None:
    if game.n_scores > 3**7:
        count = 1  # counters of long words are slow without compilation
    truth = brute(game, game.guesses)
    search = PairSearch(game)
    found = search.best(count).pairs
    assert [(p.weight, p.words) for p in found] == truth[:count]
    values = [weight for weight, _ in truth]
    assert [p.rank for p in found] == [values.index(p.weight) + 1 for p in found]
    for weight, words in (truth[-1], truth[len(truth) // 2]):
        assert search.ranked(*words).pairs[0].rank == values.index(weight) + 1
    worst = search.worst(count).pairs
    assert [(p.weight, p.words) for p in worst] == truth[-count:]
    assert [p.rank for p in worst] == [values.index(p.weight) + 1 for p in worst]


@settings(max_examples=15)
@given(real_games(40, 90))
def test_partners_and_pairs_of_secrets(game: Game) -> None:
    word = game.guesses[len(game.guesses) // 2]
    mine = [pair for pair in brute(game, game.guesses) if word in pair[1]]
    assert [p.weight for p in PairSearch(game).partners(word).pairs] == [w for w, _ in mine]
    both = PairSearch(game, both_secrets=True).best(10).pairs
    assert [(p.weight, p.words) for p in both] == brute(game, game.secrets)[:10]


def test_a_pair_is_two_words_that_take_part() -> None:
    search = PairSearch(game_of(["crane", "slate", "abide"], ["crane", "slate"]), both_secrets=True)
    with pytest.raises(WrongInputError, match="twice"):
        search.ranked("crane", "CRANE")
    with pytest.raises(WrongInputError, match="not among the secrets"):
        search.partners("abide")


def counted_by_the_tree(search: PairSearch, limit: int, spans: list[tuple[int, int]]) -> int:
    """Pairs up to a weight, the first guess from some spans of all, the best one first."""
    game = search.game
    assert isinstance(game, WordleGame)
    assert search.field.has_tree
    tally = np.array([0, 0, limit], dtype=np.int64)
    field = search.field
    tree = field.tree(tally)
    logs, slack = fixed_log_weights(field.secrets), slack_of(field.secrets, 2 * game.length + 2)
    for span in spans:
        count_pairs(*span, field.scores, field.rows, field.weights, logs, tree, slack)
    return int(tally[1])


@settings(max_examples=20)
@given(real_games(40, 80), st.data())
def test_the_tree_counts_as_brute_force(game: WordleGame, data: st.DataObject) -> None:
    truth = [weight for weight, _ in brute(game, game.guesses)]
    search, whole = PairSearch(game), len(game.guesses)
    for limit in data.draw(st.lists(st.sampled_from(truth), min_size=1, max_size=4)):
        strides = [(0, whole // 3), (whole // 3, whole)]
        assert counted_by_the_tree(search, limit, strides) == sum(w <= limit for w in truth)


@pytest.mark.plain
@settings(max_examples=12)
@given(made_up_games(max_words=9))
def test_the_tree_counts_words_of_any_length(game: WordleGame) -> None:
    truth = [weight for weight, _ in brute(game, game.guesses)]
    search = PairSearch(game)
    for limit in {*truth, *(weight - 1 for weight in truth)}:
        found = counted_by_the_tree(search, limit, [(0, len(game.guesses))])
        assert found == sum(weight <= limit for weight in truth)


def test_the_tree_counts_partners_on_the_full_list(nyt_2022: PairSearch) -> None:
    for words, at in ((("crane", "slate"), 700), (("fuzzy", "hello"), 9000)):
        limit = joint_weight(nyt_2022.game, *words)
        row, later = nyt_2022.field.rows[at], nyt_2022.field.rows[at + 1 :]
        partition = partition_by([nyt_2022.scores[row]])
        weights = joint_measures(nyt_2022.scores[later], partition, 243).weights
        found = counted_by_the_tree(nyt_2022, limit, [(at, at + 1)])
        assert 0 < found == int((weights <= limit).sum()) < len(later)


def test_the_tree_takes_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second stride on, if the bounds leave more than no pair at all."""
    game = game_of(list(named_list("original", "allowed").words[::65]))
    middle = PairSearch(game).best(9000).pairs[-1]
    monkeypatch.setattr("solver.pairs.rank_count._MANY", -1)
    assert PairSearch(game).ranked(*middle.words).pairs[0].rank == middle.rank
