"""Progress: a bar that can be read beside its text, the time while nothing is reported."""

import os
import pty
import re
import signal
import subprocess
import sys
import time

import pytest

from strategy.cli.interrupts import (
    interrupt_ending,
    interrupts_remembered,
    interrupts_while_waiting,
)
from strategy.cli.progress import bar_line
from tests.support import PLAIN, ROOT

KNOWN = "12,953 open, best 7,920, at least 7,900"


def line(columns: int, what: str, whole: int, more: str) -> str:
    return bar_line(columns, what, whole // 2, whole, "5:00:00", "5:00:00", more)


@pytest.mark.parametrize("columns", [200, 120, 100, 80, 60, 45])
@pytest.mark.parametrize(("what", "more"), [
    ("first guesses settled", KNOWN), ("first guesses excluded within 5", ""), ("pairs", ""),
    ("{what}", "{x}, }"),
])  # fmt: skip
def test_the_bar_can_be_read(columns: int, what: str, more: str) -> None:
    drawn = line(columns, what, 12972, more)
    assert len(drawn) <= columns and len(drawn.split("|")[1]) >= 10 and drawn.endswith("]")
    assert drawn.startswith(what[:8])


def test_text_is_shortened_piece_by_piece() -> None:
    assert KNOWN in line(130, "first guesses settled", 12972, KNOWN)
    assert "<" in line(130, "first guesses settled", 12972, KNOWN)
    at_80 = line(80, "first guesses settled", 12972, KNOWN)
    assert at_80.startswith("first guesses settled:  50%|")
    assert at_80.endswith("| [5:00:00, 12,953 open, best 7,920]")
    assert line(40, "first guesses settled", 12972, KNOWN).endswith("| [5:00:00]")


def on_a_terminal(program: str) -> str:
    master, slave = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", program], stderr=slave, cwd=ROOT) as process:
        os.close(slave)
        written = b""
        while True:
            try:
                some = os.read(master, 1 << 16)
            except OSError:  # Linux says so at the end
                break
            if not some:
                break
            written += some
    os.close(master)
    assert process.returncode == 0
    return written.decode()


def test_the_time_goes_on_while_nothing_is_reported() -> None:
    """A silent wait, a bar, a wait at the end of it: and nothing is left in the end."""
    begin = "import time\nfrom strategy.cli.progress import Progress\n"
    written = on_a_terminal(
        begin + "with Progress(False, 0.1, 0.2) as progress:\n"
        "    time.sleep(0.5)\n"
        "    progress('solving', 1, 2)\n"
        "    time.sleep(0.3)\n"
        "    progress('solving', 1, 2)\n"
        "    time.sleep(0.3)\n"
    )
    drawn = [part.strip() for part in re.split("[\\r\\n]", written) if part.strip()]
    assert drawn[0].startswith("working, 00:0")
    assert any(part.startswith("solving:  50%|") for part in drawn)
    assert drawn[-1].startswith("working, 00:0")
    assert not on_a_terminal(begin + "with Progress(True, 0.1, 0.2):\n    time.sleep(0.5)\n")


def test_a_bar_that_a_beat_has_drawn_is_taken_away() -> None:
    """Though it is done before the time at which a bar is drawn by itself."""
    written = on_a_terminal(
        "import time\nfrom strategy.cli.progress import Progress\n"
        "with Progress(False, 0.1, 5.0) as progress:\n"
        "    progress('solving', 1, 2)\n"
        "    time.sleep(0.3)\n"
    )
    assert "solving:  50%|" in written and written.endswith("\r")
    assert written.rstrip("\r").rpartition("\r")[2].strip() == ""


def test_what_is_said_takes_the_place_of_a_bar() -> None:
    written = on_a_terminal(
        "import time\nfrom strategy.cli.output import say\n"
        "from strategy.cli.progress import Progress\n"
        "with Progress(False, 0.1, 5.0) as progress:\n"
        "    progress('solving', 1, 2)\n"
        "    time.sleep(0.3)\n"
        "    say('a short note')\n"
    )
    before = written.partition("a short note")[0]
    assert "solving:  50%|" in before and before.split("\r")[-2].isspace()


@pytest.mark.skipif(PLAIN, reason="nothing is compiled")
def test_compiling_is_said_once() -> None:
    written = on_a_terminal(
        "from solver.machine.jit import kernel\n"
        "from strategy.cli import output\n"
        "output.say_when_compiling(False)\n"
        "inner = kernel(inner=True)(lambda x: x + 1)\n"
        "one, other = (kernel(lambda x: inner(x) + 1) for _ in range(2))\n"
        "assert one(1) == other(1) == 3\n"
    )
    assert written.startswith("compiling what this needs, this once: ")
    assert written.count("compiling") == 1


# --- interrupts that Python would lose


def test_an_interrupt_from_before_the_wait_breaks_it() -> None:
    with interrupts_remembered():
        with pytest.raises(KeyboardInterrupt), interrupts_while_waiting():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)  # and what it raised was dropped
            time.sleep(60)
        assert interrupt_ending() == ("interrupted", 130)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_a_timer_of_somebody_else_is_left_alone() -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with interrupts_while_waiting():
            assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    finally:
        signal.signal(signal.SIGALRM, before)
