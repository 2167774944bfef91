"""The best pairs and the ranks of named ones: the same for any number of workers."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import Game
from solver.game.words import named_list
from solver.pairs import best_pairs, rank_count
from solver.pairs.best_pairs import BestPairs
from solver.pairs.guesses_by_weight import Field
from solver.pairs.pair_scan import Wanted
from solver.pairs.pair_search import PairSearch
from solver.pairs.strides import Span, ignore_strides
from solver.pairs.triples import TripleSearch
from solver.splits.logarithms import Costs
from tests.support.worlds import game_of, real_games

#: A list of 430 guesses and 33 secrets.
SOME = list(named_list("original", "allowed").words[::30])


@pytest.fixture(scope="module")
def some() -> Game:
    return game_of(SOME, SOME[::13])


class Behind(BestPairs):
    """Each stride knows but what had been found some strides before."""

    def __init__(self, field: Field, count: int, lags: list[int]) -> None:
        super().__init__(field, count)
        self._lags, self._then = lags, [self.wanted.kept.copy()]

    def task(self, span: Span) -> tuple[Span, Costs]:
        self._then.append(self.wanted.kept.copy())
        lag = self._lags[len(self._then) % len(self._lags)]
        return span, self._then[max(0, len(self._then) - 1 - lag)].copy()


def found_by_both(game: Game, count: int, lags: list[int]) -> Wanted:
    """What is found by whoever knows all by then; whoever lags behind finds the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.pairs.strides.STRIDE", 4)
        patch.setattr("solver.pairs.strides._PIECE", 2)
        field = Field(game)
        told = BestPairs(field, count).search(ignore_strides, 1)
        behind = Behind(field, count, lags)
        behind.search_shared(ignore_strides, 1)
    assert (behind.wanted.kept == told.kept).all()
    assert behind.wanted.tally[0] == told.tally[0]
    return told


@settings(max_examples=15)
@given(real_games(40, 90), st.integers(1, 30), st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_who_knows_less_finds_and_evaluates_the_same(
    game: Game, count: int, lags: list[int]
) -> None:
    found_by_both(game, count, lags)


@settings(max_examples=8)
@given(st.integers(2, 12), st.integers(1, 40), st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_of_pairs_that_tell_everything_the_first_are_kept(
    secrets: int, count: int, lags: list[int]
) -> None:
    """With few secrets there are thousands; once enough are found, later ones are passed over."""
    words = SOME[::4]
    game = game_of(words, words[:: len(words) // secrets])
    told = found_by_both(game, count, lags)
    grades = {guess: [game.grade(guess, secret) for secret in game.secrets] for guess in words}
    weights = []
    for (a, one), (b, other) in combinations(enumerate(grades.values()), 2):
        sizes = Counter(zip(one, other, strict=True)).values()
        weights.append((round(sum(size * math.log2(size) for size in sizes), 9), a, b))
    expected = [(a, b) for _, a, b in sorted(weights)[: len(told.kept)]]
    assert [tuple(row) for row in told.kept[:, 1:].tolist()] == expected


def test_the_same_for_any_number_of_workers(some: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = PairSearch(some)
    middle = alone.best(20_000).pairs[-1].words
    for _ in range(2):
        for ask in (
            lambda search: search.best(30),
            lambda search: search.ranked(*middle),
            lambda search: search.ranked(*alone.best(5).pairs[-1].words),
        ):
            assert {repr(ask(PairSearch(some, workers=w))) for w in (1, 2, 3)} == {repr(ask(alone))}
        monkeypatch.setattr(rank_count, "_MANY", -1)  # then the tree, from the second stride on


def test_all_guesses_are_told_of_once(some: Game) -> None:
    for workers in (1, 2):
        heard: list[tuple[int, int]] = []
        PairSearch(some, workers=workers).best(3, lambda new, whole: heard.append((new, whole)))  # noqa: B023
        assert sum(new for new, _ in heard) == len(SOME)
        assert {whole for _, whole in heard} == {len(SOME)}


def test_a_climb_is_shared(some: Game) -> None:
    assert TripleSearch(some, workers=2).best() == TripleSearch(some).best()


def test_searches_travel_as_recipes(some: Game) -> None:
    field = Field(some, both_secrets=True)
    search = best_pairs.BestPairs(field, 4)
    for it, most in ((search, 4_000), (TripleSearch(some, 2), 4_000)):
        sent = pickle.dumps(it)
        assert len(sent) < most + len(pickle.dumps(some))
    again = pickle.loads(pickle.dumps(search))
    assert (again.search(ignore_strides, 1).kept == search.search(ignore_strides, 1).kept).all()


@pytest.mark.slow
def test_workers_may_be_spawned(some: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "elsewhere")
    assert PairSearch(some, workers=2).best(9) == PairSearch(some).best(9)
    assert TripleSearch(some, workers=2).best() == TripleSearch(some).best()
