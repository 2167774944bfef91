"""The screen of a command that talks: lines read and shown, words with their coloured tiles.

A guess is shown in capitals with its score behind it as ``suggest`` reads it, on tiles or not:
nobody has to see colours. Only validated words reach a terminal from here, with the codes for
colours around them; whatever is foreign goes through ``output.plain``.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO

from ..files.text import capitals, is_pegs
from . import output, tables
from .interrupts import check_interrupt, interrupts_while_waiting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game, History

#: The letters of a score in Wordle, in the order of the colours.
_SYMBOLS = "byg"
#: The terminal codes of a tile: grey, yellow, green, each with a text that stands out.
_TILES = ("97;100", "30;43", "30;42")
#: … and before a peg, colour after colour; more colours than these begin anew.
_PEGS = (
    *("97;41", "30;42", "30;43", "97;44", "97;45", "30;46", "30;47"),
    *("97;100", "30;103", "30;106"),
)
#: Grey, yellow, green; black and white pegs; the room of a tile.
_SQUARES, _ROUND, _BLANK = "⬛🟨🟩", "⚫⚪", "  "
#: The same where such pictures cannot be written.
_SMALL, _GAP = "*o", " "
#: Boards of a share grid that stand side by side.
_ABREAST = 4


@dataclass(frozen=True)
class Tiles:
    """How words and scores are shown on one stream.

    >>> from strategy.cli.screen import Tiles
    >>> from strategy import load_game
    >>> game = load_game(["crane", "slate"])
    >>> Tiles(colours=False, pictures=True).row(game, "crane", game.parse_score("bbgbg"))
    'CRANE bbgbg'
    """

    #: Whether the stream is a terminal with colours.
    colours: bool
    #: Whether the stream can say squares and circles.
    pictures: bool

    @classmethod
    def of(cls, stream: TextIO) -> Tiles:
        """What a stream can show; ``NO_COLOR`` (not empty) and ``TERM=dumb`` mean no colours."""
        wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        return cls(wanted and stream.isatty(), tables.can_write(_SQUARES + _ROUND, stream))

    def row(self, game: Game, word: str, score: int) -> str:
        """A guess with its score, on tiles and in letters: ``CRANE bybbb``, ``1122 2,1``."""
        text = game.format_score(score)
        if is_pegs(game.spec) or not self.colours:
            return f"{self.word(game, word)} {text}"
        painted = zip(capitals(word), text, strict=True)
        tiles = [_painted(f" {sign} ", _TILES[_SYMBOLS.index(mark)]) for sign, mark in painted]
        return f"{''.join(tiles)} {text}"

    def line(self, game: Game, word: str, scores: Sequence[int | None]) -> str:
        """A guess with its scores on several boards, in coloured letters; None: one is solved."""
        wide = game.length if not is_pegs(game.spec) else len(game.format_score(game.solved))
        cells = [" " * wide if score is None else self._marks(game, score) for score in scores]
        return " ".join([self.word(game, word), *cells]).rstrip()

    def _marks(self, game: Game, score: int) -> str:
        text = game.format_score(score)
        if is_pegs(game.spec) or not self.colours:
            return text
        return "".join(_painted(mark, _TILES[_SYMBOLS.index(mark)]) for mark in text)

    def turn(self, game: Game, word: str, scores: Sequence[int | None]) -> str:
        """A guess with its scores: a ``row`` on one board, a ``line`` on several."""
        if len(scores) == 1 and scores[0] is not None:
            return self.row(game, word, scores[0])
        return self.line(game, word, scores)

    def word(self, game: Game, word: str) -> str:
        """A guess without a score: a word in capitals, a code as pegs with their signs."""
        if not is_pegs(game.spec):
            return capitals(word)
        if not self.colours:
            return word
        return "".join(_painted(f" {sign} ", _PEGS[int(sign, 36) % len(_PEGS)]) for sign in word)

    def key(self, letter: str, colour: int | None) -> str:
        """A key of the keyboard: its best colour so far, None if the letter was not used.

        Without colours too a key takes three characters: `` Q `` is new, ``[Q]`` green, ``(Q)``
        yellow. A dot stands for a letter that is grey.
        """
        sign = capitals(letter)
        if colour is None:
            return f" {sign} "
        if self.colours:
            return _painted(f" {sign} " if colour else " · ", _TILES[colour])
        return (" · " if self.pictures else " . ", f"({sign})", f"[{sign}]")[colour]

    def squares(self, game: Game, score: int) -> str:
        """A score as one line of a share grid, which does not show the word."""
        if is_pegs(game.spec):
            black, white = divmod(score, game.length + 1)
            marks = _ROUND if self.pictures else _SMALL
            blank = _BLANK if self.pictures else _GAP
            return marks[0] * black + marks[1] * white + blank * (game.length - black - white)
        marks = _SQUARES if self.pictures else _SYMBOLS
        return "".join(marks[_SYMBOLS.index(mark)] for mark in game.format_score(score))

    def grid(self, game: Game, boards: Sequence[Sequence[int]]) -> str:
        """The share grid of a game: the scores on each board, four boards side by side."""
        nothing = (_BLANK if self.pictures else _GAP) * game.length
        blocks = []
        for first in range(0, len(boards), _ABREAST):
            few = boards[first : first + _ABREAST]
            abreast = [[self.squares(game, score) for score in scores] for scores in few]
            height = max(map(len, abreast))
            columns = [lines + [nothing] * (height - len(lines)) for lines in abreast]
            rows = zip(*columns, strict=True)
            blocks.append("\n".join(" ".join(row).rstrip() for row in rows))
        return "\n\n".join(blocks)


def _painted(text: str, codes: str) -> str:
    return f"\x1b[{codes}m{text}\x1b[0m"


def name_of(game: Game) -> str:
    """What a game is called: the list of Wordle, or Mastermind with its size."""
    return game.spec if is_pegs(game.spec) else game.list_name


#: More characters than any line that is meant for a game has.
_LONGEST_LINE = 5_000


class Table(Protocol):
    """A game that is played line by line."""

    def sit(self) -> None:
        """Read lines and answer them, to the end of the game."""

    def leave(self) -> None:
        """Say how it ended."""


class Screen:
    """Where a command that talks reads and writes: a terminal, or pipes.

    What it shows goes to stdout, or to stderr where ``--json -`` has stdout, and nowhere with
    ``--quiet``. It asks with a prompt on a terminal only, with line editing and a history where
    readline is there. Complaints go to stderr.
    """

    def __init__(self, quiet: bool, json: str | None) -> None:
        self._stream = sys.stderr if json == "-" else sys.stdout
        self._quiet = quiet
        self.tiles = Tiles.of(self._stream)
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        #: Whether somebody types.
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        if self.is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - input() edits lines once it is loaded

    def sit(self, table: Table) -> None:
        """Let somebody play at a table until it is over, however they leave it."""
        try:
            table.sit()
        except KeyboardInterrupt:
            self.show()  # what was typed stays on its line
            raise
        finally:
            table.leave()

    def show(self, text: str = "") -> None:
        """Show lines to a person, broken where a terminal is too narrow."""
        self.show_whole(tables.prose(text))

    def show_whole(self, text: str) -> None:
        """Show lines that stay as they are."""
        self.paint(output.plain(text))

    def paint(self, line: str) -> None:
        """Show a line with colours, made of nothing foreign."""
        if not self._quiet:
            print(line, file=self._stream, flush=True)

    def show_review(
        self, game: Game, history: History, hard: bool, weights: NDArray[np.float64] | None = None
    ) -> None:
        """Show the last line of ``review`` on a game that is over, unless words were strange."""
        from solver.errors import WrongInputError

        from ..play.review import one_line, review

        if not self._quiet:
            with contextlib.suppress(WrongInputError):
                self.show(one_line(review(game, history, hard=hard, weights=weights)))

    def complain(self, text: str) -> None:
        """Show what was wrong with a line that was typed."""
        output.say(tables.prose(text))

    def ask(self, prompt: str) -> str | None:
        """The next line that is typed; None at the end of the input."""
        check_interrupt()
        if sys.stdin is None:
            return None
        shown = "" if self._quiet or not self.is_terminal else prompt
        try:
            with interrupts_while_waiting():
                if self.is_terminal and self._stream is sys.stdout:
                    return input(shown)
                if shown:
                    print(shown, end="", file=self._stream, flush=True)
                line = _read_line()
        except EOFError:
            line = ""
        except (OSError, ValueError):  # the terminal is gone, or stdin was closed
            return None
        if not line and self.is_terminal:
            self.paint("")
        return line or None


def _read_line() -> str:
    """The next line of stdin; of one without an end no more than can be meant is kept."""
    line = sys.stdin.readline(_LONGEST_LINE)
    more = line
    while len(more) == _LONGEST_LINE and not more.endswith("\n"):
        more = sys.stdin.readline(_LONGEST_LINE)
    return line
