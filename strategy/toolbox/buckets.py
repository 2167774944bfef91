"""The split of a word as something to look at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from solver.game.game import Game
    from solver.splits.split_of_word import Split


@dataclass(frozen=True)
class WordSplit:
    """The split of the secrets by a word of a game; a notebook draws it."""

    game: Game
    split: Split

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        from ..pictures.splits import as_svg

        return as_svg(self.game, [self.split])


def buckets(game: Game, word: str, weights: NDArray[Any] | None = None) -> WordSplit:
    """The split that a word makes: each score it can get, with the secrets that give it.

    Args:
        game: What is played.
        word: The guess; any of the game's.
        weights: How likely each secret of the game is, a positive number each, if they are not all
            equally likely.

    Returns:
        The word with its buckets, the largest first, as ``split``. A notebook draws it.

    Raises:
        WrongInputError: The word is no guess of this game; the message names the nearest ones.

    >>> from strategy import buckets, load_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> [(bucket.text, bucket.secrets) for bucket in buckets(game, "abide").split.buckets]
    [('ybbbg', ('crane', 'slate', 'stare')), ('ybgbg', ('raise',)), ('ggggg', ('abide',))]
    """
    from solver.splits.split_of_word import split_by_score

    return WordSplit(game, split_by_score(game, word, weights))
