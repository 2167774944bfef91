"""Write what stands behind the rows of twenty openers, drawn at random, in each table.

    .venv/bin/python -m tools.records.rows

A row of ``openers-answers.csv.xz`` and ``openers-answers-hard.csv.xz`` gets a strategy that takes
its total; a row of ``openers-allowed-within-6.csv.xz`` a strategy within six guesses, or a proof
that there is none. The files stand in ``data/records/rows``, with names of table and opener; those
that are there stay. ``knuthle verify`` and ``knuthle check-proof`` check them.
"""

import random
from dataclasses import dataclass
from pathlib import Path

from strategy import load_game, optimal

from .exact_openers import read_table
from .tables import HARD_TABLE, RECORDS, TABLE, WITHIN_TABLE, rows_of

FOLDER = RECORDS / "rows"
DRAWN = 20


@dataclass(frozen=True)
class DrawnRow:
    """A row of a table, and the file that shows it."""

    table: Path
    opener: str
    total: int | None = None  #: Its least total; None in the table of openers within six.
    possible: bool = True

    @property
    def file(self) -> Path:
        """The strategy, or the proof that there is none."""
        table = self.table.name.removeprefix("openers-").removesuffix(".csv.xz")
        return FOLDER / f"{table}-{self.opener}{'.strategy' if self.possible else '.proof'}"

    def write(self) -> None:
        """Search again, and keep what is found if it agrees with the row."""
        if self.total is None:
            self._write_within_six()
            return
        hard = self.table == HARD_TABLE
        found = optimal(load_game("original"), start=[self.opener], within=None, hard=hard)
        if found.strategy is None or not found.proved or found.strategy.total != self.total:
            raise ValueError(f"{self.file.name}: the table has {self.total}, here it is {found}")
        found.strategy.save(self.file)

    def _write_within_six(self) -> None:
        game = load_game("original", "allowed")
        proof = None if self.possible else self.file
        found = optimal(game, start=[self.opener], objective="worst", within=6, proof=proof)
        if (found.strategy is not None) != self.possible:
            self.file.unlink(missing_ok=True)  # what it proves is not what the row says
            raise ValueError(f"{self.file.name}: the table says the opposite")
        if found.strategy is not None:
            found.strategy.save(self.file)


def drawn_rows() -> list[DrawnRow]:
    """The rows of twenty openers in each table, the same each time."""
    openers = set(random.Random(DRAWN).sample(load_game("original").guesses, DRAWN))
    totals = [
        DrawnRow(table, row.opener, row.total)
        for table in (TABLE, HARD_TABLE)
        for row in read_table(table)
        if row.opener in openers
    ]
    within_six = [
        DrawnRow(WITHIN_TABLE, row["opener"], possible=row["state"] == "possible")
        for row in rows_of(WITHIN_TABLE.read_bytes())
        if row["opener"] in openers
    ]
    return totals + within_six


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for row in drawn_rows():
        if not row.file.exists():
            row.write()
            print(row.file.name)
