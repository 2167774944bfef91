"""The page in a real browser: on a telephone, by keys alone, damaged, offline, for everybody."""

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
from tests.support.browsers import DESKTOP, PHONE, Link, Table
from tests.support.commands import KNUTHLE, ran, serving

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


#: The width of most telephones.
NARROW = (390, 844)
#: Each tab with something on it: (place, what is there when it has answered).
PLACES = [
    ("#helper/crane.bybbb", ".proposals .take"), ("#openers", "tbody .segments"),
    *(pytest.param(*it, marks=pytest.mark.long) for it in (
        ("#helper/crane.bybbb.shout.bbgbb.forty.bggbb", ".mend button"),
        ("#game/day", ".now"), ("#strategies", "h2"),
        ("#review/crane.bybbb.sloth.bbbbb.ruddy.ggggg", ".reviews"),
        ("#mastermind/4x6.1122.1,1", "tbody .code"), ("#mastermind/5x8.11223.1,1", "tbody .code"),
    )),
]  # fmt: skip


@pytest.mark.parametrize(("place", "there"), PLACES)
def test_a_place_for_all(page: Table, place: str, there: str) -> None:
    """The page is loaded once: the keyboard comes last, since some controls are disabled for it."""
    page.screen(*NARROW)
    page.show(place, there)
    page.run("document.querySelector('#options').open = true")
    for width in (320, 390, 600, 768, 834, 900):
        page.screen(width, 700)
        assert page.width <= width
    # axe-core by all rules at the width of a telephone; by those of contrast in all palettes
    page.screen(*NARROW)
    found = page.axe_faults()
    for scheme, is_contrast in (("light", True), ("dark", True), ("dark", False)):
        page.screen(*NARROW, scheme)
        if is_contrast != (page.find("#contrast").get_attribute("aria-pressed") == "true"):
            page.run("document.querySelector('#contrast').click()")
        found += [f"{scheme}: {it}" for it in page.axe_faults(["color-contrast"])]
    assert found == []
    page.run("document.querySelector('#options').open = false")
    page.screen(*DESKTOP)
    # by Tab in the order in which it stands, and one sees where; only the first thirty stay
    page.run(
        """const all = "a[href], button, input, select, textarea, summary";
        const shown = (it) => it.checkVisibility() && !it.disabled;
        window.wanted_ = [...document.querySelectorAll(all)].filter(shown);
        window.wanted_.slice(30).forEach((it) => (it.disabled = true));  // more of the same
        window.wanted_ = window.wanted_.filter((it) => shown(it) && (!it.disabled));
        document.activeElement.blur();"""
    )
    wanted = page.run("return window.wanted_.length")
    for at in range(min(wanted, 30)):
        page.press(Keys.TAB)
        which, seen = page.run(
            """const it = document.activeElement;
            const style = getComputedStyle(it);
            return [window.wanted_.indexOf(it), style.outlineStyle !== "none"];"""
        )
        assert (which, seen) == (at, True), page.focus


def test_first_words_on_a_telephone(page: Table) -> None:
    """Their bars are in sight; words and figures stand apart, on a narrow screen too."""
    page.screen(*NARROW)
    page.show("#openers", "tbody .segments")
    left, right = page.run(
        """const place = document.querySelector(".segments").getBoundingClientRect();
        return [place.left, place.right]"""
    )
    assert left >= 0 and right <= NARROW[0] and right - left > NARROW[0] / 2
    page.screen(320, 640)
    page.until(lambda: len(page.all(".openers tbody tr")) > 9)
    apart = """return [...document.querySelectorAll(".openers tbody tr")].every((row) => {
      const word = row.querySelector("th .word").getBoundingClientRect();
      const figure = row.querySelector("td").getBoundingClientRect();
      return word.right <= figure.left || word.bottom <= figure.top + 1;
    })"""
    assert page.run(apart)


def boxes(page: Table, selector: str) -> list[list[float]]:
    """Left, top, right and bottom of all such elements."""
    script = """return [...document.querySelectorAll(arguments[0])].map((it) => {
      const { left, top, right, bottom } = it.getBoundingClientRect();
      return [left, top, right, bottom];
    })"""
    return list(page.run(script, selector))


@pytest.mark.parametrize(("tab", "place", "there"), [
    ("helper", "#helper/crane.bybbb", ".take-best"), ("game", "#game/hidden", ".now"),
])  # fmt: skip
@pytest.mark.parametrize("size", [NARROW, (360, 640), (320, 568), (844, 390), (568, 320)])
def test_board_and_keys_are_one_screen(
    page: Table, size: tuple[int, int], tab: str, place: str, there: str
) -> None:
    """All six places, too; what is tapped is large enough for fingers: ten keys fill a row."""
    page.screen(*size)
    page.show(place, there)
    assert page.width <= size[0]
    places, keys = boxes(page, "nav a"), boxes(page, f"#view-{tab} :is(.key, .tile, .take-best)")
    tapped = boxes(page, f"#view-{tab} :is(.key, .take-best), nav a, summary")
    bar = places[0][1] if size[0] < 700 else size[1]
    assert all(left >= 0 and right <= size[0] for left, _, right, _ in places + keys)
    assert max(bottom for *_, bottom in keys) <= bar
    assert min(bottom - top for _, top, _, bottom in tapped) >= 40
    widths = [right - left for left, _, right, _ in boxes(page, f"#view-{tab} .key")]
    assert min(widths) >= min(36, size[0] / 10 - 0.01)
    assert min(bottom - top for _, top, _, bottom in boxes(page, f"#view-{tab} .tile")) >= 24


def test_codes_stand_beside_keys_on_a_telephone_on_its_side(page: Table) -> None:
    page.screen(568, 320)
    page.show("#mastermind/5x8.11223.1,1", ".now")
    keys = boxes(page, "#view-mastermind .key")
    board = boxes(page, "#view-mastermind .board :is(.peg, i)")
    assert max(right for _, _, right, _ in board) <= min(left for left, *_ in keys)
    assert max(right for _, _, right, _ in keys) <= 568


def test_a_page_is_used_by_the_keyboard_alone(page: Table) -> None:
    """From the headings to the game, from there to the openers, whose table is sorted."""
    page.show()
    page.press(Keys.TAB, Keys.TAB, Keys.ENTER)
    page.sees("#view-game .now")
    page.press("crane", Keys.ENTER)  # a link has the focus, and Enter is the board's no less
    page.sees("#view-game .row[aria-label^='Guess 1: crane']")
    page.run("document.querySelector('#tab-openers').focus()")
    page.press(Keys.ENTER)
    page.sees("#view-openers tbody .word")
    page.run("document.querySelectorAll('.sort')[3].focus()")
    page.press(Keys.ENTER)
    page.until(lambda: "Groups ▼" in page.texts(".sort"))


def test_a_button_that_is_pressed_keeps_the_focus(page: Table) -> None:
    """Undo twice by Enter; a heading is sorted the other way round, and back."""
    page.show("#helper/crane.bybbb.sloth.bbbbb")
    button = "[...document.querySelectorAll('#view-helper .moves button')]"
    page.run(f"{button}.find(each => each.textContent === 'Undo').focus()")
    for place in ("#helper/crane.bybbb", "#helper"):
        page.press(Keys.ENTER)
        page.is_at(place)
    page.show("#openers")
    page.until(lambda: len(page.all(".openers tbody tr")) > 9)
    page.run("document.querySelector('.openers .sort').focus()")
    for order in ("ascending", "descending"):
        page.press(Keys.ENTER)
        page.sees(f".openers th[aria-sort={order}]")


def test_nothing_moves_for_those_who_want_it_so(page: Table) -> None:
    for motion, moves in (("reduce", False), ("no-preference", True)):
        page.screen(*DESKTOP, motion=motion)
        page.forget(page.url)
        page.show("#game/hidden", ".now")
        page.press("crane")
        names = page.run(
            """const pressed = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
            document.body.dispatchEvent(pressed);
            return document.getAnimations().map((it) => it.animationName)"""
        )
        assert ("turn" in names) == moves, names


def test_palettes_are_kept_for_the_next_visit(page: Table) -> None:
    """With the colour-blind one yellow and green bear a mark; every tile says what it is."""
    page.show()
    colour = "return getComputedStyle(document.querySelector('.tile.yellow')).backgroundColor"
    page.advice_at("#helper/crane.bybbb")
    usual = page.run(colour)
    page.find("#contrast").click()
    page.find("#theme").click()
    chosen = page.run(colour)
    assert chosen != usual and page.text("#theme") == "Theme: Light"
    page.show("#helper/crane.bybbb", ".tile.yellow")
    assert page.run(colour) == chosen and page.text("#theme") == "Theme: Light"
    page.forget(page.url)
    page.show("#helper/crane.bybbg", ".tile.yellow")
    label = page.run("return document.querySelector('#view-helper .tile.yellow').ariaLabel")
    assert label == "Guess 1, tile 2, r: yellow"
    page.find("#contrast").click()
    for kind, mark in (("yellow", '""'), ("green", '""'), ("grey", "none")):
        script = "return getComputedStyle(document.querySelector(arguments[0]), '::after').content"
        assert page.run(script, f"#view-helper .tile.{kind}") == mark
