"""Worker processes that share tasks; a dead one ends a run with an error, never with a hang.

The pools of the standard library either wait for ever when a worker is killed or take one for dead
that is slow. Here each worker has a pipe of its own, gets its next task when it has answered the
last one, and is watched through its sentinel. A worker ends with its parent, however that ends.

Workers are forked where that is safe (Linux, a single thread), so that they inherit what the
parent has loaded; elsewhere they are spawned and rebuild it. Nothing large goes through a pipe.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar, cast

from ..errors import CouldNotFinishError

T = TypeVar("T")
R = TypeVar("R")

#: Seconds that a worker has to end when nobody needs it any more.
_GRACE = 5.0


def available_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool(Generic[T, R]):
    """Workers that each call ``setup(*arguments)`` once and answer tasks with what it returns."""

    def __init__(
        self, setup: Callable[..., Callable[[T], R]], arguments: tuple[Any, ...], workers: int
    ) -> None:
        self._setup = setup
        self._arguments = arguments
        self._count = workers
        self._workers: list[tuple[BaseProcess, Connection]] = []

    def __enter__(self) -> Pool[T, R]:
        try:
            self._start()
        except BaseException as error:
            self.__exit__(type(error))  # nobody else ends those that have started
            if isinstance(error, OSError):
                why = error.strerror or error
                raise CouldNotFinishError(
                    f"a worker process cannot be started: {why}; --workers 1 needs none"
                ) from error
            raise
        return self

    def _start(self) -> None:
        context = _context()
        forked = context.get_start_method() == "fork"
        for _ in range(self._count):
            ours, theirs = context.Pipe()
            # a forked worker must let go of the pipes to its elders, or they would outlive us
            inherited = [ours, *(pipe for _, pipe in self._workers)] if forked else []
            given = (os.getpid(), theirs, inherited, self._setup, self._arguments)
            process = cast("Any", context).Process(target=_serve, args=given, daemon=True)
            with _signals_held():
                process.start()
                self._workers.append((process, ours))
            theirs.close()

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        for process, pipe in self._workers:
            if kind is not None:
                process.kill()
            pipe.close()
        for process, _ in self._workers:
            process.join(timeout=_GRACE)
            if process.is_alive():
                process.kill()
                process.join()
        self._workers.clear()

    def run(self, tasks: Sequence[T]) -> Iterator[tuple[int, R]]:
        """Answer all tasks, in the order in which they are finished: (number of the task, answer).

        Tasks are handed out in the given order, so the longest should come first.
        """
        waiting = iter(tasks)
        return self.serve(lambda worker: next(waiting, None), of_all=f" of {len(tasks)}")

    def serve(
        self,
        task_for: Callable[[int], T | None],
        heed: Callable[[int, R], None] = lambda number, answer: None,
        of_all: str = "",
    ) -> Iterator[tuple[int, R]]:
        """Answer tasks that are made when a worker is free, for that worker: by its number.

        There may be none for it before others have answered; there are no more when nobody gets
        one. ``heed`` gets each answer before anybody is given the next task. ``of_all`` says of
        how many tasks one is, where it is named.
        """
        numbers = count()
        busy: dict[int, int] = {}
        while True:
            self._hand_out(task_for, numbers, busy)
            if not busy:
                return
            watched = [self._workers[worker] for worker in busy]
            ready = wait([way for process, pipe in watched for way in (pipe, process.sentinel)])
            for worker, (_, pipe) in zip([*busy], watched, strict=True):
                if pipe in ready:
                    number = busy.pop(worker)
                    answer = self._answer(worker, f"in task {number + 1}{of_all}")
                    heed(number, answer)
                    self._hand_out(task_for, numbers, busy)
                    yield number, answer
            for worker, number in busy.items():
                process, pipe = self._workers[worker]
                if process.sentinel in ready and not pipe.poll():
                    raise _died(process, f"in task {number + 1}{of_all}")

    def _hand_out(
        self, task_for: Callable[[int], T | None], numbers: Iterator[int], busy: dict[int, int]
    ) -> None:
        """Give a task to everybody who has none, as long as there are any."""
        for worker, (process, pipe) in enumerate(self._workers):
            if worker not in busy and (task := task_for(worker)) is not None:
                number = busy[worker] = next(numbers)
                try:
                    pipe.send(task)
                except OSError:
                    raise _died(process, f"before task {number + 1}") from None

    def _answer(self, worker: int, when: str) -> R:
        process, pipe = self._workers[worker]
        try:
            failed, answer = pipe.recv()
        except (EOFError, OSError):
            raise _died(process, when) from None
        if failed:
            raise answer
        return cast("R", answer)


class LateTasks(Sequence[T]):
    """Tasks that are made when they are handed out."""

    def __init__(self, parts: Sequence[Any], task_of: Callable[[Any], T]) -> None:
        self._parts, self._task_of = parts, task_of

    def __len__(self) -> int:
        return len(self._parts)

    def __getitem__(self, number: Any) -> Any:
        return self._task_of(self._parts[number])


def _died(process: BaseProcess, when: str) -> CouldNotFinishError:
    process.join(timeout=1)
    code = process.exitcode
    how = f"exit code {code}"
    if code is not None and code < 0:
        how = f"killed by {signal.Signals(-code).name}"
    return CouldNotFinishError(f"a worker process died {when} ({how}); the run is stopped")


#: What a person or a system sends to end a run. The parent ends its workers, in good order.
_ENDINGS = {getattr(signal, it) for it in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, it)}


@contextlib.contextmanager
def _signals_held() -> Iterator[None]:
    """Keep Ctrl-C and the like waiting while a process starts: a half-started worker would get it.

    Its handlers are still the parent's then.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context() -> BaseContext:
    safe = sys.platform.startswith("linux") and threading.active_count() == 1
    return multiprocessing.get_context("fork" if safe else "spawn")


def workers_inherit() -> bool:
    """Whether workers find what the parent has made: then nothing given to them is sent."""
    return _context().get_start_method() == "fork"


def _end_with(parent: int) -> None:
    """End this worker when its parent is gone, be it in the middle of a task.

    Linux does that by itself. Elsewhere a thread watches, which a kernel keeps waiting until it
    returns.
    """
    if sys.platform.startswith("linux"):
        import ctypes

        prctl = getattr(ctypes.CDLL(None), "prctl", None)
        if prctl is not None and prctl(_SIGNAL_WHEN_THE_PARENT_ENDS, signal.SIGKILL, 0, 0, 0) == 0:
            if os.getppid() != parent:  # it went before we asked
                os._exit(1)
            return
    above = multiprocessing.parent_process()
    if above is not None:
        threading.Thread(target=_watch, args=(above.sentinel,), daemon=True).start()


_SIGNAL_WHEN_THE_PARENT_ENDS = 1  # PR_SET_PDEATHSIG


def _watch(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


def _serve(
    parent: int,
    pipe: Connection,
    inherited: Sequence[Connection],
    setup: Callable[..., Callable[[T], R]],
    arguments: tuple[Any, ...],
) -> None:
    """The life of a worker: set up, answer until the pipe closes. Ctrl-C is the parent's affair."""
    for number in _ENDINGS:
        if number == signal.SIGINT:
            signal.signal(number, signal.SIG_IGN)
        elif signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)
    _end_with(parent)
    for other in inherited:
        other.close()
    answer: Callable[[T], R] | None = None
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            if answer is None:
                answer = setup(*arguments)
            message: tuple[bool, Any] = (False, answer(task))
        except Exception as error:  # the parent must hear of anything that goes wrong here
            message = (True, error)
        try:
            pipe.send(message)
        except OSError:
            return
