"""The best strategies that guess candidates only: words and Mastermind, whole, proved."""

from functools import partial

from solver.exact.candidates_only import CandidateSearch
from solver.exact.problem import Answer, Problem
from solver.game.game import Game
from solver.game.load import load_game

from .harness import Bench

#: Board or list, the limit, and the least total.
WHOLE = [
    ("mastermind:4x6", None, 5660), ("mastermind:5x4", None, 3982), ("original", None, 8145),
    ("original", 6, 8227), ("mastermind:4x7", None, 11_362),
]  # fmt: skip
#: So many take seconds.
_QUICK = 3


def game_of(name: str) -> Game:
    """A board or a list by its name."""
    return load_game(spec=name) if ":" in name else load_game(name)


def best(game: Game, within: int | None) -> Answer:
    """The least total of a game."""
    return CandidateSearch(Problem(game, within=within)).answer()


def run(bench: Bench) -> None:
    """Each search from an empty memo, the strategy made."""
    rungs = []
    with bench.ladder("Least totals with candidates only, proved") as ladder:
        for name, within, total in WHOLE[: _QUICK if bench.quick else None]:
            limit = "" if within is None else f" within {within}"
            label = f"{name}{limit}: {total:,}"
            rungs.append((ladder.rung(label, partial(best, game_of(name), within)), total))
    for rung, total in rungs:
        bench.check(rung.result.lower_bound == total, f"{rung.label}, proved")
