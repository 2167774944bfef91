"""The page in a real browser with words of other scripts: from the right, without capitals."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from selenium.webdriver.common.keys import Keys

from strategy.build.by_rule import solve
from strategy.files.letters import capitals, plain
from strategy.tree import Strategy
from tests.support.alphabets import LISTS, words_in
from tests.support.browsers import Browser
from tests.support.explored import play
from tests.support.pages import written
from tests.support.worlds import game_of

pytestmark = pytest.mark.slow

#: The left ends of the tiles of the first row, and the words as they are seen.
SEEN = """
const left = [...document.querySelectorAll("#board .row:first-child > *")]
  .slice(0, arguments[0]).map((tile) => tile.getBoundingClientRect().left);
return [left, document.querySelector("#game-title bdi").innerText, document.title];
"""


def strategy_in(script: str) -> Strategy:
    return solve(game_of(sorted(map(plain, words_in(script))))).strategy


@pytest.mark.parametrize("script", sorted(LISTS))
def test_games_in_other_scripts(browser: Browser, tmp_path: Path, script: str) -> None:
    strategy = strategy_in(script)
    browser.open(written(strategy, tmp_path))
    for secret in strategy.secrets:
        play(browser, strategy, secret)
    word = strategy.next_guess()
    assert word
    left, title, name = browser.run(SEEN, len(word))
    assert left == sorted(left, reverse=script == "hebrew")
    assert plain(title) == word
    assert name == (word if script == "german" else capitals(word))
    assert title == name


def test_addresses_and_search_and_arrows(browser: Browser, tmp_path: Path) -> None:
    strategy = strategy_in("hebrew")
    word = strategy.next_guess()
    browser.open(written(strategy, tmp_path))
    browser.find("#board .now button").click()
    browser.press(Keys.ARROW_LEFT)
    assert browser.focus.startswith("Tile 2 of 4")
    browser.press(Keys.ARROW_RIGHT)
    assert browser.focus.startswith("Tile 1 of 4")
    secret = next(each for each in strategy.secrets if each != word)
    browser.find("#search").send_keys(secret[:2])
    assert secret in browser.texts("#found bdi")
    browser.open(written(strategy, tmp_path), "#" + quote(str(word)))
    assert not browser.find("#told").is_displayed()
    assert unquote(browser.address) == f"#{word}"
    browser.open(written(strategy_in("greek"), tmp_path))
    browser.find("#search").send_keys("ΛΌΓΟΣ")
    assert browser.texts("#found bdi") == ["λόγοσ"]
