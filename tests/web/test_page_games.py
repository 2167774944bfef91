"""Games in a real browser: each kind to its end, statistics, the share grid, Mastermind."""

import json
import random
import re
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from solver.game.load import load_game
from strategy.play.game import Adversary, Hidden
from tests.support.asked import told
from tests.support.browsers import Table

pytestmark = pytest.mark.slow

VIEW = "#view-game"
ADVICE, NOTE, STATISTICS = f"{VIEW} .advice", f"{VIEW} .note", f"{VIEW} .statistics"
CRANE = f"{VIEW} .row[aria-label^='Guess 1: crane']"
NAMES = {"b": "grey", "y": "yellow", "g": "green"}
TILES = {"b": "⬛", "y": "🟨", "g": "🟩"}


def guess(page: Table, number: int, word: str, colours: str) -> None:
    """Type a guess, and see that the page answers with these colours."""
    page.press(word, Keys.ENTER)
    label = f"Guess {number}: {word}, {', '.join(NAMES[mark] for mark in colours)}"
    page.sees(f"{VIEW} .row[aria-label='{label}']")


def seed_of(page: Table) -> int:
    """By what the word of the game that is kept was drawn."""
    kept: dict[str, Any] = json.loads(page.run("return localStorage.getItem('knuthle-game')"))
    return int(kept["seed"])


def guesses(page: Table) -> list[str]:
    """The words that were guessed, as the board names its rows."""
    labels = [str(row.get_attribute("aria-label")) for row in page.all(f"{VIEW} .row")]
    return [label for label in labels if re.match(r"Guess \d+: \w+,", label)]


def guessed(page: Table, count: int) -> None:
    page.until(lambda: len(guesses(page)) == count)


def give_up(page: Table) -> None:
    """The page asks once, and does nothing before."""
    page.press_button("Give up")
    assert page.all(f"{VIEW} .board .row.now")
    page.press_button("Yes, give up")


@pytest.mark.parametrize("kind", ["day", pytest.param("hidden", marks=pytest.mark.long)])
def test_a_drawn_game_to_its_end(page: Table, kind: str) -> None:
    """Won, with the help of the page; then lost; each is counted, the word of a day once."""
    page.show(f"#game/{kind}", ".now")
    game, dice = load_game("nyt-2026", "answers"), random.Random(kind)
    page.press("crane", Keys.ENTER)
    page.until(lambda: page.run("return localStorage.getItem('knuthle-game')"))
    host = Hidden.drawn(game, 1, seed_of(page))
    scores = [host.answer(0, "crane")]
    word = next(it for it in game.secrets if host.answer(0, it) == game.solved)
    for number in (2, 3):
        wrong = dice.choice([it for it in game.secrets if it != word])
        scores.append(host.answer(0, wrong))
        guess(page, number, wrong, game.format_score(scores[-1]))
    guess(page, 4, word, "ggggg")
    grid = str(page.find("#view-game .grid").get_attribute("value")).splitlines()
    tiles = ["".join(TILES[mark] for mark in game.format_score(score)) for score in scores]
    assert grid[0].startswith("knuthle nyt-2026") and grid[0].endswith(" 4/6")
    assert grid[2:] == [*tiles, "🟩🟩🟩🟩🟩"]
    assert "1 played" in page.text(STATISTICS) and "100 %" in page.text(STATISTICS)
    page.show(f"#game/{kind}")  # the finished game is still there, and counted once
    page.says(ADVICE, "Solved in 4 guesses")
    assert "1 played" in page.text(STATISTICS)
    page.press_button("New game")
    page.sees(f"{VIEW} .now[aria-label='Guess 1: empty']")
    word = game.secrets[random.Random(seed_of(page)).sample(range(len(game.secrets)), 1)[0]]
    wrong = next(it for it in game.secrets if it != word)
    for number in range(1, 7):
        guess(page, number, wrong, game.format_score(game.grade(wrong, word)))
    page.says(ADVICE, "Not solved")
    assert word.upper() in page.text(NOTE)
    assert "2 played" in page.text(STATISTICS) and "50 %" in page.text(STATISTICS)


def test_the_adversary_to_its_end(page: Table) -> None:
    """As the command plays it, guess by guess, until it has to give in; it is not counted."""
    page.show("#game/adversary", ".now")
    game, dice = load_game("nyt-2026", "answers"), random.Random(6)
    host, score, number = Adversary(game), -1, 0
    while score != game.solved:
        number += 1
        word = dice.choice(host.possible(0) if number > 2 else game.guesses)
        score = host.answer(0, word)
        guess(page, number, word, game.format_score(score))
        if score != game.solved:
            assert f"; {len(host.possible(0))} word" in page.text(NOTE)
    assert f"Solved in {number} guesses" in page.text(ADVICE)
    assert not page.all(".statistics")


def test_a_game_is_found_again_as_it_was_left(page: Table) -> None:
    """A second click begins no other: *New game* comes up where a key was."""
    page.show("#game/hidden", ".now")
    page.press("crane", Keys.ENTER, "sl")
    page.sees(CRANE)
    seed = seed_of(page)
    page.show("#game")
    page.sees(CRANE)
    assert seed_of(page) == seed
    page.press_button("Hint")
    page.until(lambda: page.text(NOTE).startswith("Hint: "))
    hint = page.text(f"{NOTE} .take-best")
    page.find(f"{NOTE} .take-best").click()
    assert page.all(f"{VIEW} .row[aria-label='Guess 2: {hint}']")
    page.press_button("Open in helper")
    page.until(lambda: page.address.startswith("#helper/crane."))
    page.until(lambda: hint in page.texts("#view-helper .take")[:1])
    page.find("#tab-game").click()
    page.sees(CRANE)
    give_up(page)
    page.says(ADVICE, "Not solved")
    page.says(NOTE, "Not solved")
    click = """const [button, detail] = arguments;
      button.dispatchEvent(new MouseEvent("click", {bubbles: true, detail}))"""
    again = page.find(f"{VIEW} .moves .primary")
    page.run(click, again, 2)
    assert "Not solved" in page.text(NOTE)  # the answer must be seen first
    page.run(click, again, 1)
    guessed(page, 0)


def test_the_word_of_the_day_is_found_again_after_a_game(page: Table) -> None:
    page.show("#game/day", ".now")
    page.press("crane", Keys.ENTER, "sloth", Keys.ENTER)
    guessed(page, 2)
    for kind, count in (("Hidden word", 0), ("Word of the day", 2)):
        page.press_button(kind)
        guessed(page, count)
    page.run(f"document.querySelector('{VIEW} [aria-pressed=true]').focus()")
    page.press("moist", Keys.ENTER)  # Enter is the board's, not the button's
    guessed(page, 3)


def test_two_tabs_of_a_browser(page: Table) -> None:
    """A game that both have brought to its end counts once; each goes on with its own game."""
    page.show("#game/hidden", ".now")
    page.press("crane", Keys.ENTER)
    guessed(page, 1)
    driver, first = page.driver, page.driver.current_window_handle
    driver.switch_to.new_window("tab")
    try:
        page.show("#game")
        guessed(page, 1)  # the game that was left
        give_up(page)
        page.says(STATISTICS, "1 played")
        driver.switch_to.window(first)
        give_up(page)
        page.says(STATISTICS, "1 played")
        page.press_button("New game")
        guessed(page, 0)
        page.press("slate", Keys.ENTER)
        guessed(page, 1)
        driver.switch_to.window(driver.window_handles[1])
        page.press_button("New game")
        page.press("trace", Keys.ENTER, "mount", Keys.ENTER)
        guessed(page, 2)
        driver.switch_to.window(first)
        page.find("#tab-helper").click()
        page.sees("#view-helper:not([hidden]) h2")
        page.find("#tab-game").click()
        guessed(page, 1)
        assert "slate" in guesses(page)[0]
    finally:
        for other in driver.window_handles[1:]:
            driver.switch_to.window(other)
            driver.close()
        driver.switch_to.window(first)


def test_what_is_no_guess_is_told(page: Table) -> None:
    page.show("#game/hidden?hard=true", ".now")
    for typed, said in (("cra", "needs 5 letters"), ("zzzzz", "ZZZZZ is not in this list")):
        page.press(typed, Keys.ENTER)
        page.says(NOTE, said)
        page.press(*[Keys.BACKSPACE] * 5)
    page.press("crane", Keys.ENTER)
    page.sees(CRANE)
    host = Hidden.drawn(load_game("nyt-2026", "answers"), 1, seed_of(page))
    if host.answer(0, "crane"):
        page.press("moist", Keys.ENTER)
        page.says(NOTE, "Hard mode: ")


MASTERMIND, PEGS = load_game(spec="mastermind:4x6"), "#view-mastermind .advice"


@pytest.mark.parametrize("clues", ["", "1122 1,1 1314 1,2"])
def test_mastermind_is_answered_as_by_commands(page: Table, clues: str) -> None:
    page.show("#mastermind", "tbody tr")
    page.advice_at(f"#mastermind/4x6.{clues.replace(' ', '.')}", "mastermind")
    expected = told(["suggest", *clues.split(), "--game", "mastermind:4x6"])["answer"]
    assert page.text(f"{PEGS} h2").startswith(f"{expected['remaining']:,} code")
    codes = page.texts("#view-mastermind tbody .code")
    assert codes == [row["word"] for row in expected["suggestions"]]


def test_a_code_is_found_by_keys_alone(page: Table) -> None:
    page.show("#mastermind")
    for _ in range(7):
        page.sees("#view-mastermind .take-best .code")
        code = page.text("#view-mastermind .take-best .code")
        score = MASTERMIND.format_score(MASTERMIND.grade(code, "5326"))
        page.press(code, *score.split(","), Keys.ENTER)
        if code == "5326":
            break
        page.until(lambda code=code: code in page.address)
    page.says(PEGS, "Solved in")


def test_pegs_that_cannot_be_are_told(page: Table) -> None:
    """An address goes no further than the solution; all codes fit the one reply that is changed."""
    page.show("#mastermind")
    page.press("1122", "3", "1", Keys.ENTER)
    page.says("#view-mastermind .note", "No code gives 3 black and 1 white")
    page.advice_at("#mastermind/4x6.1122.4,0.3344.0,0", "mastermind")
    assert page.text(f"{PEGS} h2") == "Solved in 1 guess"
    page.advice_at("#mastermind/4x6.1111.3,0.2222.3,0.3333.3,0", "mastermind")
    assert page.text(f"{PEGS} h2") == "No code fits these pegs"
    assert "No single guess explains it" in page.text(PEGS)
    page.advice_at("#mastermind/4x6.1122.2,2.3344.1,0", "mastermind")
    first = page.text("#view-mastermind .mend li")
    told = re.search(r"Guess (\d): (\d) black and (\d) white; then (\d+) code", first)
    assert told is not None
    row, black, white, count = map(int, told.groups())
    clues = [("1122", "2,2"), ("3344", "1,0")]
    clues[row - 1] = (clues[row - 1][0], f"{black},{white}")
    fit = [
        code for code in MASTERMIND.secrets
        if all(MASTERMIND.format_score(MASTERMIND.grade(it, code)) == pegs for it, pegs in clues)
    ]  # fmt: skip
    assert len(fit) == count > 0
    page.press_button("Change it")
    heading = f"{count} code{'s' * (count != 1)} fit" if count > 1 else "It is"
    page.until(lambda: page.text(f"{PEGS} h2") == heading)


def test_mastermind_leaves_the_options_and_the_game_alone(page: Table) -> None:
    """Its addresses have no options of words; another tab is seen from its top."""
    page.show("#game", ".now")
    page.fill(list="nyt-2022")
    page.show("#game")
    page.press("crane", Keys.ENTER)
    guessed(page, 1)
    page.show("#mastermind/4x6.1234.0,2")
    page.run("scrollTo(0, 9999)")
    page.find("#tab-game").click()
    assert page.run("return scrollY") == 0
    guessed(page, 1)
    assert "nyt-2022" in page.text("#options-summary")
