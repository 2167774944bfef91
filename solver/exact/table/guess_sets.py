"""Columns as bits: which of 64 neighbouring guesses do not tell two candidates apart.

A set of guesses is a row of 64-bit words, one for each block of 64 columns of a table. To compare
two candidates in a block is one vector comparison whose result *is* such a word: the guesses that
leave both together. Over many candidates such words are joined by "and" (who leaves all together?)
or "or" (who fails to set all apart?), 64 guesses a step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, vector_step
from ...machine.vector_ir import cgutils, i64, ir, load, types
from ...machine.vector_steps import first_bit
from .count_lanes import LANES, byte_vector
from .score_table import ScoreTable, count_parts

Mask = NDArray[np.uint64]
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def plain_alike(rows: NDArray[np.uint8], block: int, one: int, other: int) -> np.uint64:
    """In a score table: which of 64 columns of a block score the same against two rows, as bits."""
    same = np.flatnonzero(rows[block, one] == rows[block, other])
    return np.uint64(sum(1 << int(lane) for lane in same))


def _alike(_typing: Any, rows: Any, _block: Any, _one: Any, _other: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, b, args[0])
        corner = b.mul(args[1], cgutils.unpack_tuple(b, array.shape)[1])
        lanes = ir.Constant(i64(), LANES)
        ours, theirs = (
            load(b, b.gep(array.data, [b.mul(b.add(corner, member), lanes)]), byte_vector())
            for member in args[2:]
        )
        return b.bitcast(b.icmp_unsigned("==", ours, theirs), i64())

    i = types.int64
    return types.uint64(rows, i, i, i), codegen


alike = vector_step(_alike, plain_alike)


@kernel
def apart(rows: NDArray[np.uint8], members: NDArray[np.int32], count: int) -> int:
    """Look in a score table for a column that tells the first members all apart, or −1."""
    for block in range(rows.shape[0]):
        word = np.uint64(0)
        for k in range(1, count):
            for j in range(k):
                word |= alike(rows, block, members[k], members[j])
            if word == ALL:
                break
        if word != ALL:
            return block * LANES + first_bit(~word)
    return -1


@kernel
def count_others(
    table: ScoreTable, members: NDArray[np.int32], covered: Mask, parts: NDArray[np.uint8]
) -> None:
    """In a score table, count the parts of those columns whose block is not all in ``covered``."""
    for block in range(covered.shape[0]):
        if covered[block] != ALL:
            start = block * LANES
            out = parts[start : start + LANES]
            count_parts(table, members, 0, members.shape[0], start, 1, out)
