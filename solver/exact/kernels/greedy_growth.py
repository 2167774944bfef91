"""A strategy within a limit by the most parts: the quick attempt at states that are not hard.

In each state the guess with the most parts is made, candidates first among equals, then by the
order of the guesses; with three guesses left the first of some that leaves nothing but buckets
which a guess sets apart. Where there is none, the attempt has failed, and nothing is proved. Most
states that a first guess leaves are solved by it, in a fraction of the time that a table of their
own would take.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel
from .cores import first_stuck
from .score_table import ScoreTable, count_others, new_ends, split_by_size
from .table_vectors import BLOCK_COLUMNS, Bits, Rows, Scores, Sums

_THREE = 3
#: So many guesses are tried with three guesses left.
_TRIES = 16


class GrownNodes(NamedTuple):
    """A strategy: the column of each node, the node above it, and a row that leads there."""

    column: Rows
    parent: Rows
    row: Rows


class _Growth(NamedTuple):
    """States that wait: their rows from one place to another, guesses left, and the node above.

    And space for counting parts and for parting a state.
    """

    start: Rows
    end: Rows
    left: Rows
    above: Rows
    covered: Bits
    parts: Scores
    parted: Rows
    ends: Sums


@kernel
def grow_greedily(
    table: ScoreTable, members: Rows, left: int, first: int, nodes: GrownNodes
) -> int:
    """Grow the strategy that makes a first guess, then that with the most parts; how many nodes.

    -1 if it does not solve every candidate within so many guesses. ``nodes`` has space for as many
    nodes as there are members, and one more for each state that none of them leads to.
    """
    rows, width = members.copy(), table.rows.shape[0]
    todo = np.empty((4, members.shape[0] + 1), dtype=np.int32)
    growth = _Growth(
        todo[0],
        todo[1],
        todo[2],
        todo[3],
        np.zeros(width, dtype=np.uint64),
        np.zeros(width * BLOCK_COLUMNS, dtype=table.rows.dtype),
        np.empty_like(members),
        new_ends(table),
    )
    growth.start[0], growth.end[0], growth.left[0], growth.above[0] = 0, rows.shape[0], left, -1
    waiting, count = 1, 0
    while waiting > 0:
        waiting -= 1
        start, here = growth.start[waiting], growth.left[waiting]
        own = rows[start : growth.end[waiting]]
        column = first if count == 0 else _choose(table, own, here, growth)
        if column < 0:
            return -1
        nodes.column[count], nodes.parent[count] = column, growth.above[waiting]
        nodes.row[count] = own[0]
        if here > 1:
            waiting = _part(table, own, column, growth, waiting, start, here - 1, count)
        elif own.shape[0] > 1 or table.secret[column] != own[0]:
            return -1
        count += 1
    return count


@kernel(inner=True)
def _choose(table: ScoreTable, own: Rows, left: int, growth: _Growth) -> int:
    """The column to guess, -1 if so many guesses cannot be enough after it."""
    size, parts = own.shape[0], growth.parts
    if size == 1 or (size == 2 and left > 1):
        return int(table.column[own[0]])
    if left == 1:
        return -1
    count_others(table, own, growth.covered, parts)
    if left != _THREE:
        column = _best(table, own, parts)
        return -1 if left == 2 and parts[column] < size else column
    for _ in range(_TRIES):
        column = _best(table, own, parts)
        if column < 0:
            return -1
        many = split_by_size(table, own, column, growth.parted, growth.ends)
        if first_stuck(table.rows, growth.parted, growth.ends, many) < 0:
            return column
        parts[column] = 0
    return -1


@kernel(inner=True)
def _best(table: ScoreTable, own: Rows, parts: Scores) -> int:
    """The column with the most parts, candidates first among equals; -1 if none has any."""
    most = 0
    for column in range(parts.shape[0]):
        most = max(most, int(parts[column]))
    best = -1
    if most == 0:
        return best
    for row in own:
        column = table.column[row]
        if parts[column] == most and (best < 0 or table.guess[column] < table.guess[best]):
            best = column
    if best >= 0:
        return best
    for column in range(parts.shape[0]):
        if (
            parts[column] == most
            and table.guess[column] >= 0
            and (best < 0 or table.guess[column] < table.guess[best])
        ):
            best = column
    return best


@kernel(inner=True)
def _part(
    table: ScoreTable,
    own: Rows,
    column: int,
    growth: _Growth,
    waiting: int,
    start: int,
    left: int,
    node: int,
) -> int:
    """Part a state by its guess where it lies, and let its buckets wait; how many wait now."""
    many = split_by_size(table, own, column, growth.parted, growth.ends)
    for k in range(own.shape[0]):
        own[k] = growth.parted[k]
    for k in range(many):
        if table.secret[column] != growth.parted[growth.ends[k]]:
            growth.start[waiting] = start + growth.ends[k]
            growth.end[waiting] = start + growth.ends[k + 1]
            growth.left[waiting], growth.above[waiting] = left, node
            waiting += 1
    return waiting
