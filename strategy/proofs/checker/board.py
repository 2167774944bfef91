"""The game as the checker of proofs sees it: scores from letters, and hard mode from letters.

Plain loops, written for being read and shared with no search: a bug of the search must not be able
to hide here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

#: Guesses that are counted side by side.
LANES = 256


class LetterBoard(NamedTuple):
    """A game as numbers for the checker of proofs: scores, words, letters, what hard mode asks.

    Columns are guesses, those with most parts first, padded to LANES.
    """

    #: ``rows[secret, column]``: which part of the column's split the secret falls into.
    rows: NDArray[Any]
    #: The guess of a column, or -1 for padding; the secret that it is, or -1.
    guess: NDArray[np.int32]
    secret: NDArray[np.int32]
    #: The column in which each secret is guessed.
    column: NDArray[np.int32]
    #: Parts of the split of all secrets, 0 for padding.
    parts: NDArray[np.int64]
    #: The letters of each column's guess, as numbers in the alphabet of the words.
    letters: NDArray[np.uint8]
    #: Letters of the alphabet.
    alphabet: int
    price: int
    hard: bool


def new_board(
    guesses: Sequence[str], secrets: Sequence[str], price: int, hard: bool
) -> LetterBoard:
    """The board of a proof: everything graded by letters, the guesses sorted by their parts.

    The words have been looked at: letters that can be numbered, one length, every secret a guess
    (``steps.CheckedWords``).
    """
    alphabet = alphabet_of(guesses)
    number = {letter: at for at, letter in enumerate(alphabet)}
    letters = np.array([[number[x] for x in word] for word in guesses], dtype=np.uint8)
    place = {word: at for at, word in enumerate(guesses)}
    hidden = letters[[place[word] for word in secrets]]
    scores = 3 ** letters.shape[1]
    codes = np.zeros((len(guesses), len(secrets)), dtype=code_type(scores, len(secrets)))
    parts = _codes(letters, hidden, len(alphabet), np.zeros(scores, dtype=np.int64), codes)
    order = np.argsort(-parts, kind="stable")
    width = -(-len(guesses) // LANES) * LANES
    rows = np.zeros((len(secrets), width), dtype=codes.dtype)
    for at in range(len(secrets)):
        rows[at, : len(guesses)] = codes[order, at]
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
    return LetterBoard(rows, guess, secret, columns, padded, shapes, len(alphabet), price, hard)


def alphabet_of(words: Sequence[str]) -> str:
    """The letters of a proof's words by their numbers: those that occur, in order."""
    return "".join(sorted(set("".join(words))))


def code_type(scores: int, secrets: int) -> type[np.unsignedinteger[Any]]:
    """The type of a guess's scores on a proof's board: wide enough that no two parts share one."""
    if scores <= 1 << 8:
        return np.uint8
    return np.uint16 if min(scores, secrets) <= 1 << 16 else np.uint32


def nothing_shown(board: LetterBoard) -> NDArray[np.uint8]:
    """What hard mode asks for before the first guess, as the checker of proofs notes it: nothing.

    No green (letter + 1) at any place, no copies of any letter.
    """
    return np.zeros(board.letters.shape[1] + board.alphabet, dtype=np.uint8)


# --- scores from letters --------------------------------------------------------------------


@kernel
def _codes(
    guesses: NDArray[np.uint8],
    secrets: NDArray[np.uint8],
    alphabet: int,
    known: NDArray[np.int64],
    codes: NDArray[Any],
) -> NDArray[np.int64]:
    """Grade every guess against every secret and number each guess's scores from 0.

    Fills ``codes``, guess-major; ``known`` is scratch memory for all scores. The parts of each
    guess.
    """
    parts = np.zeros(guesses.shape[0], dtype=np.int64)
    left = np.zeros(alphabet, dtype=np.int64)
    for g in range(guesses.shape[0]):
        known[:] = -1
        for s in range(secrets.shape[0]):
            score = _grade(guesses[g], secrets[s], left)
            if known[score] < 0:
                known[score] = parts[g]
                parts[g] += 1
            codes[g, s] = known[score]
    return parts


@kernel
def _grade(guess: NDArray[np.uint8], secret: NDArray[np.uint8], left: NDArray[np.int64]) -> int:
    """Greens, then yellows from left to right out of the letters that are left; base 3."""
    length = guess.shape[0]
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
    return score


# --- hard mode ------------------------------------------------------------------------------


@kernel
def show(
    guess: NDArray[np.uint8],
    secret: NDArray[np.uint8],
    before: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> None:
    """Write, for the checker of proofs, what hard mode asks for once ``guess`` met ``secret``."""
    length = guess.shape[0]
    for at in range(len(before)):
        after[at] = before[at]
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
    """Whether hard mode, as the checker of proofs notes it, allows a word.

    It is used as often as it was shown.
    """
    length = word.shape[0]
    for place in range(length):
        if shown[place] > 0 and shown[place] != word[place] + 1:
            return False
    for letter in range(len(shown) - length):
        if shown[length + letter] > 0:
            copies = 0
            for place in range(length):
                copies += word[place] == letter
            if copies < shown[length + letter]:
                return False
    return True
