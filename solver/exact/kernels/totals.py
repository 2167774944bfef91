"""The totals of a state's guesses: the least of them, or the best few with all that tie with these.

A total is what all candidates take together from a guess on, the guess itself included
(``advice.totals``). Three contests look for the least.

* *With a measured effort*: one guess after the other, the most promising first, as long as totals
  follow from the parts or from easy buckets. It is given up where that is hard. Effort is counted
  in guesses and in the work of kernels, so the same question has the same answer on any machine.
* *Proved*: guesses are tried in the order of their bounds, until these pass the last of the best
  totals so far. Some are bounded together, then each alone: its buckets are settled as far as that
  is easy. Guesses with a hard bucket wait until all others have lowered the limit, but for a few of
  the most promising, which set it. Hard buckets are searched to the end.
* *With weights, proved*: some guesses are bounded together; the one of the least bound is searched
  a little further than that, again and again. So all bounds rise together, and what is searched to
  its end is no worse than any other.

A search for proved totals is interrupted after so much work, and resumed from its place. What it
finds does not depend on that: all totals up to the last of the best are exact, and all other
guesses are above it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel, noalloc
from .guess_race import join_value, list_first_guesses
from .guess_values import HARD, Batch, lay_out, screen, settle_guess, slack, take_over
from .lemmas import LOSS, NEVER, after_guess, least_by_parts
from .memo import State
from .score_table import ScoreTable
from .search import EXACT, INTERRUPTED, begin_weighted, screen_weighted, search
from .search_frames import Workspace, lay_state
from .state import work_done
from .state_search import BOUND, StateTask, begin_state, search_state
from .state_search import DONE as STATE_DONE
from .state_search import EXACT as STATE_EXACT
from .table_vectors import Bytes, Rows, Sums
from .weighted_states import Weighing, parts_weight, weight_of

# ---- With a measured effort

#: No total is larger; whatever is has left a candidate unsolved.
HIGHEST = LOSS - 1
#: In buckets up to this size there is nothing to choose.
PLAIN = 2
#: How a search ends: all other guesses are worse; it was broken off; it needs a score table.
PROVED, BROKEN_OFF, NEEDS_TABLE = 1, 0, -1
#: In place of a total: it takes too long; some candidate is not found in time.
UNKNOWN, OUT_OF_TIME = -1, -2


class Wanted(NamedTuple):
    """The guesses that may be made in a state, in the order of their ranking."""

    guesses: Rows
    #: The parts of each guess and the largest of them; whether the guess is a candidate.
    parts: Rows
    largest: Rows
    candidate: Bytes
    #: No strategy that begins with the guess has a smaller total.
    bounds: Sums


@kernel
def bound_by_parts(wanted: Wanted, count: int, left: int) -> None:
    """Write the bounds that follow from the number of parts, in a state of so many candidates.

    It is the total where no part has more than two candidates.
    """
    for at in range(len(wanted.guesses)):
        hit = int(wanted.candidate[at])
        wanted.bounds[at] = least_by_parts(1, count, int(wanted.parts[at]), hit, left)


@kernel
def least_plain_total(wanted: Wanted, effort: int, ties: Rows) -> tuple[int, int, int]:
    """As ``least_total``, as long as totals follow from the parts; else NEEDS_TABLE."""
    least, number = HIGHEST, 0
    for at in np.argsort(wanted.bounds, kind="mergesort"):
        value = int(wanted.bounds[at])
        if value > least:
            break
        if wanted.largest[at] > PLAIN:
            return least, number, NEEDS_TABLE
        least, number = _take(least, number, value, wanted.guesses[at], ties)
        effort -= 1
        if effort < 0:
            return least, number, BROKEN_OFF
    return least, number, PROVED


@kernel
def least_total(
    work: Workspace,
    batch: Batch,
    state: State,
    columns: Rows,
    wanted: Wanted,
    effort: int,
    ties: Rows,
) -> tuple[int, int, int]:
    """The least total of the wanted guesses, how many have it, and PROVED or BROKEN_OFF.

    These are written to ``ties``; ``columns`` are those of all guesses. After more guesses than the
    effort allows, and at the first that is hard, the search is broken off.
    """
    least, number = HIGHEST, 0
    for at in np.argsort(wanted.bounds, kind="mergesort"):
        if wanted.bounds[at] > least:
            break
        value = _total(work, batch, state, columns, wanted, at, least)
        if value == UNKNOWN:
            return least, number, BROKEN_OFF
        least, number = _take(least, number, value, wanted.guesses[at], ties)
        effort -= 1
        if effort < 0:
            return least, number, BROKEN_OFF
    return least, number, PROVED


@kernel
def find_totals(
    work: Workspace,
    batch: Batch,
    state: State,
    columns: Rows,
    wanted: Wanted,
    places: Rows,
    totals: Sums,
) -> None:
    """The totals of the guesses at some places among those wanted; UNKNOWN or OUT_OF_TIME."""
    for k in range(len(places)):
        value = _total(work, batch, state, columns, wanted, places[k], HIGHEST)
        totals[k] = OUT_OF_TIME if value > HIGHEST else value


@kernel(inner=True)
def _take(least: int, number: int, value: int, guess: int, ties: Rows) -> tuple[int, int]:
    """The least total and the number of its guesses, once one more is known."""
    if value < least:
        least, number = value, 0
    if value == least:
        ties[number] = guess
        number += 1
    return least, number


@kernel(inner=True)
def _total(
    work: Workspace,
    batch: Batch,
    state: State,
    columns: Rows,
    wanted: Wanted,
    at: int,
    limit: int,
) -> int:
    """The total of a guess, or anything above the limit; UNKNOWN if that takes too long."""
    bound = int(wanted.bounds[at])
    if wanted.largest[at] <= PLAIN or bound > limit:
        return bound
    easy = settle_guess(work, batch, state, int(columns[wanted.guesses[at]]), limit)
    total = int(batch.buckets.total[0])
    return total if easy or total > limit else UNKNOWN


# ---- Proved

#: What is known of a guess: a bound; that it has a hard bucket; its total.
BOUNDED, WAITS, KNOWN = 0, 1, 2
#: What a search is at: the most promising guesses; those that are easy; the next that waits; a
#: hard bucket of it; its end.
FIRST, EASY, NEXT_HARD, SEARCHING, DONE = range(5)
#: Where a search stands: what it is at; the next guess that was not looked at; the guess at hand
#: and which of its buckets; with weights up to which value it is searched, and at which level.
STEP, NEXT, AT, BUCKET, HORIZON, LEVEL = range(6)
PLACES = 6
#: Guesses that are searched before all others, beyond those that are wanted.
_PACEMAKERS = 3


class Contest(NamedTuple):
    """The guesses that may be made in a state, and what is known of their totals."""

    #: As columns, those of the least bounds first.
    columns: Rows
    #: No strategy that begins with the guess has a smaller total …
    bounds: Sums
    #: … and some has this one, if it is KNOWN.
    known: Bytes
    #: The least totals so far, ascending; NEVER where there is none yet.
    best: Sums
    #: Where the search stands.
    place: Sums


def new_contest(width: int, top: int) -> Contest:
    """Memory for the guesses of a table of so many columns, and the best totals."""
    return Contest(
        np.zeros(width, dtype=np.int32),
        np.zeros(width, dtype=np.int64),
        np.zeros(width, dtype=np.uint8),
        np.full(top, NEVER, dtype=np.int64),
        np.zeros(PLACES, dtype=np.int64),
    )


@kernel
def enter_guesses(table: ScoreTable, state: State, contest: Contest) -> int:
    """Enter all guesses that may exclude a candidate of a whole table; how many there are."""
    columns = np.empty(len(table.guess), dtype=np.int32)
    count = list_first_guesses(table, state.revealed, columns)
    bounds = np.empty(count, dtype=np.int64)
    for at in range(count):
        parts, hit = int(table.parts[columns[at]]), int(table.secret[columns[at]] >= 0)
        bounds[at] = least_by_parts(table.price, state.size, parts, hit, state.left)
    _enter(contest, columns, bounds)
    return count


@kernel(inner=True)
def _enter(contest: Contest, columns: Rows, bounds: Sums) -> None:
    """Enter guesses in the order of their bounds."""
    order = np.argsort(bounds, kind="mergesort")
    for at in range(len(bounds)):
        contest.columns[at], contest.bounds[at] = columns[order[at]], bounds[order[at]]


@kernel
def settle_totals(
    work: Workspace, batch: Batch, task: StateTask, state: State, contest: Contest, budget: int
) -> bool:
    """Find the best totals of the guesses entered; False if that goes on after so much work."""
    place = contest.place
    stop = work_done(work.scratch) + budget
    while place[STEP] != DONE:
        if work_done(work.scratch) > stop:
            return False
        if place[STEP] == FIRST:
            _choose_first(work, batch, state, contest)
        elif place[STEP] == EASY:
            _try_together(work, batch, state, contest)
        elif place[STEP] == NEXT_HARD:
            _open_guess(work, batch, task, state, contest)
        else:
            _search_bucket(work, batch, task, state, contest)
    return True


@noalloc(inner=True)
def note_total(contest: Contest, at: int, total: int, kind: int) -> None:
    """Note what was found out about a guess; a total below the last of the best is one of them."""
    contest.bounds[at], contest.known[at] = total, kind
    if kind == KNOWN:
        join_value(contest.best, total)


# ---- Easy guesses


@kernel(inner=True)
def _bounded(work: Workspace, batch: Batch, state: State, contest: Contest) -> tuple[int, int]:
    """Bound the next guesses together: from which one to which."""
    bounds, limit = contest.bounds, contest.best[-1]
    first = int(contest.place[NEXT])
    end = first
    most = min(len(contest.columns), first + len(batch.buckets.column))
    while end < most and (bounds[end] <= limit or first == 0):  # the first are bounded twice
        end += 1
    if end > first:
        screen(work, batch, state, contest.columns[first:end], int(limit))
    for at in range(first, end):
        bounds[at] = max(bounds[at], batch.buckets.total[at - first])
    return first, end


@kernel(inner=True)
def _choose_first(work: Workspace, batch: Batch, state: State, contest: Contest) -> None:
    """Have the most promising guesses searched at once: their totals are the limit for others."""
    first, end = _bounded(work, batch, state, contest)
    order = np.argsort(contest.bounds[first:end], kind="mergesort")
    for k in range(min(end - first, len(contest.best) + _PACEMAKERS)):
        contest.known[first + order[k]] = WAITS
    contest.place[STEP] = NEXT_HARD


@kernel(inner=True)
def _try_together(work: Workspace, batch: Batch, state: State, contest: Contest) -> None:
    """Bound the next guesses together, and find the totals of those within the limit."""
    first, end = _bounded(work, batch, state, contest)
    contest.place[NEXT] = end
    if end == first:
        contest.place[NEXT], contest.place[STEP] = len(contest.columns), NEXT_HARD
        return
    for at in first + np.argsort(contest.bounds[first:end], kind="mergesort"):
        limit = int(contest.best[-1])
        if contest.bounds[at] > limit:
            break
        if contest.known[at] != BOUNDED:
            continue
        easy = settle_guess(work, batch, state, int(contest.columns[at]), limit)
        total = int(batch.buckets.total[0])
        if total > limit:
            note_total(contest, at, total, BOUNDED)
        else:
            note_total(contest, at, total, KNOWN if easy else WAITS)


# ---- Hard guesses, one bucket after the other


@kernel(inner=True)
def _open_guess(
    work: Workspace, batch: Batch, task: StateTask, state: State, contest: Contest
) -> None:
    """Go on with the waiting guess of the least bound within the limit, without any with others."""
    place, limit = contest.place, int(contest.best[-1])
    chosen = -1
    for at in range(len(contest.columns)):
        waits = contest.known[at] == WAITS and contest.bounds[at] <= limit
        if waits and (chosen < 0 or contest.bounds[at] < contest.bounds[chosen]):
            chosen = at
    if chosen < 0:
        place[STEP] = EASY if place[NEXT] < len(contest.columns) else DONE
        return
    place[AT] = chosen
    settle_guess(work, batch, state, int(contest.columns[chosen]), limit)
    _open_bucket(work, batch, task, state, contest)


@noalloc(inner=True)
def _open_bucket(
    work: Workspace, batch: Batch, task: StateTask, state: State, contest: Contest
) -> None:
    """Go on with the smallest hard bucket of the guess; without any its total is known."""
    buckets, place, limit = batch.buckets, contest.place, contest.best[-1]
    total = int(buckets.total[0])
    if total <= limit:
        for k in range(buckets.number[0] - 1, -1, -1):
            if buckets.state[0, k] == HARD:
                place[BUCKET], place[STEP] = k, SEARCHING
                lay_out(work, buckets, 0, k, state.revealed)
                size, then = int(buckets.size[0, k]), after_guess(state.left)
                bucket = State(work.scratch.members, 0, size, then, work.stack.revealed[0])
                most = slack(buckets, 0, k, int(limit))
                begin_state(task, bucket, most, -1, int(buckets.bound[0, k]))
                return
    note_total(contest, int(place[AT]), total, KNOWN if total <= limit else BOUNDED)
    place[STEP] = NEXT_HARD


@noalloc(inner=True)
def _search_bucket(
    work: Workspace, batch: Batch, task: StateTask, state: State, contest: Contest
) -> None:
    """Search the bucket at hand for one interval more; once it is settled go on with the next."""
    if search_state(work, task) == STATE_DONE:
        bound, exact = int(task.place[BOUND]), int(task.place[STATE_EXACT])
        take_over(batch.buckets, int(contest.place[BUCKET]), bound, exact)
        _open_bucket(work, batch, task, state, contest)


# ---- With weights, proved

#: The guess at hand where there is none.
NOBODY = -1
#: Guesses that are bounded together.
_TOGETHER = 64
#: A guess is searched so far beyond its bound: one in so many of the weight of the state.
_STRIDE = 64


@kernel
def enter_weighted(work: Workspace, weighing: Weighing, state: State, contest: Contest) -> int:
    """Enter all guesses that may exclude a candidate of a whole table; how many there are."""
    table, weight = work.table, weight_of(weighing, state)
    columns = np.empty(len(table.guess), dtype=np.int32)
    count = list_first_guesses(table, state.revealed, columns)
    bounds = np.empty(count, dtype=np.int64)
    for at in range(count):
        own = int(table.secret[columns[at]])
        held = parts_weight(table, weighing, work.scratch, state, int(columns[at]))
        bounds[at] = 3 * weight - held - (weighing.weights[own] if own >= 0 else 0)
    _enter(contest, columns, bounds)
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
            _open_weighted(work, weighing, state, contest, chosen)
        level = place[LEVEL : LEVEL + 1]
        rest = stop - work_done(work.scratch)
        bound, known, _ = search(
            work, weighing, level, state.size, state.left, int(place[HORIZON]), rest
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
    for at in range(contest.place[NEXT]):
        bound = contest.bounds[at]
        if contest.known[at] != KNOWN and (bound < least or (chosen < 0 and bound == least)):
            chosen, least = at, bound
    return chosen


@noalloc(inner=True)
def _wants_more(contest: Contest, chosen: int) -> bool:
    """Whether a guess that was not bounded closely may be as good as the one that is chosen."""
    following = contest.place[NEXT]
    if following >= len(contest.columns):
        return False
    least = contest.best[-1] if chosen < 0 else contest.bounds[chosen]
    return bool(contest.bounds[following] <= least)


@kernel(inner=True)
def _bound_some(work: Workspace, weighing: Weighing, state: State, contest: Contest) -> None:
    """Bound the next guesses by their buckets, as far as they may be among the best."""
    first = int(contest.place[NEXT])
    end = min(len(contest.columns), first + _TOGETHER)
    found = np.zeros(end - first, dtype=np.int64)
    lay_state(work, state)
    most = min(int(contest.best[-1]), LOSS - 1)
    screen_weighted(work, weighing, contest.columns[first:end], state.size, state.left, most, found)
    for at in range(first, end):
        contest.bounds[at] = max(contest.bounds[at], found[at - first])
    contest.place[NEXT] = end


@noalloc(inner=True)
def _open_weighted(
    work: Workspace, weighing: Weighing, state: State, contest: Contest, at: int
) -> None:
    """Begin to search a guess, a little further than its bound: a state with no other guess."""
    place, weight = contest.place, weight_of(weighing, state)
    most, bound = min(contest.best[-1], LOSS - 1), contest.bounds[at]
    place[AT], place[LEVEL] = at, 0
    place[HORIZON] = min(most, bound + weight // _STRIDE)
    lay_state(work, state)
    begin_weighted(work, weighing, state, place[HORIZON], contest.columns[at], bound)
