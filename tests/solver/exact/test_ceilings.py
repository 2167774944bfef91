"""What the screening of first guesses relies on: ceilings, counts of many states, bounds.

``guess_values`` has no twin of its own: the values of guesses that it gives are held against brute
force in the tests of ``answers``.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest

from solver.exact.engine import ceilings_of
from solver.exact.kernels import ceilings as kernels
from solver.exact.kernels.guess_values import split_guess
from solver.exact.kernels.lemmas import NEVER, UNLIMITED
from solver.exact.kernels.memo import State
from solver.exact.kernels.score_table import reveal
from solver.exact.kernels.state import new_scratch
from solver.exact.kernels.table_vectors import BLOCK_COLUMNS
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.game.mastermind import mastermind_game
from tests.support.naive import legal_after, marks, split
from tests.support.worlds import alike


def parts(guess: str, secrets: Sequence[str]) -> int:
    return len(split(guess, secrets))


def bound_of_bucket(bucket: list[str], legal: list[str]) -> int:
    """Lemma 2 over all guesses."""
    if len(bucket) <= 2:
        return 2 * len(bucket) - 1
    return min(3 * len(bucket) - parts(word, bucket) - (word in bucket) for word in legal)


@pytest.mark.parametrize("seed", range(3))
def test_ceilings_are_never_below_the_parts(seed: int) -> None:
    game = alike(seed, 150, 130)
    context = SearchContext(Problem(game))
    table = context.table
    ceilings = ceilings_of(game, table, game.secret_ids)
    word_of = [game.guesses[game.secret_ids[row]] for row in range(len(table.column))]
    lowered = 0
    for column in context.columns[::10]:
        guess = game.guesses[table.guess[column]]
        for bucket in split(guess, game.secrets).values():
            row = word_of.index(bucket[0])
            kernels.want_marks(table, ceilings, column, row)
            kernels.count_wanted(table, ceilings)
            ceiling = np.zeros_like(table.parts)
            kernels.start_ceiling(table, context.revealed, ceiling)
            kernels.lower_to_marks(table, ceilings, column, row, ceiling)
            lowered += int((ceiling < table.parts).sum())
            for other in context.columns[:: 1 if len(bucket) > 8 else 12]:
                assert ceiling[other] >= parts(game.guesses[table.guess[other]], bucket)
    assert lowered > 1000


def test_without_space_for_tables_ceilings_are_higher() -> None:
    game = alike(5, 60, 60)
    table, column = score_table_of(game, False), 0
    plenty, none_left = (ceilings_of(game, table, game.secret_ids) for _ in range(2))
    none_left = none_left._replace(tables=none_left.tables[:1])
    tight, loose = (np.full_like(table.parts, 255) for _ in range(2))
    for ceilings, lowered in ((plenty, tight), (none_left, loose)):
        kernels.want_marks(table, ceilings, column, 0)
        kernels.count_wanted(table, ceilings)
        kernels.lower_to_marks(table, ceilings, column, 0, lowered)
    assert (tight <= loose).all() and (tight < 255).any()
    assert none_left.taken.tolist() == [1]
    kernels.make_space(none_left)
    assert none_left.taken.tolist() == [0] and none_left.place.max() == -1


def test_tables_that_do_not_fit_together_are_counted_in_turn() -> None:
    game = alike(17, 80, 70)
    table = score_table_of(game, False)
    plenty, short = (ceilings_of(game, table, game.secret_ids) for _ in range(2))
    short = short._replace(members=np.zeros(70, dtype=np.int32))
    for ceilings in (plenty, short):
        for column, row in product(np.flatnonzero(table.guess >= 0)[:30], range(0, 70, 7)):
            kernels.want_marks(table, ceilings, int(column), row)
        kernels.count_wanted(table, ceilings)
    count = plenty.taken[0]
    assert count > 10 and short.taken[0] == count
    assert (short.place == plenty.place).all()
    assert (short.tables[:count] == plenty.tables[:count]).all()


@pytest.mark.parametrize("hard", [False, True])
def test_ceilings_of_64_guesses_are_those_of_all(hard: bool) -> None:
    """What tells of 64 guesses at once agrees with the ceilings of all guesses of the bucket."""
    game = alike(9, 150, 130)
    context = SearchContext(Problem(game, hard=hard))
    table, ceilings = context.table, ceilings_of(game, context.table, game.secret_ids)
    shared = kernels.new_shared_count(table, 1, 1)
    for column in context.columns[:40:5]:
        buckets = context.engine._buckets
        split_guess(table, context.members, column, 6, buckets, 0)
        row, size = int(buckets.rows[0, 0]), int(buckets.size[0, 0])
        kernels.want_marks(table, ceilings, column, row)
        kernels.count_wanted(table, ceilings)
        shown = np.zeros(4, dtype=np.uint64)
        reveal(table, column, row, context.revealed, shown)
        whole = np.zeros_like(table.parts)
        kernels.start_ceiling(table, shown, whole)
        kernels.lower_to_marks(table, ceilings, column, row, whole)
        places = np.zeros(kernels.TABLES, dtype=np.int32)
        kernels.tables_of(ceilings, column, row, places)
        short = np.full(kernels.TABLES, 9, dtype=np.int32)
        kernels.tables_of(ceilings, column, row, short[:2])
        assert short.tolist() == [*places[:2].tolist(), *[9] * (kernels.TABLES - 2)]
        for at in range(0, len(whole), BLOCK_COLUMNS):
            need = int(whole[at : at + BLOCK_COLUMNS].max())
            bits = int(kernels.hopeful_in(table, ceilings, places, shown, at, max(need, 1)))
            expected = [lane for lane in range(BLOCK_COLUMNS) if whole[at + lane] >= max(need, 1)]
            assert [lane for lane in range(BLOCK_COLUMNS) if bits >> lane & 1] == expected
            assert (ceilings.lanes == whole[at : at + BLOCK_COLUMNS])[expected].all()
        kernels.enter_marks(ceilings, shared, 0, column, row, shown)
        most = max(1, min(whole.max(), size))
        assert kernels.highest_ceiling(table, ceilings, shared, 0, size) == most


def test_states_counted_together() -> None:
    context, dice = SearchContext(Problem(alike(7, 200, 180))), np.random.default_rng(1)
    table, ceilings = context.table, context.engine._batch.ceilings
    states = [np.sort(dice.choice(180, n, replace=False)).astype(np.int32) for n in (18, 40, 90)]
    limits = (70, NEVER, 3 * 90 - 30)
    shared = kernels.new_shared_count(table, 3, 3)
    for t, (rows, limit) in enumerate(zip(states, limits, strict=True)):
        shared.tables[t] = -1
        assert kernels.has_room(shared, t, len(rows))
        state = State(rows, 0, len(rows), UNLIMITED, context.revealed)
        kernels.add_state(table, shared, t, state, limit)
    assert not (kernels.has_room(shared, 3, 1) or kernels.has_room(shared, 2, len(shared.members)))
    kernels.find_best(table, new_scratch(table, 1), ceilings, shared, 3)
    for t, (rows, limit) in enumerate(zip(states, limits, strict=True)):
        true = np.array([len(np.unique(line[rows])) for line in table.scores])
        hits = np.isin(table.secret, rows)
        bounds = np.where(table.guess >= 0, 3 * len(rows) - true - hits, NEVER)
        if bounds.min() <= limit:
            assert shared.bound[t] == bounds.min() == bounds[shared.column[t]]


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("words", [pytest.param(40, marks=pytest.mark.plain), 130])
def test_bounds_of_a_batch_are_the_sums_over_the_buckets(words: int, hard: bool) -> None:
    game = alike(11, words, words * 5 // 6)
    problem = Problem(game, hard=hard)
    context = SearchContext(problem)
    columns = context.columns[:40]
    totals = context.bounds(columns, NEVER)
    for place in range(0, len(columns), 4):
        guess = game.guesses[context.table.guess[columns[place]]]
        expected = len(game.secrets)
        for bucket in split(guess, game.secrets).values():
            legal = list(game.guesses)
            if hard:
                legal = legal_after(guess, marks(guess, bucket[0]), legal)
            expected += bound_of_bucket(bucket, legal) if bucket != [guess] else 0
        assert totals[place] == expected
        assert SearchContext(problem).bounds([columns[place]], NEVER)[0] == expected
        for limit in (expected - 1, expected - 10):
            assert context.bounds(columns, limit)[place] > limit
            assert limit < SearchContext(problem).bounds(columns, limit)[place] <= expected


def test_codes_have_no_marks() -> None:
    context = SearchContext(Problem(mastermind_game("mastermind:3x4")))
    totals = context.bounds(context.columns, NEVER)
    for column, total in zip(context.columns, totals, strict=True):
        value = context.value(column, NEVER)
        assert value.exact and total <= value.bound


def test_buckets_begin_with_the_largest() -> None:
    """And ceilings know how large the intersections of all marks are."""
    game = alike(13, 80, 80)
    context = SearchContext(Problem(game))
    column, buckets = context.columns[5], context.engine._buckets
    context.bounds(context.columns[:2], NEVER)
    split_guess(context.table, context.members, column, 6, buckets, 0)
    sizes = buckets.size[0, : buckets.number[0]].tolist()
    parted = split(game.guesses[context.table.guess[column]], game.secrets).values()
    assert sizes == sorted(map(len, parted), reverse=True)
    assert sorted(buckets.rows[0].tolist()) == list(range(80))
    ceilings = context.engine._batch.ceilings
    bears = ceilings.bears.astype(int)
    assert (ceilings.size == bears @ bears.T).all()
