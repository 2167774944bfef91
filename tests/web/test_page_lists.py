"""Lists of words in a real browser, whatever somebody pastes or drops: words, or one sentence."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tests.support.asked import made_words
from tests.support.browsers import Browser
from tests.support.table import drop, fill, press_button, show, until

pytestmark = pytest.mark.slow

MARKUP = "<script>alert(1)</script> <img src=x onerror=alert(2)> {{x}} \"'&amp;"
TABS = ("helper", "game", "strategies", "openers")


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Browser]:
    show(browser, address)
    yield browser
    browser.run("localStorage.clear()")


def choose(page: Browser, text: str) -> None:
    """Paste a list where the page has a field for it."""
    page.run("document.querySelector('#options').open = true")
    fill(page, list="own", own_text=text)
    page.run("document.querySelector('#own-field button').click()")


#: What is no list, and what the page says.
FAULTS = [
    ("", "There is no word of 2 to 11 letters"), ("<b>x</b>", "no word"), ("a b c", "no word"),
    ("\u202e\u2066\u2069\u202c", "no word"), ("- ' ’ ' -", "no word"),
    (" ".join(f"w{number:06d}" for number in range(100_001)), "up to 100,000"),
    (" ".join(map(chr, range(0x4E00, 0x4E80))) + " " + "".join(map(chr, range(0x4E00, 0x4E02))),
     "1 word"),
    (" ".join(chr(k) + chr(k + 1) for k in range(0x4E00, 0x4E80, 2)), "64 different letters"),
]  # fmt: skip


def test_what_is_no_list_is_told(page: Browser) -> None:
    """Nor is a file that is no text."""
    drop(page, "picture.png", bytes(range(256)) * 40)
    note, summary = "#own-note", "#options-summary"
    until(page, lambda: page.text(note) != "" or "My own list" in page.text(summary))
    assert not page.all("#own-note *")
    for text, said in FAULTS:
        choose(page, text)
        until(page, lambda said=said: said in page.text(note))
        assert not page.all("#own-note *"), text


@pytest.mark.parametrize(("text", "words"), [
    (MARKUP, 3), ("\u202eabcde\u202c fghij klmno", 3), ("привет мирный солнце", 3),
    ("crane", 1), ("crane crane CRANE crane slate", 2), ("שלום עולם", 2), ("日本 東京 大阪", 3),
    ("αβγδε βαγδε γαβδε", 3), ("0123 1230 2301", 3),
])  # fmt: skip
def test_a_list_of_any_kind_serves_every_tab(page: Browser, text: str, words: int) -> None:
    """It is text to the page, and each tab answers with it."""
    scripts = page.run("return document.scripts.length")
    drop(page, "<img src=x onerror=alert(1)>.txt", text.encode())
    noun = "word" if words == 1 else "words"
    until(page, lambda: page.text("#options-summary") == f"My own list, {words} {noun}")
    for tab in TABS:
        page.run("document.querySelector(arguments[0]).click()", f"#tab-{tab}")
        until(page, lambda tab=tab: page.text(f"#view-{tab} h2") != "")
        if tab == "strategies":
            fill(page, start="", rule="minimax")
            press_button(page, "Build")
            until(page, lambda: "found" in page.text("#view-strategies .advice p"))
        if tab == "openers":
            until(page, lambda: len(page.texts("#view-openers tbody .word")) == words)
    assert page.run("return document.scripts.length") == scripts
    assert not page.all("#views img, #views script, header img")


def test_a_list_can_be_a_long_text(page: Browser) -> None:
    """It is read beside the page, and what was said of the list before does not stay."""
    until(page, lambda: page.texts("#view-helper .take") != [])
    drop(page, "long.txt", b"crane slate stare " * 600_000)
    until(page, lambda: page.text("#own-note").startswith("3 words of 5 letters"))
    assert "3,158" not in page.text("#view-helper .advice")
    until(page, lambda: "3 words fit" in page.text("#view-helper .advice"))


def test_a_list_is_kept_for_the_next_visit(page: Browser, address: str) -> None:
    choose(page, "crane slate stare")
    until(page, lambda: "3 words" in page.text("#options-summary"))
    show(page, address)
    until(page, lambda: "3 words" in page.text("#options-summary"))
    until(page, lambda: "3 words fit" in page.text("#view-helper .advice"))


def test_a_large_list_can_be_used(page: Browser) -> None:
    """100,000 words: first proposals are refused in a sentence, those after a clue are not."""
    words = made_words(6, 100_000, "abcdefghijklmnopqrst")
    drop(page, "large.txt", "\n".join(words).encode())
    until(page, lambda: page.text("#options-summary") == "My own list, 100,000 words")
    advice = "#view-helper .advice"
    until(page, lambda: "over 100,000 words would take too long" in page.text(advice))
    page.press(words[0], "1", "\ue007")
    until(page, lambda: len(page.all(f"{advice} .take")) == 10)
    page.find("#tab-game").click()
    until(page, lambda: page.all("#view-game .now"))
    word = random.Random(1).choice(words)
    page.press(word, "\ue007")
    until(page, lambda: page.all(f"#view-game .row[aria-label^='Guess 1: {word}']"))
