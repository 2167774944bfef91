"""The engine in node, opened once for all tests; the page in a real browser."""

from collections.abc import Iterator

import pytest

from strategy.web import folder
from strategy.web.server import LocalServer
from tests.support.browsers import Browser, Table, browser, chromium
from tests.support.commands import serving
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
    with serving(LocalServer(folder.find, folder.policy())) as server:
        yield server.address


@pytest.fixture
def page(browser: Browser, address: str) -> Table:
    """The page as whoever comes for the first time sees it."""
    browser.forget(address)
    return Table(browser.driver, address)
