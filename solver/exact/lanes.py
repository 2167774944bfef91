"""Counting the parts of 64 guesses at once, in vector registers.

Both counters look at 64 neighbouring columns (guesses) of the scores of a few rows (candidates) and
write how many different scores each column has. They emit generic vector IR, which LLVM lowers to
whatever the machine has; without the compiler their plain twins stand in. Up to about a dozen
candidates every pair is compared, and the work stops when no column can be good enough any more;
above, each lane collects its scores as bits of 64-bit words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils as _cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from ..jit import config

cgutils: Any = _cgutils

#: Columns that are counted together: one 512-bit register of bytes.
LANES = 64
_I8, _I32, _I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_BYTES = ir.VectorType(_I8, LANES)
#: Lanes of the bit sets that are worked on together, as 64-bit words.
_WORDS = 16
#: What a counter is called with: rows, members, first, count, column, need, out.
Counter = Callable[
    [NDArray[np.uint8], NDArray[np.int32], int, int, int, int, NDArray[np.uint8]], int
]


def plain_count(
    rows: NDArray[np.uint8],
    members: NDArray[np.int32],
    first: int,
    count: int,
    column: int,
    need: int,
    out: NDArray[np.uint8],
) -> int:
    """The parts of ``LANES`` columns; bit k of the result: column k has at least ``need``.

    ``rows`` is cut into blocks of ``LANES`` columns: ``rows[block, member, lane]``.
    """
    block = rows[column // LANES, members[first : first + count]]
    enough = 0
    for lane in range(LANES):
        out[lane] = len(set(block[:, lane].tolist()))
        if out[lane] >= need:
            enough |= 1 << lane
    return enough


def plain_lowest(mask: int) -> int:
    """The position of the lowest bit that is set."""
    return (int(mask) & -int(mask)).bit_length() - 1


def _splat(b: Any, value: Any, kind: Any) -> Any:
    """A vector that holds the value in every lane."""
    nothing = ir.Constant(kind, ir.Undefined)
    single = b.insert_element(nothing, value, ir.Constant(_I32, 0))
    zeros = ir.Constant(ir.VectorType(_I32, kind.count), [0] * kind.count)
    return b.shuffle_vector(single, nothing, zeros)


def _loop(b: Any, start: Any, stop: Any, carried: Sequence[Any], body: Any) -> Sequence[Any]:
    """``for i in range(start, stop)``: ``body(i, values)`` gives the values of the next round."""
    before = b.block
    head, inside, after = (b.function.append_basic_block() for _ in range(3))
    b.branch(head)
    b.position_at_end(head)
    index = b.phi(_I64)
    index.add_incoming(start, before)
    values = [b.phi(value.type) for value in carried]
    for phi, value in zip(values, carried, strict=True):
        phi.add_incoming(value, before)
    b.cbranch(b.icmp_signed("<", index, stop), inside, after)
    b.position_at_end(inside)
    following = body(index, values)
    index.add_incoming(b.add(index, ir.Constant(_I64, 1)), b.block)
    for phi, value in zip(values, following, strict=True):
        phi.add_incoming(value, b.block)
    b.branch(head)
    b.position_at_end(after)
    return values


def _row_reader(context: Any, b: Any, signature: Any, args: Any) -> Callable[..., Any]:
    """A function that gives the address of a member's scores from the wanted column on."""
    rows = context.make_array(signature.args[0])(context, b, args[0])
    members = context.make_array(signature.args[1])(context, b, args[1])
    height = cgutils.unpack_tuple(b, rows.shape)[1]
    corner = b.gep(rows.data, [b.mul(args[4], height)])
    stride = ir.Constant(_I64, LANES)
    first = b.gep(members.data, [args[2]])

    def address(index: Any, shift: int = 0) -> Any:
        member = b.zext(b.load(b.gep(first, [index])), _I64)
        return b.gep(corner, [b.add(b.mul(member, stride), ir.Constant(_I64, shift))])

    return address


def _load(b: Any, address: Any, kind: Any) -> Any:
    return b.load(b.bitcast(address, kind.as_pointer()), align=1)


def _store(b: Any, value: Any, address: Any) -> None:
    b.store(value, b.bitcast(address, value.type.as_pointer())).align = 1


def _signature(rows: Any, members: Any, out: Any) -> Any:
    i = types.int64
    return types.uint64(rows, members, i, i, i, i, out)


def _emit_pairs(context: Any, b: Any, signature: Any, args: Any) -> Any:
    """A member is a repeat if it scores like an earlier one: parts = members − repeats."""
    count, need = args[3], args[5]
    address = _row_reader(context, b, signature, args)
    out = context.make_array(signature.args[6])(context, b, args[6]).data
    allowed = _splat(b, b.trunc(b.sub(count, need), _I8), _BYTES)
    zero, one = ir.Constant(_I64, 0), ir.Constant(_I64, 1)
    none = ir.Constant(_BYTES, [0] * LANES)
    hopeless = b.function.append_basic_block()
    result = cgutils.alloca_once(b, _I64)
    b.store(zero, result)

    def next_member(index: Any, values: Sequence[Any]) -> Sequence[Any]:
        mine = _load(b, address(index), _BYTES)

        def compare(earlier: Any, nearest: Sequence[Any]) -> Sequence[Any]:
            # the smallest difference to an earlier member is 0 where a score is repeated
            apart = b.xor(_load(b, address(earlier), _BYTES), mine)
            return [b.select(b.icmp_unsigned("<", apart, nearest[0]), apart, nearest[0])]

        far = ir.Constant(_BYTES, [255] * LANES)
        (nearest,) = _loop(b, zero, index, [far], compare)
        repeats = b.add(values[0], b.zext(b.icmp_unsigned("==", nearest, none), _BYTES))
        hopeful = b.bitcast(b.icmp_unsigned("<=", repeats, allowed), _I64)
        go_on = b.function.append_basic_block()
        b.cbranch(b.icmp_unsigned("!=", hopeful, zero), go_on, hopeless)
        b.position_at_end(go_on)
        return [repeats]

    (repeats,) = _loop(b, one, count, [none], next_member)
    _store(b, b.sub(_splat(b, b.trunc(count, _I8), _BYTES), repeats), out)
    b.store(b.bitcast(b.icmp_unsigned("<=", repeats, allowed), _I64), result)
    b.branch(hopeless)
    b.position_at_end(hopeless)
    return b.load(result)


def _emit_bits(context: Any, b: Any, signature: Any, args: Any, words: int) -> Any:
    """Every lane sets one bit per score in ``words`` 64-bit words; parts = bits that are set."""
    count, need = args[3], args[5]
    address = _row_reader(context, b, signature, args)
    out = context.make_array(signature.args[6])(context, b, args[6]).data
    narrow, wide = ir.VectorType(_I8, _WORDS), ir.VectorType(_I64, _WORDS)
    signature_of_count = ir.FunctionType(wide, [wide])
    ones = cgutils.get_or_insert_function(b.module, signature_of_count, f"llvm.ctpop.v{_WORDS}i64")
    empty, unit = ir.Constant(wide, [0] * _WORDS), ir.Constant(wide, [1] * _WORDS)
    for block in range(0, LANES, _WORDS):

        def collect(index: Any, sets: Sequence[Any], block: int = block) -> Sequence[Any]:
            scores = b.zext(_load(b, address(index, block), narrow), wide)
            grown = []
            for word, found in enumerate(sets):
                shift = b.sub(scores, ir.Constant(wide, [64 * word] * _WORDS))
                bit = b.shl(unit, shift)
                if words > 1:
                    here = b.icmp_unsigned("<", shift, ir.Constant(wide, [64] * _WORDS))
                    bit = b.select(here, bit, empty)
                grown.append(b.or_(found, bit))
            return grown

        sets = _loop(b, ir.Constant(_I64, 0), count, [empty] * words, collect)
        parts = b.call(ones, [sets[0]])
        for more in sets[1:]:
            parts = b.add(parts, b.call(ones, [more]))
        _store(b, b.trunc(parts, narrow), b.gep(out, [ir.Constant(_I64, block)]))
    enough = b.icmp_unsigned(">=", _load(b, out, _BYTES), _splat(b, b.trunc(need, _I8), _BYTES))
    return b.bitcast(enough, _I64)


def _counter(emit: Callable[..., Any], *more: int) -> Counter:
    """The compiled counter, or its plain twin where there is no compiler."""
    if config.DISABLE_JIT:
        return plain_count

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
            return emit(context, b, signature, args, *more)

        return _signature(rows, members, out), codegen

    return cast("Counter", intrinsic(counter))


def _lowest() -> Callable[[int], int]:
    if config.DISABLE_JIT:
        return plain_lowest

    def lowest(_typing: Any, mask: Any) -> Any:
        def codegen(_context: Any, b: Any, _signature: Any, args: Any) -> Any:
            return b.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.uint64), codegen

    return cast("Callable[[int], int]", intrinsic(lowest))


#: Compares every pair; any scores, up to 255 members.
count_by_pairs = _counter(_emit_pairs)
#: Collect bits; scores below 64, below 128, any.
count_by_bits_64 = _counter(_emit_bits, 1)
count_by_bits_128 = _counter(_emit_bits, 2)
count_by_bits_256 = _counter(_emit_bits, 4)
lowest_bit = _lowest()
