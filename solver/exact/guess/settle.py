"""One guess exactly: its buckets searched together, until their sum passes the limit.

The buckets of a guess are independent, and only the sum of their values counts. Those that are not
settled at a glance (see ``screen``) are searched in rounds, each with an equal share of the slack.
A bucket that takes more than ``PATIENCE`` is left for last, when it gets a room of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, lean
from ..state.bounds import after_guess, guesses_left
from ..state.deepening import search, work_done
from ..state.listing import list_counted, list_guesses
from ..state.memo import Memo
from ..state.scratch import Scratch, Stack
from ..table.score_table import ScoreTable, show
from .buckets import HARD, OPEN, SETTLED, Buckets, raise_bound
from .ceilings import Ceilings, lower_to_marks, start_ceiling
from .count_together import SharedCount, add_state, count_states, skip_state

#: Units of work after which a bucket counts as hard.
PATIENCE = 3_000
#: The same of all rounds together, in which its bound may have risen too slowly.
_ROUNDS = 8
#: The guesses of a bucket are listed this far above its bound at once.
_HORIZON = 8
#: So far above its share of the slack, where the slack is small.
_AHEAD = 2


@lean
def lay_out(
    table: ScoreTable,
    scratch: Scratch,
    stack: Stack,
    buckets: Buckets,
    g: int,
    k: int,
    shown: NDArray[np.uint64],
) -> None:
    """Put a bucket on the desk, and what hard mode has seen in it on the stack."""
    start = buckets.start[g, k]
    for j in range(buckets.size[g, k]):
        scratch.members[j] = buckets.rows[g, start + j]
    show(table, buckets.column[g], scratch.members[0], shown, stack.shown[0])


@lean(inner=True)
def _start_list(
    table: ScoreTable,
    ceilings: Ceilings,
    stack: Stack,
    buckets: Buckets,
    k: int,
    shown: NDArray[np.uint64],
    ceiling: NDArray[np.uint8],
) -> None:
    """The ceiling of a bucket none of whose guesses is listed yet."""
    column, row = buckets.column[0], buckets.rows[0, buckets.start[0, k]]
    show(table, column, row, shown, stack.shown[0])
    start_ceiling(table, stack.shown[0], ceiling)
    lower_to_marks(table, ceilings, column, row, ceiling)


@lean(inner=True)
def _list_all(
    table: ScoreTable,
    ceilings: Ceilings,
    scratch: Scratch,
    stack: Stack,
    buckets: Buckets,
    survey: SharedCount,
    left: int,
    shown: NDArray[np.uint64],
    horizon: NDArray[np.int64],
    end: NDArray[np.int64],
) -> None:
    """List the guesses of all open buckets up to ``horizon``; where each list ends."""
    then = after_guess(left)
    count, width = buckets.number[0], table.guess.shape[0]
    for k in range(count):
        if buckets.state[0, k] != OPEN:
            skip_state(survey, k)
            continue
        start, size = buckets.start[0, k], buckets.size[0, k]
        _start_list(table, ceilings, stack, buckets, k, shown, survey.ceiling[k])
        horizon[k] = buckets.bound[0, k] + _HORIZON
        left_then = guesses_left(then, size)
        add_state(table, survey, k, buckets.rows[0], start, size, left_then, horizon[k])
    count_states(table, scratch, survey, count, False)
    for k in range(count):
        if buckets.state[0, k] == OPEN:
            lay_out(table, scratch, stack, buckets, 0, k, shown)
            end[k] = list_counted(
                table,
                scratch,
                stack,
                survey.ceiling[k],
                0,
                buckets.size[0, k],
                survey.left[k],
                stack.shown[0],
                horizon[k],
                k * width,
            )


@lean(inner=True)
def _number(state: NDArray[np.int64], count: int, kind: int) -> int:
    """How many of the buckets are settled, open or hard."""
    number = 0
    for k in range(count):
        if state[k] == kind:
            number += 1
    return number


@kernel
def settle_buckets(
    table: ScoreTable,
    ceilings: Ceilings,
    memo: Memo,
    scratch: Scratch,
    stack: Stack,
    buckets: Buckets,
    survey: SharedCount,
    left: int,
    shown: NDArray[np.uint64],
    limit: int,
) -> None:
    """Search the open buckets until all are settled or hard, or the total passes the limit.

    With much slack all of them will be searched, and their guesses are counted together; with
    little the first few may do, and guesses are listed as each bucket's turn comes.
    """
    then = after_guess(left)
    width = table.guess.shape[0]
    count = buckets.number[0]
    state, bound = buckets.state[0], buckets.bound[0]
    horizon = np.full(count, -1, dtype=np.int64)
    end = np.zeros(count, dtype=np.int64)
    spent = np.zeros(count, dtype=np.int64)
    if limit - buckets.total[0] >= _HORIZON * count:
        _list_all(table, ceilings, scratch, stack, buckets, survey, left, shown, horizon, end)
    while buckets.total[0] <= limit:
        unsettled = _number(state, count, OPEN) + _number(state, count, HARD)
        if _number(state, count, OPEN) == 0:
            break
        for k in range(count):
            if state[k] != OPEN:
                continue
            size = buckets.size[0, k]
            before = work_done(scratch)
            share = min((limit - buckets.total[0]) // unsettled, _HORIZON)
            ceiling = bound[k] + share
            if horizon[k] < ceiling:
                if horizon[k] < 0:
                    _start_list(table, ceilings, stack, buckets, k, shown, survey.ceiling[k])
                horizon[k] = bound[k] + min(share + _AHEAD, _HORIZON, limit - buckets.total[0])
                lay_out(table, scratch, stack, buckets, 0, k, shown)
                end[k] = list_guesses(
                    table,
                    scratch,
                    stack,
                    survey.ceiling[k],
                    0,
                    size,
                    guesses_left(then, size),
                    stack.shown[0],
                    horizon[k],
                    k * width,
                )
            lay_out(table, scratch, stack, buckets, 0, k, shown)
            value, exact, _ = search(
                table,
                memo,
                scratch,
                stack,
                survey.ceiling[k],
                size,
                then,
                ceiling,
                k * width,
                end[k],
                count * width,
                PATIENCE,
            )
            raise_bound(buckets, 0, k, value)
            spent[k] += work_done(scratch) - before
            if exact == 1:
                state[k] = SETTLED
                unsettled -= 1
            elif exact == -1 or spent[k] > _ROUNDS * PATIENCE:
                state[k] = HARD
            if buckets.total[0] > limit:
                break
