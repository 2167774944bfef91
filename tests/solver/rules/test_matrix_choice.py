"""The ways to choose by a score matrix, each by itself, against the rule as a person says it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.wordle import WordleGame
from solver.machine.rows import Ids
from solver.rules.matrix_choice import MatrixSearch, best_column, cheapest
from solver.rules.rules import RULES, find_rule
from solver.rules.searcher import Searcher
from solver.rules.split_cost import NO_COST
from tests.support import naive
from tests.support.worlds import made_up_games, real_games


def search_of(game: WordleGame, rule: str) -> MatrixSearch:
    everyone = np.arange(len(game.secrets), dtype=np.int32)
    return Searcher(game, rule)._search_among(everyone)


def some_candidates(game: WordleGame, data: st.DataObject, least: int) -> Ids:
    places = st.integers(0, len(game.secrets) - 1)
    size = min(least, len(game.secrets))
    chosen = data.draw(st.sets(places, min_size=size, max_size=max(size, 40)))
    return np.array(sorted(chosen), dtype=np.int32)


def plain_choice(game: WordleGame, candidates: Ids, rule: str) -> str:
    words = [game.secrets[at] for at in candidates]
    return naive.next_guess(game.guesses, words, rule)


@pytest.mark.plain
@settings(max_examples=30)
@given(made_up_games(max_words=12, longest=5), st.sampled_from(list(RULES)), st.data())
def test_the_cheapest_column_is_the_first_that_costs_least(
    game: WordleGame, rule: str, data: st.DataObject
) -> None:
    candidates = some_candidates(game, data, 1)
    search, chosen = search_of(game, rule), find_rule(rule)
    bonus = len(candidates) if chosen.candidate_bonus else 0
    counts = np.zeros(game.n_scores, dtype=np.int32)
    own = search.own_column[candidates]
    steps, by_largest = search.criterion.steps, chosen.by_largest
    at, _ = cheapest(search.scores, candidates, own, steps, by_largest, bonus, counts, NO_COST)
    words = [game.secrets[place] for place in candidates]
    assert words[at] == naive.next_guess(words, words, rule)
    assert not counts.any()


@settings(max_examples=25)
@given(real_games(40, 90), st.data())
def test_pairs_of_rows_choose_as_the_plain_rule(game: WordleGame, data: st.DataObject) -> None:
    """Knuth's choice by rows of scores compared, and by counting."""
    candidates = some_candidates(game, data, 3)
    search = search_of(game, "minimax")
    expected = plain_choice(game, candidates, "minimax")
    for few in (0, len(game.secrets)):
        column = best_column(search._replace(few=few), candidates)
        assert game.guesses[search.pool[column]] == expected
