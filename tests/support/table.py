"""The page for any browser, as people use it: wait until it has answered, see what it says."""

import base64
import os
from collections.abc import Callable, Sequence
from importlib import metadata
from typing import Any

import pytest
from selenium.common.exceptions import (
    JavascriptException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver.support.wait import WebDriverWait

from .browsers import Browser

#: An answer that takes longer does not come, however busy the machine is.
PATIENCE = 120
_SERIOUS = ("serious", "critical")


def until(browser: Browser, holds: Callable[[], Any]) -> None:
    """Wait until something holds that the page shows."""
    gone = (NoSuchElementException, StaleElementReferenceException, IndexError)
    ignored = [JavascriptException, *gone]
    waiting = WebDriverWait(browser.driver, PATIENCE, 0.05, ignored)
    waiting.until(lambda _: holds(), browser.text("main"))


def show(browser: Browser, address: str, place: str = "#helper") -> None:
    """Open a tab of the page, and wait until it is there."""
    browser.open(address, place)
    tab = place.partition("/")[0].partition("?")[0].lstrip("#")
    until(browser, lambda: browser.all(f"#view-{tab} h2"))


def axe_faults(browser: Browser, rules: Sequence[str] = ()) -> list[str]:
    """What axe-core finds that is serious, by all its rules or by some of them.

    Without its wheel a test skips, but fails in CI.
    """
    try:
        found = metadata.files("selenium-axe-python")
    except metadata.PackageNotFoundError:
        found = None
    if not found:
        if os.environ.get("CI") == "true":
            pytest.fail("needs axe-core: pip install selenium-axe-python")
        pytest.skip("needs axe-core: pip install selenium-axe-python")
    script = next(path for path in found if path.name == "axe.min.js").locate()
    if not browser.run("return 'axe' in window"):
        source = script.read_text("utf-8")  # type: ignore[attr-defined]
        browser.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
    result = browser.driver.execute_async_script(
        """const [rules, done] = arguments;
        const how = { resultTypes: ["violations"], ...(rules.length ? { runOnly: rules } : {}) };
        axe.run(document, how).then((found) => done(found.violations))""",
        list(rules),
    )
    return [
        f"{each['id']}: {[node['html'][:90] for node in each['nodes'][:3]]}"
        for each in result
        if each["impact"] in _SERIOUS
    ]


def advice_at(browser: Browser, place: str, tab: str = "helper") -> None:
    """Go to a position without loading the page again, and wait until its advice is there."""
    advice = f"#view-{tab} .advice"
    browser.run(
        "document.querySelector(arguments[0]).replaceChildren(); location.hash = arguments[1]",
        advice, place,
    )  # fmt: skip
    until(browser, lambda: browser.all(f"{advice} h2") and not browser.all(f"{advice}[aria-busy]"))


def press_button(browser: Browser, text: str) -> None:
    """Press the button that says this, on the tab that is shown."""
    script = """[...document.querySelectorAll(".view:not([hidden]) :is(button, a), #work button")]
      .find((each) => each.textContent === arguments[0]).click()"""
    browser.run(script, text)


def fill(browser: Browser, **fields: str) -> None:
    """Write into fields of the page, by their ids; a dash is an underscore here."""
    script = """const field = document.getElementById(arguments[0]);
      field.value = arguments[1];
      field.dispatchEvent(new Event("change", { bubbles: true }))"""
    for name, text in fields.items():
        browser.run(script, name.replace("_", "-"), text)


def paste(browser: Browser, text: str) -> None:
    """Paste a text where nothing has the focus."""
    script = """const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", arguments[0]);
      const made = { clipboardData, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new ClipboardEvent("paste", made))"""
    browser.run(script, text)


def drop(browser: Browser, name: str, content: bytes) -> None:
    """Drop a file on the page."""
    script = """const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(arguments[1]), (sign) => sign.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], arguments[0]));
      const made = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent("drop", made))"""
    browser.run(script, name, base64.b64encode(content).decode())
