"""Progress bars on a terminal, and interrupts (Ctrl-C, SIGTERM, a lost terminal) of a command.

A bar is drawn where there is a measure, else the time; no thread draws: a pool must still be able
to fork. While nothing is reported a timer's signal keeps the time going; a kernel that is running
makes it wait.

Python raises KeyboardInterrupt wherever it happens to be, and where that is a callback from C
(while numba compiles or loads kernels, for instance) the exception is dropped, and the run goes on
or fails on what the callback has left undone. So the handler also remembers; the commands ask
before they write anything, and whoever reports an error asks first. What Python has to say of a
dropped exception is left unsaid.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

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
        """Draw the time anew, while nobody else is drawing: not even this, at the last beat."""
        if self._drawing or Compiling.at_work or os.getpid() != self._process:
            return
        self._drawing = True
        # the signal may come while something is being said
        with contextlib.suppress(RuntimeError, OSError):
            bar = self._bar
            if bar is not None and (bar.total is None or bar.n < bar.total):
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
    """What is said while kernels are compiled: a line, and on a terminal how many so far."""

    #: Whether a line of this is being drawn.
    at_work = False

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._process = os.getpid()
        self._count = self._depth = 0
        self._begun = time.monotonic()
        self._said = False

    def began(self) -> None:
        """Count one more kernel being compiled; it may be one that the last one calls."""
        if os.getpid() != self._process:
            return  # a worker, which has this from the process that it was forked from
        self._say_once()
        self._count += 1
        self._depth += 1
        self._show(f"{self._count} kernels so far")

    def next_of(self, number: int, whole: int) -> None:
        """Show which kernel is next of so many that are known to be needed."""
        self._say_once()
        self._count = number
        self._show(f"compiling {number} of {whole}")

    def _say_once(self) -> None:
        if not self._said:
            self._said = True
            self._begun = time.monotonic()
            self._say(
                "compiling, this once: a quarter of a minute to a minute on an idle machine; "
                "the next run starts at once …"
            )

    def _show(self, text: str) -> None:
        if sys.stderr.isatty():
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
            sys.stderr.write(f"\r{text:<40}\r")
            sys.stderr.flush()


# ---- Interrupts

#: The number of the signal that interrupted the command, 0 without.
_received = 0
#: Seconds between two looks for an interrupt while a command waits for a line.
_WAIT_INTERVAL = 0.2

#: The signals that end a command in good order, with what is said of them. The exit code is the
#: one that a shell gives to a process which died by the signal: 128 and its number.
ENDINGS = {
    number: words
    for name, words in (
        ("SIGINT", "interrupted"),
        ("SIGTERM", "terminated"),
        ("SIGHUP", "the terminal is gone"),
    )
    if (number := getattr(signal, name, None)) is not None
}


def interrupt_came() -> bool:
    """Whether an interrupt has come, lost or not, since the command of the terminal began."""
    return _received != 0


def interrupt_ending() -> tuple[str, int]:
    """What interrupted the command, in words, and its exit code."""
    number = _received or signal.SIGINT
    return ENDINGS[signal.Signals(number)], 128 + number


def check_interrupt() -> None:
    """Raise the KeyboardInterrupt of a command that may have been lost."""
    if _received:
        raise KeyboardInterrupt


@contextlib.contextmanager
def call_every(seconds: float, what: Callable[[], None]) -> Iterator[None]:
    """Call something, while a command runs, again and again by a timer's signal."""
    main = threading.current_thread() is threading.main_thread()
    if not (main and hasattr(signal, "setitimer")):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda number, frame: what())
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def interrupts_while_waiting() -> Iterator[None]:
    """Heed an interrupt while waiting for a line, even one that came just before the wait.

    Python looks for signals before it waits for a key and when one breaks the wait, but not in
    between: one that comes there is heeded at the next key. So a timer breaks the wait again and
    again. It is left alone where there is none, or somebody else's.
    """
    free = hasattr(signal, "SIGALRM") and signal.getsignal(signal.SIGALRM) == signal.SIG_DFL
    with call_every(_WAIT_INTERVAL, check_interrupt) if free else contextlib.nullcontext():
        yield


@contextlib.contextmanager
def interrupts_remembered() -> Iterator[None]:
    """Remember interrupts while a command runs.

    Without effect outside the main thread, and for a signal that is ignored: a shell starts a
    script's background jobs so, lest Ctrl-C for another program should end them, and ``nohup``
    its command.
    """
    global _received
    _received = 0
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in ENDINGS}
    heeded = {number: old for number, old in before.items() if old != signal.SIG_IGN}
    for number in heeded:
        signal.signal(number, _remember_interrupt)
    report = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if _received else report(lost)
    try:
        yield
    finally:
        sys.unraisablehook = report
        for number, old in heeded.items():
            signal.signal(number, signal.SIG_DFL if old is None else old)


def _remember_interrupt(number: int, frame: object) -> None:
    global _received
    _received = number
    raise KeyboardInterrupt
