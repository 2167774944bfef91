"""A room for the descendants of one state: its candidates, and only guesses that differ there.

Two words that part the candidates alike part every subset alike; unless one is a candidate, they
are the same guess, and one is enough (Lemma 5). Hard mode tells words apart by their letters too,
so there the room keeps every guess that is legal. Hard states are searched in such a room.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit import kernel
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
def _distinct_columns(  # noqa: PLR0912 - one loop with its ways out
    room: Room, members: NDArray[np.int32], shown: NDArray[np.uint64]
) -> tuple[NDArray[np.uint8], NDArray[np.int32], NDArray[np.int32]]:
    """Scores of the columns to keep, numbered by first occurrence; their parts; which they are."""
    count = members.shape[0]
    width = room.guess.shape[0]
    labels = np.empty((width, count), dtype=np.uint8)
    parts = np.empty(width, dtype=np.int32)
    kept = np.empty(width, dtype=np.int32)
    inside = np.zeros(room.column.shape[0], dtype=np.uint8)
    for k in range(count):
        inside[members[k]] = 1
    table = np.full(1 << 15, -1, dtype=np.int32)
    while table.shape[0] < 2 * width:
        table = np.full(2 * table.shape[0], -1, dtype=np.int32)
    last = table.shape[0] - 1
    number = np.zeros(256, dtype=np.uint8)
    seen_in = np.full(256, -1, dtype=np.int32)
    found = 0
    for pass_ in range(2):  # candidates first: one of equal columns that is a candidate stays
        for column in range(width):
            row = room.secret[column]
            candidate = row >= 0 and inside[row] == 1
            if room.guess[column] < 0 or candidate != (pass_ == 0):
                continue
            if not is_legal(room, column, shown):
                continue
            total, key = 0, np.uint64(0)
            scores, own = room.scores[column], labels[found]
            for k in range(count):
                score = scores[members[k]]
                if seen_in[score] != column:
                    seen_in[score] = column
                    number[score] = total
                    total += 1
                own[k] = number[score]
                key = key + room.salt[k] * np.uint64(number[score])
            if total == 1 and count > 1:
                continue
            slot = np.int64(key >> np.uint64(30)) & last
            known = False
            while not room.hard and table[slot] >= 0 and not known:
                other = table[slot]
                known = parts[other] == total
                k = 0
                while known and k < count:
                    known = labels[other, k] == labels[found, k]
                    k += 1
                if not known:
                    slot = (slot + 1) & last
            if known and not candidate:
                continue
            if not known:
                table[slot] = found
            parts[found] = total
            kept[found] = column
            found += 1
    return labels[:found], parts[:found], kept[:found]
