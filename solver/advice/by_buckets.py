"""Least totals of small states by counting buckets, where that is enough: no search is set up.

Where a candidate tells all others apart, no guess is better. Else the number of buckets bounds the
total of each guess from below, and where none has more than two candidates the bound is its total.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from ..machine.arrays import Ids
from ..splits.measures import Chances, split_measures

#: Up to so many candidates it is tried.
MOST_COUNTED = 128
#: No larger score matrix is kept at hand.
_MOST_BYTES = 1 << 28


def scores_at_hand(game: Game) -> NDArray[Any] | None:
    """All scores, a row a secret; None if they are too many to be kept."""
    size = len(game.secrets) * len(game.guesses) * np.dtype(game.score_dtype).itemsize
    return None if size > _MOST_BYTES else np.ascontiguousarray(game.score_rows(None).T)


class BucketTotals:
    """The totals of a game's states without a limit of guesses, as far as buckets say them."""

    def __init__(self, game: Game, remembered: int) -> None:
        """So many states are remembered."""
        self._game, self._scores = game, scores_at_hand(game)
        self._least = lru_cache(remembered)(self._counted)

    def scored(self, candidates: Ids, guesses: Ids | None = None) -> NDArray[Any]:
        """The scores of some guesses, or all, against some candidates: a row a guess."""
        if self._scores is None:
            return self._game.score_rows(guesses, candidates)
        if guesses is None:
            return np.ascontiguousarray(self._scores[candidates].T)
        return self._scores[candidates[:, None], guesses].T

    def least(self, candidates: Ids) -> tuple[int, tuple[int, ...]] | None:
        """The least total of a state and guesses that have it; None: counting does not say it."""
        return self._least(candidates.tobytes())

    def total(self, candidates: Ids, guess: int, least: int) -> int | None:
        """The total of a guess, where the state's least one is known; None: not by counting."""
        [scores] = self.scored(candidates, np.array([guess], dtype=np.int32))
        total = len(candidates)
        for score in np.unique(scores[scores != self._game.solved]):
            bucket = candidates[scores == score]
            if len(bucket) == len(candidates):  # it tells nothing
                return total + least
            found = (2 * len(bucket) - 1, ()) if len(bucket) <= 2 else self.least(bucket)
            if found is None:
                return None
            total += found[0]
        return total

    def lower_bounds(self, candidates: Ids, weight: Chances) -> NDArray[np.float64]:
        """What each guess takes at least: in each bucket one secret is found by the next guess.

        At best that is the heaviest, and the others take one guess more.
        """
        measures = split_measures(self.scored(candidates), self._game.n_scores)
        first = np.concatenate([[0.0], np.cumsum(np.sort(weight)[::-1])])
        bounds = 3 * weight.sum() - first[measures.parts]
        bounds[self._game.secret_ids[candidates]] -= weight
        return np.asarray(bounds, dtype=np.float64)

    def _counted(self, key: bytes) -> tuple[int, tuple[int, ...]] | None:
        here: Ids = np.frombuffer(key, dtype=np.int32)
        if len(here) > MOST_COUNTED:
            return None
        own = self._game.secret_ids[here]
        rows = np.sort(self.scored(here, own), axis=1)
        least, best = 2 * len(here) - 1, own[(rows[:, 1:] != rows[:, :-1]).all(axis=1)]
        if not len(best):
            measures = split_measures(self.scored(here), self._game.n_scores)
            bounds = 3 * len(here) - measures.parts
            bounds[own] -= 1
            least = int(bounds.min())
            best = np.flatnonzero((bounds == least) & (measures.largest <= 2))
        return (least, tuple(best.tolist())) if len(best) else None
