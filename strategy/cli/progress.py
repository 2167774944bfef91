"""Progress on a terminal: a line for what is being done, and one while kernels are compiled.

A bar is drawn where there is a measure, else the time; no thread draws: a pool must still be able
to fork. While nothing is reported a timer's signal keeps the time going; a kernel that is running
makes it wait.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from .interrupts import call_every, check_interrupt

#: A bar is never shorter; what is said beside it is shortened instead.
_LEAST_BAR = 10


class _Line:
    """A line of stderr that is drawn in the place of the last one; only on a terminal."""

    #: The line that stands there.
    drawn: ClassVar[_Line | None] = None

    def __init__(self, *, hidden: bool) -> None:
        self.is_shown = not hidden and sys.stderr.isatty()
        self._process = os.getpid()
        self._width = 0

    def draw(self, text: str) -> None:
        """Draw the line, empty to take it away; a worker that has it from its parent does not."""
        if self.is_shown and max(len(text), self._width) and os.getpid() == self._process:
            # a timer's signal may come while something is being said
            with contextlib.suppress(OSError, RuntimeError):
                sys.stderr.write(f"\r{text:<{self._width}}\r")
                sys.stderr.flush()
                self._width = len(text)
                _Line.drawn = self if text else None


def clear_line() -> None:
    """Take away the line that stands there: something else is to be said."""
    if _Line.drawn is not None:
        _Line.drawn.draw("")


def bar_line(
    columns: int, what: str, done: int, whole: int, took: str, left: str = "", more: str = ""
) -> str:
    """A bar with what there is room for beside it: so much of ``what`` is done.

    What goes first is the time that is left, then the counts, then what is known, piece by piece
    from its end; the rest is cut.
    """
    pieces = more.split(", ") if more else []
    counts, left = f" {done}/{whole}", f"<{left}" if left else ""
    forms = [(counts, left, pieces), (counts, "", pieces)]
    forms += [("", "", pieces[:kept]) for kept in range(len(pieces), -1, -1)]
    for count, until, known in forms:
        behind = f"{count} [{', '.join([took + until, *known])}]"
        room = columns - len(f"{what}: 100%||{behind}")
        if room >= _LEAST_BAR:
            break
    else:
        what = f"{what[: max(1, len(what) + room - _LEAST_BAR - 1)]}…"
        room = _LEAST_BAR
    return f"{what}: {100 * done // whole:3}%|{'#' * (room * done // whole):<{room}}|{behind}"


def _clock(seconds: float) -> str:
    """A time as clocks show it: 01:30, 2:00:00."""
    minutes, hours = int(seconds) // 60, int(seconds) // 3600
    return f"{f'{hours}:' if hours else ''}{minutes % 60:02}:{int(seconds) % 60:02}"


def _columns() -> int:
    """How long a line may be, so that the terminal does not begin another."""
    try:
        return (os.get_terminal_size(sys.stderr.fileno()).columns or 80) - 1
    except (OSError, ValueError):
        return shutil.get_terminal_size().columns - 1


class Progress:
    """A bar on stderr for each thing that is being done; the time where nothing is reported."""

    def __init__(self, quiet: bool, redraw_interval: float = 0.5, patience: float = 1.0) -> None:
        """Draw every ``redraw_interval`` seconds, and no time in the first ``patience`` ones."""
        self._line = _Line(hidden=quiet)
        self._redraw_interval, self._patience = redraw_interval, patience
        self._timer = contextlib.ExitStack()
        self._begun = self._drawn = self._since = time.time()
        self._what = self._more = ""
        self._first = self._done = self._whole = 0

    def __call__(self, what: str, new: int, whole: int, more: str = "") -> None:
        """Add ``new`` to the bar of ``what``; ``more`` is shown behind it."""
        check_interrupt()
        if what != self._what:
            self._what, self._since, self._first, self._done = what, time.time(), new, 0
        self._done, self._whole, self._more = self._done + new, whole, more
        if time.time() > self._drawn + self._redraw_interval:
            self._draw()

    def _draw(self) -> None:
        """Draw the bar, or the time of all that was done where none is at work."""
        self._drawn = now = time.time()
        if Compiling.at_work:
            return
        if self._done < self._whole:
            took, made = now - self._since, self._done - self._first
            left = _clock(took * (self._whole - self._done) / made) if made > 0 else ""
            figures = self._done, self._whole, _clock(took), left, self._more
            self._line.draw(bar_line(_columns(), self._what, *figures))
        elif now - self._begun > self._patience:
            self._line.draw(f"working, {_clock(now - self._begun)}")

    def __enter__(self) -> Progress:
        if self._line.is_shown:
            self._timer.enter_context(call_every(self._redraw_interval, self._draw))
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.close()
        self._line.draw("")


class Compiling:
    """What is said while kernels are compiled: a notice, and on a terminal a bar."""

    #: Whether a bar of this is being drawn.
    at_work = False

    def __init__(
        self, say: Callable[[str], None] | None, notice: Callable[[Sequence[str]], str], typed: bool
    ) -> None:
        """``notice`` says what is compiled for labels. No bar is drawn where people type.

        Without a way to ``say`` it nothing is shown.
        """
        self._say = say or (lambda _: None)
        self._notice = notice
        self._line = _Line(hidden=typed or say is None)
        self._process = os.getpid()
        self._begun = time.monotonic()
        self._said = self._step = ""
        #: How many steps there are, once that is known.
        self.whole = 0
        #: What the kernels are for: see ``machine_code.labels_of``.
        self.labels: Sequence[str] = ()

    def began(self) -> None:
        """Say once what is compiled; a worker leaves that to the process it was forked from."""
        text = self._notice(self.labels)
        if text != self._said and os.getpid() == self._process:
            self._said = text
            self._begun = time.monotonic()
            self._say(text)

    def next_of(self, number: int, whole: int) -> None:
        """Show which step is next of so many that are known to be needed."""
        self.whole = whole
        self.began()
        self._step = f"step {number} of {whole}"
        Compiling.at_work = self._line.is_shown
        self._line.draw(bar_line(_columns(), "compiling", number - 1, whole, self._seconds))

    def say_how_far(self) -> None:
        """Say in a line of its own which step is next."""
        if self._step and not self._line.is_shown:
            self._say(f"compiling: {self._step}, {self._seconds}")

    @property
    def _seconds(self) -> str:
        return f"{time.monotonic() - self._begun:.0f} s"

    def __enter__(self) -> Compiling:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.draw("")
        Compiling.at_work = False
