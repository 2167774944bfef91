"""The best next words in the middle of a game: exact where a search comes to an end, else bounds.

Words that lose nothing come first, whatever their total, and need no search of the others. Where
none is left, or too few, secrets must be given up: the exact search of the fewest losses is tried
with a fixed effort, counted in steps and not in seconds, so that the same question gets the same
answer. Where that does not do, a beam says what can be attained, and cores how few losses are not
excluded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ...errors import CouldNotFinishError
from ...tree import Tree
from ..first_guesses.best_guess import settle
from ..first_guesses.problem import Problem
from ..first_guesses.ranking_by_losses import Ranking
from ..first_guesses.standings import FirstGuesses
from ..first_guesses.workbench import Workbench
from ..lemmas import LOSS, NEVER
from ..state_values.beam_bounds import Beam, TooWideError
from ..state_values.forced_guesses import solve_forced
from .answer import FirstGuess
from .best_strategy import refuted
from .losses_by_cores import LossesByCores
from .losses_counted import LossesCounted

CheckTime = Callable[[], None]
#: Units of work that an exact search of losses may take.
_EFFORT = 3_000_000
#: Cores that are sought for a lower bound of the losses.
_CORES = 16
#: Guesses that the beam tries in a state, and first guesses that it tries beyond those asked for.
_WIDTH = 10
_MORE = 3
#: Looks at the clock after which the beam is given up for a narrow one.
_LOOKS = 10


class NextWords:
    """The best next words of a state, narrowed down; at any time ``best`` tells what is known."""

    def __init__(
        self,
        problem: Problem,
        top: int = 1,
        check_time: CheckTime = lambda: None,
        patient: bool = False,
    ) -> None:
        """A patient search of losses ends only when it is done, or when ``check_time`` raises."""
        self._problem = replace(problem, losses=False)
        self._top = top
        self._check_time = check_time
        self._patient = patient
        self._bench = Workbench(self._problem, check_time)
        self._state = FirstGuesses(top, self._problem.ceiling)
        self._beam: list[FirstGuess] = []
        #: Whether ``best`` is exact, ties included.
        self.proved = False
        #: No word loses fewer.
        self.least_losses = 0

    def settle(self) -> None:
        """Search for the best next words of the state."""
        bench, clock = self._bench, self._check_time
        if refuted(bench, (), clock, lambda answer: None) is None:
            settle(self._state, bench, check_time=clock)
            if self._enough():
                self.proved = True
                return
            self.least_losses = 1 if self._state.best is None else 0
        self._state = FirstGuesses(self._top)
        self._settle_losses()

    def best(self) -> list[FirstGuess]:
        """The best next words in order; those not exact lose no more, or take no more in all."""
        game = self._problem.game
        rows = [row for row in self._state.table() if row[2]]
        if not rows:
            if not self._beam:
                self._beam = self._seen_by(Beam(self._bench.table, 1))  # somebody waits for it
            return self._beam
        return [
            FirstGuess(game.guesses[guess], value % LOSS, value // LOSS, self.proved)
            for guess, value, _ in rows
        ]

    def _enough(self) -> bool:
        """Whether as many words are exact as were asked for, or as there are."""
        exact = sum(1 for row in self._state.table() if row[2])
        return exact >= min(self._top, len(self._bench.columns))

    # --- losses ---------------------------------------------------------------------------

    def _settle_losses(self) -> None:
        """The fewest losses exactly, if that can be done; else bounds."""
        self._beam = self._attained()
        state = FirstGuesses(self._top, self._last_place())
        try:
            Ranking(self._bench, self._check_effort).settle(state)
        except _TooHardError:
            self._raise_bound()
            return
        self._state, self.proved = state, True
        self.least_losses = min(value for _, value, exact in state.table() if exact) // LOSS

    def _check_effort(self, work: int) -> None:
        self._check_time()
        if work > _EFFORT and not self._patient:
            raise _TooHardError("too hard to be looked through at once")

    def _last_place(self) -> int:
        """Words above this value win no place: so much is attained."""
        if len(self._beam) < self._top:
            return NEVER
        last = self._beam[self._top - 1]
        return last.losses * LOSS + last.total

    def _raise_bound(self) -> None:
        """Find cores, all of which lose a member; then count losses alone."""
        bench, left = self._bench, self._problem.left
        search, rows = bench.possibility.search_of(bench.members, bench.shown)
        least = LossesByCores(search, left, rows).least_after(_CORES)
        counted = LossesCounted(bench, self._check_time)
        counted.settle(self._beam[0].losses, 1)
        self.least_losses = max(self.least_losses, least, counted.least)

    def _attained(self) -> list[FirstGuess]:
        """What a beam makes of promising words, best first."""
        try:
            return self._seen_by(Beam(self._bench.table, _WIDTH, self._check_time, _LOOKS))
        except TooWideError:
            return self._seen_by(Beam(self._bench.table, 1))

    def _seen_by(self, beam: Beam) -> list[FirstGuess]:
        bench, left, game = self._bench, self._problem.left, self._problem.game
        _, column = beam.value_of_state(bench.members, left, bench.shown)
        others = bench.columns[: self._top + _MORE] if self._top > 1 else []
        values = {
            int(bench.table.guess[at]): solve_forced(
                beam, bench.members, [at], left, bench.shown, Tree()
            )
            for at in {column, *others}
        }
        ranked = sorted(values.items(), key=lambda item: (item[1], item[0]))
        return [
            FirstGuess(game.guesses[guess], value % LOSS, value // LOSS, exact=False)
            for guess, value in ranked[: self._top]
        ]


class _TooHardError(CouldNotFinishError):
    """The effort was not enough."""
