"""Optimal Mastermind of whole boards, proved, beside other people's program. Takes minutes."""

from functools import partial
from typing import NamedTuple

from solver.exact.kernels.lemmas import LOSS, UNLIMITED
from solver.exact.set_engine import ExactCodes
from solver.exact.values import state_of
from solver.game.game import Game
from solver.game.mastermind import mastermind_game
from strategy.checkers.proof import Proof, check
from strategy.files import envelope
from strategy.proofs import proof_file
from strategy.proofs.writer import prove_optimal
from strategy.solving.optimal import optimal

from .harness import Bench

#: Board, least total, and CPU seconds of fancidev's program in C++ (2012, compiled with ``-O2``) on
#: one core of the same kind; they are quoted, not measured in this run.
BOARDS = [
    ("4x6", 5625, 0.16), ("5x4", 3954, 0.24), ("3x10", 5242, 5.4), ("5x5", 13_496, 7.3),
    ("4x7", 11_228, 28.8), ("4x8", 20_471, None), ("4x10:distinct", 26_274, 167.0),
    ("6x4", 17_281, 181.0),
]  # fmt: skip
#: Board, limit, the fewest codes beyond it, and the least total of those.
FEWEST = [("4x5", 3, 499, 2467), ("4x6", 4, 528, 5630)]
#: Board and least total of proofs.
PROVED = [("4x6", 5625), ("3x10", 5242), ("5x5", 13_496), ("4x7", 11_228)]
#: So many take seconds.
_QUICK = 5


def run(bench: Bench) -> None:
    """Each search from an empty memo, the strategy made."""
    rungs = []
    with bench.ladder("Least totals of whole boards, proved") as ladder:
        for board, total, other in BOARDS[: _QUICK if bench.quick else None]:
            work = partial(solve, mastermind_game(f"mastermind:{board}"))
            label = f"{board}: {total:,}" + (f" (fancidev: {other} s)" if other else "")
            rung = ladder.rung(label, work, repeat=3 if other and other < 30 else 1, states=states)
            rungs.append((rung, total))
    fewest(bench)
    proofs(bench)
    for rung, total in rungs:
        found = rung.result
        bench.check(found.value == total, f"{rung.label}, proved")


class Solved(NamedTuple):
    """The value of a whole board, and how many states were searched for it."""

    value: int
    states: int


def solve(game: Game, within: int = UNLIMITED, losses: bool = False) -> Solved:
    """The best strategy of a whole board, from an empty memo."""
    codes = ExactCodes(game, losses=losses)
    state = state_of(codes.members, within)
    value = codes.value_of_state(state)
    assert value.exact and codes._stack is not None
    codes.plan(state)
    return Solved(value.bound, int(codes._stack.work[1]))


def fewest(bench: Bench) -> None:
    """The fewest codes that take more guesses than a limit, from an empty memo."""
    rungs = []
    with bench.ladder("Fewest codes beyond a limit, proved") as ladder:
        for board, limit, losses, total in FEWEST:
            game = mastermind_game(f"mastermind:{board}")
            work = partial(solve, game, limit, losses=True)
            label = f"{board} beyond {limit}: {losses}, {total:,}"
            rungs.append((ladder.rung(label, work, repeat=3, states=states), losses, total))
    for rung, losses, total in rungs:
        best = rung.result.value == losses * LOSS + total
        bench.check(best, f"{rung.label}, proved")


def proofs(bench: Bench) -> None:
    """Proofs of least totals: to write them, with the search that it takes, and to check them."""
    rungs = []
    with bench.ladder("Proofs of least totals, written from an empty memo") as ladder:
        for board, total in PROVED[: 1 if bench.quick else None]:
            game = mastermind_game(f"mastermind:{board}")
            best = optimal(game, within=None).strategy
            work = partial(prove_optimal, game, "total", None, False, best)
            label = f"{board}: {total:,}"
            rungs.append((ladder.rung(label, work, repeat=1, claims=claims, size=size), total))
    with bench.ladder("Proofs of least totals, checked") as ladder:
        for rung, _ in rungs:
            ladder.rung(rung.label, partial(check, rung.result), repeat=1)
    for rung, total in rungs:
        bench.check(rung.result.statement.total == total, f"{rung.label} is proved")


def states(found: Solved) -> int:
    """States that a proof searched."""
    return found.states


def claims(proof: Proof) -> int:
    """How many sets of codes a proof says something about."""
    return len(proof.claims)


def size(proof: Proof) -> str:
    """The size of a proof's file."""
    return f"{len(envelope.pack(envelope.PROOF, proof_file.to_body(proof))) / 1000:,.0f} KB"
