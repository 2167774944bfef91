"""The screen: lines read and shown, and tiles: words with their colours, codes with their pegs.

A guess is shown in capitals with its score behind it as ``suggest`` reads it, on tiles or not:
nobody has to see colours. Only validated words reach a terminal from here with the codes for
colours around them; whatever is foreign goes through ``output.plain``.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TextIO

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
#: The same for the colour-blind, as on the page to explore: blue for yellow, orange for green.
_BLIND_TILES = ("97;100", "97;44", "30;48;5;208")
#: Grey, yellow, green; black and white pegs; the room of a tile.
_SQUARES, _ROUND, _BLANK = "⬛🟨🟩", "⚫⚪", "  "
_BLIND_SQUARES = "⬛🟦🟧"
#: The same where such pictures cannot be written.
_SMALL, _GAP = "*o", " "
#: Boards of a share grid that stand side by side.
_ABREAST = 4
#: More boards than these are shown in lines of so many, each with the number of its first board.
_ONE_LINE, _PER_LINE = 12, 10


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
    #: Whether the colours are those for the colour-blind.
    blind: bool = False

    @classmethod
    def of(cls, stream: TextIO, wanted: str = "auto") -> Tiles:
        """What a stream can show, and what of it is wanted: one of ``COLOURS``.

        ``always`` and ``never`` are obeyed. Else a stream has colours if it is a terminal;
        ``NO_COLOR`` (not empty) and ``TERM=dumb`` mean none.
        """
        may = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        colours = {"always": True, "never": False}.get(wanted, may and stream.isatty())
        return cls(colours, tables.can_write(_SQUARES + _ROUND, stream), wanted == "colourblind")

    def row(self, game: Game, word: str, score: int) -> str:
        """A guess with its score, on tiles and in letters: ``CRANE bybbb``, ``1122 2,1``."""
        text = game.format_score(score)
        if is_pegs(game.spec) or not self.colours:
            return f"{self.word(game, word)} {text}"
        return f"{self._painted([f' {sign} ' for sign in capitals(word)], text)} {text}"

    def turn(self, game: Game, word: str, scores: Sequence[int | None]) -> str:
        """A guess with its scores: a ``row`` on one board, coloured letters on several.

        None: a board is solved. Of many boards the scores stand below the guess, ten a line, so
        that 80 columns hold them, or as many as a narrower terminal holds.
        """
        if len(scores) == 1 and scores[0] is not None:
            return self.row(game, word, scores[0])
        wide = game.length if not is_pegs(game.spec) else len(game.format_score(game.solved))
        texts = ["" if score is None else game.format_score(score) for score in scores]
        plain = is_pegs(game.spec) or not self.colours
        cells = [text if plain else self._painted(text, text) for text in texts]
        cells = [cell or " " * wide for cell in cells]
        room = tables.terminal_width()
        lines = [self.word(game, word)]
        if len(scores) <= _ONE_LINE and len(scores) * (wide + 1) + len(word) + 3 <= room:
            return " ".join([*lines, *cells]).rstrip()
        each = max(1, int(min(_PER_LINE, (room - 6) / (wide + 1))))
        for first in range(0, len(cells), each):
            some = cells[first : first + each]
            if any(map(str.strip, some)):  # a line with no open board is left out
                lines.append(f"   {first + 1:>2}  {' '.join(some)}".rstrip())
        return "\n".join(lines)

    def _painted(self, texts: Sequence[str], score: str) -> str:
        """Texts on the tiles of a score, one on each."""
        palette = _BLIND_TILES if self.blind else _TILES
        tiles = [palette[_SYMBOLS.index(mark)] for mark in score]
        return "".join(map(output.painted, texts, tiles))

    def word(self, game: Game, word: str) -> str:
        """A guess without a score: a word in capitals, a code as pegs with their signs."""
        if not is_pegs(game.spec):
            return capitals(word)
        if not self.colours:
            return word
        return "".join(output.peg(sign, f" {sign} ") for sign in word)

    def code(self, game: Game, word: str) -> str:
        """A word within a text or a table; a code is marked, so that the output paints it.

        The mark takes no room, so that tables stay aligned; without colours there is none.
        """
        return f"{output.CODE_MARK}{word}" if self.colours and is_pegs(game.spec) else word

    def key(self, letter: str, colour: int | None) -> str:
        """A key of the keyboard: its best colour so far, None if the letter was not used.

        Without colours too a key takes three characters: `` Q `` is new, ``[Q]`` green, ``(Q)``
        yellow. A dot stands for a letter that is grey.
        """
        sign = capitals(letter)
        if colour is None:
            return f" {sign} "
        if self.colours:
            return self._painted([f" {sign} " if colour else " · "], _SYMBOLS[colour])
        return (" · " if self.pictures else " . ", f"({sign})", f"[{sign}]")[colour]

    def squares(self, game: Game, score: int) -> str:
        """A score as one line of a share grid, which does not show the word."""
        if is_pegs(game.spec):
            black, white = divmod(score, game.length + 1)
            marks, blank = (_ROUND, _BLANK) if self.pictures else (_SMALL, _GAP)
            return marks[0] * black + marks[1] * white + blank * (game.length - black - white)
        marks = _BLIND_SQUARES if self.blind else _SQUARES
        marks = marks if self.pictures else _SYMBOLS
        return "".join(marks[_SYMBOLS.index(mark)] for mark in game.format_score(score))

    def grid(self, game: Game, boards: Sequence[Sequence[int]]) -> str:
        """The share grid of a game: the scores on each board, up to four boards abreast."""
        nothing = (_BLANK if self.pictures else _GAP) * game.length
        room = (tables.terminal_width() + 1) / (len(nothing) + 1)
        each, blocks = max(1, int(min(_ABREAST, room))), []
        drawn = [[self.squares(game, score) for score in scores] for scores in boards]
        for first in range(0, len(drawn), each):
            rows = zip_longest(*drawn[first : first + each], fillvalue=nothing)
            blocks.append("\n".join(" ".join(row).rstrip() for row in rows))
        return "\n\n".join(blocks)


def name_of(game: Game) -> str:
    """What a game is called: the list of Wordle, or Mastermind with its size."""
    return game.spec if is_pegs(game.spec) else game.list_name


def scores_of(number: int, boards: Iterable[Sequence[tuple[str, int]]]) -> list[int | None]:
    """The scores of one guess on boards, by their clues; None: the board was solved before."""
    return [clues[number][1] if number < len(clues) else None for clues in boards]


def board_facts(clues: History, secrets: Sequence[str], solved: bool) -> dict[str, Any]:
    """The JSON of a board: its clues, and what may be hidden there."""
    return {"state": clues, "solved": solved, "remaining": len(secrets), "secrets": secrets}


#: More characters than any line that is meant for a game has.
_LONGEST_LINE = 9_000


class Screen:
    """Where a command that talks reads and writes: a terminal, or pipes.

    What it shows goes to stdout, or to stderr where ``--json -`` has stdout, and nowhere with
    ``--quiet``. It asks with a prompt on a terminal only, with line editing and a history where
    readline is there. Complaints go to stderr.
    """

    def __init__(self, quiet: bool, json: str | None, colours: str = "auto") -> None:
        self._stream = sys.stderr if json == "-" else sys.stdout
        self._quiet = quiet
        self.tiles = Tiles.of(self._stream, colours)
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")
        #: Whether somebody types.
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        if self.is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - input() edits lines once it is loaded

    def sit(self, play: Callable[[], None], leave: Callable[[], None]) -> None:
        """Let somebody play until it is over, and take leave however they end it."""
        try:
            play()
        except KeyboardInterrupt:
            self.show("")  # what was typed stays on its line
            raise
        finally:
            leave()

    def show(self, *texts: str) -> None:
        """Show lines to a person, broken where a terminal is too narrow."""
        for text in texts:
            self.show_whole(tables.prose(text))

    def show_whole(self, text: str) -> None:
        """Show lines that stay as they are."""
        self.paint(output.painted_codes(output.plain(text)))

    def paint(self, line: str) -> None:
        """Show a line with colours, made of nothing foreign."""
        if not self._quiet:
            print(line, file=self._stream, flush=True)

    def show_review(
        self, game: Game, history: History, hard: bool, weights: NDArray[np.float64] | None = None
    ) -> None:
        """Show the last line of ``review`` on a game that is over, unless words were strange."""
        from solver.errors import WrongInputError  # here: to check a file loads no solver

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
                line = more = sys.stdin.readline(_LONGEST_LINE)
                while len(more) == _LONGEST_LINE and not more.endswith("\n"):
                    more = sys.stdin.readline(_LONGEST_LINE)  # nothing is kept of it
        except EOFError:
            line = ""
        except (OSError, ValueError):  # the terminal is gone, or stdin was closed
            return None
        if not line and self.is_terminal:
            self.paint("")
        return line or None
