"""The pages that the browser is shown, and the browser: one for all tests."""

from pathlib import Path

import pytest

from strategy import Strategy, load_game
from strategy.solving.by_rule import Solved, solve
from tests.support.browsers import browser, chromium
from tests.support.pages import written

__all__ = ["browser", "chromium"]


@pytest.fixture(scope="session")
def codes() -> Strategy:
    return solve(load_game("original", "allowed", "mastermind:4x6")).strategy


@pytest.fixture(scope="session")
def lares_page(lares: Solved, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(lares.strategy, tmp_path_factory.mktemp("lares page"))


@pytest.fixture(scope="session")
def codes_page(codes: Strategy, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(codes, tmp_path_factory.mktemp("codes page"))
