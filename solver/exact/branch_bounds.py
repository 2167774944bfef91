"""Bounds of branches from below: exact search in turns, each as long as a slice of time.

A beam says what a branch takes at most. An exact search of the same branch shows that nothing takes
less, or finds what does: with the beam's value as its limit it excludes most guesses at once. What
it cannot show in its time it tries half way between the bounds. So all branches get a turn, the
smallest first, and those that are left get another, four times as long.

A branch is searched by itself, so workers share them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from ..machine.clock import OutOfTimeError, limit_clock
from ..machine.pool import Pool, workers_inherit
from ..tree import Tree
from .engine import Engine
from .kernels.table_vectors import Bits, Rows
from .large_states import LargeState, search_context
from .problem import Problem, SearchContext
from .values import CheckTime, HardBucket

#: Seconds of the first turn of a branch; each further one is so many times as long.
_FIRST_TURN = 2.0
_LONGER = 4
#: Branches of fewer candidates are deepened, others searched over all guesses side by side.
_LARGE = 100

#: What a branch takes at least, and its best strategy once nothing less is left.
Raised = tuple[int, Tree | None]


@dataclass(frozen=True)
class Raising:
    """A task: the branch that takes ``most``, and ``least`` at least, is searched for a while."""

    members: Rows
    left: int
    revealed: Bits
    most: int
    least: int
    seconds: float

    def by(self, context: SearchContext, check_time: CheckTime) -> Raised:
        """What the branch takes at least, and its best strategy if that is found."""
        turn, engine = limit_clock(self.seconds), context.engine
        assert isinstance(engine, Engine)  # weights have no beam

        def check() -> None:
            check_time()
            turn()

        before, engine.check_time = engine.check_time, check
        try:
            return self._raced(context) if len(self.members) >= _LARGE else self._deepened(engine)
        finally:
            engine.check_time = before

    def _raced(self, context: SearchContext) -> Raised:
        """Look at all guesses side by side: for what does with half the gap, then for all."""
        least = self.least
        with suppress(OutOfTimeError):
            for goal in sorted({(least + self.most) // 2, self.most}):
                state = HardBucket(self.members, self.left, self.revealed, -1, goal)
                found = LargeState(context, state)
                if found.value.exact:
                    return found.value.bound, found.plan()
                least = max(least, found.value.bound)
        return least, None

    def _deepened(self, engine: Engine) -> Raised:
        """Raise the bound level by level."""
        state = HardBucket(self.members, self.left, self.revealed, -1, self.most, least=self.least)
        try:
            value, plan = engine.solved(state)
        except OutOfTimeError:
            return max(self.least, engine.reached), None
        return value.bound, plan if value.exact and value.bound <= self.most else None


def turns() -> Iterator[float]:
    """The seconds of each branch in the first turn, the second, and so on."""
    return (_FIRST_TURN * _LONGER**turn for turn in count())


def raised(
    problem: Problem,
    context: SearchContext,
    tasks: Sequence[Raising],
    workers: int,
    check_time: CheckTime,
) -> Iterator[tuple[int, Raised]]:
    """The number of each task, as soon as it is done, and what was found."""
    if workers < 2 or len(tasks) < 2:
        for number, task in enumerate(tasks):
            yield number, task.by(context, check_time)
        return
    given: tuple[Problem, SearchContext | None, CheckTime | None] = problem, None, None
    if workers_inherit():
        given = problem, context, check_time
    with Pool(_raiser, given, min(workers, len(tasks))) as pool:
        yield from pool.run(tasks)


def _raiser(
    problem: Problem, context: SearchContext | None, check_time: CheckTime | None
) -> Callable[[Raising], Raised]:
    own = search_context(problem) if context is None else context

    def done(task: Raising) -> Raised:
        return task.by(own, check_time or (lambda: None))

    return done
