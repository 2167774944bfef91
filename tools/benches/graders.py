"""Graders: from plain Python to column sums, with and without entropies."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import grade
from solver.machine.jit import kernel
from solver.splits.measures import split_measures

from .harness import Bench

Words = NDArray[np.uint8]
Scores = NDArray[np.uint8]
#: A grader of five-letter words fills ``scores[guess, secret]``.
Grader = Callable[[Words, Words, Scores], None]

LENGTH = 5
PLAIN_PART = 12  # guesses that plain Python is measured on


def run(bench: Bench) -> None:
    """12,947 x 2,309 grades by every grader, then with entropies, then on all cores."""
    game = load_game("nyt-2022", "answers")
    letters = game.letters
    assert letters is not None
    guesses, secrets = letters, letters[game.secret_ids]
    shape = len(guesses), len(secrets)
    grades = len(guesses) * len(secrets)
    truth = np.ascontiguousarray(game.score_rows())
    size = f"{len(guesses):,} x {len(secrets):,} grades"

    scores = np.zeros(shape, dtype=np.uint8)
    with bench.ladder(f"{size}, one core", per=(grades, "grade")) as ladder:
        ladder.rung(
            "plain Python",
            lambda: plain_rows(game, PLAIN_PART),
            part=(PLAIN_PART, len(guesses), "guesses"),
            repeat=3,
        )
        for name, grader in GRADERS.items():
            ladder.rung(name, lambda grader=grader: grader(guesses, secrets, scores), repeat=5)
        ladder.rung("column sums, columns and memory included", game.score_rows)
    for name, grader in GRADERS.items():
        scores[:] = 0
        grader(guesses, secrets, scores)
        bench.check(bool((scores == truth).all()), f"{name} agrees with the product")

    with bench.ladder(f"{size} with entropies, one core", per=(grades, "grade")) as ladder:
        for name, grader in GRADERS.items():
            ladder.rung(
                name, lambda grader=grader: entropies(grader, guesses, secrets, scores), repeat=5
            )
        ladder.rung(
            "column sums, columns and memory included",
            lambda: split_measures(game.score_rows(), game.n_scores).entropy(),
            repeat=5,
        )

    cores = os.cpu_count() or 1
    with (
        ThreadPoolExecutor(cores) as threads,
        bench.ladder(f"{size}, {cores} threads", per=(grades, "grade")) as ladder,
    ):
        for name, grader in GRADERS.items():
            ladder.rung(
                name,
                lambda grader=grader: in_threads(threads, cores, grader, guesses, secrets, scores),
                repeat=5,
            )
        ladder.rung(
            "column sums, columns and memory included",
            lambda: columns_in_threads(threads, cores, game),
        )

    whole = load_game("original", "allowed")
    pairs = len(whole.guesses) * len(whole.secrets)
    with bench.ladder("The product: 12,972 x 12,972", per=(pairs, "grade")) as ladder:
        ladder.rung("score_matrix, memory included", whole.score_rows)


def entropies(grader: Grader, guesses: Words, secrets: Words, scores: Scores) -> NDArray[Any]:
    """The entropy of every guess: grade all, then count."""
    grader(guesses, secrets, scores)
    return split_measures(scores, 3**LENGTH).entropy()


def in_threads(
    threads: ThreadPoolExecutor,
    count: int,
    grader: Grader,
    guesses: Words,
    secrets: Words,
    scores: Scores,
) -> None:
    """The guesses shared out among threads; the kernels hold no lock."""
    cuts = [len(guesses) * part // count for part in range(count + 1)]
    tasks = [
        threads.submit(grader, guesses[start:end], secrets, scores[start:end])
        for start, end in pairwise(cuts)
    ]
    for task in tasks:
        task.result()


def columns_in_threads(threads: ThreadPoolExecutor, count: int, game: Game) -> None:
    """Column sums by threads, each with columns of its own."""
    parts = np.array_split(np.arange(len(game.guesses), dtype=np.int32), count)
    for task in [threads.submit(game.score_rows, part) for part in parts]:
        task.result()


# --- the graders --------------------------------------------------------------------------


def plain_rows(game: Game, guesses: int) -> list[list[int]]:
    """The readable rule, for some guesses from all over the list."""
    chosen = game.guesses[:: len(game.guesses) // guesses][:guesses]
    return [[grade(guess, secret) for secret in game.secrets] for guess in chosen]


@kernel(nogil=True)
def sensible(guesses: Words, secrets: Words, scores: Scores) -> None:
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


@kernel(nogil=True)
def _packed_word(word: Words) -> int:
    """Five bits a letter in one integer."""
    packed = 0
    for place in range(LENGTH):
        packed |= int(word[place]) << 5 * place
    return packed


@kernel(nogil=True)
def packed(guesses: Words, secrets: Words, scores: Scores) -> None:
    """A word in one register: an exclusive or finds the greens, a bit remembers each claim."""
    hidden = np.empty(len(secrets), dtype=np.int64)
    for s in range(len(secrets)):
        hidden[s] = _packed_word(secrets[s])
    for g in range(len(guesses)):
        guess = _packed_word(guesses[g])
        for s in range(len(secrets)):
            differs = guess ^ hidden[s]
            claimed = 0
            for place in range(LENGTH):
                if differs >> 5 * place & 31 == 0:
                    claimed |= 1 << place
            score = 0
            weight = 1
            greens = claimed
            for place in range(LENGTH):
                if greens >> place & 1:
                    score += 2 * weight
                else:
                    letter = guess >> 5 * place & 31
                    for other in range(LENGTH):
                        if not claimed >> other & 1 and hidden[s] >> 5 * other & 31 == letter:
                            claimed |= 1 << other
                            score += weight
                            break
                weight *= 3
            scores[g, s] = score


@kernel(nogil=True)
def squeezed(guesses: Words, secrets: Words, scores: Scores) -> None:
    """Only the guess's letters count: how often the secret has each fits in one register."""
    slot = np.full(26, 4 * LENGTH, dtype=np.int64)
    for g in range(len(guesses)):
        for place in range(LENGTH):
            slot[guesses[g, place]] = 4 * place
        for s in range(len(secrets)):
            bank = 0
            for place in range(LENGTH):
                if guesses[g, place] != secrets[s, place]:
                    bank += 1 << slot[secrets[s, place]]
            score = 0
            weight = 1
            for place in range(LENGTH):
                shift = slot[guesses[g, place]]
                if guesses[g, place] == secrets[s, place]:
                    score += 2 * weight
                elif bank >> shift & 15:
                    bank -= 1 << shift
                    score += weight
                weight *= 3
            scores[g, s] = score
        for place in range(LENGTH):
            slot[guesses[g, place]] = 4 * LENGTH


@kernel(nogil=True)
def byte_lanes(guesses: Words, secrets: Words, scores: Scores) -> None:
    """All secrets side by side, a byte each: no branch, so that the compiler uses vectors.

    A letter of the guess is yellow if the secret has more unclaimed copies of it than the guess
    has used up before; copies at places where the guess has the letter too are greens.
    """
    count = len(secrets)
    letters = np.ascontiguousarray(secrets.T)
    for g in range(len(guesses)):
        word, row = guesses[g], scores[g]
        row[:] = 0
        for place in range(LENGTH):
            weight = np.uint8(3**place)
            balance = np.zeros(count, dtype=np.int8)
            for other in range(LENGTH):
                lane = letters[other]
                if word[other] != word[place]:
                    for s in range(count):
                        balance[s] += lane[s] == word[place]
                elif other < place:
                    for s in range(count):
                        balance[s] -= lane[s] != word[place]
            lane = letters[place]
            for s in range(count):
                green = np.uint8(lane[s] == word[place])
                yellow = np.uint8(balance[s] > 0) & (np.uint8(1) - green)
                row[s] += weight * (np.uint8(2) * green + yellow)


GRADERS: dict[str, Grader] = {
    "sensible arrays": sensible,
    "packed words": packed,
    "squeezed bank": squeezed,
    "byte lanes": byte_lanes,
}
