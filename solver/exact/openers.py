"""Which guess is best in a state, with proof: every guess settled or excluded.

Guesses are screened in batches, those with the most parts first. Whatever is not excluded at a
glance is searched with the best total so far as its limit; guesses with a hard bucket wait until
the others have lowered it. Workers take batches as they become free and always get the latest
limit. What is reported does not depend on who was first: all totals within the final limit are
exact, and all other guesses are known to be above it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from ..pool import Pool
from .ceilings import new_ceilings
from .engine import Engine, Nodes, OutOfTimeError, Value
from .mere import Mere
from .room import Room, game_room, is_legal, shown_by
from .states import LOSS, NEVER, UNLIMITED

Ids = NDArray[np.int32]
#: (guess, bound, is the bound its value)
Finding = tuple[int, int, bool]
_MEMO_BITS = 19
#: Guesses of a task.
BATCH = 256
#: Guesses among which the most promising ones are looked for.
_PROMISING = 128
#: Guesses that are searched before all others, beyond those that are to be exact.
_PACEMAKERS = 3
#: Where the limit is nearer than one guess for so many secrets, a search in vain ends soon.
_NEAR = 40


@dataclass(frozen=True)
class Problem:
    """A state of a game, and what is asked about it."""

    game: Game
    hard: bool = False
    #: Guesses left; None: no limit.
    within: int | None = 6
    #: Positions of the candidates among the secrets; None: all of them.
    candidates: tuple[int, ...] | None = None
    #: The (guess, score) pairs so far: hard mode has to know.
    history: tuple[tuple[int, int], ...] = ()
    #: Whether secrets beyond the limit are allowed, and counted first.
    losses: bool = False
    #: What a guess costs: 1, or 0 where only the limit matters.
    price: int = 1

    @property
    def secrets(self) -> Sequence[str]:
        """The candidates, as words."""
        secrets = self.game.secrets
        return secrets if self.candidates is None else [secrets[at] for at in self.candidates]

    @property
    def left(self) -> int:
        """Guesses left as the kernels want it."""
        return UNLIMITED if self.within is None else self.within

    @property
    def ceiling(self) -> int:
        """Values above this are not allowed."""
        return NEVER if self.losses or self.within is None else LOSS - 1


class Workbench:
    """A problem with its room and its engine."""

    def __init__(self, problem: Problem, check_time: Callable[[], None] = lambda: None) -> None:
        self.problem = problem
        secrets = None
        if problem.candidates is not None:
            secrets = np.array(problem.candidates, dtype=np.int32)
        self.room: Room = game_room(problem.game, problem.hard, secrets, problem.price)
        ids = problem.game.secret_ids if secrets is None else problem.game.secret_ids[secrets]
        ceilings = new_ceilings(problem.game, self.room, ids)
        self.mere = Mere(self.room, check_time)
        self.engine = Engine(self.room, _MEMO_BITS, check_time, ceilings, BATCH, self.mere.refutes)
        count = len(self.room.column)
        self.members: Ids = np.arange(count, dtype=np.int32)
        width = len(self.room.guess)
        self.column_of = {int(g): c for c, g in enumerate(self.room.guess) if g >= 0}
        self.shown = self._shown()
        self.columns = [
            c for c in range(width) if self._tells(c) and is_legal(self.room, c, self.shown)
        ]

    def _tells(self, column: int) -> bool:
        """Whether a guess is one that may exclude a candidate; no other is ever of use."""
        room = self.room
        return bool(
            room.guess[column] >= 0 and (room.parts[column] > 1 or room.secret[column] >= 0)
        )

    def _shown(self) -> NDArray[np.uint64]:
        """What the history has shown; every candidate is a witness of the scores."""
        history = self.problem.history if self.problem.hard else ()
        return shown_by(self.room, (self.column_of[guess] for guess, _ in history), 0)

    def way_through(self) -> int:
        """The column of a guess after which the limit can be met, if one is found; else -1."""
        left = self.problem.left
        if self.room.hard or left == UNLIMITED or self.mere.refutes(self.members, left, self.shown):
            return -1
        return self.column_of[self.mere.search.plan(left, self.members).guess[0]]

    def bounds(self, columns: Sequence[int], limit: int) -> NDArray[np.int64]:
        """Bounds of some guesses at a glance."""
        wanted = np.array(columns, dtype=np.int32)
        return self.engine.screen(self.members, wanted, self.problem.left, self.shown, limit)

    def forget(self) -> None:
        """Begin anew, so that what follows does not depend on what was searched before."""
        self.engine.forget()

    def value(self, column: int, limit: int, patient: bool = True) -> Value:
        """The value of one guess within a limit."""
        return self.engine.value_of_guess(
            self.members, column, self.problem.left, self.shown, limit, patient
        )

    def _refutes(self, column: int) -> bool:
        """Whether it is proved that the limit cannot be met after a guess."""
        return self.mere.refutes_guess(self.members, self.problem.left, self.shown, column)

    def screened(self, columns: Sequence[int], race: Race, patient: bool) -> list[Finding]:
        """Screen a batch, and search what it leaves; without patience, only the easy ones."""
        totals = self.bounds(columns, race.limit)
        found: list[Finding] = []
        for place in np.argsort(totals, kind="stable"):
            column, bound, exact = columns[place], int(totals[place]), False
            far = race.limit - bound > len(self.members) // _NEAR  # long to search if in vain
            if bound <= race.limit and race.tight and far and self._refutes(column):
                bound = LOSS
            elif bound <= race.limit:
                value = self.value(column, race.limit, patient)
                bound, exact = value.bound, value.exact
                if exact:
                    race = race.joined(bound)
            found.append((int(self.room.guess[column]), bound, exact))
        return found


@dataclass(frozen=True)
class Race:
    """The best values so far, which set the limit for all others."""

    #: How many places there are.
    top: int
    ceiling: int
    values: tuple[int, ...] = ()
    #: Whether few guesses meet the ceiling, so that it pays to ask that first.
    tight: bool = False

    @property
    def limit(self) -> int:
        """Values above this win no place."""
        return self.values[self.top - 1] if len(self.values) >= self.top else self.ceiling

    def joined(self, value: int) -> Race:
        """With one more value."""
        return replace(self, values=tuple(sorted((*self.values, value))[: self.top]))


@dataclass
class Openers:
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


def least_open(state: Openers, candidates: int, count: int) -> tuple[int, int]:
    """What no guess is below, and how many guesses may still be as good as the best.

    Of those that were not looked at, nothing is known but the size of the state (lemma 1).
    """
    limit = state.limit
    bounds = [bound for bound, exact in state.found.values() if not exact and bound <= limit]
    unseen = count - len(state.found)
    least = min([*bounds, 2 * candidates - 1] if unseen else bounds, default=limit)
    return min(least, limit), len(bounds) + unseen


#: Called with what is known after every task, and how many guesses there are.
Progress = Callable[[Openers, int], None]


class _Tasks(Sequence[Any]):
    """Tasks that are made when they are handed out, with the limit of that moment."""

    def __init__(self, parts: Sequence[Sequence[int]], state: Openers, patient: bool) -> None:
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
    problem: Problem,
    state: Openers,
    bench: Workbench,
    workers: int = 1,
    progress: Progress = lambda state, count: None,
    check_time: Callable[[], None] = lambda: None,
) -> None:
    """Settle or exclude every guess of a problem; ``state`` is complete after it.

    An interrupt or a time limit leaves in ``state`` what is known by then.
    """
    with _Crew(problem, bench, workers if len(bench.columns) > BATCH else 1) as crew:
        _set_pace(state, bench, crew)
        todo = [c for c in bench.columns if int(bench.room.guess[c]) not in state.found]
        batches = [todo[at : at + BATCH] for at in range(0, len(todo), BATCH)]
        for findings in crew.run(_Tasks(batches, state, False)):
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
            for findings in crew.run(_Tasks(parts, state, True)):
                for finding in findings:
                    state.add(finding)
                progress(state, len(bench.columns))
                check_time()


def _set_pace(state: Openers, bench: Workbench, crew: _Crew) -> None:
    """Exact values for a few promising guesses, so that the others meet a limit.

    Where the promising ones are beyond the ceiling, the next are tried, until one is not. Few may
    be within it then: one that is known to be sets the pace, if there is one.
    """
    first = bench.columns[:_PROMISING]
    bounds = bench.bounds(first, state.ceiling)
    order = np.argsort(bounds, kind="stable")
    few = state.top + _PACEMAKERS
    for at in range(0, len(order), few):
        if at == few and state.best is None and state.ceiling < NEVER:
            state.tight = True
            _set_pace_by_possibility(state, bench)
        if bounds[order[at]] > state.limit or (at > 0 and state.best is not None):
            return
        columns = [first[place] for place in order[at : at + few]]
        known = [state.found.get(int(bench.room.guess[c]), (0, False))[1] for c in columns]
        parts = [[c] for c, exact in zip(columns, known, strict=True) if not exact]
        for findings in crew.run(_Tasks(parts, state, True)):
            for finding in findings:
                state.add(finding)


def _set_pace_by_possibility(state: Openers, bench: Workbench) -> None:
    """The exact value of a guess that is known to meet the limit, where promising ones do not."""
    column = bench.way_through()
    if column >= 0:
        value = bench.value(column, state.limit)
        state.add((int(bench.room.guess[column]), value.bound, value.exact))


class _Crew:
    """This process alone, or a pool of workers with benches of their own."""

    def __init__(self, problem: Problem, bench: Workbench, workers: int) -> None:
        self._bench = bench
        self._pool: Pool[Any, list[Finding]] | None = None
        if workers > 1:
            self._pool = Pool(_worker, (problem,), workers)

    def __enter__(self) -> _Crew:
        if self._pool is not None:
            self._pool.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._pool is not None:
            self._pool.__exit__(*error)

    def run(self, tasks: _Tasks) -> Iterable[list[Finding]]:
        """The answers as they come."""
        if self._pool is not None:
            for _, findings in self._pool.run(tasks):
                yield findings
            return
        for task in tasks:
            yield self._bench.screened(*task)


def _worker(problem: Problem) -> Callable[[Any], list[Finding]]:
    bench = Workbench(problem)
    return lambda task: bench.screened(*task)


def time_limit(seconds: float | None) -> Callable[[], None]:
    """A function that raises OutOfTimeError from then on."""
    if seconds is None:
        return lambda: None
    end = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() > end:
            raise OutOfTimeError(f"undecided after {seconds:g} s, the time limit")

    return check


__all__ = [
    "Finding",
    "Nodes",
    "Openers",
    "Problem",
    "Workbench",
    "settle",
    "time_limit",
]
