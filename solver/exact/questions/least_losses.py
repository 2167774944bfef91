"""The fewest secrets beyond a limit after a given first guess: bounds from both sides.

The buckets of the first guess are independent, so the losses of a strategy are the sum over them,
and so are the bounds. A beam gives each bucket a strategy, a narrow one at once, a wider one in its
turn. Where that loses secrets, the fewest that must be given up are sought (``losses_by_cores``);
the others are solved by the search that says so, and those given up follow wherever the replies
lead. Where that does not do, and in hard mode, losses alone are counted (``losses_counted``). Both
may take very long where much is lost: without a time limit they get a fixed effort, counted in
steps, and the bounds stay apart where that does not do.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ...tree import Tree
from ..feasibility.limit_search import Possible
from ..first_guesses.problem import Problem
from ..first_guesses.workbench import Workbench
from ..lemmas import LOSS, lost
from ..repair.deciders import PlainWords, decider_for
from ..repair.repairer import Situation, children_of
from ..state_values.beam_bounds import Beam, TooWideError
from ..table.score_table import shown_by
from .answer import Answer, FirstGuess
from .losses_by_cores import LossesByCores
from .losses_counted import LossesCounted

CheckTime = Callable[[], None]

#: Guesses that the beam tries in a state.
WIDTH = 10
#: Cores after which the losses of a bucket stay between their bounds: where so many must be hit,
#: more of them raise the bound too slowly.
MOST_CORES = 64
#: Guesses that the beam tries in a state which all buckets get at once.
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
    tree: Tree
    #: The value of that strategy.
    value: int
    #: No strategy loses fewer.
    least: int = 0
    #: The search for those to give up; none in hard mode.
    by_cores: LossesByCores | None = None
    #: The search that counts losses alone, once it has begun.
    counted: LossesCounted | None = None
    #: Whether the wide beam has had its turn.
    widened: bool = False
    settled: bool = False

    @property
    def losses(self) -> int:
        """Secrets beyond the limit by the strategy so far."""
        return self.value // LOSS


class LeastLosses:
    """The fewest losses after a first guess, narrowed down; ``answer`` tells what is known."""

    def __init__(self, problem: Problem, word: str, check_time: CheckTime | None = None) -> None:
        self._problem = problem
        self._guess = problem.game.guess_id(word)
        self._slice = _Slice(check_time)
        bench = Workbench(problem)
        self._quick, self._wide = (
            _BeamGrower(bench, width, self._slice.check) for width in (_NARROW, WIDTH)
        )
        self._decide = decider_for(problem.game, hard=problem.hard, check_time=self._slice.check)
        search = Possible(bench.table, self._slice.check)
        if isinstance(self._decide, PlainWords):
            self._decide.share(search)
        everything = np.arange(len(problem.game.secrets), dtype=np.int32)
        root = Situation(everything, problem.left, (), 1)
        self._parts: dict[int, _Part] = {}
        for score, state in children_of(problem.game, self._guess, root):
            timed = self._slice.is_timed
            tree = self._quick.grow(state) if timed else self._grown(state)
            part = _Part(state, tree, self._value(tree, state), widened=not timed)
            if isinstance(self._decide, PlainWords):
                part.by_cores = LossesByCores(search, state.left, state.candidates)
            self._parts[score] = part

    def settle(self) -> None:
        """Narrow every bucket of the guess down until its losses are known, small ones first.

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
                self._slice.begin(turn)
                with contextlib.suppress(_SliceOverError):
                    self._narrow(part)
                part.settled |= not self._slice.is_timed
            turn *= 4

    def answer(self) -> Answer:
        """The best strategy so far, and how few losses are not excluded."""
        game = self._problem.game
        least = sum(part.least for part in self._parts.values())
        if self._problem.left == 1:  # no guess is left for any of them
            least += sum(len(part.state.candidates) for part in self._parts.values())
        tree = Tree.joined(self._guess, {score: part.tree for score, part in self._parts.items()})
        opener = FirstGuess(
            game.guesses[self._guess], 2 * len(game.secrets) - 1, least, exact=False
        )
        return Answer(tree, [opener], False, least, self._problem.within)

    def _narrow(self, part: _Part) -> None:
        """Bring the bounds of a bucket together, as far as they will come."""
        if not part.widened:
            self._take(part, self._grown(part.state))
            part.widened = True
        if part.by_cores is not None:
            self._give_up(part, part.by_cores)
        if part.least < part.losses:
            self._lose_fewer(part)
        part.settled = True

    def _take(self, part: _Part, tree: Tree) -> None:
        """Keep a strategy if it is better."""
        value = self._value(tree, part.state)
        if value < part.value:
            part.tree, part.value = tree, value

    def _give_up(self, part: _Part, by_cores: LossesByCores) -> None:
        """Give up as few candidates as can be, or as few as the beam does."""
        for _ in range(MOST_CORES):
            if part.least == part.losses or not by_cores.step():
                break
            part.least = by_cores.least
        part.least = by_cores.least
        if by_cores.given_up is not None:
            others = np.setdiff1d(part.state.candidates, by_cores.given_up).astype(np.int32)
            found = self._decide(others, part.state.left)
            self._take(part, self._extended(found, part.state, set(by_cores.given_up.tolist())))

    def _extended(self, found: Tree | None, state: Situation, given_up: set[int]) -> Tree:
        """A strategy of some candidates for all of them; the beam's own where it loses no more."""
        own = self._grown(state)
        lost_here = len(given_up.intersection(state.candidates.tolist()))
        if found is None or self._value(own, state) // LOSS <= lost_here:
            return own
        game = self._problem.game
        guess, below = found.guess[0], found.below()
        return Tree.joined(
            guess,
            {
                score: self._extended(below.get(score), after, given_up)
                for score, after in children_of(game, guess, state)
            },
        )

    def _lose_fewer(self, part: _Part) -> None:
        """Count losses alone, from the bound upwards."""
        state = part.state
        if part.counted is None:
            problem = replace(
                self._problem,
                within=state.left,
                candidates=tuple(state.candidates.tolist()),
                history=state.history,
            )
            part.counted = LossesCounted(Workbench(problem), self._slice.check)
        counted = part.counted
        try:
            counted.settle(part.losses, _ENDLESS if self._slice.is_timed else _ROUNDS)
        finally:
            part.least = max(part.least, counted.least)
        tree = counted.tree
        if tree is not None:
            self._take(part, tree)

    def _grown(self, state: Situation) -> Tree:
        """What the wide beam makes of a state, the narrow one where that would take too long."""
        try:
            return self._wide.grow(state)
        except TooWideError:
            return self._quick.grow(state)

    def _value(self, tree: Tree, state: Situation) -> int:
        """The value of a strategy: guesses from this state on, and LOSS for each secret lost."""
        value, children = 0, tree.children()
        todo = [(0, state)]
        while todo:
            node, here = todo.pop()
            value += len(here.candidates)
            for score, after in children_of(self._problem.game, tree.guess[node], here):
                value += len(after.candidates) * lost(here.left)
                todo.append((children[node][score], after))
        return value


class _Slice:
    """The turn of a bucket, which ends where the next one has its own; no limit, no turns.

    It knows nothing of the search that sets it, or that would hold itself in memory.
    """

    def __init__(self, check_time: CheckTime | None) -> None:
        self.check_time = check_time
        self._end = float("inf")

    @property
    def is_timed(self) -> bool:
        """Whether the search has a time limit."""
        return self.check_time is not None

    def begin(self, seconds: float) -> None:
        """Let a turn of so many seconds begin."""
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        """Raise an error if the time is up, or the turn over."""
        if self.check_time is not None:
            self.check_time()
            if time.monotonic() > self._end:
                raise _SliceOverError


class _BeamGrower:
    """Strategies of states by a beam, all over one table."""

    def __init__(self, bench: Workbench, width: int, check_time: CheckTime) -> None:
        self._bench = bench
        self._beam = Beam(bench.table, width, check_time, _LOOKS)

    def grow(self, state: Situation) -> Tree:
        """The strategy of a state."""
        bench, tree = self._bench, Tree()
        columns = (bench.column_of[guess] for guess, _ in state.history)
        shown = shown_by(bench.table, columns, int(state.candidates[0]))
        self._beam.plan(state.candidates, state.left, shown, tree, -1, None)
        return bench.problem.graded(tree)
