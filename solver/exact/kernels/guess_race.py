"""The race of the first guesses of a state: which is searched next, and what a value is found from.

A *race* says what comes next while one worker looks at all first guesses: a few promising ones get
their values, which set the limit; the others are screened in batches, and what is not excluded by a
bound is searched with the best value so far as its limit, guesses with a hard bucket last. A
*screening* is what is done to a batch: all are bounded together, then searched one by one. A *guess
task* is the search of one of them: its buckets are settled as far as that is easy, and the hard
ones are handed out. Commands use guess tasks alone, since several workers race (``first_guesses``);
the whole race is for proved totals and the browser.

All of them are steps that end with a question to whoever calls, who has the memory for an answer:
the value of a hard bucket, which gets a table of its own; bounds and values of guesses. What is
reported does not depend on the order: all values within the final limit are exact, and all other
guesses are known to be above it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from .guess_values import Batch, hard_bucket, list_hard, screen, settle_guess, take_over
from .lemmas import LOSS, after_guess, guesses_left
from .memo import State, note
from .score_table import REVEALED_WORDS, ScoreTable, is_legal, score_numbers
from .search_frames import Workspace
from .state import work_done
from .table_vectors import Bits, Bytes, Rows, Sums

# ---- A large state
#
# A poor guess leaves most of the candidates together, far above their bound. Deepening would go up
# to the value total by total, through all guesses again and again; a race looks at them side by
# side. Deepening is quicker as long as the limit is near the bound; nor can losses be counted in a
# race.

#: Candidates of a large state, at least.
_LARGE = 128
#: A limit is near a bound if it is no further above it than one in so many candidates.
_NEAR_BOUND = 4


@noalloc
def limit_of_race(
    table: ScoreTable, size: int, left: int, bound: int, least: int, limit: int
) -> int:
    """The limit of a race in a state whose value is to be known up to a limit; -1: deepen it.

    No value is below the quick ``bound``, nor below ``least``. Where it is proved that the state
    cannot be solved, no race is of use.
    """
    near = max(bound + size // _NEAR_BOUND, least)
    if size < _LARGE or table.price == 0 or limit <= near:
        return -1
    if left >= size:
        return limit
    return -1 if table.hard and limit >= LOSS else min(limit, LOSS - 1)


# ---- The value of one guess

#: The guess, the value above which it is of no interest, whether hard buckets are searched. HARD,
#: NEXT: how many hard buckets there are, and which comes next. BUCKET: the one that is asked for,
#: with a value NEAR its bound and the highest of interest, MOST. TOTAL, EXACT: what was found.
COLUMN, LIMIT, PATIENT, HARD, NEXT, BUCKET, NEAR, MOST, TOTAL, EXACT = range(10)
_GUESS_PLACES = 10


@record
class GuessTask(NamedTuple):
    """A guess that is searched in a state, and the hard bucket that is asked for."""

    column: Rows
    hard: Sums
    #: What hard mode has revealed in the bucket.
    after: Bits
    place: Sums


def new_guess_task(table: ScoreTable) -> GuessTask:
    """Memory for one guess of a table at a time."""
    return GuessTask(
        np.zeros(1, dtype=np.int32),
        np.zeros(score_numbers(table), dtype=np.int64),
        np.zeros(REVEALED_WORDS, dtype=np.uint64),
        np.zeros(_GUESS_PLACES, dtype=np.int64),
    )


@kernel
def begin_guess(
    work: Workspace, batch: Batch, state: State, task: GuessTask, column: int, limit: int
) -> None:
    """Begin the search of a guess: bound its buckets, and settle the easy ones."""
    place = task.place
    task.column[0] = column
    settle_guess(work, batch, state, task.column, limit)
    place[COLUMN], place[LIMIT], place[PATIENT] = column, limit, 1
    place[HARD], place[NEXT] = list_hard(batch.buckets, task.hard), 0


@noalloc
def next_bucket(work: Workspace, batch: Batch, state: State, task: GuessTask) -> bool:
    """Ask for the next hard bucket; False: nothing is wanted any more, TOTAL and EXACT are known.

    Without patience hard buckets are left alone: EXACT may be 0 then and TOTAL within the limit.
    """
    place, buckets = task.place, batch.buckets
    total, limit = buckets.total[0], place[LIMIT]
    if place[NEXT] == place[HARD] or place[PATIENT] == 0 or total > limit:
        place[TOTAL] = total
        place[EXACT] = 1 if place[NEXT] == place[HARD] and total <= limit else 0
        return False
    place[BUCKET] = task.hard[place[NEXT]]
    near, most = hard_bucket(work.table, buckets, place[BUCKET], state.revealed, limit, task.after)
    place[NEAR], place[MOST] = near, most
    place[NEXT] += 1
    return True


@noalloc
def answer_bucket(
    work: Workspace, batch: Batch, state: State, task: GuessTask, bound: int, exact: int, guess: int
) -> None:
    """Take over what was found out about the bucket that was asked for.

    Its value, if it is ``exact``, or a bound; the ``guess`` of the game that attains it, -1 if that
    is not known. The memo keeps it for whatever other guess leaves the same candidates.
    """
    table, buckets, k = work.table, batch.buckets, task.place[BUCKET]
    size = buckets.size[0, k]
    column = -1
    if exact == 1 and guess >= 0:
        column = 0
        while table.guess[column] != guess:
            column += 1
    left = guesses_left(after_guess(state.left), size)
    filed = State(buckets.rows[0], buckets.start[0, k], size, left, task.after)
    known = max(bound, buckets.bound[0, k])
    note(work.memo, filed, known, 1 if column >= 0 else 0, column)
    take_over(buckets, k, bound, exact)


# ---- A batch of guesses

#: A place for a value that nobody holds yet; above all values.
EMPTY = 1 << 61
#: What a screening is at: more guesses; a question for a hard bucket of the one at hand; its end.
SEARCHING, WAITING, SCREENED = 0, 1, 2
#: How many guesses there are, how many were looked at. OPEN: whether the next is being searched.
#: LIMIT: the value that none may exceed. PATIENCE: whether hard buckets are searched.
COUNT, _DONE, _OPEN, _LIMIT, _PATIENCE = range(5)
_SCREENING_PLACES = 5


@record
class Screening(NamedTuple):
    """First guesses that are screened together, and what is known of each."""

    columns: Rows
    #: The guess takes so much at least, or exactly where ``exact`` is 1.
    totals: Sums
    exact: Bytes
    #: The order in which they are searched.
    order: Sums
    #: The least values of all guesses so far, ascending, one for each place.
    values: Sums
    place: Sums


def new_screening(guesses: int, top: int) -> Screening:
    """Memory for so many guesses at a time, the ``top`` best of which are to be exact."""
    return Screening(
        np.zeros(guesses, dtype=np.int32),
        np.zeros(guesses, dtype=np.int64),
        np.zeros(guesses, dtype=np.uint8),
        np.zeros(guesses, dtype=np.int64),
        np.full(top, EMPTY, dtype=np.int64),
        np.zeros(_SCREENING_PLACES, dtype=np.int64),
    )


@noalloc
def join_value(values: Sums, value: int) -> None:
    """Enter a value among the least ones."""
    at = values.shape[0] - 1
    if value >= values[at]:
        return
    while at > 0 and values[at - 1] > value:
        values[at] = values[at - 1]
        at -= 1
    values[at] = value


@noalloc
def limit_by(values: Sums, highest: int) -> int:
    """The value above which a guess wins no place."""
    last = int(values[values.shape[0] - 1])
    return highest if last == EMPTY else last


@kernel
def begin_screening(
    work: Workspace,
    batch: Batch,
    state: State,
    screening: Screening,
    columns: Rows,
    highest: int,
    patient: bool,
) -> None:
    """Bound some guesses together; the least values so far lie in the screening.

    None of interest is above the ``highest``. Without patience hard buckets are left alone.
    """
    place, totals, count = screening.place, screening.totals, columns.shape[0]
    screen(work, batch, state, columns, limit_by(screening.values, highest))
    for at in range(count):
        screening.columns[at], screening.exact[at] = columns[at], 0
        totals[at] = batch.buckets.total[at]
    order = np.argsort(totals[:count], kind="mergesort")
    for at in range(count):
        screening.order[at] = order[at]
    place[COUNT], place[_DONE], place[_OPEN] = count, 0, 0
    place[_LIMIT], place[_PATIENCE] = highest, int(patient)


@kernel
def go_on_screening(
    work: Workspace, batch: Batch, state: State, screening: Screening, task: GuessTask, budget: int
) -> int:
    """Search the guesses that their bounds leave: SEARCHING after so much work, or a question.

    WAITING: the task of the guess at hand says which bucket is wanted, and ``answer_bucket`` what
    it is worth. SCREENED: that is all.
    """
    place, totals = screening.place, screening.totals
    stop = work_done(work.scratch) + budget
    while place[_DONE] < place[COUNT]:
        at = screening.order[place[_DONE]]
        if place[_OPEN] == 0:
            if work_done(work.scratch) > stop:
                return SEARCHING
            limit = limit_by(screening.values, place[_LIMIT])
            if totals[at] > limit:  # excluded by its bound
                place[_DONE] += 1
                continue
            begin_guess(work, batch, state, task, screening.columns[at], limit)
            task.place[PATIENT], place[_OPEN] = place[_PATIENCE], 1
        if next_bucket(work, batch, state, task):
            return WAITING
        totals[at], screening.exact[at] = task.place[TOTAL], task.place[EXACT]
        if task.place[EXACT] == 1:
            join_value(screening.values, totals[at])
        place[_OPEN] = 0
        place[_DONE] += 1
    return SCREENED


# ---- All first guesses, one task after the other

#: Guesses among which the most promising ones are looked for.
PROMISING = 128
#: Guesses that are searched before all others, beyond those that are to be exact.
PACEMAKERS = 3
#: Tasks: guesses to be bounded; guesses to be screened, with patience or without; none.
BOUNDING, PATIENTLY, QUICKLY, SETTLED = 0, 1, 2, 3
#: What is known of a guess: nothing, or what its parts say; a bound; its value.
_UNSEEN, BOUNDED, KNOWN = 0, 1, 2
#: What the race is at: its beginning; promising guesses; all that were not looked at; the rest.
_START, _PACE, _EASY, _REST = 0, 1, 2, 3
#: CHOSEN: how many guesses the task has. NEXT_ONE: where the race stands in its phase. HIGHEST: the
#: value that none may exceed. TOGETHER: how many guesses are screened at once.
_PHASE, CHOSEN, _NEXT_ONE, _HIGHEST, _TOGETHER = range(5)
_RACE_PLACES = 5


@record
class Race(NamedTuple):
    """The first guesses of a state, and what is known about them."""

    #: As columns, those with the most parts first.
    columns: Rows
    #: By column: the guess of the game; its bound; whether that is its value.
    guess: Rows
    bounds: Sums
    known: Bytes
    #: The least values so far, ascending, one for each place.
    values: Sums
    #: The most promising columns, and what they take at least, in ascending order.
    promising: Rows
    hopes: Sums
    #: The columns of the task.
    chosen: Rows
    place: Sums


@noalloc
def list_first_guesses(table: ScoreTable, revealed: Bits, columns: Rows) -> int:
    """List the guesses that may exclude a candidate of a whole table; how many there are.

    No other is ever of use. In hard mode only those are listed that are legal.
    """
    count = 0
    for column in range(table.guess.shape[0]):
        tells = table.parts[column] > 1 or table.secret[column] >= 0
        if table.guess[column] >= 0 and tells and is_legal(table, column, revealed):
            columns[count] = column
            count += 1
    return count


def new_race(columns: Rows, guess: Rows, top: int, highest: int, together: int) -> Race:
    """A race of columns whose guesses are given; the ``top`` best values are to be exact.

    No value above the ``highest`` is of interest. So many guesses are screened together.
    """
    place = np.zeros(_RACE_PLACES, dtype=np.int64)
    place[_HIGHEST], place[_TOGETHER] = highest, together
    return Race(
        columns,
        guess,
        np.zeros(len(guess), dtype=np.int64),
        np.zeros(len(guess), dtype=np.uint8),
        np.full(top, EMPTY, dtype=np.int64),
        np.zeros(min(PROMISING, len(columns)), dtype=np.int32),
        np.zeros(min(PROMISING, len(columns)), dtype=np.int64),
        np.zeros(max(together, PROMISING), dtype=np.int32),
        place,
    )


@noalloc
def note_guesses(race: Race, columns: Rows, bounds: Sums, exact: Bytes) -> None:
    """Take over what was found out about some guesses; values stay, bounds rise."""
    for k in range(columns.shape[0]):
        column, bound = columns[k], bounds[k]
        if race.known[column] == KNOWN:
            continue
        if exact[k] == 1:
            race.known[column], race.bounds[column] = KNOWN, bound
            join_value(race.values, bound)
        elif race.known[column] == _UNSEEN or bound > race.bounds[column]:
            race.known[column], race.bounds[column] = BOUNDED, bound


@kernel
def answer_bounding(race: Race, totals: Sums) -> None:
    """Go on once the promising guesses are bounded: the least bounds come first."""
    order = np.argsort(totals, kind="mergesort")
    for at in range(totals.shape[0]):
        race.promising[at], race.hopes[at] = race.chosen[order[at]], totals[order[at]]


@noalloc
def next_task(race: Race) -> int:
    """What comes next, as far as is known now: the columns of a task, and which it is."""
    place = race.place
    if place[_PHASE] == _START:
        count = race.promising.shape[0]
        if count == 0:
            return SETTLED
        for at in range(count):
            race.chosen[at] = race.columns[at]
        place[CHOSEN], place[_PHASE], place[_NEXT_ONE] = count, _PACE, 0
        return BOUNDING
    if place[_PHASE] == _PACE:
        task = _pace(race)
        if task != SETTLED:
            return task
        place[_PHASE], place[_NEXT_ONE] = _EASY, 0
    if place[_PHASE] == _EASY:
        if _choose_unseen(race):
            return QUICKLY
        place[_PHASE] = _REST
    return PATIENTLY if choose_least(race) else SETTLED


@noalloc(inner=True)
def _pace(race: Race) -> int:
    """The next promising guess that is to set the limit; SETTLED: enough of them have.

    They are taken a few at a time, until one of them has a value, or the next is above the limit.
    """
    place = race.place
    few = race.values.shape[0] + PACEMAKERS
    while place[_NEXT_ONE] < race.promising.shape[0]:
        at = place[_NEXT_ONE]
        if at % few == 0:
            limit = limit_by(race.values, place[_HIGHEST])
            if race.hopes[at] > limit or (at > 0 and race.values[0] != EMPTY):
                return SETTLED
        place[_NEXT_ONE] += 1
        if race.known[race.promising[at]] != KNOWN:
            race.chosen[0], place[CHOSEN] = race.promising[at], 1
            return PATIENTLY
    return SETTLED


@noalloc(inner=True)
def _choose_unseen(race: Race) -> bool:
    """Choose the next guesses that were not looked at; whether there are any.

    Those whose parts bound them above the limit are left out.
    """
    place, limit = race.place, limit_by(race.values, race.place[_HIGHEST])
    count = 0
    while count < place[_TOGETHER] and place[_NEXT_ONE] < race.columns.shape[0]:
        column = race.columns[place[_NEXT_ONE]]
        place[_NEXT_ONE] += 1
        if race.known[column] == _UNSEEN and race.bounds[column] <= limit:
            race.chosen[count] = column
            count += 1
    place[CHOSEN] = count
    return count > 0


@noalloc(inner=True)
def choose_least(race: Race) -> bool:
    """Choose the guess of least bound that may still win a place; whether there is one.

    Of equal bounds the guess that is first in the game.
    """
    limit = limit_by(race.values, race.place[_HIGHEST])
    least, best = limit + 1, -1
    for column in race.columns:
        if race.known[column] != BOUNDED or race.bounds[column] > least:
            continue
        if race.bounds[column] < least or (best >= 0 and race.guess[column] < race.guess[best]):
            least, best = race.bounds[column], column
    race.chosen[0], race.place[CHOSEN] = best, 1
    return best >= 0
