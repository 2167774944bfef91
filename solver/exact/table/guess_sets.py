"""Columns as bits: which of 64 neighbouring guesses do not tell two candidates apart.

A set of guesses is a row of 64-bit words, one for each block of 64 columns of a room. Comparing two
candidates in a block is one vector comparison whose result *is* such a word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from ...machine.jit import config, kernel
from ...machine.vector_steps import first_bit
from .count_lanes import LANES

cgutils: Any = _cgutils

Mask = NDArray[np.uint64]
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_BYTE, _WORD = ir.IntType(8), ir.IntType(64)
_BYTES = ir.VectorType(_BYTE, LANES)
_Alike = Callable[[NDArray[np.uint8], int, int, int], np.uint64]


def plain_alike(rows: NDArray[np.uint8], block: int, one: int, other: int) -> np.uint64:
    """Bit k: column k of a block scores the same against two candidates."""
    same = np.flatnonzero(rows[block, one] == rows[block, other])
    return np.uint64(sum(1 << int(lane) for lane in same))


def plain_ones(word: np.uint64) -> int:
    """How many bits are set."""
    return int(word).bit_count()


def _alike() -> _Alike:
    """The compiled comparison, or its plain twin where there is no compiler."""
    if config.DISABLE_JIT:
        return plain_alike

    def alike(_typing: Any, rows: Any, _block: Any, _one: Any, _other: Any) -> Any:
        def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
            array = context.make_array(signature.args[0])(context, b, args[0])
            height = cgutils.unpack_tuple(b, array.shape)[1]
            corner = b.mul(args[1], height)

            def load(member: Any) -> Any:
                place = b.mul(b.add(corner, member), ir.Constant(_WORD, LANES))
                address = b.bitcast(b.gep(array.data, [place]), _BYTES.as_pointer())
                return b.load(address, align=1)

            return b.bitcast(b.icmp_unsigned("==", load(args[2]), load(args[3])), _WORD)

        i = types.int64
        return types.uint64(rows, i, i, i), codegen

    return cast("_Alike", intrinsic(alike))


def _ones() -> Callable[[np.uint64], int]:
    if config.DISABLE_JIT:
        return plain_ones

    def ones(_typing: Any, _word: Any) -> Any:
        def codegen(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
            return b.ctpop(args[0])

        return types.int64(types.uint64), codegen

    return cast("Callable[[np.uint64], int]", intrinsic(ones))


alike = _alike()
ones = _ones()


@kernel
def apart(rows: NDArray[np.uint8], members: NDArray[np.int32], count: int) -> int:
    """A column that scores differently against any two of the first members, or −1."""
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
