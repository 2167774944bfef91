"""Where exact values and bounds are kept: rows that runs improve, and never make worse."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Self

from ..question import SweepQuestion
from ..store import RowStore
from .resumed import Begun
from .rows import BOUNDS, IMPOSSIBLE, POSSIBLE, ExactRow

#: Databases of before this was kept get it when they are opened.
_BEGUN = """
    CREATE TABLE IF NOT EXISTS begun (
        opener TEXT PRIMARY KEY, times INTEGER NOT NULL, notes TEXT NOT NULL
    ) WITHOUT ROWID;
"""
_NAMES = "opener, state, lower, upper, seconds, replayed"


class ExactStore(RowStore):
    """The database of a sweep for what every opener is worth at best, open for writing."""

    tables = """
    CREATE TABLE exact (
        opener TEXT PRIMARY KEY, state TEXT NOT NULL, lower INTEGER, upper INTEGER,
        seconds REAL NOT NULL, replayed INTEGER NOT NULL
    ) WITHOUT ROWID;
    """

    @classmethod
    def open(cls, path: str | Path, question: SweepQuestion) -> Self:
        """Open the database for writing, made if it is not there.

        One of another question is refused.
        """
        store = super().open(path, question)
        try:
            with store._whole():
                store._connection.execute(_BEGUN)
        except BaseException:
            store.close()
            raise
        return store

    def begin(self, begun: Begun) -> None:
        """Store what a search has left that time has ended, once more."""
        query = (
            "INSERT INTO begun VALUES (?, ?, ?) ON CONFLICT (opener) DO UPDATE "
            "SET times = times + excluded.times, notes = excluded.notes"
        )
        with self._whole():
            self._connection.execute(query, (begun.opener, begun.times, begun.notes))

    def begun(self) -> dict[str, Begun]:
        """What searches have left that time has ended, by their openers."""
        found = {}
        for opener, times, notes in self._all("SELECT opener, times, notes FROM begun"):
            begun = Begun(opener, notes, times)
            if not begun.is_sound(self.question):
                raise self._damage("what a search has left cannot be read")
            found[opener] = begun
        return found

    def improve(self, rows: Iterable[ExactRow]) -> list[ExactRow]:
        """Store what rows add to what is known, all of them or none.

        The rows as they are then are returned.
        """
        with self._whole():
            found = [self._improved(row) for row in rows]
            self._put(found)
        return found

    def replace(self, rows: Collection[ExactRow]) -> None:
        """Store rows in the place of those that are there, all of them or none."""
        with self._whole():
            self._put(rows)

    def _put(self, rows: Collection[ExactRow]) -> None:
        self._connection.executemany(
            f"INSERT OR REPLACE INTO exact ({_NAMES}) VALUES (?, ?, ?, ?, ?, ?)",
            [
                (row.opener, row.state, row.lower, row.upper, row.seconds, int(row.replayed))
                for row in rows
            ],
        )
        self._connection.executemany(
            "DELETE FROM begun WHERE opener = ?", [(row.opener,) for row in rows if not row.open]
        )

    def _improved(self, row: ExactRow) -> ExactRow:
        query = f"SELECT {_NAMES} FROM exact WHERE opener = ?"
        known = self._connection.execute(query, (row.opener,)).fetchone()
        return row if known is None else self._row(known).joined(row)

    def rows(self) -> list[ExactRow]:
        """All rows of the database, in alphabetical order of the openers."""
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
        raise self._damage("a row of it does not add up")

    def _fits(self, row: ExactRow) -> bool:
        """Whether a row can be an answer to the question."""
        asked = self.question
        if row.state == BOUNDS:
            return True
        if row.state == IMPOSSIBLE:
            return asked.within is not None
        over = asked.objective == "worst" and (row.lower or 0) > (asked.within or math.inf)
        return not over and (row.state == POSSIBLE) == (asked.objective == "possible")
