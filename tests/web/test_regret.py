"""Regrets in JavaScript: the figures of the command, and best guesses that cost nothing."""

import random
from pathlib import Path

import pytest

from tests.strategy.play.test_regret import states_of
from tests.support.asked import Pair, World, answer, told
from tests.support.node import Engine


@pytest.mark.parametrize(
    ("name", "hard", "weighted"),
    [("original", False, False), ("nyt-2026", True, False), ("original", False, True)],
)
def test_regrets_as_the_command_has_them(
    engine: Engine, tmp_path: Path, name: str, hard: bool, weighted: bool
) -> None:
    """With next to no time their bounds lie around the exact figures."""
    world, dice = World.shipped(name), random.Random(name)
    weights = "\n".join(f"{word} {dice.choice((1, 9))}" for word in world.game.secrets)
    large = [] if hard else [((("slate", 0),), "crane")]
    for history, guess in large + states_of(world.game, 3 - len(large), dice, 100, hard):
        state = world.game.format_state(history)

        def asked(words: list[str], seconds: float, state: str = state) -> Pair:
            options = {"hard": hard, "timeLimit": seconds}
            pair = world.ask("regret", [state, words], [",".join(words), state], **options)
            return world.weighed(tmp_path, weights, pair) if weighted else pair

        words = [guess, *dice.sample(world.game.guesses, 2)]
        hasty, page = (answer(engine, asked(words, it)[0])["answer"] for it in (1e-9, 600))
        command = told(asked([*words, *page["best"]], 600)[1])["answer"]
        mine, every = page.pop("guesses"), command.pop("guesses")
        assert [*page] == [*command] and page.pop("best")[0] in command.pop("best")
        for key, value in command.items():
            assert page[key] == (pytest.approx(value) if key.startswith("least") else value)
        assert all(one == pytest.approx(other) for one, other in zip(mine, every, strict=False))
        assert all(each["regret_high"] == 0 for each in every[len(words) :])
        for exact, found in zip(mine, hasty["guesses"], strict=True):
            assert exact["exact"] == exact["legal"] == found["legal"]
            assert not (found["exact"] and (history, guess) in large)
            for what in ("regret", "expected") if exact["legal"] else ():
                low, high = found[f"{what}_low"], found[f"{what}_high"]
                assert low - 1e-9 <= exact[f"{what}_low"] <= high + 1e-9
