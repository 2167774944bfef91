"""Steps of the search of pairs that the compiler does not find, each with its plain twin.

As in ``vector_steps``, the intrinsics are generic IR, and with ``NUMBA_DISABLE_JIT=1`` the plain
twins take their place.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import Scores
from ..machine.jit import vector_step
from ..machine.vector_ir import cgutils, i8, i32, i64, ir, load, loop, store, types
from ..splits.logarithms import Places

#: What secrets show, a byte each, and how many of them show it.
Shown = NDArray[np.uint8]
Sums = NDArray[np.uint8]

#: Columns that are summed up together; rows are padded to a multiple.
TOGETHER = 64
#: So many rows can be summed up before a sum overflows.
MOST_ROWS = 255
#: Bytes that come into the cache at once.
_LINE = 64


def sum_rows_plain(
    shown: Shown, members: Places, begin: int, end: int, column: int, sums: Sums
) -> None:
    """Plain twin of a step of the search for pairs: TOGETHER sums of rows that are 0 or 1 each.

    From ``column`` on, of the rows ``members[begin:end]``.
    """
    together = slice(column, column + TOGETHER)
    sums[together] = shown[members[begin:end], together].sum(axis=0, dtype=np.uint8)


def fetch_row_plain(scores: Scores, row: int) -> None:
    """Plain twin of a step of the search for pairs: fetch a row into the cache; nothing changes."""


def _sum_rows(
    typing: Any, shown: Any, members: Any, _begin: Any, _end: Any, _column: Any, sums: Any
) -> Any:
    number = types.int64
    signature = types.void(shown, members, number, number, number, sums)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.VectorType(i8(), TOGETHER)
        rows, who, result = (
            context.make_array(sig.args[k])(context, builder, args[k]) for k in (0, 1, 5)
        )
        width = builder.extract_value(rows.shape, 1)
        first = builder.gep(rows.data, [args[4]])

        def add_row(at: Any, values: Any) -> list[Any]:
            member = builder.zext(builder.load(builder.gep(who.data, [at])), i64())
            row = load(builder, builder.gep(first, [builder.mul(member, width)]), kind)
            return [builder.add(values[0], row)]

        zero = ir.Constant(kind, [0] * TOGETHER)
        (total,) = loop(builder, args[2], args[3], [zero], add_row)
        store(builder, total, builder.gep(result.data, [args[4]]))
        return context.get_dummy_value()

    return signature, generate


def _fetch_row(typing: Any, scores: Any, _row: Any) -> Any:
    signature = types.void(scores, types.int64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        matrix = context.make_array(sig.args[0])(context, builder, args[0])
        width = builder.mul(builder.extract_value(matrix.shape, 1), matrix.itemsize)
        data = builder.bitcast(matrix.data, i8().as_pointer())
        stride = builder.extract_value(matrix.strides, 0)
        first = builder.gep(data, [builder.mul(args[1], stride)])
        kind = ir.FunctionType(ir.VoidType(), [i8().as_pointer(), i32(), i32(), i32()])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        how = [i32()(0), i32()(3), i32()(1)]  # to be read, kept near, data

        def fetch_line(line: Any, _: Any) -> list[Any]:
            place = builder.gep(first, [builder.mul(line, i64()(_LINE))])
            builder.call(fetch, [place, *how])
            return []

        lines = builder.udiv(builder.add(width, i64()(_LINE - 1)), i64()(_LINE))
        loop(builder, i64()(0), lines, [], fetch_line)
        return context.get_dummy_value()

    return signature, generate


fetch_row = vector_step(_fetch_row, fetch_row_plain)
sum_rows = vector_step(_sum_rows, sum_rows_plain)
