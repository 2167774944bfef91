"""Tables counted ahead of all screening are those that screening itself would count."""

from __future__ import annotations

import os

import numpy as np
import pytest

from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.guess_values.shared_tables import TablesAhead
from solver.game.words import named_list
from tests.support.worlds import game_of


def bench_of(secrets: int, hard: bool = False) -> Workbench:
    words = named_list("original", "answers").words
    return Workbench(Problem(game_of(words, words[:secrets]), hard))


def ahead_of(bench: Workbench) -> TablesAhead:
    return TablesAhead(bench.table, bench.engine.ceilings, np.array(bench.columns, np.int32))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("workers", [1, 2, 64])
def test_bounds_are_the_same(hard: bool, workers: int) -> None:
    bench, plain = bench_of(400, hard), bench_of(400, hard)
    ahead = ahead_of(bench)
    parts = ahead.parts(workers)
    for first, end in reversed(parts):  # whoever is free
        ahead.count(first, end)
    bench.engine.ceilings = ahead.taken_over()
    count = parts[-1][1]
    assert bench.engine.ceilings.used.tolist() == [count, count, 0]
    some = bench.columns[:200]
    assert np.array_equal(bench.bounds(some, 2000), plain.bounds(some, 2000))
    mine, theirs = bench.engine.ceilings, plain.engine.ceilings
    both = np.argwhere((mine.place >= 0) & (theirs.place >= 0))
    assert len(both) > 50
    for one, other in both:
        assert np.array_equal(
            mine.tables[mine.place[one, other]], theirs.tables[theirs.place[one, other]]
        )
    assert mine.used[0] - count < theirs.used[0] // 2  # few are left to be counted


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_parts_hold_every_table_once_the_large_ones_first(workers: int) -> None:
    ahead = ahead_of(bench_of(400))
    parts = ahead.parts(workers)
    assert parts[0][0] == 0
    assert [end for _, end in parts[:-1]] == [first for first, _ in parts[1:]]
    assert all(first < end for first, end in parts)


def test_of_few_candidates_there_are_none() -> None:
    bench = bench_of(12)
    ahead = ahead_of(bench)
    assert ahead.parts(2) == []
    bench.engine.ceilings = ahead.taken_over()
    assert bench.engine.ceilings.used.tolist() == [0, 0, 0]


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
    bench.take_over_ahead()
    assert bench.engine.ceilings.used.tolist() == [0, 0, 0]


def test_what_one_adds_the_others_do_not_see() -> None:
    bench = bench_of(400)
    ahead = ahead_of(bench)
    for part in ahead.parts(1):
        ahead.count(*part)
    mine, theirs = ahead.taken_over(), ahead.taken_over()
    number = int(mine.used[0])
    mine.tables[number - 1 : number + 1] = 77
    assert (theirs.tables[number - 1] != 77).any()
    assert not theirs.tables[number].any()
    assert (mine.tables[number] == 77).all()
