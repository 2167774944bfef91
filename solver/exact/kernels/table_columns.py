"""The columns of a score table: in which order they stand, who is who, how they are spelled."""

from __future__ import annotations

import numpy as np

from ...machine.jit import kernel
from .score_table import HALF
from .table_vectors import BLOCK_COLUMNS, Bits, Bytes, Rows, Scores, Sums


@kernel
def order_by_parts(parts: Rows) -> Rows:
    """The guesses of a score table in the order of its columns: those with most parts first."""
    return np.argsort(-parts, kind="mergesort").astype(np.int32)


@kernel
def describe_columns(
    order: Rows, parts: Rows, ids: Rows, guesses: int, found: Scores
) -> tuple[Rows, Rows, Rows, Rows]:
    """A score table's ``spread``, ``guess``, ``secret`` and ``column``; ``found``: its ``parts``.

    ``parts`` are those of the columns in their ``order``; ``ids`` are the guesses that are its
    rows, out of so many ``guesses``.
    """
    width = found.shape[0]
    row_of = np.full(guesses, -1, dtype=np.int32)
    for row in range(len(ids)):
        row_of[ids[row]] = row
    spread = np.zeros(width // BLOCK_COLUMNS, dtype=np.int32)
    guess, secret = np.full(width, -1, dtype=np.int32), np.full(width, -1, dtype=np.int32)
    column = np.zeros(len(ids), dtype=np.int32)
    found[:] = 0
    for at in range(len(order)):
        found[at] = parts[at]
        spread[at // BLOCK_COLUMNS] = max(spread[at // BLOCK_COLUMNS], parts[at])
        guess[at] = order[at]
        row = row_of[order[at]]
        secret[at] = row
        if row >= 0:
            column[row] = at
    return spread, guess, secret, column


#: What ``spell_columns`` finds: all is well; a letter occurs too often; a word has no room.
WELL, TOO_OFTEN, TOO_LONG = range(3)
#: Up to so many letters have five bits at every place, and a word has so many bits.
_FEW, _FIVE, _WORD = 31, 5, 64
#: A letter is counted up to here.
_MOST = 7


@kernel
def spell_columns(
    words: Bytes, guess: Rows, alphabet: int, spelling: Bits, letters: Bits, places: Bits
) -> int:
    """Write what hard mode has to know of a score table's columns: see ``ScoreTable``.

    Up to 31 letters have five bits everywhere. If there are more, they are numbered place by
    place, by those that occur there, and no place has more bits than it needs.
    """
    for at in range(len(guess)):
        word = words[max(guess[at], 0)]
        for place in range(len(word)):
            half, shift = word[place] // HALF, np.uint64(4 * (word[place] % HALF))
            if letters[at, half] >> shift & np.uint64(_MOST) == np.uint64(_MOST):
                return TOO_OFTEN
            letters[at, half] += np.uint64(1) << shift
    begin = 0
    number = np.empty(256, dtype=np.int64)
    for place in range(words.shape[1]):
        bits = _number_letters(words, guess, place, alphabet, number)
        if begin + bits > _WORD:
            return TOO_LONG
        places[place] = ((np.uint64(1) << np.uint64(bits)) - np.uint64(1)) << np.uint64(begin)
        for at in range(len(guess)):
            code = number[words[max(guess[at], 0), place]]
            spelling[at] |= np.uint64(code) << np.uint64(begin)
        begin += bits
    return WELL


@kernel(inner=True)
def _number_letters(words: Bytes, guess: Rows, place: int, alphabet: int, number: Sums) -> int:
    """Number the letters that occur at a place; the bits that a number takes."""
    if alphabet <= _FEW:
        for letter in range(alphabet):
            number[letter] = letter + 1
        return _FIVE
    number[:] = -1
    for at in range(len(guess)):
        number[words[max(guess[at], 0), place]] = 0
    count = 0
    for letter in range(alphabet):
        if number[letter] == 0:
            number[letter] = count
            count += 1
    bits = 1
    while (count - 1) >> bits:
        bits += 1
    return bits
