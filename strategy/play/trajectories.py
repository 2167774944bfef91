"""Players that are built in, and games of players as lines of JSON: with regrets, played again.

``docs/guide/players.md`` has the form of the lines. Equal games give equal bytes if the judge has
no clock: then it searches states of up to 512 secrets to the end, and larger ones have bounds.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import fmean
from typing import Any

from solver.choices import MEASURES
from solver.errors import WrongInputError
from solver.game.game import Game

from ..errors import BadFileError
from ..files.strategy_file import Taken
from ..files.text import printable, quoted
from ..sweep.question import program_version
from ..toolbox.guesses import HowToFind
from .arena import FAULTS, GIVES_UP, Answerer, PlayedGame, PlayError, Terms, answerer_by
from .helper import Helper
from .regret import Bracket, Judge

#: What the first line says that the others are.
FORMAT, VERSION = "knuthle games", 1
#: What it must have for the games to be played again.
_HEAD: dict[str, Any] = {"player": str, "game": str, "list": str, "hard": bool, "seed": int}
_HEAD |= {"limit": int, "sample": int | None}
#: Players that are built in; the measures choose the guess that they rank first.
PLAYERS = ("random", "consistent", "optimal", *MEASURES)
#: A line of a file: what was played, or a game.
Line = dict[str, Any]


def built_in(name: str, judge: Judge, seed: int = 0) -> Answerer:
    """A player by its name; those that play at random do so by the seed.

    ``random`` takes any legal guess, ``consistent`` any secret that fits, ``optimal`` a best guess;
    where only bounds are known, that is the guess with the least upper one.
    """
    if name not in PLAYERS:
        raise WrongInputError(f"no player {quoted(name)}; players: {', '.join(PLAYERS)}")
    game, dice = judge.game, random.Random(f"{name} {seed}")
    if name == "random":
        return lambda history: game.guesses[int(dice.choice(judge.legal(history)))]
    if name == "consistent":
        return lambda history: game.secrets[int(dice.choice(judge.candidates(history)))]
    if name == "optimal":
        return lambda history: judge.best(history)[1][0]
    return answerer_by(Helper(game, HowToFind(by=name, hard=judge.hard, within=None)))


@dataclass(frozen=True)
class Judged(Taken):
    """A player, and its games as lines with the regret of each guess."""

    player: str
    lines: list[Line]

    @property
    def taken(self) -> dict[str, int]:
        """The guesses of each game won."""
        return {it["secret"]: len(it["guesses"]) for it in self.lines if it["solved"]}

    @property
    def regret(self) -> Bracket:
        """The mean regret of a game."""
        sides = ("regret_low", "regret_high")
        return Bracket(*(fmean(math.fsum(line[side]) for line in self.lines) for side in sides))

    @property
    def by_guess(self) -> list[float]:
        """That of the first, second, … guess of those games that have it; of bounds the middle."""
        ends = (zip(it["regret_low"], it["regret_high"], strict=True) for it in self.lines)
        guesses = zip_longest(*([(low + high) / 2 for low, high in each] for each in ends))
        return [fmean(it for it in each if it is not None) for each in guesses]

    def recorded(self, about: Line) -> list[Line]:
        """The lines of its file: what was played, and its games."""
        head = {"format": FORMAT, "version": VERSION, "player": self.player}
        return [{**head, "knuthle": program_version(), **about}, *self.lines]


def judged(judge: Judge, terms: Terms, game: PlayedGame) -> Line:
    """A game with what each of its guesses costs."""
    steps = [(word, terms.grade(word, game.secret)) for word in game.guesses]
    found = judge.regrets([steps[:at] for at in range(len(steps))], game.guesses)
    ends = [each.regret for each in found if each.regret]  # what is illegal is no guess
    return {
        "secret": game.secret,
        "guesses": game.guesses,
        "scores": [judge.game.format_score(score) for _, score in steps],
        "solved": game.solved,
        "fault": game.fault or None,
        "regret_low": [low for low, _ in ends],
        "regret_high": [high for _, high in ends],
        "best": [each.best[0] for each in found],
    }


def read_recorded(texts: Sequence[str], where: str) -> list[Line]:
    """The lines of recorded games; what is no such file is refused."""
    try:
        head, *games = (dict(json.loads(text)) for text in texts)
    except (ValueError, TypeError, RecursionError):
        head, games = {}, []
    right = (head.get("format"), head.get("version")) == (FORMAT, VERSION)
    right = right and all(isinstance(head.get(name, ...), kind) for name, kind in _HEAD.items())
    if not right or not all(it is None or it > 0 for it in (head["limit"], head["sample"])):
        raise BadFileError("format", f"{printable(where)}: no games of 'referee --record'")
    return [head, *games]


def replayed(lines: Sequence[Line], game: Game) -> Answerer:
    """A player that makes the guesses of recorded games, and the faults that end them."""
    head, line, games = lines[0], Line(), iter(lines[1:])
    for part in ("guesses", "secrets"):
        if head.get(f"{part}_digest") != getattr(game, f"{part}_digest"):
            other = f"its {part} are not those of {printable(game.list_name)}"
            raise WrongInputError(f"{other}; name them by --list and --secrets")

    def answer(history: Any) -> str:
        nonlocal line
        line = line if history else next(games, {})
        guesses, fault = line.get("guesses"), line.get("fault")
        if isinstance(guesses, list) and len(guesses) > len(history):
            return str(guesses[len(history)])
        raise PlayError(fault if fault in FAULTS else GIVES_UP, "")

    return answer


def differences(lines: Sequence[Line], truth: Sequence[Line]) -> Iterator[tuple[int, str]]:
    """Line and reason of all that was recorded otherwise than it should be."""
    if len(lines) != len(truth):
        yield 1, f"there are {len(lines) - 1:,} games, not one for each of the secrets drawn"
    for number, (line, right) in enumerate(zip(lines, truth, strict=False), 1):
        for name, value in right.items():
            if name != "knuthle" and line.get(name) != value:
                mine = printable(json.dumps(line.get(name)), 200)
                yield number, f"{name} is {mine}, and should be {json.dumps(value)}"
