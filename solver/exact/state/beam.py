"""A good strategy quickly: only the most promising guesses of every state are tried.

The order is that of ``least_by_parts`` (lemma 2), among equals the smaller sum of squared bucket
sizes, then the order of the room: by parts on the whole room, then the alphabet. A beam of N tries
the first N of them in every state, so its value is an upper bound, never a proof. Since the first
N are among the first N + 1, and values of buckets enter as sums, a wider beam is never worse; and
one as wide as the list of guesses is the exact value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...errors import CouldNotFinishError
from ...machine.jit import kernel
from ...machine.vector_steps import first_bit
from ..table.count_lanes import LANES
from ..table.score_table import ScoreTable, count_parts, is_legal, score_in, show
from .bounds import NEVER, after_guess, fewest_parts, guesses_left, least, least_by_parts
from .deepening import work_done
from .glance import glance, split
from .memo import BOUND, GUESS, Memo, find, new_memo, note
from .results import Nodes, Rows, Shown, Value, parted
from .scratch import NOWHERE, Scratch, nesting, new_scratch

#: Columns of a frame: the state; its guesses and the one under test; the buckets of that and the
#: one under test; what it costs so far; the best so far; free rows behind the state.
FIRST, COUNT, LEFT, TRIES, TRIED, BUCKETS, BUCKET, COST, BEST, COLUMN, TOP = range(11)
_FIELDS = 11
_ENTER, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3
_MOST_BUCKETS = 256
_MEMO_BITS = 19
_CROWD = 32
#: Units of work between two looks at the clock.
_BREATH = 500_000


class Frames(NamedTuple):
    """Nested states, with the guesses and buckets of each: ``[level, …]``."""

    frames: NDArray[np.int64]
    shown: NDArray[np.uint64]
    columns: NDArray[np.int64]
    keys: NDArray[np.int64]
    starts: NDArray[np.int64]
    sizes: NDArray[np.int64]


class TooWideError(CouldNotFinishError):
    """The beam was given up."""


class Beam:
    """Searches one room with a beam of one width."""

    def __init__(
        self,
        table: ScoreTable,
        width: int,
        check_time: Callable[[], None] = lambda: None,
        looks: int = 1 << 40,
    ) -> None:
        """After so many looks at the clock a state is given up: TooWideError.

        That is for a small one; larger states get the same again for every ``_CROWD`` candidates.
        """
        self.table = table
        self._looks = looks
        self._check_time = check_time
        levels = nesting(len(table.column)) + 1
        self._width = min(width, len(table.guess))
        self._desk = new_scratch(len(table.column), levels)
        #: What is known of states: exactly, and by the beam.
        self._known = new_memo(table.hard, _MEMO_BITS)
        self._found = new_memo(table.hard, _MEMO_BITS)
        self._frames = Frames(
            np.zeros((levels + 1, _FIELDS), dtype=np.int64),
            np.zeros((levels + 1, 4), dtype=np.uint64),
            np.zeros((levels + 1, self._width + 1), dtype=np.int64),
            np.zeros((2, self._width + 1), dtype=np.int64),
            np.zeros((levels + 1, _MOST_BUCKETS), dtype=np.int64),
            np.zeros((levels + 1, _MOST_BUCKETS), dtype=np.int64),
        )

    def value_of_state(
        self, members: Rows, left: int, shown: Shown, limit: int = NEVER
    ) -> tuple[Value, int]:
        """The value of a state as far as the beam sees, whatever the limit; the column to guess."""
        self._desk.members[: len(members)] = members
        self._frames.shown[0] = shown
        place = np.full(1, NOWHERE, dtype=np.int64)
        for _ in range(self._looks * (1 + len(members) // _CROWD)):
            self._check_time()
            bound, column = _value(
                self.table,
                self._known,
                self._found,
                self._desk,
                self._frames,
                place,
                len(members),
                left,
                self._width,
                _BREATH,
            )
            if place[0] == NOWHERE:
                return Value(int(bound), exact=False), int(column)
        raise TooWideError("too many states for a beam so wide")

    def plan(
        self,
        members: Rows,
        left: int,
        shown: Shown,
        nodes: Nodes,
        parent: int,
        names: Rows | None,
    ) -> None:
        """Append the strategy of that value to ``nodes``; ``names`` as for an engine: none here."""
        todo = [(members, left, shown, parent)]
        while todo:
            state, guesses, legal, above = todo.pop()
            _, column = self.value_of_state(state, guesses, legal)
            node = nodes.add(int(self.table.guess[column]), above, int(state[0]))
            for rows, after in parted(self.table, state, column, legal):
                if self.table.secret[column] != rows[0]:
                    todo.append((rows, after_guess(guesses), after, node))


@kernel
def _value(  # noqa: PLR0912 - the whole state machine
    table: ScoreTable,
    known: Memo,
    found: Memo,
    scratch: Scratch,
    stack: Frames,
    place: NDArray[np.int64],
    count: int,
    left: int,
    width: int,
    budget: int,
) -> tuple[int, int]:
    """The least value over the beam, and the column that attains it.

    ``place`` is NOWHERE at first, and again in the end; after about ``budget`` units of work the
    search is broken off, and goes on from there.
    """
    frames = stack.frames
    stop = work_done(scratch) + budget
    level, step = place[0], _NEXT_GUESS
    if level == NOWHERE:
        level, step = 0, _ENTER
        frames[0, FIRST], frames[0, COUNT], frames[0, TOP] = 0, count, count
        frames[0, LEFT] = guesses_left(left, count)
    value, column = 0, -1
    while True:
        frame = frames[level]
        if step == _ENTER:
            settled, value, column = _settled(
                table, known, found, scratch, frame, stack.shown[level]
            )
            if settled:
                step = _DONE
            else:
                frame[TRIES] = _promising(table, scratch, stack, level, width)
                frame[TRIED], frame[BEST], frame[COLUMN] = -1, NEVER, -1
                step = _NEXT_GUESS
        elif step == _NEXT_GUESS:
            if work_done(scratch) > stop:
                place[0] = level
                return 0, -1
            frame[TRIED] += 1
            if frame[TRIED] < frame[TRIES]:
                step = _NEXT_BUCKET if _try_guess(table, scratch, stack, level) else _NEXT_GUESS
            else:
                value, column = frame[BEST], frame[COLUMN]
                note(
                    table,
                    found,
                    scratch.members,
                    frame[FIRST],
                    frame[COUNT],
                    frame[LEFT],
                    stack.shown[level],
                    value,
                    1,
                    column,
                )
                step = _DONE
        elif step == _NEXT_BUCKET:
            frame[BUCKET] += 1
            if frame[BUCKET] < frame[BUCKETS]:
                _open_bucket(table, scratch, stack, level)
                level += 1
                step = _ENTER
            else:
                frame[BEST], frame[COLUMN] = frame[COST], stack.columns[level, frame[TRIED]]
                step = _NEXT_GUESS
        else:
            if level == 0:
                place[0] = NOWHERE
                return value, column
            done = frames[level]
            level -= 1
            above = frames[level]
            above[COST] += value - least(table.price, done[COUNT], done[LEFT])
            step = _NEXT_BUCKET if above[COST] < above[BEST] else _NEXT_GUESS


@kernel(inner=True)
def _settled(
    table: ScoreTable,
    known: Memo,
    found: Memo,
    scratch: Scratch,
    frame: NDArray[np.int64],
    shown: NDArray[np.uint64],
) -> tuple[bool, int, int]:
    """Whether a state needs no search, its value and column."""
    first, count, left = frame[FIRST], frame[COUNT], frame[LEFT]
    if count <= 2 * np.int64(table.parts[0]):  # else some bucket has three, whatever is guessed
        bound, exact, column = glance(
            table, known, scratch, table.parts, first, count, left, shown, NEVER, frame[TOP]
        )
        if exact == 1:
            return True, bound, column
    entry = find(table, found, scratch.members, first, count, left, shown)
    if entry >= 0:
        return True, found.facts[entry, BOUND], found.facts[entry, GUESS]
    return False, 0, -1


@kernel(inner=True)
def _try_guess(table: ScoreTable, scratch: Scratch, stack: Frames, level: int) -> bool:
    """Split by the guess under test; False if it cannot beat the best."""
    frame = stack.frames[level]
    column = stack.columns[level, frame[TRIED]]
    left = frame[LEFT]
    scratch.work[1] += 1 + frame[COUNT] // LANES
    cost, buckets = split(table, scratch, frame[FIRST], frame[COUNT], column, left, frame[TOP])
    then = after_guess(left)
    for j in range(buckets):
        size = scratch.sizes[j]
        stack.starts[level, j] = scratch.starts[j]
        stack.sizes[level, j] = size
        cost += least(table.price, size, guesses_left(then, size))
    frame[BUCKETS], frame[BUCKET], frame[COST] = buckets, -1, cost
    return bool(cost < frame[BEST])


@kernel(inner=True)
def _open_bucket(table: ScoreTable, scratch: Scratch, stack: Frames, level: int) -> None:
    """A frame for the next bucket."""
    if level + 1 >= stack.frames.shape[0]:
        raise MemoryError("states are nested too deeply for the beam")
    frame, below = stack.frames[level], stack.frames[level + 1]
    at = frame[BUCKET]
    size = stack.sizes[level, at]
    last = frame[BUCKETS] - 1
    below[FIRST], below[COUNT] = stack.starts[level, at], size
    below[LEFT] = guesses_left(after_guess(frame[LEFT]), size)
    below[TOP] = stack.starts[level, last] + stack.sizes[level, last]
    column = stack.columns[level, frame[TRIED]]
    show(table, column, scratch.members[below[FIRST]], stack.shown[level], stack.shown[level + 1])


@kernel
def _promising(table: ScoreTable, scratch: Scratch, stack: Frames, level: int, width: int) -> int:
    """List the most promising guesses of a state, best first; their number."""
    frame = stack.frames[level]
    first, count, left = frame[FIRST], frame[COUNT], frame[LEFT]
    members = scratch.members
    columns, bounds, squares = stack.columns[level], stack.keys[0], stack.keys[1]
    listed = 0
    for k in range(first, first + count):
        scratch.inside[members[k]] = 1
    scratch.work[2] += table.guess.shape[0] // LANES
    for begin in range(0, table.guess.shape[0], LANES):
        limit = bounds[width - 1] if listed == width else NEVER
        need = fewest_parts(table.price, count, left, limit, 1)
        if need > count or table.parts[begin] < need:
            break
        good: Any = count_parts(table, members, first, count, begin, need, scratch.lanes)
        while good != np.uint64(0):
            lane = first_bit(good)
            good &= good - np.uint64(1)
            here = begin + lane
            if table.guess[here] < 0 or not is_legal(table, here, stack.shown[level]):
                continue
            row = table.secret[here]
            hit = 1 if row >= 0 and scratch.inside[row] == 1 else 0
            bound = least_by_parts(table.price, count, int(scratch.lanes[lane]), hit, left)
            if listed == width and bound > bounds[width - 1]:
                continue
            weight = _squares(table, scratch, first, count, here)
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
    return listed


@kernel(inner=True)
def _squares(table: ScoreTable, scratch: Scratch, first: int, count: int, column: int) -> int:
    """The sum of the squared bucket sizes of a guess."""
    times = scratch.times
    total = 0
    for k in range(first, first + count):
        score = np.int64(score_in(table, scratch.members[k], column))
        total += 2 * times[score] + 1
        times[score] += 1
    for k in range(first, first + count):
        times[np.int64(score_in(table, scratch.members[k], column))] = 0
    return total
