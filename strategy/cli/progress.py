"""Progress bars on a terminal.

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
from typing import Any

from .interrupts import call_every, check_interrupt

# ---- Bars

#: A bar is never shorter; what is said beside it is shortened instead.
_LEAST_BAR = 10


class Progress:
    """A bar on stderr, only on a terminal: one for each thing that is being done."""

    def __init__(self, quiet: bool, redraw_interval: float = 0.5, patience: float = 1.0) -> None:
        """Draw every ``redraw_interval`` seconds, but nothing in the first ``patience`` ones."""
        self._redraw_interval = redraw_interval
        self._patience = patience
        self._shown = not quiet and sys.stderr.isatty()
        self._bar: Any = None
        self._what = ""
        self._begun = time.time()
        self._drawing = False
        self._timer = contextlib.ExitStack()
        self._process = os.getpid()

    def __call__(self, what: str, new: int, whole: int, more: str = "") -> None:
        """Add ``new`` to the bar of ``what``; ``more`` is shown behind it."""
        check_interrupt()
        if not self._shown:
            return
        self._drawing = True
        if what != self._what:
            self._open(what, whole, delay=0.5)
        self._bar.ncols = _columns()
        self._bar.bar_format = bar_format(self._bar.ncols, what, whole, more)
        self._bar.update(new)
        self._drawing = False

    def _open(self, what: str, whole: int | None, **options: Any) -> None:
        from tqdm import tqdm

        tqdm.monitor_interval = 0  # no thread
        self.close()
        self._what = what
        self._bar = tqdm(
            total=whole,
            desc=what,
            leave=False,
            ncols=_columns(),
            nrows=20,
            file=sys.stderr,
            **options,
        )

    def _beat(self) -> None:
        """Draw the time again, unless something is being drawn, by an earlier call too."""
        if self._drawing or Compiling.at_work or os.getpid() != self._process:
            return
        self._drawing = True
        # the signal may come while something is being said
        with contextlib.suppress(RuntimeError, OSError):
            bar = self._bar
            if bar is not None and (bar.total is None or bar.n < bar.total):
                bar.delay = 0  # or tqdm would believe that it was never drawn, and leave it there
                bar.refresh()
            elif time.time() - self._begun > self._patience:
                self._open("working", None, bar_format="{desc}, {elapsed}")
                self._bar.start_t = self._begun
                self._bar.refresh()
        self._drawing = False

    def close(self) -> None:
        """Take the bar off the terminal."""
        if self._bar is not None:
            self._bar.close()
            self._bar = None
            self._what = ""

    def __enter__(self) -> Progress:
        if self._shown:
            self._timer.enter_context(call_every(self._redraw_interval, self._beat))
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.close()
        self.close()


def bar_format(columns: int, what: str, whole: int, more: str) -> str:
    """The line of a progress bar for tqdm: whatever there is room for beside a readable bar.

    What goes first is the time that is left, then the counts, then what is known, piece by piece
    from its end; the rest is cut.
    """
    pieces = more.split(", ") if more else []
    counts = f"{whole}/{whole}"
    forms = [(counts, "<00:00:00", pieces), (counts, "", pieces)]
    forms += [("", "", pieces[:kept]) for kept in range(len(pieces), -1, -1)]
    form = next((form for form in forms if _beside(what, *form) + _LEAST_BAR <= columns), forms[-1])
    over = _beside(what, *form) + _LEAST_BAR - columns
    if over > 0:
        what = what[: max(1, len(what) - over - 1)] + "…"
    count, left, kept = form
    behind = ", ".join(["{elapsed}" + ("<{remaining}" if left else ""), *map(_escaped, kept)])
    middle = " {n_fmt}/{total_fmt}" if count else ""
    return f"{_escaped(what)}: {{percentage:3.0f}}%|{{bar}}|{middle} [{behind}]"


def _beside(what: str, counts: str, left: str, pieces: Sequence[str]) -> int:
    """How many characters stand beside the bar at most."""
    return len(f"{what}: 100%|| {counts} [00:00:00{left}" + "".join(f", {x}" for x in pieces) + "]")


def _escaped(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return shutil.get_terminal_size().columns


# ---- What is said while kernels are compiled


class Compiling:
    """What is said while kernels are compiled: a notice, and on a terminal a bar, or how many."""

    #: Whether a line of this is being drawn.
    at_work = False

    def __init__(
        self, say: Callable[[str], None], notice: Callable[[str | None], str], typed: bool = False
    ) -> None:
        """``notice`` says what is compiled for a label. No bar is drawn where people type."""
        self._say = say
        self._notice = notice
        self._is_shown = not typed and sys.stderr.isatty()
        self._process = os.getpid()
        self._count = self._depth = self.whole = 0
        self._begun = time.monotonic()
        self._said = self._step = ""
        #: What the kernels are for: see ``machine_code.label_of``.
        self.label: str | None = None

    def began(self) -> None:
        """Count one more kernel being compiled; it may be one that the last one calls."""
        if os.getpid() != self._process:
            return  # a worker, which has this from the process that it was forked from
        self._say_once()
        self._count += 1
        self._depth += 1
        self._show(f"{self._count} kernels so far")

    def next_of(self, number: int, whole: int) -> None:
        """Show which step is next of so many that are known to be needed."""
        self.whole = whole
        self._say_once()
        self._count = number
        full = _LEAST_BAR * (number - 1) // whole
        self._step = f"step {number} of {whole}"
        self._show(f"compiling [{'#' * full:.<{_LEAST_BAR}}] {number} of {whole}")

    def say_how_far(self) -> None:
        """Say in a line of its own which step is next."""
        if self._step and not self._is_shown:
            self._say(f"compiling: {self._step}, {time.monotonic() - self._begun:.0f} s")

    def _say_once(self) -> None:
        text = self._notice(self.label)
        if text != self._said:
            self._said = text
            self._begun = time.monotonic()
            self._say(text)

    def _show(self, text: str) -> None:
        if self._is_shown:
            Compiling.at_work = True
            self._draw(f"{text}, {time.monotonic() - self._begun:.0f} s")

    def finished(self) -> None:
        """Take the line about compiling off the terminal."""
        self._depth = 0
        self.ended()

    def ended(self) -> None:
        """Count a kernel as compiled; the line goes when none is left that calls it."""
        if os.getpid() == self._process:
            self._depth -= 1
            if self._depth <= 0 and Compiling.at_work:
                self._draw("")
                Compiling.at_work = False

    def _draw(self, text: str) -> None:
        with contextlib.suppress(OSError, RuntimeError):
            room = min(50, _columns() - 1)
            sys.stderr.write(f"\r{text[:room]:<{room}}\r")
            sys.stderr.flush()
