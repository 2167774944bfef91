"""The score table: the scores of a set of secrets, laid out to count 64 guesses side by side.

Rows are secrets, columns are guesses, and the columns with the most parts come first: a guess has
at most as many parts on a subset as on all of them, so a search for a guess with many parts can
stop at the first column that has too few. Scores are renumbered column by column, densely
from 0, which keeps the bit sets of the counters short; only equality of scores matters here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import aligned
from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from ...machine.vectors import bit_count, first_bit
from .table_vectors import (
    ALL,
    BLOCK_COLUMNS,
    MOST_NARROW,
    Bits,
    Bytes,
    Rows,
    Scores,
    Sums,
    alike,
    copy_row,
    count_block,
)

# ---- The layout: scores renumbered column by column, in blocks of 64 columns
#
# Whether two scores of a guess are equal is all that matters to a split. So the scores of each
# guess are numbered densely from 0, in the order of the scores themselves, which keeps sets of them
# short: numbers of one byte are enough for words of up to five letters. Of longer words a guess may
# have more scores; then all numbers of the table, and of parts, have two bytes. In a block, the 64
# scores of one secret are neighbours: to load them is one or two instructions.

#: Makes an array of a shape and a type, like ``aligned``.
Memory = Callable[[tuple[int, ...], Any], NDArray[Any]]


@kernel
def dense_codes(scores: NDArray[Any], n_scores: int) -> tuple[Bytes, Rows]:
    """For every guess the new number of each score, and how many scores it has."""
    guesses, secrets = scores.shape
    codes = np.zeros((guesses, n_scores), dtype=np.uint8)
    parts = np.zeros(guesses, dtype=np.int32)
    present = np.zeros(n_scores, dtype=np.uint8)
    for guess in range(guesses):
        present[:] = 0
        for secret in range(secrets):
            present[scores[guess, secret]] = 1
        count = 0
        for score in range(n_scores):
            if present[score]:
                codes[guess, score] = count & 255
                count += 1
        parts[guess] = count
    return codes, parts


@noalloc
def renumber(scores: NDArray[Any], codes: Bytes, dense: Bytes) -> None:
    """Write the dense numbers of the scores of some guesses."""
    for guess in range(scores.shape[0]):
        for secret in range(scores.shape[1]):
            dense[guess, secret] = codes[guess, scores[guess, secret]]


@kernel
def number_widely(scores: NDArray[Any], n_scores: int, dense: Scores) -> Rows:
    """Write the dense numbers of the scores of some guesses; how many each has.

    As ``dense_codes`` and ``renumber`` do, for numbers of any type, and without going
    through all those that no secret has: of eleven letters there are 177,147.
    """
    guesses, secrets = scores.shape
    parts = np.zeros(guesses, dtype=np.int32)
    last = np.full(n_scores, -1, dtype=np.int32)
    code = np.zeros(n_scores, dtype=np.uint16)
    seen = np.empty(min(n_scores, secrets), dtype=np.int64)
    for guess in range(guesses):
        count = 0
        for secret in range(secrets):
            score = np.int64(scores[guess, secret])
            if last[score] != guess:
                last[score] = guess
                seen[count] = score
                count += 1
        order = np.argsort(seen[:count], kind="mergesort")
        for k in range(count):
            code[seen[order[k]]] = k & 0xFFFF
        for secret in range(secrets):
            dense[guess, secret] = code[scores[guess, secret]]
        parts[guess] = count
    return parts


@kernel
def put_in_order(dense: Scores, order: Rows) -> None:
    """Sort rows of dense scores where they lie: ``order`` says which comes first, and so on."""
    spare = np.empty(dense.shape[1], dtype=dense.dtype)
    placed = np.zeros(dense.shape[0], dtype=np.uint8)
    for first in range(dense.shape[0]):
        if placed[first] == 1:
            continue
        copy_row(spare, dense[first])
        place = first
        while order[place] != first:
            copy_row(dense[place], dense[order[place]])
            placed[place] = 1
            place = order[place]
        copy_row(dense[place], spare)
        placed[place] = 1


def in_blocks(scores: Scores, memory: Memory = aligned) -> Scores:
    """``scores[column, row]`` as ``rows[block, row, lane]``; the width is a multiple of 64."""
    width, count = scores.shape
    rows = memory((width // BLOCK_COLUMNS, count, BLOCK_COLUMNS), scores.dtype)
    cut(scores, rows)
    return rows


@kernel
def cut(scores: Scores, rows: Scores) -> None:
    """Cut scores into blocks, as ``in_blocks`` says."""
    blocks, count, _ = rows.shape
    for block in range(blocks):
        for row in range(count):
            for lane in range(BLOCK_COLUMNS):
                rows[block, row, lane] = scores[block * BLOCK_COLUMNS + lane, row]


#: Letters of the alphabet to one 64-bit word of letter counts, four bits each, one a guard.
HALF = 13
#: What hard mode has revealed, as 64-bit words: places, their letters, and counts of up to 65
#: letters in portions of HALF. What a table has no letters for stays zero, and nobody looks at it.
REVEALED_WORDS = 7
_GUARD = np.uint64(0x8888888888888)


@record
class ScoreTable(NamedTuple):
    """Scores of secrets (rows) and guesses (columns), and who is who."""

    #: ``rows[block, secret, lane]``: the dense score of column ``64 * block + lane``. A block
    #: lies together in memory, so that it stays in the cache while many states are counted.
    rows: Scores
    #: All scores column by column, ``scores[column, secret]``, for looking at single guesses.
    scores: Scores
    #: Parts of each column over all rows, descending; 0 for padding.
    parts: Scores
    #: Scores of 64 columns are below this.
    spread: Rows
    #: The guess of each column (its position in the game), -1 for padding.
    guess: Rows
    #: The row of the secret that a column guesses, -1 if it is none.
    secret: Rows
    #: The column that guesses each row.
    column: Rows
    #: Random words for hashing sets of rows.
    salt: Bits
    #: Hard mode: letters of the columns, some bits for each place, and how many of each letter,
    #: HALF letters a word: two words for up to 26 letters.
    spelling: Bits
    letters: Bits
    #: The bits of each place.
    places: Bits
    hard: bool
    #: What a guess costs: 1, or 0 if only secrets beyond the limit count.
    price: int


def score_type(table: ScoreTable) -> Any:
    """The type of the numbers in a table: bytes, or two bytes each."""
    return table.parts.dtype


def score_numbers(table: ScoreTable) -> int:
    """A number above all scores of a table, and above how many any guess has: a multiple of 64."""
    most = int(table.parts[table.parts.argmax()]) if len(table.parts) > 0 else 0
    return max(MOST_NARROW + 1, (most // 64 + 1) * 64)


@noalloc(inner=True, inline=True)
def parts_of(
    table: ScoreTable, members: Rows, first: int, count: int, column: int, present: Bits
) -> int:
    """Count the parts of one column on some members; ``present`` is scratch."""
    scores = table.scores[column]
    flags = present.view(np.uint8)
    present[:] = 0
    for k in range(np.uint64(first), np.uint64(first + count)):
        flags[scores[np.uint32(members[k])]] = 1
    parts = 0
    for word in range(present.shape[0]):
        parts += bit_count(present[word])
    return parts


@noalloc(inner=True, inline=True)
def count_parts(
    table: ScoreTable, members: Rows, first: int, count: int, column: int, need: int, out: Scores
) -> np.uint64:
    """Count the parts of 64 columns on some members, in the fastest way.

    ``need`` lies between 1 and ``count``; columns below it may come out with any number.
    """
    spread = table.spread[column // BLOCK_COLUMNS]
    return count_block(table.rows, spread, members, first, count, column, need, out)


@kernel(inner=True)
def most_scores(table: ScoreTable) -> int:
    """So many scores has a column at most."""
    most = 0
    for block in range(table.spread.shape[0]):
        most = max(most, int(table.spread[block]))
    return most


# ---- The buckets of one guess


@kernel(inner=True)
def new_ends(table: ScoreTable) -> Sums:
    """Space for the ends of the buckets of any column."""
    return np.empty(most_scores(table) + 1, dtype=np.int64)


@kernel
def split_by_size(table: ScoreTable, members: Rows, column: int, parted: Rows, ends: Sums) -> int:
    """Members by the buckets of a column, the largest first; how many buckets.

    Bucket k is ``parted[ends[k] : ends[k + 1]]``, its members as they stand in ``members``; equal
    ones by their scores. The table may have no scores column by column.
    """
    block, lane = column // BLOCK_COLUMNS, column % BLOCK_COLUMNS
    return sort_by_bucket(table.rows[block, :, lane], table.spread[block], members, parted, ends)


@kernel(inner=True)
def sort_by_bucket(scores: Scores, spread: int, members: Rows, parted: Rows, ends: Sums) -> int:
    """The same by the scores of a column, which are below ``spread``."""
    sizes, place = np.zeros((2, spread), dtype=np.int64)
    for row in members:
        sizes[np.int64(scores[row])] += 1
    order = np.empty(spread, dtype=np.int64)
    begins = np.zeros(len(members) + 1, dtype=np.int64)
    for score in range(spread):
        begins[sizes[score]] += 1
    count = 0
    for size in range(len(members), 0, -1):
        begins[size], count = count, count + begins[size]
    for score in range(spread):
        if sizes[score] > 0:
            order[begins[sizes[score]]] = score
            begins[sizes[score]] += 1
    ends[0] = 0
    for k in range(count):
        place[order[k]] = ends[k]
        ends[k + 1] = ends[k] + sizes[order[k]]
    for row in members:
        bucket = np.int64(scores[row])
        parted[place[bucket]] = row
        place[bucket] += 1
    return count


# ---- Hard mode: what has been revealed, as ``REVEALED_WORDS`` says


@noalloc
def is_legal(table: ScoreTable, column: int, revealed: Bits) -> bool:
    """Whether hard mode allows a column: greens stay in place, revealed letters are in it."""
    if not table.hard:
        return True
    if (table.spelling[column] & revealed[0]) != revealed[1]:
        return False
    for half in range(table.letters.shape[1]):
        if (((table.letters[column, half] | _GUARD) - revealed[2 + half]) & _GUARD) != _GUARD:
            return False
    return True


@noalloc
def reveal(table: ScoreTable, column: int, row: int, before: Bits, after: Bits) -> None:
    """Write what hard mode has revealed once a guess is scored against a secret.

    Coloured copies of a letter: as many as guess and secret share. Without hard mode nothing is
    written.
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
    for portion in range(table.letters.shape[1]):
        total = np.uint64(0)
        for letter in range(HALF):
            shift = np.uint64(4 * letter)
            mask = np.uint64(15) << shift
            shared = min(
                table.letters[column, portion] & mask, table.letters[other, portion] & mask
            )
            total |= max(shared, before[2 + portion] & mask)
        after[2 + portion] = total


def revealed_by(table: ScoreTable, columns: Iterable[int], row: int) -> Bits:
    """What hard mode has revealed after some guesses; a candidate says how they were scored."""
    revealed = np.zeros(REVEALED_WORDS, dtype=np.uint64)
    for column in columns:
        after = np.zeros(REVEALED_WORDS, dtype=np.uint64)
        reveal(table, column, row, revealed, after)
        revealed = after
    return revealed


# ---- All columns, 64 a step


@kernel
def apart(rows: Scores, members: Rows, count: int) -> int:
    """A column that tells the first members all apart, or −1."""
    for block in range(rows.shape[0]):
        word = np.uint64(0)
        for k in range(1, count):
            for j in range(k):
                word |= alike(rows, block, members[k], members[j])
            if word == ALL:
                break
        if word != ALL:
            return block * BLOCK_COLUMNS + first_bit(~word)
    return -1


@kernel
def count_others(table: ScoreTable, members: Rows, covered: Bits, parts: Scores) -> None:
    """Count the parts of the columns whose blocks are not all in ``covered``."""
    for block in range(covered.shape[0]):
        if covered[block] != ALL:
            start = block * BLOCK_COLUMNS
            out = parts[start : start + BLOCK_COLUMNS]
            count_parts(table, members, 0, members.shape[0], start, 1, out)
