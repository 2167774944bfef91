"""Processes that search side by side: first guesses, or the hard buckets of one.

Where workers inherit what their parent has made they search on the bench that is there, clock and
all; elsewhere each makes one of its own. What they find does not depend on who found it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from ...machine.pool import Pool, workers_inherit
from ...tree import Tree
from ..state_values.results import HardBucket, Share, Value
from .problem import Finding, Problem
from .schedule import Course
from .tasks import Screenings, Task
from .workbench import Workbench


class Helpers(Protocol):
    """Whoever else looks at first guesses: workers of other machines, with benches of their own."""

    @property
    def count(self) -> int:
        """How many tasks of a race the helpers have in the works at a time."""

    def run(self, tasks: Sequence[Any]) -> Iterable[list[Finding]]:
        """What ``screened`` of a bench says of all tasks, in the order they are finished."""


class Workers:
    """This process alone, a pool of workers, or helpers, to look at first guesses."""

    def __init__(self, bench: Workbench, workers: int | Helpers) -> None:
        self._bench = bench
        self.count = workers if isinstance(workers, int) else workers.count
        self._helpers = None if isinstance(workers, int) else workers
        self._pool: Pool[Task, Any] | None = None
        if isinstance(workers, int) and workers > 1:
            if workers_inherit():
                bench.look_ahead()
            self._pool = Pool(_doer, _given(bench), workers)

    def __enter__(self) -> Workers:
        if self._pool is not None:
            self._pool.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        if self._pool is not None:
            self._pool.__exit__(*error)

    def run(self, course: Course) -> Iterator[None]:
        """Do all tasks of a course, and tell it the answers; whenever one is there, go on."""
        if self._pool is not None:
            for _ in self._pool.serve(course.task_for, course.take_numbered):
                yield
            return
        for phase in course.phases():
            assert phase is not None  # nobody is at work when the next is asked for
            if self._helpers is not None and isinstance(phase, Screenings):
                for findings in self._helpers.run(phase):
                    course.heed(findings)
                    yield
                continue
            for task in phase:
                course.take(task, task.by(self._bench))
                yield


def shared(bench: Workbench, workers: int) -> Share | None:
    """A way to have several workers search the hard buckets of a first guess, if there are."""

    def share(buckets: Sequence[HardBucket]) -> Iterator[tuple[Value, Tree]]:
        count = len(buckets)
        if count < 2:
            yield from map(bench.engine.solved, buckets)
            return
        done: dict[int, tuple[Value, Tree]] = {}
        longest = sorted(range(count), key=lambda at: -len(buckets[at].rows))
        with Pool(_bucket_solver, _given(bench), min(workers, count)) as pool:
            for number, answer in pool.run([buckets[at] for at in longest]):
                done[longest[number]] = answer
        yield from (done[at] for at in range(count))

    return share if workers > 1 else None


def _given(bench: Workbench) -> tuple[Problem, Workbench | None]:
    """What a worker is told: the bench itself, if it can be had for nothing."""
    return bench.problem, bench if workers_inherit() else None


def _bench_of(problem: Problem, bench: Workbench | None) -> Workbench:
    return Workbench(problem) if bench is None else bench


def _doer(problem: Problem, bench: Workbench | None) -> Callable[[Task], Any]:
    own = _bench_of(problem, bench)

    def done(task: Task) -> Any:
        own.make_space()
        return task.by(own)

    return done


def _bucket_solver(
    problem: Problem, bench: Workbench | None
) -> Callable[[HardBucket], tuple[Value, Tree]]:
    return _bench_of(problem, bench).engine.solved
