"""Where exact values and bounds are kept: rows that runs improve, and never make worse."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...errors import BadFileError
from ..store import RowStore
from .rows import BOUNDS, IMPOSSIBLE, POSSIBLE, ExactRow

_NAMES = "opener, state, lower, upper, seconds, replayed"


class ExactStore(RowStore):
    """The rows of a sweep for what is best."""

    tables = """
    CREATE TABLE exact (
        opener TEXT PRIMARY KEY, state TEXT NOT NULL, lower INTEGER, upper INTEGER,
        seconds REAL NOT NULL, replayed INTEGER NOT NULL
    ) WITHOUT ROWID;
    """

    def improve(self, rows: Iterable[ExactRow]) -> list[ExactRow]:
        """Store what rows add to what is known, all of them or none; the rows as they are then."""
        with self._whole():
            found = [self._improved(row) for row in rows]
            self._put(found)
        return found

    def replace(self, rows: Iterable[ExactRow]) -> None:
        """Store rows in the place of those that are there, all of them or none."""
        with self._whole():
            self._put(rows)

    def _put(self, rows: Iterable[ExactRow]) -> None:
        self._connection.executemany(
            f"INSERT OR REPLACE INTO exact ({_NAMES}) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (row.opener, row.state, row.lower, row.upper, row.seconds, int(row.replayed))
                for row in rows
            ],
        )

    def _improved(self, row: ExactRow) -> ExactRow:
        query = f"SELECT {_NAMES} FROM exact WHERE opener = ?"
        known = self._connection.execute(query, (row.opener,)).fetchone()
        return row if known is None else self._row(known).joined(row)

    def rows(self) -> list[ExactRow]:
        """All rows, in alphabetical order of the openers."""
        return [self._row(values) for values in self._all(f"SELECT {_NAMES} FROM exact ORDER BY 1")]

    def _row(self, values: tuple[Any, ...]) -> ExactRow:
        """A row as it was stored: what does not hang together is refused."""
        try:
            opener, state, lower, upper, seconds, replayed = values
            row = ExactRow(opener, state, lower, upper, float(seconds), bool(replayed))
            bounds = [bound for bound in (lower, upper) if bound is not None]
            counts = all(type(bound) is int and bound >= 0 for bound in bounds)
            if isinstance(opener, str) and counts and row.is_sound and self._fits(row):
                return row
        except (TypeError, ValueError):
            pass
        raise BadFileError("damaged", f"{self.path}: damaged: a row of it does not add up")

    def _fits(self, row: ExactRow) -> bool:
        """Whether a row can be an answer to the question."""
        asked = self.question
        if row.state == BOUNDS:
            return True
        if row.state == IMPOSSIBLE:
            return asked.within is not None
        over = asked.objective == "worst" and (row.lower or 0) > (asked.within or math.inf)
        return not over and (row.state == POSSIBLE) == (asked.objective == "possible")
