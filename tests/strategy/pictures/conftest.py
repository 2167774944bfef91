"""The pages that the browser is shown, and the browser: one for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.game.load import load_game
from strategy.solving.by_rule import Solved, solve
from strategy.tree import Strategy
from tests.support.browsers import DESKTOP, Browser, open_browser
from tests.support.pages import written


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with open_browser() as made:
        yield made


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """The browser on a desk; whatever a test did with a page of ours, the console is silent."""
    chromium.screen(*DESKTOP)
    chromium.complaints()
    yield chromium
    assert chromium.complaints() == []


@pytest.fixture(scope="session")
def codes() -> Strategy:
    return solve(load_game("original", "allowed", "mastermind:4x6")).strategy


@pytest.fixture(scope="session")
def lares_page(lares: Solved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(lares.strategy, tmp_path_factory.mktemp("lares page"))


@pytest.fixture(scope="session")
def codes_page(codes: Strategy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(codes, tmp_path_factory.mktemp("codes page"))
