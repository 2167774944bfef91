"""The engine's modules have the types that they name, and so has its package for npm."""

import os

import pytest

from tests.support.node import require_node
from tools.web import bundle, typed


def test_types_and_style() -> None:
    require_node()
    if os.environ.get("CI") == "true":
        bundle.fetch()
    if not bundle.is_here():
        pytest.skip("needs TypeScript and ESLint: run .venv/bin/python -m tools.web.typed once")
    assert typed.faults() == ""
