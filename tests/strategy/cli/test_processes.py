"""Commands as processes among others: pipes, interrupts, bars while they work."""

import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from strategy import cli, entry
from strategy.cli import interrupts
from strategy.cli.progress import bar_line
from tests.strategy.conftest import Start
from tests.support import PLAIN, ROOT
from tests.support.commands import KNUTHLE, Knuthle, ran, started

#: A command that tells, on stdout, when it has begun to listen to signals.
LISTENING = """
import sys
from strategy import entry
entry._prepare()
print("listening", flush=True)
sys.exit(entry.run_knuthle())
"""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("delay", [0, 0.05, 0.3, pytest.param(0.7, marks=pytest.mark.slow)])
def test_interrupted_at_any_time(start: Start, tmp_path: Path, workers: int, delay: float) -> None:
    """To prove that LARES cannot hold six takes long enough to be interrupted in the middle.

    How long Python itself takes to start is the machine's affair, so the clock starts after that.
    """
    command = ["solve-all", *"--start lares --within 6 --list nyt-2026 --workers".split(), workers]
    process = start([sys.executable, "-c", LISTENING, *command], tmp_path)
    assert process.stdout and process.stdout.readline() == "listening\n"
    time.sleep(delay)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert out == ""
    assert not list(tmp_path.iterdir())


@pytest.fixture
def listening() -> Iterator[None]:
    """Interrupts as in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("listening")
def test_an_interrupt_may_come_out_as_any_error(capsys: pytest.CaptureFixture[str]) -> None:
    """As numba's compiler does it: the exception is lost in a callback, its work is not done."""

    class Callback:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGINT)

    def work() -> int:
        Callback()
        raise RuntimeError("no compiled object yet")

    assert cli._guard("knuthle", work) == 130
    assert capsys.readouterr().err == "\nknuthle: interrupted\n"


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("instant", ["work", "asked", "restored", "flushed"])
def test_an_interrupt_in_the_last_instant_is_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], instant: str
) -> None:
    """When the work is done, when that was asked for the last time, while streams are emptied."""

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)

    def then(when: str, done: Callable[[], None]) -> Callable[[], None]:
        def both() -> None:
            done()
            if when == instant:
                interrupted()

        return both

    def restored(number: int, handler: Any) -> Any:
        old = set_handler(number, handler)
        if instant == "restored" and handler is signal.default_int_handler:
            interrupted()
        return old

    set_handler = signal.signal
    monkeypatch.setattr(cli, "check_interrupt", then("asked", interrupts.check_interrupt))
    monkeypatch.setattr(cli.output, "flush", then("flushed", cli.output.flush))
    monkeypatch.setattr(signal, "signal", restored)

    def work() -> int:
        then("work", lambda: None)()
        return 0

    assert cli._guard("knuthle", work) == 130
    assert capsys.readouterr().err == "\nknuthle: interrupted\n"


@pytest.mark.usefixtures("listening")
def test_a_background_job_ignores_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    entry._prepare()
    assert cli._guard("knuthle", lambda: signal.raise_signal(signal.SIGINT) or 7) == 7
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


@pytest.mark.parametrize(("command", "code"), [("export", 0), ("verify --within 6", 1)])
def test_stdout_may_be_closed_early(lares_file: Path, command: str, code: int) -> None:
    """Which does not hide the verdict."""
    with started([*KNUTHLE, *command.split(), lares_file]) as process:
        assert process.stdout and process.stderr
        if not code:
            process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait() == code


def in_bash(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return ran(["bash", "-c", f'exec "{sys.executable}" -m strategy {command}'], **environment)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("command", "code"), [
    ("lists >/dev/full", 3), ("--help >/dev/full", 3), ("solve-all --help >/dev/full", 3),
    ("solve-all --version >/dev/full", 3), ("solve-all --start larez 2>/dev/full", 2),
    ("solve-all --strat lares 2>/dev/full", 2), ("solve-al 2>/dev/full", 2),
    ("five-words - <&-", 2), ("review - <&-", 2), ("play --protocol <&-", 0),
    *((f"{command} {closed}", 0) for command in ("lists", "--help")
      for closed in (">&-", "2>&-", ">&- 2>&-")),
])  # fmt: skip
def test_streams_may_be_full_or_missing(command: str, code: int, unbuffered: str) -> None:
    done = in_bash(command, PYTHONUNBUFFERED=unbuffered)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the limit is one of Linux")
@pytest.mark.parametrize("kilobytes", [60_000, 100_000, 140_000])
def test_with_little_memory_one_line_says_so(kilobytes: int) -> None:
    """Where numpy does not fit, and where its own libraries would end the process."""
    script = f'ulimit -v {kilobytes}; exec "{sys.executable}" -m strategy suggest crane.bybbb'
    done = ran(["bash", "-c", script])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith("knuthle suggest: ") and "memory" in done.stderr


def test_streams_may_be_ascii(tiny: Path, tmp_path: Path) -> None:
    command = [*KNUTHLE, "solve-all", "--list", tiny]
    process = started(command, tmp_path, PYTHONIOENCODING="ascii")
    out, err = process.communicate()
    assert process.returncode == 0 and "worst" in out and "Error" not in err


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
    step = "    progress('solving', 1, 2)\n    time.sleep(0.3)\n"
    written = on_a_terminal(
        f"{begin}with Progress(False, 0.1, 0.2) as progress:\n    time.sleep(0.5)\n{step}{step}"
    )
    drawn = [part.strip() for part in re.split("[\\r\\n]", written) if part.strip()]
    assert drawn[0].startswith("working, 00:0")
    assert any(part.startswith("solving:  50%|") for part in drawn)
    assert drawn[-1].startswith("working, 00:0")
    assert not on_a_terminal(begin + "with Progress(True, 0.1, 0.2):\n    time.sleep(0.5)\n")


BEAT = (
    "import time\nfrom strategy.cli.output import say\nfrom strategy.cli.progress import Progress\n"
    "with Progress(False, 0.1, 5.0) as progress:\n"
    "    progress('solving', 1, 2)\n"
    "    time.sleep(0.3)\n"
)


def test_a_bar_that_a_beat_has_drawn_is_taken_away() -> None:
    """Though it is done before the time at which a bar is drawn by itself; what is said does it."""
    written = on_a_terminal(BEAT)
    assert "solving:  50%|" in written and written.endswith("\r")
    assert written.rstrip("\r").rpartition("\r")[2].strip() == ""
    before = on_a_terminal(f"{BEAT}    say('a short note')\n").partition("a short note")[0]
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
    with interrupts.interrupts_remembered():
        with pytest.raises(KeyboardInterrupt), interrupts.interrupts_while_waiting():
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)  # and what it raised was dropped
            time.sleep(60)
        assert interrupts.interrupt_ending() == ("interrupted", 130)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


def test_a_timer_of_somebody_else_is_left_alone() -> None:
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with interrupts.interrupts_while_waiting():
            assert signal.getsignal(signal.SIGALRM) == signal.SIG_IGN
            assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    finally:
        signal.signal(signal.SIGALRM, before)


@contextmanager
def piped(content: bytes, name: str = "pipe") -> Iterator[str]:
    """A named pipe into which a program writes once; whoever opens it again finds it empty."""
    os.mkfifo(name)
    code = (
        "import sys\nopen(sys.argv[1], 'wb').write(sys.stdin.buffer.read())\n"
        "while True: open(sys.argv[1], 'wb').close()"
    )
    writer = subprocess.Popen([sys.executable, "-c", code, name], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    writer.stdin.write(content)
    writer.stdin.close()
    try:
        yield name
    finally:
        writer.kill()
        writer.wait()
        Path(name).unlink()


@pytest.fixture
def made(knuthle: Knuthle, tiny: Path) -> Path:
    words = ("--list", tiny, "--secrets", "allowed")
    assert knuthle("optimal", *words, "--out", "s", "--proof", "a.proof").code == 0
    Path("s.txt").write_text(knuthle("export", "s").out)
    Path("weights").write_text("".join(f"{word} 1\n" for word in tiny.read_text().split()))
    return tiny


@pytest.mark.parametrize(("file", "line"), [
    ("s", "verify {pipe}"), ("s", "verify {pipe} --words {tiny}"), ("s", "lookup {pipe}"),
    ("a.proof", "verify {pipe} --words {tiny}"), ("s", "export {pipe}"), ("s", "compare {pipe} s"),
    ("s", "explore {pipe} -o page.html"), ("s.txt", "verify {pipe} --list {tiny}"),
    ("s.txt", "verify {pipe} --list {tiny} -o t"), ("a.proof", "check-proof {pipe} --words {tiny}"),
    ("tiny", "solve-all --list {pipe}"), ("weights", "suggest --list {tiny} --weights {pipe}"),
    ("tiny", "five-words {pipe}"), ("tiny", "lists add {pipe} --name piped"),
    ("tiny", "sweep run --list {tiny} --openers {pipe} --out t"),
])  # fmt: skip
def test_a_pipe_is_read_like_a_file(
    knuthle: Knuthle, made: Path, monkeypatch: pytest.MonkeyPatch, file: str, line: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(Path("data").absolute()))
    content = (made if file == "tiny" else Path(file)).read_bytes()
    with piped(content) as name:
        outcome = knuthle(*(part.format(pipe=name, tiny=made) for part in line.split()))
    assert outcome.code == 0, outcome.err
