"""Hard buckets: what is found out about one serves every other guess that leaves it."""

import os
import random
from collections.abc import Callable

import numpy as np
import pytest

from solver.exact.engine import Engine, TablesAhead
from solver.exact.kernels import guess_race, guess_values
from solver.exact.kernels.ceilings import common_space, in_space
from solver.exact.kernels.guess_values import HARD, OPEN, Batch
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.memo import State
from solver.exact.kernels.score_table import ScoreTable
from solver.exact.kernels.search_frames import Workspace
from solver.exact.kernels.table_vectors import Rows
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.values import state_of
from solver.tree import Tree
from solver.words.lists import named_list
from tests.support import raising
from tests.support.worlds import alike, game_of

#: Enough that some buckets are not settled at a glance.
_SECRETS = 200


def leave_all(work: object, batch: Batch, state: object, limit: int) -> None:
    """Every bucket that is not known at a glance is hard."""
    known = batch.buckets.state[0, : batch.buckets.number[0]]
    known[known == OPEN] = HARD


def settle_by(monkeypatch: pytest.MonkeyPatch, settle: Callable[..., None]) -> None:
    """Have the easy buckets of first guesses settled in another way."""

    def settle_guess(work: Workspace, batch: Batch, state: State, column: Rows, limit: int) -> None:
        guess_values.screen(work, batch, state, column, limit)
        if batch.buckets.total[0] <= limit:
            settle(work, batch, state, limit)

    monkeypatch.setattr(guess_race, "settle_guess", settle_guess)
    for name in ("begin_guess", "go_on_screening"):
        kernel = getattr(guess_race, name)
        plain = getattr(kernel, "py_func", kernel)
        monkeypatch.setattr(guess_race, name, plain)


class Counting(Engine):
    searches = 0

    def narrow(self, state: State) -> Engine:  # type: ignore[override]
        self.searches += 1
        return super().narrow(state)


def total_of(table: ScoreTable, tree: Tree, rows: list[int], node: int = 0) -> int:
    """What a strategy takes for some rows, by the witnesses of its nodes; all of them fall."""
    column = int(np.flatnonzero(table.guess == tree.guess[node])[0])
    total = len(rows)
    for child in (at for at, above in enumerate(tree.parent) if above == node):
        score = table.scores[column, tree.score[child]]
        branch = [row for row in rows if table.scores[column, row] == score]
        assert branch
        total += total_of(table, tree, branch, child)
        rows = [row for row in rows if row not in branch]
    assert rows in ([], [int(table.secret[column])])
    return total


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("left", [3, 5, UNLIMITED])
def test_hard_buckets_are_kept(monkeypatch: pytest.MonkeyPatch, hard: bool, left: int) -> None:
    settle_by(monkeypatch, leave_all)
    game = alike(left % 7, 250, _SECRETS)
    table = score_table_of(game, hard)
    state = state_of(np.arange(_SECRETS, dtype=np.int32), left)
    dice = random.Random(left)
    engine = Counting(table, 12)
    columns = dice.sample(range(len(game.guesses)), 8)
    for column in columns:
        fresh = Engine(table, 12)
        truth = fresh.value_of_guess(state, column)
        assert truth.exact
        for limit in (truth.bound - dice.randint(1, 5), truth.bound - 1):
            below = engine.value_of_guess(state, column, limit)
            assert not below.exact and limit < below.bound <= truth.bound
        assert engine.value_of_guess(state, column) == truth
        before = engine.searches
        assert engine.value_of_guess(state, column) == truth
        assert engine.searches == before
        if truth.bound < LOSS:
            value, tree = engine.plan_of_guess(state, column)
            assert value == truth and total_of(table, tree, state.members.tolist()) == truth.bound
    assert engine.searches > 0


def test_bounds_of_more_guesses_than_a_batch_has() -> None:
    game = alike(3, 60, 40)
    table, state = score_table_of(game, False), state_of(np.arange(40, dtype=np.int32), 4)
    columns = np.flatnonzero(table.guess >= 0).astype(np.int32)
    engines = (Engine(table, 12, batch=batch) for batch in (1, 7, len(columns)))
    bounds = [engine.screen(state, columns, NEVER).tolist() for engine in engines]
    assert bounds[0] == bounds[1] == bounds[2] and len(set(bounds[0])) > 1


# --- tables that processes share
def bench_of(secrets: int, hard: bool = False) -> SearchContext:
    words = named_list("original", "answers").words
    return SearchContext(Problem(game_of(words, words[:secrets]), hard))


def ahead_of(context: SearchContext) -> TablesAhead:
    return TablesAhead(context.table, context.engine.ceilings, np.array(context.columns, np.int32))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 64])
def test_bounds_are_the_same(hard: bool, workers: int) -> None:
    context, plain = bench_of(400, hard), bench_of(400, hard)
    ahead = ahead_of(context)
    parts = ahead.parts(workers)
    for first, end in reversed(parts):  # whoever is free
        ahead.count(first, end)
    context.engine.ceilings = ahead.ceilings
    count = parts[-1][1]
    assert ahead.ceilings.space.taken[0] == count
    assert np.count_nonzero(np.tril(ahead.ceilings.space.published)) == count
    some = context.columns[:200]
    assert np.array_equal(context.bounds(some, 2000), plain.bounds(some, 2000))
    mine, theirs = context.engine.ceilings, plain.engine.ceilings
    both = np.argwhere((mine.place >= 0) & (theirs.place >= 0))
    assert len(both) > 50
    for marks in map(tuple, both):
        table = mine.space.tables[mine.place[marks]]
        assert np.array_equal(table, theirs.space.tables[theirs.place[marks]])
    # few are left to be counted
    assert mine.space.taken[0] - count < theirs.space.taken[0] // 2


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_parts_hold_every_table_once_the_large_ones_first(workers: int) -> None:
    ahead = ahead_of(bench_of(400))
    parts = ahead.parts(workers)
    assert parts[0][0] == 0
    assert [end for _, end in parts[:-1]] == [first for first, _ in parts[1:]]
    assert all(first < end for first, end in parts)


def test_of_few_candidates_there_are_none() -> None:
    ahead = ahead_of(bench_of(12))
    assert ahead.parts(2) == [] and ahead.ceilings.space.taken.tolist() == [0]


@pytest.mark.parametrize("call", ["memfd_create", "ftruncate"])
def test_without_shared_memory_all_count_alone(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    context = bench_of(400)
    monkeypatch.setattr(os, call, raising(OSError()))
    context.look_ahead()
    assert context.ahead is None
    context.make_space()
    assert len(context.engine.ceilings.space.published) == 0


def test_what_one_has_counted_the_others_do_not_count() -> None:
    context, other = bench_of(400), bench_of(400)
    context.engine.ceilings = mine = ahead_of(context).ceilings
    other.engine.ceilings = theirs = in_space(other.engine.ceilings, mine.space)
    some = context.columns[:100]
    bounds = context.bounds(some, 2000)
    taken = int(mine.space.taken[0])
    assert taken > 50
    assert theirs.place.max() == -1
    assert np.array_equal(other.bounds(some, 2000), bounds)
    assert mine.space.taken[0] == taken and np.array_equal(theirs.place, mine.place)


def test_who_finds_no_space_counts_alone_and_what_the_others_look_at_stays() -> None:
    context, plain = bench_of(400), bench_of(400)
    context.look_ahead()
    ceilings = context.engine.ceilings
    width, marks = ceilings.space.tables.shape[1], len(ceilings.place)
    space = common_space(30, width, marks, ceilings.space.tables.dtype)
    context.engine.ceilings = ceilings._replace(space=space)
    some = context.columns[:100]
    context.bounds(some, 2000)
    space = context.engine.ceilings.space
    assert space.taken[0] >= 30
    before = space.tables.copy()
    assert (context.bounds(some[:50], 2000) <= plain.bounds(some[:50], 2000)).all()
    assert np.array_equal(space.tables, before)
    context.make_space()
    own = context.engine.ceilings
    assert own.space is not space and own.place.max() == -1
    assert len(own.space.published) == 0
    context.make_space()
    assert context.engine.ceilings is own
    context.engine.forget()
    context.bounds(some, 2000)
    assert np.array_equal(space.tables, before)
