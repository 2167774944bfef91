"""Tiles turned in registers, against the plain twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import config

from solver.exact.table.byte_tiles import TILE, plain_turn, turn
from solver.exact.table.count_lanes import LANES
from solver.machine.jit import kernel

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="the plain twin is in use")


@kernel
def turned(scores: Any, column: int, row: int, rows: Any, block: int, lane: int) -> None:
    turn(scores, column, row, rows, block, lane)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(TILE, 3 * TILE))
def test_a_tile_is_turned_and_nothing_else(seed: int, blocks: int, secrets: int) -> None:
    dice = np.random.default_rng(seed)
    scores = dice.integers(0, 256, (blocks * LANES, secrets)).astype(np.uint8)
    mine = dice.integers(0, 256, (blocks, secrets, LANES)).astype(np.uint8)
    theirs = mine.copy()
    column, row, lane = (int(dice.integers(end - TILE + 1)) for end in (*scores.shape, LANES))
    block = int(dice.integers(blocks))
    turned(scores, column, row, mine, block, lane)
    plain_turn(scores, column, row, theirs, block, lane)
    assert (mine == theirs).all()
