"""A game against a host: guesses, scores, the keyboard, and how it ends. No input, no output."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from solver.errors import WrongInputError
from solver.game.hard_mode import require_hard_mode, require_legal

from ...files.names import quoted
from ...files.notation import is_pegs
from ..boards import MOST_BOARDS, Turn

if TYPE_CHECKING:
    from solver.game.game import Game

    from .hidden import Host

#: The guesses that games on so many boards allow.
_LIMITS = {1: 6, 2: 7, 4: 9, 8: 13}
#: Longer text is no word, with whatever blanks around it.
_LONGEST = 100
#: On other numbers of boards so many more than there are boards.
_MORE = 5
#: The keys of most keyboards, and how many others stand in a row.
_ROWS, _ROW = ("qwertyuiop", "asdfghjkl", "zxcvbnm"), 11


def limit_of(game: Game, boards: int) -> int | None:
    """The guesses that a host of a match allows, unless told otherwise; None in Mastermind."""
    return None if is_pegs(game.spec) else _LIMITS.get(boards, boards + _MORE)


@dataclass
class Match:
    """A game against a host: the guesses so far, their scores, and whether it is over.

    >>> from strategy import load_game
    >>> from strategy.play.hosts.hidden import Hidden
    >>> from strategy.play.hosts.match import Match
    >>> match = Match(Hidden(load_game(["abide", "crane", "slate"]), ["slate"]), limit=6)
    >>> match.guess("crane").scores, match.guess("slate").scores
    ((180,), (242,))
    >>> match.won, match.over
    (True, True)
    """

    host: Host
    #: The guesses that there are; None: as many as it takes.
    limit: int | None = None
    hard: bool = False
    turns: list[Turn] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        if not 1 <= self.host.boards <= MOST_BOARDS:
            raise WrongInputError(
                f"{self.host.boards} boards; from 1 to {MOST_BOARDS} can be played"
            )
        if self.hard:
            require_hard_mode(self.game)
            if self.host.boards > 1:
                raise WrongInputError("hard mode is a rule for one board, not for several")

    @property
    def game(self) -> Game:
        """The words and the rule of this game."""
        return self.host.game

    @property
    def boards(self) -> list[list[tuple[str, int]]]:
        """For each board the guesses that were made while it was open, with their scores."""
        boards: list[list[tuple[str, int]]] = [[] for _ in range(self.host.boards)]
        for word, scores in self.turns:
            still = [board for board in boards if not self._is_solved(board)]
            for board, score in zip(still, scores, strict=True):
                board.append((word, score))
        return boards

    @property
    def open(self) -> list[int]:
        """Which boards are not solved yet, counted from 0."""
        return [at for at, board in enumerate(self.boards) if not self._is_solved(board)]

    @property
    def won(self) -> bool:
        """Whether all boards are solved."""
        return not self.open

    @property
    def over(self) -> bool:
        """Whether there is nothing more to guess."""
        return self.won or (self.limit is not None and len(self.turns) >= self.limit)

    def guess(self, word: str) -> Turn:
        """Make a guess; one that is not allowed raises WrongInputError, and costs nothing."""
        if self.over:
            raise WrongInputError("the game is over")
        if len(word) > _LONGEST:
            raise WrongInputError(f"{quoted(word)} is no guess")
        guess = self.game.guess_id(word.strip())
        if self.hard:
            before = [(self.game.guess_id(each), score) for each, score in self.boards[0]]
            require_legal(self.game, [*before, (guess, 0)])
        spelled = self.game.guesses[guess]
        turn = Turn(spelled, tuple(self.host.answer(board, spelled) for board in self.open))
        self.turns.append(turn)
        return turn

    @property
    def keys(self) -> tuple[str, ...]:
        """The rows of the keyboard: as on most for a-z, then what other letters there are."""
        alphabet = self.game.alphabet
        rows = ["".join(key for key in row if key in alphabet) for row in _ROWS]
        others = [letter for letter in alphabet if letter not in "".join(_ROWS)]
        more = ["".join(others[at : at + _ROW]) for at in range(0, len(others), _ROW)]
        return tuple(row for row in [*rows, *more] if row)

    def keyboard(self) -> dict[str, int | None]:
        """Each letter with its best colour on the boards that are open: 0 grey, 1 yellow, 2 green.

        None: it was not used. Where all boards are solved, on all of them; codes have no keyboard.
        """
        if self.game.letters is None:
            return {}
        colours: dict[str, int | None] = dict.fromkeys("".join(self.keys))
        boards = self.boards
        for at in self.open or range(len(boards)):
            for word, score in boards[at]:
                marks = self.game.format_score(score)
                for letter, mark in zip(word, marks, strict=True):
                    colours[letter] = max(colours[letter] or 0, "byg".index(mark))
        return colours

    def _is_solved(self, board: list[tuple[str, int]]) -> bool:
        return bool(board) and board[-1][1] == self.game.solved
