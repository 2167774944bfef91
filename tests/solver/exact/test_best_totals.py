"""The least totals of a state, and what a beam takes, by brute force and by other searches."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import hindsight, totals
from solver.advice.totals import ProvedTotals
from solver.exact.kernels.lemmas import UNLIMITED
from solver.exact.problem import Problem
from solver.exact.table_layout import score_table_of
from solver.exact.values import Beam, buckets_of, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import legal_after
from tests.support import naive, naive_exact
from tests.support.worlds import all_secrets, made_up_games

small_games = made_up_games(max_words=9, longest=5)


def brute_force(game: Game, hard: bool) -> dict[int, int]:
    """The totals of all guesses that tell something."""
    values = naive_exact.values_of_guesses(game.guesses, game.secrets, naive_exact.UNLIMITED, hard)
    return {
        guess: total
        for guess, (_, total) in enumerate(values.values())
        if len(naive.split(game.guesses[guess], game.secrets)) > 1
        or game.secrets == (game.guesses[guess],)
    }


@pytest.mark.plain
@settings(max_examples=20)
@given(small_games, st.booleans(), st.integers(1, 3))
def test_the_best_totals_are_those_of_brute_force(game: Game, hard: bool, top: int) -> None:
    truth, search = brute_force(game, hard), ProvedTotals(Problem(game, hard, None))
    last = sorted(truth.values())[:top][-1]
    best = search.best(top)
    assert best == {guess: total for guess, total in truth.items() if total <= last}
    for guess, total in truth.items():
        assert search.total(guess) == total


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("interval", [1, 2_000_000])
def test_whole_hard_buckets(hard: bool, interval: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupted or not, the search finds what that for the best first guess finds."""
    monkeypatch.setattr(totals, "_CHECK_INTERVAL", interval)
    game, dice = load_game("nyt-2023"), random.Random(1)
    for word, reply in (("slate", "bbbbb"), ("mamma", "bybbb"), ("fuzzy", "bybbb")):
        history = ((game.guess_id(word), game.parse_score(reply)),)
        left = hindsight_candidates(game, history)
        problem = Problem(game, hard, None, tuple(left.tolist()), history)
        legal = legal_after(game, history) if hard else np.arange(len(game.guesses))
        guess = int(dice.choice(legal.tolist()))
        searched = ProvedTotals(problem)
        best, yours = searched.best(hindsight.TOP), searched.total(guess)
        known, own = hindsight._searched_long(problem, guess, lambda: None)
        assert min(best.values()) == min(known.values()) and yours == own
        assert {g for g, total in best.items() if total == min(best.values())} == {
            g for g, total in known.items() if total == min(known.values())
        }
        assert len(best) >= hindsight.TOP


def hindsight_candidates(game: Game, history: tuple[tuple[int, int], ...]) -> np.ndarray:
    left = all_secrets(game)
    for guess, score in history:
        row = game.score_rows(np.array([guess], dtype=np.int32), left)[0]
        left = left[row == score]
    return left[:120]


@pytest.mark.plain
@settings(max_examples=20)
@given(small_games, st.booleans(), st.integers(1, 3), st.integers(0, 2**16))
def test_a_beam_takes_the_same_all_at_once(game: Game, hard: bool, width: int, seed: int) -> None:
    table = score_table_of(game, hard)
    state = state_of(all_secrets(game), UNLIMITED)
    column = seed % len(game.guesses)
    value = Beam(table, width).value_of_state(state)
    best = value.guess
    found = Beam(table, width).totals(state, column)
    own, beam = state.size, Beam(table, width)
    for bucket in buckets_of(table, state, column):
        own += beam.value_of_state(bucket).bound
    assert found == (value.bound, best, value.bound if column == best else own)
    assert Beam(table, width).totals(state) == (value.bound, best, value.bound)
