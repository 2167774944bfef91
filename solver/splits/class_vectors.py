"""Vector steps of the letter tree: 32 classes of candidates side by side, each with its plain twin.

Sets of candidates are cut into pieces of ``SIXTEEN`` bits; in a vector of ``CLASSES`` lanes every
class has its own piece. A piece that all lanes are to meet is kept twice in 32 bits, because
processors spread 32 bits over a vector as they load them, but not 16.

As in ``vectors``, the intrinsics emit generic vector IR, and with ``NUMBA_DISABLE_JIT=1`` the
plain twins take their place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import vector_step
from ..machine.vectors import (
    cgutils,
    data_of,
    has_lane_shifts,
    i8,
    i16,
    i32,
    i64,
    ir,
    load,
    loop,
    splat,
    store,
)

#: Where things begin, and how many they are.
Offsets = NDArray[np.int64]
Pieces = NDArray[np.uint32]
Lanes = NDArray[np.uint16]

_Meet = Callable[[Lanes, int, int, Pieces, Offsets, Lanes, Offsets], None]

#: Candidates in a piece of a set.
SIXTEEN = 16
#: Classes in a vector.
CLASSES = 32


def _meet_plain(questions: int) -> _Meet:
    def meet(
        classes: Lanes,
        start: int,
        pieces: int,
        answers: Pieces,
        at: Offsets,
        patterns: Lanes,
        rows: Offsets,
    ) -> None:
        """Piece by piece, the candidates of each class: those with all the right answers.

        Question ``k`` is answered by the pieces of ``answers`` from ``at[k]`` on; the lanes in
        which row ``rows[k]`` of ``patterns`` is set want its opposite. The classes are written as
        vectors from ``classes[start]`` on.
        """
        for piece in range(pieces):
            members = np.full(CLASSES, 0xFFFF, dtype=np.uint16)
            for k in range(questions):
                pattern = patterns[rows[k] * CLASSES : (rows[k] + 1) * CLASSES]
                members &= np.uint16(answers[at[k] + piece] & 0xFFFF) ^ pattern
            begin = start + piece * CLASSES
            classes[begin : begin + CLASSES] = members

    return meet


class ClassLanes(NamedTuple):
    """The classes of one block: vectors from ``classes[start]`` on, one for each piece.

    The first ``live`` lanes count.
    """

    classes: Lanes
    start: int
    pieces: int
    live: int


class StateSets(NamedTuple):
    """The candidates in question, and those in the states of a letter.

    The set of the block is at ``masks[block]``, that of state ``s`` follows ``s`` sets behind
    ``masks[first]``; the number of states is odd.
    """

    masks: Pieces
    block: int
    states: int
    first: int


class SplitSizes(NamedTuple):
    """Where the sizes of classes are, and where those of their parts go.

    ``split`` has the size of each class at ``own``, candidates without the letter included: these
    are left at ``after[own]``, and those in state ``s`` are counted at ``after[own + s * stride]``.
    """

    split: Lanes
    after: Lanes
    own: int
    stride: int


def part_classes_plain(lanes: ClassLanes, sets: StateSets, sizes: SplitSizes) -> None:
    """Part the classes of one block by the states of a letter.

    Vectors are written whole, with zeros in lanes that are not live, in the order of the states,
    so that the stride may be as small as the number of live lanes.
    """
    classes, start, pieces, live = lanes
    masks, block, states, first = sets
    split, after, own, stride = sizes
    size = split[own : own + live].copy()
    after[own : own + CLASSES] = 0
    for state in range(1, states):
        count = np.zeros(CLASSES, dtype=np.uint16)
        for piece in range(pieces):
            mask = masks[block + piece] & masks[first + state * pieces + piece]
            begin = start + piece * CLASSES
            met = classes[begin : begin + live] & np.uint16(mask & 0xFFFF)
            count[:live] += np.bitwise_count(met)
        place = own + state * stride
        after[place : place + CLASSES] = count
        size -= count[:live]
    after[own : own + live] = size


# --- vector IR


def _vector() -> Any:
    """A lane for each class."""
    return ir.VectorType(i16(), CLASSES)


def _pairs() -> Any:
    return ir.VectorType(i32(), CLASSES // 2)


def _at(builder: Any, memory: Any, element: Any) -> Any:
    return builder.gep(memory, [element])


def _spread(builder: Any, memory: Any, at: Any) -> Any:
    """A piece, kept twice in an element, in every lane."""
    twice = builder.load(_at(builder, memory, at))
    return builder.bitcast(splat(builder, twice, _pairs()), _vector())


def _count_bits(builder: Any, vector: Any) -> Any:
    """How many bits are set, lane by lane; WebAssembly counts those of bytes alone."""
    if has_lane_shifts():
        return _count_bits_of(builder, vector, f"v{CLASSES}i16")
    halves = ir.VectorType(i8(), 2 * CLASSES)
    counts = _count_bits_of(builder, builder.bitcast(vector, halves), f"v{2 * CLASSES}i8")
    counts = builder.bitcast(counts, _vector())
    low = builder.and_(counts, ir.Constant(_vector(), [0xFF] * CLASSES))
    return builder.add(low, builder.lshr(counts, ir.Constant(_vector(), [8] * CLASSES)))


def _count_bits_of(builder: Any, vector: Any, lanes: str) -> Any:
    kind, name = ir.FunctionType(vector.type, [vector.type]), f"llvm.ctpop.{lanes}"
    function = cgutils.get_or_insert_function(builder.module, kind, name)
    return builder.call(function, [vector])


def _lanes_below(builder: Any, live: Any) -> Any:
    """All bits in the first ``live`` lanes."""
    numbers = ir.Constant(_vector(), list(range(CLASSES)))
    bar = splat(builder, builder.trunc(live, i16()), _vector())
    return builder.sext(builder.icmp_unsigned("<", numbers, bar), _vector())


def _meet_vectors(questions: int) -> Any:
    """The intrinsic for a number of questions: all fit in registers."""

    def meet(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        members, *arrays = data_of(context, builder, sig, args, 0, 3, 4, 5, 6)
        replies, places, opposite, numbers = arrays
        members = _at(builder, members, args[1])
        questioned = []
        for k in range(questions):
            place = builder.load(_at(builder, places, i64()(k)))
            row = builder.load(_at(builder, numbers, i64()(k)))
            pattern = _at(builder, opposite, builder.mul(row, i64()(CLASSES)))
            questioned.append((_at(builder, replies, place), load(builder, pattern, _vector())))

        def meet_piece(piece: Any, _: Any) -> list[Any]:
            vector = ir.Constant(_vector(), [-1] * CLASSES)
            for answer, pattern in questioned:
                right = builder.xor(_spread(builder, answer, piece), pattern)
                vector = builder.and_(vector, right)
            begin = builder.mul(piece, i64()(CLASSES))
            store(builder, vector, _at(builder, members, begin))
            return []

        loop(builder, i64()(0), args[2], [], meet_piece)
        return context.get_dummy_value()

    return meet


def _part_classes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    def field(argument: int, number: int) -> Any:
        return builder.extract_value(args[argument], number)

    def memory(argument: int, number: int) -> Any:
        array = context.make_array(sig.args[argument].types[number])
        return array(context, builder, field(argument, number)).data

    members, start, pieces, live = memory(0, 0), *(field(0, k) for k in (1, 2, 3))
    masks, block, states, first = memory(1, 0), *(field(1, k) for k in (1, 2, 3))
    split, result, own, stride = memory(2, 0), memory(2, 1), field(2, 2), field(2, 3)
    inside = _at(builder, masks, block)
    members = _at(builder, members, start)
    home = _at(builder, result, own)
    live = _lanes_below(builder, live)
    size = builder.and_(load(builder, _at(builder, split, own), _vector()), live)
    store(builder, size, home)
    zero = ir.Constant(_vector(), [0] * CLASSES)

    def count_states(pair: Any, values: Any) -> list[Any]:
        """Two states a turn: each begins a set further, and is counted a stride further."""
        left, place = values
        number = builder.add(builder.mul(pair, i64()(2)), i64()(1))
        one = _at(builder, masks, builder.add(first, builder.mul(number, pieces)))
        other = _at(builder, one, pieces)

        def count_piece(piece: Any, counts: Any) -> list[Any]:
            begin = builder.mul(piece, i64()(CLASSES))
            vector = load(builder, _at(builder, members, begin), _vector())
            vector = builder.and_(vector, _spread(builder, inside, piece))
            met = [builder.and_(vector, _spread(builder, s, piece)) for s in (one, other)]
            each = zip(counts, met, strict=True)
            return [builder.add(count, _count_bits(builder, found)) for count, found in each]

        for count in loop(builder, i64()(0), pieces, [zero, zero], count_piece):
            found = builder.and_(count, live)
            place = builder.add(place, stride)
            store(builder, found, _at(builder, result, place))
            left = builder.sub(left, found)
        return [left, place]

    pairs = builder.lshr(states, i64()(1))
    left, _ = loop(builder, i64()(0), pairs, [size, own], count_states)
    others = builder.and_(load(builder, home, _vector()), builder.not_(live))
    store(builder, builder.or_(others, left), home)
    return context.get_dummy_value()


def _meet_of(questions: int) -> _Meet:
    return vector_step(_meet_vectors(questions), _meet_plain(questions))


meet_two, meet_four, meet_six = _meet_of(2), _meet_of(4), _meet_of(6)
part_classes = vector_step(_part_classes, part_classes_plain)
