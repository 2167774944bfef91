"""The letter tree against counting row by row, its states against the scores of letters."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from solver.game.load import load_game
from solver.game.score_matrix import letter_shares
from solver.game.wordle import WordleGame
from solver.splits.letter_answers import marks
from solver.splits.letter_tree import tree_measures, tree_pays
from solver.splits.measures import Measures, split_measures
from solver.splits.ranking import measures_of
from tests.support.worlds import made_up_games, real_games


@pytest.fixture(scope="module")
def original() -> WordleGame:
    game = load_game()
    assert isinstance(game, WordleGame)
    return game


@pytest.mark.plain
@settings(max_examples=15)
@given(made_up_games(max_words=12))
def test_the_letter_tree_measures_as_rows_do(game: WordleGame) -> None:
    if game.length <= 5:
        tree = tree_measures(game.letters, game.letters[game.secret_ids])
        _same_measures(tree, split_measures(game.score_rows(), game.n_scores))


@settings(max_examples=10)
@given(real_games(300, 600))
def test_the_letter_tree_on_real_words(game: WordleGame) -> None:
    tree = tree_measures(game.letters, game.letters[game.secret_ids])
    _same_measures(tree, split_measures(game.score_rows(), game.n_scores))


def test_openers_are_measured_by_the_letter_tree(original: WordleGame) -> None:
    assert tree_pays(5, len(original.guesses), len(original.secrets))
    every = np.arange(len(original.guesses), dtype=np.int32)
    rows = split_measures(original.score_rows(), original.n_scores)
    _same_measures(measures_of(original, every), rows)


@pytest.mark.plain
def test_states_are_what_a_score_says_about_a_letter() -> None:
    """Equal marks if and only if equal answers, and as many states as there are marks."""
    shares, known = letter_shares(5, np.uint8), marks(5)
    for places in range(1, 32):
        copies = places.bit_count()
        told: dict[int, set[tuple[bool, ...]]] = {}
        for own in range(32):
            answers = tuple(
                bool(own >> question & 1) if question < 5 else own.bit_count() > question - 5
                for question in known.asked[places, : 2 * copies].tolist()
            )
            told.setdefault(int(shares[places, own]), set()).add(answers)
        assert all(len(answers) == 1 for answers in told.values())
        states = {tuple(state == 0) for state in known.opposite[copies, :, : 2 * copies]}
        assert {answer for answers in told.values() for answer in answers} <= states
        assert len(told) == len(set.union(*told.values()))


def _same_measures(one: Measures, other: Measures) -> None:
    assert one.candidates == other.candidates
    for mine, theirs in zip(one[1:], other[1:], strict=True):
        assert (mine == theirs).all()
