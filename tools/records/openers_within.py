"""Keep the table of the openers that can find all 12,972 words within six guesses.

    knuthle sweep run --rule optimal --secrets allowed --objective possible --within 6 -o six.sqlite
    .venv/bin/python -m tools.records.openers_within six.sqlite --commit COMMIT

The openers that a database of a sweep has decided are merged into
``data/records/openers-allowed-within-6.csv.xz``, each with the check that its strategy or its
refutation has passed, the seconds that it took, and the commit that found it. A row that is there
stays; one that says the opposite is an error. A line says how far the table is.
"""

import argparse
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from .tables import RECORDS, compressed, rows_of

TABLE = RECORDS / "openers-allowed-within-6.csv.xz"
COLUMNS = ("opener", "state", "check", "seconds", "commit")
#: What stands behind a row of each state.
CHECKS = {"possible": "played", "impossible": "derived again"}

Row = dict[str, str]


def decided(database: Path, commit: str) -> Iterator[Row]:
    """The openers that a sweep has decided; every strategy was played before it was stored."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as file:
        found = file.execute("SELECT opener, state, seconds, replayed FROM exact ORDER BY opener")
        for opener, state, seconds, replayed in found:
            if state in CHECKS:
                check = CHECKS[state] if state == "possible" or replayed else ""
                cells = (opener, state, check, f"{seconds:.2f}", commit)
                yield dict(zip(COLUMNS, cells, strict=True))


def merged(known: Iterable[Row], found: Iterable[Row]) -> list[Row]:
    """Both tables as one, in alphabetical order; of rows that agree the one that was known."""
    rows = {row["opener"]: row for row in known}
    for new in found:
        old = rows.setdefault(new["opener"], new)
        if old["state"] != new["state"]:
            raise ValueError(f"{new['opener']}: {old['state']} before, and {new['state']} now")
    return sorted(rows.values(), key=lambda row: row["opener"])


def table_bytes(rows: Iterable[Row]) -> bytes:
    """The table as it is committed."""
    return compressed(COLUMNS, [[row[column] for column in COLUMNS] for row in rows])


def summary(rows: list[Row]) -> str:
    """How far the table is, as the page of records says it."""
    states = [row["state"] for row in rows]
    seconds = [float(row["seconds"]) for row in rows]
    can, cannot = states.count("possible"), states.count("impossible")
    return (
        f"{len(rows):,} decided: {can:,} can, {cannot:,} cannot; {sum(seconds) / 3600:.1f} CPU "
        f"hours, {sum(seconds) / len(rows):.1f} seconds each, the longest {max(seconds):.0f}"
    )


def main() -> int:
    """Merge databases into the table, and say how far it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("databases", nargs="*", type=Path, help="databases of sweeps")
    parser.add_argument("--commit", default="", help="the commit that found them")
    args = parser.parse_args()
    if args.databases and not args.commit:
        print("rows name the commit that found them: --commit", file=sys.stderr)
        return 2
    rows = rows_of(TABLE.read_bytes())
    for database in args.databases:
        rows = merged(rows, decided(database, args.commit))
    TABLE.write_bytes(table_bytes(rows))
    print(summary(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
