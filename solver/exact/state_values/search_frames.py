"""Frames: what the searches that go down into buckets keep of each state on the way.

A guess parts a state into buckets, each of which is a state again. Instead of recursion, whose
frames a compiler may place anywhere, there is one row of numbers per level in memory that is made
once; a search may thus be broken off at any level and go on from there. Three searches use it:
``deepening``, ``branch_and_bound`` and ``beam_search``. They differ in which guess comes next and
when one has failed. What they share is here:

    split_frame        the guess under test parts the state; buckets get the bound of lemma 1
    glance_at_buckets  their bounds rise to what is known without a search
    open_bucket        the next bucket gets the frame below
    close_bucket       its bound comes back into the cost of the guess above

Lists of guesses, buckets and rows of all levels lie one behind the other; each frame says where its
own begin and end, and what it leaves free.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned, returning
from ...machine.jit import lean
from ..lemmas import after_guess, guesses_left, least
from ..table.score_table import SHOWN_WORDS, ScoreTable, show
from .memo import Memo
from .scratch_memory import Scratch, State
from .split_state import glance, split

#: Columns of a frame. FIRST, COUNT, LEFT: the state. LIMIT: values above are of no interest.
#: LEVEL: the bound under test. TRIES, TRIES_END, TRIED: its guesses. BUCKETS, BUCKETS_END, COST,
#: CHILD: the guess under test. TOP: free rows behind it.
FIRST, COUNT, LEFT, LIMIT, LEVEL = 0, 1, 2, 3, 4
TRIES, TRIES_END, TRIED, BUCKETS, BUCKETS_END, COST, CHILD, TOP = 5, 6, 7, 8, 9, 10, 11, 12
#: The best value so far and its guess, the least bound of guesses that failed.
BEST, COLUMN, LOWEST = 13, 14, 15
_FIELDS = 16
#: Where a search that can be broken off begins: at no level yet.
NOWHERE = -1
_MOST_BUCKETS = 256
#: States are rarely nested deeper; a world where they are is searched all the same up to here.
_DEEPEST = 300


class Stack(NamedTuple):
    """The frames of nested states, and their guesses and buckets."""

    frames: NDArray[np.int64]
    shown: NDArray[np.uint64]
    #: What no guess exceeds in parts, for the state of each frame.
    ceilings: NDArray[np.uint8]
    columns: NDArray[np.int32]
    bounds: NDArray[np.int64]
    #: Scratch for sorting a list: (key, column, bound).
    keys: NDArray[np.int64]
    bucket_start: NDArray[np.int64]
    bucket_size: NDArray[np.int64]
    bucket_bound: NDArray[np.int64]
    bucket_exact: NDArray[np.int64]
    #: Of branch and bound: what one guess more can do in the state of each frame (see there).
    capacity: NDArray[np.int32]


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


def new_stack(secrets: int, guesses: int, lists: int = 1) -> Stack:
    """Memory for the frames, and for ``lists`` lists of all guesses that outlive a search."""
    levels = nesting(secrets)
    tries = guesses * (levels + lists)
    buckets = _MOST_BUCKETS * (levels + 1)
    return Stack(
        np.zeros((levels + 2, _FIELDS), dtype=np.int64),
        np.zeros((levels + 2, SHOWN_WORDS), dtype=np.uint64),
        aligned((levels + 2, guesses)),
        returning((tries,), np.int32),
        returning((tries,), np.int64),
        np.empty((guesses, 3), dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty(buckets, dtype=np.int64),
        np.empty((levels + 2, secrets + 1), dtype=np.int32),
    )


@lean(inner=True, inline=True)
def state_at(scratch: Scratch, stack: Stack, level: int) -> State:
    """The state of a search frame."""
    frame = stack.frames[level]
    return State(scratch.members, frame[FIRST], frame[COUNT], frame[LEFT], stack.shown[level])


@lean(inner=True)
def first_frame(stack: Stack, count: int, left: int, limit: int) -> None:
    """The frame of the state ``members[:count]``, with no guesses yet."""
    frame = stack.frames[0]
    frame[FIRST], frame[COUNT], frame[TOP] = 0, count, count
    frame[LEFT], frame[LIMIT] = guesses_left(left, count), limit
    frame[TRIES], frame[BUCKETS] = 0, 0


@lean(inner=True, inline=True)
def guess_of(stack: Stack, frame: NDArray[np.int64]) -> int:
    """The column of the guess under test in a search frame."""
    return int(np.int64(stack.columns[frame[TRIED]]))


@lean(inner=True, inline=True)
def split_frame(table: ScoreTable, scratch: Scratch, stack: Stack, level: int) -> None:
    """Part the state of a frame by the guess under test; its cost is what it is worth at least."""
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


@lean(inner=True, inline=True)
def glance_at_buckets(
    table: ScoreTable, memo: Memo, scratch: Scratch, stack: Stack, level: int, limit: int
) -> bool:
    """On a frame of a search, look at a guess's buckets; False: its cost passes a limit."""
    frame, below = stack.frames[level], stack.shown[level + 1]
    column, then = guess_of(stack, frame), after_guess(frame[LEFT])
    cost, top = frame[COST], _top_below(stack, frame)
    for j in range(frame[BUCKETS], frame[BUCKETS_END]):
        if cost > limit:
            break
        known = stack.bucket_bound[j]
        start, size = stack.bucket_start[j], stack.bucket_size[j]
        show(table, column, scratch.members[start], stack.shown[level], below)
        bucket = State(scratch.members, start, size, then, below)
        bound, exact, _ = glance(
            table, memo, scratch, stack.ceilings[level], bucket, limit - cost + known, top
        )
        bound = max(bound, known)
        stack.bucket_bound[j], stack.bucket_exact[j] = bound, exact
        cost += bound - known
    frame[COST] = cost
    return bool(cost <= limit)


@lean(inner=True, inline=True)
def _top_below(stack: Stack, frame: NDArray[np.int64]) -> int:
    """Where free rows begin behind the buckets of the guess under test."""
    if frame[BUCKETS] == frame[BUCKETS_END]:
        return int(frame[TOP])
    last = frame[BUCKETS_END] - 1
    return int(stack.bucket_start[last] + stack.bucket_size[last])


@lean(inner=True, inline=True)
def unsettled(stack: Stack, frame: NDArray[np.int64]) -> tuple[int, int]:
    """The largest bucket of a frame with no known value, -1 for none; how many there are."""
    first, number = -1, 0
    for bucket in range(frame[BUCKETS], frame[BUCKETS_END]):
        if stack.bucket_exact[bucket] == 0:
            number += 1
            if first < 0:
                first = bucket
    return first, number


@lean(inner=True)
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
    below[TOP] = _top_below(stack, frame)
    column = guess_of(stack, frame)
    show(table, column, scratch.members[start], stack.shown[level], stack.shown[level + 1])


@lean(inner=True, inline=True)
def close_bucket(stack: Stack, frame: NDArray[np.int64], bound: int, exact: int) -> None:
    """Take over what was found out about the open bucket of a frame."""
    bucket = frame[CHILD]
    known = stack.bucket_bound[bucket]
    if bound > known:
        frame[COST] += bound - known
        stack.bucket_bound[bucket] = bound
    stack.bucket_exact[bucket] = exact
