"""A real browser without a window: Debian's Chromium, driven by Selenium. Nothing is downloaded.

People use the page in it: they wait until it has answered, and see what it says. A telephone's
link can lie between it and the page.
"""

import base64
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from gzip import compress
from importlib import metadata
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.common import exceptions
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from strategy.files.text import score_text, solved_score
from strategy.tree import Strategy
from strategy.web import folder
from strategy.web.server import File

from . import missing

PHONE, DESKTOP = (360, 740), (1400, 900)
#: Clicks as often as told on each tile that waits.
CLICK = """
const tiles = document.querySelectorAll("#board .now button");
arguments[0].forEach((times, at) => { for (; times > 0; times--) tiles[at].click(); });
"""
_ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",  # root has none
    "--disable-dev-shm-usage",  # containers have little of it
    "--disable-background-networking",
    "--disable-ipc-flooding-protection",  # scripts click faster than people: 200 states in 10 s
    "--no-first-run",
    "--hide-scrollbars",
    "--force-prefers-reduced-motion",
)
_BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Link:
    """What lies between the page's files and a browser: a telephone's link where ``is_slow``.

    A file is there after a delay and, one behind the other, the time that its gzip takes. This
    holds for whatever part of a browser asks; its own slow link leaves workers out.
    """

    DELAY, BYTES_A_SECOND = 0.15, 1.6e6 / 8

    def __init__(self) -> None:
        self.is_slow = False
        #: What was asked for, and the size of its gzip.
        self.files = list[tuple[str, int]]()
        self._line = Lock()

    def find(self, path: str) -> File | None:
        """The file of a path, when it arrives."""
        found = folder.find(path)
        if found is not None:
            size = _size(found.content)
            self.files.append((path, size))
            if self.is_slow:
                time.sleep(self.DELAY)
                with self._line:
                    time.sleep(size / self.BYTES_A_SECOND)
        return found


@cache
def _size(content: bytes) -> int:
    return len(compress(content))


class Browser:
    """A browser with a page of ours: what one sees of it, and what one does with it."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver

    def open(self, page: Path | str, address: str = "") -> None:
        url = page if isinstance(page, str) else page.as_uri()
        self.driver.get("about:blank")
        self.driver.get(f"{url}{address}")

    def forget(self, address: str, what: str = "local_storage") -> None:
        """Clear what a page has stored, without loading it; ``what``: all of it, or a kind."""
        self.driver.get("about:blank")
        which = {"origin": address.rstrip("/"), "storageTypes": what}
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", which)

    @contextmanager
    def before_load(self, source: str) -> Iterator[None]:
        """While this lasts, a script runs in each page before it is loaded."""
        command = "Page.{}ScriptToEvaluateOnNewDocument"
        added = self.driver.execute_cdp_cmd(command.format("add"), {"source": source})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd(command.format("remove"), added)

    def download_to(self, folder: Path) -> None:
        """Have files that a page offers end up in a folder."""
        where = {"behavior": "allow", "downloadPath": str(folder)}
        self.driver.execute_cdp_cmd("Browser.setDownloadBehavior", where)

    def screen(self, width: int, height: int, scheme: str = "light", motion: str = "") -> None:
        """Another screen: a phone's, a dark one, one on which things move."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": motion or "reduce"}
        media = {"features": [{"name": name, "value": it} for name, it in features.items()]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> Sequence[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        """The text of an element as the document has it, in whatever case it is shown."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def texts(self, selector: str) -> list[str]:
        """The texts of all such elements."""
        script = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"
        return list(self.run(script, selector))

    def press(self, *keys: str) -> None:
        """Keys, one after the other, for whatever has the focus."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    @property
    def focus(self) -> str:
        """What the keyboard speaks to: its id, or how it is called."""
        script = "const e = document.activeElement; return e.id || e.getAttribute('aria-label')"
        return str(self.run(script))

    @property
    def address(self) -> str:
        """The state in the address."""
        return str(self.run("return location.hash"))

    def complaints(self) -> list[str]:
        """All that the console says since it was last asked."""
        log = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log]


#: What a service worker says whose server a test has ended meanwhile.
_ENDED = "An unknown error occurred when fetching the script"


@contextmanager
def open_browser() -> Iterator[Browser]:
    """A browser that ends with this; benchmarks and pictures take one, too."""
    options, driver = Options(), shutil.which("chromedriver")
    options.binary_location = next(filter(None, map(shutil.which, _BROWSERS)), "")
    if not (options.binary_location and driver):
        raise missing("Chromium and its driver: apt-get install chromium chromium-driver")
    for argument in _ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    made = webdriver.Chrome(options, Service(driver))
    made.set_page_load_timeout(60)
    made.set_script_timeout(60)
    try:
        yield Browser(made)
    finally:
        made.quit()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with open_browser() as made:
        yield made


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser on a desk; whatever a test did with a page of ours, the console is silent."""
    chromium.screen(*DESKTOP)
    chromium.complaints()
    yield chromium
    found = [said for said in chromium.complaints() if _ENDED not in said]
    assert found == [], found


def clicks_of(strategy: Strategy, score: int) -> list[int]:
    """How often each tile, or each hole, is clicked to show a reply."""
    length = len(strategy.words[0])
    if strategy.origin.game == "wordle":
        return [score // 3**place % 3 for place in range(length)]
    black, white = divmod(score, length + 1)
    return ([2] * black + [1] * white + [0] * length)[:length]


#: Plays a game by clicks: for every guess what each tile gets. What is seen before each click.
PLAY = """
const texts = (selector) => [...document.querySelectorAll(selector)].map((e) => e.textContent);
const changed = (press) => new Promise((done) => {
  addEventListener("hashchange", done, {once: true});
  press.click();
});
return (async () => {
  const seen = [];
  for (const clicks of arguments[0]) {
    seen.push([...texts("#game-title bdi, #left-title"), texts("#secrets bdi"), location.hash]);
    const tiles = document.querySelectorAll("#board .now button");
    clicks.forEach((times, at) => { for (; times > 0; times--) tiles[at].click(); });
    await changed(document.querySelector("#play"));
  }
  seen.push([...texts("#game-title, #verdict"), texts("#board a.row"), location.hash]);
  await changed(document.querySelector("#again"));
  return seen;
})();
"""


def play(browser: Browser, strategy: Strategy, secret: str) -> None:
    """Click one game through, and compare each step with the look-up."""
    game = strategy.origin.game
    solved = solved_score(game, len(secret))
    steps = [*strategy.history_of(strategy.solved_at[secret]), (secret, solved)]
    *seen, end = browser.run(PLAY, [clicks_of(strategy, score) for _, score in steps])
    address: list[str] = []
    for number, (word, score) in enumerate(steps):
        left = strategy.remaining(steps[:number])
        remain = "1 possible answer" if len(left) == 1 else f"{len(left):,} possible answers"
        assert strategy.next_guess(steps[:number]) == word
        assert seen[number] == [word, remain, left[:240], "#" * bool(number) + ".".join(address)]
        address += [quote(word), score_text(game, len(secret), score)]
    title, verdict, rows, last = end
    assert title == f"Solved by guess {len(steps)}"
    assert verdict.startswith(f"{secret} is the answer")
    assert (rows, last) == ([word for word, _ in steps], "#" + ".".join(address))


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
