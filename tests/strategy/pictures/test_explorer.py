"""The page in a real browser: games, keys, addresses, screens, hostile words, scripts."""

import random
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.expected_conditions import invisibility_of_element_located
from selenium.webdriver.support.wait import WebDriverWait

from solver.words.text import plain
from strategy import Strategy, load_game, page_of, solve
from strategy.files.text import capitals, score_text
from strategy.pictures.page import PageServer
from strategy.solving.by_rule import Solved
from tests.support.browsers import CLICK, DESKTOP, PHONE, Browser, browser, chromium, play
from tests.support.commands import serving
from tests.support.pages import HAZED, HOSTILE_NAME, hostile, written
from tests.support.worlds import LISTS, game_of, words_in

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("count", [12, pytest.param(50, marks=pytest.mark.nightly(25))])
def test_games_of_words(browser: Browser, lares: Solved, lares_page: Path, count: int) -> None:
    browser.screen(*PHONE)
    browser.open(lares_page)
    secrets = random.Random(16).sample(lares.strategy.secrets, count)
    for secret in [*secrets, "lares", lares.strategy.beyond(6)[0]]:
        play(browser, lares.strategy, secret)


@pytest.mark.parametrize("count", [5, pytest.param(20, marks=pytest.mark.nightly(10))])
def test_games_of_codes(browser: Browser, codes: Strategy, codes_page: Path, count: int) -> None:
    browser.open(codes_page)
    for secret in random.Random(16).sample(codes.secrets, count):
        play(browser, codes, secret)


def test_tiles_and_replies(browser: Browser, lares: Solved, lares_page: Path) -> None:
    """Tiles are clicked as in the game; the replies are the buckets."""
    browser.open(lares_page)
    tile = browser.find("#board .now button:nth-child(2)")
    kinds = []
    for _ in range(4):
        kinds.append(tile.get_attribute("class"))
        tile.click()
    assert kinds == ["tile grey", "tile yellow", "tile green", "tile grey"]
    browser.run(CLICK, [2, 0, 2, 2, 0])
    assert browser.text("#verdict") == "No possible answer gives these colours."
    browser.find("#play").click()
    assert browser.address == ""
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


@pytest.mark.long
def test_the_chart(browser: Browser, lares: Solved, lares_page: Path) -> None:
    browser.open(lares_page)
    counts = [int(count.replace(",", "")) for count in browser.texts("#histogram b")]
    assert counts == lares.strategy.histogram
    browser.find("#histogram tr:last-child button").click()
    assert browser.texts("#secrets bdi") == lares.strategy.beyond(6)
    assert browser.text("#left-title") == "35 answers solved by guess 7"
    browser.find("#histogram tr:last-child button").click()
    assert browser.text("#left-title") == "12,972 possible answers"
    browser.find("#secrets .rest button").click()
    assert len(browser.texts("#secrets bdi")) == 12_972


def test_a_game_by_keys_alone(browser: Browser, lares_page: Path) -> None:
    """Found by its secret, and then played."""
    browser.open(lares_page)
    browser.press(Keys.TAB)
    assert browser.focus == "search"
    browser.press("haze")
    assert browser.texts("#found bdi")[:4] == ["hazed", "hazel", "hazer", "hazes"]
    browser.press(Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ENTER)
    assert browser.address.endswith(".hazed.ggggg") and browser.focus == "game-title"
    browser.find("#search").send_keys("zzzzz")
    assert browser.texts("#found li") == ["No such answer"]
    browser.press(Keys.ESCAPE)
    assert not browser.find("#found").is_displayed()
    browser.open(lares_page)
    browser.press(Keys.TAB * 4)
    assert browser.focus == "Tile 1 of 5, letter l: grey"
    browser.press("bgbgb", Keys.ENTER)
    assert browser.address == "#lares.bgbgb"
    assert browser.text("#live") == "Guess 2: nymph. 124 possible answers."
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
    assert browser.text("#verdict") == "hazed is the answer, found in 4 guesses."
    assert browser.focus == "game-title"
    browser.press(Keys.TAB * 5)
    assert browser.focus == "back"


def test_the_tree_by_keys_and_by_mouse(browser: Browser, lares: Solved, lares_page: Path) -> None:
    strategy = lares.strategy
    browser.open(lares_page)
    browser.run("document.getElementById('icicle').focus()")
    browser.press(Keys.ARROW_DOWN)
    assert browser.text("#live") == "biont, guess 2 after bbbbb, 832 answers"
    browser.press(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ARROW_UP, Keys.ARROW_LEFT, Keys.ENTER)
    assert (browser.address, browser.focus) == ("#lares.bbbbb", "icicle")
    place = "const box = document.getElementById('icicle').getBoundingClientRect();"
    point = (
        "document.getElementById('icicle').dispatchEvent(new PointerEvent(arguments[0], {clientX:"
        "box.left + box.width * arguments[1], clientY: box.top + 30 * arguments[2] + 15}))"
    )
    state = strategy.parse_state("lares.bbbbb")
    after = {score: [*state, ("biont", score)] for score in range(242)}
    sizes = {s: len(strategy.remaining(it)) for s, it in after.items() if strategy.get(it)}
    largest = max(sizes, key=sizes.__getitem__)
    size, hit = sizes[largest], int("biont" in strategy.secrets)
    before = sum(sizes[score] for score in sizes if score < largest)
    middle = (hit + before + size / 2) / 832
    browser.run(place + point, "pointermove", middle, 2)
    assert f"{size} answers" in browser.text("#tip")
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
        assert not browser.find("#fault").is_displayed(), spelled


@pytest.mark.parametrize(("address", "reason", "guess"), [
    ("#crane.bbbbb", "step 1: the strategy guesses “lares” here, not “crane”", "lares"),
    ("#lares.bgbgb.crane", "step 2: the strategy guesses “nymph” here", "nymph"),
    ("#lares.bgbg", "step 1: “bgbg” is not a reply", "lares"),
    ("#lares.", "step 1: “” is not a reply", "lares"),
    ("#lares.ggggy", "step 1: no possible answer gives “ggggy” to “lares”", "lares"),
    ("#lares.ggggg.nymph", "step 2: the game was already won", "lares"),
    ("#%E0%A4%A", "it is not a list of guesses and replies", "lares"),
    ("#<img src=x onerror=alert(1)>", "step 1: the strategy guesses “lares” here", "lares"),
    ("#__proto__.constructor", "step 1: the strategy guesses “lares” here", "lares"),
    (f"#{'x' * 5000}", "…”", "lares"),
])  # fmt: skip
def test_wrong_address(
    browser: Browser, lares_page: Path, address: str, reason: str, guess: str
) -> None:
    browser.open(lares_page, address)
    assert reason in browser.text("#fault") and browser.find("#fault").is_displayed()
    assert guess in browser.text("#board")
    browser.find("#again").click()
    gone = invisibility_of_element_located((By.CSS_SELECTOR, "#fault"))
    WebDriverWait(browser.driver, 60).until(gone)  # the page hears of its address a little later


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
        assert browser.text("#verdict").startswith(f"{secret} is the answer")
        assert browser.text("#fault") == ""
    for secret in strategy.secrets[:2]:
        browser.find("#search").send_keys(secret[:4], Keys.ENTER)
        assert browser.text("#verdict").startswith(f"{secret} is the answer")
    assert browser.text("#rule") == HOSTILE_NAME and HOSTILE_NAME in browser.text("#about")
    assert browser.run("return document.querySelectorAll('script').length") == 2
    assert browser.run("return document.querySelectorAll('img, b b, scr').length") == 0


def test_what_a_search_claims_is_told(browser: Browser, tmp_path: Path) -> None:
    """What it is about, and how good; claims of several parts by their names."""
    strategy = solve(game_of(["crane", "slate", "stare"])).strategy
    parts = {
        "objective": "total", "weights": {"digest": "0" * 64, "sum": 9, "total": 14},
        "then": {"objective": "worst", "value": 2, "proved": True},
    }  # fmt: skip
    for claim, *said in (
        ({"objective": "total", "within": 6, "proved": True},
         "total 5 (proved, according to its file)"),
        ({"objective": "worst", "within": None, "proved": False}, "worst 2 (not proved)"),
        ({"objective": "losses", "within": 1, "proved": True}, "2 beyond 1 (proved, according"),
        ({}, "worst 2 · mean 1.6667 · total 5 · 3 states"),
        (parts, "weights (sum 9, total 14)", "then (objective worst, value 2, proved true)"),
    ):  # fmt: skip
        claimed = replace(strategy, origin=replace(strategy.origin, claim=claim))
        browser.open(written(claimed, tmp_path))
        shown = browser.text("#facts") + browser.text("#about")
        assert [it for it in said if it not in shown] == []


def test_nothing_from_outside_is_let_in(chromium: Browser, lares_page: Path) -> None:
    chromium.open(lares_page)
    with PageServer("<!doctype html>") as server:
        said, evil = chromium.run(
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
    assert evil is None
    assert {"text", "markup", "img-src", "connect-src", "style-src-attr"} <= set(said)
    assert chromium.complaints()


def test_the_page_that_is_served(browser: Browser, lares: Solved) -> None:
    with serving(PageServer(page_of(lares.strategy))) as server:
        browser.open(server.address, "#lares.bgbgb")
        assert browser.text("#game-title bdi") == "nymph"
        browser.find("#theme").click()
        browser.find("#contrast").click()
        browser.open(server.address)
        assert browser.text("#theme") == "Theme: Light"
        assert browser.find("#contrast").get_attribute("aria-pressed") == "true"
        browser.open(server.address.replace("127.0.0.1", "localhost"))
        assert browser.text("#game-title bdi") == "lares"


SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
#: What is seen and is wider than the screen.
WIDE = """
    return [...document.querySelectorAll("main *, header *")].filter((e) => {
      const box = e.getBoundingClientRect();
      return e.checkVisibility() && !e.closest(".unseen") && box.right > innerWidth + 0.5;
    }).map((e) => e.outerHTML.slice(0, 80))
"""


def test_every_screen_holds_the_page(browser: Browser, lares_page: Path, codes_page: Path) -> None:
    for *screen, scheme in ((*PHONE, "light"), (768, 1024, "dark"), (*DESKTOP, "light")):
        browser.screen(*screen, scheme)
        for page, state in ((lares_page, ""), (lares_page, HAZED), (codes_page, "#1122.1,1")):
            browser.open(page, state)
            assert browser.run("return document.documentElement.scrollWidth") == screen[0]
            assert browser.run(WIDE) == []


@SCHEMES
def test_dark_follows_system_or_choice(browser: Browser, lares_page: Path, scheme: str) -> None:
    browser.screen(*DESKTOP, scheme)
    browser.open(lares_page)
    seen = {}
    for _ in range(3):
        ground = browser.run("return getComputedStyle(document.body).backgroundColor")
        seen[browser.text("#theme")] = "light" if "247" in ground else "dark"
        browser.find("#theme").click()
    assert seen == {"Theme: System": scheme, "Theme: Light": "light", "Theme: Dark": "dark"}


#: Contrast of text with what lies behind it, by the rule of WCAG, for each element that has text.
CONTRAST = """
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const linear = (c) => ((c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const light = (c) => 0.2126 * linear(c[0]) + 0.7152 * linear(c[1]) + 0.0722 * linear(c[2]);
const ground = (e) => {
  for (; e; e = e.parentElement) {
    const c = parts(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return [255, 255, 255];
};
return [...document.querySelectorAll("body *")].filter((e) =>
  e.checkVisibility({checkVisibilityCSS: true}) && !e.closest(".unseen, .off, [disabled]") &&
  [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())
).map((e) => {
  const style = getComputedStyle(e);
  const [a, b] = [light(parts(style.color)), light(ground(e))].sort((x, y) => y - x);
  const large = parseFloat(style.fontSize) >= 18.6 && style.fontWeight >= 700;
  return [(a + 0.05) / (b + 0.05), large ? 3 : 4.5, e.outerHTML.slice(0, 90)];
}).filter(([found, least]) => found < least);
"""


@SCHEMES
@pytest.mark.parametrize("palette", ["usual", "colour-blind"])
def test_contrast(
    browser: Browser, lares_page: Path, codes_page: Path, scheme: str, palette: str
) -> None:
    browser.screen(*DESKTOP, scheme)
    for page, state in ((lares_page, "#lares.ygbgb.nothing"), (codes_page, "#1122.1,1")):
        browser.open(page, state)
        pressed = browser.find("#contrast").get_attribute("aria-pressed") == "true"
        if pressed != (palette == "colour-blind"):
            browser.find("#contrast").click()
        browser.run(CLICK, [0, 1, 2, 0, 0][: len(browser.all("#board .now button"))])
        browser.run("document.querySelector('details').open = true")
        assert browser.run(CONTRAST) == []


def test_everything_has_a_name_and_its_turn(browser: Browser, lares_page: Path) -> None:
    """From state to state every part stays where it is."""
    browser.open(lares_page, "#lares.bgbgb")
    for selector in ("a[href]", "button", "input", "canvas", "section", "ul[role]"):
        for element in list(browser.all(selector))[:30]:
            if element.is_displayed():
                assert element.accessible_name.strip(), element.get_attribute("outerHTML")
    met = []
    for _ in range(9):
        browser.press(Keys.TAB)
        met.append(browser.focus)
    assert met[:3] == ["search", "theme", "contrast"]
    assert met[3].startswith("Guess 1: lares, grey, green, grey, green, grey")
    assert met[4:8] == ["Tile 1 of 5, letter n: grey", "play", "back", "again"]
    assert browser.run("return document.querySelectorAll('h1').length") == 1
    assert browser.run("return document.documentElement.lang") == "en"
    tops = """
        return [...document.querySelectorAll("section, footer")].map((element) =>
          element.getBoundingClientRect().top + scrollY);
    """
    browser.open(lares_page)
    places = browser.run(tops)
    for state in ("#lares.bgbgb", "#lares.bgbgb.nymph.bbbby", HAZED):
        browser.run("location.hash = arguments[0]", state)
        assert browser.run(tops) == places


#: The left ends of the tiles of the first row, and the words as they are seen.
SEEN = """
const left = [...document.querySelectorAll("#board .row:first-child > *")]
  .slice(0, arguments[0]).map((tile) => tile.getBoundingClientRect().left);
return [left, document.querySelector("#game-title bdi").innerText, document.title];
"""


def strategy_in(script: str) -> Strategy:
    return solve(game_of(sorted(map(plain, words_in(script))))).strategy


@pytest.mark.parametrize("script", [
    "hebrew", *(pytest.param(it, marks=pytest.mark.long) for it in sorted(LISTS) if it != "hebrew"),
])  # fmt: skip
def test_games_in_other_scripts(browser: Browser, tmp_path: Path, script: str) -> None:
    strategy = strategy_in(script)
    browser.open(written(strategy, tmp_path))
    for secret in strategy.secrets:
        play(browser, strategy, secret)
    word = strategy.next_guess()
    assert word
    left, title, name = browser.run(SEEN, len(word))
    assert left == sorted(left, reverse=script == "hebrew") and plain(title) == word
    assert name == (word if script == "german" else capitals(word)) and title == name


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
    assert not browser.find("#fault").is_displayed() and unquote(browser.address) == f"#{word}"
    browser.open(written(strategy_in("greek"), tmp_path))
    browser.find("#search").send_keys("ΛΌΓΟΣ")
    assert browser.texts("#found bdi") == ["λόγοσ"]


__all__ = ["browser", "chromium"]


@pytest.fixture(scope="session")
def codes() -> Strategy:
    return solve(load_game("original", "allowed", "mastermind:4x6")).strategy


@pytest.fixture(scope="session")
def lares_page(lares: Solved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(lares.strategy, tmp_path_factory.mktemp("lares page"))


@pytest.fixture(scope="session")
def codes_page(codes: Strategy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(codes, tmp_path_factory.mktemp("codes page"))
