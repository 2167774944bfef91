"""Rows of words that are worth something together: what ``pairs`` and ``triples`` show alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import render

if TYPE_CHECKING:
    from solver.pairs.pair_search import Pair
    from solver.pairs.triples import Triple

#: What JSON and CSV say of a row.
COLUMNS = ("rank", "words", "joint_entropy", "remaining_bits")
_HEADER = ("rank", "words", "joint entropy", "remaining")


def public_row(row: Pair | Triple) -> dict[str, Any]:
    """A pair or triple of words as the commands ``pairs`` and ``triples`` show it in JSON."""
    return {name: getattr(row, name) for name in COLUMNS}


def table(rows: Sequence[Pair | Triple]) -> str:
    """The table that the commands ``pairs`` and ``triples`` print."""
    cells = [
        (row.rank, " ".join(row.words), f"{row.joint_entropy:.9f}", f"{row.remaining_bits:.7f}")
        for row in rows
    ]
    return render.table(_HEADER, cells)
