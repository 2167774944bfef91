"""The scores of one set of secrets, laid out for counting the parts of all guesses at once.

Rows are secrets, columns are guesses, and the columns with the most parts come first: a guess has
at most as many parts on a subset as on all of them, so a search for a guess with many parts can
stop at the first column that has too few. Scores are renumbered column by column, densely
from 0, which keeps the bit sets of the counters short; only equality of scores matters here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import lean
from ...machine.vector_steps import bit_count
from .count_lanes import (
    LANES,
    count_by_bits_32,
    count_by_bits_64,
    count_by_bits_96,
    count_by_bits_128,
    count_by_bits_160,
    count_by_bits_256,
    count_sorted_8,
    count_sorted_12,
    count_sorted_16,
    count_sorted_20,
    count_sorted_24,
    count_sorted_32,
)

#: Letters of the alphabet to one 64-bit word of letter counts, four bits each, one a guard.
HALF = 13
#: What hard mode has shown, as 64-bit words: places, their letters, and counts of up to 65 letters
#: in portions of HALF. What a table has no letters for stays zero, and nobody looks at it.
SHOWN_WORDS = 7
_GUARD = np.uint64(0x8888888888888)
#: Up to this many members are sorted when their parts are counted.
SORTED = 32


class ScoreTable(NamedTuple):
    """Scores of secrets (rows) and guesses (columns), and who is who."""

    #: ``rows[block, secret, lane]``: the dense score of column ``block * LANES + lane``. A block
    #: lies together in memory, so that it stays in the cache while many states are counted.
    rows: NDArray[np.uint8]
    #: All scores column by column, ``scores[column, secret]``, for looking at single guesses.
    scores: NDArray[np.uint8]
    #: Parts of each column over all rows, descending; 0 for padding.
    parts: NDArray[np.uint8]
    #: Scores of 64 columns are below this.
    spread: NDArray[np.int32]
    #: The guess of each column (its position in the game), -1 for padding.
    guess: NDArray[np.int32]
    #: The row of the secret that a column guesses, -1 if it is none.
    secret: NDArray[np.int32]
    #: The column that guesses each row.
    column: NDArray[np.int32]
    #: Random words for hashing sets of rows.
    salt: NDArray[np.uint64]
    #: Hard mode: letters of the columns, some bits for each place, and how many of each letter,
    #: HALF letters a word: two words for up to 26 letters.
    spelling: NDArray[np.uint64]
    letters: NDArray[np.uint64]
    #: The bits of each place.
    places: NDArray[np.uint64]
    hard: bool
    #: What a guess costs: 1, or 0 if only secrets beyond the limit count.
    price: int


@lean(inner=True)
def score_in(table: ScoreTable, row: int, column: int) -> int:
    """The dense score of a column against a row."""
    score: int = table.scores[column, row]
    return score


@lean(inner=True, inline=True)
def parts_of(
    table: ScoreTable,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    present: NDArray[np.uint64],
) -> int:
    """Count in a score table the parts of one column on some members; ``present`` is scratch."""
    scores = table.scores[column]
    flags = present.view(np.uint8)
    present[:] = 0
    for k in range(np.uint64(first), np.uint64(first + count)):
        flags[scores[np.uint32(members[k])]] = 1
    parts = 0
    for word in range(present.shape[0]):
        parts += bit_count(present[word])
    return parts


@lean(inner=True, inline=True)
def count_parts(
    table: ScoreTable,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> np.uint64:
    """Count in a score table the parts of 64 columns on some members, as is fastest there.

    ``need`` lies between 1 and ``count``; columns below it may come out with any number.
    """
    spread = table.spread[column // LANES]
    if count <= 24 or (count <= SORTED and spread > 32):
        return _count_sorted(table, members, first, count, column, need, out)
    if spread <= 32:
        return count_by_bits_32(table.rows, members, first, count, column, need, out)
    if spread <= 64:
        return count_by_bits_64(table.rows, members, first, count, column, need, out)
    if spread <= 96:
        return count_by_bits_96(table.rows, members, first, count, column, need, out)
    if spread <= 128:
        return count_by_bits_128(table.rows, members, first, count, column, need, out)
    return _count_widely(table, members, first, count, column, need, out)


@lean(inner=True, inline=True)
def _count_widely(
    table: ScoreTable,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> np.uint64:
    """Parts of 64 columns where many scores occur: most often those of the best first guesses."""
    if table.spread[column // LANES] <= 160:
        return count_by_bits_160(table.rows, members, first, count, column, need, out)
    return count_by_bits_256(table.rows, members, first, count, column, need, out)


@lean(inner=True, inline=True)
def _count_sorted(
    table: ScoreTable,
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> np.uint64:
    """Parts of 64 columns on up to ``SORTED`` members, by the smallest network for them."""
    if count <= 8:
        return count_sorted_8(table.rows, members, first, count, column, need, out)
    if count <= 12:
        return count_sorted_12(table.rows, members, first, count, column, need, out)
    if count <= 16:
        return count_sorted_16(table.rows, members, first, count, column, need, out)
    if count <= 20:
        return count_sorted_20(table.rows, members, first, count, column, need, out)
    if count <= 24:
        return count_sorted_24(table.rows, members, first, count, column, need, out)
    return count_sorted_32(table.rows, members, first, count, column, need, out)


# --- hard mode: what has been shown, as SHOWN_WORDS says ----------------------------------


@lean
def is_legal(table: ScoreTable, column: int, shown: NDArray[np.uint64]) -> bool:
    """In a score table, whether hard mode allows a guess: greens in place, shown letters in it."""
    if not table.hard:
        return True
    if (table.spelling[column] & shown[0]) != shown[1]:
        return False
    for half in range(table.letters.shape[1]):
        if (((table.letters[column, half] | _GUARD) - shown[2 + half]) & _GUARD) != _GUARD:
            return False
    return True


@lean
def show(
    table: ScoreTable,
    column: int,
    row: int,
    before: NDArray[np.uint64],
    after: NDArray[np.uint64],
) -> None:
    """Write, for a score table, what hard mode has seen once a guess is scored against a secret.

    Coloured copies of a letter: as many as guess and secret share.
    """
    if not table.hard:
        return
    other = table.column[row]
    after[0] = before[0]
    after[1] = before[1]
    for mask in table.places:
        mine = table.spelling[column] & mask
        if mine == (table.spelling[other] & mask):
            after[0] |= mask
            after[1] |= mine
    for half in range(table.letters.shape[1]):
        total = np.uint64(0)
        for letter in range(HALF):
            shift = np.uint64(4 * letter)
            mask = np.uint64(15) << shift
            shared = min(table.letters[column, half] & mask, table.letters[other, half] & mask)
            total |= max(shared, before[2 + half] & mask)
        after[2 + half] = total


def shown_by(table: ScoreTable, columns: Iterable[int], row: int) -> NDArray[np.uint64]:
    """What hard mode has seen, as score tables keep it, after guesses; a candidate is witness."""
    shown = np.zeros(SHOWN_WORDS, dtype=np.uint64)
    for column in columns:
        after = np.zeros(SHOWN_WORDS, dtype=np.uint64)
        show(table, column, row, shown, after)
        shown = after
    return shown
