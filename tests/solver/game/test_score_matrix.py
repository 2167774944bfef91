"""The score matrix against the rule, word by word."""

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings

from solver.game import score_matrix
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.arrays import LINE
from tests.support import PLAIN, naive
from tests.support.worlds import all_secrets, game_of, made_up_games


def expected(game: WordleGame) -> np.ndarray:
    return np.array([[naive.grade(g, s) for s in game.secrets] for g in game.guesses])


@pytest.mark.plain
@settings(max_examples=20 if PLAIN else 40)
@given(made_up_games(max_words=12))
def test_every_orientation_is_the_rule(game: WordleGame) -> None:
    scores = game.score_rows()
    assert scores.dtype == game.score_dtype and (scores == expected(game)).all()
    assert (game.row_source()(all_secrets(game)) == scores.T).all()
    assert (score_matrix.transposed(scores) == scores.T).all()


@given(made_up_games(max_words=12))
def test_parts_of_the_matrix(game: WordleGame) -> None:
    some_guesses = np.arange(len(game.guesses), dtype=np.int32)[::-2]
    some_secrets = all_secrets(game)[::2]
    scores = game.score_rows()
    assert (game.score_rows(some_guesses, some_secrets) == scores[some_guesses][:, ::2]).all()
    assert (game.score_rows(some_guesses[:0]).shape) == (0, len(game.secrets))
    assert (game.row_source(some_guesses)(all_secrets(game)) == scores[some_guesses].T).all()


@given(made_up_games())
def test_rows_at_need_are_those_of_the_matrix(game: WordleGame) -> None:
    for pool in (None, game.secret_ids):
        source, whole = game.row_source(pool), game.score_rows(pool).T
        everything = all_secrets(game)
        for asked in (everything[:0], everything[::2], everything[::-1]):
            assert (source(asked) == whole[asked]).all()
    with patch.multiple(score_matrix, COLUMNS_LIMIT=0):
        source = game.row_source()
        rows = [source(everything[::step]).copy() for step in (1, 2, -1)]
    scores = game.score_rows()
    for step, some in zip((1, 2, -1), rows, strict=True):
        assert (some == scores.T[::step]).all()


def test_long_rows_are_made_in_strips() -> None:
    """One guess has few columns, so that its row is made at once; that of all guesses is not."""
    game = load_game(secrets="allowed")
    some = np.arange(0, len(game.guesses), 1_000, dtype=np.int32)
    whole = game.score_rows()
    for guess in some:
        [row] = game.score_rows(some[:1] * 0 + guess)
        assert (row == whole[guess]).all()


def test_rows_are_aligned() -> None:
    game = game_of(["abcde", "edcba", "aabbc"])
    scores = game.score_rows()
    assert scores.ctypes.data % LINE == 0 and scores.strides[0] % LINE == 0


def test_rows_of_real_words() -> None:
    game = load_game("original", "allowed")
    pick = np.random.default_rng(7).integers(0, len(game.guesses), (200, 2)).astype(np.int32)
    scores = game.score_rows(pick[:, 0], pick[:, 1])
    for at, guess in enumerate(pick[:, 0]):
        for to, secret in enumerate(pick[:20, 1]):
            assert scores[at, to] == naive.grade(game.guesses[guess], game.secrets[secret])
