"""Vector steps for kernels, written in LLVM's vector IR, each with its plain twin.

What is written is generic IR for what the compiler does not find by itself, no instruction of any
one machine, so the same code becomes AVX-512, AVX2 or NEON. With ``NUMBA_DISABLE_JIT=1`` the plain
twin takes its place; the tests hold both against each other.

Of llvmlite and numba nothing is loaded before a step is compiled: kinds are therefore functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import LazyModule, vector_step

ir: Any = LazyModule("llvmlite.ir")
cgutils: Any = LazyModule("numba.core.cgutils")


def _integer(bits: int) -> Any:
    return ir.IntType(bits)


#: The LLVM types of so many bits.
i1, i8, i32, i64 = (partial(_integer, bits) for bits in (1, 8, 32, 64))


def arrays_of(context: Any, b: Any, signature: Any, args: Any, *places: int) -> list[Any]:
    """The arrays at some places among the arguments of a step, as numba has them."""
    return [context.make_array(signature.args[at])(context, b, args[at]) for at in places]


def data_of(context: Any, b: Any, signature: Any, args: Any, *places: int) -> list[Any]:
    """The addresses of the first elements of the arrays at some places among the arguments."""
    return [array.data for array in arrays_of(context, b, signature, args, *places)]


def splat(b: Any, value: Any, kind: Any) -> Any:
    """A vector that holds the value in every lane."""
    nothing = ir.Constant(kind, ir.Undefined)
    single = b.insert_element(nothing, value, ir.Constant(i32(), 0))
    zeros = ir.Constant(ir.VectorType(i32(), kind.count), [0] * kind.count)
    return b.shuffle_vector(single, nothing, zeros)


def loop(b: Any, start: Any, stop: Any, carried: Sequence[Any], body: Any) -> Sequence[Any]:
    """Write a loop ``for i in range(start, stop)``: ``body(i, values)`` gives the next values."""
    return loop_while(b, start, stop, carried, body, lambda _: i1()(1))


def loop_while(
    b: Any, start: Any, stop: Any, carried: Sequence[Any], body: Any, goes_on: Any
) -> Sequence[Any]:
    """Write a ``loop`` left after the round in which ``goes_on(values)`` is no longer true."""
    before = b.block
    inside, after = (b.function.append_basic_block() for _ in range(2))
    b.cbranch(b.icmp_signed("<", start, stop), inside, after)
    b.position_at_end(inside)
    index = b.phi(i64())
    index.add_incoming(start, before)
    values = [b.phi(value.type) for value in carried]
    for phi, value in zip(values, carried, strict=True):
        phi.add_incoming(value, before)
    following = body(index, values)
    further = b.add(index, ir.Constant(i64(), 1))
    more = b.and_(goes_on(following), b.icmp_signed("<", further, stop))
    last = b.block
    index.add_incoming(further, last)
    for phi, value in zip(values, following, strict=True):
        phi.add_incoming(value, last)
    b.cbranch(more, inside, after)
    b.position_at_end(after)
    results = [b.phi(value.type) for value in carried]
    for phi, value, first in zip(results, following, carried, strict=True):
        phi.add_incoming(first, before)
        phi.add_incoming(value, last)
    return results


def load(b: Any, address: Any, kind: Any) -> Any:
    """A vector loaded from any address, aligned or not."""
    return b.load(b.bitcast(address, kind.as_pointer()), align=1)


def store(b: Any, value: Any, address: Any) -> None:
    """Write a vector to any address, aligned or not."""
    b.store(value, b.bitcast(address, value.type.as_pointer())).align = 1


#: Bits of a register, where code is written for WebAssembly: there the bits of a comparison are
#: taken register by register.
register_bits: int | None = None


def has_lane_shifts() -> bool:
    """Whether a processor shifts each lane of a vector by a number of its own.

    WebAssembly has no such instruction: lane by lane would be taken out of the vector.
    """
    return register_bits is None


def bits_of(b: Any, lanes: Any, width: int) -> Any:
    """Which lanes of a comparison of vectors of such items are true, as the bits of an integer.

    LLVM takes them out of vectors for WebAssembly one by one, and in some places only those of the
    first register; so there each register is asked for its bits.
    """
    count = lanes.type.count
    if register_bits is None:
        return b.bitcast(lanes, ir.IntType(count))
    each, whole = register_bits // width, ir.IntType(count)
    kind = ir.FunctionType(i32(), [ir.VectorType(ir.IntType(width), each)])
    name = f"llvm.wasm.bitmask.v{each}i{width}"
    bitmask = cgutils.get_or_insert_function(b.module, kind, name)
    found = whole(0)
    for first in range(0, count, each):
        places = ir.Constant(ir.VectorType(i32(), each), [*range(first, first + each)])
        part = b.shuffle_vector(lanes, ir.Constant(lanes.type, ir.Undefined), places)
        bits = b.call(bitmask, [b.sext(part, kind.args[0])])
        bits = b.zext(bits, whole) if count > 32 else bits
        bits = b.trunc(bits, whole) if count < 32 else bits
        found = b.or_(found, b.shl(bits, whole(first)))
    return found


def bring_near(b: Any, address: Any) -> None:
    """Have a line of memory fetched that will soon be wanted; any address will do."""
    kind = ir.FunctionType(ir.VoidType(), [i8().as_pointer(), i32(), i32(), i32()])
    prefetch = cgutils.get_or_insert_function(b.module, kind, "llvm.prefetch.p0i8")
    reading, soon, data = (ir.Constant(i32(), value) for value in (0, 3, 1))
    place = b.bitcast(address, kind.args[0])
    b.call(prefetch, [place, reading, soon, data])


# ---- The steps

#: How many masks ``disjoint`` looks at; arrays given to it must have so many spare places.
MASKS = 16

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


def _disjoint(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    lanes, word = ir.VectorType(i64(), MASKS), i64()
    [data] = data_of(context, builder, sig, args, 0)
    place = builder.gep(data, [args[1]])
    loaded = builder.load(builder.bitcast(place, lanes.as_pointer()), align=8)
    spread = splat(builder, args[2], lanes)
    shared = builder.and_(loaded, spread)
    free = builder.icmp_unsigned("==", shared, ir.Constant(lanes, [0] * MASKS))
    return builder.zext(bits_of(builder, free, 64), word)


def _first_bit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.cttz(args[0], i1()(1))


def _bit_count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.ctpop(args[0])


def _most_alike(context: Any, b: Any, sig: Any, args: Any) -> Any:
    """Each row in turn is the pivot that all later rows are compared with, one vector a row.

    Counters live in registers; the outer loop ends when every lane has reached the limit.
    """
    item = context.get_data_type(sig.args[0].dtype)
    vector = ir.VectorType(item, VECTOR_BYTES // (item.width // 8))
    matrix, members, output = arrays_of(context, b, sig, args, 0, 1, 4)
    stride, count = b.extract_value(matrix.strides, 0), b.extract_value(members.shape, 0)
    first = b.ptrtoint(b.gep(matrix.data, [args[2]]), i64())
    bar, none = splat(b, b.trunc(args[3], item), vector), ir.Constant(vector, [0] * vector.count)

    def row(number: Any) -> Any:
        member = b.sext(b.load(b.gep(members.data, [number])), i64())
        return load(b, b.inttoptr(b.add(first, b.mul(member, stride)), vector.as_pointer()), vector)

    def with_pivot(number: Any, most_and_alive: Sequence[Any]) -> Sequence[Any]:
        pivot, most = row(number), most_and_alive[0]

        def compared(other: Any, alike: Sequence[Any]) -> Sequence[Any]:
            return [b.sub(alike[0], b.sext(b.icmp_unsigned("==", row(other), pivot), vector))]

        [alike] = loop(b, b.add(number, i64()(1)), count, [none], compared)
        most = b.select(b.icmp_unsigned(">", alike, most), alike, most)
        below = bits_of(b, b.icmp_unsigned("<", most, bar), item.width)
        return [most, b.icmp_unsigned("!=", below, below.type(0))]

    last = b.sub(count, i64()(1))
    most, alive = loop_while(
        b, i64()(0), last, [none, i1()(0)], with_pivot, lambda most_and_alive: most_and_alive[1]
    )
    store(b, most, output.data)
    return alive


disjoint = vector_step(_disjoint, disjoint_plain)
first_bit = vector_step(_first_bit, first_bit_plain)
bit_count = vector_step(_bit_count, bit_count_plain)
most_alike = vector_step(_most_alike, most_alike_plain)
