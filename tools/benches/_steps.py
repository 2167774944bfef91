"""The published program's history as players: each overrides one thing of the one before.

Reference code, plain Python on purpose. All of them play by Knuth's rule and must agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solver.game.game import Game
from solver.game.grading import grade

Ids = tuple[int, ...]
Moves = tuple[tuple[int, int], ...]


class FirstVersion:
    """Grade every guess against every candidate whenever a guess is needed, in every game anew."""

    def __init__(self, game: Game, opener: str) -> None:
        self.game = game
        self.words = game.guesses
        self.opener = game.guess_id(opener)

    def score(self, guess: int, secret: int) -> int:
        """Grade by the rule."""
        return grade(self.words[guess], self.words[secret])

    def after(self, candidates: Ids, guess: int, score: int) -> Ids:
        """Filter: the candidates that would have given this score."""
        return tuple(secret for secret in candidates if self.score(guess, secret) == score)

    def largest(self, guess: int, candidates: Ids, cutoff: int) -> int:
        """The size of the largest bucket of a guess."""
        sizes: dict[int, int] = defaultdict(int)
        for secret in candidates:
            sizes[self.score(guess, secret)] += 1
        return max(sizes.values())

    def choose(self, candidates: Ids, guesses: Sequence[int] | None = None) -> int:
        """Knuth's rule: smallest largest bucket, then a candidate, then the alphabet."""
        if len(candidates) <= 2:
            return candidates[0]
        possible = set(candidates)
        best, best_key = -1, (len(candidates) + 1, True)
        for guess in range(len(self.words)) if guesses is None else guesses:
            key = (self.largest(guess, candidates, best_key[0]), guess not in possible)
            if key < best_key:
                best, best_key = guess, key
        return best

    def play(self, secret: int) -> int:
        """Play one game; how many guesses it took."""
        candidates: Ids = tuple(range(len(self.words)))
        guess, number = self.opener, 1
        while guess != secret:
            candidates = self.after(candidates, guess, self.score(guess, secret))
            guess = self.choose(candidates)
            number += 1
        return number


class Cutoff(FirstVersion):
    """Leave a guess as soon as one of its buckets is larger than the best guess's largest."""

    def largest(self, guess: int, candidates: Ids, cutoff: int) -> int:
        """The size of the largest bucket, or the first size above the cutoff."""
        sizes: dict[int, int] = defaultdict(int)
        largest = 0
        for secret in candidates:
            score = self.score(guess, secret)
            sizes[score] += 1
            if sizes[score] > largest:
                largest = sizes[score]
                if largest > cutoff:
                    break
        return largest


class Precomputed(Cutoff):
    """All scores in a table, one row of bytes a guess."""

    @cached_property
    def table(self) -> list[bytes]:
        """Made by the compiled matrix, or the making would take minutes by itself."""
        return [row.tobytes() for row in self.game.score_rows()]

    def score(self, guess: int, secret: int) -> int:
        """Look the score up."""
        return self.table[guess][secret]

    def largest(self, guess: int, candidates: Ids, cutoff: int) -> int:
        """As before, with the row at hand."""
        row = self.table[guess]
        sizes = [0] * 243
        largest = 0
        for secret in candidates:
            score = row[secret]
            sizes[score] += 1
            if sizes[score] > largest:
                largest = sizes[score]
                if largest > cutoff:
                    break
        return largest


class Buckets(Precomputed):
    """A map from guess and score to secrets: intersect sets instead of filtering and counting."""

    @cached_property
    def map(self) -> list[dict[int, frozenset[int]]]:
        """All buckets of all guesses."""
        buckets = []
        for row in self.table:
            parts = defaultdict(list)
            for secret, score in enumerate(row):
                parts[score].append(secret)
            buckets.append({score: frozenset(part) for score, part in parts.items()})
        return buckets

    def after(self, candidates: Ids, guess: int, score: int) -> Ids:
        """One intersection."""
        return tuple(sorted(self.map[guess][score].intersection(candidates)))


class Arrays(Precomputed):
    """numpy counts the buckets of a guess."""

    @cached_property
    def matrix(self) -> NDArray[np.uint8]:
        """The scores as one array."""
        return self.game.score_rows()

    def choose(self, candidates: Ids, guesses: Sequence[int] | None = None) -> int:
        """As before, with the candidates' columns at hand."""
        self.columns = self.matrix[:, candidates]
        return super().choose(candidates, guesses)

    def largest(self, guess: int, candidates: Ids, cutoff: int) -> int:
        """Count with bincount."""
        return int(np.bincount(self.columns[guess]).max())


class Cached(Precomputed):
    """The next guess is kept by history, so that games share their common beginnings."""

    def __init__(self, game: Game, opener: str) -> None:
        super().__init__(game, opener)
        self.known: dict[Moves, tuple[int, Ids]] = {}

    def play(self, secret: int) -> int:
        """Play one game; only what no game before has needed is computed."""
        history: Moves = ()
        candidates: Ids = tuple(range(len(self.words)))
        guess, number = self.opener, 1
        while guess != secret:
            score = self.score(guess, secret)
            history = (*history, (guess, score))
            if history not in self.known:
                candidates = self.after(candidates, guess, score)
                self.known[history] = self.choose(candidates), candidates
            guess, candidates = self.known[history]
            number += 1
        return number


STEPS: tuple[tuple[str, type[FirstVersion]], ...] = (
    ("first version", FirstVersion),
    ("+ cutoff: stop at the best so far", Cutoff),
    ("+ scores precomputed", Precomputed),
    ("    counted by numpy instead", Arrays),
    ("    intersecting buckets instead of filtering", Buckets),
    ("+ next guess cached across games", Cached),
)


def prepared(step: type[FirstVersion], game: Game, opener: str) -> FirstVersion:
    """A player with its tables made and its memos empty."""
    player = step(game, opener)
    for table in ("table", "matrix", "map"):
        getattr(player, table, None)
    return player
