"""The engine for browsers: the same questions natively and in Chromium without a window.

The page is asked as its own scripts ask it: the question goes to the worker, and the answer comes
back as a copy. Its processor time is that of the process of the page with all its threads, which
counts in hundredths of a second.
"""

from __future__ import annotations

import contextlib
import importlib.util
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from solver.game.load import load_game
from strategy.files import strategy_file
from strategy.solving.by_rule import Settings, solve
from strategy.toolbox.guesses import suggest
from strategy.web import folder
from strategy.web.server import LocalServer

from .harness import Bench, Finished, cpu_seconds, duration, ratio

if TYPE_CHECKING:
    from tests.support.browsers import Browser, Link

OPENER, BEST_OPENER = "lares", "salet"
#: A word with its colours: its proposals need the engine.
_CLUE = "#helper/crane.bybbb"
ALL = {"list": "original", "secrets": "allowed"}
ANSWERS = {"list": "original", "secrets": "answers"}
#: Positions after one guess, and how often a question is asked for one sample.
POSITIONS, TIMES = 200, 10


class Chromium:
    """The page in Chromium without a window, served by this machine."""

    def __init__(self, browser: Browser, address: str, link: Link) -> None:
        self._browser, self._driver, self._address = browser, browser.driver, address
        self._driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _WATCH})
        self.link = link

    def slow(self, *, link: bool, times: int) -> None:
        """From now on by a telephone's link or not, with a processor so many times slower."""
        self.link.is_slow = link
        self._driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": times})

    def arrive(self, place: str) -> dict[str, float]:
        """Load the page: when it was there, and how much it has moved."""
        self.link.files.clear()
        self._browser.open(self._address, place)
        found: dict[str, float] = self._driver.execute_async_script(_WHEN)
        return found

    def arrive_first(self, place: str) -> dict[str, float]:
        """The same where nothing is kept of a visit before."""
        self._browser.forget(self._address, "all")
        return self.arrive(place)

    def keep(self) -> None:
        """Wait until all is kept for the next visit, over no slow link."""
        self.slow(link=False, times=1)
        self._driver.execute_async_script(_KEPT)

    def ask(self, game: dict[str, Any], method: str, args: list[Any], times: int = 1) -> Finished:
        """What a question to a game of the engine took, so many times, and the last answer."""
        before = self._cpu()
        walls, answer = self._driver.execute_async_script(_ASK, game, method, args, times)
        return Finished((self._cpu() - before) / times, statistics.median(walls) / 1e3, answer)

    def _cpu(self) -> float:
        """Seconds of processor time of the pages' processes."""
        import psutil  # type: ignore[import-untyped]

        total = 0.0
        for process in psutil.Process(self._driver.service.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                if "--type=renderer" in process.cmdline():
                    total += sum(process.cpu_times()[:2])
        return total


#: Notes on the page, in seconds, when one can type and when a proposal is there; what has moved.
_WATCH = """
globalThis.reached = { moved: 0 };
const watch = () => {
  const keys = document.querySelector("#view-helper .table:not([inert]) .key");
  if (keys) reached.keys ??= performance.now() / 1e3;
  if (document.querySelector("#view-helper .take")) reached.proposal ??= performance.now() / 1e3;
};
new MutationObserver(watch).observe(document, { childList: true, subtree: true });
const add = (list) => list.getEntries().forEach(({ value }) => (reached.moved += value));
new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
"""
_WHEN = """
const done = arguments[0];
const look = () => (reached.proposal ? done(reached) : setTimeout(look, 20));
look();
"""
#: All is kept for visits without a network.
_KEPT = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done())"
_ASK = """
const [game, method, args, times, done] = arguments;
const { askGame } = await import("./made/page.js");
const walls = [];
let answer;
for (let time = 0; time < times; time++) {
  const begin = performance.now();
  answer = await askGame(game, method, args);
  walls.push(performance.now() - begin);
}
done([walls, answer.length ?? answer]);
"""


@contextlib.contextmanager
def chromium() -> Iterator[Chromium | str]:
    """The page in Chromium, or why it cannot be there."""
    if any(importlib.util.find_spec(name) is None for name in ("selenium", "psutil", "pytest")):
        yield "there is no selenium, psutil or pytest (all are among the versions for tests)"
        return
    import pytest

    from tests.support.browsers import Link, open_browser
    from tests.support.commands import serving

    with contextlib.ExitStack() as opened:
        try:
            browser = opened.enter_context(open_browser())
        except pytest.skip.Exception as missing:
            yield str(missing)
            return
        browser.driver.set_script_timeout(120)
        link = Link()
        server = opened.enter_context(serving(LocalServer(link.find, folder.policy())))
        yield Chromium(browser, server.address, link)


def run(bench: Bench) -> None:
    """The page itself, proposals, whole strategies; without a browser there is nothing to tell."""
    with chromium() as page:
        if isinstance(page, str):
            print(f"\nweb: left out: {page}")
            return
        _arrival(bench, page)
        _first_proposals(bench, page)
        _after_one_guess(bench, page)
        _whole_strategy(bench, page, ALL, {"start": OPENER})
        _whole_strategy(bench, page, ANSWERS, {"start": BEST_OPENER, "rule": "optimal"})


def _arrival(bench: Bench, page: Chromium) -> None:
    """From the address to what one waits for: on this machine, and by a telephone's link."""
    rows, files = [], list[tuple[str, int]]()
    visits = range(3 if bench.quick else 11)
    for text, link, times in (
        ("from this machine", False, 1), ("by a telephone's link", True, 1),
        ("and a processor 4 times slower", True, 4),
    ):  # fmt: skip
        page.slow(link=link, times=times)
        first = [page.arrive_first("#helper") for _ in visits]
        clue = [page.arrive_first(_CLUE) for _ in visits]
        files = [*page.link.files]
        page.keep()
        page.slow(link=link, times=times)
        again = [page.arrive("#helper") for _ in visits]
        waits = [(first, "keys"), (first, "proposal"), (clue, "proposal"), (again, "proposal")]
        seconds = [duration(statistics.median(it[name] for it in them)) for them, name in waits]
        moved = max(it["moved"] for it in (*first, *clue, *again))
        rows.append([text, *seconds, f"{moved:.3f}"])
    page.slow(link=False, times=1)
    header = ["", "typing", "first proposal", "after a word", "second visit", "moved"]
    bench.table("the page, from its address on", header, rows)
    size = sum(size for _, size in files) / 1e3
    bench.note(f"a proposal after a word takes {len(files)} files, {size:.0f} kB with gzip")
    bench.note(
        "the link: 1.6 Mbit/s, each file 150 ms later; a slower processor is not that of the worker"
    )


def _first_proposals(bench: Bench, page: Chromium) -> None:
    """All words as first guesses, by entropy."""
    game = load_game("nyt-2023", "answers")
    known = {"list": "nyt-2023", "secrets": "answers"}

    asked = partial(page.ask, known, "suggest", [[]], TIMES)
    title = f"first proposals, {len(game.guesses):,} x {len(game.secrets):,} words"
    native, there = _beside(bench, title, partial(suggest, game), asked)
    same = [row.word for row in native.words] == [row["word"] for row in there["suggestions"]]
    bench.check(same, "both propose the same words")


def _beside(
    bench: Bench, title: str, natively: Callable[[], Any], asked: Callable[[], Finished]
) -> tuple[Any, Any]:
    """One question natively and there; both answers."""
    with bench.ladder(title) as ladder:
        native = ladder.rung("native", natively)
        asked()
        browser = ladder.rung("the page in Chromium", asked)
    return native.result, browser.result.result


def _after_one_guess(bench: Bench, page: Chromium) -> None:
    """Random positions after one guess, with exact values; each is asked natively, then there."""
    game = load_game("nyt-2023", "answers")
    known = {"list": "nyt-2023", "secrets": "answers"}
    dice = random.Random(31)
    mine, theirs, same = list[Finished](), list[Finished](), 0
    for _ in range(20 if bench.quick else POSITIONS):
        word, secret = dice.choice(game.guesses), dice.choice(game.secrets)
        score = game.format_score(game.grade(word, secret))
        for _ in range(2):  # the second time all is warm
            cpu, wall = cpu_seconds(), time.perf_counter()
            answer = suggest(game, [(word, score)])
            native = Finished(cpu_seconds() - cpu, time.perf_counter() - wall, answer)
        mine.append(native)
        page.ask(known, "suggest", [[[word, score]]])
        theirs.append(page.ask(known, "suggest", [[[word, score]]]))
        words = [row["word"] for row in theirs[-1].result["suggestions"]]
        same += words == [row.word for row in native.result.words]
    rows = [
        [
            label,
            duration(sum(it.cpu for it in answers) / len(answers)),
            duration(statistics.median(it.wall for it in answers)),
            duration(max(it.wall for it in answers)),
        ]
        for label, answers in (("native", mine), ("the page in Chromium", theirs))
    ]
    times = [there.wall / here.wall for here, there in zip(mine, theirs, strict=True)]
    bench.table(
        f"proposals with exact values after one guess, {len(mine)} random positions",
        ["", "CPU (mean)", "median", "longest"],
        rows,
    )
    bench.note(
        f"median of the ratios: {ratio(statistics.median(times))}, largest: {ratio(max(times))}"
    )
    bench.check(same == len(mine), "both propose the same words in each position")


def _whole_strategy(
    bench: Bench, page: Chromium, known: dict[str, str], options: dict[str, str]
) -> None:
    """A whole strategy with its file."""
    game = load_game(known["list"], known["secrets"])
    settings = Settings((options["start"],), options.get("rule", "minimax"))

    def natively() -> bytes:
        return strategy_file.to_bytes(solve(game, settings).strategy)

    title = f"{options['start'].upper()}'s strategy by {settings.rule}, {len(game.secrets):,} words"
    asked = partial(page.ask, known, "solve", [options], TIMES)
    native, length = _beside(bench, title, natively, asked)
    bench.check(length == len(native), "both write as many bytes")
