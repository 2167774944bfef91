"""Guesses that are one guess renamed, counted as by trying all renamings."""

import random

import numpy as np
import pytest

from solver.game.alike import count_alike
from solver.game.load import load_game
from tests.support.pegs import orbits


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:2x5", "mastermind:3x4:distinct"])
def test_as_many_are_alike_as_renamings_make(spec: str) -> None:
    game, dice, counted = load_game(spec=spec), random.Random(7), 0
    for number in range(6):
        secret, left = dice.choice(game.guesses), list(game.guesses)
        for _ in range(number % 3):
            guess = dice.choice(game.guesses)
            score = game.grade(guess, secret)
            left = [code for code in left if game.grade(guess, code) == score]
        candidates = np.array([game.guess_id(code) for code in left], dtype=np.int32)
        kept = game.worth_trying(candidates)
        found = count_alike(game, candidates, kept.tolist())
        truth = orbits(game, {*left})
        for guess, others in zip(kept.tolist(), found, strict=True):
            assert 0 <= others < len(truth[game.guesses[guess]])
        assert sum(found) + len(kept) == len(game.guesses), "each code is like one that is kept"
        counted += len(kept) < len(game.guesses)
    assert counted > 2


def test_words_are_like_no_others() -> None:
    game = load_game(["crane", "slate"])
    assert count_alike(game, np.arange(2, dtype=np.int32), [0, 1]) == [0, 0]
