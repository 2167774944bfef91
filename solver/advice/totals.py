"""The expected number of guesses to the end of a game, exactly, where few candidates remain.

The measures of a split look one score ahead. Here the exact search plays on: the *total* of a guess
is the least sum, over the candidates, of the guesses that are still to be made, this one
included, by strategies that find every candidate in the guesses that are left.

Several states may have to share one guess: a person who looks only at the number of letters hit
guesses the same word in all states with that number, and plays on with the full scores. Then
totals are sums over the states. Some secrets may be likelier than others: then a total is what is
expected.

Two lemmas of docs/exact.md make this quick. The number of parts alone says what the total is at
least; where no bucket has more than two candidates, it is just that. So guesses are tried in the
order of that bound, until it passes the best total found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..exact.kernels import totals as kernels
from ..exact.kernels.ceilings import new_shared_count, no_ceilings
from ..exact.kernels.guess_race import (
    KNOWN,
    PROMISING,
    Race,
    list_first_guesses,
    new_guess_task,
    new_race,
    new_screening,
)
from ..exact.kernels.guess_values import Batch, new_buckets
from ..exact.kernels.lemmas import NEVER, UNLIMITED, least_by_parts
from ..exact.kernels.memo import State
from ..exact.kernels.score_table import revealed_by, score_numbers
from ..exact.kernels.search_frames import Workspace, new_stack
from ..exact.kernels.state import work_done
from ..exact.kernels.state_search import new_state_task
from ..exact.kernels.weighted_states import new_weighing
from ..exact.problem import Problem, SearchContext, rounded_weights
from ..exact.table_layout import score_table_of
from ..exact.values import NOTHING_REVEALED, bits_for, workspace
from ..game.game import Game
from ..game.wordle import legal_after
from ..machine.arrays import Ids
from ..splits.measures import split_measures


class Best(NamedTuple):
    """The guesses of least total in a state; the best so far if a search was broken off."""

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
        check_time: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare some states at once, with so many guesses left (None: no limit).

        Hard mode has to know the guesses ``before``; their scores follow from the candidates.
        ``check_time`` is called between steps and may raise CouldNotFinishError.
        """
        self._check_time = check_time
        self._states = [
            _StateValues(game, state, guesses_left, hard, before, check_time) for state in states
        ]
        self._bounds = np.sum([state.bounds for state in self._states], axis=0)

    def total(self, guess: int) -> int | None:
        """The total of a guess; None if it leaves too few guesses for some candidate."""
        value = self._value(guess, kernels.HIGHEST)
        return value if value <= kernels.HIGHEST else None

    def best(self, guess_ids: Ids | None = None) -> Best:
        """The guesses of least total out of some (of all, if None), ties included."""
        bounds = self._bounds if guess_ids is None else self._bounds[guess_ids]
        least, ties, proved = kernels.HIGHEST, list[int](), True
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
        check_time: Callable[[], None],
    ) -> None:
        count = len(state.candidates)
        few = replace(game, secrets=tuple(game.secrets[at] for at in state.candidates))
        hit = np.zeros(len(game.guesses), dtype=np.intp)
        hit[few.secret_ids] = 1
        first = few.score_rows(np.array(before, dtype=np.int32))[:, 0].tolist()
        history = tuple(zip(before, first, strict=True))
        self._problem = Problem(few, hard, left, history=history)
        self._check_time = check_time
        self._context: SearchContext | None = None
        by_parts = [
            [least_by_parts(1, count, parts, hits, self._problem.left) for hits in (0, 1)]
            for parts in range(int(state.parts.max()) + 1)
        ]
        #: For each guess: no strategy that begins with it has a smaller value …
        self.bounds = np.array(by_parts, dtype=np.int64)[state.parts, hit]
        #: … and some has this one, if nothing is left to choose.
        self._plain = state.largest <= kernels.PLAIN

    def value(self, guess: int, limit: int) -> int:
        """The value of a guess, or anything above the limit."""
        if self._plain[guess] or self.bounds[guess] > limit:
            return int(self.bounds[guess])
        if self._context is None:
            self._context = SearchContext(self._problem, self._check_time)
        return self._context.value(self._context.column_of[guess], limit).bound


# ---- One state, looked through as far as that is quick
#
# Beside a game nobody waits for long. So the search is broken off at the first guess that is hard,
# and after so many guesses; kernels do it all.

#: The memo of such a search has 2 ** this many slots.
_MEMO_BITS = 19


class QuickTotals:
    """The worth of the guesses of a ranking in one state, where it is found out quickly."""

    def __init__(
        self,
        game: Game,
        candidates: Ids,
        ranked: NDArray[Any],
        *,
        hard: bool = False,
        before: Sequence[int] = (),
    ) -> None:
        """``ranked`` are rows of ``RankedGuesses``; hard mode knows the guesses ``before``."""
        self._game, self._candidates, self._hard, self._before = game, candidates, hard, before
        guesses, parts, largest = (
            np.ascontiguousarray(ranked[name]) for name in ("guess", "parts", "largest")
        )
        bounds = np.empty(len(ranked), dtype=np.int64)
        candidate = ranked["candidate"].astype(np.uint8)
        self._wanted = kernels.Wanted(guesses, parts, largest, candidate, bounds)
        self._place_of = {guess: place for place, guess in enumerate(guesses.tolist())}
        self._left = UNLIMITED
        self._search: _RoomForSearch | None = None

    def best(self, guesses_left: int | None, effort: int) -> Best:
        """The guesses of least total with so many guesses left, with so much effort.

        What follows has the same guesses left.
        """
        self._left = UNLIMITED if guesses_left is None else guesses_left
        self._search = None
        wanted, ties = self._wanted, np.empty(len(self._wanted.guesses), dtype=np.int32)
        kernels.bound_by_parts(wanted, len(self._candidates), self._left)
        least, number, outcome = kernels.least_plain_total(wanted, effort, ties)
        if outcome == kernels.NEEDS_TABLE:
            searched = self._searched()
            least, number, outcome = kernels.least_total(*searched, wanted, effort, ties)
        total, proved = least if number else None, outcome == kernels.PROVED
        return Best(total, sorted(ties[:number].tolist()), proved)

    def totals(self, guesses: Sequence[int]) -> dict[int, int | None]:
        """Guess → total, those left out that take too long; None: it leaves too few guesses."""
        places = np.array([self._place_of[guess] for guess in guesses], dtype=np.int32)
        totals = self._wanted.bounds[places]
        if (self._wanted.largest[places] > kernels.PLAIN).any():
            kernels.find_totals(*self._searched(), self._wanted, places, totals)
        found = zip(guesses, totals.tolist(), strict=True)
        return {
            guess: total if 0 <= total <= kernels.HIGHEST else None
            for guess, total in found
            if total != kernels.UNKNOWN
        }

    def _searched(self) -> tuple[Workspace, Batch, State, Ids]:
        """What a search of the state works with; later ones know what earlier ones found out."""
        if self._search is None:
            game = self._game
            few = replace(game, secrets=tuple(game.secrets[at] for at in self._candidates))
            self._search = _RoomForSearch(few, self._hard, self._before)
        search = self._search
        return search.work, search.batch, search.state(self._left), search.columns


class _RoomForSearch:
    """The memory of a search for totals; no ceilings are counted for single guesses."""

    def __init__(
        self,
        game: Game,
        hard: bool,
        before: Sequence[int],
        memo_bits: int = _MEMO_BITS,
        together: int = 1,
        secrets: Ids | None = None,
    ) -> None:
        """All secrets of the game are possible, or some; so many guesses are bounded together."""
        table = score_table_of(game, hard, secrets)
        count = len(table.column)
        # a list of guesses for each bucket of a guess, and those below
        self.work = workspace(table, memo_bits, new_stack(table, min(game.n_scores, count)))
        self._together = together
        self.members: Ids = np.arange(count, dtype=np.int32)
        self.columns: Ids = np.full(len(game.guesses), -1, dtype=np.int32)
        real = np.flatnonzero(table.guess >= 0).astype(np.int32)
        self.columns[table.guess[real]] = real
        #: What hard mode has seen; every candidate is a witness of the scores.
        self.revealed = NOTHING_REVEALED
        if hard:
            self.revealed = revealed_by(table, self.columns[list(before)].tolist(), 0)

    @cached_property
    def batch(self) -> Batch:
        """The guesses that are bounded together."""
        table, together = self.work.table, self._together
        scores = score_numbers(table)
        shared = new_shared_count(table, max(scores, 2 * together), scores)
        return Batch(no_ceilings(table), new_buckets(table, together), shared)

    def state(self, left: int) -> State:
        """The state of all candidates, with so many guesses left."""
        return State(self.members, 0, len(self.members), left, self.revealed)


# ---- One state, searched to the end

#: Guesses that are bounded together: as many as are promising.
_TOGETHER = PROMISING
#: Units of work between two checks of the time limit; so many times as often with weights.
_CHECK_INTERVAL, _OFTENER = 2_000_000, 20


class ProvedTotals:
    """The least totals of a state without a limit of guesses, and the total of any guess.

    Where candidates have weights, totals are sums of weight times guesses, for one unit of weight:
    what is expected. Weights are whole numbers in the search, so totals are equal to the last
    digit.
    """

    def __init__(
        self,
        problem: Problem,
        weights: NDArray[Any] | None = None,
        check_time: Callable[[], None] = lambda: None,
        effort: int | None = None,
    ) -> None:
        """``problem`` is the state; ``weights`` are those of its candidates.

        ``check_time`` is called between steps and may raise CouldNotFinishError, and so does a
        search, after units of work that ``effort`` says.
        """
        game, hard, count = problem.game, problem.hard, len(problem.secrets)
        whole = np.ones(count, dtype=np.int64)
        if weights is not None:
            whole = np.array(rounded_weights(weights.tolist()), dtype=np.int64)
        rows = np.argsort(-whole, kind="stable").astype(np.int32)  # the heaviest first
        #: The guesses of the search, by their numbers in the game of the problem.
        self._ids, before = np.arange(len(game.guesses), dtype=np.int32), list[int]()
        if hard:  # a game of what is legal, which alone is of use, and of the candidates
            history = [guess for guess, _ in problem.history]
            self._ids = np.union1d(legal_after(game, problem.history), history).astype(np.int32)
            guesses = tuple(game.guesses[guess] for guess in self._ids)
            game = replace(game, guesses=guesses, secrets=tuple(problem.secrets))
            before = np.searchsorted(self._ids, history).tolist()
        else:
            rows = problem.positions[rows]
        bits = bits_for(count, _MEMO_BITS)
        self._room = room = _RoomForSearch(game, hard, before, bits, _TOGETHER, rows)
        self._weighing = None
        if weights is not None:
            self._weighing = new_weighing(room.work.table, -np.sort(-whole))
        #: What all candidates weigh; totals are told for one unit of it.
        self._weight, self._unit = int(whole.sum()), 1 if weights is None else int(whole.sum())
        self._check_time, self._effort = check_time, effort
        self._known: dict[int, int] = {}
        self._least: int | None = None

    def best(self, top: int = 1) -> dict[int, float]:
        """The guesses of the least totals: so many, and all that tie with the last."""
        room, table = self._room, self._room.work.table
        columns = np.empty(len(table.guess), dtype=np.int32)
        race = self._race(columns[: list_first_guesses(table, room.revealed, columns)], top)
        if self._weighing is not None:
            kernels.enter_weighted(room.work, self._weighing, room.state(UNLIMITED), race)
        self._settle(race)
        found = np.flatnonzero((race.known == KNOWN) & (race.bounds <= race.values[-1]))
        names = self._ids[table.guess[found]].tolist()
        best = dict(zip(names, race.bounds[found].tolist(), strict=True))
        self._known |= best
        self._least = min(best.values())
        return {guess: total / self._unit for guess, total in best.items()}

    def total(self, guess: int, least: float | None = None) -> float:
        """The total of a guess; ``least`` is that of the best one, if it is known."""
        table = self._room.work.table
        column = int(self._room.columns[np.searchsorted(self._ids, guess)])
        if guess not in self._known:
            if table.parts[column] > 1 or table.secret[column] >= 0:
                self._known[guess] = self._total(column)
            else:  # it tells nothing
                if self._least is None and least is not None:
                    return self._weight / self._unit + least
                if self._least is None:
                    self.best()
                assert self._least is not None
                self._known[guess] = self._weight + self._least
        return self._known[guess] / self._unit

    def _total(self, column: int) -> int:
        race = self._race(np.array([column], dtype=np.int32), 1)
        self._settle(race)
        return int(race.bounds[column])

    def _race(self, columns: Ids, top: int) -> Race:
        """A race of some guesses for the least totals."""
        return new_race(columns, self._room.work.table.guess, top, NEVER, _TOGETHER)

    def _settle(self, race: Race) -> None:
        room, state, done = self._room, self._room.state(UNLIMITED), False
        table, place = room.work.table, np.zeros(kernels.PLACES, dtype=np.int64)
        place[kernels.AT] = kernels.NOBODY
        if self._weighing is None:
            screening = new_screening(_TOGETHER, len(race.values))
            bucket = new_state_task(table, _CHECK_INTERVAL)
            step = np.full(1, kernels.BEGIN, dtype=np.int64)
            totals = kernels.TotalsRace(race, screening, new_guess_task(table), bucket, step)
        while not done:
            self._check_time()
            if self._effort is not None and work_done(room.work.scratch) >= self._effort:
                raise CouldNotFinishError("this state takes long to search")
            if self._weighing is None:
                done = kernels.settle_totals(room.work, room.batch, state, totals, _CHECK_INTERVAL)
            else:
                some = max(1, _CHECK_INTERVAL // _OFTENER)
                done = kernels.settle_weighted(room.work, self._weighing, state, race, place, some)
