"""Scores as counters like them: renumbered column by column, and cut into blocks of 64 columns.

Whether two scores of a guess are equal is all that matters to a split. So the scores of each guess
are numbered densely from 0, in the order of the scores themselves, which keeps sets of them short.
In a block, the 64 scores of one secret are neighbours: to load them is one instruction.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import kernel, lean
from .byte_lanes import copy_row
from .byte_tiles import TILE, turn
from .count_lanes import LANES

#: Makes an array of a shape and a type, like ``aligned``.
Memory = Callable[[tuple[int, ...], Any], NDArray[Any]]


@kernel
def dense_codes(scores: NDArray[Any], n_scores: int) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
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


@lean
def renumber(scores: NDArray[Any], codes: NDArray[np.uint8], dense: NDArray[np.uint8]) -> None:
    """Write the dense numbers of the scores of some guesses."""
    for guess in range(scores.shape[0]):
        for secret in range(scores.shape[1]):
            dense[guess, secret] = codes[guess, scores[guess, secret]]


@kernel
def put_in_order(dense: NDArray[np.uint8], order: NDArray[np.int32]) -> None:
    """Sort rows of dense scores where they lie: ``order`` says which comes first, and so on."""
    spare = np.empty(dense.shape[1], dtype=np.uint8)
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


def in_blocks(scores: NDArray[np.uint8], memory: Memory = aligned) -> NDArray[np.uint8]:
    """``scores[column, row]`` as ``rows[block, row, lane]``; the width is a multiple of LANES."""
    width, count = scores.shape
    rows = memory((width // LANES, count, LANES), np.uint8)
    _cut(scores, rows)
    return rows


@kernel
def _cut(scores: NDArray[np.uint8], rows: NDArray[np.uint8]) -> None:
    blocks, count, _ = rows.shape
    whole = count // TILE * TILE
    for block in range(blocks):
        for lane in range(0, LANES, TILE):
            column = block * LANES + lane
            for row in range(0, whole, TILE):
                turn(scores, column, row, rows, block, lane)
        for lane in range(LANES):
            for row in range(whole, count):
                rows[block, row, lane] = scores[block * LANES + lane, row]
