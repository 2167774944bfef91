"""What is done to 64 columns in one register, against the plain twins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import config

from solver.exact.table import byte_lanes
from solver.exact.table.count_lanes import LANES
from solver.machine.jit import kernel
from solver.machine.vector_steps import first_bit, first_bit_plain

pytestmark = pytest.mark.skipif(config.DISABLE_JIT, reason="the plain twins are in use")


@kernel
def change(row: Any, other: Any, at: int, most: int, how: int) -> None:
    if how == 0:
        byte_lanes.cap(row, at, most)
    elif how == 1:
        byte_lanes.lower(row, other, at)
    else:
        byte_lanes.copy_row(row, other)


@kernel
def bits_at_least(row: Any, at: int, need: int) -> Any:
    return byte_lanes.at_least(row, at, need)


@kernel
def lowest(mask: Any) -> int:
    return first_bit(mask)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 255))
def test_changes_agree_with_the_plain_twins(seed: int, blocks: int, most: int) -> None:
    dice = np.random.default_rng(seed)
    row, other = dice.integers(0, 256, (2, blocks * LANES)).astype(np.uint8)
    at = LANES * int(dice.integers(blocks))
    for how, plain in enumerate(
        (
            lambda values: byte_lanes.plain_cap(values, at, most),
            lambda values: byte_lanes.plain_lower(values, other, at),
            lambda values: byte_lanes.plain_copy(values, other),
        )
    ):
        mine, theirs = row.copy(), row.copy()
        change(mine, other, at, most, how)
        plain(theirs)
        assert (mine == theirs).all()
    assert bits_at_least(row, at, most) == byte_lanes.plain_at_least(row, at, most)


@kernel
def least_of(row: Any, at: int, tables: Any, places: Any, need: int, lanes: Any) -> Any:
    return byte_lanes.least_of(row, at, tables, places, need, lanes)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 255))
def test_the_least_of_some_tables(seed: int, blocks: int, need: int) -> None:
    """Whatever places are none, in the middle of the list as well."""
    dice = np.random.default_rng(seed)
    row = dice.integers(0, 256, blocks * LANES).astype(np.uint8)
    tables = dice.integers(0, 256, (5, blocks * LANES)).astype(np.uint8)
    places = dice.integers(-1, 5, 4).astype(np.int32)
    at = LANES * int(dice.integers(blocks))
    mine, theirs = np.zeros((2, LANES), dtype=np.uint8)
    bits = least_of(row, at, tables, places, need, mine)
    assert bits == byte_lanes.plain_least_of(row, at, tables, places, need, theirs)
    assert (mine == theirs).all()


@given(st.integers(1, 2**64 - 1))
def test_the_lowest_bit(mask: int) -> None:
    assert lowest(np.uint64(mask)) == first_bit_plain(np.uint64(mask))
