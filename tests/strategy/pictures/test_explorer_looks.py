"""The page on every screen: nothing sticks out, stands too faint, jumps, or has no name."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.browsers import CLICK, DESKTOP, PHONE, Browser
from tests.support.pages import HAZED

pytestmark = pytest.mark.slow

SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])


@SCHEMES
@pytest.mark.parametrize("screen", [PHONE, (768, 1024), DESKTOP])
def test_every_screen_holds_the_page(
    browser: Browser, lares_page: Path, codes_page: Path, screen: tuple[int, int], scheme: str
) -> None:
    browser.screen(*screen, scheme)
    for page, state in ((lares_page, ""), (lares_page, HAZED), (codes_page, "#1122.1,1")):
        browser.open(page, state)
        assert browser.run("return document.documentElement.scrollWidth") == screen[0]
        wide = """
            return [...document.querySelectorAll("main *, header *")].filter((e) => {
              const box = e.getBoundingClientRect();
              return e.checkVisibility() && !e.closest(".unseen") && box.right > innerWidth + 0.5;
            }).map((e) => e.outerHTML.slice(0, 80))
        """
        assert browser.run(wide) == []


@SCHEMES
def test_what_is_dark_follows_the_system_or_the_choice(
    browser: Browser, lares_page: Path, scheme: str
) -> None:
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
def test_text_stands_out(
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


def test_nothing_jumps(browser: Browser, lares_page: Path) -> None:
    """From state to state every part stays where it is."""
    tops = """
        return [...document.querySelectorAll("section, footer")].map((element) =>
          element.getBoundingClientRect().top + scrollY);
    """
    browser.open(lares_page)
    places = browser.run(tops)
    for state in ("#lares.bgbgb", "#lares.bgbgb.nymph.bbbby", HAZED):
        browser.run("location.hash = arguments[0]", state)
        assert browser.run(tops) == places
