"""Which worker gets which first guesses: those that have to do with each other stay together.

Guesses with the same letters part many candidates alike, so whoever has looked at one of them knows
much about the others. A share holds guesses whose most common letters are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat, zip_longest

import numpy as np
from numpy.typing import NDArray

from .workbench import BATCH, Workbench

#: The guess in a place takes about as long as 1 / (place + this): those with the most parts, which
#: come first, take by far the longest.
_HEAD = 64


def shares(bench: Workbench, columns: Sequence[int], workers: int) -> list[list[int]]:
    """First guesses (columns) in so many shares of about equal length, each in the given order."""
    order = _by_letters(bench, np.array(columns, dtype=np.int64)) if workers > 1 else None
    if order is None:
        return [list(columns[at::workers]) for at in range(workers)]
    weight = np.cumsum(1 / (order + _HEAD))
    ends = np.searchsorted(weight, weight[-1:] * np.arange(1, workers) / workers)
    return [[columns[at] for at in np.sort(part)] for part in np.split(order, ends)]


def _by_letters(bench: Workbench, columns: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The places of columns by their letters, the most common ones first, if there are letters."""
    game = bench.problem.game
    if game.letters is None or len(columns) == 0:
        return None
    held = game.letters[game.secret_ids]
    times = np.bincount(held.ravel(), minlength=int(game.letters.max()) + 1)
    rank = np.empty(len(times), dtype=np.int64)
    rank[np.argsort(-times, kind="stable")] = np.arange(len(times))
    ranks = np.sort(rank[game.letters[bench.table.guess[columns]]], axis=1)
    ranks[:, 1:][ranks[:, 1:] == ranks[:, :-1]] = len(times)  # a letter counts once
    return np.lexsort(np.sort(ranks, axis=1).T[::-1])


def batch_sizes(workers: int) -> tuple[int, ...]:
    """How many first guesses to screen together: in the first batch, the second, and so on.

    The first take by far the longest: they are fewer, where somebody else may help with the rest.
    """
    return (BATCH,) if workers == 1 else (BATCH // 2, BATCH // 2, BATCH)


def batches(columns: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    """The columns of first guesses, so many at a time; the last size holds for all that follow."""
    found, at = [], 0
    for size in chain(sizes, repeat(sizes[-1])):
        if at >= len(columns):
            break
        found.append(columns[at : at + size])
        at += size
    return found


def in_turn(parts: Sequence[Sequence[Sequence[int]]]) -> list[Sequence[int]]:
    """The batches of all workers' shares, one of each in turn."""
    return [batch for batches in zip_longest(*parts) for batch in batches if batch is not None]
