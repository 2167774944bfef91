"""Questions to the page's engine and to the commands: the same JSON must come back."""

import io
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Self
from unittest import mock

import pytest

from solver.game.game import Game
from solver.game.wordle import legal_after
from strategy import Settings, load_game, solve, weighted_game
from strategy.cli import main
from strategy.errors import NoStrategyError
from strategy.files import strategy_file

from .node import Engine, JavaScriptError

#: Of the memory of kernels, for all that a page shows: what a phone can give.
MOST_BYTES = 200_000_000

#: The options of a game, a method of it, and its arguments; without a game, of the engine.
Question = tuple[dict[str, Any] | None, str, list[Any]]
#: A question to the engine, and the command that asks the same.
Pair = tuple[Question, list[str]]


def answer(engine: Engine, question: Question) -> dict[str, Any]:
    """What the engine answers, or what it refuses."""
    game, method, args = question
    try:
        return {"answer": engine.ask(method, *args, game=game)}
    except JavaScriptError as error:
        return {"error": str(error), "code": error.code}


def told(args: list[str], answers: Sequence[int] = (0,)) -> dict[str, Any]:
    """What the command answers, as the engine would: with these exit codes; else it refuses."""
    out, err, nothing = io.StringIO(), io.StringIO(), mock.patch("sys.stdin", io.StringIO())
    with redirect_stdout(out), redirect_stderr(err), nothing:
        code = main([*args, "--json", "-"])
    if code in answers:
        return {"answer": json.loads(out.getvalue())}
    message = err.getvalue().splitlines()[-1]  # what is compiled or remarked on stands before it
    return {"error": message.removeprefix(f"knuthle {args[0]}: "), "code": code}


def flags(options: dict[str, Any]) -> Iterator[str]:
    """The options of a method as those of the command."""
    for name, value in options.items():
        flag = "--" + re.sub("[A-Z]", lambda found: f"-{found[0].lower()}", name)
        for one in value if isinstance(value, list) else [value]:
            if one is not False:
                yield flag
            if not isinstance(one, bool):
                yield "none" if one is None else str(one)


def same(found: Any, expected: Any) -> bool:
    """Whether answers are alike, text by text, so that the order of keys counts."""
    return json.dumps(as_numbers(found)) == json.dumps(as_numbers(expected))


def compare(engine: Engine, pairs: list[Pair]) -> None:
    """Compare the answers to each pair of questions; and the memory in the end."""
    for question, args in pairs:
        assert same(answer(engine, question), told(args)), args
    assert engine.ask("memory") < MOST_BYTES


def as_numbers(value: Any) -> Any:
    """JavaScript has one kind of numbers: 2.0 is 2."""
    if isinstance(value, dict):
        return {name: as_numbers(part) for name, part in value.items()}
    if isinstance(value, list):
        return [as_numbers(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


# ---- Games
def board_of(spec: str) -> dict[str, Any]:
    """A board of Mastermind as options of the engine."""
    found = re.fullmatch(r"mastermind:(\d+)x(\d+)(:distinct)?", spec)
    assert found
    board = {"kind": "mastermind", "holes": int(found[1]), "colours": int(found[2])}
    return board | ({"distinct": True} if found[3] else {})


def _file(folder: Path, name: str, text: str) -> Path:
    """A text in a file of its own."""
    path = folder / f"{name}{len(list(folder.iterdir()))}.txt"
    path.write_text(text, encoding="utf-8")
    return path


class World:
    """A game: the options that make it in the engine, and those of the commands."""

    def __init__(self, which: dict[str, Any], line: list[str], game: Game) -> None:
        self.which, self.line, self.game = which, line, game

    @classmethod
    def shipped(cls, name: str, secrets: str = "answers") -> Self:
        which, line = {"list": name, "secrets": secrets}, ["--list", name, "--secrets", secrets]
        return cls(which, line, load_game(name, secrets=secrets))

    @classmethod
    def codes(cls, spec: str) -> Self:
        return cls(board_of(spec), ["--game", spec], load_game(spec=spec))

    @classmethod
    def of(cls, folder: Path, words: Sequence[str], secrets: Sequence[str] | None = None) -> Self:
        """A list of words, some of them secrets, in files for the command."""
        path = _file(folder, "words", "\n".join(words))
        which, line = {"guesses": [*words], "name": path.stem}, ["--list", str(path)]
        if secrets is None:
            return cls(which, line, load_game(path))
        part = _file(folder, "secrets", "\n".join(secrets))
        which |= {"secrets": [*secrets], "secretsName": part.stem}
        return cls(which, [*line, "--secrets", str(part)], load_game(path, part))

    def ask(self, call: str, given: list[Any], words: Sequence[str], **options: Any) -> Pair:
        """What stands before the options, in the engine and of the command; then the options."""
        question = [*given, options] if options else given
        return (self.which, call, question), [call, *words, *self.line, *flags(options)]

    def weighed(self, folder: Path, weights: str, pair: Pair) -> Pair:
        """The same where secrets have weights; the options stand last."""
        (which, call, given), line = pair
        given = given if given and isinstance(given[-1], dict) else [*given, {}]
        question = [*given[:-1], given[-1] | {"weights": weights}]
        return (which, call, question), [*line, "--weights", str(_file(folder, "w", weights))]

    def suggest(self, text: str, **options: Any) -> Pair:
        return self.ask("suggest", [text], text.split(), **options)

    def openers(self, *words: str, **options: Any) -> Pair:
        (which, call, _), line = self.ask("openers", [], words, **options)
        return (which, call, [options | ({"words": words} if words else {})]), line

    def buckets(self, *words: str) -> Pair:
        return self.ask("buckets", [words[0] if len(words) == 1 else words], words)

    def review(self, given: Sequence[str], hard: bool = False) -> Pair:
        """Words with their scores, as long as it takes."""
        return self.ask("review", [" ".join(given), None], given, timeLimit=600, hard=hard)

    def played(self, dice: Random, most: int, hard: bool = False, secret: str = "") -> list[str]:
        """Words that somebody guesses, each with its score."""
        hidden = secret or dice.choice(self.game.secrets)
        return scored(self.game, played(self.game, dice, hidden, most, hard), hidden)


def solved_alike(
    engine: Engine,
    guesses: Any,
    start: str,
    hard: bool = False,
    guess_from: str = "allowed",
    secrets: Any = "answers",
    *,
    rule: str = "minimax",
    within: int | None = None,
    weights: dict[str, float] | None = None,
) -> bool:
    """Compare a strategy with Python's bytes, or its proof that there is none; whether there is."""
    is_board = isinstance(guesses, str) and ":" in guesses
    name = "list" if isinstance(guesses, str) else "guesses"
    which = board_of(guesses) if is_board else {name: guesses, "secrets": secrets}
    options = {
        "start": start, "rule": rule, "hard": hard, "guessFrom": guess_from,
        **({} if within is None else {"within": within}),
        **({} if weights is None else {"weights": weights}),
    }  # fmt: skip
    game = load_game(spec=guesses) if is_board else load_game(guesses, secrets)
    found = None if weights is None else weighted_game(game, weights)
    game, likely = (found.game, found.weights) if found else (game, None)
    settings = Settings(start=start, rule=rule, hard=hard, guess_from=guess_from)
    try:
        expected = solve(game, settings, within=within, weights=likely).strategy
    except NoStrategyError:
        words = "any first guess" if start == "auto" else ", ".join(start.upper().split(","))
        message = f"within {within or 6} is impossible from {words}"
        with pytest.raises(JavaScriptError, match=message) as refused:
            engine.ask("solve", options, game=which)
        assert refused.value.code == 1
        return False
    file = engine.ask("solve", options, game=which)
    assert file == strategy_file.to_bytes(expected)
    says = engine.ask("check", file)
    assert says["ok"] and not says["faults"], says
    return True


#: The strategies of least total.
best_alike = partial(solved_alike, rule="optimal")


# ---- What is asked about them
_LETTERS = "abcdefghilmnorst"


def made_words(length: int, count: int, letters: str = _LETTERS, seed: int = 1) -> list[str]:
    """Different words of random letters."""
    chance = Random(f"{length} {count} {letters} {seed}")
    found: set[str] = set()
    while len(found) < count:
        found.add("".join(chance.choices(letters, k=length)))
    return sorted(found)


def drawn(dice: Random, share: float, **values: Sequence[Any]) -> dict[str, Any]:
    """Some options, each with such a chance, and one of its values."""
    return {name: dice.choice(some) for name, some in values.items() if dice.random() < share}


def clues(game: Game, dice: Random, number: int, hard: bool) -> str:
    """Clues of a game in which a secret was hidden; in hard mode the secret stays in sight."""
    secret, steps = dice.choice(game.secrets), list[str]()
    for _ in range(number):
        words = game.secrets if dice.random() < 0.6 else game.guesses
        word = dice.choice(words if not (hard and steps) else (secret,))
        steps += [word, game.format_score(game.grade(word, secret))]
    if steps and dice.random() < 0.05:
        steps[-1] = game.format_score(game.n_scores // 2)
    return " ".join(steps)


def played(game: Game, dice: Random, secret: str, most: int, hard: bool) -> list[str]:
    """Words that somebody guesses, of whom not all is known: good ones, bad ones, the secret."""
    words, history = list[str](), list[tuple[int, int]]()
    for _ in range(most):
        legal = legal_after(game, history) if hard else None
        pool = game.guesses if legal is None else [game.guesses[guess] for guess in legal]
        fitting = [
            word for word in game.secrets
            if all(game.grade(game.guesses[guess], word) == score for guess, score in history)
        ]  # fmt: skip
        word = dice.choice(fitting if fitting and dice.random() < 0.6 else pool)
        words.append(word)
        history.append((game.guess_id(word), game.grade(word, secret)))
        if word == secret:
            break
    return words


def scored(game: Game, words: Sequence[str], secret: str) -> list[str]:
    """Words and what they get."""
    return [part for word in words for part in (word, game.format_score(game.grade(word, secret)))]
