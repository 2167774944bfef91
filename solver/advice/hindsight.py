"""Hindsight: what a state of a game was worth, and a guess that was made in it.

The *expected guesses* of a guess are those from there on, itself included, on average over the
secrets that were possible, if all later guesses are the best ones and nothing limits their number.
Those of a state are the expected guesses of the best guess in it.

They are exact where the exact search comes to its end. Where it would take too long, a strategy is
made in both cases, the state's own and the one that begins with the guess; what it takes is a
bound: by a beam, and where very many secrets are possible by entropy, one guess ahead.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError, WrongInputError
from ..exact.first_guesses import settle
from ..exact.kernels.lemmas import NEVER, UNLIMITED
from ..exact.problem import GuessBounds, Problem, ProblemTable, SearchContext, lengths_of
from ..exact.set_engine import ExactCodes
from ..exact.values import Beam, CheckTime, state_of
from ..game.game import Game
from ..game.wordle import legal_after
from ..machine.arrays import Ids
from ..machine.clock import limit_clock
from ..rules.searcher import Searcher
from ..splits.measures import Chances, chances_of, mean_of
from ..splits.ranking import rank_guesses
from .totals import ProvedTotals

#: Up to so many candidates the exact search is used, unless somebody waits for more.
MOST_EXACT = 512
#: Up to so many a beam makes the strategy.
MOST_BEAMED = 4096
_WIDTH = 3
#: How many of the best guesses are wanted.
TOP = 3
#: The guesses that a strategy takes for each of some candidates.
Lengths = NDArray[np.int64]


class GuessValue(NamedTuple):
    """A guess in a state and what it was expected to take."""

    guess: int
    expected: float


@dataclass(frozen=True)
class Insight:
    """What can be said of a state of a game when it is over."""

    #: Positions of the secrets that were possible.
    candidates: Ids
    #: Expected guesses of the best guess; with its ties and the next best, as far as known.
    least: float
    best: tuple[GuessValue, ...]
    #: Expected guesses of the guess that was made; None: none was made.
    yours: float | None
    #: Whether all of these are exact; else they are bounds: some strategy takes so many.
    exact: bool


class Hindsight:
    """Looks back at the states of games of one kind."""

    def __init__(
        self,
        game: Game,
        *,
        hard: bool = False,
        weights: NDArray[np.float64] | None = None,
        patient: bool = False,
        time_limit: float | None = None,
        top: int = TOP,
    ) -> None:
        """``weights`` say how likely each secret is; patience searches the largest states too.

        The exact search of a state is given up after ``time_limit`` seconds. So many of the best
        guesses are wanted.
        """
        self._game, self._hard, self._weights = game, hard, weights
        self._patient, self._time_limit, self._top = patient, time_limit, top
        self._known: dict[object, Insight] = {}
        self._clock = limit_clock(None)
        #: The search that is at hand, of the state of this key.
        self._search: tuple[object, ProvedTotals | _SearchedCodes, dict[int, float]] | None = None
        self._codes: ExactCodes | None = None

    def look(
        self, candidates: Ids, history: Sequence[tuple[int, int]] = (), guess: int | None = None
    ) -> Insight:
        """What a state was worth, and a guess in it if one was made; it is remembered."""
        key = candidates.tobytes(), tuple(history) if self._hard else (), guess
        if key not in self._known:
            self._known[key] = self.search(candidates, history, guess)
        return self._known[key]

    def search(
        self, candidates: Ids, history: Sequence[tuple[int, int]] = (), guess: int | None = None
    ) -> Insight:
        """The same for whoever remembers it; another guess in the last state goes on there."""
        problem = Problem(self._game, self._hard, None, tuple(candidates.tolist()), tuple(history))
        with contextlib.suppress(WrongInputError):  # hard mode cannot spell these words
            found = self._searched(problem, candidates, guess)
            if found is not None:
                return found
        lengths = self._by_entropy(problem, candidates, guess)
        return _by_lengths(candidates, lengths, guess, self._shares(candidates))

    def _searched(self, problem: Problem, candidates: Ids, guess: int | None) -> Insight | None:
        """By the exact search or by a beam; None if the candidates are too many."""
        size = len(candidates) if self._weights is None else 1.0
        with contextlib.suppress(CouldNotFinishError):
            found = self._exactly(problem, candidates, guess)
            if found is not None:
                return _insight(candidates, *found, size, exact=True)
        if len(candidates) > MOST_BEAMED:
            return None
        beamed = _Beamed(problem)
        if self._weights is not None:
            return _by_lengths(candidates, beamed.lengths(guess), guess, self._shares(candidates))
        totals = beamed.totals(guess)
        yours = None if guess is None else totals[guess]
        return _insight(candidates, totals, yours, size, exact=False)

    def _exactly(
        self, problem: Problem, candidates: Ids, guess: int | None
    ) -> tuple[dict[int, float], float | None] | None:
        """The exact totals of the best guesses and of one that was made; None: too many secrets."""
        alike = self._weights is None
        in_codes = alike and self._top == 1 and self._game.code_space is not None
        if not (in_codes or self._patient or len(candidates) <= MOST_EXACT):
            return None
        self._clock = limit_clock(self._time_limit)
        if alike and not in_codes and len(candidates) > MOST_EXACT:
            return _searched_long(problem, guess, self._check_time)
        key = problem.candidates, problem.history if self._hard else ()
        if self._search is None or self._search[0] != key:
            search = self._search_of(problem, candidates, in_codes)
            self._search = key, search, search.best(self._top)
        _, search, totals = self._search
        return totals, None if guess is None else search.total(guess)

    def _search_of(
        self, problem: Problem, candidates: Ids, in_codes: bool
    ) -> ProvedTotals | _SearchedCodes:
        if in_codes:
            self._codes = self._codes or ExactCodes(self._game, self._check_time)
            return _SearchedCodes(self._codes, candidates)
        weights = None if self._weights is None else self._weights[candidates]
        return ProvedTotals(problem, weights, self._check_time)

    def _check_time(self) -> None:
        self._clock()

    def _shares(self, candidates: Ids) -> Chances:
        """How likely each candidate is; where all are alike, one each."""
        if self._weights is None:
            return np.ones(len(candidates))
        return chances_of(self._weights[candidates])

    def _by_entropy(
        self, problem: Problem, candidates: Ids, guess: int | None
    ) -> Iterator[tuple[int, Lengths]]:
        """By a strategy by entropy, its first guess too; and by one that begins with the guess."""
        legal = legal_after(self._game, problem.history) if self._hard else None
        rows = rank_guesses(
            self._game, candidates=candidates, guess_ids=legal, weights=self._weights
        ).rows
        searcher = Searcher(self._game, "entropy", hard=self._hard)
        for start in {int(rows["guess"][0])} | ({guess} if guess is not None else set()):
            tree = searcher.grow(candidates, [start], problem.history)
            yield start, lengths_of(problem.game, tree, candidates)


def _by_lengths(
    candidates: Ids, lengths: Iterable[tuple[int, Lengths]], guess: int | None, shares: Chances
) -> Insight:
    """What strategies take that begin with some guesses, the least of those that begin alike."""
    totals: dict[int, float] = {}
    for first, taken in lengths:
        total = mean_of(taken, shares)
        totals[first] = min(total, totals.get(first, total))
    yours = None if guess is None else totals[guess]
    size = float(round(shares.sum()))  # chances are one together, but for rounding
    return _insight(candidates, totals, yours, size, exact=False)


class _Beamed:
    """What a beam makes of a state."""

    def __init__(self, problem: Problem) -> None:
        shown = ProblemTable(problem)
        self._table, self._beam = shown.table, Beam(shown.table, _WIDTH)
        self._column_of, self._state = shown.column_of, shown.state

    def totals(self, guess: int | None) -> dict[int, float]:
        """What it takes from its best guess on, and from the one that was made."""
        made = -1 if guess is None else self._column_of[guess]
        value, column, own = self._beam.totals(self._state, made)
        totals = {int(self._table.guess[column]): float(value)}
        if guess is not None:
            totals.setdefault(guess, float(own))
        return totals

    def lengths(self, guess: int | None) -> Iterator[tuple[int, Lengths]]:
        """Guesses for each candidate, by its best guess, and by the one that was made."""
        for made in [-1] if guess is None else [-1, self._column_of[guess]]:
            column, taken = self._beam.lengths(self._state, made)
            yield int(self._table.guess[column]), taken


class _SearchedCodes:
    """The same of Mastermind for one best guess, by its own search: renamed codes are one."""

    def __init__(self, codes: ExactCodes, candidates: Ids) -> None:
        self._codes, self._state = codes, state_of(candidates, UNLIMITED)

    def best(self, top: int) -> dict[int, float]:
        """A guess of the least total."""
        assert top == 1
        value = self._codes.value_of_state(self._state)
        return {value.guess: float(value.bound)}

    def total(self, guess: int) -> float:
        """The total of a guess."""
        return float(self._codes.value_of_guess(self._state, guess).bound)


def _searched_long(
    problem: Problem, guess: int | None, check_time: CheckTime
) -> tuple[dict[int, float], float | None]:
    """The same of very many candidates, but for the best guess alone."""
    context = SearchContext(problem, check_time)
    state = GuessBounds(1)
    settle(state, context)
    totals = {guess: float(total) for guess, total, exact in state.table() if exact}
    if guess is None or guess in totals:
        return totals, totals.get(guess) if guess is not None else None
    column = context.column_of[guess]
    if context.table.parts[column] == 1 and context.table.secret[column] < 0:  # it tells nothing
        return totals, len(problem.secrets) + min(totals.values())
    return totals, float(context.value(column, NEVER).bound)


def _insight(
    candidates: Ids, totals: dict[int, float], yours: float | None, size: float, *, exact: bool
) -> Insight:
    """Totals over the candidates as expectations, best first."""
    known = sorted(GuessValue(guess, total / size) for guess, total in totals.items())
    best = tuple(sorted(known, key=lambda worth: worth.expected))
    mine = None if yours is None else yours / size
    return Insight(candidates, best[0].expected, best, mine, exact)
