"""Scaling: how the cost grows with guesses, secrets and openers, from 2,000 to 50,000 words."""

import math
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from solver.game.game import Game
from solver.game.wordle import WordleGame
from solver.rules.searcher import Searcher
from solver.splits.ranking import rank_guesses
from solver.words.lists import named_list

from .harness import Bench, duration, run_process

SIZES = (2_000, 5_000, 12_972, 14_855, 50_000)
#: Secrets while guesses grow, guesses while secrets do.
FIXED = 2_000
OPENERS = (1, 2, 4, 8, 16)
_LONG = 1.0
ENTROPY = "whole strategy, entropy"


def run(bench: Bench) -> None:
    """CPU seconds of one core, the least of some runs; each question on its own lists."""
    repeat = 1 if bench.quick else 3
    sizes = SIZES[:2] if bench.quick else SIZES
    worlds = {size: words_of(size) for size in sizes}
    largest = worlds[sizes[-1]]
    secrets = {size: random.Random(size).sample(largest, size) for size in sizes}
    few = {size: random.Random(size).sample(words, FIXED) for size, words in worlds.items()}
    grow: dict[str, tuple[str, Callable[[int], Game]]] = {
        "both": ("guesses and secrets", lambda n: game_of(worlds[n], worlds[n])),
        "guesses": (f"guesses, {FIXED:,} secrets", lambda n: game_of(worlds[n], few[n])),
        "secrets": (f"secrets, {len(largest):,} guesses", lambda n: game_of(largest, secrets[n])),
    }
    for name, (growing, game_with) in grow.items():
        for what, work in WORK.items():
            if name != "both" and what == ENTROPY:
                continue
            for size in sizes[:2]:  # compiles: few words and many go different ways
                work(game_with(size))
            times = [least(repeat, work, game_with(size)) for size in sizes]
            show(bench, f"{what} by {growing}", sizes, times)
    game = game_of(worlds[sizes[1]], worlds[sizes[1]])
    times = [least(repeat, partial(openers, count=count), game) for count in OPENERS]
    show(bench, f"whole strategies by openers, {sizes[1]:,} words", OPENERS, times)
    bench.table("Peak memory of commands", *memory(worlds))


def openers(game: Game, count: int) -> None:
    """The whole minimax strategies of some openers."""
    searcher = Searcher(game)
    for start in random.Random(1).sample(range(len(game.guesses)), count):
        searcher.grow(starts=[start])


#: What is done with a game.
WORK: dict[str, Callable[[Game], Any]] = {
    "all openers measured": rank_guesses,
    "whole strategy, minimax": lambda game: Searcher(game).grow(),
    ENTROPY: lambda game: Searcher(game, "entropy").grow(),
}


def show(bench: Bench, title: str, sizes: Sequence[int], times: Sequence[float]) -> None:
    """A row for each size: time, what the fit says, and how far it is off."""
    power, factor = fitted(sizes, times)
    rows = []
    for size, took in zip(sizes, times, strict=True):
        said = factor * size**power
        rows.append([f"{size:,}", duration(took), duration(said), f"{took / said - 1:+.0%}"])
    bench.table(f"{title}: n^{power:.2f}", ["n", "CPU", "fit", "residual"], rows)


def fitted(sizes: Sequence[int], times: Sequence[float]) -> tuple[float, float]:
    """Exponent and factor of the power law that is closest by ratios (least squares of logs)."""
    power, log_factor = np.polyfit(np.log(sizes), np.log(times), 1)
    return float(power), math.exp(log_factor)


def least(repeat: int, work: Callable[[Game], Any], game: Game) -> float:
    """CPU seconds of the fastest of some runs; what takes long runs once."""
    took: list[float] = []
    while len(took) < repeat and (not took or took[-1] < _LONG):
        begun = time.process_time()
        work(game)
        took.append(time.process_time() - begun)
    return min(took)


def memory(worlds: dict[int, list[str]]) -> tuple[list[str], list[list[object]]]:
    """Peak megabytes of whole commands, processes of their own."""
    rows: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for size, words in worlds.items():
            path = Path(folder, f"words{size}")
            path.write_text("\n".join(words) + "\n", encoding="utf-8")
            row: list[object] = [f"{size:,}", f"{size * size / 1e6:,.0f} MB"]
            for command in ("solve-all", "openers"):
                out = ["--out", f"{folder}/out", "--force"] if command == "solve-all" else []
                call = [sys.executable, "-m", "strategy", command, "--list", str(path), "--quiet"]
                run_process([*call, *out])  # compiles
                row.append(f"{run_process([*call, *out]).peak / 1e6:,.0f} MB")
            rows.append(row)
    return ["words", "all scores", "solve-all", "openers"], rows


def game_of(guesses: Sequence[str], secrets: Sequence[str]) -> Game:
    """A game of these words."""
    return WordleGame("words", "some", tuple(sorted(guesses)), tuple(sorted(secrets)))


def words_of(size: int) -> list[str]:
    """So many words of five letters: a shipped list, a part of one, or a synthetic one."""
    for name in ("original", "nyt-2022", "nyt-2023"):
        words = list(named_list(name, "allowed").words)
        if len(words) == size:
            return words
    return random.Random(size).sample(words, size) if size < len(words) else synthetic(words, size)


def synthetic(words: Sequence[str], size: int) -> list[str]:
    """Words made up letter by letter: each follows two others as often as in real words."""
    dice = random.Random(size)
    after: dict[str, Counter[str]] = {}
    for word in words:
        for at in range(2, len(word)):
            after.setdefault(word[at - 2 : at], Counter())[word[at]] += 1
    made: dict[str, None] = {}
    while len(made) < size:
        word = dice.choice(words)[:2]
        while len(word) < len(words[0]) and word[-2:] in after:
            choice = after[word[-2:]]
            word += dice.choices(list(choice), list(choice.values()))[0]
        if len(word) == len(words[0]):
            made[word] = None
    return sorted(made)
