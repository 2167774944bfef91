"""What a guess is worth to the end of the game, exactly, where few candidates are left.

The measures of a split look one score ahead. Here the exact search plays on: the *total* of a guess
is the least sum, over the candidates, of the guesses that are still to be made, this one
included, by strategies that find every candidate in the guesses that are left.

Several states may have to share one guess: a person who looks only at the number of letters hit
guesses the same word in all states with that number, and plays on with the full scores. Then
totals are sums over the states.

Two lemmas of docs/exact.md make this quick. The number of parts alone says what the total is at
least; where no bucket has more than two candidates, it is just that. So guesses are tried in the
order of that bound, until it passes the best total found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..exact.first_guesses.problem import Problem
from ..exact.first_guesses.workbench import Workbench
from ..exact.lemmas import LOSS, least_by_parts
from ..game.game import Game
from ..machine.clock import OutOfTimeError
from ..machine.rows import Ids
from ..splits.measures import split_measures
from ..splits.ranking import RankedGuesses

#: In buckets up to this size there is nothing to choose.
_PLAIN = 2
#: No total is larger; whatever is has left a candidate unsolved.
_CEILING = LOSS - 1


class Best(NamedTuple):
    """The guesses of least total in a state."""

    #: None: no guess was found that leads to every candidate in time.
    total: int | None
    #: All guesses with that total, ascending.
    guesses: list[int]
    #: Whether all other guesses are proved to be worse; else the search was broken off.
    proved: bool


class MeasuredState(NamedTuple):
    """A set of candidates, and how each guess splits it."""

    #: Positions of the secrets that are still possible.
    candidates: Ids
    #: For each guess of the game its parts and its largest bucket.
    parts: NDArray[np.int32]
    largest: NDArray[np.int32]

    @classmethod
    def of(cls, game: Game, candidates: Ids) -> MeasuredState:
        """The state of some candidates with the splits by all guesses."""
        measures = split_measures(game.score_rows(None, candidates), game.n_scores)
        return cls(candidates, measures.parts, measures.largest)

    @classmethod
    def of_ranked(cls, candidates: Ids, ranked: RankedGuesses) -> MeasuredState:
        """The state with the splits that are known from a ranking; no other guess is asked for."""
        parts, largest = np.zeros((2, len(ranked.game.guesses)), dtype=np.int32)
        parts[ranked.rows["guess"]] = ranked.rows["parts"]
        largest[ranked.rows["guess"]] = ranked.rows["largest"]
        return cls(candidates, parts, largest)


class ExactTotals:
    """The exact worth of guesses in one state, or in several that share the guess."""

    def __init__(
        self,
        game: Game,
        states: Sequence[MeasuredState],
        guesses_left: int | None,
        *,
        hard: bool = False,
        before: Sequence[int] = (),
        patient: bool = True,
        check_time: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask about some states at once, with so many guesses left (None: no limit).

        Hard mode has to know the guesses ``before``; their scores follow from the candidates.
        Without patience, hard states are given up with CouldNotFinishError. ``check_time`` is
        called between steps and may raise that too.
        """
        self._check_time = check_time
        self._states = [
            _StateValues(game, state, guesses_left, hard, before, patient, check_time)
            for state in states
        ]
        self._bounds = np.sum([state.bounds for state in self._states], axis=0)

    def total(self, guess: int) -> int | None:
        """The total of a guess; None if it leaves too few guesses for some candidate."""
        value = self._value(guess, _CEILING)
        return value if value <= _CEILING else None

    def best(self, guess_ids: Ids | None = None) -> Best:
        """The guesses of least total out of some (of all, if None), ties included.

        If the search is broken off, the best so far.
        """
        bounds = self._bounds if guess_ids is None else self._bounds[guess_ids]
        least, ties, proved = _CEILING, list[int](), True
        try:
            for place in np.argsort(bounds, kind="stable"):
                if bounds[place] > least:
                    break
                guess = int(place if guess_ids is None else guess_ids[place])
                value = self._value(guess, least)
                if value < least:
                    least, ties = value, []
                if value == least:
                    ties.append(guess)
                self._check_time()
        except CouldNotFinishError:
            proved = False
        return Best(least if ties else None, sorted(ties), proved)

    def _value(self, guess: int, limit: int) -> int:
        """The value of a guess, or anything above the limit."""
        total = int(self._bounds[guess])
        for state in self._states:
            if total > limit:
                return total
            known = int(state.bounds[guess])
            total += state.value(guess, limit - total + known) - known
        return total


class _StateValues:
    """The values of guesses in one state; the exact search is set up when it is first needed."""

    def __init__(
        self,
        game: Game,
        state: MeasuredState,
        left: int | None,
        hard: bool,
        before: Sequence[int],
        patient: bool,
        check_time: Callable[[], None],
    ) -> None:
        count = len(state.candidates)
        few = replace(game, secrets=tuple(game.secrets[at] for at in state.candidates))
        hit = np.zeros(len(game.guesses), dtype=np.intp)
        hit[few.secret_ids] = 1
        first = few.score_rows(np.array(before, dtype=np.int32))[:, 0].tolist()
        history = tuple(zip(before, first, strict=True))
        self._problem = Problem(few, hard, left, history=history)
        self._patient = patient
        self._check_time = check_time
        self._bench: Workbench | None = None
        by_parts = [
            [least_by_parts(1, count, parts, hits, self._problem.left) for hits in (0, 1)]
            for parts in range(int(state.parts.max()) + 1)
        ]
        #: For each guess: no strategy that begins with it has a smaller value …
        self.bounds = np.array(by_parts, dtype=np.int64)[state.parts, hit]
        #: … and some has this one, if nothing is left to choose.
        self._plain = state.largest <= _PLAIN

    def value(self, guess: int, limit: int) -> int:
        """The value of a guess, or anything above the limit."""
        if self._plain[guess] or self.bounds[guess] > limit:
            return int(self.bounds[guess])
        if self._bench is None:
            self._bench = Workbench(self._problem, self._check_time)
        value = self._bench.value(self._bench.column_of[guess], limit, self._patient)
        if value.bound <= limit and not value.exact:
            raise OutOfTimeError("the state is too hard to be looked through at once")
        return value.bound
