"""What a notebook shows of a result: a line, a table of some rows; and all rows for pandas.

A result that holds thousands of words would else be printed whole, as the last line of a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import Any, TypeVar

from .errors import WrongInputError, imported

T = TypeVar("T")
#: So many rows of a table are shown, and so many words of a cell.
_SHOWN = 20
_WORDS = 8


class NoPandasError(WrongInputError):
    """There can be no frame, because pandas is not installed."""


class Described:
    """A result that one line describes: ``_line``."""

    def _line(self) -> str:
        """What it is, and its figures."""
        return ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._line()}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return html_of(self._line())


class Shown(Described):
    """A result that one line describes, with a table whose rows ``_records`` has."""

    def _records(self) -> Sequence[Mapping[str, Any]]:
        """The rows of its table."""
        return ()

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return html_of(self._line(), self._records())

    def to_frame(self) -> Any:
        """The rows as a ``DataFrame`` of pandas."""
        return frame_of(self._records())


class ShownRows(Shown):
    """A result whose rows are also at hand as dictionaries."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, each as a dictionary of plain values."""
        return [dict(record) for record in self._records()]


class Rows(list[T]):
    """A list of results, which a notebook shows in short."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, each as a dictionary of plain values."""
        return [record_of(row) for row in self]

    def __repr__(self) -> str:
        words = " ".join(str(getattr(row, "word", row)) for row in self[:_WORDS])
        return f"<{len(self):,} rows: {words}{' …' if len(self) > _WORDS else ''}>"

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return html_of(f"{len(self):,} rows", self.rows)

    def to_frame(self) -> Any:
        """The rows as a ``DataFrame`` of pandas."""
        return frame_of(self.rows)


def record_of(row: Any) -> dict[str, Any]:
    """A row that is a dataclass or a named tuple as a dictionary."""
    if is_dataclass(row):
        return {field.name: getattr(row, field.name) for field in fields(row)}
    return dict(row._asdict())


def frame_of(records: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> Any:
    """Rows as a ``DataFrame``; an error in plain words where there is no pandas."""
    pandas = imported("pandas", "a DataFrame takes pandas", NoPandasError)
    return pandas.DataFrame([dict(record) for record in records], columns=columns)


def html_of(line: str, records: Sequence[Mapping[str, Any]] = ()) -> str:
    """A line and the first rows of a table as HTML; whatever they hold is text."""
    parts = [f"<p>{escape(line)}</p>"]
    if records:
        head = "".join(f"<th>{escape(name)}</th>" for name in records[0])
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_cell(value))}</td>' for value in record.values())}</tr>"
            for record in records[:_SHOWN]
        )
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")
    if len(records) > _SHOWN:
        parts.append(f"<p>and {len(records) - _SHOWN:,} more rows</p>")
    return "".join(parts)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    if isinstance(value, tuple | list):
        return " ".join(map(str, value[:_WORDS])) + (" …" if len(value) > _WORDS else "")
    return "" if value is None else str(value)


#: Of a chart, in pixels: the height of a bar, the margin above, the longest bar.
_ROW, _TOP, _LONGEST = 20, 6, 300
#: What a character of the font takes at most, about; and what stands beside a bar.
_CHARACTER, _BESIDE = 8, 12
_BLUE = "#0072b2"


def bars_svg(bars: Sequence[tuple[str, float, str]], says: str) -> str:
    """Bars as SVG, one a line: its label at the left, its value, its text at the right.

    ``says`` is the text for readers of screens.
    """
    labels, values, texts = zip(*bars, strict=True)
    left, right = (max(map(len, each)) * _CHARACTER + _BESIDE for each in (labels, texts))
    width, height = left + _LONGEST + right, 2 * _TOP + _ROW * len(bars)
    most = max(values)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(says)}" '
        'font-family="sans-serif" font-size="13">'
    ]
    for at, (label, value, text) in enumerate(bars):
        top = _TOP + at * _ROW
        length = max(1, round(value / most * _LONGEST)) if value else 0
        out += [
            f'<text x="{left - 8}" y="{top + 14}" text-anchor="end" fill="currentColor">'
            f"{escape(label)}</text>",
            f'<rect x="{left}" y="{top + 2}" width="{length}" height="{_ROW - 5}" fill="{_BLUE}"/>',
            f'<text x="{left + length + 6}" y="{top + 14}" fill="currentColor">'
            f"{escape(text)}</text>",
        ]
    return "".join([*out, "</svg>"])
