"""The engine of exact search: values of guesses and states, and strategies that attain them.

An engine searches one score table. It hands the hard states among the buckets of a guess to an
engine of their own (see ``narrow``), keeps count of the work, and can be stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..game.game import Game
from ..game.score_matrix import Letters, letter_shares, letters_in, place_sets, take_apart
from ..tree import Tree
from .kernels import ceilings as ceiling_kernels
from .kernels import fewest_lost, guess_race, guess_values, state_search
from .kernels.ceilings import Ceilings, LetterMarks
from .kernels.lemmas import LOSS, NEVER, after_guess, least
from .kernels.memo import State
from .kernels.score_table import ScoreTable, score_numbers, score_type
from .kernels.search import begin_with, list_state
from .kernels.search_frames import new_stack
from .kernels.table_columns import narrowed
from .kernels.table_vectors import Bits, Rows, Sums
from .values import (
    NOTHING_REVEALED,
    CheckTime,
    HardBucket,
    TableEngine,
    Value,
    bits_for,
    buckets_of,
    state_of,
)

#: Whether it is proved of a state that the guesses left are too few for its candidates.
Hopeless = Callable[[State], bool]
#: Searches a large state over all guesses side by side; a strategy too, if one is wanted.
Large = Callable[["Engine", HardBucket, bool], tuple[Value, Tree]]

#: Units of work of branch and bound between two checks of the time limit.
_BRANCHED = 500_000
#: Without a limit of guesses so many candidates, if their value is further above the bound than one
#: in so many of them, are not deepened further but searched over all guesses side by side.
_MANY, _FAR = 48, 8


class Engine(TableEngine):
    """Searches one score table; memory is allocated once."""

    def __init__(
        self,
        table: ScoreTable,
        memo_bits: int = 18,
        check_time: CheckTime = lambda: None,
        ceilings: Ceilings | None = None,
        batch: int = 1,
        hopeless: Hopeless | None = None,
        losses: LossCounter | None = None,
        large: Large | None = None,
    ) -> None:
        """``large``: who searches large states; ``losses``: who counts what states lose."""
        scores = score_numbers(table)
        super().__init__(table, memo_bits, check_time, new_stack(table, scores))
        self._hopeless = hopeless
        self._losses = losses
        self._large = large
        _, _, self.scratch, self._stack = self._work
        self._buckets = guess_values.new_buckets(table, batch)
        self._shared = ceiling_kernels.new_shared_count(table, max(scores, 2 * batch), scores)
        #: The tables that ceilings come from.
        self.ceilings = ceiling_kernels.no_ceilings(table) if ceilings is None else ceilings
        self._guess = guess_race.new_guess_task(table)
        self._task = state_search.new_state_task(table, state_search.CHECK_INTERVAL)
        self._plan = state_search.new_plan(table, state_search.CHECK_INTERVAL)

    @property
    def _batch(self) -> guess_values.Batch:
        return guess_values.Batch(self.ceilings, self._buckets, self._shared)

    # --- values ---------------------------------------------------------------------------

    def value_of_guess(
        self, state: State, column: int, limit: int = NEVER, patient: bool = True
    ) -> Value:
        """As ``TableEngine`` says; without patience hard buckets are left alone."""
        task = self._guess
        guess_race.begin_guess(self._work, self._batch, state, task, column, limit)
        task.place[guess_race.PATIENT] = int(patient)
        while guess_race.next_bucket(self._work, self._batch, state, task):
            self._answer_bucket(state)
        self.bound_of_guess = int(task.place[guess_race.TOTAL])
        return Value(self.bound_of_guess, bool(task.place[guess_race.EXACT] == 1), column)

    def _answer_bucket(self, state: State) -> None:
        """Search the bucket that the task of a guess asks for, and hand in what was found."""
        value, task = self._searched(self._asked(state)), self._guess
        found = value.bound, int(value.exact), value.guess
        guess_race.answer_bucket(self._work, self._batch, state, task, *found)

    def _asked(self, state: State) -> HardBucket:
        """The bucket that the task of a guess asks for."""
        task, buckets = self._guess, self._buckets
        k, near, most = task.place[[guess_race.BUCKET, guess_race.NEAR, guess_race.MOST]].tolist()
        start, size, bound = (int(it[0, k]) for it in (buckets.start, buckets.size, buckets.bound))
        rows = buckets.rows[0, start : start + size].copy()
        after = state_of(rows, after_guess(state.left), task.after.copy())
        return HardBucket(after, near, most, bound)

    def _opened(self, state: State, column: int, limit: int) -> tuple[int, list[HardBucket]]:
        task = self._guess
        guess_race.begin_guess(self._work, self._batch, state, task, column, limit)
        hard = []
        while guess_race.next_bucket(self._work, self._batch, state, task):
            hard.append(self._asked(state))
        return int(self._buckets.total[0]), hard

    def value_of_state(self, state: State, limit: int = NEVER, least: int = 0) -> Value:
        """The value of a state, as far as it is at most ``limit``, and the column to guess.

        It may be known already that no value is below ``least``.
        """
        state_search.begin_state(self._task, state, limit, -1, least)
        self._go_on()
        return self._found()

    def _go_on(self) -> int:
        """Search the state of the task until that is done, or a question is asked."""
        step = -1
        while step not in (state_search.DONE, state_search.ASKING):
            step = state_search.search_state(self._work, self._task)
            self.reached = max(self.reached, int(self._task.place[state_search.REACHED]))
            self.check_time()
        return step

    def _found(self) -> Value:
        """What is known of the state of the task: its value, and the column to guess."""
        wanted = [state_search.BOUND, state_search.EXACT, state_search.COLUMN]
        bound, exact, column = self._task.place[wanted].tolist()
        return Value(bound, exact == 1, column)

    def branch(self, state: State, limit: int, first: int = -1) -> Value:
        """The value of a state by branch and bound, or of a guess in the state last ``listed``."""
        if first < 0:
            return self._branched(state, limit, None, _BRANCHED)
        begin_with(self._work, self._lay(state), state.left, limit, first, 0)
        return self._branched(state, limit, None, _BRANCHED, level=0)

    def listed(self, state: State, limit: int = NEVER) -> list[tuple[int, int]]:
        """The guesses of a state that may be within a limit: (bound, column), ascending."""
        end = list_state(self._work, self._lay(state), state.left, limit)
        stack = self._stack
        return list(zip(stack.bounds[:end].tolist(), stack.columns[:end].tolist(), strict=True))

    def screen(self, state: State, columns: Rows, limit: int) -> Sums:
        """Quick bounds of guesses, good as far as they are within the limit; batch by batch."""
        bounds = np.empty(len(columns), dtype=np.int64)
        totals = self._buckets.total
        for first in range(0, len(columns), len(totals)):
            some = columns[first : first + len(totals)]
            guess_values.screen(self._work, self._batch, state, some, limit)
            bounds[first : first + len(some)] = totals[: len(some)]
        return bounds

    def solved(self, bucket: HardBucket) -> tuple[Value, Tree]:
        """The value of a hard bucket, and an optimal strategy if it is within its limit."""
        bucket = self._with_losses(bucket)
        return self._searched_whole(bucket, True) or super().solved(bucket)

    def _searched(self, bucket: HardBucket) -> Value:
        """The value of a hard bucket, and the best guess of the game; -1 if that is not known."""
        bucket = self._with_losses(bucket)
        if (whole := self._searched_whole(bucket)) is not None:
            return whole[0]
        engine, own = self._engine_for(bucket.state)
        near = self._deepened_to(bucket)
        value = self._value_of_bucket(engine, own, replace(bucket, limit=near))
        if self._large and not value.exact and near < bucket.limit:
            return self._large(self, replace(bucket, least=value.bound), False)[0]
        guess = engine.number(value.guess) if value.guess >= 0 else -1
        return replace(value, guess=guess)

    def _deepened_to(self, bucket: HardBucket) -> int:
        """The value up to which a bucket is deepened, if its limit is higher: near its bound."""
        count, left = bucket.state.size, bucket.state.left
        if not self._large or self.table.price == 0 or count < _MANY or left < count:
            return bucket.limit
        return min(bucket.limit, max(bucket.bound, bucket.least) + count // _FAR)

    def _with_losses(self, bucket: HardBucket) -> HardBucket:
        """A hard bucket, and what it takes at least as its losses are counted."""
        state = bucket.state
        if self._losses is None or state.left != THREE or bucket.limit < LOSS:
            return bucket
        lost = self._losses.fewest(state.members, bucket.limit // LOSS + 1)
        value = lost * LOSS + least(self.table.price, state.size, state.left)
        return replace(bucket, least=max(bucket.least, value))

    def _searched_whole(
        self, bucket: HardBucket, planned: bool = False
    ) -> tuple[Value, Tree] | None:
        """A large bucket, searched over all guesses side by side where that is quicker."""
        state, least = bucket.state, bucket.least
        if self._large is None:
            return None
        sizes = state.size, state.left, bucket.bound, least, bucket.limit
        limit = guess_race.limit_of_race(self.table, *sizes)
        if limit < 0:
            return None
        if state.left < state.size and self._hopeless and self._hopeless(state):
            return None
        self.reached = 0
        return self._large(self, replace(bucket, limit=limit), planned)

    def _value_of_bucket(self, engine: Engine, own: State, bucket: HardBucket) -> Value:
        """Whether it can be solved at all is asked only where its value is far above the bound.

        Most can, and then the question would take longer than the search.
        """
        near = bucket.near if self._hopeless else -1
        state_search.begin_state(engine._task, own, bucket.limit, near, bucket.least)
        while engine._go_on() == state_search.ASKING:
            assert self._hopeless is not None
            hopeless = self._hopeless(bucket.state)
            state_search.answer_task(engine.table, engine._task, int(hopeless))
        return engine._found()

    def narrow(self, state: State) -> Engine:
        """An engine for one state."""
        table = narrowed(self.table, state.members, state.revealed)
        return Engine(table, bits_for(state.size, self._bits), self.check_time)

    def plan(self, state: State) -> Tree:
        """An optimal strategy of a state."""
        plan = self._plan
        state_search.begin_plan(plan, state)
        done = False
        while not done:
            done = state_search.plan_state(self._work, plan, state_search.CHECK_INTERVAL)
            self.check_time()
        columns, above, rows, _ = plan.nodes[:, : int(plan.place[state_search.NODES])]
        return Tree.of_rows(self.table.guess[columns], above, rows)


# ---- What states with three guesses left lose at least, counted once and kept
#
# A first guess loses what its buckets lose. So of four guesses most first guesses are excluded by
# their largest buckets alone, in a fraction of a second: a search has to do with the others only.

#: Guesses left in the states whose losses are counted.
THREE = 3
#: Columns between two checks of the time limit.
_PAUSE = 256
#: So many states are kept.
_KEPT = 4_096


class LossCounter:
    """Counts the fewest losses of states of one table, without hard mode."""

    def __init__(self, table: ScoreTable, check_time: CheckTime) -> None:
        self._table = table
        self._check_time = check_time
        words = -(-len(table.column) // 64)
        #: States that were counted, as sets of rows, and what they lose at least.
        self._sets: Bits = np.zeros((_KEPT, words), dtype=np.uint64)
        self._least = np.zeros(_KEPT, dtype=np.int64)
        self._counted = 0

    def fewest(self, rows: Rows, most: int) -> int:
        """The fewest losses of a state with three guesses left, up to ``most``."""
        most = min(most, fewest_lost.MOST_LOST)
        if most <= 0 or len(rows) <= THREE:
            return 0
        flags = np.zeros(self._sets.shape[1] * 64, dtype=np.uint8)
        flags[rows] = 1
        members = np.packbits(flags).view(np.uint64)
        inside = ((self._sets[: self._counted] & ~members) == 0).all(axis=1)
        if self._least[: self._counted][inside].max(initial=0) >= most:
            return most  # a state inside loses so many
        fewest, _ = self._count(narrowed(self._table, rows, NOTHING_REVEALED), most)
        if fewest > 0:
            at = self._counted % _KEPT
            self._sets[at], self._least[at] = members, fewest
            self._counted += 1
        return fewest

    def after(self, rows: Rows, column: int, most: int) -> int:
        """What a guess loses at least with four guesses left, up to ``most``."""
        lost, most = 0, min(most, fewest_lost.MOST_LOST)
        buckets = buckets_of(self._table, state_of(rows, THREE + 1), column)
        for bucket in sorted(buckets, key=lambda bucket: -bucket.size):
            lost += self.fewest(bucket.members, most - lost)
            if lost >= most:
                break
        return lost

    def given_up(self, rows: Rows, most: int) -> Rows | None:
        """Of a state with three guesses left the rows that a best strategy loses.

        None if no strategy loses fewer than ``most``, or than are counted.
        """
        table = narrowed(self._table, rows, NOTHING_REVEALED)
        _, column = self._count(table, min(most, fewest_lost.MOST_LOST))
        if column < 0:
            return None
        lost: list[int] = []
        everyone = state_of(np.arange(len(rows), dtype=np.int32), THREE)
        for bucket in buckets_of(table, everyone, column):  # of each part all but one (lemma 13a)
            _, second, _ = fewest_lost.fewest_repeats(table, bucket.members, fewest_lost.MOST_LOST)
            for part in buckets_of(table, bucket, second):
                lost.extend(part.members[1:].tolist())
        return rows[sorted(lost)]

    def _count(self, table: ScoreTable, most: int) -> tuple[int, int]:
        """The fewest losses of all rows of a table, and the column that loses so few."""
        count = fewest_lost.new_loss_count(table, most)
        while not fewest_lost.count_losses(table, count, _PAUSE):
            self._check_time()
        return int(count.place[fewest_lost.FEWEST]), int(count.place[fewest_lost.COLUMN])


# ---- The marks that the letters of a game make, which ceilings are based on


def ceilings_of(game: Game, table: ScoreTable, ids: Rows) -> Ceilings:
    """The ceilings of a table whose rows are the secrets at ``ids`` among the guesses."""
    if game.letters is None:
        return ceiling_kernels.no_ceilings(table)
    marks = marks_of(game, game.letters, table, ids)
    return ceiling_kernels.new_ceilings(marks, score_type(table))


def marks_of(game: Game, words: Letters, table: ScoreTable, ids: Rows) -> LetterMarks:
    """The letters of a table's columns, the marks of its secrets, the bearers of the marks."""
    apart = take_apart(words)
    sets = place_sets(words[ids], letters_in(words))
    shares = letter_shares(game.length, game.score_dtype)
    mark, bears = ceiling_kernels.number_marks(sets, apart.first, apart.places, shares)
    letters = np.full((len(table.guess), apart.terms.shape[1]), -1, dtype=np.int32)
    real = table.guess >= 0
    terms = apart.terms[table.guess[real]]
    letters[real] = np.where(terms > 0, terms, -1)
    return LetterMarks(letters, mark, bears)
