"""Least totals of small states by counting buckets, where that is enough: no search is set up.

Where a candidate tells all others apart, no guess is better. Else the number of buckets bounds the
total of each guess from below, and where none has more than two candidates the bound is its total.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from ..machine.arrays import Ids
from ..memory_limits import matrix_bytes
from ..splits.measures import Chances, split_measures

#: Up to so many candidates it is tried.
MOST_COUNTED = 128
#: No larger score matrix is kept at hand.
_MOST_BYTES = 1 << 28


class ScoresAtHand:
    """The scores of a game's guesses (rows) against candidates, of a matrix that is kept."""

    def __init__(self, game: Game) -> None:
        self.game = game
        is_small = matrix_bytes(game) <= _MOST_BYTES
        self._by_secret = np.ascontiguousarray(game.score_rows().T) if is_small else None

    def __call__(self, guesses: Ids | None, candidates: Ids) -> NDArray[Any]:
        """Of some guesses, or (None) of all."""
        if self._by_secret is None:
            return self.game.score_rows(guesses, candidates)
        if guesses is None:
            return np.ascontiguousarray(self._by_secret[candidates].T)
        return self._by_secret[candidates[:, None], guesses].T


def least_by_buckets(scores: ScoresAtHand, candidates: Ids) -> tuple[int, tuple[int, ...]] | None:
    """The least total of a state and guesses that have it; None: counting does not say it."""
    count = len(candidates)
    if count > MOST_COUNTED:
        return None
    least, best = 2 * count - 1, scores.game.secret_ids[candidates]
    if count > 2:
        rows = np.sort(scores(best, candidates), axis=1)
        best = best[(rows[:, 1:] != rows[:, :-1]).all(axis=1)]
    if not len(best):
        measures = split_measures(scores(None, candidates), scores.game.n_scores)
        bounds = 3 * count - measures.parts
        bounds[scores.game.secret_ids[candidates]] -= 1
        least = int(bounds.min())
        best = np.flatnonzero((bounds == least) & (measures.largest <= 2)).astype(np.int32)
    return (least, tuple(best.tolist())) if len(best) else None


def total_by_buckets(scores: ScoresAtHand, candidates: Ids, guess: int, least: int) -> int | None:
    """The total of a guess, where the state's least one is known; None: not by counting."""
    [row] = scores(np.array([guess], dtype=np.int32), candidates)
    total = len(candidates)
    for score in np.unique(row[row != scores.game.solved]):
        bucket = candidates[row == score]
        if len(bucket) == len(candidates):  # it tells nothing
            return total + least
        found = least_by_buckets(scores, bucket)
        if found is None:
            return None
        total += found[0]
    return total


def lower_bounds(scores: ScoresAtHand, candidates: Ids, weight: Chances) -> NDArray[np.float64]:
    """What each guess takes at least: in each bucket one secret is found by the next guess.

    At best that is the heaviest, and the others take one guess more.
    """
    measures = split_measures(scores(None, candidates), scores.game.n_scores)
    first = np.concatenate([[0.0], np.cumsum(np.sort(weight)[::-1])])
    bounds = 3 * weight.sum() - first[measures.parts]
    bounds[scores.game.secret_ids[candidates]] -= weight
    return np.asarray(bounds, dtype=np.float64)
