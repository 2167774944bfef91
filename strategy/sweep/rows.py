"""What a sweep stores of one opener: a row by a rule, or an exact row; and interrupted searches.

Of an exact search that the time limit has ended, the solved states are saved with their values and
strategies, and the state that was being searched with the bound it has reached: as text, which is
checked when it is read; and every strategy made of it is played.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from solver.choices import LIMIT
from solver.tree import Tree

from ..errors import WrongStrategyError
from ..files.strategy_file import Tallied
from ..files.text import quoted

#: The states of an exact row: no strategy is better than the value; the value lies between bounds;
#: no strategy with this opener meets the limit; some strategy does, and that was the question.
EXACT, BOUNDS, IMPOSSIBLE, POSSIBLE = "exact", "bounds", "impossible", "possible"
STATES = (EXACT, BOUNDS, IMPOSSIBLE, POSSIBLE)


@dataclass(frozen=True)
class OpenerRow(Tallied):
    """The whole strategy of one opener, in figures: a row of a sweep by a rule.

    >>> row = OpenerRow("crane", (1, 3, 1), 6, "ab" * 32)
    >>> row.worst, row.total, row.mean, row.n_beyond
    (3, 10, 2.0, 0)
    """

    opener: str
    #: How many secrets take 1, 2, … guesses.
    histogram: tuple[int, ...]
    #: States in which the strategy makes a guess.
    nodes: int
    #: The sha256 of the strategy's text form, the same as that of the file that solve-all writes.
    digest: str
    #: CPU time for the search and all checks. It is no part of the result.
    seconds: float = field(default=0.0, compare=False)
    #: Whether the trusted checker has played every secret too.
    replayed: bool = field(default=False, compare=False)

    @property
    def n_beyond(self) -> int:
        """How many secrets take more than six guesses after this opener."""
        return sum(self.histogram[LIMIT:])

    def joined(self, other: OpenerRow) -> OpenerRow:
        """This row, if another row of the opener has the same figures; else WrongStrategyError."""
        for name in ("histogram", "nodes", "digest"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise WrongStrategyError(
                    f"{quoted(self.opener)}: {name} {mine} and {theirs}; one of them is wrong"
                )
        return self

    merged = joined


@dataclass(frozen=True)
class ExactRow:
    """The least value of any strategy with one opener, or bounds of it: a row of an exact sweep.

    >>> row = ExactRow("crane", "bounds", 8123, 8140)
    >>> row.open, row.value
    (True, None)
    """

    opener: str
    state: str
    #: No strategy with this opener is better; None: nothing is known, or there is no value.
    lower: int | None = None
    #: A strategy that has been played attains this; None: none has been.
    upper: int | None = None
    #: CPU time for it. It is no part of the result.
    seconds: float = field(default=0.0, compare=False)
    #: Whether the trusted checker has played every secret too; of an impossible limit, whether the
    #: refutation was derived again from letters, as the checker of proofs does.
    replayed: bool = field(default=False, compare=False)

    @property
    def open(self) -> bool:
        """Whether more can be found out about the opener."""
        return self.state == BOUNDS

    @property
    def value(self) -> int | None:
        """The least total, or the least worst case, of the opener; None if not exact."""
        return self.lower if self.state == EXACT else None

    @property
    def is_sound(self) -> bool:
        """Whether the state and the bounds of the row go together."""
        lower, upper = self.lower, self.upper
        if self.state == EXACT:
            return lower is not None and lower == upper
        if self.state == BOUNDS:
            return lower is not None and (upper is None or lower < upper)
        return self.state in STATES and lower is upper is None

    def joined(self, other: ExactRow) -> ExactRow:
        """What two rows say together, their times added; WrongStrategyError if they contradict."""
        if self.open and not other.open:
            return other.joined(self)
        seconds, replayed = self.seconds + other.seconds, self.replayed or other.replayed
        if self.open:
            lowers = [bound for bound in (self.lower, other.lower) if bound is not None]
            uppers = [bound for bound in (self.upper, other.upper) if bound is not None]
            lower, upper = max(lowers, default=None), min(uppers, default=None)
            state = EXACT if lower is not None and lower == upper else BOUNDS
            found = ExactRow(self.opener, state, lower, upper, seconds, replayed)
            agree = found.is_sound
        else:
            found = replace(self, seconds=seconds, replayed=replayed)
            agree = other.is_met_by(self) if other.open else other == self
        if not agree:
            raise WrongStrategyError(
                f"{quoted(self.opener)}: {self.value_text()} and {other.value_text()}; "
                "one of them is wrong"
            )
        return found

    def merged(self, other: ExactRow) -> ExactRow:
        """What rows in two databases say together, with the longer of their CPU times.

        One of them may include the other's work, however often they are merged.
        """
        return replace(self.joined(other), seconds=max(self.seconds, other.seconds))

    def is_met_by(self, final: ExactRow) -> bool:
        """Whether the value of another row, which is not open, lies within these bounds."""
        if final.state == IMPOSSIBLE:
            return self.upper is None
        value, upper = final.value, math.inf if self.upper is None else self.upper
        return value is None or (self.lower or 0) <= value <= upper

    def value_text(self) -> str:
        """The value or the bounds, for people: ``7,920``, ``8,123-8,140``, ``at least 8,123``."""
        if self.state == EXACT:
            return f"{self.lower:,}"
        if self.state != BOUNDS:
            return self.state
        if self.upper is None:
            return f"at least {self.lower:,}"
        return f"{self.lower:,}-{self.upper:,}"


#: A row of either kind.
R = TypeVar("R", OpenerRow, ExactRow)

# --- interrupted searches -----------------------------------------------------------------


@dataclass(frozen=True)
class SavedSearch:
    """The exact search for one opener that the time limit has ended, saved for the next run."""

    opener: str
    #: What it has found out, as text.
    notes: str
    #: In how many runs it was ended.
    times: int = 1


@dataclass(frozen=True)
class SolvedState:
    """A state with its value, and a strategy that attains it, as the exact search grows it."""

    value: int
    #: If it is empty the state is not solved yet: its value is at least this one.
    tree: Tree

    @property
    def is_solved(self) -> bool:
        """Whether the value of the state is exact."""
        return len(self.tree) > 0


def states_to_text(states: Mapping[int, SolvedState]) -> str:
    """Solved states of an exact sweep, by their first secret, as text for its database."""
    rows = [
        [first, it.value, list(it.tree.guess), list(it.tree.parent), list(it.tree.score)]
        for first, it in sorted(states.items())
    ]
    return json.dumps(rows, separators=(",", ":"))


def states_of_text(text: str, n_guesses: int, n_secrets: int) -> dict[int, SolvedState]:
    """The solved states of an exact sweep in a text of ``states_to_text``, or ValueError."""
    try:
        return {
            _index(first, n_secrets): _solved_state(value, columns, n_guesses, n_secrets)
            for first, value, *columns in json.loads(text)
        }
    except (TypeError, RecursionError):
        raise ValueError(text) from None


def limit_of_text(text: str) -> int:
    """The least limit not refuted when an exact search was ended, from its text, or ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(text)
    return max(1, int(text))


def _solved_state(value: Any, columns: list[Any], n_guesses: int, n_secrets: int) -> SolvedState:
    guess, parent, score = columns
    for at, (made, above, witness) in enumerate(zip(guess, parent, score, strict=True)):
        _index(made, n_guesses)
        _index(witness, n_secrets)
        if type(above) is not int or not (above == -1 if at == 0 else 0 <= above < at):
            raise ValueError
    if type(value) is not int or value < 1:
        raise ValueError
    return SolvedState(value, Tree.of(guess, parent, score))


def _index(number: Any, count: int) -> int:
    if type(number) is not int or not 0 <= number < count:
        raise ValueError
    return number
