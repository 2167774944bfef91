"""The split that a word makes, score by score, with the secrets behind each."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from .weighted_measures import chances_of


class Bucket(NamedTuple):
    """The secrets that give a word one score."""

    score: int
    #: The score as people write it.
    text: str
    secrets: tuple[str, ...]
    #: How likely it is that the secret is one of them.
    chance: float

    @property
    def size(self) -> int:
        """The number of secrets in the bucket."""
        return len(self.secrets)


class Split(NamedTuple):
    """A word and its buckets, the largest first, equal ones by score."""

    word: str
    buckets: tuple[Bucket, ...]

    @property
    def secrets(self) -> int:
        """The number of secrets in all buckets."""
        return sum(bucket.size for bucket in self.buckets)

    @property
    def expected_size(self) -> float:
        """How many secrets are left after the score, on average."""
        return sum(bucket.chance * bucket.size for bucket in self.buckets)

    @property
    def entropy(self) -> float:
        """What the score is expected to tell, in bits."""
        known = (bucket.chance for bucket in self.buckets if bucket.chance)
        return max(0.0, -math.fsum(chance * math.log2(chance) for chance in known))


def split_by_score(game: Game, word: str, weights: NDArray[Any] | None = None) -> Split:
    """The split of a word: all scores that it can get, each with the secrets that give it.

    ``weights`` say how likely each secret is, if they are not all equally likely.
    """
    guess = game.guess_id(word)
    row = game.score_rows(np.array([guess], dtype=np.int32))[0]
    by_score: dict[int, list[str]] = {}
    for secret, score in zip(game.secrets, row.tolist(), strict=True):
        by_score.setdefault(score, []).append(secret)
    size = len(game.secrets)
    chances = np.full(size, 1.0 / size) if weights is None else chances_of(weights)
    sums = np.bincount(row, chances).tolist()
    ordered = sorted(by_score.items(), key=lambda found: (-len(found[1]), found[0]))
    buckets = (
        Bucket(score, game.format_score(score), tuple(some), sums[score]) for score, some in ordered
    )
    return Split(game.guesses[guess], tuple(buckets))
