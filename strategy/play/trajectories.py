"""Players that are built in, and games of players as lines of JSON: with regrets, checked again.

``docs/guide/players.md`` has the form of the lines. Equal games give equal bytes: states of up to
512 secrets are searched to the end, however long that takes, and larger ones have bounds.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from solver.choices import MEASURES
from solver.errors import CouldNotFinishError, WrongInputError
from solver.game.game import Game

from ..errors import BadFileError, WrongStrategyError
from ..files.text import counted, printable, quoted
from .arena import FAULTS, Answerer, PlayedGame, Terms, answerer_by, check_guess, sampled

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

    ``random`` takes any legal guess, ``consistent`` any secret that fits, ``optimal`` a best guess.
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

    def optimal(history: Any) -> str:
        least, best = judge.best(history)
        if least.low < least.high:
            state = game.format_state([(word, game.parse_score(score)) for word, score in history])
            raise CouldNotFinishError(
                f"the best guess {f'after {state}' if state else 'to begin with'} is not known "
                f"exactly: too many secrets are possible"
            )
        return best[0]

    players: dict[str, Answerer] = {
        "random": at_random, "consistent": consistent, "optimal": optimal,
    }  # fmt: skip
    if name in players:
        return players[name]
    if name not in MEASURES:
        raise WrongInputError(f"no player {quoted(name)}; players: {', '.join(PLAYERS)}")
    return answerer_by(Helper(game, HowToFind(by=name, hard=judge.hard, within=None)))


# ---- Games with their regrets


@dataclass
class Judged:
    """The games of a player, each with the regrets of its guesses."""

    player: str
    games: list[PlayedGame]
    regrets: list[list[Regret]]

    @property
    def taken(self) -> list[int]:
        """How many guesses each game took that was won."""
        return [len(game.guesses) for game in self.games if game.solved]

    def regret(self, side: str) -> float:
        """The mean regret of a game, its lower or its upper bound."""
        return fmean(math.fsum(_side(each, side) for each in row) for row in self.regrets)

    def by_guess(self) -> list[float]:
        """The mean regret of the first, second, … guess of those games that have it.

        Of bounds the middle counts.
        """
        longest = max(map(len, self.regrets), default=0)
        found = []
        for at in range(longest):
            some = [row[at] for row in self.regrets if len(row) > at]
            found.append(fmean((_side(it, "low") + _side(it, "high")) / 2 for it in some))
        return found


def _side(regret: Regret, side: str) -> float:
    return 0.0 if regret.regret is None else float(getattr(regret.regret, side))


def judged(
    judge: Judge, terms: Terms, player: str, games: Sequence[PlayedGame],
    progress: Callable[[int, int], None] = lambda new, whole: None,
) -> Judged:  # fmt: skip
    """Judge every guess of some games; ``progress`` is told of how many more of how many."""
    rows = []
    for game in games:
        steps = [(word, terms.grade(word, game.secret)) for word in game.guesses]
        histories = [tuple(steps[:at]) for at in range(len(steps))]
        rows.append(judge.regrets(histories, game.guesses))
        progress(1, len(games))
    return Judged(player, list(games), rows)


# ---- Lines of JSON


def recorded(found: Judged, game: Game, terms: Terms, drawn: tuple[int | None, int]) -> bytes:
    """The file of some games: a line on what was played, and a line a game."""
    sample, seed = drawn
    head = {
        "format": FORMAT,
        "version": VERSION,
        "player": found.player,
        "knuthle": _version(),
        "game": game.spec,
        "list": game.list_name,
        "guesses_digest": game.guesses_digest,
        "secrets_name": game.secrets_name,
        "secrets_digest": game.secrets_digest,
        "hard": terms.hard,
        "limit": terms.most,
        "sample": sample,
        "seed": seed,
        "n_games": len(found.games),
    }
    lines = [head, *(_line_of(*each, game, terms) for each in zip(found.games, found.regrets,
                                                                  strict=True))]  # fmt: skip
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


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


@dataclass
class Checked:
    """What a second look at recorded games has found."""

    head: dict[str, Any]
    #: Line and reason of all that does not hold.
    faults: list[tuple[int, str]]
    judged: Judged


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
) -> Checked:  # fmt: skip
    """Grade and judge recorded games again, and draw their secrets again."""
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
    terms = Terms(game.spec, frozenset(game.guesses), secrets, head["hard"], head["limit"])
    rows = [_object(line, where, number) for number, line in enumerate(lines[1:], 2)]
    faults: list[tuple[int, str]] = []
    if [row.get("secret") for row in rows] != list(secrets):
        faults.append((1, "the secrets are not all of those that the sample and its seed draw"))
    if len(rows) != head["n_games"]:
        faults.append((1, f"there are {len(rows):,} games, not {head['n_games']:,}"))
    judge, games, regrets = patient_judge(game, head["hard"]), [], []
    for number, row in enumerate(rows, 2):
        played = _played(row, terms)
        if isinstance(played, str):
            faults.append((number, played))
            continue
        again = judged(judge, terms, head["player"], [played])
        games.append(played)
        regrets += again.regrets
        truth = _line_of(played, again.regrets[0], game, terms)
        faults += [
            (number, _differs(name, row, truth)) for name in truth if _other(row, truth, name)
        ]
        progress(1, len(rows))
    return Checked(head, faults, Judged(head["player"], games, regrets))


def _object(line: str, where: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise BadFileError("format", f"{printable(where)}:{number}: not an object of JSON")
    return found


def _played(row: dict[str, Any], terms: Terms) -> PlayedGame | str:
    """A recorded game; or why nobody can have played it."""
    guesses, secret, fault = row.get("guesses"), row.get("secret"), row.get("fault")
    if not isinstance(guesses, list) or not all(isinstance(word, str) for word in guesses):
        return "its guesses are no list of words"
    if secret not in terms.guesses or fault not in (None, *FAULTS):
        return "its secret or its fault is unknown"
    try:
        solved = _plays(guesses, secret, terms)
    except WrongStrategyError as error:
        return str(error)
    if solved == (fault is not None):
        return "a game that is won has no fault, and any other has one"
    return PlayedGame(secret, guesses, fault=fault or "")


def _plays(guesses: Sequence[str], secret: str, terms: Terms) -> bool:
    """Whether these guesses find the secret; guesses that nobody can make are refused."""
    history: list[tuple[str, int]] = []
    for word in guesses:
        if history and history[-1][1] == terms.solved:
            raise WrongStrategyError(f"{printable(word)} comes after the secret")
        check_guess(word, history, terms)
        history.append((word, terms.grade(word, secret)))
    if len(guesses) > terms.most:
        raise WrongStrategyError(f"it has more than {counted(terms.most, 'guess', 'guesses')}")
    return bool(history) and history[-1][1] == terms.solved


def _other(row: dict[str, Any], truth: dict[str, Any], name: str) -> bool:
    """Whether an entry of a line is another one than it should be; figures may be rounded."""
    mine, right = row.get(name), truth[name]
    if name.startswith("regret") and isinstance(mine, list) and len(mine) == len(right):
        numbers = all(isinstance(it, int | float) for it in mine)
        return not numbers or any(abs(a - b) > _NOTHING for a, b in zip(mine, right, strict=True))
    return bool(mine != right)


def _differs(name: str, row: dict[str, Any], truth: dict[str, Any]) -> str:
    said, right = json.dumps(row.get(name)), json.dumps(truth[name])
    return f"{name} is {printable(said, 200)}, and should be {right}"
