"""Lower bounds for many guesses at once, without a search.

A guess is worth at least the sum of the bounds of its buckets (Lemma 2), and is out as soon as that
passes the limit. All guesses of a batch go through the same steps side by side, largest buckets
first: what the marks of a bucket say (see ``ceilings``); the parts of all guesses that may still
be good there (see ``survey``); at last the small buckets, one by one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, lean
from ..state.bounds import NEVER, after_guess, guesses_left, least_by_parts, not_listed
from ..state.glance import FEW, glance, highest
from ..state.memo import BOUND, EXACT, Memo, find, note
from ..state.scratch import Scratch, Stack
from ..table.score_table import ScoreTable, show
from .buckets import OPEN, SETTLED, Buckets, part, raise_bound, slack
from .ceilings import Ceilings, count_wanted, lower_to_marks, make_space, start_ceiling, want_marks
from .count_together import SharedCount, add_state, count_states
from .settle import lay_out

#: Marks say little about buckets up to this size.
_SMALL = 24
#: Buckets of a guess whose marks are looked at together.
_STRIDE = 8
#: Buckets of a guess that are counted together at most; the first may be enough.
_AHEAD = 4


@kernel
def screen(
    table: ScoreTable,
    ceilings: Ceilings,
    memo: Memo,
    scratch: Scratch,
    stack: Stack,
    buckets: Buckets,
    survey: SharedCount,
    members: NDArray[np.int32],
    columns: NDArray[np.int32],
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
) -> None:
    """Bounds of the guesses ``columns``, in ``buckets``; exact to a glance up to ``limit``.

    A single guess is not worth any tables: only what is there already lowers its ceilings.
    """
    guesses = columns.shape[0]
    for g in range(guesses):
        part(table, members, int(columns[g]), left, buckets, g)
    if guesses > 1:
        make_space(ceilings)
        _bound_by_marks(table, ceilings, stack, buckets, survey, guesses, left, shown, limit)
    _bound_by_counts(
        table, ceilings, memo, scratch, stack, buckets, survey, guesses, left, shown, limit
    )
    for g in range(guesses):
        _glance_at_rest(table, memo, scratch, stack, buckets, g, left, shown, limit)


@kernel(inner=True)
def _bound_by_marks(
    table: ScoreTable,
    ceilings: Ceilings,
    stack: Stack,
    buckets: Buckets,
    survey: SharedCount,
    guesses: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
) -> None:
    """The bounds that follow from the highest ceilings of the buckets."""
    then = after_guess(left)
    going = True
    first = 0
    while going:
        going = False
        for g in range(guesses):
            for k in range(first, min(first + _STRIDE, buckets.number[g])):
                if buckets.size[g, k] <= _SMALL or buckets.total[g] > limit:
                    break
                row = buckets.rows[g, buckets.start[g, k]]
                want_marks(table, ceilings, buckets.column[g], row)
                going = True
        count_wanted(table, ceilings)
        for g in range(guesses):
            for k in range(first, min(first + _STRIDE, buckets.number[g])):
                size = buckets.size[g, k]
                if size <= _SMALL or buckets.total[g] > limit:
                    break
                _start(table, ceilings, stack, buckets, g, k, shown, survey.ceiling[0])
                parts = min(highest(survey.ceiling[0]), size)
                filed = guesses_left(then, size)
                raise_bound(buckets, g, k, least_by_parts(table.price, size, parts, 1, filed))
        first += _STRIDE


@lean
def _start(
    table: ScoreTable,
    ceilings: Ceilings,
    stack: Stack,
    buckets: Buckets,
    g: int,
    k: int,
    shown: NDArray[np.uint64],
    ceiling: NDArray[np.uint8],
) -> None:
    """The ceiling of a bucket by all that is known without counting it."""
    row = buckets.rows[g, buckets.start[g, k]]
    show(table, buckets.column[g], row, shown, stack.shown[0])
    start_ceiling(table, stack.shown[0], ceiling)
    lower_to_marks(table, ceilings, buckets.column[g], row, ceiling)


@kernel(inner=True)
def _bound_by_counts(
    table: ScoreTable,
    ceilings: Ceilings,
    memo: Memo,
    scratch: Scratch,
    stack: Stack,
    buckets: Buckets,
    survey: SharedCount,
    guesses: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
) -> None:
    """The bounds that follow from counting, in rounds: a few buckets of every guess in each."""
    if table.price == 0 or left == 2:
        return
    places = survey.start.shape[0]
    owner = np.zeros((places, 2), dtype=np.int64)
    begin = np.zeros(guesses, dtype=np.int64)
    ahead = places if guesses == 1 else 1
    while True:
        states, going = 0, 0
        for g in range(guesses):
            end = min(begin[g] + ahead, buckets.number[g])
            while begin[g] < end and states < places:
                k = begin[g]
                if buckets.size[g, k] <= FEW or buckets.total[g] > limit:
                    break
                if _is_new(table, memo, stack, buckets, g, k, left, shown):
                    _start(table, ceilings, stack, buckets, g, k, shown, survey.ceiling[states])
                    _add(table, buckets, survey, states, g, k, left, limit)
                    owner[states, 0], owner[states, 1] = g, k
                    states += 1
                going += 1
                begin[g] += 1
        if going == 0:
            return
        count_states(table, scratch, survey, states, True)
        for t in range(states):
            g, k = owner[t]
            _take_over(table, memo, stack, buckets, survey, t, g, k, shown)
        if guesses > 1:
            ahead = max(1, min(_AHEAD, places // going))


@lean(inner=True)
def _is_new(
    table: ScoreTable,
    memo: Memo,
    stack: Stack,
    buckets: Buckets,
    g: int,
    k: int,
    left: int,
    shown: NDArray[np.uint64],
) -> bool:
    """Whether nothing is known of a bucket; else its bound is raised to that."""
    start, size = buckets.start[g, k], buckets.size[g, k]
    rows = buckets.rows[g]
    show(table, buckets.column[g], rows[start], shown, stack.shown[0])
    filed = guesses_left(after_guess(left), size)
    entry = find(table, memo, rows, start, size, filed, stack.shown[0])
    if entry < 0:
        return True
    raise_bound(buckets, g, k, memo.facts[entry, BOUND])
    if memo.facts[entry, EXACT] == 1:
        buckets.state[g, k] = SETTLED
    return False


@lean
def _add(
    table: ScoreTable,
    buckets: Buckets,
    survey: SharedCount,
    t: int,
    g: int,
    k: int,
    left: int,
    limit: int,
) -> None:
    """Enter a bucket into the survey."""
    size = buckets.size[g, k]
    add_state(
        table,
        survey,
        t,
        buckets.rows[g],
        buckets.start[g, k],
        size,
        guesses_left(after_guess(left), size),
        min(slack(buckets, g, k, limit), NEVER),
    )


@lean(inner=True)
def _take_over(
    table: ScoreTable,
    memo: Memo,
    stack: Stack,
    buckets: Buckets,
    survey: SharedCount,
    t: int,
    g: int,
    k: int,
    shown: NDArray[np.uint64],
) -> None:
    """What has been found out about a bucket."""
    start, size, left = survey.start[t], survey.size[t], survey.left[t]
    bound = survey.bound[t]
    if bound > survey.limit[t]:
        bound = not_listed(table.price, size, left, survey.limit[t])
    raise_bound(buckets, g, k, bound)
    show(table, buckets.column[g], survey.members[start], shown, stack.shown[0])
    shown_here = stack.shown[0]
    note(table, memo, survey.members, start, size, left, shown_here, bound, 0, survey.column[t])


@lean(inner=True)
def _glance_at_rest(
    table: ScoreTable,
    memo: Memo,
    scratch: Scratch,
    stack: Stack,
    buckets: Buckets,
    g: int,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
) -> None:
    """Bound the small buckets of a guess; all of them, where counting them together is no use."""
    for k in range(buckets.number[g]):
        size = buckets.size[g, k]
        if size <= 2 or buckets.total[g] > limit:
            break
        if buckets.state[g, k] != OPEN or (size > FEW and table.price > 0 and left != 2):
            continue
        lay_out(table, scratch, stack, buckets, g, k, shown)
        bound, exact, _ = glance(
            table,
            memo,
            scratch,
            table.parts,
            0,
            size,
            after_guess(left),
            stack.shown[0],
            min(slack(buckets, g, k, limit), NEVER),
            size,
        )
        raise_bound(buckets, g, k, bound)
        if exact == 1:
            buckets.state[g, k] = SETTLED
