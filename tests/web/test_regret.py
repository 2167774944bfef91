"""Regrets in JavaScript: the figures of the command, and best guesses that cost nothing."""

import random

import pytest

from tests.strategy.play.test_regret import states_of
from tests.support.asked import World, answer, told
from tests.support.node import Engine


@pytest.mark.parametrize(("name", "hard"), [("original", False), ("nyt-2026", True)])
def test_regrets_as_the_command_has_them(engine: Engine, name: str, hard: bool) -> None:
    world, dice = World.shipped(name), random.Random(name)
    for history, guess in states_of(world.game, 3, dice, 100, hard):
        state, words = (
            world.game.format_state(history),
            [guess, *dice.sample(world.game.guesses, 2)],
        )
        options = {"timeLimit": 600, "hard": hard}
        page = answer(engine, (world.which, "regret", [state, words, options]))["answer"]
        args = ["regret", ",".join([*words, *page["best"]]), state, *world.line, *["--hard"] * hard]
        command = told([*args, "--time-limit", "none"])["answer"]
        mine, every = page.pop("guesses"), command.pop("guesses")
        assert [*page] == [*command] and page.pop("best")[0] in command.pop("best")
        for key, value in command.items():
            assert page[key] == (pytest.approx(value) if key.startswith("least") else value)
        assert all(one == pytest.approx(other) for one, other in zip(mine, every, strict=False))
        assert all(each["regret_high"] == 0 for each in every[len(words) :])


@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_hold_what_is_exact(engine: Engine, weighted: bool) -> None:
    """With next to no time the figures lie around the exact ones."""
    world, dice = World.shipped("original"), random.Random(3)
    weights = {word: dice.choice((1, 9)) for word in world.game.secrets}
    options = {"weights": weights} if weighted else {}
    asked = ["slate bbbbb", dice.sample(world.game.guesses, 3)]
    exact, quick = (
        answer(engine, (world.which, "regret", [*asked, options | {"timeLimit": seconds}]))[
            "answer"
        ]
        for seconds in (600, 1e-9)
    )
    for known, found in zip(exact["guesses"], quick["guesses"], strict=True):
        assert known["exact"] and not found["exact"]
        for what in ("regret", "expected"):
            low, high = found[f"{what}_low"], found[f"{what}_high"]
            assert low - 1e-9 <= known[f"{what}_low"] <= high + 1e-9
