"""What is possible within so many guesses: cores, repairs, fewest losses; against brute force.

The kernels for three and four guesses left have no twin of their own: what they find is compared
with brute force, and every core that a search rests on is derived again from the scores. The stores
of cores are compared with sets of Python. Of losses: hitting sets, given up candidates, counts.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.choices import GUESS_POOLS
from solver.errors import CouldNotFinishError
from solver.exact import limit_search, repair, table_layout
from solver.exact import limit_search as search_module
from solver.exact.engine import LossCounter
from solver.exact.kernels import cores as core_kernels
from solver.exact.kernels import fewest_lost, score_table
from solver.exact.kernels.fewest_lost import MOST_LOST
from solver.exact.kernels.four_left import by_parts
from solver.exact.kernels.lemmas import LOSS
from solver.exact.kernels.score_table import ScoreTable, apart, split_by_size
from solver.exact.kernels.table_vectors import alike, plain_alike
from solver.exact.limit_search import LimitSearch
from solver.exact.losses import LossesByCores, count_disjoint, smallest_hitting_set
from solver.exact.problem import Problem, SearchContext
from solver.exact.repair import Repairer, decider_for
from solver.exact.set_engine import ExactCodes
from solver.exact.table_layout import score_table_of
from solver.exact.values import TopValues, state_of
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.jit import kernel
from solver.rules.searcher import Searcher
from solver.tree import Tree
from strategy.solving.by_rule import Settings, Solved, solve
from strategy.solving.checks import EXACT, REPAIR, RULE
from tests.support import naive, raising, refused, worlds
from tests.support.exact_worlds import of_any_length, rhymes, words_alike
from tests.support.naive_exact import brute, check_refutation, values_of_guesses
from tests.support.proof_worlds import made_up
from tests.support.published import POSSIBLE
from tests.support.trees import histogram, taken
from tests.support.worlds import EVERYTHING, all_secrets, game_of, some_candidates

_alike = kernel(lambda rows, block, one, other: alike(rows, block, one, other))  # noqa: PLW0108


def column_of(game: Game, table: ScoreTable, guess: str) -> int:
    return int(np.flatnonzero(table.guess == game.guess_id(guess))[0])


def least_lost(game: Game, left: int, secrets: Sequence[str] = ()) -> int:
    """Brute force: how few secrets are lost."""
    return min(values_of_guesses(game.guesses, secrets or game.secrets, left).values())[0]


@pytest.mark.parametrize("seed", range(100))
def test_possible_or_refuted_as_brute_force_says(seed: int) -> None:
    game = of_any_length(random.Random(seed))
    search = LimitSearch(score_table_of(game, False))
    everyone = all_secrets(game)
    for left in range(1, 6):
        core = search.find_core(left, everyone)
        assert (core is None) == (least_lost(game, left) == 0)
        if core is None:
            tree = Problem(game).graded(search.plan(state_of(everyone, left)))
            assert max(taken(game, tree)) <= left
        else:
            refuted = search.refutation(core)
            assert refuted[-1].left >= left
            check_refutation(game.guesses, game.secrets, refuted)


@pytest.mark.parametrize("seed", range(8))
def test_tables_within_tables_share_their_cores(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_search, "_OWN_TABLE", 4)  # small games have tables of their own, too
    game = made_up(seed, 34, 30, "abcde")
    shared = LimitSearch(score_table_of(game, False))
    for left in (4, 6, 5, 7):
        for guess, (lost, _) in values_of_guesses(game.guesses, game.secrets, left).items():
            core = shared.core_against(
                left, all_secrets(game), column_of(game, shared.table, guess)
            )
            assert (core is None) == (lost == 0)
            if core is not None:
                refuted = shared.refutation(core)
                check_refutation(game.guesses, game.secrets, refuted)
                assert refuted[-1].left >= left - 1
                assert len({game.grade(guess, game.secrets[k]) for k in refuted[-1].rows}) == 1


def test_too_many_cores_are_dropped_and_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limit_search, "_OWN_TABLE", 4)
    monkeypatch.setattr(limit_search, "_KEPT", -1)
    game = of_any_length(random.Random(7))
    table, everyone = score_table_of(game, False), all_secrets(game)
    kept, dropped = LimitSearch(table), LimitSearch(table)
    for column in np.flatnonzero(table.guess >= 0).tolist():
        dropped.forget(0)
        for left in (3, 4, 5):
            one, other = (it.core_against(left, everyone, column) for it in (kept, dropped))
            assert (one is None) == (other is None)
            if other is not None:
                check_refutation(game.guesses, game.secrets, dropped.refutation(other))


def test_a_table_within_a_table_within_a_table_keeps_its_reasons() -> None:
    secrets = ["".join(word) for word in product("pq", "xy", "abcdefgh")]
    game = game_of([*secrets, "pzz"], secrets)
    search = LimitSearch(score_table_of(game, False))
    core = search.core_against(7, all_secrets(game), column_of(game, search.table, "pzz"))
    assert core is not None
    check_refutation(game.guesses, game.secrets, search.refutation(core))


@pytest.mark.parametrize("seed", range(12))
def test_guesses_with_the_most_parts_come_first_and_candidates_among_them(seed: int) -> None:
    game = of_any_length(random.Random(seed))
    search = LimitSearch(score_table_of(game, False))
    table, members = search.table, all_secrets(game)[::2].copy()
    order = np.empty(len(table.guess), dtype=np.int32)
    found = order[: by_parts(table, members, search._padding, search._by_guess, order)].tolist()
    rank = {
        column: (-len(set(table.scores[column, members].tolist())), row not in members, guess)
        for column, (row, guess) in enumerate(zip(table.secret, table.guess, strict=True))
        if guess >= 0
    }
    assert found == sorted(rank, key=rank.__getitem__)
    for row in members.tolist():  # the last guess is the candidate itself
        one = np.array([row], dtype=np.int32)
        assert [it for it in found if not search.refutes_guess(1, one, it)] == [table.column[row]]


@pytest.mark.parametrize("seed", range(30))
def test_strategies_do_not_depend_on_what_is_known(seed: int) -> None:
    game = of_any_length(random.Random(seed))
    table = score_table_of(game, False)
    shared = LimitSearch(table)
    for left, guess in product((5, 3, 4, 6), game.guesses[::5]):
        fresh = LimitSearch(table)
        for bucket in shared.buckets_of(all_secrets(game), column_of(game, table, guess)):
            cores = [it.find_core(left, bucket) for it in (shared, fresh)]
            assert (cores[0] is None) == (cores[1] is None)
            if cores[0] is None:
                one, other = (it.plan(state_of(bucket, left)) for it in (shared, fresh))
                assert list(one.guess) == list(other.guess)


def test_buckets_by_size_are_those_of_grades() -> None:
    for seed in range(60):
        game = of_any_length(random.Random(seed))
        table, everyone = score_table_of(game, False), all_secrets(game)
        parted, ends = np.empty_like(everyone), np.empty(244, dtype=np.int64)
        for column in np.flatnonzero(table.guess >= 0)[::7]:
            many = split_by_size(table, everyone, int(column), parted, ends)
            buckets = naive.split(game.guesses[table.guess[column]], game.secrets).values()
            found = [parted[a:b].tolist() for a, b in pairwise(ends[: many + 1].tolist())]
            assert sorted(found) == sorted([*map(game.secrets.index, it)] for it in buckets)
            assert [len(one) for one in found] == sorted(map(len, found), reverse=True)


def test_words_set_apart_and_masks_equal_to_their_plain_twins() -> None:
    game, dice = load_game("original"), random.Random(3)
    table = score_table_of(game, False)
    for _ in range(200):
        block = dice.randrange(table.rows.shape[0])
        one, other = dice.sample(range(table.rows.shape[1]), 2)
        word = plain_alike(table.rows, block, one, other)
        assert _alike(table.rows, block, one, other) == word
    few = [game.secrets.index(word) for word in ("eight", "might", "wight")]
    guess = game.guesses[table.guess[apart(table.rows, np.array(few, dtype=np.int32), 3)]]
    assert len({game.grade(guess, game.secrets[k]) for k in few}) == 3
    family = [k for k, word in enumerate(game.secrets) if word.endswith("ight")]
    assert apart(table.rows, np.array(family, dtype=np.int32), len(family)) == -1


@pytest.mark.slow
@pytest.mark.parametrize(("secrets", "opener", "within", "possible"), POSSIBLE)
def test_published_limits(secrets: str, opener: str, within: int, possible: bool) -> None:
    game = load_game("original", secrets)
    search = LimitSearch(score_table_of(game, False))
    column = column_of(game, search.table, opener)
    assert (search.find_core_after(within, all_secrets(game), column) is None) == possible


def test_time_ends_a_count() -> None:
    game, late = load_game(), raising(CouldNotFinishError("out of time"))
    counter = LossCounter(score_table_of(game, False), late)
    refused(CouldNotFinishError, "out of time", counter.fewest, all_secrets(game)[:300], 1)


def counter_of(game: WordleGame) -> LossCounter:
    return LossCounter(score_table_of(game, False), lambda: None)


@pytest.mark.parametrize(
    ("most_words", "seed"), [*product([24], range(24)), *product([30], range(16))]
)
def test_three_guesses_lose_what_brute_force_says(most_words: int, seed: int) -> None:
    """Those given up are as few, and the others are solved."""
    game = rhymes(seed, most_words)
    rows, counter, truth = all_secrets(game), counter_of(game), least_lost(game, 3)
    for most in (MOST_LOST, 1, 2, truth, truth + 1):
        assert counter.fewest(rows, most) == min(truth, most)
    assert counter_of(game).fewest(rows, truth + 1) == truth
    assert counter.given_up(rows, truth) is None
    given_up = counter.given_up(rows, truth + 1)
    assert given_up is not None and len(given_up) == truth
    others = [game.secrets[row] for row in np.setdiff1d(rows, given_up)]
    assert least_lost(game, 3, others) == 0


@pytest.mark.parametrize("seed", range(16))
def test_four_guesses_lose_what_brute_force_says(seed: int) -> None:
    game = rhymes(seed, 32)
    table, counter = score_table_of(game, False), counter_of(game)
    for guess, (lost, _) in values_of_guesses(game.guesses, game.secrets, 4).items():
        column = column_of(game, table, guess)
        for most in (MOST_LOST, 1):
            assert counter.after(all_secrets(game), column, most) == min(lost, most)


@given(st.integers(0, 1_000), st.integers(1, 12), st.data())
def test_repeats_are_counted_as_one_by_one(seed: int, most: int, data: st.DataObject) -> None:
    game = rhymes(seed, 40)
    table = score_table_of(game, False)
    members = some_candidates(data, len(game.secrets), 2, len(game.secrets))
    repeats = {
        column: len(members) - len(set(table.scores[column, members].tolist()))
        for column, guess in enumerate(table.guess.tolist())
        if guess >= 0
    }
    fewest, column, _ = fewest_lost.fewest_repeats(table, members, most)
    assert fewest == min(most, *repeats.values())
    assert column == -1 if fewest == most else repeats[column] == fewest


@pytest.mark.parametrize("seed", range(20))
def test_a_count_that_pauses_ends_the_same(seed: int) -> None:
    table = score_table_of(rhymes(seed, 30), False)
    whole, halting = (
        fewest_lost.new_loss_count(table, MOST_LOST),
        fewest_lost.new_loss_count(table, MOST_LOST),
    )
    assert fewest_lost.count_losses(table, whole, 1 << 20)
    while not fewest_lost.count_losses(table, halting, 1):
        assert halting.place[fewest_lost.AT] > 0
    assert (
        halting.place.tolist()[fewest_lost.FEWEST :] == whole.place.tolist()[fewest_lost.FEWEST :]
    )


@given(st.integers(0, 300), st.data())
def test_what_lies_in_a_state_loses_no_more(seed: int, data: st.DataObject) -> None:
    """What is known of small states is taken over for large ones, and must hold there."""
    game = rhymes(seed, 40)
    counter, count = counter_of(game), len(game.secrets)
    for _ in range(4):
        state = some_candidates(data, count, 1, count)
        assert counter.fewest(state, MOST_LOST) == counter_of(game).fewest(state, MOST_LOST)


@pytest.mark.slow
def test_a_problem_excludes_openers_by_their_losses() -> None:
    game = load_game()
    context = SearchContext(Problem(game, within=4, losses=True))
    guesses = sorted(game.guess_id(word) for word in ("crate", "lotos", "jiffy"))
    columns = [context.column_of[guess] for guess in guesses]
    found = context.screened(columns, TopValues(1, 18 * LOSS - 1), False)
    expected = [(guess, 18, False) for guess in guesses]
    assert sorted((guess, bound // LOSS, exact) for guess, bound, exact in found) == expected


FAMILIES = st.lists(st.frozensets(st.integers(0, 7), min_size=1, max_size=4), max_size=9)


def hits(chosen: tuple[int, ...] | list[int], sets: list[frozenset[int]]) -> bool:
    return all(not some.isdisjoint(chosen) for some in sets)


@given(FAMILIES, st.integers(0, 6))
def test_hitting_sets_are_smallest(sets: list[frozenset[int]], patience: int) -> None:
    """Without patience the bound still holds."""
    truth = next(n for n in range(9) if any(hits(c, sets) for c in combinations(range(8), n)))
    least, chosen = smallest_hitting_set(sets, Counter())
    assert (least, len(chosen), hits(chosen, sets)) == (truth, truth, True)
    least, chosen = smallest_hitting_set(sets, Counter(), patience)
    assert count_disjoint(sets) <= least <= truth <= len(chosen) and hits(chosen, sets)


@pytest.mark.parametrize("seed", range(60))
def test_fewest_losses_as_brute_force_says(seed: int) -> None:
    game, limit = worlds.of_few_letters(random.Random(seed), "abcdef", 24, 2), 2 + seed % 3
    fewest = LossesByCores(LimitSearch(score_table_of(game, False)), limit, all_secrets(game))
    bounds = [fewest.least]
    while fewest.given_up is None:
        fewest.narrow(len(game.secrets) + 1, 1)
        bounds.append(fewest.least)
    assert bounds == sorted(bounds)
    assert len(fewest.given_up) == fewest.least == least_lost(game, limit)


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


def stored(table: ScoreTable, sets: Sets) -> core_kernels.Cores:
    cores = core_kernels.new_cores(table.rows.shape[0], len(sets), 4 * len(sets) + 1)
    for rows in sets:
        assert core_kernels.has_space(cores, 1, len(rows), 0)
        core_kernels.add_core(cores, table.rows, as_rows(rows), len(rows), NOTHING)
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


@pytest.mark.plain
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
        count = core_kernels.list_inside(cores, members, inside, found)
        assert found[:count].tolist() == naive
        count = core_kernels.gather(cores, members, inside, covered, found)
        assert found[:count].tolist() == naive
        assert columns_of(covered) == undivided(world, (sets[k] for k in naive))
        assert not inside.any()


@pytest.mark.plain
def test_what_cores_cover_in_each_bucket(dice: random.Random, world: World) -> None:
    """And how much is left to be searched there, for some buckets of a partition."""
    _, table, height = world
    sets = some_sets(dice, height, 30)
    cores, marks = stored(table, sets), core_kernels.new_marks(height)
    rows = dice.sample(range(height), height)
    cuts = sorted(dice.sample(range(1, height), 4))
    buckets = [rows[a:b] for a, b in pairwise([0, *cuts])]  # some rows are in none
    ends = np.cumsum([0, *map(len, buckets)], dtype=np.int64)
    covered = np.zeros((4, cores.helpless.shape[1]), dtype=np.uint64)
    work = np.empty(4, dtype=np.int64)
    core_kernels.gather_in_buckets(cores, as_rows(rows), ends, marks, covered, work)
    for bucket, mask, left in zip(buckets, covered, work.tolist(), strict=True):
        expected = undivided(world, (found for found in sets if set(found) <= set(bucket)))
        assert columns_of(mask) == expected
        assert left == (len(table.guess) - len(expected)) * len(bucket)
    assert not marks.bucket.any()


@pytest.mark.plain
def test_a_core_of_two_has_no_guess_that_sets_it_apart(dice: random.Random, world: World) -> None:
    _, table, height = world
    found = 0
    for _ in range(30):
        members = as_rows(dice.sample(range(height), dice.randint(6, height)))
        if apart(table.rows, members, len(members)) >= 0:
            continue
        core = np.empty(len(members), dtype=np.int32)
        size = core_kernels.core_of_two(table.rows, members, len(members), core)
        assert apart(table.rows, core[:size], size) < 0
        found += 1
    assert found > 3


@pytest.mark.plain
def test_some_cores_cover_what_all_cover(dice: random.Random, world: World) -> None:
    """And the union of their candidates is what is listed, in the order of the members."""
    _, table, height = world
    sets = some_sets(dice, height, 12)
    cores = stored(table, sets)
    union = np.zeros(height, dtype=np.uint8)
    found = as_rows(sorted(dice.sample(range(len(sets)), 9)))
    chosen = np.empty(len(found), dtype=np.int32)
    picked = core_kernels.choose(cores, found, len(found), union, chosen)
    taken = chosen[:picked].tolist()
    value = [len(undivided(world, [sets[k]])) / (len(sets[k]) + 0.2) for k in found.tolist()]
    assert value == sorted(value, reverse=True)
    assert set(taken) <= set(found.tolist()) and len(set(taken)) == picked
    every, some = (undivided(world, (sets[k] for k in of)) for of in (found.tolist(), taken))
    assert some == every
    covered = [len(undivided(world, (sets[k] for k in taken[:n]))) for n in range(picked + 1)]
    assert covered == sorted(set(covered))  # each covers more
    members = as_rows(dice.sample(range(height), height))
    listed = np.empty(height, dtype=np.int32)
    size = core_kernels.take_union(members, union, listed)
    rows = set().union(*(sets[k] for k in taken))
    assert listed[:size].tolist() == [k for k in members.tolist() if k in rows]
    assert not union.any()


@pytest.mark.plain
def test_a_library_lends_and_takes(dice: random.Random, world: World) -> None:
    """A table gets just the cores that lie in it; what it finds comes back, with its reasons."""
    _, table, height = world
    sets = some_sets(dice, height, 14)
    names = as_rows(sorted(dice.sample(range(height), 12)))
    place = np.full(height, -1, dtype=np.int32)
    place[names] = np.arange(len(names), dtype=np.int32)
    library = core_kernels.new_cores(0, 40, 200)
    no_scores = np.empty((0, 0, 0), dtype=np.uint8)
    for rows in sets:
        core_kernels.add_core(library, no_scores, as_rows(rows), len(rows), NOTHING)
    lying = [k for k, rows in enumerate(sets) if set(rows) <= set(names.tolist())]
    count, words = core_kernels.count_adopted(library, place)
    assert (count, words) == (len(lying), sum(len(sets[k]) for k in lying))
    own = core_kernels.new_cores(table.rows.shape[0], count + 2, words + 8)
    inner = np.ascontiguousarray(table.rows[:, names])
    core_kernels.adopt(library, place, inner, own)
    origins = own.origin[: own.total[0]].tolist()
    assert origins == lying
    for mine, origin in enumerate(origins):
        assert [int(names[k]) for k in core_kernels.core_rows(own, mine)] == list(sets[origin])
    core_kernels.add_core(own, inner, as_rows([2, 5, 7]), 3, NOTHING)
    core_kernels.export(own, NOTHING, names, len(lying), no_scores, library)
    new = int(library.total[0]) - 1
    assert new == len(sets) and own.origin[len(lying)] == new
    assert core_kernels.core_rows(library, new).tolist() == names[[2, 5, 7]].tolist()
    above = core_kernels.new_cores(table.rows.shape[0], 2, 20)
    core_kernels.add_core(above, inner, as_rows([1, 2, 5, 7]), 4, as_rows([len(lying)]))
    higher = core_kernels.new_cores(0, 4, 20)
    core_kernels.export(above, own.origin, names, 0, no_scores, higher)
    assert core_kernels.core_reasons(higher, 0).tolist() == [new]


@pytest.mark.plain
def test_space_runs_out_and_is_enlarged(world: World) -> None:
    cores = stored(world[1], [(0, 1), (2, 3)])
    assert not core_kernels.has_space(cores, 1, 2, 0)
    wider = core_kernels.enlarged(cores, 1, 3, 2)
    assert core_kernels.has_space(wider, 1, 3, 2)
    assert core_kernels.core_rows(wider, 1).tolist() == [2, 3]
    assert (wider.helpless[:2] == cores.helpless[:2]).all()


def check_limits(
    game: Game, settings: Settings, limits: Iterable[int]
) -> Iterator[tuple[Solved, int]]:
    """Brute force: does any strategy that begins so solve every secret within the limit?"""
    truth = brute(game.guesses, game.secrets, settings.hard, settings.guess_from)
    for limit in limits:
        solved = solve(game, settings, within=limit)
        start = () if settings.start == ("auto",) else settings.start
        assert solved.outcome.proved
        assert solved.outcome.met == (not truth.after(start, limit)[0])
        assert solved.outcome.met == (solved.verdict.worst <= limit)
        yield solved, limit


@pytest.mark.slow
@pytest.mark.parametrize(("guess_from", "hard"), list(product(GUESS_POOLS, (False, True))))
def test_repair_decides_as_brute_force(guess_from: str, hard: bool) -> None:
    dice = random.Random(f"repair {guess_from} {hard}")
    seen = set()
    for _ in range(6):
        game = words_alike(dice, 8, 16)
        start = dice.choice(game.guesses) if dice.random() < 0.7 else "auto"
        rule = dice.choice(("minimax", "entropy", "parts"))
        settings = Settings((start,), rule, guess_from, hard)
        limits = range(1, solve(game, settings).strategy.worst + 1)
        for solved, limit in check_limits(game, settings, limits):
            seen.add(solved.outcome.method)
            if solved.outcome.method == REPAIR:
                assert solved.strategy.origin.claim == {"repaired": True, "within": limit}
                pure = solve(game, settings, within=limit, pure=True).outcome
                assert (pure.met, pure.method, pure.proved) == (False, RULE, False)
    assert seen >= {RULE, EXACT}


@pytest.mark.parametrize("guess_from", GUESS_POOLS[:2])
def test_families_in_wide_tables_are_decided_as_by_brute_force(
    monkeypatch: pytest.MonkeyPatch, guess_from: str
) -> None:
    """As if a byte numbered three scores: families are small, larger states have wide tables."""
    for module in (repair, table_layout, score_table):
        monkeypatch.setattr(module, "MOST_NARROW", 3)
    dice = random.Random(f"wide {guess_from} False")
    met = set()
    for _ in range(9):
        game = words_alike(dice, 8, 16)
        start = dice.choice(game.guesses) if dice.random() < 0.7 else "auto"
        settings = Settings((start,), "minimax", guess_from)
        limits = range(2, solve(game, settings).strategy.worst)
        met |= {solved.outcome.met for solved, _ in check_limits(game, settings, limits)}
    assert met == {True, False}


@pytest.mark.parametrize("hard", [False, True])
def test_long_words_are_kept_within_limits(hard: bool) -> None:
    """One word of six letters gives each of 723 secrets its own score."""
    game = game_of(worlds.words_by_score("abcdef"))
    everyone, decide = all_secrets(game), decider_for(game, hard=hard)
    assert len(everyone) == 723
    for start, met in (("auto", True), ("azzzzz", False)):
        solved = solve(game, Settings((start,), "proportion", hard=hard), within=2)
        assert (solved.outcome.met, solved.outcome.proved) == (met, True)
        assert (solved.verdict.worst <= 2) == met
    # what a rule has made is mended: a first guess that tells little, then the one that tells all
    assert Searcher(game, "parts", hard=hard).grow(None, (game.guess_id("zazzzz"),)).height > 2
    tree = decide(everyone, 2, ())
    assert tree is not None and (game.guesses[tree.guess[0]], tree.height) == ("abcdef", 2)
    assert histogram(game, tree) == [1, 722]
    assert decide(everyone, 1, ()) is None


def test_several_starts() -> None:
    dice = random.Random("several starts")
    for _ in range(8):
        game = words_alike(dice, 10, 18)
        settings = Settings(tuple(dice.sample(game.guesses, 2)))
        for solved, _ in check_limits(game, settings, (3, 4, 5)):
            assert solved.strategy.origin.start == settings.start


@pytest.mark.parametrize("spec", ["mastermind:2x4", "mastermind:3x3", "mastermind:3x4:distinct"])
def test_mastermind(spec: str) -> None:
    game = load_game(spec=spec)
    for limit in range(1, 6):
        solved = solve(game, Settings(), within=limit)
        assert solved.outcome.met == (solved.verdict.worst <= limit)
        everyone = state_of(np.arange(len(game.secrets), dtype=np.int32), limit)
        assert solved.outcome.met == ExactCodes(game).value_of_state(everyone).exact


@pytest.mark.slow
def test_what_suffices_stays_as_the_rule_has_it() -> None:
    """Everything outside the failing states is the rule's own, guess by guess."""
    dice, repaired = random.Random("stays"), 0
    for _ in range(60):
        game = words_alike(dice, 15, 40)
        searcher = Searcher(game)
        tree = searcher.grow(None, (dice.randrange(len(game.guesses)),))
        limit = tree.height - 1
        mended = Repairer(searcher, decider_for(game)).within(limit, tree, forced=1)
        if mended is not None:
            repaired += 1
            assert mended.height <= limit
            same_where_it_suffices(tree, mended, limit)
    assert repaired > 2


def test_families_of_states_are_decided_as_in_one_table() -> None:
    """A table for each state, or for those after a guess, instead of one for all secrets."""
    dice, repaired = random.Random("families"), 0
    for _ in range(12):
        game = words_alike(dice, 15, 40)
        limit = solve(game, Settings()).strategy.worst - 1
        found = []
        for most in (1 << 26, 8 * len(game.guesses), 0):
            with patch.multiple(repair, FAMILY_BYTES=most):
                solved = solve(game, Settings(), within=limit)
            found.append((solved.outcome, solved.strategy.digest))
        assert found[0] == found[1] == found[2]
        repaired += found[0][0].method == REPAIR
    assert repaired > 2


def test_tables_of_their_own_are_left_behind() -> None:
    """States searched in tables of their own: the same answers, and strategies that keep to it."""
    dice, found = random.Random("own tables"), 0
    for _ in range(8):
        game = words_alike(dice, 15, 30)
        for left in (3, 4):
            expected = decider_for(game)(all_secrets(game), left, ())
            with patch.multiple(search_module, _OWN_TABLE=2):
                tree = decider_for(game)(all_secrets(game), left, ())
            assert (tree is None) == (expected is None)
            if tree is not None:
                found += 1
                assert tree.height <= left and histogram(game, tree)
    assert found > 2


def same_where_it_suffices(rule: Tree, mended: Tree, left: int) -> None:
    if rule.height <= left:
        assert rule == mended
    elif rule.guess[0] == mended.guess[0]:
        below = mended.below()
        for score, branch in rule.below().items():
            same_where_it_suffices(branch, below[score], left - 1)


def test_deciders_refuse_what_is_too_much_at_once() -> None:
    game = game_of(list(EVERYTHING[:50]))
    candidates = np.arange(50, dtype=np.int32)
    for pool in GUESS_POOLS:
        decide = decider_for(game, pool)
        assert decide(candidates, 1, ()) is None and decide(candidates, 50, ()) is not None
        single = decide(candidates[7:8], 1, ())
        assert single is not None and single.guess.tolist() == [7]
