"""The helper in a real browser: positions as the command answers them, undo, pasting, addresses."""

import json
import random
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from solver.game.load import load_game
from tests.support import ROOT
from tests.support.asked import clues, told
from tests.support.browsers import Browser
from tests.support.node import SITE
from tests.support.table import advice_at, fill, paste, press_button, show, until

pytestmark = pytest.mark.slow

ADVICE = "#view-helper .advice"
BYBBB = "#helper/crane.bybbb"
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


def table(browser: Browser) -> list[list[str]]:
    script = """return [...document.querySelectorAll(".proposals tbody tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent))"""
    return [row[:-1] for row in browser.run(script)]


def positions(count: int) -> list[tuple[str, list[str]]]:
    """Addresses of random positions, and the command's words for each."""
    dice, found = random.Random(11), []
    for name, secrets, hard, used in (
        ("nyt-2026", "answers", False, ""), ("original", "allowed", False, ""),
        ("nyt-2022", "answers", True, ""), ("nyt-2026", "answers", False, "weigh"),
        ("nyt-2026", "answers", False, "exclude"),
    ):  # fmt: skip
        game = load_game(name, secrets=secrets)
        options = [f"list={name}", f"secrets={secrets}", *(["hard=true"] if hard else [])]
        options += [f"used={used}"] if used else []
        for _ in range(count // 5):
            text = clues(game, dice, dice.choice((1, 1, 2, 2, 3)), hard)
            text = text[: text.find("ggggg") + 5] if "ggggg" in text else text  # no guess follows
            address = f"#helper/{text.replace(' ', '.')}?{'&'.join(options)}"
            args = ["suggest", *text.split(), "--list", name, "--secrets", secrets]
            args += ["--used", used, "--quiet"] if used else []
            found.append((address, [*args, *(["--hard"] if hard else [])]))
    return found


@pytest.mark.parametrize("count", [15, pytest.param(60, marks=pytest.mark.long)])
def test_positions_are_answered_as_by_commands(browser: Browser, address: str, count: int) -> None:
    show(browser, address)
    for place, args in positions(count):
        advice_at(browser, place)
        known = told(args)
        if place.partition("?")[0].endswith(".ggggg"):
            assert "Solved in" in browser.text(ADVICE), args
            continue
        if "error" in known:
            assert browser.text(f"{ADVICE} h2") in ("No word fits these colours", "No advice"), args
            continue
        expected = known["answer"]
        if expected["remaining"] == 1:
            assert browser.text(f"{ADVICE} h2") == f"It is {expected['secrets'][0]}", args
        assert table(browser) == rows_of(expected), args
        counted = f"{expected['remaining']:,} "
        assert counted in browser.text(f"{ADVICE} .about"), args
        shown = browser.texts(f"{ADVICE} .chip")
        assert shown == (expected["secrets"][:60] if expected["remaining"] > 1 else []), args


def test_the_first_word_is_one_that_people_know(browser: Browser, address: str) -> None:
    """As `play` says it; in hard mode, for which no such word is known, as `suggest` does."""
    for options, word, said in (
        ("", "trace", "the game takes 3.57 guesses"), ("used=weigh", "caret", "3.42 guesses"),
        ("used=exclude", "", "1,292 words fit"), ("hard=true", "", "It leaves about 100 on"),
    ):  # fmt: skip
        advice_at(browser, f"#helper/?{options}") if options else show(browser, address)
        until(browser, lambda said=said: said in browser.text(f"{ADVICE} .about"))
        flag = {"used": "--used", "hard": "--hard"}.get(options.partition("=")[0], "")
        flags = [it for it in (flag, options.partition("=")[2]) if it and it != "true"]
        known = told(["suggest", *flags, "--quiet"])["answer"]
        best = word or known["suggestions"][0]["word"]
        assert browser.text(f"{ADVICE} h2") == f"Begin with {best}"
        seen = [row for row in table(browser) if row[0] != word]
        assert seen == [row for row in rows_of(known) if row[0] != word][: len(seen)]
        assert len(seen) > 8
    assert "bits" not in browser.text("main").lower()
    press_button(browser, "Example")
    until(browser, lambda: browser.address == f"{BYBBB}?hard=true")


def test_past_answers_are_a_choice(browser: Browser, address: str) -> None:
    """For the newspaper's list alone, and where proposals are made."""
    show(browser, address, BYBBB)
    seen = "return document.querySelector('#used-field').checkVisibility()"
    browser.find("#options-summary").click()
    assert browser.run(seen)
    fill(browser, used="weigh")
    until(browser, lambda: "Past answers count 10 times less" in browser.text(ADVICE))
    assert browser.address == f"{BYBBB}?used=weigh"
    assert "used answers less likely" in browser.text("#options-summary")
    expected = told(["suggest", "crane", "bybbb", "--used", "--quiet"])["answer"]
    assert table(browser) == rows_of(expected)
    fill(browser, used="exclude")
    until(browser, lambda: "31 words fit" in browser.text(ADVICE))
    browser.find("#tab-strategies").click()
    assert not browser.run(seen) and "used" not in browser.text("#options-summary")
    browser.find("#tab-helper").click()
    fill(browser, list="original")
    until(browser, lambda: not browser.run(seen))
    browser.run("localStorage.clear()")


def test_answers_stand_first_for_those_who_want_it(browser: Browser, address: str) -> None:
    """The best of them, then the best words; chosen once, it is so at the next visit."""
    show(browser, address, BYBBB)
    until(browser, lambda: browser.all(f"{ADVICE} .take"))
    press_button(browser, "Answers first")
    until(browser, lambda: browser.all(f"{ADVICE} [aria-pressed=true]"))
    until(browser, lambda: len(table(browser)) > 10)
    clue = ["suggest", "crane", "bybbb"]
    answers = rows_of(told([*clue, "--guess-from", "candidates"])["answer"])
    words = rows_of(told(clue)["answer"])
    assert table(browser) == [*answers, *(row for row in words if row not in answers)]
    assert browser.text(f"{ADVICE} h2") == f"Guess {answers[0][0]}"
    show(browser, address)
    until(browser, lambda: len(table(browser)) > 10)
    first = told(["suggest", "--guess-from", "candidates"])["answer"]["suggestions"]
    shown = [row[0] for row in table(browser)]
    assert shown[:5] == ["trace", *(row["word"] for row in first if row["word"] != "trace")][:5]
    browser.run("localStorage.clear()")


def label(browser: Browser) -> str:
    """What the row that is being typed says of itself."""
    return str(browser.run("return document.querySelector('#view-helper .now').ariaLabel"))


def test_undo_takes_back_one_step_at_a_time(browser: Browser, address: str) -> None:
    show(browser, address)
    browser.press("crane", "bybbb", Keys.ENTER)
    until(browser, lambda: browser.address == BYBBB)
    browser.press("shout", "bbgbb", Keys.ENTER)
    until(browser, lambda: browser.address == f"{BYBBB}.shout.bbgbb")
    browser.run("document.querySelector('#view-helper .row button').click()")  # the C is yellow
    until(browser, lambda: browser.address == "#helper/crane.yybbb.shout.bbgbb")
    browser.press("moi")
    ActionChains(browser.driver).key_down(Keys.CONTROL).send_keys("z").key_up(
        Keys.CONTROL
    ).perform()
    assert label(browser) == "Guess 3: empty"
    for expected in (f"{BYBBB}.shout.bbgbb", BYBBB, "#helper"):
        press_button(browser, "Undo")
        until(browser, lambda expected=expected: browser.address == expected)
    until(browser, lambda: "Begin with" in browser.text(ADVICE))
    browser.driver.back()
    until(browser, lambda: browser.address == BYBBB)
    until(browser, lambda: "104 words fit" in browser.text(ADVICE))


def test_backspace_goes_back_over_tiles_letters_and_rows(browser: Browser, address: str) -> None:
    show(browser, address)
    now = "#view-helper .now"
    browser.press("crane", "gg", Keys.BACKSPACE, "b", Keys.ENTER)
    until(browser, lambda: browser.address == "#helper/crane.gbbbb")
    browser.press(Keys.BACKSPACE)  # the row is open again, with its colours
    assert label(browser) == "Guess 1: crane. Its colours"
    assert browser.texts(f"{now} .green") == ["c"]
    browser.press(Keys.BACKSPACE)
    assert label(browser) == "Guess 1: cran"
    browser.press(*[Keys.BACKSPACE] * 6)
    assert label(browser) == "Guess 1: empty"


def test_pasted_clues_are_the_position(browser: Browser, address: str) -> None:
    show(browser, address)
    both = f"{BYBBB}.shout.bbgbb"
    for text, place in (
        ("crane bybbb", BYBBB), ("CRANE 01000\nshout: 00200\n", both), ("crane ⬛🟨⬛⬛⬛", BYBBB),
        ("crane.bybbb.shout.bbgbb", both),
    ):  # fmt: skip
        paste(browser, text)
        until(browser, lambda place=place: browser.address == place)
        browser.run("location.hash = '#helper/'")
        until(browser, lambda: label(browser) == "Guess 1: empty")
    paste(browser, " Crane\n")
    paste(browser, "⬛🟨⬛⬛⬛")
    until(browser, lambda: browser.texts("#view-helper .now .yellow") == ["r"])
    browser.press(Keys.ENTER)
    until(browser, lambda: browser.address == BYBBB)


#: Neither clues nor a word of the list.
STRANGE = ["<img src=x onerror=alert(1)>", "qqqqq bybbb", "\u202eenarc\u202c bybbb", "x" * 10_000]


def test_whatever_else_is_pasted_is_harmless(browser: Browser, address: str) -> None:
    show(browser, address)
    for text in STRANGE:
        browser.run("document.querySelector('#view-helper .note').replaceChildren()")
        paste(browser, text)
        until(browser, lambda: browser.text("#view-helper .note") != "")
        assert len(browser.text("#view-helper .note")) < 200, text
        assert not browser.all("#view-helper .note img"), text
        assert browser.address == "#helper", text


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
def test_a_damaged_address_is_told(browser: Browser, address: str, place: str, said: str) -> None:
    browser.open(address, place)
    until(browser, lambda: browser.all("nav a[aria-current]"))
    until(browser, lambda: said in browser.text("#trouble"))
    assert (said != "") == browser.find("#trouble").is_displayed()


def test_an_address_that_is_sent_shows_the_same_board(browser: Browser, address: str) -> None:
    place = "#helper/crane.bybbb.trout.bygbb?list=nyt-2022&secrets=allowed&hard=true"
    show(browser, address, place)
    until(browser, lambda: browser.texts(".proposals .take"))
    seen = browser.text("#view-helper")
    press_button(browser, "Share")
    until(browser, lambda: "address" in browser.text("#view-helper .note"))
    browser.run("localStorage.clear()")
    show(browser, address, place)
    until(browser, lambda: browser.texts(".proposals .take"))
    assert browser.text("#view-helper") == seen
    assert "nyt-2022" in browser.text("#options-summary")
    assert "hard mode" in browser.text("#options-summary")


def test_a_guess_that_hard_mode_forbids_is_told(browser: Browser, address: str) -> None:
    show(browser, address, f"{BYBBB}.moist.bbbbb?hard=true")
    until(browser, lambda: browser.text(f"{ADVICE} h2") == "No advice")
    assert "Hard mode forbids" in browser.text(ADVICE)
    assert "Hard mode forbids" in browser.text("#view-helper .note")  # in sight on a telephone, too


def test_the_other_tabs_keep_the_position(browser: Browser, address: str) -> None:
    show(browser, address, BYBBB)
    until(browser, lambda: "104 words fit" in browser.text(ADVICE))
    browser.find("#tab-openers").click()
    until(browser, lambda: browser.text("#view-openers tbody th") != "")
    browser.find("#tab-helper").click()
    until(browser, lambda: browser.address == BYBBB)
    assert browser.text("#view-helper .row") == "crane"
    browser.find("#tab-helper").click()  # once more
    assert browser.address == BYBBB and browser.text("#view-helper .row") == "crane"


def test_enter_after_a_word_says_that_it_is_spelled(browser: Browser, address: str) -> None:
    """As players do; a tile that is tapped says the same, and so does the first colour."""
    show(browser, address)
    browser.press("crane", Keys.ENTER)
    assert label(browser) == "Guess 1: crane. Its colours" and browser.address == "#helper"
    browser.press(Keys.ENTER)
    until(browser, lambda: browser.address == "#helper/crane.bbbbb")
    until(browser, lambda: browser.all(".take-best"))
    browser.find(".take-best").click()  # a proposal is spelled, but not yet seen on the board
    browser.press(Keys.ENTER)
    assert "Its colours" in label(browser) and browser.address == "#helper/crane.bbbbb"


def test_what_is_played_may_change_while_the_board_stays(browser: Browser, address: str) -> None:
    show(browser, address, "#helper/tarse.bbbbb.crane.bybbb")
    browser.find("#options-summary").click()
    browser.find("#hard").click()
    until(browser, lambda: browser.address == "#helper/tarse.bbbbb.crane.bybbb?hard=true")
    assert len(browser.all("#view-helper button.tile")) == 10
    browser.find("#tab-game").click()
    fill(browser, list="original")
    browser.find("#tab-helper").click()  # the other tab's board stays, too
    said = "Not in this list of words, so left out: TARSE."
    until(browser, lambda: browser.text("#trouble") == said)
    assert len(browser.all("#view-helper button.tile")) == 5
    fill(browser, list="nyt-2023")
    until(browser, lambda: len(browser.all("#view-helper button.tile")) == 10)
    browser.run("localStorage.clear()")


def test_the_page_stands_where_it_was(browser: Browser, address: str) -> None:
    """Loaded again with the word that is typed, or opened from the home screen."""
    show(browser, address, BYBBB)
    until(browser, lambda: "104 words fit" in browser.text(ADVICE))
    browser.press("sla")
    browser.driver.refresh()
    until(browser, lambda: label(browser) == "Guess 2: sla")
    started = json.loads((SITE / "manifest.webmanifest").read_text())["start_url"]
    browser.open(address, started.removeprefix("./"))
    until(browser, lambda: browser.address == BYBBB and label(browser) == "Guess 2: sla")
    mine, graded = "#mastermind/4x6.1122.1,1", "#review/crane.bybbb.sloth.bbbbb.ruddy.ggggg"
    for place in (mine, graded, "#openers"):  # each tab, when another one was there last
        browser.run("location.hash = arguments[0]", place)
        until(browser, lambda place=place: browser.address == place)
    browser.driver.refresh()
    for tab, place in (("mastermind", mine), ("review", graded), ("helper", BYBBB)):
        browser.find(f"#tab-{tab}").click()
        until(browser, lambda place=place: browser.address == place)
    until(browser, lambda: label(browser) == "Guess 2: sla")
    show(browser, address, BYBBB)  # an address that somebody has sent is that position alone
    until(browser, lambda: label(browser) == "Guess 2: empty")


def test_a_board_that_is_open_again_has_all_rows(browser: Browser, address: str) -> None:
    """Those of guesses that were made while it was taken for solved are grey, which is said."""
    show(browser, address, "#helper/crane.bybbb.bbbbb.slate.ggggg.bbybb.moist.ybbbb?boards=2")
    first = "#view-helper .board:first-child .row:not(.now) button.tile"
    until(browser, lambda: len(browser.all(first)) == 10)
    browser.press("pudgy", Keys.ENTER)
    browser.run("document.querySelectorAll(arguments[0])[5].click()", first)
    until(browser, lambda: browser.text("#trouble").startswith("Board 1 is open again"))
    again = "#helper/crane.bybbb.bbbbb.slate.bgggg.bbybb.moist.bbbbb.ybbbb?boards=2"
    assert (browser.address, len(browser.all(first))) == (again, 15)
    browser.press(*[Keys.ENTER] * 3)
    until(browser, lambda: browser.address == again.replace("?", ".pudgy.bbbbb.bbbbb?"))
    browser.driver.refresh()
    until(browser, lambda: len(browser.all(first)) == 20)


def test_a_board_that_is_solved_by_a_tile_has_no_more_rows(browser: Browser, address: str) -> None:
    show(browser, address, "#helper/crane.bgggg.slate.bbbbb")
    tile = "#view-helper .row:not(.now) button.tile"
    until(browser, lambda: len(browser.all(tile)) == 10)
    for _ in range(2):
        browser.run("document.querySelector(arguments[0]).click()", tile)
    until(browser, lambda: "Solved in 1 guess" in browser.text(ADVICE))
    assert browser.address == "#helper/crane.ggggg"
    press_button(browser, "Undo")
    until(browser, lambda: browser.address == "#helper/crane.ygggg.slate.bbbbb")


def test_back_and_forward_go_through_tabs_and_positions(browser: Browser, address: str) -> None:
    show(browser, address, BYBBB)
    browser.press("slate", "bbbyg", Keys.ENTER)
    until(browser, lambda: browser.address == f"{BYBBB}.slate.bbbyg")
    browser.find("#tab-game").click()
    until(browser, lambda: browser.all("#view-game .now"))
    for step, rows in (("back", 2), ("back", 1), ("forward", 2)):
        getattr(browser.driver, step)()
        until(browser, lambda: not browser.find("#view-helper").get_attribute("hidden"))
        wanted = "#view-helper .row:has(.yellow), #view-helper .row:has(.green)"
        until(browser, lambda rows=rows, it=wanted: len(browser.all(it)) == rows)
    browser.driver.forward()
    until(browser, lambda: not browser.find("#view-game").get_attribute("hidden"))


def test_the_second_click_of_two_is_not_for_the_next_keys(browser: Browser, address: str) -> None:
    """Where *Done* was, letters stand when the guess is made."""
    show(browser, address)
    browser.press("crane", Keys.ENTER)
    until(browser, lambda: browser.all("#view-helper .keyboard.colours"))
    click = """[...document.querySelectorAll("#view-helper .keyboard button")]
      .find((each) => each.textContent === arguments[0])
      .dispatchEvent(new MouseEvent("click", {bubbles: true, detail: arguments[1]}))"""
    browser.run(click, "Done", 1)
    until(browser, lambda: not browser.all("#view-helper .keyboard.colours"))
    browser.run(click, "v", 2)
    assert browser.text("#view-helper .now") == ""
    for times in (1, 2):
        browser.run(click, "v", times)
    assert browser.text("#view-helper .now") == "vv"


@pytest.mark.parametrize("source", [
    "for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, "
    "{get() { throw new DOMException('forbidden', 'SecurityError'); }})",
    "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
])  # fmt: skip
def test_without_room_to_store_all_tabs_work(browser: Browser, address: str, source: str) -> None:
    with browser.before_load(source):
        show(browser, address, "#game")
        until(browser, lambda: browser.all("#view-game .now"))
        browser.press("crane", Keys.ENTER)
        press_button(browser, "Give up")
        press_button(browser, "Yes, give up")
        until(browser, lambda: "1 played" in browser.text("#view-game .statistics"))
        browser.find("#contrast").click()
        browser.find("#tab-strategies").click()
        fill(browser, start="crane")
        press_button(browser, "Build")
        until(browser, lambda: browser.all("#view-strategies a[download]"))
        press_button(browser, "Explore")
        until(browser, lambda: "no room" in browser.text("#view-strategies .advice"))
        browser.find("#tab-helper").click()
        until(browser, lambda: "Begin with" in browser.text(ADVICE))
        assert not browser.find("#trouble").is_displayed()


def test_each_position_of_the_guide_is_one(browser: Browser, address: str) -> None:
    show(browser, address)
    pages = [*(ROOT / "docs").rglob("*.md")]
    found = {it for page in pages for it in TRIED.findall(page.read_text(encoding="utf-8"))}
    assert len(found) > 9
    offered = browser.texts("nav a")
    for place in sorted(found):
        tab = place.lstrip("#").partition("/")[0]
        if tab.capitalize() in offered:
            browser.run("location.hash = arguments[0]", place)
            until(browser, lambda tab=tab: browser.all(f"#tab-{tab}[aria-current]"))
            assert not browser.find("#trouble").is_displayed(), (place, browser.text("#trouble"))
    until(browser, lambda: not browser.find("#work").is_displayed())


STORED = (
    "null", "7", '"x"', "[]", "{", '{"list": "constructor", "boards": "<b>", "hard": {}}',
    '{"list": "own", "secrets": 5, "boards": 1e9}',
)  # fmt: skip


@pytest.mark.long
def test_whatever_lies_in_the_storage_is_harmless(browser: Browser, address: str) -> None:
    """Each text is there before the page is, whose first tab is one or the other."""
    browser.open(address)
    for at, kept in enumerate(STORED):
        for name in ("options", "own-list", "statistics", "game", "day", "places"):
            browser.run("localStorage.setItem(`knuthle-${arguments[0]}`, arguments[1])", name, kept)
        first, then = ("game", "helper") if at % 2 else ("helper", "game")
        show(browser, address, f"#{first}")
        assert not browser.find("#trouble").is_displayed(), kept
        browser.find(f"#tab-{then}").click()
        until(browser, lambda tab=then: browser.all(f"#tab-{tab}[aria-current]"))
        assert not browser.find("#trouble").is_displayed(), kept
        until(browser, lambda: browser.texts(f"{ADVICE} h2") != [])
    browser.run("localStorage.clear()")
