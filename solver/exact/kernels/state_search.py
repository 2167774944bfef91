"""The exact value of a state, and a strategy that attains it, in steps that can be interrupted.

A state is bounded quickly; then it is searched by deepening, its guesses listed ever further above
the bound, and where its value is far above that, by branch and bound. What is known of it lies in a
task. Whoever calls may look at the clock between two steps; what is found does not depend on it.

Before a search far above the bound it may be asked whether a state can be solved at all (see
``limit_search``): a search in vain takes long. Whoever does not know says that it may be.

A strategy is read from the memo, state by state; what the memo has forgotten is searched again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import aligned
from ...machine.forms import record
from ...machine.jit import kernel, noalloc
from .lemmas import LOSS, NEVER, after_guess, guesses_left
from .memo import State, copy_state
from .score_table import REVEALED_WORDS, ScoreTable, reveal, score_type
from .search import Lists, deepen, list_guesses, search
from .search_frames import NOWHERE, Workspace, lay_state
from .state import quick_bound, work_done
from .table_vectors import Bits, Rows, Scores, Sums, copy_row

#: Units of work between two looks at the clock.
CHECK_INTERVAL = 2_000_000
#: The same for branch and bound, whose units weigh more.
_BRANCHED = 500_000
#: How much longer the next interval is: a search deep down may be cut short, but must end.
_DEEPER = 1.1
#: The guesses of a state are listed this far above its bound at once, then four times as far.
_HORIZON, _FURTHER = 16, 4
#: Above its bound by one in so many candidates a state is left to branch and bound.
_FAR = 2

#: What a search is at: the quick bound; listing guesses; deepening; branch and bound; a question
#: to whoever calls; its end.
BOUNDING, LISTING, DEEPENING, BRANCHING, ASKING, DONE = 0, 1, 2, 3, 4, 5
#: The state: its size, the guesses left, the value above which nothing is of interest. NEAR: a
#: value up to there is looked for before the question is asked, -1 for no question. LEAST: no value
#: is below. BOUND, EXACT, COLUMN: what is known. REACHED: the highest bound that deepening reached.
STEP, SIZE, LEFT, LIMIT, NEAR, LEAST, BOUND, EXACT, COLUMN, REACHED = range(10)
#: Of deepening: up to where it goes, up to where guesses are listed, by how much that grows, where
#: the list ends, whether bounds were lifted to LEAST. LEVEL: where branch and bound stands.
_GOAL, _LISTED, _STRIDE, _LIST_END, _LIFTED, LEVEL = range(10, 16)
_PLACES = 16


@record
class StateTask(NamedTuple):
    """A state that is searched, and where the search stands."""

    members: Rows
    revealed: Bits
    #: What no guess exceeds in parts.
    ceiling: Scores
    place: Sums
    #: Units of work until the next look at the clock, and until the first.
    interval: NDArray[np.float64]


def new_state_task(table: ScoreTable, interval: int = CHECK_INTERVAL) -> StateTask:
    """Memory for the states of a table."""
    return StateTask(
        np.zeros(len(table.column), dtype=np.int32),
        np.zeros(REVEALED_WORDS, dtype=np.uint64),
        aligned((len(table.guess),), score_type(table)),
        np.zeros(_PLACES, dtype=np.int64),
        np.full(2, interval, dtype=np.float64),
    )


@noalloc
def begin_state(task: StateTask, state: State, limit: int, near: int, least: int) -> None:
    """Begin the search of a state for values up to a limit.

    It may be known that no value is below ``least``. Where ``near`` is not -1, and the value is
    above it, it is asked whether the state can be solved.
    """
    place = task.place
    copy_state(state, task.members, task.revealed)
    place[STEP], place[SIZE], place[LEFT] = BOUNDING, state.size, state.left
    place[LIMIT], place[NEAR], place[LEAST], place[REACHED] = limit, -1, least, 0
    if near >= 0 and max(near, least) < min(limit, LOSS) and state.left < state.size:
        place[NEAR] = max(near, least)
    place[BOUND], place[EXACT], place[COLUMN] = 0, 0, -1


@noalloc
def search_state(work: Workspace, task: StateTask) -> int:
    """Search a state for one interval more: DONE, ASKING, or the step that comes next."""
    place = task.place
    if place[STEP] == BOUNDING:
        _bound(work, task)
    elif place[STEP] == DEEPENING or place[STEP] == LISTING:
        _deepen(work, task)
    elif place[STEP] == BRANCHING:
        _branch(work, task)
    return int(place[STEP])


@noalloc
def answer_task(table: ScoreTable, task: StateTask, hopeless: int) -> None:
    """Go on after the question: 1 if it is proved that the state loses candidates, else 0."""
    place = task.place
    place[NEAR] = -1
    if hopeless == 1 and place[LIMIT] < LOSS:
        place[BOUND], place[EXACT], place[COLUMN], place[STEP] = LOSS, 0, -1, DONE
    elif hopeless == 1:
        place[STEP], place[LEVEL] = BRANCHING, NOWHERE
    else:
        if not table.hard:
            place[LIMIT] = min(place[LIMIT], LOSS - 1)  # nothing need be lost
        place[STEP] = BOUNDING


@noalloc(inner=True)
def _limit(place: Sums) -> int:
    """The value up to which the state is searched for now."""
    return int(place[LIMIT] if place[NEAR] < 0 else place[NEAR])


@noalloc(inner=True, inline=True)
def _lay(work: Workspace, task: StateTask) -> None:
    """Copy the state to where searches look for it."""
    lay_state(work, State(task.members, 0, int(task.place[SIZE]), 0, task.revealed))


@noalloc(inner=True)
def _close(place: Sums, bound: int, exact: int, column: int) -> None:
    """Note what was found within the limit; where that was only near, ask."""
    place[BOUND], place[EXACT], place[COLUMN] = bound, exact, column
    asks = place[NEAR] >= 0 and exact == 0 and bound <= place[LIMIT]
    place[STEP] = ASKING if asks else DONE


@noalloc(inner=True)
def _bound(work: Workspace, task: StateTask) -> None:
    """Bound a state quickly, and choose how it is searched."""
    table, memo, scratch, stack = work.table, work.memo, work.scratch, work.stack
    place = task.place
    count, left, limit, least = int(place[SIZE]), int(place[LEFT]), _limit(place), int(place[LEAST])
    _lay(work, task)
    state = State(scratch.members, 0, count, left, stack.revealed[0])
    bound, exact, column = quick_bound(table, memo, scratch, table.parts, state, limit, count)
    if exact == 1 or bound > limit:
        _close(place, bound, exact, column)
        return
    if least > limit:
        _close(place, least, 0, column)
        return
    place[_LIFTED] = 1 if least > bound else 0
    bound = max(bound, least)
    reach = bound + max(_HORIZON, count // _FAR)
    if limit > reach >= LOSS:  # where candidates must be lost, the value is far above the bound
        place[STEP], place[LEVEL] = BRANCHING, NOWHERE
        return
    place[_GOAL] = min(limit, reach)
    place[BOUND], place[_STRIDE], place[STEP] = bound, _HORIZON, LISTING
    copy_row(task.ceiling, table.parts)
    task.interval[0] = task.interval[1]


@noalloc(inner=True)
def _deepen(work: Workspace, task: StateTask) -> None:
    """Search level by level up to a bound, for one interval more; then go on from there."""
    scratch, stack = work.scratch, work.stack
    place = task.place
    count, left, goal = int(place[SIZE]), int(place[LEFT]), int(place[_GOAL])
    _lay(work, task)
    if place[STEP] == LISTING:
        bound = int(place[BOUND])
        place[_LISTED] = min(goal, bound + place[_STRIDE])
        place[_STRIDE] *= _FURTHER
        filed = State(scratch.members, 0, count, guesses_left(left, count), stack.revealed[0])
        end = list_guesses(work, None, task.ceiling, filed, int(place[_LISTED]), 0)
        if place[_LIFTED] == 1:
            for at in range(end):
                stack.bounds[at] = max(stack.bounds[at], bound)
        place[_LIST_END], place[STEP] = end, DEEPENING
    lists = Lists(0, int(place[_LIST_END]), task.ceiling.shape[0])
    budget = int(task.interval[0])
    horizon = int(place[_LISTED])
    bound, exact, column = deepen(work, task.ceiling, count, left, horizon, lists, budget)
    task.interval[0] *= _DEEPER
    place[BOUND], place[REACHED] = bound, max(place[REACHED], bound)
    if exact == -1:
        return
    if exact == 1 or bound > _limit(place):
        _close(place, bound, exact, column)
    elif bound > goal:
        place[STEP], place[LEVEL] = BRANCHING, NOWHERE
    else:
        place[STEP] = LISTING


@noalloc(inner=True)
def _branch(work: Workspace, task: StateTask) -> None:
    """Search by branch and bound for one interval more."""
    place = task.place
    level = place[LEVEL : LEVEL + 1]
    if level[0] == NOWHERE:
        _lay(work, task)
    count, left, limit = int(place[SIZE]), int(place[LEFT]), _limit(place)
    bound, exact, column = search(work, None, level, count, left, limit, _BRANCHED)
    if exact >= 0:
        _close(place, bound, exact, column)


# ---- Strategies

#: Where a strategy stands: how many states wait, how many nodes there are, whether the state on top
#: is being searched; in the end the guesses over all candidates, and the most for any.
WAITING, NODES, SEARCHING, TOTAL, HEIGHT = range(5)
#: Of a state that waits: where its rows begin, how many they are, guesses left, the node above.
_FIRST, _SIZE, _LEFT, _ABOVE = range(4)


@record
class StatePlan(NamedTuple):
    """A strategy that is being read, and the states that wait."""

    #: ``nodes[0]``: the columns to guess; the node above each; a row that takes the edge from
    #: there; the number of the guess, the first being 1.
    nodes: Rows
    #: The states that wait, the next one last; what hard mode has seen; their rows.
    states: Sums
    revealed: Bits
    rows: Rows
    place: Sums
    task: StateTask


def new_plan(table: ScoreTable, interval: int = CHECK_INTERVAL) -> StatePlan:
    """Memory for the strategy of a state of a table."""
    secrets = len(table.column)
    return StatePlan(
        np.zeros((4, 2 * secrets), dtype=np.int32),
        np.zeros((secrets, 4), dtype=np.int64),
        np.zeros((secrets, REVEALED_WORDS), dtype=np.uint64),
        np.zeros(secrets, dtype=np.int32),
        np.zeros(5, dtype=np.int64),
        new_state_task(table, interval),
    )


@noalloc
def begin_plan(plan: StatePlan, state: State) -> None:
    """Begin to read the strategy of a state."""
    copy_state(state, plan.rows, plan.revealed[0])
    plan.states[0, _FIRST], plan.states[0, _SIZE] = 0, state.size
    plan.states[0, _LEFT], plan.states[0, _ABOVE] = state.left, -1
    plan.place[:] = 0
    plan.place[WAITING] = 1


@kernel
def plan_state(work: Workspace, plan: StatePlan, budget: int) -> bool:
    """Read the strategy of a state; False if that goes on after so much work."""
    place, task = plan.place, plan.task
    stop = work_done(work.scratch) + budget
    while place[WAITING] > 0:
        if work_done(work.scratch) > stop:
            return False
        top = int(place[WAITING]) - 1
        if place[SEARCHING] == 0:
            first, size = int(plan.states[top, _FIRST]), int(plan.states[top, _SIZE])
            left = int(plan.states[top, _LEFT])
            state = State(plan.rows, first, size, left, plan.revealed[top])
            begin_state(task, state, NEVER, -1, 0)
            place[SEARCHING] = 1
        while search_state(work, task) != DONE:
            if work_done(work.scratch) > stop:
                return False
        place[SEARCHING] = 0
        _add_node(work, plan, top)
    return True


@kernel(inner=True)
def _add_node(work: Workspace, plan: StatePlan, top: int) -> None:
    """Add the guess of the state on top, which is known now, and put its buckets in its place."""
    table, times = work.table, work.scratch.times
    place, nodes, task = plan.place, plan.nodes, plan.task
    column, size, left = int(task.place[COLUMN]), int(task.place[SIZE]), int(task.place[LEFT])
    first, above = int(plan.states[top, _FIRST]), int(plan.states[top, _ABOVE])
    node = int(place[NODES])
    nodes[0, node], nodes[1, node], nodes[2, node] = column, above, task.members[0]
    nodes[3, node] = 1 if above < 0 else nodes[3, above] + 1
    place[NODES] += 1
    place[TOTAL] += size
    place[HEIGHT] = max(place[HEIGHT], nodes[3, node])
    place[WAITING] = top
    for k in range(size):
        times[table.scores[column, task.members[k]]] += 1
    for score in range(times.shape[0]):
        if times[score] == 0:
            continue
        times[score], count = 0, 0
        for k in range(size):
            if table.scores[column, task.members[k]] == score:
                plan.rows[first + count] = task.members[k]
                count += 1
        row = int(plan.rows[first])
        if table.secret[column] == row:
            continue
        below = int(place[WAITING])
        plan.states[below, _FIRST], plan.states[below, _SIZE] = first, count
        plan.states[below, _LEFT], plan.states[below, _ABOVE] = after_guess(left), node
        reveal(table, column, row, task.revealed, plan.revealed[below])
        place[WAITING] += 1
        first += count


@kernel
def next_too_deep(sizes: Sums, heights: Sums, most: int) -> int:
    """The smallest bucket, the first of equal ones, whose strategy takes more than so many guesses.

    -1: there is none.
    """
    found = -1
    for k in range(len(sizes)):
        if heights[k] > most and (found < 0 or sizes[k] < sizes[found]):
            found = k
    return found
