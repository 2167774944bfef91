"""Exact values of guesses and states, and the strategies that attain them.

An engine searches one score table. It hands the hard states among the buckets of a guess to an
engine of their own (see ``narrow``), keeps count of the work, and stops where it is told to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...tree import Tree
from ..lemmas import LOSS, NEVER, after_guess, guesses_left
from ..state_values.branch_and_bound import branch_and_bound, list_state
from ..state_values.deepening import Lists, search
from ..state_values.guesses_to_try import list_guesses
from ..state_values.memo import forget, new_memo, note
from ..state_values.results import HardBucket, Rows, Share, Shown, Value, parted
from ..state_values.scratch_memory import State, new_scratch
from ..state_values.search_frames import NOWHERE, Workspace, nesting, new_stack
from ..state_values.split_state import glance
from ..table.narrowed import narrowed
from ..table.score_table import SHOWN_WORDS, ScoreTable, show
from .buckets import HARD, OPEN, SCORES, SETTLED, new_buckets, raise_bound, slack
from .ceilings import Ceilings, no_ceilings
from .exact_value import Batch, settle_buckets
from .lower_bounds import screen
from .shared_counts import new_shared_count

#: Tells of a state whether it is proved that the guesses left are too few for its candidates.
Hopeless = Callable[[Rows, int, Shown], bool]

NOTHING_SHOWN: Shown = np.zeros(SHOWN_WORDS, dtype=np.uint64)
#: Units of work between two looks at the clock.
BREATH = 2_000_000
#: The same for branch and bound, whose units weigh more.
_BRANCHED = 500_000
#: How much longer the next breath is: a search deep down may be cut short, and must end some time.
_DEEPER = 1.1
#: The guesses of a hard state are listed this far above its bound at once.
_HORIZON = 16
#: Above its bound by one in so many candidates a state is left to branch and bound.
_FAR = 2
#: A value is near a bound if it is no further above it than one in so many candidates.
_NEAR = 4
#: The memo of a state has 2 ** this many slots for each candidate.
_LEAST_BITS = 9


class Engine:
    """Searches one score table; memory is allocated once."""

    def __init__(
        self,
        table: ScoreTable,
        memo_bits: int = 18,
        check_time: Callable[[], None] = lambda: None,
        ceilings: Ceilings | None = None,
        batch: int = 1,
        hopeless: Hopeless | None = None,
    ) -> None:
        self.table = table
        self._hopeless = hopeless
        self._bits = memo_bits
        #: Asked now and then; it may raise what breaks the search off.
        self.check_time = check_time
        count, width = len(table.column), len(table.guess)
        self.memo = new_memo(table, memo_bits)
        self.scratch = new_scratch(count, nesting(count))
        self._stack = new_stack(count, width, 256)
        self._work = Workspace(table, self.memo, self.scratch, self._stack)
        self._buckets = new_buckets(batch, count)
        self._batch = Batch(
            no_ceilings(table) if ceilings is None else ceilings,
            self._buckets,
            new_shared_count(max(SCORES, 2 * batch), SCORES, count, width),
        )
        self._ceiling = aligned((width,))
        #: What the state that was searched last, or the hard bucket, takes at least, as far as it
        #: was looked at.
        self.reached = 0

    @property
    def ceilings(self) -> Ceilings:
        """The tables that ceilings come from."""
        return self._batch.ceilings

    @ceilings.setter
    def ceilings(self, ceilings: Ceilings) -> None:
        self._batch = self._batch._replace(ceilings=ceilings)

    def forget(self) -> None:
        """Empty the memo of the search."""
        forget(self.memo)

    # --- values ---------------------------------------------------------------------------

    def value_of_guess(
        self,
        members: Rows,
        column: int,
        left: int,
        shown: Shown = NOTHING_SHOWN,
        limit: int = NEVER,
        patient: bool = True,
    ) -> Value:
        """The value of a state if this guess is made in it, as far as it is at most ``limit``.

        Without patience hard buckets are left alone; then the bound may be no value and within
        the limit.
        """
        buckets = self._buckets
        hard = self._settle(members, column, left, shown, limit)
        if hard and not patient and buckets.total[0] <= limit:
            return Value(int(buckets.total[0]), False)
        for k in hard:
            if buckets.total[0] > limit:
                break
            self._take_over(k, self._searched(self._hard_bucket(k, column, left, shown, limit)))
        total = int(buckets.total[0])
        return Value(total, total <= limit)

    @property
    def bound_of_guess(self) -> int:
        """What the guess that was searched last takes at least, as far as it was looked at."""
        return int(self._buckets.total[0])

    def plan_of_guess(
        self,
        members: Rows,
        column: int,
        left: int,
        shown: Shown = NOTHING_SHOWN,
        limit: int = NEVER,
        share: Share | None = None,
    ) -> tuple[Value, Tree]:
        """The value of a state if this guess is made in it, and an optimal strategy within a limit.

        Hard buckets are searched one by one, or by those that ``share`` hands them to: each within
        the slack that was there before, so that it makes no difference who searches which.
        """
        buckets, nodes = self._buckets, Tree()
        hard = self._settle(members, column, left, shown, limit)
        below: dict[int, Tree] = {}
        if hard and buckets.total[0] <= limit:
            tasks = [self._hard_bucket(k, column, left, shown, limit) for k in hard]
            for k, (value, plan) in zip(hard, (share or self._one_by_one)(tasks), strict=False):
                self._take_over(k, value)
                below[k] = plan
                if buckets.total[0] > limit:
                    break
        total = int(buckets.total[0])
        if total > limit:
            return Value(total, False), nodes
        node = nodes.add(int(self.table.guess[column]), -1, -1)
        for k in range(int(buckets.number[0])):
            rows, after = self._bucket(k, column, shown)
            if k in below:
                nodes.graft(below[k], node)
            elif self.table.secret[column] != rows[0]:
                self.plan(rows, after_guess(left), after, nodes, node, None)
        return Value(total, True), nodes

    def value_of_state(
        self,
        members: Rows,
        left: int,
        shown: Shown = NOTHING_SHOWN,
        limit: int = NEVER,
        least: int = 0,
    ) -> tuple[Value, int]:
        """The value of a state, as far as it is at most ``limit``, and the column to guess.

        It may be known already that no value is below ``least``.
        """
        count = self._lay(members, shown)
        state = State(self.scratch.members, 0, count, left, shown)
        bound, exact, column = glance(
            self.table, self.memo, self.scratch, self.table.parts, state, limit, count
        )
        if exact == 1 or bound > limit:
            return Value(bound, exact == 1), column
        if least > limit:
            return Value(least, False), column
        return self._search(members, left, shown, max(bound, least), limit, lifted=least > bound)

    def _search(
        self, members: Rows, left: int, shown: Shown, bound: int, limit: int, lifted: bool
    ) -> tuple[Value, int]:
        """Search a state: far above its bound, where losses are, by branch and bound."""
        count = len(members)
        near = bound + max(_HORIZON, count // _FAR)
        if limit <= near:
            return self._deepen(members, left, bound, limit, lifted)
        if near < LOSS:
            value, column = self._deepen(members, left, bound, near, lifted)
            if value.exact or value.bound > limit:
                return value, column
        return self.branch(members, left, shown, limit)

    def branch(
        self, members: Rows, left: int, shown: Shown, limit: int, first: int = -1
    ) -> tuple[Value, int]:
        """The value of a state by branch and bound, or of a guess in the state last ``listed``."""
        count = self._lay(members, shown)
        place = np.full(1, NOWHERE, dtype=np.int64)
        while True:
            bound, exact, column = branch_and_bound(
                self._work, place, count, left, limit, first, _BRANCHED
            )
            self.check_time()
            if exact >= 0:
                return Value(int(bound), exact == 1), int(column)

    def listed(
        self, members: Rows, left: int, shown: Shown, limit: int = NEVER
    ) -> list[tuple[int, int]]:
        """The guesses of a state that may be within a limit: (bound, column), ascending."""
        count = self._lay(members, shown)
        end = list_state(self.table, self.scratch, self._stack, count, left, limit)
        stack = self._stack
        return list(zip(stack.bounds[:end].tolist(), stack.columns[:end].tolist(), strict=True))

    def _deepen(
        self, state: Rows, left: int, bound: int, limit: int, lifted: bool
    ) -> tuple[Value, int]:
        """Search the state in the scratch memory level by level, breathing now and then.

        From a ``lifted`` bound on: the levels below it are known to fail.
        """
        count = len(state)
        scratch, stack = self.scratch, self._stack
        filed = State(scratch.members, 0, count, guesses_left(left, count), stack.shown[0])
        members = scratch.members[:count].copy()
        ceiling = self._ceiling
        ceiling[:] = self.table.parts
        step, breath = _HORIZON, float(BREATH)
        while True:
            horizon = min(limit, bound + step)
            step *= 4
            scratch.members[:count] = members
            end = list_guesses(self.table, scratch, stack, ceiling, filed, horizon, 0)
            if lifted:
                np.maximum(stack.bounds[:end], bound, out=stack.bounds[:end])
            lists = Lists(0, end, len(ceiling))
            exact = -1
            while exact == -1:
                bound, exact, column = search(
                    self._work, ceiling, count, left, horizon, lists, int(breath)
                )
                breath *= _DEEPER
                self.reached = max(self.reached, int(bound))
                self.check_time()
            if exact == 1 or bound > limit:
                return Value(bound, exact == 1), column

    def _lay(self, members: Rows, shown: Shown) -> int:
        """Copy a state to where kernels look for it; its size."""
        self.scratch.members[: len(members)] = members
        self._stack.shown[0] = shown
        return len(members)

    def screen(
        self, members: Rows, columns: Rows, left: int, shown: Shown, limit: int
    ) -> NDArray[np.int64]:
        """Bounds of a batch of guesses at a glance, good as far as they are within the limit."""
        state = State(members, 0, len(members), left, shown)
        screen(self._work, self._batch, state, columns, limit)
        return self._buckets.total[: len(columns)].copy()

    def _settle(self, members: Rows, column: int, left: int, shown: Shown, limit: int) -> list[int]:
        """Bound the buckets of a guess, settle the easy ones; the hard ones, the smallest first."""
        buckets = self._buckets
        self.screen(members, np.array([column], dtype=np.int32), left, shown, limit)
        if buckets.total[0] <= limit:
            state = State(members, 0, len(members), left, shown)
            settle_buckets(self._work, self._batch, state, limit)
        return [k for k in reversed(range(buckets.number[0])) if buckets.state[0, k] == HARD]

    def _hard_bucket(self, k: int, column: int, left: int, shown: Shown, limit: int) -> HardBucket:
        rows, after = self._bucket(k, column, shown)
        bound = int(self._buckets.bound[0, k])
        near = bound + len(rows) // _NEAR
        most = int(slack(self._buckets, 0, k, limit))
        return HardBucket(rows, after_guess(left), after, near, most, bound)

    def _take_over(self, k: int, value: Value) -> None:
        """Note what was found out about a bucket."""
        raise_bound(self._buckets, 0, k, value.bound)
        self._buckets.state[0, k] = SETTLED if value.exact else OPEN

    def _one_by_one(self, buckets: Sequence[HardBucket]) -> Iterator[tuple[Value, Tree]]:
        for bucket in buckets:
            yield self.solved(bucket)

    def solved(self, bucket: HardBucket) -> tuple[Value, Tree]:
        """The value of a hard bucket, and an optimal strategy if it is within its limit."""
        engine, nodes = self.narrow(bucket.rows, bucket.shown), Tree()
        try:
            value, _ = self._value_of_bucket(engine, bucket)
            if value.exact:
                own = np.arange(len(bucket.rows), dtype=np.int32)
                engine.plan(own, bucket.left, bucket.shown, nodes, -1, bucket.rows)
        finally:
            self.reached = engine.reached
        return value, nodes

    def _searched(self, bucket: HardBucket) -> Value:
        """The value of a hard bucket, kept for whatever other guess leaves the same candidates."""
        engine, count = self.narrow(bucket.rows, bucket.shown), len(bucket.rows)
        value, own = self._value_of_bucket(engine, bucket)
        exact, column = value.exact and own >= 0, -1
        if exact:
            column = int(np.flatnonzero(self.table.guess == engine.table.guess[own])[0])
        filed = guesses_left(bucket.left, count)
        state = State(bucket.rows, 0, count, filed, bucket.shown)
        note(self.table, self.memo, state, max(value.bound, bucket.bound), int(exact), column)
        return value

    def _value_of_bucket(self, engine: Engine, bucket: HardBucket) -> tuple[Value, int]:
        """The value of a hard bucket, as far as it is within its limit, and the column to guess.

        Whether it can be solved at all is asked only where its value is far above the bound: most
        can, and then the question would take longer than the search.
        """
        rows, left, shown, least = bucket.rows, bucket.left, bucket.shown, bucket.least
        near, limit = max(bucket.near, least), bucket.limit
        own = np.arange(len(rows), dtype=np.int32)
        if self._hopeless and near < min(limit, LOSS) and left < len(rows):
            value, column = engine.value_of_state(own, left, shown, near, least)
            if value.exact or value.bound > limit:
                return value, column
            hopeless = self._hopeless(rows, left, shown)
            if hopeless and limit < LOSS:
                return Value(LOSS, False), -1
            if hopeless:
                return engine.branch(own, left, shown, limit)
            if not self.table.hard:
                limit = min(limit, LOSS - 1)  # nothing need be lost
        return engine.value_of_state(own, left, shown, limit, least)

    def narrow(self, rows: Rows, shown: Shown) -> Engine:
        """An engine for one state, with a memo no larger than it needs: new memory is not free."""
        bits = min(self._bits, _LEAST_BITS + len(rows).bit_length())
        return Engine(narrowed(self.table, rows, shown), bits, self.check_time)

    def _bucket(self, k: int, column: int, shown: Shown) -> tuple[Rows, Shown]:
        """The rows of a bucket, and what hard mode asks for in it."""
        start, size = int(self._buckets.start[0, k]), int(self._buckets.size[0, k])
        rows = self._buckets.rows[0, start : start + size].copy()
        after = np.zeros(SHOWN_WORDS, dtype=np.uint64)
        show(self.table, column, int(rows[0]), shown, after)
        return rows, after

    # --- strategies -----------------------------------------------------------------------

    def plan(
        self,
        members: Rows,
        left: int,
        shown: Shown,
        nodes: Tree,
        parent: int,
        names: Rows | None,
    ) -> None:
        """Append an optimal strategy of a state to ``nodes``.

        ``names`` are the rows of the outer table, if the members are numbered by a narrowed one.
        """
        todo = [(members, left, shown, parent)]
        while todo:
            state, guesses, legal, above = todo.pop()
            _, column = self.value_of_state(state, guesses, legal)
            first = int(state[0])
            witness = first if names is None else int(names[first])
            node = nodes.add(int(self.table.guess[column]), above, witness)
            for rows, after in parted(self.table, state, column, legal):
                if self.table.secret[column] != rows[0]:
                    todo.append((rows, after_guess(guesses), after, node))
