"""Openers: all words against all answers, from plain Python to the kernels of ranking."""

import math
from collections import Counter

import numpy as np

from solver.game.load import load_game
from solver.game.wordle import grade
from solver.splits.measures import split_measures
from solver.splits.ranking import measures_of, rank_guesses

from .harness import Bench

PLAIN, NUMPY = 20, 500  # guesses that the slow rungs are measured on


def run(bench: Bench) -> None:
    """Entropies included on every rung; the scores are on the rungs that say so."""
    game = load_game("nyt-2022")
    scores = game.score_rows()
    guesses, answers = game.guesses, game.secrets
    step = len(guesses) // PLAIN

    def plain() -> list[float]:
        result = []
        for guess in guesses[: PLAIN * step : step]:
            sizes = Counter(grade(guess, answer) for answer in answers).values()
            total = len(answers)
            result.append(sum(n / total * math.log2(total / n) for n in sizes))
        return result

    def with_numpy() -> list[float]:
        result = []
        for row in scores[:NUMPY]:
            sizes = np.bincount(row)
            shares = sizes[sizes > 0] / len(answers)
            result.append(float(-(shares * np.log2(shares)).sum()))
        return result

    whole = len(guesses)
    every = np.arange(whole, dtype=np.int32)
    grades = whole * len(answers)
    title = f"Entropies of {whole:,} openers against {len(answers):,} answers"
    with bench.ladder(title, per=(grades, "grade")) as ladder:
        slow = ladder.rung(
            "plain Python, grades included", plain, part=(PLAIN, whole, "guesses"), repeat=1
        )
        middle = ladder.rung(
            "numpy bincount on the matrix", with_numpy, part=(NUMPY, whole, "guesses"), repeat=3
        )
        fast = ladder.rung(
            "split_measures on the matrix", lambda: split_measures(scores, game.n_scores)
        )
        ladder.rung("score matrix alone", game.score_rows)
        ladder.rung(
            "score matrix and split_measures",
            lambda: split_measures(game.score_rows(), game.n_scores).entropy(),
        )
        whole_rung = ladder.rung("measures_of: grades included", lambda: measures_of(game, every))
        ladder.rung("rank_guesses: scores, measures, order", lambda: rank_guesses(game))
    entropies = fast.result.entropy()
    agrees = (entropies == whole_rung.result.entropy()).all()
    bench.check(bool(agrees), "measures_of agrees exactly")
    close = np.allclose(entropies[: PLAIN * step : step], slow.result, atol=1e-9)
    bench.check(bool(close), "plain Python agrees")
    bench.check(bool(np.allclose(entropies[:NUMPY], middle.result, atol=1e-9)), "numpy agrees")
