"""Tables of marks that several processes share: what one has counted no other counts again.

All see the same rows (see ``ceilings``). Who wants a table takes the next free row for it, counts
it there, and says where it lies when it is complete; from then on nobody writes to it. Whoever
finds a place said finds the whole table in it: on processors that let stores overtake each other
as well. Two may count the same at the same time; then either row will do.
"""

from __future__ import annotations

import mmap
import os
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import vector_step
from ...machine.vector_ir import i64, ir, types


class TableSpace(NamedTuple):
    """Rows for tables, and what those who share them tell each other."""

    tables: NDArray[np.uint8]
    #: How many rows are taken.
    taken: NDArray[np.int64]
    #: ``told[mark, mark]``: the row of the table of two marks, plus 1; 0 until it is counted. With
    #: nobody to tell it is empty.
    told: NDArray[np.int32]


def own_space(tables: int, width: int) -> TableSpace:
    """Space for tables of marks that nobody shares."""
    return TableSpace(
        aligned((tables, width)), np.zeros(1, np.int64), np.zeros((0, 0), dtype=np.int32)
    )


def common_space(tables: int, width: int, marks: int) -> TableSpace:
    """Space for tables of marks that processes forked later share; ``OSError`` where it fails."""
    return TableSpace(
        _seen_by_all((tables, width), np.uint8),
        _seen_by_all((1,), np.int64),
        _seen_by_all((marks, marks), np.int32),
    )


def _seen_by_all(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """Zeros in a file without a name: processes that are forked later see the same."""
    if not hasattr(os, "memfd_create"):
        raise OSError
    size = prod(shape) * np.dtype(dtype).itemsize
    number = os.memfd_create("tables")
    try:
        os.ftruncate(number, size)
        memory = mmap.mmap(number, size, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    finally:
        os.close(number)
    return np.frombuffer(memory, dtype=dtype).reshape(shape)


def plain_take_row(taken: NDArray[np.int64]) -> int:
    """The number of a row, in the shared space for tables of marks, that nobody else has taken."""
    taken[0] += 1
    return int(taken[0]) - 1


def plain_tell(told: NDArray[np.int32], one: int, other: int, number: int) -> None:
    """Say where a table of marks is; whoever hears it sees all that we have written before."""
    told[one, other] = number


def plain_hear(told: NDArray[np.int32], one: int, other: int) -> int:
    """What was said last of where a table of marks is, a number."""
    return int(told[one, other])


def _array(context: Any, b: Any, signature: Any, args: Any) -> Any:
    return context.make_array(signature.args[0])(context, b, args[0])


def _at(b: Any, array: Any, one: Any, other: Any) -> Any:
    width = b.extract_value(array.shape, 1)
    return b.gep(array.data, [b.add(b.mul(one, width), other)])


def _take_row(_typing: Any, taken: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        place = _array(context, b, signature, args).data
        return b.atomic_rmw("add", place, ir.Constant(i64(), 1), "monotonic")

    return types.int64(taken), codegen


def _tell(_typing: Any, told: Any, _one: Any, _other: Any, _number: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        place = _at(b, _array(context, b, signature, args), args[1], args[2])
        number = b.trunc(args[3], place.type.pointee)
        b.store_atomic(number, place, "release", told.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.none(told, types.int64, types.int64, types.int64), codegen


def _hear(_typing: Any, told: Any, _one: Any, _other: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        place = _at(b, _array(context, b, signature, args), args[1], args[2])
        return b.sext(b.load_atomic(place, "acquire", told.dtype.bitwidth // 8), i64())

    return types.int64(told, types.int64, types.int64), codegen


take_row = vector_step(_take_row, plain_take_row)
tell = vector_step(_tell, plain_tell)
hear = vector_step(_hear, plain_hear)
