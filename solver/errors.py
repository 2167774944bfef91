"""What can go wrong, sorted by what the user can do about it.

The class decides the exit code of a command (``exit_code``), the message is the whole line that
the user reads. Nothing is imported with it, so that every module may use it.
"""

from __future__ import annotations

from typing import Any


def not_installed(package: str) -> str:
    """What is said of a package that is missing: how this very Python gets it."""
    import shlex
    import sys

    return f"which is not installed: {shlex.quote(sys.executable)} -m pip install {package}"


class KnuthleError(Exception):
    """Base of all errors that end in one plain line instead of a traceback."""

    exit_code = 2


class WrongInputError(KnuthleError):
    """Unknown word or option; an unreadable, foreign or damaged file."""

    exit_code = 2


class WrongFindingError(WrongInputError):
    """A finding with which a search was started is not true."""


class CouldNotFinishError(KnuthleError):
    """The work itself failed: a dead worker, a full disk, the time limit."""

    exit_code = 3
    #: What was found by then, of the kind that the call would have returned; None: nothing.
    best: Any = None
