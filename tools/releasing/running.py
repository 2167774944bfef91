"""Programs that a release runs: what they print is kept, and an interrupt ends all of them."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

#: So many of the last lines of a program that failed are shown.
SHOWN = 30
#: Seconds that a program has to end by itself, after the signal to end.
PATIENCE = 5
#: Settings of whoever calls that would make the builds depend on them.
_STRANGE = ("GIT_", "NUMBA_", "PYTHON", "SOURCE_DATE_EPOCH", "SPHINX", "VIRTUAL_ENV")


Made = TypeVar("Made")


class ReleaseError(Exception):
    """There can be no release, for the reason that the text says; ``code`` is the exit code."""

    def __init__(self, text: str, code: int = 1) -> None:
        super().__init__(text)
        self.code = code


@dataclass
class Steps:
    """Prints one line for each step, with the seconds since the beginning."""

    began: float = field(default_factory=time.perf_counter)

    def __call__(self, text: str) -> None:
        """One step is done."""
        seconds = time.perf_counter() - self.began
        print(f"release: {seconds:5.0f} s  {text}", file=sys.stderr, flush=True)


def settings(**named: str) -> dict[str, str]:
    """The environment of a program: the caller's, without what builds would depend on."""
    kept = {
        it: text
        for it, text in os.environ.items()
        if not it.startswith(_STRANGE) or it == "PYTHON"  # which Python tools/setup.sh takes
    }
    return kept | named


class Programs:
    """Runs programs, each in a process group of its own, from as many threads as there are."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = set[subprocess.Popen[str]]()
        self._ended = False

    def run(
        self, command: Sequence[object], folder: Path, around: Mapping[str, str] | None = None,
        umask: int = -1,
    ) -> str:  # fmt: skip
        """Run a program to its end and return what it printed.

        Raises:
            ReleaseError: It failed; the text has the end of what it printed.
        """
        words = list(map(str, command))
        with self._lock:
            if self._ended:
                raise ReleaseError("ended before this began", 3)
            program = subprocess.Popen(
                words, cwd=folder, env=dict(around or settings()), umask=umask, text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                start_new_session=True, errors="replace",
            )  # fmt: skip
            self._running.add(program)
        try:
            said, _ = program.communicate()
        finally:
            with self._lock:
                self._running.discard(program)
        if program.returncode:
            end = "\n".join(said.splitlines()[-SHOWN:])
            raise ReleaseError(f"{' '.join(words)}: exit code {program.returncode}\n{end}", 3)
        return said

    def end(self) -> None:
        """End whatever is running, and let nothing begin any more."""
        with self._lock:
            self._ended = True
            running = list(self._running)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for program in running:
                _signal_group(program, number)
            until = time.monotonic() + PATIENCE
            while any(it.poll() is None for it in running) and time.monotonic() < until:
                time.sleep(0.02)


def _signal_group(program: subprocess.Popen[str], number: int) -> None:
    try:
        os.killpg(program.pid, number)
    except (ProcessLookupError, PermissionError):
        return


def side_by_side(programs: Programs, works: Sequence[Callable[[], Made]]) -> list[Made]:
    """Do things, as many at once as there are cores; one that fails, or an interrupt, ends all.

    The results are in the order of the things.
    """
    with ThreadPoolExecutor(min(len(works), os.cpu_count() or 1)) as pool:
        begun = [pool.submit(work) for work in works]
        try:
            done, _ = wait(begun, return_when=FIRST_EXCEPTION)
            for it in done:
                it.result()  # raises what it failed with
        except BaseException:
            for it in begun:
                it.cancel()
            programs.end()
            raise
    return [it.result() for it in begun]
