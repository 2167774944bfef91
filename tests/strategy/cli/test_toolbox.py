"""The commands solve-all, openers, buckets, pairs, cheatsheet, suggest as people run them."""

import json
import re
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from solver.choices import RULES
from strategy import cli
from strategy.pictures import cards
from tests.support import published, raising
from tests.support.commands import Knuthle, report_of

COMMANDS = (
    "openers", "buckets crane", "pairs", "pairs --with crane", "cheatsheet crane",
    "cheatsheet crane --rule optimal", "suggest", "suggest --hard", "suggest --within none",
    "suggest --guess-from candidates --by parts",
)  # fmt: skip


@pytest.fixture
def run(knuthle: Knuthle) -> Knuthle:
    """Run a command in a folder with small lists of one, two, three and six-letter words."""
    Path("one.txt").write_text("crane\n")
    Path("two.txt").write_text("crane\nslate\n")
    Path("three.txt").write_text("crane\nslate\nabide\n")
    Path("six.txt").write_text("cranes\nslates\nabided\nstares\nsheeps\n")
    return lambda line, *more: knuthle(*line.split(), *more)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("pool", ["allowed", "secrets", "candidates"])
def test_every_rule_and_pool(knuthle: Knuthle, tiny: Path, rule: str, pool: str) -> None:
    asked = ("solve-all", "--list", tiny, "--rule", rule, "--guess-from", pool, "--hard")
    assert knuthle(*asked).code == 0
    (path,) = Path().iterdir()
    assert path.name.endswith(f"-tiny list-allowed-{rule}-hard.strategy")
    path.rename("s")
    assert knuthle("verify", "s", "--words", tiny).out.startswith("OK  s: 7 secrets played")


@pytest.mark.parametrize("name", ["one", "two", "three", "six"])
@pytest.mark.parametrize("command", COMMANDS)
def test_tiny_lists(run: Knuthle, command: str, name: str) -> None:
    command = command.replace("crane", "cranes") if name == "six" else command
    for options in ("", "--csv -", "--json -"):
        outcome = run(f"{command} --list {name}.txt --secrets allowed {options}")
        assert (outcome.code, outcome.said) == (0, "")
        assert outcome.out
        if command.startswith("suggest") and "--json" in options:
            assert json.loads(outcome.out)["exact"]["guesses"]


def test_equal_words_are_refused_before_anything_is_compiled(
    run: Knuthle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("strategy.cli.output.at_work", raising(AssertionError()))
    for options in ("", "--third"):
        outcome = run(f"pairs crane CRANE --list three.txt {options}")
        assert outcome.code == 2 and "'crane' is given twice" in outcome.err


def test_what_is_too_slow_is_said(run: Knuthle) -> None:
    words = ["".join(begins) + "ght" for begins in product("abcdefijklmnop", repeat=2)]
    Path("rhymes.txt").write_text("\n".join(words))
    out = run("suggest --list rhymes.txt --secrets allowed --top 1").out
    assert "\n\ntoo slow to compute here: use knuthle optimal --state\n\n" in out


@pytest.mark.slow
def test_cheatsheet_by_exact_totals(run: Knuthle) -> None:
    found = report_of(run, "cheatsheet soare --list original --group hits --rule optimal")
    assert found["total"] == 8336
    assert found["rows"][0] == {
        "groups": ["0"], "guesses": ["soare"], "word": "clint",
        "joint_entropy": pytest.approx(5.508503, abs=1e-6), "remaining": 183, "n_tied": 1,
        "total": 510, "mean": 510 / 183, "limit": 6, "proved": True,
    }  # fmt: skip


@pytest.mark.parametrize("rule", ["entropy", "minimax", "optimal"])
@pytest.mark.parametrize("pool", ["allowed", "secrets", "candidates"])
def test_cheatsheet_in_hard_mode_and_from_pools(run: Knuthle, rule: str, pool: str) -> None:
    Path("four.txt").write_text("abc\nade\nbde\nxyz\n")
    asked = f"cheatsheet abc --list four.txt --secrets allowed --rule {rule} --guess-from {pool}"
    found = report_of(run, f"{asked} --group hits --hard")
    assert (found["guess_from"], found["hard"], found["shares"]) == (pool, True, {"xyz": 0.25})
    none, one = found["rows"]
    assert (none["groups"], none["word"], none["remaining"]) == (["0"], "xyz", 1)
    assert (one["groups"], one["word"], one["joint_entropy"], one["n_tied"]) == (
        ["1"], None, None, 0,
    )  # fmt: skip
    assert run(f"{asked} --group hits --hard --card card.pdf").code == 0
    assert b"(none)" in Path("card.pdf").read_bytes()
    if rule == "optimal":
        assert (one["total"], one["proved"], found["total"]) == (None, None, None)
    easy = report_of(run, f"{asked} --group hits")["rows"]
    assert [row["word"] for row in easy] == ["xyz", "ade"]


@pytest.mark.slow
@pytest.mark.parametrize("group", ["score", "hits", "colours"])
def test_cards(run: Knuthle, group: str) -> None:
    asked = f"cheatsheet soare --group {group}"
    for kind in ("svg", "html"):
        assert run(f"{asked} --card card.{kind}").code == 0
    words = {row["word"] for row in report_of(run, f"{asked} --card card.pdf")["rows"]}
    pdf = Path("card.pdf").read_bytes()
    _check_pdf(pdf)
    drawn = Path("card.svg").read_text()
    ElementTree.fromstring(drawn)
    for word in words:
        assert f">{word.upper()}<" in drawn and f"({word.upper()})".encode() in pdf
    page = Path("card.html").read_text()
    assert all(f">{word.upper()}<" in page for word in words)


def _check_pdf(pdf: bytes) -> None:
    """Every entry of the cross-reference table points to its object; the stream has its length."""
    assert pdf.startswith(b"%PDF-1.4\n") and pdf.endswith(b"%%EOF\n")
    table = int(pdf.rsplit(b"startxref\n", 1)[1].split()[0])
    places = [int(entry) for entry in re.findall(rb"(\d{10}) 00000 n", pdf[table:])]
    for number, place in enumerate(places, 1):
        assert pdf[place:].startswith(b"%d 0 obj" % number)
    streams = list(re.finditer(rb"/Length (\d+) >>\nstream\n", pdf))
    for stream in streams:
        assert pdf[stream.end() + int(stream[1]) :].startswith(b"\nendstream")
    assert b"/Count %d " % len(streams) in pdf


def test_a_card_says_what_it_shows(run: Knuthle) -> None:
    """TRACE has 149 rows: drawn smaller they fit on one page, each panel with its legend."""
    assert run("cheatsheet trace --list original --card card.svg").code == 0
    assert run("cheatsheet trace --list original --card card.pdf").code == 0
    assert b"/Count 1 " in Path("card.pdf").read_bytes()
    texts = [text.text for text in ElementTree.fromstring(Path("card.svg").read_text())]
    for legend in ("grey", "yellow", "green", "right: possible answers"):
        assert texts.count(legend) == 8
    at = texts.index("TRACE")
    assert texts[at + 1 : at + 4] == ["2,315 answers, original", "1/8", "next guess for each reply"]
    assert texts.count("sorted in this order, tile by tile") == 8


@pytest.mark.parametrize("question", [
    "salet --group hits --depth 3", "salet --group colours --depth 3 --hard",
    "1122 --game mastermind:4x6 --depth 3", "salet --list original", "salet",
    "winterweeds --list a-list-of-words-with-eleven-letters.txt",
])  # fmt: skip
def test_no_text_leaves_its_panel(run: Knuthle, question: str) -> None:
    """Whatever the font: letters take 0.6 of its size on average, capitals at most 0.8."""
    words = "abandonment acclimatize microwaving winterweeds woodworkers"
    Path("a-list-of-words-with-eleven-letters.txt").write_text(words.replace(" ", "\n"))
    assert run(f"cheatsheet {question} --card card.svg").code == 0
    for drawn in ElementTree.fromstring(Path("card.svg").read_text()):
        if text := (drawn.text or "").strip():
            wide = 0.8 if text.isupper() and "Courier" not in drawn.attrib["font-family"] else 0.6
            left = (float(drawn.attrib["x"]) - 10) % cards.PANEL_WIDTH  # 10 is the margin
            assert left + wide * float(drawn.attrib["font-size"]) * len(text) < cards.PANEL_WIDTH


def test_rows_stand_as_one_searches_them_with_a_reply_in_hand(run: Knuthle) -> None:
    rows = report_of(run, "cheatsheet soare")["rows"]
    keys = [["byg".index(mark) for mark in row["groups"][0]] for row in rows]
    assert keys == sorted(keys)
    rows = report_of(run, "cheatsheet soare --group colours")["rows"]
    assert [row["groups"] for row in rows] == sorted(row["groups"] for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("group", ["hits", pytest.param("score", marks=pytest.mark.long)])
def test_third_words_are_on_the_card(run: Knuthle, group: str) -> None:
    rows = report_of(run, f"cheatsheet soare --depth 3 --group {group} --card card.svg")["rows"]
    texts = [text.text for text in ElementTree.fromstring(Path("card.svg").read_text())]
    drawn = [text for text in texts if text and re.fullmatch("[A-Z]{5}", text) and text != "SOARE"]
    words = [row["word"].upper() for row in rows]
    again = texts.count("...")  # a column that begins within a group says which one
    assert len(drawn) == len(words) + again
    left = iter(drawn)
    assert all(word in left for word in words)


def test_foreign_names_do_no_harm_on_a_card(run: Knuthle) -> None:
    name = "\u4e00 (\u00e9) <b>\\\x1b[31m.txt"
    Path(name).write_text("crane\nslate\nabide\n")
    for kind in ("svg", "html", "pdf"):
        assert cli.main(["cheatsheet", "crane", "--list", name, "--card", f"card.{kind}"]) == 0
    _check_pdf(Path("card.pdf").read_bytes())
    ElementTree.fromstring(Path("card.svg").read_text())
    assert all(b"\x1b" not in Path(f"card.{kind}").read_bytes() for kind in ("svg", "html", "pdf"))


@pytest.mark.long
def test_large_cards_are_shared_out_among_pages(run: Knuthle) -> None:
    """All third words after SOARE take forty panels, eight on a page that A4 and Letter hold."""
    assert run("cheatsheet soare --list original --depth 3 --card card.pdf").code == 0
    pdf = Path("card.pdf").read_bytes()
    _check_pdf(pdf)
    assert b"/Count 5 " in pdf or b"/Count 6 " in pdf
    for width, height in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf):
        assert float(width) <= 595 and float(height) <= 792


def test_buckets_are_those_published(run: Knuthle) -> None:
    (split,) = report_of(run, "buckets arise --list original")["splits"]
    counts = {bucket["text"]: bucket["count"] for bucket in split["buckets"]}
    assert published.ARISE.items() <= counts.items() and sum(counts.values()) == 2315
    assert run("buckets arise soare --list original --plot split.svg").code == 0
    drawn = Path("split.svg").read_text()
    assert ElementTree.fromstring(drawn) is not None and ">168<" in drawn
    assert run("buckets 12 --game mastermind:2x3 --plot split.svg").code == 0
    assert "12: 9 codes, 5 buckets" in Path("split.svg").read_text()
