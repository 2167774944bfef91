"""The tool that keeps the table of openers within six guesses."""

import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tools.records.openers_within import TABLE, decided, merged, summary, table_bytes
from tools.records.tables import rows_of


def a_row(opener: str, state: str, commit: str = "c") -> dict[str, str]:
    check = "played" if state == "possible" else "derived again"
    return {"opener": opener, "state": state, "check": check, "seconds": "2.00", "commit": commit}


def test_only_what_a_sweep_has_decided_is_taken(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "with space.sqlite")) as file, file:
        file.execute("CREATE TABLE exact (opener, state, lower, upper, seconds, replayed)")
        file.executemany(
            "INSERT INTO exact VALUES (?, ?, NULL, NULL, ?, ?)",
            [("carse", "possible", 2, 0), ("aarti", "impossible", 2, 1), ("zoppa", "bounds", 1, 0),
             ("lares", "impossible", 2, 0)],
        )  # fmt: skip
    found = list(decided(tmp_path / "with space.sqlite", "c"))
    unchecked = a_row("lares", "impossible") | {"check": ""}
    assert found == [a_row("aarti", "impossible"), a_row("carse", "possible"), unchecked]


def test_rows_that_are_there_stay() -> None:
    known, new = [a_row("lares", "impossible", "old")], a_row("aarti", "possible")
    rows = merged(known, [a_row("lares", "impossible", "new"), new])
    assert rows == [new, *known]
    text = lzma.decompress(table_bytes(rows)).decode()
    assert text.startswith("opener,state,check,seconds,commit\naarti,possible,played,2.00,c\n")
    assert summary(rows).startswith("2 decided: 1 can, 1 cannot; ")


def test_a_row_that_says_the_opposite_is_refused() -> None:
    with pytest.raises(ValueError, match="lares: impossible before, and possible now"):
        merged([a_row("lares", "impossible")], [a_row("lares", "possible")])


def test_the_committed_table_is_what_the_tool_writes() -> None:
    rows = rows_of(TABLE.read_bytes())
    assert merged(rows, []) == rows and table_bytes(rows) == TABLE.read_bytes()
