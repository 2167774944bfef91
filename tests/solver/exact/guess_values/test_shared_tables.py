"""Tables that processes share are those that each would count, and counted once."""

from __future__ import annotations

import os

import numpy as np
import pytest

from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.guess_values.ceilings import Ceilings, in_space
from solver.exact.guess_values.shared_tables import TablesAhead
from solver.exact.guess_values.table_space import common_space
from solver.game.words import named_list
from tests.support.worlds import game_of


def bench_of(secrets: int, hard: bool = False) -> Workbench:
    words = named_list("original", "answers").words
    return Workbench(Problem(game_of(words, words[:secrets]), hard))


def ahead_of(bench: Workbench) -> TablesAhead:
    return TablesAhead(bench.table, bench.engine.ceilings, np.array(bench.columns, np.int32))


def table_in(ceilings: Ceilings, one: int, other: int) -> np.ndarray:
    """The table of two marks, as these ceilings find it."""
    table: np.ndarray = ceilings.space.tables[ceilings.place[one, other]]
    return table


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 64])
def test_bounds_are_the_same(hard: bool, workers: int) -> None:
    bench, plain = bench_of(400, hard), bench_of(400, hard)
    ahead = ahead_of(bench)
    parts = ahead.parts(workers)
    for first, end in reversed(parts):  # whoever is free
        ahead.count(first, end)
    bench.engine.ceilings = ahead.ceilings
    count = parts[-1][1]
    assert ahead.ceilings.space.taken[0] == np.count_nonzero(np.tril(ahead.ceilings.space.told))
    assert ahead.ceilings.space.taken[0] == count
    some = bench.columns[:200]
    assert np.array_equal(bench.bounds(some, 2000), plain.bounds(some, 2000))
    mine, theirs = bench.engine.ceilings, plain.engine.ceilings
    both = np.argwhere((mine.place >= 0) & (theirs.place >= 0))
    assert len(both) > 50
    for one, other in both:
        assert np.array_equal(table_in(mine, one, other), table_in(theirs, one, other))
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
    assert ahead.parts(2) == []
    assert ahead.ceilings.space.taken.tolist() == [0]


def refusing(*_: object) -> int:
    raise OSError


@pytest.mark.parametrize("call", ["memfd_create", "ftruncate"])
def test_where_no_memory_can_be_shared_everybody_counts_alone(
    call: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = bench_of(400)
    monkeypatch.setattr(os, call, refusing)
    bench.look_ahead()
    assert bench.parts_ahead(2) == []
    bench.make_space()
    assert len(bench.engine.ceilings.space.told) == 0


def test_what_one_has_counted_the_others_do_not_count() -> None:
    bench, other = bench_of(400), bench_of(400)
    bench.engine.ceilings = mine = ahead_of(bench).ceilings
    other.engine.ceilings = theirs = in_space(other.engine.ceilings, mine.space)
    some = bench.columns[:100]
    bounds = bench.bounds(some, 2000)
    taken = int(mine.space.taken[0])
    assert taken > 50
    assert theirs.place.max() == -1
    assert np.array_equal(other.bounds(some, 2000), bounds)
    assert mine.space.taken[0] == taken
    assert np.array_equal(theirs.place, mine.place)


def test_who_finds_no_space_counts_alone_and_what_the_others_look_at_stays() -> None:
    bench, plain = bench_of(400), bench_of(400)
    bench.look_ahead()
    ceilings = bench.engine.ceilings
    width, marks = ceilings.space.tables.shape[1], len(ceilings.place)
    bench.engine.ceilings = ceilings._replace(space=common_space(30, width, marks))
    some = bench.columns[:100]
    bench.bounds(some, 2000)
    space = bench.engine.ceilings.space
    assert space.taken[0] >= 30
    before = space.tables.copy()
    assert (bench.bounds(some[:50], 2000) <= plain.bounds(some[:50], 2000)).all()
    assert np.array_equal(space.tables, before)
    bench.make_space()
    own = bench.engine.ceilings
    assert own.space is not space
    assert own.place.max() == -1
    assert len(own.space.told) == 0
    bench.make_space()
    assert bench.engine.ceilings is own
    bench.forget()
    bench.bounds(some, 2000)
    assert np.array_equal(space.tables, before)
