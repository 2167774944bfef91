"""The scripts that set everything up: one set-up at a time, and none that waits for ever."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support import ROOT, refused
from tests.support.commands import ran, started

SETUP = ROOT / "tools" / "setup.sh"
#: The script, which looks for the lock more often than it does otherwise.
EAGER = '. "$0"; sleep() { command sleep 0.02; }'


def lock(folder: Path, after: str = "echo locked") -> subprocess.CompletedProcess[str]:
    """Take the lock of a checkout in ``folder``."""
    script = f"{EAGER}; root=$1; lock && {{ {after}; }}"
    return ran(["bash", "-c", script, SETUP, folder])


def test_the_lock_is_signed_and_given_back(tmp_path: Path) -> None:
    taken = lock(tmp_path, 'cat "$root/.venv.lock/pid"; echo $$')
    first, second = taken.stdout.split()
    assert first == second
    assert not list(tmp_path.iterdir())
    # Where nothing can be written the reason is told.
    (tmp_path / ".venv.lock").write_text("a file, so that root cannot make the directory either")
    untaken = lock(tmp_path)
    assert untaken.returncode == 3 and "no .venv can be made there (mkdir: " in untaken.stderr


@pytest.mark.parametrize("holder", [None, "", "999999999"])
def test_a_lock_that_was_left_behind_is_taken_over(tmp_path: Path, holder: str | None) -> None:
    place = tmp_path / ".venv.lock"
    place.mkdir()
    if holder is not None:
        (place / "pid").write_text(holder)
    assert lock(tmp_path).stdout == "locked\n"


def test_a_lock_in_use_is_waited_for(tmp_path: Path) -> None:
    place = tmp_path / ".venv.lock"
    place.mkdir()
    (place / "pid").write_text(str(os.getpid()))
    waiting = started(["bash", "-c", f"{EAGER}; root=$1; lock && echo locked", SETUP, tmp_path])
    assert waiting.stderr
    said = waiting.stderr.readline()
    assert said == f"knuthle: waiting for the set-up by process {os.getpid()} …\n"
    (place / "pid").unlink()
    place.rmdir()
    assert waiting.communicate()[0] == "locked\n"


#: A stand-in for Python whose ``pip`` takes for ever and would say so if it were interrupted.
SLOW_PYTHON = """#!/usr/bin/env bash
case "$*" in
    *"-m venv"*) mkdir -p "$root/.venv/bin"; cp "$0" "$root/.venv/bin/python" ;;
    *"-m pip"*)
        trap 'echo Traceback >&2; exit 1' INT
        echo $$ >"$root/pip.pid"
        while :; do sleep 0.05; done ;;
esac
"""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_setup_ends_all(tmp_path: Path, number: signal.Signals, code: int) -> None:
    python = tmp_path / "python3"
    python.write_text(SLOW_PYTHON)
    python.chmod(0o755)
    begin = 'set -euo pipefail; . "$0"; root=$1; export root; venv=$root/.venv; lock; '
    script = begin + 'install run "$1/python3"'
    running = started(["bash", "-c", script, SETUP, tmp_path])
    pid = tmp_path / "pip.pid"
    while not (pid.exists() and pid.read_text().endswith("\n")):
        time.sleep(0.02)
    os.killpg(running.pid, number)  # as a terminal does
    said = running.communicate(timeout=60)[1]
    assert (running.returncode, said) == (code, "knuthle: the set-up was interrupted.\n")
    refused(ProcessLookupError, "", os.kill, int(pid.read_text()), 0)
    assert not (tmp_path / ".venv.lock").exists()
    assert (tmp_path / ".venv" / "stamp-unfinished").exists()  # so it is made anew


def test_the_newest_python_is_one_that_works(tmp_path: Path) -> None:
    """A command may be there and fail; then the folder of that version is looked for."""
    commands, versions = tmp_path / "commands", tmp_path / "pyenv root" / "versions"
    for path, script in (
        (commands / "python3.18", "exit 127"),
        (commands / "python3.17", 'case "$*" in *"(3, 17)"*) exit 0 ;; esac; exit 1'),
        (versions / "3.18.1" / "bin" / "python3.18", "exit 127"),
        (versions / "3.16.2" / "bin" / "python3.16", "exit 0"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    path = f"{commands}:{os.environ['PATH']}"
    settings = {"PATH": path, "PYENV_ROOT": str(versions.parent), "PYTHON": sys.executable}
    said = ran(["bash", ROOT / "tools" / "ends", "list"], tmp_path, **settings)
    assert said.returncode == 0, said.stderr
    newest = said.stdout.splitlines()[1]
    first, second = commands / "python3.17", versions / "3.16.2" / "bin" / "python3.16"
    assert newest.startswith(f"newest: {first} {second}")


#: Becomes another command, with an interrupt that has come and waits.
INTERRUPTED = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
os.kill(os.getpid(), signal.SIGINT)
os.execv(sys.argv[1], sys.argv[1:])
"""


def test_an_interrupt_before_python_begins_is_not_lost() -> None:
    """Python itself would answer with a traceback, so it waits until it can end the process."""
    done = ran([sys.executable, "-c", INTERRUPTED, ROOT / "tools" / "run", "lists"])
    assert (done.stdout, done.stderr) == ("", "")
    assert done.returncode in (-signal.SIGINT, 130)
