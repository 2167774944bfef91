"""Commands that are interrupted, ended, stopped or robbed: exit codes, one line, nothing left."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.strategy.conftest import Start
from tests.support import refused
from tests.support.commands import KNUTHLE, Knuthle, lives, ran
from tests.support.worlds import EVERYTHING

SCRIPT = Path(sys.executable).with_name("knuthle")

#: Runs a command whose workers never end: each writes its number into a file.
ENDLESS = """
import os, sys, time
from solver.machine import pool
from strategy import cli

def sleeper():
    def sleep(number):
        with open(f"worker-{number}", "w") as out:
            print(os.getpid(), file=out)
        time.sleep(600)
    return sleep

def run_sleep(args):
    "sleep"
    with pool.Pool(sleeper, (), 2) as shared:
        return list(shared.run([1, 2]))

if __name__ == "__main__":
    cli.COMMANDS["sleep"] = None
    cli.functions_of = lambda command: cli.options.Action("", lambda parser: None, run_sleep)
    sys.exit(cli.main(["sleep"]))
"""


class Running:
    """A command in a session of its own, with two workers that are busy."""

    def __init__(self, start: Start, folder: Path) -> None:
        script = folder / "endless.py"
        script.write_text(ENDLESS)
        self.process = start([sys.executable, str(script)], folder)
        self.workers = [self._worker(folder / f"worker-{number}") for number in (1, 2)]

    def _worker(self, file: Path) -> int:
        while not (file.exists() and file.read_text().endswith("\n")):
            assert self.process.poll() is None
            time.sleep(0.02)
        return int(file.read_text())

    def ends_with(self) -> tuple[int, str]:
        """Exit code and stderr; nobody who holds stderr is left then, workers included."""
        err = self.process.communicate(timeout=60)[1]
        for worker in self.workers:
            refused(ProcessLookupError, "", os.kill, worker, 0)
        return self.process.returncode, err


@pytest.fixture
def running(start: Start, tmp_path: Path) -> Running:
    return Running(start, tmp_path)


@pytest.mark.parametrize(("number", "code", "words"), [
    (signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"),
    (signal.SIGHUP, 129, "the terminal is gone"),
])  # fmt: skip
@pytest.mark.parametrize("send", [os.killpg, os.kill])
def test_a_signal_ends_the_command_and_its_workers(
    running: Running, number: signal.Signals, code: int, words: str, send: Callable[..., None]
) -> None:
    send(running.process.pid, number)
    assert running.ends_with() == (code, f"\nknuthle sleep: {words}\n")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_worker_that_is_killed_ends_the_run(running: Running, number: signal.Signals) -> None:
    os.kill(running.workers[1], number)
    died = "knuthle sleep: a worker process died in task 2 of 2"
    said = f"{died} (killed by {number.name}); the run is stopped\n"
    assert running.ends_with() == (3, said)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere at the next return")
def test_workers_end_with_a_command_that_is_killed(running: Running) -> None:
    running.process.kill()
    assert running.process.communicate(timeout=60) == ("", "")
    for worker in running.workers:
        while lives(worker):  # it has let go of its files, and is about to be gone
            time.sleep(0.02)


def test_stopped_workers_can_still_be_ended(running: Running) -> None:
    for worker in running.workers:
        os.kill(worker, signal.SIGSTOP)
    os.kill(running.process.pid, signal.SIGSTOP)
    os.kill(running.process.pid, signal.SIGTERM)
    os.kill(running.process.pid, signal.SIGCONT)
    assert running.ends_with() == (143, "\nknuthle sleep: terminated\n")


def test_a_command_that_was_stopped_goes_on(start: Start, tmp_path: Path, tiny: Path) -> None:
    command = [*KNUTHLE, "solve-all", "--list", tiny, "--secrets", tiny, "--workers", 2, "--quiet"]
    running = start([*command, "--out", "out.strategy"], tmp_path)
    time.sleep(0.3)
    os.killpg(running.pid, signal.SIGSTOP)
    time.sleep(0.1)
    os.killpg(running.pid, signal.SIGCONT)
    assert running.communicate(timeout=300)[1] == "" and running.returncode == 0
    assert (tmp_path / "out.strategy").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_the_ignored_stays_ignored(start: Start, tmp_path: Path, number: signal.Signals) -> None:
    script = (
        f"import signal; signal.signal({int(number)}, signal.SIG_IGN)\n"
        "from strategy.cli import interrupts\n"
        f"with interrupts.interrupts_remembered(): signal.raise_signal({int(number)})\n"
        "print(interrupts.interrupt_came())"
    )
    running = start([sys.executable, "-c", script], tmp_path)
    assert running.communicate(timeout=60) == ("False\n", "")


#: Waits where an interrupt is to come: ``strategy.cli`` is not loaded yet.
LOADING = """
import sys, time
class Slow:
    def find_spec(self, name, path=None, target=None):
        if name == "strategy.cli":
            print("loading", flush=True)
            while True:  # a signal that comes just before a sleep is heard after it
                time.sleep(0.01)
sys.meta_path.insert(0, Slow())
from strategy.entry import run_knuthle
run_knuthle()
"""


def test_an_interrupt_while_modules_load_is_one_line(start: Start, tmp_path: Path) -> None:
    running = start([sys.executable, "-c", LOADING], tmp_path)
    assert running.stdout and running.stdout.readline() == "loading\n"
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=60)[1] == "\ninterrupted\n" and running.returncode == 130


def test_hardly_anything_loads_before_interrupts_are_heeded(start: Start, tmp_path: Path) -> None:
    script = (
        "import sys; before = set(sys.modules); import strategy.entry;"
        "print(sorted(set(sys.modules) - before))"
    )
    running = start([sys.executable, "-c", script], tmp_path)
    assert running.communicate(timeout=60)[0] == "['strategy', 'strategy.entry']\n"


def test_a_free_threaded_python_is_refused_in_one_line(tmp_path: Path) -> None:
    program = "import sys; sys._is_gil_enabled = lambda: False; from strategy import entry"
    done = ran([sys.executable, "-c", f"{program}; entry.run_knuthle()", "lists"], tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith("knuthle: a free-threaded build of Python")


def test_the_script_finds_its_own_package_from_anywhere(start: Start, tmp_path: Path) -> None:
    for name in ("solver.py", "strategy.py"):
        (tmp_path / name).write_text("raise SystemExit('run')")
    running = start([str(SCRIPT), "--version"], tmp_path, PYTHONPATH="")
    assert running.communicate(timeout=60)[1] == "" and running.returncode == 0


@pytest.mark.parametrize("line", [
    "pairs --top 7 --bottom 2 --csv", "pairs {0} {1} --json", "pairs --with {0} --top 2 --csv",
    "pairs --third --json",
])  # fmt: skip
def test_the_same_bytes_by_any_workers(knuthle: Knuthle, line: str) -> None:
    words = EVERYTHING[::50]
    Path("some.txt").write_text("\n".join(words) + "\n")
    asked, seen = line.format(words[100], words[200]).split(), set()
    for number, workers in enumerate(([], *(["--workers", count] for count in (1, 2, 3)))):
        file = Path(f"out{number}.txt")
        said = knuthle(*asked, file, "--list", "some.txt", "--secrets", "allowed", *workers)
        assert said.code == 0
        seen.add((said.out, file.read_bytes()))
    assert len(seen) == 1


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks the system for children")
@pytest.mark.parametrize(("number", "to_worker", "code", "words"), [
    (signal.SIGINT, False, 130, "interrupted"), (signal.SIGTERM, False, 143, "terminated"),
    (signal.SIGKILL, True, 3, "(killed by SIGKILL); the run is stopped"),
])  # fmt: skip
def test_workers_end(
    start: Start, number: signal.Signals, to_worker: bool, code: int, words: str
) -> None:
    """In the middle of the rank of a middling pair, which takes half a minute."""
    running = start([*KNUTHLE, "pairs", "dales", "moner", "--workers", "2"])
    children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    workers: list[int] = []
    while len(workers) < 2:
        assert running.poll() is None
        time.sleep(0.05)
        workers = [int(child) for child in children.read_text().split()]
    time.sleep(0.2)  # they are at work
    os.kill(workers[1] if to_worker else running.pid, number)
    out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (code, "")
    assert err.strip().endswith(words) and "Traceback" not in err
    for worker in workers:
        assert not lives(worker)
