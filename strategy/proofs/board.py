"""The game as the checker of proofs sees it: scores from letters, and hard mode from letters.

Plain loops, written for being read and shared with no search: a bug of the search must not be able
to hide here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

#: Guesses that are counted side by side.
LANES = 64
#: Of the alphabet.
LETTERS = 26


class Board(NamedTuple):
    """A game as numbers. Columns are guesses, those with most parts first, padded to LANES."""

    #: ``rows[secret, column]``: which part of the column's split the secret falls into.
    rows: NDArray[Any]
    #: The guess of a column, or -1 for padding; the secret that it is, or -1.
    guess: NDArray[np.int32]
    secret: NDArray[np.int32]
    #: The column in which each secret is guessed.
    column: NDArray[np.int32]
    #: Parts of the split of all secrets, 0 for padding.
    parts: NDArray[np.int64]
    #: The letters of each column's guess, as numbers.
    letters: NDArray[np.uint8]
    price: int
    hard: bool


def new_board(guesses: Sequence[str], secrets: Sequence[str], price: int, hard: bool) -> Board:
    """Grade everything by letters and sort the guesses by their parts."""
    letters = np.array([[ord(x) - ord("a") for x in word] for word in guesses], dtype=np.uint8)
    place = {word: at for at, word in enumerate(guesses)}
    hidden = letters[[place[word] for word in secrets]]
    grades = _grades(letters, hidden)
    parts = _recode(grades)
    order = np.argsort(-parts, kind="stable")
    width = -(-len(guesses) // LANES) * LANES
    dtype = np.uint8 if int(parts.max()) <= 256 else np.uint16
    rows = np.zeros((len(secrets), width), dtype=dtype)
    rows[:, : len(guesses)] = grades.T[:, order]
    guess = np.full(width, -1, dtype=np.int32)
    guess[: len(guesses)] = order
    column = np.empty(len(guesses), dtype=np.int32)
    column[order] = np.arange(len(guesses), dtype=np.int32)
    columns = column[[place[word] for word in secrets]]
    secret = np.full(width, -1, dtype=np.int32)
    secret[columns] = np.arange(len(secrets), dtype=np.int32)
    padded = np.zeros(width, dtype=np.int64)
    padded[: len(guesses)] = parts[order]
    shapes = np.zeros((width, letters.shape[1]), dtype=np.uint8)
    shapes[: len(guesses)] = letters[order]
    return Board(rows, guess, secret, columns, padded, shapes, price, hard)


def nothing_shown(board: Board) -> NDArray[np.uint8]:
    """Nothing asked by hard mode: no green (letter + 1) at any place, no copies of any letter."""
    return np.zeros(board.letters.shape[1] + LETTERS, dtype=np.uint8)


# --- scores from letters --------------------------------------------------------------------


@kernel
def _grades(guesses: NDArray[np.uint8], secrets: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Every guess against every secret; guess-major."""
    length = guesses.shape[1]
    grades = np.zeros((guesses.shape[0], secrets.shape[0]), dtype=np.int32)
    left = np.zeros(LETTERS, dtype=np.int64)
    for g in range(guesses.shape[0]):
        guess = guesses[g]
        for s in range(secrets.shape[0]):
            secret = secrets[s]
            for place in range(length):
                left[guess[place]] = 0
                left[secret[place]] = 0
            for place in range(length):
                if guess[place] != secret[place]:
                    left[secret[place]] += 1
            score, unit = 0, 1
            for place in range(length):
                if guess[place] == secret[place]:
                    score += 2 * unit
                elif left[guess[place]] > 0:
                    left[guess[place]] -= 1
                    score += unit
                unit *= 3
            grades[g, s] = score
    return grades


def _recode(grades: NDArray[np.int32]) -> NDArray[np.int64]:
    """Number each guess's scores from 0 in place, which keeps splits; the parts of each guess."""
    scores = int(grades.max()) + 1
    return _recode_rows(grades, np.full(scores, -1, dtype=np.int64))


@kernel
def _recode_rows(grades: NDArray[np.int32], code: NDArray[np.int64]) -> NDArray[np.int64]:
    parts = np.zeros(grades.shape[0], dtype=np.int64)
    for g in range(grades.shape[0]):
        code[:] = -1
        for s in range(grades.shape[1]):
            score = grades[g, s]
            if code[score] < 0:
                code[score] = parts[g]
                parts[g] += 1
            grades[g, s] = code[score]
    return parts


# --- hard mode ------------------------------------------------------------------------------


@kernel
def show(
    guess: NDArray[np.uint8],
    secret: NDArray[np.uint8],
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> None:
    """What has been shown once ``guess`` met ``secret``: greens, and copies of letters."""
    length = guess.shape[0]
    after[:] = before
    for place in range(length):
        letter = guess[place]
        if letter == secret[place]:
            after[place] = letter + 1
        guessed, hidden = 0, 0
        for other in range(length):
            guessed += guess[other] == letter
            hidden += secret[other] == letter
        copies = min(guessed, hidden)  # greens and yellows of a letter together
        after[length + letter] = max(int(after[length + letter]), copies)


@kernel
def is_legal(word: NDArray[np.uint8], shown: NDArray[np.uint8]) -> bool:
    """Greens stay, and every letter shown is used again as often as it was shown."""
    length = word.shape[0]
    for place in range(length):
        if shown[place] > 0 and shown[place] != word[place] + 1:
            return False
    for letter in range(LETTERS):
        if shown[length + letter] > 0:
            copies = 0
            for place in range(length):
                copies += word[place] == letter
            if copies < shown[length + letter]:
                return False
    return True
