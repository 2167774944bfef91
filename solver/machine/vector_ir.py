"""What steps written in vector IR are made of: kinds of vectors, loops, and loads anywhere.

Of llvmlite and numba nothing is loaded before a step is compiled: kinds are therefore functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .jit import Later

ir: Any = Later("llvmlite.ir")
types: Any = Later("numba.core.types")
cgutils: Any = Later("numba.core.cgutils")


def i1() -> Any:
    """The LLVM type of a single bit."""
    return ir.IntType(1)


def i8() -> Any:
    """The LLVM type of eight bits."""
    return ir.IntType(8)


def i16() -> Any:
    """The LLVM type of sixteen bits."""
    return ir.IntType(16)


def i32() -> Any:
    """The LLVM type of thirty-two bits."""
    return ir.IntType(32)


def i64() -> Any:
    """The LLVM type of sixty-four bits."""
    return ir.IntType(64)


def splat(b: Any, value: Any, kind: Any) -> Any:
    """A vector that holds the value in every lane."""
    nothing = ir.Constant(kind, ir.Undefined)
    single = b.insert_element(nothing, value, ir.Constant(i32(), 0))
    zeros = ir.Constant(ir.VectorType(i32(), kind.count), [0] * kind.count)
    return b.shuffle_vector(single, nothing, zeros)


def loop(b: Any, start: Any, stop: Any, carried: Sequence[Any], body: Any) -> Sequence[Any]:
    """Write a loop ``for i in range(start, stop)``: ``body(i, values)`` gives the next values."""
    before = b.block
    head, inside, after = (b.function.append_basic_block() for _ in range(3))
    b.branch(head)
    b.position_at_end(head)
    index = b.phi(i64())
    index.add_incoming(start, before)
    values = [b.phi(value.type) for value in carried]
    for phi, value in zip(values, carried, strict=True):
        phi.add_incoming(value, before)
    b.cbranch(b.icmp_signed("<", index, stop), inside, after)
    b.position_at_end(inside)
    following = body(index, values)
    index.add_incoming(b.add(index, ir.Constant(i64(), 1)), b.block)
    for phi, value in zip(values, following, strict=True):
        phi.add_incoming(value, b.block)
    b.branch(head)
    b.position_at_end(after)
    return values


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


def bring_near(b: Any, address: Any) -> None:
    """Have a line of memory fetched that will soon be wanted; any address will do."""
    kind = ir.FunctionType(ir.VoidType(), [i8().as_pointer(), i32(), i32(), i32()])
    prefetch = cgutils.get_or_insert_function(b.module, kind, "llvm.prefetch.p0i8")
    reading, soon, data = (ir.Constant(i32(), value) for value in (0, 3, 1))
    b.call(prefetch, [address, reading, soon, data])
