"""Regrets in JavaScript: the figures of the command, and best guesses that cost nothing."""

import random
from typing import Any

import pytest

from solver.game.load import load_game
from tests.strategy.play.test_regret import states_of
from tests.support.asked import told
from tests.support.node import Engine, JavaScriptError


@pytest.mark.parametrize(("name", "hard"), [("original", False), ("nyt-2026", True)])
def test_regrets_as_the_command_has_them(engine: Engine, name: str, hard: bool) -> None:
    game, dice = load_game(name), random.Random(name)
    for history, guess in states_of(game, 3, dice, 100, hard):
        state, words = game.format_state(history), [guess, *dice.sample(game.guesses, 2)]
        options, which = {"timeLimit": 600, "hard": hard}, {"list": name, "secrets": "answers"}
        page = engine.ask("regret", state, words, options, game=which)
        args = [",".join([*words, *page["best"]]), state, "--list", name, *["--hard"] * hard]
        command = told(["regret", *args, "--time-limit", "none"])["answer"]
        mine, every = page.pop("guesses"), command.pop("guesses")
        assert [*page] == [*command] and page.pop("best")[0] in command.pop("best")
        for key, value in command.items():
            assert page[key] == (pytest.approx(value) if key.startswith("least") else value)
        assert all(one == pytest.approx(other) for one, other in zip(mine, every, strict=False))
        assert all(each["regret_high"] == 0 for each in every[len(words) :])


@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_hold_what_is_exact(engine: Engine, weighted: bool) -> None:
    """With next to no time the figures lie around the exact ones."""
    game, dice = load_game("original"), random.Random(3)
    weights = {word: dice.choice((1, 9)) for word in game.secrets}
    options: dict[str, Any] = {"weights": weights} if weighted else {}
    words = dice.sample(game.guesses, 3)
    exact, quick = (
        engine.ask(
            "regret", "slate bbbbb", words, options | {"timeLimit": seconds},
            game={"list": "original", "secrets": "answers"},
        )["guesses"]
        for seconds in (600, 1e-9)
    )  # fmt: skip
    for known, found in zip(exact, quick, strict=True):
        assert known["exact"] and not found["exact"]
        for what in ("regret", "expected"):
            low, high = found[f"{what}_low"], found[f"{what}_high"]
            assert low - 1e-9 <= known[f"{what}_low"] <= high + 1e-9


@pytest.mark.parametrize(("state", "word", "options", "why"), [
    ("crane ggggg", "slate", {}, "the game is over"),
    ("crane bybbb sloth bbbbb", "slate", {"hard": True}, "hard mode forbids"),
    ("crane bybbb", "slate", {"timeLimit": 0}, "above 0"),
    ("crane bybbb", "slate", {"top": 3}, "top"),
    ("crane bybbb", "qqqqq", {}, "qqqqq"),
])  # fmt: skip
def test_what_is_refused(
    engine: Engine, state: str, word: str, options: dict[str, Any], why: str
) -> None:
    with pytest.raises(JavaScriptError, match=why):
        engine.ask("regret", state, word, options, game={"list": "original", "secrets": "answers"})
