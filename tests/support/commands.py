"""Commands as people run them, and what they leave behind."""

from __future__ import annotations

from collections.abc import Callable

Knuthle = Callable[..., "Outcome"]


class Outcome:
    """What a command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err
        assert "Traceback" not in err
