"""What is kept of one opener: the exact value, or bounds that runs bring closer together."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ...errors import WrongStrategyError
from ...files.names import quoted

#: The states of a row: nothing can be better than the value; the value lies between bounds; no
#: strategy with this opener keeps to the limit; some strategy does, and no more was asked.
EXACT, BOUNDS, IMPOSSIBLE, POSSIBLE = "exact", "bounds", "impossible", "possible"
STATES = (EXACT, BOUNDS, IMPOSSIBLE, POSSIBLE)


@dataclass(frozen=True)
class ExactRow:
    """What the strategies of one opener come to at best: an exact value, or bounds.

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
    #: Whether the trusted checker has played every secret too.
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
        """What both rows of an opener say together; WrongStrategyError if they contradict.

        Both times were spent.
        """
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
        """What rows of an opener in two databases say together.

        One of them may have the other's work in it. So the times are not added up: the longer one
        stands, however often they are merged.
        """
        return replace(self.joined(other), seconds=max(self.seconds, other.seconds))

    def is_met_by(self, final: ExactRow) -> bool:
        """Whether what another row knows for good of the opener lies within these bounds."""
        if final.state == IMPOSSIBLE:
            return self.upper is None
        if final.value is None:
            return True
        return (self.lower or 0) <= final.value and (
            self.upper is None or final.value <= self.upper
        )

    def value_text(self) -> str:
        """The value or the bounds, for people: ``7,920``, ``8,123-8,140``, ``at least 8,123``."""
        if self.state == EXACT:
            return f"{self.lower:,}"
        if self.state != BOUNDS:
            return self.state
        return (
            f"at least {self.lower:,}" if self.upper is None else f"{self.lower:,}-{self.upper:,}"
        )
