"""The columns of a score table: who is who, how they are spelled, which are enough.

A table for one state and what follows it has the columns that differ there.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import aligned, are_same, copy_into, sort_by_score
from ...machine.jit import kernel, noalloc
from ...machine.vectors import first_bit
from .score_table import HALF, Memory, ScoreTable, in_blocks, is_legal, score_type
from .table_vectors import (
    BLOCK_COLUMNS,
    GROUP,
    MOST_NARROW,
    Bits,
    Bytes,
    Rows,
    Scores,
    Sums,
    label_lanes,
)


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
    """Number the letters that occur at a place; the bits that a number takes.

    Of a small alphabet each letter has the same number everywhere.
    """
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


# ---- A table for one state and what follows it: its candidates, and guesses that differ there
#
# Two words that split the candidates alike split every subset alike; unless one is a candidate,
# they are the same guess, and one is enough (Lemma 5). In hard mode they must reveal the same of
# each candidate as well. Hard states are searched in such a table.
#
# Of 12,972 guesses a few hundred are left for ten candidates. To find them, all columns are
# labelled (see ``table_vectors``), hashed by their labels, and compared in full where hashes agree.


def narrowed(
    table: ScoreTable, members: Rows, revealed: Bits, memory: Memory = aligned
) -> ScoreTable:
    """The score table of a state below another; its rows are numbered as in ``members``.

    ``memory`` makes large arrays. Numbers have one byte again as soon as that is enough: a guess
    has no more scores than there are candidates.
    """
    labels = memory((len(table.guess), len(members)), score_type(table))
    count, parts, keys, place = _labelled(table, members, revealed, labels)
    labels = labels[:count]
    own = table.column[members]
    effects = _effects(table, members, place, count, keys)
    order = _distinct(labels, effects, parts, keys, place, own)
    width = -(-len(order) // BLOCK_COLUMNS) * BLOCK_COLUMNS
    kind = np.uint8 if parts.max(initial=0) <= MOST_NARROW else labels.dtype
    scores = memory((width, len(members)), kind)
    labels = labels.astype(kind, copy=False)
    np.take(labels, order, axis=0, out=scores[: len(order)], mode="clip")  # written at once
    scores[len(order) :] = 0
    rows = in_blocks(scores, memory)
    found = aligned((width,), kind)
    kept = _describe_narrowed(table, members, order, parts, place, found)
    return ScoreTable(
        rows, scores, found, *kept[:4], table.salt[: len(members)], *kept[4:], table.places,
        table.hard, table.price,
    )  # fmt: skip


def effects_on(table: ScoreTable, members: Rows) -> Bits:
    """What each column can reveal of some members, in hard mode: words that are compared.

    Columns that part the members alike are equal guesses if these are equal (lemma 5).
    """
    width = len(table.guess)
    place, keys = np.arange(width, dtype=np.int32), np.zeros(width, dtype=np.uint32)
    return _effects(table, members, place, width, keys)


@kernel
def _labelled(
    table: ScoreTable, members: Rows, revealed: Bits, labels: Scores
) -> tuple[int, Scores, NDArray[np.uint32], Rows]:
    """Label the columns that are legal and tell something: how many, their parts, hashed labels.

    And where each column of the table stands among them, -1 if it is left out.
    """
    count, width = members.shape[0], table.guess.shape[0]
    rows = np.full(-(-count // GROUP) * GROUP, members[count - 1], dtype=np.int32)
    copy_into(rows, members)
    scores, block = np.empty((2, len(rows), BLOCK_COLUMNS), dtype=labels.dtype)
    most = np.empty(BLOCK_COLUMNS, dtype=labels.dtype)
    key = np.empty(BLOCK_COLUMNS, dtype=np.uint64)
    parts, keys = np.empty(width, dtype=labels.dtype), np.empty(width, dtype=np.uint32)
    place = np.full(width, -1, dtype=np.int32)
    found = 0
    for column in range(width):
        lane = column % BLOCK_COLUMNS
        if lane == 0:
            label_lanes(table.rows, column, rows, scores, block)
            _sum_up(block[:count], table.salt, most, key)
        if table.guess[column] < 0 or not is_legal(table, column, revealed):
            continue
        if most[lane] == 0 and count > 1:
            continue
        for k in range(count):
            labels[found, k] = block[k, lane]
        keys[found] = np.uint32(key[lane] & np.uint64(0xFFFFFFFF))
        parts[found], place[column] = most[lane] + 1, found
        found += 1
    return found, parts[:found], keys[:found], place


@noalloc(inner=True)
def _sum_up(labels: Scores, salt: Bits, most: Scores, key: Bits) -> None:
    """Of 64 labelled columns the largest label, and a hash of all: lane by lane."""
    most[:], key[:] = 0, 0
    for k in range(len(labels)):
        half = salt[k] >> np.uint64(32)
        for lane in range(BLOCK_COLUMNS):
            most[lane] = max(most[lane], labels[k, lane])
            key[lane] += np.uint64(labels[k, lane]) * half


@kernel
def _effects(
    table: ScoreTable, members: Rows, place: Rows, count: int, keys: NDArray[np.uint32]
) -> Bits:
    """What each column can reveal of some members: its letters where they have the same ones.

    The letters in place, the places that these are, and how many of each letter, no more than some
    member has. It goes into the hashed labels too. Nothing, unless hard mode wants to know.
    """
    if not table.hard:
        return np.zeros((count, 0), dtype=np.uint64)
    places, halves = table.places.shape[0], table.letters.shape[1]
    occurs = np.zeros((places, 1 << 8), dtype=np.uint8)
    most = np.zeros((halves, HALF), dtype=np.uint64)
    for row in members:
        column = table.column[row]
        for at in range(places):
            occurs[at, _letter_at(table, column, at)] = 1
        for half in range(halves):
            for letter in range(HALF):
                most[half, letter] = max(most[half, letter], _times(table, column, half, letter))
    effects = np.zeros((count, 2 + halves), dtype=np.uint64)
    for column in range(place.shape[0]):
        if place[column] < 0:
            continue
        mine = effects[place[column]]
        for at in range(places):
            if occurs[at, _letter_at(table, column, at)] == 1:
                mine[0] |= table.spelling[column] & table.places[at]
                mine[1] |= table.places[at]
        for half in range(halves):
            for letter in range(HALF):
                shared = min(most[half, letter], _times(table, column, half, letter))
                mine[2 + half] |= shared << np.uint64(4 * letter)
        for word in mine:
            keys[place[column]] = _mixed(keys[place[column]], word)
    return effects


@noalloc(inner=True)
def _letter_at(table: ScoreTable, column: int, at: int) -> int:
    """The number of the letter that a column has at a place."""
    mask = table.places[at]
    return int(np.int64((table.spelling[column] & mask) >> np.uint64(first_bit(mask))))


@noalloc(inner=True)
def _times(table: ScoreTable, column: int, half: int, letter: int) -> np.uint64:
    """How many of a letter a column has."""
    return np.uint64((table.letters[column, half] >> np.uint64(4 * letter)) & np.uint64(15))


@noalloc(inner=True)
def _mixed(key: np.uint32, word: np.uint64) -> np.uint32:
    """A hash of a hash and one word more."""
    product = (word ^ np.uint64(key)) * np.uint64(0x9E3779B97F4A7C15)
    return np.uint32(product >> np.uint64(32))


@kernel
def _distinct(
    labels: Scores,
    effects: Bits,
    parts: Scores,
    keys: NDArray[np.uint32],
    place: Rows,
    own: Rows,
) -> Rows:
    """The labelled columns to keep, those with most parts first, of equal parts candidates first.

    All candidates stay (``own`` are their columns in the table), others if no column is like them.
    """
    found = labels.shape[0]
    size = 1  # of a hash table: a power of two, half of it to spare
    while size < 2 * found:
        size *= 2
    slots = np.full(size, -1, dtype=np.int32)
    kept = np.empty(found, dtype=np.int32)
    is_own = np.zeros(found, dtype=np.uint8)
    count = 0
    for k in range(own.shape[0]):
        one = place[own[k]]
        if one >= 0:
            _known(labels, effects, keys, slots, one)
            is_own[one], kept[count] = 1, one
            count += 1
    for one in range(found):
        if is_own[one] == 0 and not _known(labels, effects, keys, slots, one):
            kept[count] = one
            count += 1
    kept, fewer = kept[:count], np.empty(count, dtype=parts.dtype)
    most = 0
    for one in kept:
        most = max(most, int(parts[one]))
    for k in range(count):
        fewer[k] = most - parts[kept[k]]
    sort_by_score(fewer, kept, np.zeros(most + 1, dtype=np.int32), np.empty_like(kept))
    return kept


@kernel
def _describe_narrowed(
    table: ScoreTable, members: Rows, order: Rows, parts: Scores, place: Rows, found: Scores
) -> tuple[Rows, Rows, Rows, Rows, Bits, Bits]:
    """A narrowed table's ``spread``, ``guess``, ``secret``, ``column``, ``spelling``, ``letters``.

    ``found``: its ``parts``. Its columns stand in an ``order`` of those that have a ``place``.
    """
    width, hard, halves = found.shape[0], table.hard, table.letters.shape[1]
    old = np.zeros(parts.shape[0], dtype=np.int32)
    for column in range(place.shape[0]):
        if place[column] >= 0:
            old[place[column]] = column
    columns, own = old[order], table.column[members]
    spread, guess, secret, own = describe_columns(columns, parts[order], own, len(place), found)
    spelling = np.zeros(width if hard else table.spelling.shape[0], dtype=np.uint64)
    letters = np.zeros((width if hard else table.letters.shape[0], halves), dtype=np.uint64)
    for at in range(order.shape[0]):
        guess[at] = table.guess[columns[at]]
        if hard:
            spelling[at] = table.spelling[columns[at]]
            for half in range(halves):
                letters[at, half] = table.letters[columns[at], half]
    return spread, guess, secret, own, spelling, letters


@noalloc(inner=True)
def _known(labels: Scores, effects: Bits, keys: NDArray[np.uint32], slots: Rows, one: int) -> bool:
    """Whether the hash table has a column like this; it has it from now on."""
    last = slots.shape[0] - 1
    slot = np.int64(keys[one]) & last
    while slots[slot] >= 0:
        other = slots[slot]
        same = keys[other] == keys[one] and are_same(effects[other], effects[one])
        if same and are_same(labels[other], labels[one]):
            return True
        slot = (slot + 1) & last
    slots[slot] = one
    return False
