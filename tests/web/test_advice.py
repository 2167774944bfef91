"""Advice in JavaScript: the same JSON as the commands, to the last digit."""

from __future__ import annotations

import contextlib
import io
import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from solver.choices import GUESS_POOLS, MEASURES
from solver.game.game import Game
from solver.game.load import load_game
from strategy.cli import main
from tests.support.node import Engine, JavaScriptError

#: Of the memory of kernels, for all that a page shows of words.
MOST_BYTES = 200_000_000

#: The options of a game, a method of it, and its arguments; without a game, of the engine.
Question = tuple[dict[str, Any] | None, str, list[Any]]


def answer(engine: Engine, question: Question) -> dict[str, Any]:
    """What the engine answers, or what it refuses."""
    game, method, args = question
    try:
        return {"answer": engine.ask(method, *args, game=game)}
    except JavaScriptError as error:
        return {"error": str(error), "code": error.code}


def told(args: list[str], answers: Sequence[int] = (0,)) -> dict[str, Any]:
    """What the command answers, as the engine would: with these exit codes; else it refuses."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([*args, "--json", "-"])
    if code in answers:
        return {"answer": json.loads(out.getvalue())}
    message = err.getvalue().splitlines()[-1]  # what is compiled or remarked on stands before it
    return {"error": message.removeprefix(f"knuthle {args[0]}: "), "code": code}


def flags(options: dict[str, Any]) -> Iterator[str]:
    """The options of a method as those of the command."""
    for name, value in options.items():
        flag = "--guess-from" if name == "guessFrom" else f"--{name}"
        if value is not False:
            yield flag
        if not isinstance(value, bool):
            yield "none" if value is None else str(value)


def compare(engine: Engine, pairs: list[tuple[Question, list[str]]]) -> None:
    """Compare text with text, so that the order of keys counts; and the memory in the end."""
    for question, args in pairs:
        found = answer(engine, question)
        assert json.dumps(as_numbers(found)) == json.dumps(as_numbers(told(args))), args
    assert engine.ask("memory") < MOST_BYTES


def as_numbers(value: Any) -> Any:
    """JavaScript has one kind of numbers: 2.0 is 2."""
    if isinstance(value, dict):
        return {name: as_numbers(part) for name, part in value.items()}
    if isinstance(value, list):
        return [as_numbers(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def clues(game: Game, dice: random.Random, number: int, hard: bool) -> str:
    """Clues of a game in which a secret was hidden; in hard mode the secret stays in sight."""
    secret, steps = dice.choice(game.secrets), list[str]()
    for _ in range(number):
        words = game.secrets if dice.random() < 0.6 else game.guesses
        word = dice.choice(words if not (hard and steps) else (secret,))
        steps += [word, game.format_score(game.grade(word, secret))]
    if steps and dice.random() < 0.05:
        steps[-1] = game.format_score(game.n_scores // 2)
    return " ".join(steps)


def positions(
    count: int, seed: int, clues_in_it: Sequence[int] = (0, 1, 1, 1, 2, 2, 3, 4)
) -> list[tuple[Question, list[str]]]:
    """Questions of all kinds, after so many clues."""
    dice = random.Random(seed)
    found = []
    for _ in range(count):
        name = dice.choice(["original", "nyt-2022", "nyt-2023", "nyt-2023"])
        secrets = dice.choice(["answers", "answers", "allowed"])
        options: dict[str, Any] = {}
        for option, values in (
            ("by", MEASURES), ("guessFrom", GUESS_POOLS), ("within", (None, 2, 3, 5)),
            ("common", (True,)), ("hard", (True,)), ("top", (0, 1, 3, 25)),
        ):  # fmt: skip
            if dice.random() < 0.2:
                options[option] = dice.choice(values)
        game = load_game(name, secrets=secrets)
        number = dice.choice(clues_in_it)
        text = clues(game, dice, number, bool(options.get("hard")))
        args = ["suggest", *text.split(), "--list", name, "--secrets", secrets, *flags(options)]
        found.append((({"list": name, "secrets": secrets}, "suggest", [text, options]), args))
    return found


@pytest.mark.parametrize("count", [
    32, pytest.param(72, marks=pytest.mark.slow), pytest.param(500, marks=pytest.mark.long),
])  # fmt: skip
def test_suggest_answers_as_the_command_does(engine: Engine, count: int) -> None:
    """In the larger ones most of them after clues, where candidates are searched."""
    clues_in_it = () if count == 32 else ((1, 1, 2, 2, 2, 3, 3, 4) * 5 + (0,),)
    compare(engine, positions(count, count, *clues_in_it))


def test_openers_and_buckets(engine: Engine) -> None:
    pairs: list[tuple[Question, list[str]]] = []
    for name, secrets, by in (
        ("nyt-2023", "answers", "entropy"),
        ("original", "allowed", "minimax"),
    ):
        options = {"by": by, "top": 5, "bottom": 2}
        here = ["--list", name, "--secrets", secrets]
        which = {"list": name, "secrets": secrets}
        pairs.append(((which, "openers", [options]), ["openers", *here, *flags(options)]))
        named: Question = (which, "openers", [{"words": ["crane", "slate"]}])
        pairs.append((named, ["openers", "crane", "slate", *here]))
        pairs.append(((which, "buckets", ["crane"]), ["buckets", "crane", *here]))
        both = ["crane", "salet"]
        pairs.append(((which, "buckets", [both]), ["buckets", *both, *here]))
    compare(engine, pairs)


@pytest.mark.parametrize(
    ("board", "spec"),
    [
        ({"holes": 4, "colours": 6}, "mastermind:4x6"),
        ({"holes": 3, "colours": 5, "distinct": True}, "mastermind:3x5:distinct"),
        pytest.param({"holes": 5, "colours": 8}, "mastermind:5x8", marks=pytest.mark.slow),
    ],
)
def test_mastermind(engine: Engine, board: dict[str, Any], spec: str) -> None:
    dice, game = random.Random(3), load_game(spec=spec)
    pairs: list[tuple[Question, list[str]]] = []
    for number in (0, 1, 1, 2, 2, 3, 3):
        text = clues(game, dice, number, hard=False)
        which = {"kind": "mastermind", **board}
        pairs.append(((which, "suggest", [text, {}]), ["suggest", *text.split(), "--game", spec]))
    compare(engine, pairs)


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
