"""Advice and the adversary in JavaScript: the same JSON as the commands, to the last digit."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from solver.choices import GUESS_POOLS, MEASURES
from solver.game.game import Game
from strategy.play.game import Adversary
from tests.support.asked import (
    MOST_BYTES,
    Pair,
    Question,
    World,
    answer,
    clues,
    compare,
    made_words,
)
from tests.support.node import Engine


def positions(
    count: int, seed: int, clues_in_it: Sequence[int] = (0, 1, 1, 1, 2, 2, 3, 4)
) -> list[Pair]:
    """Questions of all kinds, after so many clues."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        name = dice.choice(["original", "nyt-2022", "nyt-2023", "nyt-2023"])
        world = World.shipped(name, dice.choice(["answers", "answers", "allowed"]))
        options: dict[str, Any] = {}
        for option, values in (
            ("by", MEASURES), ("guessFrom", GUESS_POOLS), ("within", (None, 2, 3, 5)),
            ("common", (True,)), ("hard", (True,)), ("top", (0, 1, 3, 25)),
        ):  # fmt: skip
            if dice.random() < 0.2:
                options[option] = dice.choice(values)
        number = dice.choice(clues_in_it)
        text = clues(world.game, dice, number, bool(options.get("hard")))
        found.append(world.suggest(text, **options))
    return found


@pytest.mark.parametrize("count", [
    32, pytest.param(72, marks=pytest.mark.slow), pytest.param(500, marks=pytest.mark.nightly(45)),
])  # fmt: skip
def test_suggest_answers_as_the_command_does(engine: Engine, count: int) -> None:
    """In the larger ones most of them after clues, where candidates are searched."""
    clues_in_it = () if count == 32 else ((1, 1, 2, 2, 2, 3, 3, 4) * 5 + (0,),)
    compare(engine, positions(count, count, *clues_in_it))


def test_openers_and_buckets(engine: Engine) -> None:
    pairs = []
    for world, by in (
        (World.shipped("nyt-2023"), "entropy"), (World.shipped("original", "allowed"), "minimax"),
    ):  # fmt: skip
        pairs += [world.openers(by=by, top=5, bottom=2), world.openers("crane", "slate")]
        pairs += [world.buckets("crane"), world.buckets("crane", "salet")]
    compare(engine, pairs)


@pytest.mark.parametrize("spec", [
    "mastermind:4x6", "mastermind:3x5:distinct",
    pytest.param("mastermind:5x8", marks=pytest.mark.slow),
])  # fmt: skip
def test_mastermind(engine: Engine, spec: str) -> None:
    dice, world = random.Random(3), World.codes(spec)
    texts = [clues(world.game, dice, number, hard=False) for number in (0, 1, 1, 2, 2, 3, 3)]
    compare(engine, [world.suggest(text) for text in texts])


def test_lists_of_all_kinds(engine: Engine) -> None:
    dice = random.Random(5)
    many = sorted({"".join(dice.choices("abcdefghij", k=6)) for _ in range(5_000)})
    greek = ["αβγδε", "βαγδε", "γαβδε", "δαβγε", "εαβγδ"]
    questions: list[Question] = [
        ({"guesses": many}, "suggest", ["", {"top": 3}]),
        ({"guesses": greek}, "suggest", ["αβγδε gyybb"]),
        ({"guesses": ["ab"]}, "suggest", [""]),
        ({"guesses": ["abcdefghijk", "bacdefghijk"]}, "suggest", [""]),
    ]
    answers = [answer(engine, question) for question in questions]
    assert engine.ask("memory") < MOST_BYTES
    assert all(("answer" in found) or found["code"] == 2 for found in answers)
    assert answers[0]["answer"]["suggestions"][0]["rank"] == 1
    assert answers[2]["answer"]["secrets"] == ["ab"]


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
