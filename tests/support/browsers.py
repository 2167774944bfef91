"""A real browser without a window: Debian's Chromium, driven by Selenium. Nothing is downloaded.

A telephone's link can lie between it and the page.
"""

import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from gzip import compress
from pathlib import Path
from threading import Lock
from typing import Any
from urllib.parse import quote

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

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
