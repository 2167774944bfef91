"""The kernel that derives refuted sets again, on the board of the checker of proofs.

A set cannot be solved with two guesses left if no guess sets it apart, and with more if each guess
leaves some reason undivided, which lies in the set and cannot be solved with one guess less
(docs/exact.md, lemmas 7 and 7a).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

from ..proofs.checker import board

WORD = 64


class ListedSets(NamedTuple):
    """A refutation as arrays: secrets and reasons of all sets, one after the other."""

    left: NDArray[np.int32]
    rows: NDArray[np.int32]
    #: The secrets of set ``k`` begin at start[k]; so do its reasons at why_start[k].
    start: NDArray[np.int64]
    why: NDArray[np.int64]
    why_start: NDArray[np.int64]


@kernel
def first_that_does_not_follow(
    letters: board.LetterBoard,
    sets: ListedSets,
    places: NDArray[np.int64],
    known: NDArray[np.uint8],
    helpless: NDArray[np.uint64],
) -> int:
    """The first set that is not known and does not follow from those before it; -1 if all do.

    Writes the guesses that leave a set undivided, as bits, to its place in ``helpless``.
    """
    marks = np.empty(letters.rows.shape[1], dtype=np.uint8)
    inside = np.zeros(letters.rows.shape[0], dtype=np.uint8)
    for number in range(places.shape[0]):
        if known[number] == 1:
            continue
        rows = sets.rows[sets.start[number] : sets.start[number + 1]]
        if rows.shape[0] < 2 or not _are_secrets(rows, letters.rows.shape[0]):
            return number
        left, mine = sets.left[number], helpless[places[number]]
        marks[:] = 0
        board.mark_splitting(letters, rows, marks)
        for word in range(mine.shape[0]):
            bits = np.uint64(0)
            for lane in range(WORD):
                bits |= np.uint64(marks[WORD * word + lane] == 0) << np.uint64(lane)
            mine[word] = bits
        if left == 1:
            continue
        if left == 2:
            board.keep_full_splits(letters, rows, marks)
            if marks.any():
                return number
            continue
        for row in rows:
            inside[row] = 1
        follows = _rests_on_reasons(sets, number, places, inside, helpless)
        for row in rows:
            inside[row] = 0
        if not follows:
            return number
    return -1


@kernel(inner=True)
def _are_secrets(rows: NDArray[np.int32], secrets: int) -> bool:
    """Whether rows are numbers of secrets, ascending, so that each is there once."""
    before = -1
    for row in rows:
        if row <= before or row >= secrets:
            return False
        before = row
    return True


@kernel(inner=True)
def _rests_on_reasons(
    sets: ListedSets,
    number: int,
    places: NDArray[np.int64],
    inside: NDArray[np.uint8],
    helpless: NDArray[np.uint64],
) -> bool:
    """Whether the reasons of a set, whose secrets are marked, refute all guesses that divide it."""
    refuted = helpless[places[number]].copy()
    for at in range(sets.why_start[number], sets.why_start[number + 1]):
        reason = sets.why[at]
        if not 0 <= reason < number or sets.left[reason] < sets.left[number] - 1:
            return False
        for k in range(sets.start[reason], sets.start[reason + 1]):
            if inside[sets.rows[k]] == 0:
                return False
        theirs = helpless[places[reason]]
        for word in range(refuted.shape[0]):
            refuted[word] |= theirs[word]
    open_guesses = np.uint64(0)
    for word in range(refuted.shape[0]):
        open_guesses |= ~refuted[word]
    return bool(open_guesses == 0)
