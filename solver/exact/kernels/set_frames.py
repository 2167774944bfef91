"""Branch and bound over sets: the search of Mastermind, and of candidates as the only guesses.

A state is a set of candidates with the guesses that are left. Of a guess under test all buckets are
bounded without a search first, the smallest first; what is left to what the best guess so far takes
is then handed down as the limit of the bucket that is searched. A state that is settled is kept in
a memo with all its candidates, so that no two can be confused. The frames of nested states are rows
of numbers: a search may be interrupted, and resumed from there.

The two searches differ in four steps, which are kernels of their own (``code_search``,
``candidate_search``):

    settle       the value of a state, or a bound of it, without a search
    list         the guesses of a new frame are listed
    next_guess   the next guess of a frame that may be within its limit, or -1
    split        the scores of a guess with the members, and its buckets of three and more
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, noalloc
from .lemmas import LOSS, NEVER
from .memo import Memo, note, set_of

#: Values and bounds, of states and of guesses.
Totals = NDArray[np.int64]

#: Columns of a frame. FIRST, SIZE, LEFT: the state, whose candidates are ``members[FIRST:]``.
#: LIMIT: values above are of no interest. BEST, GUESS, LOWEST: the best value so far, its guess,
#: the least bound of guesses that failed.
FIRST, SIZE, LEFT, LIMIT, BEST, GUESS, LOWEST = range(7)
#: BUCKETS: how many the guess under test, TRIED, leaves open; NEXT is the next to search, COST the
#: bound of the guess, TOP the end of its members. FORCED: the only guess to try, or ANY. From OWN
#: on a search has columns of its own.
TRIED, BUCKETS, NEXT, COST, TOP, FORCED, OWN = range(7, 14)
#: Any guess may be made; the forced one was tried.
ANY, _TRIED_IT = -1, -2
#: Where a search that can be interrupted begins: at no level yet.
NOWHERE = -1
#: States are rarely nested deeper.
DEEPEST = 300


#: The frames of nested states (``CodeStack``, ``CandidateStack``): ``members`` of all levels; of
#: each level the ``starts``, ``sizes`` and ``costs`` of buckets; the scores of a state's members in
#: ``row``, and how often each occurs in ``times``, zero between uses.
SetStack = Any
#: What is searched (``CodeTable``, ``CandidateTable``): ``ideals[left, size]`` is what a state of
#: that size takes at least, the last row without a limit; with no guess left all are lost.
SetTable = Any
#: One of the four steps.
Step = Any


@kernel
def ideal_totals(others: int, most: int, left: int) -> Totals:
    """Lower bounds: with ``left`` guesses, n candidates take entry n at least.

    Each guess may be right, and each of so many other scores may lead to a state of its own.
    Candidates beyond the guesses left cost LOSS more.
    """
    totals = np.zeros(most + 1, dtype=np.int64)
    n, depth, states = 0, 0, 1
    while n < most:
        depth += 1
        for _ in range(min(states, most - n)):
            n += 1
            totals[n] = totals[n - 1] + depth + (LOSS if depth > left else 0)
        states = max(1, min(states * others, most))
    return totals


def ideals_of(others: int, most: int) -> Totals:
    """Such bounds by the guesses that are left, from none on, up to where these do not matter."""
    rows = [ideal_totals(others, most, 0)]
    while rows[-1][-1] >= LOSS:
        rows.append(ideal_totals(others, most, len(rows)))
    return np.array(rows)


@noalloc(inner=True)
def next_by_bound(frame: Totals, bounds: Totals, count: int) -> int:
    """Which of so many guesses comes next by rising bounds; -1: no other is within the limit."""
    if count == 0:
        return -1
    best = 0
    for at in range(1, count):
        if bounds[at] < bounds[best]:
            best = at
    if bounds[best] > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], bounds[best])
        return -1
    bounds[best] = NEVER + 1  # it is not taken again
    return best


@noalloc(inner=True)
def find_buckets(table: SetTable, stack: SetStack, level: int) -> tuple[int, int]:
    """How many buckets of three and more a guess has, and its bound.

    Its scores are in ``row``, and counted in ``times``, but for the score of the guess itself.
    """
    frame, row, times = stack.frames[level], stack.row, stack.times
    starts, sizes = stack.starts[level], stack.sizes[level]
    ideals = table.ideals[min(frame[LEFT] - 1, len(table.ideals) - 1)]
    count, cost = 0, frame[SIZE]
    for k in range(frame[SIZE]):
        number = times[row[k]]
        times[row[k]] = 0
        if number > 0:
            cost += ideals[number]
        if number > 2:
            at = count
            while at > 0 and sizes[at - 1] > number:
                sizes[at], starts[at] = sizes[at - 1], starts[at - 1]
                at -= 1
            sizes[at], starts[at] = number, row[k]
            count += 1
    return count, cost


@noalloc(inner=True)
def _lay_out(stack: SetStack, level: int) -> None:
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
def _after_set(left: int, size: int) -> tuple[int, int]:
    """The guesses left for a bucket, and what its candidates cost more if all are lost.

    With as many guesses as candidates no limit matters, nor does one after the last.
    """
    if left == 1:
        return size, size * LOSS
    return min(left - 1, size), 0


@noalloc(inner=True)
def _raise_cost(frame: Totals, more: int) -> bool:
    """Raise the bound of the guess under test; False: it is above the limit."""
    frame[COST] += more
    if frame[COST] > frame[LIMIT]:
        frame[LOWEST] = min(frame[LOWEST], frame[COST])
        return False
    return True


@noalloc(inner=True)
def _take(stack: SetStack, level: int, bound: int) -> bool:
    """Take over what was found out about the bucket that lay below; False: above the limit."""
    frame, at = stack.frames[level], stack.frames[level, NEXT]
    _, lost = _after_set(frame[LEFT], stack.sizes[level, at])
    frame[NEXT] += 1
    return _raise_cost(frame, max(bound + lost - stack.costs[level, at], 0))


@noalloc(inner=True)
def _enter_bucket(stack: SetStack, level: int) -> bool:
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
    left, lost = _after_set(frame[LEFT], size)
    below[FIRST], below[SIZE], below[LEFT] = top, size, left
    below[LIMIT] = stack.costs[level, at] + frame[LIMIT] - frame[COST] - lost
    return True


@noalloc(inner=True)
def _close(memo: Memo, stack: SetStack, level: int) -> tuple[int, int]:
    """What was found out about the state of a frame: (bound, is it the value); it is noted.

    Not if its guess was forced: then it says nothing of the state.
    """
    frame = stack.frames[level]
    exact = int(frame[GUESS] >= 0)
    bound = frame[BEST] if exact else frame[LOWEST]
    if frame[FORCED] == ANY:
        state = set_of(memo, stack.members, frame[FIRST], frame[SIZE], frame[LEFT])
        note(memo, state, bound, exact, frame[GUESS])
    return bound, exact


@noalloc(inner=True)
def _bound_buckets(settle: Step, table: SetTable, memo: Memo, stack: SetStack, level: int) -> bool:
    """Bound the buckets of a guess without a search; keep those that are not settled by that.

    The cost of the guess holds the ideal of each bucket (lemma 1a) until its bound takes the place
    of that (lemma 6). False: so it has come above the limit.
    """
    frame, starts = stack.frames[level], stack.starts[level]
    sizes, costs = stack.sizes[level], stack.costs[level]
    ideals = table.ideals[min(frame[LEFT] - 1, len(table.ideals) - 1)]
    kept = 0
    for at in range(frame[BUCKETS]):
        first, size = starts[at], sizes[at]
        left, lost = _after_set(frame[LEFT], size)
        limit = frame[LIMIT] - frame[COST] + ideals[size] - lost
        bound, exact, _ = settle(table, memo, stack, (first, size, left), limit)
        cost = max(bound + lost, ideals[size])
        if not _raise_cost(frame, cost - ideals[size]):
            return False
        if exact == 0:
            starts[kept], sizes[kept], costs[kept] = first, size, cost
            kept += 1
    frame[BUCKETS] = kept
    return True


@kernel(inner=True)
def _enter(list_guesses: Step, table: SetTable, stack: SetStack, level: int, forced: int) -> None:
    """Begin with a new frame: list its guesses, unless one is forced."""
    frame = stack.frames[level]
    frame[BEST], frame[GUESS], frame[LOWEST], frame[FORCED] = NEVER, -1, NEVER, forced
    stack.work[1] += 1
    if forced == ANY:
        list_guesses(table, stack, level)


@kernel(inner=True)
def search_sets(  # noqa: PLR0912, PLR0913 - the whole state machine
    settle: Step,
    list_guesses: Step,
    next_guess: Step,
    split: Step,
    table: SetTable,
    memo: Memo,
    stack: SetStack,
    place: Totals,
    state: Totals,
    budget: int,
) -> tuple[int, int, int]:
    """The value of a state, if it is at most a limit, as (bound, exact, guess).

    The ``state`` is (size, guesses left, limit, the guess to make first or ANY), its candidates the
    first of ``stack.members``, ascending. Exact 1: the bound is the value; 0: the value is at least
    the bound, which is above the limit; -1: interrupted after about ``budget`` units of work, to be
    resumed from ``place``, which is NOWHERE at first. Of the guesses that attain the value it is
    the first by its bound, then by its number, whatever is known.
    """
    frames = stack.frames
    stop = stack.work[0] + budget
    level = place[0]
    if level == NOWHERE:
        size, left, limit, forced = state
        if forced == ANY:
            left = min(left, size)
            bound, exact, guess = settle(table, memo, stack, (0, size, left), limit)
            if exact == 1 or bound > limit:
                return bound, exact, guess
        level, frame = 0, frames[0]
        frame[FIRST], frame[SIZE], frame[LEFT], frame[LIMIT] = 0, size, left, limit
        _enter(list_guesses, table, stack, 0, forced)
    while True:
        frame = frames[level]
        if stack.work[0] > stop:
            place[0] = level
            return 0, -1, -1
        guess = frame[FORCED]
        if guess == ANY:
            stack.work[0] += 1
            guess = next_guess(table, stack, level)
        else:
            frame[FORCED] = _TRIED_IT
        if guess >= 0:
            frame[BUCKETS], frame[COST] = split(table, stack, level, guess)
            frame[TRIED], frame[NEXT] = guess, 0
            if not _raise_cost(frame, 0):
                continue
            _lay_out(stack, level)
            if not _bound_buckets(settle, table, memo, stack, level):
                continue
        else:
            bound, exact = _close(memo, stack, level)
            if level == 0:
                place[0] = NOWHERE
                return bound, exact, frame[GUESS]
            level -= 1
            if not _take(stack, level, bound):
                continue
        if _enter_bucket(stack, level):
            level += 1
            _enter(list_guesses, table, stack, level, ANY)
