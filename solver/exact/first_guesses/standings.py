"""What is known about the first guesses of a state, while they are raced against each other."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field

from ..lemmas import NEVER
from .problem import Finding, Race


@dataclass
class FirstGuesses:
    """What is known about the first guesses of a state so far."""

    #: How many of the best are to be exact.
    top: int = 1
    ceiling: int = NEVER
    #: Guess → bound, and whether it is the value.
    found: dict[int, tuple[int, bool]] = field(default_factory=dict)
    #: Whether promising guesses do not meet the ceiling.
    tight: bool = False

    #: The values among them, ascending; the bounds that were not above the limit so far.
    _values: list[int] = field(init=False, repr=False, compare=False)
    _open: dict[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._values = sorted(bound for bound, exact in self.found.values() if exact)
        self._open = {guess: bound for guess, (bound, exact) in self.found.items() if not exact}

    @property
    def limit(self) -> int:
        """The value above which a first guess is of no interest any more; it never rises."""
        return self.race().limit

    def race(self) -> Race:
        """The values of first guesses that hold a place."""
        return Race(self.top, self.ceiling, tuple(self._values[: self.top]), self.tight)

    @property
    def best(self) -> int | None:
        """The least value of a first guess so far."""
        return self._values[0] if self._values else None

    def add(self, finding: Finding) -> None:
        """Take over a finding; values stay, bounds rise."""
        guess, bound, exact = finding
        old, was_exact = self.found.get(guess, (0, False))
        if was_exact or not (exact or bound > old):
            return
        self.found[guess] = (bound, exact)
        if exact:
            insort(self._values, bound)
            self._open.pop(guess, None)
        else:
            self._open[guess] = bound

    def still_open(self) -> dict[int, int]:
        """First guess → bound, of those looked at that are neither exact nor excluded."""
        limit = self.limit
        self._open = {guess: bound for guess, bound in self._open.items() if bound <= limit}
        return self._open

    def ties(self) -> list[int]:
        """The first guesses that attain the least value, ascending."""
        best = self.best
        return sorted(g for g, (bound, exact) in self.found.items() if exact and bound == best)

    def table(self) -> list[Finding]:
        """All first guesses, best first; one above the limit is only said to be above it."""
        limit = self.limit
        rows = [
            (guess, bound if bound <= limit else limit + 1, exact and bound <= limit)
            for guess, (bound, exact) in self.found.items()
        ]
        return sorted(rows, key=lambda row: (row[1], not row[2], row[0]))


def least_open(state: FirstGuesses, candidates: int, count: int) -> tuple[int, int]:
    """The value that no first guess is below, and how many may still be as good as the best.

    Of those that were not looked at, nothing is known but the size of the state (lemma 1).
    """
    limit = state.limit
    bounds = state.still_open().values()
    unseen = count - len(state.found)
    least = min([*bounds, 2 * candidates - 1] if unseen else bounds, default=limit)
    return min(least, limit), len(bounds) + unseen
