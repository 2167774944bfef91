"""Exact search over all first guesses: the best one, the ten best, hard mode. Takes minutes."""

import json
import sys
import tempfile
from pathlib import Path

from .harness import Bench, Finished

#: Options of the command, and the total of the best first guess.
QUESTIONS = [
    ("the best, one process", ["--workers", "1"], 7920),
    ("the best, two processes", ["--workers", "2"], 7920),
    ("the ten best, two processes", ["--workers", "2", "--top", "10"], 7920),
    ("the best in hard mode, two processes", ["--workers", "2", "--hard"], 8122),
]


def run(bench: Bench) -> None:
    """The command as people run it: all 12,972 first guesses, 2,315 answers, within six."""
    rungs = []
    with tempfile.TemporaryDirectory() as folder:
        with bench.ladder("All first guesses settled or excluded, the whole command") as ladder:
            for number, (label, options, total) in enumerate(
                QUESTIONS[: 2 if bench.quick else None]
            ):
                found = Path(folder, f"{number}.json")
                out = ["--out", str(Path(folder, str(number))), "--json", str(found)]
                command = [sys.executable, "-m", "strategy", "optimal", "--quiet", *options, *out]
                rungs.append((ladder.command(label, command, repeat=1), found, total))
        for rung, found, total in rungs:
            answer = json.loads(found.read_text(encoding="utf-8"))
            best = answer["openers"][0]
            bench.check(
                isinstance(rung.result, Finished) and answer["proved"] and best["total"] == total,
                f"{rung.label}: {best['word']}, {total:,}, proved",
            )
