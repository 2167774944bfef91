"""Tables: whole where they are piped, as wide as the terminal at most where they are read."""

import os
import sys
from pathlib import Path

import pytest

from strategy.cli import tables
from tests.support.commands import Knuthle

HEADER = ("rank", "word", "expected size", "by parts")
ROWS = [(1, "crane", "1,234.5", 7), (2, "slate", "56.25", 12)]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    return monkeypatch


def narrow(terminal: pytest.MonkeyPatch, columns: int) -> None:
    terminal.setattr("shutil.get_terminal_size", lambda **_: os.terminal_size((columns, 24)))


def test_a_piped_table_is_whole() -> None:
    assert tables.table(HEADER, ROWS, spare=("expected size",)).split("\n") == [
        "rank  word   expected size  by parts",
        "   1  crane        1,234.5         7",
        "   2  slate          56.25        12",
    ]


def test_a_wide_terminal_shows_the_same(terminal: pytest.MonkeyPatch) -> None:
    piped = tables.table(HEADER, ROWS)
    narrow(terminal, 36)
    assert tables.table(HEADER, ROWS, spare=HEADER[2:]) == piped


def test_headings_are_stacked_before_anything_is_left_out(terminal: pytest.MonkeyPatch) -> None:
    narrow(terminal, 35)
    assert tables.table(HEADER, ROWS, spare=HEADER[2:]).split("\n") == [
        "             expected     by",
        "rank  word       size  parts",
        "   1  crane   1,234.5      7",
        "   2  slate     56.25     12",
    ]


def test_spare_columns_are_left_out_in_their_order(terminal: pytest.MonkeyPatch) -> None:
    narrow(terminal, 27)
    assert tables.table(HEADER, ROWS, spare=("expected size", "by parts")).split("\n") == [
        "                by",
        "rank  word   parts",
        "   1  crane      7",
        "   2  slate     12",
        "(no room for: expected",  # a line like others: it is broken, too
        "size)",
    ]
    narrow(terminal, 5)  # what is not spare stays
    assert "crane" in tables.table(HEADER, ROWS, "  ", ("expected size", "by parts"))


def test_cells_are_cut_and_the_last_column_is_broken(terminal: pytest.MonkeyPatch) -> None:
    rows = [("first", "abcdefghij", "as was said before all that"), ("second", "abcde", "plain")]
    header = ("list", "digest", "where it comes from")
    wide = tables.table(header, rows, short={"digest": 6}, flow=True)
    assert "abcdefghij  as was said before all that" in wide
    narrow(terminal, 34)
    assert tables.table(header, rows, "  ", short={"digest": 6}, flow=True).split("\n") == [
        "                  where",
        "                  it",
        "                  comes",
        "  list    digest  from",
        "  first   abcde…  as was said",
        "                  before all that",
        "  second  abcde   plain",
    ]


def test_columns_go_only_where_breaking_the_last_one_is_not_enough(
    terminal: pytest.MonkeyPatch,
) -> None:
    rows = [("crane", 12, "as was said before all that")]
    header = ("list", "words", "origin")
    narrow(terminal, 30)
    assert "no room for" not in tables.table(header, rows, spare=("origin",), flow=True)
    narrow(terminal, 29)
    assert tables.table(header, rows, spare=("origin",), flow=True).split("\n") == [
        "list   words",
        "crane     12",
        "(no room for: origin)",
    ]


@pytest.mark.parametrize("columns", [40, 80])
def test_tables_and_bars_fit_a_narrow_terminal(
    knuthle: Knuthle, terminal: pytest.MonkeyPatch, tiny: Path, columns: int
) -> None:
    terminal.setattr(sys.stdout, "isatty", lambda: True)
    narrow(terminal, columns)
    for command, shown in (
        (["lists"], "nyt-2026"),
        (["pairs", "--list", tiny], "crane"),
        (["pairs", "--third", "--list", tiny], "abide adieu arise"),
        (["buckets", "crane"], "bbbbb    358  █████"),
    ):
        said = knuthle(*command)
        assert said.code == 0 and shown in said.out
        assert max(map(len, said.out.splitlines())) <= columns, said.out
        assert ("no room for" in said.out) is (columns == 40 and command[0] != "buckets")


def test_running_text_is_broken_on_a_terminal_only(terminal: pytest.MonkeyPatch) -> None:
    text = "CRANE: 2,315 secrets in 142 buckets, the largest bbbbb\n  with 263 of twenty-six"
    narrow(terminal, 30)
    assert tables.prose(text).split("\n") == [
        "CRANE: 2,315 secrets in 142",
        "buckets, the largest bbbbb",
        "  with 263 of twenty-six",
    ]
    terminal.setattr(sys.stdout, "isatty", lambda: False)
    assert tables.prose(text) == text


def test_a_word_longer_than_a_line_is_left_whole(terminal: pytest.MonkeyPatch) -> None:
    narrow(terminal, 12)
    assert tables.prose("see incomprehensibilities today").split("\n") == [
        "see",
        "incomprehensibilities",
        "today",
    ]
    rows = [("a", "see incomprehensibilities")]
    assert "incomprehensibilities" in tables.table(("x", "y"), rows, flow=True)
