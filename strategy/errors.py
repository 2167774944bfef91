"""Errors about strategies, their files and output. Standard library only: the checkers use them.

Like the solver's errors each carries the exit code of the command that meets it, and its message
is the whole line that the user reads.
"""

from __future__ import annotations

from typing import Any


class StrategyError(Exception):
    """Base of the errors about strategies, their files and where output goes."""

    exit_code = 2

    def __str__(self) -> str:
        return str(self.args[-1]) if self.args else ""  # what comes before it is for programs


class BadFileError(StrategyError):
    """A file that cannot be read as what it should be. ``kind`` names the fault in one word."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind = kind


class WrongStrategyError(StrategyError):
    """A well-formed strategy that does not do what it says."""

    exit_code = 1


class NoStrategyError(StrategyError):
    """It is proved that no strategy keeps to a limit; ``outcome`` is what became of that limit."""

    exit_code = 1

    def __init__(self, outcome: Any, reason: str) -> None:
        super().__init__(outcome, reason)
        self.outcome = outcome


class UnknownStateError(StrategyError, LookupError):
    """A state that the strategy never meets; ``step`` is the number of the first wrong step."""

    def __init__(self, step: int, reason: str) -> None:
        super().__init__(step, reason)
        self.step = step


class OutputError(StrategyError):
    """A place that cannot be written to, known before the work starts."""


class UnfinishedError(StrategyError):
    """Writing a file failed on the way: a full disk, for instance."""

    exit_code = 3
    #: What was to be written, of the kind that the call would have returned; None: nothing.
    best: Any = None
