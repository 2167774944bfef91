"""Ceilings: how many parts a guess can have at most in a state, without looking at the state.

A guess has at most as many parts on a set as on any set that holds it (Lemma 4). Scores in Wordle
are made letter by letter, so all candidates of a bucket agree in what they do to each letter of the
guess: the bucket lies in one *mark* for each letter ("has an E, but not in the third place", "has
no S"). Marks and intersections of two marks are few, and shared by the buckets of all guesses. For
each of them the parts of every guess are counted once, when first wanted; the least of these
numbers is nearly the truth for the bucket itself, and only a handful of guesses remain to be
counted there. Games without letters have no marks: then the whole table is the only set.
Which marks there are is worked out in ``letter_marks``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import kernel, lean
from ...machine.vector_steps import bit_count
from ..table.byte_lanes import at_least, copy_row, least_of, lower
from ..table.count_lanes import LANES
from ..table.score_table import ScoreTable, count_parts, is_legal, score_in
from .table_space import TableSpace, hear, own_space, take_row, tell

#: Tables in memory at most, and bytes that they may take.
_MOST_TABLES = 12_000
_MOST_BYTES = 400_000_000
#: Intersections of two marks get a table if so many secrets bear both.
_LEAST, _MOST = 24, 500
#: Tables that are looked at for a bucket at most.
TABLES = 4
#: Tables that are made together at most, and rows that they may have in all: what is looked at
#: again for every 64 guesses should stay in a cache.
_WANTED = 512
_ROWS = 1 << 17


class Ceilings(NamedTuple):
    """Marks, who bears them, and the parts of all guesses on those that have been wanted."""

    #: The letters of each column, as rows of ``mark``; -1: no more.
    letters: NDArray[np.int32]
    #: ``mark[letter, secret]``: the mark that a secret bears for a letter of a guess.
    mark: NDArray[np.int32]
    #: ``bears[mark, secret]``.
    bears: NDArray[np.uint8]
    #: How many secrets bear two marks (or one, on the diagonal), and where their table lies, as far
    #: as we know.
    size: NDArray[np.int32]
    place: NDArray[np.int32]
    space: TableSpace
    #: How many tables are to be counted next, and the rows of all of them.
    pending: NDArray[np.int64]
    #: Their marks and places, and scratch for those who bear them; marks chosen for a bucket.
    wanted: NDArray[np.int32]
    members: NDArray[np.int32]
    chosen: NDArray[np.int32]
    #: What no guess exceeds in parts, of 64 neighbours.
    lanes: NDArray[np.uint8]


class LetterMarks(NamedTuple):
    """Which marks the letters of a game make, and who bears them."""

    #: The letters of each column, as rows of ``mark``; -1: no more.
    letters: NDArray[np.int32]
    #: ``mark[letter, secret]``: the mark that a secret bears for a letter of a guess.
    mark: NDArray[np.int32]
    #: ``bears[mark, secret]``.
    bears: NDArray[np.uint8]


def new_ceilings(marks: LetterMarks) -> Ceilings:
    """Ceilings by these letter marks, with no table counted yet."""
    (width, letters), (number, secrets) = marks.letters.shape, marks.bears.shape
    size = np.empty((number, number), dtype=np.int32)
    _count_both(_as_words(marks.bears), size)
    most = min(_MOST_TABLES, _MOST_BYTES // width, number * (number + 1) // 2)
    return Ceilings(
        *marks,
        size,
        np.full(size.shape, -1, dtype=np.int32),
        own_space(most, width),
        np.zeros(2, dtype=np.int64),
        np.zeros((_WANTED, 3), dtype=np.int32),
        np.zeros(max(_ROWS, secrets), dtype=np.int32),
        np.zeros((letters + 1, 2), dtype=np.int32),
        aligned((LANES,)),
    )


def in_space(ceilings: Ceilings, space: TableSpace) -> Ceilings:
    """Ceilings by the same marks in another space, of whose tables we know nothing yet."""
    return ceilings._replace(
        space=space,
        place=np.full_like(ceilings.place, -1),
        pending=np.zeros_like(ceilings.pending),
    )


def _as_words(bears: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Each row as bits in words of 64."""
    spare = -bears.shape[1] % 64
    return np.packbits(np.pad(bears, ((0, 0), (0, spare))), axis=1).view(np.uint64)


@kernel
def _count_both(words: NDArray[np.uint64], size: NDArray[np.int32]) -> None:
    """How many bits any two rows have in common."""
    for one in range(words.shape[0]):
        for other in range(one + 1):
            count = 0
            for k in range(words.shape[1]):
                count += bit_count(words[one, k] & words[other, k])
            size[one, other] = size[other, one] = count


def no_ceilings(table: ScoreTable) -> Ceilings:
    """Ceilings of a table without letters: there are no marks."""
    width = len(table.guess)
    nobody = np.full((1, 1), -1, dtype=np.int32)
    nothing = LetterMarks(
        np.full((width, 1), -1, dtype=np.int32), nobody, np.zeros((1, 1), np.uint8)
    )
    return new_ceilings(nothing)


@lean
def start_ceiling(table: ScoreTable, shown: NDArray[np.uint64], ceiling: NDArray[np.uint8]) -> None:
    """Write what holds without any marks: parts on the whole table, none for illegal guesses."""
    copy_row(ceiling, table.parts)
    if table.hard:
        for at in range(ceiling.shape[0]):
            if not is_legal(table, at, shown):
                ceiling[at] = 0


@lean
def lower_to_marks(
    table: ScoreTable, ceilings: Ceilings, column: int, row: int, ceiling: NDArray[np.uint8]
) -> None:
    """Lower the ceiling of a bucket by the tables of marks that it lies in, as far as counted."""
    for k in range(_choose(ceilings, column, row)):
        place = ceilings.place[ceilings.chosen[k, 0], ceilings.chosen[k, 1]]
        if place < 0:
            continue
        both = ceilings.space.tables[place]
        for at in range(0, ceiling.shape[0], LANES):
            lower(ceiling, both, at)


@lean
def tables_of(ceilings: Ceilings, column: int, row: int, places: NDArray[np.int32]) -> None:
    """The places of the counted tables for the bucket of ``row`` under a guess, then -1."""
    places[:] = -1
    number = 0
    for k in range(_choose(ceilings, column, row)):
        place = ceilings.place[ceilings.chosen[k, 0], ceilings.chosen[k, 1]]
        if place >= 0 and number < places.shape[0]:
            places[number] = place
            number += 1


@lean(inline=True)
def hopeful_in(
    table: ScoreTable,
    ceilings: Ceilings,
    places: NDArray[np.int32],
    shown: NDArray[np.uint64],
    column: int,
    need: int,
) -> np.uint64:
    """Which of 64 columns may have ``need`` parts in a state, as bits; their ceilings in ``lanes``.

    The state lies in these tables (see ``tables_of``) and has shown so much.
    """
    lanes = ceilings.lanes
    hopeful = least_of(table.parts, column, ceilings.space.tables, places, need, lanes)
    if table.hard and hopeful != np.uint64(0):
        for lane in range(LANES):
            if not is_legal(table, column + lane, shown):
                lanes[lane] = 0
        hopeful = at_least(lanes, 0, need)
    return hopeful


@lean
def _choose(ceilings: Ceilings, column: int, row: int) -> int:
    """Which marks of a bucket to look at: how many pairs there are in ``chosen``.

    The smallest intersection of two marks is taken, and by themselves the marks that are not in
    it: few tables, each of which serves many buckets. Further intersections exclude little more.
    """
    letters, chosen = ceilings.letters[column], ceilings.chosen
    count = 0
    while count < letters.shape[0] and letters[count] >= 0:
        count += 1
    least, one, other = _MOST, -1, -1
    for i in range(count):
        mine = ceilings.mark[letters[i], row]
        for j in range(i):
            size = ceilings.size[mine, ceilings.mark[letters[j], row]]
            if _LEAST <= size < least:
                least, one, other = size, i, j
    number = 0
    if one >= 0:
        chosen[0, 0] = ceilings.mark[letters[one], row]
        chosen[0, 1] = ceilings.mark[letters[other], row]
        number = 1
    for i in range(count):
        if i not in (one, other):
            chosen[number, 0] = chosen[number, 1] = ceilings.mark[letters[i], row]
            number += 1
    return number


@kernel
def want_marks(table: ScoreTable, ceilings: Ceilings, column: int, row: int) -> None:
    """See to it that the tables of marks for a bucket are made by the next ``count_wanted``."""
    for k in range(_choose(ceilings, column, row)):
        one, other = ceilings.chosen[k]
        if ceilings.place[one, other] < 0:
            _want(table, ceilings, one, other)


@kernel
def want_all(table: ScoreTable, ceilings: Ceilings, marks: NDArray[np.int32]) -> None:
    """See to it that the tables of these pairs of marks are made by the next ``count_wanted``."""
    for one, other in marks:
        if ceilings.place[one, other] < 0:
            _want(table, ceilings, one, other)


@kernel(inner=True)
def _want(table: ScoreTable, ceilings: Ceilings, one: int, other: int) -> None:
    """Find the table of two marks, or have it counted next, if there is space for it."""
    space, pending = ceilings.space, ceilings.pending
    if space.told.shape[0] > 0:
        told = hear(space.told, one, other)
        if told > 0:
            ceilings.place[one, other] = ceilings.place[other, one] = told - 1
            return
    rows = ceilings.size[one, other]
    if is_full(space):
        return
    full = pending[0] == ceilings.wanted.shape[0]
    if full or pending[1] + rows > ceilings.members.shape[0]:
        count_wanted(table, ceilings)
    place = take_row(space.taken)
    if place >= space.tables.shape[0]:
        return  # another was faster
    wanted = ceilings.wanted[pending[0]]
    wanted[0], wanted[1], wanted[2] = one, other, place
    pending[0] += 1
    pending[1] += rows
    ceilings.place[one, other] = ceilings.place[other, one] = place


@kernel
def count_wants(
    table: ScoreTable,
    ceilings: Ceilings,
    columns: NDArray[np.int32],
    least: int,
    wants: NDArray[np.int32],
) -> None:
    """Add up for each table of marks the buckets that it would serve, of ``least`` rows or more."""
    size = np.zeros(1 << 8, dtype=np.int64)
    row_of = np.zeros(1 << 8, dtype=np.int32)
    for column in columns:
        size[:] = 0
        for row in range(table.column.shape[0]):
            score = score_in(table, row, column)
            size[score] += 1
            row_of[score] = row
        for score in range(size.shape[0]):
            if size[score] >= least:
                for k in range(_choose(ceilings, column, row_of[score])):
                    one, other = ceilings.chosen[k]
                    wants[max(one, other), min(one, other)] += 1


@lean
def is_full(space: TableSpace) -> bool:
    """Whether a space has no row left for another table of ceilings."""
    return bool(space.taken[0] >= space.tables.shape[0])


@lean
def make_space(ceilings: Ceilings) -> None:
    """Forget all tables of the ceilings if there is no space left, unless others look at them."""
    space = ceilings.space
    if space.told.shape[0] == 0 and is_full(space):
        ceilings.place[:] = -1
        space.taken[0] = 0


@kernel
def count_wanted(table: ScoreTable, ceilings: Ceilings) -> None:
    """Count the parts of all guesses on the bearers of the marks that are wanted.

    64 guesses after the other, for all tables: the scores of 64 guesses stay in the cache.
    """
    space, wanted = ceilings.space, ceilings.wanted
    tables = ceilings.pending[0]
    start = np.zeros(tables + 1, dtype=np.int64)
    at = 0
    for t in range(tables):
        one, other = wanted[t, 0], wanted[t, 1]
        for row in range(table.column.shape[0]):
            if ceilings.bears[one, row] == 1 and ceilings.bears[other, row] == 1:
                ceilings.members[at] = row
                at += 1
        start[t + 1] = at
    for column in range(0, table.guess.shape[0], LANES):
        for t in range(tables):
            count = start[t + 1] - start[t]
            out = space.tables[wanted[t, 2], column : column + LANES]
            count_parts(table, ceilings.members, start[t], count, column, 1, out)
    ceilings.pending[:] = 0
    if space.told.shape[0] > 0:
        for t in range(tables):
            one, other, place = int(wanted[t, 0]), int(wanted[t, 1]), int(wanted[t, 2])
            tell(space.told, one, other, place + 1)
            tell(space.told, other, one, place + 1)
