"""The engine in node, opened once for all tests; the page in a real browser."""

import threading
from collections.abc import Iterator

import pytest

from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support.browsers import DESKTOP, Browser, open_browser
from tests.support.node import Engine

#: What a service worker says whose server a test has ended meanwhile.
_ENDED = "An unknown error occurred when fetching the script"


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    opened = Engine()
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with open_browser() as made:
        yield made


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser on a desk; whatever a test did with the page, the console is silent."""
    chromium.screen(*DESKTOP)
    chromium.complaints()
    yield chromium
    assert [said for said in chromium.complaints() if _ENDED not in said] == []


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the page is shown, as ``knuthle web`` shows it."""
    with LocalServer(folder.find, folder.policy()) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()
