"""The tables of every opener's least total: all are settled (docs/records.md has the sweeps)."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from strategy import load_game, openers

from .tables import TABLE, rows_of


class OpenerRow(NamedTuple):
    """The least total of an opener, and the commit that found it."""

    opener: str
    total: int
    commit: str


def read_table(path: Path = TABLE) -> list[OpenerRow]:
    """A committed table, a row for each opener in alphabetical order."""
    found = rows_of(path.read_bytes())
    assert all(row["lower_bound"] == row["upper_bound"] for row in found), "all are exact"
    return [OpenerRow(row["opener"], int(row["lower_bound"]), row["commit"]) for row in found]


def entropies(rows: list[OpenerRow]) -> NDArray[np.float64]:
    """The entropy of each opener over the answers, in the order of the rows."""
    measured = {row.word: row.entropy for row in openers(load_game("original"))}
    return np.array([measured[row.opener] for row in rows])


def ranks(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rank of each value from 1 on, the least first; equal values share the least rank."""
    return np.searchsorted(np.sort(keys), keys).astype(np.int64) + 1
