"""Can a state be solved whose guesses tell too much for a score table?

That is so for long words: a guess of six letters has up to 729 scores, and a table numbers 255. So
every guess that may be made is tried, the one with the smallest largest bucket first; what it
leaves are smaller states, which soon have a table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from ...game.game import Game
from ...machine.rows import Ids
from ...splits.ranking import measures_of
from ...tree import Tree
from .consistent import buckets_decided, most_candidates

#: A history in numbers: (guess, score) in turn.
Moves = tuple[tuple[int, int], ...]


class Decider(Protocol):
    """A way to decide whether states of one game can be solved, and how."""

    def __call__(self, candidates: Ids, left: int, history: Moves = ()) -> Tree | None:
        """A strategy of at most ``left`` guesses; None: it is proved that there is none."""


class ByGuesses:
    """One guess after the other is taken; a decider is asked for what they leave."""

    def __init__(self, game: Game, check_time: Callable[[], None]) -> None:
        self._game = game
        self._check_time = check_time

    def plan(
        self, candidates: Ids, left: int, history: Moves, guesses: Ids, decide: Decider
    ) -> Tree | None:
        """Every guess is tried whose buckets are not more than the guesses left can part.

        ``guesses`` are those that may be made after the history, and ``decide`` asks for the rest.
        Whoever asks hands itself over each time: if both held each other, neither would be given
        back when it is done with.
        """
        alone = self._alone(candidates, left)
        if alone is not None or left <= 1:
            return alone
        found = measures_of(self._game, guesses, candidates)
        most = int(found.parts.max(initial=1))
        if len(candidates) > most_candidates(left, most):
            return None
        fit = np.flatnonzero(found.largest <= most_candidates(left - 1, most))
        for at in fit[np.lexsort((-found.parts[fit], found.largest[fit]))]:
            below = self._after(int(guesses[at]), candidates, left - 1, history, decide)
            if below is not None:
                return Tree.joined(int(guesses[at]), below)
        return None

    def _alone(self, candidates: Ids, left: int) -> Tree | None:
        """The strategy of a single candidate."""
        if len(candidates) > 1 or left < 1:
            return None
        return Tree.joined(int(self._game.secret_ids[candidates[0]]), {})

    def _after(
        self, guess: int, candidates: Ids, left: int, history: Moves, decide: Decider
    ) -> dict[int, Tree] | None:
        """Strategies for all buckets of a guess; None if one has none."""
        row = self._game.score_rows(np.array([guess], dtype=np.int32), candidates)[0]

        def bucket_decided(score: int, bucket: Ids) -> Tree | None:
            self._check_time()
            alone = self._alone(bucket, left)
            if alone is not None:
                return alone
            return decide(bucket, left, (*history, (guess, score)))

        return buckets_decided(self._game, row, candidates, bucket_decided)
