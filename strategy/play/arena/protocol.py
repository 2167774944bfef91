"""The lines that a referee and a player speak, and the side that answers.

``docs/referee.md`` has them on half a page. A player is told the whole game so far in every
question, so it need not remember anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TextIO

from ...errors import StrategyError, UnknownStateError
from ...files.names import quoted
from ...files.notation import score_text
from ...tree import Strategy

if TYPE_CHECKING:
    from solver.game.game import Game

VERSION = 1
HELLO, READY, GO, UNKNOWN = "hello", "ready", "go", "?"
_NUMBER = re.compile("[0-9]{1,4}")

#: Guesses with their scores as texts.
Spoken = Sequence[tuple[str, str]]
#: The next guess after a history; None: it knows none.
Answerer = Callable[[Spoken], str | None]


class ProtocolError(StrategyError):
    """A line that a player cannot understand, or a game that it does not play."""


def hello(game: str, length: int, hard: bool) -> str:
    """The first line that a referee sends: version, game, length of words, hard mode."""
    return f"{HELLO} {VERSION} {game} {length}{' hard' if hard else ''}"


def guess_request(game: str, length: int, history: Sequence[tuple[str, int]]) -> str:
    """The line by which a referee asks a player for the next guess."""
    steps = (f" {word} {score_text(game, length, score)}" for word, score in history)
    return GO + "".join(steps)


def serve(
    answerer: Answerer, game: str, length: int, source: TextIO, sink: TextIO, *,
    hard: bool = False, name: str = "knuthle",
) -> None:  # fmt: skip
    """Answer the lines of a referee as a player, until they end.

    A game that is another than ``game``, or asks for hard mode where the answers do not keep to it,
    is refused with a reason instead of a guess.
    """
    for line in source:
        words = line.split()
        if not words:
            continue
        if words[0] == HELLO:
            reason = _refused(words[1:], game, length, hard)
            answer = f"no {reason}" if reason else f"{READY} {name}"
        elif words[0] == GO and len(words) % 2:
            steps = list(zip(words[1::2], words[2::2], strict=True))
            answer = answerer(steps) or UNKNOWN
        else:
            raise ProtocolError(f"{quoted(line.strip())} is no line of a referee")
        sink.write(f"{answer}\n")
        sink.flush()


def _refused(words: Sequence[str], game: str, length: int, hard: bool) -> str:
    """Why a game is not played; nothing if it is."""
    if len(words) < 3 or not _NUMBER.fullmatch(words[0]) or not _NUMBER.fullmatch(words[2]):
        return f"the line {quoted(' '.join([HELLO, *words]))} is not understood"
    if int(words[0]) != VERSION:
        return f"version {int(words[0])} is not understood; version {VERSION} is"
    if (words[1], int(words[2])) != (game, length):
        return f"it plays {game} with words of {length}"
    if "hard" in words[3:] and not hard:
        return "its guesses need not keep to hard mode"
    return ""


class Choosing(Protocol):
    """How a player chooses words, as far as a referee asks for it."""

    @property
    def hard(self) -> bool:
        """Whether all words that are chosen keep to hard mode."""


class Proposed(Protocol):
    """A word that is proposed as the next guess."""

    @property
    def word(self) -> str:
        """The word that is proposed."""


class Proposer(Protocol):
    """Whatever is told guesses with their scores, takes them back, and proposes the next one."""

    @property
    def game(self) -> Game:
        """The game that guesses are proposed for."""

    @property
    def choice(self) -> Choosing:
        """How the proposed guesses are chosen."""

    def tell(self, word: str, /, *scores: str | int) -> object:
        """Take in a guess that was made, with its score."""

    def undo(self, count: int = 1) -> object:
        """Forget the last guesses that were told."""

    def proposal(self) -> Proposed:
        """The next guess that is proposed."""


def answerer_by(proposer: Proposer) -> Answerer:
    """What a proposer says after each history, as the answers of a player to a referee.

    Each history is thought about once; where clues make no sense there is no answer. Games share
    their beginnings, so what two of them have in common is not told again.
    """
    from solver.errors import WrongInputError

    known: dict[tuple[tuple[str, str], ...], str | None] = {}
    told: list[tuple[str, str]] = []

    def follow(history: Spoken) -> None:
        pairs = zip(told, history, strict=False)
        same = next((n for n, (one, other) in enumerate(pairs) if one != other), None)
        same = min(len(told), len(history)) if same is None else same
        if len(told) > same:
            proposer.undo(len(told) - same)
            del told[same:]
        for word, score in history[same:]:
            proposer.tell(word, score)
            told.append((word, score))

    def answer(history: Spoken) -> str | None:
        key = tuple(history)
        if key not in known:
            try:
                follow(history)
                known[key] = proposer.proposal().word
            except WrongInputError:
                known[key] = None
        return known[key]

    return answer


def answerer_of(strategy: Strategy) -> Answerer:
    """In the arena, the guesses of a strategy as the answers of a player.

    In a state that the strategy never meets there is no answer.
    """

    def answer(history: Spoken) -> str | None:
        try:
            return strategy.next_guess(history)
        except UnknownStateError:
            return None

    return answer
