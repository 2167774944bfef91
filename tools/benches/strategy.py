"""The main job: a whole strategy from words in memory, then the command by number of workers."""

import sys
import tempfile

from solver.game.load import load_game
from strategy.solving.by_rule import Settings, solve

from .harness import Bench

OPENER = "lares"
WORKERS = (1, 2)


def run(bench: Bench) -> None:
    """The library's call, then the whole process; the search by itself: topic search."""
    game = load_game(secrets="allowed")
    settings = Settings(start=(OPENER,))
    title = f"{OPENER.upper()}, {len(game.guesses):,} words, guesses and secrets alike"
    with bench.ladder(title, per=(len(game.secrets), "game")) as ladder:
        ladder.rung("matrix, search, every game played", lambda: solve(game, settings))
    with (
        tempfile.TemporaryDirectory() as folder,
        bench.ladder("The whole process, from exec to exit; compiled before") as ladder,
    ):
        for workers in WORKERS:
            options = f"--start {OPENER} --workers {workers} --quiet --out {folder}/x.strategy"
            ladder.command(
                f"solve-all --start {OPENER} --workers {workers}",
                [sys.executable, "-m", "strategy", "solve-all", *options.split()],
            )
