"""Vector steps that the compiler does not find by itself, each with its plain twin.

What is written here is generic vector IR, no instruction of any one machine, so the same code
becomes AVX-512, AVX2 or NEON. With ``NUMBA_DISABLE_JIT=1`` the plain twin takes its place; the
tests hold both against each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import vector_step
from .vector_ir import i16, i64, ir, splat, types

#: How many masks ``disjoint`` looks at; arrays given to it must have so many spare places.
MASKS = 16

#: How many counts ``above`` looks at.
COUNTS = 64

#: How many bytes of a row ``most_alike`` looks at; rows given to it must be padded to a multiple.
VECTOR_BYTES = 64


def disjoint_plain(masks: NDArray[np.uint64], start: int, taken: np.uint64) -> np.uint64:
    """Plain twin of a vector step: bit k says if mask ``start + k`` is apart from ``taken``."""
    found = 0
    for lane in range(MASKS):
        if not (masks[start + lane] & taken):
            found |= 1 << lane
    return np.uint64(found)


def first_bit_plain(bits: np.uint64) -> int:
    """The place of the lowest bit that is set in a word; there must be one."""
    return (int(bits) & -int(bits)).bit_length() - 1


def bit_count_plain(bits: np.uint64) -> int:
    """Plain twin of a vector step: the number of bits that are set in a word."""
    return int(bits).bit_count()


def most_alike_plain(
    scores: NDArray[Any], rows: NDArray[np.int32], start: int, limit: int, result: NDArray[Any]
) -> bool:
    """Plain twin of one of the vector steps: of each column, most rows equal to an earlier one.

    ``result[lane]`` becomes the largest bucket, less one, of column ``start + lane`` over the
    rows (at least two). A lane that reaches ``limit`` has lost: its result may stop short of the
    truth, anywhere from ``limit`` on. Returns whether any lane stayed below. Lanes past the last
    column are noise.
    """
    lanes = VECTOR_BYTES // scores.itemsize
    result[:lanes] = limit
    for column in range(start, min(start + lanes, scores.shape[1])):
        split = [int(scores[row, column]) for row in rows]
        result[column - start] = max(split.count(score) for score in split) - 1
    return bool((result[:lanes] < limit).any())


def above_plain(counts: NDArray[np.uint16], start: int, bar: int) -> np.uint64:
    """Plain twin of one of the vector steps: bit k says if count ``start + k`` is above the bar."""
    found = 0
    for lane in range(COUNTS):
        if counts[start + lane] > bar:
            found |= 1 << lane
    return np.uint64(found)


def _above(typing: Any, counts: Any, start: Any, bar: Any) -> Any:
    if not (
        isinstance(counts, types.Array) and counts.dtype == types.uint16 and counts.layout == "C"
    ):
        return None  # numba says that no form fits
    signature = types.uint64(counts, types.int64, types.int64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lanes = ir.VectorType(i16(), COUNTS)
        least = splat(builder, builder.trunc(args[2], i16()), lanes)
        array = context.make_array(counts)(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        loaded = builder.load(builder.bitcast(place, lanes.as_pointer()), align=2)
        above = builder.icmp_unsigned(">", loaded, least)
        return builder.bitcast(above, ir.IntType(COUNTS))

    return signature, generate


def _disjoint(typing: Any, masks: Any, start: Any, taken: Any) -> Any:
    if not (isinstance(masks, types.Array) and masks.dtype == types.uint64 and masks.layout == "C"):
        return None  # numba says that no form fits
    signature = types.uint64(masks, types.int64, types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        lanes, word = ir.VectorType(i64(), MASKS), i64()
        array = context.make_array(masks)(context, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        loaded = builder.load(builder.bitcast(place, lanes.as_pointer()), align=8)
        spread = splat(builder, args[2], lanes)
        shared = builder.and_(loaded, spread)
        free = builder.icmp_unsigned("==", shared, ir.Constant(lanes, [0] * MASKS))
        return builder.zext(builder.bitcast(free, ir.IntType(MASKS)), word)

    return signature, generate


def _first_bit(typing: Any, bits: Any) -> Any:
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.IntType(1)(1))

    return signature, generate


def _bit_count(typing: Any, bits: Any) -> Any:
    signature = types.int64(types.uint64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return signature, generate


def _most_alike(typing: Any, scores: Any, rows: Any, _start: Any, _limit: Any, result: Any) -> Any:
    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        scores_type, rows_type, *_, result_type = sig.args
        item = context.get_data_type(scores_type.dtype)
        matrix = context.make_array(scores_type)(context, builder, args[0])
        members = context.make_array(rows_type)(context, builder, args[1])
        output = context.make_array(result_type)(context, builder, args[4])
        stride = builder.extract_value(matrix.strides, 0)
        count = builder.extract_value(members.shape, 0)
        return _alike_loops(
            builder,
            item,
            (matrix.data, stride, args[2]),
            (members.data, count),
            args[3],
            output.data,
        )

    signature = types.boolean(scores, rows, types.int64, types.int64, result)
    return signature, generate


def _alike_loops(
    builder: Any, item: Any, matrix: Any, members: Any, limit: Any, output: Any
) -> Any:
    """Each row in turn is the pivot that all later rows are compared with, one vector a row.

    Counters live in registers; the outer loop ends when every lane has reached the limit.
    """
    lanes = VECTOR_BYTES // (item.width // 8)
    vector = ir.VectorType(item, lanes)
    index = i64()
    one = index(1)
    data, stride, start = matrix
    first = builder.ptrtoint(builder.gep(data, [start]), index)
    rows, count = members

    def row(number: Any) -> Any:
        member = builder.sext(builder.load(builder.gep(rows, [number])), index)
        address = builder.add(first, builder.mul(member, stride))
        loaded = builder.load(builder.inttoptr(address, vector.as_pointer()))
        loaded.align = 1
        return loaded

    entry = builder.block
    next_pivot = builder.append_basic_block("next_pivot")
    compare = builder.append_basic_block("compare")
    judge = builder.append_basic_block("judge")
    done = builder.append_basic_block("done")
    bar = splat(builder, builder.trunc(limit, item), vector)
    builder.branch(next_pivot)

    builder.position_at_end(next_pivot)
    pivot_number = builder.phi(index)
    most = builder.phi(vector)
    pivot = row(pivot_number)
    after_pivot = builder.add(pivot_number, one)
    builder.branch(compare)

    builder.position_at_end(compare)
    number = builder.phi(index)
    alike = builder.phi(vector)
    equal = builder.icmp_unsigned("==", row(number), pivot)
    alike_now = builder.sub(alike, builder.sext(equal, vector))
    following = builder.add(number, one)
    builder.cbranch(builder.icmp_signed("<", following, count), compare, judge)

    builder.position_at_end(judge)
    most_now = builder.select(builder.icmp_unsigned(">", alike_now, most), alike_now, most)
    below = builder.icmp_unsigned("<", most_now, bar)
    alive = builder.icmp_unsigned(
        "!=", builder.bitcast(below, ir.IntType(lanes)), ir.IntType(lanes)(0)
    )
    more = builder.icmp_signed("<", builder.add(after_pivot, one), count)
    builder.cbranch(builder.and_(alive, more), next_pivot, done)

    zero = ir.Constant(vector, [0] * lanes)
    for variable, first_value, origin, next_value, repeat in (
        (pivot_number, index(0), entry, after_pivot, judge),
        (most, zero, entry, most_now, judge),
        (number, after_pivot, next_pivot, following, compare),
        (alike, zero, next_pivot, alike_now, compare),
    ):
        variable.add_incoming(first_value, origin)
        variable.add_incoming(next_value, repeat)

    builder.position_at_end(done)
    stored = builder.store(most_now, builder.bitcast(output, vector.as_pointer()))
    stored.align = 1
    return alive


disjoint = vector_step(_disjoint, disjoint_plain)
above = vector_step(_above, above_plain)
first_bit = vector_step(_first_bit, first_bit_plain)
bit_count = vector_step(_bit_count, bit_count_plain)
most_alike = vector_step(_most_alike, most_alike_plain)
