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

from ...machine.jit import kernel, lean
from .count_lanes import LANES

#: Makes an array of a shape and a type, like ``np.empty``.
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
def fill_scores(
    scores: NDArray[Any],
    order: NDArray[np.int32],
    codes: NDArray[np.uint8],
    dense: NDArray[np.uint8],
) -> None:
    """Sort the guesses and renumber their scores."""
    for column in range(order.shape[0]):
        guess = order[column]
        for secret in range(scores.shape[1]):
            dense[column, secret] = codes[guess, scores[guess, secret]]


def in_blocks(scores: NDArray[np.uint8], memory: Memory = np.empty) -> NDArray[np.uint8]:
    """``scores[column, row]`` as ``rows[block, row, lane]``; the width is a multiple of LANES."""
    width, count = scores.shape
    rows = memory((width // LANES, count, LANES), np.uint8)
    _cut(scores, rows)
    return rows


@kernel
def _cut(scores: NDArray[np.uint8], rows: NDArray[np.uint8]) -> None:
    blocks, count, _ = rows.shape
    for block in range(blocks):
        for top in range(0, count, LANES):
            for lane in range(LANES):
                for row in range(top, min(count, top + LANES)):
                    rows[block, row, lane] = scores[block * LANES + lane, row]
