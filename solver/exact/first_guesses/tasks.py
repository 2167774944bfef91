"""What there is to do in a race, in pieces: each is done by whoever is free, on a bench of his."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...tree import Tree
from .problem import Finding, Race
from .strategy_of_guess import plan_of
from .workbench import Workbench


class CountingAhead(NamedTuple):
    """A task: tables that everybody will want, from one to another, to be counted."""

    first: int
    end: int

    def by(self, bench: Workbench) -> None:
        """Count the tables on a bench, into memory that all see."""
        bench.count_ahead(self.first, self.end)


class Bounding(NamedTuple):
    """A task: promising first guesses, to be bounded at a glance."""

    columns: Sequence[int]
    limit: int

    def by(self, bench: Workbench) -> NDArray[np.int64]:
        """The bounds of the guesses, from a bench."""
        return bench.bounds(self.columns, self.limit)


class Screening(NamedTuple):
    """A task: first guesses to be settled or excluded; without patience, only the easy ones."""

    columns: Sequence[int]
    race: Race
    patient: bool

    def by(self, bench: Workbench) -> list[Finding]:
        """What is known about each of the guesses after a bench has screened them."""
        return bench.screened(*self)


class Planning(NamedTuple):
    """A task: the strategy of a first guess that nothing is better than, as far as is known."""

    column: int
    value: int

    def by(self, bench: Workbench) -> Tree:
        """The strategy that attains the guess's value, from a bench."""
        return plan_of(bench, self.column, self.value)


Task = CountingAhead | Bounding | Screening | Planning


class Screenings(Sequence[Any]):
    """Tasks: first guesses in parts, each screened with the limit of the moment of its turn."""

    def __init__(
        self, parts: Sequence[Sequence[int]], race: Callable[[], Race], patient: bool
    ) -> None:
        self._parts = parts
        self._race = race
        self._patient = patient

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, at: Any) -> Any:
        return Screening(self._parts[at], self._race(), self._patient)

    def __iter__(self) -> Iterator[Screening]:
        return (self[at] for at in range(len(self)))
