"""Players that are built in, and games of players as lines of JSON: with regrets, checked again.

``docs/guide/players.md`` has the form of the lines. Equal games give equal bytes: states of up to
512 secrets are searched to the end, however long that takes, and larger ones have bounds.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from solver.choices import MEASURES
from solver.errors import WrongInputError
from solver.game.game import Game

from ..errors import BadFileError
from ..files.text import printable, quoted
from .arena import (
    FAULTS,
    GIVES_UP,
    Answerer,
    Contest,
    PlayedGame,
    PlayError,
    Terms,
    answerer_by,
    contest_within,
    sampled,
)

if TYPE_CHECKING:
    from .regret import Judge, Regret

#: What the first line says that the others are.
FORMAT, VERSION = "knuthle games", 1
#: Players that are built in; the measures choose the guess that they rank first.
PLAYERS = ("random", "consistent", "optimal", *MEASURES)
_NOTHING = 1e-9


def patient_judge(game: Game, hard: bool) -> Judge:
    """A judge whose answers do not depend on the time that they take."""
    from .regret import Judge

    return Judge(game, hard=hard, time_limit=math.inf)


def built_in(name: str, judge: Judge, seed: int = 0) -> Answerer:
    """A player by its name; those that play at random do so by the seed.

    ``random`` takes any legal guess, ``consistent`` any secret that fits, ``optimal`` a best guess;
    where only bounds are known, that is the guess with the least upper one.
    """
    from solver.game.wordle import legal_after

    from ..toolbox.guesses import HowToFind
    from .helper import Helper

    game, dice = judge.game, random.Random(f"{name} {seed}")

    def at_random(history: Any) -> str:
        if judge.hard:
            steps = [(game.guess_id(word), game.parse_score(score)) for word, score in history]
            legal: list[int] = legal_after(game, steps).tolist()
            return game.guesses[dice.choice(legal)]
        return dice.choice(game.guesses)

    def consistent(history: Any) -> str:
        fitting: list[int] = judge.candidates(history).tolist()
        return game.secrets[dice.choice(fitting)]

    players: dict[str, Answerer] = {
        "random": at_random, "consistent": consistent,
        "optimal": lambda history: judge.best(history)[1][0],
    }  # fmt: skip
    if name in players:
        return players[name]
    if name not in MEASURES:
        raise WrongInputError(f"no player {quoted(name)}; players: {', '.join(PLAYERS)}")
    return answerer_by(Helper(game, HowToFind(by=name, hard=judge.hard, within=None)))


# ---- Games with their regrets


class Judged:
    """The games of a player with the regret of each guess, and the figures that compare players."""

    def __init__(self, contest: Contest, regrets: list[list[Regret]]) -> None:
        taken = contest.taken.values()
        self.player, self.games, self.regrets = contest.player, contest.games, regrets
        self.n_games, self.n_solved = len(regrets), len(taken)
        self.mean, self.worst = fmean(taken) if taken else None, max(taken, default=None)
        #: The mean regret of a game, at least and at most.
        self.regret_low, self.regret_high = (
            fmean(math.fsum(_side(each, side) for each in row) for row in regrets)
            for side in ("low", "high")
        )
        #: That of the first, second, … guess of those games that have it; of bounds the middle.
        self.by_guess = []
        for at in range(max(map(len, regrets), default=0)):
            some = [row[at] for row in regrets if len(row) > at]
            self.by_guess.append(fmean((_side(it, "low") + _side(it, "high")) / 2 for it in some))


def _side(regret: Regret, side: str) -> float:
    return 0.0 if regret.regret is None else float(getattr(regret.regret, side))


def judged(
    judge: Judge, terms: Terms, contest: Contest,
    progress: Callable[[int, int], None] = lambda new, whole: None,
) -> Judged:  # fmt: skip
    """Judge every guess of a player; ``progress`` hears how many more games of how many."""
    rows = []
    for game in contest.games:
        steps = [(word, terms.grade(word, game.secret)) for word in game.guesses]
        histories = [tuple(steps[:at]) for at in range(len(steps))]
        rows.append(judge.regrets(histories, game.guesses))
        progress(1, len(contest.games))
    return Judged(contest, rows)


# ---- Lines of JSON


def recorded(found: Judged, game: Game, terms: Terms, drawn: tuple[int | None, int]) -> bytes:
    """The file of some games: a line on what was played, and a line a game."""
    sample, seed = drawn
    head = {
        "format": FORMAT,
        "version": VERSION,
        "player": found.player,
        "knuthle": _version(),
        **lists_of(game),
        "hard": terms.hard,
        "limit": terms.most,
        "sample": sample,
        "seed": seed,
        "n_games": len(found.games),
    }
    lines = [head, *(_line_of(*each, game, terms) for each in zip(found.games, found.regrets,
                                                                  strict=True))]  # fmt: skip
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def lists_of(game: Game) -> dict[str, str]:
    """What is played: the game and its words, as reports name them."""
    return {
        "game": game.spec,
        "list": game.list_name,
        "guesses_digest": game.guesses_digest,
        "secrets_name": game.secrets_name,
        "secrets_digest": game.secrets_digest,
    }


def _version() -> str:
    from importlib import metadata

    try:
        return metadata.version("knuthle")
    except metadata.PackageNotFoundError:
        return "not installed"


def _line_of(
    played: PlayedGame, regrets: Sequence[Regret], game: Game, terms: Terms
) -> dict[str, Any]:
    scores = [game.format_score(terms.grade(word, played.secret)) for word in played.guesses]
    return {
        "secret": played.secret,
        "guesses": played.guesses,
        "scores": scores,
        "solved": played.solved,
        "fault": played.fault or None,
        "regret_low": [round(_side(each, "low"), 9) for each in regrets],
        "regret_high": [round(_side(each, "high"), 9) for each in regrets],
        "best": [each.best[0] for each in regrets],
    }


def read_head(lines: Sequence[str], where: str) -> dict[str, Any]:
    """The first line of recorded games."""
    head = _object(lines[0] if lines else "", where, 1)
    if (head.get("format"), head.get("version")) != (FORMAT, VERSION):
        raise BadFileError("format", f"{printable(where)}: no games of 'referee --record'")
    wrong = [name for name, kind in _HEAD.items() if not isinstance(head.get(name), kind)]
    if wrong:
        raise BadFileError("format", f"{printable(where)}:1: {wrong[0]!r} is missing or wrong")
    return head


#: What the first line must have, to be checked.
_HEAD: dict[str, Any] = {
    "player": str, "game": str, "list": str, "guesses_digest": str, "secrets_digest": str,
    "hard": bool, "limit": int, "seed": int, "n_games": int, "sample": (int, type(None)),
}  # fmt: skip


def checked(
    game: Game, lines: Sequence[str], where: str,
    progress: Callable[[int, int], None] = lambda new, whole: None,
) -> tuple[Judged, list[tuple[int, str]]]:  # fmt: skip
    """Play and judge recorded games again, with secrets that are drawn again.

    What comes of it, and line and reason of all that was recorded otherwise.
    """
    head = read_head(lines, where)
    mine = {"guesses_digest": game.guesses_digest, "secrets_digest": game.secrets_digest}
    for name, digest in mine.items():
        if head[name] != digest:
            part = name.partition("_")[0]
            raise WrongInputError(
                f"{printable(where)}: its {part} are not those of {printable(game.list_name)}; "
                "name them by --list and --secrets"
            )
    secrets = game.secrets
    if head["sample"] is not None:
        secrets = tuple(sampled(secrets, head["sample"], head["seed"]))
    rows = [_object(line, where, number) for number, line in enumerate(lines[1:], 2)]
    faults: list[tuple[int, str]] = []
    if not len(rows) == head["n_games"] == len(secrets):
        faults = [(1, f"there are {len(rows):,} games, not one for each of the secrets drawn")]
    secrets = secrets[: len(rows)]
    terms = Terms(game.spec, frozenset(game.guesses), secrets, head["hard"], head["limit"])
    again = contest_within(_replayed(rows), head["player"], terms)
    found = judged(patient_judge(game, terms.hard), terms, again, progress)
    for number, row in enumerate(rows[: len(secrets)], 2):
        truth = _line_of(again.games[number - 2], found.regrets[number - 2], game, terms)
        said = (_other(row, truth, name) for name in truth)
        faults += [(number, it) for it in said if it]
    return found, faults


def _replayed(rows: Sequence[dict[str, Any]]) -> Answerer:
    """A player that makes the guesses of recorded games, and the faults that end them."""
    games = iter(rows)
    row: dict[str, Any] = {}

    def answer(history: Any) -> str:
        nonlocal row
        row = row if history else next(games)
        guesses, fault = row.get("guesses"), row.get("fault")
        if isinstance(guesses, list) and len(guesses) > len(history):
            return str(guesses[len(history)])
        raise PlayError(fault if fault in FAULTS else GIVES_UP, "")

    return answer


def _object(line: str, where: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BadFileError("format", f"{printable(where)}:{number}: not an object of JSON")
    return found


def _other(row: dict[str, Any], truth: dict[str, Any], name: str) -> str:
    """How an entry of a line is another one than it should be; figures may be rounded."""
    mine, right = row.get(name), truth[name]
    if name.startswith("regret") and isinstance(mine, list) and len(mine) == len(right):
        numbers = all(isinstance(it, int | float) for it in mine)
        if numbers and all(abs(a - b) <= _NOTHING for a, b in zip(mine, right, strict=True)):
            return ""
    if mine == right:
        return ""
    return f"{name} is {printable(json.dumps(mine), 200)}, and should be {json.dumps(right)}"
