"""Cores: small sets of candidates that cannot be solved within few guesses, and how to find them.

Where a set cannot be solved, neither can any set that contains it (docs/exact.md, lemma 7). So
every failure is boiled down to few candidates and kept, with the guesses that leave it undivided:
in any state that contains the core, those guesses need not be tried. It is the conflict learning of
SAT solvers (Marques-Silva and Sakallah, "GRASP", 1996): a core is the clause, its few candidates
the reason for the conflict, and a state is refuted once the clauses in it cover every guess. Which
of them to keep as reasons is a set cover, taken greedily.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import copy_into, returning
from ...machine.jit import kernel
from ...machine.vectors import bit_count, first_bit
from .score_table import ScoreTable, apart, new_ends, split_by_size
from .table_vectors import ALL, BLOCK_COLUMNS, Bits, Bytes, Rows, Scores, Sums, alike

#: What a core costs beyond the candidates that it needs.
_EDGE = 0.2
#: Of more candidates than these only a part is looked at for a core with two guesses left.
_LARGEST_PART = 24


class Cores(NamedTuple):
    """All cores for one number of guesses left; core ``c`` is rows[start[c] : start[c + 1]]."""

    #: How many there are, in an array, so that kernels can raise it.
    total: Sums
    start: Sums
    rows: Rows
    #: The first candidate of each, which is looked at before the others.
    lead: Rows
    #: For each core the guesses that leave it undivided, and how many they are.
    helpless: Bits
    weight: Rows
    #: Why each is a core: numbers of cores with one guess less, those of core ``c`` from
    #: why_start[c] to why_start[c + 1].
    why_start: Sums
    why: Rows
    #: Where each stands in a library of cores of all tables (see ``CoreLibrary``), or -1.
    origin: Rows


class Marks(NamedTuple):
    """Marks of the rows of a table, all wiped between two uses."""

    inside: Bytes
    union: Bytes
    #: For each row one more than the number of its bucket.
    bucket: Rows


def new_marks(height: int) -> Marks:
    """Marks of so many rows."""
    inside, union = np.zeros((2, height), dtype=np.uint8)
    return Marks(inside, union, np.zeros(height, dtype=np.int32))


def new_cores(blocks: int, most: int, words: int) -> Cores:
    """Space for so many cores with so many words in all, of a table of so many blocks."""
    return Cores(
        np.zeros(1, dtype=np.int64),
        np.zeros(most + 1, dtype=np.int64),
        returning((words,), np.int32),
        np.empty(most, dtype=np.int32),
        returning((most, blocks), np.uint64),
        np.empty(most, dtype=np.int32),
        np.zeros(most + 1, dtype=np.int64),
        returning((words,), np.int32),
        np.empty(most, dtype=np.int32),
    )


def enlarged(cores: Cores, count: int, words: int, reasons: int) -> Cores:
    """These cores in space for twice as many, and for so many more, their words and reasons."""
    number = int(cores.total[0])
    most = max(2 * len(cores.helpless), number + count)
    used = max(cores.start[number] + words, cores.why_start[number] + reasons)
    size = max(2 * len(cores.rows), int(used))
    wider = new_cores(cores.helpless.shape[1], most, size)
    arrays: Iterable[tuple[NDArray[Any], NDArray[Any]]] = zip(wider, cores, strict=True)
    for mine, old in arrays:
        mine[: len(old)] = old
    return wider


def core_rows(cores: Cores, number: int) -> Rows:
    """The candidates of a core."""
    return cores.rows[cores.start[number] : cores.start[number + 1]]


def core_reasons(cores: Cores, number: int) -> Rows:
    """The numbers of the cores, with one guess less, that a core rests on."""
    return cores.why[cores.why_start[number] : cores.why_start[number + 1]]


@kernel
def has_space(cores: Cores, count: int, words: int, reasons: int) -> bool:
    """Whether so many cores of so many words and reasons in all can still be taken in."""
    number = cores.total[0]
    fits = cores.start[number] + words <= cores.rows.shape[0]
    fits &= cores.why_start[number] + reasons <= cores.why.shape[0]
    return bool(fits and number + count <= cores.helpless.shape[0])


@kernel
def add_core(cores: Cores, scores: Scores, members: Rows, count: int, why: Rows) -> int:
    """Take a core into the store, and work out which guesses leave it undivided; its number."""
    number = cores.total[0]
    start = cores.start[number]
    copy_into(cores.rows[start:], members[:count])
    cores.start[number + 1] = start + count
    cores.lead[number] = members[0]
    weight = 0
    for block in range(cores.helpless.shape[1]):
        word = ALL
        for k in range(1, count):
            word &= alike(scores, block, members[0], members[k])
        cores.helpless[number, block] = word
        weight += bit_count(word)
    cores.weight[number] = weight
    reasons = cores.why_start[number]
    copy_into(cores.why[reasons:], why)
    cores.why_start[number + 1] = reasons + why.shape[0]
    cores.origin[number] = -1
    cores.total[0] = number + 1
    return int(number)


@kernel(inner=True)
def _is_inside(cores: Cores, number: int, marks: Bytes | Rows, least: int, most: int) -> bool:
    """Whether the marks of all candidates of a core are from ``least`` to ``most``."""
    if not least <= marks[cores.lead[number]] <= most:
        return False
    for k in range(np.uint64(cores.start[number] + 1), np.uint64(cores.start[number + 1])):
        if not least <= marks[np.uint32(cores.rows[k])] <= most:
            return False
    return True


@kernel(inner=True)
def _mark(members: Rows, inside: Bytes, value: int) -> None:
    """Mark members, or wipe their marks."""
    for k in range(members.shape[0]):
        inside[members[k]] = value


@kernel
def list_inside(cores: Cores, members: Rows, inside: Bytes, found: Rows) -> int:
    """List the cores whose candidates all are members; how many they are.

    All are looked at, one after the other as they lie in memory: most are left after one candidate
    or two.
    """
    _mark(members, inside, 1)
    count = 0
    for number in range(cores.total[0]):
        if _is_inside(cores, number, inside, 1, 1):
            found[count] = number
            count += 1
    _mark(members, inside, 0)
    return count


@kernel(inner=True)
def unite(covered: Bits, guesses: Bits) -> None:
    """Add guesses to those that are covered."""
    for block in range(covered.shape[0]):
        covered[block] |= guesses[block]


@kernel(inner=True)
def count_open(covered: Bits) -> int:
    """How many guesses are not covered."""
    count = 0
    for block in range(covered.shape[0]):
        count += bit_count(~covered[block])
    return count


@kernel
def gather(cores: Cores, members: Rows, inside: Bytes, covered: Bits, found: Rows) -> int:
    """Cover the guesses that leave some core undivided whose candidates all are members.

    Lists those cores; how many they are.
    """
    count = list_inside(cores, members, inside, found)
    for k in range(count):
        unite(covered, cores.helpless[found[k]])
    return count


@kernel
def gather_in_buckets(
    cores: Cores, parted: Rows, ends: Sums, marks: Marks, covered: Bits, work: Sums
) -> None:
    """Cover for each bucket the guesses that leave some core in it undivided.

    ``covered`` begins with a row for each bucket; ``work`` gets the guesses that are left for a
    bucket, times its members, or 0.
    """
    bucket_of = marks.bucket
    for k in range(covered.shape[0]):
        for at in range(ends[k], ends[k + 1]):
            bucket_of[parted[at]] = k + 1
    for number in range(cores.total[0]):
        bucket = bucket_of[cores.lead[number]]
        if bucket > 0 and _is_inside(cores, number, bucket_of, bucket, bucket):
            unite(covered[bucket - 1], cores.helpless[number])
    for k in range(covered.shape[0]):
        work[k] = count_open(covered[k]) * (ends[k + 1] - ends[k])
        for at in range(ends[k], ends[k + 1]):
            bucket_of[parted[at]] = 0


# ---- A library: cores of all tables, in rows of one table, without guesses


@kernel
def count_adopted(library: Cores, place: Rows) -> tuple[int, int]:
    """How many cores of a library lie in a table, and how many words they have.

    ``place``: for each row of the library's table that of the other, or -1.
    """
    count, words = 0, 0
    for number in range(library.total[0]):
        if _is_inside(library, number, place, 0, place.shape[0]):
            count += 1
            words += library.start[number + 1] - library.start[number]
    return count, words


@kernel
def adopt(library: Cores, place: Rows, scores: Scores, cores: Cores) -> None:
    """Take the cores of a library that lie in a table into the store of the table."""
    core, nothing = np.empty(scores.shape[1], dtype=np.int32), library.why[:0]
    for number in range(library.total[0]):
        if _is_inside(library, number, place, 0, place.shape[0]):
            start, end = library.start[number], library.start[number + 1]
            for at in range(start, end):
                core[at - start] = place[library.rows[at]]
            mine = add_core(cores, scores, core, end - start, nothing)
            cores.origin[mine] = number


@kernel
def export(
    cores: Cores, below: Rows, names: Rows, first: int, scores: Scores, library: Cores
) -> None:
    """Put the cores of a table, from one on, into a library, which must have space.

    ``below``: where cores with one guess less stand in the library. A core that stands there
    already, because a table within this one has found it, keeps its place and its reasons.
    """
    for mine in range(first, cores.total[0]):
        if cores.origin[mine] >= 0:
            continue
        start, end = cores.start[mine], cores.start[mine + 1]
        rows = np.empty(end - start, dtype=np.int32)
        for at in range(start, end):
            rows[at - start] = names[cores.rows[at]]
        start, end = cores.why_start[mine], cores.why_start[mine + 1]
        why = np.empty(end - start, dtype=np.int32)
        for at in range(start, end):
            why[at - start] = below[cores.why[at]]
        cores.origin[mine] = add_core(library, scores, rows, rows.shape[0], why)


# ---- Some of many cores


@kernel
def choose(cores: Cores, found: Rows, count: int, union: Bytes, chosen: Rows) -> int:
    """Of some cores a few that together cover all guesses, with few candidates in their union.

    So that the union is a core by lemma 7a. Greedy: the most guesses newly covered per candidate
    newly needed. Marks the union and lists the cores in ``chosen``; how many they are. A core's
    gain only ever falls, so it is counted again only where it would be the best by what it was;
    the cores that begin as the best are looked at first. Puts ``found`` in that order.
    """
    covered = np.zeros(cores.helpless.shape[1], dtype=np.uint64)
    rates = np.empty(count)
    for k in range(count):
        rates[k] = cores.weight[found[k]] / _needed(cores, found[k], union)
    copy_into(found, found[np.argsort(-rates, kind="mergesort")])
    gains = np.empty(count)
    for k in range(count):
        gains[k] = cores.weight[found[k]]
    picked = 0
    while True:
        best, best_rate = -1, 0.0
        for k in range(count):
            needed = _needed(cores, found[k], union)
            if gains[k] > best_rate * needed:
                gains[k] = _gain(cores, found[k], covered)
                if gains[k] > best_rate * needed:
                    best, best_rate = k, gains[k] / needed
        if best < 0:
            return picked
        number = found[best]
        gains[best] = 0.0
        chosen[picked] = number
        picked += 1
        unite(covered, cores.helpless[number])
        for at in range(cores.start[number], cores.start[number + 1]):
            union[cores.rows[at]] = 1


@kernel(inner=True)
def _needed(cores: Cores, number: int, union: Bytes) -> float:
    """What a core costs: a little, and one for each candidate that is not in the union yet."""
    total = cores.start[number + 1] - cores.start[number] + _EDGE
    for at in range(cores.start[number], cores.start[number + 1]):
        if union[cores.rows[at]] == 1:
            total -= 1.0
    return float(total)


@kernel(inner=True)
def _gain(cores: Cores, number: int, covered: Bits) -> float:
    """How many guesses a core covers that are not covered yet."""
    total = 0
    for block in range(covered.shape[0]):
        total += bit_count(cores.helpless[number, block] & ~covered[block])
    return float(total)


@kernel
def take_union(members: Rows, union: Bytes, core: Rows) -> int:
    """List the members that ``choose`` has marked; how many they are. The marks are wiped."""
    count = 0
    for k in range(members.shape[0]):
        if union[members[k]] == 1:
            core[count] = members[k]
            count += 1
            union[members[k]] = 0
    return count


@kernel
def core_of_two(scores: Scores, members: Rows, count: int, core: Rows) -> int:
    """Some members that no guess sets apart, if none sets all of them apart; how many.

    Members that few guesses tell apart come first: a core is worth the more, the more guesses
    leave it undivided. What is not needed is dropped in the end.
    """
    looked_at = min(count, _LARGEST_PART)
    while apart(scores, members, looked_at) >= 0:
        looked_at = min(count, 2 * looked_at)
    size = _grow(scores, members, looked_at, core)
    k = 0
    while k < size and size > 2:
        left_out = core[k]
        for at in range(k, size - 1):
            core[at] = core[at + 1]
        if apart(scores, core, size - 1) < 0:
            size -= 1
        else:
            for at in range(size - 1, k, -1):
                core[at] = core[at - 1]
            core[k] = left_out
            k += 1
    return size


@kernel(inner=True)
def _grow(scores: Scores, members: Rows, count: int, core: Rows) -> int:
    """Collect the members that are most alike until no guess sets them apart."""
    blocks = scores.shape[0]
    first, second = _most_alike(scores, members, count)
    used = np.zeros(count, dtype=np.uint8)
    used[first] = used[second] = 1
    core[0], core[1] = members[first], members[second]
    size = 2
    whole = np.empty((count, blocks), dtype=np.uint64)  # the guesses that do not divide two
    for k in range(count):
        for block in range(blocks):
            whole[k, block] = alike(scores, block, core[0], members[k])
    left = whole[second].copy()
    while size < 3 or apart(scores, core, size) >= 0:
        best, most = -1, -1
        for k in range(count):
            if used[k] == 0:
                total = 0
                for block in range(blocks):
                    total += bit_count(left[block] & whole[k, block])
                if total > most:
                    best, most = k, total
        used[best] = 1
        core[size] = members[best]
        size += 1
        for block in range(blocks):
            left[block] &= whole[best, block]
    return size


@kernel(inner=True)
def _most_alike(scores: Scores, members: Rows, count: int) -> tuple[int, int]:
    """The two members that the fewest of some guesses, from all parts of the list, tell apart."""
    first, second, most = 0, 1, -1
    step = max(1, scores.shape[0] // _LARGEST_PART)  # two dozen blocks of guesses tell enough
    for k in range(1, count):
        for j in range(k):
            total = 0
            for block in range(0, scores.shape[0], step):
                total += bit_count(alike(scores, block, members[k], members[j]))
            if total > most:
                first, second, most = j, k, total
    return first, second


# ---- Three guesses left: the kernel that the limit search rests on
#
# After the first guess every bucket must have a guess that sets it apart entirely. The first bucket
# that has none gives a core, and the core takes along all other guesses that leave it undivided; so
# a few dozen guesses stand for all of them.

#: What ``three_left`` and ``four_left`` may find.
SOLVED, FAILED, NO_SPACE, PAUSED = 1, 0, -1, -2


@kernel
def three_left(
    table: ScoreTable, members: Rows, twos: Cores, threes: Cores, marks: Marks
) -> tuple[int, int]:
    """With three guesses: (SOLVED, column to guess), (FAILED, number of a core) or NO_SPACE."""
    listed = np.empty(twos.helpless.shape[0], dtype=np.int32)
    count = list_inside(twos, members, marks.inside, listed)
    return three_left_with(table, members, twos, threes, marks, listed, count)


@kernel(inner=True)
def three_left_with(
    table: ScoreTable,
    members: Rows,
    twos: Cores,
    threes: Cores,
    marks: Marks,
    listed: Rows,
    count: int,
) -> tuple[int, int]:
    """The same, where the cores among the members are listed already; new ones are added to it.

    The list has space for as many as ``twos``.
    """
    scores = table.rows
    blocks = scores.shape[0]
    covered = np.zeros(blocks, dtype=np.uint64)
    for k in range(count):
        unite(covered, twos.helpless[listed[k]])
    parted = np.empty(members.shape[0], dtype=np.int32)
    ends = new_ends(table)
    core = np.empty(members.shape[0], dtype=np.int32)
    nothing = core[:0]
    block = 0
    while True:
        while block < blocks and covered[block] == ALL:
            block += 1
        if block == blocks:
            break
        column = block * BLOCK_COLUMNS + first_bit(~covered[block])
        many = split_by_size(table, members, column, parted, ends)
        k = first_stuck(scores, parted, ends, many)
        if k < 0:
            return SOLVED, column
        size = ends[k + 1] - ends[k]
        if not has_space(twos, 1, size, 0):
            return NO_SPACE, 0
        width = core_of_two(scores, parted[ends[k] : ends[k + 1]], size, core)
        number = add_core(twos, scores, core, width, nothing)
        listed[count] = number
        count += 1
        unite(covered, twos.helpless[number])
    return add_refuted(scores, twos, threes, members, marks.union, listed[:count])


@kernel
def add_refuted(
    scores: Scores, below: Cores, cores: Cores, members: Rows, union: Bytes, listed: Rows
) -> tuple[int, int]:
    """Take a core of members all of whose guesses are excluded: (FAILED, its number) or NO_SPACE.

    They are by ``listed`` cores with one guess less.
    """
    chosen = np.empty(listed.shape[0], dtype=np.int32)
    core = np.empty(members.shape[0], dtype=np.int32)
    picked = choose(below, listed, listed.shape[0], union, chosen)
    width = take_union(members, union, core)
    if not has_space(cores, 1, width, picked):
        return NO_SPACE, 0
    return FAILED, add_core(cores, scores, core, width, chosen[:picked])


@kernel(inner=True)
def first_stuck(scores: Scores, parted: Rows, ends: Sums, many: int) -> int:
    """The first bucket that no guess sets apart, or -1."""
    for k in range(many):
        size = ends[k + 1] - ends[k]
        if size <= 2:
            return -1
        if apart(scores, parted[ends[k] : ends[k + 1]], size) < 0:
            return k
    return -1
