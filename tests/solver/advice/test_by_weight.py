"""States whose secrets have weights: against brute force, and against the search of few secrets."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice import suggest
from solver.advice.hindsight import Hindsight
from solver.advice.totals import ProvedTotals
from solver.errors import CouldNotFinishError
from solver.exact.kernels.lemmas import NEVER
from solver.exact.problem import Problem, SearchContext
from solver.game.wordle import legal_after
from tests.support.worlds import alike, all_secrets, some_world


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**9))
def test_as_the_engine_that_searches_guess_after_guess(seed: int) -> None:
    dice = random.Random(seed)
    game = some_world(dice, 3, 40)
    whole = tuple(dice.choice([1, 1, 2, 9, 50]) for _ in game.secrets)
    context = SearchContext(Problem(game, within=None, weights=whole))
    theirs = {guess: context.value(at, NEVER).bound for guess, at in context.column_of.items()}
    ours = ProvedTotals(Problem(game, within=None), np.array(whole, dtype=np.float64))
    some = sorted(theirs.values())[:3]
    best = {guess: round(value * sum(whole)) for guess, value in ours.best(3).items()}
    assert best == {guess: value for guess, value in theirs.items() if value <= some[-1]}
    for guess in dice.sample(sorted(theirs), min(3, len(theirs))):
        assert round(ours.total(guess) * sum(whole)) == theirs[guess]


def test_effort_and_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that takes long is given up: a forecast is none then, hindsight is a bound."""
    game = alike(5, 400, 150)
    weights = np.arange(1.0, 151.0)
    with pytest.raises(CouldNotFinishError):
        ProvedTotals(Problem(game, within=None), weights, effort=0).best()
    monkeypatch.setattr(suggest, "_WEIGHTED_EFFORT", 0)
    advice = suggest.suggest(game, (), weights=weights)
    assert suggest.weighted_forecast(game, (), advice, [], weights) is None
    monkeypatch.undo()
    known = suggest.weighted_forecast(game, (), advice, list(game.guesses[:3]), weights)
    assert known is not None and known.weighted and known.within is None
    state = ProvedTotals(Problem(game, within=None), weights)
    assert known.mean == pytest.approx(min(state.best().values()))
    for word, total in known.totals.items():
        assert total == pytest.approx(state.total(game.guess_id(word)) * 150)
    bound = Hindsight(game, weights=weights, time_limit=0.0).look(all_secrets(game))
    assert not bound.exact and known.mean is not None and bound.least >= known.mean - 1e-9


def test_legal_guesses_alone_in_hard_mode() -> None:
    game = alike(9, 200, 80)
    secret, guess = 3, 17
    score = int(game.score_rows(np.array([guess], dtype=np.int32))[0, secret])
    row = game.score_rows(np.array([guess], dtype=np.int32))[0]
    left = np.flatnonzero(row == score).astype(np.int32)
    steps = [(guess, score)]
    weights = np.arange(1.0, 81.0)[left]
    state = ProvedTotals(Problem(game, True, None, tuple(left.tolist()), tuple(steps)), weights)
    assert set(state.best(5)) <= set(legal_after(game, steps).tolist())
