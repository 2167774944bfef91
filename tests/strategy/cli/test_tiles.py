"""Tiles: in colours on a terminal, in letters elsewhere, and the share grid."""

import io
import re

import pytest

from solver.game.load import load_game
from strategy.cli.output import plain
from strategy.cli.tiles import Tiles, painted_codes
from strategy.files.text import columns_of

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
