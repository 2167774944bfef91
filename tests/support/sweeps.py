"""Sweeps as processes of their own, which something happens to; a real scheduler of Dask."""

import json
import os
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from strategy import open_sweep, sweep_openers, sweep_optimal
from tests.support import ROOT
from tests.support.commands import Knuthle, ran
from tests.support.worlds import EVERYTHING

#: Before the command runs: what befalls it. ``note`` tells the test of the workers.
_BEGIN = """
import os, signal, sys, time
from pathlib import Path
from strategy import cli
from strategy.sweep import store, work

def note(process):
    with Path("pids").open("a") as pids:
        pids.write(f"{process} ")

made, parent = 0, os.getpid()
improve = store.SweepStore.improve
row, best, quick = work.RuleWorker.row, work.ExactWorker._best, work.ExactWorker._quick
"""
_END = "\nsys.exit(cli.main(sys.argv[1:]))\n"


def some_words(count: int, seed: int = 17) -> list[str]:
    return sorted(random.Random(seed).sample(EVERYTHING, count))


#: What most sweeps are of.
WORDS = some_words(60)


def befallen_code(happens: str) -> str:
    """A program that is a command, and what happens to it."""
    return _BEGIN + happens + _END


def befallen(folder: Path, happens: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``knuthle sweep …`` in a folder, and what happens to it, as lines of Python."""
    return ran([sys.executable, "-c", befallen_code(happens), "sweep", *arguments], folder)


def figures(path: Path) -> list[object]:
    """All of a sweep but the CPU times, and who was played by whom."""
    table = open_sweep(path)
    assert not table.running
    return [*table.rows, table.openers, table.question]


@dataclass(frozen=True)
class Kind:
    """One of the two kinds of sweep, for tests that hold for both."""

    sweep: Callable[..., Any]
    #: The options of the command, and the table of the database.
    options: tuple[str, ...]
    table: str


KINDS = {
    "rule": Kind(sweep_openers, (), "openers"),
    "exact": Kind(sweep_optimal, ("--rule", "optimal"), "exact"),
}


def altered(path: Path, statement: str, *values: object) -> None:
    """Change a database behind the back of whoever made it."""
    with sqlite3.connect(path) as connection:
        connection.execute(statement, values)
    connection.close()


def report_forms(knuthle: Knuthle, database: str, sort: str) -> list[str]:
    """Everything that the report of a sweep says, in every form of text."""
    texts = []
    for more in ((), ("--markdown",), ("--json", "-"), ("--csv", "-"), ("--sort", sort)):
        outcome = knuthle("sweep", "report", database, *more)
        assert (outcome.code, outcome.err) == (0, "")
        texts.append(outcome.out)
    return texts


class Cluster:
    def __init__(self, folder: Path, *tls: str) -> None:
        self._file = folder / "scheduler.json"
        common = ["--scheduler-file", str(self._file), *tls]
        if tls:
            common += ["--protocol", "tls"]
        self._started: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *common)
        while not self._file.exists() or not self._file.read_text().endswith("}"):
            assert self._started[0].poll() is None
            time.sleep(0.05)
        self.workers = [
            self._start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", *common)
            for _ in range(2)
        ]

    def _start(self, kind: str, *options: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._started.append(process)
        return process

    @property
    def address(self) -> str:
        found: str = json.loads(self._file.read_text())["address"]
        return found

    def close(self) -> None:
        for process in self._started:
            process.kill()
        for process in self._started:
            process.wait()
