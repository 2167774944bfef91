"""Rows of ranked guesses: the columns that ``openers`` and ``suggest`` show alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...toolbox.openers import RankedGuess

#: Heading for people → the field, and how a person reads it.
COLUMNS = {
    "rank": ("rank", "d"),
    "word": ("word", "s"),
    "entropy": ("entropy", ".6f"),
    "remaining": ("remaining_bits", ".6f"),
    "expected size": ("expected_size", ".3f"),
    "largest": ("largest", ",d"),
    "parts": ("parts", ",d"),
}


def cells(row: RankedGuess) -> list[str]:
    """The columns of ranked guesses as the commands ``openers`` and ``suggest`` print them."""
    return [format(getattr(row, field), form) for field, form in COLUMNS.values()]
