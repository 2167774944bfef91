"""Counting the parts that guesses make of a set: many guesses side by side.

The columns of a board lie side by side in memory, so the same step is done for LANES guesses at
once. A part is counted where a member differs from all members before it, or, of more than a few
members, as a bit that is set for its code.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

from .board import LANES, LetterBoard

#: Up to this many candidates, comparing all pairs is the fastest.
_FEW = 16

_WORD, _IN_WORD = np.uint64(6), np.uint64(63)
#: Every second bit, pair of bits, and group of four.
_TWOS, _FOURS, _EIGHTS = (
    np.uint64(0x5555555555555555),
    np.uint64(0x3333333333333333),
    np.uint64(0x0F0F0F0F0F0F0F0F),
)
_1, _2, _4, _8, _16, _32, _SUM = (np.uint64(x) for x in (1, 2, 4, 8, 16, 32, 255))


class Tally(NamedTuple):
    """Scratch memory for counting the parts that LANES guesses make."""

    bits: NDArray[np.uint64]
    fresh: NDArray[np.uint8]


def new_tally() -> Tally:
    """New scratch memory of the checker of proofs for counting the parts of LANES guesses."""
    return Tally(np.zeros(LANES, dtype=np.uint64), np.zeros(LANES, dtype=np.uint8))


@kernel(inner=True)
def count_parts(
    board: LetterBoard,
    tally: Tally,
    members: NDArray[np.int32],
    first: int,
    parts: NDArray[np.int64],
) -> None:
    """Count, for the checker of proofs, the parts that each of LANES guesses makes of a set."""
    parts[:] = 0
    if len(members) <= _FEW:
        _count_by_pairs(board, tally.fresh, members, first, parts)
        return
    words = (board.parts[first] + 63) // 64  # no column after the first has more codes
    for word in range(words):
        _count_by_bits(board, tally.bits, members, first, np.uint64(word), parts)


@kernel(inner=True)
def _count_by_pairs(
    board: LetterBoard,
    fresh: NDArray[np.uint8],
    members: NDArray[np.int32],
    first: int,
    parts: NDArray[np.int64],
) -> None:
    """Count the members whose code no member before them has."""
    for at in range(len(members)):
        row = board.rows[members[at], first : first + LANES]
        fresh[:] = 1
        for before in range(at):
            other = board.rows[members[before], first : first + LANES]
            for lane in range(LANES):
                fresh[lane] &= np.uint8(row[lane] != other[lane])
        for lane in range(LANES):
            parts[lane] += fresh[lane]


@kernel(inner=True)
def _count_by_bits(
    board: LetterBoard,
    bits: NDArray[np.uint64],
    members: NDArray[np.int32],
    first: int,
    word: np.uint64,
    parts: NDArray[np.int64],
) -> None:
    """Count the codes that occur, of the 64 that belong to a word."""
    bits[:] = 0
    for member in members:
        row = board.rows[member, first : first + LANES]
        for lane in range(LANES):
            code = np.uint64(row[lane])
            bits[lane] |= np.uint64(code >> _WORD == word) << (code & _IN_WORD)
    for lane in range(LANES):
        parts[lane] += np.int64(_ones(bits[lane]))


@kernel(inner=True)
def _ones(word: np.uint64) -> np.uint64:
    """How many bits are set: sums of neighbours, in ever larger groups."""
    word = (word & _TWOS) + ((word >> _1) & _TWOS)
    word = (word & _FOURS) + ((word >> _2) & _FOURS)
    word = (word + (word >> _4)) & _EIGHTS
    word += word >> _8
    word += word >> _16
    word += word >> _32
    return word & _SUM
