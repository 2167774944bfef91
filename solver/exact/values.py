"""Values of states and what solves states: exact engines, and beams for upper bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..tree import Tree
from .kernels import beam as beams
from .kernels.lemmas import LOSS, NEVER, after_guess, lost
from .kernels.memo import State, forget, memo_of
from .kernels.score_table import REVEALED_WORDS, ScoreTable, reveal
from .kernels.search import EXACT, INTERRUPTED, search
from .kernels.search_frames import NOWHERE, Stack, Workspace, nesting, new_stack
from .kernels.state import Weighing, new_scratch
from .kernels.table_vectors import Bits, Rows, Sums

#: Where the limit is nearer than one guess for so many candidates, a search in vain ends soon.
_SOON = 40
#: Called now and then in a search; it may raise what breaks it off.
CheckTime = Callable[[], None]

NOTHING_REVEALED: Bits = np.zeros(REVEALED_WORDS, dtype=np.uint64)


def state_of(members: Rows, left: int, revealed: Bits = NOTHING_REVEALED) -> State:
    """The state of all of some rows, ascending, with so many guesses left."""
    return State(members, 0, len(members), left, revealed)


@dataclass(frozen=True)
class Value:
    """What is known about a guess or a state: its value, or a lower bound of it."""

    bound: int
    exact: bool
    #: A guess that attains the value; -1: none is known.
    guess: int = field(default=-1, compare=False)


@dataclass(frozen=True)
class HardBucket:
    """A state that takes long, and depends on no other: whoever has time may search it."""

    state: State
    #: A value up to here is looked for before anything else.
    near: int
    #: Values above this are of no interest.
    limit: int
    #: No value is below this, the quick bound.
    bound: int = 0
    #: Nor below this: an earlier search tried every level up to there; 0 if there was none.
    least: int = 0


@dataclass(frozen=True)
class TopValues:
    """The best values of first guesses so far, which set the limit for all others."""

    #: How many places there are.
    top: int
    highest_value: int
    values: tuple[int, ...] = ()
    #: Whether few guesses have values up to there, so that it pays to ask that first.
    tight: bool = False

    @property
    def limit(self) -> int:
        """The value above which a first guess wins no place."""
        return self.values[self.top - 1] if len(self.values) >= self.top else self.highest_value

    def joined(self, value: int) -> TopValues:
        """These values and one more."""
        return replace(self, values=tuple(sorted((*self.values, value))[: self.top]))


#: Takes hard buckets, and gives their values and strategies in the same order.
Share = Callable[[Sequence[HardBucket]], Iterable[tuple[Value, Tree]]]


def buckets_of(table: ScoreTable, state: State, column: int) -> Iterator[State]:
    """The states that a guess leads to from a state, but its own bucket."""
    scores, left = table.scores[column, state.members], after_guess(state.left)
    for score in np.flatnonzero(np.bincount(scores)).tolist():
        rows = state.members[scores == score]
        if table.secret[column] != rows[0]:
            after = np.zeros(REVEALED_WORDS, dtype=np.uint64)
            reveal(table, column, int(rows[0]), state.revealed, after)
            yield state_of(rows, left, after)


# ---- What solves states


class Solver:
    """Solves states, of a score table or of sets of candidates."""

    def value_of_state(self, state: State, limit: int = NEVER) -> Value:
        """The value of a state, as far as it is at most ``limit``, and a guess that attains it."""
        raise NotImplementedError

    def buckets(self, state: State, guess: int) -> Iterable[State]:
        """The states that a guess leads to, but its own bucket."""
        raise NotImplementedError

    def number(self, guess: int) -> int:
        """The number that a guess has in the game."""
        raise NotImplementedError

    def price_of(self, state: State) -> int:
        """What a guess in a state costs, losses apart."""
        return state.size

    def value_of_forced(self, state: State, guesses: Sequence[int], limit: int = NEVER) -> Value:
        """The value of a state in which these guesses are forced."""
        if not guesses:
            return self.value_of_state(state, limit)
        total = self.price_of(state)
        for after in self.buckets(state, guesses[0]):
            total += after.size * lost(state.left) + self.value_of_forced(after, guesses[1:]).bound
        return Value(total, total <= limit, guesses[0])

    def loses_nothing(self, state: State, guesses: Sequence[int]) -> bool:
        """Whether every candidate is found in the guesses left if these are forced."""
        if not guesses:
            return self.value_of_state(state, LOSS - 1).bound < LOSS
        return all(
            not lost(state.left) and self.loses_nothing(after, guesses[1:])
            for after in self.buckets(state, guesses[0])
        )

    def best(self, state: State) -> Value:
        """The value of a state, and the first of its ``optimal_guesses``."""
        return self.value_of_state(state)

    def value_of_guess(self, state: State, guess: int, limit: int = NEVER) -> Value:
        """The value of a state if this guess is made in it, as far as it is at most ``limit``."""
        raise NotImplementedError

    def listed(self, state: State, limit: int = NEVER) -> list[tuple[int, int]]:
        """The guesses of a state that may be within a limit: (bound, guess), ascending."""
        raise NotImplementedError

    def optimal_guesses(self, state: State, value: int) -> Iterator[int]:
        """The guesses of each kind that attain the value of a state, by their bounds."""
        for _, guess in self.listed(state, value):
            if self.value_of_guess(state, guess, value).exact:
                yield guess

    def plan(self, state: State) -> Tree:
        """The strategy of a state, by the values of all states in it; rows stand for scores."""
        return self.grown(state, (), lambda here: self.value_of_state(here).guess)

    def grown(
        self, state: State, guesses: Sequence[int], choose: Callable[[State], int | Tree]
    ) -> Tree:
        """A strategy that begins with some guesses; after these a guess, or all, is chosen."""
        tree = Tree()
        todo = [(state, guesses, -1)]
        while todo:
            here, forced, above = todo.pop()
            guess = forced[0] if forced else choose(here)
            if isinstance(guess, Tree):
                tree.graft(guess, above, int(here.members[0]))
                continue
            node = tree.add(self.number(guess), above, int(here.members[0]))
            todo += [(after, forced[1:], node) for after in self.buckets(here, guess)]
        return tree

    def plan_of_forced(self, state: State, guesses: Sequence[int]) -> Tree:
        """The strategy of a state that begins with some guesses."""
        return self.grown(state, guesses, self.plan)


class OfTable(Solver):
    """Solves states of a score table; guesses are its columns."""

    table: ScoreTable

    def buckets(self, state: State, guess: int) -> Iterator[State]:
        """The states that a column leads to, but its own bucket."""
        return buckets_of(self.table, state, guess)

    def number(self, guess: int) -> int:
        """The guess of a column."""
        return int(self.table.guess[guess])

    def price_of(self, state: State) -> int:
        """What a guess in a state costs, losses apart."""
        return state.size * self.table.price


class TableSolver(OfTable):
    """Solves the states of one score table; memory is allocated once."""

    def __init__(
        self, table: ScoreTable, memo_bits: int, check_time: CheckTime, stack: Stack | None = None
    ) -> None:
        """The memo has 2 ** ``memo_bits`` slots."""
        self.table, self._bits = table, memo_bits
        #: Called now and then; it may raise what breaks the search off.
        self.check_time = check_time
        self._work = workspace(table, memo_bits, stack)

    def forget(self) -> None:
        """Begin anew, so that what follows does not depend on what was searched before."""
        forget(self._work.memo)

    def _lay(self, state: State) -> int:
        """Copy a state to where kernels look for it; its size."""
        self._work.scratch.members[: state.size] = state.members
        self._work.stack.revealed[0] = state.revealed
        return state.size


def workspace(table: ScoreTable, memo_bits: int, stack: Stack | None = None) -> Workspace:
    """What a search of the states of a table works with; its memo has 2 ** so many slots."""
    scratch = new_scratch(table, nesting(len(table.column)))
    return Workspace(table, memo_of(table, memo_bits), scratch, stack or new_stack(table))


#: The memo of a state has 2 ** this many slots for each candidate.
_LEAST_BITS = 9


def bits_for(candidates: int, most: int) -> int:
    """A memo for so many candidates has 2 ** this many slots: new memory is not free."""
    return min(most, _LEAST_BITS + candidates.bit_length())


class TableEngine(TableSolver):
    """Finds the values of guesses and states of one score table, and strategies of them."""

    #: No value above is of interest.
    _highest = NEVER
    #: What the guess that was looked at last takes at least, as far as it was; the same of the
    #: state that was searched last, or the hard bucket.
    bound_of_guess = reached = 0

    def screen(self, state: State, columns: Rows, limit: int) -> Sums:
        """Quick bounds of guesses, good as far as they are within the limit."""
        raise NotImplementedError

    def value_of_guess(
        self, state: State, column: int, limit: int = NEVER, patient: bool = True
    ) -> Value:
        """The value of a state if this guess is made in it, as far as it is at most ``limit``.

        Without patience a guess that takes long is left alone; then the bound may be no value and
        within the limit.
        """
        raise NotImplementedError

    def screened(
        self,
        state: State,
        columns: Rows,
        top_values: TopValues,
        patient: bool,
        refutes: Callable[[int], bool],
    ) -> list[tuple[int, int, bool]]:
        """Screen a batch of guesses: (column, bound, is it the value), the least bounds first.

        ``refutes`` is asked, where few guesses are within the limit, whether a guess is proved not
        to be.
        """
        bounds = self.screen(state, columns, top_values.limit)
        order = np.argsort(bounds, kind="stable")
        rising = list(zip(columns[order].tolist(), bounds[order].tolist(), strict=True))
        found = []
        for column, bound in rising:
            spare = top_values.limit - bound
            if spare < 0:  # so are all that follow
                break
            if top_values.tight and spare > state.size // _SOON and refutes(column):
                value = Value(LOSS, False)
            else:
                value = self.value_of_guess(state, column, top_values.limit, patient)
                top_values = top_values.joined(value.bound) if value.exact else top_values
            found.append((column, value.bound, value.exact))
            self.check_time()
        return found + [(column, bound, False) for column, bound in rising[len(found) :]]

    def plan_of_guess(
        self, state: State, column: int, limit: int = NEVER, share: Share | None = None
    ) -> tuple[Value, Tree]:
        """The value of a state if this guess is made in it, and an optimal strategy within a limit.

        Hard buckets are searched one by one, or by those that ``share`` hands them to: each within
        the slack that was there before, so that it makes no difference who searches which.
        """
        total, hard = self._opened(state, column, limit)
        self.bound_of_guess, most = total, min(limit, self._highest)
        below: dict[int, Tree] = {}
        if total <= most:
            solved = share(hard) if share else map(self.solved, hard)
            for bucket, (value, plan) in zip(hard, solved, strict=False):
                below[int(bucket.state.members[0])] = plan
                self.bound_of_guess = total = total + max(value.bound - bucket.bound, 0)
                if total > most:
                    break
        self._check_extent(total, state.left)
        if total > limit:
            return Value(total, False), Tree()

        def follow(after: State) -> Tree:
            return below.get(int(after.members[0])) or self.plan(after)

        return Value(total, True), self.grown(state, [column], follow)

    def _opened(self, state: State, column: int, limit: int) -> tuple[int, list[HardBucket]]:
        """What a guess takes at least, and the buckets still to be searched, smallest first."""
        raise NotImplementedError

    def _check_extent(self, total: int, left: int) -> None:
        """Refuse a total that would be taken for a loss."""

    def _branched(
        self, state: State, limit: int, weighing: Weighing | None, budget: int, level: int = NOWHERE
    ) -> Value:
        """The value of a state by branch and bound, or from a level that is laid out.

        The clock is checked after each ``budget`` of work.
        """
        count, place = self._lay(state), np.full(1, level, dtype=np.int64)
        exact = INTERRUPTED
        while exact == INTERRUPTED:
            bound, exact, column = search(
                self._work, weighing, place, count, state.left, limit, budget
            )
            self.check_time()
        return Value(int(bound), bool(exact == EXACT), int(column))

    def solved(self, bucket: HardBucket) -> tuple[Value, Tree]:
        """The value of a hard bucket, and an optimal strategy if it is within its limit."""
        (engine, own), tree = self._engine_for(bucket.state), Tree()
        try:
            value = self._value_of_bucket(engine, own, bucket)
            if value.exact:
                tree = engine.plan(own)
                tree = tree if engine is self else tree.of_secrets(bucket.state.members.tolist())
        finally:
            self.reached = engine.reached
        return value, tree

    def _engine_for(self, state: State) -> tuple[Self, State]:
        """The engine that searches a bucket, and the bucket there."""
        own = np.arange(state.size, dtype=np.int32)
        return self.narrow(state), state._replace(members=own)

    def narrow(self, state: State) -> Self:
        """An engine for one state."""
        raise NotImplementedError

    def _value_of_bucket(self, engine: Self, own: State, bucket: HardBucket) -> Value:
        """The value of a hard bucket, as far as it is within its limit, and the column to guess.

        ``engine`` searches it, as its ``own`` state.
        """
        raise NotImplementedError


# ---- The beam: strategies that cost little, as upper bounds

_MEMO_BITS = 19
_SMALL = 32
#: Units of work between two checks of the time limit.
_CHECK_INTERVAL = 500_000


class TooWideError(CouldNotFinishError):
    """A beam search was given up."""


class Beam(TableSolver):
    """Solves the states of one table with a beam of one width."""

    def __init__(
        self,
        table: ScoreTable,
        width: int,
        check_time: CheckTime = lambda: None,
        looks: int = 1 << 40,
        stack: Stack | None = None,
    ) -> None:
        """After so many checks of the time limit a state is given up: TooWideError.

        That is for a small one; larger states get the same again for every 32 candidates.
        """
        width = min(width, len(table.guess))
        stack = stack or new_stack(table, longest=width + 1)
        super().__init__(table, _MEMO_BITS, check_time, stack)
        self._looks = looks
        #: The memo at work holds what is known exactly, that of the beam what it has found.
        self._beaming = beams.new_beaming(table, memo_of(table, _MEMO_BITS), width)

    def value_of_state(self, state: State, limit: int = NEVER) -> Value:
        """The value of a state as far as the beam sees, whatever the limit."""
        work, beaming, count = self._work, self._beaming, self._lay(state)
        beams.begin_anew(beaming)
        for _ in range(self._looks * (1 + count // _SMALL)):
            self.check_time()
            bound, column = beams.beam_search(work, beaming, count, state.left, _CHECK_INTERVAL)
            if beaming.place[beams.STATUS] == beams.ASKING:
                beaming.place[beams.ANSWER] = self._decided(int(beaming.place[beams.LEVEL_AT]))
            elif beaming.place[beams.LEVEL_AT] == NOWHERE:
                return Value(int(bound), False, int(column))
        raise TooWideError("too many states for a beam of this width")

    def _decided(self, level: int) -> int:
        """A column that solves the state of a frame within its limit, or that there is none."""
        del level
        return beams.UNKNOWN

    def totals(self, state: State, column: int = -1) -> tuple[int, int, int]:
        """The value of a state as far as the beam sees, its column, and the total of a guess.

        Without a guess (-1) that is the value again.
        """
        task = beams.new_task(self.table, self._beaming, state)
        while not beams.beam_totals(self._work, task, column, _CHECK_INTERVAL):
            self.check_time()
        value, best, own = task.totals.tolist()
        return value, best, own

    def lengths(self, state: State, column: int = -1) -> tuple[int, NDArray[np.int64]]:
        """By the beam's strategy without a limit: its first guess, and the guesses for each row.

        The first guess is the beam's own (-1) or another; of a whole table only.
        """
        lengths = np.zeros(state.size, dtype=np.int64)
        task = beams.new_task(self.table, self._beaming, state)
        return int(beams.beam_lengths(self._work, task, column, lengths)), lengths
