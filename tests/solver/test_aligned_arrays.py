"""Arrays that begin where a cache line does, and arrays that are given back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver import aligned_arrays


@pytest.mark.parametrize("shape", [(3, 5), (1 << 10, 1 << 10), (2, 300_000, 4)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64])
def test_arrays_are_like_any_other(shape: tuple[int, ...], dtype: type) -> None:
    array = aligned_arrays.returning(shape, dtype)
    assert (array.shape, array.dtype) == (shape, np.dtype(dtype))
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    array[...] = 7
    assert (array == 7).all()


@pytest.mark.parametrize("make", [aligned_arrays.aligned, aligned_arrays.returning])
@pytest.mark.parametrize("shape", [(1,), (3, 5), (203, 64), (1 << 11, 1 << 10)])
def test_arrays_begin_a_line_and_overlap_none(
    make: Callable[[tuple[int, ...], type], NDArray[Any]], shape: tuple[int, ...]
) -> None:
    arrays = [make(shape, dtype) for dtype in (np.uint8, np.int64, np.uint8, np.int32)]
    for number, array in enumerate(arrays):
        assert array.shape == shape and array.flags.c_contiguous
        assert array.ctypes.data % 64 == 0
        array[...] = number
    assert all((array == number).all() for number, array in enumerate(arrays))
