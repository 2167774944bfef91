"""Values of states and what solves states: exact engines, and beams for upper bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from ..tree import Tree
from .kernels import beam as beams
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, after_guess, lost
from .kernels.memo import State, forget, memo_of
from .kernels.score_table import REVEALED_WORDS, ScoreTable, reveal
from .kernels.search_frames import NOWHERE, Stack, Workspace, nesting, new_stack
from .kernels.state import new_scratch
from .kernels.table_vectors import Bits, Rows

#: Called now and then in a search; it may raise what breaks it off.
CheckTime = Callable[[], None]

NOTHING_REVEALED: Bits = np.zeros(REVEALED_WORDS, dtype=np.uint64)


@dataclass(frozen=True)
class Value:
    """What is known about a guess or a state: its value, or a lower bound of it."""

    bound: int
    exact: bool

    @property
    def total(self) -> int:
        """Guesses summed over the candidates, losses apart."""
        return self.bound % LOSS

    @property
    def losses(self) -> int:
        """Candidates beyond the limit."""
        return self.bound // LOSS


@dataclass(frozen=True)
class HardBucket:
    """A state that takes long, and depends on no other: whoever has time may search it."""

    rows: Rows
    left: int
    revealed: Bits
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


class SolvedWhole(Protocol):
    """A large state that was searched as a problem of its own."""

    @property
    def value(self) -> Value:
        """Its value, as far as it is within the limit."""

    @property
    def guess(self) -> int:
        """The best guess, or -1."""

    def plan(self) -> Tree:
        """An optimal strategy, if the value is within the limit."""


def buckets_of(
    table: ScoreTable, members: Rows, column: int, revealed: Bits
) -> Iterator[tuple[Rows, Bits]]:
    """The buckets of a guess in a state but its own, each with what hard mode has revealed."""
    scores = table.scores[column, members]
    for score in np.flatnonzero(np.bincount(scores)).tolist():
        rows = members[scores == score]
        if table.secret[column] != rows[0]:
            after = np.zeros(REVEALED_WORDS, dtype=np.uint64)
            reveal(table, column, int(rows[0]), revealed, after)
            yield rows, after


# ---- What solves the states of a score table


class Solver:
    """Solves states of a score table."""

    table: ScoreTable

    def value_of_state(
        self, members: Rows, left: int, revealed: Bits, limit: int = NEVER
    ) -> tuple[Value, int]:
        """The value of a state, as far as it is at most ``limit``, and the column to guess."""
        raise NotImplementedError

    def plan(self, members: Rows, left: int, revealed: Bits) -> Tree:
        """The strategy of a state, by the values of all states in it; rows stand for scores."""
        table, tree = self.table, Tree()
        todo = [(members, left, revealed, -1)]
        while todo:
            state, guesses, legal, above = todo.pop()
            _, column = self.value_of_state(state, guesses, legal)
            node = tree.add(int(table.guess[column]), above, int(state[0]))
            for rows, after in buckets_of(table, state, column, legal):
                todo.append((rows, after_guess(guesses), after, node))
        return tree


class TableSolver(Solver):
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

    def _lay(self, members: Rows, revealed: Bits) -> int:
        """Copy a state to where kernels look for it; its size."""
        self._work.scratch.members[: len(members)] = members
        self._work.stack.revealed[0] = revealed
        return len(members)


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

    def plan_of_guess(
        self,
        members: Rows,
        column: int,
        left: int,
        revealed: Bits = NOTHING_REVEALED,
        limit: int = NEVER,
        share: Share | None = None,
    ) -> tuple[Value, Tree]:
        """The value of a state if this guess is made in it, and an optimal strategy within a limit.

        Hard buckets are searched one by one, or by those that ``share`` hands them to: each within
        the slack that was there before, so that it makes no difference who searches which.
        """
        total, hard = self._opened(members, column, left, revealed, limit)
        self.bound_of_guess, most = total, min(limit, self._highest)
        below: dict[int, Tree] = {}
        if total <= most:
            solved = share(hard) if share else map(self.solved, hard)
            for bucket, (value, plan) in zip(hard, solved, strict=False):
                below[int(bucket.rows[0])] = plan
                self.bound_of_guess = total = total + max(value.bound - bucket.bound, 0)
                if total > most:
                    break
        self._check_extent(total, left)
        if total > limit:
            return Value(total, False), Tree()
        tree = Tree.of([int(self.table.guess[column])], [-1], [-1])
        buckets = buckets_of(self.table, members, column, revealed)
        for rows, after in sorted(buckets, key=lambda bucket: -len(bucket[0])):
            plan = below.get(int(rows[0])) or self.plan(rows, after_guess(left), after)
            tree.graft(plan, 0)
        return Value(total, True), tree

    def _opened(
        self, members: Rows, column: int, left: int, revealed: Bits, limit: int
    ) -> tuple[int, list[HardBucket]]:
        """What a guess takes at least, and the buckets still to be searched, smallest first."""
        raise NotImplementedError

    def _check_extent(self, total: int, left: int) -> None:
        """Refuse a total that would be taken for a loss."""

    def solved(self, bucket: HardBucket) -> tuple[Value, Tree]:
        """The value of a hard bucket, and an optimal strategy if it is within its limit."""
        (engine, own), tree = self._engine_for(bucket.rows, bucket.revealed), Tree()
        try:
            value, _ = self._value_of_bucket(engine, own, bucket)
            if value.exact:
                tree = engine.plan(own, bucket.left, bucket.revealed)
                tree = tree if engine is self else tree.of_secrets(bucket.rows.tolist())
        finally:
            self.reached = engine.reached
        return value, tree

    def _engine_for(self, rows: Rows, revealed: Bits) -> tuple[Self, Rows]:
        """The engine that searches a bucket, and the rows of the bucket there."""
        return self.narrow(rows, revealed), np.arange(len(rows), dtype=np.int32)

    def narrow(self, rows: Rows, revealed: Bits) -> Self:
        """An engine for one state."""
        raise NotImplementedError

    def _value_of_bucket(self, engine: Self, own: Rows, bucket: HardBucket) -> tuple[Value, int]:
        """The value of a hard bucket, as far as it is within its limit, and the column to guess.

        ``engine`` searches it, as ``own`` rows.
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

    def value_of_state(
        self, members: Rows, left: int, revealed: Bits, limit: int = NEVER
    ) -> tuple[Value, int]:
        """The value of a state as far as the beam sees, whatever the limit; the column to guess."""
        work, beaming, count = self._work, self._beaming, self._lay(members, revealed)
        beams.begin_anew(beaming)
        for _ in range(self._looks * (1 + count // _SMALL)):
            self.check_time()
            bound, column = beams.beam_search(work, beaming, count, left, _CHECK_INTERVAL)
            if beaming.place[beams.STATUS] == beams.ASKING:
                beaming.place[beams.ANSWER] = self._decided(int(beaming.place[beams.LEVEL_AT]))
            elif beaming.place[beams.LEVEL_AT] == NOWHERE:
                return Value(int(bound), exact=False), int(column)
        raise TooWideError("too many states for a beam of this width")

    def _decided(self, level: int) -> int:
        """A column that solves the state of a frame within its limit, or that there is none."""
        del level
        return beams.UNKNOWN

    def totals(
        self, members: Rows, left: int, revealed: Bits, column: int = -1
    ) -> tuple[int, int, int]:
        """The value of a state as far as the beam sees, its column, and the total of a guess.

        Without a guess (-1) that is the value again.
        """
        state = State(members, 0, len(members), left, revealed)
        task = beams.new_task(self.table, self._beaming, state)
        while not beams.beam_totals(self._work, task, column, _CHECK_INTERVAL):
            self.check_time()
        value, best, own = task.totals.tolist()
        return value, best, own

    def lengths(
        self, members: Rows, revealed: Bits, column: int = -1
    ) -> tuple[int, NDArray[np.int64]]:
        """By the beam's strategy without a limit: its first guess, and the guesses for each row.

        The first guess is the beam's own (-1) or another; of a whole table only.
        """
        lengths = np.zeros(len(members), dtype=np.int64)
        state = State(members, 0, len(members), UNLIMITED, revealed)
        task = beams.new_task(self.table, self._beaming, state)
        return int(beams.beam_lengths(self._work, task, column, lengths)), lengths


# ---- Forced first guesses
#
# The states after them are independent, and solved by the exact engine or a beam.


def solve_forced(
    solver: Solver,
    members: Rows,
    columns: Sequence[int],
    left: int,
    revealed: Bits,
    weights: NDArray[np.int64] | None = None,
) -> tuple[int, Tree]:
    """The value of a state in which these guesses are forced, and its strategy.

    ``weights`` are those of the rows of the table; a guess costs its price for each without them.
    """
    if not columns:
        value, _ = solver.value_of_state(members, left, revealed)
        return value.bound, solver.plan(members, left, revealed)
    table = solver.table
    tree = Tree.joined(int(table.guess[columns[0]]), {})
    total = len(members) * table.price if weights is None else int(weights[members].sum())
    for rows, after in buckets_of(table, members, columns[0], revealed):
        cost, below = solve_forced(solver, rows, columns[1:], after_guess(left), after, weights)
        total += len(rows) * lost(left) + cost
        tree.graft(below, 0, int(rows[0]))
    return int(total), tree


def loses_nothing(
    solver: Solver, members: Rows, columns: Sequence[int], left: int, revealed: Bits
) -> bool:
    """Whether every candidate of a state is found in the guesses left if these are forced."""
    if not columns:
        value, _ = solver.value_of_state(members, left, revealed, LOSS - 1)
        return value.bound < LOSS
    return all(
        not lost(left) and loses_nothing(solver, rows, columns[1:], after_guess(left), after)
        for rows, after in buckets_of(solver.table, members, columns[0], revealed)
    )
