"""A host that never commits to a secret: it answers so that most secrets remain (Absurdle).

Of answers that keep equally many it gives the one that tells least: not that the guess is right;
then the one with fewest greens (or black pegs), then with fewest yellows (or white pegs), then the
lowest score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...files.notation import is_pegs
from .hidden import Host

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.machine.rows import Ids


class Adversary(Host):
    """A host that has no secret until it must: each answer leaves the most secrets (Absurdle).

    >>> from strategy import load_game
    >>> from strategy.play.hosts.adversary import Adversary
    >>> host = Adversary(load_game(["abide", "crane", "raise", "slate", "stare"]))
    >>> host.game.format_score(host.answer(0, "abide")), host.possible(0)
    ('ybbbg', ('crane', 'slate', 'stare'))
    """

    def __init__(self, game: Game) -> None:
        """Any secret of the game is possible."""
        super().__init__(game, 1)
        self._left = np.arange(len(game.secrets), dtype=np.int32)

    def answer(self, board: int, word: str) -> int:
        """The score that most of the remaining secrets give; from now on these alone remain."""
        guess = np.array([self.game.guess_id(word)], dtype=np.int32)
        scores = self.game.score_rows(guess, self._left)[0]
        score = least_telling(self.game, scores)
        self._left = self._left[scores == score]
        return score

    def possible(self, board: int) -> tuple[str, ...]:
        """All secrets that the answers so far have left."""
        return tuple(self.game.secrets[at] for at in self._left)


def least_telling(game: Game, scores: Ids) -> int:
    """The score an adversary gives: the most frequent; of equal ones the one that tells least."""
    found, counts = np.unique(scores, return_counts=True)
    often = found[counts == counts.max()].tolist()
    return int(min(often, key=lambda score: (score == game.solved, *_told(game, score), score)))


def _told(game: Game, score: int) -> tuple[int, int]:
    """Greens and yellows, or black and white pegs."""
    if is_pegs(game.spec):
        black, white = divmod(score, game.length + 1)
        return black, white
    text = game.format_score(score)
    return text.count("g"), text.count("y")
