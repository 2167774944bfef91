"""Vector steps of Mastermind: one more peg of a guess against 64 candidates in a vector.

The rows of a state lie one behind the other in one array (see ``Layout``). Behind the last
candidate the scores are ``NOBODY``, which no guess can reach.

As in ``vector_steps``, what is written here is generic vector IR, and with ``NUMBA_DISABLE_JIT=1``
the plain twins take its place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..game.packed_codes import Codes, Numbers
from ..machine.jit import kernel, vector_step
from ..machine.rows import Ids
from ..machine.vector_ir import (
    i1,
    i8,
    i64,
    ir,
    load,
    loop,
    loop_while,
    splat,
    store,
    types,
)
from .logarithms import Costs

#: Candidates in a vector.
LANES = 64
#: Scores that are counted in one go.
TOGETHER = 4
#: The score of nobody: no peg is there, and no tally is more than what a guess had.
NOBODY = 255


class Layout(NamedTuple):
    """Where the rows of a state of codes begin, which have a byte for each candidate.

    The first has the scores before the first peg of a guess, which are nothing; the next ``holes``
    rows have those after each of its pegs.
    """

    #: Candidates.
    n: int
    #: Bytes in a row, whole vectors.
    width: int
    #: The first of ``holes`` rows: the candidates' pegs in each hole.
    places: int
    #: The first of as many rows as there are colours: how many pegs of each.
    tallies: int
    #: Which is what a peg in place is worth, too.
    holes: int


@kernel(inner=True)
def layout_of(holes: int, n: int) -> Layout:
    """Where the rows of so many candidates begin that are split by pegs in vectors."""
    width = -(-n // LANES) * LANES
    return Layout(n, width, (1 + holes) * width, (1 + 2 * holes) * width, holes)


@kernel(inner=True)
def lay_out(codes: Codes, n_colours: int, state: Ids, rows: Codes) -> Layout:
    """Write rows of codes to split by pegs in vectors: pegs, tallies, scores before the first."""
    layout = layout_of(codes.shape[1], len(state))
    n, width, places, tallies, holes = layout
    rows[:n] = 0
    rows[n:width] = NOBODY
    rows[tallies : tallies + n_colours * width] = 0
    for hole in range(holes):
        place = places + hole * width
        rows[place + n : place + width] = NOBODY
        for at in range(n):
            peg = codes[state[at], hole]
            rows[place + at] = peg
            rows[tallies + int(peg) * width + at] += 1
    return layout


_Unbeaten = Callable[[Codes, Layout, int, Numbers, Codes, Costs, int], int]


def _after(rows: Codes, layout: Layout, hole: int, colour: int, had: int) -> Codes:
    """The scores after a peg more."""
    _, width, places, tallies, holes = layout
    starts = hole * width, places + hole * width, tallies + colour * width
    before, place, tally = (rows[start : start + width] for start in starts)
    in_place = np.uint8(holes) * (place == colour).astype(np.uint8)
    after: Codes = before + in_place + (tally > had).astype(np.uint8)
    return after


def match_peg_plain(rows: Codes, layout: Layout, hole: int, colour: int, had: int) -> None:
    """Write the scores after the peg in a hole; the guess ``had`` so many pegs of its colour."""
    after = (hole + 1) * layout.width
    rows[after : after + layout.width] = _after(rows, layout, hole, colour, had)


def count_peg_plain(
    rows: Codes, layout: Layout, colour: int, had: int, scores: Codes, first: int
) -> tuple[int, int, int, int]:
    """How many candidates have each of four scores after the last peg, from ``first`` on."""
    after = _after(rows, layout, layout.holes - 1, colour, had)
    one, two, three, four = (
        int((after == score).sum()) for score in scores[first : first + TOGETHER]
    )
    return one, two, three, four


def _unbeaten_plain(by_largest: bool) -> _Unbeaten:
    def unbeaten(
        rows: Codes,
        layout: Layout,
        asked: int,
        used: Numbers,
        scores: Codes,
        weights: Costs,
        limit: int,
    ) -> int:
        """Which of the colours asked may cost less than ``limit`` as last peg, as bits.

        Looked at is what the first few of the scores cost: their largest bucket, or the sum of what
        ``weights`` say of their buckets. The guess has ``used`` so many pegs of each colour.
        """
        kept = 0
        for colour in range(len(used)):
            if asked >> colour & 1:
                counts = count_peg_plain(rows, layout, colour, int(used[colour]), scores, 0)
                cost = max(counts) if by_largest else sum(int(weights[count]) for count in counts)
                kept |= int(cost < limit) << colour
        return kept

    return unbeaten


# --- vector IR ----------------------------------------------------------------------------


def _vector() -> Any:
    return ir.VectorType(i8(), LANES)


def _data(context: Any, builder: Any, array: Any, value: Any) -> Any:
    """The address of an array's first element."""
    return context.make_array(array)(context, builder, value).data


def _spread(builder: Any, number: Any) -> Any:
    """A number in every lane."""
    return splat(builder, builder.trunc(number, i8()), _vector())


class _Rows:
    """The rows that the peg in a hole is matched with, and how."""

    def __init__(self, builder: Any, memory: Any, layout: Any, hole: Any) -> None:
        _, self.width, places, self.tallies, holes = (
            builder.extract_value(layout, k) for k in range(5)
        )
        self.builder, self.memory = builder, memory
        start = builder.mul(hole, self.width)
        self.before = builder.gep(memory, [start])
        self.place = builder.gep(memory, [builder.add(places, start)])
        self.vectors = builder.udiv(self.width, i64()(LANES))
        self.worth = _spread(builder, holes)

    def tally(self, colour: Any) -> Any:
        """The row of a colour."""
        start = self.builder.add(self.tallies, self.builder.mul(colour, self.width))
        return self.builder.gep(self.memory, [start])

    def at(self, row: Any, number: Any) -> Any:
        """A vector of a row, by its number."""
        place = self.builder.gep(row, [self.builder.mul(number, i64()(LANES))])
        return load(self.builder, place, _vector())

    def after(self, rows: Sequence[Any], peg: Any) -> Any:
        """The scores after a peg, of scores before it, places and tallies; all are vectors."""
        builder, (before, place, tally), (colour, had) = self.builder, rows, peg
        nothing = ir.Constant(_vector(), [0] * LANES)
        in_place = builder.select(builder.icmp_unsigned("==", place, colour), self.worth, nothing)
        more = builder.sext(builder.icmp_unsigned(">", tally, had), _vector())
        return builder.sub(builder.add(before, in_place), more)

    def all_after(self, number: Any, tally: Any, peg: Any) -> Any:
        """The same for one vector of each row."""
        return self.after([self.at(row, number) for row in (self.before, self.place, tally)], peg)


def _wanted(builder: Any, scores: Any, first: Any) -> list[Any]:
    """The scores that are counted in one go, each in every lane."""
    places = [builder.gep(scores, [builder.add(first, i64()(k))]) for k in range(TOGETHER)]
    return [splat(builder, builder.load(place), _vector()) for place in places]


def _counted(builder: Any, after: Any, wanted: Any, found: Any) -> list[Any]:
    """The counts, with those of a vector of scores."""
    same = [builder.icmp_unsigned("==", after, score) for score in wanted]
    more = [builder.ctpop(builder.bitcast(lanes, i64())) for lanes in same]
    return [builder.add(*both) for both in zip(found, more, strict=True)]


def _match_peg(typing: Any, rows: Any, layout: Any, hole: Any, colour: Any, had: Any) -> Any:
    number = types.int64
    signature = types.void(rows, layout, number, number, number)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        table = _Rows(builder, _data(context, builder, sig.args[0], args[0]), args[1], args[2])
        peg = [_spread(builder, value) for value in args[3:]]
        tally = table.tally(args[3])
        target = builder.gep(table.before, [table.width])

        def match(number: Any, _: Any) -> list[Any]:
            place = builder.gep(target, [builder.mul(number, i64()(LANES))])
            store(builder, table.all_after(number, tally, peg), place)
            return []

        loop(builder, i64()(0), table.vectors, [], match)
        return context.get_dummy_value()

    return signature, generate


def _last_rows(context: Any, builder: Any, sig: Any, args: Any) -> _Rows:
    """The rows that a last peg is matched with."""
    last = builder.sub(builder.extract_value(args[1], 4), i64()(1))
    return _Rows(builder, _data(context, builder, sig.args[0], args[0]), args[1], last)


def _count_peg(
    typing: Any, rows: Any, layout: Any, colour: Any, had: Any, scores: Any, first: Any
) -> Any:
    number = types.int64
    counts = types.UniTuple(number, TOGETHER)
    signature = counts(rows, layout, number, number, scores, number)

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        table = _last_rows(context, builder, sig, args)
        wanted = _wanted(builder, _data(context, builder, sig.args[4], args[4]), args[5])
        peg = [_spread(builder, value) for value in args[2:4]]
        tally = table.tally(args[2])

        def count(number: Any, found: Any) -> list[Any]:
            return _counted(builder, table.all_after(number, tally, peg), wanted, found)

        found = loop(builder, i64()(0), table.vectors, [i64()(0)] * TOGETHER, count)
        return context.make_tuple(builder, sig.return_type, found)

    return signature, generate


def _largest(builder: Any, counts: Any) -> Any:
    most, *others = counts
    for count in others:
        most = builder.select(builder.icmp_signed(">", count, most), count, most)
    return most


def _unbeaten(by_largest: bool) -> Any:
    """The intrinsic for costs that are the largest bucket, or sums over the buckets."""

    def unbeaten(
        typing: Any,
        rows: Any,
        layout: Any,
        asked: Any,
        used: Any,
        scores: Any,
        weights: Any,
        limit: Any,
    ) -> Any:
        number = types.int64
        signature = number(rows, layout, number, used, scores, weights, number)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            pegs, named, priced = (_data(context, builder, sig.args[k], args[k]) for k in (3, 4, 5))
            table, bar = _last_rows(context, builder, sig, args), args[6]
            wanted, zero = _wanted(builder, named, i64()(0)), i64()(0)

            def cost(counts: Any) -> Any:
                if by_largest:
                    return _largest(builder, counts)
                paid = [builder.load(builder.gep(priced, [count])) for count in counts]
                return builder.add(builder.add(*paid[:2]), builder.add(*paid[2:]))

            def ask(count: Any) -> Any:
                """Go through the colours asked; ``count`` has the counts of each."""

                def ask_next(_: Any, values: Any) -> list[Any]:
                    left, kept = values
                    colour = builder.cttz(left, i1()(1))
                    lowest = builder.and_(left, builder.sub(zero, left))
                    had = builder.load(builder.gep(pegs, [colour]))
                    peg = [_spread(builder, colour), _spread(builder, had)]
                    paid = cost(count(table.tally(colour), peg))
                    stays = builder.select(builder.icmp_signed("<", paid, bar), lowest, zero)
                    return [builder.xor(left, lowest), builder.or_(kept, stays)]

                return loop(builder, zero, builder.ctpop(args[2]), [args[2], zero], ask_next)[1]

            def ask_few() -> Any:
                """All candidates are in one vector, which is loaded but once."""
                same = [table.at(row, zero) for row in (table.before, table.place)]

                def count(tally: Any, peg: Any) -> list[Any]:
                    after = table.after([*same, table.at(tally, zero)], peg)
                    return _counted(builder, after, wanted, [zero] * TOGETHER)

                return ask(count)

            def ask_many() -> Any:
                """Vector by vector, until the guess is beaten."""

                def count(tally: Any, peg: Any) -> Any:
                    def count_vector(number: Any, found: Any) -> list[Any]:
                        return _counted(builder, table.all_after(number, tally, peg), wanted, found)

                    def goes_on(found: Any) -> Any:
                        return builder.icmp_signed("<", cost(found), bar)

                    none = [zero] * TOGETHER
                    return loop_while(builder, zero, table.vectors, none, count_vector, goes_on)

                return ask(count)

            few = builder.icmp_signed("==", table.vectors, i64()(1))
            with builder.if_else(few) as (then, otherwise):
                with then:
                    of_few, after_few = ask_few(), builder.block
                with otherwise:
                    of_many, after_many = ask_many(), builder.block
            result = builder.phi(i64())
            result.add_incoming(of_few, after_few)
            result.add_incoming(of_many, after_many)
            return result

        return signature, generate

    return unbeaten


def _unbeaten_of(by_largest: bool) -> _Unbeaten:
    return vector_step(_unbeaten(by_largest), _unbeaten_plain(by_largest))


match_peg = vector_step(_match_peg, match_peg_plain)
count_peg = vector_step(_count_peg, count_peg_plain)
unbeaten_by_largest, unbeaten_by_sum = _unbeaten_of(True), _unbeaten_of(False)
