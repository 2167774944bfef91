"""The course of a race: what is to be done about the first guesses, and what after what.

Nobody waits for another if it can be helped: of several workers one begins with what comes next as
soon as nothing is left of what comes before, though others are still at it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from typing import Any

from ...tree import Tree
from ..lemmas import NEVER
from .problem import Finding
from .standings import FirstGuesses
from .tasks import Bounding, CountingAhead, Planning, Screening, Screenings, Task
from .workbench import Workbench
from .worker_shares import batch_sizes, batches, in_turn, shares

#: Guesses among which the most promising ones are looked for.
_PROMISING = 128
#: Guesses that are searched before all others, beyond those that are to be exact.
_PACEMAKERS = 3
#: Guesses for each of several workers that are searched after the best have their strategies.
_LAST = 3

#: Tasks in the order in which they should be begun.
Phase = Iterable[Task]


class Course:
    """The tasks of a race of first guesses, made one by one from what is known at that moment."""

    def __init__(self, state: FirstGuesses, bench: Workbench, workers: int, planned: bool) -> None:
        """``planned``: whether the best guesses are to get their strategies."""
        self._state = state
        self._bench = bench
        self._workers = workers
        self._planned = planned
        self._tasks: dict[int, Task] = {}
        self._bounds: dict[int, int] = {}
        self._plans: dict[int, tuple[int, Tree]] = {}
        self._share = {
            column: at
            for at, share in enumerate(shares(bench, bench.columns, workers))
            for column in share
        }
        self._numbers = count()
        #: Begun with the first task: it holds on to this course until it has come to its end.
        self._running: Iterator[Task | None] | None = None
        #: The worker that asks for a task, if it matters who does.
        self._asking: int | None = None

    @property
    def plans(self) -> dict[int, Tree]:
        """The strategies of the best first guesses."""
        best = self._state.best
        return {guess: tree for guess, (value, tree) in self._plans.items() if value == best}

    def take(self, task: Task, answer: Any) -> None:
        """Note the answer to a task of the race."""
        if isinstance(task, Screening):
            self.heed(answer)
        elif isinstance(task, Bounding):
            self._bounds.update(zip(task.columns, answer.tolist(), strict=True))
        elif isinstance(task, Planning):
            self._plans[self._guess(task.column)] = (task.value, answer)

    def heed(self, findings: Iterable[Finding]) -> None:
        """Note what was found out about first guesses."""
        for finding in findings:
            self._state.add(finding)

    def take_numbered(self, number: int, answer: Any) -> None:
        """Note the answer to the task of the race with a number."""
        self.take(self._tasks.pop(number), answer)

    def task_for(self, worker: int) -> Task | None:
        """A task for a worker; None while there is none before those at work have answered."""
        self._asking = worker
        if self._running is None:
            self._running = self._tasks_in_turn()
        task = next(self._running, None)
        if task is not None:
            self._tasks[next(self._numbers)] = task
        return task

    def _tasks_in_turn(self) -> Iterator[Task | None]:
        for phase in self.phases():
            if phase is None:
                yield None
            else:
                yield from phase

    def phases(self) -> Iterator[Phase | None]:
        """Tasks that do not depend on each other, and after them others; None where all wait."""
        yield [CountingAhead(*part) for part in self._bench.parts_ahead(self._workers)]
        yield from self._answered()
        yield from self._pace()
        known = {self._bench.column_of[guess] for guess in self._state.found} | self._at_work()
        todo = [column for column in self._bench.columns if column not in known]
        yield self._screenings(todo, patient=False)
        yield from self._rest()

    def _guess(self, column: int) -> int:
        return int(self._bench.table.guess[column])

    def _screened(self) -> list[Screening]:
        """The screenings that somebody is at."""
        return [task for task in self._tasks.values() if isinstance(task, Screening)]

    def _at_work(self) -> set[int]:
        """The columns that somebody is screening."""
        return {column for task in self._screened() for column in task.columns}

    def _answered(self) -> Iterator[None]:
        """Wait until nobody is at work."""
        while self._tasks:
            yield None

    def _of_share(self, columns: Iterable[int]) -> list[list[int]]:
        """The columns, each in the share of its worker."""
        parts: list[list[int]] = [[] for _ in range(self._workers)]
        for column in columns:
            parts[self._share[column]].append(column)
        return parts

    def _screenings(self, columns: Sequence[int], patient: bool) -> Phase:
        """Screen these columns: with patience each alone, else in batches."""
        race, sizes = self._state.race, (1,) if patient else batch_sizes(self._workers)
        cut = [batches(part, sizes) for part in self._of_share(columns)]
        if self._asking is not None:
            return self._dealt(cut, lambda part: Screening(part, race(), patient))
        return Screenings(batches(columns, sizes) if patient else in_turn(cut), race, patient)

    def _dealt(
        self, parts: Sequence[Sequence[Sequence[int]]], task: Callable[[Sequence[int]], Task]
    ) -> Iterator[Task]:
        """Who asks gets what there is of his own share, then of the one that has most left."""
        left = [deque(part) for part in parts]
        while any(left):
            chosen = left[self._asking or 0] or max(left, key=len)
            yield task(chosen.popleft())

    def _unlike(self, columns: Sequence[int]) -> Phase:
        """Screen promising columns with patience, at a time such as are little alike.

        Like guesses leave the same hard buckets, which two workers would search at the same time:
        so who helps with a share begins behind, and leaves its last guess to its worker, or to the
        screening of all.
        """
        if self._asking is None:
            yield from self._screenings(columns, patient=True)
            return
        left = [deque(part) for part in self._of_share(columns)]
        while any(left):
            own, other = left[self._asking or 0], max(left, key=len)
            if not own and len(other) == 1 and self._state.best is not None:
                return
            column = own.popleft() if own else other.pop()
            yield Screening([column], self._state.race(), True)

    def _pace(self) -> Iterator[Phase | None]:
        """Exact values for a few promising guesses: the others meet a limit.

        Where the promising ones are beyond the ceiling, the next are tried, until one is not. Few
        may be within it then: one that is known to be sets the pace, if there is one.
        """
        state, first = self._state, self._bench.columns[:_PROMISING]
        size = _PROMISING if self._workers == 1 else _PROMISING // 4
        parts = [batches(part, (size,)) for part in self._of_share(first)]
        yield self._dealt(parts, lambda part: Bounding(part, state.ceiling))
        yield from self._answered()
        order = sorted(first, key=self._bounds.__getitem__)
        few = state.top + _PACEMAKERS
        for at in range(0, len(order), few):
            if at == few and state.best is None and state.ceiling < NEVER:
                state.tight = True
                self._set_pace_by_possibility()
            if self._bounds[order[at]] > state.limit or (at > 0 and state.best is not None):
                return
            known = [state.found.get(self._guess(c), (0, False))[1] for c in order[at : at + few]]
            todo = [c for c, exact in zip(order[at : at + few], known, strict=True) if not exact]
            yield self._unlike(todo)
            while state.best is None and self._tasks:
                yield None

    def _set_pace_by_possibility(self) -> None:
        """The exact value of a guess that is known to meet the limit, where promising do not."""
        column = self._bench.way_through()
        if column >= 0:
            value = self._bench.value(column, self._state.limit)
            self._state.add((self._guess(column), value.bound, value.exact))

    def _rest(self) -> Iterator[Phase | None]:
        """What screening leaves, and the strategies of the best.

        Alone, these come last, when they are sure to be wanted. Several workers make them before
        the last few guesses, which hardly ever are better: nobody waits for a single strategy.
        """
        state, column_of = self._state, self._bench.column_of
        last = _LAST * self._workers if self._workers > 1 else 0
        while True:
            at_work = self._at_work()
            open_ = sorted(
                (bound, guess)
                for guess, bound in state.still_open().items()
                if column_of[guess] not in at_work
            )
            plans = self._wanted_plans()
            if plans and len(open_) <= last and all(task.patient for task in self._screened()):
                yield plans
            elif open_:
                first = open_[:-last] if last else open_
                yield self._screenings([column_of[guess] for _, guess in first or open_], True)
            elif self._tasks:
                yield None
            else:
                return

    def _wanted_plans(self) -> list[Planning]:
        """The strategies that nobody has, nor is at work on: those of the best as far as known."""
        best, ties = self._state.best, self._state.ties()
        if not self._planned or best is None:
            return []
        ours = {task for task in self._tasks.values() if isinstance(task, Planning)}
        wanted = [Planning(self._bench.column_of[guess], best) for guess in ties]
        had = self.plans
        return [plan for plan in wanted if plan not in ours and self._guess(plan.column) not in had]
