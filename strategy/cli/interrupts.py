"""Interrupts of a command: Ctrl-C, SIGTERM, a lost terminal. It ends in good order.

Python raises KeyboardInterrupt wherever it happens to be, and where that is a callback from C
(while numba compiles or loads kernels, for instance) the exception is dropped, and the run goes on
or fails on what the callback has left undone. So the handler also remembers; the commands ask
before they write anything, and whoever reports an error asks first. What Python has to say of a
dropped exception is left unsaid.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

#: The number of the signal that interrupted the command, 0 without.
_received = 0
#: Seconds between two looks for an interrupt while a command waits for a line.
_WAIT_INTERVAL = 0.2

#: The signals that end a command in good order, with what is said of them. The exit code is the
#: one that a shell gives to a process which died by the signal: 128 and its number.
_WORDS = {"SIGINT": "interrupted", "SIGTERM": "terminated", "SIGHUP": "the terminal is gone"}
ENDINGS = {getattr(signal, it): said for it, said in _WORDS.items() if hasattr(signal, it)}


def interrupt_came() -> bool:
    """Whether an interrupt has come, lost or not, since the command of the terminal began."""
    return _received != 0


def interrupt_ending() -> tuple[str, int]:
    """What interrupted the command, in words, and its exit code."""
    number = _received or signal.SIGINT
    return ENDINGS[signal.Signals(number)], 128 + number


def check_interrupt() -> None:
    """Raise the KeyboardInterrupt of a command that may have been lost."""
    if _received:
        raise KeyboardInterrupt


@contextlib.contextmanager
def interrupt_set_aside() -> Iterator[None]:
    """Let a command that was interrupted write what it has found; a second interrupt ends that."""
    global _received
    before, _received = _received, 0
    try:
        yield
    finally:
        _received = _received or before


@contextlib.contextmanager
def reporting_what_is_known(report: Callable[[Any], None]) -> Iterator[None]:
    """Report what an error or an interrupt carries as the best so far, and go on with it."""
    from solver.errors import CouldNotFinishError  # here: to check a file loads no solver

    try:
        yield
    except CouldNotFinishError as error:
        if error.best is None:
            raise
        report(error.best)
        raise type(error)(f"{error}; what is reported is a bound") from None
    except KeyboardInterrupt as error:
        known = getattr(error, "best", None)
        if known is not None:
            with interrupt_set_aside():
                report(known)
        raise


@contextlib.contextmanager
def call_every(seconds: float, what: Callable[[], None]) -> Iterator[None]:
    """Call something, while a command runs, again and again by a timer's signal."""
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda number, frame: what())
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def interrupts_while_waiting() -> Iterator[None]:
    """Take notice of an interrupt while waiting for a line, even of one just before the wait.

    Python looks for signals before it waits for a key and when one breaks the wait, but not in
    between: one that comes there is heeded at the next key. So a timer breaks the wait again and
    again. It is left alone where there is none, or somebody else's.
    """
    free = hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    with call_every(_WAIT_INTERVAL, check_interrupt) if free else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def interrupts_remembered() -> Iterator[None]:
    """Remember interrupts while a command runs.

    Without effect outside the main thread, and for a signal that is ignored: a shell starts a
    script's background jobs so, lest Ctrl-C for another program should end them, and ``nohup``
    its command.
    """
    global _received
    _received = 0
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDINGS}
    heeded = {number: old for number, old in before.items() if old != signal.SIG_IGN}
    for number in heeded:
        signal.signal(number, _remember_interrupt)
    report = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if _received else report(lost)
    try:
        yield
    finally:
        sys.unraisablehook = report
        for number, old in heeded.items():
            signal.signal(number, signal.SIG_DFL if old is None else old)


def _remember_interrupt(number: int, frame: object) -> None:
    global _received
    _received = number
    raise KeyboardInterrupt
