"""A table for the descendants of one state: its candidates, and only guesses that differ there.

Two words that part the candidates alike part every subset alike; unless one is a candidate, they
are the same guess, and one is enough (Lemma 5). Hard mode tells words apart by their letters too,
so there the table keeps every guess that is legal. Hard states are searched in such a table.

Of 12,972 guesses a few hundred are left for ten candidates. To find them, all columns are labelled
(see ``label_lanes``), hashed by their labels, and compared in full where hashes agree.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import kernel, lean
from .count_lanes import LANES
from .dense_scores import Memory, in_blocks
from .label_lanes import GROUP, label_lanes
from .score_table import ScoreTable, is_legal


def narrowed(
    table: ScoreTable,
    members: NDArray[np.int32],
    shown: NDArray[np.uint64],
    memory: Memory = aligned,
    by_column: bool = True,
) -> ScoreTable:
    """The score table of a state below another; its rows are numbered as in ``members``.

    ``memory`` makes large arrays. The search of possibility does without scores ``by_column``.
    """
    labels = memory((len(table.guess), len(members)), np.uint8)
    count, parts, keys, place = _labelled(table, members, shown, labels)
    labels = labels[:count]
    order = _distinct(labels, parts, keys, place, table.column[members], table.hard)
    width = -(-len(order) // LANES) * LANES
    if by_column:
        scores = _taken(labels, order, memory((width, len(members)), np.uint8))
        rows = in_blocks(scores, memory)
    else:
        scores = np.empty((0, 0), dtype=np.uint8)
        rows = memory((width // LANES, len(members), LANES), np.uint8)
        for block in range(len(rows)):
            some = order[block * LANES : (block + 1) * LANES]
            part = np.empty((LANES, len(members)), dtype=np.uint8)
            rows[block] = in_blocks(_taken(labels, some, part))[0]
    found = aligned((width,))
    found[: len(order)], found[len(order) :] = parts[order], 0
    columns = np.zeros(width, dtype=np.int64)
    columns[: len(order)] = np.flatnonzero(place >= 0)[order]
    real = np.arange(width) < len(order)
    row_of = np.full(len(table.column), -1, dtype=np.int32)
    row_of[members] = np.arange(len(members), dtype=np.int32)
    old = table.secret[columns]
    secret = np.where(real & (old >= 0), row_of[old], -1).astype(np.int32)
    column = np.empty(len(members), dtype=np.int32)
    column[secret[secret >= 0]] = np.flatnonzero(secret >= 0)
    return ScoreTable(
        rows,
        scores,
        found,
        found.reshape(-1, LANES).max(axis=1).astype(np.int32),
        np.where(real, table.guess[columns], -1).astype(np.int32),
        secret,
        column,
        table.salt[: len(members)],
        table.spelling[columns] if table.hard else table.spelling,
        table.letters[columns] if table.hard else table.letters,
        table.places,
        table.hard,
        table.price,
    )


def _taken(
    labels: NDArray[np.uint8], order: NDArray[np.int32], scores: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """Some of the labels, in an order, and zeros behind them."""
    np.take(labels, order, axis=0, out=scores[: len(order)], mode="clip")
    scores[len(order) :] = 0
    return scores


@kernel
def _labelled(
    table: ScoreTable,
    members: NDArray[np.int32],
    shown: NDArray[np.uint64],
    labels: NDArray[np.uint8],
) -> tuple[int, NDArray[np.uint8], NDArray[np.uint32], NDArray[np.int32]]:
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
    scores = np.empty((height, LANES), dtype=np.uint8)
    block = np.empty((height, LANES), dtype=np.uint8)
    some_parts, some_keys = np.empty(LANES, dtype=np.uint8), np.empty(LANES, dtype=np.uint32)
    parts, keys = np.empty(width, dtype=np.uint8), np.empty(width, dtype=np.uint32)
    place = np.full(width, -1, dtype=np.int32)
    found = 0
    for column in range(width):
        lane = column % LANES
        if lane == 0:
            label_lanes(table.rows, column, rows, salt, scores, block, some_parts, some_keys)
        tells = some_parts[lane] > 1 or count == 1
        if table.guess[column] < 0 or not tells or not is_legal(table, column, shown):
            continue
        for k in range(count):
            labels[found, k] = block[k, lane]
        parts[found], keys[found], place[column] = some_parts[lane], some_keys[lane], found
        found += 1
    return found, parts[:found], keys[:found], place


@kernel
def _distinct(
    labels: NDArray[np.uint8],
    parts: NDArray[np.uint8],
    keys: NDArray[np.uint32],
    place: NDArray[np.int32],
    own: NDArray[np.int32],
    every: bool,
) -> NDArray[np.int32]:
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
            _known(labels, keys, slots, one)
            is_own[one], kept[count] = 1, one
            count += 1
    for one in range(found):
        if is_own[one] == 0 and (every or not _known(labels, keys, slots, one)):
            kept[count] = one
            count += 1
    return _by_parts(kept[:count], parts)


@kernel(inner=True)
def _by_parts(kept: NDArray[np.int32], parts: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Columns in the order of their parts, the most first, equal ones as they stand."""
    start = np.zeros(257, dtype=np.int64)
    for one in kept:
        start[255 - parts[one] + 1] += 1
    for k in range(256):
        start[k + 1] += start[k]
    order = np.empty(kept.shape[0], dtype=np.int32)
    for one in kept:
        bucket = 255 - parts[one]
        order[start[bucket]] = one
        start[bucket] += 1
    return order


@lean(inner=True)
def _known(
    labels: NDArray[np.uint8], keys: NDArray[np.uint32], slots: NDArray[np.int32], one: int
) -> bool:
    """Whether the hash table has a column like this; it has it from now on."""
    last = slots.shape[0] - 1
    slot = np.int64(keys[one]) & last
    while slots[slot] >= 0:
        other = slots[slot]
        if keys[other] == keys[one] and _alike(labels[other], labels[one]):
            return True
        slot = (slot + 1) & last
    slots[slot] = one
    return False


@lean(inner=True)
def _slots(width: int) -> int:
    """Slots of a hash table for so many columns: a power of two, half of them to spare."""
    slots = 1
    while slots < 2 * width:
        slots *= 2
    return slots


@lean(inner=True)
def _alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    k = 0
    while k < one.shape[0] and one[k] == other[k]:
        k += 1
    return bool(k == one.shape[0])
