"""The position of a game: the words, the boards, their clues, and what is left of each.

The secrets of the list are looked at as long as some of them fits the clues of a board; where none
does, all words that may be guessed are. Positions never change: a turn makes a new one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.advice.suggest import answers_of_lists, contradiction
from solver.errors import WrongInputError
from solver.game.game import Game, History
from solver.game.wordle import require_hard_mode
from solver.machine.arrays import Ids

from ..files.text import quoted

#: So many boards may share their guesses.
MOST_BOARDS = 32


class CluesContradictError(WrongInputError):
    """Clues that no word fits together."""


class Turn(NamedTuple):
    """A guess, and its score on each board that was open, in the order of the boards."""

    word: str
    scores: tuple[int, ...]


def check_boards(game: Game, boards: int, hard: bool = False) -> None:
    """Refuse a number of boards that cannot be played, or not by hard mode."""
    if not 1 <= boards <= MOST_BOARDS:
        raise WrongInputError(f"{boards} boards; the number must be 1–{MOST_BOARDS}")
    if hard:
        require_hard_mode(game)
        if boards > 1:
            raise WrongInputError("hard mode is for one board only")


def with_guesses(game: Game, words: Sequence[str]) -> Game:
    """The game in which some more words may be guessed; of letters that the list uses."""
    for word in words:
        if len(word) != game.length or not set(game.alphabet).issuperset(word):
            why = f"{quoted(word)} must be {game.length} letters that the list uses"
            raise WrongInputError(why)
    return replace(game, guesses=tuple(sorted({*game.guesses, *words})))


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The words at the table: which may be guessed, which hidden, which of these are likely."""

    #: The game as it is, and the one in which all that its list allows may be hidden.
    narrow: Game
    game: Game
    #: For each secret of the latter, whether it is one of the former, and so looked at first.
    likely: NDArray[np.bool_]
    #: How likely each is, where some are likelier than others; 0 for those that are not likely.
    weights: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, game: Game, weights: NDArray[np.float64] | None = None) -> Lexicon:
        """The words of a game; its secrets are the likely ones.

        ``weights`` say how likely each secret of the game is, if they are not all equally likely.
        """
        wide = game
        if len(game.secrets) < len(game.guesses):
            wide = replace(game, secrets=game.guesses, secrets_name="allowed")
        likely, widely = np.isin(wide.secrets, game.secrets), None
        if weights is not None:
            widely = np.zeros(len(likely))
            widely[likely] = weights
        return cls(game, wide, likely, widely)

    def with_word(self, word: str) -> Lexicon:
        """The same words with one more that may be guessed, and is not hidden."""
        return replace(
            self, narrow=with_guesses(self.narrow, [word]), game=with_guesses(self.game, [word])
        )

    @cached_property
    def common(self) -> Ids:
        """The guesses that people know: what is likely, or is an answer elsewhere."""
        likely = self.game.secret_ids[self.likely]
        return np.union1d(likely, answers_of_lists(self.game)).astype(np.int32)


@dataclass(frozen=True, eq=False)
class BoardLeft:
    """What is left of one board: its clues, and the secrets that fit them."""

    clues: History
    #: Positions of all secrets that fit, likely or not.
    fitting: Ids
    #: Those that are looked at.
    left: Ids
    #: Whether these are all that fit, since no likely one does.
    widened: bool
    #: The secret, once it was guessed.
    solved: str | None = None


@dataclass(frozen=True, eq=False)
class Position:
    """What is known on all boards after some turns."""

    lexicon: Lexicon
    boards: tuple[BoardLeft, ...]
    turns: tuple[Turn, ...] = ()

    @classmethod
    def start(cls, lexicon: Lexicon, count: int = 1) -> Position:
        """The position before the first guess, on so many boards."""
        everything = np.arange(len(lexicon.game.secrets), dtype=np.int32)
        return cls(lexicon, (_board_left(lexicon, (), everything),) * count)

    @property
    def open(self) -> tuple[int, ...]:
        """Which boards are not solved yet, counted from 0."""
        return tuple(at for at, board in enumerate(self.boards) if board.solved is None)

    @property
    def solved(self) -> bool:
        """Whether all boards of the position are solved."""
        return not self.open

    def after(self, word: str, scores: Sequence[int]) -> Position:
        """The position after one more guess, with its score on each open board.

        Clues that no word fits raise WrongInputError, which names them.
        """
        if len(scores) != len(self.open):
            why = f"{len(scores)} scores for {word!r}; {len(self.open)} boards are open"
            raise WrongInputError(why)
        boards = list(self.boards)
        for board, score in zip(self.open, scores, strict=True):
            boards[board] = self._board_after(board, word, int(score))
        turn = Turn(word, tuple(map(int, scores)))
        return replace(self, boards=tuple(boards), turns=(*self.turns, turn))

    def _board_after(self, board: int, word: str, score: int) -> BoardLeft:
        """One board after one more clue."""
        before, lexicon, game = self.boards[board], self.lexicon, self.lexicon.game
        clues = (*before.clues, (word, score))
        guess = np.array([game.guess_id(word)], dtype=np.int32)
        fitting = before.fitting[game.score_rows(guess, before.fitting)[0] == score]
        fits, solved = len(fitting) > 0, word if score == game.solved else None
        if solved is not None and solved not in game.secrets:  # not on the list
            fits = all(game.grade(guess, word) == given for guess, given in before.clues)
        if not fits:
            where = f"board {board + 1}: " if len(self.boards) > 1 else ""
            raise CluesContradictError(where + contradiction(game, clues))
        return replace(_board_left(lexicon, clues, fitting), solved=solved)


def _board_left(lexicon: Lexicon, clues: History, fitting: Ids) -> BoardLeft:
    """The board on which these secrets fit the clues."""
    likely = fitting[lexicon.likely[fitting]]
    widened = len(likely) == 0
    return BoardLeft(clues, fitting, fitting if widened else likely, widened)
