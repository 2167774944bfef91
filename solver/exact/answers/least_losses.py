"""The fewest secrets beyond a limit after a given first guess: bounds from both sides.

The buckets of the first guess are independent, so the losses of a strategy are the sum over them,
and so are the bounds. A beam gives each bucket a strategy, a narrow one at once, a wider one in its
turn. Where that loses secrets, the fewest that must be given up are sought (see ``fewest``); the
others are solved by the search that says so, and those given up follow wherever the replies lead.
Where that does not do, and in hard mode, losses alone are counted (see ``fewer``). Both may take
very long where much is lost: without a time limit they get a fixed effort, counted in steps, and
the bounds stay apart where that does not do.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..race.problem import Problem
from ..race.workbench import Workbench
from ..repair.branches import Branch, branch_of, columns_of
from ..repair.deciders import Words, decider_for
from ..repair.repairer import Situation, children_of
from ..state.beam import Beam, TooWideError
from ..state.bounds import LOSS, lost
from ..state.results import Nodes
from ..table.score_table import shown_by
from .answer import Answer, FirstGuess, Tree
from .best import tree_of
from .losses_by_cores import LossesByCores
from .losses_counted import LossesCounted

CheckTime = Callable[[], None]

#: Guesses that the beam tries in a state.
WIDTH = 10
#: Cores after which the losses of a bucket stay between their bounds: where so many must be hit,
#: more of them raise the bound too slowly.
MOST_CORES = 64
#: The same for the beam that all buckets get at once.
_NARROW = 1
#: Looks at the clock after which a beam is given up.
_LOOKS = 12
#: Rounds of growing effort that a bucket gets where time is not short.
_ROUNDS = 1
#: Seconds that a bucket gets at first when time is short; every round gives them four times more.
_FIRST_SLICE = 1.0
_ENDLESS = 1_000


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
    #: The search for those to give up; none in hard mode.
    fewest: LossesByCores | None = None
    #: The search that counts losses alone, once it has begun.
    fewer: LossesCounted | None = None
    #: Whether the wide beam has had its turn.
    widened: bool = False
    settled: bool = False

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
        bench = Workbench(problem)
        self._quick, self._wide = (
            _BeamGrower(bench, width, self._check_slice) for width in (_NARROW, WIDTH)
        )
        self._decide = decider_for(problem.game, hard=problem.hard, check_time=self._check_slice)
        everything = np.arange(len(problem.game.secrets), dtype=np.int32)
        root = Situation(everything, problem.left, (), 1)
        self._parts: dict[int, _Part] = {}
        for score, state in children_of(problem.game, self._guess, root):
            timed = check_time is not None
            branch = self._quick.branch_of(state) if timed else self._grown(state)
            part = _Part(state, branch, self._value(branch, state), widened=not timed)
            if isinstance(self._decide, Words):
                part.fewest = LossesByCores(self._decide.search, state.left, state.candidates)
            self._parts[score] = part

    def settle(self) -> None:
        """Narrow every bucket down until its losses are known, the small ones first.

        With a time limit the buckets take turns, so that a hard one keeps none from being decided.
        """
        turn = _FIRST_SLICE
        while True:
            undecided = [
                part
                for part in self._parts.values()
                if not part.settled and not (part.widened and part.least == part.losses)
            ]
            if not undecided:
                return
            for part in sorted(undecided, key=lambda part: len(part.state.candidates)):
                if self._check_time is not None:
                    self._slice_end = time.monotonic() + turn
                with contextlib.suppress(_SliceOverError):
                    self._narrow(part)
                part.settled |= self._check_time is None
            turn *= 4

    def answer(self) -> Answer:
        """The best strategy so far, and how few losses are not excluded."""
        game = self._problem.game
        least = sum(part.least for part in self._parts.values())
        if self._problem.left == 1:  # no guess is left for any of them
            least += sum(len(part.state.candidates) for part in self._parts.values())
        root = Branch(self._guess, {score: part.branch for score, part in self._parts.items()})
        opener = FirstGuess(
            game.guesses[self._guess], 2 * len(game.secrets) - 1, least, exact=False
        )
        return Answer(Tree(*columns_of(root)), [opener], False, least, self._problem.within)

    def _narrow(self, part: _Part) -> None:
        """Bring the bounds of a bucket together, as far as they will come."""
        if not part.widened:
            self._take(part, self._grown(part.state))
            part.widened = True
        if part.fewest is not None:
            self._give_up(part, part.fewest)
        if part.least < part.losses:
            self._lose_fewer(part)
        part.settled = True

    def _take(self, part: _Part, branch: Branch) -> None:
        """Keep a strategy if it is better."""
        value = self._value(branch, part.state)
        if value < part.value:
            part.branch, part.value = branch, value

    def _give_up(self, part: _Part, fewest: LossesByCores) -> None:
        """Give up as few candidates as can be, or as few as the beam does."""
        for _ in range(MOST_CORES):
            if part.least == part.losses or not fewest.step():
                break
            part.least = fewest.least
        part.least = fewest.least
        if fewest.given_up is not None:
            others = np.setdiff1d(part.state.candidates, fewest.given_up).astype(np.int32)
            found = self._decide(others, part.state.left)
            self._take(part, self._extended(found, part.state, set(fewest.given_up.tolist())))

    def _extended(self, found: Branch | None, state: Situation, given_up: set[int]) -> Branch:
        """A strategy of some candidates for all of them; the beam's own where it loses no more."""
        own = self._grown(state)
        lost_here = len(given_up.intersection(state.candidates.tolist()))
        if found is None or self._value(own, state) // LOSS <= lost_here:
            return own
        game = self._problem.game
        below = {
            score: self._extended(found.below.get(score), after, given_up)
            for score, after in children_of(game, found.guess, state)
        }
        return Branch(found.guess, below)

    def _lose_fewer(self, part: _Part) -> None:
        """Count losses alone, from the bound upwards."""
        state = part.state
        if part.fewer is None:
            problem = replace(
                self._problem,
                within=state.left,
                candidates=tuple(state.candidates.tolist()),
                history=state.history,
            )
            part.fewer = LossesCounted(Workbench(problem), self._check_slice)
        fewer = part.fewer
        try:
            fewer.settle(part.losses, _ROUNDS if self._check_time is None else _ENDLESS)
        finally:
            part.least = max(part.least, fewer.least)
        tree = fewer.tree
        if tree is not None:
            self._take(part, branch_of(tree.guess, tree.parent, tree.score))

    def _grown(self, state: Situation) -> Branch:
        """What the wide beam makes of a state, the narrow one where that would take too long."""
        try:
            return self._wide.branch_of(state)
        except TooWideError:
            return self._quick.branch_of(state)

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


class _BeamGrower:
    """Strategies of states by a beam, all in one room."""

    def __init__(self, bench: Workbench, width: int, check_time: CheckTime) -> None:
        self._bench = bench
        self._beam = Beam(bench.table, width, check_time, _LOOKS)

    def branch_of(self, state: Situation) -> Branch:
        """The strategy of a state."""
        bench, nodes = self._bench, Nodes()
        columns = (bench.column_of[guess] for guess, _ in state.history)
        shown = shown_by(bench.table, columns, int(state.candidates[0]))
        self._beam.plan(state.candidates, state.left, shown, nodes, -1, None)
        tree = tree_of(bench.problem, nodes)
        return branch_of(tree.guess, tree.parent, tree.score)
