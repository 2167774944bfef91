"""Modules of the page and its engine have the types that they name; so has its package for npm."""

from tests.support.node import require_packages
from tools.web import typed


def test_types_and_style() -> None:
    require_packages()
    assert typed.faults() == ""
