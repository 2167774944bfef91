"""The totals of a state's guesses: the least of them, or the best few with all that tie with these.

A total is what all candidates take together from a guess on, the guess itself included
(``advice.totals``). Three contests look for the least.

* *With a measured effort*: one guess after the other, the most promising first, as long as totals
  follow from the parts or from easy buckets. It is given up where that is hard. Effort is counted
  in guesses and in the work of kernels, so the same question has the same answer on any machine.
* *Proved*: by the race of first guesses (``guess_race``), its hard buckets searched to the end.
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

from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from .guess_race import (
    BOUNDED,
    BOUNDING,
    BUCKET,
    CHOSEN,
    COUNT,
    KNOWN,
    MOST,
    PATIENTLY,
    SCREENED,
    SETTLED,
    WAITING,
    GuessTask,
    Race,
    Screening,
    answer_bounding,
    answer_bucket,
    begin_screening,
    choose_least,
    go_on_screening,
    join_value,
    next_task,
    note_guesses,
)
from .guess_values import Batch, lay_out, screen, settle_guess
from .lemmas import LOSS, NEVER, after_guess, least_by_parts
from .memo import State
from .score_table import ScoreTable
from .search import EXACT, INTERRUPTED, begin_weighted, screen_weighted, search
from .search_frames import Workspace, lay_state
from .state import Weighing, work_done
from .state_search import BOUND, COLUMN, DONE, StateTask, begin_state, search_state
from .state_search import EXACT as STATE_EXACT
from .table_vectors import Bytes, Rows, Sums
from .weighted_states import parts_weight, weight_of

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
    guess = wanted.guesses[at]
    easy = settle_guess(work, batch, state, columns[guess : guess + 1], limit)
    total = int(batch.buckets.total[0])
    return total if easy or total > limit else UNKNOWN


# ---- Proved
#
# The race of first guesses, as it is (``guess_race``): here one kernel answers what it asks, and a
# hard bucket is searched in the table of the state itself.

#: What a search is at: its beginning; the next task of the race; a screening; a hard bucket.
BEGIN, _NEXT, _SCREENING, _BUCKET = range(4)


@record
class TotalsRace(NamedTuple):
    """The race of the guesses of a state, and memory for all that it asks."""

    race: Race
    screening: Screening
    guess: GuessTask
    bucket: StateTask
    #: What the search is at, BEGIN at first.
    step: Sums


@kernel
def settle_totals(
    work: Workspace, batch: Batch, state: State, totals: TotalsRace, budget: int
) -> bool:
    """Find the best totals of the guesses of a race; False if that goes on after so much work."""
    race, step = totals.race, totals.step
    stop = work_done(work.scratch) + budget
    if step[0] == BEGIN:
        _bound_all(work.table, state, race)
        step[0] = _NEXT
    while work_done(work.scratch) <= stop:
        if step[0] == _BUCKET:
            _search_bucket(work, batch, state, totals)
        elif step[0] == _SCREENING:
            _screen_on(work, batch, state, totals, stop - work_done(work.scratch))
        elif not _begin_task(work, batch, state, totals):
            return True
    return False


@noalloc(inner=True)
def _bound_all(table: ScoreTable, state: State, race: Race) -> None:
    """Bound all guesses of a race by their parts: few are worth a screening."""
    for column in race.columns:
        parts, hit = int(table.parts[column]), int(table.secret[column] >= 0)
        race.bounds[column] = least_by_parts(table.price, state.size, parts, hit, state.left)


@kernel(inner=True)
def _begin_task(work: Workspace, batch: Batch, state: State, totals: TotalsRace) -> bool:
    """Begin the next task of the race; False: there is none."""
    race, screening = totals.race, totals.screening
    task = next_task(race)
    if task == SETTLED:
        return False
    columns = race.chosen[: race.place[CHOSEN]]
    if task == BOUNDING:
        screen(work, batch, state, columns, NEVER)
        answer_bounding(race, batch.buckets.total[: len(columns)])
    else:
        for k in range(len(race.values)):
            screening.values[k] = race.values[k]
        patient = task == PATIENTLY
        begin_screening(work, batch, state, screening, columns, NEVER, patient)
        totals.step[0] = _SCREENING
    return True


@kernel(inner=True)
def _screen_on(
    work: Workspace, batch: Batch, state: State, totals: TotalsRace, budget: int
) -> None:
    """Go on with the screening at hand; where it waits for a hard bucket begin with that."""
    screening, task = totals.screening, totals.guess
    outcome = go_on_screening(work, batch, state, screening, task, budget)
    if outcome == SCREENED:
        count = screening.place[COUNT]
        columns, exact = screening.columns[:count], screening.exact[:count]
        note_guesses(totals.race, columns, screening.totals[:count], exact)
        totals.step[0] = _NEXT
    elif outcome == WAITING:
        k = int(task.place[BUCKET])
        lay_out(work, batch.buckets, 0, k, state.revealed)
        size, then = int(batch.buckets.size[0, k]), after_guess(state.left)
        bucket = State(work.scratch.members, 0, size, then, work.stack.revealed[0])
        least = int(batch.buckets.bound[0, k])
        begin_state(totals.bucket, bucket, int(task.place[MOST]), -1, least)
        totals.step[0] = _BUCKET


@noalloc(inner=True)
def _search_bucket(work: Workspace, batch: Batch, state: State, totals: TotalsRace) -> None:
    """Search the bucket at hand for one interval more; the screening gets what is found."""
    if search_state(work, totals.bucket) == DONE:
        place, guess = totals.bucket.place, -1
        if place[COLUMN] >= 0:
            guess = int(work.table.guess[place[COLUMN]])
        bound, exact = int(place[BOUND]), int(place[STATE_EXACT])
        answer_bucket(work, batch, state, totals.guess, bound, exact, guess)
        totals.step[0] = _SCREENING


# ---- With weights, proved

#: Where a search stands: the next guess that was not bounded closely; the guess at hand, as a
#: column; up to which value it is searched, and at which level.
NEXT, AT, HORIZON, LEVEL = range(4)
PLACES = 4
#: The guess at hand where there is none.
NOBODY = -1
#: Guesses that are bounded together.
_TOGETHER = 64
#: A guess is searched so far beyond its bound: one in so many of the weight of the state.
_STRIDE = 64


@kernel
def enter_weighted(work: Workspace, weighing: Weighing, state: State, race: Race) -> None:
    """Bound all guesses of a race, and sort them: those of the least bounds come first."""
    table, weight = work.table, weight_of(weighing, state)
    for column in race.columns:
        own = int(table.secret[column])
        held = parts_weight(table, weighing, work.scratch, state, int(column))
        hit = weighing.weights[own] if own >= 0 else 0
        race.bounds[column] = 3 * weight - held - hit
    columns = race.columns.copy()
    order = np.argsort(race.bounds[columns], kind="mergesort")
    for at in range(len(columns)):
        race.columns[at] = columns[order[at]]


@kernel
def settle_weighted(
    work: Workspace, weighing: Weighing, state: State, race: Race, place: Sums, budget: int
) -> bool:
    """Find the best totals of the guesses of a race; False if that goes on after so much work.

    Each time the guess of the least bound is at hand, until it has its value or a higher bound.
    Where the least is a bound by parts alone (lemma 17), that is raised by the buckets first. It
    is resumed from its ``place``, where nobody is at hand at first.
    """
    stop = work_done(work.scratch) + budget
    while True:
        if work_done(work.scratch) > stop:
            return False
        if place[AT] == NOBODY:
            choose_least(race)
            chosen = int(race.chosen[0])
            if _wants_more(race, place, chosen):
                _bound_some(work, weighing, state, race, place)
                continue
            if chosen < 0:
                return True
            _open_weighted(work, weighing, state, race, place, chosen)
        level = place[LEVEL : LEVEL + 1]
        rest = stop - work_done(work.scratch)
        bound, known, _ = search(
            work, weighing, level, state.size, state.left, int(place[HORIZON]), rest
        )
        if known != INTERRUPTED:
            column = int(place[AT])
            race.bounds[column] = max(bound, race.bounds[column])
            if known == EXACT:
                race.known[column] = KNOWN
                join_value(race.values, int(race.bounds[column]))
            place[AT] = NOBODY


@noalloc(inner=True)
def _wants_more(race: Race, place: Sums, chosen: int) -> bool:
    """Whether a guess that was not bounded closely may be as good as the one that is chosen."""
    following = place[NEXT]
    if following >= len(race.columns):
        return False
    least = race.values[-1] if chosen < 0 else race.bounds[chosen]
    return bool(race.bounds[race.columns[following]] <= least)


@kernel(inner=True)
def _bound_some(work: Workspace, weighing: Weighing, state: State, race: Race, place: Sums) -> None:
    """Bound the next guesses by their buckets, as far as they may be among the best."""
    first = int(place[NEXT])
    end = min(len(race.columns), first + _TOGETHER)
    columns, found = race.columns[first:end], np.zeros(end - first, dtype=np.int64)
    lay_state(work, state)
    most = min(int(race.values[-1]), LOSS - 1)
    screen_weighted(work, weighing, columns, state.size, state.left, most, found)
    for k in range(len(columns)):
        race.bounds[columns[k]] = max(race.bounds[columns[k]], found[k])
        race.known[columns[k]] = BOUNDED
    place[NEXT] = end


@noalloc(inner=True)
def _open_weighted(
    work: Workspace, weighing: Weighing, state: State, race: Race, place: Sums, column: int
) -> None:
    """Begin to search a guess, a little further than its bound: a state with no other guess."""
    weight, bound = weight_of(weighing, state), race.bounds[column]
    place[AT], place[LEVEL] = column, 0
    place[HORIZON] = min(race.values[-1], LOSS - 1, bound + weight // _STRIDE)
    lay_state(work, state)
    begin_weighted(work, weighing, state, place[HORIZON], column, bound)
