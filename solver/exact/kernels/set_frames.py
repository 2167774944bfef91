"""The frames of searches over sets, Mastermind's and that of candidates only.

A state is a set of candidates with the guesses that are left. The buckets of three and more of the
guess under test lie behind its members, the smallest first; those that no quick bound settles are
searched one by one, each up to what it may cost more than its bound. The frames of nested states
are rows of numbers: a search may be interrupted, and resumed from there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import noalloc
from .lemmas import LOSS
from .memo import Memo, note, set_of

#: Values and bounds, of states and of guesses.
Totals = NDArray[np.int64]

#: Columns of a frame. FIRST, SIZE, LEFT: the state, whose candidates are ``members[FIRST:]``.
#: LIMIT: values above are of no interest. BEST, GUESS, LOWEST: the best value so far, its guess,
#: the least bound of guesses that failed.
FIRST, SIZE, LEFT, LIMIT, BEST, GUESS, LOWEST = range(7)
#: BUCKETS: how many the guess under test, TRIED, leaves open; NEXT is the next to search, COST the
#: bound of the guess, TOP the end of its members. From OWN on a search has columns of its own.
TRIED, BUCKETS, NEXT, COST, TOP, OWN = range(7, 13)
#: Where a search that can be interrupted begins: at no level yet.
NOWHERE = -1
#: States are rarely nested deeper.
DEEPEST = 300


#: The frames of nested states (``CodeStack``, ``CandidateStack``): ``members`` of all levels; of
#: each level the ``starts``, ``sizes`` and ``costs`` of buckets; the scores of a state's members in
#: ``row``, and how often each occurs in ``times``, zero between uses.
SetStack = Any


@noalloc(inner=True)
def insert_bucket(starts: Totals, sizes: Totals, count: int, score: int, size: int) -> None:
    """Insert a bucket among so many others, which are sorted by their sizes."""
    at = count
    while at > 0 and sizes[at - 1] > size:
        sizes[at], starts[at] = sizes[at - 1], starts[at - 1]
        at -= 1
    sizes[at], starts[at] = size, score


@noalloc(inner=True)
def lay_out(stack: SetStack, level: int) -> None:
    """Lay the buckets of a guess, whose scores are in ``starts``, out behind the members."""
    frame, times, members = stack.frames[level], stack.times, stack.members
    starts, sizes = stack.starts[level], stack.sizes[level]
    first, size = frame[FIRST], frame[SIZE]
    top = first + size
    for at in range(frame[BUCKETS]):
        score, starts[at] = starts[at], top
        times[score] = top + 1
        top += sizes[at]
    for k in range(size):
        place = times[stack.row[k]]
        if place > 0:
            members[place - 1] = members[first + k]
            times[stack.row[k]] += 1
    times[:] = 0
    frame[TOP] = top


@noalloc(inner=True)
def after_set(left: int, size: int) -> tuple[int, int]:
    """The guesses left for a bucket, and what its candidates cost more if all are lost.

    With as many guesses as candidates no limit matters, nor does one after the last.
    """
    if left == 1:
        return size, size * LOSS
    return min(left - 1, size), 0


@noalloc(inner=True)
def raise_cost(frame: Totals, more: int) -> bool:
    """Raise the bound of the guess under test; False: it is above the limit."""
    frame[COST] += more
    if frame[COST] > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], frame[COST])
        return False
    return True


@noalloc(inner=True)
def take(stack: SetStack, level: int, bound: int) -> bool:
    """Take over what was found out about the bucket that lay below; False: above the limit."""
    frame, at = stack.frames[level], stack.frames[level, NEXT]
    _, lost = after_set(frame[LEFT], stack.sizes[level, at])
    frame[NEXT] += 1
    return raise_cost(frame, max(bound + lost - stack.costs[level, at], 0))


@noalloc(inner=True)
def enter_bucket(stack: SetStack, level: int) -> bool:
    """Lay the next open bucket into the frame below, its members behind all that are here.

    False: there is none, and the guess under test is the best so far.
    """
    frame, at = stack.frames[level], stack.frames[level, NEXT]
    if at == frame[BUCKETS]:
        frame[BEST], frame[GUESS] = frame[COST], frame[TRIED]
        frame[LIMIT] = frame[COST] - 1
        return False
    below, top, first = stack.frames[level + 1], frame[TOP], stack.starts[level, at]
    size = stack.sizes[level, at]
    if level + 2 >= len(stack.frames) or top + 2 * size > len(stack.members):
        raise MemoryError  # nested too deep; a state and its buckets take twice its size
    for k in range(size):
        stack.members[top + k] = stack.members[first + k]
    left, lost = after_set(frame[LEFT], size)
    below[FIRST], below[SIZE], below[LEFT] = top, size, left
    below[LIMIT] = stack.costs[level, at] + frame[LIMIT] - frame[COST] - lost
    return True


@noalloc(inner=True)
def close(memo: Memo, stack: SetStack, level: int, forced: bool) -> tuple[int, int]:
    """What was found out about the state of a frame: (bound, is it the value); it is noted.

    Not if its guess was forced: then it says nothing of the state.
    """
    frame = stack.frames[level]
    exact = int(frame[GUESS] >= 0)
    bound = frame[BEST] if exact else frame[LOWEST]
    if not forced:
        state = set_of(memo, stack.members, frame[FIRST], frame[SIZE], frame[LEFT])
        note(memo, state, bound, exact, frame[GUESS])
    return bound, exact
