"""Rows of words that are worth something together: what ``pairs`` and ``triples`` show alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import render

if TYPE_CHECKING:
    from solver.pairs.pair_search import Pair
    from solver.pairs.triples import Triple

_HEADER = ("rank", "words", "joint entropy", "remaining")


def public(row: Pair | Triple) -> dict[str, Any]:
    """A row as JSON shows it."""
    return {
        "words": row.words,
        "joint_entropy": row.joint_entropy,
        "remaining_bits": row.remaining_bits,
        "rank": row.rank,
    }


def csv_table(
    rows: Sequence[Pair | Triple], words: int
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """The heading and the rows of a table as CSV shows them."""
    names = ["word", *(f"word{number}" for number in range(2, words + 1))]
    plain = [(row.rank, *row.words, row.joint_entropy, row.remaining_bits) for row in rows]
    return ("rank", *names, "joint_entropy", "remaining_bits"), plain


def table(rows: Sequence[Pair | Triple]) -> str:
    """The table that a person reads."""
    cells = [
        (row.rank, " ".join(row.words), f"{row.joint_entropy:.9f}", f"{row.remaining_bits:.7f}")
        for row in rows
    ]
    return render.table(_HEADER, cells)
