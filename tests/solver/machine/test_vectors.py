"""Every vector loop against its plain twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.game.score_matrix import aligned_rows
from solver.machine import vectors
from solver.machine.jit import kernel


@kernel
def alike(
    scores: NDArray[np.uint8], rows: NDArray[np.int32], start: int, limit: int, result: NDArray
) -> bool:
    return vectors.most_alike(scores, rows, start, limit, result)


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
    lanes = vectors.VECTOR_BYTES // scores.itemsize
    for start in range(0, columns, lanes):
        result, plain = np.empty((2, lanes), dtype=dtype)
        alive = alike(scores, members, start, limit, result)
        expected = vectors.most_alike_plain(scores, members, start, limit, plain)
        inside = min(lanes, columns - start)
        assert (np.minimum(result, limit)[:inside] == np.minimum(plain, limit)[:inside]).all()
        assert alive or not expected
