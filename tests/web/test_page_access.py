"""The page for everybody: axe-core, the keyboard alone, small screens, palettes, no motion."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.browsers import DESKTOP, Browser
from tests.support.table import advice_at, axe_faults, show, until

pytestmark = pytest.mark.slow

#: The width of most telephones.
NARROW = (390, 844)
#: Each tab with something on it: (tab, place, what is there when it has answered).
PLACES = [
    ("helper", "#helper/crane.bybbb", ".proposals .take"),
    ("openers", "#openers", "tbody .segments"),
    *(pytest.param(*it, marks=pytest.mark.long) for it in (
        ("helper", "#helper/crane.bybbb.shout.bbgbb.forty.bggbb", ".mend button"),
        ("game", "#game/day", ".now"), ("strategies", "#strategies", "h2"),
        ("review", "#review/crane.bybbb.sloth.bbbbb.ruddy.ggggg", ".reviews"),
        ("mastermind", "#mastermind/4x6.1122.1,1", "tbody .code"),
        ("mastermind", "#mastermind/5x8.11223.1,1", "tbody .code"),
    )),
]  # fmt: skip


def arrive(browser: Browser, address: str, tab: str, place: str, there: str) -> None:
    show(browser, address, place)
    until(browser, lambda: browser.all(f"#view-{tab} {there}"))


@pytest.mark.parametrize(("tab", "place", "there"), PLACES)
def test_a_place_for_all(browser: Browser, address: str, tab: str, place: str, there: str) -> None:
    """The page is loaded once: the keyboard comes last, since some controls are disabled for it."""
    browser.screen(*NARROW)
    arrive(browser, address, tab, place, there)
    browser.run("document.querySelector('#options').open = true")
    nothing_is_wider_than_the_screen(browser)
    axe_finds_nothing_serious(browser)
    browser.run("document.querySelector('#options').open = false")
    browser.screen(*DESKTOP)
    every_control_is_reached_by_the_keyboard(browser)


def axe_finds_nothing_serious(browser: Browser) -> None:
    """By all rules at the width of a telephone; by those of contrast in all palettes."""
    browser.screen(*NARROW)
    found = axe_faults(browser)
    for scheme, is_contrast in (("light", True), ("dark", True), ("dark", False)):
        browser.screen(*NARROW, scheme)
        if is_contrast != (browser.find("#contrast").get_attribute("aria-pressed") == "true"):
            browser.run("document.querySelector('#contrast').click()")
        found += [f"{scheme}: {it}" for it in axe_faults(browser, ["color-contrast"])]
    assert found == []


def test_first_words_on_a_telephone(browser: Browser, address: str) -> None:
    """Their bars are in sight; words and figures stand apart, on a narrow screen too."""
    browser.screen(*NARROW)
    arrive(browser, address, "openers", "#openers", "tbody .segments")
    left, right = browser.run(
        """const place = document.querySelector(".segments").getBoundingClientRect();
        return [place.left, place.right]"""
    )
    assert left >= 0 and right <= NARROW[0] and right - left > NARROW[0] / 2
    browser.screen(320, 640)
    until(browser, lambda: len(browser.all(".openers tbody tr")) > 9)
    apart = """return [...document.querySelectorAll(".openers tbody tr")].every((row) => {
      const word = row.querySelector("th .word").getBoundingClientRect();
      const figure = row.querySelector("td").getBoundingClientRect();
      return word.right <= figure.left || word.bottom <= figure.top + 1;
    })"""
    assert browser.run(apart)


@pytest.mark.parametrize(("tab", "place", "there"), [
    ("helper", "#helper/crane.bybbb", ".take-best"), ("game", "#game/hidden", ".now"),
])  # fmt: skip
@pytest.mark.parametrize("size", [NARROW, (360, 640), (320, 568), (844, 390), (568, 320)])
def test_board_and_keys_are_one_screen(
    browser: Browser, address: str, size: tuple[int, int], tab: str, place: str, there: str
) -> None:
    """All six places, too; what is tapped is large enough for fingers: ten keys fill a row."""
    browser.screen(*size)
    arrive(browser, address, tab, place, there)
    assert browser.run("return document.documentElement.scrollWidth") <= size[0]
    boxes = """return [...document.querySelectorAll(arguments[0])].map((it) => {
      const { left, top, right, bottom } = it.getBoundingClientRect();
      return [left, top, right, bottom];
    })"""
    places = browser.run(boxes, "nav a")
    keys = browser.run(boxes, f"#view-{tab} :is(.key, .tile, .take-best)")
    tapped = browser.run(boxes, f"#view-{tab} :is(.key, .take-best), nav a, summary")
    bar = places[0][1] if size[0] < 700 else size[1]
    assert all(left >= 0 and right <= size[0] for left, _, right, _ in places + keys)
    assert max(bottom for *_, bottom in keys) <= bar
    assert min(bottom - top for _, top, _, bottom in tapped) >= 40
    widths = [right - left for left, _, right, _ in browser.run(boxes, f"#view-{tab} .key")]
    assert min(widths) >= min(36, size[0] / 10 - 0.01)
    tiles = [bottom - top for _, top, _, bottom in browser.run(boxes, f"#view-{tab} .tile")]
    assert min(tiles) >= 24


def test_codes_stand_beside_keys_on_a_telephone_on_its_side(browser: Browser, address: str) -> None:
    browser.screen(568, 320)
    arrive(browser, address, "mastermind", "#mastermind/5x8.11223.1,1", ".now")
    edges = """return [...document.querySelectorAll("#view-mastermind " + arguments[0])].map((it) =>
      it.getBoundingClientRect()).flatMap(({ left, right }) => [left, right])"""
    keys, board = browser.run(edges, ".key"), browser.run(edges, ".board :is(.peg, i)")
    assert max(board) <= min(keys) and max(keys) <= 568


def nothing_is_wider_than_the_screen(browser: Browser) -> None:
    for width in (320, 390, 600, 768, 834, 900):
        browser.screen(width, 700)
        assert browser.run("return document.documentElement.scrollWidth") <= width


def every_control_is_reached_by_the_keyboard(browser: Browser) -> None:
    """By Tab in the order in which it stands, and one sees where the keyboard is.

    Of many controls only the first thirty stay.
    """
    browser.run(
        """const all = "a[href], button, input, select, textarea, summary";
        const shown = (it) => it.checkVisibility() && !it.disabled;
        window.wanted_ = [...document.querySelectorAll(all)].filter(shown);
        window.wanted_.slice(30).forEach((it) => (it.disabled = true));  // more of the same
        window.wanted_ = window.wanted_.filter((it) => shown(it) && (!it.disabled));
        document.activeElement.blur();"""
    )
    wanted = browser.run("return window.wanted_.length")
    for at in range(min(wanted, 30)):
        browser.press(Keys.TAB)
        which, seen = browser.run(
            """const it = document.activeElement;
            const style = getComputedStyle(it);
            return [window.wanted_.indexOf(it), style.outlineStyle !== "none"];"""
        )
        assert (which, seen) == (at, True), browser.focus


def test_a_page_is_used_by_the_keyboard_alone(browser: Browser, address: str) -> None:
    """From the headings to the game, from there to the openers, whose table is sorted."""
    show(browser, address)
    browser.press(Keys.TAB, Keys.TAB, Keys.ENTER)
    until(browser, lambda: browser.all("#view-game .now"))
    browser.press("crane", Keys.ENTER)  # a link has the focus, and Enter is the board's no less
    until(browser, lambda: browser.all("#view-game .row[aria-label^='Guess 1: crane']"))
    browser.run("document.querySelector('#tab-openers').focus()")
    browser.press(Keys.ENTER)
    until(browser, lambda: browser.all("#view-openers tbody .word"))
    browser.run("document.querySelectorAll('.sort')[3].focus()")
    browser.press(Keys.ENTER)
    until(browser, lambda: "Groups ▼" in browser.texts(".sort"))


def test_a_button_that_is_pressed_keeps_the_focus(browser: Browser, address: str) -> None:
    """Undo twice by Enter; a heading is sorted the other way round, and back."""
    show(browser, address, "#helper/crane.bybbb.sloth.bbbbb")
    button = "[...document.querySelectorAll('#view-helper .moves button')]"
    browser.run(f"{button}.find(each => each.textContent === 'Undo').focus()")
    browser.press(Keys.ENTER)
    until(browser, lambda: browser.address == "#helper/crane.bybbb")
    browser.press(Keys.ENTER)
    until(browser, lambda: browser.address == "#helper")
    show(browser, address, "#openers")
    until(browser, lambda: len(browser.all(".openers tbody tr")) > 9)
    browser.run("document.querySelector('.openers .sort').focus()")
    for order in ("ascending", "descending"):
        browser.press(Keys.ENTER)
        until(browser, lambda order=order: browser.all(f".openers th[aria-sort={order}]"))


def test_nothing_moves_for_those_who_want_it_so(browser: Browser, address: str) -> None:
    for motion, moves in (("reduce", False), ("no-preference", True)):
        browser.screen(*DESKTOP, motion=motion)
        show(browser, address, "#game/hidden")
        browser.run("localStorage.clear()")
        show(browser, address, "#game/hidden")
        until(browser, lambda: browser.all("#view-game .now"))
        browser.press("crane")
        names = browser.run(
            """const pressed = new KeyboardEvent("keydown", { key: "Enter", bubbles: true });
            document.body.dispatchEvent(pressed);
            return document.getAnimations().map((it) => it.animationName)"""
        )
        assert ("turn" in names) == moves, names


def test_palettes_are_kept_for_the_next_visit(browser: Browser, address: str) -> None:
    show(browser, address)
    colour = "return getComputedStyle(document.querySelector('.tile.yellow')).backgroundColor"
    advice_at(browser, "#helper/crane.bybbb")
    usual = browser.run(colour)
    browser.find("#contrast").click()
    browser.find("#theme").click()
    chosen = browser.run(colour)
    assert chosen != usual and browser.text("#theme") == "Theme: Light"
    show(browser, address, "#helper/crane.bybbb")
    until(browser, lambda: browser.all(".tile.yellow"))
    assert browser.run(colour) == chosen and browser.text("#theme") == "Theme: Light"
    browser.run("localStorage.clear()")


def test_tiles_are_told_apart_without_colours(browser: Browser, address: str) -> None:
    """With the colour-blind palette yellow and green bear a mark; every tile says what it is."""
    show(browser, address, "#helper/crane.bybbg")
    until(browser, lambda: browser.all(".tile.yellow"))
    label = browser.find("#view-helper .tile.yellow").get_attribute("aria-label")
    assert label == "Guess 1, tile 2, r: yellow"
    browser.find("#contrast").click()
    for kind, mark in (("yellow", '""'), ("green", '""'), ("grey", "none")):
        script = "return getComputedStyle(document.querySelector(arguments[0]), '::after').content"
        assert browser.run(script, f"#view-helper .tile.{kind}") == mark
    browser.run("localStorage.clear()")
