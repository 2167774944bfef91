"""Every vector loop against its plain twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver import simd
from solver.jit import kernel
from solver.matrix import aligned_rows


@kernel
def alike(
    scores: NDArray[np.uint8], rows: NDArray[np.int32], start: int, limit: int, result: NDArray
) -> bool:
    return simd.most_alike(scores, rows, start, limit, result)


@pytest.mark.plain
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
@given(st.integers(1, 3), st.integers(2, 40), st.integers(1, 12), st.integers(1, 150), st.data())
def test_most_alike(
    dtype: type, different: int, rows: int, limit: int, columns: int, data: st.DataObject
) -> None:
    random = np.random.default_rng(data.draw(st.integers(0, 1000)))
    scores = aligned_rows(rows + 3, columns, dtype)
    scores[:] = random.integers(0, different, scores.shape)
    members = random.permutation(rows + 3)[:rows].astype(np.int32)
    lanes = simd.VECTOR_BYTES // scores.itemsize
    for start in range(0, columns, lanes):
        result, plain = np.empty((2, lanes), dtype=dtype)
        alive = alike(scores, members, start, limit, result)
        expected = simd.most_alike_plain(scores, members, start, limit, plain)
        inside = min(lanes, columns - start)
        assert (np.minimum(result, limit)[:inside] == np.minimum(plain, limit)[:inside]).all()
        assert alive or not expected


@pytest.mark.plain
def test_most_alike_by_hand() -> None:
    scores = aligned_rows(4, 3, np.uint8)
    scores[:] = [[1, 5, 7], [1, 6, 7], [2, 5, 7], [2, 8, 7]]
    result = np.empty(simd.VECTOR_BYTES, dtype=np.uint8)
    assert alike(scores, np.arange(4, dtype=np.int32), 0, 9, result)
    assert result[:3].tolist() == [1, 1, 3]
    assert not simd.most_alike_plain(scores, np.arange(4, dtype=np.int32), 0, 1, result)


@kernel
def several(counts: NDArray[np.uint16], start: int) -> np.uint64:
    return simd.above_one(counts, start)


@pytest.mark.plain
@given(st.integers(0, 7), st.integers(0, 1000))
def test_above_one(start: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 4, simd.COUNTS + 7).astype(np.uint16)
    counts[start] = 65535
    assert int(several(counts, start)) == int(simd.above_one_plain(counts, start))
    assert int(several(counts, start)) & 1
