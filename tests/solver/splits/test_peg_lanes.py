"""The vector steps of Mastermind against their plain twins, and these against the rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.game.packed_codes import Codes, Numbers
from solver.machine.jit import kernel
from solver.splits.logarithms import Costs
from solver.splits.peg_lanes import (
    LANES,
    NOBODY,
    TOGETHER,
    Layout,
    count_peg,
    count_peg_plain,
    match_peg,
    match_peg_plain,
    unbeaten_by_largest,
    unbeaten_by_sum,
)
from tests.support import naive

pytestmark = pytest.mark.plain

COLOURS = 5


@kernel
def matched(rows: Codes, layout: Layout, hole: int, colour: int, had: int) -> None:
    """The steps as kernels take them."""
    match_peg(rows, layout, hole, colour, had)


@kernel
def counted(
    rows: Codes, layout: Layout, colour: int, had: int, scores: Codes, first: int
) -> tuple[int, int, int, int]:
    return count_peg(rows, layout, colour, had, scores, first)


@kernel
def unbeaten(
    rows: Codes,
    layout: Layout,
    asked: int,
    used: Numbers,
    scores: Codes,
    weights: Costs,
    limit: int,
    by_largest: bool,
) -> int:
    if by_largest:
        return unbeaten_by_largest(rows, layout, asked, used, scores, weights, limit)
    return unbeaten_by_sum(rows, layout, asked, used, scores, weights, limit)


def laid_out(codes: Codes) -> tuple[Codes, Layout]:
    """The rows of some candidates, spelt out."""
    n, holes = codes.shape
    width = -(-n // LANES) * LANES
    rows = np.zeros((1 + 2 * holes + COLOURS, width), dtype=np.uint8)
    rows[0, n:] = NOBODY
    rows[1 + holes : 1 + 2 * holes] = NOBODY
    rows[1 + holes : 1 + 2 * holes, :n] = codes.T
    for colour in range(COLOURS):
        rows[1 + 2 * holes + colour, :n] = (codes == colour).sum(axis=1)
    layout = Layout(n, width, (1 + holes) * width, (1 + 2 * holes) * width, holes)
    return rows.ravel(), layout


def some_codes(n: int, holes: int) -> Codes:
    return np.random.default_rng(n).integers(0, COLOURS, (n, holes)).astype(np.uint8)


def text(code: Codes) -> str:
    return "".join(map(str, code))


@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_pegs_one_after_the_other_come_to_the_scores(n: int) -> None:
    codes = some_codes(n, 4)
    rows, layout = laid_out(codes)
    plain = rows.copy()
    guess = some_codes(n + 1, 4)[0]
    for hole, colour in enumerate(guess.tolist()):
        had = int((guess[:hole] == colour).sum())
        matched(rows, layout, hole, colour, had)
        match_peg_plain(plain, layout, hole, colour, had)
        assert (rows == plain).all()
    end = 4 * layout.width
    expected = [naive.pegs(text(guess), text(code)) for code in codes]
    assert rows[end : end + n].tolist() == expected
    assert (rows[end + n : end + layout.width] == NOBODY).all()


@pytest.mark.parametrize("n", [3, 64, 300])
@pytest.mark.parametrize("by_largest", [True, False])
def test_last_pegs_are_counted_and_judged(n: int, by_largest: bool) -> None:
    codes = some_codes(n, 3)
    rows, layout = laid_out(codes)
    first_pegs = [2, 2]
    for hole, colour in enumerate(first_pegs):
        match_peg_plain(rows, layout, hole, colour, hole)
    used = np.bincount(first_pegs, minlength=COLOURS)
    scores = np.array([0, 1, 4, 2, 8, 3, 5, NOBODY - 1], dtype=np.uint8)
    weights = (np.arange(n + 1) ** 2).astype(np.int64)
    costs = []
    for colour in range(COLOURS):
        found = [naive.pegs(text(np.array([*first_pegs, colour])), text(code)) for code in codes]
        for first in (0, TOGETHER):
            counts = tuple(found.count(int(score)) for score in scores[first : first + TOGETHER])
            asked = rows, layout, colour, int(used[colour]), scores, first
            assert counted(*asked) == count_peg_plain(*asked) == counts
        few = [found.count(int(score)) for score in scores[:TOGETHER]]
        costs.append(max(few) if by_largest else sum(count**2 for count in few))
    step: Any = unbeaten_by_largest if by_largest else unbeaten_by_sum
    twin = getattr(step, "plain", step)
    for limit in {*costs, 0, 1 << 61}:
        for asked_for in (0b11111, 0b01010, 0):
            expected = sum(
                1 << at for at in range(COLOURS) if asked_for >> at & 1 and costs[at] < limit
            )
            given = rows, layout, asked_for, used, scores, weights, limit
            assert unbeaten(*given, by_largest) == expected
            assert twin(*given) == expected
