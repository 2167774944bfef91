"""The helper in a real browser: positions as the command answers them, undo, pasting, addresses."""

import json
import random
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from solver.game.load import load_game
from tests.support import ROOT
from tests.support.asked import clues, flags, told
from tests.support.browsers import Table
from tests.support.node import SITE

pytestmark = pytest.mark.slow

ADVICE = "#view-helper .advice"
NOTE = "#view-helper .note"
BYBBB = "#helper/crane.bybbb"
#: A word and its colours are on the board, all of them.
TILES = "#view-helper .row:not(.now) button.tile"
#: Links of the guide to the page.
TRIED = re.compile(r"made/try/index\.html(#[^)\s]+)")


def fixed(value: float, digits: int) -> str:
    """As JavaScript rounds: a half goes up."""
    step = Decimal(1).scaleb(-digits)
    return str(Decimal(value).quantize(step, ROUND_HALF_UP))


def leaves(size: float) -> str:
    return fixed(size, 1) if size < 10 else f"{int(fixed(size, 0)):,}"


def rows_of(answer: dict[str, Any]) -> list[list[str]]:
    """The table of proposals as the page has it."""
    is_exact = any(row["mean"] is not None for row in answer["suggestions"])
    rows = []
    for row in answer["suggestions"]:
        cells = [row["word"]]
        if is_exact:
            cells.append("–" if row["mean"] is None else fixed(row["mean"], 2))
        if answer["remaining"] > 2:
            cells += [leaves(row["expected_size"]), f"{row['parts']:,}"]
        rows.append(cells)
    return rows


def table(page: Table) -> list[list[str]]:
    script = """return [...document.querySelectorAll(".proposals tbody tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent))"""
    return [row[:-1] for row in page.run(script)]


def label(page: Table) -> str:
    """What the row that is being typed says of itself."""
    return str(page.run("return document.querySelector('#view-helper .now').ariaLabel"))


GAMES: tuple[dict[str, Any], ...] = (
    {"list": "nyt-2026", "secrets": "answers"}, {"list": "original", "secrets": "allowed"},
    {"list": "nyt-2022", "secrets": "answers", "hard": True},
    {"list": "nyt-2026", "secrets": "answers", "used": "weigh"},
    {"list": "nyt-2026", "secrets": "answers", "used": "exclude"},
)  # fmt: skip


@pytest.mark.parametrize("count", [15, pytest.param(60, marks=pytest.mark.long)])
def test_positions_are_answered_as_by_commands(page: Table, count: int) -> None:
    page.show()
    dice = random.Random(11)
    for options in [it for it in GAMES for _ in range(count // 5)]:
        game = load_game(options["list"], secrets=options["secrets"])
        text = clues(game, dice, dice.choice((1, 1, 2, 2, 3)), "hard" in options)
        text = text[: text.find("ggggg") + 5] if "ggggg" in text else text  # no guess follows
        page.advice_at(f"#helper/{text.replace(' ', '.')}?{urlencode(options).lower()}")
        args = ["suggest", *text.split(), *flags(options), "--quiet"]
        known = told(args)
        if text.endswith("ggggg"):
            assert "Solved in" in page.text(ADVICE), args
            continue
        if "error" in known:
            assert page.text(f"{ADVICE} h2") in ("No word fits these colours", "No advice"), args
            continue
        expected = known["answer"]
        if expected["remaining"] == 1:
            assert page.text(f"{ADVICE} h2") == f"It is {expected['secrets'][0]}", args
        assert table(page) == rows_of(expected), args
        assert f"{expected['remaining']:,} " in page.text(f"{ADVICE} .about"), args
        shown = page.texts(f"{ADVICE} .chip")
        assert shown == (expected["secrets"][:60] if expected["remaining"] > 1 else []), args


def test_the_first_word_is_one_that_people_know(page: Table) -> None:
    """As `play` says it; in hard mode, for which no such word is known, as `suggest` does."""
    page.show()
    for options, args, word, said in (
        ("", [], "trace", "the game takes 3.57 guesses"),
        ("used=weigh", ["--used", "weigh"], "caret", "3.42 guesses"),
        ("used=exclude", ["--used", "exclude"], "", "1,292 words fit"),
        ("hard=true", ["--hard"], "", "It leaves about 100 on"),
    ):
        page.advice_at(f"#helper/?{options}")
        page.says(f"{ADVICE} .about", said)
        known = told(["suggest", *args, "--quiet"])["answer"]
        best = word or known["suggestions"][0]["word"]
        assert page.text(f"{ADVICE} h2") == f"Begin with {best}"
        seen = [row for row in table(page) if row[0] != word]
        assert seen == [row for row in rows_of(known) if row[0] != word][: len(seen)]
        assert len(seen) > 8
    assert "bits" not in page.text("main").lower()
    page.press_button("Example")
    page.is_at(f"{BYBBB}?hard=true")


def test_past_answers_are_a_choice(page: Table) -> None:
    """For the newspaper's list alone, and where proposals are made."""
    page.show(BYBBB)
    seen = "return document.querySelector('#used-field').checkVisibility()"
    page.find("#options-summary").click()
    assert page.run(seen)
    page.fill(used="weigh")
    page.says(ADVICE, "Past answers count 10 times less")
    assert page.address == f"{BYBBB}?used=weigh"
    assert "used answers less likely" in page.text("#options-summary")
    expected = told(["suggest", "crane", "bybbb", "--used", "--quiet"])["answer"]
    assert table(page) == rows_of(expected)
    page.fill(used="exclude")
    page.says(ADVICE, "31 words fit")
    page.find("#tab-strategies").click()
    assert not page.run(seen) and "used" not in page.text("#options-summary")
    page.find("#tab-helper").click()
    page.fill(list="original")
    page.until(lambda: not page.run(seen))


def test_answers_stand_first_for_those_who_want_it(page: Table) -> None:
    """The best of them, then the best words; chosen once, it is so at the next visit."""
    page.show(BYBBB, ".advice .take")
    page.press_button("Answers first")
    page.sees(f"{ADVICE} [aria-pressed=true]")
    page.until(lambda: len(table(page)) > 10)
    clue = ["suggest", "crane", "bybbb"]
    answers = rows_of(told([*clue, "--guess-from", "candidates"])["answer"])
    words = rows_of(told(clue)["answer"])
    assert table(page) == [*answers, *(row for row in words if row not in answers)]
    assert page.text(f"{ADVICE} h2") == f"Guess {answers[0][0]}"
    page.show()
    page.until(lambda: len(table(page)) > 10)
    first = told(["suggest", "--guess-from", "candidates"])["answer"]["suggestions"]
    shown = [row[0] for row in table(page)]
    assert shown[:5] == ["trace", *(row["word"] for row in first if row["word"] != "trace")][:5]


def test_undo_takes_back_one_step_at_a_time(page: Table) -> None:
    """Backspace goes back over tiles, letters and rows."""
    page.show()
    page.press("crane", "bybbb", Keys.ENTER)
    page.is_at(BYBBB)
    page.press("shout", "bbgbb", Keys.ENTER)
    page.is_at(f"{BYBBB}.shout.bbgbb")
    page.run("document.querySelector('#view-helper .row button').click()")  # the C is yellow
    page.is_at("#helper/crane.yybbb.shout.bbgbb")
    page.press("moi")
    control = ActionChains(page.driver).key_down(Keys.CONTROL)
    control.send_keys("z").key_up(Keys.CONTROL).perform()
    assert label(page) == "Guess 3: empty"
    for expected in (f"{BYBBB}.shout.bbgbb", BYBBB, "#helper"):
        page.press_button("Undo")
        page.is_at(expected)
    page.says(ADVICE, "Begin with")
    page.driver.back()
    page.is_at(BYBBB)
    page.says(ADVICE, "104 words fit")
    page.show()
    page.press("crane", "gg", Keys.BACKSPACE, "b", Keys.ENTER)
    page.is_at("#helper/crane.gbbbb")
    page.press(Keys.BACKSPACE)  # the row is open again, with its colours
    assert label(page) == "Guess 1: crane. Its colours"
    assert page.texts("#view-helper .now .green") == ["c"]
    page.press(Keys.BACKSPACE)
    assert label(page) == "Guess 1: cran"
    page.press(*[Keys.BACKSPACE] * 6)
    assert label(page) == "Guess 1: empty"


#: Neither clues nor a word of the list.
STRANGE = ["<img src=x onerror=alert(1)>", "qqqqq bybbb", "\u202eenarc\u202c bybbb", "x" * 10_000]


def test_pasted_clues_are_the_position(page: Table) -> None:
    """Whatever else is pasted is harmless."""
    page.show()
    both = f"{BYBBB}.shout.bbgbb"
    for text, place in (
        ("crane bybbb", BYBBB), ("CRANE 01000\nshout: 00200\n", both), ("crane ⬛🟨⬛⬛⬛", BYBBB),
        ("crane.bybbb.shout.bbgbb", both),
    ):  # fmt: skip
        page.paste(text)
        page.is_at(place)
        page.go("#helper/")
        page.until(lambda: label(page) == "Guess 1: empty")
    page.paste(" Crane\n")
    page.paste("⬛🟨⬛⬛⬛")
    page.until(lambda: page.texts("#view-helper .now .yellow") == ["r"])
    page.press(Keys.ENTER)
    page.is_at(BYBBB)
    page.show()
    for text in STRANGE:
        page.empty(NOTE)
        page.paste(text)
        page.until(lambda: page.text(NOTE) != "")
        assert len(page.text(NOTE)) < 200, text
        assert not page.all(f"{NOTE} img"), text
        assert page.address == "#helper", text


@pytest.mark.parametrize(("place", "said"), [
    ("#helper/crane.bybb", "no position of this list"), ("#helper/zzzzz.bbbbb", "left out: ZZZZZ."),
    ("#helper/%E0%A4%A", "address is damaged"), ("#nothing", "no such page"),
    ("#openers/x", "no such page"),
    ("#helper/crane.bybbb?list=own", "list of somebody's own"),
    ("#helper?boards=999", "boards=999"), ("#helper/?list=%3Cb%3E", "list=<b>"),
    ("#helper/?x=y", "x=y"), ("#helper/?list=constructor", "list=constructor"),
    ("#helper/?secrets=toString", "secrets=toString"), ("#game/day/9999", "“day/9999”"),
    ("#mastermind/9x9.1", "no position of this game"), ("#helper/?hard=true", ""),
])  # fmt: skip
def test_a_damaged_address_is_told(page: Table, place: str, said: str) -> None:
    page.open(page.url, place)
    page.sees("nav a[aria-current]")
    page.says("#trouble", said)
    assert (said != "") == page.find("#trouble").is_displayed()


def test_an_address_that_is_sent_shows_the_same_board(page: Table) -> None:
    place = "#helper/crane.bybbb.trout.bygbb?list=nyt-2022&secrets=allowed&hard=true"
    page.show(place, ".proposals .take")
    seen = page.text("#view-helper")
    page.press_button("Share")
    page.says(NOTE, "address")
    page.forget(page.url)
    page.show(place, ".proposals .take")
    assert page.text("#view-helper") == seen
    summary = page.text("#options-summary")
    assert "nyt-2022" in summary and "hard mode" in summary
    page.show(f"{BYBBB}.moist.bbbbb?hard=true")  # a guess that hard mode forbids is told
    page.until(lambda: page.text(f"{ADVICE} h2") == "No advice")
    for place in (ADVICE, NOTE):  # the note is in sight on a telephone, too
        assert "Hard mode forbids" in page.text(place)


def test_enter_after_a_word_says_that_it_is_spelled(page: Table) -> None:
    """As players do; a tile that is tapped says the same, and so does the first colour."""
    page.show()
    page.press("crane", Keys.ENTER)
    assert label(page) == "Guess 1: crane. Its colours" and page.address == "#helper"
    page.press(Keys.ENTER)
    page.is_at("#helper/crane.bbbbb")
    page.sees(".take-best")
    page.find(".take-best").click()  # a proposal is spelled, but not yet seen on the board
    page.press(Keys.ENTER)
    assert "Its colours" in label(page) and page.address == "#helper/crane.bbbbb"
    page.show()  # where *Done* was, letters stand: the second click of two is not for them
    page.press("crane", Keys.ENTER)
    page.sees("#view-helper .keyboard.colours")
    click = """[...document.querySelectorAll("#view-helper .keyboard button")]
      .find((each) => each.textContent === arguments[0])
      .dispatchEvent(new MouseEvent("click", {bubbles: true, detail: arguments[1]}))"""
    page.run(click, "Done", 1)
    page.until(lambda: not page.all("#view-helper .keyboard.colours"))
    page.run(click, "v", 2)
    assert page.text("#view-helper .now") == ""
    for times in (1, 2):
        page.run(click, "v", times)
    assert page.text("#view-helper .now") == "vv"


def test_what_is_played_may_change_while_the_board_stays(page: Table) -> None:
    page.show("#helper/tarse.bbbbb.crane.bybbb")
    page.find("#options-summary").click()
    page.find("#hard").click()
    page.is_at("#helper/tarse.bbbbb.crane.bybbb?hard=true")
    assert len(page.all("#view-helper button.tile")) == 10
    page.find("#tab-game").click()
    page.fill(list="original")
    page.find("#tab-helper").click()  # the other tab's board stays, too
    said = "Not in this list of words, so left out: TARSE."
    page.until(lambda: page.text("#trouble") == said)
    assert len(page.all("#view-helper button.tile")) == 5
    page.fill(list="nyt-2023")
    page.sees("#view-helper button.tile", 10)


def test_the_page_stands_where_it_was(page: Table) -> None:
    """After another tab, loaded again with the word that is typed, opened from the home screen."""
    page.show(BYBBB)
    page.says(ADVICE, "104 words fit")
    page.find("#tab-openers").click()
    page.until(lambda: page.text("#view-openers tbody th") != "")
    for _ in range(2):
        page.find("#tab-helper").click()
        page.is_at(BYBBB)
        assert page.text("#view-helper .row") == "crane"
    page.press("sla")
    page.driver.refresh()
    page.until(lambda: label(page) == "Guess 2: sla")
    started = json.loads((SITE / "manifest.webmanifest").read_text())["start_url"]
    page.open(page.url, started.removeprefix("./"))
    page.until(lambda: page.address == BYBBB and label(page) == "Guess 2: sla")
    mine, graded = "#mastermind/4x6.1122.1,1", "#review/crane.bybbb.sloth.bbbbb.ruddy.ggggg"
    for place in (mine, graded, "#openers"):  # each tab, when another one was there last
        page.go(place)
        page.is_at(place)
    page.driver.refresh()
    for tab, place in (("mastermind", mine), ("review", graded), ("helper", BYBBB)):
        page.find(f"#tab-{tab}").click()
        page.is_at(place)
    page.until(lambda: label(page) == "Guess 2: sla")
    page.show(BYBBB)  # an address that somebody has sent is that position alone
    page.until(lambda: label(page) == "Guess 2: empty")


def test_a_tile_opens_a_board_again_or_solves_it(page: Table) -> None:
    """Rows of guesses that were made while it was taken for solved are grey, which is said."""
    page.show("#helper/crane.bybbb.bbbbb.slate.ggggg.bbybb.moist.ybbbb?boards=2")
    first = "#view-helper .board:first-child .row:not(.now) button.tile"
    page.sees(first, 10)
    page.press("pudgy", Keys.ENTER)
    page.run("document.querySelectorAll(arguments[0])[5].click()", first)
    page.until(lambda: page.text("#trouble").startswith("Board 1 is open again"))
    again = "#helper/crane.bybbb.bbbbb.slate.bgggg.bbybb.moist.bbbbb.ybbbb?boards=2"
    assert (page.address, len(page.all(first))) == (again, 15)
    page.press(*[Keys.ENTER] * 3)
    page.is_at(again.replace("?", ".pudgy.bbbbb.bbbbb?"))
    page.driver.refresh()
    page.sees(first, 20)
    page.show("#helper/crane.bgggg.slate.bbbbb")
    page.sees(TILES, 10)
    for _ in range(2):
        page.run("document.querySelector(arguments[0]).click()", TILES)
    page.says(ADVICE, "Solved in 1 guess")
    assert page.address == "#helper/crane.ggggg"
    page.press_button("Undo")
    page.is_at("#helper/crane.ygggg.slate.bbbbb")


def test_back_and_forward_go_through_tabs_and_positions(page: Table) -> None:
    page.show(BYBBB)
    page.press("slate", "bbbyg", Keys.ENTER)
    page.is_at(f"{BYBBB}.slate.bbbyg")
    page.find("#tab-game").click()
    page.sees("#view-game .now")
    coloured = "#view-helper .row:has(.yellow), #view-helper .row:has(.green)"
    for step, rows in (("back", 2), ("back", 1), ("forward", 2)):
        getattr(page.driver, step)()
        page.sees("#view-helper:not([hidden])")
        page.sees(coloured, rows)
    page.driver.forward()
    page.sees("#view-game:not([hidden])")


@pytest.mark.parametrize("source", [
    "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, "
    "{get() { throw new DOMException('forbidden', 'SecurityError'); }})",
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
])  # fmt: skip
def test_without_room_to_store_all_tabs_work(page: Table, source: str) -> None:
    with page.before_load(source):
        page.show("#game", ".now")
        page.press("crane", Keys.ENTER)
        page.press_button("Give up")
        page.press_button("Yes, give up")
        page.says("#view-game .statistics", "1 played")
        page.find("#contrast").click()
        page.find("#tab-strategies").click()
        page.fill(start="crane")
        page.press_button("Build")
        page.sees("#view-strategies a[download]")
        page.press_button("Explore")
        page.says("#view-strategies .advice", "no room")
        page.find("#tab-helper").click()
        page.says(ADVICE, "Begin with")
        assert not page.find("#trouble").is_displayed()


def test_each_position_of_the_guide_is_one(page: Table) -> None:
    page.show()
    pages = [*(ROOT / "docs").rglob("*.md")]
    found = {it for text in pages for it in TRIED.findall(text.read_text(encoding="utf-8"))}
    assert len(found) > 9
    offered = page.texts("nav a")
    for place in sorted(found):
        tab = place.lstrip("#").partition("/")[0]
        if tab.capitalize() in offered:
            page.go(place)
            page.sees(f"#tab-{tab}[aria-current]")
            assert not page.find("#trouble").is_displayed(), (place, page.text("#trouble"))
    page.in_sight("#work", False)


STORED = (
    "null", "7", '"x"', "[]", "{", '{"list": "constructor", "boards": "<b>", "hard": {}}',
    '{"list": "own", "secrets": 5, "boards": 1e9}', '{"played": 3}', '"<b>x</b>"',
    '{"played": "<b>7</b>", "counts": [1]}',
)  # fmt: skip


@pytest.mark.long
def test_whatever_lies_in_the_storage_is_harmless(page: Table) -> None:
    """Each text is there before the page is, whose first tab is one or the other."""
    page.open(page.url)
    for at, kept in enumerate(STORED):
        for name in ("options", "own-list", "statistics", "game", "day", "places"):
            page.run("localStorage.setItem(`knuthle-${arguments[0]}`, arguments[1])", name, kept)
        then = "helper" if at % 2 else "game"
        page.show("#game/hidden" if at % 2 else "#helper")
        assert not page.find("#trouble").is_displayed(), kept
        page.find(f"#tab-{then}").click()
        page.sees(f"#tab-{then}[aria-current]")
        assert not page.find("#trouble").is_displayed(), kept
        page.until(lambda: page.texts(f"{ADVICE} h2") != [])
        page.sees("#view-game .now")
        assert not page.all("#view-game .advice b b"), kept
