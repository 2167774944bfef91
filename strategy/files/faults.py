"""The faults that a strategy can have, by name. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

#: No game ends in this secret.
MISSING = "secret missing"
#: A secret is solved in two places, or stands in two lines.
TWICE = "secret twice"
#: What the file says a guess was answered is not what the secret answers.
WRONG_SCORE = "wrong score"
#: Two different guesses are made in one state.
TWO_GUESSES = "two guesses in one state"
#: A game has no end, or goes on after it.
NO_END = "game without end"
#: A game is for a word that may not be hidden.
NO_SECRET = "not a secret"
#: No secret ever comes to a state.
UNREACHED = "state never reached"
NOT_ALLOWED = "guess not allowed"
HARD_MODE = "guess forbidden in hard mode"
#: A secret takes more guesses than were demanded.
BEYOND = "beyond the limit"
#: What a strategy file says of itself is not so.
HEAD = "head"
KINDS = (
    HEAD,
    NOT_ALLOWED,
    TWO_GUESSES,
    WRONG_SCORE,
    NO_END,
    TWICE,
    NO_SECRET,
    MISSING,
    UNREACHED,
    HARD_MODE,
    BEYOND,
)


class Fault(NamedTuple):
    """One fault of a strategy: its kind, a sentence, the word it is about, the line of the file."""

    kind: str
    text: str
    word: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{self.kind}: {where}{self.text}"


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults ordered by kind, as KINDS has them, and then as they were found."""
    return tuple(sorted(faults, key=lambda fault: KINDS.index(fault.kind)))
