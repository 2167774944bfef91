"""Progress for whoever calls the library: bars, and a word when something is compiled first."""

from __future__ import annotations

import contextlib
import inspect
import sys
import warnings
from collections.abc import Callable, Iterator
from functools import wraps
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


def tells_progress(
    command: str, reports: bool = True
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A function of the library whose ``progress=True`` shows bars, on a terminal or in a notebook.

    It compiles first what the command of the same work needs, and says so. In a notebook it says so
    without ``progress`` too, unless that is ``False``. What the function itself does is not
    reported if ``reports`` is false: then a call of one's own hears of compiling alone.
    """

    def decorated(func: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(func)

        @wraps(func)
        def told(*args: P.args, **named: P.kwargs) -> R:
            bound = signature.bind(*args, **named)
            progress = bound.arguments.get("progress")
            if progress is True:
                bars = bound.arguments["progress"] = _Bars(command)
                with _notice(bars), _preparing(command, bars.next_of), contextlib.closing(bars):
                    return func(*bound.args, **bound.kwargs)
            if callable(progress) and not reports:
                # when a step begins, the one before it is done
                with _preparing(command, lambda at, of: progress("compiling", int(at > 1), of)):
                    return func(*args, **named)
            if not _in_notebook() or _notices:
                return func(*args, **named)
            with _notice(quiet=progress is not None):
                return func(*args, **named)

        return told

    return decorated


def _in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this, which shows what is written to stderr."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else type(ipython.get_ipython()).__name__
    return shell == "ZMQInteractiveShell"


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
        """Show which step is next."""
        self.began()
        self("compiling", 0 if self._what != "compiling" else 1, whole)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        self._what, self._bar = "", None


def _tqdm() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notebook without widgets shows text
        from tqdm.auto import tqdm
    tqdm.monitor_interval = 0  # no thread: a pool must be able to fork
    return tqdm


#: Those who say that something is compiled, or keep silent: what they call says nothing.
_notices: list[_Bars] = []


@contextlib.contextmanager
def _notice(bars: _Bars | None = None, quiet: bool = False) -> Iterator[None]:
    """Say once that something is compiled, if it is; ``quiet``: nobody says it meanwhile."""
    from solver.machine import dispatch

    bars = bars or _Bars("")
    listener = ignore if quiet else bars.began
    dispatch.listeners.append(listener)
    _notices.append(bars)
    try:
        yield
    finally:
        _notices.remove(bars)
        dispatch.listeners.remove(listener)


@contextlib.contextmanager
def _preparing(command: str, report: Callable[[int, int], None]) -> Iterator[None]:
    """Compile all that the command of the same work needs as soon as something is missing."""
    from solver.machine import dispatch

    from ..toolbox.machine_code import compile_for, labels_of

    dispatch.expect(
        lambda missing, form: compile_for(
            [command], None, report, labels_of(command, missing, form)
        )
    )
    try:
        yield
    finally:
        dispatch.expect(None)
