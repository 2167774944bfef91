"""How results look on a terminal: aligned tables and bars."""

from __future__ import annotations

import math
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

_GAP = "  "
_EIGHTHS = " ▏▎▍▌▋▊▉█"


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[object]],
    indent: str = "",
    spare: Sequence[str] = (),
) -> str:
    """An aligned table: numbers to the right, words to the left.

    On a terminal that is too narrow for it, headings of several words are stacked; if that is not
    enough, the ``spare`` columns are left out one by one, and a line says so. What is piped or
    written to a file is always whole.
    """
    body = [[str(cell) for cell in row] for row in rows]
    columns = [_Column.of(name, [row[at] for row in body]) for at, name in enumerate(header)]
    room = _terminal_width() - len(indent)
    if _width(columns) > room:
        columns = [column.stacked() for column in columns]
    left_out = []
    for name in spare:
        if _width(columns) > room:
            columns = [column for column in columns if column.name != name]
            left_out.append(name)
    height = max((len(column.heading) for column in columns), default=1)
    lines = zip(*(column.lines(height) for column in columns), strict=True)
    text = "\n".join((indent + _GAP.join(cells)).rstrip() for cells in lines)
    if left_out:
        text += f"\n{indent}(no room for: {', '.join(left_out)})"
    return text


@dataclass(frozen=True)
class _Column:
    """One column of a table."""

    name: str
    #: The lines of the heading.
    heading: Sequence[str]
    cells: Sequence[str]
    to_right: bool

    @classmethod
    def of(cls, name: str, cells: Sequence[str]) -> _Column:
        """A column with its heading in one line."""
        return cls(name, [name], cells, bool(cells) and all(map(_is_number, cells)))

    def stacked(self) -> _Column:
        """The same with a heading of as many lines as words."""
        return replace(self, heading=self.name.split() or [""])

    @property
    def width(self) -> int:
        """Characters of the widest line."""
        return max(map(len, [*self.heading, *self.cells]))

    def lines(self, height: int) -> list[str]:
        """All lines, padded; the heading stands right above the cells."""
        above = [""] * (height - len(self.heading))
        lines = [*above, *self.heading, *self.cells]
        return [
            line.rjust(self.width) if self.to_right else line.ljust(self.width) for line in lines
        ]


def _width(columns: Sequence[_Column]) -> int:
    """How wide a table of these columns is."""
    return sum(column.width for column in columns) + len(_GAP) * (len(columns) - 1)


def _terminal_width() -> float:
    """Columns of the terminal that is written to; without one there is no end."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else math.inf


def _is_number(text: str) -> bool:
    stripped = text.replace(",", "").replace("%", "").replace("≥", "").strip()
    try:
        float(stripped or "0")
    except ValueError:
        return stripped in ("-", "–")
    return True


def bar(value: float, largest: float, width: int = 40) -> str:
    """A horizontal bar in eighths of a character; a value above zero is never invisible."""
    if largest <= 0 or value <= 0:
        return ""
    eighths = max(1, round(value / largest * width * 8))
    if not _can_draw(_EIGHTHS):
        return "#" * max(1, round(eighths / 8))
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def _can_draw(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
