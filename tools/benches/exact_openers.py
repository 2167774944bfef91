"""Exact search over all first guesses, and of poor ones one by one. Takes minutes."""

import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from solver.exact.problem import Problem
from solver.game.game import Game
from solver.game.load import load_game
from strategy.sweep.question import SweepQuestion
from strategy.sweep.work import ExactWorker, SweepBatch, TotalSearch

from .harness import Bench, cpu_seconds

#: Options of the command, and the total of the best first guess.
QUESTIONS = [
    ("the best, one process", ["--workers", "1"], 7920),
    ("the best, two processes", ["--workers", "2"], 7920),
    ("the ten best, two processes", ["--workers", "2", "--top", "10"], 7920),
    ("the best in hard mode, two processes", ["--workers", "2", "--hard"], 8122),
]
#: First guesses that leave most answers together, and their least totals without a limit.
POOR = [("jumpy", 8803), ("fuzzy", 9183), ("qajaq", 9496)]
#: So many first guesses at random, and how sure the interval of their mean is (95 %).
SAMPLE, QUICK_SAMPLE, STANDARD_ERRORS = 200, 16, 1.96
#: So many are tried within six, some seconds each, and none longer than so many.
LIMITS, QUICK_LIMITS, LONGEST = 200, 4, 120


def run(bench: Bench) -> None:
    """All first guesses together; some of them one after the other, as a sweep solves them."""
    together(bench)
    one_by_one(bench)
    within_six(bench)


def together(bench: Bench) -> None:
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
                answer["proved"] and best["total"] == total,
                f"{rung.label}: {best['word']}, {total:,}, proved",
            )


def one_by_one(bench: Bench) -> None:
    """Least totals with their strategies: of poor first guesses, and of some at random."""
    game = load_game("original")
    search = TotalSearch(Problem(game, within=None), lambda: None)
    search.best(game.guess_id("salet"))  # whatever is compiled or read once
    poor, took = timed(search.best, [game.guess_id(word) for word, _ in POOR])
    bench.table(
        "The least total of a poor first guess, without a limit",
        ("", "total", "CPU s"),
        [(word, f"{total:,}", f"{it:.2f}") for (word, total), it in zip(POOR, took, strict=True)],
    )
    bench.check([found[0] for found in poor] == [total for _, total in POOR], "their totals")
    took = timed(search.best, drawn(game, QUICK_SAMPLE if bench.quick else SAMPLE))[1]
    mean, error = statistics.mean(took), statistics.stdev(took) / len(took) ** 0.5
    low, high = mean - STANDARD_ERRORS * error, mean + STANDARD_ERRORS * error
    show(bench, "one after the other", took, {"95 % interval": f"{low:.2f} to {high:.2f}"})
    hours = len(game.guesses) / 3600
    bench.note(f"all {len(game.guesses):,}: {low * hours:.1f} to {high * hours:.1f} CPU hours")


def within_six(bench: Bench) -> None:
    """Which of some first guesses at random can solve all 12,972 words within six guesses."""
    game = load_game(secrets="allowed")
    worker = ExactWorker(SweepQuestion.of(game, "optimal", "allowed", False, "possible", 6))
    found, took = timed(
        lambda opener: worker.answer(SweepBatch((opener,), until=time.time() + LONGEST)).rows,
        drawn(game, QUICK_LIMITS if bench.quick else LIMITS),
    )
    states = Counter(row.state for rows in found for row in rows)
    show(bench, f"within six over all {len(game.secrets):,}", took, dict(sorted(states.items())))


def drawn(game: Game, count: int) -> list[int]:
    """So many first guesses at random, the same each time."""
    return random.Random(17).sample(range(len(game.guesses)), count)


def timed(work: Callable[[int], Any], openers: Sequence[int]) -> tuple[list[Any], list[float]]:
    """What is found for each first guess, and the CPU seconds of each."""
    found, took = [], []
    for opener in openers:
        begin = cpu_seconds()
        found.append(work(opener))
        took.append(cpu_seconds() - begin)
    return found, took


def show(bench: Bench, how: str, took: Sequence[float], more: dict[str, object]) -> None:
    """A table about first guesses at random."""
    seconds = {"CPU s in the mean": f"{statistics.mean(took):.2f}", "longest": f"{max(took):.2f}"}
    rows = [*(seconds | more).items()]
    bench.table(f"{len(took)} first guesses at random, {how}", ("", ""), rows)
