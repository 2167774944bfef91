"""A room for the descendants of one state: its candidates, and only guesses that differ there.

Two words that part the candidates alike part every subset alike; unless one is a candidate, they
are the same guess, and one is enough (Lemma 5). Hard mode tells words apart by their letters too,
so there the room keeps every guess that is legal. Hard states are searched in such a room.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel, lean
from .lanes import LANES
from .room import Room, in_blocks, is_legal


def narrowed(room: Room, members: NDArray[np.int32], shown: NDArray[np.uint64]) -> Room:
    """The room of a state; its rows are numbered as in ``members``."""
    labels, parts, kept = _distinct_columns(room, members, shown)
    order = np.argsort(-parts, kind="stable")
    width = -(-len(order) // LANES) * LANES
    scores = np.zeros((width, len(members)), dtype=np.uint8)
    scores[: len(order)] = labels[order]
    found = np.zeros(width, dtype=np.uint8)
    found[: len(order)] = parts[order]
    columns = np.zeros(width, dtype=np.int64)
    columns[: len(order)] = kept[order]
    real = np.arange(width) < len(order)
    row_of = np.full(len(room.column), -1, dtype=np.int32)
    row_of[members] = np.arange(len(members), dtype=np.int32)
    old = room.secret[columns]
    secret = np.where(real & (old >= 0), row_of[old], -1).astype(np.int32)
    column = np.empty(len(members), dtype=np.int32)
    column[secret[secret >= 0]] = np.flatnonzero(secret >= 0)
    return Room(
        in_blocks(scores),
        scores,
        found,
        found.reshape(-1, LANES).max(axis=1).astype(np.int32),
        np.where(real, room.guess[columns], -1).astype(np.int32),
        secret,
        column,
        room.salt[: len(members)],
        room.spelling[columns] if room.hard else room.spelling,
        room.letters[columns] if room.hard else room.letters,
        room.hard,
        room.price,
    )


@kernel
def _distinct_columns(
    room: Room, members: NDArray[np.int32], shown: NDArray[np.uint64]
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    """Scores of the columns to keep, numbered by first occurrence; their parts; which they are.

    The candidates' columns come first: one of equal columns that is a candidate stays.
    """
    count, width = members.shape[0], room.guess.shape[0]
    labels = np.empty((width + 1, count), dtype=np.uint8)
    parts = np.empty(width, dtype=np.int32)
    kept = np.empty(width, dtype=np.int32)
    taken = np.zeros(width, dtype=np.uint8)
    table = np.full(_slots(width), -1, dtype=np.int32)
    first = np.zeros(256, dtype=np.int32)
    number = np.zeros(count, dtype=np.int32)
    rows = np.empty((count, LANES), dtype=np.uint8)
    block = np.empty((LANES, count), dtype=np.uint8)
    found = 0
    for k in range(count):
        column = int(room.column[members[k]])
        own = labels[found]
        for j in range(count):
            own[j] = room.scores[column, members[j]]
        total, key = _label(own, room.salt, first, number, own)
        taken[column] = 1
        if is_legal(room, column, shown) and (total > 1 or count == 1):
            _known(labels, parts, table, found, total, key)
            parts[found], kept[found] = total, column
            found += 1
    for column in range(width):
        lane = column % LANES
        if lane == 0:
            _turn(room, members, column // LANES, rows, block)
        if room.guess[column] < 0 or taken[column] == 1 or not is_legal(room, column, shown):
            continue
        total, key = _label(block[lane], room.salt, first, number, labels[found])
        if total == 1 and count > 1:
            continue
        if room.hard or not _known(labels, parts, table, found, total, key):
            parts[found], kept[found] = total, column
            found += 1
    return labels[:found], parts[:found], kept[:found]


@lean(inner=True)
def _turn(
    room: Room,
    members: NDArray[np.int32],
    number: int,
    rows: NDArray[np.uint8],
    block: NDArray[np.uint8],
) -> None:
    """The scores of the members in a block of columns, column by column.

    The rows are fetched together first: waiting for one after the other would take longest.
    """
    for k in range(members.shape[0]):
        for lane in range(LANES):
            rows[k, lane] = room.rows[number, members[k], lane]
    for lane in range(LANES):
        for k in range(members.shape[0]):
            block[lane, k] = rows[k, lane]


@lean
def _known(
    labels: NDArray[np.uint8],
    parts: NDArray[np.int32],
    table: NDArray[np.int32],
    found: int,
    total: int,
    key: np.uint64,
) -> bool:
    """Whether a column like the one in ``found`` is kept already; it is in the table if not."""
    last = table.shape[0] - 1
    slot = np.int64(key >> np.uint64(30)) & last
    while table[slot] >= 0:
        other = table[slot]
        if parts[other] == total and _alike(labels[other], labels[found]):
            return True
        slot = (slot + 1) & last
    table[slot] = found
    return False


@lean(inner=True)
def _slots(width: int) -> int:
    """Slots of a hash table for so many columns: a power of two, half of them to spare."""
    slots = 1
    while slots < 2 * width:
        slots *= 2
    return slots


@lean(inner=True)
def _label(
    scores: NDArray[np.uint8],
    salt: NDArray[np.uint64],
    first: NDArray[np.int32],
    number: NDArray[np.int32],
    labels: NDArray[np.uint8],
) -> tuple[int, np.uint64]:
    """Number the scores of a column by first occurrence; how many there are, and a hash of them.

    Nothing is cleared and nothing branches: going backwards, the last to write where a score was
    seen is the first member that has it, and only such a member takes a new number.
    """
    count = scores.shape[0]
    for k in range(count - 1, -1, -1):
        first[scores[k]] = k
    total, key = 0, np.uint64(0)
    for k in range(count):
        leader = first[scores[k]]
        number[k] = total
        total += leader == k
        label = number[leader]
        labels[k] = label
        key += salt[k] * np.uint64(label)
    return total, key


@lean(inner=True)
def _alike(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    k = 0
    while k < one.shape[0] and one[k] == other[k]:
        k += 1
    return bool(k == one.shape[0])
