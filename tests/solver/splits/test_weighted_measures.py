"""Weighted measures against plain Python: on words made up and on real ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.suggest import advise
from solver.choices import MEASURES
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.splits.ranking import rank_guesses
from solver.splits.split_of_word import split_by_score
from tests.support import naive_weights
from tests.support.worlds import game_of, made_up_games, real_games

SMALLER_IS_BETTER = {"remaining": "remaining_bits", "expected-size": "expected_size"}


def some_weights(draw: st.DrawFn, count: int) -> np.ndarray:
    """Weights of many sizes, often the same ones."""
    kind = st.sampled_from([1.0, 1.0, 2.0, 0.25, 1e-9, 1e6]) | st.floats(0.01, 100.0)
    return np.array(draw(st.lists(kind, min_size=count, max_size=count)))


@pytest.mark.plain
@settings(max_examples=25)
@given(made_up_games(max_words=12), st.data())
def test_measures_and_order_by_plain_python(game: WordleGame, data: st.DataObject) -> None:
    weights = some_weights(data.draw, len(game.secrets))
    by_word = dict(zip(game.secrets, weights.tolist(), strict=True))
    for by in MEASURES:
        rows = list(rank_guesses(game, by, weights=weights).records())
        keys = []
        for row in rows:
            expected = naive_weights.measures(row["word"], by_word)
            for name, value in expected.items():
                assert row[name] == pytest.approx(float(value), abs=1e-8), (name, row)
            sign = 1 if by in (*SMALLER_IS_BETTER, "minimax") else -1
            name = {**SMALLER_IS_BETTER, "minimax": "largest"}.get(by, by)
            keys.append(sign * float(row[name]))
        assert keys == pytest.approx(sorted(keys), abs=1e-8)


@settings(max_examples=10)
@given(real_games(most=100))
def test_equal_weights_change_nothing(game: WordleGame) -> None:
    same = np.full(len(game.secrets), 0.7)
    for by in MEASURES:
        plain = {row["word"]: row for row in rank_guesses(game, by).records()}
        for row in rank_guesses(game, by, weights=same).records():
            for name, value in row.items():
                assert value == pytest.approx(plain[row["word"]][name], abs=1e-8)


@given(made_up_games(max_words=12), st.data())
def test_buckets_have_the_chances_of_their_secrets(game: WordleGame, data: st.DataObject) -> None:
    weights = some_weights(data.draw, len(game.secrets))
    likely = naive_weights.chances(dict(zip(game.secrets, weights.tolist(), strict=True)))
    for word in game.guesses:
        split = split_by_score(game, word, weights)
        for bucket in split.buckets:
            exact = sum(likely[secret] for secret in bucket.secrets)
            assert bucket.chance == pytest.approx(float(exact), rel=1e-12)
        expected = naive_weights.measures(word, {k: float(v) for k, v in likely.items()})
        assert split.entropy == pytest.approx(expected["entropy"], abs=1e-9)
        assert split.expected_size == pytest.approx(float(expected["expected_size"]))


def test_huge_and_tiny_weights() -> None:
    game = game_of(["crane", "slate", "abide", "fuzzy"])
    weights = np.array([1.7e308, 1.7e308, 1.7e308, 1.7e308])
    (row, *_) = rank_guesses(game, weights=weights).records()
    assert row["entropy"] == pytest.approx(2.0)
    tiny = rank_guesses(game, weights=np.array([5e-324, 5e-324, 5e-324, 5e-324])).records()
    assert next(tiny)["entropy"] == pytest.approx(2.0)
    lopsided = rank_guesses(game, weights=np.array([1.0, 1e-320, 1.0, 1e-320]))
    assert all(np.isfinite(lopsided.rows["entropy"]))
    assert lopsided.rows["entropy"].max() == pytest.approx(1.0)


def test_of_two_secrets_the_likelier_is_guessed_first() -> None:
    game = game_of(["crane", "crate", "slate"])
    state = game.parse_state("slate bbgbg")
    assert len(advise(game_of(["crane", "slate"]), ()).secrets) == 2
    for weights, first in (([1.0, 2.0, 1.0], "crate"), ([2.0, 1.0, 1.0], "crane")):
        few = advise(game, (), weights=np.array(weights))
        assert next(few.table.records())["word"] in ("crane", "crate", "slate")
        pair = advise(game_of(["crane", "crate"]), (), weights=np.array(weights[:2]))
        assert next(pair.table.records())["word"] == first
    with pytest.raises(WrongInputError):
        advise(game, (*state, ("crane", 0)))


def test_no_measure() -> None:
    game = load_game(["crane", "slate"])
    with pytest.raises(WrongInputError, match="no measure named 'luck'"):
        rank_guesses(game, "luck", weights=np.ones(2))
