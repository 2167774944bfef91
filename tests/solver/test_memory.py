"""Memory that is given back, and what a system says of its own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver import memory


@pytest.mark.parametrize("shape", [(3, 5), (1 << 10, 1 << 10), (2, 300_000, 4)])
@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64])
def test_arrays_are_like_any_other(shape: tuple[int, ...], dtype: type) -> None:
    array = memory.returning(shape, dtype)
    assert (array.shape, array.dtype) == (shape, np.dtype(dtype))
    assert array.flags.c_contiguous and array.flags.writeable and array.flags.aligned
    array[...] = 7
    assert (array == 7).all()


@pytest.mark.parametrize("make", [memory.aligned, memory.returning])
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


def test_the_least_that_is_left_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    meminfo, limit, used = (tmp_path / name for name in ("meminfo", "max", "current"))
    meminfo.write_text("MemTotal: 9000 kB\nMemAvailable:    5000 kB\n")
    monkeypatch.setattr(memory, "_MEMINFO", meminfo)
    monkeypatch.setattr(memory, "_GROUPS", ((str(limit), str(used)),))
    monkeypatch.setattr(memory, "_own_left", lambda: None)
    assert memory.available() == 5000 * 1024
    limit.write_text("max\n")
    used.write_text("1000\n")
    assert memory.available() == 5000 * 1024
    limit.write_text("5000\n")
    assert memory.available() == 4000
    used.write_text("6000\n")
    assert memory.available() == 1


def test_a_system_that_says_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "none")
    monkeypatch.setattr(memory, "_GROUPS", ())
    monkeypatch.setattr(memory, "_own_left", lambda: None)
    left = memory.available()
    assert left is None or left > 0
    monkeypatch.delattr("os.sysconf", raising=False)
    assert memory.available() is None
