"""The frames of a search: what it keeps of each state on its way down, and the guesses to try.

A guess splits a state into buckets, each of which is a state again. Instead of recursion, whose
frames a compiler may place anywhere, there is one row of numbers per level in memory that is made
once; a search may thus be interrupted at any level and resumed from there. The exact ``search``
and the ``beam`` use it. They differ in which guess comes next and when one has failed. What they
share is here:

    split_frame   the guess under test splits the state; buckets get the bound of lemma 1
    open_bucket   the next bucket gets the frame below
    close_bucket  its bound comes back into the cost of the guess above

Lists of guesses, buckets and rows of all levels lie one behind the other; each frame says where its
own begin and end, and what it leaves free.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.arrays import aligned, returning
from ...machine.jit import noalloc
from ...machine.vectors import first_bit
from .lemmas import after_guess, fewest_parts, guesses_left, least, least_by_parts
from .memo import Memo, State
from .score_table import REVEALED_WORDS, ScoreTable, is_legal, reveal, score_numbers, score_type
from .state import Scratch, split, tighten
from .table_vectors import BLOCK_COLUMNS, Bits, Rows, Scores, Sums

#: Columns of a frame. FIRST, COUNT, LEFT: the state. LIMIT: values above are of no interest.
#: LEVEL: the bound under test. TRIES, TRIES_END, TRIED: its guesses. BUCKETS, BUCKETS_END, COST,
#: CHILD: the guess under test. TOP: free rows behind it.
FIRST, COUNT, LEFT, LIMIT, LEVEL = 0, 1, 2, 3, 4
TRIES, TRIES_END, TRIED, BUCKETS, BUCKETS_END, COST, CHILD, TOP = 5, 6, 7, 8, 9, 10, 11, 12
#: The best value so far and its guess, the least bound of guesses that are not listed; how far the
#: next level is above the least bound, where that grows.
BEST, COLUMN, LOWEST, STEP = 13, 14, 15, 16
_FIELDS = 17
#: Where a search that can be interrupted begins: at no level yet.
NOWHERE = -1
#: States are rarely nested deeper; a world where they are is searched all the same up to here.
_DEEPEST = 300


class Stack(NamedTuple):
    """The frames of nested states, and their guesses and buckets."""

    frames: Sums
    revealed: Bits
    #: What no guess exceeds in parts, for the state of each frame.
    ceilings: Scores
    columns: Rows
    bounds: Sums
    #: Scratch for sorting a list: (key, column, bound).
    keys: Sums
    bucket_start: Sums
    bucket_size: Sums
    bucket_bound: Sums
    bucket_exact: Sums
    #: What one guess more can do in the state of each frame (see ``capacity``).
    capacity: Rows


class Workspace(NamedTuple):
    """What a search works with."""

    table: ScoreTable
    #: What is known of states.
    memo: Memo
    scratch: Scratch
    stack: Stack


def nesting(secrets: int) -> int:
    """How deep states nest in the frames of a search: each guess tried excludes a candidate."""
    return min(secrets, _DEEPEST) + 1


def new_stack(table: ScoreTable, lists: int = 1, longest: int | None = None) -> Stack:
    """Memory for the frames, and for ``lists`` lists of guesses that outlive a search.

    Lists have all guesses of the table, or no more than the ``longest`` has.
    """
    secrets, width = len(table.column), len(table.guess)
    guesses = width if longest is None else longest
    levels = nesting(secrets)
    tries = guesses * (levels + lists)
    buckets = score_numbers(table) * (levels + 1)
    return Stack(
        np.zeros((levels + 2, _FIELDS), dtype=np.int64),
        np.zeros((levels + 2, REVEALED_WORDS), dtype=np.uint64),
        aligned((levels + 2, guesses), score_type(table)),
        returning((tries,), np.int32),
        returning((tries,), np.int64),
        np.empty((guesses, 3), dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty((levels + 2, secrets + 1), dtype=np.int32),
    )


@noalloc(inner=True, inline=True)
def state_at(scratch: Scratch, stack: Stack, level: int) -> State:
    """The state of a frame."""
    frame = stack.frames[level]
    return State(scratch.members, frame[FIRST], frame[COUNT], frame[LEFT], stack.revealed[level])


@noalloc(inner=True)
def lay_state(work: Workspace, state: State) -> None:
    """Copy a state to where searches look for it: its rows come first, what is seen in a frame."""
    for k in range(state.size):
        work.scratch.members[k] = state.members[state.first + k]
    for k in range(REVEALED_WORDS):
        work.stack.revealed[0, k] = state.revealed[k]


@noalloc(inner=True)
def first_frame(stack: Stack, count: int, left: int, limit: int) -> None:
    """The frame of the state ``members[:count]``, with no guesses yet."""
    frame = stack.frames[0]
    frame[FIRST], frame[COUNT], frame[TOP] = 0, count, count
    frame[LEFT], frame[LIMIT] = guesses_left(left, count), limit
    frame[TRIES], frame[BUCKETS] = 0, 0


@noalloc(inner=True, inline=True)
def guess_of(stack: Stack, frame: Sums) -> int:
    """The column of the guess under test."""
    return int(np.int64(stack.columns[frame[TRIED]]))


@noalloc(inner=True, inline=True)
def split_frame(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """Split the state of a frame by the guess under test; its cost is a lower bound."""
    frame = stack.frames[level]
    state = state_at(scratch, stack, level)
    cost, buckets = split(table, scratch, state, guess_of(stack, frame), frame[TOP])
    then = after_guess(frame[LEFT])
    begin = frame[BUCKETS]
    for j in range(buckets):
        size = scratch.sizes[j]
        bound = least(table.price, size, guesses_left(then, size))
        stack.bucket_start[begin + j], stack.bucket_size[begin + j] = scratch.starts[j], size
        stack.bucket_bound[begin + j], stack.bucket_exact[begin + j] = bound, 0
        cost += bound
    frame[BUCKETS_END], frame[COST] = begin + buckets, cost


@noalloc(inner=True, inline=True)
def top_below(stack: Stack, frame: Sums) -> int:
    """Where free rows begin behind the buckets of the guess under test."""
    if frame[BUCKETS] == frame[BUCKETS_END]:
        return int(frame[TOP])
    last = frame[BUCKETS_END] - 1
    return int(stack.bucket_start[last] + stack.bucket_size[last])


@noalloc(inner=True, inline=True)
def unsettled(stack: Stack, frame: Sums) -> tuple[int, int]:
    """The largest bucket of a frame with no known value, -1 for none; how many there are."""
    first, number = -1, 0
    for bucket in range(frame[BUCKETS], frame[BUCKETS_END]):
        if stack.bucket_exact[bucket] == 0:
            number += 1
            if first < 0:
                first = bucket
    return first, number


@noalloc(inner=True)
def open_bucket(
    table: ScoreTable, scratch: Scratch, stack: Stack, level: int, bucket: int, spare: int
) -> None:
    """Open the frame below for a bucket, which may be worth ``spare`` more than its bound."""
    if level + 2 >= stack.frames.shape[0]:
        raise MemoryError  # nested more than _DEEPEST deep
    frame, below = stack.frames[level], stack.frames[level + 1]
    start, size = stack.bucket_start[bucket], stack.bucket_size[bucket]
    frame[CHILD] = bucket
    below[FIRST], below[COUNT] = start, size
    below[LEFT] = guesses_left(after_guess(frame[LEFT]), size)
    below[LIMIT] = stack.bucket_bound[bucket] + spare
    below[TRIES], below[BUCKETS] = frame[TRIES_END], frame[BUCKETS_END]
    below[TOP] = top_below(stack, frame)
    column = guess_of(stack, frame)
    reveal(table, column, scratch.members[start], stack.revealed[level], stack.revealed[level + 1])


@noalloc(inner=True, inline=True)
def close_bucket(stack: Stack, frame: Sums, bound: int, exact: int) -> None:
    """Take over what was found out about the open bucket of a frame."""
    bucket = frame[CHILD]
    known = stack.bucket_bound[bucket]
    if bound > known:
        frame[COST] += bound - known
        stack.bucket_bound[bucket] = bound
    stack.bucket_exact[bucket] = exact


@noalloc(inner=True, inline=True)
def holds(stack: Stack, frame: Sums) -> bool:
    """Whether the picked guess may still be within the level; its bound is raised if not."""
    if frame[COST] <= frame[LEVEL]:
        return True
    stack.bounds[frame[TRIED]] = frame[COST]
    return False


# ---- The guesses to try: the legal ones with a bound within the limit
#
# A limit says how many parts a guess needs (lemma 2); columns stand in the order of their parts, so
# all behind the first block with too few are out at once. What ceilings do not exclude is counted,
# 64 guesses at a time, and kept as the ceiling of the states below.


@noalloc
def list_guesses(
    table: ScoreTable,
    scratch: Scratch,
    stack: Stack,
    ceiling: Scores,
    state: State,
    limit: int,
    at: int,
) -> int:
    """Write the legal guesses of a state, bounds up to ``limit``, to lists from ``at``; the end.

    The ceiling is lowered by what is found.
    """
    members, first, count, left = state.members, state.first, state.size, state.left
    need = fewest_parts(table.price, count, left, limit, 1)
    if need > count:
        return at
    begin = at
    for k in range(first, first + count):
        scratch.inside[members[k]] = 1
    for column in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        if table.parts[column] < need:
            break
        good = tighten(table, scratch, state, ceiling, column, need)
        while good != np.uint64(0):
            here = column + first_bit(good)
            good &= good - np.uint64(1)
            row = table.secret[here]
            hit = 1 if row >= 0 and scratch.inside[row] == 1 else 0
            bound = least_by_parts(table.price, count, int(np.int64(ceiling[here])), hit, left)
            if bound <= limit and is_legal(table, here, state.revealed):
                stack.columns[at] = here
                stack.bounds[at] = bound
                at += 1
    for k in range(first, first + count):
        scratch.inside[members[k]] = 0
    if table.price == 0:
        _least_bucket_first(table, scratch, stack, state, begin, at)
    return at


@noalloc(inner=True)
def _least_bucket_first(
    table: ScoreTable, scratch: Scratch, stack: Stack, state: State, begin: int, end: int
) -> None:
    """Sort a list of guesses by the size of their largest bucket, where all bounds are alike."""
    times, below = scratch.times, scratch.scores
    members, first, count = state.members, state.first, state.size
    columns, keys = stack.columns, stack.keys
    below[: count + 1] = 0
    for at in range(begin, end):
        of_row = table.scores[columns[at]]
        most = 0
        for k in range(count):
            score = np.int64(of_row[members[first + k]])
            times[score] += 1
            most = max(most, times[score])
        for k in range(count):
            times[np.int64(of_row[members[first + k]])] = 0
        keys[at - begin, 0], keys[at - begin, 1] = most, columns[at]
        keys[at - begin, 2] = stack.bounds[at]
        below[most] += 1
    place = begin
    for size in range(count + 1):
        place, below[size] = place + below[size], place
    for k in range(end - begin):
        at = below[keys[k, 0]]
        below[keys[k, 0]] += 1
        columns[at], stack.bounds[at] = keys[k, 1], keys[k, 2]


@noalloc(inner=True)
def sort_by_bound(stack: Stack, begin: int, end: int) -> None:
    """Sort a list of guesses by their bounds, equal ones as they stand: merge runs of 1, 2, 4, …"""
    columns, bounds, keys = stack.columns, stack.bounds, stack.keys
    count, run = end - begin, 1
    while run < count:
        for k in range(count):
            keys[k, 0], keys[k, 1] = bounds[begin + k], columns[begin + k]
        for start in range(0, count, 2 * run):
            middle, stop = min(start + run, count), min(start + 2 * run, count)
            one, other = start, middle
            for at in range(begin + start, begin + stop):
                if other == stop or (one < middle and keys[one, 0] <= keys[other, 0]):
                    bounds[at], columns[at] = keys[one, 0], keys[one, 1]
                    one += 1
                else:
                    bounds[at], columns[at] = keys[other, 0], keys[other, 1]
                    other += 1
        run *= 2
