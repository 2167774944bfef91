"""One guess exactly: its buckets searched together, until their sum passes the limit.

The buckets of a guess are independent, and only the sum of their values counts. Those that are not
settled at a glance (see ``lower_bounds``) are searched in rounds, each with an equal share of the
slack: a guess that fails mostly fails by a little everywhere, and no bucket need be searched to its
end. A bucket that takes more than ``PATIENCE`` is left for last, when it gets an engine of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import kernel, lean
from ..lemmas import after_guess, guesses_left
from ..state_values.deepening import Lists, search
from ..state_values.guesses_to_try import list_guesses
from ..state_values.scratch_memory import Scratch, State, work_done
from ..state_values.search_frames import Stack, Workspace
from ..table.score_table import ScoreTable, show
from .buckets import HARD, OPEN, SETTLED, Buckets, raise_bound
from .ceilings import Ceilings, lower_to_marks, start_ceiling
from .shared_counts import SharedCount

#: Units of work after which a bucket counts as hard.
PATIENCE = 3_000
#: So many times that, all rounds together, is too much as well: its bound has risen too slowly.
_ROUNDS = 8
#: The guesses of a bucket are listed this far above its bound at once.
_HORIZON = 8
#: So far above its share of the slack, where the slack is small.
_AHEAD = 2


class Batch(NamedTuple):
    """Guesses that are looked at together, and what is known of their buckets."""

    ceilings: Ceilings
    buckets: Buckets
    shared: SharedCount


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
    """To value a guess, copy one of its buckets to scratch memory, and what it shows to a frame."""
    start = buckets.start[g, k]
    for j in range(buckets.size[g, k]):
        scratch.members[j] = buckets.rows[g, start + j]
    show(table, buckets.column[g], scratch.members[0], shown, stack.shown[0])


@lean
def ceiling_of_bucket(
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
    column, row = buckets.column[g], buckets.rows[g, buckets.start[g, k]]
    show(table, column, row, shown, stack.shown[0])
    start_ceiling(table, stack.shown[0], ceiling)
    lower_to_marks(table, ceilings, column, row, ceiling)


@lean(inner=True)
def _number(state: NDArray[np.int64], count: int, kind: int) -> int:
    """How many of the buckets are settled, open or hard."""
    number = 0
    for k in range(count):
        if state[k] == kind:
            number += 1
    return number


@kernel
def settle_buckets(work: Workspace, batch: Batch, state: State, limit: int) -> None:
    """Search the open buckets of a guess in a state until all are settled or hard.

    Or until the total passes the limit: the first few may do, so the guesses of a bucket are listed
    when its turn comes.
    """
    table, _, scratch, stack = work
    ceilings, buckets, shared = batch
    then, shown = after_guess(state.left), state.shown
    width = table.guess.shape[0]
    count = buckets.number[0]
    known, bound = buckets.state[0], buckets.bound[0]
    horizon = np.full(count, -1, dtype=np.int64)
    end = np.zeros(count, dtype=np.int64)
    spent = np.zeros(count, dtype=np.int64)
    while buckets.total[0] <= limit:
        unsettled = _number(known, count, OPEN) + _number(known, count, HARD)
        if _number(known, count, OPEN) == 0:
            break
        for k in range(count):
            if known[k] != OPEN:
                continue
            size, ceiling, at = buckets.size[0, k], shared.ceiling[k], k * width
            before = work_done(scratch)
            share = min((limit - buckets.total[0]) // unsettled, _HORIZON)
            most = bound[k] + share
            if horizon[k] < most:
                if horizon[k] < 0:
                    ceiling_of_bucket(table, ceilings, stack, buckets, 0, k, shown, ceiling)
                horizon[k] = bound[k] + min(share + _AHEAD, _HORIZON, limit - buckets.total[0])
                lay_out(table, scratch, stack, buckets, 0, k, shown)
                filed = guesses_left(then, size)
                bucket = State(scratch.members, 0, size, filed, stack.shown[0])
                end[k] = list_guesses(table, scratch, stack, ceiling, bucket, horizon[k], at)
            lay_out(table, scratch, stack, buckets, 0, k, shown)
            lists = Lists(at, end[k], count * width)
            value, exact, _ = search(work, ceiling, size, then, most, lists, PATIENCE)
            raise_bound(buckets, 0, k, value)
            spent[k] += work_done(scratch) - before
            if exact == 1:
                known[k] = SETTLED
                unsettled -= 1
            elif exact == -1 or spent[k] > _ROUNDS * PATIENCE:
                known[k] = HARD
            if buckets.total[0] > limit:
                break
