"""Strategies and reviews in a real browser: made, checked, compared; games graded, lists pasted."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.choices import RULES
from solver.game.load import load_game
from strategy import openers, optimal
from strategy.solving.by_rule import Settings, solve
from tests.support.asked import made_words, told
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


REVIEWED = "#view-review"
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
    assert expected["sentence"] in browser.text(f"{REVIEWED} .advice")
    heading = f"Skill {round(expected['skill'])}, "
    assert browser.text(f"{REVIEWED} .advice h2").startswith(heading)


def test_a_review_is_rows_and_a_picture(browser: Browser, address: str, tmp_path: Path) -> None:
    """Each row says what the guess was; the text has it too, the picture has the colours."""
    browser.download_to(tmp_path)
    show(browser, address, f"#review/{GAME}")
    until(browser, lambda: browser.all(f"{REVIEWED} .share-card"))
    rows = told(["review", *GAME.split(".")])["answer"]["guesses"]
    names = ((100 - 1e-6, "Best"), (87, "Good"), (75, "Fair"), (-1, "Poor"))
    words = [next(name for least, name in names if row["skill"] >= least) for row in rows]
    assert browser.texts(f"{REVIEWED} .verdict") == words == ["Good", "Fair", "Fair"]
    left = [f"{row['before']:,} words → {row['after']:,} words" for row in rows[:-1]]
    assert browser.texts(f"{REVIEWED} .remain") == [*left, "solved"]
    tiles = ["⬛🟨⬛⬛⬛", "⬛⬛⬛⬛⬛", "🟩🟩🟩🟩🟩"]
    text = str(browser.find(f"{REVIEWED} .grid").get_attribute("value")).splitlines()
    said = zip(tiles, [*left, "solved"], words, strict=True)
    assert text[2:] == [f"{tile} {after}, {word}" for tile, after, word in said]
    assert text[:2] == [f"knuthle: {browser.text(f'{REVIEWED} .advice h2')}", ""]
    press_button(browser, "Copy the review")
    until(
        browser, lambda: browser.texts(f"{REVIEWED} .advice .note")[-1].startswith("The review is ")
    )
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
        until(browser, lambda said=said: said in browser.text(f"{REVIEWED} .note"))
        assert not browser.all(f"{REVIEWED} img"), text


def test_a_dropped_text_is_reviewed(browser: Browser, address: str) -> None:
    show(browser, address, "#review")
    drop(browser, "shared.txt", f"{GRID}crane sloth ruddy".encode())
    until(browser, lambda: len(browser.all(".reviews > li")) == 3)
    assert browser.address == f"#review/{GAME}"
    drop(browser, "long.txt", b"crane bybbb\n" * 5000)
    until(browser, lambda: "at most 5,000 characters" in browser.text(f"{REVIEWED} .note"))


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
    until(browser, lambda: browser.all(f"{REVIEWED} .reviews"))
    text = browser.text(f"{REVIEWED} .advice")
    assert "Not a hard-mode game because of SLOTH. Hard mode: the word must have R." in text
    assert told(["review", GAME])["answer"]["sentence"] in text


def test_a_past_answer_is_left_in_a_finished_game(browser: Browser, address: str) -> None:
    show(browser, address, "#review/?used=exclude")
    assert "used" not in browser.text("#options-summary")
    review(browser, "slate shire", "shire")
    until(browser, lambda: browser.all(f"{REVIEWED} .reviews"))
    assert "allowed words" not in browser.text(f"{REVIEWED} .advice")


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
