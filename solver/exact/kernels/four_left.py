"""The limit search with four guesses left: whether a state can be solved, by one kernel.

A guess fails on the first bucket that three guesses cannot solve, and the core of that bucket takes
along all other guesses that leave it undivided (docs/exact.md, lemmas 7 and 7a). Guesses with the
most parts come first, candidates first among equals.

The guess that is found is the first one in that order that solves all its buckets, whatever is
known of cores: they only save the trouble with guesses that fail. So it depends on the candidates
alone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.arrays import copy_into
from ...machine.jit import kernel
from .cores import (
    NO_SPACE,
    PAUSED,
    SOLVED,
    Cores,
    Marks,
    add_refuted,
    count_open,
    gather,
    list_inside,
    three_left_with,
    unite,
)
from .score_table import ScoreTable, count_others, most_scores, new_ends, split_by_size
from .table_vectors import BLOCK_COLUMNS, Bits, Rows, Sums

_FOUR = 4


class FourLeft(NamedTuple):
    """What the search with four guesses left works with."""

    twos: Cores
    threes: Cores
    fours: Cores
    marks: Marks
    #: Columns by their guesses.
    by_guess: Rows


class TrySpace(NamedTuple):
    """Space to try a column in: its buckets, and lists of cores."""

    parted: Rows
    ends: Sums
    whole: Rows
    listed: Rows
    #: The guesses that cores exclude in each bucket of more than three, and how much is to be
    #: searched there, the last bucket first.
    covered: Bits
    work: Sums


@kernel
def by_parts(table: ScoreTable, members: Rows, covered: Bits, by_guess: Rows, order: Rows) -> int:
    """List the columns that are not covered, those with the most parts first; how many.

    Candidates come first among equals, then by the order of the guesses.
    """
    parts = np.zeros(covered.shape[0] * BLOCK_COLUMNS, dtype=table.rows.dtype)
    count_others(table, members, covered, parts)
    mine = np.zeros(table.rows.shape[1] + 1, dtype=np.uint8)
    for k in range(members.shape[0]):
        mine[members[k]] = 1
    rank, count = np.empty(by_guess.shape[0], dtype=np.int64), 0
    for column in by_guess:
        if not _is_in(covered, column):
            row = table.secret[column]
            is_candidate = row >= 0 and mine[row] == 1
            rank[count] = -2 * np.int64(parts[column]) - is_candidate
            order[count] = column
            count += 1
    copy_into(order, order[np.argsort(rank[:count], kind="mergesort")])
    return count


@kernel(inner=True)
def _is_in(columns: Bits, column: int) -> bool:
    word = columns[column // BLOCK_COLUMNS] >> np.uint64(column % BLOCK_COLUMNS)
    return bool(word & np.uint64(1) != 0)


@kernel
def four_left(
    table: ScoreTable, search: FourLeft, members: Rows, covered: Bits, most: int
) -> tuple[int, int]:
    """With four guesses: (SOLVED, column to guess), (FAILED, number of a core), NO_SPACE or PAUSED.

    It pauses after ``most`` buckets; called again, with all that it was called with, it goes on.
    """
    listed = np.empty(search.threes.helpless.shape[0], dtype=np.int32)
    count = gather(search.threes, members, search.marks.inside, covered, listed)
    order = np.empty(search.by_guess.shape[0], dtype=np.int32)
    many = by_parts(table, members, covered, search.by_guess, order)
    most_buckets = min(most_scores(table), members.shape[0] // _FOUR + 1)
    space = TrySpace(
        np.empty(members.shape[0], dtype=np.int32),
        new_ends(table),
        np.empty(search.twos.helpless.shape[0], dtype=np.int32),
        np.empty(search.twos.helpless.shape[0], dtype=np.int32),
        np.empty((most_buckets, search.twos.helpless.shape[1]), dtype=np.uint64),
        np.empty(most_buckets, dtype=np.int64),
    )
    # the cores with two guesses left among the members: those known, then those that are found
    near = np.empty(search.twos.helpless.shape[0], dtype=np.int32)
    n_near = list_inside(search.twos, members, search.marks.inside, near)
    searched = 0
    for at in range(many):
        if _is_in(covered, order[at]):
            continue
        known = search.twos.total[0]
        outcome, found = _try_column(table, search, members, order[at], near[:n_near], space)
        if outcome == SOLVED:
            return SOLVED, order[at]
        if outcome == NO_SPACE:
            return NO_SPACE, 0
        for number in range(known, search.twos.total[0]):
            near[n_near] = number
            n_near += 1
        unite(covered, search.threes.helpless[found])
        listed[count] = found
        count += 1
        searched += 1
        if searched >= most:
            return PAUSED, 0
    stores = search.threes, search.fours
    return add_refuted(table.rows, *stores, members, search.marks.union, listed[:count])


@kernel(inner=True)
def _try_column(
    table: ScoreTable, search: FourLeft, members: Rows, column: int, near: Rows, space: TrySpace
) -> tuple[int, int]:
    """Whether three guesses solve all buckets of a column; the number of a core if not.

    Buckets of three and less need no search (lemma 11). ``near``: the cores with two guesses left
    that lie among the members. Buckets that they refute come first, then those where little is left
    to be searched: the guesses that no core excludes, times the members. Of equal ones the last
    comes first.
    """
    twos, bucket_of = search.twos, search.marks.bucket
    parted, ends, whole, listed = space.parted, space.ends, space.whole, space.listed
    many = split_by_size(table, members, column, parted, ends)
    large = 0
    while large < many and ends[large + 1] - ends[large] >= _FOUR:
        for row in parted[ends[large] : ends[large + 1]]:
            bucket_of[row] = large + 1
        large += 1
    n_whole = _cover(twos, near, column, bucket_of, space)
    for k in range(large):
        space.work[large - 1 - k] = count_open(space.covered[k]) * (ends[k + 1] - ends[k])
    outcome, found = SOLVED, column
    for place in np.argsort(space.work[:large], kind="mergesort"):
        k = large - 1 - place
        count = 0
        for number in whole[:n_whole]:
            if bucket_of[twos.lead[number]] == k + 1:
                listed[count] = number
                count += 1
        bucket = parted[ends[k] : ends[k + 1]]
        outcome, found = three_left_with(
            table, bucket, twos, search.threes, search.marks, listed, count
        )
        if outcome != SOLVED:
            break
    for row in members:
        bucket_of[row] = 0
    return outcome, found


@kernel(inner=True)
def _cover(twos: Cores, near: Rows, column: int, bucket_of: Rows, space: TrySpace) -> int:
    """List the cores that a column leaves undivided in large buckets, and what they exclude there.

    Each lies in the bucket of its first candidate. How many they are.
    """
    space.covered[:] = 0
    count = 0
    for number in near:
        bucket = bucket_of[twos.lead[number]]
        if bucket > 0 and _is_in(twos.helpless[number], column):
            space.whole[count] = number
            count += 1
            unite(space.covered[bucket - 1], twos.helpless[number])
    return count
