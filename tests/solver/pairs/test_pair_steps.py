"""The steps of the search of pairs against their plain twins."""

from __future__ import annotations

import numpy as np
import pytest

from solver.machine.jit import kernel
from solver.pairs.pair_steps import (
    MOST_ROWS,
    TOGETHER,
    Shown,
    Sums,
    fetch_row,
    fetch_row_plain,
    sum_rows,
    sum_rows_plain,
)
from solver.splits.logarithms import Places

pytestmark = pytest.mark.plain


@kernel
def summed(shown: Shown, members: Places, begin: int, end: int, column: int, sums: Sums) -> None:
    """The step as kernels take it."""
    sum_rows(shown, members, begin, end, column, sums)


@kernel
def fetched(scores: Shown, row: int) -> int:
    """A row that is brought near, and its last score."""
    fetch_row(scores, row)
    return int(scores[row, scores.shape[1] - 1])


@pytest.mark.parametrize(("begin", "end"), [(0, 0), (3, 4), (5, 5 + MOST_ROWS)])
def test_rows_are_summed_up(begin: int, end: int) -> None:
    draw = np.random.default_rng(end)
    shown = draw.integers(0, 2, (40, 3 * TOGETHER)).astype(np.uint8)
    shown[:, TOGETHER + 1] = 1  # the largest sum there is
    members = draw.integers(0, 40, 400).astype(np.uint32)
    sums, plain = (np.full(3 * TOGETHER, 7, dtype=np.uint8) for _ in range(2))
    for column in (0, TOGETHER):
        summed(shown, members, begin, end, column, sums)
        sum_rows_plain(shown, members, begin, end, column, plain)
    assert (sums == plain).all()
    assert sums[TOGETHER + 1] == end - begin
    assert (sums[2 * TOGETHER :] == 7).all()  # nothing else is written


def test_a_row_is_fetched_and_nothing_changes() -> None:
    scores = (np.arange(299) % 251).astype(np.uint8).reshape(13, 23)
    for view in (scores, scores[:, :20]):
        before = view.copy()
        assert fetched(view, 12) == before[12, -1]
        fetch_row_plain(view, 12)
        assert (view == before).all()
