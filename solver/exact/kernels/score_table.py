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
from ...machine.jit import kernel, noalloc
from ...machine.vectors import bit_count, first_bit
from .table_vectors import (
    ALL,
    BLOCK_COLUMNS,
    GROUP,
    MOST_NARROW,
    TILE,
    Bits,
    Bytes,
    Rows,
    Scores,
    Sums,
    alike,
    copy_row,
    count_block,
    label_lanes,
    turn,
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

    As ``dense_codes`` and ``renumber`` do, for more scores than a byte numbers, and without going
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
    whole = count // TILE * TILE
    for block in range(blocks):
        for lane in range(0, BLOCK_COLUMNS, TILE):
            column = block * BLOCK_COLUMNS + lane
            for row in range(0, whole, TILE):
                turn(scores, column, row, rows, block, lane)
        for lane in range(BLOCK_COLUMNS):
            for row in range(whole, count):
                rows[block, row, lane] = scores[block * BLOCK_COLUMNS + lane, row]


#: Letters of the alphabet to one 64-bit word of letter counts, four bits each, one a guard.
HALF = 13
#: What hard mode has revealed, as 64-bit words: places, their letters, and counts of up to 65
#: letters in portions of HALF. What a table has no letters for stays zero, and nobody looks at it.
REVEALED_WORDS = 7
_GUARD = np.uint64(0x8888888888888)


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
    return max(MOST_NARROW + 1, (int(table.parts.max(initial=0)) // 64 + 1) * 64)


@noalloc(inner=True)
def score_in(table: ScoreTable, row: int, column: int) -> int:
    """The dense score of a column against a row."""
    score: int = table.scores[column, row]
    return score


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


# ---- A table for one state and what follows it: its candidates, and guesses that differ there
#
# Two words that split the candidates alike split every subset alike; unless one is a candidate,
# they are the same guess, and one is enough (Lemma 5). In hard mode they must reveal the same of
# each candidate as well. Hard states are searched in such a table.
#
# Of 12,972 guesses a few hundred are left for ten candidates. To find them, all columns are
# labelled (see ``table_vectors``), hashed by their labels, and compared in full where hashes agree.


def narrowed(
    table: ScoreTable,
    members: Rows,
    revealed: Bits,
    memory: Memory = aligned,
    by_column: bool = True,
    finest: bool = False,
) -> ScoreTable:
    """The score table of a state below another; its rows are numbered as in ``members``.

    ``memory`` makes large arrays. The limit search does without scores ``by_column``, and may do
    with the ``finest`` guesses: the candidates, and those that no other one refines (docs/exact.md,
    lemma 5b). Numbers have one byte again as soon as that is enough: a guess has no more scores
    than there are candidates.
    """
    labels = memory((len(table.guess), len(members)), score_type(table))
    count, parts, keys, place = _labelled(table, members, revealed, labels)
    labels = labels[:count]
    own = table.column[members]
    effects = _effects(table, members, place, count, keys)
    order = _distinct(labels, effects, parts, keys, place, own)
    if finest:
        order = _not_refined(labels, parts, order, place, own)
    width = -(-len(order) // BLOCK_COLUMNS) * BLOCK_COLUMNS
    kind = np.uint8 if parts.max(initial=0) <= MOST_NARROW else labels.dtype
    if by_column:
        scores = _taken(labels, order, memory((width, len(members)), kind))
        rows = in_blocks(scores, memory)
    else:
        scores = np.empty((0, 0), dtype=kind)
        rows = memory((width // BLOCK_COLUMNS, len(members), BLOCK_COLUMNS), kind)
        for block in range(len(rows)):
            some = order[block * BLOCK_COLUMNS : (block + 1) * BLOCK_COLUMNS]
            part = np.empty((BLOCK_COLUMNS, len(members)), dtype=kind)
            rows[block] = in_blocks(_taken(labels, some, part))[0]
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


def _taken(labels: Scores, order: Rows, scores: Scores) -> Scores:
    """Some of the labels, in an order, and zeros behind them."""
    if labels.dtype == scores.dtype:
        np.take(labels, order, axis=0, out=scores[: len(order)], mode="clip")
    else:
        scores[: len(order)] = labels[order]
    scores[len(order) :] = 0
    return scores


@kernel
def _labelled(
    table: ScoreTable, members: Rows, revealed: Bits, labels: Scores
) -> tuple[int, Scores, NDArray[np.uint32], Rows]:
    """Label the columns that are legal and tell something: how many, their parts, hashed labels.

    And where each column of the table stands among them, -1 if it is left out.
    """
    count, width = members.shape[0], table.guess.shape[0]
    height = -(-count // GROUP) * GROUP
    rows, salt = np.empty(height, dtype=np.int32), np.zeros(height, dtype=np.uint32)
    for k in range(height):
        rows[k] = members[min(k, count - 1)]
    for k in range(count):
        salt[k] = table.salt[k] >> np.uint64(32)
    scores = np.empty((height, BLOCK_COLUMNS), dtype=labels.dtype)
    block = np.empty((height, BLOCK_COLUMNS), dtype=labels.dtype)
    number = np.empty((BLOCK_COLUMNS, np.int64(most_scores(table)) + 1), dtype=np.uint16)
    some_parts = np.empty(BLOCK_COLUMNS, dtype=labels.dtype)
    some_keys = np.empty(BLOCK_COLUMNS, dtype=np.uint32)
    parts, keys = np.empty(width, dtype=labels.dtype), np.empty(width, dtype=np.uint32)
    place = np.full(width, -1, dtype=np.int32)
    found = 0
    for column in range(width):
        lane = column % BLOCK_COLUMNS
        if lane == 0 and count <= _MOST_PAIRED:
            label_lanes(table.rows, column, rows, salt, scores, block, some_parts, some_keys)
        elif lane == 0:
            own = table.rows[column // BLOCK_COLUMNS]
            _label_block(own, members, salt, number, block, some_parts, some_keys)
        if table.guess[column] < 0 or not is_legal(table, column, revealed):
            continue
        for k in range(count):
            labels[found, k] = block[k, lane]
        if some_parts[lane] > 1 or count == 1:
            parts[found], keys[found], place[column] = some_parts[lane], some_keys[lane], found
            found += 1
    return found, parts[:found], keys[:found], place


@kernel(inner=True)
def _label_block(
    scores: Scores,
    members: Rows,
    salt: NDArray[np.uint32],
    number: NDArray[np.uint16],
    labels: Scores,
    parts: Scores,
    keys: NDArray[np.uint32],
) -> None:
    """Label 64 columns as ``label_lanes`` does, by a table of the scores of each: ``number``."""
    number[:] = 0  # one more than a label
    parts[:], keys[:] = 0, 0
    for k in range(members.shape[0]):
        row, mine = scores[members[k]], labels[k]
        for lane in range(BLOCK_COLUMNS):
            if number[lane, row[lane]] == 0:
                parts[lane] += 1
                number[lane, row[lane]] = parts[lane]
            label = number[lane, row[lane]] - np.uint16(1)
            mine[lane] = label
            keys[lane] += np.uint32(label) * salt[k]


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
    """The columns to keep, those with most parts first, then candidates (``own`` columns).

    One of equal columns that is a candidate stays.
    """
    found = labels.shape[0]
    slots = np.full(_slots(found), -1, dtype=np.int32)
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
    return _by_parts(kept[:count], parts)


#: Of more members scores are labelled by a table for each column, not by comparing all pairs.
_MOST_PAIRED = 384
#: So many pairs of candidates, in words of 64, are compared before all candidates are.
_PAIR_WORDS = 4
#: From so many pairs they are chosen, by every so manieth column.
_DRAWN, _SAMPLED = 2048, 16
#: So many columns are compared side by side.
_STEP = 32
#: Primes by which those pairs are drawn.
_STRIDE, _OTHER_STRIDE = 7919, 15485863


@kernel
def _not_refined(labels: Scores, parts: Scores, order: Rows, place: Rows, own: Rows) -> Rows:
    """The columns of an ``order`` by parts that none before refines, and all candidates.

    A guess refines another one if each of its buckets lies in one of the other's. Which pairs of
    some candidates it leaves together tells of nearly all others that it does not refine them.
    """
    keeps = np.zeros(labels.shape[0], dtype=np.uint8)
    for column in own:
        if place[column] >= 0:
            keeps[place[column]] = 1
    together = _pairs_together(labels, order)
    first = np.full(order.shape[0] + _STEP, ALL, dtype=np.uint64)
    kept, at_kept = np.empty_like(order), np.empty_like(order)
    label_of = np.empty(np.int64(parts[order[0]]) + 1, dtype=np.int64)
    count = 0
    for at in range(order.shape[0]):
        is_refined = False
        if keeps[order[at]] == 0:
            apart = ~together[at, 0]
            for start in range(0, count, _STEP):
                if not _some_disjoint(first, start, apart):
                    continue
                for k in range(start, min(start + _STEP, count)):
                    is_refined |= first[k] & apart == 0 and _refines(
                        labels, together, kept[k], at_kept[k], order[at], at, label_of
                    )
                if is_refined:
                    break
        if not is_refined:
            kept[count], at_kept[count], first[count] = order[at], at, together[at, 0]
            count += 1
    return kept[:count]


@kernel(inner=True)
def _some_disjoint(words: Bits, start: int, word: np.uint64) -> bool:
    """Whether some of a few words has no bit in common with another one."""
    found = np.int64(0)
    for k in range(_STEP):
        found += np.int64(words[start + k] & word == 0)
    return bool(found > 0)


@kernel(inner=True)
def _pairs_together(labels: Scores, order: Rows) -> Bits:
    """For each column of an order which of some pairs of candidates it leaves together, as bits.

    Of many pairs those are taken that the most columns leave together: they tell the most.
    """
    rows, pairs = labels.shape[1], 64 * _PAIR_WORDS
    one, other = np.empty(_DRAWN, dtype=np.int64), np.empty(_DRAWN, dtype=np.int64)
    often = np.zeros(_DRAWN, dtype=np.int64)
    for pair in range(_DRAWN):
        one[pair], other[pair] = (pair * _STRIDE) % rows, (pair * _OTHER_STRIDE + 1) % rows
    for at in range(0, order.shape[0], _SAMPLED):
        column = labels[order[at]]
        for pair in range(_DRAWN):
            if one[pair] != other[pair] and column[one[pair]] == column[other[pair]]:
                often[pair] += 1
    chosen = np.argsort(-often, kind="mergesort")
    together = np.zeros((order.shape[0], _PAIR_WORDS), dtype=np.uint64)
    for at in range(order.shape[0]):
        column = labels[order[at]]
        for place in range(pairs):
            pair = chosen[place]
            if column[one[pair]] == column[other[pair]]:
                together[at, place // 64] |= np.uint64(1) << np.uint64(place % 64)
    return together


@kernel(inner=True)
def _refines(
    labels: Scores, together: Bits, finer: int, at_finer: int, other: int, at: int, label_of: Sums
) -> bool:
    """Whether each bucket of a column lies in one of another's; ``label_of`` is scratch."""
    for word in range(1, _PAIR_WORDS):
        if together[at_finer, word] & ~together[at, word] != 0:
            return False
    label_of[:] = -1
    for row in range(labels.shape[1]):
        mine, its = np.int64(labels[finer, row]), np.int64(labels[other, row])
        if label_of[mine] < 0:
            label_of[mine] = its
        elif label_of[mine] != its:
            return False
    return True


@kernel
def _describe_narrowed(
    table: ScoreTable, members: Rows, order: Rows, parts: Scores, place: Rows, found: Scores
) -> tuple[Rows, Rows, Rows, Rows, Bits, Bits]:
    """A narrowed table's ``spread``, ``guess``, ``secret``, ``column``, ``spelling``, ``letters``.

    ``found``: its ``parts``. Its columns stand in an ``order`` of those that have a ``place``.
    """
    width, hard = found.shape[0], table.hard
    old = np.zeros(parts.shape[0], dtype=np.int32)
    for column in range(place.shape[0]):
        if place[column] >= 0:
            old[place[column]] = column
    row_of = np.full(table.column.shape[0], -1, dtype=np.int32)
    for k in range(members.shape[0]):
        row_of[members[k]] = k
    spread = np.zeros(width // BLOCK_COLUMNS, dtype=np.int32)
    guess, secret = np.full(width, -1, dtype=np.int32), np.full(width, -1, dtype=np.int32)
    own = np.zeros(members.shape[0], dtype=np.int32)
    halves = table.letters.shape[1]
    spelling = np.zeros(width if hard else table.spelling.shape[0], dtype=np.uint64)
    letters = np.zeros((width if hard else table.letters.shape[0], halves), dtype=np.uint64)
    found[:] = 0
    for at in range(order.shape[0]):
        column = old[order[at]]
        found[at] = parts[order[at]]
        spread[at // BLOCK_COLUMNS] = max(spread[at // BLOCK_COLUMNS], np.int32(found[at]))
        guess[at] = table.guess[column]
        row = table.secret[column]
        if row >= 0:
            secret[at] = row_of[row]
            if row_of[row] >= 0:
                own[row_of[row]] = at
        if hard:
            spelling[at] = table.spelling[column]
            for half in range(halves):
                letters[at, half] = table.letters[column, half]
    return spread, guess, secret, own, spelling, letters


@kernel(inner=True)
def _by_parts(kept: Rows, parts: Scores) -> Rows:
    """Columns in the order of their parts, the most first, equal ones as they stand."""
    most = np.int64(0)
    for one in kept:
        most = max(most, np.int64(parts[one]))
    start = np.zeros(most + 2, dtype=np.int64)
    for one in kept:
        start[most - np.int64(parts[one]) + 1] += 1
    for k in range(most + 1):
        start[k + 1] += start[k]
    order = np.empty(kept.shape[0], dtype=np.int32)
    for one in kept:
        bucket = most - np.int64(parts[one])
        order[start[bucket]] = one
        start[bucket] += 1
    return order


@noalloc(inner=True)
def _known(labels: Scores, effects: Bits, keys: NDArray[np.uint32], slots: Rows, one: int) -> bool:
    """Whether the hash table has a column like this; it has it from now on."""
    last = slots.shape[0] - 1
    slot = np.int64(keys[one]) & last
    while slots[slot] >= 0:
        other = slots[slot]
        same = keys[other] == keys[one] and _same(effects[other], effects[one])
        if same and _same(labels[other], labels[one]):
            return True
        slot = (slot + 1) & last
    slots[slot] = one
    return False


@noalloc(inner=True)
def _slots(width: int) -> int:
    """Slots of a hash table for so many columns: a power of two, half of them to spare."""
    slots = 1
    while slots < 2 * width:
        slots *= 2
    return slots


@noalloc(inner=True)
def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    k = 0
    while k < one.shape[0] and one[k] == other[k]:
        k += 1
    return bool(k == one.shape[0])
