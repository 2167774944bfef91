"""The adversary: an opponent without a fixed secret, whose reply leaves as many as possible.

Which of several equally large buckets it keeps is decided here, for games and for searches alike.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .reply_order import best_reply, number_replies
from .wordle import GREEN, YELLOW

if TYPE_CHECKING:
    from .game import Game
    from .score_matrix import Scores


class ReplyOrder:
    """The scores of a game in the order in which the adversary prefers them among equal buckets.

    First those that do not solve the game; of these the one with fewest greens (or black pegs),
    then with fewest yellows (or white pegs), then the lowest. A score's place in this order is its
    *number*: of equally large buckets the adversary keeps the one with the lowest number.

    >>> from strategy import load_game
    >>> game = load_game(["abide", "crane", "slate"])
    >>> [game.format_score(score) for score in ReplyOrder(game).scores[:3]]
    ['bbbbb', 'ybbbb', 'bybbb']
    """

    def __init__(self, game: Game) -> None:
        every = np.arange(game.n_scores)
        greens, yellows = (np.array(each, dtype=np.int32) for each in _clues(game, every))
        self._numbers = np.empty(game.n_scores, dtype=np.int32)
        number_replies(greens, yellows, game.solved, self._numbers)
        #: The score of each number.
        self.scores: list[int] = np.argsort(self._numbers).tolist()
        #: The number of each score, in the type of a score.
        self.numbers: Scores = self._numbers.astype(game.score_dtype)

    def reply_of(self, row: Scores) -> tuple[int, NDArray[np.bool_]]:
        """The adversary's score for a guess, and which candidates give it.

        ``row``: the scores that the candidates give the guess.
        """
        kept = best_reply(np.ascontiguousarray(row, dtype=np.int32), self._numbers)
        return kept, row == kept


def _clues(game: Game, scores: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Greens and yellows of scores, or black and white pegs."""
    if game.spec.startswith("mastermind:"):
        return scores // (game.length + 1), scores % (game.length + 1)
    if game.spec == "wordle":
        places = 3 ** np.arange(game.length)
        colours = scores[:, None] // places % 3
        return (colours == GREEN).sum(axis=1), (colours == YELLOW).sum(axis=1)
    texts = [game.format_score(score) for score in scores.tolist()]
    greens, yellows = ([text.count(mark) for text in texts] for mark in "gy")
    return np.array(greens), np.array(yellows)
