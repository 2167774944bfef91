"""Strategies in a real browser: the files of the command, dropped files, long work, openers."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.choices import RULES
from solver.game.load import load_game
from strategy import openers, optimal
from strategy.solving.by_rule import Settings, solve
from tests.support.asked import made_words
from tests.support.browsers import Browser
from tests.support.forged_proofs import sealed, unsealed
from tests.support.table import drop, fill, press_button, show, until

pytestmark = pytest.mark.slow

VIEW = "#view-strategies"
NOTE = f"{VIEW} .note"
#: Long enough for somebody to cancel it: hard mode over 14,855 words.
LONG = "#strategies/?list=nyt-2026&secrets=allowed&hard=true"


@pytest.fixture
def downloads(browser: Browser, tmp_path: Path) -> Iterator[Path]:
    browser.download_to(tmp_path)
    yield tmp_path
    browser.run("localStorage.clear()")


def build(browser: Browser, start: str, rule: str) -> None:
    """Fill the form in, and wait for the strategy."""
    browser.run("document.querySelector('#view-strategies .advice').replaceChildren()")
    fill(browser, start=start, rule=rule)
    press_button(browser, "Build")
    until(browser, lambda: "are found" in browser.text(f"{VIEW} .advice"))


def downloaded(browser: Browser, folder: Path) -> Path:
    """The file that the page offers, which is downloaded."""
    link = browser.find(f"{VIEW} a[download]")
    path = folder / str(link.get_attribute("download"))
    link.click()
    until(browser, path.is_file)
    return path


def check(browser: Browser, folder: Path, guesses: str | Path, how: Settings, part: str) -> None:
    build(browser, "" if how.start == ("auto",) else ", ".join(how.start), how.rule)
    path = downloaded(browser, folder)
    expected = folder / "expected"
    solve(load_game(guesses, part), how).strategy.save(expected, force=True)
    assert path.read_bytes() == expected.read_bytes(), (guesses, how)
    path.unlink()


@pytest.mark.parametrize("count", [6, pytest.param(18, marks=pytest.mark.long)])
def test_strategies_are_the_files_of_the_command(
    browser: Browser, address: str, downloads: Path, count: int
) -> None:
    """All rules, shipped lists, hard mode, several openers."""
    dice = random.Random(21)
    show(browser, address, "#strategies")
    for number in range(count):
        name = ("original", "nyt-2022", "nyt-2026")[number % 3]
        part, hard = dice.choice(("answers", "answers", "allowed")), dice.random() < 0.4
        game = load_game(name, part)
        starts = [("auto",), *[tuple(dice.sample(game.guesses, n)) for n in (1, 1, 1, 2)]]
        start = dice.choice(starts[1:] if hard or part == "allowed" else starts)
        start = start[:1] if hard else start
        options = f"list={name}&secrets={part}{'&hard=true' if hard else ''}"
        browser.run("location.hash = arguments[0]", f"#strategies/?{options}")
        summary = "any allowed word" in browser.text("#options-summary")
        assert summary == (part == "allowed")
        how = Settings(start=start, rule=sorted(RULES)[number % len(RULES)], hard=hard)
        check(browser, downloads, name, how, part)


@pytest.mark.long
def test_own_words(browser: Browser, address: str, downloads: Path, tmp_path: Path) -> None:
    show(browser, address)
    dice = random.Random(22)
    lists = [
        made_words(length, count, letters)
        for length, count, letters in (
            (5, 300, "abcdefghilmnorst"), (4, 200, "абвгдежзиклм"), (3, 60, "אבגדהוז"),
            (8, 150, "abcdeno"), (2, 40, "0123456789"), (6, 1, "x"),
        )
    ]  # fmt: skip
    for number, words in enumerate(lists):
        path = tmp_path / f"list {number}.txt"
        path.write_text("\n".join(words), encoding="utf-8")
        browser.run("location.hash = '#helper'")
        until(browser, lambda: browser.all("#tab-helper[aria-current]"))
        drop(browser, path.name, path.read_bytes())
        until(browser, lambda words=words: f"{len(words):,} word" in browser.text("#own-note"))
        browser.run("location.hash = '#strategies'")
        until(browser, lambda: browser.all("#tab-strategies[aria-current]"))
        for _ in range(2):
            start = (dice.choice((dice.choice(words), "auto")),)
            how = Settings(start=start, rule=dice.choice(sorted(RULES)))
            check(browser, downloads, path, how, "allowed")


def test_the_best_strategy_after_a_word(browser: Browser, address: str, downloads: Path) -> None:
    """The file of the command; a search over all first words takes long, and is cancelled."""
    show(browser, address, "#strategies/?list=original")
    fill(browser, rule="optimal", start="")
    press_button(browser, "Build")
    until(browser, lambda: browser.find("#work").is_displayed())
    press_button(browser, "Cancel")
    until(browser, lambda: not browser.find("#work").is_displayed())
    assert not browser.all(f"{VIEW} a[download]")
    show(browser, address, "#strategies/?list=original")  # the form is filled in anew
    for start in (("salet",), ("salet", "courd")):
        how = Settings(start=start, rule="optimal")
        check(browser, downloads, "original", how, "answers")


def test_a_dropped_strategy_can_be_explored(browser: Browser, address: str, tmp_path: Path) -> None:
    solved = solve(load_game("original", "answers"), Settings(start=("salet",)))
    solved.strategy.save(tmp_path / "mine.strategy")
    content = (tmp_path / "mine.strategy").read_bytes()
    show(browser, address, "#strategies")
    drop(browser, "mine.strategy", content)
    until(browser, lambda: "All 2,315 answers are found" in browser.text(VIEW))
    assert f"{len(content):,} bytes" in browser.text(VIEW)
    fill(browser, start="salet", rule="parts")
    backs = (browser.driver.back, lambda: browser.find("a.back").click())
    for back in backs:
        press_button(browser, "Explore")
        until(browser, lambda: browser.text("#facts").startswith("2,315 secrets"))
        back()
        until(browser, lambda: "All 2,315 answers are found" in browser.text(VIEW))
        form = [browser.find(f"#{name}").get_attribute("value") for name in ("start", "rule")]
        assert form == ["salet", "parts"]
    browser.run("sessionStorage.clear()")


def test_a_dropped_proof_is_checked(browser: Browser, address: str, tmp_path: Path) -> None:
    """The page stays awake meanwhile; one that states more is not proved, a damaged one is told."""
    path = tmp_path / "crane.proof"
    game = load_game("original", "answers")
    optimal(game, start=("crane",), guess_from="secrets", proof=path, workers=1)
    content = path.read_bytes()
    show(browser, address)  # wherever it is dropped
    browser.run(
        """window.frames_ = 0;
        const count = () => { window.frames_++; requestAnimationFrame(count); };
        count();"""
    )
    drop(browser, "crane.proof", content)
    until(browser, lambda: browser.texts(f"{VIEW} .advice h2") == ["PROVED"])
    assert browser.run("return window.frames_") > 20
    text = browser.text(f"{VIEW} .advice")
    assert "original answers, 2,315 secrets: no strategy from crane that guesses secrets" in text
    body = unsealed(content)
    total = body["statement"]["total"]
    assert f"takes fewer than {total:,} guesses" in text
    body["statement"]["total"] += 1
    drop(browser, "more.proof", sealed(body))
    until(browser, lambda: browser.texts(f"{VIEW} .advice h2") == ["NOT PROVED"])
    assert f"{total + 1:,} guesses" in browser.text(f"{VIEW} .advice")
    drop(browser, "<img src=x>.proof", content[:-1])
    until(browser, lambda: browser.texts(f"{VIEW} .advice h2") == ["No proof"])
    assert "truncated" in browser.text(NOTE) and not browser.all(f"{VIEW} img")


def test_a_damaged_strategy_is_told(browser: Browser, address: str, tmp_path: Path) -> None:
    solved = solve(load_game("original", "answers"), Settings(start=("salet",)))
    solved.strategy.save(tmp_path / "s")
    content = (tmp_path / "s").read_bytes()
    changed = bytes([*content[:500], content[500] ^ 1, *content[501:]])
    show(browser, address, "#strategies")
    for file in (content[:-9], changed, b"<b>crane</b>", b""):
        browser.run("document.querySelector('#view-strategies .advice').replaceChildren()")
        browser.run("document.querySelector('#view-strategies .note').replaceChildren()")
        drop(browser, "<img src=x onerror=alert(1)>.strategy", file)
        until(browser, lambda: browser.texts(f"{VIEW} .advice h2") == ["No strategy"])
        assert browser.text(NOTE).endswith(".") and not browser.all(f"{VIEW} img")


def test_a_first_word_that_is_none_is_told(browser: Browser, address: str) -> None:
    show(browser, address, "#strategies")
    for start, said in (
        ("zzzzz", "ZZZZZ is not in this list"), ("cr", "CR is not"), ("<b>", "<B> is not"),
        ("crane, crane", "twice"),
    ):  # fmt: skip
        fill(browser, start=start)
        press_button(browser, "Build")
        until(browser, lambda said=said: said in browser.text(NOTE))


def test_long_work_has_a_bar_and_is_cancelled(browser: Browser, address: str) -> None:
    """The page stays awake meanwhile, and answers the next question."""
    show(browser, address, LONG)
    browser.run(
        """window.frames_ = 0;
        const count = () => { window.frames_++; requestAnimationFrame(count); };
        count();"""
    )
    fill(browser, rule="entropy", start="")
    press_button(browser, "Build")
    until(browser, lambda: browser.find("#work").is_displayed())
    until(browser, lambda: browser.run("return window.frames_") > 20)
    press_button(browser, "Cancel")
    until(browser, lambda: not browser.find("#work").is_displayed())
    assert not browser.all(f"{VIEW} a[download]")
    browser.run("location.hash = '#strategies/?list=original'")
    build(browser, "crane", "minimax")
    browser.run("location.hash = '#helper/crane.bybbb'")
    until(browser, lambda: browser.texts(".proposals .take"))


def test_other_work_begins_at_once(browser: Browser, address: str) -> None:
    """Nobody waits for what was begun before, nor sees its result; nor does who cancels."""
    show(browser, address, "#strategies")
    for ending in ("Cancel", "Build"):
        fill(browser, rule="optimal", start="")
        press_button(browser, "Build")
        until(browser, lambda: browser.find("#work").is_displayed())
        fill(browser, rule="minimax", start="crane,sloth")
        press_button(browser, ending)
        if ending == "Cancel":
            press_button(browser, "Build")
        until(browser, lambda: browser.all(f"{VIEW} a[download^='crane-sloth-']"))
        assert browser.texts(NOTE) == [""]
        browser.run("document.querySelector('#view-strategies .advice').replaceChildren()")


def test_another_tab_ends_what_is_at_work(browser: Browser, address: str) -> None:
    show(browser, address, LONG)
    fill(browser, start="")
    press_button(browser, "Build")
    browser.find("#tab-game").click()
    until(browser, lambda: browser.all("#view-game h2"))
    until(browser, lambda: not browser.find("#work").is_displayed())
    assert not browser.all(f"{VIEW} a[download]")


def test_openers_are_sorted_by_each_heading(browser: Browser, address: str) -> None:
    game = load_game("nyt-2026", "answers")
    show(browser, address, "#openers")
    for heading, by in (("Largest", "minimax"), ("Groups", "parts"), ("Leaves", "expected-size")):
        until(browser, lambda heading=heading: heading in browser.texts(".sort"))
        press_button(browser, heading)
        until(
            browser,
            lambda heading=heading: (
                browser.all("th[aria-sort='descending']")
                and heading in browser.text("th[aria-sort='descending']")
            ),
        )
        expected = [row.word for row in openers(game, by=by, top=40)]
        assert browser.texts(".openers tbody .word") == expected
    press_button(browser, "Leaves ▼")
    until(browser, lambda: browser.texts(".openers tbody .word") == expected[::-1])


def test_a_word_is_looked_up_among_the_openers(browser: Browser, address: str) -> None:
    """Its row stands by itself and has its rank; the ranking stays as it is."""
    show(browser, address, "#openers")
    until(browser, lambda: browser.texts(".openers tbody .word"))
    [row] = openers(load_game("nyt-2026", "answers"), by="entropy", words=["fuzzy"])
    best = browser.texts(".openers tbody .word")
    for text, said, shown in (
        ("fuzzy", f"FUZZY has rank {row.rank:,} of 14,855 by Bits.", ["fuzzy", *best]),
        ("<b>", "<B> is not in this list of words.", best),
    ):
        fill(browser, opener_word=text)
        press_button(browser, "Look up")
        until(browser, lambda said=said: said in browser.text("#view-openers .note"))
        assert browser.texts(".openers tbody .word") == shown
