"""Ctrl-C that cannot get lost.

Python raises KeyboardInterrupt wherever it happens to be, and where that is a callback from C
(while numba compiles or loads kernels, for instance) the exception is dropped, and the run goes on
or stumbles over what the callback has left undone. So the handler also remembers; the commands ask
before they write anything, and whoever reports an error asks first. What Python has to say of a
dropped exception is left unsaid.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator

_interrupted = False


def came() -> bool:
    """Whether there was an interrupt, lost or not, since the command began."""
    return _interrupted


def check() -> None:
    """Raise the KeyboardInterrupt that may have been lost."""
    if _interrupted:
        raise KeyboardInterrupt


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Remember interrupts while a command runs.

    Without effect outside the main thread, and where interrupts are ignored: a shell starts a
    script's background jobs so, lest Ctrl-C for another program should end them.
    """
    global _interrupted
    _interrupted = False
    before = signal.getsignal(signal.SIGINT)
    if before == signal.SIG_IGN or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, _handle)
    report = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if _interrupted else report(lost)
    try:
        yield
    finally:
        sys.unraisablehook = report
        signal.signal(signal.SIGINT, signal.default_int_handler if before is None else before)


def _handle(number: int, frame: object) -> None:
    global _interrupted
    _interrupted = True
    raise KeyboardInterrupt
