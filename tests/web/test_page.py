"""The page in a real browser: a word on a telephone, a game, strategies, keys, hostile lists."""

import http.server
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
from tests.support.asked import told
from tests.support.browsers import DESKTOP, PHONE, Link
from tests.support.commands import KNUTHLE, ran, serving
from tests.support.table import Table

pytestmark = pytest.mark.slow

NAMES = {"b": "grey", "y": "yellow", "g": "green"}
ADVICE = "#view-helper .advice"
FAILED = "A file of the engine is missing or damaged"


def taps(page: Table, *keys: str) -> None:
    """Tap keys of the screen by what they say."""
    script = """const keys = [...document.querySelectorAll(".view:not([hidden]) .key")];
      keys.find((each) => each.textContent === arguments[0]).click()"""
    for key in keys:
        page.run(script, key)


def test_a_word_on_a_telephone(page: Table) -> None:
    page.screen(*PHONE)
    page.show()
    stands = "return document.querySelector('#view-helper .keyboard').offsetTop"
    before = page.run(stands)
    taps(page, *"crane")
    assert page.run(stands) == before  # whatever the line above the keys says
    page.find("#view-helper .now button:nth-child(2)").click()
    taps(page, "Done")
    page.says(ADVICE, "104 words fit")
    assert page.address == "#helper/crane.bybbb"
    best = [row["word"] for row in told(["suggest", "crane", "bybbb"])["answer"]["suggestions"]]
    assert page.texts(".proposals .take") == best
    assert page.text(".advice h2") == f"Guess {best[0]}"
    assert page.axe_faults() == []
    assert page.width <= PHONE[0]
    page.find(".take-best").click()
    taps(page, *["green"] * 5, "Done")
    page.says(ADVICE, "Solved in 2 guesses")


def test_the_helper_by_keys_alone(page: Table) -> None:
    """And the tile that may be wrong is named."""
    page.show()
    page.says(ADVICE, "3,160 words fit")
    page.press("crane", "bybbb", Keys.ENTER)
    page.says(ADVICE, "104 words fit")
    page.press("slatx")
    assert page.text("#view-helper .note") == "SLATX is not in this list of words."
    page.press(Keys.BACKSPACE, "e", "01", Keys.ARROW_LEFT, "2000", Keys.ENTER)
    assert page.address == "#helper/crane.bybbb.slate.bgbbb"
    page.press(Keys.BACKSPACE)
    page.is_at("#helper/crane.bybbb")
    page.driver.back()
    page.says(ADVICE, "Begin with" if page.address == "#helper" else "fit")
    page.show("#helper/crane.bybbb.shout.bbgbb.forty.bggbb")
    page.says(ADVICE, "No word fits these colours", "One tile may be wrong")
    assert len(page.all("#view-helper .doubtful")) == 1
    page.find(".mend button").click()
    page.until(lambda: "No word fits" not in page.text(ADVICE))


def test_four_boards_on_a_telephone(page: Table) -> None:
    page.screen(*PHONE)
    page.show("#helper?boards=4")
    page.press("crane", "bybbb", "gbbbb", "bbbbb", "bbbby", Keys.ENTER)
    page.says(ADVICE, "Board 4 275 words")
    assert page.address == "#helper/crane.bybbb.gbbbb.bbbbb.bbbby?boards=4"
    command = "play --boards 4 --state crane.bybbb.gbbbb.bbbbb.bbbby --quiet"
    expected = told(command.split())["answer"]["proposal"]["word"]
    assert page.text(".advice h2") == f"Guess {expected}"
    assert page.width <= PHONE[0]
    page.press("slate", "bbbbb", "bbbbb", "bbybb", "bbbbb", Keys.ENTER)
    page.says(ADVICE, "Board 3: crane contradicts slate:")
    assert len(page.all("#view-helper .board:nth-child(3) .doubtful")) == 1
    assert len(page.all("#view-helper .doubtful")) == 1


def test_a_review_on_a_telephone_is_that_of_the_command(page: Table) -> None:
    """A share grid without words is reviewed, too."""
    page.screen(*PHONE)
    page.show("#review")
    page.fill(review_text="crane\nsloth\nruddy", review_secret="ruddy")
    page.find("#view-review .primary").click()
    page.sees(".reviews > li", 3)
    expected = told("review crane sloth ruddy --secret ruddy".split())["answer"]
    assert expected["sentence"] in page.text("#view-review .advice")
    for text, row in zip(page.texts(".reviews > li"), expected["guesses"], strict=True):
        assert f"Skill {row['skill']:.0f}" in text and f"{row['expected']:.2f} more guesses" in text
        assert all(word in text.lower() for word in row["better"])
    assert page.width <= PHONE[0]
    assert page.axe_faults() == []
    grid = "🟩🟩⬛⬛🟩\n🟩🟩🟩🟩🟩"
    page.fill(review_text=grid, review_secret="")
    page.find("#view-review .primary").click()
    page.sees(".reviews > li", 2)
    expected = told(["review", grid])["answer"]
    assert f"{expected['remaining']:,} hidden words can" in page.text("#view-review .advice")
    for text, row in zip(page.texts(".reviews > li"), expected["rows"], strict=True):
        assert f"{row['n_words']:,} words fit" in text


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def copied(page: Table, tmp_path: Path) -> Iterator[Path]:
    """The folder as ``--out`` writes it, in a sub-folder of what the standard library serves."""
    place = tmp_path / "any" / "page"
    folder.write(place)
    handler = partial(Quiet, directory=str(tmp_path))
    with serving(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        page.url = f"http://127.0.0.1:{server.server_port}/any/page/"
        yield place


@pytest.mark.usefixtures("copied")
def test_the_folder_alone(page: Table, tmp_path: Path) -> None:
    """On a telephone: a word is found with its help, and CRANE's strategy is built and verified."""
    game = load_game("nyt-2026", "answers")
    secret = random.Random(5).choice(game.secrets)
    page.screen(*PHONE)
    page.show()
    for _ in range(6):
        page.sees("#view-helper .take-best")
        word = page.text("#view-helper .take-best")
        page.find("#view-helper .take-best").click()
        for at, colour in enumerate(game.format_score(game.grade(word, secret))):
            tile = f"#view-helper .now button:nth-child({at + 1})"
            for _ in range(3):  # a tile that is certain is green already
                if NAMES[colour] not in str(page.find(tile).get_attribute("class")):
                    page.find(tile).click()
        taps(page, "Done")
        if word == secret:
            break
        page.until(lambda: not page.all(f"{ADVICE}[aria-busy]"))
    page.says(ADVICE, "Solved in", secret)

    page.download_to(tmp_path)
    page.find("#tab-strategies").click()
    for link in (".primary", "a[download]"):
        page.sees(f"#view-strategies {link}")
        page.find(f"#view-strategies {link}").click()
    path = tmp_path / "crane-nyt-2026-answers-minimax.strategy"
    page.until(path.is_file)
    done = ran([*KNUTHLE, "verify", path])
    assert done.returncode == 0 and "3,160" in done.stdout, done.stderr


def test_offline_after_the_first_visit(page: Table, copied: Path) -> None:
    page.show("#strategies")
    assert page.run("return navigator.serviceWorker.ready.then(() => true)")
    page.until(lambda: page.run("return navigator.serviceWorker.controller !== null"))
    shutil.rmtree(copied)
    page.show("#helper/crane.bybbb")
    page.says(ADVICE, "104 words fit")
    page.driver.refresh()
    page.sees("#view-helper")
    page.says(ADVICE, "104 words fit")
    for place, there in (
        ("#game", ".now"), ("#review/crane.bybbb.sloth.bbbbb.ruddy.ggggg", ".reviews"),
        ("#openers", "tbody tr"), ("#mastermind/4x6.1122.1,1", "tbody .code"), ("#strategies", ""),
    ):  # fmt: skip
        page.show(place, there)
    page.find("#view-strategies .primary").click()
    page.says("#view-strategies", "All 3,160 answers are found")
    page.run("document.querySelector('#view-strategies .advice .primary').click()")
    page.until(lambda: page.text("#facts").startswith("3,160 secrets"))
    page.complaints()  # the list of files is looked for in vain, which Chromium says


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
def test_a_damaged_file_is_told(
    page: Table, copied: Path, name: str, where: str, damage: str
) -> None:
    """Or missing: in one sentence."""
    path = copied / name
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    page.open(page.url, where)
    page.until(lambda: page.text("#trouble").startswith(FAILED))
    assert "LOGIN" not in page.text("main").upper()
    page.complaints()  # what the browser and the service worker say of it


def test_nothing_moves_while_the_page_arrives(page: Table) -> None:
    """Board and keys stand where they stay; what comes last is beyond the screen."""
    watch = """globalThis.moved = 0;
      const add = (list) => list.getEntries().forEach(({ value }) => (moved += value));
      new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });"""
    with page.before_load(watch):
        for size in (PHONE, DESKTOP):
            page.screen(*size)
            for place in ("#helper", "#helper/crane.bybbb"):
                page.show(place, ".take")
                assert page.run("return moved") <= 0.02, (size, place)


def test_little_comes_before_a_proposal(page: Table) -> None:
    """The page, its words and the small module; nothing of the whole engine."""
    link = Link()
    with serving(LocalServer(link.find, folder.policy())) as server:
        page.url = server.address
        page.show(CLUE)
        page.says(ADVICE, "104 words fit")
    assert len(link.files) <= 14 and sum(size for _, size in link.files) <= 240_000, link.files


def test_a_page_that_cannot_run_is_told(page: Table, tmp_path: Path) -> None:
    """Opened as a file, or in a browser that is too old: without vectors, or without modules."""
    for source in ("WebAssembly.validate = () => false", "delete window.WebAssembly"):
        with page.before_load(source):
            page.open(page.url)
            page.says("#trouble", "This browser is too old")
    folder.write(tmp_path / "page")
    page.open(tmp_path / "page" / "index.html")
    page.in_sight("#loading")
    assert "web server" in page.text("#loading")
    page.complaints()  # that scripts of files are not loaded
