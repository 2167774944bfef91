"""The score matrix: every guess against every secret.

No pair is ever graded by itself. All that a letter of a guess contributes to the score depends on
two sets of places only: where the guess has the letter and where the secret has it. So there is one
*column* over the secrets for each (letter, set of places) that occurs in the guesses, a few hundred
for a whole dictionary, and a row of the matrix is the sum of at most ``length`` columns.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import LINE, Ids, aligned
from ..machine.jit import kernel

Scores = NDArray[Any]
#: Words as numbers of letters, a row each.
Letters = NDArray[np.uint8]

#: Letters that are numbered whether they occur or not: those of words of a-z.
FEWEST_LETTERS = 26
#: A sum of columns is written out for this many of them; longer words add the rest one by one.
_UNROLLED = 5
#: Columns are stored for many calls if they take no more bytes; else they are made for each.
COLUMNS_LIMIT = 1 << 26
#: Columns made for one call are made for so many bytes of words at a time: they stay in the cache.
_STRIP_BYTES = 1 << 22


def transposed(scores: Scores) -> Scores:
    """A score matrix with rows and columns exchanged, in rows that are aligned again."""
    result = aligned_rows(scores.shape[1], scores.shape[0], scores.dtype)
    result[:] = scores.T
    return result


def aligned_rows(rows: int, columns: int, dtype: Any) -> Scores:
    """An unfilled score matrix whose rows begin where a cache line does, or the like of one."""
    return padded_rows(rows, columns, dtype)[:, :columns]


def padded_rows(rows: int, columns: int, dtype: Any) -> Scores:
    """Rows of a score matrix, unfilled and aligned, with the padding still on them.

    There always is some, so that views without it never are contiguous: numba would compile
    everything once more for those that happen to be.
    """
    size = np.dtype(dtype).itemsize
    width = (columns * size // LINE + 1) * LINE
    return aligned((rows, width // size), dtype)


class LetterColumns(NamedTuple):
    """Some words taken apart into columns: letters with the places that they hold.

    Column 0 is nobody's and fills the rows of words with repeated letters; the others are in the
    order of their letters.
    """

    #: The columns of each word.
    terms: Ids
    #: The columns of letter ``l`` are ``first[l]`` to ``first[l + 1] - 1``.
    first: Ids
    #: The letter and the places (as bits) of each column.
    letter: Ids
    places: Ids


def letters_in(*words: Letters) -> int:
    """How many letters there are to number for some words: 26, or more if they have a higher one.

    What is counted letter by letter has room for all of them, whichever occur.
    """
    highest = max((int(some.max()) for some in words if some.size), default=0)
    return max(FEWEST_LETTERS, highest + 1)


def take_apart(words: Letters) -> LetterColumns:
    """The columns that a score matrix is summed from, of words given as numbers of letters."""
    return LetterColumns(*columns_in(words, letters_in(words)))


def sums_of_columns(
    row_words: Letters, column_words: Letters, dtype: Any, rows_guess: bool
) -> Scores:
    """Score every row word with every column word; ``rows_guess`` says which side guesses."""
    shares = letter_shares(row_words.shape[1], dtype)
    if not rows_guess:
        shares = np.ascontiguousarray(shares.T)
    scores = padded_rows(len(row_words), len(column_words), dtype)
    score_words(row_words, column_words, letters_in(row_words, column_words), shares, scores)
    return scores[:, : len(column_words)]


class ColumnSums:
    """The columns over some words, summed up for other words when these are needed.

    What is written into fresh memory takes three times as long as the sums themselves, so whoever
    needs some rows after the others has them in the same memory.
    """

    def __init__(
        self, row_words: Letters, column_words: Letters, dtype: Any, rows_guess: bool
    ) -> None:
        self._terms, _, self._letter, self._places = take_apart(row_words)
        self._width, self._dtype = len(column_words), np.dtype(dtype)
        self._sets = place_sets(column_words, letters_in(row_words, column_words))
        shares = letter_shares(row_words.shape[1], dtype)
        self._shares = shares if rows_guess else np.ascontiguousarray(shares.T)
        self._memory = padded_rows(0, self._width, dtype)
        self._columns: Scores | None = None

    def rows_of(self, words: Ids) -> Scores:
        """The scores of some row words, which the next call writes over."""
        if len(words) > len(self._memory):
            self._memory = padded_rows(len(words), self._width, self._dtype)
        scores = self._memory[: len(words)]
        if len(self._letter) * self._width * self._dtype.itemsize > COLUMNS_LIMIT:
            terms = self._terms[words]
            needed = np.zeros(len(self._letter), dtype=np.bool_)
            needed[0] = needed[terms] = True
            terms = (np.cumsum(needed, dtype=np.int32) - 1)[terms]
            _add_strips(
                self._letter[needed], self._places[needed], terms, self._sets, self._shares, scores
            )
            return scores[:, : self._width]
        if self._columns is None:
            self._columns = padded_rows(len(self._letter), self._width, self._dtype)
            _fill_columns(self._columns, self._letter, self._places, self._sets, self._shares)
        _add_columns(self._columns, self._terms[words], scores, 0)
        return scores[:, : self._width]


@lru_cache(maxsize=2)  # those of long words take a quarter of a gigabyte
def letter_shares(length: int, dtype: Any) -> Scores:
    """What a letter adds to a game's score, ``[its places in the guess, in the secret]``.

    Green where both words have it; yellow at its first other places in the guess, as many as it
    has other places in the secret.
    """
    shares = np.empty((1 << length, 1 << length), dtype=dtype)
    fill_shares(shares, length)
    return shares


@kernel
def fill_shares(shares: Scores, length: int) -> None:
    """What letters add to a game's score in words of a length, as ``letter_shares`` has it."""
    first = np.zeros((length + 1, shares.shape[0]), dtype=np.int64)
    value = np.zeros(shares.shape[0], dtype=np.int64)
    for places in range(1, shares.shape[0]):
        lowest, worth = 0, 1
        while not places >> lowest & 1:
            lowest, worth = lowest + 1, 3 * worth
        rest = places & (places - 1)
        value[places] = worth + value[rest]
        for count in range(1, length + 1):
            first[count, places] = worth + first[count - 1, rest]
    for guess in range(shares.shape[0]):
        for secret in range(shares.shape[0]):
            others = _size(secret & ~guess)
            shares[guess, secret] = first[others, guess & ~secret] + 2 * value[guess & secret]


@kernel(inner=True)
def _size(places: int) -> int:
    """How many places are in a set."""
    count = 0
    while places:
        places &= places - 1
        count += 1
    return count


@kernel
def columns_in(words: Letters, letters: int) -> tuple[Ids, Ids, Ids, Ids]:
    """The columns of a score matrix's words, as ``LetterColumns`` has them."""
    count, length = words.shape
    known = np.zeros((letters, 1 << length), dtype=np.int32)
    terms = np.zeros((count, max(length, _UNROLLED)), dtype=np.int32)
    number = _find_terms(words, known, terms)
    first = np.empty(letters + 1, dtype=np.int32)
    letter, places = np.zeros(number + 1, dtype=np.int32), np.zeros(number + 1, dtype=np.int32)
    at = 1
    for which in range(letters):
        first[which] = at
        for where in range(known.shape[1]):
            if known[which, where]:
                letter[at], places[at] = which, where
                at += 1
    first[letters] = at
    return terms, first, letter, places


@kernel
def score_words(
    row_words: Letters, column_words: Letters, letters: int, shares: Scores, scores: Scores
) -> None:
    """Score every row word with every column word, into rows with padding.

    ``shares`` is of the row words' letters, and there are so many ``letters`` to number.
    """
    terms, _, letter, places = columns_in(row_words, letters)
    _add_strips(letter, places, terms, place_sets(column_words, letters), shares, scores)


@kernel(nogil=True)
def _add_strips(
    letter: Ids, places: Ids, terms: Ids, sets: Ids, shares: Scores, scores: Scores
) -> None:
    """The sums by columns that are made for them, some of the column words at a time."""
    line = LINE * scores.itemsize * len(letter)
    stride = max(1, _STRIP_BYTES // line) * LINE
    for start in range(0, scores.shape[1], stride):
        end = min(start + stride, scores.shape[1])
        columns = np.empty((len(letter), end - start), dtype=scores.dtype)
        _fill_columns(columns, letter, places, sets[:, start : min(end, sets.shape[1])], shares)
        _add_columns(columns, terms, scores, start)


@kernel
def place_sets(words: Letters, letters: int) -> Ids:
    """For a score matrix, the places of the letter in the word, as bits ``sets[letter, word]``."""
    sets = np.zeros((letters, words.shape[0]), dtype=np.int32)
    for word in range(words.shape[0]):
        for place in range(words.shape[1]):
            sets[words[word, place], word] |= 1 << place
    return sets


@kernel
def _find_terms(words: Letters, known: Ids, terms: Ids) -> int:
    """Number the columns that occur, ``known[letter, places]``, and fill in each word's.

    Returns how many columns there are, without column 0, which is no letter's.
    """
    count, length = words.shape
    width = known.shape[1]
    for word in range(count):
        used = 0
        for place in range(length):
            letter = int(words[word, place])
            places = _places_of(words[word], letter)
            if places & ((1 << place) - 1) == 0:  # the letter's first place
                known[letter, places] = 1
                terms[word, used] = letter << length | places
                used += 1
    columns = 0
    for letter in range(known.shape[0]):
        for places in range(width):
            if known[letter, places]:
                columns += 1
                known[letter, places] = columns
    for word in range(count):
        for at in range(length):  # no letter is at no places: that is column 0
            terms[word, at] = known[terms[word, at] >> length, terms[word, at] & (width - 1)]
    return columns


@kernel(inner=True)
def _places_of(word: Letters, letter: int) -> int:
    """The places of a letter in a word, as bits."""
    places = 0
    for place in range(len(word)):
        places |= int(word[place] == letter) << place
    return places


@kernel(nogil=True)
def _fill_columns(columns: Scores, letters: Ids, places: Ids, sets: Ids, shares: Scores) -> None:
    """Each column: the share of its letter at its places, word after word."""
    columns[0] = 0
    for column in range(1, columns.shape[0]):
        share = shares[places[column]]
        found = sets[letters[column]]
        for word in range(found.shape[0]):
            columns[column, word] = share[found[word]]
        columns[column, found.shape[0] :] = 0


@kernel(nogil=True)
def _add_columns(columns: Scores, terms: Ids, scores: Scores, start: int) -> None:
    """Each row of the scores, from some word on, as the sum of its columns."""
    first, width = np.uint64(start), columns.shape[1]
    for row in range(scores.shape[0]):
        total = scores[row]
        a = columns[terms[row, 0]]
        b = columns[terms[row, 1]]
        c = columns[terms[row, 2]]
        d = columns[terms[row, 3]]
        e = columns[terms[row, 4]]
        for at in range(width):
            total[first + np.uint64(at)] = a[at] + b[at] + c[at] + d[at] + e[at]
        for more in range(_UNROLLED, terms.shape[1]):
            f = columns[terms[row, more]]
            for at in range(width):
                total[first + np.uint64(at)] += f[at]
