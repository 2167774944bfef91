"""What is seen: tables as wide as the terminal, tiles in colours, letters and share grids."""

import io
import os
import re
import sys
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.cli import tables
from strategy.cli.output import painted_codes, plain
from strategy.cli.screen import Tiles
from strategy.files.text import columns_of
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


def test_columns_go_where_breaking_the_last_is_not_enough(terminal: pytest.MonkeyPatch) -> None:
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


WORDS = load_game(["crane", "slate"])
CODES = load_game(spec="mastermind:4x6")


class Screen(io.TextIOWrapper):
    def __init__(self, encoding: str = "utf-8", terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding)
        self.isatty = lambda: terminal  # type: ignore[method-assign]


def test_letters_and_colours() -> None:
    score = WORDS.parse_score("bybbg")
    assert Tiles(False, True).row(WORDS, "crane", score) == "CRANE bybbg"
    painted = Tiles(True, True).row(WORDS, "crane", score)
    assert painted.endswith(" bybbg"), "nobody has to see colours"
    assert painted.count("\x1b[97;100m") == 3 and painted.count("\x1b[0m") == 5
    assert Tiles(False, True).row(CODES, "1256", CODES.parse_score("2,1")) == "1256 2,1"
    pegs = Tiles(True, True).row(CODES, "1256", CODES.parse_score("2,1"))
    assert [f" {sign} " in pegs for sign in "1256"] == [True] * 4 and pegs.endswith(" 2,1")


@pytest.mark.parametrize(("screen", "environment", "colours", "pictures"), [
    (Screen(), {}, True, True), (Screen(), {"NO_COLOR": "1"}, False, True),
    (Screen(), {"NO_COLOR": ""}, True, True), (Screen(), {"TERM": "dumb"}, False, True),
    (Screen(terminal=False), {}, False, True), (Screen("ascii"), {}, True, False),
])  # fmt: skip
def test_what_a_stream_can_show(
    screen: Screen,
    environment: dict[str, str],
    colours: bool,
    pictures: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Tiles.of(screen) == Tiles(colours, pictures)


@pytest.mark.parametrize(("wanted", "terminal", "no_colour", "colours"), [
    ("auto", True, "", True), ("auto", True, "1", False), ("auto", False, "", False),
    ("colourblind", True, "", True), ("colourblind", True, "1", False),
    ("colourblind", False, "", False), ("always", False, "1", True), ("never", True, "", False),
])  # fmt: skip
def test_what_is_wanted_is_shown(
    wanted: str, terminal: bool, no_colour: str, colours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An option of the call is obeyed; NO_COLOR is heeded by all that decides by itself."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", no_colour)
    found = Tiles.of(Screen(terminal=terminal), wanted)
    assert (found.colours, found.blind) == (colours, wanted == "colourblind")


def test_the_colour_blind_see_blue_and_orange() -> None:
    tiles, score = Tiles(True, True, blind=True), WORDS.parse_score("bybbg")
    for shown in (tiles.row(WORDS, "crane", score), tiles.line(WORDS, "crane", [score, score])):
        assert "\x1b[97;44m" in shown and "\x1b[30;48;5;208m" in shown
        assert ";42m" not in shown and ";43m" not in shown
    assert tiles.key("q", 2).startswith("\x1b[30;48;5;208m")
    assert tiles.grid(WORDS, [[score]]) == "⬛🟦⬛⬛🟧"


def test_keys_have_one_width() -> None:
    plain = [Tiles(False, True).key("q", colour) for colour in (None, 0, 1, 2)]
    assert plain == [" Q ", " · ", "(Q)", "[Q]"]
    painted = [Tiles(True, True).key("q", colour) for colour in (0, 1, 2)]
    assert [re.sub(r"\x1b\[[0-9;]*m", "", key) for key in painted] == [" · ", " Q ", " Q "]


def test_codes_are_painted_within_a_text() -> None:
    """A mark takes no room; without colours, and for words, there is none."""
    tiles = Tiles(True, True)
    text = f"2 possible codes: {tiles.code(CODES, '1122')} 1122"
    assert columns_of(text) == len("2 possible codes: 1122 1122")
    painted = painted_codes(plain(text))
    assert painted.count("\x1b[0m") == 4 and painted.endswith(" 1122")
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == "2 possible codes: 1122 1122"
    assert Tiles(False, True).code(CODES, "1122") == "1122"
    assert tiles.code(WORDS, "crane") == "crane"


def test_the_share_grid() -> None:
    first, second = WORDS.parse_score("bybbg"), WORDS.solved
    assert Tiles(False, True).grid(WORDS, [[first, second]]) == "⬛🟨⬛⬛🟩\n🟩🟩🟩🟩🟩"
    assert Tiles(False, False).grid(WORDS, [[first, second]]) == "bybbg\nggggg"
    two = Tiles(False, True).grid(WORDS, [[second], [first, second]])
    assert two == "🟩🟩🟩🟩🟩 ⬛🟨⬛⬛🟩\n           🟩🟩🟩🟩🟩"
    eight = Tiles(False, False).grid(WORDS, [[second]] * 8)
    assert eight == "\n\n".join([" ".join(["ggggg"] * 4)] * 2)
    pegs = [CODES.parse_score("1,2"), CODES.solved]
    assert Tiles(False, True).grid(CODES, [pegs]) == "⚫⚪⚪\n⚫⚫⚫⚫"
    assert Tiles(False, False).grid(CODES, [pegs, pegs]) == "*oo  *oo\n**** ****"
