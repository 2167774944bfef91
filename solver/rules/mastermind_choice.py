"""The next guess by a one-step rule among all codes of a Mastermind board, graded on the way.

By the same rules and ties as ``matrix_choice``, but without a matrix: memory grows with the number
of codes, not with its square (5x8 would have a matrix of 1 GB). That is why it stays apart, and it
is faster where there could be a matrix too (``./tools/bench mastermind`` shows both). Five things
make it so.

* Only representatives are looked at (see ``symmetry``), and never listed: a walk over the pegs of a
  guess, hole by hole, comes to them in order.
* Of colours that in a hole can no longer tell any candidates apart only one is tried.
* Guesses in order share their first pegs: the scores that those pegs alone contribute are kept,
  hole by hole, so that a guess costs one more peg, 64 candidates at a time (see ``peg_lanes``).
* A split is not made, but its buckets are counted, a few scores at a time, and only until the guess
  cannot win any more. For most guesses the first few tell.
* Which scores are asked for first is learned on the way: those that were the largest buckets.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..game.packed_codes import Codes, CodeSpace, Numbers, rank
from ..game.symmetry import Alike, Marks, find_alike, is_lowest
from ..machine.jit import kernel, lean
from ..machine.rows import Ids
from ..machine.vector_steps import first_bit
from ..splits.peg_lanes import (
    LANES,
    NOBODY,
    TOGETHER,
    Layout,
    count_peg,
    lay_out,
    layout_of,
    match_peg,
    unbeaten_by_largest,
    unbeaten_by_sum,
)
from .split_cost import NO_COST, Criterion

#: In sets up to this size the candidates are asked before it is known which of them are alike.
FEW = 128


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
    return -(-n // LANES) * LANES


# --- one state ----------------------------------------------------------------------------


@kernel
def best_code(search: CodeSearch, state: Ids) -> int:
    """A rule's cheapest guess in a state of codes; among equals a candidate, then the lowest."""
    n = len(state)
    if n <= 2:
        return int(state[0])
    criterion, marks = search.criterion, search.scratch.marks
    layout = lay_out(search.space.codes, search.space.n_colours, state, search.scratch.rows)
    best = BestCode(-1, NO_COST)
    if n <= FEW or not criterion.from_pool:
        best = _cheapest_candidate(search, layout, state)
        if not criterion.from_pool or best.cost <= _floor(search, n, 0):
            return best.guess
    alike = find_alike(search.space, state, marks)
    if n > FEW:
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


# --- costs --------------------------------------------------------------------------------


@lean(inner=True, inline=True)
def _match(rows: Codes, layout: Layout, codes: Codes, guess: int, hole: int) -> None:
    """Write the scores of a code up to and including a hole, those before it being there."""
    colour, had = int(codes[guess, hole]), 0
    for other in range(hole):
        had += int(codes[guess, other] == colour)
    match_peg(rows, layout, hole, colour, had)


@lean(inner=True, inline=True)
def _first_winner(
    search: CodeSearch, layout: Layout, asked: int, used: Numbers, limit: int
) -> tuple[int, int]:
    """The first of the colours asked as last peg that costs less than ``limit``, and its cost.

    -1 if there is none. Scores are counted a few at a time, until the cost is not below the limit:
    the first few for all colours together, more for those that these do not beat.
    """
    criterion, (_, rows, scores) = search.criterion, search.scratch
    weights = criterion.weights
    if criterion.by_largest:
        asked = unbeaten_by_largest(rows, layout, asked, used, scores, weights, limit)
    else:
        asked = unbeaten_by_sum(rows, layout, asked, used, scores, weights, limit)
    while asked != 0:
        colour = first_bit(np.uint64(asked))
        asked &= asked - 1
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


@lean(inner=True, inline=True)
def _largest_of(a: int, b: int, c: int, d: int) -> int:
    """The place of the largest of four numbers."""
    if max(a, b) >= max(c, d):
        return 0 if a >= b else 1
    return 2 if c >= d else 3


# --- guesses ------------------------------------------------------------------------------


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
        asked = 1 << int(codes[member, last])
        colour, paid = _first_winner(search, layout, asked, used, cost + reward)
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
    If only ``candidates`` are asked, they are marked. Else they are asked once more, in vain.
    """
    space, rows, holes = search.space, search.scratch.rows, layout.holes
    last = holes - 1
    floor = _floor(search, layout.n, int(candidates))
    if candidates and search.criterion.candidate_bonus:
        floor -= layout.n
    free, follower = _first_uses(alike)
    seen, most = _where_pegs_tell(search, layout)
    code = np.zeros(holes, dtype=np.int64)
    used = np.zeros(space.n_colours, dtype=np.int64)
    spent = 0  # colours of which no candidate has more pegs than are used
    for colour in range(space.n_colours):
        spent |= int(most[colour] == 0) << colour
    # colours that a hole may have, and those of them that it has not had yet, as bits
    allowed, untried = np.zeros(holes, dtype=np.int64), np.zeros(holes, dtype=np.int64)
    allowed[0] = free
    untried[0] = free if space.distinct else _told_apart(free, seen[0], spent)
    hole = 0
    while hole >= 0 and best.cost > floor:
        if hole == last:
            asked = untried[last]
            if candidates or len(alike.holes) > 0:
                asked = _worth_asking(search, alike, candidates, code, asked)
            best = _best_of(search, layout, candidates, code, used, asked, best)
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
            untried[hole] = _told_apart(allowed[hole], seen[hole], spent)
    return best


@kernel(inner=True)
def _where_pegs_tell(search: CodeSearch, layout: Layout) -> tuple[Numbers, Numbers]:
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


@lean(inner=True, inline=True)
def _told_apart(allowed: int, seen: int, spent: int) -> int:
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
def _worth_asking(
    search: CodeSearch, alike: Alike, candidates: bool, code: Numbers, asked: int
) -> int:
    """Of the last pegs asked those with which no turn is lower; and a candidate, if one must be."""
    space, marks, last = search.space, search.scratch.marks, len(code) - 1
    next_free = np.empty(space.n_colours, dtype=np.int64)
    name = np.empty(space.n_colours, dtype=np.int64)
    kept = 0
    while asked != 0:
        colour = first_bit(np.uint64(asked))
        asked &= asked - 1
        code[last] = colour
        if candidates and marks[rank(code, space.weights, space.distinct)] == 0:
            continue
        if len(alike.holes) == 0 or is_lowest(code, alike, next_free, name):
            kept |= 1 << colour
    return kept


@lean(inner=True, inline=True)
def _best_of(
    search: CodeSearch,
    layout: Layout,
    candidates: bool,
    code: Numbers,
    used: Numbers,
    asked: int,
    best: BestCode,
) -> BestCode:
    """The best guess so far, or with the first cheapest of the last pegs asked."""
    space, last = search.space, layout.holes - 1
    reward = layout.n if candidates and search.criterion.candidate_bonus else 0
    while asked != 0:
        colour, paid = _first_winner(search, layout, asked, used, best.cost + reward)
        if colour < 0:
            break
        code[last] = colour
        best = BestCode(rank(code, space.weights, space.distinct), paid - reward)
        asked &= -1 << (colour + 1)
    return best
