"""Workers of any runner as helpers of ``optimal``: they look at first guesses, on any machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from solver.choices import OPTIMAL
from solver.exact.race.problem import Finding, Problem
from solver.exact.race.workbench import Workbench

from ...build.question import game_played
from ..question import SweepQuestion
from ..runners import SweepRunner
from ..tasks import OneBench

if TYPE_CHECKING:
    from solver.game.game import Game


class RaceHelpers:
    """The workers of a runner, who each make the game and its tables once."""

    def __init__(
        self,
        runner: SweepRunner,
        game: Game,
        objective: str = "total",
        within: int | None = 6,
        hard: bool = False,
        guess_from: str = "allowed",
    ) -> None:
        self._runner = runner
        self._question = SweepQuestion.of(game, OPTIMAL, guess_from, hard, objective, within)

    @property
    def count(self) -> int:
        """How many tasks are in the works at a time."""
        return self._runner.workers

    def run(self, tasks: Sequence[Any]) -> Iterator[list[Finding]]:
        """What is found out about first guesses, in the order in which it is."""
        return self._runner.run(screened, self._question, tasks)


def _bench(question: SweepQuestion) -> Workbench:
    game = game_played(question.build(), question.guess_from)
    losses = question.objective == "losses"
    return Workbench(Problem(game, question.hard, question.within, losses=losses))


#: That of those who help.
BENCH = OneBench(_bench)


def screened(question: SweepQuestion, task: Any) -> list[Finding]:
    """What a worker finds out about some first guesses."""
    with BENCH.of(question) as bench:
        return bench.screened(*task)
