"""How results look on a terminal: aligned tables and bars."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def table(header: Sequence[str], rows: Iterable[Sequence[object]], indent: str = "") -> str:
    """An aligned table: numbers to the right, words to the left."""
    body = [[str(cell) for cell in row] for row in rows]
    widths = [max([len(name), *(len(row[at]) for row in body)]) for at, name in enumerate(header)]
    right = [bool(body) and all(_is_number(row[at]) for row in body) for at in range(len(header))]
    lines = [_line(header, widths, right, indent)]
    lines += [_line(row, widths, right, indent) for row in body]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool], indent: str) -> str:
    padded = [
        cell.rjust(width) if to_right else cell.ljust(width)
        for cell, width, to_right in zip(cells, widths, right, strict=True)
    ]
    return (indent + "  ".join(padded)).rstrip()


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
