"""Lines read from somebody at the table and shown to them, on a terminal or through pipes."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import TYPE_CHECKING

from .. import interrupt, output, render
from .tiles import Tiles

if TYPE_CHECKING:
    from solver.game.game import Game, History

#: Seconds that a guess may take to be reviewed.
_PATIENCE = 3.0
#: More characters than any line that is meant for a game has.
_LONGEST = 5_000


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

    def show(self, text: str = "") -> None:
        """Show lines to a person, broken where a terminal is too narrow."""
        self.show_whole(render.prose(text))

    def show_whole(self, text: str) -> None:
        """Show lines that stay as they are."""
        self.paint(output.plain(text))

    def paint(self, line: str) -> None:
        """Show a line with colours, made of nothing foreign."""
        if not self._quiet:
            print(line, file=self._stream, flush=True)

    def show_review(self, game: Game, history: History, hard: bool) -> None:
        """Show one line about a game that is over, unless it had words on no list."""
        from solver.errors import WrongInputError

        from ...play.review import one_line, review

        if not self._quiet:
            with contextlib.suppress(WrongInputError):
                self.show(one_line(review(game, history, hard=hard, time_limit=_PATIENCE)))

    def complain(self, text: str) -> None:
        """Show what was wrong with a line that was typed."""
        output.say(render.prose(text))

    def ask(self, prompt: str) -> str | None:
        """The next line that is typed; None at the end of the input."""
        interrupt.check()
        if sys.stdin is None:
            return None
        shown = "" if self._quiet or not self.is_terminal else prompt
        try:
            with interrupt.heeded_soon():
                if self.is_terminal and self._stream is sys.stdout:
                    return input(shown)
                if shown:
                    print(shown, end="", file=self._stream, flush=True)
                line = _line()
        except EOFError:
            line = ""
        except (OSError, ValueError):  # the terminal is gone, or stdin was closed
            return None
        if not line and self.is_terminal:
            self.paint("")
        return line or None


def _line() -> str:
    """The next line of stdin; of one without an end no more than can be meant is kept."""
    line = sys.stdin.readline(_LONGEST)
    more = line
    while len(more) == _LONGEST and not more.endswith("\n"):
        more = sys.stdin.readline(_LONGEST)
    return line
