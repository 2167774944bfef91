"""The split that a word makes, score by score, with the secrets behind each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..game.game import Game


class Bucket(NamedTuple):
    """The secrets that give a word one score."""

    score: int
    #: The score as people write it.
    text: str
    secrets: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many secrets there are."""
        return len(self.secrets)


class Split(NamedTuple):
    """A word and its buckets, the largest first, equal ones by score."""

    word: str
    buckets: tuple[Bucket, ...]

    @property
    def secrets(self) -> int:
        """How many secrets there are in all."""
        return sum(bucket.size for bucket in self.buckets)


def split_by_score(game: Game, word: str) -> Split:
    """All scores that a word can get, each with the secrets that give it."""
    guess = game.guess_id(word)
    row = game.score_rows(np.array([guess], dtype=np.int32))[0]
    by_score: dict[int, list[str]] = {}
    for secret, score in zip(game.secrets, row.tolist(), strict=True):
        by_score.setdefault(score, []).append(secret)
    ordered = sorted(by_score.items(), key=lambda found: (-len(found[1]), found[0]))
    buckets = (Bucket(score, game.format_score(score), tuple(some)) for score, some in ordered)
    return Split(game.guesses[guess], tuple(buckets))
