"""Mastermind codes for kernels: packed, ranked and graded; and guesses that symmetry makes equal.

A code is a row of small numbers, and a *table* of codes is held twice: hole by hole and colour by
colour, so that one code is graded against many neighbours of a table with a few vector operations.

Black pegs are the holes that agree. Black and white pegs together are, summed over the colours, the
smaller of the two numbers of pegs of that colour. So with ``h`` holes the score
``black * (h + 1) + white`` is ``black * h`` plus that sum, and no step asks which peg is which.

The sum can be built up peg by peg: a further peg of a colour is matched where a code of the table
has more pegs of that colour than the guess had so far. So guesses in ascending order share work:
what the first pegs contribute is kept, and only from the first peg on that differs is added again.
"""

from __future__ import annotations

from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids, are_same, copy_into
from ..machine.jit import kernel

Codes = NDArray[np.uint8]
Numbers = NDArray[np.int64]


class CodeSpace(NamedTuple):
    """All codes of a board in ascending order: the rank of a code is its position."""

    #: The pegs of each code, as numbers of colours.
    codes: Codes
    n_colours: int
    #: Whether a colour may be used but once.
    distinct: bool
    #: How many codes share the pegs up to and including each hole.
    weights: Numbers
    #: Permutations of the holes are worth trying from this many candidates on.
    turns_from: int


@kernel
def rank(code: Codes | Numbers, weights: Numbers, distinct: bool) -> int:
    """The position of a Mastermind code among all codes in order."""
    position = 0
    for hole in range(len(code)):
        digit = np.int64(code[hole])
        if distinct:  # the colours before this hole are no longer there to be counted
            for earlier in range(hole):
                digit -= np.int64(code[earlier] < code[hole])
        position += digit * weights[hole]
    return position


def grade_all(codes: Codes, table: Codes, n_colours: int) -> Codes:
    """The scores of all ``codes`` (rows) against all codes of ``table`` (columns)."""
    places, tallies = codes_by_hole(table, n_colours)
    scores = np.empty((len(codes), len(table)), dtype=np.uint8)
    grade_codes(codes, places, tallies, scores)
    return scores


def codes_by_hole(codes: Codes, n_colours: int) -> tuple[Codes, Codes]:
    """The codes hole by hole, ``places[hole, code]``, and colour by colour, ``tallies``."""
    places = np.empty((codes.shape[1], len(codes)), dtype=np.uint8)
    tallies = np.empty((n_colours, len(codes)), dtype=np.uint8)
    fill_places(codes, np.arange(len(codes), dtype=np.int32), places)
    fill_tallies(places, len(codes), tallies)
    return places, tallies


@kernel
def fill_places(codes: Codes, ids: Ids, places: Codes) -> None:
    """Write out packed Mastermind codes by holes: ``places[hole, k]`` is of code ``ids[k]``."""
    for k in range(len(ids)):
        for hole in range(codes.shape[1]):
            places[hole, k] = codes[ids[k], hole]


@kernel
def fill_tallies(places: Codes, count: int, tallies: Codes) -> None:
    """Tally the packed codes of a game: ``tallies[colour, k]``, pegs of a colour in code ``k``."""
    for colour in range(tallies.shape[0]):
        tally = tallies[colour, :count]
        tally[:] = 0
        for hole in range(places.shape[0]):
            place = places[hole, :count]
            for k in range(count):
                tally[k] += np.uint8(place[k] == colour)


@kernel(inner=True)
def add_to_packed_scores(
    before: Codes, place: Codes, tally: Codes, colour: int, earlier: int, worth: int, after: Codes
) -> None:
    """Write the scores against many packed codes once a guess in Mastermind has one more peg.

    ``place`` and ``tally`` are the codes' pegs in its hole and of its colour, ``earlier`` the pegs
    of that colour that the guess had already: another one is matched where a code has more.
    """
    peg, had, black = np.uint8(colour), np.uint8(earlier), np.uint8(worth)
    for k in range(len(after)):
        in_place = black if place[k] == peg else np.uint8(0)
        after[k] = before[k] + in_place + np.uint8(tally[k] > had)


@kernel(inner=True)
def score_against_packed(
    code: Codes, known: int, places: Codes, tallies: Codes, start: int, partial: Codes, row: Codes
) -> None:
    """Score a code in Mastermind against as many packed codes, from ``start`` on, as ``row`` holds.

    ``partial[hole]`` holds the scores of the pegs before a hole; they are right up to ``known``,
    which is how many first pegs this code shares with the last one. ``partial[0]`` is zero.
    """
    holes = len(code)
    end = start + len(row)
    for hole in range(known, holes):
        colour = code[hole]
        earlier = 0
        for other in range(hole):
            earlier += int(code[other] == colour)
        add_to_packed_scores(
            partial[hole, : len(row)],
            places[hole, start:end],
            tallies[colour, start:end],
            colour,
            earlier,
            holes,
            partial[hole + 1, : len(row)] if hole + 1 < holes else row,
        )


@kernel(inner=True)
def shared_pegs(code: Codes, other: Codes) -> int:
    """How many first pegs two Mastermind codes share, the last hole left out."""
    hole = 0
    while hole < len(code) - 1 and code[hole] == other[hole]:
        hole += 1
    return hole


@kernel
def grade_codes(codes: Codes, places: Codes, tallies: Codes, scores: Codes) -> None:
    """The scores of Mastermind codes, by stretches that stay in the nearest cache."""
    width = scores.shape[1]
    stretch = 4096
    partial = np.zeros((codes.shape[1], stretch), dtype=np.uint8)
    for start in range(0, width, stretch):
        end = min(width, start + stretch)
        for at in range(len(codes)):
            known = shared_pegs(codes[at], codes[at - 1]) if at else 0
            score_against_packed(
                codes[at], known, places, tallies, start, partial, scores[at, start:end]
            )


# ---- Symmetry: the guesses worth a look, one of each kind that a state cannot tell apart
#
# Swap two colours that the history treats alike, or two holes, and every guess turns into another
# one with the same split up to the order of its buckets. So only the lowest guess of each such kind
# is a *representative*. Every one-step rule is blind to the difference, and ties go to the lowest
# guess anyway: leaving out the others changes no result.
#
# What is interchangeable is read from the candidates alone. They are what the history has left, so
# whatever the history treats alike (a colour not tried yet, a colour ruled out, two holes that were
# always filled alike) shows in them, and so does what only several answers together make alike:
#
# * two colours are of one *class* if swapping them maps the candidates onto themselves;
# * of the colours that no candidate has, only the lowest is used at all: they only fill holes;
# * a *turn* permutes holes and colours at once and maps the candidates onto themselves.
#
# Missing a turn costs time, never the result, as the lowest guess of a kind is not above its image
# under any map. That is why turns are sought only where looking for them can pay.

Marks = NDArray[np.uint8]

#: Turns used for one state; more are not worth comparing every guess with.
MOST_TURNS = 1024
#: Permutations of the holes are tried up to this many.
MOST_ORDERS = factorial(7)


class Alike(NamedTuple):
    """The colours and holes that a set of candidates leaves interchangeable."""

    #: The lowest colour of the class that a colour belongs to.
    leader: Numbers
    #: The next lower colour of the class; -1 for the lowest.
    before: Numbers
    #: The next higher colour of the class; -1 for the highest.
    after: Numbers
    #: Whether a colour need not be used at all.
    idle: NDArray[np.bool_]
    #: A turn makes, of ``code``, the code with ``paint[code[holes[p]]]`` in hole ``p``.
    holes: Numbers
    paint: Numbers


def turns_pay_from(holes: int) -> int:
    """How many candidates it takes until looking for turns of so many holes can pay."""
    orders = factorial(holes)
    return orders if orders <= MOST_ORDERS else 1 << 40


def representatives(space: CodeSpace, candidates: Ids) -> Ids:
    """The lowest Mastermind guess of each kind that a state cannot tell apart, ascending."""
    marks = np.zeros(len(space.codes), dtype=np.uint8)
    places = np.empty((space.codes.shape[1], len(space.codes)), dtype=np.uint8)
    count = list_representatives(find_alike(space, candidates, marks), space.distinct, places)
    codes = np.ascontiguousarray(places[:, :count].T)
    found = [rank(code, space.weights, space.distinct) for code in codes]
    return np.array(found, dtype=np.int32)


@kernel
def find_alike(space: CodeSpace, members: Ids, marks: Marks) -> Alike:
    """The symmetry of some candidates: classes of colours and turns that they do not tell apart.

    ``marks`` has a byte for every code, all zero before and after.
    """
    n_colours = space.n_colours
    for member in members:
        marks[member] = 1
    pegs = _count_pegs(space.codes, members, n_colours)
    leader, before, after = _find_classes(space, members, pegs, marks)
    idle = np.zeros(n_colours, dtype=np.bool_)
    if not space.distinct:
        for colour in range(n_colours):
            idle[colour] = before[colour] >= 0 and pegs[:, colour].sum() == 0
    if len(members) >= space.turns_from:
        holes, paint = _find_turns(space, members, pegs, leader, after, marks)
    else:
        holes = np.empty((0, space.codes.shape[1]), dtype=np.int64)
        paint = np.empty((0, n_colours), dtype=np.int64)
    for member in members:
        marks[member] = 0
    return Alike(leader, before, after, idle, holes, paint)


@kernel(inner=True)
def _count_pegs(codes: Codes, members: Ids, n_colours: int) -> Numbers:
    """``pegs[hole, colour]``: in how many candidates."""
    pegs = np.zeros((codes.shape[1], n_colours), dtype=np.int64)
    for member in members:
        for hole in range(codes.shape[1]):
            pegs[hole, codes[member, hole]] += 1
    return pegs


@kernel(inner=True)
def _find_classes(
    space: CodeSpace, members: Ids, pegs: Numbers, marks: Marks
) -> tuple[Numbers, Numbers, Numbers]:
    """The classes of colours, as in ``Alike``.

    Swaps generate all permutations of a class, so it is enough to swap a colour with the leader.
    """
    n_colours = pegs.shape[1]
    identity = np.arange(space.codes.shape[1])
    paint = np.arange(n_colours)
    leader = np.arange(n_colours)
    before = np.full(n_colours, -1)
    after = np.full(n_colours, -1)
    for first in range(n_colours):
        if leader[first] != first:
            continue
        last = first
        for other in range(first + 1, n_colours):
            if leader[other] != other or not are_same(pegs[:, first], pegs[:, other]):
                continue
            paint[first], paint[other] = other, first
            if _maps_onto_itself(space, members, identity, paint, marks):
                leader[other] = first
                before[other] = last
                after[last] = other
                last = other
            paint[first], paint[other] = first, other
    return leader, before, after


@kernel(inner=True)
def _maps_onto_itself(
    space: CodeSpace, members: Ids, holes: Numbers, paint: Numbers, marks: Marks
) -> bool:
    """Whether every turned candidate is a candidate."""
    if len(members) == len(marks):
        return True
    turned = np.empty(len(holes), dtype=np.uint8)
    for member in members:
        for hole in range(len(holes)):
            turned[hole] = paint[space.codes[member, holes[hole]]]
        if marks[rank(turned, space.weights, space.distinct)] == 0:
            return False
    return True


@kernel(inner=True)
def _find_turns(
    space: CodeSpace, members: Ids, pegs: Numbers, leader: Numbers, after: Numbers, marks: Marks
) -> tuple[Numbers, Numbers]:
    """For each order of the holes at most one way to repaint that keeps the candidates.

    An order can only do so if it takes each hole to one that is filled as variedly.
    """
    n_holes, n_colours = pegs.shape
    holes = np.empty((MOST_TURNS, n_holes), dtype=np.int64)
    paint = np.empty((MOST_TURNS, n_colours), dtype=np.int64)
    variety = np.zeros(n_holes, dtype=np.int64)
    for hole in range(n_holes):
        variety[hole] = (pegs[hole] * pegs[hole]).sum()
    size = np.zeros(n_colours, dtype=np.int64)
    for colour in range(n_colours):
        size[leader[colour]] += 1
    order = np.arange(n_holes)
    found = 0
    while found < MOST_TURNS and _next_order(order):
        if are_same(variety[order], variety) and _repaint(
            pegs, order, leader, after, size, paint[found]
        ):
            copy_into(holes[found], order)
            if _maps_onto_itself(space, members, order, paint[found], marks):
                found += 1
    return holes[:found].copy(), paint[:found].copy()


@kernel(inner=True)
def _next_order(order: Numbers) -> bool:
    """Step to the next permutation; False after the last one."""
    low = len(order) - 2
    while low >= 0 and order[low] > order[low + 1]:
        low -= 1
    if low < 0:
        return False
    high = len(order) - 1
    while order[high] < order[low]:
        high -= 1
    order[low], order[high] = order[high], order[low]
    low, high = low + 1, len(order) - 1
    while low < high:
        order[low], order[high] = order[high], order[low]
        low, high = low + 1, high - 1
    return True


@kernel(inner=True)
def _repaint(
    pegs: Numbers, order: Numbers, leader: Numbers, after: Numbers, size: Numbers, paint: Numbers
) -> bool:
    """Map the classes onto classes that fill the reordered holes as often; itself if possible."""
    n_holes, n_colours = pegs.shape
    taken = np.zeros(n_colours, dtype=np.bool_)
    for first in range(n_colours):
        if leader[first] != first:
            continue
        image = -1
        for step in range(n_colours + 1):
            other = first if step == 0 else step - 1
            if leader[other] != other or taken[other] or size[other] != size[first]:
                continue
            fits = True
            for hole in range(n_holes):
                fits &= pegs[hole, other] == pegs[order[hole], first]
            if fits:
                image = other
                break
        if image < 0:
            return False
        taken[image] = True
        colour = first
        while colour >= 0:
            paint[colour] = image
            colour, image = after[colour], after[image]
    return True


@kernel
def list_representatives(alike: Alike, distinct: bool, places: Codes) -> int:
    """By symmetry of a game, write a state's representatives, ascending: ``places[hole, k]``.

    Their number is returned. Of each class the colours come in ascending order of first use; and
    no turn makes it lower.
    """
    n_holes = places.shape[0]
    n_colours = len(alike.leader)
    last = n_holes - 1
    turns = len(alike.holes)
    before, idle = alike.before, alike.idle
    code = np.full(n_holes, -1)
    used = np.zeros(n_colours + 1, dtype=np.int64)
    used[n_colours] = 1  # what comes before the lowest of a class: nothing that is waited for
    waits_for = np.full(n_colours, n_colours)
    for colour in range(n_colours):
        if before[colour] >= 0:
            waits_for[colour] = before[colour]
    next_free = np.empty(n_colours, dtype=np.int64)
    name = np.empty(n_colours, dtype=np.int64)
    count = 0
    hole = 0
    while hole >= 0:
        if code[hole] >= 0:
            used[code[hole]] -= 1
        colour = code[hole] + 1
        while colour < n_colours and (
            idle[colour] or used[waits_for[colour]] == 0 or (distinct and used[colour] > 0)
        ):
            colour += 1
        if colour == n_colours:
            code[hole] = -1
            hole -= 1
            continue
        code[hole] = colour
        used[colour] += 1
        if hole < last:
            hole += 1
        elif turns == 0 or is_lowest(code, alike, next_free, name):
            for place in range(n_holes):
                places[place, count] = code[place]
            count += 1
    return count


@kernel(inner=True)
def is_lowest(code: Numbers, alike: Alike, next_free: Numbers, name: Numbers) -> bool:
    """Whether, by symmetry, no turn and then lowest naming of the colours makes a code lower."""
    for turn in range(len(alike.holes)):
        name[:] = -1
        copy_into(next_free, alike.leader)
        for hole in range(len(code)):
            colour = alike.paint[turn, code[alike.holes[turn, hole]]]
            if name[colour] < 0:
                first = alike.leader[colour]
                name[colour] = next_free[first]
                further = alike.after[next_free[first]]
                if further >= 0 and not alike.idle[further]:
                    next_free[first] = further
            if name[colour] < code[hole]:
                return False
            if name[colour] > code[hole]:
                break
    return True
