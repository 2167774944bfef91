"""The fewest secrets beyond a limit after a given first guess: bounds from both sides.

The buckets of the first guess are independent, so the losses of a strategy are the sum over them,
and so are the bounds. A beam gives each bucket a strategy. Where that loses secrets, it is repaired
as a rule's would be: the repair loses none, or it is proved that one at least is lost. Where two
or more are lost, the exact search is asked whether one less will do, until it will not.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from ..minimax import Subtree
from .api import Answer, Opener, Tree, tree_of
from .beam import Beam
from .branches import Branch, branch_of, branch_of_subtree, columns_of
from .decide import Moves, decider_for
from .engine import NOTHING_SHOWN, Engine, Nodes
from .narrow import narrowed
from .openers import Problem, Workbench
from .repair import Repairer, Situation, children_of
from .room import show
from .states import LOSS, after_guess, lost

Ids = NDArray[np.int32]
CheckTime = Callable[[], None]

#: Guesses that the beam tries in a state.
WIDTH = 10
#: Seconds that a bucket gets at first when time is short; every round gives them four times more.
_FIRST_SLICE = 1.0


class _SliceOverError(Exception):
    """A bucket has had its time for this round."""


@dataclass
class _Part:
    """A bucket of the first guess: its best strategy so far, and what must be lost in it."""

    state: Situation
    branch: Branch
    #: The value of that strategy.
    value: int
    #: No strategy loses fewer.
    least: int = 0

    @property
    def losses(self) -> int:
        """Secrets beyond the limit by the strategy so far."""
        return self.value // LOSS


class LeastLosses:
    """Narrows the losses down; at any time ``answer`` tells what is known."""

    def __init__(self, problem: Problem, word: str, check_time: CheckTime | None = None) -> None:
        self._problem = problem
        self._guess = problem.game.guess_id(word)
        self._check_time = check_time
        self._slice_end = float("inf")
        self._grower = BeamGrower(problem)
        decide = decider_for(problem.game, hard=problem.hard, check_time=self._check_slice)
        self._repairer = Repairer(self._grower, decide)
        everything = np.arange(len(problem.game.secrets), dtype=np.int32)
        root = Situation(everything, problem.left, (), 1)
        self._parts: dict[int, _Part] = {}
        for score, state in children_of(problem.game, self._guess, root):
            branch = branch_of_subtree(self._grower.grow(state.candidates, (), state.history))
            self._parts[score] = _Part(state, branch, self._value(branch, state))

    def settle(self) -> None:
        """Narrow every bucket down until its losses are known, the small ones first.

        With a time limit the buckets take turns, so that a hard one keeps none from being decided.
        """
        turn = _FIRST_SLICE
        while True:
            undecided = [part for part in self._parts.values() if part.least < part.losses]
            if not undecided:
                return
            for part in sorted(undecided, key=lambda part: len(part.state.candidates)):
                if self._check_time is not None:
                    self._slice_end = time.monotonic() + turn
                with contextlib.suppress(_SliceOverError):
                    self._narrow(part)
            turn *= 4

    def answer(self) -> Answer:
        """The best strategy so far, and how few losses are not excluded."""
        game = self._problem.game
        least = sum(part.least for part in self._parts.values())
        root = Branch(self._guess, {score: part.branch for score, part in self._parts.items()})
        opener = Opener(game.guesses[self._guess], 2 * len(game.secrets) - 1, least, exact=False)
        return Answer(Tree(*columns_of(root)), [opener], False, least, self._problem.within)

    def _narrow(self, part: _Part) -> None:
        """Decide one bucket: none lost, or one at least; then, one less, until it will not do."""
        if part.least == 0:
            mended = self._repairer.mended(part.branch, part.state)
            if mended is None:
                part.least = 1
            else:
                part.branch, part.value = mended, self._value(mended, part.state)
        if part.least < part.losses:
            self._lose_fewer(part)

    def _lose_fewer(self, part: _Part) -> None:
        """The exact search for the fewest losses of a bucket."""
        state = part.state
        problem = replace(
            self._problem,
            within=state.left,
            candidates=tuple(state.candidates.tolist()),
            history=state.history,
            price=0,
        )
        bench = Workbench(problem)
        limit = part.value - part.value % LOSS - 1
        room = narrowed(bench.room, bench.members, bench.shown)
        engine = Engine(room, check_time=self._check_slice)
        value, _ = engine.value_of_state(bench.members, state.left, bench.shown, limit)
        part.least = value.losses if value.exact else part.losses
        if value.exact:
            nodes = Nodes()
            engine.plan(bench.members, state.left, bench.shown, nodes, -1, None)
            tree = tree_of(problem, nodes)
            part.branch = branch_of(tree.guess, tree.parent, tree.score)
            part.value = self._value(part.branch, state)

    def _value(self, root: Branch, state: Situation) -> int:
        """The value of a strategy: guesses from this state on, and LOSS for each secret lost."""
        value = 0
        todo = [(root, state)]
        while todo:
            branch, here = todo.pop()
            value += len(here.candidates)
            for score, after in children_of(self._problem.game, branch.guess, here):
                value += len(after.candidates) * lost(here.left)
                todo.append((branch.below[score], after))
        return value

    def _check_slice(self) -> None:
        if self._check_time is not None:
            self._check_time()
            if time.monotonic() > self._slice_end:
                raise _SliceOverError


class BeamGrower:
    """Grows strategies of states by a beam, as a searcher does by a rule."""

    def __init__(self, problem: Problem) -> None:
        self.game: Game = problem.game
        self._left = problem.left
        self._bench = Workbench(problem)
        self._beam = Beam(self._bench.room, WIDTH)

    def grow(self, candidates: Ids, starts: Sequence[int] = (), history: Moves = ()) -> Subtree:
        """The strategy of a state, as flat columns."""
        bench, shown = self._bench, NOTHING_SHOWN
        left = self._left
        for guess, _ in history:
            after = np.zeros(4, dtype=np.uint64)
            show(bench.room, bench.column_of[guess], int(candidates[0]), shown, after)
            shown, left = after, after_guess(left)
        nodes = Nodes()
        self._beam.plan(candidates, left, shown, nodes, -1, None)
        tree = tree_of(bench.problem, nodes)
        return Subtree(
            *(np.array(c, dtype=np.int32) for c in (tree.guess, tree.score, tree.parent))
        )
