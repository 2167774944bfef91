"""What the screening of first guesses relies on: ceilings, counts of many states, bounds.

``exact_value`` has no twin of its own: the values of guesses that it gives are held against brute
force in the tests of ``answers``.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest

from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.guess_values.buckets import part
from solver.exact.guess_values.ceilings import (
    TABLES,
    count_wanted,
    hopeful_in,
    lower_to_marks,
    make_space,
    start_ceiling,
    tables_of,
    want_marks,
)
from solver.exact.guess_values.letter_marks import ceilings_of
from solver.exact.guess_values.shared_counts import (
    add_state,
    enter_marks,
    find_best,
    has_room,
    highest_ceiling,
    new_shared_count,
)
from solver.exact.guess_values.table_space import own_space
from solver.exact.lemmas import NEVER, UNLIMITED
from solver.exact.state_values.scratch_memory import new_scratch
from solver.exact.table.count_lanes import LANES
from solver.exact.table.score_table import show
from solver.game.mastermind import mastermind_game
from solver.machine.rows import Ids
from tests.support.naive import marks
from tests.support.naive_exact import legal_after
from tests.support.worlds import alike


def buckets_of(guess: str, secrets: list[str]) -> dict[str, list[str]]:
    """The secrets by their score."""
    found = defaultdict(list)
    for secret in secrets:
        found[marks(guess, secret)].append(secret)
    return found


def parts(guess: str, secrets: list[str]) -> int:
    return len({marks(guess, secret) for secret in secrets})


def bound_of_bucket(bucket: list[str], legal: list[str]) -> int:
    """Lemma 2 over all guesses."""
    if len(bucket) <= 2:
        return 2 * len(bucket) - 1
    return min(3 * len(bucket) - parts(word, bucket) - (word in bucket) for word in legal)


@pytest.mark.parametrize("seed", range(3))
def test_ceilings_are_never_below_the_parts(seed: int) -> None:
    game = alike(seed, 150, 130)
    bench = Workbench(Problem(game))
    table = bench.table
    ceilings = ceilings_of(game, table, game.secret_ids)
    word_of = [game.guesses[game.secret_ids[row]] for row in range(len(table.column))]
    lowered = 0
    for column in bench.columns[::10]:
        guess = game.guesses[table.guess[column]]
        for bucket in buckets_of(guess, list(game.secrets)).values():
            row = word_of.index(bucket[0])
            want_marks(table, ceilings, column, row)
            count_wanted(table, ceilings)
            ceiling = np.zeros(len(table.guess), dtype=np.uint8)
            start_ceiling(table, bench.shown, ceiling)
            lower_to_marks(table, ceilings, column, row, ceiling)
            lowered += int((ceiling < table.parts).sum())
            for other in bench.columns[:: 1 if len(bucket) > 8 else 12]:
                assert ceiling[other] >= parts(game.guesses[table.guess[other]], bucket)
    assert lowered > 1000


def test_without_space_for_tables_ceilings_are_higher() -> None:
    game = alike(5, 60, 60)
    bench = Workbench(Problem(game))
    plenty = ceilings_of(game, bench.table, game.secret_ids)
    none_left = ceilings_of(game, bench.table, game.secret_ids)
    none_left = none_left._replace(space=own_space(1, len(bench.table.guess)))
    column = bench.columns[0]
    for ceilings in (plenty, none_left):
        want_marks(bench.table, ceilings, column, 0)
        count_wanted(bench.table, ceilings)
    loose, tight = (np.full(len(bench.table.guess), 255, dtype=np.uint8) for _ in range(2))
    lower_to_marks(bench.table, none_left, column, 0, loose)
    lower_to_marks(bench.table, plenty, column, 0, tight)
    assert (tight <= loose).all()
    assert none_left.space.taken.tolist() == [1]
    make_space(none_left)
    assert none_left.space.taken.tolist() == [0]
    assert none_left.place.max() == -1


def test_tables_that_do_not_fit_together_are_counted_in_turn() -> None:
    game = alike(17, 80, 70)
    bench = Workbench(Problem(game))
    plenty = ceilings_of(game, bench.table, game.secret_ids)
    short = ceilings_of(game, bench.table, game.secret_ids)
    short = short._replace(members=np.zeros(70, dtype=np.int32))
    for ceilings in (plenty, short):
        for column in bench.columns[:30]:
            for row in range(0, 70, 7):
                want_marks(bench.table, ceilings, column, row)
        count_wanted(bench.table, ceilings)
    count = plenty.space.taken[0]
    assert count > 10
    assert short.space.taken[0] == count
    assert (short.place == plenty.place).all()
    assert (short.space.tables[:count] == plenty.space.tables[:count]).all()


@pytest.mark.parametrize("hard", [False, True])
def test_ceilings_of_64_guesses_are_those_of_all(hard: bool) -> None:
    """What tells of 64 guesses at once agrees with the ceilings of all guesses of the bucket."""
    game = alike(9, 150, 130)
    bench = Workbench(Problem(game, hard=hard))
    table, ceilings = bench.table, ceilings_of(game, bench.table, game.secret_ids)
    shared = new_shared_count(1, 1, 130, len(table.guess))
    for column in bench.columns[:40:5]:
        buckets = bench.engine._buckets
        part(table, bench.members, column, 6, buckets, 0)
        row, size = int(buckets.rows[0, 0]), int(buckets.size[0, 0])
        want_marks(table, ceilings, column, row)
        count_wanted(table, ceilings)
        shown = np.zeros(4, dtype=np.uint64)
        show(table, column, row, bench.shown, shown)
        whole = np.zeros(len(table.guess), dtype=np.uint8)
        start_ceiling(table, shown, whole)
        lower_to_marks(table, ceilings, column, row, whole)
        places = np.zeros(TABLES, dtype=np.int32)
        tables_of(ceilings, column, row, places)
        for at in range(0, len(whole), LANES):
            need = int(whole[at : at + LANES].max())
            bits = int(hopeful_in(table, ceilings, places, shown, at, max(need, 1)))
            expected = [lane for lane in range(LANES) if whole[at + lane] >= max(need, 1)]
            assert [lane for lane in range(LANES) if bits >> lane & 1] == expected
            assert (ceilings.lanes == whole[at : at + LANES])[expected].all()
        enter_marks(ceilings, shared, 0, column, row, shown)
        assert highest_ceiling(table, ceilings, shared, 0, size) == max(1, min(whole.max(), size))


def test_sizes_of_intersections() -> None:
    game = alike(15, 90, 70)
    ceilings = Workbench(Problem(game)).engine._batch.ceilings
    bears = ceilings.bears.astype(int)
    assert (ceilings.size == bears @ bears.T).all()


STATES = (18, 40, 90)
SLACK = (70, NEVER, 3 * 90 - 30)


def states_of(seed: int) -> list[Ids]:
    dice = np.random.default_rng(seed)
    return [np.sort(dice.choice(180, n, replace=False)).astype(np.int32) for n in STATES]


def test_states_counted_together() -> None:
    game = alike(7, 200, 180)
    bench = Workbench(Problem(game))
    table, ceilings = bench.table, bench.engine._batch.ceilings
    states = states_of(1)
    shared = new_shared_count(3, 3, 180, len(table.guess))
    for t, (rows, limit) in enumerate(zip(states, SLACK, strict=True)):
        shared.tables[t] = -1
        assert has_room(shared, t, len(rows))
        add_state(table, shared, t, rows, 0, len(rows), UNLIMITED, limit)
    assert not has_room(shared, 3, 1)
    assert not has_room(shared, 2, len(shared.members))
    find_best(table, new_scratch(180, 1), ceilings, shared, 3)
    for t, (rows, limit) in enumerate(zip(states, SLACK, strict=True)):
        count = len(rows)
        true = [len(np.unique(table.scores[column, rows])) for column in range(len(table.guess))]
        hits = np.isin(table.secret, rows)
        bounds = np.where(table.guess >= 0, 3 * count - np.array(true) - hits, NEVER)
        assert shared.bound[t] == bounds.min() or bounds.min() > limit
        assert bounds.min() > limit or bounds[shared.column[t]] == bounds.min()


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("words", [pytest.param(40, marks=pytest.mark.plain), 130])
def test_bounds_of_a_batch_are_the_sums_over_the_buckets(words: int, hard: bool) -> None:
    game = alike(11, words, words * 5 // 6)
    bench = Workbench(Problem(game, hard=hard))
    columns = bench.columns[:40]
    totals = bench.bounds(columns, NEVER)
    for place in range(0, len(columns), 4):
        guess = game.guesses[bench.table.guess[columns[place]]]
        expected = len(game.secrets)
        for bucket in buckets_of(guess, list(game.secrets)).values():
            legal = list(game.guesses)
            if hard:
                legal = legal_after(guess, marks(guess, bucket[0]), legal)
            expected += bound_of_bucket(bucket, legal) if bucket != [guess] else 0
        assert totals[place] == expected
        alone = Workbench(Problem(game, hard=hard)).bounds([columns[place]], NEVER)
        assert alone[0] == expected
        for limit in (expected - 1, expected - 10):
            assert bench.bounds(columns, limit)[place] > limit
            fresh = Workbench(Problem(game, hard=hard))
            assert limit < fresh.bounds(columns, limit)[place] <= expected


def test_codes_have_no_marks() -> None:
    game = mastermind_game("mastermind:3x4")
    bench = Workbench(Problem(game))
    totals = bench.bounds(bench.columns, NEVER)
    for column, total in zip(bench.columns, totals, strict=True):
        value = bench.value(column, NEVER)
        assert value.exact
        assert total <= value.bound


def test_buckets_begin_with_the_largest() -> None:
    game = alike(13, 80, 80)
    bench = Workbench(Problem(game))
    bench.bounds(bench.columns[:2], NEVER)
    buckets = bench.engine._buckets
    part(bench.table, bench.members, bench.columns[5], 6, buckets, 0)
    sizes = buckets.size[0, : buckets.number[0]]
    guess = game.guesses[bench.table.guess[bench.columns[5]]]
    expected = sorted(map(len, buckets_of(guess, list(game.secrets)).values()), reverse=True)
    assert sizes.tolist() == expected
    assert sorted(buckets.rows[0].tolist()) == list(range(80))
