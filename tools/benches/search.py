"""Search: one-step rules over 12,972 secrets, from counting every guess to majority bounds."""

from __future__ import annotations

import numpy as np

from solver.game.game import Game
from solver.game.load import load_game
from solver.rules.grow import grow_states
from solver.rules.majority_tables import no_letters, scratch_for
from solver.rules.matrix_choice import MatrixSearch
from solver.rules.rules import RULES
from solver.rules.searcher import Searcher

from .harness import Bench

STARTS = ("lares", "serai")


def run(bench: Bench) -> None:
    """Knuth's rule in three steps, what the last one counts, and the other rules."""
    game = load_game("original", "allowed")
    searcher = Searcher(game)
    searcher.prepare()
    for start in STARTS:
        ways = variants(game, searcher)
        with bench.ladder(f"Minimax, {start.upper()}, all 12,972 secrets, one core") as ladder:
            rungs = [
                ladder.rung(
                    name,
                    lambda search=search, start=start: grown(game, search, start),
                    nodes=lambda states: states.shape[1],
                    repeat=5 if name.startswith("every") else 21,
                )
                for name, search in ways.items()
            ]
        bench.check(
            all((rung.result == rungs[0].result).all() for rung in rungs),
            "all ways grow the same tree",
        )
        search = ways["pairs up to 24 candidates, majority bounds above"]
        work = search.scratch.work
        work[:] = 0
        grown(game, search, start)
        states, probes, counts = work.tolist()
        bench.table(
            f"{start.upper()}: guesses looked at in a state of more than 24 candidates, mean",
            ["states", "bounded", "probed", "counted in full"],
            [[states, len(game.guesses), f"{probes / states:.1f}", f"{counts / states:.1f}"]],
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


def variants(game: Game, searcher: Searcher) -> dict[str, MatrixSearch]:
    """The search without its shortcuts, with one of them, with both."""
    base = searcher._search_among(np.arange(len(game.secrets), dtype=np.int32))
    nothing = no_letters(game.score_dtype)
    ways = {
        "every guess counted, dropped when it cannot win": base._replace(few=0, letters=nothing),
        "pairs up to 128 candidates": base._replace(few=128, letters=nothing),
        "majority bounds": base._replace(few=0),
        "pairs up to 24 candidates, majority bounds above": base._replace(few=24),
    }
    size, n_scores = len(game.secrets), game.n_scores
    return {
        name: search._replace(scratch=scratch_for(search.letters, size, n_scores))
        for name, search in ways.items()
    }


def grown(
    game: Game, search: MatrixSearch, start: str
) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """The whole tree: guess, score and parent of every state."""
    starts = np.array([game.guess_id(start)], dtype=np.int32)
    states = np.empty((3, 3 * len(game.secrets) + 2), dtype=np.int32)
    size = grow_states(
        search,
        None,
        game.solved,
        np.arange(len(game.secrets), dtype=np.int32),
        starts,
        np.ascontiguousarray(game.score_rows(starts)),
        states,
    )
    return states[:, :size]
