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
from tests.support.browsers import Browser
from tests.support.table import advice_at, fill, press_button, show, until

pytestmark = pytest.mark.slow

VIEW = "#view-game"
NAMES = {"b": "grey", "y": "yellow", "g": "green"}
TILES = {"b": "⬛", "y": "🟨", "g": "🟩"}


def guess(browser: Browser, number: int, word: str, colours: str) -> None:
    """Type a guess, and see that the page answers with these colours."""
    browser.press(word, Keys.ENTER)
    label = f"Guess {number}: {word}, {', '.join(NAMES[mark] for mark in colours)}"
    until(browser, lambda: browser.all(f"{VIEW} .row[aria-label='{label}']"))


def game_here(browser: Browser) -> dict[str, Any]:
    return dict(json.loads(browser.run("return localStorage.getItem('knuthle-game')")))


def begin(browser: Browser, address: str, place: str) -> None:
    browser.forget(address)
    show(browser, address, place)
    until(browser, lambda: browser.all(f"{VIEW} .now"))


@pytest.mark.parametrize("kind", ["day", pytest.param("hidden", marks=pytest.mark.long)])
def test_a_drawn_game_to_its_end(browser: Browser, address: str, kind: str) -> None:
    """Won, with the help of the page; then lost; each is counted, the word of a day once."""
    begin(browser, address, f"#game/{kind}")
    game = load_game("nyt-2026", "answers")
    dice = random.Random(kind)
    browser.press("crane", Keys.ENTER)
    until(browser, lambda: browser.run("return localStorage.getItem('knuthle-game')"))
    host = Hidden.drawn(game, 1, game_here(browser)["seed"])
    scores = [host.answer(0, "crane")]
    word = next(it for it in game.secrets if host.answer(0, it) == game.solved)
    for number in (2, 3):
        wrong = dice.choice([it for it in game.secrets if it != word])
        scores.append(host.answer(0, wrong))
        guess(browser, number, wrong, game.format_score(scores[-1]))
    guess(browser, 4, word, "ggggg")
    grid = str(browser.find("#view-game .grid").get_attribute("value")).splitlines()
    tiles = ["".join(TILES[mark] for mark in game.format_score(score)) for score in scores]
    assert grid[0].startswith("knuthle nyt-2026") and grid[0].endswith(" 4/6")
    assert grid[2:] == [*tiles, "🟩🟩🟩🟩🟩"]
    assert "1 played" in browser.text(".statistics") and "100 %" in browser.text(".statistics")
    show(browser, address, f"#game/{kind}")  # the finished game is still there, and counted once
    until(browser, lambda: "Solved in 4 guesses" in browser.text(f"{VIEW} .advice"))
    assert "1 played" in browser.text(".statistics")
    press_button(browser, "New game")
    until(browser, lambda: browser.all(f"{VIEW} .now[aria-label='Guess 1: empty']"))
    seed = game_here(browser)["seed"]
    word = game.secrets[random.Random(seed).sample(range(len(game.secrets)), 1)[0]]
    wrong = next(it for it in game.secrets if it != word)
    for number in range(1, 7):
        guess(browser, number, wrong, game.format_score(game.grade(wrong, word)))
    until(browser, lambda: "Not solved" in browser.text(f"{VIEW} .advice"))
    assert word.upper() in browser.text(f"{VIEW} .note")
    assert "2 played" in browser.text(".statistics") and "50 %" in browser.text(".statistics")


def test_the_adversary_to_its_end(browser: Browser, address: str) -> None:
    """As the command plays it, guess by guess, until it has to give in; it is not counted."""
    begin(browser, address, "#game/adversary")
    game = load_game("nyt-2026", "answers")
    host = Adversary(game)
    dice = random.Random(6)
    score, number = -1, 0
    while score != game.solved:
        number += 1
        word = dice.choice(host.possible(0) if number > 2 else game.guesses)
        score = host.answer(0, word)
        guess(browser, number, word, game.format_score(score))
        if score != game.solved:
            assert f"; {len(host.possible(0))} word" in browser.text(f"{VIEW} .note")
    assert f"Solved in {number} guesses" in browser.text(f"{VIEW} .advice")
    assert not browser.all(".statistics")


def test_a_game_is_found_again_as_it_was_left(browser: Browser, address: str) -> None:
    begin(browser, address, "#game/hidden")
    browser.press("crane", Keys.ENTER, "sl")
    until(browser, lambda: browser.all(f"{VIEW} .row[aria-label^='Guess 1: crane']"))
    seed = game_here(browser)["seed"]
    show(browser, address, "#game")
    until(browser, lambda: browser.all(f"{VIEW} .row[aria-label^='Guess 1: crane']"))
    assert game_here(browser)["seed"] == seed
    press_button(browser, "Hint")
    until(browser, lambda: browser.text(f"{VIEW} .note").startswith("Hint: "))
    hint = browser.text(f"{VIEW} .note .take-best")
    browser.find(f"{VIEW} .note .take-best").click()
    assert browser.all(f"{VIEW} .row[aria-label='Guess 2: {hint}']")
    press_button(browser, "Open in helper")
    until(browser, lambda: browser.address.startswith("#helper/crane."))
    until(browser, lambda: hint in browser.texts("#view-helper .take")[:1])
    browser.find("#tab-game").click()
    until(browser, lambda: browser.all(f"{VIEW} .row[aria-label^='Guess 1: crane']"))
    give_up(browser)
    until(browser, lambda: "Not solved" in browser.text(f"{VIEW} .advice"))


def test_the_word_of_the_day_is_found_again_after_a_game(browser: Browser, address: str) -> None:
    begin(browser, address, "#game/day")
    browser.press("crane", Keys.ENTER, "sloth", Keys.ENTER)
    until(browser, lambda: len(guesses(browser)) == 2)
    for kind, count in (("Hidden word", 0), ("Word of the day", 2)):
        press_button(browser, kind)
        until(browser, lambda count=count: len(guesses(browser)) == count)
    browser.run(f"document.querySelector('{VIEW} [aria-pressed=true]').focus()")
    browser.press("moist", Keys.ENTER)  # Enter is the board's, not the button's
    until(browser, lambda: len(guesses(browser)) == 3)


def give_up(browser: Browser) -> None:
    """The page asks once, and does nothing before."""
    press_button(browser, "Give up")
    assert browser.all(f"{VIEW} .board .row.now")
    press_button(browser, "Yes, give up")


def guesses(browser: Browser) -> list[str]:
    """The words that were guessed, as the board names its rows."""
    labels = [str(row.get_attribute("aria-label")) for row in browser.all(f"{VIEW} .row")]
    return [label for label in labels if re.match(r"Guess \d+: \w+,", label)]


def test_a_second_click_begins_no_game(browser: Browser, address: str) -> None:
    """*New game* comes up where a key was: the answer must be seen first."""
    begin(browser, address, "#game/hidden")
    browser.press("crane", Keys.ENTER)
    give_up(browser)
    until(browser, lambda: "Not solved" in browser.text(f"{VIEW} .note"))
    click = """const [button, detail] = arguments;
      button.dispatchEvent(new MouseEvent("click", {bubbles: true, detail}))"""
    again = browser.find(f"{VIEW} .moves .primary")
    browser.run(click, again, 2)
    assert "Not solved" in browser.text(f"{VIEW} .note")
    browser.run(click, again, 1)
    until(browser, lambda: not guesses(browser))


def test_two_tabs_of_a_browser(browser: Browser, address: str) -> None:
    """A game that both have brought to its end counts once; each goes on with its own game."""
    begin(browser, address, "#game/hidden")
    browser.press("crane", Keys.ENTER)
    until(browser, lambda: len(guesses(browser)) == 1)
    first = browser.driver.current_window_handle
    browser.driver.switch_to.new_window("tab")
    try:
        show(browser, address, "#game")
        until(browser, lambda: len(guesses(browser)) == 1)  # the game that was left
        give_up(browser)
        until(browser, lambda: "1 played" in browser.text(f"{VIEW} .statistics"))
        browser.driver.switch_to.window(first)
        give_up(browser)
        until(browser, lambda: "1 played" in browser.text(f"{VIEW} .statistics"))
        press_button(browser, "New game")
        until(browser, lambda: not guesses(browser))
        browser.press("slate", Keys.ENTER)
        until(browser, lambda: len(guesses(browser)) == 1)
        browser.driver.switch_to.window(browser.driver.window_handles[1])
        press_button(browser, "New game")
        browser.press("trace", Keys.ENTER, "mount", Keys.ENTER)
        until(browser, lambda: len(guesses(browser)) == 2)
        browser.driver.switch_to.window(first)
        browser.find("#tab-helper").click()
        until(browser, lambda: browser.all("#view-helper:not([hidden]) h2"))
        browser.find("#tab-game").click()
        until(browser, lambda: len(guesses(browser)) == 1)
        assert "slate" in guesses(browser)[0]
    finally:
        for other in browser.driver.window_handles[1:]:
            browser.driver.switch_to.window(other)
            browser.driver.close()
        browser.driver.switch_to.window(first)


def test_what_is_no_guess_is_told(browser: Browser, address: str) -> None:
    begin(browser, address, "#game/hidden?hard=true")
    for typed, said in (("cra", "needs 5 letters"), ("zzzzz", "ZZZZZ is not in this list")):
        browser.press(typed, Keys.ENTER)
        until(browser, lambda said=said: said in browser.text(f"{VIEW} .note"))
        browser.press(*[Keys.BACKSPACE] * 5)
    browser.press("crane", Keys.ENTER)
    until(browser, lambda: browser.all(f"{VIEW} .row[aria-label^='Guess 1: crane']"))
    game = load_game("nyt-2026", "answers")
    host = Hidden.drawn(game, 1, game_here(browser)["seed"])
    if host.answer(0, "crane"):
        browser.press("moist", Keys.ENTER)
        until(browser, lambda: "Hard mode: " in browser.text(f"{VIEW} .note"))


@pytest.mark.long
def test_statistics_that_somebody_else_wrote_are_harmless(browser: Browser, address: str) -> None:
    begin(browser, address, "#game/hidden")
    for text in ("{", '{"played": 3}', '"<b>x</b>"', '{"played": "<b>7</b>", "counts": [1]}'):
        browser.run("localStorage.setItem('knuthle-statistics', arguments[0])", text)
        browser.run("localStorage.setItem('knuthle-game', arguments[0])", text)
        show(browser, address, "#game/hidden")
        until(browser, lambda: browser.all(f"{VIEW} .now"))
        assert not browser.all(f"{VIEW} .advice b b")
    browser.run("localStorage.clear()")


@pytest.mark.parametrize("clues", ["", "1122 1,1 1314 1,2"])
def test_mastermind_is_answered_as_by_commands(browser: Browser, address: str, clues: str) -> None:
    show(browser, address, "#mastermind")
    until(browser, lambda: browser.all("#view-mastermind tbody tr"))
    advice_at(browser, f"#mastermind/4x6.{clues.replace(' ', '.')}", "mastermind")
    expected = told(["suggest", *clues.split(), "--game", "mastermind:4x6"])["answer"]
    assert browser.text("#view-mastermind .advice h2").startswith(f"{expected['remaining']:,} code")
    codes = browser.texts("#view-mastermind tbody .code")
    assert codes == [row["word"] for row in expected["suggestions"]]


def test_a_code_is_found_by_keys_alone(browser: Browser, address: str) -> None:
    game = load_game(spec="mastermind:4x6")
    show(browser, address, "#mastermind")
    for _ in range(7):
        until(browser, lambda: browser.all("#view-mastermind .take-best .code"))
        code = browser.text("#view-mastermind .take-best .code")
        black, white = game.format_score(game.grade(code, "5326")).split(",")
        browser.press(code, black, white, Keys.ENTER)
        if code == "5326":
            break
        until(browser, lambda code=code: code in browser.address)
    until(browser, lambda: "Solved in" in browser.text("#view-mastermind .advice"))


def test_pegs_that_cannot_be_are_told(browser: Browser, address: str) -> None:
    """An address goes no further than the solution."""
    note, heading = "#view-mastermind .note", "#view-mastermind .advice h2"
    show(browser, address, "#mastermind")
    browser.press("1122", "3", "1", Keys.ENTER)
    until(browser, lambda: "No code gives 3 black and 1 white" in browser.text(note))
    advice_at(browser, "#mastermind/4x6.1122.4,0.3344.0,0", "mastermind")
    assert browser.text(heading) == "Solved in 1 guess"
    advice_at(browser, "#mastermind/4x6.1111.3,0.2222.3,0.3333.3,0", "mastermind")
    assert browser.text(heading) == "No code fits these pegs"
    assert "No single guess explains it" in browser.text("#view-mastermind .advice")


def test_the_reply_that_may_be_wrong_in_mastermind(browser: Browser, address: str) -> None:
    """One reply is changed: all codes that fit are those that fit the others too."""
    game = load_game(spec="mastermind:4x6")
    show(browser, address, "#mastermind")
    advice_at(browser, "#mastermind/4x6.1122.2,2.3344.1,0", "mastermind")
    first = browser.text("#view-mastermind .mend li")
    told = re.search(r"Guess (\d): (\d) black and (\d) white; then (\d+) code", first)
    assert told is not None
    row, black, white, count = map(int, told.groups())
    clues = [("1122", 2, 2), ("3344", 1, 0)]
    clues[row - 1] = (clues[row - 1][0], black, white)
    fit = [
        code for code in game.secrets
        if all(game.format_score(game.grade(guess, code)) == f"{b},{w}" for guess, b, w in clues)
    ]  # fmt: skip
    assert len(fit) == count > 0
    press_button(browser, "Change it")
    heading = f"{count} code{'s' * (count != 1)} fit" if count > 1 else "It is"
    until(browser, lambda: browser.text("#view-mastermind .advice h2") == heading)


def test_mastermind_leaves_the_options_and_the_game_alone(browser: Browser, address: str) -> None:
    """Its addresses have no options of words; another tab is seen from its top."""
    begin(browser, address, "#game")
    fill(browser, list="nyt-2022")
    show(browser, address, "#game")
    browser.press("crane", Keys.ENTER)
    until(browser, lambda: len(guesses(browser)) == 1)
    show(browser, address, "#mastermind/4x6.1234.0,2")
    browser.run("scrollTo(0, 9999)")
    browser.find("#tab-game").click()
    assert browser.run("return scrollY") == 0
    until(browser, lambda: len(guesses(browser)) == 1)
    assert "nyt-2022" in browser.text("#options-summary")
    browser.forget(address)
