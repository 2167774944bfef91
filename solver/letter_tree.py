"""All measures of many words at once, with fewer increments than there are scores.

A row of scores is a sum of columns (see ``matrix``), and most of a column is zero: most secrets
lack the letter. So when the split by some columns is known, one more column moves only the
candidates that have its letter: each is counted into its new bucket, and the old buckets lose
what the new ones have gained. Guesses are visited in the order of their columns, the commonest
letter first, so that neighbours share the splits by their common letters, and what is left to
count for a guess alone is its rarest letter. For a whole dictionary that is a third of the
increments which a histogram of every row takes, and the score matrix is never made.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arrays import copy_into
from .jit import kernel, lean
from .matrix import letter_shares, padded_rows, place_sets, take_apart
from .rules import Costs, Measures, empty_measures, fixed_log_weights
from .simd import COUNTS, above_one, first_bit

Letters = NDArray[np.uint8]
Ids = NDArray[np.int32]
Counts = NDArray[np.uint16]

#: Longer words have scores that do not fit a byte.
_LONGEST = 5
#: Fewer guesses share too little, and fewer candidates are counted faster row by row; more
#: candidates do not fit counters of two bytes.
_FEWEST_GUESSES, _FEWEST, _MOST = 4096, 1024, (1 << 16) - 2
#: Buckets of a split; those from 3 ** _LONGEST on stay empty.
_SCORES = 256
#: Sets of counters that take turns: an increment waits for the last one of the same counter.
_SETS = 8
#: Distance of two sets, not a part of 4096 bytes: processors take stores and loads that are so
#: far apart for the same place. Behind the counters of scores are some that nobody reads.
_APART = 608
#: Places of candidates that are loaded at once.
_FOUR = 4
#: The partial score of the place behind the last candidate: it is counted where nobody reads.
_NOBODY = 255


class _Columns(NamedTuple):
    """What each column adds to the scores of the candidates; column 0 adds nothing."""

    #: ``added[column, candidate]``.
    added: Letters
    #: Runs of candidates to which the same is added, each filled up with the place behind the last
    #: candidate to a multiple of ``_SETS``.
    members: Counts
    #: Where each run begins in ``members``, and where the last one ends; what it adds.
    starts: Ids
    additions: Ids
    #: The runs of column ``c`` are ``first[c]`` to ``first[c + 1] - 1``.
    first: Ids
    #: The places of each column, as bits.
    places: Ids


class _Room(NamedTuple):
    """What the walk works with."""

    #: Of each level: the partial scores of the candidates, and how many have each.
    rows: Letters
    splits: Counts
    #: Counters of the candidates that a column moves.
    moved: Counts
    #: The columns of the last guess.
    last: Ids


def tree_pays(length: int, guesses: int, candidates: int) -> bool:
    """Whether so many words of this length can be measured here, and faster than row by row."""
    return length <= _LONGEST and guesses >= _FEWEST_GUESSES and _FEWEST <= candidates <= _MOST


def tree_measures(guesses: Letters, candidates: Letters) -> Measures:
    """All measures of the guesses; both are words of at most five letters, given as 0-25."""
    terms, _, letter, places = take_apart(guesses)
    columns = _columns_of(letter, places, candidates)
    order = _in_tree_order(terms, columns.starts[columns.first])
    measures = empty_measures(len(guesses), len(candidates))
    room = _room(terms.shape[1], columns.added.shape[1], len(candidates))
    logs = fixed_log_weights(len(candidates))
    _walk(order, terms, columns, _unmarked(guesses.shape[1]), room, logs, *measures[1:])
    return measures


# --- columns ------------------------------------------------------------------------------


def _columns_of(letter: Ids, places: Ids, candidates: Letters) -> _Columns:
    """The columns of the given letters at places, over the candidates."""
    count, length = candidates.shape
    sets = place_sets(candidates)
    shares = letter_shares(length, np.uint8)
    having = int(np.count_nonzero(sets, axis=1)[letter].sum())
    runs = len(letter) * len(shares)
    columns = _Columns(
        _zeros(len(letter), count + 1, np.uint8),
        np.empty(_SETS * (having // _SETS + 1 + runs), dtype=np.uint16),
        np.zeros(runs + 1, dtype=np.int32),
        np.zeros(runs, dtype=np.int32),
        np.zeros(len(letter) + 1, dtype=np.int32),
        places,
    )
    _fill(letter, sets, shares, columns)
    return columns


@kernel
def _fill(letters: Ids, sets: Ids, shares: Letters, columns: _Columns) -> None:
    """Fill in columns; those of one letter are neighbours."""
    added, members, starts, additions, first, places = columns
    nobody = sets.shape[1]
    having = np.empty(nobody, dtype=np.uint16)
    groups = np.zeros(shares.shape[0] + 1, dtype=np.int64)
    run = 0
    for column in range(1, letters.shape[0]):
        first[column] = run
        if letters[column] != letters[column - 1] or column == 1:
            _sort_by_set(sets[letters[column]], having, groups)
        share = shares[places[column]]
        for own in range(share.shape[0]):
            value = share[own]
            known = value == 0 or groups[own] == groups[own + 1]
            if known or np.any(additions[first[column] : run] == value):
                continue
            at = starts[run]
            for other in range(own, share.shape[0]):
                if share[other] == value:
                    for k in range(groups[other], groups[other + 1]):
                        added[column, having[k]] = value
                        members[at] = having[k]
                        at += 1
            while at % _SETS:
                members[at] = nobody
                at += 1
            additions[run] = value
            run += 1
            starts[run] = at
    first[letters.shape[0]] = run


@kernel(inner=True)
def _sort_by_set(sets: Ids, having: Counts, starts: NDArray[np.int64]) -> None:
    """The candidates that have a letter, by their sets of places of it."""
    starts[:] = 0
    for own in sets:
        starts[own] += own > 0
    total = 0
    for own in range(starts.shape[0]):
        total += starts[own]
        starts[own] = total
    for candidate in range(sets.shape[0] - 1, -1, -1):
        own = sets[candidate]
        if own:
            starts[own] -= 1
            having[starts[own]] = candidate


@cache
def _unmarked(length: int) -> Counts:
    """``unmarked[places, score]``: all bits if the score is grey at all the places."""
    scores = np.arange(_SCORES)
    marked = np.zeros(_SCORES, dtype=np.int64)
    for place in range(length):
        marked |= (scores // 3**place % 3 > 0).astype(np.int64) << place
    grey = (np.arange(1 << length)[:, None] & marked == 0) & (scores < 3**length)
    unmarked = _zeros(1 << length, _SCORES, np.uint16)
    unmarked[grey] = ~np.uint16(0)
    return unmarked


def _zeros(rows: int, columns: int, dtype: type) -> NDArray[Any]:
    """Zeros, rows aligned for vectors, with columns to fill a vector up."""
    result = padded_rows(rows, columns - 1, dtype)
    result[:] = 0
    return result


# --- the order of the guesses -------------------------------------------------------------


def _in_tree_order(terms: Ids, first: Ids) -> Ids:
    """The order of the guesses; the terms of each are sorted, the longest column first."""
    lengths = np.diff(first)
    lengths[0] = -1  # nobody's column is the last of all
    by_length = np.argsort(-lengths, kind="stable")
    rank = np.empty(len(by_length), dtype=np.int32)
    rank[by_length] = np.arange(len(by_length))
    order = np.arange(len(terms), dtype=np.int32)
    _sort_terms(terms, rank)
    _sort_guesses(terms, rank, order, np.empty_like(order))
    return order


@kernel
def _sort_terms(terms: Ids, rank: Ids) -> None:
    """Sort each guess's terms by rank."""
    for mine in terms:
        for start in range(1, mine.shape[0]):
            at = start
            term = mine[at]
            while at > 0 and rank[mine[at - 1]] > rank[term]:
                mine[at] = mine[at - 1]
                at -= 1
            mine[at] = term


@kernel
def _sort_guesses(terms: Ids, rank: Ids, order: Ids, sorted_order: Ids) -> None:
    """Sort guesses by the ranks of their terms; no guess shares the split by its last term."""
    where = np.empty(rank.shape[0] + 1, dtype=np.int64)
    for level in range(terms.shape[1] - 2, -1, -1):
        where[:] = 0
        for guess in range(terms.shape[0]):
            where[rank[terms[guess, level]] + 1] += 1
        for term in range(rank.shape[0]):
            where[term + 1] += where[term]
        for guess in order:
            term = rank[terms[guess, level]]
            sorted_order[where[term]] = guess
            where[term] += 1
        copy_into(order, sorted_order)


# --- the walk -----------------------------------------------------------------------------


def _room(depth: int, width: int, candidates: int) -> _Room:
    """Memory for the walk; at the first level nothing is known and all are in one bucket."""
    room = _Room(
        _zeros(depth, width, np.uint8),
        _zeros(depth + 1, _SCORES, np.uint16),
        _zeros(1, _SETS * _APART, np.uint16)[0],
        np.full(depth, -1, dtype=np.int32),
    )
    room.rows[:, candidates:] = _NOBODY
    room.splits[0, 0] = candidates
    return room


@lean
def _walk(
    order: Ids,
    terms: Ids,
    columns: _Columns,
    unmarked: Counts,
    room: _Room,
    log_weights: Costs,
    parts: Ids,
    largest: Ids,
    squares: Costs,
    weights: Costs,
) -> None:
    """Measure guess after guess; what it has in common with the last one is not done again."""
    added, members, starts, additions, first, places = columns
    rows, splits, moved, last = room
    fours = members.view(np.uint64)  # in which order a machine packs them does not matter
    depth = terms.shape[1]
    for guess in order:
        mine = terms[guess]
        level = 0
        while level < depth - 1 and mine[level] == last[level]:
            level += 1
        while level < depth and mine[level]:
            column = mine[level]
            last[level] = column
            _clear(moved)
            for run in range(first[column], first[column + 1]):
                those = fours[starts[run] // _FOUR : starts[run + 1] // _FOUR]
                _count(rows[level], those, moved[additions[run] :])
            _sum_sets(moved)
            news = additions[first[column] : first[column + 1]]
            _move(splits[level], moved, news, unmarked[places[column]], splits[level + 1])
            level += 1
            if level < depth and mine[level]:  # else all places are taken: no guess goes on here
                _add(rows[level - 1], added[column], rows[level])
        last[level:] = 0
        _measure(splits[level], guess, log_weights, parts, largest, squares, weights)


@lean(inner=True)
def _clear(moved: Counts) -> None:
    """Zero the counters that are read."""
    for at in range(_SCORES):
        for k in range(_SETS):
            moved[k * _APART + at] = 0


@lean
def _count(row: Letters, fours: NDArray[np.uint64], moved: Counts) -> None:
    """Count a run of candidates by their partial scores; ``moved`` begins at what is added."""
    one, place, two = np.uint16(1), np.uint64(0xFFFF), np.uint64(2)
    for pair in range(fours.shape[0] // 2):
        four = fours[np.uint64(pair) * two]
        more = fours[np.uint64(pair) * two + np.uint64(1)]
        a = np.uint64(row[four & place])
        b = np.uint64(row[four >> np.uint64(16) & place])
        c = np.uint64(row[four >> np.uint64(32) & place])
        d = np.uint64(row[four >> np.uint64(48)])
        e = np.uint64(row[more & place])
        f = np.uint64(row[more >> np.uint64(16) & place])
        g = np.uint64(row[more >> np.uint64(32) & place])
        h = np.uint64(row[more >> np.uint64(48)])
        moved[a] += one
        moved[b + np.uint64(_APART)] += one
        moved[c + np.uint64(2 * _APART)] += one
        moved[d + np.uint64(3 * _APART)] += one
        moved[e + np.uint64(4 * _APART)] += one
        moved[f + np.uint64(5 * _APART)] += one
        moved[g + np.uint64(6 * _APART)] += one
        moved[h + np.uint64(7 * _APART)] += one


@lean(inner=True)
def _sum_sets(moved: Counts) -> None:
    """Add up the sets of counters in the first one."""
    for at in range(_SCORES):
        total = moved[at]
        for k in range(1, _SETS):
            total += moved[k * _APART + at]
        moved[at] = total


@lean(inner=True)
def _move(split: Counts, moved: Counts, news: Ids, unmarked: Counts, after: Counts) -> None:
    """The split once the moved candidates have left their old buckets for the new ones."""
    if news.shape[0] == 2:  # green and yellow, almost always
        green, yellow = moved[news[0] :], moved[news[1] :]
        for at in range(_SCORES):
            after[at] = split[at] + moved[at] - (unmarked[at] & (green[at] + yellow[at]))
        return
    for at in range(_SCORES):
        after[at] = split[at] + moved[at]
    for new in news:
        gained = moved[new:]
        for at in range(_SCORES):
            after[at] -= unmarked[at] & gained[at]


@lean
def _add(row: Letters, column: Letters, total: Letters) -> None:
    """The sum of a row and a column."""
    for at in range(row.shape[0]):
        total[at] = row[at] + column[at]


@lean(inner=True)
def _measure(
    split: Counts,
    guess: int,
    log_weights: Costs,
    parts: Ids,
    largest: Ids,
    squares: Costs,
    weights: Costs,
) -> None:
    """All measures of one split; a bucket of one has no weight."""
    found = 0
    most = np.uint16(0)
    square = 0
    weight = 0
    for score in range(_SCORES):
        size = split[score]
        found += size > 0
        most = max(most, size)
        square += int(np.int64(size)) * int(np.int64(size))
    for start in range(0, _SCORES, COUNTS):
        several = above_one(split, start)
        while several:
            weight += log_weights[split[start + first_bit(several)]]
            several &= several - np.uint64(1)
    parts[guess] = found
    largest[guess] = most
    squares[guess] = square
    weights[guess] = weight
