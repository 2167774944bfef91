"""Reviews in a real browser: a game in each form in which people have it, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.asked import told
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
