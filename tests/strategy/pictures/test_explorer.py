"""The page in a real browser: games clicked through, keys, addresses, screens, hostile words."""

from __future__ import annotations

import random
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from strategy.build.by_rule import Solved, solve
from strategy.files.notation import score_text
from strategy.pictures.page import page_of
from strategy.pictures.serve import PageServer
from strategy.tree import Strategy
from tests.support.browsers import CLICK, PHONE, Browser
from tests.support.explored import play
from tests.support.pages import HAZED, HOSTILE_NAME, hostile, written
from tests.support.worlds import game_of

pytestmark = pytest.mark.slow


def test_fifty_games_of_words(browser: Browser, lares: Solved, lares_page: Path) -> None:
    browser.screen(*PHONE)
    browser.open(lares_page)
    secrets = random.Random(16).sample(lares.strategy.secrets, 50)
    for secret in [*secrets, "lares", lares.strategy.beyond(6)[0]]:
        play(browser, lares.strategy, secret)


def test_twenty_games_of_codes(browser: Browser, codes: Strategy, codes_page: Path) -> None:
    browser.open(codes_page)
    for secret in random.Random(16).sample(codes.secrets, 20):
        play(browser, codes, secret)


def test_tiles_are_clicked_as_in_the_game(browser: Browser, lares_page: Path) -> None:
    browser.open(lares_page)
    tile = browser.find("#board .now button:nth-child(2)")
    kinds = []
    for _ in range(4):
        kinds.append(tile.get_attribute("class"))
        tile.click()
    assert kinds == ["tile grey", "tile yellow", "tile green", "tile grey"]
    browser.run(CLICK, [2, 0, 2, 2, 0])
    assert browser.text("#verdict") == "No remaining secret replies like this."
    browser.find("#play").click()
    assert browser.address == ""


def test_the_replies_are_the_buckets(browser: Browser, lares: Solved, lares_page: Path) -> None:
    strategy = lares.strategy
    browser.open(lares_page, "#lares.bgbgb")
    sizes = browser.texts("#buckets b")
    assert sizes == sorted(sizes, key=int, reverse=True)
    assert sum(map(int, sizes)) == len(strategy.remaining([("lares", "bgbgb")]))
    for link in browser.all("#buckets a"):
        state = strategy.parse_state(str(link.get_attribute("href")).partition("#")[2])
        if state[-1][1] != 242:
            size, then = link.text.split()
            assert int(size) == len(strategy.remaining(state))
            assert then.lower() == strategy.next_guess(state)
    browser.find("#buckets li:nth-child(3) a").click()
    assert len(browser.address.split(".")) == 4


def test_the_chart_shows_who_takes_so_long(
    browser: Browser, lares: Solved, lares_page: Path
) -> None:
    browser.open(lares_page)
    counts = [int(count.replace(",", "")) for count in browser.texts("#histogram b")]
    assert counts == lares.strategy.histogram
    browser.find("#histogram tr:last-child button").click()
    assert browser.texts("#secrets bdi") == lares.strategy.beyond(6)
    assert browser.text("#left-title") == "35 secrets solved by guess 7"
    browser.find("#histogram tr:last-child button").click()
    assert browser.text("#left-title") == "12,972 secrets remain"
    browser.find("#secrets .rest button").click()
    assert len(browser.texts("#secrets bdi")) == 12_972


def test_a_secret_is_found_by_keys(browser: Browser, lares_page: Path) -> None:
    browser.open(lares_page)
    browser.press(Keys.TAB)
    assert browser.focus == "search"
    browser.press("haze")
    assert browser.texts("#found bdi")[:4] == ["hazed", "hazel", "hazer", "hazes"]
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    assert browser.address.endswith(".hazed.ggggg")
    assert browser.focus == "game-title"
    browser.find("#search").send_keys("zzzzz")
    assert browser.texts("#found li") == ["No such secret"]
    browser.press(Keys.ESCAPE)
    assert not browser.find("#found").is_displayed()


def test_a_game_by_keys_alone(browser: Browser, lares_page: Path) -> None:
    browser.open(lares_page)
    browser.press(Keys.TAB * 4)
    assert browser.focus == "Tile 1 of 5, letter l: grey"
    browser.press("bgbgb", Keys.ENTER)
    assert browser.address == "#lares.bgbgb"
    assert browser.text("#live") == "Guess 2: nymph. 124 secrets remain."
    assert browser.focus == "Tile 1 of 5, letter n: grey"
    browser.press(Keys.END, Keys.ARROW_UP)
    assert browser.focus == "Tile 5 of 5, letter h: yellow"
    browser.press(Keys.ENTER)
    assert browser.text("#game-title bdi") == "adzed"
    browser.press("ybggg", Keys.ARROW_LEFT, Keys.SPACE)
    assert browser.focus == "Tile 4 of 5, letter e: grey"
    browser.press("g", Keys.ENTER)
    assert browser.address == HAZED
    browser.press(Keys.BACKSPACE)
    assert browser.address == "#lares.bgbgb.nymph.bbbby"
    browser.press("ybggg", Keys.ENTER, "ggggg", Keys.ENTER)
    assert browser.text("#verdict") == "hazed is the secret, found in 4 guesses."
    assert browser.focus == "game-title"
    browser.press(Keys.TAB * 5)
    assert browser.focus == "back"


def test_the_tree_by_keys_and_by_mouse(browser: Browser, lares: Solved, lares_page: Path) -> None:
    strategy = lares.strategy
    browser.open(lares_page)
    browser.run("document.getElementById('icicle').focus()")
    browser.press(Keys.ARROW_DOWN)
    assert browser.text("#live") == "biont, guess 2 after bbbbb, 832 secrets"
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ENTER)
    assert (browser.address, browser.focus) == ("#lares.bbbbb", "icicle")
    place = "const box = document.getElementById('icicle').getBoundingClientRect();"
    point = (
        "document.getElementById('icicle').dispatchEvent(new PointerEvent(arguments[0], {clientX:"
        "box.left + box.width * arguments[1], clientY: box.top + 30 * arguments[2] + 15}))"
    )
    state = strategy.parse_state("lares.bbbbb")
    largest = max(
        (s for s in range(242) if (*state, ("biont", s)) and strategy.get([*state, ("biont", s)])),
        key=lambda s: len(strategy.remaining([*state, ("biont", s)])),
    )
    before = sum(
        len(strategy.remaining([*state, ("biont", s)]))
        for s in range(largest)
        if strategy.get([*state, ("biont", s)])
    )
    size = len(strategy.remaining([*state, ("biont", largest)]))
    hit = int("biont" in strategy.secrets)
    middle = (hit + before + size / 2) / 832
    browser.run(place + point, "pointermove", middle, 2)
    assert f"{size} secrets" in browser.text("#tip")
    browser.run(place + point, "click", middle, 2)
    assert browser.address == f"#lares.bbbbb.biont.{score_text('wordle', 5, largest)}"
    browser.run(place + point, "click", 0.5, 0)
    assert browser.address in ("", "#")


def test_the_address_is_the_state(browser: Browser, lares_page: Path) -> None:
    browser.open(lares_page, "#lares.bgbgb")
    assert browser.text("#game-title bdi") == "nymph"
    assert browser.driver.title == "LARES bgbgb · NYMPH"
    browser.run(CLICK, [0, 0, 0, 0, 1])
    browser.find("#play").click()
    browser.find("#board li:first-child a").click()
    assert browser.text("#game-title bdi") == "lares"
    browser.driver.back()
    assert browser.text("#game-title bdi") == "adzed"
    browser.driver.back()
    assert browser.text("#game-title bdi") == "nymph"
    browser.driver.forward()
    assert browser.address == "#lares.bgbgb.nymph.bbbby"
    browser.find("#back").click()
    assert browser.address == "#lares.bgbgb"
    for spelled in ("#LARES.BGBGB", "#lares.xoxox.nymph", "#lares.02020", "#lares.⬛🟩⬛🟩⬛"):
        browser.open(lares_page, spelled)
        assert not browser.find("#told").is_displayed(), spelled


@pytest.mark.parametrize(
    ("address", "reason", "guess"),
    [
        ("#crane.bbbbb", "step 1: the strategy guesses “lares” there, not “crane”", "lares"),
        ("#lares.bgbgb.crane", "step 2: the strategy guesses “nymph” there", "nymph"),
        ("#lares.bgbg", "step 1: “bgbg” is no reply", "lares"),
        ("#lares.", "step 1: “” is no reply", "lares"),
        ("#lares.ggggy", "step 1: no secret answers “lares” with “ggggy”", "lares"),
        ("#lares.ggggg.nymph", "step 2: the game is won before", "lares"),
        ("#%E0%A4%A", "it is not written as addresses are", "lares"),
        ("#<img src=x onerror=alert(1)>", "step 1: the strategy guesses “lares” there", "lares"),
        ("#__proto__.constructor", "step 1: the strategy guesses “lares” there", "lares"),
        (f"#{'x' * 5000}", "…”", "lares"),
    ],
)
def test_a_wrong_address_is_told(
    browser: Browser, lares_page: Path, address: str, reason: str, guess: str
) -> None:
    browser.open(lares_page, address)
    assert reason in browser.text("#told")
    assert browser.find("#told").is_displayed()
    assert guess in browser.text("#board")
    browser.find("#again").click()
    assert not browser.find("#told").is_displayed()


def test_hostile_words_and_names_are_text(browser: Browser, tmp_path: Path) -> None:
    words = "abide adieu arise crane raise slate stare trace baker".split()
    plain = solve(game_of(words)).strategy
    strategy = hostile(plain)
    page = written(strategy, tmp_path)
    browser.open(page)
    ends = "return [...document.querySelectorAll('#secrets a')].map((a) => [a.textContent, a.hash])"
    links = dict(browser.run(ends))
    assert set(links) == set(strategy.secrets)
    for secret, node in strategy.solved_at.items():
        browser.open(page, links[secret])
        rows = browser.texts("#board a.row")
        assert rows == [word for word, _ in strategy.history_of(node)] + [secret]
        assert browser.text("#verdict").startswith(f"{secret} is the secret")
        assert browser.text("#told") == ""
    for secret in strategy.secrets[:2]:
        browser.find("#search").send_keys(secret[:4], Keys.ENTER)
        assert browser.text("#verdict").startswith(f"{secret} is the secret")
    assert browser.text("#rule") == HOSTILE_NAME
    assert HOSTILE_NAME in browser.text("#about")
    assert browser.run("return document.querySelectorAll('script').length") == 2
    assert browser.run("return document.querySelectorAll('img, b b, scr').length") == 0


def test_what_a_search_claims_is_told(browser: Browser, tmp_path: Path) -> None:
    strategy = solve(game_of(["crane", "slate", "stare"])).strategy
    for claim, said in (
        ({"objective": "total", "within": 6, "proved": True}, "total 5 (proved, says its file)"),
        ({"objective": "worst", "within": None, "proved": False}, "worst 2 (a bound)"),
        ({"objective": "losses", "within": 1, "proved": True}, "2 beyond 1 (proved, says its"),
        ({}, "worst 2 · mean 1.6667 · total 5 · 3 states"),
    ):
        browser.open(
            written(replace(strategy, origin=replace(strategy.origin, claim=claim)), tmp_path)
        )
        assert said in browser.text("#facts")


def test_nothing_from_outside_is_let_in(chromium: Browser, lares_page: Path) -> None:
    chromium.open(lares_page)
    with PageServer("<!doctype html>") as server:
        told = chromium.run(
            """
            const said = [];
            addEventListener("securitypolicyviolation", (e) => said.push(e.effectiveDirective));
            const script = document.createElement("script");
            try { script.textContent = "window.evil = 1"; } catch { said.push("text"); }
            try { document.body.innerHTML = "<b>x</b>"; } catch { said.push("markup"); }
            try { eval("1"); } catch { said.push("eval"); }
            document.body.append(Object.assign(document.createElement("img"), {src: arguments[0]}));
            document.body.setAttribute("style", "color: red");
            fetch(arguments[0]).catch(() => 0);
            return new Promise((done) => setTimeout(() => done([said, window.evil]), 300));
            """,
            server.address,
        )
    said, evil = told
    assert evil is None
    assert {"text", "markup", "img-src", "connect-src", "style-src-attr"} <= set(said)
    assert chromium.complaints()


def test_the_page_that_is_served(browser: Browser, lares: Solved) -> None:
    with PageServer(page_of(lares.strategy)) as server:
        # a daemon: whatever fails here, the tests end
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.open(server.address, "#lares.bgbgb")
        assert browser.text("#game-title bdi") == "nymph"
        browser.find("#theme").click()
        browser.find("#contrast").click()
        browser.open(server.address)
        assert browser.text("#theme") == "Theme: Light"
        assert browser.find("#contrast").get_attribute("aria-pressed") == "true"
        browser.open(server.address.replace("127.0.0.1", "localhost"))
        assert browser.text("#game-title bdi") == "lares"
        server.shutdown()
