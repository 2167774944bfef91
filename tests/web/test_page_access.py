"""The page for everybody: axe-core, the keyboard alone, small screens, palettes, no motion."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.browsers import DESKTOP
from tests.support.table import Table

pytestmark = pytest.mark.slow

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
    axe_finds_nothing_serious(page)
    page.run("document.querySelector('#options').open = false")
    page.screen(*DESKTOP)
    every_control_is_reached_by_the_keyboard(page)


def axe_finds_nothing_serious(page: Table) -> None:
    """By all rules at the width of a telephone; by those of contrast in all palettes."""
    page.screen(*NARROW)
    found = page.axe_faults()
    for scheme, is_contrast in (("light", True), ("dark", True), ("dark", False)):
        page.screen(*NARROW, scheme)
        if is_contrast != (page.find("#contrast").get_attribute("aria-pressed") == "true"):
            page.run("document.querySelector('#contrast').click()")
        found += [f"{scheme}: {it}" for it in page.axe_faults(["color-contrast"])]
    assert found == []


def every_control_is_reached_by_the_keyboard(page: Table) -> None:
    """By Tab in the order in which it stands, and one sees where the keyboard is.

    Of many controls only the first thirty stay.
    """
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
