"""The work on a batch of an exact sweep: a function that any executor can call, anywhere.

Each process makes its game, its score table and its searches once and keeps them: what one opener
has proved serves the next. A strategy that attains a bound is played by compiled code that grades
from letters, some by the trusted checker too, before the bound is believed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from solver.choices import OPTIMAL
from solver.exact.first_guesses.problem import Problem
from solver.machine.clock import Deadline, OutOfTimeError
from solver.tree import Tree

from ...build.optimal_question import game_played
from ...errors import WrongStrategyError
from ...files.origin import Origin
from ..question import SweepQuestion
from ..tasks import AllGames, OneBench
from .limits import LimitBench
from .resumed import Begun, limit_of_text, states_of_text, states_to_text
from .rows import BOUNDS, EXACT, IMPOSSIBLE, POSSIBLE, ExactRow
from .totals import TotalBench

#: What is asked of a batch: bounds at a glance, closer bounds with a strategy, exact values.
GLANCE, CLOSER, BEST = "glance", "closer", "best"


class ExactBatch(NamedTuple):
    """A batch of an exact sweep: openers by their numbers, and what is asked of them."""

    stage: str
    openers: tuple[int, ...]
    #: Which of them the trusted checker plays.
    replayed: frozenset[int] = frozenset()
    #: When it must be done, in seconds since 1970, as all machines know them; None: some time.
    until: float | None = None
    #: What earlier searches have left of some of them.
    notes: Mapping[int, str] = {}


class Answered(NamedTuple):
    """What was found out about a batch in time."""

    rows: list[ExactRow]
    #: The opener that was in the works when time was up.
    begun: Begun | None = None


class ExactBench:
    """All that one process needs to answer batches of one exact sweep."""

    def __init__(self, question: SweepQuestion) -> None:
        self.question = question
        self._deadline = Deadline()
        #: No limit below this one is met after the opener at hand.
        self._least = 1
        game = game_played(question.build(), question.guess_from)
        self.game = game
        problem = Problem(game, question.hard, question.within)
        self._totals = self._limits = None
        if question.objective == "total":
            self._totals = TotalBench(problem, self._deadline.check)
        else:
            self._limits = LimitBench(problem, self._deadline.check)
        self._games = AllGames(game, "allowed", question.hard)

    def answer(self, batch: ExactBatch) -> Answered:
        """The rows of those openers of a batch that something was found out about in time."""
        self._deadline.until = batch.until
        if batch.stage == GLANCE:
            return Answered([] if self._deadline.is_over() else self._glances(batch.openers))
        found: list[ExactRow] = []
        for opener in batch.openers:
            if self._deadline.is_over():
                break
            begun = time.process_time()
            left = None
            try:
                if batch.stage == CLOSER:
                    row = self._closer(opener, opener in batch.replayed)
                else:
                    row = self._best(opener, opener in batch.replayed, batch.notes.get(opener))
            except OutOfTimeError:
                if batch.stage == CLOSER:
                    break
                row, left = self._given_up(opener)
            found.append(replace(row, seconds=time.process_time() - begun))
            if left is not None:
                return Answered(found, left)
        return Answered(found)

    def _given_up(self, opener: int) -> tuple[ExactRow, Begun]:
        """What is known of an opener when the time for its search is up."""
        word = self.game.guesses[opener]
        if self._totals is None:
            return ExactRow(word, BOUNDS, self._least), Begun(word, str(self._least))
        bound, solved = self._totals.given_up()
        return ExactRow(word, BOUNDS, bound), Begun(word, states_to_text(solved))

    # --- the least total ------------------------------------------------------------------

    def _glances(self, openers: tuple[int, ...]) -> list[ExactRow]:
        assert self._totals is not None
        begun = time.process_time()
        bounds = self._totals.quick_bounds(openers)
        took = (time.process_time() - begun) / len(openers)
        return [
            ExactRow(
                self.game.guesses[opener],
                IMPOSSIBLE if bound is None else BOUNDS,
                bound,
                None,
                took,
            )
            for opener, bound in zip(openers, bounds, strict=True)
        ]

    def _closer(self, opener: int, replayed: bool) -> ExactRow:
        assert self._totals is not None
        word = self.game.guesses[opener]
        lower, tree = self._totals.closer(opener)
        if lower is None:
            return ExactRow(word, IMPOSSIBLE)
        upper = None if tree is None else self._played(opener, tree, replayed)
        replayed &= upper is not None
        return ExactRow(word, EXACT if lower == upper else BOUNDS, lower, upper, 0.0, replayed)

    def _best(self, opener: int, replayed: bool, notes: str | None) -> ExactRow:
        if self._limits is not None:
            self._least = 1 if notes is None else limit_of_text(notes)
            return self._least_limit(self._limits, opener, replayed)
        assert self._totals is not None
        sizes = len(self.game.guesses), len(self.game.secrets)
        solved = None if notes is None else states_of_text(notes, *sizes)
        word, found = self.game.guesses[opener], self._totals.best(opener, solved)
        if found is None:
            return ExactRow(word, IMPOSSIBLE)
        value, tree = found
        total = self._played(opener, tree, replayed)
        if total != value:
            raise WrongStrategyError(
                f"{word!r}: the strategy takes {total} guesses, and the search says {value}"
            )
        return ExactRow(word, EXACT, value, value, 0.0, replayed)

    # --- limits ---------------------------------------------------------------------------

    def _least_limit(self, limits: LimitBench, opener: int, replayed: bool) -> ExactRow:
        """Whether the limit can be met; or the least that can, tried upwards."""
        word, within = self.game.guesses[opener], self.question.within
        only = self.question.objective == POSSIBLE
        most = len(self.game.secrets) + 1 if within is None else within
        for limit in range(most if only else self._least, most + 1):
            if not only:
                self._least = limit
            tree = limits.within(opener, limit)
            if tree is not None:
                self._played(opener, tree, replayed, limit)
                if only:
                    return ExactRow(word, POSSIBLE, replayed=replayed)
                return ExactRow(word, EXACT, limit, limit, 0.0, replayed)
        return ExactRow(word, IMPOSSIBLE)

    # --- strategies -----------------------------------------------------------------------

    def _played(self, opener: int, tree: Tree, replayed: bool, limit: int | None = None) -> int:
        """The total of a strategy, every secret of it played; the limit must be kept."""
        asked, word = self.question, self.game.guesses[opener]
        limit = asked.within if limit is None else limit
        origin = Origin.of(self.game, OPTIMAL, (word,), hard=asked.hard) if replayed else None
        histogram = self._games.played(opener, tree, origin).histogram
        if limit is not None and len(histogram) > limit:
            raise WrongStrategyError(f"a strategy of {word!r} does not keep to {limit} guesses")
        return sum(number * count for number, count in enumerate(histogram, 1))


#: That of sweeps for what is best.
BENCH = OneBench(ExactBench)


def answer_exactly(question: SweepQuestion, batch: ExactBatch) -> Answered:
    """What an exact sweep finds out about a batch of openers, by the bench of this process."""
    with BENCH.of(question) as bench:
        return bench.answer(batch)
