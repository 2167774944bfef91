"""Who does the work: this process, processes of this machine, or any executor."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from solver.errors import CouldNotFinishError
from solver.machine.pool import Pool

from .question import SweepQuestion
from .rows import OpenerRow
from .tasks import SweepBatch, answer_batch, answerer


class SweepRunner(Protocol):
    """Whoever answers batches: rows of one after the other, in the order they are finished."""

    @property
    def workers(self) -> int:
        """How many batches are in the works at a time."""

    @property
    def seconds(self) -> float:
        """How long a batch should take: what it costs to hand one over is to be nothing to that."""

    def run(
        self, question: SweepQuestion, batches: Sequence[SweepBatch]
    ) -> Iterator[list[OpenerRow]]:
        """Answer all batches."""


@dataclass(frozen=True)
class InThisProcess:
    """One batch after the other, here."""

    workers: int = 1
    seconds: float = 0.25

    def run(
        self, question: SweepQuestion, batches: Sequence[SweepBatch]
    ) -> Iterator[list[OpenerRow]]:
        """Answer all batches."""
        for batch in batches:
            yield answer_batch(question, batch)


@dataclass(frozen=True)
class ByProcesses:
    """Processes of this machine. Forked ones find the matrix that this one has made."""

    workers: int
    seconds: float = 0.25

    def run(
        self, question: SweepQuestion, batches: Sequence[SweepBatch]
    ) -> Iterator[list[OpenerRow]]:
        """Answer all batches."""
        with Pool(answerer, (question,), min(self.workers, len(batches))) as pool:
            for _, rows in pool.run(batches):
                yield rows


class BatchExecutor(Protocol):
    """What is asked of an executor: those of ``concurrent.futures`` have it, and Dask's."""

    def submit(self, task: Callable[..., Any], /, *arguments: Any) -> Any:
        """Begin a task; a future that will have its answer."""


@dataclass(frozen=True)
class ByExecutor:
    """Any executor whose workers can import this program."""

    executor: BatchExecutor
    workers: int
    seconds: float = 2.0

    def run(
        self, question: SweepQuestion, batches: Sequence[SweepBatch]
    ) -> Iterator[list[OpenerRow]]:
        """Answer all batches."""
        futures = [self.executor.submit(answer_batch, question, batch) for batch in batches]
        try:
            for future in concurrent.futures.as_completed(futures):
                yield future.result()
        except Exception as error:
            if hasattr(error, "exit_code"):
                raise  # of ours: it says what is wrong, here or there
            why = str(error).partition("\n")[0] or type(error).__name__
            raise CouldNotFinishError(
                f"the workers have given up ({type(error).__name__}): {why}"
            ) from None
        finally:
            for future in futures:
                future.cancel()
