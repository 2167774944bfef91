"""The engine's modules have the types that they name, and so has its package for npm."""

from tests.support.node import require_packages
from tools.web import typed


def test_types_and_style() -> None:
    require_packages()
    assert typed.faults() == ""
