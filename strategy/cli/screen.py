"""The screen of a command that talks: lines read and shown, on a terminal or through pipes.

Only validated words reach a terminal from here with the codes for colours around them (``tiles``);
whatever is foreign goes through ``output.plain``.
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from solver.errors import WrongInputError

from ..files.text import is_pegs
from . import output, tables
from .interrupts import check_interrupt, interrupts_while_waiting
from .tiles import Tiles, painted_codes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from solver.game.game import Game, History


def name_of(game: Game) -> str:
    """What a game is called: the list of Wordle, or Mastermind with its size."""
    return game.spec if is_pegs(game.spec) else game.list_name


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
        self.paint(painted_codes(output.plain(text)))

    def paint(self, line: str) -> None:
        """Show a line with colours, made of nothing foreign."""
        if not self._quiet:
            print(line, file=self._stream, flush=True)

    def show_review(
        self, game: Game, history: History, hard: bool, weights: NDArray[np.float64] | None = None
    ) -> None:
        """Show the last line of ``review`` on a game that is over, unless words were strange."""
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
    """The next line of stdin; of a very long one only the beginning is kept."""
    line = sys.stdin.readline(_LONGEST_LINE)
    more = line
    while len(more) == _LONGEST_LINE and not more.endswith("\n"):
        more = sys.stdin.readline(_LONGEST_LINE)
    return line
