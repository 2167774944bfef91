"""Regrets in JavaScript: the figures of the command, and best guesses that cost nothing."""

import random
from typing import Any

import pytest

from solver.game.game import Game
from solver.game.load import load_game
from tests.support.asked import clues, told
from tests.support.node import Engine, JavaScriptError

#: Few enough that both search them to the end.
FEW = range(3, 101)


def state_of(game: Game, dice: random.Random, hard: bool) -> str:
    """Clues that leave few secrets; in hard mode of one guess."""
    while True:
        text = clues(game, dice, 1 if hard else dice.choice((1, 2)), hard)
        history = [(game.guess_id(word), score) for word, score in game.parse_state(text)]
        if all(score != game.solved for _, score in history):
            fits = (
                all(game.grade(game.guesses[w], it) == s for w, s in history) for it in game.secrets
            )
            if sum(fits) in FEW:
                return text


@pytest.mark.parametrize(("name", "hard"), [("original", False), ("nyt-2026", True)])
def test_regrets_as_the_command_has_them(engine: Engine, name: str, hard: bool) -> None:
    game, dice = load_game(name), random.Random(name)
    for _ in range(3):
        state = state_of(game, dice, hard)
        words = [*dice.sample(game.guesses, 2), dice.choice(game.secrets)]
        options, which = {"timeLimit": 600, "hard": hard}, {"list": name, "secrets": "answers"}
        page = engine.ask("regret", state, words, options, game=which)
        args = [",".join([*words, *page["best"]]), *state.split(), "--list", name]
        command = told(["regret", *args, "--time-limit", "none", *["--hard"] * hard])["answer"]
        every = command["guesses"]
        for mine, theirs in zip(page["guesses"], every, strict=False):
            assert mine == pytest.approx(theirs)
        assert all(each["regret_high"] == 0 for each in every[len(words) :])
        assert list(page) == list(command)
        for key in ("state", "remaining", "hard", "recorded"):
            assert page[key] == command[key]
        least = [page["least_low"], page["least_high"]]
        assert least == pytest.approx([command["least_low"], command["least_high"]])


@pytest.mark.parametrize("weighted", [False, True])
def test_bounds_hold_what_is_exact(engine: Engine, weighted: bool) -> None:
    """With next to no time the figures lie around the exact ones."""
    game, dice = load_game("original"), random.Random(3)
    which, state = {"list": "original", "secrets": "answers"}, "slate bbbbb"
    options: dict[str, Any] = {}
    if weighted:
        options = {"weights": {word: dice.choice((1, 9)) for word in game.secrets}}
    words = dice.sample(game.guesses, 3)
    exact = engine.ask("regret", state, words, options | {"timeLimit": 600}, game=which)
    quick = engine.ask("regret", state, words, options | {"timeLimit": 1e-9}, game=which)
    for known, found in zip(exact["guesses"], quick["guesses"], strict=True):
        assert known["exact"] and not found["exact"]
        for what in ("regret", "expected"):
            low, high = found[f"{what}_low"], found[f"{what}_high"]
            assert low - 1e-9 <= known[f"{what}_low"] <= high + 1e-9


def test_what_is_refused(engine: Engine) -> None:
    which = {"list": "original", "secrets": "answers"}
    for args, why in (
        (["crane ggggg", "slate", {}], "the game is over"),
        (["crane bybbb sloth bbbbb", "slate", {"hard": True}], "hard mode forbids"),
        (["crane bybbb", "slate", {"timeLimit": 0}], "above 0"),
        (["crane bybbb", "slate", {"top": 3}], "top"),
        (["crane bybbb", "qqqqq", {}], "qqqqq"),
    ):
        with pytest.raises(JavaScriptError, match=why):
            engine.ask("regret", *args, game=which)
