"""What a sweep keeps of one opener."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..build.within_limit import LIMIT


@dataclass(frozen=True)
class OpenerRow:
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
    def worst(self) -> int:
        """Most guesses that a secret takes after this opener."""
        return len(self.histogram)

    @property
    def total(self) -> int:
        """Guesses over all secrets after this opener, which is counted too."""
        return sum(number * count for number, count in enumerate(self.histogram, 1))

    @property
    def mean(self) -> float:
        """Guesses for a secret on average after this opener."""
        return self.total / sum(self.histogram)

    @property
    def n_beyond(self) -> int:
        """How many secrets take more than six guesses after this opener."""
        return sum(self.histogram[LIMIT:])


def first_difference(one: OpenerRow, other: OpenerRow) -> str:
    """The first figure in which two rows of a sweep differ, for people; empty if in none."""
    names: Sequence[str] = ("histogram", "nodes", "digest")
    for name in names:
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine != theirs:
            return f"{name} {mine} and {theirs}"
    return ""
