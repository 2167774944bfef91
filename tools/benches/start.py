"""From the prompt to the answer: whole commands, compiled before, beside what they stand on."""

import sys
import tempfile
from pathlib import Path

from .harness import Bench

COMMANDS = (
    "openers --top 3",
    "five-words",
    "buckets crane",
    "suggest crane.bybbb",
    "pairs --third",
    "solve-all --start lares",
    "solve-all --start lares --workers 2",
    "optimal --start salet",
    "lists",
    "--help",
)


def run(bench: Bench) -> None:
    """Whole commands, and what importing costs."""
    python = sys.executable
    with (
        tempfile.TemporaryDirectory() as folder,
        bench.ladder("Processes, wall time, compiled before") as ladder,
    ):
        for text in ("pass", "import numpy", "import llvmlite.binding", "import numba"):
            ladder.command(f"python -c '{text}'", [python, "-c", text])
        for command in COMMANDS:
            words = command.split()
            if "--start" in words:
                words += ["--out", str(Path(folder, words[0])), "--force"]
            ladder.command(f"knuthle {command}", [python, "-m", "strategy", *words])
