"""Guesses that are one guess renamed, counted as by trying all renamings."""

import random
from itertools import permutations

import numpy as np
import pytest

from solver.game.alike import count_alike
from solver.game.game import Game
from solver.game.load import load_game


def orbits(game: Game, candidates: set[str]) -> dict[str, set[str]]:
    """Each code with all that renamings make of it which leave the candidates as they are.

    A colour that no candidate has may stand for any other such colour.
    """
    symbols = sorted({*"".join(game.guesses)})
    maps = []
    for colours in permutations(symbols):
        paint = dict(zip(symbols, colours, strict=True))
        for order in permutations(range(game.length)):
            turned = {"".join(paint[code[hole]] for hole in order) for code in candidates}
            if turned == candidates:
                maps.append((paint, order))
    absent = [symbol for symbol in symbols if all(symbol not in code for code in candidates)]
    alike = {}
    for code in game.guesses:
        found, waiting = {code}, [code]
        while waiting:
            here = waiting.pop()
            near = {"".join(paint[here[hole]] for hole in order) for paint, order in maps}
            for at, sign in enumerate(here):
                near |= {here[:at] + x + here[at + 1 :] for x in absent if sign in absent}
            new = (near & {*game.guesses}) - found
            found |= new
            waiting += new
        alike[code] = found
    return alike


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
