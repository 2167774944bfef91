"""Ctrl-C that cannot get lost.

Python raises KeyboardInterrupt wherever it happens to be, and where that is a callback from C
(while numba loads kernels, for instance) the exception is dropped and the run goes on. So the
handler also remembers, and the commands ask before they write anything.
"""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

_interrupted = False


def check() -> None:
    """Raise the KeyboardInterrupt that may have been lost."""
    if _interrupted:
        raise KeyboardInterrupt


@contextlib.contextmanager
def remembered() -> Iterator[None]:
    """Remember interrupts while a command runs; without effect outside the main thread."""
    global _interrupted
    _interrupted = False
    try:
        before = signal.signal(signal.SIGINT, _handle)
    except ValueError:
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler if before is None else before)


def _handle(number: int, frame: object) -> None:
    global _interrupted
    _interrupted = True
    raise KeyboardInterrupt
