"""Exact search by weight beside equally likely answers: one opener, all openers. Takes minutes."""

import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from solver.words.lists import named_list

from .harness import Bench, Finished

#: What is searched: the options of the command, whether with weights, what the answer must be (the
#: totals by weight are those of the weights below).
QUESTIONS: list[tuple[str, list[str], bool, tuple[str, int]]] = [
    ("SALET, equally likely", ["--start", "salet"], False, ("salet", 7920)),
    ("SALET, weights 1 to 100", ["--start", "salet"], True, ("salet", 381481)),
    ("all openers, equally likely", [], False, ("salet", 7920)),
    ("all openers, weights 1 to 100", [], True, ("trace", 380404)),
]
#: With weights it may take so many times as long as without.
_MOST = 20


def run(bench: Bench) -> None:
    """The command as people run it: 2,315 answers within six, in one process."""
    dice = random.Random(5)
    answers = named_list("original", "answers").words
    rungs = []
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder, "weights.txt")
        weights.write_text("".join(f"{word} {dice.randint(1, 100)}\n" for word in answers))
        with bench.ladder("The least total, the whole command") as ladder:
            for number, (label, options, weighted, best) in enumerate(
                QUESTIONS[: 2 if bench.quick else None]
            ):
                found = Path(folder, f"{number}.json")
                out = ["--out", str(Path(folder, str(number))), "--json", str(found)]
                line = [*options, "--workers", "1", *out]
                line += ["--weights", str(weights)] if weighted else []
                command = [sys.executable, "-m", "strategy", "optimal", "--quiet", *line]
                rungs.append((ladder.command(label, command, repeat=1), found, best))
        for rung, found, (word, total) in rungs:
            answer: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
            first = answer["openers"][0]
            bench.check(
                isinstance(rung.result, Finished)
                and answer["proved"]
                and (first["word"], first["total"], answer["total"]) == (word, total, total),
                f"{rung.label}: {first['word']}, {first['total']:,}, proved",
            )
        for (plain, *_), (weighed, *_) in zip(rungs[::2], rungs[1::2], strict=True):
            ratio = weighed.samples[0].cpu / plain.samples[0].cpu
            bench.check(ratio <= _MOST, f"{weighed.label}: {ratio:.1f} times the CPU time without")
