"""The engine of exact search with weights: values of guesses and states, and strategies.

It answers what ``Engine`` answers, where a value is the sum of weight times guesses. The rows of
its table stand in the order of their weights, the heaviest first; ``Problem`` sees to that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from .kernels.guess_race import SOON
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, after_guess
from .kernels.memo import State
from .kernels.score_table import ScoreTable
from .kernels.search import EXACT, INTERRUPTED, screen_weighted, search
from .kernels.search_frames import BUCKETS_END, COST, NOWHERE
from .kernels.state import work_done
from .kernels.state_search import CHECK_INTERVAL
from .kernels.table_columns import narrowed
from .kernels.table_vectors import Bits, Rows, Sums
from .kernels.weighted_states import VALUE, new_weighing, quick_weighted
from .values import (
    NOTHING_REVEALED,
    CheckTime,
    HardBucket,
    TableEngine,
    TopValues,
    Value,
    bits_for,
    buckets_of,
)

#: The first limit of a state is one in so many of its weight above its bound.
_HORIZON = 32
#: The next limit is so many times as far.
_FURTHER = 4
#: States of more candidates get a score table of their own.
_NARROW = 24
#: Units of work after which a guess counts as hard.
_PATIENCE = 40_000


@dataclass
class _Bucket:
    """A bucket of a guess, and what is known of it."""

    rows: Rows
    revealed: Bits
    bound: int
    exact: bool
    #: The engine and the rows of the bucket there, once it is searched.
    engine: tuple[WeightedEngine, Rows] | None = None


@dataclass
class Tally:
    """The units of work that were spent on searching states, by an engine and those it makes."""

    spent: int = 0


class WeightedEngine(TableEngine):
    """Searches one score table whose rows have weights; memory is allocated once."""

    _highest = LOSS - 1

    def __init__(
        self,
        table: ScoreTable,
        weights: NDArray[np.int64],
        memo_bits: int = 18,
        check_time: CheckTime = lambda: None,
        tally: Tally | None = None,
    ) -> None:
        """``weights`` are those of the rows, the largest first."""
        super().__init__(table, memo_bits, check_time)
        self.tally = tally or Tally()
        self.weights = weights
        self._weighing = new_weighing(table, weights)

    # --- guesses --------------------------------------------------------------------------

    def screen(self, members: Rows, columns: Rows, left: int, revealed: Bits, limit: int) -> Sums:
        """Quick bounds of guesses, good as far as they are within the limit."""
        totals = np.zeros(len(columns), dtype=np.int64)
        count, most = self._lay(members, revealed), min(limit, LOSS - 1)
        screen_weighted(self._work, self._weighing, columns, count, left, most, totals)
        return totals

    def value_of_guess(
        self,
        members: Rows,
        column: int,
        left: int,
        revealed: Bits = NOTHING_REVEALED,
        limit: int = NEVER,
        patient: bool = True,
    ) -> Value:
        """The value of a state if this guess is made in it, as far as it is at most ``limit``.

        Without patience a guess that takes long is left alone; then the bound may be no value and
        within the limit.
        """
        total, buckets = self._split(members, column, left, revealed, limit)
        then, most = after_guess(left), min(limit, LOSS - 1)
        begun = self.tally.spent
        while total <= most:
            unsettled = [bucket for bucket in buckets if not bucket.exact]
            if not unsettled:
                break
            if not patient and self.tally.spent > begun + _PATIENCE:
                self.bound_of_guess = total
                return Value(total, False)
            share = (most - total) // len(unsettled)
            for bucket in unsettled:
                bucket.engine = bucket.engine or self._engine_for(bucket.rows, bucket.revealed)
                engine, rows = bucket.engine
                slack = min(share, int(self.weights[bucket.rows].sum()) // _HORIZON)
                value, _ = engine.value_of_state(
                    rows, then, bucket.revealed, bucket.bound + slack, bucket.bound
                )
                total += max(value.bound - bucket.bound, 0)
                bucket.bound, bucket.exact = max(value.bound, bucket.bound), value.exact
                if total > most:
                    break
        self.bound_of_guess = total
        self._check_extent(total, left)
        return Value(total, total <= limit)

    def screened(
        self,
        state: State,
        columns: Rows,
        top_values: TopValues,
        patient: bool,
        refutes: Callable[[int], bool],
    ) -> list[tuple[int, int, bool]]:
        """Screen a batch of guesses, as ``Engine`` does: (column, bound, is it the value)."""
        members, left, revealed = state.members, state.left, state.revealed
        totals = self.screen(members, columns, left, revealed, top_values.limit)
        found: list[tuple[int, int, bool]] = []
        for place in np.argsort(totals, kind="stable"):
            self.check_time()
            column, value = int(columns[place]), Value(int(totals[place]), False)
            far = top_values.limit - value.bound > state.size // SOON
            if value.bound <= top_values.limit and top_values.tight and far and refutes(column):
                value = Value(LOSS, False)
            elif value.bound <= top_values.limit:
                limit = top_values.limit
                value = self.value_of_guess(members, column, left, revealed, limit, patient)
                top_values = top_values.joined(value.bound) if value.exact else top_values
            found.append((column, value.bound, value.exact))
        return found

    def _opened(
        self, members: Rows, column: int, left: int, revealed: Bits, limit: int
    ) -> tuple[int, list[HardBucket]]:
        total, buckets = self._split(members, column, left, revealed, limit)
        then, slack = after_guess(left), min(limit, LOSS - 1) - total
        return total, [
            HardBucket(it.rows, then, it.revealed, 0, slack + it.bound, it.bound)
            for it in reversed(buckets)
            if not it.exact
        ]

    def _split(
        self, members: Rows, column: int, left: int, revealed: Bits, limit: int
    ) -> tuple[int, list[_Bucket]]:
        """The bound of a guess and its buckets but its own, bounded quickly; the largest first."""
        self.screen(members, np.array([column], dtype=np.int32), left, revealed, limit)
        stack, scratch = self._work.stack, self._work.scratch
        known = {}
        for k in range(int(stack.frames[0, BUCKETS_END])):
            start = int(stack.bucket_start[k])
            known[int(scratch.members[start])] = (
                int(stack.bucket_bound[k]),
                bool(stack.bucket_exact[k]),
            )
        total = int(stack.frames[0, COST])
        buckets = []
        for rows, after in buckets_of(self.table, members, column, revealed):
            least = 2 * int(self.weights[rows].sum()) - int(self.weights[rows[0]])
            bound, exact = known.get(int(rows[0]), (least, True))
            buckets.append(_Bucket(rows, after, bound, exact))
        buckets.sort(key=lambda bucket: -len(bucket.rows))
        return total, buckets

    def _engine_for(self, rows: Rows, revealed: Bits) -> tuple[WeightedEngine, Rows]:
        return (self, rows) if len(rows) <= _NARROW else super()._engine_for(rows, revealed)

    # --- states ---------------------------------------------------------------------------

    def value_of_state(
        self,
        members: Rows,
        left: int,
        revealed: Bits = NOTHING_REVEALED,
        limit: int = NEVER,
        least: int = 0,
    ) -> tuple[Value, int]:
        """The value of a state, as far as it is at most ``limit``, and the column to guess.

        It may be known already that no value is below ``least``.
        """
        count, most = self._lay(members, revealed), min(limit, LOSS - 1)
        state = State(self._work.scratch.members, 0, count, left, revealed)
        bound, kind, column = quick_weighted(
            self._work, self._weighing, self.table.parts, state, most, count
        )
        step = int(self.weights[members].sum()) // _HORIZON
        exact = kind == VALUE
        bound = max(int(bound), least)
        while not exact and bound <= most:
            horizon = min(most, bound + step)
            step *= _FURTHER
            bound, exact, column = self._search(members, left, revealed, horizon)
        self._check_extent(int(bound), left)
        return Value(int(bound), bool(exact)), int(column)

    def _search(
        self, members: Rows, left: int, revealed: Bits, limit: int
    ) -> tuple[int, bool, int]:
        """Search a state up to a limit, the clock checked now and then."""
        count = self._lay(members, revealed)
        place = np.full(1, NOWHERE, dtype=np.int64)
        while True:
            before = work_done(self._work.scratch)
            bound, known, column = search(
                self._work, self._weighing, place, count, left, limit, CHECK_INTERVAL // 16
            )
            self.tally.spent += work_done(self._work.scratch) - before
            self.check_time()
            if known != INTERRUPTED:
                return int(bound), known == EXACT, int(column)

    def _check_extent(self, total: int, left: int) -> None:
        """Refuse a total, without a limit of guesses, that would be taken for a loss."""
        if left == UNLIMITED and LOSS <= total < NEVER:
            raise CouldNotFinishError("the weights are too large for so many guesses; divide them")

    def narrow(self, rows: Rows, revealed: Bits) -> WeightedEngine:
        """An engine for one state."""
        bits, table = bits_for(len(rows), self._bits), narrowed(self.table, rows, revealed)
        return WeightedEngine(table, self.weights[rows], bits, self.check_time, self.tally)

    def _value_of_bucket(
        self, engine: WeightedEngine, own: Rows, bucket: HardBucket
    ) -> tuple[Value, int]:
        left, revealed = bucket.left, bucket.revealed
        return engine.value_of_state(own, left, revealed, bucket.limit, bucket.bound)
