"""Optimal Mastermind of whole boards, proved, beside other people's program. Takes minutes."""

from functools import partial

from solver.exact.code_engine import OptimalStrategy, solve_exactly
from solver.game.mastermind import mastermind_game

from .harness import Bench

#: Board, least total, and CPU seconds of fancidev's program in C++ (2012, compiled with ``-O2``) on
#: one core of the same kind; they are quoted, not measured in this run.
BOARDS = [
    ("4x6", 5625, 0.16), ("5x4", 3954, 0.24), ("3x10", 5242, 5.4), ("5x5", 13_496, 7.3),
    ("4x7", 11_228, 28.8), ("4x8", 20_471, None), ("4x10:distinct", 26_274, 167.0),
    ("6x4", 17_281, 181.0),
]  # fmt: skip
#: So many take seconds.
_QUICK = 5


def run(bench: Bench) -> None:
    """Each search from an empty memo, the strategy made."""
    rungs = []
    with bench.ladder("Least totals of whole boards, proved") as ladder:
        for board, total, other in BOARDS[: _QUICK if bench.quick else None]:
            work = partial(solve_exactly, mastermind_game(f"mastermind:{board}"))
            label = f"{board}: {total:,}" + (f" (fancidev: {other} s)" if other else "")
            rung = ladder.rung(label, work, repeat=3 if other and other < 30 else 1, states=states)
            rungs.append((rung, total))
    for rung, total in rungs:
        found = rung.result
        bench.check(found is not None and found.total == total, f"{rung.label}, proved")


def states(found: OptimalStrategy | None) -> int:
    """States that a proof searched."""
    return found.states if found else 0
