"""The least totals of a state's guesses, proved: the best few, with all that tie with the last.

Guesses are tried in the order of their bounds, until these pass the last of the best totals so
far. Some are bounded together, then each alone: its buckets are settled as far as that is easy.
Guesses with a hard bucket wait until all others have lowered the limit, but for a few of the most
promising, which set it. Hard buckets are searched to the end, by deepening, and where the value is
far above the bound, by branch and bound.

A search is interrupted after so much work, and resumed from its place. What it finds does not
depend on that: all totals up to the last of the best are exact, and all other guesses are above it.
``advice.totals`` says what a total is.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.jit import kernel, noalloc
from .branch_and_bound import branch_and_bound
from .deepening import Lists, search
from .guess_values import (
    HARD,
    OPEN,
    SETTLED,
    Batch,
    ceiling_of_bucket,
    lay_out,
    raise_bound,
    screen,
    settle_buckets,
    slack,
)
from .lemmas import NEVER, after_guess, guesses_left, least_by_parts
from .memo import State
from .score_table import ScoreTable, is_legal
from .search_frames import NOWHERE, Workspace, list_guesses
from .state import work_done
from .table_vectors import Bytes, Rows, Sums

#: What is known of a guess: a bound; that it has a hard bucket; its total.
BOUNDED, WAITS, KNOWN = 0, 1, 2
#: What a search is at: the most promising guesses; those that are easy; the next that waits; a
#: hard bucket of it, level by level or by branch and bound; its end.
FIRST, EASY, NEXT_HARD, DEEPENING, BRANCHING, DONE = 0, 1, 2, 3, 4, 5
#: Where a search stands: what it is at; the next guess that was not looked at; the guess at hand
#: and which of its buckets; up to which value the guesses of the bucket are listed, where the list
#: ends, and from which value on it is left to branch and bound; the level of that.
STEP, NEXT, AT, BUCKET, HORIZON, END, NEAR, LEVEL = 0, 1, 2, 3, 4, 5, 6, 7
PLACES = 8
#: Guesses that are searched before all others, beyond those that are wanted.
_PACEMAKERS = 3
#: The guesses of a hard bucket are listed this far above its bound at once, then four times as far.
_HORIZON = 16
#: Above its bound by one in so many candidates a bucket is left to branch and bound.
_FAR = 2


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
    count = 0
    columns = np.empty(len(table.guess), dtype=np.int32)
    bounds = np.empty(len(table.guess), dtype=np.int64)
    for column in range(len(table.guess)):
        hit = int(table.secret[column] >= 0)
        parts = int(table.parts[column])
        tells = table.guess[column] >= 0 and (parts > 1 or hit == 1)
        if tells and is_legal(table, column, state.revealed):
            columns[count] = column
            bounds[count] = least_by_parts(table.price, state.size, parts, hit, state.left)
            count += 1
    order = np.argsort(bounds[:count], kind="mergesort")
    for at in range(count):
        contest.columns[at], contest.bounds[at] = columns[order[at]], bounds[order[at]]
    return count


@kernel
def settle_totals(
    work: Workspace, batch: Batch, state: State, contest: Contest, budget: int
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
            _open_guess(work, batch, state, contest)
        elif place[STEP] == DEEPENING:
            _deepen(work, batch, state, contest, budget)
        else:
            _branch(work, batch, state, contest, budget)
    return True


@noalloc(inner=True)
def note_total(contest: Contest, at: int, total: int, kind: int) -> None:
    """Note what was found out about a guess; a total below the last of the best is one of them."""
    contest.bounds[at], contest.known[at] = total, kind
    best = contest.best
    if kind != KNOWN or total >= best[-1]:
        return
    place = len(best) - 1
    while place > 0 and best[place - 1] > total:
        best[place] = best[place - 1]
        place -= 1
    best[place] = total


@kernel(inner=True)
def _settled(work: Workspace, batch: Batch, state: State, column: int, limit: int) -> bool:
    """Bound a guess, and settle its easy buckets; whether none that matters is hard."""
    buckets = batch.buckets
    one = np.full(1, column, dtype=np.int32)
    screen(work, batch, state, one, limit)
    if buckets.total[0] <= limit:
        settle_buckets(work, batch, state, limit)
    if buckets.total[0] <= limit:
        for k in range(buckets.number[0]):
            if buckets.state[0, k] == HARD:
                return False
    return True


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
        easy = _settled(work, batch, state, int(contest.columns[at]), limit)
        total = int(batch.buckets.total[0])
        if total > limit:
            note_total(contest, at, total, BOUNDED)
        else:
            note_total(contest, at, total, KNOWN if easy else WAITS)


# ---- Hard guesses, one bucket after the other


@kernel(inner=True)
def _open_guess(work: Workspace, batch: Batch, state: State, contest: Contest) -> None:
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
    _settled(work, batch, state, int(contest.columns[chosen]), limit)
    _open_bucket(batch, contest)


@noalloc(inner=True)
def _open_bucket(batch: Batch, contest: Contest) -> None:
    """Go on with the smallest hard bucket of the guess; without any its total is known."""
    buckets, place, limit = batch.buckets, contest.place, contest.best[-1]
    total = int(buckets.total[0])
    if total <= limit:
        for k in range(buckets.number[0] - 1, -1, -1):
            if buckets.state[0, k] == HARD:
                place[BUCKET], place[HORIZON], place[STEP] = k, 0, DEEPENING
                return
    note_total(contest, int(place[AT]), total, KNOWN if total <= limit else BOUNDED)
    place[STEP] = NEXT_HARD


@noalloc(inner=True)
def _close_bucket(batch: Batch, contest: Contest, bound: int, exact: int) -> None:
    """Take over what was found out about the bucket, and go on with the next."""
    buckets, k = batch.buckets, int(contest.place[BUCKET])
    raise_bound(buckets, 0, k, bound)
    buckets.state[0, k] = SETTLED if exact == 1 else OPEN
    _open_bucket(batch, contest)


@noalloc(inner=True)
def _deepen(work: Workspace, batch: Batch, state: State, contest: Contest, budget: int) -> None:
    """Search the bucket at hand within its horizon, or further from there."""
    table, _, scratch, stack = work
    buckets, place = batch.buckets, contest.place
    k, width = int(place[BUCKET]), table.guess.shape[0]
    size, then, ceiling = int(buckets.size[0, k]), after_guess(state.left), batch.shared.ceiling[k]
    bound, most = int(buckets.bound[0, k]), slack(buckets, 0, k, int(contest.best[-1]))
    if place[HORIZON] == 0:
        place[NEAR] = min(most, bound + max(_HORIZON, size // _FAR))
        place[HORIZON], place[END] = min(place[NEAR], bound + _HORIZON), -1
    horizon = int(place[HORIZON])
    if place[END] < 0:
        ceiling_of_bucket(work, batch, k, state.revealed)
        lay_out(work, buckets, 0, k, state.revealed)
        filed = guesses_left(then, size)
        bucket = State(scratch.members, 0, size, filed, stack.revealed[0])
        place[END] = list_guesses(table, scratch, stack, ceiling, bucket, horizon, 0)
    lists = Lists(0, int(place[END]), width)
    found, exact, _ = search(work, ceiling, size, then, horizon, lists, budget)
    if exact == 1 or found > most:
        _close_bucket(batch, contest, found, exact)
        return
    raise_bound(buckets, 0, k, found)
    if exact == 0 and horizon == place[NEAR]:
        place[STEP], place[LEVEL] = BRANCHING, NOWHERE
    elif exact == 0:
        place[HORIZON], place[END] = min(place[NEAR], found + 4 * _HORIZON), -1


@noalloc(inner=True)
def _branch(work: Workspace, batch: Batch, state: State, contest: Contest, budget: int) -> None:
    """Search the bucket at hand by branch and bound."""
    buckets, place = batch.buckets, contest.place
    k, level = int(place[BUCKET]), contest.place[LEVEL : LEVEL + 1]
    if level[0] == NOWHERE:
        lay_out(work, buckets, 0, k, state.revealed)
    size, then = int(buckets.size[0, k]), after_guess(state.left)
    most = slack(buckets, 0, k, int(contest.best[-1]))
    found, exact, _ = branch_and_bound(work, level, size, then, most, -1, budget)
    if exact >= 0:
        _close_bucket(batch, contest, found, exact)
