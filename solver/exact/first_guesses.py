"""The search for the best first guess, with proof: every guess gets its value or is excluded.

Guesses are screened in batches, those with the most parts first. Whatever is not excluded by its
bound is searched with the best total so far as its limit; guesses with a hard bucket wait until
the others have lowered it. Workers take batches as they become free and always get the latest
limit. What is reported does not depend on who was first: all totals within the final limit are
exact, and all other guesses are known to be above it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain, count, repeat, zip_longest
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..machine.pool import LateTasks, Pool, workers_inherit
from ..tree import Tree
from .kernels.guess_race import PACEMAKERS, PROMISING
from .kernels.lemmas import NEVER, UNLIMITED
from .kernels.memo import State
from .kernels.table_columns import narrowed
from .problem import (
    BATCH,
    AnyEngine,
    Finding,
    GuessBounds,
    Problem,
    Progress,
    SearchContext,
    plan_of,
)
from .values import CheckTime, HardBucket, Share, TopValues, Value


class Screening(NamedTuple):
    """A task: first guesses to be settled or excluded; without patience, only the easy ones."""

    columns: Sequence[int]
    top_values: TopValues
    patient: bool

    def by(self, context: SearchContext) -> list[Finding]:
        """What is known about each of the guesses after it was screened in a context."""
        return context.screened(*self)


class Planning(NamedTuple):
    """A task: the strategy of a first guess that nothing is better than, as far as is known."""

    column: int
    value: int

    def by(self, context: SearchContext) -> Tree:
        """The strategy that attains the guess's value, in a context."""
        return plan_of(context, self.column, self.value)


Task = Screening | Planning

#: One of so many guesses is looked at for the tables of ceilings that all workers want.
_SPREAD = 16


def promising(context: SearchContext, limit: int, forks: bool) -> list[tuple[int, int]]:
    """Some guesses with the most parts: (bound without a search, column), the least bounds first.

    Bounds are good as far as they are within a limit. Workers that are to be forked inherit the
    tables of ceilings that are counted here, so those of some guesses more are counted then.
    """
    columns = context.columns[:PROMISING]
    bounds: list[int] = context.bounds(columns, limit).tolist()
    found = sorted(zip(bounds, columns, strict=True))
    if forks:
        context.bounds(context.columns[PROMISING::_SPREAD], min(limit, found[0][0]))
    return found


# ---- Shares of the workers
#
# Guesses with the same letters part many candidates alike, so whoever has looked at one of them
# knows much about the others. A share holds guesses whose most common letters are the same.

#: The guess in a place takes about as long as 1 / (place + this): those with the most parts, which
#: come first, take by far the longest.
_HEAD = 64


def shares(context: SearchContext, columns: Sequence[int], workers: int) -> list[list[int]]:
    """First guesses (columns) in so many shares of about equal length, each in the given order."""
    order = _by_letters(context, np.array(columns, dtype=np.int64)) if workers > 1 else None
    if order is None:
        return [list(columns[at::workers]) for at in range(workers)]
    weight = np.cumsum(1 / (order + _HEAD))
    ends = np.searchsorted(weight, weight[-1:] * np.arange(1, workers) / workers)
    return [[columns[at] for at in np.sort(part)] for part in np.split(order, ends)]


def _by_letters(context: SearchContext, columns: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The places of columns by their letters, the most common ones first, if there are letters."""
    game = context.problem.game
    if game.letters is None or len(columns) == 0:
        return None
    held = game.letters[game.secret_ids]
    times = np.bincount(held.ravel(), minlength=int(game.letters.max()) + 1)
    rank = np.empty(len(times), dtype=np.int64)
    rank[np.argsort(-times, kind="stable")] = np.arange(len(times))
    ranks = np.sort(rank[game.letters[context.table.guess[columns]]], axis=1)
    ranks[:, 1:][ranks[:, 1:] == ranks[:, :-1]] = len(times)  # a letter counts once
    return np.lexsort(np.sort(ranks, axis=1).T[::-1])


def batch_sizes(workers: int) -> tuple[int, ...]:
    """How many first guesses to screen together: in the first batch, the second, and so on.

    The first take by far the longest: they are fewer, where somebody else may help with the rest.
    """
    return (BATCH,) if workers == 1 else (BATCH // 2, BATCH // 2, BATCH)


def batches(columns: Sequence[int], sizes: Sequence[int]) -> list[Sequence[int]]:
    """The columns of first guesses, so many at a time; the last size holds for all that follow."""
    found, at = [], 0
    for size in chain(sizes, repeat(sizes[-1])):
        if at >= len(columns):
            break
        found.append(columns[at : at + size])
        at += size
    return found


def in_turn(parts: Sequence[Sequence[Sequence[int]]]) -> list[Sequence[int]]:
    """The batches of all workers' shares, one of each in turn."""
    return [batch for batches in zip_longest(*parts) for batch in batches if batch is not None]


# ---- The order of the tasks
#
# Nobody waits for another if it can be helped: of several workers one begins with what comes next
# as soon as nothing is left of what comes before, though others are still at it.

#: Guesses for each of several workers that are searched after the best have their strategies.
_LAST = 3


class Scheduler:
    """The tasks that settle first guesses, made one by one from what is known at that moment."""

    def __init__(
        self,
        state: GuessBounds,
        context: SearchContext,
        workers: int,
        planned: bool,
        helpers: Helpers | None = None,
    ) -> None:
        """``planned``: whether the best guesses are to get their strategies."""
        self._state = state
        self._helpers = helpers
        self._context = context
        self._workers = workers
        self._planned = planned
        self._tasks: dict[int, Task] = {}
        forks = workers > 1 and helpers is None and workers_inherit()
        self._promising = promising(context, state.highest_value, forks)
        self._plans: dict[int, tuple[int, Tree]] = {}
        numbered = enumerate(shares(context, context.columns, workers))
        self._share = {column: at for at, share in numbered for column in share}
        self._numbers = count()
        #: Made with the first task: it refers to this scheduler until it ends.
        self._running: Iterator[Task | None] | None = None
        #: The worker that gets the next task.
        self._asking_worker = 0

    @property
    def plans(self) -> dict[int, Tree]:
        """The strategies of the best first guesses."""
        best = self._state.best
        return {guess: tree for guess, (value, tree) in self._plans.items() if value == best}

    def take(self, task: Task, answer: Any) -> None:
        """Note the answer to a task."""
        if isinstance(task, Screening):
            self._state.add_all(answer)
        else:
            self._plans[self._guess(task.column)] = (task.value, answer)

    def take_numbered(self, number: int, answer: Any) -> None:
        """Note the answer to the task with a number."""
        self.take(self._tasks.pop(number), answer)

    def task_for(self, worker: int) -> Task | None:
        """A task for a worker; None while there is none before those at work have answered."""
        self._asking_worker = worker
        if self._running is None:
            self._running = self._tasks_in_turn()
        task = next(self._running, None)
        if task is not None:
            self._tasks[next(self._numbers)] = task
        return task

    def done_here(self) -> Iterator[None]:
        """Do all tasks, those apart that helpers do; yield after each of them."""
        for task in self._tasks_in_turn():
            if task is not None:
                self.take(task, task.by(self._context))
            yield

    def _tasks_in_turn(self) -> Iterator[Task | None]:
        """All tasks; None where all wait for others, or a helper has done one."""
        yield from self._pace()
        known = {self._context.column_of[guess] for guess in self._state.found} | self._at_work()
        todo = [column for column in self._context.columns if column not in known]
        yield from self._screenings(todo, patient=False)
        yield from self._rest()

    def _guess(self, column: int) -> int:
        return int(self._context.table.guess[column])

    def _screened(self) -> list[Screening]:
        """The screenings that somebody is at."""
        return [task for task in self._tasks.values() if isinstance(task, Screening)]

    def _at_work(self) -> set[int]:
        """The columns that somebody is screening."""
        return {column for task in self._screened() for column in task.columns}

    def _of_share(self, columns: Iterable[int]) -> list[list[int]]:
        """The columns, each in the share of its worker."""
        parts: list[list[int]] = [[] for _ in range(self._workers)]
        for column in columns:
            parts[self._share[column]].append(column)
        return parts

    def _screenings(self, columns: Sequence[int], patient: bool) -> Iterator[Task | None]:
        """Screen these columns: with patience each alone, else in batches.

        Each is screened with the limit of the moment of its turn.
        """

        def screening(part: Sequence[int]) -> Screening:
            return Screening(part, self._state.top_values(), patient)

        sizes = (1,) if patient else batch_sizes(self._workers)
        cut = [batches(part, sizes) for part in self._of_share(columns)]
        if self._helpers is None:
            yield from map(screening, self._dealt(cut))
            return
        parts = batches(columns, sizes) if patient else in_turn(cut)
        for findings in self._helpers.run(LateTasks(parts, screening)):
            self._state.add_all(findings)
            yield None

    def _dealt(self, parts: Sequence[Sequence[Sequence[int]]]) -> Iterator[Sequence[int]]:
        """A worker gets what there is of its own share, then of the largest share that is left."""
        left = [deque(part) for part in parts]
        while any(left):
            chosen = left[self._asking_worker] or max(left, key=len)
            yield chosen.popleft()

    def _unalike(self, columns: Sequence[int]) -> Iterator[Task]:
        """Screen promising columns with patience; those at work at the same time are little alike.

        Like guesses leave the same hard buckets, which two workers would search at the same time:
        so a worker takes its own share from the front, then the largest other one from behind. Once
        there is a best value, the last guess of a share is left to the screening of all.
        """
        parts = self._of_share(columns) if self._helpers is None else [columns]
        left = [deque(part) for part in parts]
        while any(left):
            own, other = left[self._asking_worker], max(left, key=len)
            if not own and len(other) == 1 and self._state.best is not None:
                return
            column = own.popleft() if own else other.pop()
            yield Screening([column], self._state.top_values(), True)

    def _pace(self) -> Iterator[Task | None]:
        """Exact values for a few promising guesses at a time until one has a value: the limit.

        If the first few are above the highest value, few guesses may be within it: one that the
        limit search knows to be is looked at before the next few, if there is one.
        """
        state, few = self._state, self._state.top + PACEMAKERS
        for at in range(0, len(self._promising), few):
            some = self._promising[at : at + few]
            if at == few and state.best is None and state.highest_value < NEVER:
                state.tight = True
                state.add_all(self._context.pacing(state.limit))
            if some[0][0] > state.limit or (at > 0 and state.best is not None):
                return
            known = {guess for guess, (_, exact) in state.found.items() if exact}
            todo = [column for _, column in some if self._guess(column) not in known]
            yield from self._unalike(todo)
            while state.best is None and self._tasks:  # one that somebody is at may have a value
                yield None

    def _rest(self) -> Iterator[Task | None]:
        """What screening leaves, and the strategies of the best.

        Alone, these come last, when they are sure to be wanted. Several workers make them before
        the last few guesses, which hardly ever are better: nobody waits for a single strategy.
        """
        state, column_of = self._state, self._context.column_of
        last = _LAST * self._workers if self._workers > 1 else 0
        while True:
            at_work = self._at_work()
            bounds = state.still_open().items()
            open_ = sorted(
                (bound, guess) for guess, bound in bounds if column_of[guess] not in at_work
            )
            plans = self._wanted_plans()
            if plans and len(open_) <= last and all(task.patient for task in self._screened()):
                yield from plans
            elif open_:
                first = open_[:-last] if last else open_
                yield from self._screenings([column_of[guess] for _, guess in first or open_], True)
            elif self._tasks:
                yield None
            else:
                return

    def _wanted_plans(self) -> list[Planning]:
        """The strategies that nobody has, nor is at work on: those of the best as far as known."""
        best, ties = self._state.best, self._state.ties()
        if not self._planned or best is None:
            return []
        ours = {task for task in self._tasks.values() if isinstance(task, Planning)}
        wanted = [Planning(self._context.column_of[guess], best) for guess in ties]
        had = self.plans
        return [plan for plan in wanted if plan not in ours and self._guess(plan.column) not in had]


# ---- Workers
#
# Where workers inherit what their parent has made they search in the context that is there, clock
# and all; elsewhere each makes one of its own. What they find does not depend on who found it.


class Helpers(Protocol):
    """Workers of other machines that look at first guesses, with contexts of their own."""

    @property
    def count(self) -> int:
        """How many tasks the helpers work on at a time."""

    def run(self, tasks: Sequence[Any]) -> Iterable[list[Finding]]:
        """The answers of ``screened`` of a context to all tasks, in the order they are finished."""


#: Makes the context in which a worker searches.
MakeContext = Callable[[], SearchContext]


def remade(context: SearchContext) -> MakeContext:
    """What gives workers their contexts: this one, where they inherit it."""
    if workers_inherit():
        return lambda: context
    return partial(SearchContext, context.problem, large=context.large)


def doer(make: MakeContext) -> Callable[[Any], Any]:
    """What a worker does: tasks ``by`` its context."""
    own = make()
    return lambda task: task.by(own)


def done_by(
    context: SearchContext,
    tasks: Sequence[Any],
    workers: int,
    setup: Callable[[MakeContext], Callable[[Any], Any]] = doer,
) -> Iterator[tuple[int, Any]]:
    """The number of each task, as soon as it is done, and what was found.

    ``setup`` makes what does them, in this process or in a worker.
    """
    if workers < 2 or len(tasks) < 2:
        yield from enumerate(map(setup(lambda: context), tasks))
        return
    with Pool(setup, (remade(context),), min(workers, len(tasks))) as pool:
        yield from pool.run(tasks)


def _solver(make: MakeContext) -> Callable[[HardBucket], tuple[Value, Tree]]:
    """What a worker does: it searches hard buckets, and finds their strategies."""
    return make().engine.solved


def shared(context: SearchContext, workers: int) -> Share | None:
    """A way to have several workers search the hard buckets of a first guess, if there are."""

    def share(buckets: Sequence[HardBucket]) -> Iterator[tuple[Value, Tree]]:
        longest = sorted(range(len(buckets)), key=lambda at: -buckets[at].state.size)
        tasks = [buckets[at] for at in longest]
        found = done_by(context, tasks, workers, _solver)
        done = {longest[number]: solved for number, solved in found}
        yield from (done[at] for at in range(len(buckets)))

    return share if workers > 1 else None


def settle(
    state: GuessBounds,
    context: SearchContext,
    workers: int | Helpers = 1,
    progress: Progress = lambda state, count: None,
    planned: bool = False,
) -> dict[int, Tree]:
    """Settle or exclude every first guess of a problem; ``state`` is complete after it.

    ``progress`` is called after every task, if anything is known. An interrupt or a time limit
    leaves in ``state`` what is known by then. ``planned``: the best guesses get their strategies.
    """
    helpers = None if isinstance(workers, int) else workers
    number = workers if isinstance(workers, int) else workers.count
    if helpers is None and len(context.columns) <= BATCH:
        number = 1
    pooled = helpers is None and number > 1
    scheduler = Scheduler(state, context, number, planned, helpers)
    with Pool(doer, (remade(context),), number) if pooled else nullcontext() as pool:
        done: Iterable[object] = scheduler.done_here()
        if pool is not None:
            done = pool.serve(scheduler.task_for, scheduler.take_numbered)
        for _ in done:
            if state.found:
                progress(state, len(context.columns))
            context.check_time()
    return scheduler.plans


# ---- Large states below a guess, each searched as a problem of its own
#
# A poor first guess leaves most of the secrets together, far above their bound. Deepening would go
# up to the value total by total, through all guesses again and again. Here they are looked at side
# by side as first guesses are: a few promising ones get their values, and whatever is not below the
# best of them is excluded by its bound.


def solved_whole(
    problem: Problem, engine: AnyEngine, bucket: HardBucket, planned: bool = True
) -> tuple[Value, Tree]:
    """The value of a state below a problem, with the first of its best guesses, or a bound of it.

    That is above the limit. If ``planned`` with a strategy: it is found after this guess alone, as
    in ``plan_of``. Its rows are those of the table of the problem above, which ``engine`` searches.
    """
    below = context_below(problem, engine, bucket.state)
    bounds = GuessBounds(1, bucket.limit)
    settle(bounds, below)
    if bounds.best is None:
        return Value(bucket.limit + 1, False), Tree()
    guess, value, tree = bounds.ties()[0], bounds.best, Tree()
    if planned:
        column = below.column_of[guess]
        below.engine.forget()
        below.value(column, value, patient=False)
        _, tree = below.plan(column, value)
    return Value(value, True, guess), tree.of_secrets(bucket.state.members.tolist())


def context_below(problem: Problem, engine: AnyEngine, state: State) -> SearchContext:
    """A state below a problem, which an engine searches, as a problem of its own."""
    candidates = tuple(problem.positions[state.members].tolist())
    within = None if state.left == UNLIMITED else state.left
    problem = replace(problem, candidates=candidates, within=within, history=())
    below = narrowed(engine.table, state.members, state.revealed), state.revealed
    return SearchContext(problem, engine.check_time, solved_whole, below)


def search_context(problem: Problem, check_time: CheckTime = lambda: None) -> SearchContext:
    """The context of a search that meets large states: of poor first guesses."""
    return SearchContext(problem, check_time, solved_whole)
