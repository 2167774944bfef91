"""Time limits: a search that may take long asks now and then whether its time is up."""

from __future__ import annotations

import time
from collections.abc import Callable

from ..errors import CouldNotFinishError


class OutOfTimeError(CouldNotFinishError):
    """The time limit was reached before the search could decide."""


def time_limit(seconds: float | None) -> Callable[[], None]:
    """A function that raises OutOfTimeError from then on."""
    if seconds is None:
        return lambda: None
    end = time.monotonic() + seconds

    def check() -> None:
        if time.monotonic() > end:
            raise OutOfTimeError(f"undecided after {seconds:g} s, the time limit")

    return check
