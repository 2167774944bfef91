"""Least totals of small states by counting buckets, where that is enough: no search is set up.

Where a candidate tells all others apart, no guess is better. Else the number of buckets bounds the
total of each guess from below, and where its buckets are of that kind the bound is its total.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from ..machine.arrays import Ids
from ..splits.measures import Chances, split_measures

#: Up to so many candidates it is tried; of so many guesses of one bound at most.
MOST_COUNTED, _TRIED = 128, 40
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

    def scored(self, candidates: Ids, guess: int) -> NDArray[Any]:
        """The scores of a guess against some candidates."""
        if self._scores is None:
            rows = self._game.score_rows(np.array([guess], dtype=np.int32), candidates)
            return np.asarray(rows[0])
        return np.asarray(self._scores[candidates, guess])

    def least(self, candidates: Ids) -> tuple[int, tuple[int, ...]] | None:
        """The least total of a state and guesses that have it; None: counting does not say it."""
        return self._least(candidates.tobytes())

    def total(self, candidates: Ids, guess: int, least: int) -> int | None:
        """The total of a guess, where the state's least one is known; None: not by counting."""
        buckets, total = self._buckets(candidates, guess), len(candidates)
        if buckets and len(buckets[0]) == len(candidates):  # it tells nothing
            return total + least
        for bucket in buckets:
            found = (2 * len(bucket) - 1, ()) if len(bucket) <= 2 else self.least(bucket)
            if found is None:
                return None
            total += found[0]
        return total

    def lower_bounds(self, candidates: Ids, weight: Chances) -> NDArray[np.float64]:
        """What each guess takes at least: in each bucket one secret is found by the next guess.

        At best that is the heaviest, and the others take one guess more.
        """
        measures = split_measures(self._rows(candidates), self._game.n_scores)
        first = np.concatenate([[0.0], np.cumsum(np.sort(weight)[::-1])])
        bounds = 3 * weight.sum() - first[measures.parts]
        bounds[self._game.secret_ids[candidates]] -= weight
        return np.asarray(bounds, dtype=np.float64)

    def _counted(self, key: bytes) -> tuple[int, tuple[int, ...]] | None:
        here: Ids = np.frombuffer(key, dtype=np.int32)
        count, own = len(here), self._game.secret_ids[here]
        if count > MOST_COUNTED:
            return None
        perfect = own[self._perfect(here)]
        if len(perfect):
            return 2 * count - 1, tuple(perfect.tolist())
        measures = split_measures(self._rows(here), self._game.n_scores)
        bounds = 3 * count - measures.parts.astype(np.int64)
        bounds[own] -= 1
        lowest = int(bounds.min())
        for total in (lowest, lowest + 1):  # each guess below is shown to miss its bound
            at = np.flatnonzero(bounds == total)
            met = at[measures.largest[at] <= 2]
            if not len(met):
                if len(at) > _TRIED:
                    return None
                met = at[[self._meets_bound(here, guess) for guess in at.tolist()]]
            if len(met):
                return total, tuple(met.tolist())
        return None

    def _rows(self, candidates: Ids, guesses: Ids | None = None) -> NDArray[Any]:
        """The scores of some guesses, or all, against some candidates: a row a guess."""
        if self._scores is None:
            return self._game.score_rows(guesses, candidates)
        if guesses is not None:
            return self._scores[np.ix_(candidates, guesses)].T
        return np.ascontiguousarray(self._scores[candidates].T)

    def _perfect(self, candidates: Ids) -> NDArray[np.bool_]:
        """For each candidate, whether it tells all others apart."""
        rows = np.sort(self._rows(candidates, self._game.secret_ids[candidates]), axis=1)
        return np.asarray((rows[:, 1:] != rows[:, :-1]).all(axis=1))

    def _buckets(self, candidates: Ids, guess: int) -> list[Ids]:
        """The buckets of a guess but its own."""
        scores = self.scored(candidates, guess)
        return [candidates[scores == it] for it in np.unique(scores) if it != self._game.solved]

    def _meets_bound(self, candidates: Ids, guess: int) -> bool:
        """Whether each bucket of a guess has a candidate that tells the others apart."""
        large = (bucket for bucket in self._buckets(candidates, guess) if len(bucket) > 2)
        return all(self._perfect(bucket).any() for bucket in large)
