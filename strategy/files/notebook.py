"""Small figures as markup, for notebooks: bars as SVG, tables as HTML. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

_ROW, _TOP, _LONGEST = 20, 6, 300
#: What a character of the font takes at most, about.
_CHARACTER = 8
_BLUE = "#0072b2"


class Bar(NamedTuple):
    """A bar of a chart, with its label at the left and its text at the right."""

    label: str
    value: float
    text: str


def bars_svg(bars: Sequence[Bar], says: str) -> str:
    """A chart of a notebook as SVG, a bar a line; ``says`` is what one hears who sees it not."""
    left = max((len(bar.label) for bar in bars), default=0) * _CHARACTER + 12
    right = max((len(bar.text) for bar in bars), default=0) * _CHARACTER + 12
    width, height = left + _LONGEST + right, 2 * _TOP + _ROW * len(bars)
    most = max((bar.value for bar in bars), default=0) or 1
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(says)}" '
        'font-family="sans-serif" font-size="13">'
    ]
    for at, bar in enumerate(bars):
        top = _TOP + at * _ROW
        length = max(1, round(bar.value / most * _LONGEST)) if bar.value else 0
        out += [
            f'<text x="{left - 8}" y="{top + 14}" text-anchor="end" fill="currentColor">'
            f"{escape(bar.label)}</text>",
            f'<rect x="{left}" y="{top + 2}" width="{length}" height="{_ROW - 5}" fill="{_BLUE}"/>',
            f'<text x="{left + length + 6}" y="{top + 14}" fill="currentColor">'
            f"{escape(bar.text)}</text>",
        ]
    return "".join([*out, "</svg>"])


def table_html(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of a notebook as HTML; every cell is text."""
    head = "".join(f"<th>{escape(name)}</th>" for name in header)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def paragraph(text: str, bold: str = "") -> str:
    """A line of text of a notebook as HTML, its beginning in bold."""
    strong = f"<b>{escape(bold)}</b> " if bold else ""
    return f"<p>{strong}{escape(text)}</p>"
