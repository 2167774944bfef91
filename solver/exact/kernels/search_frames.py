"""The frames of a search: what it keeps of each state on its way down, and the guesses to try.

A guess splits a state into buckets, each of which is a state again. Instead of recursion, whose
frames a compiler may place anywhere, there is one row of numbers per level in memory that is made
once; a search may thus be interrupted at any level and resumed from there. The exact ``search``
and the ``beam`` use it. They differ in which guess comes next and when one has failed. What they
share is here:

    split_frame   the guess under test splits the state; buckets are bounded by their size or weight
    open_bucket   the next bucket gets the frame below
    close_bucket  its bound comes back into the cost of the guess above

Lists of guesses, buckets and rows of all levels lie one behind the other; each frame says where its
own begin and end, and what it leaves free.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.arrays import aligned, returning
from ...machine.forms import record
from ...machine.jit import noalloc
from .lemmas import after_guess, guesses_left, least
from .memo import Memo, State, copy_state
from .score_table import REVEALED_WORDS, ScoreTable, reveal, score_numbers, score_type
from .state import Scratch, Weighing, split
from .table_vectors import Bits, Rows, Scores, Sums

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


@record
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
    #: What one guess more can do in the state of each frame (see ``find_capacity``).
    capacity: Rows


@record
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
    copy_state(state, work.scratch.members, work.stack.revealed[0])


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
def split_frame(
    table: ScoreTable, weighing: Weighing | None, scratch: Scratch, stack: Stack, level: int
) -> None:
    """Split the state of a frame by the guess under test; its cost is a lower bound.

    Buckets have the bounds of their sizes (lemma 1), or of their weights (lemma 16).
    """
    frame, state = stack.frames[level], state_at(scratch, stack, level)
    cost, buckets = split(table, weighing, scratch, state, guess_of(stack, frame), frame[TOP])
    then, begin = after_guess(frame[LEFT]), frame[BUCKETS]
    for j in range(buckets):
        start, size = scratch.starts[j], scratch.sizes[j]
        if weighing is None:
            bound = least(table.price, size, guesses_left(then, size))
            cost += bound
        else:
            bound = 2 * weighing.bucket_weight[j] - weighing.weights[scratch.members[start]]
        stack.bucket_start[begin + j], stack.bucket_size[begin + j] = start, size
        stack.bucket_bound[begin + j], stack.bucket_exact[begin + j] = bound, 0
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
