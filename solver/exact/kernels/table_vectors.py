"""Vector instructions for the score table: 64 guesses side by side, a byte or two each.

Both counters look at 64 neighbouring columns (guesses) of the scores of a few rows (candidates) and
write how many different scores each column has. They emit generic vector IR, which LLVM lowers to
whatever the machine has; without the compiler their plain twins stand in.

    up to 32    a register per candidate holds its 64 scores; a sorting network (Batcher, "Sorting
                networks and their applications", 1968) sorts all 64 columns at once, since which
                registers it compares depends on no score; parts = candidates - equal neighbours
    above       each lane sets one bit per score in words of 32 bits; parts = bits that are set

Scores of a table have numbers of one byte; of two, where some guess has more than 255 of them (long
words). Every step takes its width from the array that it is given.

Nothing is ever looked up in memory by a score, which is what makes counting one by one slow. Rows
lie far apart, and those of the next 64 columns are prefetched while these are counted: else a count
waits for memory most of its time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import noalloc, vector_step
from ...machine.vectors import (
    arrays_of,
    bits_of,
    bring_near,
    cgutils,
    data_of,
    has_lane_shifts,
    i8,
    i32,
    i64,
    ir,
    load,
    loop,
    splat,
    store,
)

#: Arrays by what they hold: scores and parts, of one byte or two; marks; rows and columns; sets;
#: sums and places.
Scores = NDArray[Any]
Bytes = NDArray[np.uint8]
Rows = NDArray[np.int32]
Bits = NDArray[np.uint64]
Sums = NDArray[np.int64]
#: The most scores of a guess that numbers of one byte, and of two, are enough for.
MOST_NARROW, MOST_WIDE = 0xFF, 0xFFFF
#: Columns that are counted together: one 512-bit register of bytes.
BLOCK_COLUMNS = 64
#: Lanes of the bit sets that are worked on together, as 32-bit words.
_WORDS = 32
#: Scores of a range that is collected at once.
_RANGE = 256
#: Lanes of sets of bytes, where lanes cannot be shifted apart: one register of 128 bits.
_BYTES = 16
#: Scores of a range there: a lane counts no more of them than its byte holds.
_BYTE_RANGE = 128
#: Members that are sorted in registers: up to so many, and more than the number before.
_SORTED = (8, 12, 16, 20, 24, 32)
#: Up to this many members are sorted when their parts are counted.
SORTED = _SORTED[-1]
#: Scores that are collected at once: those below so many. The fewest are so where 32 are sorted.
_COLLECTED = (32, 64, 96, 128, 160)


def _lanes(data: Any, count: int = BLOCK_COLUMNS) -> Any:
    """The type of a vector of so many of the items that an address points to."""
    return ir.VectorType(data.type.pointee, count)


def plain_count(
    rows: Scores,
    spread: int,
    members: Rows,
    first: int,
    count: int,
    column: int,
    need: int,
    out: Scores,
) -> np.uint64:
    """Count the parts of 64 columns on some rows; bit k: column k has at least ``need``.

    ``rows`` is cut into blocks of 64 columns: ``rows[block, member, lane]``. Their scores are below
    ``spread``; columns with fewer parts than ``need`` may come out with any number.
    """
    block = rows[column // BLOCK_COLUMNS, members[first : first + count]]
    enough = 0
    for lane in range(BLOCK_COLUMNS):
        out[lane] = len(set(block[:, lane].tolist()))
        if out[lane] >= need:
            enough |= 1 << lane
    return np.uint64(enough)


def member_address(b: Any, data: Any, members: Any, index: Any) -> Any:
    """The address where the scores of a member begin in a block of the table."""
    member = b.zext(b.load(b.gep(members, [index])), i64())
    return b.gep(data, [b.mul(member, ir.Constant(i64(), BLOCK_COLUMNS))])


def _enough(b: Any, values: Any, need: Any) -> Any:
    """Which of 64 lanes are at least ``need``, as the bits of a word."""
    item = values.type.element
    bar = splat(b, b.trunc(need, item), values.type)
    return bits_of(b, b.icmp_unsigned(">=", values, bar), item.width)


def _lesser(b: Any, values: Any, others: Any) -> Any:
    """The lesser of two vectors, lane by lane."""
    return b.select(b.icmp_unsigned("<", values, others), values, others)


def _emit_sets(
    b: Any, data: Any, members: Any, count: Any, need: Any, out: Any, ahead: Any, below: Any
) -> None:
    """Every lane sets one bit per score ``below`` a number; parts = bits that are set.

    Up to any number that is known only when it runs, one range of scores is collected after the
    other. Bits are those of 32-bit words, or of bytes, where lanes cannot be shifted apart.
    """
    wide, is_known = has_lane_shifts(), isinstance(below, int)
    size = below if is_known else _RANGE if wide else _BYTE_RANGE
    lanes = _WORDS if wide else _BYTES
    zero, each = ir.Constant(i64(), 0), ir.Constant(i64(), size)
    narrow = _lanes(data, lanes)
    kind = ir.VectorType(i32(), lanes) if wide else narrow

    def count_share(number: Any, _: Sequence[Any]) -> Sequence[Any]:
        """Write the parts of the lanes of one share, all scores at once or range after range."""
        lane = b.mul(number, ir.Constant(i64(), lanes))
        here = b.gep(data, [lane])

        def parts_from(lowest: Any) -> Any:
            if wide:
                return _bits_set(b, here, members, count, ahead, lowest, size // 32)
            return _bytes_set(b, here, members, count, lowest, size // 8)

        def add_range(at: Any, parts: Sequence[Any]) -> Sequence[Any]:
            return [b.add(parts[0], parts_from(b.mul(at, each)))]

        if is_known:
            parts = parts_from(zero)
        else:
            ranges = b.udiv(b.add(below, ir.Constant(i64(), size - 1)), each)
            [parts] = loop(b, zero, ranges, [ir.Constant(kind, [0] * lanes)], add_range)
        store(b, b.trunc(parts, narrow) if wide else parts, b.gep(out, [lane]))
        return []

    loop(b, zero, ir.Constant(i64(), BLOCK_COLUMNS // lanes), [], count_share)
    b.ret(_enough(b, load(b, out, _lanes(out)), need))


def _bits_set(
    b: Any, data: Any, members: Any, count: Any, ahead: Any, lowest: Any, words: int
) -> Any:
    """How many scores of ``lowest`` and above, up to ``words`` times 32, some lanes have."""
    narrow, wide = _lanes(data, _WORDS), ir.VectorType(i32(), _WORDS)
    empty, unit = ir.Constant(wide, [0] * _WORDS), ir.Constant(wide, [1] * _WORDS)
    is_first = isinstance(lowest, ir.Constant)

    def collect(index: Any, sets: Sequence[Any]) -> Sequence[Any]:
        address = member_address(b, data, members, index)
        bring_near(b, b.gep(address, [ahead]))
        scores = b.zext(load(b, address, narrow), wide)
        if not is_first:
            scores = b.sub(scores, splat(b, b.trunc(lowest, i32()), wide))
        grown = []
        for word, found in enumerate(sets):
            shift = b.sub(scores, ir.Constant(wide, [32 * word] * _WORDS))
            within = b.icmp_unsigned("<", shift, ir.Constant(wide, [32] * _WORDS))
            grown.append(b.or_(found, b.select(within, b.shl(unit, shift), empty)))
        return grown

    return _bits_in(b, loop(b, ir.Constant(i64(), 0), count, [empty] * words, collect))


def _bytes_set(b: Any, data: Any, members: Any, count: Any, lowest: Any, sets: int) -> Any:
    """How many scores of ``lowest`` and above, up to ``sets`` times 8, some lanes have.

    A bit of a byte is made by shifts by 1, 2 and 4. What lies beyond the sets is in none of them.
    """
    kind, items = ir.VectorType(i8(), _BYTES), _lanes(data, _BYTES)
    is_first = isinstance(lowest, ir.Constant)

    def constant(number: int) -> Any:
        return ir.Constant(kind, [number] * _BYTES)

    def collect(index: Any, found: Sequence[Any]) -> Sequence[Any]:
        """Add the score of a member: bit ``score % 8`` of the set ``score // 8``."""
        scores, beyond = load(b, member_address(b, data, members, index), items), None
        if not is_first:
            scores = b.sub(scores, splat(b, b.trunc(lowest, items.element), items))
            most = ir.Constant(items, [8 * sets - 1] * _BYTES)
            beyond = b.sext(b.icmp_unsigned(">", scores, most), kind)
        scores = scores if items == kind else b.trunc(scores, kind)
        bit = constant(1)
        for shift in (1, 2, 4):
            apart = b.icmp_unsigned("!=", b.and_(scores, constant(shift)), constant(0))
            bit = b.select(apart, b.shl(bit, constant(shift)), bit)
        which = b.lshr(scores, constant(3))
        if beyond is not None:
            which = b.or_(which, beyond)
        grown = []
        for at, one in enumerate(found):
            mine = b.sext(b.icmp_unsigned("==", which, constant(at)), kind)
            grown.append(b.or_(one, b.and_(mine, bit)))
        return grown

    parts = _bits_in(b, loop(b, ir.Constant(i64(), 0), count, [constant(0)] * sets, collect))
    return parts if items == kind else b.zext(parts, items)


def _bits_in(b: Any, sets: Sequence[Any]) -> Any:
    """How many bits are set in some vectors, lane by lane."""
    kind = sets[0].type
    name = f"llvm.ctpop.v{kind.count}i{kind.element.width}"
    ones = cgutils.get_or_insert_function(b.module, ir.FunctionType(kind, [kind]), name)
    parts = b.call(ones, [sets[0]])
    for more in sets[1:]:
        parts = b.add(parts, b.call(ones, [more]))
    return parts


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
    lanes = _lanes(data)
    kind = ir.FunctionType(lanes, [lanes, lanes])
    least, most = (
        cgutils.get_or_insert_function(
            b.module, kind, f"llvm.{name}.v{BLOCK_COLUMNS}i{lanes.element.width}"
        )
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
        lines.append(load(b, address, lanes))
    for low, high in _batcher(size):
        pair = [lines[low], lines[high]]
        lines[low], lines[high] = b.call(least, pair), b.call(most, pair)
    repeats = ir.Constant(lanes, [0] * BLOCK_COLUMNS)
    for one, other in pairwise(lines):
        repeats = b.add(repeats, b.zext(b.icmp_unsigned("==", one, other), lanes))
    parts = b.sub(ir.Constant(lanes, [size] * BLOCK_COLUMNS), repeats)
    store(b, parts, out)
    b.ret(_enough(b, parts, need))


def _function(module: Any, name: str, values: Any, emit: Callable[..., None], *more: Any) -> Any:
    """A counter as a function of its own: inlined everywhere it would take long to compile.

    ``values``: what it is called with, the address of the scores first.
    """
    name = f"knuthle_{name}" if _is_narrow(values[0]) else f"knuthle_{name}_wide"
    if name in module.globals:
        return module.globals[name]
    function = ir.Function(module, ir.FunctionType(i64(), [it.type for it in values]), name)
    function.linkage = "linkonce_odr"
    function.attributes.add("noinline")
    emit(ir.IRBuilder(function.append_basic_block()), *function.args, *more)
    return function


def _is_narrow(data: Any) -> bool:
    """Whether an address points to items of one byte."""
    return bool(data.type.pointee.width == 8)


def _count_block(context: Any, b: Any, signature: Any, args: Any) -> Any:
    blocks, listed, result = arrays_of(context, b, signature, args, 0, 2, 7)
    height = cgutils.unpack_tuple(b, blocks.shape)[1]
    data = b.gep(blocks.data, [b.mul(args[5], height)])
    ahead = b.mul(height, ir.Constant(i64(), BLOCK_COLUMNS))
    members = b.gep(listed.data, [args[3]])
    spread = args[1] if args[1].type == i64() else b.sext(args[1], i64())
    values = [data, members, args[4], args[6], result.data, ahead, spread]
    return b.call(_function(b.module, "count", values, _emit_fastest), values)


def _emit_fastest(
    b: Any, data: Any, members: Any, count: Any, need: Any, out: Any, ahead: Any, spread: Any
) -> None:
    """Call the fastest counter for so many members and scores below ``spread``."""
    values = data, members, count, need, out, ahead

    def counted(name: str, emit: Callable[..., None], *more: Any) -> Any:
        return b.call(_function(b.module, name, values, emit, *more), values)

    def at_most(number: Any, most: int) -> Any:
        return b.icmp_signed("<=", number, ir.Constant(i64(), most))

    for before, most in pairwise((0, *_SORTED)):
        is_fastest = at_most(count, most)
        if most == SORTED:
            is_fastest = b.and_(is_fastest, b.not_(at_most(spread, _COLLECTED[0])))
        with b.if_then(is_fastest):
            b.ret(counted(f"sorted_{most}", _emit_sorted, (before + 1, most)))
    for below in _COLLECTED:
        with b.if_then(at_most(spread, below)):
            b.ret(counted(f"bits_{below}", _emit_sets, below))
    if _is_narrow(data):
        b.ret(counted("bits_256", _emit_sets, _RANGE))
    else:
        others = *values, spread
        b.ret(b.call(_function(b.module, "ranges", others, _emit_sets), others))


count_block = vector_step(_count_block, plain_count)

# ---- Columns as bits: which of 64 guesses do not tell two candidates apart
#
# A set of guesses is a row of 64-bit words, one for each block of 64 columns of a table. To compare
# two candidates in a block is one vector comparison whose result *is* such a word: the guesses that
# leave both together. Over many candidates such words are joined by "and" (who leaves all
# together?) or "or" (who fails to set all apart?), 64 guesses a step.

ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def plain_alike(rows: Scores, block: int, one: int, other: int) -> np.uint64:
    """Which columns of a block score the same against two rows, as bits."""
    same = np.flatnonzero(rows[block, one] == rows[block, other])
    return np.uint64(sum(1 << int(lane) for lane in same))


def _write_alike(context: Any, b: Any, signature: Any, args: Any) -> Any:
    [array] = arrays_of(context, b, signature, args, 0)
    corner = b.mul(args[1], cgutils.unpack_tuple(b, array.shape)[1])
    lanes = ir.Constant(i64(), BLOCK_COLUMNS)
    kind = _lanes(array.data)
    ours, theirs = (
        load(b, b.gep(array.data, [b.mul(b.add(corner, member), lanes)]), kind)
        for member in args[2:]
    )
    return bits_of(b, b.icmp_unsigned("==", ours, theirs), kind.element.width)


alike = vector_step(_write_alike, plain_alike)

# ---- Ceilings of 64 columns, read and written side by side
#
# Ceilings (see there) are written and read so often that to go through them byte by byte
# took a tenth of a search. Each step takes a row, and the place of the first of 64. What is found
# in 64 columns comes back as the bits of one word: whoever looks for columns that are good enough
# goes from one set bit to the next, and mostly there is none.


@noalloc(inner=True, inline=True)
def copy_row(values: Scores, others: Scores) -> None:
    """Take over another row, which is no longer."""
    for at in range(others.shape[0]):
        values[at] = others[at]


def plain_at_least(values: Scores, at: int, need: int) -> np.uint64:
    """Which of 64 lanes of a row are at least ``need``, as bits."""
    return np.uint64(sum(1 << lane for lane in range(BLOCK_COLUMNS) if values[at + lane] >= need))


def plain_cap(values: Scores, at: int, most: int) -> None:
    """Lower 64 lanes of a row to ``most`` where they are above it."""
    values[at : at + BLOCK_COLUMNS] = np.minimum(
        values[at : at + BLOCK_COLUMNS], values.dtype.type(most)
    )


def plain_least_of(
    values: Scores, at: int, tables: Scores, places: Rows, need: int, lanes: Scores
) -> np.uint64:
    """Which of 64 lanes are at least ``need`` in ``values`` and all these tables, as bits.

    A negative place is none. The least of each column goes to ``lanes``.
    """
    lanes[:] = values[at : at + BLOCK_COLUMNS]
    for place in places[places >= 0]:
        lanes[:] = np.minimum(lanes, tables[place, at : at + BLOCK_COLUMNS])
    return plain_at_least(lanes, 0, need)


def _at_least(context: Any, b: Any, signature: Any, args: Any) -> Any:
    [values] = data_of(context, b, signature, args, 0)
    return _enough(b, load(b, b.gep(values, [args[1]]), _lanes(values)), args[2])


def _cap(context: Any, b: Any, signature: Any, args: Any) -> Any:
    [values] = data_of(context, b, signature, args, 0)
    place, kind = b.gep(values, [args[1]]), _lanes(values)
    found, most = load(b, place, kind), splat(b, b.trunc(args[2], kind.element), kind)
    store(b, _lesser(b, found, most), place)
    return context.get_dummy_value()


def _least_of(context: Any, b: Any, signature: Any, args: Any) -> Any:
    own, table, listed, out = arrays_of(context, b, signature, args, 0, 2, 3, 5)
    at, kind = args[1], _lanes(own.data)
    width, here = b.extract_value(own.shape, 0), b.gep(own.data, [at])

    def lower(index: Any, least: Sequence[Any]) -> Sequence[Any]:
        place = b.sext(b.load(b.gep(listed.data, [index])), i64())
        there = b.gep(table.data, [b.add(b.mul(place, width), at)])
        # for no table the own values stand in
        none = b.icmp_signed("<", place, ir.Constant(i64(), 0))
        there = b.select(none, here, there)
        bring_near(b, b.gep(there, [ir.Constant(i64(), BLOCK_COLUMNS)]))
        return [_lesser(b, load(b, there, kind), least[0])]

    count, zero = b.extract_value(listed.shape, 0), ir.Constant(i64(), 0)
    [least] = loop(b, zero, count, [load(b, here, kind)], lower)
    store(b, least, out.data)
    return _enough(b, least, args[4])


at_least = vector_step(_at_least, plain_at_least)
cap = vector_step(_cap, plain_cap)
least_of = vector_step(_least_of, plain_least_of)

# ---- Labels: guesses that split alike get equal ones, 64 guesses at once
#
# The scores of a column are numbered by first occurrence among the members, in vector registers:
# each member takes the label of an earlier one with its score, or the next number. To compare all
# pairs of members so takes fewer steps than a table for each column.

#: Members are labelled so many at a time; a list of them is filled up with its last one.
GROUP = 4


def plain_label(rows: Scores, column: int, members: Rows, scores: Scores, labels: Scores) -> None:
    """Label the scores of 64 columns from ``column`` on: ``labels[member, lane]``.

    ``rows`` is cut into blocks of columns, ``rows[block, member, lane]``; ``scores`` is for the
    scores of the members alone, in a place where they lie together.
    """
    scores[:] = rows[column // BLOCK_COLUMNS, members]
    for lane in range(BLOCK_COLUMNS):
        number: dict[int, int] = {}
        labels[:, lane] = [number.setdefault(score, len(number)) for score in scores[:, lane]]


def _label(context: Any, b: Any, signature: Any, args: Any) -> Any:
    blocks, listed, scores, labels = arrays_of(context, b, signature, args, 0, 2, 3, 4)
    height = cgutils.unpack_tuple(b, blocks.shape)[1]
    rows, kind = b.gep(blocks.data, [b.mul(args[1], height)]), _lanes(blocks.data)
    zero, each = ir.Constant(i64(), 0), ir.Constant(i64(), GROUP)
    # no label: a guess has fewer scores than this in every table
    most = MOST_NARROW if _is_narrow(rows) else MOST_WIDE
    nothing = ir.Constant(kind, [most] * BLOCK_COLUMNS)

    def at(array: Any, member: Any) -> Any:
        return b.gep(array.data, [b.mul(member, ir.Constant(i64(), BLOCK_COLUMNS))])

    def group(number: Any, carried: Sequence[Any]) -> Sequence[Any]:
        """Compare each of a group with all before the group, then with those inside."""
        [following], first = carried, b.mul(number, each)
        places = [b.add(first, ir.Constant(i64(), place)) for place in range(GROUP)]
        lines = [load(b, member_address(b, rows, listed.data, place), kind) for place in places]

        def compare(other: Any, found: Sequence[Any]) -> Sequence[Any]:
            line, label = (load(b, at(array, other), kind) for array in (scores, labels))
            same = [b.icmp_unsigned("==", mine, line) for mine in lines]
            return [b.select(it, label, known) for it, known in zip(same, found, strict=True)]

        found = list(loop(b, zero, first, [nothing] * GROUP, compare))
        for k, place in enumerate(places):
            is_new = b.icmp_unsigned("==", found[k], nothing)
            label = b.select(is_new, following, found[k])
            for later in range(k + 1, GROUP):
                same = b.icmp_unsigned("==", lines[k], lines[later])
                found[later] = b.select(same, label, found[later])
            store(b, lines[k], at(scores, place))
            store(b, label, at(labels, place))
            following = b.add(following, b.zext(is_new, kind))
        return [following]

    groups = b.udiv(b.extract_value(listed.shape, 0), each)
    loop(b, zero, groups, [ir.Constant(kind, [0] * BLOCK_COLUMNS)], group)
    return context.get_dummy_value()


label_lanes = vector_step(_label, plain_label)
