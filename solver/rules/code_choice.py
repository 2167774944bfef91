"""The next guess by a one-step rule among all codes of a Mastermind board, graded on the way.

By the same rules and ties as ``grow_tree``, but without a matrix: memory grows with the
number of codes, not with its square (5x8 would have a matrix of 1 GB). That is why it stays
apart, and it is faster where there could be a matrix too. Five things make it so.

* Only representatives are looked at (see ``codes``), and never listed: a walk over the pegs of
  a guess, hole by hole, comes to them in order.
* Of colours that in a hole can no longer tell any candidates apart only one is tried.
* Guesses in order share their first pegs: the scores that those pegs alone contribute are kept,
  hole by hole, so that a guess costs one more peg, 64 candidates at a time.
* A split is not made, but its buckets are counted, a few scores at a time, and only until the
  guess cannot win any more. For most guesses the first few tell.
* Which scores are counted first is learned on the way: those that were the largest buckets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..game.codes import Alike, Codes, CodeSpace, Marks, Numbers, find_alike, is_lowest, rank
from ..machine.arrays import Ids
from ..machine.jit import kernel, noalloc, vector_step
from ..machine.vectors import (
    bits_of,
    data_of,
    first_bit,
    i1,
    i8,
    i64,
    ir,
    load,
    loop,
    loop_while,
    splat,
    store,
)
from ..splits.measures import NO_COST, Costs, Criterion

#: Candidates in a vector.
VECTOR_CODES = 64
#: Scores that are counted in one go.
TOGETHER = 4
#: The score of nobody: no peg is there, and no tally is more than what a guess had.
NOBODY = 255
#: In sets up to this size the candidates are tried before it is known which of them are alike.
CANDIDATES_FIRST = 128


class PegScratch(NamedTuple):
    """Memory for searches among the codes of a board, made once."""

    #: A byte for every code, zero between uses.
    marks: Marks
    #: The rows of the state at hand (see ``Layout``).
    rows: Codes
    #: All scores but that of a hit, and as many that there are not as make groups of ``TOGETHER``:
    #: in the order in which they are counted.
    scores: Codes


class CodeSearch(NamedTuple):
    """What stays the same while guesses are chosen among all codes of a board."""

    space: CodeSpace
    criterion: Criterion
    scratch: PegScratch


class BestCode(NamedTuple):
    """The best guess among the codes so far, -1 before there is one, and its cost."""

    guess: int
    cost: int


def peg_scratch(space: CodeSpace) -> PegScratch:
    """Memory for all searches by a rule in a code space."""
    n_codes, holes = space.codes.shape
    # of the first rows, one holds nothing, and one for each hole the scores after it
    n_rows = 1 + 2 * holes + space.n_colours
    pegs = [(black, white) for black in range(holes) for white in range(holes + 1 - black)]
    scores = [
        black * (holes + 1) + white for black, white in pegs if (black, white) != (holes - 1, 1)
    ]
    scores += [NOBODY - 1] * (-len(scores) % TOGETHER)
    return PegScratch(
        marks=np.zeros(n_codes, dtype=np.uint8),
        rows=np.zeros(n_rows * _padded(n_codes), dtype=np.uint8),
        scores=np.array(scores, dtype=np.uint8),
    )


def _padded(n: int) -> int:
    return -(-n // VECTOR_CODES) * VECTOR_CODES


# --- one state


@kernel
def best_code(search: CodeSearch, state: Ids) -> int:
    """A rule's cheapest guess in a state of codes; among equals a candidate, then the lowest."""
    n = len(state)
    if n <= 2:
        return int(state[0])
    criterion, marks = search.criterion, search.scratch.marks
    layout = lay_out(search.space.codes, search.space.n_colours, state, search.scratch.rows)
    best = BestCode(-1, NO_COST)
    if n <= CANDIDATES_FIRST or not criterion.from_pool:
        best = _cheapest_candidate(search, layout, state)
        if not criterion.from_pool or best.cost <= _floor(search, n, 0):
            return best.guess
    alike = find_alike(search.space, state, marks)
    if n > CANDIDATES_FIRST:
        for member in state:
            marks[member] = 1
        best = _cheapest_kind(search, layout, alike, True, best)
        for member in state:
            marks[member] = 0
        if best.cost <= _floor(search, n, 0):
            return best.guess
    return _cheapest_kind(search, layout, alike, False, best).guess


@kernel(inner=True)
def split_by_codes(search: CodeSearch, state: Ids, split: Ids) -> int:
    """Choose a guess by a rule among the codes for a state, and note its scores."""
    space = search.space
    codes, holes = space.codes, space.codes.shape[1]
    guess = best_code(search, state)
    if len(state) <= 2:
        for at in range(len(state)):
            split[at] = _grade(codes[guess], codes[state[at]])
        return guess
    layout = layout_of(holes, len(state))
    for hole in range(holes):
        _match(search.scratch.rows, layout, codes, guess, hole)
    for at in range(len(state)):
        split[at] = search.scratch.rows[holes * layout.width + at]
    return guess


@kernel(inner=True)
def _grade(code: Codes, other: Codes) -> int:
    """The score of one code against another."""
    black, common, taken = 0, 0, 0
    for hole in range(len(code)):
        black += int(code[hole] == other[hole])
        for there in range(len(code)):
            if code[hole] == other[there] and not taken >> there & 1:
                taken |= 1 << there
                common += 1
                break
    return black * len(code) + common


@kernel(inner=True)
def _floor(search: CodeSearch, n: int, own: int) -> int:
    """No guess costs less: candidates spread evenly over all scores; ``own`` is 1 for one of them.

    All scores: black and white pegs, but neither all black, nor one white and else black.
    """
    criterion, holes = search.criterion, search.space.codes.shape[1]
    scores = (holes + 1) * (holes + 2) // 2 - 2
    full, more = (n - own) // scores, (n - own) % scores
    if criterion.by_largest:
        return max(own, int(full + (more > 0)))
    spread = own * criterion.weights[1] + (scores - more) * criterion.weights[full]
    if more:
        spread += more * criterion.weights[full + 1]
    return int(spread)


# --- costs


@noalloc(inner=True, inline=True)
def _match(rows: Codes, layout: Layout, codes: Codes, guess: int, hole: int) -> None:
    """Write the scores of a code up to and including a hole, those before it being there."""
    colour, had = int(codes[guess, hole]), 0
    for other in range(hole):
        had += int(codes[guess, other] == colour)
    match_peg(rows, layout, hole, colour, had)


@noalloc(inner=True, inline=True)
def _first_winner(
    search: CodeSearch, layout: Layout, colours: int, used: Numbers, limit: int
) -> tuple[int, int]:
    """The first of ``colours`` as last peg that costs less than ``limit``, and its cost.

    -1 if there is none. Scores are counted a few at a time, until the cost is not below the limit:
    the first few for all colours together, more for those that these do not beat.
    """
    criterion, (_, rows, scores) = search.criterion, search.scratch
    weights = criterion.weights
    if criterion.by_largest:
        colours = unbeaten_by_largest(rows, layout, colours, used, scores, weights, limit)
    else:
        colours = unbeaten_by_sum(rows, layout, colours, used, scores, weights, limit)
    while colours != 0:
        colour = first_bit(np.uint64(colours))
        colours &= colours - 1
        paid, left, group, least = 0, layout.n, 0, 0
        while left > 0 and group < len(scores) and paid < limit:
            a, b, c, d = count_peg(rows, layout, colour, used[colour], scores, group)
            left -= a + b + c + d
            if criterion.by_largest:
                paid = max(paid, a, b, c, d)
            else:
                paid += int(weights[a] + weights[b] + weights[c] + weights[d])
            if group == 0:
                least = _largest_of(-a, -b, -c, -d)
            elif paid >= limit:  # the largest is to be counted sooner
                most = group + _largest_of(a, b, c, d)
                scores[least], scores[most] = scores[most], scores[least]
            group += TOGETHER
        if paid < limit and left > 0:  # what is left is the hit
            paid = max(paid, left) if criterion.by_largest else paid + int(weights[left])
        if paid < limit:
            return colour, paid
    return -1, limit


@noalloc(inner=True, inline=True)
def _largest_of(a: int, b: int, c: int, d: int) -> int:
    """The place of the largest of four numbers."""
    if max(a, b) >= max(c, d):
        return 0 if a >= b else 1
    return 2 if c >= d else 3


# --- guesses


@kernel(inner=True)
def _cheapest_candidate(search: CodeSearch, layout: Layout, state: Ids) -> BestCode:
    """The first cheapest of the candidates."""
    codes, criterion, rows = search.space.codes, search.criterion, search.scratch.rows
    n, last = layout.n, layout.holes - 1
    reward = n if criterion.candidate_bonus else 0
    floor = _floor(search, n, 1) - reward
    used = np.zeros(search.space.n_colours, dtype=np.int64)
    guess, cost = -1, NO_COST
    for number in range(n):
        member, hole = int(state[number]), 0
        if number > 0:  # what the first pegs come to is there if they are those of the last code
            while hole < last and codes[member, hole] == codes[state[number - 1], hole]:
                hole += 1
        while hole < last:
            _match(rows, layout, codes, member, hole)
            hole += 1
        used[:] = 0
        for hole in range(last):
            used[codes[member, hole]] += 1
        colours = 1 << int(codes[member, last])
        colour, paid = _first_winner(search, layout, colours, used, cost + reward)
        if colour >= 0:
            guess, cost = member, paid - reward
            if cost <= floor:
                break
    return BestCode(guess, cost)


@kernel(inner=True)
def _cheapest_kind(
    search: CodeSearch, layout: Layout, alike: Alike, candidates: bool, best: BestCode
) -> BestCode:
    """The first cheapest guess of all kinds if it costs less than the best so far, else that.

    Of each class the colours come in ascending order of first use; and no turn makes it lower.
    If only ``candidates`` are tried, they are marked. Else they are tried once more, in vain.
    """
    space, rows, holes = search.space, search.scratch.rows, layout.holes
    last = holes - 1
    floor = _floor(search, layout.n, int(candidates))
    if candidates and search.criterion.candidate_bonus:
        floor -= layout.n
    free, follower = _first_uses(alike)
    seen, most = _pegs_of_candidates(search, layout)
    code = np.zeros(holes, dtype=np.int64)
    used = np.zeros(space.n_colours, dtype=np.int64)
    spent = 0  # colours of which no candidate has more pegs than are used
    for colour in range(space.n_colours):
        spent |= int(most[colour] == 0) << colour
    # colours that a hole may have, and those of them that it has not had yet, as bits
    allowed, untried = np.zeros(holes, dtype=np.int64), np.zeros(holes, dtype=np.int64)
    allowed[0] = free
    untried[0] = free if space.distinct else _separating_colours(free, seen[0], spent)
    hole = 0
    while hole >= 0 and best.cost > floor:
        if hole == last:
            colours = untried[last]
            if candidates or len(alike.holes) > 0:
                colours = _worth_counting(search, alike, candidates, code, colours)
            best = _best_of(search, layout, candidates, code, used, colours, best)
            untried[last] = 0
        if untried[hole] == 0:
            hole -= 1
            if hole >= 0:
                colour = code[hole]
                used[colour] -= 1
                if used[colour] < most[colour]:
                    spent &= ~(1 << colour)
            continue
        colour = first_bit(np.uint64(untried[hole]))
        untried[hole] &= untried[hole] - 1
        code[hole] = colour
        match_peg(rows, layout, hole, colour, used[colour])
        used[colour] += 1
        if used[colour] >= most[colour]:
            spent |= 1 << colour
        hole += 1
        allowed[hole] = allowed[hole - 1] | follower[colour]
        if space.distinct:
            allowed[hole] &= ~(1 << colour)
            untried[hole] = allowed[hole]
        else:
            untried[hole] = _separating_colours(allowed[hole], seen[hole], spent)
    return best


@kernel(inner=True)
def _pegs_of_candidates(search: CodeSearch, layout: Layout) -> tuple[Numbers, Numbers]:
    """The colours that candidates have in each hole, as bits; and the most pegs of each colour."""
    rows, (n, width, places, tallies, holes) = search.scratch.rows, layout
    seen = np.zeros(holes, dtype=np.int64)
    most = np.zeros(search.space.n_colours, dtype=np.int64)
    for hole in range(holes):
        for at in range(n):
            seen[hole] |= 1 << rows[places + hole * width + at]
    for colour in range(len(most)):
        for at in range(n):
            most[colour] = max(most[colour], rows[tallies + colour * width + at])
    return seen, most


@noalloc(inner=True, inline=True)
def _separating_colours(allowed: int, seen: int, spent: int) -> int:
    """Of the colours for a hole those worth trying, as bits.

    A colour that is seen there in no candidate, and of which no candidate has more pegs than are
    used, adds nothing to any score, now or later: of all these the lowest stands for the others.
    """
    mute = allowed & ~seen & spent
    return allowed & ~(mute & (mute - 1))


@kernel(inner=True)
def _first_uses(alike: Alike) -> tuple[int, Numbers]:
    """Colours that may be used at once, and those that each one's use allows, as bits."""
    n_colours = len(alike.leader)
    free, follower = 0, np.zeros(n_colours, dtype=np.int64)
    for colour in range(n_colours):
        after = alike.after[colour]
        if after >= 0 and not alike.idle[after]:
            follower[colour] = 1 << after
        if alike.before[colour] < 0:
            free |= 1 << colour
    return free, follower


@kernel(inner=True)
def _worth_counting(
    search: CodeSearch, alike: Alike, candidates: bool, code: Numbers, colours: int
) -> int:
    """Of some last pegs those with which no turn is lower; and a candidate, if one must be."""
    space, marks, last = search.space, search.scratch.marks, len(code) - 1
    next_free = np.empty(space.n_colours, dtype=np.int64)
    name = np.empty(space.n_colours, dtype=np.int64)
    kept = 0
    while colours != 0:
        colour = first_bit(np.uint64(colours))
        colours &= colours - 1
        code[last] = colour
        if candidates and marks[rank(code, space.weights, space.distinct)] == 0:
            continue
        if len(alike.holes) == 0 or is_lowest(code, alike, next_free, name):
            kept |= 1 << colour
    return kept


@noalloc(inner=True, inline=True)
def _best_of(
    search: CodeSearch,
    layout: Layout,
    candidates: bool,
    code: Numbers,
    used: Numbers,
    colours: int,
    best: BestCode,
) -> BestCode:
    """The best guess so far, or with the first cheapest of the last pegs in question."""
    space, last = search.space, layout.holes - 1
    reward = layout.n if candidates and search.criterion.candidate_bonus else 0
    while colours != 0:
        colour, paid = _first_winner(search, layout, colours, used, best.cost + reward)
        if colour < 0:
            break
        code[last] = colour
        best = BestCode(rank(code, space.weights, space.distinct), paid - reward)
        colours &= -1 << (colour + 1)
    return best


# ---- The rows of a state, one behind the other in one array
#
# Behind the last candidate the scores are ``NOBODY``, which no guess can reach.


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
    width = -(-n // VECTOR_CODES) * VECTOR_CODES
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


# ---- Vector steps: pegs matched with candidates side by side, each with its plain twin

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
        colours: int,
        used: Numbers,
        scores: Codes,
        weights: Costs,
        limit: int,
    ) -> int:
        """Which of ``colours`` may cost less than ``limit`` as last peg, as bits.

        Looked at is what the first few of the scores cost: their largest bucket, or the sum of what
        ``weights`` say of their buckets. The guess has ``used`` so many pegs of each colour.
        """
        kept = 0
        for colour in range(len(used)):
            if colours >> colour & 1:
                counts = count_peg_plain(rows, layout, colour, int(used[colour]), scores, 0)
                cost = max(counts) if by_largest else sum(int(weights[count]) for count in counts)
                kept |= int(cost < limit) << colour
        return kept

    return unbeaten


# --- vector IR


def _vector() -> Any:
    return ir.VectorType(i8(), VECTOR_CODES)


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
        self.vectors = builder.udiv(self.width, i64()(VECTOR_CODES))
        self.worth = _spread(builder, holes)

    def tally(self, colour: Any) -> Any:
        """The row of a colour."""
        start = self.builder.add(self.tallies, self.builder.mul(colour, self.width))
        return self.builder.gep(self.memory, [start])

    def at(self, row: Any, number: Any) -> Any:
        """A vector of a row, by its number."""
        place = self.builder.gep(row, [self.builder.mul(number, i64()(VECTOR_CODES))])
        return load(self.builder, place, _vector())

    def after(self, rows: Sequence[Any], peg: Any) -> Any:
        """The scores after a peg, of scores before it, places and tallies; all are vectors."""
        builder, (before, place, tally), (colour, had) = self.builder, rows, peg
        nothing = ir.Constant(_vector(), [0] * VECTOR_CODES)
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
    more = [builder.ctpop(bits_of(builder, lanes, 8)) for lanes in same]
    return [builder.add(*both) for both in zip(found, more, strict=True)]


def _match_peg(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    [memory] = data_of(context, builder, sig, args, 0)
    table = _Rows(builder, memory, args[1], args[2])
    peg = [_spread(builder, value) for value in args[3:]]
    tally = table.tally(args[3])
    target = builder.gep(table.before, [table.width])

    def match(number: Any, _: Any) -> list[Any]:
        place = builder.gep(target, [builder.mul(number, i64()(VECTOR_CODES))])
        store(builder, table.all_after(number, tally, peg), place)
        return []

    loop(builder, i64()(0), table.vectors, [], match)
    return context.get_dummy_value()


def _last_rows(context: Any, builder: Any, sig: Any, args: Any) -> _Rows:
    """The rows that a last peg is matched with."""
    [memory] = data_of(context, builder, sig, args, 0)
    last = builder.sub(builder.extract_value(args[1], 4), i64()(1))
    return _Rows(builder, memory, args[1], last)


def _count_peg(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    table, [scores] = (
        _last_rows(context, builder, sig, args),
        data_of(context, builder, sig, args, 4),
    )
    wanted = _wanted(builder, scores, args[5])
    peg = [_spread(builder, value) for value in args[2:4]]
    tally = table.tally(args[2])

    def count(number: Any, found: Any) -> list[Any]:
        return _counted(builder, table.all_after(number, tally, peg), wanted, found)

    found = loop(builder, i64()(0), table.vectors, [i64()(0)] * TOGETHER, count)
    return context.make_tuple(builder, sig.return_type, found)


def _largest(builder: Any, counts: Any) -> Any:
    most, *others = counts
    for count in others:
        most = builder.select(builder.icmp_signed(">", count, most), count, most)
    return most


def _unbeaten(by_largest: bool) -> Any:
    """The intrinsic for costs that are the largest bucket, or sums over the buckets."""

    def unbeaten(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pegs, named, priced = data_of(context, builder, sig, args, 3, 4, 5)
        table, bar = _last_rows(context, builder, sig, args), args[6]
        wanted, zero = _wanted(builder, named, i64()(0)), i64()(0)

        def cost(counts: Any) -> Any:
            if by_largest:
                return _largest(builder, counts)
            paid = [builder.load(builder.gep(priced, [count])) for count in counts]
            return builder.add(builder.add(*paid[:2]), builder.add(*paid[2:]))

        def check(count: Any) -> Any:
            """Go through the colours; ``count`` has the counts of each."""

            def check_next(_: Any, values: Any) -> list[Any]:
                left, kept = values
                colour = builder.cttz(left, i1()(1))
                lowest = builder.and_(left, builder.sub(zero, left))
                had = builder.load(builder.gep(pegs, [colour]))
                peg = [_spread(builder, colour), _spread(builder, had)]
                paid = cost(count(table.tally(colour), peg))
                stays = builder.select(builder.icmp_signed("<", paid, bar), lowest, zero)
                return [builder.xor(left, lowest), builder.or_(kept, stays)]

            return loop(builder, zero, builder.ctpop(args[2]), [args[2], zero], check_next)[1]

        def check_few() -> Any:
            """All candidates are in one vector, which is loaded but once."""
            same = [table.at(row, zero) for row in (table.before, table.place)]

            def count(tally: Any, peg: Any) -> list[Any]:
                after = table.after([*same, table.at(tally, zero)], peg)
                return _counted(builder, after, wanted, [zero] * TOGETHER)

            return check(count)

        def check_many() -> Any:
            """Vector by vector, until the guess is beaten."""

            def count(tally: Any, peg: Any) -> Any:
                def count_vector(number: Any, found: Any) -> list[Any]:
                    return _counted(builder, table.all_after(number, tally, peg), wanted, found)

                def goes_on(found: Any) -> Any:
                    return builder.icmp_signed("<", cost(found), bar)

                none = [zero] * TOGETHER
                return loop_while(builder, zero, table.vectors, none, count_vector, goes_on)

            return check(count)

        few = builder.icmp_signed("==", table.vectors, i64()(1))
        with builder.if_else(few) as (then, otherwise):
            with then:
                of_few, after_few = check_few(), builder.block
            with otherwise:
                of_many, after_many = check_many(), builder.block
        result = builder.phi(i64())
        result.add_incoming(of_few, after_few)
        result.add_incoming(of_many, after_many)
        return result

    return unbeaten


def _unbeaten_of(by_largest: bool) -> _Unbeaten:
    return vector_step(_unbeaten(by_largest), _unbeaten_plain(by_largest))


match_peg = vector_step(_match_peg, match_peg_plain)
count_peg = vector_step(_count_peg, count_peg_plain)
unbeaten_by_largest, unbeaten_by_sum = _unbeaten_of(True), _unbeaten_of(False)
