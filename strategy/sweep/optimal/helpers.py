"""Workers of any runner as helpers of ``optimal``: they look at first guesses, on any machine."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from solver.choices import OPTIMAL
from solver.exact.first_guesses.problem import Finding, Problem
from solver.exact.first_guesses.tasks import Screening
from solver.exact.first_guesses.workbench import Workbench
from solver.machine.clock import Deadline, OutOfTimeError

from ...build.optimal_question import game_played
from ..question import SweepQuestion
from ..runners import SweepRunner
from ..tasks import OneBench

if TYPE_CHECKING:
    from solver.game.game import Game


class RaceHelpers:
    """The workers of a runner as helpers of ``optimal``; each makes the game and tables once.

    With a time limit, in seconds from now on, they give up what they are at when it is over: one
    first guess may take them hours.
    """

    def __init__(
        self,
        runner: SweepRunner,
        game: Game,
        objective: str = "total",
        within: int | None = 6,
        hard: bool = False,
        guess_from: str = "allowed",
        time_limit: float | None = None,
    ) -> None:
        self._runner = runner
        self._time_limit = time_limit
        self._until = None if time_limit is None else time.time() + time_limit
        self._question = SweepQuestion.of(game, OPTIMAL, guess_from, hard, objective, within)

    @property
    def count(self) -> int:
        """How many tasks these helpers have in the works at a time."""
        return self._runner.workers

    def run(self, tasks: Sequence[Any]) -> Iterator[list[Finding]]:
        """The findings about first guesses, in the order in which helpers make them."""
        try:
            yield from self._runner.run(
                findings_of_task, self._question, _Timed(tasks, self._until)
            )
        except OutOfTimeError:
            raise OutOfTimeError(
                f"undecided after {self._time_limit:g} s, the time limit"
            ) from None


class _Timed(Sequence[Any]):
    """Tasks, made when they are asked for, each with the time when it must be done."""

    def __init__(self, tasks: Sequence[Any], until: float | None) -> None:
        self._tasks = tasks
        self._until = until

    def __len__(self) -> int:
        return len(self._tasks)

    def __getitem__(self, at: Any) -> Any:
        return self._until, self._tasks[at]

    def __iter__(self) -> Iterator[Any]:
        return ((self._until, task) for task in self._tasks)


class _HelpersBench:
    """The bench of a worker, and its clock."""

    def __init__(self, question: SweepQuestion) -> None:
        game = game_played(question.build(), question.guess_from)
        losses = question.objective == "losses"
        problem = Problem(game, question.hard, question.within, losses=losses)
        self._deadline = Deadline()
        self._bench = Workbench(problem, self._deadline.check)

    def screened(self, until: float | None, task: Screening) -> list[Finding]:
        """What is found out about some first guesses."""
        self._deadline.until = until
        return task.by(self._bench)


#: That of those who help.
BENCH = OneBench(_HelpersBench)


def findings_of_task(question: SweepQuestion, task: Any) -> list[Finding]:
    """The findings of one helper of an exact sweep about the first guesses of a task."""
    with BENCH.of(question) as bench:
        return bench.screened(*task)
