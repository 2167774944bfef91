"""The adversary in JavaScript: the replies of the command's, guess by guess."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from solver.game.game import Game
from strategy.play.game import Adversary
from tests.support.asked import World, made_words
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


def test_the_replies_are_those_of_python(engine: Engine, tmp_path: Path) -> None:
    dice = random.Random(4)
    lists = ("original", "nyt-2023")
    worlds = [World.shipped(name, part) for name in lists for part in ("answers", "allowed")]
    for length, count in ((2, 9), (4, 60), (6, 60), (5, 1)):
        letters = "abcd" if count > 1 else "abcdefg"
        worlds.append(World.of(tmp_path, made_words(length, count, letters)))
    for world in worlds:
        for number in (0, 1, 3, 6):
            guesses = [dice.choice(world.game.guesses) for _ in range(number)]
            guesses += [dice.choice(Adversary(world.game).possible(0))] * (number == 6)
            found = engine.ask("adversary", guesses, game=world.which)
            assert found == against(world.game, guesses), (world.line, guesses)
