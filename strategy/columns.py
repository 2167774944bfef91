"""Columns of a table, and facts: one description for what people read, the JSON and the CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple


class Column(NamedTuple):
    """A column of a table: its name and value for programs, its heading and text for people.

    >>> from strategy.columns import Column, cells, records
    >>> columns = [Column("word", "guess"), Column("n_left", "left", ",d", lambda row: row.left)]
    >>> row = type("Row", (), {"word": "crane", "left": 1234})
    >>> records(columns, [row])
    [{'word': 'crane', 'n_left': 1234}]
    >>> cells(columns, [row])
    [['crane', '1,234']]
    """

    #: The key in JSON, and the heading in CSV.
    name: str
    #: The heading for people; None: they do not see this column.
    heading: str | None = None
    #: How people read the value: a format such as ``,d``, or a function of the row.
    format: str | Callable[[Any], str] = ""
    #: The value in a row; None: the attribute of the row that has the name.
    value: Callable[[Any], Any] | None = None

    def value_in(self, row: Any) -> Any:
        """The value in a row, as JSON has it."""
        return getattr(row, self.name) if self.value is None else self.value(row)

    def text_in(self, row: Any) -> str:
        """The value in a row as people read it: nothing for null, yes or nothing for a boolean."""
        if callable(self.format):
            return self.format(row)
        value = self.value_in(row)
        if value is None or isinstance(value, bool):
            return "yes" if value else ""
        return format(value, self.format)


def records(columns: Sequence[Column], rows: Iterable[Any]) -> list[dict[str, Any]]:
    """Rows as JSON has them."""
    return [{column.name: column.value_in(row) for column in columns} for row in rows]


def cells(columns: Sequence[Column], rows: Iterable[Any]) -> list[list[str]]:
    """Rows as people read them: without the columns that have no heading."""
    seen = [column for column in columns if column.heading is not None]
    return [[column.text_in(row) for column in seen] for row in rows]


def names(columns: Sequence[Column]) -> list[str]:
    """What JSON and CSV call the columns."""
    return [column.name for column in columns]


def headings(columns: Sequence[Column]) -> list[str]:
    """What people call the columns, without those that have no heading."""
    return [column.heading for column in columns if column.heading is not None]


def attributes(found: Any, names: str) -> dict[str, Any]:
    """Attributes of a result that JSON calls by their own names, given with spaces between them.

    >>> from strategy.columns import attributes
    >>> attributes(complex(1, 2), "real imag")
    {'real': 1.0, 'imag': 2.0}
    """
    return {name: getattr(found, name) for name in names.split()}
