"""The engine in node, opened once for all tests; the page in a real browser."""

import threading
from collections.abc import Iterator

import pytest

from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support.browsers import browser, chromium
from tests.support.node import Engine

__all__ = ["browser", "chromium"]


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    opened = Engine()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Where the page is shown, as ``knuthle web`` shows it."""
    with LocalServer(folder.find, folder.policy()) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server.address
        server.shutdown()
        thread.join()
