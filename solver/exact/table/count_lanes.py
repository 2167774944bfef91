"""Counting the parts of 64 guesses at once, in vector registers.

Both counters look at 64 neighbouring columns (guesses) of the scores of a few rows (candidates) and
write how many different scores each column has. They emit generic vector IR, which LLVM lowers to
whatever the machine has; without the compiler their plain twins stand in.

    up to 32    a register per candidate holds its 64 scores; a sorting network (Batcher, "Sorting
                networks and their applications", 1968) sorts all 64 columns at once, since which
                registers it compares depends on no score; parts = candidates - equal neighbours
    above       each lane sets one bit per score in words of 32 bits; parts = bits that are set

Nothing is ever looked up in memory by a score, which is what makes counting one by one slow. Rows
lie far apart, and those of the next 64 columns are asked for while these are counted: else a count
waits for memory most of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import vector_step
from ...machine.vector_ir import (
    bring_near,
    cgutils,
    i8,
    i32,
    i64,
    ir,
    load,
    loop,
    splat,
    store,
    types,
)

#: Columns that are counted together: one 512-bit register of bytes.
LANES = 64
#: Lanes of the bit sets that are worked on together, as 32-bit words.
_WORDS = 32
#: What a counter is called with: rows, members, first, count, column, need, out.
Counter = Callable[
    [NDArray[np.uint8], NDArray[np.int32], int, int, int, int, NDArray[np.uint8]], np.uint64
]


def byte_vector() -> Any:
    """The type of a vector with a byte for each lane, whose parts are counted together."""
    return ir.VectorType(i8(), LANES)


def plain_count(
    rows: NDArray[np.uint8],
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> np.uint64:
    """Count the parts of ``LANES`` columns on some rows; bit k: column k has at least ``need``.

    ``rows`` is cut into blocks of ``LANES`` columns: ``rows[block, member, lane]``.
    """
    block = rows[column // LANES, members[first : first + count]]
    enough = 0
    for lane in range(LANES):
        out[lane] = len(set(block[:, lane].tolist()))
        if out[lane] >= need:
            enough |= 1 << lane
    return np.uint64(enough)


def member_address(b: Any, data: Any, members: Any, index: Any) -> Any:
    """The address where the scores of a member begin in a block of the table."""
    member = b.zext(b.load(b.gep(members, [index])), i64())
    return b.gep(data, [b.mul(member, ir.Constant(i64(), LANES))])


def _emit_bits(
    b: Any, data: Any, members: Any, count: Any, need: Any, out: Any, ahead: Any, words: int
) -> None:
    """Every lane sets one bit per score in ``words`` 32-bit words; parts = bits that are set."""
    narrow, wide = ir.VectorType(i8(), _WORDS), ir.VectorType(i32(), _WORDS)
    signature = ir.FunctionType(wide, [wide])
    ones = cgutils.get_or_insert_function(b.module, signature, f"llvm.ctpop.v{_WORDS}i32")
    empty, unit = ir.Constant(wide, [0] * _WORDS), ir.Constant(wide, [1] * _WORDS)
    zero = ir.Constant(i64(), 0)

    def share(number: Any, _: Sequence[Any]) -> Sequence[Any]:
        lane = b.mul(number, ir.Constant(i64(), _WORDS))
        here = b.gep(data, [lane])

        def collect(index: Any, sets: Sequence[Any]) -> Sequence[Any]:
            address = member_address(b, here, members, index)
            bring_near(b, b.gep(address, [ahead]))
            scores = b.zext(load(b, address, narrow), wide)
            grown = []
            for word, found in enumerate(sets):
                shift = b.sub(scores, ir.Constant(wide, [32 * word] * _WORDS))
                within = b.icmp_unsigned("<", shift, ir.Constant(wide, [32] * _WORDS))
                grown.append(b.or_(found, b.select(within, b.shl(unit, shift), empty)))
            return grown

        sets = loop(b, zero, count, [empty] * words, collect)
        parts = b.call(ones, [sets[0]])
        for more in sets[1:]:
            parts = b.add(parts, b.call(ones, [more]))
        store(b, b.trunc(parts, narrow), b.gep(out, [lane]))
        return []

    loop(b, zero, ir.Constant(i64(), LANES // _WORDS), [], share)
    enough = b.icmp_unsigned(
        ">=", load(b, out, byte_vector()), splat(b, b.trunc(need, i8()), byte_vector())
    )
    b.ret(b.bitcast(enough, i64()))


def _batcher(size: int) -> list[tuple[int, int]]:
    """The comparators of Batcher's odd-even merge sort, those of absent members left out."""
    whole = 1 << (size - 1).bit_length()
    found = []
    merged = 1
    while merged < whole:
        step = merged
        while step:
            for start in range(step % merged, whole - step, 2 * step):
                for low in range(start, min(start + step, whole - step)):
                    if low // (2 * merged) == (low + step) // (2 * merged):
                        found.append((low, low + step))
            step //= 2
        merged *= 2
    return [(low, high) for low, high in found if high < size]


def _emit_sorted(
    b: Any,
    data: Any,
    members: Any,
    count: Any,
    need: Any,
    out: Any,
    ahead: Any,
    sizes: tuple[int, int],
) -> None:
    """Sort the scores of every lane in registers; parts = members − neighbours that are equal.

    For so many members, from the least to the most; absent ones repeat the last.
    """
    surely, size = sizes
    kind = ir.FunctionType(byte_vector(), [byte_vector(), byte_vector()])
    least, most = (
        cgutils.get_or_insert_function(b.module, kind, f"llvm.{name}.v{LANES}i8")
        for name in ("umin", "umax")
    )
    last = b.sub(count, ir.Constant(i64(), 1))
    lines = []
    for place in range(size):
        index = ir.Constant(i64(), place)
        if place >= surely:
            index = b.select(b.icmp_signed("<", index, last), index, last)
        address = member_address(b, data, members, index)
        bring_near(b, b.gep(address, [ahead]))
        lines.append(load(b, address, byte_vector()))
    for low, high in _batcher(size):
        pair = [lines[low], lines[high]]
        lines[low], lines[high] = b.call(least, pair), b.call(most, pair)
    repeats = ir.Constant(byte_vector(), [0] * LANES)
    for one, other in pairwise(lines):
        repeats = b.add(repeats, b.zext(b.icmp_unsigned("==", one, other), byte_vector()))
    parts = b.sub(ir.Constant(byte_vector(), [size] * LANES), repeats)
    store(b, parts, out)
    enough = b.icmp_unsigned(">=", parts, splat(b, b.trunc(need, i8()), byte_vector()))
    b.ret(b.bitcast(enough, i64()))


def _function(module: Any, name: str, emit: Callable[..., None], *more: Any) -> Any:
    """The counter as a function of its own: inlined everywhere it would take long to compile."""
    if name in module.globals:
        return module.globals[name]
    bytes_, rows = i8().as_pointer(), i32().as_pointer()
    kind = ir.FunctionType(i64(), [bytes_, rows, i64(), i64(), bytes_, i64()])
    function = ir.Function(module, kind, name)
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    emit(ir.IRBuilder(function.append_basic_block()), *function.args, *more)
    return function


def _counter(name: str, emit: Callable[..., None], *more: Any) -> Counter:
    """A counter: compiled, or its plain twin where there is no compiler."""

    def counter(
        _typing: Any,
        rows: Any,
        members: Any,
        first: Any,
        count: Any,
        column: Any,
        need: Any,
        out: Any,
    ) -> Any:
        def codegen(context: Any, b: Any, signature: Any, args: Any) -> Any:
            blocks = context.make_array(signature.args[0])(context, b, args[0])
            height = cgutils.unpack_tuple(b, blocks.shape)[1]
            data = b.gep(blocks.data, [b.mul(args[4], height)])
            ahead = b.mul(height, ir.Constant(i64(), LANES))
            listed = context.make_array(signature.args[1])(context, b, args[1]).data
            result = context.make_array(signature.args[6])(context, b, args[6]).data
            function = _function(b.module, f"knuthle_{name}", emit, *more)
            return b.call(
                function, [data, b.gep(listed, [args[2]]), args[3], args[5], result, ahead]
            )

        i = types.int64
        return types.uint64(rows, members, i, i, i, i, out), codegen

    return vector_step(counter, plain_count)


#: Sort in registers; any scores, up to so many members (and more than the one before).
count_sorted_8 = _counter("sorted_8", _emit_sorted, (1, 8))
count_sorted_12 = _counter("sorted_12", _emit_sorted, (9, 12))
count_sorted_16 = _counter("sorted_16", _emit_sorted, (13, 16))
count_sorted_20 = _counter("sorted_20", _emit_sorted, (17, 20))
count_sorted_24 = _counter("sorted_24", _emit_sorted, (21, 24))
count_sorted_32 = _counter("sorted_32", _emit_sorted, (25, 32))
#: Collect bits; scores below 32, 64, 96, 128, 160, 256.
count_by_bits_32 = _counter("bits_32", _emit_bits, 1)
count_by_bits_64 = _counter("bits_64", _emit_bits, 2)
count_by_bits_96 = _counter("bits_96", _emit_bits, 3)
count_by_bits_128 = _counter("bits_128", _emit_bits, 4)
count_by_bits_160 = _counter("bits_160", _emit_bits, 5)
count_by_bits_256 = _counter("bits_256", _emit_bits, 8)
