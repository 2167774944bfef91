"""The page in a real browser: a word on a telephone, a game, strategies, keys, hostile lists."""

import http.server
import json
import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from solver.game.load import load_game
from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support.browsers import DESKTOP, PHONE, Browser, Link
from tests.support.commands import KNUTHLE, ran, serving
from tests.support.table import axe_faults, fill, show, until

pytestmark = pytest.mark.slow

NAMES = {"b": "grey", "y": "yellow", "g": "green"}
FAILED = "A file of the engine is missing or damaged"


def advised(browser: Browser, text: str) -> None:
    until(browser, lambda: text in browser.text("#view-helper .advice"))


def taps(browser: Browser, *keys: str) -> None:
    """Tap keys of the screen by what they say."""
    for key in keys:
        browser.run(
            "const keys = [...document.querySelectorAll('.view:not([hidden]) .key')];"
            "keys.find((each) => each.textContent === arguments[0]).click()",
            key,
        )


def test_a_word_on_a_telephone(browser: Browser, address: str) -> None:
    browser.screen(*PHONE)
    show(browser, address)
    stands = "return document.querySelector('#view-helper .keyboard').offsetTop"
    before = browser.run(stands)
    taps(browser, *"crane")
    assert browser.run(stands) == before  # whatever the line above the keys says
    browser.find("#view-helper .now button:nth-child(2)").click()
    taps(browser, "Done")
    advised(browser, "104 words fit")
    assert browser.address == "#helper/crane.bybbb"
    expected = json.loads(ran([*KNUTHLE, "suggest", "crane", "bybbb", "--json", "-"]).stdout)
    assert browser.texts(".proposals .take") == [row["word"] for row in expected["suggestions"]]
    assert browser.text(".advice h2") == f"Guess {expected['suggestions'][0]['word']}"
    assert axe_faults(browser) == []
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    browser.find(".take-best").click()
    taps(browser, *["green"] * 5, "Done")
    until(browser, lambda: "Solved in 2 guesses" in browser.text(".advice"))


def test_the_helper_by_keys_alone(browser: Browser, address: str) -> None:
    show(browser, address)
    advised(browser, "3,160 words fit")
    browser.press("crane", "bybbb", Keys.ENTER)
    advised(browser, "104 words fit")
    browser.press("slatx")
    assert browser.text("#view-helper .note") == "SLATX is not in this list of words."
    browser.press(Keys.BACKSPACE, "e", "01", Keys.ARROW_LEFT, "2000", Keys.ENTER)
    assert browser.address == "#helper/crane.bybbb.slate.bgbbb"
    browser.press(Keys.BACKSPACE)
    until(browser, lambda: browser.address == "#helper/crane.bybbb")
    browser.driver.back()
    advised(browser, "Begin with" if browser.address == "#helper" else "fit")


def test_the_tile_that_may_be_wrong_is_named(browser: Browser, address: str) -> None:
    show(browser, address, "#helper/crane.bybbb.shout.bbgbb.forty.bggbb")
    advised(browser, "No word fits these colours")
    assert "One tile may be wrong" in browser.text(".advice")
    assert len(browser.all("#view-helper .doubtful")) == 1
    browser.find(".mend button").click()
    until(browser, lambda: "No word fits" not in browser.text(".advice"))


def test_four_boards_on_a_telephone(browser: Browser, address: str) -> None:
    browser.screen(*PHONE)
    show(browser, address, "#helper?boards=4")
    browser.press("crane", "bybbb", "gbbbb", "bbbbb", "bbbby", Keys.ENTER)
    advised(browser, "Board 4 275 words")
    assert browser.address == "#helper/crane.bybbb.gbbbb.bbbbb.bbbby?boards=4"
    command = "play --boards 4 --state crane.bybbb.gbbbb.bbbbb.bbbby --quiet --json -"
    done = ran([*KNUTHLE, *command.split()])
    expected = json.loads(done.stdout)["proposal"]["word"]
    assert browser.text(".advice h2") == f"Guess {expected}"
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    browser.press("slate", "bbbbb", "bbbbb", "bbybb", "bbbbb", Keys.ENTER)
    advised(browser, "Board 3: crane contradicts slate:")
    assert len(browser.all("#view-helper .board:nth-child(3) .doubtful")) == 1
    assert len(browser.all("#view-helper .doubtful")) == 1


def test_a_review_on_a_telephone_is_that_of_the_command(browser: Browser, address: str) -> None:
    browser.screen(*PHONE)
    show(browser, address, "#review")
    fill(browser, review_text="crane\nsloth\nruddy", review_secret="ruddy")
    browser.find("#view-review .primary").click()
    until(browser, lambda: len(browser.all(".reviews > li")) == 3)
    args = [*KNUTHLE, "review", "crane", "sloth", "ruddy", "--secret", "ruddy", "--json", "-"]
    expected = json.loads(ran(args).stdout)
    assert expected["sentence"] in browser.text("#view-review .advice")
    for text, row in zip(browser.texts(".reviews > li"), expected["guesses"], strict=True):
        assert f"Skill {row['skill']:.0f}" in text and f"{row['expected']:.2f} more guesses" in text
        assert all(word in text.lower() for word in row["better"])
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    assert axe_faults(browser) == []


def test_a_share_grid_without_words(browser: Browser, address: str) -> None:
    show(browser, address, "#review")
    grid = "🟩🟩⬛⬛🟩\n🟩🟩🟩🟩🟩"
    fill(browser, review_text=grid)
    browser.find("#view-review .primary").click()
    until(browser, lambda: len(browser.all(".reviews > li")) == 2)
    expected = json.loads(ran([*KNUTHLE, "review", grid, "--json", "-"]).stdout)
    assert f"{expected['remaining']:,} hidden words can" in browser.text("#view-review .advice")
    for text, row in zip(browser.texts(".reviews > li"), expected["rows"], strict=True):
        assert f"{row['n_words']:,} words fit" in text


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def copied(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The folder as ``--out`` writes it, in a sub-folder of what the standard library serves."""
    folder.write(tmp_path / "any" / "page")
    handler = partial(Quiet, directory=str(tmp_path))
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        yield tmp_path / "any" / "page", f"http://127.0.0.1:{server.server_port}/any/page/"


def test_the_folder_alone(browser: Browser, copied: tuple[Path, str], tmp_path: Path) -> None:
    """On a telephone: a word is found with its help, and CRANE's strategy is built and verified."""
    game = load_game("nyt-2026", "answers")
    secret = random.Random(5).choice(game.secrets)
    browser.screen(*PHONE)
    show(browser, copied[1])
    for _ in range(6):
        until(browser, lambda: browser.all("#view-helper .take-best"))
        word = browser.text("#view-helper .take-best")
        browser.find("#view-helper .take-best").click()
        for at, colour in enumerate(game.format_score(game.grade(word, secret))):
            tile = f"#view-helper .now button:nth-child({at + 1})"
            for _ in range(3):  # a tile that is certain is green already
                if NAMES[colour] not in str(browser.find(tile).get_attribute("class")):
                    browser.find(tile).click()
        taps(browser, "Done")
        if word == secret:
            break
        until(browser, lambda: not browser.all("#view-helper .advice[aria-busy]"))
    until(browser, lambda: "Solved in" in browser.text("#view-helper .advice"))
    assert secret in browser.text("#view-helper .advice")

    browser.download_to(tmp_path)
    browser.find("#tab-strategies").click()
    until(browser, lambda: browser.all("#view-strategies .primary"))
    browser.find("#view-strategies .primary").click()
    until(browser, lambda: browser.all("#view-strategies a[download]"))
    browser.find("#view-strategies a[download]").click()
    path = tmp_path / "crane-nyt-2026-answers-minimax.strategy"
    until(browser, path.is_file)
    done = ran([*KNUTHLE, "verify", path])
    assert done.returncode == 0 and "3,160" in done.stdout, done.stderr


def test_offline_after_the_first_visit(browser: Browser, copied: tuple[Path, str]) -> None:
    place, address = copied
    show(browser, address, "#strategies")
    ready = "return navigator.serviceWorker.ready.then(() => true)"
    assert browser.run(ready)
    until(browser, lambda: browser.run("return navigator.serviceWorker.controller !== null"))
    shutil.rmtree(place)
    show(browser, address, "#helper/crane.bybbb")
    advised(browser, "104 words fit")
    browser.driver.refresh()
    until(browser, lambda: browser.all("#view-helper"))
    advised(browser, "104 words fit")
    for place, there in (
        ("#game", ".now"),
        ("#review/crane.bybbb.sloth.bbbbb.ruddy.ggggg", ".reviews"),
        ("#openers", "tbody tr"),
        ("#mastermind/4x6.1122.1,1", "tbody .code"),
    ):
        show(browser, address, place)
        view = f"#view-{place[1:].partition('/')[0]}"
        until(browser, lambda view=view, there=there: browser.all(f"{view} {there}"))
    show(browser, address, "#strategies")
    browser.find("#view-strategies .primary").click()
    until(browser, lambda: "All 3,160 answers are found" in browser.text("#view-strategies"))
    browser.run("document.querySelector('#view-strategies .advice .primary').click()")
    until(browser, lambda: browser.text("#facts").startswith("3,160 secrets"))
    browser.complaints()  # the list of files is looked for in vain, which Chromium says


#: What may befall a file on its way; text is what a hotel sends, to which one has to log in.
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda whole: whole[: len(whole) // 2], "empty": lambda whole: b"",
    "changed": lambda whole: whole[:8] + b"\7" * 99 + whole[107:],
    "text": lambda whole: b"<html>login</html>",
}  # fmt: skip
WORDS, CLUE, GAME = "words/nyt-2026-allowed.txt", "#helper/crane.bybbb", "#review/crane.bybbb.ruddy"


@pytest.mark.parametrize(("name", "where", "damage"), [
    ("helper.wasm", CLUE, "gone"), ("made/worker.js", CLUE, "gone"), (WORDS, "", "gone"),
    ("codes.wasm", "#mastermind", "gone"), ("made/engine.js", f"{GAME}.ggggg", "gone"),
    ("engine.wasm", f"{GAME}.ggggg", "gone"), (WORDS, "", "text"),
    *(("helper.wasm", CLUE, damage) for damage in DAMAGES),
])  # fmt: skip
def test_what_is_missing_or_damaged_is_one_sentence(
    browser: Browser, copied: tuple[Path, str], name: str, where: str, damage: str
) -> None:
    place, address = copied
    path = place / name
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    browser.open(address, where)
    until(browser, lambda: browser.text("#trouble").startswith(FAILED))
    assert "LOGIN" not in browser.text("main").upper()
    browser.complaints()  # what the browser and the service worker say of it


def test_nothing_moves_while_the_page_arrives(browser: Browser, address: str) -> None:
    """Board and keys stand where they stay; what comes last is beyond the screen."""
    watch = """globalThis.moved = 0;
      const add = (list) => list.getEntries().forEach(({ value }) => (moved += value));
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });"""
    with browser.before_load(watch):
        for size in (PHONE, DESKTOP):
            browser.screen(*size)
            for place in ("#helper", "#helper/crane.bybbb"):
                show(browser, address, place)
                until(browser, lambda: browser.all("#view-helper .take"))
                assert browser.run("return moved") <= 0.02, (size, place)


def test_little_comes_before_a_proposal(browser: Browser) -> None:
    """The page, its words and the small module; nothing of the whole engine."""
    link = Link()
    with serving(LocalServer(link.find, folder.policy())) as server:
        show(browser, server.address, CLUE)
        advised(browser, "104 words fit")
    assert len(link.files) <= 14 and sum(size for _, size in link.files) <= 240_000, link.files


def test_a_page_that_is_opened_as_a_file_is_told(browser: Browser, tmp_path: Path) -> None:
    folder.write(tmp_path / "page")
    browser.open(tmp_path / "page" / "index.html")
    until(browser, lambda: browser.find("#loading").is_displayed())
    assert "web server" in browser.text("#loading")
    browser.complaints()  # that scripts of files are not loaded


@pytest.mark.parametrize("source", [
    "WebAssembly.validate = () => false",  # no vectors
    "delete window.WebAssembly",
])  # fmt: skip
def test_a_browser_that_is_too_old_is_told(browser: Browser, address: str, source: str) -> None:
    with browser.before_load(source):
        browser.open(address)
        until(browser, lambda: "This browser is too old" in browser.text("#trouble"))
