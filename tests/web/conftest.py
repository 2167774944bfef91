"""The engine in node, opened once for all tests of a module."""

from collections.abc import Iterator

import pytest

from tests.support.node import Engine


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    opened = Engine()
    yield opened
    opened.close()
