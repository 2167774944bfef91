"""Results on a terminal: aligned tables, bars, and text that is broken at spaces."""

from __future__ import annotations

import math
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TextIO

from ..columns import Column, cells, headings
from ..files.text import columns_of, counted, is_pegs, printable, terms_of

if TYPE_CHECKING:
    from solver.advice.suggest import Forecast
    from solver.game.game import Game

    from ..files.strategy_file import Origin
    from ..sweep.question import SweepQuestion

_GAP = "  "
_EIGHTHS = " ▏▎▍▌▋▊▉█"
#: Running text is not squeezed into columns narrower than this.
_LEAST_FLOW = 16


def prose(text: str) -> str:
    """Lines of running text, broken at spaces where a terminal is too narrow for them."""
    room, lines = terminal_width(), list[str]()
    for line in text.split("\n"):
        indent = line[: len(line) - len(line.lstrip())]
        lines += [line] if len(line) <= room else _wrapped(line, int(room), indent) or [""]
    return "\n".join(lines)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Lines that end between words; a word that is longer than a line keeps one to itself."""
    return textwrap.wrap(
        text, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def explained(rows: Sequence[tuple[str, str]]) -> str:
    """What may be typed, and beside it what it does; that is broken where a terminal is narrow."""
    return table(("", ""), rows, "  ", flow=True).partition("\n")[2]  # there is no heading


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    indent: str = "",
    spare: Sequence[str] = (),
    short: Mapping[str, int] | None = None,
    flow: bool = False,
) -> str:
    """A table of text for a terminal, aligned: numbers to the right, words to the left.

    On a terminal that is too narrow for it, headings of several words are stacked. If that is not
    enough, columns are shortened to so many characters; then, with ``flow``, the last column is
    broken into lines; what is still too wide loses the ``spare`` columns one by one, and a line
    says so. What is piped or written to a file is always whole.
    """
    columns = _laid_out(header, rows)
    room = terminal_width() - len(indent)
    if _width(columns) > room:
        columns = [column.stacked() for column in columns]
    for name, width in (short or {}).items():
        if _width(columns) > room:
            columns = [column.cut(width) if column.name == name else column for column in columns]
    left_out = []
    for name in spare:
        # with flow, the width once the last column is broken into lines
        to_spare = max(0, columns[-1].width - _LEAST_FLOW) if flow else 0
        if _width(columns) - to_spare > room:
            columns = [column for column in columns if column.name != name]
            left_out.append(name)
    if flow and _width(columns) > room:
        columns = _flowing(columns, room)
    height = max((len(column.heading) for column in columns), default=1)
    lines = zip(*(column.lines(height) for column in columns), strict=True)
    text = "\n".join((indent + _GAP.join(cells)).rstrip() for cells in lines)
    if left_out:
        text += "\n" + prose(f"{indent}(no room for: {', '.join(left_out)})")
    return text


def table_of(
    columns: Sequence[Column], rows: Iterable[Any], indent: str = "", **layout: Any
) -> str:
    """The ``table`` of rows in those of the columns that have a heading."""
    return table(headings(columns), cells(columns, rows), indent, **layout)


def best_and_worst(
    columns: Sequence[Column], best: Sequence[Any], worst: Sequence[Any], spare: Sequence[str]
) -> str:
    """A table of the best rows and one of the worst, each only if it has rows."""
    return "\n…\n".join(table_of(columns, it, spare=spare) for it in (best, worst) if it)


@dataclass(frozen=True)
class _Column:
    name: str
    #: The lines of the heading.
    heading: Sequence[str]
    cells: Sequence[str]
    to_right: bool

    def stacked(self) -> _Column:
        """The column with a heading of as many lines as words."""
        return replace(self, heading=self.name.split() or [""])

    def cut(self, width: int) -> _Column:
        """The column with no cell longer than so many characters."""
        cells = [c if len(c) <= width else f"{c[: width - 1]}…" for c in self.cells]
        return replace(self, cells=cells)

    @property
    def width(self) -> int:
        return max(map(columns_of, [*self.heading, *self.cells]))

    def lines(self, height: int) -> list[str]:
        """All lines, padded; the heading stands right above the cells."""
        above = [""] * (height - len(self.heading))
        lines = [*above, *self.heading, *self.cells]
        width = self.width
        blanks = [" " * (width - columns_of(line)) for line in lines]
        pairs = zip(blanks, lines, strict=True)
        return [blank + line if self.to_right else line + blank for blank, line in pairs]


def _laid_out(header: Sequence[str], rows: Iterable[Sequence[object]]) -> list[_Column]:
    body = [[str(cell) for cell in row] for row in rows]
    by_column = [(name, [row[at] for row in body]) for at, name in enumerate(header)]
    return [
        _Column(name, [name], it, bool(it) and all(map(_is_number, it))) for name, it in by_column
    ]


def _width(columns: Sequence[_Column]) -> int:
    return sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)


def _flowing(columns: Sequence[_Column], room: float) -> list[_Column]:
    """The columns with the cells of the last one broken into lines that fit."""
    width = max(_LEAST_FLOW, int(room) - _width(columns[:-1]) - len(_GAP))
    rows = []
    for *others, text in zip(*(column.cells for column in columns), strict=True):
        first, *more = _wrapped(text, width) or [""]
        rows += [[*others, first], *([*[""] * len(others), line] for line in more)]
    return [replace(it, cells=[row[at] for row in rows]) for at, it in enumerate(columns)]


def has_room(columns: Sequence[Column], rows: Iterable[Any]) -> bool:
    """Whether there is a terminal, and it is wide enough for a table of all columns."""
    wide = _laid_out(headings(columns), cells(columns, rows))
    return sys.stdout.isatty() and _width(wide) <= terminal_width()


def terminal_width() -> float:
    """Columns of the terminal that is written to; without one there is no end."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf


def _is_number(text: str) -> bool:
    figures = re.sub("[,%≥≤]", "", text).strip()
    return re.fullmatch("–|[-+]?[0-9]*[.]?[0-9]*", figures) is not None


def histogram(counts: Sequence[int]) -> str:
    """Lines that say how many secrets take 1, 2, … guesses, with bars."""
    largest = max(counts)
    rows = [(number, f"{count:,}", bar(count, largest)) for number, count in enumerate(counts, 1)]
    return table(("guesses", "secrets", ""), rows)


def about_game(head: Origin | SweepQuestion, what: str) -> str:
    """What a strategy or a sweep is, and in two lines which words it is about."""
    hard = ", hard mode" if head.hard else ""
    return (
        f"{what}{hard}: {counted(head.secrets, 'secret')} ({printable(head.secrets_name)}), "
        f"{counted(head.guesses, 'guess', 'guesses')} ({head.guess_from})\n"
        f"list {printable(head.list_name)}, guesses {head.guesses_digest[:16]}…, "
        f"secrets {head.secrets_digest[:16]}…"
    )


def word_column(game: Game, shown: Callable[[Game, str], str]) -> Column:
    """The column of words to guess; a code that stands for others says for how many."""

    def cell(row: Any) -> str:
        like_it = f" and {row.n_alike:,} like it" if row.n_alike else ""
        return shown(game, row.word) + like_it

    return Column("word", terms_of(game.spec).word, cell)


def between(name: str, none: str = "", heading: str | None = None) -> tuple[Column, Column]:
    """The columns of a figure between bounds: people read one, with ``none`` where it is null."""

    def end(side: str) -> Callable[[Any], Any]:
        return lambda row: getattr(getattr(row, name), side, None)

    said = Column(f"{name}_low", heading or name, lambda row: str(getattr(row, name) or none))
    return said._replace(value=end("low")), Column(f"{name}_high", value=end("high"))


def possible(number: int, game: str, secrets_name: str) -> str:
    """So many secrets are possible; those that are all allowed words are not called answers."""
    if is_pegs(game):
        return counted(number, "possible code")
    is_word = secrets_name in ("allowed", "unused allowed")
    return counted(number, "possible word" if is_word else "possible answer")


#: Differences of averages below this are rounding.
_NO_COST = 1e-9


def extra_cost(mean: float, exact: Forecast | None) -> str:
    """What a common word costs that is preferred to a better one, in guesses on average."""
    from solver.advice.suggest import least_seen

    least = least_seen(exact)
    more = 0.0 if least is None else mean - least
    return f", {more:.4f} more than the best word" if more > _NO_COST else ""


def some_of(texts: Sequence[str], number: int) -> str:
    """The first of some words on one line, and a sign if there are more."""
    return " ".join(texts[:number]) + (" …" if len(texts) > number else "")


def first_lines(lines: Sequence[str]) -> list[str]:
    """The first twenty of many lines, and how many more there are."""
    more = len(lines) - 20
    return [*lines[:20], *[f"  … and {more:,} more (--json has them all)"] * (more > 0)]


def bar(value: float, largest: float, width: int = 40) -> str:
    """A horizontal bar in eighths of a character; a value above zero is never invisible.

    In a narrow terminal it leaves room for a label and a number.
    """
    if largest <= 0 or value <= 0:
        return ""
    room = max(8, min(width, terminal_width() - 18))
    eighths = max(1, round(value / largest * room * 8))
    if not can_write(_EIGHTHS, sys.stdout):
        return "#" * max(1, round(eighths / 8))
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def can_write(text: str, stream: TextIO) -> bool:
    """Whether a stream's encoding has all letters of a text."""
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
