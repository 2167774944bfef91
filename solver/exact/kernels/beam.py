"""Beam search: a good value quickly, from the most promising guesses of each state alone.

Beam search (Lowerre's speech recogniser HARPY, 1976) keeps the best few continuations by a rule of
thumb and never looks at the rest: its values are upper bounds, never proofs. Of every state a beam
of N tries N guesses, and keeps the best; one as wide as the list of guesses finds the exact value.
There are two rules.

* *Plain*: the first guesses by ``least_by_parts`` (lemma 2), among equals the smaller sum of
  squared bucket sizes, then the order of the table: by parts on all its candidates, then the
  alphabet. The first N are among the first N + 1, so a wider beam is never worse.
* *Ranked*: a longer list is made by lemma 2 (a *shortlist*), every guess of it is split, and lemma
  2 is applied to each of its buckets; the sum is a bound of the guess (docs/exact.md, lemma 6), and
  the least sums come first.

What follows is the same:

    enter    known, or settled by quick bounds? else list guesses, or make the shortlist
    rank     split the guesses of the shortlist one by one; keep the ``width`` least sums
    guess    take them in this order; none whose bound is no less than the best so far
    bucket   the largest unsettled one goes down, and its value is added to the cost of the guess

A state may have a *seed*: a guess, and what it has cost before. The seed comes first, and only
less than its cost is an improvement, so no state gets worse by a wider search.

With a limit that must be met, a state in which the first guess fails is handed to the caller
(``ASKING``): it names a guess by which the state can be solved within the limit, or says that
there is none. So the beam finds a strategy within the limit where one exists, however narrow it is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from ...machine.vectors import first_bit
from .guess_values import Buckets, lay_out, new_buckets, split_guess
from .lemmas import LOSS, NEVER, UNLIMITED, after_guess, fewest_parts, least_by_parts
from .memo import Memo, State, known, note
from .score_table import ScoreTable, count_parts, is_legal, new_ends, reveal, split_by_size
from .search import bound_buckets, histogram, list_guesses
from .search_frames import (
    BEST,
    COLUMN,
    COST,
    COUNT,
    LEFT,
    LEVEL,
    LIMIT,
    LOWEST,
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
    lay_state,
    nesting,
    open_bucket,
    sort_by_bound,
    split_frame,
    state_at,
    unsettled,
)
from .state import Scratch, mark, quick_bound, work_done
from .table_vectors import BLOCK_COLUMNS, Scores, Sums, copy_row

#: What ``Beaming.place`` says: the level at work, whether the caller must answer, and the answer.
LEVEL_AT, STATUS, ANSWER = 0, 1, 2
#: ``STATUS``: done or to be resumed; a state is handed over, and the answer is awaited.
RUNNING, ASKING = 0, 1
#: Answers that are no columns: no guess meets the limit; nobody knows whether one does.
HOPELESS, UNKNOWN = -1, -2
#: ``EXACT`` in the memo of the beam: a seed, or the value that this search has found.
SEED, FOUND = 0, 1
#: A limit so high that a bucket of any guess may have any value.
_ANYTHING = 2 * NEVER

_ENTER, _RANK, _NEXT_GUESS, _NEXT_BUCKET, _DONE = 0, 1, 2, 3, 4


@record
class Beaming(NamedTuple):
    """What one search by the beam works with besides the workspace."""

    #: What the beam has found of states, and seeds.
    found: Memo
    place: Sums
    #: For each level, how many guesses of its state were tried that may meet the limit.
    tried: Sums
    #: Guesses that are tried in a state, and those that are ranked before; 0: a plain beam.
    width: int
    shortlist: int
    #: Whether all candidates must be solved within the limit, and the caller answers.
    strict: bool


def new_beaming(
    table: ScoreTable, found: Memo, width: int, shortlist: int = 0, strict: bool = False
) -> Beaming:
    """A search that has not begun."""
    place = np.array([NOWHERE, RUNNING, UNKNOWN], dtype=np.int64)
    tried = np.zeros(nesting(len(table.column)) + 2, dtype=np.int64)
    return Beaming(found, place, tried, width, shortlist, strict)


def begin_anew(beaming: Beaming) -> None:
    """Leave whatever state was being searched."""
    beaming.place[:] = NOWHERE, RUNNING, UNKNOWN


@noalloc
def beam_search(  # noqa: PLR0912, PLR0915 - the whole state machine
    work: Workspace, beaming: Beaming, count: int, left: int, budget: int
) -> tuple[int, int]:
    """The least value of ``members[:count]`` over the beam, and the column that attains it.

    The search is interrupted after about ``budget`` units of work, or when it has a question, and
    is resumed from its place; it is done when the place is NOWHERE again. Where the limit must be
    met and cannot, the value is LOSS and the column -1.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    frames, place, found = stack.frames, beaming.place, beaming.found
    stop = work_done(scratch) + budget
    level, step = place[LEVEL_AT], _ENTER
    if level == NOWHERE:
        level = 0
        first_frame(stack, count, left, NEVER)
    else:  # it was interrupted as it ranked guesses, or before the next one
        if place[STATUS] == ASKING:
            _take_answer(stack, frames[level], place[ANSWER])
            place[STATUS] = RUNNING
        step = _NEXT_GUESS if frames[level, LEVEL] == frames[level, LOWEST] else _RANK
    value, column = LOSS, -1
    while True:
        frame = frames[level]
        if step == _ENTER:
            state = state_at(scratch, stack, level)
            settled, value, column = _settled(work, beaming, state, frame[TOP])
            if settled:
                step = _DONE
            else:
                _begin(work, beaming, state, level)
                beaming.tried[level] = 0
                step = _RANK
        elif step == _RANK:
            while frame[LEVEL] < frame[LOWEST] and work_done(scratch) <= stop:
                _rank_next(work, beaming, level)
            if frame[LEVEL] < frame[LOWEST]:
                place[LEVEL_AT] = level
                return 0, -1
            frame[TRIED] = frame[TRIES] - 1
            step = _NEXT_GUESS
        elif step == _NEXT_GUESS:
            if work_done(scratch) > stop:
                place[LEVEL_AT] = level
                return 0, -1
            if _must_ask(beaming, frame):
                place[LEVEL_AT], place[STATUS] = level, ASKING
                return 0, -1
            frame[TRIED] += 1
            if _all_tried(beaming, stack, frame, level):
                value, column = frame[BEST], frame[COLUMN]
                note(found, state_at(scratch, stack, level), value, FOUND, column)
                step = _DONE
            else:
                _split_and_bound(work, level, frame[BEST])
                _count_try(beaming, stack, frame, level, 1)
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
                place[LEVEL_AT] = NOWHERE
                return value, column
            level -= 1
            above = frames[level]
            close_bucket(stack, above, value, 1)
            if value >= LOSS and beaming.strict:
                _count_try(beaming, stack, above, level, -1)
            step = _NEXT_BUCKET if above[COST] < above[BEST] else _NEXT_GUESS


@noalloc(inner=True)
def _settled(work: Workspace, beaming: Beaming, state: State, top: int) -> tuple[bool, int, int]:
    """Whether a state needs no search, its value and column."""
    table, memo, scratch = work.table, work.memo, work.scratch
    if state.size <= 2 * np.int64(table.parts[0]):  # else a bucket has three, whatever is guessed
        bound, exact, column = quick_bound(table, memo, scratch, table.parts, state, NEVER, top)
        if beaming.strict and bound >= LOSS:
            return True, LOSS, -1
        if exact == 1:
            return True, bound, column
    value, kind, column = known(beaming.found, state)
    return value >= 0 and kind == FOUND, value, column


# ---- A new frame: the shortlist, then the order of its guesses
#
# A frame keeps the guesses to try at its beginning of the lists, the seed first; its shortlist lies
# behind them and is not needed any more when they are in order. A plain beam has none. LEVEL is the
# place in the shortlist that has been reached, LOWEST its end, and LIMIT says whether the caller
# has answered.

_ASKED = LIMIT


@noalloc(inner=True)
def _begin(work: Workspace, beaming: Beaming, state: State, level: int) -> None:
    """List the guesses of a new frame, or its shortlist; its seed, if it has one, comes first."""
    stack = work.stack
    frame, ceiling = stack.frames[level], stack.ceilings[level]
    begin = frame[TRIES]
    frame[TRIES_END], frame[COLUMN], frame[_ASKED] = begin, -1, 0
    frame[BEST] = LOSS if beaming.strict and state.left != UNLIMITED else NEVER
    if beaming.shortlist == 0:
        frame[TRIES_END] = begin + _list_plainly(work, state, beaming.width, begin)
        frame[LEVEL] = frame[LOWEST] = frame[TRIES_END]
        return
    value, _, column = known(beaming.found, state)
    if value >= 0:
        stack.columns[begin], stack.bounds[begin] = column, 0
        frame[TRIES_END] = begin + 1
        frame[BEST] = min(frame[BEST], value + 1)
    frame[LEVEL] = begin + _kept(beaming, state.left) + 2
    frame[LOWEST] = frame[LEVEL] + _list_short(work, beaming, state, ceiling, frame[LEVEL])


@noalloc(inner=True)
def _kept(beaming: Beaming, left: int) -> int:
    """How many ranked guesses a frame keeps: where a limit must be met some will fail."""
    return beaming.shortlist if beaming.strict and left != UNLIMITED else beaming.width


@noalloc(inner=True)
def _all_tried(beaming: Beaming, stack: Stack, frame: Sums, level: int) -> bool:
    """Whether no guess is left that may be better, or enough were tried."""
    at = frame[TRIED]
    if at == frame[TRIES_END] or stack.bounds[at] >= frame[BEST]:
        return True
    return bool(beaming.tried[level] >= beaming.width and stack.bounds[at] > 0)


@noalloc(inner=True)
def _count_try(beaming: Beaming, stack: Stack, frame: Sums, level: int, step: int) -> None:
    """Count the guess in turn, or take it back; seeds and guesses of the caller do not count."""
    if stack.bounds[frame[TRIED]] > 0:
        beaming.tried[level] += step


@noalloc(inner=True)
def _list_plainly(work: Workspace, state: State, width: int, at: int) -> int:
    """Write the first guesses by lemma 2 from ``at``, among equals the least squares first.

    How many they are; their bounds stand with them. Blocks come by their parts over the table, so
    the first that has too few for a place ends the list (lemma 4).
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    members, first, count, left = state.members, state.first, state.size, state.left
    columns, bounds, squares = stack.columns[at:], stack.bounds[at:], stack.keys[:, 0]
    listed = 0
    mark(scratch, state, 1)
    scratch.work[2] += table.guess.shape[0] // BLOCK_COLUMNS
    for block in range(0, table.guess.shape[0], BLOCK_COLUMNS):
        limit = bounds[width - 1] if listed == width else NEVER
        need = fewest_parts(table.price, count, left, limit, 1)
        if need > count or table.parts[block] < need:
            break
        good: Any = count_parts(table, members, first, count, block, need, scratch.lanes)
        while good != np.uint64(0):
            lane = first_bit(good)
            good &= good - np.uint64(1)
            here = block + lane
            if not is_legal(table, here, state.revealed):
                continue
            row = table.secret[here]
            hit = 1 if row >= 0 and scratch.inside[row] == 1 else 0
            bound = least_by_parts(table.price, count, int(scratch.lanes[lane]), hit, left)
            if listed == width and bound > bounds[width - 1]:
                continue
            weight = _squares(table, scratch, state, here)
            scratch.work[1] += 1 + count // BLOCK_COLUMNS
            k = listed
            while k > 0 and (bound, weight) < (bounds[k - 1], squares[k - 1]):
                columns[k], bounds[k] = columns[k - 1], bounds[k - 1]
                squares[k] = squares[k - 1]
                k -= 1
            if k < width:
                columns[k], bounds[k], squares[k] = here, bound, weight
                listed = min(listed + 1, width)
    mark(scratch, state, 0)
    return listed


@noalloc(inner=True)
def _squares(table: ScoreTable, scratch: Scratch, state: State, column: int) -> int:
    """The sum of the squared bucket sizes of a guess."""
    total = 0
    for j in range(histogram(table, scratch, state.first, state.size, column)):
        total += scratch.times[scratch.seen[j]] ** 2
        scratch.times[scratch.seen[j]] = 0
    return int(total)


@noalloc(inner=True)
def _list_short(work: Workspace, beaming: Beaming, state: State, ceiling: Scores, at: int) -> int:
    """Write the legal guesses of least bound by lemma 2 from ``at``, equal ones as in the table.

    How many they are: at most the length of a shortlist. ``ceiling`` is scratch.
    """
    copy_row(ceiling, work.table.parts)
    end = list_guesses(work, None, ceiling, state, NEVER, at)
    sort_by_bound(work.stack, at, end)
    return min(end - at, beaming.shortlist)


@noalloc(inner=True)
def _rank_next(work: Workspace, beaming: Beaming, level: int) -> None:
    """Bound the next guess of the shortlist, and put it in its place if it is among the least."""
    stack = work.stack
    frame = stack.frames[level]
    begin, end = frame[TRIES], frame[TRIES_END]
    seeded = 1 if end > begin and stack.bounds[begin] == 0 else 0
    limit = frame[BEST]
    most = _kept(beaming, frame[LEFT])
    if end - begin - seeded == most:
        limit = min(limit, stack.bounds[end - 1])
    frame[TRIED] = frame[LEVEL]
    frame[LEVEL] += 1
    _split_and_bound(work, level, limit)
    bound = frame[COST]
    if bound >= limit:
        return
    column = guess_of(stack, frame)
    at = end
    while at > begin + seeded and bound < stack.bounds[at - 1]:
        stack.columns[at], stack.bounds[at] = stack.columns[at - 1], stack.bounds[at - 1]
        at -= 1
    stack.columns[at], stack.bounds[at] = column, bound
    if end - begin - seeded < most:
        frame[TRIES_END] = end + 1


@noalloc(inner=True)
def _split_and_bound(work: Workspace, level: int, limit: int) -> None:
    """Split by the guess in turn; its cost is a bound by lemma 2 of all its buckets.

    Once it reaches the limit, the buckets that are left have their bounds by size.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    scratch.work[1] += 1 + stack.frames[level, COUNT] // BLOCK_COLUMNS
    split_frame(table, None, scratch, stack, level)
    bound_buckets(work, None, table.parts, level, limit - 1, _ANYTHING)


# ---- Questions: whether a state can be solved within the limit, and how


@noalloc(inner=True)
def _must_ask(beaming: Beaming, frame: Sums) -> bool:
    """Whether it is open if any guess meets the limit, once the first of the list has failed."""
    if not beaming.strict or frame[LEFT] == UNLIMITED or frame[_ASKED] == 1:
        return False
    begun = frame[TRIED] >= frame[TRIES] or frame[TRIES] == frame[TRIES_END]
    return bool(begun and frame[BEST] == LOSS)


@noalloc(inner=True)
def _take_answer(stack: Stack, frame: Sums, answer: int) -> None:
    """Try the guess that the caller has named next, or none any more."""
    frame[_ASKED] = 1
    after = frame[TRIED] + 1
    if answer == HOPELESS:
        frame[TRIES_END] = after
    if answer < 0:
        return
    for at in range(frame[TRIES_END], after, -1):
        stack.columns[at], stack.bounds[at] = stack.columns[at - 1], stack.bounds[at - 1]
    stack.columns[after], stack.bounds[after] = answer, 0
    frame[TRIES_END] += 1


# ---- Totals: what a beam takes from a state on, and from a guess on that was made in it
#
# Both are upper bounds, made by the same beam: the value of the state, and the guess's own price
# with the values of its buckets. The search is interrupted after so much work, and resumed from its
# place.

#: Where the search stands: at the state itself, or which of the buckets of the guess.
AT = 0
_STATE = -1
#: Units of work of a search that goes on to its end.
_UNINTERRUPTED = 1 << 60
#: What is found: the value of the state, the column that has it, and the total of the guess.
VALUE, GUESS, OWN = 0, 1, 2


@record
class BeamTask(NamedTuple):
    """What a beam looks at, and what it has found."""

    beaming: Beaming
    state: State
    #: Memory for the buckets of the guess.
    buckets: Buckets
    place: Sums
    totals: Sums


def new_task(table: ScoreTable, beaming: Beaming, state: State) -> BeamTask:
    """A state that nothing is known of yet."""
    begin_anew(beaming)
    place, totals = np.full(1, _STATE, dtype=np.int64), np.full(3, -1, dtype=np.int64)
    return BeamTask(beaming, state, new_buckets(table, 1), place, totals)


@kernel
def beam_totals(work: Workspace, task: BeamTask, column: int, budget: int) -> bool:
    """Find the totals of a whole state and of the guess ``column`` in it, -1 for none.

    False if the search goes on after about so much work.
    """
    table, state, buckets, place, totals = (
        work.table, task.state, task.buckets, task.place, task.totals,
    )  # fmt: skip
    level = task.beaming.place[LEVEL_AT : LEVEL_AT + 1]
    if place[AT] == _STATE:
        if level[0] == NOWHERE:
            lay_state(work, state)
        value, best = beam_search(work, task.beaming, state.size, state.left, budget)
        if level[0] != NOWHERE:
            return False
        totals[VALUE], totals[GUESS], totals[OWN] = value, best, value
        if column in (-1, best):
            return True
        split_guess(table, state.members, column, state.left, buckets, 0)
        place[AT], totals[OWN] = 0, state.size * table.price
    while place[AT] < buckets.number[0]:
        k = int(place[AT])
        size = int(buckets.size[0, k])
        if buckets.rows[0, buckets.start[0, k]] != table.secret[column]:
            if level[0] == NOWHERE:
                lay_out(work, buckets, 0, k, state.revealed)
            value, _ = beam_search(work, task.beaming, size, state.left, budget)
            if level[0] != NOWHERE:
                return False
            totals[OWN] += value
        place[AT] += 1
    return True


@kernel
def beam_lengths(work: Workspace, task: BeamTask, column: int, lengths: Sums) -> int:
    """Write the guesses that the beam's strategy takes for each row of a whole table.

    It begins with a guess, or the beam's own (-1); its column is returned. States that wait lie in
    a list, one behind the other, and the rows of each lie side by side.
    """
    table, scratch, stack = work.table, work.scratch, work.stack
    count, words = task.state.size, len(task.state.revealed)
    rows, parted = np.empty((2, count), dtype=np.int32)
    ends = new_ends(table)
    first, size, left, depth = np.zeros((4, count + 1), dtype=np.int64)
    revealed = np.zeros((count + 2, words), dtype=np.uint64)
    seen = revealed[count + 1]
    for k in range(count):
        rows[k] = task.state.members[k]
    for k in range(words):
        revealed[0, k] = task.state.revealed[k]
    size[0], left[0], waiting, chosen = count, task.state.left, 1, column
    while waiting > 0:
        waiting -= 1
        begin, number, guesses = first[waiting], size[waiting], depth[waiting] + 1
        guess, here = column, left[waiting]
        for k in range(words):
            seen[k] = stack.revealed[0, k] = revealed[waiting, k]
        if guesses > 1 or guess < 0:
            for k in range(number):
                scratch.members[k] = rows[begin + k]
            _, guess = beam_search(work, task.beaming, number, here, _UNINTERRUPTED)
        if guesses == 1:
            chosen = guess
        for k in range(split_by_size(table, rows[begin : begin + number], guess, parted, ends)):
            start, end = ends[k], ends[k + 1]
            if table.secret[guess] == parted[start]:
                lengths[parted[start]] = guesses
                continue
            for at in range(start, end):
                rows[begin + at] = parted[at]
            first[waiting], size[waiting] = begin + start, end - start
            left[waiting], depth[waiting] = after_guess(here), guesses
            reveal(table, guess, parted[start], seen, revealed[waiting])
            waiting += 1
    return int(chosen)
