"""What is known of 64 neighbouring columns, a byte each, looked at and changed in one register.

Ceilings (see ``ceilings``) are written and read so often that to go through them byte by byte took
a tenth of a search. Each step takes a row of bytes, and the place of the first of 64 or the whole
row. What is found in 64 columns comes back as the bits of one word: whoever looks for columns that
are good enough goes from one set bit to the next, and mostly there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import vector_step
from ...machine.vector_ir import (
    bring_near,
    cgutils,
    i8,
    i64,
    ir,
    load,
    loop,
    splat,
    store,
    types,
)
from .count_lanes import LANES, byte_vector

_Row = NDArray[np.uint8]


def plain_at_least(values: _Row, at: int, need: int) -> np.uint64:
    """Which of 64 lanes of a row of bytes are at least ``need``, as bits."""
    return np.uint64(sum(1 << lane for lane in range(LANES) if values[at + lane] >= need))


def plain_cap(values: _Row, at: int, most: int) -> None:
    """Lower 64 lanes of a row of bytes to ``most`` where they are above it."""
    values[at : at + LANES] = np.minimum(values[at : at + LANES], np.uint8(most))


def plain_lower(values: _Row, others: _Row, at: int) -> None:
    """Lower 64 lanes of a row of bytes to those of another row where they are above."""
    values[at : at + LANES] = np.minimum(values[at : at + LANES], others[at : at + LANES])


def plain_copy(values: _Row, others: _Row) -> None:
    """Take over another row of bytes of the same length, in lanes of 64."""
    values[:] = others


def plain_least_of(
    values: _Row, at: int, tables: _Row, places: NDArray[np.int32], need: int, lanes: _Row
) -> np.uint64:
    """Which of 64 lanes are at least ``need`` in ``values`` and all these tables, as bits.

    A negative place is none. The least of each column goes to ``lanes``.
    """
    lanes[:] = values[at : at + LANES]
    for place in places[places >= 0]:
        lanes[:] = np.minimum(lanes, tables[place, at : at + LANES])
    return plain_at_least(lanes, 0, need)


def _data(context: Any, b: Any, signature: Any, args: Any, place: int) -> Any:
    return context.make_array(signature.args[place])(context, b, args[place]).data


def _at_least(_typing: Any, values: Any, _at: Any, _need: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        found = load(b, b.gep(_data(context, b, signature, args, 0), [args[1]]), byte_vector())
        need = splat(b, b.trunc(args[2], i8()), byte_vector())
        return b.bitcast(b.icmp_unsigned(">=", found, need), i64())

    return types.uint64(values, types.int64, types.int64), codegen


def _cap(_typing: Any, values: Any, _at: Any, _most: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        place = b.gep(_data(context, b, signature, args, 0), [args[1]])
        found, most = load(b, place, byte_vector()), splat(b, b.trunc(args[2], i8()), byte_vector())
        store(b, b.select(b.icmp_unsigned("<", found, most), found, most), place)
        return context.get_dummy_value()

    return types.none(values, types.int64, types.int64), codegen


def _lower(_typing: Any, values: Any, others: Any, _at: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        mine, theirs = (
            b.gep(_data(context, b, signature, args, place), [args[2]]) for place in (0, 1)
        )
        found, other = load(b, mine, byte_vector()), load(b, theirs, byte_vector())
        store(b, b.select(b.icmp_unsigned("<", found, other), found, other), mine)
        return context.get_dummy_value()

    return types.none(values, others, types.int64), codegen


def _least_of(
    _typing: Any, values: Any, _at: Any, tables: Any, places: Any, _need: Any, lanes: Any
) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        own, table, listed, out = (
            context.make_array(signature.args[k])(context, b, args[k]) for k in (0, 2, 3, 5)
        )
        at, need = args[1], splat(b, b.trunc(args[4], i8()), byte_vector())
        width, here = b.extract_value(own.shape, 0), b.gep(own.data, [at])

        def lower(index: Any, least: Sequence[Any]) -> Sequence[Any]:
            place = b.sext(b.load(b.gep(listed.data, [index])), i64())
            there = b.gep(table.data, [b.add(b.mul(place, width), at)])
            # for no table the own values stand in
            none = b.icmp_signed("<", place, ir.Constant(i64(), 0))
            there = b.select(none, here, there)
            bring_near(b, b.gep(there, [ir.Constant(i64(), LANES)]))
            found = load(b, there, byte_vector())
            return [b.select(b.icmp_unsigned("<", found, least[0]), found, least[0])]

        count, zero = b.extract_value(listed.shape, 0), ir.Constant(i64(), 0)
        [least] = loop(b, zero, count, [load(b, here, byte_vector())], lower)
        store(b, least, out.data)
        return b.bitcast(b.icmp_unsigned(">=", least, need), i64())

    i = types.int64
    return types.uint64(values, i, tables, places, i, lanes), codegen


def _copy(_typing: Any, values: Any, others: Any) -> Any:
    def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, b, args[0])
        count = b.extract_value(array.shape, 0)
        cgutils.raw_memcpy(b, array.data, _data(context, b, signature, args, 1), count, 1)
        return context.get_dummy_value()

    return types.none(values, others), codegen


at_least = vector_step(_at_least, plain_at_least)
cap = vector_step(_cap, plain_cap)
lower = vector_step(_lower, plain_lower)
copy_row = vector_step(_copy, plain_copy)
least_of = vector_step(_least_of, plain_least_of)
