"""What can go wrong, sorted by what the user can do about it.

The class decides the exit code of a command (``exit_code``), the message is the whole line that
the user reads. Nothing is imported with it, so that every module may use it.
"""

from __future__ import annotations

from typing import Any


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


def imported(module: str, what: str, error: type[Exception] = WrongInputError) -> Any:
    """A module that need not be there; if it is missing it is said how this very Python gets it.

    ``what`` is what it is for: "pictures need matplotlib".
    """
    import importlib
    import shlex
    import sys

    try:
        return importlib.import_module(module)
    except ImportError:
        package, python = module.partition(".")[0], shlex.quote(sys.executable)
        how = f"which is not installed: {python} -m pip install {package}"
        raise error(f"{what}, {how}") from None
