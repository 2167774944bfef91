"""Pipes among files: after two seconds of waiting for one a sentence says so.

A file can be a pipe (``<(…)`` in a shell, ``mkfifo``), read like any other. Opening one takes
until somebody opens its other end, reading it until that one has written all. The readers of
strategies have the same in lines of their own (``strategy/files/pipes.py``), as they use nothing of
the solver.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: So many seconds a reader waits for a pipe before a sentence says so.
PATIENCE = 2.0
_told: list[Callable[[str], object]] = []


def tell_waits(tell: Callable[[str], object]) -> None:
    """From now on, call a function with a sentence where a pipe is waited for too long."""
    _told[:] = [tell]


@contextmanager
def telling_waits(path: str | Path) -> Iterator[None]:
    """While a file is opened and read: say what is waited for, if it is a pipe that is slow."""
    if not _told or not _is_pipe(path):
        yield
        return
    from threading import Timer  # only here: most files are no pipes

    sentence = f"waiting for a program to write into {path}, a pipe, or to close it"
    timer = Timer(PATIENCE, _told[0], [sentence])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # processes are forked only where there is one thread


def _is_pipe(path: str | Path) -> bool:
    try:
        return stat.S_ISFIFO(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False
