"""The best strategy, the least worst case and the best next words among candidates only.

First guesses are searched one after the other, in the order of what they cost at least; each only
as far as it may be among the best. Of the codes of a whole Mastermind game that are one first guess
with other names one stands for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np

from ..errors import CouldNotFinishError
from ..machine.arrays import Ids
from ..tree import Tree
from .kernels.lemmas import LOSS
from .kernels.set_frames import Totals
from .problem import Answer, FirstGuess, GuessBounds, Problem, Progress, least_limit
from .set_engine import CandidateEngine
from .values import CheckTime, Value, state_of


class CandidateSearch:
    """The best strategy of a problem that guesses candidates only; ``best_so_far`` at any time.

    Or the best next words of a state, of which ``best`` is what is known; there secrets may be lost
    (``losses`` of the problem), as words that lose some stand behind all others.
    """

    def __init__(
        self,
        problem: Problem,
        start: Sequence[str] = (),
        objective: str = "total",
        top: int = 1,
        progress: Progress = lambda state, count: None,
        check_time: CheckTime = lambda: None,
    ) -> None:
        self._start, self._objective = tuple(start), objective
        self._top, self._progress = top, progress
        forced = [problem.game.guess_id(word) for word in start]
        engine = CandidateEngine(problem.game, problem.positions, forced, check_time)
        self._forced = [engine.row_of[guess] for guess in forced]
        #: For the objective ``worst``: no strategy meets a limit below this one.
        self._least = 1
        self._begin(problem, engine)

    def _begin(self, problem: Problem, engine: CandidateEngine) -> None:
        """Begin anew with a limit, and a search for it; nothing is known."""
        self.problem, self._engine = problem, engine
        self._state = state_of(engine.members, problem.left)
        #: What is known of the first guesses.
        self.known = GuessBounds(self._top, problem.highest_value)
        #: The least value so far; None: none within the limit was found.
        self.value: int | None = None
        #: The best strategy so far; secrets stand for its scores.
        self.tree: Tree | None = None
        #: Whether the first guesses that are among the best are exact, ties included.
        self.proved = False
        self._rows, self._bounds = self._openers()

    def answer(self) -> Answer:
        """Search for the best strategy."""
        if self._objective != "worst":
            self.settle()
            return replace(self._answer(), proved=True)
        engine = self._engine
        any_strategy = engine.content_with(LOSS - 1)

        def tried(limit: int) -> Answer | None:
            self._least = limit
            self._begin(replace(self.problem, within=limit), any_strategy)
            self.settle()
            if (tree := self.tree) is None:
                return None
            self._begin(self.problem, engine)
            self.tree = tree
            with suppress(CouldNotFinishError):  # the question is answered already
                self.settle()  # makes its total least
            return replace(self._answer(), proved=True)

        return least_limit(self.problem, len(self._start), tried)

    def best_so_far(self) -> Answer:
        """A strategy that is there at once, by what is known, and a bound that holds for all."""
        least = self._least_value()
        bounds = {"worst": self._least, "losses": least // LOSS, "total": least % LOSS}
        answer = self._answer()
        if answer.tree is None:
            answer = replace(answer, tree=self.problem.graded(self._quick_tree()))
        return replace(answer, lower_bound=bounds[self._objective])

    def _answer(self) -> Answer:
        """What is known of the first guesses, and the best strategy if one was found."""
        tree = None if self.tree is None else self.problem.graded(self.tree)
        total = None if self.value is None else self.value % LOSS
        return Answer(tree, self._first_guesses(), False, total, self.problem.within)

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
        engine, known, more = self._engine, self.known, self._forced[1:]
        for row, least in zip(self._rows.tolist(), self._bounds.tolist(), strict=True):
            guesses, value = [row, *more], Value(least, exact=False)
            if self._forced or least <= known.limit:
                value = engine.value_of_forced(self._state, guesses, known.limit)
            known.add((engine.guess_of[row], value.bound, value.exact))
            if self._forced:  # there are no others
                self.value = value.bound if value.exact else None
                break
            if value.exact and (self.value is None or value.bound < self.value):
                self.value = value.bound
                self.tree = engine.plan_of_forced(self._state, guesses)
            self._progress(known, len(self._rows))
            if value.exact and value.bound <= engine.table.enough:  # whoever asks wants no less
                return
        if self.value is not None:  # of all strategies of this value one with the least worst case
            ties = [[engine.row_of[guess], *more] for guess in known.ties()]
            trees = [self._least_deep(guesses) for guesses in ties]
            self.tree = min(trees, key=lambda tree: (tree.height, tree.guess[0]))
        self.proved = True

    def _least_deep(self, rows: Sequence[int]) -> Tree:
        """A strategy of least value after some guesses, with the least worst case."""
        engine, state = self._engine, self._state
        tree, value = engine.plan_of_forced(state, rows), self.value
        assert value is not None
        while value < LOSS and tree.height > max(1, len(rows)):
            state = state._replace(left=tree.height - 1)
            if not engine.value_of_forced(state, rows, value).exact:
                break
            tree = engine.plan_of_forced(state, rows)
        return tree

    # --- what is known --------------------------------------------------------------------

    def _quick_tree(self) -> Tree:
        """A strategy that is there at once: every guess by the sizes of its buckets."""
        engine, forced = self._engine, self._forced
        first = forced or self._rows[:1].tolist()
        return engine.grown(self._state, first, engine.quick_guess)

    def _least_value(self) -> int:
        """The value that no strategy is below."""
        known = self.known.found
        unseen: list[int] = self._bounds[len(known) :].tolist()
        return min([*(bound for bound, _ in known.values()), *unseen])

    @property
    def least_losses(self) -> int:
        """No strategy loses fewer secrets."""
        return self._least_value() // LOSS

    def _first_guesses(self) -> list[FirstGuess]:
        """First guesses, best first, each with its value or its bound."""
        if self._start:
            least, exact = self._least_value(), self.value is not None
            return [FirstGuess.of(self._start[0], least, exact, self._start[1:])]
        game, first = self.problem.game, self._engine.guess_of[int(self._rows[0])]
        nothing = [FirstGuess.of(game.guesses[first], int(self._bounds[0]), False)]
        return self.known.first_guesses(game) or nothing

    def best(self) -> list[FirstGuess]:
        """The best next words in order; before the search is done, those with a strategy."""
        found = [replace(it, exact=self.proved) for it in self._first_guesses() if it.exact]
        if found:
            return found
        tree, problem = self._quick_tree(), self.problem
        depths = tree.depths()  # every node finds a candidate
        losses = sum(depth > problem.left for depth in depths)
        return [FirstGuess(problem.game.guesses[tree.guess[0]], sum(depths), losses, exact=False)]
