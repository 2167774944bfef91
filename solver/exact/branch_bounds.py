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
from dataclasses import dataclass, replace
from itertools import count

from ..machine.clock import OutOfTimeError, limit_clock
from ..machine.pool import Pool, workers_inherit
from ..tree import Tree
from .engine import Engine
from .first_guesses import LargeState, search_context
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
    """A task: a branch is searched for a while; its limit is what a strategy of it takes."""

    state: HardBucket
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
            is_large = len(self.state.rows) >= _LARGE
            least, plan = self._raced(context) if is_large else self._deepened(engine)
            return least, plan if least <= self.state.limit else None
        finally:
            engine.check_time = before

    def _raced(self, context: SearchContext) -> Raised:
        """Look at all guesses side by side: for what does with half the gap, then for all."""
        least, most = self.state.least, self.state.limit
        with suppress(OutOfTimeError):
            for goal in sorted({(least + most) // 2, most}):
                found = LargeState(context, replace(self.state, limit=goal))
                if found.value.exact:
                    return found.value.bound, found.plan()
                least = max(least, found.value.bound)
        return least, None

    def _deepened(self, engine: Engine) -> Raised:
        """Raise the bound level by level."""
        try:
            value, plan = engine.solved(self.state)
        except OutOfTimeError:
            return max(self.state.least, engine.reached), None
        return value.bound, plan if value.exact else None


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
        yield from enumerate(map(_raiser(problem, context, check_time), tasks))
        return
    with Pool(_raiser, given(problem, context, check_time), min(workers, len(tasks))) as pool:
        yield from pool.run(tasks)


def _raiser(
    problem: Problem, context: SearchContext | None, check_time: CheckTime | None
) -> Callable[[Raising], Raised]:
    own = search_context(problem) if context is None else context

    def done(task: Raising) -> Raised:
        return task.by(own, check_time or (lambda: None))

    return done


def given(
    problem: Problem, context: SearchContext, check_time: CheckTime
) -> tuple[Problem, SearchContext | None, CheckTime | None]:
    """What the workers that search branches are given: all of it, where they inherit it."""
    return (problem, context, check_time) if workers_inherit() else (problem, None, None)
