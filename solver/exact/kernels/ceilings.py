"""Ceilings: the most buckets that a guess can have in a state, known without counting them.

A guess has at most as many parts on a set as on any set that holds it (Lemma 4). Scores in Wordle
are made letter by letter, so all candidates of a bucket agree in what they do to each letter of the
guess: the bucket lies in one *mark* for each letter ("has an E, but not in the third place", "has
no S"). Marks and intersections of two marks are few, and shared by the buckets of all guesses. For
each of them the parts of every guess are counted once, when first wanted; the least of these
numbers is nearly the truth for the bucket itself, and only a handful of guesses remain to be
counted there. Games without letters have no marks: then the whole table is the only set.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import aligned, are_same, copy_into
from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from ...machine.vectors import bit_count, first_bit
from .lemmas import NEVER, fewest_parts, least_by_parts
from .memo import State
from .score_table import REVEALED_WORDS, ScoreTable, count_parts, is_legal, score_type
from .state import Scratch, contains, counted
from .table_vectors import (
    BLOCK_COLUMNS,
    Bits,
    Bytes,
    Rows,
    Scores,
    Sums,
    at_least,
    copy_row,
    least_of,
)

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


class LetterMarks(NamedTuple):
    """Which marks the letters of a game make, and who bears them."""

    #: The letters of each column, as rows of ``mark``; -1: no more.
    letters: Rows
    #: ``mark[letter, secret]``: the mark that a secret bears for a letter of a guess.
    mark: Rows
    #: ``bears[mark, secret]``.
    bears: Bytes


@kernel
def number_marks(sets: Rows, first: Rows, places: Rows, shares: NDArray[Any]) -> tuple[Rows, Bytes]:
    """``mark`` and ``bears`` of ``LetterMarks``: equal are the marks that the same secrets bear.

    ``sets[letter, secret]`` are the places of a letter in a secret, as bits, ``places`` those of a
    row of ``mark``; the rows of a letter begin at ``first[letter]``. ``shares[guess, secret]`` is
    what a letter adds to the score by its places in both.
    """
    letters, secrets = sets.shape
    mark = np.zeros((places.shape[0], secrets), dtype=np.int32)
    bears, hashes = np.zeros((64, secrets), dtype=np.uint8), np.zeros(64, dtype=np.int64)
    share, count = np.zeros(secrets, dtype=np.int64), 0
    for letter in range(letters):
        for row in range(first[letter], first[letter + 1]):
            for secret in range(secrets):
                share[secret] = shares[places[row], sets[letter, secret]]
                mark[row, secret] = -1  # none yet
            for secret in range(secrets):
                if mark[row, secret] >= 0:
                    continue
                if count == hashes.shape[0]:
                    bears, hashes = _enlarged(bears, hashes)
                number = _number(share, share[secret], bears, hashes, count)
                count = max(count, number + 1)
                for other in range(secret, secrets):
                    if share[other] == share[secret]:
                        mark[row, other] = number
    return mark, bears[:count]


@kernel(inner=True)
def _enlarged(bears: Bytes, hashes: Sums) -> tuple[Bytes, Sums]:
    """The same with twice as many places."""
    count, secrets = bears.shape
    more_bears = np.zeros((2 * count, secrets), dtype=np.uint8)
    more_hashes = np.zeros(2 * count, dtype=np.int64)
    copy_into(more_hashes, hashes)
    for number in range(count):
        copy_into(more_bears[number], bears[number])
    return more_bears, more_hashes


@kernel(inner=True)
def _number(share: Sums, value: int, bears: Bytes, hashes: Sums, count: int) -> int:
    """The number of the mark that all secrets with a share bear: an old one, or ``count``."""
    key = 0
    for secret in range(share.shape[0]):
        borne = 1 if share[secret] == value else 0
        bears[count, secret] = borne
        key = (31 * key + borne) & ((1 << 40) - 1)
    hashes[count] = key
    for number in range(count):
        if hashes[number] == key and are_same(bears[number], bears[count]):
            return number
    return count


@record
class Ceilings(NamedTuple):
    """Marks, who bears them, and the parts of all guesses on those that have been wanted."""

    #: As in ``LetterMarks``.
    letters: Rows
    mark: Rows
    bears: Bytes
    #: How many secrets bear two marks (or one, on the diagonal), and the place of their table among
    #: ``tables``; -1 until it is wanted.
    size: Rows
    place: Rows
    tables: Scores
    #: How many places are taken.
    taken: Sums
    #: How many tables are to be counted next, and the rows of all of them.
    pending: Sums
    #: Their marks and places, and scratch for those who bear them; marks chosen for a bucket.
    wanted: Rows
    members: Rows
    chosen: Rows
    #: What no guess exceeds in parts, of 64 neighbours.
    lanes: Scores


def new_ceilings(marks: LetterMarks, kind: Any) -> Ceilings:
    """Ceilings by these letter marks, with no table counted yet; parts are numbers of a kind."""
    (width, letters), (number, secrets) = marks.letters.shape, marks.bears.shape
    size = np.empty((number, number), dtype=np.int32)
    count_both(marks.bears, size)
    bytes_ = width * np.dtype(kind).itemsize
    most = min(_MOST_TABLES, _MOST_BYTES // bytes_, number * (number + 1) // 2)
    return Ceilings(
        *marks,
        size,
        np.full(size.shape, -1, dtype=np.int32),
        aligned((most, width), kind),
        np.zeros(1, dtype=np.int64),
        np.zeros(2, dtype=np.int64),
        np.zeros((_WANTED, 3), dtype=np.int32),
        np.zeros(max(_ROWS, secrets), dtype=np.int32),
        np.zeros((letters + 1, 2), dtype=np.int32),
        aligned((BLOCK_COLUMNS,), kind),
    )


@kernel
def count_both(bears: Bytes, size: Rows) -> None:
    """How many secrets bear any two marks."""
    marks, secrets = bears.shape
    words = np.zeros((marks, (secrets + 63) // 64), dtype=np.uint64)
    for one in range(marks):
        for secret in range(secrets):
            words[one, secret // 64] |= np.uint64(bears[one, secret]) << np.uint64(secret % 64)
    for one in range(marks):
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
    return new_ceilings(nothing, score_type(table))


@noalloc
def start_ceiling(table: ScoreTable, revealed: Bits, ceiling: Scores) -> None:
    """Write what holds without any marks: parts on the whole table, none for illegal guesses."""
    copy_row(ceiling, table.parts)
    if table.hard:
        for at in range(ceiling.shape[0]):
            if not is_legal(table, at, revealed):
                ceiling[at] = 0


@noalloc
def lower_to_marks(
    table: ScoreTable, ceilings: Ceilings, column: int, row: int, ceiling: Scores
) -> None:
    """Lower the ceiling of a bucket by the tables of marks that it lies in, as far as counted."""
    for k in range(_choose(ceilings, column, row)):
        place = ceilings.place[ceilings.chosen[k, 0], ceilings.chosen[k, 1]]
        if place < 0:
            continue
        both = ceilings.tables[place]
        for at in range(ceiling.shape[0]):
            ceiling[at] = min(ceiling[at], both[at])


@noalloc
def tables_of(ceilings: Ceilings, column: int, row: int, places: Rows) -> None:
    """The places of the counted tables for the bucket of ``row`` under a guess, then -1."""
    places[:] = -1
    number = 0
    for k in range(_choose(ceilings, column, row)):
        place = ceilings.place[ceilings.chosen[k, 0], ceilings.chosen[k, 1]]
        if place >= 0 and number < places.shape[0]:
            places[number] = place
            number += 1


@noalloc(inline=True)
def hopeful_in(
    table: ScoreTable, ceilings: Ceilings, places: Rows, revealed: Bits, column: int, need: int
) -> np.uint64:
    """Which of 64 columns may have ``need`` parts in a state, as bits; their ceilings in ``lanes``.

    The state lies in these tables (see ``tables_of``) and has revealed so much.
    """
    lanes = ceilings.lanes
    if places[0] < 0:  # no table: the parts on the whole table are all that is known
        if at_least(table.parts, column, need) == np.uint64(0):
            return np.uint64(0)
        copy_row(lanes, table.parts[column : column + BLOCK_COLUMNS])
        hopeful = at_least(lanes, 0, need)
    else:
        hopeful = least_of(table.parts, column, ceilings.tables, places, need, lanes)
    if table.hard:
        hopeful = _legal_among(table, column, hopeful, revealed)
    return hopeful


@noalloc(inner=True)
def _legal_among(table: ScoreTable, column: int, some: np.uint64, revealed: Bits) -> np.uint64:
    """Those of 64 columns, given as bits, that hard mode allows."""
    legal, rest = np.uint64(0), some
    while rest != np.uint64(0):
        lane = first_bit(rest)
        if is_legal(table, column + lane, revealed):
            legal |= rest & -rest
        rest &= rest - np.uint64(1)
    return legal


@noalloc
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
    """Have the tables for a bucket counted by the next ``count_wanted``."""
    for k in range(_choose(ceilings, column, row)):
        one, other = ceilings.chosen[k]
        _want(table, ceilings, one, other)


@kernel(inner=True)
def _want(table: ScoreTable, ceilings: Ceilings, one: int, other: int) -> None:
    """Have the table of two marks counted next, unless it is known or there is no space for it."""
    pending, place = ceilings.pending, ceilings.taken[0]
    if ceilings.place[one, other] >= 0 or place == ceilings.tables.shape[0]:
        return
    rows, full = ceilings.size[one, other], pending[0] == ceilings.wanted.shape[0]
    if full or pending[1] + rows > ceilings.members.shape[0]:
        count_wanted(table, ceilings)
    ceilings.taken[0] += 1
    wanted = ceilings.wanted[pending[0]]
    wanted[0], wanted[1], wanted[2] = one, other, place
    pending[0] += 1
    pending[1] += rows
    ceilings.place[one, other] = ceilings.place[other, one] = place


@noalloc
def make_space(ceilings: Ceilings) -> None:
    """Forget all tables if there is no space left for another."""
    if ceilings.taken[0] == ceilings.tables.shape[0]:
        ceilings.place[:] = -1
        ceilings.taken[0] = 0


@kernel
def count_wanted(table: ScoreTable, ceilings: Ceilings) -> None:
    """Count the parts of all guesses on the bearers of the marks that are wanted.

    64 guesses after the other, for all tables: the scores of 64 guesses stay in the cache.
    """
    wanted = ceilings.wanted
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
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        for t in range(tables):
            count = start[t + 1] - start[t]
            out = ceilings.tables[wanted[t, 2], column : column + BLOCK_COLUMNS]
            count_parts(table, ceilings.members, start[t], count, column, 1, out)
    ceilings.pending[:] = 0


# ---- The parts of all guesses, counted for many states together
#
# The scores of a whole game are far larger than the caches of a core, those of 64 guesses are not.
# So the guesses are taken 64 at a time, and all states are counted with them before the next 64
# (loop tiling, in the words of compilers): three times as fast as state by state.

#: More parts than any guess has: nothing to count.
_NOTHING = 1 << 20
#: Rows of all states together: what is looked at again for every 64 guesses should stay in a cache.
_SHARED_ROWS = 1 << 17


@record
class SharedCount(NamedTuple):
    """States whose parts are counted together for all guesses, and what is found out about each."""

    #: Rows, state after state, where each state begins and how large it is.
    members: Rows
    start: Sums
    size: Sums
    #: Guesses left (as states are filed), and the bound above which no guess is of interest.
    left: Sums
    limit: Sums
    #: Guesses with fewer parts need not be counted.
    need: Sums
    #: The least ``least_by_parts`` of all guesses up to the limit, and the column that has it.
    bound: Sums
    column: Sums
    #: Of the first states: what no guess exceeds in parts; the number itself from ``need`` on.
    ceiling: Scores
    #: The tables of marks that hold each state, and what hard mode has seen.
    tables: Rows
    revealed: Bits
    #: For whoever enters states: which guess and which of its buckets each is.
    owner: Sums


def new_shared_count(table: ScoreTable, states: int, lists: int) -> SharedCount:
    """Memory to count so many states of a table together.

    The guesses of the first ``lists`` of them may be listed; those may hold all secrets together.
    """
    secrets, width = len(table.column), len(table.guess)
    start, size, left, limit, need, bound, column = np.zeros((7, states), dtype=np.int64)
    return SharedCount(
        np.empty(max(_SHARED_ROWS, secrets), dtype=np.int32),
        start,
        size,
        left,
        limit,
        need,
        bound,
        column,
        aligned((lists, width), score_type(table)),
        np.zeros((states, TABLES), dtype=np.int32),
        np.zeros((states, REVEALED_WORDS), dtype=np.uint64),
        np.zeros((states, 2), dtype=np.int64),
    )


@noalloc
def has_room(shared: SharedCount, t: int, size: int) -> bool:
    """Whether a state of this size can be entered in place ``t`` of a shared count."""
    if t == shared.start.shape[0]:
        return False
    at = 0 if t == 0 else shared.start[t - 1] + shared.size[t - 1]
    return bool(at + size <= shared.members.shape[0])


@noalloc
def add_state(table: ScoreTable, shared: SharedCount, t: int, state: State, limit: int) -> None:
    """Enter a state, as it is filed, as number ``t`` of a shared count."""
    size = state.size
    at = 0 if t == 0 else shared.start[t - 1] + shared.size[t - 1]
    shared.start[t], shared.size[t] = at, size
    for k in range(size):
        shared.members[at + k] = state.members[state.first + k]
    shared.left[t], shared.limit[t] = state.left, limit
    shared.bound[t], shared.column[t] = NEVER, -1
    need = fewest_parts(table.price, size, state.left, limit, 1)
    shared.need[t] = need if need <= size else _NOTHING


@noalloc
def enter_marks(
    ceilings: Ceilings, shared: SharedCount, t: int, column: int, row: int, revealed: Bits
) -> None:
    """Note what bounds the parts of all guesses on state ``t`` of a shared count, before any count.

    It is the bucket of ``row`` under the guess ``column``, and has revealed so much.
    """
    tables_of(ceilings, column, row, shared.tables[t])
    for k in range(REVEALED_WORDS):
        shared.revealed[t, k] = revealed[k]


@noalloc
def highest_ceiling(
    table: ScoreTable, ceilings: Ceilings, shared: SharedCount, t: int, size: int
) -> int:
    """The highest ceiling of all guesses in state ``t`` of a shared count, its marks entered."""
    tables, revealed = shared.tables[t], shared.revealed[t]
    most = 1
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        if most >= size or most >= table.parts[column]:
            break
        higher = hopeful_in(table, ceilings, tables, revealed, column, most + 1)
        while higher != np.uint64(0):
            most = max(most, int(np.int64(ceilings.lanes[first_bit(higher)])))
            higher &= higher - np.uint64(1)
    return min(most, size)


@noalloc
def find_best(
    table: ScoreTable, scratch: Scratch, ceilings: Ceilings, shared: SharedCount, states: int
) -> None:
    """The best bound of each state in a shared count; what cannot improve it is left out."""
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        parts = int(table.parts[column])
        going = False
        for t in range(states):
            need = shared.need[t]
            if need > parts:
                continue
            going = True
            revealed = shared.revealed[t]
            hopeful = hopeful_in(table, ceilings, shared.tables[t], revealed, column, need)
            if hopeful == np.uint64(0):
                continue
            first, size, left = shared.start[t], shared.size[t], shared.left[t]
            state = State(shared.members, first, size, left, revealed)
            good = counted(table, scratch, state, hopeful, column, need)
            if good != np.uint64(0):
                _improve(table, scratch, shared, t, column, good)
        if not going:
            break


@noalloc(inner=True)
def _improve(
    table: ScoreTable, scratch: Scratch, shared: SharedCount, t: int, column: int, good: Any
) -> None:
    """Take the best bound (lemma 2) of columns that are given as bits; the next must be better.

    So from then on they need more parts.
    """
    size, left = shared.size[t], shared.left[t]
    before = shared.bound[t]
    while good != np.uint64(0):
        lane = first_bit(good)
        good &= good - np.uint64(1)
        row = int(table.secret[column + lane])
        hit = 1 if row >= 0 and contains(shared.members, shared.start[t], size, row) else 0
        value = least_by_parts(table.price, size, int(np.int64(scratch.lanes[lane])), hit, left)
        if value < shared.bound[t]:
            shared.bound[t], shared.column[t] = value, column + lane
    if shared.bound[t] < before:
        need = fewest_parts(table.price, size, left, min(shared.limit[t], shared.bound[t] - 1), 1)
        shared.need[t] = max(need, shared.need[t]) if need <= size else _NOTHING
