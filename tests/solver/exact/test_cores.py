"""The stores of cores, against sets of Python: what lies where, what they cover, what is lent."""

import random
from collections.abc import Iterable
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.exact.kernels import cores as kernels
from solver.exact.kernels.score_table import ScoreTable, apart
from solver.exact.table_layout import score_table_of
from solver.game.game import Game
from tests.support.proof_worlds import made_up

pytestmark = pytest.mark.plain

Sets = list[tuple[int, ...]]
#: A game, its table, and the number of secrets.
World = tuple[Game, ScoreTable, int]
NOTHING = np.empty(0, dtype=np.int32)


@pytest.fixture(params=range(6))
def dice(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


@pytest.fixture
def world(dice: random.Random) -> World:
    game = made_up(dice.randrange(100), 24, 18)
    table = score_table_of(game, False)
    return game, table, table.rows.shape[1]


def some_sets(dice: random.Random, height: int, count: int) -> Sets:
    rows = range(height)
    return [tuple(sorted(dice.sample(rows, dice.choice([2, 2, 3, 4])))) for _ in range(count)]


def stored(table: ScoreTable, sets: Sets) -> kernels.Cores:
    cores = kernels.new_cores(table.rows.shape[0], len(sets), 4 * len(sets) + 1)
    for rows in sets:
        assert kernels.has_space(cores, 1, len(rows), 0)
        kernels.add_core(cores, table.rows, as_rows(rows), len(rows), NOTHING)
    return cores


def as_rows(rows: Any) -> NDArray[np.int32]:
    return np.array(rows, dtype=np.int32)


def undivided(world: World, sets: Iterable[Iterable[int]]) -> set[int]:
    """The columns that score all candidates of a set alike; those without a guess do."""
    game, table, _ = world
    found = set()
    for rows, (column, guess) in product(sets, enumerate(table.guess.tolist())):
        grades = {game.grade(game.guesses[guess], game.secrets[k]) for k in rows}
        if guess < 0 or len(grades) == 1:
            found.add(column)
    return found


def columns_of(mask: NDArray[np.uint64]) -> set[int]:
    return set(np.flatnonzero(np.unpackbits(mask.view(np.uint8), bitorder="little")).tolist())


def test_what_lies_among_candidates_and_covers_guesses(dice: random.Random, world: World) -> None:
    _, table, height = world
    sets = some_sets(dice, height, 12)
    cores = stored(table, sets)
    inside = np.zeros(height, dtype=np.uint8)
    for _ in range(6):
        members = as_rows(sorted(dice.sample(range(height), dice.randint(2, height))))
        naive = [k for k, rows in enumerate(sets) if set(rows) <= set(members.tolist())]
        covered = np.zeros(cores.helpless.shape[1], dtype=np.uint64)
        found = np.empty(len(sets), dtype=np.int32)
        count = kernels.list_inside(cores, members, inside, found)
        assert found[:count].tolist() == naive
        count = kernels.gather(cores, members, inside, covered, found)
        assert found[:count].tolist() == naive
        assert columns_of(covered) == undivided(world, (sets[k] for k in naive))
        assert not inside.any()


def test_what_cores_cover_in_each_bucket(dice: random.Random, world: World) -> None:
    """And how much is left to be searched there, for some buckets of a partition."""
    _, table, height = world
    sets = some_sets(dice, height, 30)
    cores, marks = stored(table, sets), kernels.new_marks(height)
    rows = dice.sample(range(height), height)
    cuts = sorted(dice.sample(range(1, height), 4))
    buckets = [rows[a:b] for a, b in pairwise([0, *cuts])]  # some rows are in none
    ends = np.cumsum([0, *map(len, buckets)], dtype=np.int64)
    covered = np.zeros((4, cores.helpless.shape[1]), dtype=np.uint64)
    work = np.empty(4, dtype=np.int64)
    kernels.gather_in_buckets(cores, as_rows(rows), ends, marks, covered, work)
    for bucket, mask, left in zip(buckets, covered, work.tolist(), strict=True):
        expected = undivided(world, (found for found in sets if set(found) <= set(bucket)))
        assert columns_of(mask) == expected
        assert left == (len(table.guess) - len(expected)) * len(bucket)
    assert not marks.bucket.any()


def test_a_core_of_two_has_no_guess_that_sets_it_apart(dice: random.Random, world: World) -> None:
    _, table, height = world
    found = 0
    for _ in range(30):
        members = as_rows(dice.sample(range(height), dice.randint(6, height)))
        if apart(table.rows, members, len(members)) >= 0:
            continue
        core = np.empty(len(members), dtype=np.int32)
        size = kernels.core_of_two(table.rows, members, len(members), core)
        assert apart(table.rows, core[:size], size) < 0
        found += 1
    assert found > 3


def test_some_cores_cover_what_all_cover(dice: random.Random, world: World) -> None:
    """And the union of their candidates is what is listed, in the order of the members."""
    _, table, height = world
    sets = some_sets(dice, height, 12)
    cores = stored(table, sets)
    union = np.zeros(height, dtype=np.uint8)
    found = as_rows(sorted(dice.sample(range(len(sets)), 9)))
    chosen = np.empty(len(found), dtype=np.int32)
    picked = kernels.choose(cores, found, len(found), union, chosen)
    taken = chosen[:picked].tolist()
    value = [len(undivided(world, [sets[k]])) / (len(sets[k]) + 0.2) for k in found.tolist()]
    assert value == sorted(value, reverse=True)
    assert set(taken) <= set(found.tolist()) and len(set(taken)) == picked
    every, some = (undivided(world, (sets[k] for k in of)) for of in (found.tolist(), taken))
    assert some == every
    members = as_rows(dice.sample(range(height), height))
    listed = np.empty(height, dtype=np.int32)
    size = kernels.take_union(members, union, listed)
    rows = set().union(*(sets[k] for k in taken))
    assert listed[:size].tolist() == [k for k in members.tolist() if k in rows]
    assert not union.any()


def test_a_library_lends_and_takes(dice: random.Random, world: World) -> None:
    """A table gets just the cores that lie in it; what it finds comes back, with its reasons."""
    _, table, height = world
    sets = some_sets(dice, height, 14)
    names = as_rows(sorted(dice.sample(range(height), 12)))
    place = np.full(height, -1, dtype=np.int32)
    place[names] = np.arange(len(names), dtype=np.int32)
    library = kernels.new_cores(0, 40, 200)
    no_scores = np.empty((0, 0, 0), dtype=np.uint8)
    for rows in sets:
        kernels.add_core(library, no_scores, as_rows(rows), len(rows), NOTHING)
    lying = [k for k, rows in enumerate(sets) if set(rows) <= set(names.tolist())]
    count, words = kernels.count_adopted(library, place)
    assert (count, words) == (len(lying), sum(len(sets[k]) for k in lying))
    own = kernels.new_cores(table.rows.shape[0], count + 2, words + 8)
    inner = np.ascontiguousarray(table.rows[:, names])
    kernels.adopt(library, place, inner, own)
    origins = own.origin[: own.total[0]].tolist()
    assert origins == lying
    for mine, origin in enumerate(origins):
        assert [int(names[k]) for k in kernels.core_rows(own, mine)] == list(sets[origin])
    kernels.add_core(own, inner, as_rows([2, 5, 7]), 3, NOTHING)
    kernels.export(own, NOTHING, names, len(lying), no_scores, library)
    new = int(library.total[0]) - 1
    assert new == len(sets) and own.origin[len(lying)] == new
    assert kernels.core_rows(library, new).tolist() == names[[2, 5, 7]].tolist()
    above = kernels.new_cores(table.rows.shape[0], 2, 20)
    kernels.add_core(above, inner, as_rows([1, 2, 5, 7]), 4, as_rows([len(lying)]))
    higher = kernels.new_cores(0, 4, 20)
    kernels.export(above, own.origin, names, 0, no_scores, higher)
    assert kernels.core_reasons(higher, 0).tolist() == [new]


def test_space_runs_out_and_is_enlarged(world: World) -> None:
    cores = stored(world[1], [(0, 1), (2, 3)])
    assert not kernels.has_space(cores, 1, 2, 0)
    wider = kernels.enlarged(cores, 1, 3, 2)
    assert kernels.has_space(wider, 1, 3, 2)
    assert kernels.core_rows(wider, 1).tolist() == [2, 3]
    assert (wider.helpless[:2] == cores.helpless[:2]).all()
