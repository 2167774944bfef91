"""What is seen: tables, tiles in colours, letters, share grids; installed and kept lists."""

import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.words import lists
from solver.words.lists import load_lists
from strategy.cli import tables
from strategy.cli.output import painted_codes, plain
from strategy.cli.screen import Tiles
from strategy.errors import BadFileError
from strategy.files.text import columns_of
from strategy.toolbox.lists import letters_meant, words_from
from tests.support import refused
from tests.support.commands import Knuthle, seen_on

HEADER = ("rank", "word", "expected size", "by parts")
ROWS: list[tuple[object, ...]] = [(1, "crane", "1,234.5", 7), (2, "slate", "56.25", 12)]
WHOLE = """
rank  word   expected size  by parts
   1  crane        1,234.5         7
   2  slate          56.25        12
"""
LISTS = [("first", "abcdefghij", "as was said before all that"), ("second", "abcde", "plain")]
ORIGIN = [("crane", 12, "as was said before all that")]
FLOW: dict[str, object] = {"spare": ("origin",), "flow": True}
#: How wide the terminal is (0: there is none), the table, the options, and what is shown. Headings
#: are stacked first, then the last column is broken, then spare columns go in their order.
TABLES: list[tuple[int, tuple[str, ...], list[tuple[object, ...]], dict[str, object], str]] = [
    (0, HEADER, ROWS, {"spare": ("expected size",)}, WHOLE),
    (36, HEADER, ROWS, {"spare": HEADER[2:]}, WHOLE),
    (35, HEADER, ROWS, {"spare": HEADER[2:]}, """
             expected     by
rank  word       size  parts
   1  crane   1,234.5      7
   2  slate     56.25     12
"""),
    (27, HEADER, ROWS, {"spare": ("expected size", "by parts")}, """
                by
rank  word   parts
   1  crane      7
   2  slate     12
(no room for: expected
size)
"""),
    (34, ("list", "digest", "where it comes from"), LISTS,
     {"indent": "  ", "short": {"digest": 6}, "flow": True}, """
                  where
                  it
                  comes
  list    digest  from
  first   abcde…  as was said
                  before all that
  second  abcde   plain
"""),
    (30, ("list", "words", "origin"), ORIGIN, FLOW, """
list   words  origin
crane     12  as was said
              before all that
"""),
    (29, ("list", "words", "origin"), ORIGIN, FLOW, """
list   words
crane     12
(no room for: origin)
"""),
    (12, ("x", "y"), [("a", "see incomprehensibilities")], {"flow": True}, """
x  y
a  see
   incomprehensibilities
"""),
]  # fmt: skip


@pytest.mark.parametrize(("columns", "header", "rows", "layout", "shown"), TABLES)
def test_a_table_is_as_wide_as_the_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int, header: Any, rows: Any, layout: Any, shown: str
) -> None:
    if columns:
        seen_on(monkeypatch, columns)
    assert f"\n{tables.table(header, rows, **layout)}\n" == shown


@pytest.mark.parametrize(("columns", "text", "shown"), [
    (30, "CRANE: 2,315 secrets in 142 buckets, the largest bbbbb\n  with 263 of twenty-six",
     "CRANE: 2,315 secrets in 142\nbuckets, the largest bbbbb\n  with 263 of twenty-six"),
    (12, "see incomprehensibilities today", "see\nincomprehensibilities\ntoday"),
])  # fmt: skip
def test_running_text_is_broken_on_a_terminal_only(
    monkeypatch: pytest.MonkeyPatch, columns: int, text: str, shown: str
) -> None:
    seen_on(monkeypatch, columns)
    assert tables.prose(text) == shown
    monkeypatch.setattr(sys.stdout, "isatty", lambda: False)
    assert tables.prose(text) == text


def test_what_is_not_spare_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    seen_on(monkeypatch, 5)
    assert "crane" in tables.table(HEADER, ROWS, "  ", ("expected size", "by parts"))


@pytest.mark.parametrize("columns", [40, 80])
def test_tables_and_bars_fit_a_narrow_terminal(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, tiny: Path, columns: int
) -> None:
    seen_on(monkeypatch, columns)
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


@pytest.mark.parametrize(("screen", "environment", "wanted", "expected"), [
    (Screen(), {}, "auto", Tiles(True, True)),
    (Screen(), {"NO_COLOR": "1"}, "auto", Tiles(False, True)),
    (Screen(), {"NO_COLOR": ""}, "auto", Tiles(True, True)),
    (Screen(), {"TERM": "dumb"}, "auto", Tiles(False, True)),
    (Screen(terminal=False), {}, "auto", Tiles(False, True)),
    (Screen("ascii"), {}, "auto", Tiles(True, False)),
    (Screen(), {}, "colourblind", Tiles(True, True, blind=True)),
    (Screen(), {"NO_COLOR": "1"}, "colourblind", Tiles(False, True, blind=True)),
    (Screen(terminal=False), {}, "colourblind", Tiles(False, True, blind=True)),
    (Screen(terminal=False), {"NO_COLOR": "1"}, "always", Tiles(True, True)),
    (Screen(), {}, "never", Tiles(False, True)),
])  # fmt: skip
def test_what_a_stream_can_show(
    monkeypatch: pytest.MonkeyPatch,
    screen: Screen,
    environment: dict[str, str],
    wanted: str,
    expected: Tiles,
) -> None:
    """An option of the call is obeyed; NO_COLOR is heeded by all that decides by itself."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Tiles.of(screen, wanted) == expected


def test_the_colour_blind_see_blue_and_orange() -> None:
    tiles, score = Tiles(True, True, blind=True), WORDS.parse_score("bybbg")
    for shown in (tiles.row(WORDS, "crane", score), tiles.turn(WORDS, "crane", [score, score])):
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


SPANISH = "Madrid\nniño\nárbol\narbol\nseñor\ncañón\nd'oro\nabat-jour\nabc1d\n\nSEÑOR\nq\u0303ue\n"


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    path = tmp_path / "spanish"
    path.write_text(SPANISH, encoding="utf-8")
    return path


def test_what_is_taken_and_what_is_left_out(dictionary: Path) -> None:
    found = words_from([dictionary])
    assert found.words == ("arbol", "cañón", "señor", "árbol")
    assert found.left_out == {
        "apostrophe": 1, "capital": 2, "other letters": 3, "other length": 1,
    }  # fmt: skip
    assert found.examples["other letters"] == ["abat-jour", "abc1d", "q\u0303ue"]
    assert found.letters == "abcelnorsáñó"
    folded = words_from([dictionary], fold=True, keep="Ñ")
    assert folded.words == ("arbol", "cañon", "señor") and folded.left_out["repeated"] == 1
    assert words_from([dictionary], fold=True).words == ("arbol", "canon", "senor")
    assert words_from([dictionary], names=True).left_out["repeated"] == 1
    assert words_from([dictionary], letters="a-zñ").words == ("arbol", "señor")
    assert words_from([dictionary], letters="a-d1").words == ("abc1d",)
    assert words_from([dictionary], 6, names=True).words == ("madrid",)
    assert words_from([dictionary, dictionary]).left_out["repeated"] == 4


def test_letters_that_are_meant() -> None:
    for text, letters in (("a-c", "abc"), ("A-Cñ", "abcñ"), ("0-9", "0123456789"), ("", "")):
        assert "".join(sorted(letters_meant(text))) == letters
    for nothing in ("c-a", "a-", "-", "a b", "é!"):
        refused(WrongInputError, "", letters_meant, nothing)


def test_a_dictionary_of_hunspell(tmp_path: Path) -> None:
    path, rules = tmp_path / "el.dic", tmp_path / "el.aff"
    lines = "3\n\tabout it\nλόγος/AB\nνόμος po:noun\nέτος\tst:x\nαβγ\\/δ/C\n"
    path.write_bytes(lines.encode("iso8859-7"))
    rules.write_bytes(b"# of Greek\nSET ISO8859-7\n")
    found = words_from([path])
    assert found.words == ("λόγοσ", "νόμοσ")
    assert found.left_out == {"other letters": 1, "other length": 1}
    rules.unlink()
    refused(WrongInputError, r"el\.dic:3: not a text in utf-8.*--encoding", words_from, [path])
    assert words_from([path], encoding="iso8859-7").words == found.words


@pytest.mark.parametrize(("options", "reason"), [
    ({"length": 1}, "length must be 2–11, not 1"), ({"length": 12}, "length must be 2–11, not 12"),
    ({"encoding": "klingon"}, "unknown encoding 'klingon'"),
    ({"encoding": "utf-16"}, "not a text in utf-16"), ({"encoding": "idna"}, "not a text in idna"),
])  # fmt: skip
def test_what_cannot_be_read(dictionary: Path, options: dict[str, str], reason: str) -> None:
    with pytest.raises(WrongInputError, match=reason):
        words_from([dictionary], **options)  # type: ignore[arg-type]


def test_files_that_are_no_dictionaries(tmp_path: Path) -> None:
    """None, a folder, bytes; and more letters than a list may have."""
    (tmp_path / "b").write_bytes(b"abcde\n\xff\n")
    refused(BadFileError, "No such file", words_from, [tmp_path / "none"])
    refused(BadFileError, "directory", words_from, [tmp_path])
    refused(WrongInputError, ":2: not a text", words_from, [tmp_path / "b"])
    path = tmp_path / "many"
    path.write_text("\n".join(chr(0x4E00 + at) * 2 for at in range(65)), encoding="utf-8")
    refused(WrongInputError, "65 different letters.*--letters", words_from, [path], 2)
    assert len(words_from([path], 2, letters="一-丠").words) > 2
    refused(WrongInputError, r"many:65: with .* more than 64 different letters", load_lists, path)


def test_a_list_that_was_changed_is_refused(knuthle: Knuthle, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("arbol\nnoche\n")
    assert knuthle("lists", "add", tmp_path / "mine.txt").code == 0
    path = lists.kept_path("mine", "allowed")
    whole = path.read_bytes()
    for content, reason in (
        (b"arbol\ncoche\n", "the words have been changed"),
        (b"arbol\n", "the words have been changed"),
        (b"arbol\nnoches\n", "all words must have the same length"),
        (b"", "no words"),
    ):
        path.write_bytes(content)
        refused = knuthle("openers", "--list", "mine")
        assert refused.code == 2 and reason in refused.err
        assert "mine" in knuthle("lists").out
    path.write_bytes(whole)
    facts = path.with_name("mine.json")
    for text in ("", "[]", "{}", '{"digests": {}, "origin": ""}', '{"digests": 7, "origin": ""}',
                 '{"digests": {"allowed": 7}, "origin": ""}', "[" * 10_000):  # fmt: skip
        facts.write_text(text)
        refused = knuthle("openers", "--list", "mine")
        assert (refused.code, "lists remove mine" in refused.err) == (2, True)
    assert knuthle("lists", "remove", "mine").code == 0
