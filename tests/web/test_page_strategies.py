"""Strategies and reviews in a real browser: made, checked, compared; games graded, lists pasted."""

import random
from pathlib import Path

import pytest

from solver.choices import RULES
from solver.game.load import load_game
from strategy import openers, optimal
from strategy.solving.by_rule import Settings, solve
from tests.support.asked import made_words, told
from tests.support.browsers import Table
from tests.support.forged_proofs import sealed, unsealed

pytestmark = pytest.mark.slow

VIEW = "#view-strategies"
ADVICE, NOTE = f"{VIEW} .advice", f"{VIEW} .note"
#: Long enough for somebody to cancel it: hard mode over 14,855 words.
LONG = "#strategies/?list=nyt-2026&secrets=allowed&hard=true"
#: Counts the pictures that the page draws, as it does while it is awake.
COUNT_FRAMES = """window.frames_ = 0;
const count = () => { window.frames_++; requestAnimationFrame(count); };
count();"""


@pytest.fixture
def downloads(page: Table, tmp_path: Path) -> Path:
    page.download_to(tmp_path)
    return tmp_path


def begin(page: Table, start: str, rule: str) -> None:
    """Fill the form in, and have a strategy built."""
    page.empty(ADVICE)
    page.fill(start=start, rule=rule)
    page.press_button("Build")


def check(page: Table, folder: Path, guesses: str | Path, how: Settings, part: str) -> None:
    """Build a strategy and download its file, which is that of Python."""
    begin(page, "" if how.start == ("auto",) else ", ".join(how.start), how.rule)
    page.says(ADVICE, "are found")
    link = page.find(f"{VIEW} a[download]")
    path, expected = folder / str(link.get_attribute("download")), folder / "expected"
    link.click()
    page.until(path.is_file)
    solve(load_game(guesses, part), how).strategy.save(expected, force=True)
    assert path.read_bytes() == expected.read_bytes(), (guesses, how)
    path.unlink()


@pytest.mark.parametrize("count", [6, pytest.param(18, marks=pytest.mark.long)])
def test_strategies_are_the_files_of_the_command(page: Table, downloads: Path, count: int) -> None:
    """All rules, shipped lists, hard mode, several openers."""
    dice = random.Random(21)
    page.show("#strategies")
    for number in range(count):
        name = ("original", "nyt-2022", "nyt-2026")[number % 3]
        part, hard = dice.choice(("answers", "answers", "allowed")), dice.random() < 0.4
        game = load_game(name, part)
        starts = [("auto",), *[tuple(dice.sample(game.guesses, n)) for n in (1, 1, 1, 2)]]
        start = dice.choice(starts[1:] if hard or part == "allowed" else starts)
        start = start[:1] if hard else start
        page.go(f"#strategies/?list={name}&secrets={part}{'&hard=true' if hard else ''}")
        summary = "any allowed word" in page.text("#options-summary")
        assert summary == (part == "allowed")
        how = Settings(start=start, rule=sorted(RULES)[number % len(RULES)], hard=hard)
        check(page, downloads, name, how, part)


@pytest.mark.long
def test_own_words(page: Table, downloads: Path, tmp_path: Path) -> None:
    page.show()
    dice = random.Random(22)
    for number, (length, count, letters) in enumerate((
        (5, 300, "abcdefghilmnorst"), (4, 200, "абвгдежзиклм"), (3, 60, "אבגדהוז"),
        (8, 150, "abcdeno"), (2, 40, "0123456789"), (6, 1, "x"),
    )):  # fmt: skip
        words, path = made_words(length, count, letters), tmp_path / f"list {number}.txt"
        path.write_text("\n".join(words), encoding="utf-8")
        page.go("#helper")
        page.sees("#tab-helper[aria-current]")
        page.drop(path.name, path.read_bytes())
        page.says("#own-note", f"{len(words):,} word")
        page.go("#strategies")
        page.sees("#tab-strategies[aria-current]")
        for _ in range(2):
            start = (dice.choice((dice.choice(words), "auto")),)
            how = Settings(start=start, rule=dice.choice(sorted(RULES)))
            check(page, downloads, path, how, "allowed")


def test_the_best_strategy_after_a_word(page: Table, downloads: Path) -> None:
    """The file of the command; a search over all first words takes long, and is cancelled."""
    page.show("#strategies/?list=original")
    begin(page, "", "optimal")
    page.in_sight("#work")
    page.press_button("Cancel")
    page.in_sight("#work", False)
    assert not page.all(f"{VIEW} a[download]")
    page.show("#strategies/?list=original")  # the form is filled in anew
    for start in (("salet",), ("salet", "courd")):
        check(page, downloads, "original", Settings(start=start, rule="optimal"), "answers")


def test_a_dropped_strategy_can_be_explored(page: Table, tmp_path: Path) -> None:
    """A damaged one is told."""
    solved = solve(load_game("original", "answers"), Settings(start=("salet",)))
    solved.strategy.save(tmp_path / "mine.strategy")
    content = (tmp_path / "mine.strategy").read_bytes()
    page.show("#strategies")
    page.drop("mine.strategy", content)
    page.says(VIEW, "All 2,315 answers are found", f"{len(content):,} bytes")
    page.fill(start="salet", rule="parts")
    for back in (page.driver.back, lambda: page.find("a.back").click()):
        page.press_button("Explore")
        page.until(lambda: page.text("#facts").startswith("2,315 secrets"))
        back()
        page.says(VIEW, "All 2,315 answers are found")
        form = [page.find(f"#{name}").get_attribute("value") for name in ("start", "rule")]
        assert form == ["salet", "parts"]
    page.run("sessionStorage.clear()")
    changed = bytes([*content[:500], content[500] ^ 1, *content[501:]])
    page.show("#strategies")
    for file in (content[:-9], changed, b"<b>crane</b>", b""):
        page.empty(ADVICE, NOTE)
        page.drop("<img src=x onerror=alert(1)>.strategy", file)
        page.until(lambda: page.texts(f"{ADVICE} h2") == ["No strategy"])
        assert page.text(NOTE).endswith(".") and not page.all(f"{VIEW} img")


def test_a_dropped_proof_is_checked(page: Table, tmp_path: Path) -> None:
    """The page stays awake meanwhile; one that states more is not proved, a damaged one is told."""
    path = tmp_path / "crane.proof"
    game = load_game("original", "answers")
    optimal(game, start=("crane",), guess_from="secrets", proof=path, workers=1)
    content = path.read_bytes()
    page.show()  # wherever it is dropped
    page.run(COUNT_FRAMES)
    page.drop("crane.proof", content)
    page.until(lambda: page.texts(f"{ADVICE} h2") == ["PROVED"])
    assert page.run("return window.frames_") > 20
    text = page.text(ADVICE)
    assert "original answers, 2,315 secrets: no strategy from crane that guesses secrets" in text
    body = unsealed(content)
    total = body["statement"]["total"]
    assert f"takes fewer than {total:,} guesses" in text
    body["statement"]["total"] += 1
    page.drop("more.proof", sealed(body))
    page.until(lambda: page.texts(f"{ADVICE} h2") == ["NOT PROVED"])
    assert f"{total + 1:,} guesses" in page.text(ADVICE)
    page.drop("<img src=x>.proof", content[:-1])
    page.until(lambda: page.texts(f"{ADVICE} h2") == ["No proof"])
    assert "truncated" in page.text(NOTE) and not page.all(f"{VIEW} img")


def test_other_work_begins_at_once(page: Table) -> None:
    """Nobody waits for what was begun before, nor sees its result; nor does who cancels.

    A first word that is none is told.
    """
    page.show("#strategies")
    for ending in ("Cancel", "Build"):
        begin(page, "", "optimal")
        page.in_sight("#work")
        page.fill(rule="minimax", start="crane,sloth")
        page.press_button(ending)
        if ending == "Cancel":
            page.press_button("Build")
        page.sees(f"{VIEW} a[download^='crane-sloth-']")
        assert page.texts(NOTE) == [""]
    for start, said in (
        ("zzzzz", "ZZZZZ is not in this list"), ("cr", "CR is not"), ("<b>", "<B> is not"),
        ("crane, crane", "twice"),
    ):  # fmt: skip
        page.fill(start=start)
        page.press_button("Build")
        page.says(NOTE, said)


def test_long_work_has_a_bar_and_is_cancelled(page: Table) -> None:
    """The page stays awake meanwhile, and answers the next question; another tab ends it, too."""
    page.show(LONG)
    page.run(COUNT_FRAMES)
    begin(page, "", "entropy")
    page.in_sight("#work")
    page.until(lambda: page.run("return window.frames_") > 20)
    page.press_button("Cancel")
    page.in_sight("#work", False)
    assert not page.all(f"{VIEW} a[download]")
    page.go("#strategies/?list=original")
    begin(page, "crane", "minimax")
    page.says(ADVICE, "are found")
    page.go("#helper/crane.bybbb")
    page.until(lambda: page.texts(".proposals .take"))
    page.show(LONG)
    page.fill(start="")
    page.press_button("Build")
    page.find("#tab-game").click()
    page.sees("#view-game h2")
    page.in_sight("#work", False)
    assert not page.all(f"{VIEW} a[download]")


def test_openers_are_sorted_by_each_heading(page: Table) -> None:
    """A word that is looked up stands by itself and has its rank; the ranking stays as it is."""
    game, words = load_game("nyt-2026", "answers"), ".openers tbody .word"
    page.show("#openers")
    page.until(lambda: page.texts(words))
    [row] = openers(game, by="entropy", words=["fuzzy"])
    best = page.texts(words)
    for text, said, shown in (
        ("fuzzy", f"FUZZY has rank {row.rank:,} of 14,855 by Bits.", ["fuzzy", *best]),
        ("<b>", "<B> is not in this list of words.", best),
    ):
        page.fill(opener_word=text)
        page.press_button("Look up")
        page.says("#view-openers .note", said)
        assert page.texts(words) == shown
    page.show("#openers")
    for heading, by in (("Largest", "minimax"), ("Groups", "parts"), ("Leaves", "expected-size")):
        page.until(lambda heading=heading: heading in page.texts(".sort"))
        page.press_button(heading)
        page.says("th[aria-sort='descending']", heading)
        expected = [row.word for row in openers(game, by=by, top=40)]
        assert page.texts(words) == expected
    page.press_button("Leaves ▼")
    page.until(lambda: page.texts(words) == expected[::-1])


REVIEWED = "#view-review"
GAME = "crane.bybbb.sloth.bbbbb.ruddy.ggggg"
GRID = "Wordle 1,234 3/6\n\n⬛🟨⬛⬛⬛\n⬛⬛⬛⬛⬛\n🟩🟩🟩🟩🟩\n"


def review(page: Table, text: str, secret: str = "") -> None:
    page.empty(f"{REVIEWED} .advice")
    page.fill(review_text=text, review_secret=secret)
    page.press_button("Review")


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
def test_a_game_is_the_same_in_each_form(page: Table) -> None:
    page.show("#review")
    expected = told(["review", GAME])["answer"]
    for text, secret in FORMS:
        page.run("history.replaceState(null, '', '#review')")
        review(page, text, secret)  # and what the last form began ends
        page.is_at(f"#review/{GAME}")
    page.sees(".reviews > li", 3)
    assert expected["sentence"] in page.text(f"{REVIEWED} .advice")
    heading = f"Skill {round(expected['skill'])}, "
    assert page.text(f"{REVIEWED} .advice h2").startswith(heading)


def test_a_review_is_rows_and_a_picture(page: Table, downloads: Path) -> None:
    """Each row says what the guess was; the text has it too, the picture has the colours."""
    page.show(f"#review/{GAME}", ".share-card")
    rows = told(["review", *GAME.split(".")])["answer"]["guesses"]
    names = ((100 - 1e-6, "Best"), (87, "Good"), (75, "Fair"), (-1, "Poor"))
    words = [next(name for least, name in names if row["skill"] >= least) for row in rows]
    assert page.texts(f"{REVIEWED} .verdict") == words == ["Good", "Fair", "Fair"]
    left = [f"{row['before']:,} words → {row['after']:,} words" for row in rows[:-1]]
    assert page.texts(f"{REVIEWED} .remain") == [*left, "solved"]
    tiles = ["⬛🟨⬛⬛⬛", "⬛⬛⬛⬛⬛", "🟩🟩🟩🟩🟩"]
    text = str(page.find(f"{REVIEWED} .grid").get_attribute("value")).splitlines()
    said = zip(tiles, [*left, "solved"], words, strict=True)
    assert text[2:] == [f"{tile} {after}, {word}" for tile, after, word in said]
    assert text[:2] == [f"knuthle: {page.text(f'{REVIEWED} .advice h2')}", ""]
    page.press_button("Copy the review")
    notes = f"{REVIEWED} .advice .note"
    page.until(lambda: page.texts(notes)[-1].startswith("The review is "))
    pixel = """const pen = document.querySelector(".share-card").getContext("2d");
      const found = pen.getImageData(arguments[0], arguments[1], 1, 1).data.slice(0, 3);
      return `rgb(${[...found].join(", ")})`"""
    colour = "return getComputedStyle(document.querySelector('.reply .yellow')).backgroundColor"
    assert page.run(pixel, 2 * (32 + 44 + 20), 2 * (32 + 60 + 20)) == page.run(colour)
    page.press_button("Save the picture")
    path = downloads / "knuthle-review.png"
    page.until(path.is_file)
    assert path.read_bytes()[16:24] == (1280).to_bytes(4) + (2 * (64 + 4 * 60)).to_bytes(4)


def test_what_is_no_game_is_told(page: Table) -> None:
    """A dropped text is reviewed, unless it is too long."""
    page.show("#review")
    for text, said in FAULTS:
        review(page, text)
        page.says(f"{REVIEWED} .note", said)
        assert not page.all(f"{REVIEWED} img"), text
    page.drop("shared.txt", f"{GRID}crane sloth ruddy".encode())
    page.sees(".reviews > li", 3)
    assert page.address == f"#review/{GAME}"
    page.drop("long.txt", b"crane bybbb\n" * 5000)
    page.says(f"{REVIEWED} .note", "at most 5,000 characters")
    # A folder that is dropped, or what is gone by then, is no file.
    with page.before_load("Blob.prototype.text = async () => { throw new Error('folder'); }"):
        page.show()
        page.drop("folder", b"")
        page.says("#trouble", "no file that can be read")


def test_games_that_are_reviewed_otherwise(page: Table) -> None:
    """One of the helper; one that breaks hard mode, without it; a past answer is left in.

    The page says why; the figures are those of the game without hard mode.
    """
    page.show(f"#helper/{GAME}")
    page.says("#view-helper .advice", "Solved in 3 guesses")
    page.press_button("Review this game")
    page.sees(".reviews > li", 3)
    assert page.address == f"#review/{GAME}"
    page.show(f"#review/{GAME}?hard=true&used=exclude", ".reviews")
    text = page.text(f"{REVIEWED} .advice")
    assert "Not a hard-mode game because of SLOTH. Hard mode: the word must have R." in text
    assert told(["review", GAME])["answer"]["sentence"] in text
    page.show("#review/?used=exclude")
    assert "used" not in page.text("#options-summary")
    review(page, "slate shire", "shire")
    page.sees(f"{REVIEWED} .reviews")
    assert "allowed words" not in page.text(f"{REVIEWED} .advice")


MARKUP = "<script>alert(1)</script> <img src=x onerror=alert(2)> {{x}} \"'&amp;"
TABS = ("helper", "game", "strategies", "openers")
HELPED, SUMMARY = "#view-helper .advice", "#options-summary"


def choose(page: Table, text: str) -> None:
    """Paste a list where the page has a field for it."""
    page.run("document.querySelector('#options').open = true")
    page.fill(list="own", own_text=text)
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


def test_what_is_no_list_is_told(page: Table) -> None:
    """Nor is a file that is no text."""
    page.show()
    page.drop("picture.png", bytes(range(256)) * 40)
    note = "#own-note"
    page.until(lambda: page.text(note) != "" or "My own list" in page.text(SUMMARY))
    assert not page.all("#own-note *")
    for text, said in NO_LISTS:
        choose(page, text)
        page.says(note, said)
        assert not page.all("#own-note *"), text


@pytest.mark.parametrize(("text", "words"), [
    (MARKUP, 3), ("\u202eabcde\u202c fghij klmno", 3), ("привет мирный солнце", 3),
    ("crane", 1), ("crane crane CRANE crane slate", 2), ("שלום עולם", 2), ("日本 東京 大阪", 3),
    ("αβγδε βαγδε γαβδε", 3), ("0123 1230 2301", 3),
])  # fmt: skip
def test_a_list_of_any_kind_serves_every_tab(page: Table, text: str, words: int) -> None:
    """It is text to the page, and each tab answers with it."""
    page.show()
    scripts = page.run("return document.scripts.length")
    page.drop("<img src=x onerror=alert(1)>.txt", text.encode())
    noun = "word" if words == 1 else "words"
    page.until(lambda: page.text(SUMMARY) == f"My own list, {words} {noun}")
    for tab in TABS:
        page.run("document.querySelector(arguments[0]).click()", f"#tab-{tab}")
        page.until(lambda tab=tab: page.text(f"#view-{tab} h2") != "")
        if tab == "strategies":
            begin(page, "", "minimax")
            page.says("#view-strategies .advice p", "found")
        if tab == "openers":
            page.until(lambda: len(page.texts("#view-openers tbody .word")) == words)
    assert page.run("return document.scripts.length") == scripts
    assert not page.all("#views img, #views script, header img")


def test_a_list_can_be_a_long_text(page: Table) -> None:
    """It is read beside the page, and what was said of the list before does not stay.

    A list is kept for the next visit.
    """
    page.show()
    page.until(lambda: page.texts("#view-helper .take") != [])
    page.drop("long.txt", b"crane slate stare " * 600_000)
    page.until(lambda: page.text("#own-note").startswith("3 words of 5 letters"))
    assert "3,158" not in page.text(HELPED)
    page.says(HELPED, "3 words fit")
    page.forget(page.url)
    page.show()
    choose(page, "crane slate stare")
    page.says(SUMMARY, "3 words")
    page.show()
    page.says(SUMMARY, "3 words")
    page.says(HELPED, "3 words fit")


def test_a_large_list_can_be_used(page: Table) -> None:
    """100,000 words: first proposals are refused in a sentence, those after a clue are not."""
    words = made_words(6, 100_000, "abcdefghijklmnopqrst")
    page.show()
    page.drop("large.txt", "\n".join(words).encode())
    page.until(lambda: page.text(SUMMARY) == "My own list, 100,000 words")
    page.says(HELPED, "over 100,000 words would take too long")
    page.press(words[0], "1", "\ue007")
    page.sees(f"{HELPED} .take", 10)
    page.find("#tab-game").click()
    page.sees("#view-game .now")
    word = random.Random(1).choice(words)
    page.press(word, "\ue007")
    page.sees(f"#view-game .row[aria-label^='Guess 1: {word}']")
