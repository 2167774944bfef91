"""Who does the work of a sweep: this process, processes of this machine, or any executor.

Work is a function that can be imported by its name, a question, and batches: the function answers
one batch after the other, each time with the same question.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol, TypeVar

from solver.errors import CouldNotFinishError
from solver.machine.pool import Pool, available_cores

Q = TypeVar("Q")
B = TypeVar("B")
R = TypeVar("R")

#: So many batches are with an executor at least: workers that come later find something to do.
_AHEAD = 32


class SweepRunner(Protocol):
    """Whoever answers the batches of a sweep, one after the other, as they are finished."""

    @property
    def workers(self) -> int:
        """How many batches are in the works at a time."""

    @property
    def seconds(self) -> float:
        """How long a batch should take, so that handing it over costs nothing beside it."""

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches; a batch is asked for when it is handed out."""


@dataclass(frozen=True)
class InThisProcess:
    """A runner of a sweep that answers one batch after the other, in this process."""

    workers: int = 1
    seconds: float = 0.25

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches, one after the other."""
        for batch in batches:
            yield answer(question, batch)


@dataclass(frozen=True)
class ByProcesses:
    """A runner of a sweep with processes of this machine.

    Forked ones find what this one has made.
    """

    workers: int
    seconds: float = 1.0

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches, by processes of this machine, as they are finished."""
        with Pool(_answering, (answer, question), min(self.workers, len(batches))) as pool:
            for _, found in pool.run(batches):
                yield found


def _answering(answer: Callable[[Q, B], R], question: Q) -> Callable[[B], R]:
    """What a worker process answers batches with."""
    return lambda batch: answer(question, batch)


def runner_of(workers: int | None) -> SweepRunner:
    """A runner of a sweep with so many processes; ``None`` are as many as there are cores."""
    count = workers or available_cores()
    return InThisProcess() if count == 1 else ByProcesses(count)


class BatchExecutor(Protocol):
    """What is asked of an executor: those of ``concurrent.futures`` have it, and Dask's."""

    def submit(self, task: Callable[..., Any], /, *arguments: Any) -> Any:
        """Begin a task; a future that will have its answer."""


@dataclass(frozen=True)
class ByExecutor:
    """A runner of a sweep with any executor whose workers can import this program."""

    executor: BatchExecutor
    workers: int
    seconds: float = 2.0

    def run(self, answer: Callable[[Q, B], R], question: Q, batches: Sequence[B]) -> Iterator[R]:
        """The answers to all batches, by the workers of the executor."""
        waiting = iter(batches)
        ahead = max(_AHEAD, 2 * self.workers)
        busy: set[Any] = set()
        try:
            while True:
                for batch in islice(waiting, ahead - len(busy)):
                    busy.add(self.executor.submit(answer, question, batch))
                if not busy:
                    return
                first = concurrent.futures.FIRST_COMPLETED
                for future in concurrent.futures.wait(busy, return_when=first).done:
                    busy.discard(future)
                    yield future.result()
        except Exception as error:
            if hasattr(error, "exit_code"):
                raise  # of ours: it says what is wrong, here or there
            why = str(error).partition("\n")[0] or type(error).__name__
            raise CouldNotFinishError(
                f"the workers have given up ({type(error).__name__}): {why}"
            ) from None
        finally:
            for future in busy:
                future.cancel()
