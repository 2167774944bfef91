"""The page for any browser, as people use it: wait until it has answered, see what it says."""

import base64
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import metadata
from typing import Any

from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver.support.wait import WebDriverWait

from . import missing
from .browsers import Browser

#: An answer that takes longer does not come, however busy the machine is.
_PATIENCE = 120
#: What is looked for may be gone, or not be there yet.
_GONE = (
    exceptions.JavascriptException, exceptions.NoSuchElementException,
    exceptions.StaleElementReferenceException, IndexError,
)  # fmt: skip


class Table(Browser):
    """A browser with the page at an address: what one waits for, and what one does there."""

    def __init__(self, driver: webdriver.Chrome, url: str) -> None:
        super().__init__(driver)
        self.url = url

    # --- what one waits for
    def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something holds that the page shows."""
        waiting = WebDriverWait(self.driver, _PATIENCE, 0.05, _GONE)
        waiting.until(lambda _: holds(), self.text("main"))

    def sees(self, selector: str, count: int = 0) -> None:
        """Wait until there is such an element, or so many of them."""
        self.until(lambda: len(self.all(selector)) == count if count else self.all(selector))

    def says(self, selector: str, *texts: str) -> None:
        """Wait until an element has these texts in it."""
        self.until(lambda: all(text in self.text(selector) for text in texts))

    def is_at(self, place: str) -> None:
        """Wait until the address is that of a place."""
        self.until(lambda: self.address == place)

    def in_sight(self, selector: str, displayed: bool = True) -> None:
        """Wait until an element is displayed, or no more."""
        self.until(lambda: self.find(selector).is_displayed() == displayed)

    # --- what one does
    def show(self, place: str = "#helper", there: str = "h2") -> None:
        """Open a tab of the page, and wait until something is there."""
        self.open(self.url, place)
        tab = place.partition("/")[0].partition("?")[0].lstrip("#")
        self.sees(f"#view-{tab} {there}")

    def go(self, place: str) -> None:
        """Go to a place without loading the page again."""
        self.run("location.hash = arguments[0]", place)

    def empty(self, *selectors: str) -> None:
        """Take away what was said, so that only what is said anew is seen."""
        for selector in selectors:
            self.run("document.querySelector(arguments[0]).replaceChildren()", selector)

    def advice_at(self, place: str, tab: str = "helper") -> None:
        """Go to a position without loading the page again, and wait until its advice is there."""
        advice = f"#view-{tab} .advice"
        self.empty(advice)
        self.go(place)
        self.until(lambda: self.all(f"{advice} h2") and not self.all(f"{advice}[aria-busy]"))

    def press_button(self, text: str) -> None:
        """Press the button that says this, on the tab that is shown."""
        buttons = ".view:not([hidden]) :is(button, a), #work button"
        script = """[...document.querySelectorAll(arguments[0])]
          .find((each) => each.textContent === arguments[1]).click()"""
        self.run(script, buttons, text)

    def fill(self, **fields: str) -> None:
        """Write into fields of the page, by their ids; a dash is an underscore here."""
        script = """const field = document.getElementById(arguments[0]);
          field.value = arguments[1];
          field.dispatchEvent(new Event("change", { bubbles: true }))"""
        for name, text in fields.items():
            self.run(script, name.replace("_", "-"), text)

    def paste(self, text: str) -> None:
        """Paste a text where nothing has the focus."""
        script = """const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", arguments[0]);
          const made = { clipboardData, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new ClipboardEvent("paste", made))"""
        self.run(script, text)

    def drop(self, name: str, content: bytes) -> None:
        """Drop a file on the page."""
        script = """const dataTransfer = new DataTransfer();
          const bytes = Uint8Array.from(atob(arguments[1]), (sign) => sign.charCodeAt(0));
          dataTransfer.items.add(new File([bytes], arguments[0]));
          const made = { dataTransfer, bubbles: true, cancelable: true };
          document.body.dispatchEvent(new DragEvent("drop", made))"""
        self.run(script, name, base64.b64encode(content).decode())

    # --- whom it serves
    @property
    def width(self) -> int:
        """How wide all of the page is, seen or not."""
        return int(self.run("return document.documentElement.scrollWidth"))

    def axe_faults(self, rules: Sequence[str] = ()) -> list[str]:
        """What axe-core finds that is serious, by all its rules or by some of them."""
        if not self.run("return 'axe' in window"):
            self.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": _axe()})
        result = self.driver.execute_async_script(
            """const [rules, done] = arguments;
            const only = rules.length ? { runOnly: rules } : {};
            const how = { resultTypes: ["violations"], ...only };
            axe.run(document, how).then((found) => done(found.violations))""",
            list(rules),
        )
        return [
            f"{each['id']}: {[node['html'][:90] for node in each['nodes'][:3]]}"
            for each in result
            if each["impact"] in ("serious", "critical")
        ]


def _axe() -> str:
    """The script of axe-core."""
    with suppress(metadata.PackageNotFoundError):
        for path in metadata.files("selenium-axe-python") or []:
            if path.name == "axe.min.js":
                return path.read_text("utf-8")
    raise missing("axe-core: pip install selenium-axe-python")
