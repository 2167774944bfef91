"""A good value of a state quickly, by beam search: only the most promising guesses are tried.

Beam search (Lowerre's speech recogniser HARPY, 1976) keeps the best few continuations by a rule of
thumb and never looks at the rest. The rule here is ``least_by_parts`` (lemma 2), among equals the
smaller sum of squared bucket sizes, then the order of the table: by parts on all its candidates,
then the alphabet. Of every state a beam of N tries the first N guesses, and keeps the best:

    enter    known, or settled at a glance? else list the first N guesses
    guess    split; one that cannot beat the best so far is dropped
    bucket   one after the other goes down, and its value is added to the cost of the guess

The value is an upper bound, never a proof. Since the first N are among the first N + 1, and values
of buckets enter as sums, a wider beam is never worse; and one as wide as the list of guesses is the
exact value.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...machine.jit import lean
from ...machine.vector_steps import first_bit
from ..lemmas import NEVER, fewest_parts, least_by_parts
from ..table.count_lanes import LANES
from ..table.score_table import ScoreTable, count_parts, is_legal
from .memo import BOUND, GUESS, Memo, find, note
from .scratch_memory import Scratch, State, work_done
from .search_frames import (
    BEST,
    COLUMN,
    COST,
    COUNT,
    NOWHERE,
    TOP,
    TRIED,
    TRIES,
    TRIES_END,
    Stack,
    Workspace,
    close_bucket,
    first_frame,
    guess_of,
    open_bucket,
    split_frame,
    state_at,
    unsettled,
)
from .split_state import glance

_ENTER, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3


@lean
def beam_search(  # noqa: PLR0912 - the whole state machine
    work: Workspace,
    found: Memo,
    place: NDArray[np.int64],
    count: int,
    left: int,
    width: int,
    budget: int,
) -> tuple[int, int]:
    """The least value of a state over the beam, and the column that attains it.

    The memo at work holds what is known exactly, ``found`` what the beam has found. ``place`` is
    NOWHERE at first, and again in the end; after about ``budget`` units of work the search is
    broken off, and goes on from there.
    """
    table, known, scratch, stack = work
    frames = stack.frames
    stop = work_done(scratch) + budget
    level, step = place[0], _NEXT_GUESS
    if level == NOWHERE:
        level, step = 0, _ENTER
        first_frame(stack, count, left, NEVER)
    value, column = 0, -1
    while True:
        frame = frames[level]
        if step == _ENTER:
            state = state_at(scratch, stack, level)
            settled, value, column = _settled(table, known, found, scratch, state, frame[TOP])
            if settled:
                step = _DONE
            else:
                _list_promising(table, scratch, stack, state, frame, width)
                step = _NEXT_GUESS
        elif step == _NEXT_GUESS:
            if work_done(scratch) > stop:
                place[0] = level
                return 0, -1
            frame[TRIED] += 1
            if frame[TRIED] == frame[TRIES_END]:
                value, column = frame[BEST], frame[COLUMN]
                note(table, found, state_at(scratch, stack, level), value, 1, column)
                step = _DONE
            else:
                scratch.work[1] += 1 + frame[COUNT] // LANES
                split_frame(table, scratch, stack, level)
                step = _NEXT_BUCKET if frame[COST] < frame[BEST] else _NEXT_GUESS
        elif step == _NEXT_BUCKET:
            bucket, _ = unsettled(stack, frame)
            if bucket < 0:
                frame[BEST], frame[COLUMN] = frame[COST], guess_of(stack, frame)
                step = _NEXT_GUESS
            else:
                open_bucket(table, scratch, stack, level, bucket, 0)
                level += 1
                step = _ENTER
        else:
            if level == 0:
                place[0] = NOWHERE
                return value, column
            level -= 1
            above = frames[level]
            close_bucket(stack, above, value, 1)
            step = _NEXT_BUCKET if above[COST] < above[BEST] else _NEXT_GUESS


@lean(inner=True)
def _settled(
    table: ScoreTable, known: Memo, found: Memo, scratch: Scratch, state: State, top: int
) -> tuple[bool, int, int]:
    """Whether a state needs no search, its value and column."""
    if state.size <= 2 * np.int64(table.parts[0]):  # else a bucket has three, whatever is guessed
        bound, exact, column = glance(table, known, scratch, table.parts, state, NEVER, top)
        if exact == 1:
            return True, bound, column
    entry = find(table, found, state)
    if entry >= 0:
        return True, found.facts[entry, BOUND], found.facts[entry, GUESS]
    return False, 0, -1


@lean(inner=True)
def _list_promising(
    table: ScoreTable,
    scratch: Scratch,
    stack: Stack,
    state: State,
    frame: NDArray[np.int64],
    width: int,
) -> None:
    """List the most promising guesses of a state, best first."""
    members, first, count, left = state.members, state.first, state.size, state.left
    begin = frame[TRIES]
    columns, bounds, squares = stack.columns[begin:], stack.bounds[begin:], stack.keys[:, 0]
    listed = 0
    for k in range(first, first + count):
        scratch.inside[members[k]] = 1
    scratch.work[2] += table.guess.shape[0] // LANES
    for block in range(0, table.guess.shape[0], LANES):
        limit = bounds[width - 1] if listed == width else NEVER
        need = fewest_parts(table.price, count, left, limit, 1)
        if need > count or table.parts[block] < need:
            break
        good: Any = count_parts(table, members, first, count, block, need, scratch.lanes)
        while good != np.uint64(0):
            lane = first_bit(good)
            good &= good - np.uint64(1)
            here = block + lane
            if table.guess[here] < 0 or not is_legal(table, here, state.shown):
                continue
            row = table.secret[here]
            hit = 1 if row >= 0 and scratch.inside[row] == 1 else 0
            bound = least_by_parts(table.price, count, int(scratch.lanes[lane]), hit, left)
            if listed == width and bound > bounds[width - 1]:
                continue
            weight = _squares(table, scratch, state, here)
            scratch.work[1] += 1 + count // LANES
            at = listed
            while at > 0 and (bound, weight) < (bounds[at - 1], squares[at - 1]):
                columns[at], bounds[at] = columns[at - 1], bounds[at - 1]
                squares[at] = squares[at - 1]
                at -= 1
            if at < width:
                columns[at], bounds[at], squares[at] = here, bound, weight
                listed = min(listed + 1, width)
    for k in range(first, first + count):
        scratch.inside[members[k]] = 0
    frame[TRIED], frame[TRIES_END] = begin - 1, begin + listed
    frame[BEST], frame[COLUMN] = NEVER, -1


@lean(inner=True)
def _squares(table: ScoreTable, scratch: Scratch, state: State, column: int) -> int:
    """The sum of the squared bucket sizes of a guess."""
    times, of_row = scratch.times, table.scores[column]
    total = 0
    for k in range(state.first, state.first + state.size):
        score = np.int64(of_row[state.members[k]])
        total += 2 * times[score] + 1
        times[score] += 1
    for k in range(state.first, state.first + state.size):
        times[np.int64(of_row[state.members[k]])] = 0
    return total
