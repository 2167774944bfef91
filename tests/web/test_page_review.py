"""Reviews and lists in a real browser, in each form in which people have them, or what is none."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.asked import made_words, told
from tests.support.browsers import Browser
from tests.support.table import drop, fill, press_button, show, until

pytestmark = pytest.mark.slow

VIEW = "#view-review"
GAME = "crane.bybbb.sloth.bbbbb.ruddy.ggggg"
GRID = "Wordle 1,234 3/6\n\n⬛🟨⬛⬛⬛\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩\n"


def review(browser: Browser, text: str, secret: str = "") -> None:
    browser.run("document.querySelector('#view-review .advice').replaceChildren()")
    fill(browser, review_text=text, review_secret=secret)
    press_button(browser, "Review")


#: The same game: (text, hidden word).
FORMS = [
    ("crane sloth ruddy", "ruddy"), ("Crane, Sloth, Ruddy", ""),
    ("crane bybbb\nsloth bbbbb\nruddy ggggg", ""), (GAME, ""),
    ("crane 01000 sloth 00000 ruddy 22222", ""), (f"{GRID}crane sloth ruddy", ""),
    ("⬜🟨⬜⬜⬜ crane\n⬜⬜⬜⬜⬜ sloth\n🟩🟩🟩🟩🟩 ruddy", ""),
    (f"{GRID}CRANE\nSLOTH\nRUDDY", ""),
]  # fmt: skip
#: What is no game, and what the page says.
FAULTS = [
    ("", "Type or paste the guesses"), ("crane bybbb slate", "colours do not fit the words"),
    (f"{GRID}crane sloth", "The grid has 3 rows, but there are 2 words."),
    ("zzzzz ruddy", "ZZZZZ is not in this list"),
    ("ruddy ggggg crane bybbb", "colours do not fit the words"),
    ("crane sloth aahed", "Which word was hidden?"),
    ("<img src=x onerror=alert(1)>", "is not in this"),
    ("\u202ecrane\u202c", "not in this list"),
    ("crane bybbb zaxes ggggg", "No word of the list gives zaxes ggggg."),
]  # fmt: skip


@pytest.mark.long
def test_a_game_is_the_same_in_each_form(browser: Browser, address: str) -> None:
    show(browser, address, "#review")
    expected = told(["review", GAME])["answer"]
    for text, secret in FORMS:
        browser.run("history.replaceState(null, '', '#review')")
        review(browser, text, secret)  # and what the last form began ends
        until(browser, lambda: browser.address == f"#review/{GAME}")
    until(browser, lambda: len(browser.all(".reviews > li")) == 3)
    assert expected["sentence"] in browser.text(f"{VIEW} .advice")
    heading = f"Skill {round(expected['skill'])}, "
    assert browser.text(f"{VIEW} .advice h2").startswith(heading)


def test_a_review_is_rows_and_a_picture(browser: Browser, address: str, tmp_path: Path) -> None:
    """Each row says what the guess was; the text has it too, the picture has the colours."""
    browser.download_to(tmp_path)
    show(browser, address, f"#review/{GAME}")
    until(browser, lambda: browser.all(f"{VIEW} .share-card"))
    rows = told(["review", *GAME.split(".")])["answer"]["guesses"]
    names = ((100 - 1e-6, "Best"), (87, "Good"), (75, "Fair"), (-1, "Poor"))
    words = [next(name for least, name in names if row["skill"] >= least) for row in rows]
    assert browser.texts(f"{VIEW} .verdict") == words == ["Good", "Fair", "Fair"]
    left = [f"{row['before']:,} words → {row['after']:,} words" for row in rows[:-1]]
    assert browser.texts(f"{VIEW} .remain") == [*left, "solved"]
    tiles = ["⬛🟨⬛⬛⬛", "⬛⬛⬛⬛⬛", "🟩🟩🟩🟩🟩"]
    text = str(browser.find(f"{VIEW} .grid").get_attribute("value")).splitlines()
    said = zip(tiles, [*left, "solved"], words, strict=True)
    assert text[2:] == [f"{tile} {after}, {word}" for tile, after, word in said]
    assert text[:2] == [f"knuthle: {browser.text(f'{VIEW} .advice h2')}", ""]
    press_button(browser, "Copy the review")
    until(browser, lambda: browser.texts(f"{VIEW} .advice .note")[-1].startswith("The review is "))
    pixel = """const pen = document.querySelector(".share-card").getContext("2d");
      const found = pen.getImageData(arguments[0], arguments[1], 1, 1).data.slice(0, 3);
      return `rgb(${[...found].join(", ")})`"""
    colour = "return getComputedStyle(document.querySelector('.reply .yellow')).backgroundColor"
    assert browser.run(pixel, 2 * (32 + 44 + 20), 2 * (32 + 60 + 20)) == browser.run(colour)
    press_button(browser, "Save the picture")
    path = tmp_path / "knuthle-review.png"
    until(browser, path.is_file)
    assert path.read_bytes()[16:24] == (1280).to_bytes(4) + (2 * (64 + 4 * 60)).to_bytes(4)


def test_what_is_no_game_is_told(browser: Browser, address: str) -> None:
    show(browser, address, "#review")
    for text, said in FAULTS:
        review(browser, text)
        until(browser, lambda said=said: said in browser.text(f"{VIEW} .note"))
        assert not browser.all(f"{VIEW} img"), text


def test_a_dropped_text_is_reviewed(browser: Browser, address: str) -> None:
    show(browser, address, "#review")
    drop(browser, "shared.txt", f"{GRID}crane sloth ruddy".encode())
    until(browser, lambda: len(browser.all(".reviews > li")) == 3)
    assert browser.address == f"#review/{GAME}"
    drop(browser, "long.txt", b"crane bybbb\n" * 5000)
    until(browser, lambda: "at most 5,000 characters" in browser.text(f"{VIEW} .note"))


def test_what_is_dropped_and_no_file_is_told(browser: Browser, address: str) -> None:
    """A folder, or what is gone by then."""
    with browser.before_load("Blob.prototype.text = async () => { throw new Error('folder'); }"):
        show(browser, address)
        drop(browser, "folder", b"")
        until(browser, lambda: "no file that can be read" in browser.text("#trouble"))


def test_a_game_of_the_helper_is_reviewed(browser: Browser, address: str) -> None:
    show(browser, address, "#review")  # skips where the engine has no reviews
    show(browser, address, f"#helper/{GAME}")
    until(browser, lambda: "Solved in 3 guesses" in browser.text("#view-helper .advice"))
    press_button(browser, "Review this game")
    until(browser, lambda: len(browser.all(".reviews > li")) == 3)
    assert browser.address == f"#review/{GAME}"


def test_games_that_break_hard_mode_are_reviewed_without(browser: Browser, address: str) -> None:
    """The page says why; the figures are those of the game without hard mode."""
    show(browser, address, f"#review/{GAME}?hard=true&used=exclude")
    until(browser, lambda: browser.all(f"{VIEW} .reviews"))
    text = browser.text(f"{VIEW} .advice")
    assert "Not a hard-mode game because of SLOTH. Hard mode: the word must have R." in text
    assert told(["review", GAME])["answer"]["sentence"] in text


def test_a_past_answer_is_left_in_a_finished_game(browser: Browser, address: str) -> None:
    show(browser, address, "#review/?used=exclude")
    assert "used" not in browser.text("#options-summary")
    review(browser, "slate shire", "shire")
    until(browser, lambda: browser.all(f"{VIEW} .reviews"))
    assert "allowed words" not in browser.text(f"{VIEW} .advice")


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
NO_LISTS = [
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
    for text, said in NO_LISTS:
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
