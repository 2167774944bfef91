"""The adversary in JavaScript: the replies of the command's, guess by guess."""

from __future__ import annotations

import random
from typing import Any

from solver.game.game import Game
from solver.game.load import load_game
from strategy.play.game import Adversary
from tests.support.asked import made_words
from tests.support.node import Engine


def against(game: Game, guesses: list[str]) -> dict[str, Any]:
    """What the adversary of Python replies, and what it leaves."""
    host, state = Adversary(game), []
    for word in guesses:
        if state and state[-1][1] == game.format_score(game.solved):
            break
        state.append([word, game.format_score(host.answer(0, word))])
    left = list(host.possible(0))
    return {"state": state, "remaining": len(left), "secrets": left}


def test_the_replies_are_those_of_python(engine: Engine) -> None:
    dice = random.Random(4)
    worlds: list[tuple[dict[str, Any], Game]] = [
        ({"list": name, "secrets": part}, load_game(name, part))
        for name in ("original", "nyt-2023")
        for part in ("answers", "allowed")
    ]
    for length, count in ((2, 9), (4, 60), (6, 60), (5, 1)):
        words = made_words(length, count, "abcd" if count > 1 else "abcdefg")
        worlds.append(({"guesses": words, "name": "own"}, load_game(words)))
    for which, game in worlds:
        for number in (0, 1, 3, 6):
            guesses = [dice.choice(game.guesses) for _ in range(number)]
            guesses += [dice.choice(Adversary(game).possible(0))] * (number == 6)
            found = engine.ask("adversary", guesses, game=which)
            assert found == against(game, guesses), (which, guesses)
