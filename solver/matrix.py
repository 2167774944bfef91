"""The score matrix: every guess against every secret.

No pair is ever graded by itself. All that a letter of a guess contributes to the score depends on
two sets of places only: where the guess has the letter and where the secret has it. So there is one
*column* over the secrets for each (letter, set of places) that occurs in the guesses, a few hundred
for a whole dictionary, and a row of the matrix is the sum of at most ``length`` columns.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .jit import kernel

if TYPE_CHECKING:
    from .game import Game, WordleGame

Scores = NDArray[Any]

#: Rows begin at multiples of this many bytes, so that vectors never straddle cache lines.
ALIGNMENT = 64
_ALPHABET = 26
#: A sum of columns is written out for this many of them; longer words add the rest one by one.
_UNROLLED = 5


def score_matrix(game: Game) -> Scores:
    """All scores, guess-major: ``scores[guess, secret]``."""
    return game.score_rows()


def secret_rows(game: Game, guess_ids: NDArray[np.int32] | None = None) -> Scores:
    """All scores, secret-major: ``scores[secret, guess]``, for all guesses or those given."""
    from .game import WordleGame

    if not isinstance(game, WordleGame):
        return transposed(game.score_rows(guess_ids))
    guesses = game.letters if guess_ids is None else game.letters[guess_ids]
    return _sums_of_columns(game.letters[game.secret_ids], guesses, game.score_dtype, False)


def wordle_rows(
    game: WordleGame,
    guess_ids: NDArray[np.int32] | None = None,
    secret_ids: NDArray[np.int32] | None = None,
) -> Scores:
    """Scores of the guesses (rows) against the secrets (columns); None stands for all."""
    guesses = game.letters if guess_ids is None else game.letters[guess_ids]
    hidden = game.secret_ids if secret_ids is None else game.secret_ids[secret_ids]
    return _sums_of_columns(guesses, game.letters[hidden], game.score_dtype, True)


def transposed(scores: Scores) -> Scores:
    """The same scores with rows and columns exchanged, rows aligned again."""
    result = aligned_rows(scores.shape[1], scores.shape[0], scores.dtype)
    result[:] = scores.T
    return result


def aligned_rows(rows: int, columns: int, dtype: Any) -> Scores:
    """An uninitialised array whose rows begin at multiples of ALIGNMENT bytes."""
    return _padded(rows, columns, dtype)[:, :columns]


def _padded(rows: int, columns: int, dtype: Any) -> Scores:
    """Aligned rows with the padding still on them."""
    size = np.dtype(dtype).itemsize
    width = -(-max(columns, 1) * size // ALIGNMENT) * ALIGNMENT
    memory = np.empty(rows * width + ALIGNMENT, dtype=np.uint8)
    skip = -memory.ctypes.data % ALIGNMENT
    scores: Scores = memory[skip : skip + rows * width].view(dtype).reshape(rows, width // size)
    return scores


def _sums_of_columns(
    row_words: NDArray[np.uint8], column_words: NDArray[np.uint8], dtype: Any, rows_guess: bool
) -> Scores:
    """Score every row word with every column word; ``rows_guess`` says which side guesses."""
    length = row_words.shape[1]
    terms, letters, places = _terms(row_words)
    columns = _padded(len(letters), len(column_words), dtype)
    shares = _shares(length, rows_guess, dtype)
    _fill_columns(columns, letters, places, _place_sets(column_words), shares)
    scores = _padded(len(row_words), len(column_words), dtype)
    _add_columns(columns, terms, scores)
    return scores[:, : len(column_words)]


@cache
def _shares(length: int, rows_guess: bool, dtype: Any) -> Scores:
    """What a letter adds to the score, ``[places in the row's word, in the column's word]``.

    Green where both words have it; then, left to right, yellow while copies in the secret are
    unclaimed. Either side may be the one that guesses.
    """
    sets = np.arange(1 << length)
    guess, secret = sets[:, None], sets[None, :]
    unclaimed = np.bitwise_count(secret & ~guess).astype(np.int64)
    shares = np.zeros((len(sets), len(sets)), dtype=np.int64)
    for place in range(length):
        green = (guess & secret) >> place & 1
        yellow = (guess & ~secret) >> place & 1 & (unclaimed > 0)
        unclaimed -= yellow
        shares += (2 * green + yellow) * 3**place
    return np.ascontiguousarray((shares if rows_guess else shares.T).astype(dtype))


@kernel
def _place_sets(words: NDArray[np.uint8]) -> NDArray[np.int32]:
    """``sets[letter, word]``: the places of the letter in the word, as bits."""
    sets = np.zeros((_ALPHABET, words.shape[0]), dtype=np.int32)
    for word in range(words.shape[0]):
        for place in range(words.shape[1]):
            sets[words[word, place], word] |= 1 << place
    return sets


@kernel
def _terms(
    words: NDArray[np.uint8],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Which columns add up to each word's row, and each column's letter and set of places.

    Column 0 is all zero and fills the rows of words with repeated letters.
    """
    count, length = words.shape
    known = np.full((_ALPHABET, 1 << length), -1, dtype=np.int32)
    terms = np.zeros((count, max(length, _UNROLLED)), dtype=np.int32)
    letters = np.zeros(count * length + 1, dtype=np.int32)
    places = np.zeros(count * length + 1, dtype=np.int32)
    columns = 1
    for word in range(count):
        used = 0
        for first in range(length):
            letter = words[word, first]
            found = 0
            for place in range(length):
                if words[word, place] == letter:
                    found |= 1 << place
            if found & ((1 << first) - 1):
                continue  # counted at the letter's first place
            if known[letter, found] < 0:
                known[letter, found] = columns
                letters[columns] = letter
                places[columns] = found
                columns += 1
            terms[word, used] = known[letter, found]
            used += 1
    return terms, letters[:columns].copy(), places[:columns].copy()


@kernel
def _fill_columns(
    columns: Scores,
    letters: NDArray[np.int32],
    places: NDArray[np.int32],
    sets: NDArray[np.int32],
    shares: Scores,
) -> None:
    """Each column: the share of its letter at its places, word after word."""
    columns[0] = 0
    for column in range(1, columns.shape[0]):
        share = shares[places[column]]
        found = sets[letters[column]]
        for word in range(found.shape[0]):
            columns[column, word] = share[found[word]]
        columns[column, found.shape[0] :] = 0


@kernel
def _add_columns(columns: Scores, terms: NDArray[np.int32], scores: Scores) -> None:
    """Each row of the scores as the sum of its columns."""
    for row in range(scores.shape[0]):
        total = scores[row]
        a = columns[terms[row, 0]]
        b = columns[terms[row, 1]]
        c = columns[terms[row, 2]]
        d = columns[terms[row, 3]]
        e = columns[terms[row, 4]]
        for at in range(total.shape[0]):
            total[at] = a[at] + b[at] + c[at] + d[at] + e[at]
        for more in range(_UNROLLED, terms.shape[1]):
            f = columns[terms[row, more]]
            for at in range(total.shape[0]):
                total[at] += f[at]
