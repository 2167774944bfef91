"""Progress for whoever calls the library: bars, and a word when something is compiled first."""

from __future__ import annotations

import contextlib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
#: What is called with the progress of something; or whether bars show it.
Call = Callable[..., None]


def ignore(*_: Any) -> None:
    """Take no notice of progress."""


def as_call(progress: bool | Call | None) -> Call:
    """What to call: inside a function that ``tells_progress``, ``True`` has become its bars."""
    return progress if callable(progress) else ignore


def tells_progress(command: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function of the library whose ``progress=True`` shows bars, on a terminal or in a notebook.

    It compiles first what the command of the same work needs, and says so.
    """

    def decorated(func: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(func)

        @wraps(func)
        def told(*args: P.args, **named: P.kwargs) -> R:
            bound = signature.bind(*args, **named)
            if bound.arguments.get("progress") is not True:
                return func(*args, **named)
            with _bars(command) as bars:
                bound.arguments["progress"] = bars
                return func(*bound.args, **bound.kwargs)

        return told

    return decorated


class _Bars:
    """A bar of ``tqdm`` for each thing that is being done."""

    def __init__(self, command: str) -> None:
        self._command = command
        self._what = ""
        self._bar: Any = None
        self._said = False

    def __call__(self, *report: Any) -> None:
        """Add to the bar of what is done: ``(what, new, whole[, more])``, or ``(new, whole)``."""
        what, new, whole, more = (
            (*report, "")[:4] if isinstance(report[0], str) else (self._command, *report, "")
        )
        if what != self._what:
            self.close()
            self._what, self._bar = what, _tqdm()(total=whole, desc=what, leave=False)
        if more:
            self._bar.set_postfix_str(more, refresh=False)
        self._bar.update(new)

    def began(self) -> None:
        """Say once that something is compiled."""
        if not self._said:
            from ..toolbox import machine_code

            self._said = True
            sys.stderr.write(f"{machine_code.notice()}\n")
            sys.stderr.flush()

    def next_of(self, number: int, whole: int) -> None:
        """Show which kernel is next."""
        self.began()
        self("compiling", 0 if self._what != "compiling" else 1, whole)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()
        self._what, self._bar = "", None


def _tqdm() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets shows text
        from tqdm.auto import tqdm
    tqdm.monitor_interval = 0  # no thread: a pool must be able to fork
    return tqdm


@contextlib.contextmanager
def _bars(command: str) -> Iterator[_Bars]:
    from solver.machine import dispatch

    from ..toolbox.machine_code import compile_for

    bars = _Bars(command)
    listener = bars.began, ignore
    dispatch.listeners.append(listener)
    dispatch.expect(partial(compile_for, [command], None, bars.next_of, further=False))
    try:
        yield bars
    finally:
        dispatch.listeners.remove(listener)
        dispatch.expect(ignore)
        bars.close()
