"""Clocks of a search: time limits that it asks about now and then, and where the seconds went.

A search that is broken off, by its time limit or by Ctrl-C, hands over what it has found as
``best`` of the exception.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import CouldNotFinishError


class OutOfTimeError(CouldNotFinishError):
    """The time limit was reached before the search could decide."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a search that has found something already: ``best``."""

    def __init__(self, best: Any) -> None:
        super().__init__()
        self.best = best


def carrying(
    error: KeyboardInterrupt | CouldNotFinishError, best: Any
) -> KeyboardInterrupt | CouldNotFinishError:
    """On running out of time, or Ctrl-C: the exception to raise, with what was found."""
    if isinstance(error, CouldNotFinishError):
        error.best = best
        return error
    return error if best is None else Interrupted(best)


def limit_clock(seconds: float | None) -> Callable[[], None]:
    """A clock for a search: a function that raises OutOfTimeError after so many seconds.

    It stands still while kernels are compiled.
    """
    if seconds is None:
        return lambda: None
    end = working_time() + seconds

    def check() -> None:
        if working_time() > end:
            raise OutOfTimeError(f"undecided after {seconds:g} s, the time limit")

    return check


def is_past(moment: float | None) -> bool:
    """Whether a moment, in seconds since 1970 as all machines count them, is over; None never."""
    return moment is not None and time.time() > moment


class Deadline:
    """A time limit on the clock that all machines share, set anew for each piece of work.

    A search holds on to its clock. So this knows nothing of who sets it: that would wait for the
    garbage collector, with its tables, once it is done.
    """

    def __init__(self) -> None:
        #: Seconds since 1970; None: there is no limit.
        self.until: float | None = None

    def is_over(self) -> bool:
        """Whether the time limit is over."""
        return is_past(self.until)

    def check(self) -> None:
        """Raise OutOfTimeError if the time limit is over."""
        if self.is_over():
            raise OutOfTimeError("undecided at the time limit")


class _CompileTime:
    """The seconds in which this process compiled kernels, or waited for those who compile them."""

    def __init__(self) -> None:
        self.seconds, self._begun, self._depth = 0.0, 0.0, 0
        #: Processor time of this process while it compiled.
        self.cpu, self._cpu_begun = 0.0, 0.0
        #: How often it was interrupted: then there are kernels that would be compiled anew.
        self.interruptions = 0

    @contextlib.contextmanager
    def counted(self) -> Iterator[None]:
        """Count the seconds while this lasts; within another such one, once."""
        if not self._depth:
            self._begun, self._cpu_begun = time.perf_counter(), time.process_time()
        self._depth += 1
        try:
            yield
        except KeyboardInterrupt:
            self.interruptions += 1
            raise
        finally:
            self._depth -= 1
            if not self._depth:
                self.seconds += time.perf_counter() - self._begun
                self.cpu += time.process_time() - self._cpu_begun


#: Of this process: compilers add to it, clocks subtract it.
compile_time = _CompileTime()


def working_time() -> float:
    """A clock in seconds that stands still while kernels are compiled."""
    return time.perf_counter() - compile_time.seconds


def working_cpu() -> float:
    """The processor time of this process, which stands still while kernels are compiled."""
    return time.process_time() - compile_time.cpu


class Clock:
    """The seconds that parts of the work took; compilation is a part by itself."""

    def __init__(self) -> None:
        self._begun, self._compiled = time.perf_counter(), compile_time.seconds
        self._last = working_time()
        self._seconds: dict[str, float] = {}

    def lap(self, part: str) -> None:
        """Close a part of the work: its seconds are those since the last one was closed."""
        now = working_time()
        self._seconds[part] = self._seconds.get(part, 0.0) + now - self._last
        self._last = now

    def move(self, seconds: float, part: str, other: str) -> None:
        """Count some seconds of a part of the work to another one."""
        self._seconds[part] -= seconds
        self._seconds[other] = self._seconds.get(other, 0.0) + seconds

    def seconds(self) -> dict[str, float]:
        """The seconds of all parts, ``compile`` among them, and of the whole under ``all``."""
        compiled = compile_time.seconds - self._compiled
        return self._seconds | {"compile": compiled, "all": time.perf_counter() - self._begun}
