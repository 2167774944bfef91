"""Graders: plain Python, compiled arrays and column sums; entropies and ranks of all openers."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import grade
from solver.machine.jit import kernel
from solver.splits.measures import split_measures
from solver.splits.ranking import measures_of, rank_guesses

from .harness import Bench

LENGTH = 5
PLAIN_PART = 12  # guesses that plain Python is measured on


def run(bench: Bench) -> None:
    """12,947 x 2,309 grades by every grader, then all openers measured; and the largest product."""
    game = load_game("nyt-2022", "answers")
    letters = game.letters
    assert letters is not None
    secrets = letters[game.secret_ids]
    grades = len(letters) * len(secrets)
    size = f"{len(letters):,} x {len(secrets):,} grades"
    scores = np.zeros((len(letters), len(secrets)), dtype=np.uint8)
    with bench.ladder(f"{size}, one core", per=(grades, "grade")) as ladder:
        plain = ladder.rung(
            "plain Python",
            partial(plain_rows, game, PLAIN_PART),
            part=(PLAIN_PART, len(letters), "guesses"),
            repeat=3,
        )
        compiled = partial(with_arrays, letters, secrets, scores)
        ladder.rung("sensible arrays, compiled", compiled, repeat=5)
        product = ladder.rung("column sums, columns and memory included", game.score_rows)
        entropies = ladder.rung(
            "the same with entropies",
            lambda: split_measures(game.score_rows(), game.n_scores).entropy(),
        )
        every = np.arange(len(letters), dtype=np.int32)
        measures = ladder.rung("all measures, from the words", partial(measures_of, game, every))
        ladder.rung("the same, ranked", partial(rank_guesses, game))
    bench.check(bool((scores == product.result).all()), "compiled arrays agree with the product")
    some = product.result[:: len(letters) // PLAIN_PART][:PLAIN_PART]
    bench.check(plain.result == some.tolist(), "so does plain Python")
    same = entropies.result == measures.result.entropy()
    bench.check(bool(same.all()), "measures from the words agree exactly")

    whole = load_game("original", "allowed")
    pairs = len(whole.guesses) * len(whole.secrets)
    with bench.ladder("The product: 12,972 x 12,972", per=(pairs, "grade")) as ladder:
        ladder.rung("score_matrix, memory included", whole.score_rows)


def plain_rows(game: Game, guesses: int) -> list[list[int]]:
    """The readable rule, for some guesses from all over the list."""
    chosen = game.guesses[:: len(game.guesses) // guesses][:guesses]
    return [[grade(guess, secret) for secret in game.secrets] for guess in chosen]


@kernel
def with_arrays(
    guesses: NDArray[np.uint8], secrets: NDArray[np.uint8], scores: NDArray[np.uint8]
) -> None:
    """Letters in arrays, a count for each letter, two passes over the word."""
    unclaimed = np.zeros(26, dtype=np.int64)
    for g in range(len(guesses)):
        for s in range(len(secrets)):
            for place in range(LENGTH):
                if guesses[g, place] != secrets[s, place]:
                    unclaimed[secrets[s, place]] += 1
            score = 0
            weight = 1
            for place in range(LENGTH):
                letter = guesses[g, place]
                if letter == secrets[s, place]:
                    score += 2 * weight
                elif unclaimed[letter] > 0:
                    unclaimed[letter] -= 1
                    score += weight
                weight *= 3
            for place in range(LENGTH):
                unclaimed[secrets[s, place]] = 0
            scores[g, s] = score
