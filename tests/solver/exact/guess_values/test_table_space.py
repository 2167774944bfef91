"""What processes say of shared tables is heard by the others, and is true when it is heard."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from solver.exact.guess_values.table_space import (
    common_space,
    hear,
    own_space,
    plain_hear,
    plain_take_row,
    plain_tell,
    take_row,
    tell,
)
from solver.machine.jit import kernel

_TIMES = 20_000


@kernel
def taken_by_kernel(taken: Any, rows: Any) -> None:
    for at in range(rows.shape[0]):
        rows[at] = take_row(taken)


@kernel
def told_by_kernel(told: Any, one: int, other: int, number: int) -> int:
    tell(told, one, other, number)
    return hear(told, one, other)


@kernel
def write_and_tell(tables: Any, told: Any, times: int) -> None:
    for number in range(1, times + 1):
        for at in range(tables.shape[1]):
            tables[0, at] = number
        tell(told, 0, 1, number)


@kernel
def hear_and_read(tables: Any, told: Any, times: int) -> int:
    """How often less was seen than what was said."""
    early, heard = 0, 0
    while heard < times:
        heard = hear(told, 0, 1)
        for at in range(tables.shape[1]):
            if tables[0, at] < heard:
                early += 1
    return early


def test_kernels_do_what_the_plain_steps_do() -> None:
    mine, theirs, rows = np.array([5]), np.array([5]), np.zeros(3, dtype=np.int64)
    taken_by_kernel(mine, rows)
    assert rows.tolist() == [plain_take_row(theirs) for _ in range(3)] == [5, 6, 7]
    assert mine.tolist() == theirs.tolist() == [8]
    told, said = np.zeros((2, 3, 4), dtype=np.int32)
    for one, other, number in ((0, 0, 1), (2, 3, 12_000), (1, 2, 2**31 - 1)):
        assert told_by_kernel(told, one, other, number) == number
        plain_tell(said, one, other, number)
        assert plain_hear(said, one, other) == number
    assert np.array_equal(told, said)


def forked(work: Any) -> int:
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    return child


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="memory is not shared here")
def test_no_row_is_taken_twice_and_what_is_told_is_there() -> None:
    space = common_space(2 * _TIMES, 64, 2)
    numbers = common_space(2, 8 * _TIMES, 1).tables.view(np.int64)
    words = common_space(1, 8 * 16, 1).tables.view(np.int64)
    taken_by_kernel(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    write_and_tell(words.copy(), space.told.copy(), 1)
    hear_and_read(words, space.told, 0)
    children = [forked(lambda at=at: taken_by_kernel(space.taken, numbers[at])) for at in (0, 1)]
    children.append(forked(lambda: write_and_tell(words, space.told, _TIMES)))
    assert hear_and_read(words, space.told, _TIMES) == 0
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    assert np.sort(numbers.ravel()).tolist() == list(range(2 * _TIMES))
    assert space.taken.tolist() == [2 * _TIMES]


def test_who_shares_with_nobody_has_nobody_to_tell() -> None:
    space = own_space(3, 128)
    assert space.tables.shape == (3, 128)
    assert space.taken.tolist() == [0]
    assert space.told.size == 0
