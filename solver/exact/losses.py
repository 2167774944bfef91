"""The fewest secrets beyond a limit after a given first guess: bounds from both sides.

The buckets of the first guess are independent, so the losses of a strategy are the sum over them,
and so are the bounds. A beam gives each bucket a strategy. Where that loses secrets, the fewest
that must be given up are sought (see ``fewest``); the others are solved by the search that says so,
and those given up follow wherever the replies lead. In hard mode cores only bound the losses from
below. Where they find none, the beam's strategy is repaired as a rule's would be: the repair loses
none, or it is proved that one at least is lost; where the beam loses more than must be, the exact
search is asked for less. Both may take very long where much is lost: without a time limit they get
a fixed effort, counted in steps, and the bounds stay apart where that does not do.
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
from .decide import Moves, Words, decider_for
from .engine import Engine, Nodes
from .fewest import Fewest
from .narrow import narrowed
from .openers import Problem, Workbench
from .possible import Possible
from .repair import Repairer, Situation, children_of
from .room import shown_by
from .states import LOSS, after_guess, lost

Ids = NDArray[np.int32]
CheckTime = Callable[[], None]

#: Guesses that the beam tries in a state.
WIDTH = 10
#: Cores after which the losses of a bucket stay between their bounds: where so many must be hit,
#: more of them raise the bound too slowly.
MOST_CORES = 64
#: In hard mode: cores that are sought for a bound in a bucket, and looks at the clock that the
#: other searches of all buckets may take.
_CORES, _EFFORT = 12, 6
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
    #: The search for those to give up; none in hard mode.
    fewest: Fewest | None = None
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
        self._effort = _EFFORT
        self._grower = BeamGrower(problem)
        self._decide = decider_for(problem.game, hard=problem.hard, check_time=self._check_slice)
        self._repairer = Repairer(self._grower, self._decide)
        everything = np.arange(len(problem.game.secrets), dtype=np.int32)
        root = Situation(everything, problem.left, (), 1)
        self._parts: dict[int, _Part] = {}
        for score, state in children_of(problem.game, self._guess, root):
            branch = self._grown(state)
            part = _Part(state, branch, self._value(branch, state))
            if isinstance(self._decide, Words):
                part.fewest = Fewest(self._decide.search, state.left, state.candidates)
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
                if part.least < part.losses and not part.settled
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
        root = Branch(self._guess, {score: part.branch for score, part in self._parts.items()})
        opener = Opener(game.guesses[self._guess], 2 * len(game.secrets) - 1, least, exact=False)
        return Answer(Tree(*columns_of(root)), [opener], False, least, self._problem.within)

    def _narrow(self, part: _Part) -> None:
        """Bring the bounds of a bucket together, as far as they will come."""
        if part.fewest is None:
            self._repair(part)
        else:
            self._give_up(part, part.fewest)
        part.settled = True

    def _give_up(self, part: _Part, fewest: Fewest) -> None:
        """Give up as few candidates as can be, or as few as the beam does."""
        for _ in range(MOST_CORES):
            if part.least == part.losses or not fewest.step():
                break
            part.least = fewest.least
        part.least = fewest.least
        if fewest.given_up is not None:
            others = np.setdiff1d(part.state.candidates, fewest.given_up).astype(np.int32)
            found = self._decide(others, part.state.left)
            branch = self._extended(found, part.state, set(fewest.given_up.tolist()))
            value = self._value(branch, part.state)
            if value < part.value:
                part.branch, part.value = branch, value

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

    def _repair(self, part: _Part) -> None:
        """Decide one bucket: none lost, or one at least; then the fewest, where more are lost."""
        part.least = max(part.least, self._least_by_cores(part.state))
        if part.least == 0:
            mended = self._repairer.mended(part.branch, part.state)
            if mended is None:
                part.least = 1
            else:
                part.branch, part.value = mended, self._value(mended, part.state)
        if part.least < part.losses:
            self._lose_fewer(part)

    def _least_by_cores(self, state: Situation) -> int:
        """A lower bound from cores in the room of the legal guesses (docs/exact.md, lemma 8)."""
        search, rows = self._grower.search_of(state)
        return Fewest(search, state.left, rows).least_after(_CORES)

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

    def _grown(self, state: Situation) -> Branch:
        """What the beam makes of a state."""
        return branch_of_subtree(self._grower.grow(state.candidates, (), state.history))

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
        elif self._problem.hard:
            self._effort -= 1
            if self._effort < 0:
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
        bench, left = self._bench, self._left
        for _ in history:
            left = after_guess(left)
        shown = self._shown(candidates, history)
        nodes = Nodes()
        self._beam.plan(candidates, left, shown, nodes, -1, None)
        tree = tree_of(bench.problem, nodes)
        return Subtree(
            *(np.array(c, dtype=np.int32) for c in (tree.guess, tree.score, tree.parent))
        )

    def search_of(self, state: Situation) -> tuple[Possible, Ids]:
        """The search of mere possibility for a state, and its rows there."""
        shown = self._shown(state.candidates, state.history)
        return self._bench.mere.search_of(state.candidates, shown)

    def _shown(self, candidates: Ids, history: Moves) -> NDArray[np.uint64]:
        """What hard mode has seen."""
        columns = (self._bench.column_of[guess] for guess, _ in history)
        return shown_by(self._bench.room, columns, int(candidates[0]))
