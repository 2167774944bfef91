"""One run at a time on one database: a lock that dies with the process that holds it.

It lies on a file beside the database, and the system lets go of it however the process ends. It is
not inherited: a worker that outlives its parent by a moment keeps nobody waiting.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from solver.errors import CouldNotFinishError

from ..errors import OutputError

#: So long a lock is waited for: whoever only looks holds it for a moment.
_PATIENCE = 1.0
#: Locks of this process, which the system would grant it again.
_held: set[str] = set()


@contextlib.contextmanager
def locked(database: Path) -> Iterator[None]:
    """Hold the lock of a sweep's database; CouldNotFinishError if another run holds it."""
    place = _beside(database)
    end = time.monotonic() + _PATIENCE
    while (handle := _taken(place)) is None:
        if time.monotonic() > end:
            raise CouldNotFinishError(
                f"{database}: another run is at work on it; wait for it, or name another file"
            )
        time.sleep(0.05)
    try:
        yield
    finally:
        _held.discard(str(place))
        with contextlib.suppress(OSError):
            place.unlink()
        os.close(handle)


def is_locked(database: Path) -> bool:
    """Whether a run is at work on the database of a sweep."""
    place = _beside(database)
    if not place.exists():
        return False
    if not os.access(place, os.W_OK):
        return str(place) in _held
    handle = _taken(place)
    if handle is None:
        return True
    _held.discard(str(place))
    os.close(handle)
    return False


def _beside(database: Path) -> Path:
    where = Path(os.path.realpath(database))
    return where.with_name(f"{where.name}.lock")


def _taken(place: Path) -> int | None:
    """An open file with the lock; None if somebody else has it."""
    if str(place) in _held:
        return None
    try:
        handle = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise OutputError(f"{place}: {error.strerror or error}") from None
    try:
        _lock(handle)
        # whoever had it may have removed the file in between: then it is nobody's lock
        if not os.path.samestat(os.fstat(handle), place.stat()):
            raise BlockingIOError
    except OSError:
        os.close(handle)
        return None
    _held.add(str(place))
    return handle


def _lock(handle: int) -> None:
    """Lock an open file, or raise OSError at once."""
    if sys.platform == "win32":
        import msvcrt

        windows: Any = msvcrt
        windows.locking(handle, windows.LK_NBLCK, 1)
        return
    import fcntl

    fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
