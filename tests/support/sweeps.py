"""Sweeps as processes of their own, which something happens to."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

from solver.game.words import named_list
from strategy.sweep.optimal.view import open_exact_sweep
from strategy.sweep.view import SweepTable, open_sweep
from tests.support import ROOT

#: Before the command runs: what befalls it. ``note`` tells the test of the workers.
_BEGIN = """
import os, signal, sys, time
from pathlib import Path
from strategy import cli
from strategy.sweep import run, store, tasks

def note(process):
    with Path("pids").open("a") as pids:
        pids.write(f"{process} ")

made, parent = 0, os.getpid()
add, row = store.SweepStore.add, tasks.SweepBench.row
"""
_END = "\nsys.exit(cli.main(sys.argv[1:]))\n"


def some_words(count: int, seed: int = 17) -> list[str]:
    """Some words of the original list."""
    return sorted(random.Random(seed).sample(named_list("original", "allowed").words, count))


def befallen_code(happens: str) -> str:
    """A program that is a command, and what happens to it."""
    return _BEGIN + happens + _END


def befallen(folder: Path, happens: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """``knuthle sweep …`` in a folder, and what happens to it, as lines of Python."""
    return subprocess.run(
        [sys.executable, "-c", befallen_code(happens), "sweep", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def figures(path: Path) -> list[tuple[object, ...]]:
    """All of a sweep but the CPU times, and who was played by whom."""
    table: SweepTable = open_sweep(path)
    assert not table.running
    return [(*vars(row).values(),)[:4] for row in table] + [table.asked, table.question]


def exact_figures(path: Path) -> list[object]:
    """All of an exact sweep but the CPU times, and who was played by whom."""
    table = open_exact_sweep(path)
    assert not table.running
    return [*table.rows, table.asked, table.question]
