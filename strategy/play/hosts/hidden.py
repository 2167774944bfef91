"""Who hides the secrets of a game: somebody who has chosen them, or nobody yet."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from solver.errors import WrongInputError

if TYPE_CHECKING:
    from solver.game.game import Game


class Host(ABC):
    """Whoever answers the guesses of a game, on one board or on several."""

    def __init__(self, game: Game, boards: int) -> None:
        self.game = game
        self.boards = boards

    @abstractmethod
    def answer(self, board: int, word: str) -> int:
        """The score of a guess on a board."""

    @abstractmethod
    def possible(self, board: int) -> tuple[str, ...]:
        """The secret of a board, or all that it could still be, in alphabetical order."""


class Hidden(Host):
    """A host with secrets that are chosen before the first guess.

    >>> from strategy import load_game
    >>> from strategy.play.hosts.hidden import Hidden
    >>> host = Hidden(load_game(["abide", "crane", "slate"]), ["slate"])
    >>> host.game.format_score(host.answer(0, "crane"))
    'bbgbg'
    """

    def __init__(self, game: Game, secrets: Sequence[str]) -> None:
        """Hide these, one a board; each must be a word that may be guessed."""
        self._secrets = [game.guesses[game.guess_id(secret.strip())] for secret in secrets]
        super().__init__(game, len(secrets))

    @classmethod
    def drawn(cls, game: Game, boards: int, seed: int) -> Hidden:
        """A host with secrets drawn by lot, no two the same; a seed draws the same again."""
        if boards > len(game.secrets):
            raise WrongInputError(f"{boards} boards, but only {len(game.secrets):,} secrets")
        drawn = random.Random(seed).sample(range(len(game.secrets)), boards)
        return cls(game, [game.secrets[at] for at in drawn])

    def answer(self, board: int, word: str) -> int:
        """The score of a guess on a board, by the readable rule."""
        return self.game.grade(word, self._secrets[board])

    def possible(self, board: int) -> tuple[str, ...]:
        """The one secret of a board."""
        return (self._secrets[board],)
