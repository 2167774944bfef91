"""What is done to 64 columns in registers: rows, counters, labels; against plain twins.

For numbers of one byte, and of two.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.exact.kernels import table_vectors
from solver.exact.kernels.table_vectors import BLOCK_COLUMNS
from solver.machine.jit import kernel
from tests.support import needs_compiler

KINDS = st.sampled_from([np.uint8, np.uint16])

pytestmark = needs_compiler  # without it the plain twins are in use

cap = kernel(lambda row, at, most: table_vectors.cap(row, at, most))  # noqa: PLW0108
bits_at_least = kernel(lambda row, at, need: table_vectors.at_least(row, at, need))  # noqa: PLW0108


def numbers(dice: Any, shape: Any, kind: Any) -> Any:
    """Numbers of a kind, small ones and large ones."""
    return dice.integers(0, dice.choice([9, np.iinfo(kind).max]) + 1, shape).astype(kind)


@kernel
def least_of(row: Any, at: int, tables: Any, places: Any, need: int, lanes: Any) -> Any:
    return table_vectors.least_of(row, at, tables, places, need, lanes)


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), KINDS)
def test_rows_are_capped_compared_and_lowered_as_by_the_plain_twins(
    seed: int, blocks: int, kind: Any
) -> None:
    """Whatever places of tables are none, in the middle of the list as well."""
    dice = np.random.default_rng(seed)
    row = numbers(dice, blocks * BLOCK_COLUMNS, kind)
    tables = numbers(dice, (5, blocks * BLOCK_COLUMNS), kind)
    most, need = (int(numbers(dice, 1, kind)[0]) for _ in range(2))
    places = dice.integers(-1, 5, 4).astype(np.int32)
    at = BLOCK_COLUMNS * int(dice.integers(blocks))
    mine, theirs = row.copy(), row.copy()
    cap(mine, at, most)
    table_vectors.plain_cap(theirs, at, most)
    assert (mine == theirs).all()
    assert bits_at_least(row, at, most) == table_vectors.plain_at_least(row, at, most)
    mine, theirs = np.zeros((2, BLOCK_COLUMNS), dtype=kind)
    bits = least_of(row, at, tables, places, need, mine)
    assert bits == table_vectors.plain_least_of(row, at, tables, places, need, theirs)
    assert (mine == theirs).all()


@pytest.mark.parametrize("size", range(1, 15))
def test_comparators_sort_all_zeros_and_ones(size: int) -> None:
    """Then they sort whatever there is (Knuth, 5.3.4); the large ones are made in the same way."""
    rows = np.array(list(product((0, 1), repeat=size)))
    expected = np.sort(rows, axis=1)
    for low, high in table_vectors._batcher(size):
        rows[:, [low, high]] = np.sort(rows[:, [low, high]], axis=1)
    assert (rows == expected).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.uint8, pytest.param(np.uint16, marks=pytest.mark.long)])
def test_counters_agree_with_their_plain_twin(kind: Any) -> None:
    dice, wide = np.random.default_rng(3), kind == np.uint16
    for scores, sizes in (
        *((9, range(1, 9)), (12, range(9, 13)), (60, range(13, 17)), (243, range(17, 33))),
        (32, (25, 40, 90)),
        *((n, (33, 90)) for n in (60, 90, 120, 150, 243)),
        *((n, (33, 90)) for n in (256, 257, 700) if wide),
    ):
        for count in sizes:
            most = 65_536 if wide and count <= 24 else scores
            rows = dice.integers(most - scores, most, (2, 100, 64)).astype(kind)
            members = np.sort(dice.choice(100, count, replace=False)).astype(np.int32)
            for need, column in product((1, count // 2 + 1, count), (0, 64)):
                mine, theirs = np.zeros((2, 64), kind)
                asked = (rows, scores, members, 0, count, column, need)
                assert counted(*asked, mine) == table_vectors.plain_count(*asked, theirs)
                counts = theirs >= need
                assert (mine[counts] == theirs[counts]).all()


@kernel
def counted(rows, spread, members, first, end, column, need, out):  # type: ignore[no-untyped-def]
    return table_vectors.count_block(rows, spread, members, first, end, column, need, out)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_labels_agree_with_their_plain_twin(kind: Any) -> None:
    @kernel
    def label(rows, column, members, out):  # type: ignore[no-untyped-def]
        table_vectors.label_lanes(rows, column, members, out[0], out[1])

    dice = np.random.default_rng(5)
    worlds = [(4, 1), (4, 2), (8, 255), (32, 9), (100, 255), (300, 254), (300, 40)]
    if kind == np.uint16:
        worlds += [(8, 65_535), (400, 700), (400, 65_535)]
    for count, kinds in worlds:
        rows = dice.integers(0, kinds, (2, 400, 64)).astype(kind)
        members = np.sort(dice.choice(400, count, replace=False)).astype(np.int32)
        for column in (0, 64):
            mine, theirs = (np.zeros((2, count, 64), kind) for _ in range(2))
            label(rows, column, members, mine)
            table_vectors.plain_label(rows, column, members, *theirs)
            assert (mine == theirs).all()
