"""Which guess is best in a state, with proof: every guess settled or excluded.

Guesses are screened in batches, those with the most parts first. Whatever is not excluded at a
glance is searched with the best total so far as its limit; guesses with a hard bucket wait until
the others have lowered it. Workers take batches as they become free and always get the latest
limit. What is reported does not depend on who was first: all totals within the final limit are
exact, and all other guesses are known to be above it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..state.bounds import NEVER
from .problem import Finding, Race
from .workbench import BATCH, Workbench
from .workers import Helpers, Workers

#: Guesses among which the most promising ones are looked for.
_PROMISING = 128
#: Guesses that are searched before all others, beyond those that are to be exact.
_PACEMAKERS = 3
#: With several workers: guesses of a task at least.
_LEAST = 128
#: From one guess of a task to the next is this part of all, round and round: the golden section,
#: by which any run of them is spread over all as evenly as can be.
_SECTION = 0.618


@dataclass
class FirstGuesses:
    """What is known about the guesses of a state so far."""

    #: How many of the best are to be exact.
    top: int = 1
    ceiling: int = NEVER
    #: Guess → bound, and whether it is the value.
    found: dict[int, tuple[int, bool]] = field(default_factory=dict)
    #: Whether promising guesses do not meet the ceiling.
    tight: bool = False

    @property
    def limit(self) -> int:
        """Guesses above this are of no interest any more."""
        return self.race().limit

    def race(self) -> Race:
        """The values that hold a place."""
        values = sorted(bound for bound, exact in self.found.values() if exact)
        return Race(self.top, self.ceiling, tuple(values[: self.top]), self.tight)

    @property
    def best(self) -> int | None:
        """The least value so far."""
        return min((bound for bound, exact in self.found.values() if exact), default=None)

    def add(self, finding: Finding) -> None:
        """Take over a finding; values stay, bounds rise."""
        guess, bound, exact = finding
        old, was_exact = self.found.get(guess, (0, False))
        if not was_exact and (exact or bound > old):
            self.found[guess] = (bound, exact)

    def ties(self) -> list[int]:
        """The guesses that attain the least value, ascending."""
        best = self.best
        return sorted(g for g, (bound, exact) in self.found.items() if exact and bound == best)

    def table(self) -> list[Finding]:
        """All guesses, best first; whatever is above the limit is only said to be above it."""
        limit = self.limit
        rows = [
            (guess, bound if bound <= limit else limit + 1, exact and bound <= limit)
            for guess, (bound, exact) in self.found.items()
        ]
        return sorted(rows, key=lambda row: (row[1], not row[2], row[0]))


def least_open(state: FirstGuesses, candidates: int, count: int) -> tuple[int, int]:
    """What no guess is below, and how many guesses may still be as good as the best.

    Of those that were not looked at, nothing is known but the size of the state (lemma 1).
    """
    limit = state.limit
    bounds = [bound for bound, exact in state.found.values() if not exact and bound <= limit]
    unseen = count - len(state.found)
    least = min([*bounds, 2 * candidates - 1] if unseen else bounds, default=limit)
    return min(least, limit), len(bounds) + unseen


#: Called with what is known after every task, and how many guesses there are.
Progress = Callable[[FirstGuesses, int], None]


class _Tasks(Sequence[Any]):
    """Tasks that are made when they are handed out, with the limit of that moment."""

    def __init__(self, parts: Sequence[Sequence[int]], state: FirstGuesses, patient: bool) -> None:
        self._parts = parts
        self._state = state
        self._patient = patient

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, at: Any) -> Any:
        return (self._parts[at], self._state.race(), self._patient)

    def __iter__(self) -> Iterator[Any]:
        return (self[at] for at in range(len(self)))


def settle(
    state: FirstGuesses,
    bench: Workbench,
    workers: int | Helpers = 1,
    progress: Progress = lambda state, count: None,
    check_time: Callable[[], None] = lambda: None,
) -> None:
    """Settle or exclude every guess of a problem; ``state`` is complete after it.

    An interrupt or a time limit leaves in ``state`` what is known by then.
    """
    promising = bench.bounds(bench.columns[:_PROMISING], state.ceiling)  # workers inherit that
    alone = isinstance(workers, int) and len(bench.columns) <= BATCH
    with Workers(bench, 1 if alone else workers) as pool:
        _set_pace(state, bench, pool, promising)
        todo = [c for c in bench.columns if int(bench.table.guess[c]) not in state.found]
        for findings in pool.run(_Tasks(_batches(todo, pool.count), state, False)):
            for finding in findings:
                state.add(finding)
            progress(state, len(bench.columns))
            check_time()
        while True:
            limit = state.limit
            open_ = sorted(
                (bound, guess)
                for guess, (bound, exact) in state.found.items()
                if not exact and bound <= limit
            )
            if not open_:
                return
            parts = [[bench.column_of[guess]] for _, guess in open_]
            for findings in pool.run(_Tasks(parts, state, True)):
                for finding in findings:
                    state.add(finding)
                progress(state, len(bench.columns))
                check_time()


def _batches(columns: Sequence[int], workers: int) -> list[Sequence[int]]:
    """The columns in batches to be screened.

    For several workers they are mixed, since the first columns, which have the most parts, take by
    far the longest; and batches become smaller towards the end, when there is nothing else to wait
    for (guided self-scheduling: Polychronopoulos and Kuck, 1987).
    """
    if not columns:
        return []
    if workers == 1:
        return [columns[at : at + BATCH] for at in range(0, len(columns), BATCH)]
    sizes, left = [], len(columns)
    while left:
        sizes.append(min(left, BATCH, max(left // (2 * workers), _LEAST)))
        left -= sizes[-1]
    count = len(columns)
    step = next(
        step for step in range(int(count * _SECTION) + 1, 2 * count) if gcd(step, count) == 1
    )
    mixed = [columns[step * at % count] for at in range(count)]
    ends = list(accumulate(sizes))
    return [mixed[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _set_pace(
    state: FirstGuesses, bench: Workbench, pool: Workers, bounds: NDArray[np.int64]
) -> None:
    """Exact values for a few promising guesses, whose bounds are given: the others meet a limit.

    Where the promising ones are beyond the ceiling, the next are tried, until one is not. Few may
    be within it then: one that is known to be sets the pace, if there is one.
    """
    first = bench.columns[:_PROMISING]
    order = np.argsort(bounds, kind="stable")
    few = state.top + _PACEMAKERS
    for at in range(0, len(order), few):
        if at == few and state.best is None and state.ceiling < NEVER:
            state.tight = True
            _set_pace_by_possibility(state, bench)
        if bounds[order[at]] > state.limit or (at > 0 and state.best is not None):
            return
        columns = [first[place] for place in order[at : at + few]]
        known = [state.found.get(int(bench.table.guess[c]), (0, False))[1] for c in columns]
        parts = [[c] for c, exact in zip(columns, known, strict=True) if not exact]
        for findings in pool.run(_Tasks(parts, state, True)):
            for finding in findings:
                state.add(finding)


def _set_pace_by_possibility(state: FirstGuesses, bench: Workbench) -> None:
    """The exact value of a guess that is known to meet the limit, where promising ones do not."""
    column = bench.way_through()
    if column >= 0:
        value = bench.value(column, state.limit)
        state.add((int(bench.table.guess[column]), value.bound, value.exact))
