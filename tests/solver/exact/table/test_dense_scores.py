"""Scores renumbered and cut into blocks, against the scores of the game."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from solver.exact.table.count_lanes import LANES
from solver.exact.table.dense_scores import dense_codes, in_blocks, put_in_order, renumber


@given(st.integers(1, 9), st.integers(1, 150), st.integers(1, 300), st.integers(0, 1000))
def test_dense_scores(guesses: int, secrets: int, kinds: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    scores = dice.integers(0, kinds, (guesses, secrets)).astype(np.uint16)
    codes, parts = dense_codes(scores, 300)
    order = dice.permutation(guesses).astype(np.int32)
    dense = np.zeros((LANES, secrets), dtype=np.uint8)
    renumber(scores, codes, dense)
    put_in_order(dense[:guesses], order)
    for column, guess in enumerate(order):
        seen, place = np.unique(scores[guess], return_inverse=True)
        assert parts[guess] == len(seen)
        assert (dense[column] == place).all()
    blocks = in_blocks(dense)
    assert (blocks == dense.reshape(1, LANES, secrets).transpose(0, 2, 1)).all()
