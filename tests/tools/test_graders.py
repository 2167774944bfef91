"""The reference graders of the benchmark say the same as the rule."""

import numpy as np
import pytest
from hypothesis import given

from solver.game.load import load_game
from solver.game.wordle import WordleGame
from tests.support.worlds import made_up_games
from tools.benches.graders import GRADERS, plain_rows


@pytest.mark.plain
@given(made_up_games(max_words=8, shortest=5, longest=5))
def test_graders_agree_on_repeated_letters(game: WordleGame) -> None:
    known = [[game.grade(g, s) for s in game.secrets] for g in game.guesses]
    for name, grader in GRADERS.items():
        scores = np.zeros((len(game.guesses), len(game.secrets)), dtype=np.uint8)
        grader(game.letters, game.letters[game.secret_ids], scores)
        assert scores.tolist() == known, name


@pytest.mark.parametrize("name", GRADERS)
def test_graders_agree_on_real_words(name: str) -> None:
    game = load_game("nyt-2022", "answers")
    assert isinstance(game, WordleGame)
    some = np.arange(0, len(game.guesses), 100, dtype=np.int32)
    scores = np.zeros((len(some), len(game.secrets)), dtype=np.uint8)
    GRADERS[name](game.letters[some], game.letters[game.secret_ids], scores)
    assert (scores == game.score_rows()[some]).all()


def test_the_plain_part_is_the_rule() -> None:
    game = load_game("nyt-2022", "answers")
    assert isinstance(game, WordleGame)
    step = len(game.guesses) // 3
    assert plain_rows(game, 3) == game.score_rows()[::step][:3].tolist()
