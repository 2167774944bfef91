"""Mastermind: one engine with and without symmetry, whole strategies, optima by both engines."""

import sys
from functools import partial

import numpy as np

from solver.exact.best_strategy import best_strategy
from solver.exact.problem import Problem
from solver.exact.set_engine import ExactCodes
from solver.game.mastermind import MastermindGame, mastermind_game
from solver.rules.searcher import Searcher
from solver.tree import Tree

from .harness import Bench

#: Board and first guess of the whole strategies.
WHOLE = [("4x6", "1122"), ("4x10:distinct", "0123"), ("6x6", "112233"), ("5x8", "11223")]
#: Board and least total of the proofs that the search of words can do as well.
BY_BOTH = [("3x5", 451), ("4x4", 905)]


class MatrixOnly(MastermindGame):
    """The same game by its score matrix and all guesses, as Wordle is searched."""

    code_space = None


def grow(game: MastermindGame, start: str) -> Tree:
    """A whole minimax strategy, its search set up anew."""
    return Searcher(game).grow(None, [game.guess_id(start)])


def run(bench: Bench) -> None:
    """Grading, the two searches side by side, larger boards, exact search."""
    grading(bench)
    side_by_side(bench)
    with bench.ladder("Whole minimax strategies without a matrix") as ladder:
        for board, start in WHOLE[: 2 if bench.quick else None]:
            game = mastermind_game(f"mastermind:{board}")
            ladder.rung(f"{board} from {start}", partial(grow, game, start), repeat=3, nodes=len)
        command = ["solve-all", "--game", "mastermind:5x8", "--start", "11223", "--quiet"]
        whole = [sys.executable, "-m", "strategy.cli", *command, "--out", "/dev/null"]
        if not bench.quick:
            ladder.command("5x8, the command: search, verify, write", whole)
    by_both(bench)


def grading(bench: Bench) -> None:
    """One code against many: by the readable rule and by shared first pegs."""
    game = mastermind_game("mastermind:5x8")
    ids = np.arange(1024, dtype=np.int32)
    some, all_of = game.guesses[:20], len(ids) * len(game.secrets)
    with bench.ladder("Grades of 1,024 codes x 32,768", per=(all_of, "grade")) as ladder:
        ladder.rung(
            "the readable rule",
            lambda: [game.grade(guess, secret) for guess in some[:2] for secret in game.secrets],
            part=(2, len(ids), "codes"),
            repeat=1,
        )
        ladder.rung("shared first pegs", lambda: game.score_rows(ids))


def side_by_side(bench: Bench) -> None:
    """The reductions change the time, not the tree."""
    game = mastermind_game("mastermind:4x6")
    plain = MatrixOnly("plain", "plain", game.guesses, game.secrets, game.board)
    with bench.ladder("4x6 from 1122, whole minimax strategy", per=(1296, "game")) as ladder:
        slow = ladder.rung("score matrix, all guesses", lambda: grow(plain, "1122"))
        fast = ladder.rung("graded on the way, representatives", lambda: grow(game, "1122"))
    same = all(
        np.array_equal(getattr(slow.result, column), getattr(fast.result, column))
        for column in ("guess", "score", "parent")
    )
    bench.check(same, "both searches give the same tree")


def by_both(bench: Bench) -> None:
    """What a search of its own gains: the one of words knows no maps of the board onto itself."""
    for board, total in BY_BOTH:
        game = mastermind_game(f"mastermind:{board}")
        plain = MatrixOnly("plain", "plain", game.guesses, game.secrets, game.board)
        with bench.ladder(f"Optimal total of {board}, proved") as ladder:
            words = ladder.rung(
                "the search of words", partial(best_strategy, Problem(plain, within=None)), repeat=3
            )
            pegs = ladder.rung(
                "by kinds of guesses", lambda game=game: ExactCodes(game).solve(), repeat=3
            )
        bench.check(words.result.lower_bound == total, f"words: {total:,}")
        bench.check(pegs.result is not None and pegs.result.total == total, f"pegs: {total:,}")
