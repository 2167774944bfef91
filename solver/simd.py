"""Vector steps that the compiler does not find by itself, each with its plain twin.

An intrinsic here emits generic vector IR, no instruction of any one machine, so the same code
becomes AVX-512, AVX2 or NEON. With ``NUMBA_DISABLE_JIT=1`` the plain twin takes its place; the
tests hold both against each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic
from numpy.typing import NDArray

from .jit import config

_Disjoint = Callable[[NDArray[np.uint64], int, np.uint64], np.uint64]
_OfBits = Callable[[np.uint64], int]

#: How many masks ``disjoint`` looks at; arrays given to it must have so many spare places.
LANES = 16


def disjoint_plain(masks: NDArray[np.uint64], start: int, taken: np.uint64) -> np.uint64:
    """Bit k says whether mask ``start + k`` has no bit in common with ``taken``."""
    found = 0
    for lane in range(LANES):
        if not (masks[start + lane] & taken):
            found |= 1 << lane
    return np.uint64(found)


def first_bit_plain(bits: np.uint64) -> int:
    """The place of the lowest bit that is set; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


def bit_count_plain(bits: np.uint64) -> int:
    """How many bits are set."""
    return int(bits).bit_count()


@intrinsic
def _disjoint(typing: Any, masks: Any, start: Any, taken: Any) -> Any:
    if not (isinstance(masks, types.Array) and masks.dtype == types.uint64 and masks.layout == "C"):
        raise TypingError("masks must be a contiguous array of uint64")
    signature = types.uint64(masks, types.int64, types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lanes, word = ir.VectorType(ir.IntType(64), LANES), ir.IntType(64)
        array = context.make_array(masks)(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        loaded = builder.load(builder.bitcast(place, lanes.as_pointer()), align=8)
        one = builder.insert_element(ir.Constant(lanes, ir.Undefined), args[2], ir.IntType(32)(0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        spread = builder.shuffle_vector(one, ir.Constant(lanes, ir.Undefined), order)
        shared = builder.and_(loaded, spread)
        free = builder.icmp_unsigned("==", shared, ir.Constant(lanes, [0] * LANES))
        return builder.zext(builder.bitcast(free, ir.IntType(LANES)), word)

    return signature, generate


@intrinsic
def _first_bit(typing: Any, bits: Any) -> Any:
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.IntType(1)(1))

    return signature, generate


@intrinsic
def _bit_count(typing: Any, bits: Any) -> Any:
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return signature, generate


disjoint = disjoint_plain if config.DISABLE_JIT else cast("_Disjoint", _disjoint)
first_bit = first_bit_plain if config.DISABLE_JIT else cast("_OfBits", _first_bit)
bit_count = bit_count_plain if config.DISABLE_JIT else cast("_OfBits", _bit_count)
