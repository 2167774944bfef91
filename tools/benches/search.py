"""Search: one-step rules over 12,972 secrets, from counting every guess to letters alone; codes."""

from collections.abc import Callable

import numpy as np

from solver.game.game import Game
from solver.game.load import load_game
from solver.rules.grow_tree import MatrixSearch, all_states
from solver.rules.letter_bits import SEPARATED, WordSearch
from solver.rules.searcher import RULES, Searcher

from .harness import Bench

STARTS = ("lares", "serai")
#: Boards and first guesses of whole strategies of codes.
CODES = [("4x6", "1122"), ("4x10:distinct", "0123"), ("6x6", "112233"), ("5x8", "11223")]
States = np.ndarray[tuple[int, int], np.dtype[np.int32]]


def run(bench: Bench) -> None:
    """Knuth's rule in three steps, what the last one counts, and the other rules."""
    game = load_game("original", "allowed")
    searcher = Searcher(game)
    searcher.prepare()
    ways = variants(game, searcher)
    for start in STARTS:
        with bench.ladder(f"Minimax, {start.upper()}, all 12,972 secrets, one core") as ladder:
            rungs = [
                ladder.rung(
                    name,
                    lambda way=way, start=start: way(start),
                    nodes=lambda states: states.shape[1],
                    repeat=5 if name.startswith("every") else 21,
                )
                for name, way in ways.items()
            ]
        bench.check(
            all((rung.result == rungs[0].result).all() for rung in rungs),
            "all ways grow the same tree",
        )
        search = searcher._word_search
        if search is not None:
            search.scratch.work[:] = 0
            grown(game, None, search, start)
            states, counts = search.scratch.work.tolist()
            bench.table(
                f"{start.upper()}: guesses looked at, mean of states of more than {SEPARATED}",
                ["states", "bounded", "sought for a bucket too large"],
                [[states, len(game.guesses), f"{counts / states:.1f}"]],
            )
    with bench.ladder("Every rule, LARES, all 12,972 secrets, one core") as ladder:
        for rule in RULES:
            other = Searcher(game, rule)
            other.prepare()
            ladder.rung(
                rule,
                lambda other=other: other.grow(starts=[game.guess_id("lares")]),
                nodes=len,
                repeat=5,
            )
    with bench.ladder("Whole minimax strategies of codes, without a matrix") as ladder:
        for board, start in CODES[: 2 if bench.quick else None]:
            codes = load_game(spec=f"mastermind:{board}")
            first = [codes.guess_id(start)]
            ladder.rung(
                f"{board} from {start}",
                lambda codes=codes, first=first: Searcher(codes).grow(None, first),
                nodes=len,
                repeat=3,
            )


def variants(game: Game, searcher: Searcher) -> dict[str, Callable[[str], States]]:
    """The search by rows of scores without its shortcut and with it; and by letters."""
    base = searcher._search_among(np.arange(len(game.secrets), dtype=np.int32))
    words = searcher._word_search
    return {
        "every guess counted, dropped when it cannot win": lambda start: grown(
            game, base._replace(few=0), None, start
        ),
        "pairs of rows up to 128 candidates": lambda start: grown(game, base, None, start),
        "by letters, no scores": lambda start: grown(game, None, words, start),
    }


def grown(game: Game, rows: MatrixSearch | None, words: WordSearch | None, start: str) -> States:
    """The whole tree: guess, score and parent of every state."""
    starts = np.array([game.guess_id(start)], dtype=np.int32)
    return all_states(
        rows,
        words,
        None,
        None,
        game.solved,
        np.arange(len(game.secrets), dtype=np.int32),
        starts,
        np.ascontiguousarray(game.score_rows(starts)),
    )
