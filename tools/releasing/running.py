"""Programs that a release runs: what they print is shown where one fails."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

#: So many of the last lines of a program that failed are shown.
SHOWN = 30
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


def run(
    command: Sequence[object], folder: Path, around: Mapping[str, str] | None = None,
    umask: int = -1,
) -> str:  # fmt: skip
    """Run a program to its end and return what it printed.

    Raises:
        ReleaseError: It failed; the text has the end of what it printed.
    """
    words = list(map(str, command))
    done = subprocess.run(
        words, cwd=folder, env=around or settings(), umask=umask, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if done.returncode:
        end = "\n".join(done.stdout.splitlines()[-SHOWN:])
        raise ReleaseError(f"{' '.join(words)}: exit code {done.returncode}\n{end}", 3)
    return done.stdout


def side_by_side(works: Sequence[Callable[[], Made]]) -> list[Made]:
    """Do things, as many at once as there are cores; the results in the order of the things."""
    with ThreadPoolExecutor(min(len(works), os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda work: work(), works))
