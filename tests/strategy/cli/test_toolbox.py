"""Openers, buckets, pairs, cheatsheet, suggest as people run them; common words before others."""

import json
import re
import time
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from solver.advice.suggest import answers_of_lists, common_words, least_seen
from solver.choices import RULES
from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.machine.clock import compile_time, working_cpu
from solver.words.lists import NAMED_LISTS, did_you_mean, named_list
from strategy import cheat_sheet, cli, review, suggest
from strategy.pictures import cards
from strategy.play.helper import FIRST_WORDS, Helper
from strategy.toolbox.guesses import HowToFind
from tests.support import published, raising, refused
from tests.support.commands import Knuthle, report_of, seen_on

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
    outlines = [it for it in ElementTree.fromstring(drawn) if it.get("fill") == "none"]
    assert {it.get("width") for it in outlines} == {f"{cards.PANEL_WIDTH:.2f}"}  # folds alone
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


#: Five clues: 104 words fit the first, 88 the second, of which the best two differ by 0.
CRANE = ("suggest", "crane", "bybbb", "--top", 3)
COMMON = frozenset[str]().union(*(named_list(name, "answers").words for name in NAMED_LISTS))


@pytest.mark.parametrize("columns, whole", [(200, True), (100, True), (80, False), (40, False)])
def test_a_wide_terminal_shows_all_columns(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, columns: int, whole: bool
) -> None:
    seen_on(monkeypatch, columns)
    lines = knuthle(*CRANE).out.splitlines()
    assert any(line.startswith("rank") for line in lines) is whole
    assert max(map(len, lines)) <= columns


@pytest.mark.parametrize("more", [("--all",), (), ("--by", "expected-size"), ("--common",)])
def test_forty_columns_are_enough(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    seen_on(monkeypatch, 40)
    for clues in (("crane", "bbbbb", "silty", "bybbb"), ("crane", "bybbb"), ()):
        said = knuthle("suggest", *clues, *more).out
        assert said and max(map(len, said.splitlines())) <= 40


@pytest.mark.parametrize("board, clues", [
    ("4x6", "1122 1,0"), ("4x6", ""), ("6x6", "112233 2,1"), ("4x10:distinct", ""),
])  # fmt: skip
@pytest.mark.parametrize("more", [(), ("--all",), ("--by", "parts")])
def test_codes_fit_into_forty_columns(
    knuthle: Knuthle, monkeypatch: pytest.MonkeyPatch, board: str, clues: str, more: tuple[str, ...]
) -> None:
    seen_on(monkeypatch, 40)
    lines = knuthle("suggest", "--game", f"mastermind:{board}", *clues.split(), *more).out
    seen = re.sub("\x1b\\[[0-9;]*m", "", lines).splitlines()
    assert any(" like it" in line for line in seen) and max(map(len, seen)) <= 40


# --- common words


def test_common_words_are_answers_of_the_shipped_lists() -> None:
    for game in (load_game("nyt-2026"), load_game("nyt-2022", "allowed")):
        assert {game.guesses[at] for at in common_words(game)} == COMMON & {*game.guesses}
    for game in (load_game(["crane", "stare", "zzzzz"]), load_game(spec="mastermind:2x4")):
        assert len(answers_of_lists(game)) == 0
    few = load_game(["crane", "stare", "zzzzz"], secrets=["zzzzz"])
    assert [few.guesses[at] for at in common_words(few)] == ["zzzzz"]


def test_of_equal_words_the_common_ones_come_first(tmp_path: Path) -> None:
    """A list under another name, whose words may all be hidden: ABDOM comes before BADGE there."""
    path = tmp_path / "mine.txt"
    path.write_text("\n".join(named_list("nyt-2026", "allowed").words))
    found = suggest(load_game(path), "crane bbbbb moldy bbbbb fight bgbbb", top=None)
    places = [(row.mean or 99, not row.candidate, row.word not in COMMON) for row in found.words]
    looked_at = [place for place in places if place[0] < 99]
    assert looked_at == sorted(looked_at) and len({place[2] for place in looked_at}) == 2


def test_a_card_has_a_common_word_where_one_is_as_good() -> None:
    """Alphabetically GLUTS, DRIPT, BIGOS, ADVTS and ABIUS come before these, and are as good."""
    sheet = cheat_sheet(load_game("nyt-2026"), "crane", rule="minimax")
    words = {row.key[0]: row.word for row in sheet.rows}
    expected = {"bbbgb": "gusto", "bgbbg": "pivot", "bgbgb": "bigot", "bggbg": "badge"}
    assert {key: words[key] for key in expected} == expected
    assert words["ybbbg"] == "adios"
    tied = [row for row in sheet.rows if row.tied > 40 and row.answers > 2]
    assert tied and all(row.word in COMMON for row in tied)


def test_the_helper_prefers_common_words_whatever_may_be_hidden() -> None:
    """Of 86 words that tell six apart ADOZE, AFION and AZIDO would stand before these."""
    few = "humid idiom opium ovoid whiff whizz cynic".split()
    game = load_game("nyt-2026", secrets=few)
    for boards, told in (
        (1, "crane.bbbbb.silty.bybbb"),
        (2, "crane.bbbbb.bbbbb.silty.bybbb.bybbb"),
    ):
        helper = Helper(game, HowToFind(), boards=boards)
        helper.tell_state(told)
        assert all(word.word in COMMON for word in helper.proposals(12).words)


def test_on_several_boards_equal_words_stand_as_on_one() -> None:
    """By entropy GADSO is first, and BIDED is as good by guesses; so with AVOID and DHOLL."""
    helper = Helper(load_game("nyt-2026"), HowToFind(), boards=2)
    helper.tell_state("tares.bbbgb.ybbby.colin.bbbyb.bbbbb.bumpy.gbbbb.bgbbg")
    assert helper.proposals(10).words[0].word == helper.proposal().word == "bided"
    helper.undo(3)
    helper.tell_state("tares.bbbbb.bybyb.colin.bgybb.bbyyb.bumpy.bbbbg.bbbbb")
    words = [word.word for word in helper.proposals(25).words]
    assert words[4:8] == ["avoid", "awoke", "dholl", "klong"]


def test_optimal_shows_common_words_first_of_a_tie(knuthle: Knuthle) -> None:
    Path("few.txt").write_text("humid\nidiom\nopium\novoid\nwhiff\nwhizz\n")
    asked = ("--list", "nyt-2026", "--secrets", "few.txt", "--state", "crane.bbbbb", "--top", 1)
    lines = knuthle("optimal", *asked).out.splitlines()
    assert [line.split()[0] for line in lines[8:12]] == ["afoul", "defog", "doozy", "dozed"]


def test_a_review_names_common_words_first() -> None:
    found = review(load_game("nyt-2026", "allowed"), "tares colin bumpy jiggy", secret="jiggy")
    words = [better.word for better in found.guesses[3].better]
    assert words.index("wedge") < words.index("gawds")


def test_common_prefers_a_common_word() -> None:
    """In ``suggest`` and in ``play``."""
    game, state = load_game("nyt-2026"), "crane bbbbg"
    plain, common = suggest(game, state), suggest(game, state, common=True)
    best, preferred = plain.words[0], common.words[0]
    assert best.word not in COMMON and preferred.word in COMMON
    assert best.mean is not None and preferred.mean is not None
    assert 0 < preferred.mean - best.mean <= 0.02 and preferred.rank > 1
    helper = Helper(game, HowToFind(within=6, common=True))
    helper.tell_state(state)
    found = helper.proposals(10)
    assert [(row.word, row.rank, row.mean) for row in found.words] == [
        (row.word, row.rank, row.mean) for row in common.words
    ]
    assert least_seen(found.exact) == best.mean


@pytest.mark.parametrize("boards, told", [
    (2, "tares.bbbgb.bbbgb.colin.bbbyb.bbbyb.bumph.bbbbb.bbybb"),
    (2, "crane.bbbbb.bbbbb.silty.bybbb.bybbb.humid.bbbyb.ybbyb"),
])  # fmt: skip
def test_on_several_boards_a_common_word_may_cost_a_little(boards: int, told: str) -> None:
    game = load_game("nyt-2026")
    plain, common = (
        Helper(game, HowToFind(common=common), boards=boards) for common in (False, True)
    )
    for helper in (plain, common):
        helper.tell_state(told)
    rows, found = plain.proposals(None).words, common.proposals(1)
    means = {row.word: row.mean for row in rows if row.mean is not None}
    near = {word for word, mean in means.items() if mean <= min(means.values()) + 0.02}
    best = found.words[0]
    assert best.mean is not None and best.rank == 1 + sum(x < best.mean for x in means.values())
    assert best.word in near and (best.word in COMMON or not near & COMMON)


# --- patterns


@pytest.mark.parametrize(("word", "likely", "meant"), [
    ("crxne", ["crane", "crone"], "crane or crone or crine"),
    ("crxne", ["cryne"], "cryne or crane or crine"),
    ("crsne", ["crane", "crone"], "crane or crone or crine"),  # A lies beside S
    ("sltae", ["slate"], "slate"), ("slat", [], "slate"),
])  # fmt: skip
def test_the_word_that_was_meant(word: str, likely: list[str], meant: str) -> None:
    known = sorted(["crane", "crone", "crine", "cryne", "slate"])
    assert did_you_mean(word, known, likely=likely) == f"; did you mean {meant}?"


@pytest.mark.slow
@pytest.mark.parametrize(("options", "best"), [((), "tarse"), (("--used",), "sater")])
def test_first_words_cost_little(knuthle: Knuthle, options: tuple[str, ...], best: str) -> None:
    """Each mean is found anew, and is at most 0.02 guesses a game above the best one known."""
    word, mean = list(FIRST_WORDS.values())[bool(options)]
    command = "optimal", "--list", "nyt-2026", *options, "--json", "-", "--start"
    found, least = (json.loads(knuthle(*command, it).out)["mean"] for it in (word, best))
    assert found == pytest.approx(mean) and least <= mean <= least + 0.02
    assert f"try {word.upper()}  {mean:.4f}" in knuthle("play", *options, typed="").out


def test_clues_as_texts_in_python() -> None:
    game = load_game("nyt-2026")
    assert suggest(game, ["crane", "bybbb"], top=1) == suggest(game, "crane bybbb", top=1)
    mixed: Any = [("crane", "bybbb"), "sloth"]
    refused(WrongInputError, "'sloth' stands between pairs", suggest, game, mixed)


def test_compiling_is_no_processor_time_of_a_sweep() -> None:
    before = working_cpu()
    with compile_time.counted():
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
    assert working_cpu() - before < 0.1
