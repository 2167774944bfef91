"""Can a state be solved in time by guesses that are possible themselves (``candidates``)?

Then a state and all that follows from it know no other words than the candidates. That suffices
for a plain search: the guesses by their largest bucket, every state remembered.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...game.game import Game
from ...machine.rows import Ids
from ...tree import Tree


class Consistent:
    """The decider of states of one game by candidates alone, which hard mode always allows."""

    def __init__(self, game: Game, check_time: Callable[[], None] = lambda: None) -> None:
        self._game = game
        self._check_time = check_time
        self._known: dict[tuple[bytes, int], Tree | None] = {}

    def __call__(
        self, candidates: Ids, left: int, history: tuple[tuple[int, int], ...] = ()
    ) -> Tree | None:
        """A strategy of at most ``left`` guesses; None: it is proved that there is none."""
        key = (candidates.tobytes(), left)
        if key not in self._known:
            self._known[key] = self._search(candidates, left)
        return self._known[key]

    def _search(self, candidates: Ids, left: int) -> Tree | None:
        """Try all candidates, those with the smallest largest bucket first."""
        self._check_time()
        guesses = self._game.secret_ids[candidates]
        if len(candidates) == 1:
            return Tree.joined(int(guesses[0]), {}) if left > 0 else None
        if left <= 1:
            return None
        rows = self._game.score_rows(guesses, candidates)
        sizes = [np.unique(row, return_counts=True)[1] for row in rows]
        if len(candidates) > most_candidates(left, max(map(len, sizes))):
            return None
        for at in np.argsort([size.max() for size in sizes], kind="stable"):
            below = buckets_decided(
                self._game, rows[at], candidates, lambda _, bucket: self(bucket, left - 1)
            )
            if below is not None:
                return Tree.joined(int(guesses[at]), below)
        return None


def buckets_decided(
    game: Game,
    row: NDArray[np.uint8],
    candidates: Ids,
    decide: Callable[[int, Ids], Tree | None],
) -> dict[int, Tree] | None:
    """A decider's strategies for all buckets of a guess, largest first; None if one has none.

    ``row`` has its scores of the candidates; ``decide`` is told a score and its bucket.
    """
    scores, sizes = np.unique(row, return_counts=True)
    below: dict[int, Tree] = {}
    for at in np.argsort(-sizes, kind="stable"):
        score = int(scores[at])
        if score == game.solved:
            continue
        tree = decide(score, candidates[row == score])
        if tree is None:
            return None
        below[score] = tree
    return below


def most_candidates(left: int, parts: int) -> int:
    """When repairing: the candidates that ``left`` guesses solve at most, none with more parts.

    Each guess solves one candidate and leaves the others in at most ``parts - 1`` states, in which
    no guess has more parts than it has here.
    """
    most = 1
    for _ in range(left - 1):
        most = 1 + (parts - 1) * most if parts > 1 else 1
    return most
