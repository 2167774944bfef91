"""A choice among few candidates: all guesses at once, a bit each. Knuth's rule, and most buckets.

The largest bucket of a guess is the greatest number of candidates that it cannot tell from one of
them. So candidates are taken up as *pivots*, one after the other; for each the candidates that
come later are counted that a guess leaves with it. No score is looked at: rows of bits say which
guesses separate whom (``letter_bits``).

The best candidate sets the limit, and a block of guesses is left as soon as all of them have
reached it. Its largest bucket goes first in the comparison: words that one guess cannot separate
are alike to most, and so most guesses lose after a few rows. A guess that stays below lowers the
limit, and its block is looked at again. The number of buckets is found in the same way: it is that
of the candidates which a guess separates from all that come earlier.

Ties: a candidate before the others, then the first guess.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids
from ..machine.jit import noalloc, vector_step
from ..machine.vectors import (
    bits_of,
    data_of,
    first_bit,
    i1,
    i64,
    ir,
    load,
    loop,
    loop_while,
    splat,
    store,
)
from .letter_bits import (
    BLOCK,
    BLOCK_GUESSES,
    LETTERS,
    MOST_LETTERS,
    WORD,
    Bits,
    LetterBits,
    WordScratch,
    WordSearch,
    cost_below,
    grade,
    largest_below,
)

#: Planes of the counters that ``tally_lanes`` fills, and how many members they can count.
PLANES, MOST_TALLIED = 8, 252
#: Planes of the counters of ``repeat_lanes``.
REPEATS = 8
#: Members that are added at once, of many and of few.
GROUP, QUAD = 7, 4


@noalloc(inner=True, inline=True)
def best_of_few(search: WordSearch, state: Ids) -> int:
    """Knuth's choice for three to ``SEPARATED`` candidates: a column of the pool."""
    letters = search.letters
    best, largest = _best_candidate(search, state)
    if largest == 1:
        return best
    _largest_first(search, state, best)
    known = 0
    for block in range(letters.blocks):
        before = largest
        largest, known = _lower(search, len(state), block * BLOCK, largest, known)
        if largest < before:
            best = _first_alive(search, block)
            if largest == 1:
                break
    return best


@noalloc(inner=True, inline=True)
def first_perfect(search: WordSearch, state: Ids, imperfect: int) -> int:
    """The first guess that tells three to ``SEPARATED_BY_SUM`` candidates all apart, or -1.

    ``imperfect`` is a guess that does not.
    """
    letters = search.letters
    _largest_first(search, state, imperfect)
    known = 0
    for block in range(letters.blocks):
        largest, known = _lower(search, len(state), block * BLOCK, 2, known)
        if largest == 1:
            return _first_alive(search, block)
    return -1


@noalloc(inner=True, inline=True)
def _first_alive(search: WordSearch, block: int) -> int:
    """The first guess of a block that is alive in the second half of ``dead``."""
    dead, word = search.scratch.dead, 0
    while dead[BLOCK + word] == 0:
        word += 1
    return block * BLOCK_GUESSES + word * WORD + first_bit(dead[BLOCK + word])


@noalloc(inner=True, inline=True)
def _best_candidate(search: WordSearch, state: Ids) -> tuple[int, int]:
    """The candidate with the smallest largest bucket, and how large that is."""
    best, largest = 0, len(state) + 1
    for member in state:
        own = search.own_column[member]
        found = largest_below(search.letters, own, state, search.scratch.tally, largest)
        if found < largest:
            best, largest = int(own), found
            if largest == 1:
                break
    return best, largest


@noalloc(inner=True, inline=True)
def _lower(search: WordSearch, n: int, begin: int, largest: int, known: int) -> tuple[int, int]:
    """The smallest largest bucket in a block, if it is smaller than ``largest``.

    The guesses that have it are alive in the second half of ``dead``. Of ``known`` pivots the rows
    are listed; returns how many there are now.
    """
    letters, scratch = search.letters, search.scratch
    dead = scratch.dead
    for word in range(BLOCK):
        dead[word] = ~letters.bits[letters.everyone + begin + word]
    while largest > 1:
        alive = True
        for pivot in range(n - largest + 1):
            if pivot == known:
                _list_separating(search, pivot, pivot + 1, n, 0)
                known += 1
            alive = _step(letters.bits, begin, pivot, largest, scratch)
            if not alive:
                break
        if not alive:
            break
        largest -= 1
        for word in range(BLOCK):
            dead[BLOCK + word] = ~dead[word]
    return largest, known


@noalloc(inner=True, inline=True)
def _step(bits: Bits, begin: int, pivot: int, limit: int, scratch: WordScratch) -> bool:
    """Mark as dead guesses that leave ``limit`` candidates with a pivot; whether any are alive."""
    rows, starts, dead = scratch.rows, scratch.starts, scratch.dead
    start, depth, groups = starts[3 * pivot], starts[3 * pivot + 1], starts[3 * pivot + 2]
    many = limit - 1
    if many <= 1:
        return overflow_none(bits, begin, rows, start, depth, groups, 1 - many, dead)
    if many <= 4:
        return overflow_two(bits, begin, rows, start, depth, groups, 4 - many, dead)
    if many <= 16:
        return overflow_four(bits, begin, rows, start, depth, groups, 16 - many, dead)
    return overflow_six(bits, begin, rows, start, depth, groups, 64 - many, dead)


# --- the number of buckets


@noalloc(inner=True, inline=True)
def most_parts(search: WordSearch, state: Ids) -> int:
    """The guess with the most buckets, for three to ``PARTED`` candidates: a column of the pool."""
    letters = search.letters
    n = len(state)
    best, lost = -1, n + 1
    for member in state:
        own = search.own_column[member]
        found = cost_below(search, own, state, lost)
        if found < lost:
            best, lost = int(own), found
            if lost == 0:
                return best
    _largest_first(search, state, best)
    known = 1
    for block in range(letters.blocks):
        fewest, known = _fewest_lost(search, n, block * BLOCK, lost, known)
        if fewest < lost:
            best, lost = _first_alive(search, block), fewest
            if lost == 0:
                break
    return best


@noalloc(inner=True, inline=True)
def _fewest_lost(search: WordSearch, n: int, begin: int, limit: int, known: int) -> tuple[int, int]:
    """How many fewer buckets than candidates the best guesses of a block have; at most a limit.

    Below that, the second half of ``dead`` says which they are. Of ``known`` candidates the rows
    are listed that tell them from those before; returns how many there are now.
    """
    letters, scratch = search.letters, search.scratch
    dead, counts, starts = scratch.dead, scratch.more, scratch.starts
    bias = (1 << REPEATS) - limit
    for word in range(BLOCK):
        dead[word] = ~letters.bits[letters.everyone + begin + word]
        for k in range(REPEATS):
            counts[k * BLOCK + word] = ~np.uint64(0) * np.uint64(bias >> k & 1)
    for later in range(1, n):
        if later == known:
            _list_separating(search, later, 0, later, 1)
            known += 1
        start, depth, groups = starts[3 * later], starts[3 * later + 1], starts[3 * later + 2]
        if not repeat_lanes(letters.bits, begin, scratch.rows, start, depth, groups, counts, dead):
            return limit, known
    for word in range(BLOCK):
        dead[BLOCK + word] = ~dead[word]
    fewest = 0
    for k in range(REPEATS - 1, -1, -1):
        fewer = np.uint64(0)
        for word in range(BLOCK):
            fewer |= dead[BLOCK + word] & ~counts[k * BLOCK + word]
        if fewer:
            for word in range(BLOCK):
                dead[BLOCK + word] &= ~counts[k * BLOCK + word]
        else:
            fewest += 1 << k
    return fewest - bias, known


# --- which guesses separate whom


@noalloc(inner=True, inline=True)
def _largest_first(search: WordSearch, state: Ids, best: int) -> None:
    """Order the candidates, those in the largest bucket of a guess in front."""
    letters, order, tally = search.letters, search.scratch.order, search.scratch.tally
    largest = np.uint32(grade(letters, best, state[0]))
    for member in state:
        score = np.uint32(grade(letters, best, member))
        tally[score] += 1
        if tally[score] > tally[largest]:
            largest = score
    for member in state:
        tally[np.uint32(grade(letters, best, member))] = 0
    front, back = 0, len(state) - 1
    for member in state:
        if np.uint32(grade(letters, best, member)) == largest:
            order[front] = member
            front += 1
        else:
            order[back] = member
            back -= 1


@noalloc(inner=True, inline=True)
def _list_separating(search: WordSearch, pivot: int, first: int, end: int, lowest: int) -> None:
    """List the rows of the guesses that tell a pivot from some candidates, by their places.

    As ``overflow`` wants them: ``starts`` has where they begin, how many there are at
    most for a candidate, and how many groups of candidates. They come behind those of the pivot
    before; ``lowest`` is the first of all pivots.
    """
    scratch, letters = search.scratch, search.letters
    order, starts, lists = scratch.order, scratch.starts, scratch.lists
    depth, start = 1, 0
    for other in range(first, end):
        depth = max(depth, list_rows(letters, order[pivot], order[other], lists[other]))
    if pivot > lowest:
        start = starts[3 * pivot - 3] + starts[3 * pivot - 2] * starts[3 * pivot - 1] * QUAD
    groups = (end - first + QUAD - 1) // QUAD
    starts[3 * pivot], starts[3 * pivot + 1], starts[3 * pivot + 2] = start, depth, groups
    _lay_out(search, start, depth, first, end)


@noalloc(inner=True, inline=True)
def _lay_out(search: WordSearch, start: int, depth: int, first: int, end: int) -> None:
    """Put the lists of some members where ``overflow`` wants them."""
    letters, rows, lists = search.letters, search.scratch.rows, search.scratch.lists
    for at in range((end - first + QUAD - 1) // QUAD * QUAD):
        place = start + at // QUAD * depth * QUAD + at % QUAD
        if first + at < end:
            count = lists[first + at, 0]
            for level in range(depth):
                rows[place + level * QUAD] = lists[first + at, level + 1] if level < count else 0
        else:
            for level in range(depth):
                rows[place + level * QUAD] = letters.everyone


@noalloc(inner=True, inline=True)
def list_rows(letters: LetterBits, one: int, other: int, rows: Ids) -> int:
    """List, for a rule's choice, the rows that tell two secrets apart behind their number."""
    if letters.held.shape[1] == LETTERS:
        alone, elsewhere = differing(letters.held, one, other)
    else:
        alone, elsewhere = differing_most(letters.held, one, other)
    left = np.uint64(alone)
    at = 1
    while left:
        letter = first_bit(left)
        left &= left - np.uint64(1)
        if left:
            rows[at] = letters.either[letter, first_bit(left)]
            left &= left - np.uint64(1)
        else:
            rows[at] = letters.letters + letter * letters.width
        at += 1
    left = np.uint64(elsewhere)
    while left:
        letter = first_bit(left)
        left &= left - np.uint64(1)
        column = letters.first[letter] + np.int64(letters.held[one, letter]) - 1
        at = _list_apart(letters, column, letters.held[other, letter], rows, at)
    rows[0] = at - 1
    return at - 1


@noalloc(inner=True, inline=True)
def _list_apart(letters: LetterBits, column: int, k: int, rows: Ids, at: int) -> int:
    """Append the row of the guesses that tell a column from the ``k``-th of its letter.

    If there is no room to make it, the rows of all columns that do so.
    """
    row = letters.apart[column, k]
    if row == 0 and letters.room[1] > 0:
        row = _make_apart(letters, column, k)
    if row > 0:
        rows[at] = row
        return at + 1
    letter = letters.letter[column]
    first, end = letters.first[letter], letters.first[letter + 1]
    for other in range(first, end):
        if letters.shares[other, column - first + 1] != letters.shares[other, k]:
            rows[at] = letters.columns + other * letters.width
            at += 1
    return at


@noalloc(inner=True, inline=True)
def _make_apart(letters: LetterBits, column: int, k: int) -> int:
    """Make that row, for both its names."""
    bits, width = letters.bits, letters.width
    row = letters.room[0]
    letters.room[0] += width
    letters.room[1] -= 1
    bits[row : row + width] = 0
    letter = letters.letter[column]
    first, end = letters.first[letter], letters.first[letter + 1]
    mine = column - first + 1
    for other in range(first, end):
        if letters.shares[other, mine] != letters.shares[other, k]:
            start = letters.columns + other * width
            join_row(bits, row, start, width)
    letters.apart[column, k] = row
    letters.apart[first + k - 1, mine] = row
    return int(row)


# ---- Vector steps: guesses counted side by side, each with its plain twin
#
# A *row* of bits says of every guess whether it belongs to a set; ``BLOCK_GUESSES`` of them are a
# *block*, a vector. Two candidates are separated by a guess that is in any of certain rows, so what
# is counted is how many candidates a guess cannot tell from one of them, for a block at a time.
# Counters stand across the vectors: one vector holds the lowest bits of all counters, the next one
# the second bits, and a full adder is three instructions for all of them.

_Overflow = Callable[[Bits, int, Ids, int, int, int, int, Bits], bool]


def _separating(bits: Bits, block: int, rows: Ids) -> Bits:
    """Which guesses of a block are in one of the rows."""
    separated = np.zeros(BLOCK, dtype=np.uint64)
    for row in rows:
        separated |= bits[row + block : row + block + BLOCK]
    return separated


def _overflow_plain(planes: int) -> _Overflow:
    def overflow(
        bits: Bits,
        block: int,
        rows: Ids,
        start: int,
        depth: int,
        groups: int,
        bias: int,
        dead: Bits,
    ) -> bool:
        """Mark as dead the guesses that leave too many members with one; whether any are alive.

        A guess cannot tell a member from that one if it is in none of the member's rows. These
        begin at ``rows[start]``, for ``QUAD`` members side by side, ``depth`` each; then the next
        group follows. ``2 ** planes - bias`` such members are too many.
        """
        counts = [np.full(BLOCK, 0 - (bias >> k & 1), dtype=np.int64) for k in range(planes)]
        sums = [count.view(np.uint64) for count in counts]
        for group in range(groups):
            first = start + group * depth * QUAD
            for member in range(first, first + QUAD):
                carry = ~_separating(bits, block, rows[member : first + depth * QUAD : QUAD])
                for k in range(planes):
                    sums[k], carry = sums[k] ^ carry, sums[k] & carry
                dead[:BLOCK] |= carry
        return bool((~dead[:BLOCK]).any())

    return overflow


def repeat_lanes_plain(
    bits: Bits, block: int, rows: Ids, start: int, depth: int, groups: int, counts: Bits, dead: Bits
) -> bool:
    """Plain twin of a step of the rules: count one more for guesses that leave a member with one.

    Members have their rows as in ``overflow``. Bit ``k`` of the counts is ``counts[k * BLOCK:]``; a
    guess whose count overflows is dead from then on. Whether any are alive.
    """
    separated = np.full(BLOCK, -1, dtype=np.int64).view(np.uint64)
    for group in range(groups):
        first = start + group * depth * QUAD
        for member in range(first, first + QUAD):
            separated &= _separating(bits, block, rows[member : first + depth * QUAD : QUAD])
    carry = ~separated
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
        carry = ~_separating(bits, block, rows[j : j + (depth - 1) * width + 1 : width])
        for k in range(PLANES):
            plane = planes[k * BLOCK : (k + 1) * BLOCK]
            plane[:], carry = plane ^ carry, plane & carry


def join_row_plain(bits: Bits, row: int, other: int, width: int) -> None:
    """Add the bits of another row of so many words to a row."""
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


# --- vector IR


def _vector() -> Any:
    """A bit for each guess of a block."""
    return ir.VectorType(i64(), BLOCK)


def _full(bits: int) -> Any:
    """A vector whose words all are this one."""
    return ir.Constant(_vector(), [bits] * BLOCK)


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


def _overflow_vectors(planes: int) -> Any:
    """The intrinsic for counters of so many bits."""

    def overflow(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        sets, named, losers = data_of(context, builder, sig, args, 0, 2, 7)
        base = builder.gep(sets, [args[1]])
        depth, step = args[4], builder.mul(args[4], i64()(QUAD))
        counts = []
        for k in range(planes):
            bit = builder.trunc(builder.lshr(args[6], i64()(k)), i1())
            counts.append(splat(builder, builder.sext(bit, i64()), _vector()))

        def add_group(group: Any, values: Any) -> list[Any]:
            first = builder.add(args[3], builder.mul(group, step))
            separated = _separated(builder, base, named, first, i64()(QUAD), depth, QUAD)
            sums, lost = list(values[:-1]), values[-1]
            for one in separated:
                carry = builder.xor(one, _full(-1))
                for k in range(planes):
                    sums[k], carry = _half_added(builder, sums[k], carry)
                lost = builder.or_(lost, carry)
            return [*sums, lost]

        def any_alive(values: Any) -> Any:
            return _any_clear(builder, values[-1])

        begun = [*counts, load(builder, losers, _vector())]
        state = loop_while(builder, i64()(0), args[5], begun, add_group, any_alive)
        store(builder, state[-1], losers)
        return any_alive(state)

    return overflow


def _any_clear(builder: Any, lost: Any) -> Any:
    """Whether any bit of a vector is not set."""
    alive = builder.icmp_unsigned("!=", lost, _full(-1))
    found = bits_of(builder, alive, 64)
    return builder.icmp_unsigned("!=", found, found.type(0))


def _separated(
    builder: Any, base: Any, named: Any, first: Any, width: Any, depth: Any, members: int
) -> Any:
    """For so many members, the block of guesses that have any of their rows.

    The first row of each is named side by side from ``first`` on, and the next ones further on by
    ``width`` each.
    """

    def meet(at: Any, separated: Any) -> list[Any]:
        place = builder.add(first, builder.mul(at, width))
        after = []
        for k, one in enumerate(separated):
            row = _number(builder, named, builder.add(place, i64()(k)))
            after.append(builder.or_(one, _block_of(builder, base, row)))
        return after

    return loop(builder, i64()(0), depth, [_full(0)] * members, meet)


def _repeat_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    sets, named, sums, losers = data_of(context, builder, sig, args, 0, 2, 6, 7)
    base = builder.gep(sets, [args[1]])
    depth, step = args[4], builder.mul(args[4], i64()(QUAD))

    def join_group(group: Any, met: Any) -> list[Any]:
        first = builder.add(args[3], builder.mul(group, step))
        separated = _separated(builder, base, named, first, i64()(QUAD), depth, QUAD)
        return [builder.and_(one, two) for one, two in zip(met, separated, strict=True)]

    met = loop(builder, i64()(0), args[5], [_full(-1)] * QUAD, join_group)
    everyone = functools.reduce(builder.and_, met)
    carry = builder.xor(everyone, _full(-1))
    for k in range(REPEATS):
        plane = builder.gep(sums, [i64()(k * BLOCK)])
        total, carry = _half_added(builder, load(builder, plane, _vector()), carry)
        store(builder, total, plane)
    lost = builder.or_(load(builder, losers, _vector()), carry)
    store(builder, lost, losers)
    return _any_clear(builder, lost)


def _tally_lanes(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    sets, named, result = data_of(context, builder, sig, args, 0, 2, 6)
    base = builder.gep(sets, [args[1]])
    width, depth = args[3], args[4]

    def add_group(group: Any, sums: Any) -> list[Any]:
        first = builder.mul(group, i64()(GROUP))
        separated = _separated(builder, base, named, first, width, depth, GROUP)
        a, b, c, d, e, f, g = (builder.xor(one, _full(-1)) for one in separated)
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


def _differing_vectors(letters: int) -> Any:
    """The intrinsic for so many letters."""

    def differing(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        [memory] = data_of(context, builder, sig, args, 0)
        kind = ir.VectorType(context.get_data_type(sig.args[0].dtype), letters)
        mine, theirs = (
            load(builder, builder.gep(memory, [builder.mul(at, i64()(letters))]), kind)
            for at in args[1:]
        )
        nothing = ir.Constant(kind, [0] * letters)
        differ = builder.icmp_unsigned("!=", mine, theirs)
        both = builder.and_(
            builder.icmp_unsigned("!=", mine, nothing), builder.icmp_unsigned("!=", theirs, nothing)
        )
        elsewhere = bits_of(builder, builder.and_(differ, both), kind.element.width)
        alone = builder.xor(bits_of(builder, differ, kind.element.width), elsewhere)
        found = [
            (mask if letters == MOST_LETTERS else builder.zext(mask, i64()))
            for mask in (alone, elsewhere)
        ]
        return context.make_tuple(builder, sig.return_type, found)

    return differing


def _join_row(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    [sets] = data_of(context, builder, sig, args, 0)

    def join(block: Any, _: Any) -> list[Any]:
        here = builder.mul(block, i64()(BLOCK))
        target = builder.gep(sets, [builder.add(args[1], here)])
        source = builder.gep(sets, [builder.add(args[2], here)])
        both = builder.or_(load(builder, target, _vector()), load(builder, source, _vector()))
        store(builder, both, target)
        return []

    loop(builder, i64()(0), builder.udiv(args[3], i64()(BLOCK)), [], join)
    return context.get_dummy_value()


def _overflow_of(planes: int) -> _Overflow:
    return vector_step(_overflow_vectors(planes), _overflow_plain(planes))


#: By how many bits the counters have.
overflow_none, overflow_two = _overflow_of(0), _overflow_of(2)
overflow_four, overflow_six = _overflow_of(4), _overflow_of(6)
repeat_lanes = vector_step(_repeat_lanes, repeat_lanes_plain)
tally_lanes = vector_step(_tally_lanes, tally_lanes_plain)
join_row = vector_step(_join_row, join_row_plain)
differing, differing_most = (
    vector_step(_differing_vectors(letters), differing_plain) for letters in (LETTERS, MOST_LETTERS)
)
