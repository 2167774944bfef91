"""Vector steps of the search by letters: 512 guesses side by side, a bit each, with plain twins.

A *row* of bits says of every guess whether it belongs to a set; ``LANES`` guesses are a *block* of
it, a vector. Two candidates are told apart by a guess that is in any of certain rows, so what is
counted here is how many candidates a guess cannot tell from one of them, for a block at a time.
Counters stand across the vectors: one vector holds the lowest bits of all ``LANES`` counters, the
next one the second bits, and a full adder is three instructions for all of them.

As in ``vector_steps``, the intrinsics emit generic vector IR, and with ``NUMBA_DISABLE_JIT=1`` the
plain twins take their place.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import vector_step
from ..machine.rows import Ids
from ..machine.vector_ir import i1, i8, i64, ir, load, loop, loop_while, splat, store, types
from .letter_bits import BLOCK, LETTERS, MOST_LETTERS, Bits

_Crowd = Callable[[Bits, int, Ids, int, int, int, int, Bits], bool]

#: Planes of the counters that ``tally_lanes`` fills, and how many members they can count.
PLANES, MOST_TALLIED = 8, 252
#: Planes of the counters of ``repeat_lanes``.
REPEATS = 8
#: Members that are added at once, of many and of few.
GROUP, CROWD = 7, 4


def _met(bits: Bits, block: int, rows: Ids) -> Bits:
    """Which guesses of a block are in one of the rows."""
    told = np.zeros(BLOCK, dtype=np.uint64)
    for row in rows:
        told |= bits[row + block : row + block + BLOCK]
    return told


def _crowd_plain(planes: int) -> _Crowd:
    def crowd(
        bits: Bits,
        block: int,
        rows: Ids,
        start: int,
        depth: int,
        groups: int,
        bias: int,
        dead: Bits,
    ) -> bool:
        """Bury the guesses that leave too many members with one of them; whether any are alive.

        A guess cannot tell a member from that one if it is in none of the member's rows. These
        begin at ``rows[start]``, for ``CROWD`` members side by side, ``depth`` each; then the next
        group follows. ``bias`` such members fewer than ``2 ** planes`` are too many.
        """
        counts = [np.full(BLOCK, 0 - (bias >> k & 1), dtype=np.int64) for k in range(planes)]
        sums = [count.view(np.uint64) for count in counts]
        for group in range(groups):
            first = start + group * depth * CROWD
            for member in range(first, first + CROWD):
                carry = ~_met(bits, block, rows[member : first + depth * CROWD : CROWD])
                for k in range(planes):
                    sums[k], carry = sums[k] ^ carry, sums[k] & carry
                dead[:BLOCK] |= carry
        return bool((~dead[:BLOCK]).any())

    return crowd


def repeat_lanes_plain(
    bits: Bits,
    block: int,
    rows: Ids,
    start: int,
    depth: int,
    groups: int,
    counts: Bits,
    dead: Bits,
) -> bool:
    """Plain twin of a step of the rules: count one more for guesses that leave a member with one.

    Members have their rows as in ``crowd``. Bit ``k`` of the counts is ``counts[k * BLOCK:]``; a
    guess whose count overflows is buried. Whether any are alive.
    """
    told = np.full(BLOCK, -1, dtype=np.int64).view(np.uint64)
    for group in range(groups):
        first = start + group * depth * CROWD
        for member in range(first, first + CROWD):
            told &= _met(bits, block, rows[member : first + depth * CROWD : CROWD])
    carry = ~told
    for k in range(REPEATS):
        plane = counts[k * BLOCK : (k + 1) * BLOCK]
        plane[:], carry = plane ^ carry, plane & carry
    dead[:BLOCK] |= carry
    return bool((~dead[:BLOCK]).any())


def tally_lanes_plain(
    bits: Bits, block: int, rows: Ids, width: int, depth: int, count: int, planes: Bits
) -> None:
    """Plain twin of a step of the rules: count for each guess of a block who has it in no row.

    Member ``j`` has the rows ``rows[j]``, ``rows[width + j]``, … , ``depth`` in all. ``count`` is a
    multiple of GROUP, at most MOST_TALLIED. Bit ``k`` of the counts is ``planes[k * BLOCK:]``.
    """
    planes[: PLANES * BLOCK] = 0
    for j in range(count):
        carry = ~_met(bits, block, rows[j : j + (depth - 1) * width + 1 : width])
        for k in range(PLANES):
            plane = planes[k * BLOCK : (k + 1) * BLOCK]
            plane[:], carry = plane ^ carry, plane & carry


def join_row_plain(bits: Bits, row: int, other: int, width: int) -> None:
    """Add to a row of bits, in a search by rule, those of another one of so many words."""
    bits[row : row + width] |= bits[other : other + width]


def differing_plain(held: NDArray[Any], one: int, other: int) -> tuple[int, int]:
    """Plain twin of a step of the rules: letters that only one of two secrets has, as bits.

    The second number has those that each of them has elsewhere.
    """
    alone = elsewhere = 0
    for letter in range(held.shape[1]):
        mine, theirs = held[one, letter], held[other, letter]
        if mine != theirs:
            both = bool(mine) and bool(theirs)
            alone |= (not both) << letter
            elsewhere |= both << letter
    return alone, elsewhere


# --- vector IR ----------------------------------------------------------------------------


def _vector() -> Any:
    """A bit for each guess of a block."""
    return ir.VectorType(i64(), BLOCK)


def _full(bits: int) -> Any:
    """A vector whose words all are this one."""
    return ir.Constant(_vector(), [bits] * BLOCK)


def _data(context: Any, builder: Any, array: Any, value: Any) -> Any:
    """The address of an array's first element."""
    return context.make_array(array)(context, builder, value).data


def _number(builder: Any, memory: Any, at: Any) -> Any:
    """An element of an array of 32-bit numbers."""
    return builder.sext(builder.load(builder.gep(memory, [at])), i64())


def _block_of(builder: Any, base: Any, row: Any) -> Any:
    """The block of a row."""
    return load(builder, builder.gep(base, [row]), _vector())


def _added(builder: Any, one: Any, two: Any, three: Any) -> tuple[Any, Any]:
    """A full adder: sum and carry."""
    differ = builder.xor(one, two)
    carry = builder.or_(
        builder.and_(differ, three), builder.and_(builder.xor(differ, _full(-1)), one)
    )
    return builder.xor(differ, three), carry


def _half_added(builder: Any, one: Any, two: Any) -> tuple[Any, Any]:
    """A half adder: sum and carry."""
    return builder.xor(one, two), builder.and_(one, two)


def _crowd_vectors(planes: int) -> Any:
    """The intrinsic for counters of so many bits."""

    def crowd(  # noqa: PLR0913 - flat: an intrinsic
        typing: Any,
        bits: Any,
        block: Any,
        rows: Any,
        start: Any,
        depth: Any,
        groups: Any,
        bias: Any,
        dead: Any,
    ) -> Any:
        number = types.int64
        signature = types.boolean(bits, number, rows, number, number, number, number, dead)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            sets, named, buried = (_data(context, builder, sig.args[k], args[k]) for k in (0, 2, 7))
            base = builder.gep(sets, [args[1]])
            depth, step = args[4], builder.mul(args[4], i64()(CROWD))
            counts = []
            for k in range(planes):
                bit = builder.trunc(builder.lshr(args[6], i64()(k)), i1())
                counts.append(splat(builder, builder.sext(bit, i64()), _vector()))

            def add_group(group: Any, values: Any) -> list[Any]:
                first = builder.add(args[3], builder.mul(group, step))
                told = _told(builder, base, named, first, i64()(CROWD), depth, CROWD)
                sums, lost = list(values[:-1]), values[-1]
                for one in told:
                    carry = builder.xor(one, _full(-1))
                    for k in range(planes):
                        sums[k], carry = _half_added(builder, sums[k], carry)
                    lost = builder.or_(lost, carry)
                return [*sums, lost]

            def any_alive(values: Any) -> Any:
                return _any_clear(builder, values[-1])

            begun = [*counts, load(builder, buried, _vector())]
            state = loop_while(builder, i64()(0), args[5], begun, add_group, any_alive)
            store(builder, state[-1], buried)
            return any_alive(state)

        return signature, generate

    return crowd


def _any_clear(builder: Any, lost: Any) -> Any:
    """Whether any bit of a vector is not set."""
    alive = builder.icmp_unsigned("!=", lost, _full(-1))
    return builder.icmp_unsigned("!=", builder.bitcast(alive, i8()), i8()(0))


def _told(
    builder: Any, base: Any, named: Any, first: Any, width: Any, depth: Any, members: int
) -> Any:
    """For so many members, the block of guesses that have any of their rows.

    The first row of each is named side by side from ``first`` on, and the next ones further on by
    ``width`` each.
    """

    def meet(at: Any, told: Any) -> list[Any]:
        place = builder.add(first, builder.mul(at, width))
        after = []
        for k, one in enumerate(told):
            row = _number(builder, named, builder.add(place, i64()(k)))
            after.append(builder.or_(one, _block_of(builder, base, row)))
        return after

    return loop(builder, i64()(0), depth, [_full(0)] * members, meet)


def _repeat_lanes(  # noqa: PLR0913 - flat: an intrinsic
    typing: Any,
    bits: Any,
    block: Any,
    rows: Any,
    start: Any,
    depth: Any,
    groups: Any,
    counts: Any,
    dead: Any,
) -> Any:
    number = types.int64
    signature = types.boolean(bits, number, rows, number, number, number, counts, dead)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sets, named, sums, buried = (
            _data(context, builder, sig.args[k], args[k]) for k in (0, 2, 6, 7)
        )
        base = builder.gep(sets, [args[1]])
        depth, step = args[4], builder.mul(args[4], i64()(CROWD))

        def join_group(group: Any, met: Any) -> list[Any]:
            first = builder.add(args[3], builder.mul(group, step))
            told = _told(builder, base, named, first, i64()(CROWD), depth, CROWD)
            return [builder.and_(one, two) for one, two in zip(met, told, strict=True)]

        met = loop(builder, i64()(0), args[5], [_full(-1)] * CROWD, join_group)
        everyone = functools.reduce(builder.and_, met)
        carry = builder.xor(everyone, _full(-1))
        for k in range(REPEATS):
            plane = builder.gep(sums, [i64()(k * BLOCK)])
            total, carry = _half_added(builder, load(builder, plane, _vector()), carry)
            store(builder, total, plane)
        lost = builder.or_(load(builder, buried, _vector()), carry)
        store(builder, lost, buried)
        return _any_clear(builder, lost)

    return signature, generate


def _tally_lanes(
    typing: Any,
    bits: Any,
    block: Any,
    rows: Any,
    width: Any,
    depth: Any,
    count: Any,
    planes: Any,
) -> Any:
    number = types.int64
    signature = types.void(bits, number, rows, number, number, number, planes)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sets, named, result = (_data(context, builder, sig.args[k], args[k]) for k in (0, 2, 6))
        base = builder.gep(sets, [args[1]])
        width, depth = args[3], args[4]

        def add_group(group: Any, sums: Any) -> list[Any]:
            first = builder.mul(group, i64()(GROUP))
            told = _told(builder, base, named, first, width, depth, GROUP)
            a, b, c, d, e, f, g = (builder.xor(one, _full(-1)) for one in told)
            left, two = _added(builder, a, b, c)
            right, four = _added(builder, d, e, f)
            ones, six = _added(builder, left, right, g)
            twos, fours = _added(builder, two, four, six)
            after = []
            total, carry = _half_added(builder, sums[0], ones)
            after.append(total)
            for place, more in enumerate((twos, fours), 1):
                total, carry = _added(builder, sums[place], more, carry)
                after.append(total)
            for plane in sums[3:]:
                total, carry = _half_added(builder, plane, carry)
                after.append(total)
            return after

        groups = builder.udiv(args[5], i64()(GROUP))
        sums = loop(builder, i64()(0), groups, [_full(0)] * PLANES, add_group)
        for k in range(PLANES):
            store(builder, sums[k], builder.gep(result, [i64()(k * BLOCK)]))
        return context.get_dummy_value()

    return signature, generate


def _differing_vectors(letters: int) -> Any:
    """The intrinsic for so many letters."""

    def differing(typing: Any, held: Any, one: Any, other: Any) -> Any:
        signature = types.UniTuple(types.int64, 2)(held, types.int64, types.int64)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            memory = _data(context, builder, held, args[0])
            kind = ir.VectorType(context.get_data_type(held.dtype), letters)
            mine, theirs = (
                load(builder, builder.gep(memory, [builder.mul(at, i64()(letters))]), kind)
                for at in args[1:]
            )
            nothing = ir.Constant(kind, [0] * letters)
            differ = builder.icmp_unsigned("!=", mine, theirs)
            both = builder.and_(
                builder.icmp_unsigned("!=", mine, nothing),
                builder.icmp_unsigned("!=", theirs, nothing),
            )
            bits = ir.IntType(letters)
            elsewhere = builder.bitcast(builder.and_(differ, both), bits)
            alone = builder.xor(builder.bitcast(differ, bits), elsewhere)
            found = [
                (mask if letters == MOST_LETTERS else builder.zext(mask, i64()))
                for mask in (alone, elsewhere)
            ]
            return context.make_tuple(builder, sig.return_type, found)

        return signature, generate

    return differing


def _join_row(typing: Any, bits: Any, row: Any, other: Any, width: Any) -> Any:
    signature = types.void(bits, types.int64, types.int64, types.int64)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sets = _data(context, builder, sig.args[0], args[0])

        def join(block: Any, _: Any) -> list[Any]:
            here = builder.mul(block, i64()(BLOCK))
            target = builder.gep(sets, [builder.add(args[1], here)])
            source = builder.gep(sets, [builder.add(args[2], here)])
            both = builder.or_(load(builder, target, _vector()), load(builder, source, _vector()))
            store(builder, both, target)
            return []

        loop(builder, i64()(0), builder.udiv(args[3], i64()(BLOCK)), [], join)
        return context.get_dummy_value()

    return signature, generate


def _crowd_of(planes: int) -> _Crowd:
    return vector_step(_crowd_vectors(planes), _crowd_plain(planes))


#: By how many bits the counters have.
crowd_none, crowd_two, crowd_four, crowd_six = (_crowd_of(planes) for planes in (0, 2, 4, 6))
repeat_lanes = vector_step(_repeat_lanes, repeat_lanes_plain)
tally_lanes = vector_step(_tally_lanes, tally_lanes_plain)
join_row = vector_step(_join_row, join_row_plain)
differing, differing_most = (
    vector_step(_differing_vectors(letters), differing_plain) for letters in (LETTERS, MOST_LETTERS)
)
