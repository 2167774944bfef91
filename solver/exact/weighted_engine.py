"""The engine of exact search with weights: values of guesses and states, and strategies.

It answers what ``Engine`` answers, where a value is the sum of weight times guesses. The rows of
its table stand in the order of their weights, the heaviest first; ``Problem`` sees to that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import CouldNotFinishError
from .kernels.lemmas import LOSS, NEVER, UNLIMITED
from .kernels.memo import State
from .kernels.score_table import ScoreTable
from .kernels.search import screen_weighted
from .kernels.search_frames import BUCKETS_END, COST
from .kernels.state import work_done
from .kernels.state_search import CHECK_INTERVAL
from .kernels.table_columns import narrowed
from .kernels.table_vectors import Rows, Sums
from .kernels.weighted_states import VALUE, new_weighing, quick_weighted
from .values import CheckTime, HardBucket, TableEngine, Value, bits_for

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

    state: State
    bound: int
    exact: bool
    #: The engine and the bucket there, once it is searched.
    engine: tuple[WeightedEngine, State] | None = None


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

    def price_of(self, state: State) -> int:
        """What a guess in a state costs: the weight of its candidates."""
        return int(self.weights[state.members].sum())

    def screen(self, state: State, columns: Rows, limit: int) -> Sums:
        """Quick bounds of guesses, good as far as they are within the limit."""
        totals = np.zeros(len(columns), dtype=np.int64)
        count, most = self._lay(state), min(limit, LOSS - 1)
        screen_weighted(self._work, self._weighing, columns, count, state.left, most, totals)
        return totals

    def value_of_guess(
        self, state: State, column: int, limit: int = NEVER, patient: bool = True
    ) -> Value:
        """As ``TableEngine`` says; a guess takes long after ``_PATIENCE`` units of work."""
        total, buckets = self._split(state, column, limit)
        most = min(limit, LOSS - 1)
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
                bucket.engine = bucket.engine or self._engine_for(bucket.state)
                engine, own = bucket.engine
                slack = min(share, self.price_of(bucket.state) // _HORIZON)
                value = engine.value_of_state(own, bucket.bound + slack, bucket.bound)
                total += max(value.bound - bucket.bound, 0)
                bucket.bound, bucket.exact = max(value.bound, bucket.bound), value.exact
                if total > most:
                    break
        self.bound_of_guess = total
        self._check_extent(total, state.left)
        return Value(total, total <= limit, column)

    def _opened(self, state: State, column: int, limit: int) -> tuple[int, list[HardBucket]]:
        total, buckets = self._split(state, column, limit)
        slack = min(limit, LOSS - 1) - total
        hard = [it for it in reversed(buckets) if not it.exact]
        return total, [HardBucket(it.state, 0, slack + it.bound, it.bound) for it in hard]

    def _split(self, state: State, column: int, limit: int) -> tuple[int, list[_Bucket]]:
        """The bound of a guess and its buckets but its own, bounded quickly; the largest first."""
        self.screen(state, np.array([column], dtype=np.int32), limit)
        stack = self._work.stack
        end = int(stack.frames[0, BUCKETS_END])
        firsts = self._work.scratch.members[stack.bucket_start[:end]].tolist()
        bounds, exact = stack.bucket_bound[:end].tolist(), stack.bucket_exact[:end].tolist()
        known = dict(zip(firsts, zip(bounds, map(bool, exact), strict=True), strict=True))
        total = int(stack.frames[0, COST])
        buckets = []
        for after in self.buckets(state, column):
            first = after.members[0]
            least = 2 * self.price_of(after) - int(self.weights[first])
            buckets.append(_Bucket(after, *known.get(int(first), (least, True))))
        buckets.sort(key=lambda bucket: -bucket.state.size)
        return total, buckets

    def _engine_for(self, state: State) -> tuple[WeightedEngine, State]:
        return (self, state) if state.size <= _NARROW else super()._engine_for(state)

    # --- states ---------------------------------------------------------------------------

    def value_of_state(self, state: State, limit: int = NEVER, least: int = 0) -> Value:
        """As ``Engine`` says: deepened in steps that grow, from its quick bound or ``least`` on."""
        count, most = self._lay(state), min(limit, LOSS - 1)
        laid = state._replace(members=self._work.scratch.members)
        bound, kind, column = quick_weighted(
            self._work, self._weighing, self.table.parts, laid, most, count
        )
        step = self.price_of(state) // _HORIZON
        value = Value(max(int(bound), least), bool(kind == VALUE), int(column))
        while not value.exact and value.bound <= most:
            horizon = min(most, value.bound + step)
            step *= _FURTHER
            before = work_done(self._work.scratch)
            value = self._branched(state, horizon, self._weighing, CHECK_INTERVAL // 16)
            self.tally.spent += work_done(self._work.scratch) - before
        self._check_extent(value.bound, state.left)
        return value

    def _check_extent(self, total: int, left: int) -> None:
        """Refuse a total, without a limit of guesses, that would be taken for a loss."""
        if left == UNLIMITED and LOSS <= total < NEVER:
            raise CouldNotFinishError("the weights are too large for so many guesses; divide them")

    def narrow(self, state: State) -> WeightedEngine:
        """An engine for one state."""
        bits = bits_for(state.size, self._bits)
        table = narrowed(self.table, state.members, state.revealed)
        weights = self.weights[state.members]
        return WeightedEngine(table, weights, bits, self.check_time, self.tally)

    def _value_of_bucket(self, engine: WeightedEngine, own: State, bucket: HardBucket) -> Value:
        return engine.value_of_state(own, bucket.limit, bucket.bound)
