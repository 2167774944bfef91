"""Commands as processes among others: pipes that close, streams that are missing, interrupts."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from strategy import cli, entry
from strategy.cli import interrupts
from tests.strategy.conftest import Start
from tests.support.commands import KNUTHLE, ran, started


def test_stdout_may_be_closed_early(lares_file: Path) -> None:
    with started([*KNUTHLE, "export", lares_file]) as process:
        assert process.stdout and process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait() == 0


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


def in_bash(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return ran(["bash", "-c", f'exec "{sys.executable}" -m strategy {command}'], **environment)


@pytest.mark.parametrize("command", [["lists"], ["--help"]])
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_streams_may_be_missing(command: list[str], closed: str) -> None:
    done = in_bash(f"{' '.join(command)} {closed}")
    assert done.returncode == 0 and "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(("command", "code"), [
    ("lists >/dev/full", 3), ("--help >/dev/full", 3), ("solve-all --help >/dev/full", 3),
    ("solve-all --version >/dev/full", 3), ("solve-all --start larez 2>/dev/full", 2),
    ("solve-all --strat lares 2>/dev/full", 2), ("solve-al 2>/dev/full", 2),
    ("five-words - <&-", 2),
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


def test_a_closed_pipe_does_not_hide_the_verdict(lares_file: Path) -> None:
    with started([*KNUTHLE, "verify", lares_file, "--within", 6]) as process:
        assert process.stdout and process.stderr
        process.stdout.close()
        assert process.stderr.read() == "" and process.wait() == 1
