"""The least total of every opener: bounds at a glance, closer bounds, exact values.

One score table, one engine and one memory of solved states serve all openers of a process. Openers
of the same letters share their hardest state, the secrets that have none of these: so they come
one after the other (see ``run``).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from solver.errors import CouldNotFinishError
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.lemmas import LOSS
from solver.exact.state_values.beam_bounds import Beam
from solver.exact.state_values.forced_guesses import loses_nothing, solve_forced
from solver.exact.state_values.results import Value
from solver.tree import Tree

from .resumed import SolvedState

if TYPE_CHECKING:
    from solver.exact.first_guesses.problem import Problem
    from solver.exact.guess_values.engine import Engine
    from solver.exact.state_values.results import HardBucket

#: Guesses that a beam tries in a state: one to see whether a limit can be met, two for a bound.
_NARROW, _WIDER = 1, 2
#: States whose values and strategies are remembered, some kilobytes each.
_KNOWN = 4096


class KnownStates:
    """Hard states that were solved after one opener, for openers that come to them again.

    A state is filed under all that it is: its secrets, the guesses left, what hard mode has seen.
    Those of the opener at hand are noted by their first secrets besides, with those that an earlier
    search of it has solved.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: OrderedDict[tuple[bytes, int, bytes], tuple[Value, Tree]] = OrderedDict()
        #: Of the opener at hand: what is solved, and bounds of what is not.
        self.noted: dict[int, SolvedState] = {}
        #: By how much the state that was given up has raised the bound of the opener.
        self.raised = 0

    def begin(self, noted: Mapping[int, SolvedState]) -> None:
        """Begin with another opener, of which an earlier search has left these states."""
        self.noted, self.raised = dict(noted), 0

    def __call__(self, buckets: Sequence[HardBucket]) -> Iterator[tuple[Value, Tree]]:
        """Their values, as far as each is within its limit, and strategies."""
        for bucket in buckets:
            key = bucket.rows.tobytes(), bucket.left, bucket.shown.tobytes()
            first = int(bucket.rows[0])
            found, noted = self._known.get(key), self.noted.get(first)
            if found is None and noted is not None and noted.is_solved:
                found = Value(noted.value, True), noted.tree
            if found is None or not self._is_answer(found[0], bucket.limit):
                found = self._searched(bucket, 0 if noted is None else noted.value)
            self._known[key] = found
            if len(self._known) > _KNOWN:
                self._known.popitem(last=False)
            self._known.move_to_end(key)
            if found[0].exact:
                self.noted[first] = SolvedState(found[0].bound, found[1])
            yield found

    def _searched(self, bucket: HardBucket, least: int) -> tuple[Value, Tree]:
        """A state, from a bound on that an earlier search has reached; a closer one is noted."""
        try:
            return self._engine.solved(replace(bucket, least=least))
        except CouldNotFinishError:
            reached = max(least, self._engine.reached)
            if reached > bucket.bound:
                self.raised = reached - bucket.bound
                self.noted[int(bucket.rows[0])] = SolvedState(reached, Tree())
            raise

    @staticmethod
    def _is_answer(value: Value, limit: int) -> bool:
        """Whether a value, or a bound, says all that a limit asks for."""
        return value.bound > limit or value.exact


class TotalBench:
    """What one process needs to tell the least totals of openers of one problem."""

    def __init__(self, problem: Problem, check_time: Callable[[], None]) -> None:
        self._problem = problem
        self._bench = bench = Workbench(problem, check_time)
        self._states = KnownStates(bench.engine)
        self._beams = [Beam(bench.table, width, check_time) for width in (_NARROW, _WIDER)]
        #: Values above this are against the limit.
        self._ceiling = problem.ceiling
        #: Whether the states of the opener at hand are being solved.
        self._is_solving = False

    def quick_bounds(self, openers: Sequence[int]) -> list[int | None]:
        """Quick lower bounds of the totals of some openers; None for an impossible limit."""
        columns = [self._bench.column_of[opener] for opener in openers]
        found = self._bench.bounds(columns, self._ceiling).tolist()
        return [None if bound > self._ceiling else int(bound) for bound in found]

    def closer(self, opener: int) -> tuple[int | None, Tree | None]:
        """A closer lower bound of an opener's total, and a good strategy within the limit.

        It costs more than a glance; None as the bound: no strategy keeps to the limit.
        """
        bench, column = self._bench, self._bench.column_of[opener]
        bound = bench.value(column, self._ceiling, patient=False).bound
        if bound > self._ceiling:
            return None, None
        tree = Tree()
        value = solve_forced(
            self._beams[1], bench.members, [column], self._problem.left, bench.shown, tree
        )
        kept = value <= self._ceiling and (self._problem.within is None or value < LOSS)
        return int(bound), self._problem.graded(tree) if kept else None

    def best(
        self, opener: int, solved: Mapping[int, SolvedState] | None = None
    ) -> tuple[int, Tree] | None:
        """The least total of an opener, and a strategy that attains it.

        None: no strategy keeps to the limit. An earlier search may have ``solved`` some of the
        states that the opener leaves, or bounded.
        """
        bench, column = self._bench, self._bench.column_of[opener]
        self._is_solving = False
        self._states.begin(solved or {})
        if not solved and self._is_impossible(column):
            return None
        self._is_solving = True
        value, tree = bench.engine.plan_of_guess(
            *(bench.members, column, self._problem.left, bench.shown, self._ceiling),
            self._states,
        )
        return (value.bound, self._problem.graded(tree)) if value.exact else None

    def given_up(self) -> tuple[int, dict[int, SolvedState]]:
        """What ``best`` knew of an opener when time was up: a lower bound, and states.

        The bound is 0 if there is none.
        """
        if not self._is_solving:
            return 0, self._states.noted
        return self._bench.engine.bound_of_guess + self._states.raised, self._states.noted

    def _is_impossible(self, column: int) -> bool:
        """Whether the limit is refuted, which the search for totals would take long to see."""
        bench, left = self._bench, self._problem.left
        if self._problem.within is None:
            return False
        if loses_nothing(self._beams[0], bench.members, [column], left, bench.shown):
            return False
        return bench.possibility.refutes_guess(bench.members, left, bench.shown, column)
