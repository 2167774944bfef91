"""Sweeps: what an opener takes and on what, one and two processes, and what 100 machines would."""

import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from solver.game.game import Game
from solver.game.load import load_game
from solver.machine.pool import Pool
from strategy.sweep.question import SweepQuestion
from strategy.sweep.replay import Replayer
from strategy.sweep.run import REPLAYED, sweep_openers
from strategy.sweep.work import WORKER, RuleWorker

from .harness import Bench

#: Openers that are measured, and empty batches that are handed over.
OPENERS, EMPTY = 100, 2000
#: Machines, of so many cores each, for the arithmetic.
MACHINES, CORES = (1, 10, 100), 32
#: Seconds of a batch by processes of this machine.
BATCH = 0.25


def run(bench: Bench) -> None:
    """Knuth's rule over all 12,972 secrets, for some openers at random."""
    game = load_game(secrets="allowed")
    count = 10 if bench.quick else OPENERS
    some = random.Random(17).sample(range(len(game.guesses)), count)
    each = opener_by_opener(bench, game, some)
    start, hand_over = overheads(bench, game, some)
    arithmetic(bench, len(game.guesses), each, start, hand_over)


def opener_by_opener(bench: Bench, game: Game, some: Sequence[int]) -> float:
    """What an opener takes, step by step; CPU seconds of one, in a sweep."""
    question = SweepQuestion.of(game, "minimax", "allowed", hard=False)
    player = Replayer(game.spec, game.guesses, game.secrets)

    def made() -> RuleWorker:
        """One that remembers nothing yet."""
        return RuleWorker(question)

    def grown(here: RuleWorker) -> list[Any]:
        return [here.searcher.grow(None, (opener,)) for opener in some]

    def played(here: RuleWorker) -> list[Any]:
        return [player.play(here.searcher.grow(None, (opener,)), opener) for opener in some]

    def checked(here: RuleWorker) -> list[Any]:
        return [here.row(opener, at % REPLAYED == 0) for at, opener in enumerate(some)]

    title = f"{len(some)} openers by minimax over {len(game.secrets):,} secrets"
    with bench.ladder(title, per=(len(some), "opener")) as ladder:
        ladder.rung("strategies grown", grown, fresh=made, repeat=3)
        ladder.rung("and every secret played, compiled", played, fresh=made, repeat=3)
        last = f"and every {REPLAYED}th by the trusted checker"
        whole = ladder.rung(last, checked, fresh=made, repeat=3)
        words = [game.guesses[opener] for opener in some]
        rungs = [
            ladder.rung(
                f"sweep with a database, {workers} process{'es' if workers > 1 else ''}",
                lambda folder, workers=workers: sweep_in(folder, game, words, workers),
                fresh=_new_folder,
                repeat=3,
            )
            for workers in (1, 2)
        ]
    bench.check(rungs[0].result == rungs[1].result, "one and two processes come to the same")
    busy = rungs[1].cpu / (2 * rungs[1].wall)
    bench.note(f"two processes: {100 * busy:.0f} % of two cores were busy, the start included")
    return whole.cpu / len(some)


def _new_folder() -> Any:
    """For a sweep by a process that remembers nothing yet."""
    WORKER.forget()
    return tempfile.TemporaryDirectory()


def sweep_in(folder: Any, game: Game, words: Sequence[str], workers: int) -> list[str]:
    """A whole sweep in a folder that goes."""
    with folder:
        table = sweep_openers(game, Path(folder.name) / "s.sqlite", words, workers=workers)
    return [row.digest for row in table]


def overheads(bench: Bench, game: Game, some: Sequence[int]) -> tuple[float, float]:
    """Seconds until a process can begin, and to hand over a batch that has nothing to do."""
    questions = [
        SweepQuestion.of(game, rule, "allowed", hard=False) for rule in ("parts", "minimax")
    ]

    def begin() -> None:
        for question in questions:
            RuleWorker(question)

    def hand_over() -> int:
        with Pool(_nothing, (), 2) as pool:
            return sum(1 for _ in pool.run(range(EMPTY)))

    with bench.ladder("What is not work") as ladder:
        two = ladder.rung("a process makes its game and matrix, twice", begin, repeat=3)
        empty = ladder.rung(f"{EMPTY:,} empty batches through two processes", hand_over, repeat=3)
    return two.wall / 2, empty.wall / EMPTY


def _nothing() -> Callable[[int], int]:
    return int


def arithmetic(bench: Bench, openers: int, each: float, start: float, hand_over: float) -> None:
    """What so many machines would take, if all of it goes as it was measured on one."""
    rows = []
    for machines in MACHINES:
        workers = machines * CORES
        work = openers * each / workers
        batch = min(BATCH, work / 4)
        batches = openers * each / max(batch, 1e-9)
        shards = start + work + batch
        scheduler = batches * hand_over
        rows.append(
            (
                machines,
                f"{workers:,}",
                f"{work:.2f} s",
                f"{shards:.2f} s",
                f"{100 * work / shards:.0f} %",
                f"{scheduler:.2f} s",
            )
        )
    header = ("machines", "workers", "work", "with start and last batch", "busy", "handing over")
    bench.table(
        f"All {openers:,} openers on machines of {CORES} cores, by arithmetic", header, rows
    )
    bench.note(
        "with shards, machines hand over by themselves, beside each other; one scheduler for all "
        "hands over one batch after the other, and what that takes is in the last column"
    )
