"""The least totals of a state's guesses where candidates have weights, proved: the best few.

A total is the sum of weight times guesses, the guess itself included. Guesses come in the order of
a bound by their parts; some are bounded together more closely. Of those the one of the least bound
is searched a little further than that, again and again: so all bounds rise together, and what is
searched to its end is no worse than any other. Guesses above the last of the best totals are out.

A search is interrupted after so much work, and resumed from its place. What it finds does not
depend on that: all totals up to the last of the best are exact, and all other guesses are above it.
"""

from __future__ import annotations

import numpy as np

from ...machine.jit import kernel, noalloc
from .best_totals import KNOWN, WAITS, Contest, note_total
from .capacity import take_over_capacity
from .lemmas import LOSS, NEVER
from .memo import State
from .score_table import is_legal
from .search_frames import BEST, COLUMN, LEVEL, TRIED, TRIES, TRIES_END, Workspace, first_frame
from .state import work_done
from .table_vectors import copy_row
from .weighted_search import EXACT, INTERRUPTED, STEP, screen_weighted, weighted_search
from .weighted_states import Weighing, parts_weight, weight_of

#: Where a search stands: the next guess that was not bounded closely; the guess at hand, -1 for
#: none; its level; up to which total it is searched.
_NEXT, AT, _LEVEL, _LIMIT = 0, 1, 2, 3
NOBODY = -1
#: Guesses that are bounded together.
_TOGETHER = 64
#: A guess is searched so far beyond its bound: one in so many of the weight of the state.
_STRIDE = 64
#: The first level of a guess is one in so many of the weight above its bound.
_FIRST_STEP = 128


@kernel
def enter_weighted(work: Workspace, weighing: Weighing, state: State, contest: Contest) -> int:
    """Enter all guesses that may exclude a candidate of a whole table; how many there are."""
    table, scratch = work.table, work.scratch
    width, weight = len(table.guess), weight_of(weighing, state)
    columns = np.empty(width, dtype=np.int32)
    bounds = np.empty(width, dtype=np.int64)
    count = 0
    for column in range(width):
        own = int(table.secret[column])
        tells = table.guess[column] >= 0 and (table.parts[column] > 1 or own >= 0)
        if tells and is_legal(table, column, state.revealed):
            held = parts_weight(table, weighing, scratch, state, column)
            columns[count] = column
            bounds[count] = 3 * weight - held - (weighing.weights[own] if own >= 0 else 0)
            count += 1
    order = np.argsort(bounds[:count], kind="mergesort")
    for at in range(count):
        contest.columns[at], contest.bounds[at] = columns[order[at]], bounds[order[at]]
    contest.place[AT] = NOBODY
    return count


@kernel
def settle_weighted(
    work: Workspace, weighing: Weighing, state: State, contest: Contest, budget: int
) -> bool:
    """Find the best totals of the guesses entered; False if that goes on after so much work."""
    place = contest.place
    stop = work_done(work.scratch) + budget
    while True:
        if work_done(work.scratch) > stop:
            return False
        if place[AT] == NOBODY:
            chosen = _least_open(contest)
            if _wants_more(contest, chosen):
                _bound_some(work, weighing, state, contest)
                continue
            if chosen < 0:
                return True
            _open_guess(work, weighing, state, contest, chosen)
        level = place[_LEVEL : _LEVEL + 1]
        rest = stop - work_done(work.scratch)
        bound, known, _ = weighted_search(
            work, weighing, level, state.size, state.left, int(place[_LIMIT]), rest
        )
        if known != INTERRUPTED:
            at = int(place[AT])
            note_total(contest, at, max(bound, int(contest.bounds[at])), _kind(known))
            place[AT] = NOBODY


@noalloc(inner=True, inline=True)
def _kind(known: int) -> int:
    """What is known of a guess that was searched."""
    return KNOWN if known == EXACT else WAITS


@noalloc(inner=True)
def _least_open(contest: Contest) -> int:
    """Of the guesses bounded closely the one of the least bound that may be among the best."""
    chosen, least = -1, contest.best[-1]
    for at in range(contest.place[_NEXT]):
        bound = contest.bounds[at]
        if contest.known[at] != KNOWN and (bound < least or (chosen < 0 and bound == least)):
            chosen, least = at, bound
    return chosen


@noalloc(inner=True)
def _wants_more(contest: Contest, chosen: int) -> bool:
    """Whether a guess that was not bounded closely may be as good as the one that is chosen."""
    following = contest.place[_NEXT]
    if following >= len(contest.columns):
        return False
    least = contest.best[-1] if chosen < 0 else contest.bounds[chosen]
    return bool(contest.bounds[following] <= least)


@noalloc(inner=True)
def _lay(work: Workspace, state: State) -> None:
    """Copy the state to where kernels look for it."""
    for k in range(state.size):
        work.scratch.members[k] = state.members[state.first + k]
    for k in range(len(state.revealed)):
        work.stack.revealed[0, k] = state.revealed[k]


@kernel(inner=True)
def _bound_some(work: Workspace, weighing: Weighing, state: State, contest: Contest) -> None:
    """Bound the next guesses by their buckets, as far as they may be among the best."""
    first = int(contest.place[_NEXT])
    end = min(len(contest.columns), first + _TOGETHER)
    found = np.zeros(end - first, dtype=np.int64)
    _lay(work, state)
    most = min(int(contest.best[-1]), LOSS - 1)
    screen_weighted(work, weighing, contest.columns[first:end], state.size, state.left, most, found)
    for at in range(first, end):
        contest.bounds[at] = max(contest.bounds[at], found[at - first])
    contest.place[_NEXT] = end


@noalloc(inner=True)
def _open_guess(
    work: Workspace, weighing: Weighing, state: State, contest: Contest, at: int
) -> None:
    """Begin to search a guess, a little further than its bound: a state with no other guess."""
    table, _, _, stack = work
    place, weight = contest.place, weight_of(weighing, state)
    most = min(contest.best[-1], LOSS - 1)
    place[AT], place[_LEVEL] = at, 0
    place[_LIMIT] = min(most, contest.bounds[at] + weight // _STRIDE)
    _lay(work, state)
    first_frame(stack, state.size, state.left, place[_LIMIT])
    copy_row(stack.ceilings[0], table.parts)
    take_over_capacity(stack, 0)
    frame = stack.frames[0]
    stack.columns[0], stack.bounds[0] = contest.columns[at], contest.bounds[at]
    frame[TRIES], frame[TRIES_END], frame[TRIED], frame[LEVEL] = 0, 1, 1, -1
    frame[BEST], frame[COLUMN], frame[STEP] = NEVER, -1, weight // _FIRST_STEP
