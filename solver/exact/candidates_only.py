"""The best strategy, the least worst case and the best next words among candidates only.

First guesses are searched one after the other, in the order of what they cost at least; each only
as far as it may be among the best. Of the codes of a whole Mastermind game that are one first guess
with other names one stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ..errors import CouldNotFinishError
from ..machine.arrays import Ids
from ..tree import Tree
from .kernels.lemmas import LOSS
from .kernels.set_frames import Totals
from .problem import Answer, FirstGuess, GuessBounds, Problem, least_deep
from .set_engine import CandidateEngine
from .values import CheckTime, Value, state_of

#: Called with what is known of first guesses, and how many there are.
Progress = Callable[[GuessBounds, int], None]


class CandidateSearch:
    """The best strategy of a problem that guesses candidates only; ``best_so_far`` at any time."""

    def __init__(
        self,
        problem: Problem,
        start: Sequence[str] = (),
        objective: str = "total",
        top: int = 1,
        progress: Progress = lambda state, count: None,
        check_time: CheckTime = lambda: None,
    ) -> None:
        self._problem, self._start, self._objective = problem, tuple(start), objective
        self._top, self._progress = top, progress
        forced = [problem.game.guess_id(word) for word in start]
        self._engine = engine_of(problem, forced, check_time)
        self._forced = [self._engine.row_of[guess] for guess in forced]
        #: For the objective ``worst``: the limits to try; no strategy meets one below ``_least``.
        self._limits, self._least = problem.limits(len(start)), 1
        self._best = self._search_of(self._engine, problem.within)

    def _search_of(self, engine: CandidateEngine, within: int | None) -> BestCandidates:
        problem = replace(self._problem, within=within)
        return BestCandidates(problem, engine, self._forced, self._top, self._progress)

    def answer(self) -> Answer:
        """Search for the best strategy."""
        if self._objective != "worst":
            self._best.settle()
            return replace(self._answer(self._best), proved=True)
        any_strategy, limits = self._engine.content_with(LOSS - 1), self._limits
        for self._least in limits:
            self._best = self._search_of(any_strategy, self._least)
            self._best.settle()
            if self._best.value is not None:
                return self._with_least_total(self._best.tree)
        return Answer(None, [], True, limits.stop, limits.stop - 1)

    def _with_least_total(self, tree: Tree | None) -> Answer:
        """The answer for the least limit that can be met, its total made least."""
        self._best = self._search_of(self._engine, self._least)
        self._best.tree = tree
        with suppress(CouldNotFinishError):  # the question is answered already
            self._best.settle()
        return replace(self._answer(self._best), proved=True, lower_bound=self._least)

    def best_so_far(self) -> Answer:
        """A strategy that is there at once, by what is known, and a bound that holds for all."""
        best = self._best
        best.hurry()
        least = best.least()
        bounds = {"worst": self._least, "losses": least // LOSS, "total": least % LOSS}
        answer = self._answer(best)
        if answer.tree is None:
            answer = replace(answer, tree=best.problem.graded(best.quick_tree()))
        return replace(answer, lower_bound=bounds[self._objective])

    def _answer(self, best: BestCandidates) -> Answer:
        """What is known of the first guesses, and the best strategy if one was found."""
        tree = None if best.tree is None else best.problem.graded(best.tree)
        total = None if best.value is None else best.value % LOSS
        return Answer(tree, best.first_guesses(self._start), False, total, best.problem.within)


def engine_of(
    problem: Problem, forced: Sequence[int] = (), check_time: CheckTime = lambda: None
) -> CandidateEngine:
    """The engine for the candidates of a problem, and some forced guesses."""
    return CandidateEngine(problem.game, problem.positions, forced, check_time)


class BestCandidates:
    """First guesses of a problem by their values, or the value after forced ones."""

    def __init__(
        self,
        problem: Problem,
        engine: CandidateEngine,
        forced: Sequence[int] = (),
        top: int = 1,
        progress: Progress = lambda state, count: None,
    ) -> None:
        """``forced``: rows of the engine."""
        self.problem = problem
        self._engine, self._forced, self._progress = engine, list(forced), progress
        #: What is known of the first guesses; of forced ones nothing.
        self.state = GuessBounds(top, problem.highest_value)
        #: The least value so far; None: none within the limit was found.
        self.value: int | None = None
        #: The best strategy so far; secrets stand for its scores.
        self.tree: Tree | None = None
        self._state = state_of(engine.members, problem.left)
        self._rows, self._bounds = self._openers()

    def _openers(self) -> tuple[Ids, Totals]:
        """The rows of first guesses and what they cost at least, the least first."""
        engine, problem = self._engine, self.problem
        rows = engine.members
        if self._forced:
            rows = np.array(self._forced[:1], dtype=np.int32)
        elif problem.game.code_space is not None and problem.candidates is None:
            guesses = np.array(engine.guess_of, dtype=np.int32)[engine.members]
            rows = rows[np.isin(guesses, problem.game.worth_trying(engine.members))]
        bounds = engine.bounds(self._state, rows)
        order = np.argsort(bounds, kind="stable")
        return rows[order], bounds[order]

    # --- values ---------------------------------------------------------------------------

    def settle(self) -> None:
        """Find the value, and of all first guesses those that are among the best."""
        if self._forced:
            self._settle_forced()
            return
        engine, state = self._engine, self.state
        for row, least in zip(self._rows.tolist(), self._bounds.tolist(), strict=True):
            value = Value(least, exact=False)
            if least <= state.limit:
                value = engine.value_of_guess(self._state, row, state.limit)
            state.add((engine.guess_of[row], value.bound, value.exact))
            if value.exact and (self.value is None or value.bound < self.value):
                self.value = value.bound
                self.tree = engine.plan_of_forced(self._state, [row])
            self._progress(state, len(self._rows))
            if value.exact and value.bound <= engine.table.enough:
                return
        self._choose()

    def _settle_forced(self) -> None:
        highest = self.problem.highest_value
        value = self._engine.value_of_forced(self._state, self._forced, highest)
        self._bounds[:] = value.bound
        if value.exact:
            self.value = value.bound
            self.tree = self._least_deep(self._forced)

    def _choose(self) -> None:
        """Of all strategies of the least value take one with the least worst case."""
        if self.value is not None:
            ties = [self._engine.row_of[guess] for guess in self.state.ties()]
            trees = [self._least_deep([row]) for row in ties]
            self.tree = min(trees, key=lambda tree: (tree.height, tree.guess[0]))

    def _least_deep(self, rows: Sequence[int]) -> Tree:
        """A strategy of least value after some guesses, with the least worst case."""
        engine, value = self._engine, self.value
        assert value is not None

        def less_deep(tree: Tree) -> Tree | None:
            fewer = self._state._replace(left=tree.height - 1)
            if value >= LOSS or fewer.left < max(1, len(rows)):
                return None
            found = engine.value_of_forced(fewer, rows, value)
            return engine.plan_of_forced(fewer, rows) if found.exact else None

        return least_deep(engine.plan_of_forced(self._state, rows), less_deep)

    # --- what is known --------------------------------------------------------------------

    def hurry(self) -> None:
        """Look at no clock any more: somebody waits for what is known."""
        self._engine.check_time = lambda: None

    def quick_tree(self) -> Tree:
        """A strategy that is there at once: every guess by the sizes of its buckets."""
        engine, forced = self._engine, self._forced
        first = forced or self._rows[:1].tolist()
        return engine.grown(self._state, first, engine.quick_guess)

    def least(self) -> int:
        """The value that no strategy is below."""
        if self._forced:
            return int(self._bounds[0])
        known = self.state.found
        unseen: list[int] = self._bounds[len(known) :].tolist()
        return min([*(bound for bound, _ in known.values()), *unseen])

    def first_guesses(self, start: Sequence[str] = ()) -> list[FirstGuess]:
        """First guesses, best first, each with its value or its bound; ``start``: forced ones."""
        if start:
            bound, exact = int(self._bounds[0]), self.value is not None
            return [FirstGuess.of(start[0], bound, exact, start[1:])]
        words, first = self.problem.game.guesses, self._engine.guess_of[int(self._rows[0])]
        return [
            FirstGuess.of(words[guess], bound, exact)
            for guess, bound, exact in self.state.table() or [(first, int(self._bounds[0]), False)]
        ]


class NextCandidates:
    """The best next words of a state among its candidates; ``best`` is what is known of them."""

    def __init__(
        self, problem: Problem, top: int = 1, check_time: CheckTime = lambda: None
    ) -> None:
        # those that lose a secret stand behind all others: so values order them
        problem = replace(problem, losses=True)
        self._best = BestCandidates(problem, engine_of(problem, (), check_time), top=top)
        #: Whether ``best`` is exact, ties included.
        self.proved = False

    @property
    def least_losses(self) -> int:
        """No word loses fewer secrets."""
        return self._best.least() // LOSS

    def settle(self) -> None:
        """Search for the best next words of the state."""
        self._best.settle()
        self.proved = True

    def best(self) -> list[FirstGuess]:
        """The best next words in order; before the search is done, those with a strategy."""
        words = self._best.first_guesses()
        found = [replace(word, exact=self.proved) for word in words if word.exact]
        if found:
            return found
        self._best.hurry()
        tree, left = self._best.quick_tree(), self._best.problem.left
        depths = tree.depths()  # every node finds a candidate
        word = self._best.problem.game.guesses[tree.guess[0]]
        losses = sum(depth > left for depth in depths)
        return [FirstGuess(word, sum(depths), losses, exact=False)]
