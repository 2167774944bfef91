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
from tests.support.worlds import all_secrets, made_up_games


@pytest.mark.plain
@settings(max_examples=20 if PLAIN else 100)
@given(made_up_games(max_words=12))
def test_all_of_the_matrix_and_parts_are_the_rule(game: WordleGame) -> None:
    scores, everything = game.score_rows(), all_secrets(game)
    truth = [[naive.grade(guess, secret) for secret in game.secrets] for guess in game.guesses]
    assert scores.dtype == game.score_dtype and scores.tolist() == truth
    assert scores.ctypes.data % LINE == 0 and scores.strides[0] % LINE == 0
    assert (game.row_source()(everything) == scores.T).all()
    assert (score_matrix.transposed(scores) == scores.T).all()
    some = np.arange(len(game.guesses), dtype=np.int32)[::-2]
    assert (game.score_rows(some, everything[::2]) == scores[some][:, ::2]).all()
    assert (game.score_rows(some[:0]).shape) == (0, len(game.secrets))
    assert (game.row_source(some)(everything) == scores[some].T).all()


@given(made_up_games())
def test_rows_at_need_are_those_of_the_matrix(game: WordleGame) -> None:
    everything = all_secrets(game)
    for pool in (None, game.secret_ids):
        source, whole = game.row_source(pool), game.score_rows(pool).T
        for asked in (everything[:0], everything[::2], everything[::-1]):
            assert (source(asked) == whole[asked]).all()
    with patch.multiple(score_matrix, COLUMNS_LIMIT=0):
        source, whole = game.row_source(), game.score_rows().T
        for step in (1, 2, -1):
            assert (source(everything[::step]) == whole[::step]).all()


def test_long_rows_are_made_in_strips() -> None:
    """One guess has few columns, so that its row is made at once; that of all guesses is not."""
    game = load_game(secrets="allowed")
    whole, dice = game.score_rows(), np.random.default_rng(7)
    for guess in range(0, len(game.guesses), 1_000):
        [row] = game.score_rows(np.array([guess], dtype=np.int32))
        assert (row == whole[guess]).all()
    for guess, secret in dice.integers(0, len(game.guesses), (4_000, 2)).tolist():
        assert whole[guess, secret] == naive.grade(game.guesses[guess], game.guesses[secret])
