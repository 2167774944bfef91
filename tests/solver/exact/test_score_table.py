"""Score tables: narrow rooms, blocks, columns against partitions; made at once and in parts.

What is done to 64 columns in registers, for numbers of one byte and of two, against plain twins.
And words of six to eight letters: guesses with more scores than a byte numbers. Small worlds are
searched as if a byte were enough for fewer scores than it is; larger ones have more than 255.
"""

import random
from itertools import product
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact import table_layout
from solver.exact.best_strategy import best_strategy
from solver.exact.engine import Engine
from solver.exact.kernels import score_table as kernels
from solver.exact.kernels import table_vectors
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.score_table import ScoreTable, is_legal, score_type
from solver.exact.kernels.table_columns import _labelled, narrowed
from solver.exact.kernels.table_vectors import BLOCK_COLUMNS
from solver.exact.limit_search import LimitSearch
from solver.exact.problem import Problem, SearchContext
from solver.exact.table_layout import possibility_table, score_table_of
from solver.exact.values import NOTHING_REVEALED, state_of
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.jit import kernel
from tests.support import naive, needs_compiler, refused, worlds
from tests.support.exact_worlds import long_world, wide_world
from tests.support.naive_exact import values_of_guesses
from tests.support.trees import beamed
from tests.support.worlds import alike, all_secrets, game_of, made_up_games, some_candidates

from .test_best_strategy import COMBINATIONS, check_answer, check_world, weighted_truth


def seen(table: ScoreTable, column: int, members: NDArray[Any]) -> tuple[Any, ...]:
    """How a column parts members, and what it reveals of each, which counts in hard mode."""
    shown = (kernels.revealed_by(table, [column], int(row)).tobytes() for row in members)
    return partition(table, column, members), tuple(shown)


@given(st.one_of(made_up_games(longest=7), worlds.real_games()), st.booleans(), st.data())
def test_a_narrow_room_keeps_every_split(game: WordleGame, hard: bool, data: st.DataObject) -> None:
    table = score_table_of(game, hard)
    members = some_candidates(data, len(game.secrets), 1, 40)
    first = data.draw(st.integers(0, len(game.guesses) - 1))
    shown = kernels.revealed_by(table, [first] if hard else [], int(members[0]))
    small = narrowed(table, members, shown)
    column_of = {int(guess): c for c, guess in enumerate(table.guess) if guess >= 0}
    left = [column_of[int(guess)] for guess in small.guess if guess >= 0]
    kept = {(partition(small, c, None), seen(table, at, members)[1]) for c, at in enumerate(left)}
    legal = [c for c in column_of.values() if is_legal(table, c, shown)]
    there = {seen(table, c, members) for c in legal}
    assert kept == {one for one in there if len(set(one[0])) > 1 or len(members) == 1}
    told = [seen(table, c, members) for c in left if table.secret[c] not in members]
    assert len(set(told)) == len(told)
    assert (np.diff(small.parts.astype(int)) <= 0).all()
    own = {c for c in map(int, table.column[members]) if is_legal(table, c, shown)}
    if len(members) > 1:
        own = {c for c in own if len(set(partition(table, c, members))) > 1}
    assert {int(table.guess[c]) for c in own} <= set(small.guess.tolist())
    for column in np.flatnonzero(small.guess >= 0):
        assert len(set(partition(small, column, None))) == small.parts[column]


@kernel
def label(rows, column, members, out):  # type: ignore[no-untyped-def]
    table_vectors.label_lanes(rows, column, members, out[0], out[1])


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_labels_number_the_scores_of_a_column_as_they_come(kind: Any) -> None:
    """As the plain twin has it of 64 columns, where four rows come at a time."""
    dice, plain = np.random.default_rng(5), score_table_of(alike(3, 20, 9), False)
    shapes = [(4, 1), (4, 2), (8, 255), (32, 9), (100, 255), (300, 254), (300, 40)]
    shapes += [(1, 5), (7, 5), (30, 9)]
    if kind == np.uint16:
        shapes += [(8, 65_535), (400, 700), (400, 65_535)]
    for count, kinds in shapes:
        rows = dice.integers(0, kinds, (2, 400, 64)).astype(kind)
        members = np.sort(dice.choice(400, count, replace=False)).astype(np.int32)
        for column in (0, 64) if count % 4 == 0 else ():
            mine, theirs = (np.zeros((2, count, 64), kind) for _ in range(2))
            label(rows, column, members, mine)
            table_vectors.plain_label(rows, column, members, *theirs)
            assert (mine == theirs).all()
        table = plain._replace(
            rows=rows,
            guess=np.arange(128, dtype=np.int32),
            spread=np.full(2, kinds, dtype=np.int32),
            salt=dice.integers(0, 2**64, count, dtype=np.uint64),
        )
        labels = np.zeros((128, count), kind)
        number, parts, keys, place = _labelled(table, members, NOTHING_REVEALED, labels)
        told = 0
        for column in range(128):
            labelled = partition_of(rows[column // 64, members, column % 64])
            if count > 1 and len(set(labelled)) == 1:
                assert place[column] == -1
                continue
            assert place[column] == told and tuple(labels[told].tolist()) == labelled
            key = sum(
                label * (int(salt) >> 32) for label, salt in zip(labelled, table.salt, strict=True)
            )
            assert (parts[told], keys[told]) == (len(set(labelled)), key % 2**32)
            told += 1
        assert number == told == len(parts) == len(keys)


@pytest.mark.slow
def test_many_members_are_labelled_as_few_are() -> None:
    game = load_game("original")
    table = score_table_of(game, False)
    members = np.arange(0, 2315, 5, dtype=np.int32)
    large = narrowed(table, members, NOTHING_REVEALED)
    scores = {partition(table, column, members) for column in np.flatnonzero(table.guess >= 0)}
    assert {partition(large, c, None) for c in np.flatnonzero(large.guess >= 0)} == scores
    assert (np.diff(large.parts.astype(int)) <= 0).all()
    for column in range(0, len(large.guess), 97):
        if large.guess[column] >= 0:
            assert len(set(partition(large, column, None))) == large.parts[column]


def partition(table: ScoreTable, column: int, members: NDArray[Any] | None) -> tuple[int, ...]:
    return partition_of(table.scores[column] if members is None else table.scores[column, members])


def partition_of(scores: NDArray[Any]) -> tuple[int, ...]:
    number: dict[int, int] = {}
    return tuple(number.setdefault(score, len(number)) for score in scores.tolist())


@given(st.integers(1, 9), st.integers(1, 150), st.integers(1, 300), st.integers(0, 1000))
def test_dense_scores_of_both_widths(guesses: int, secrets: int, kinds: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    scores = dice.integers(0, kinds, (guesses, secrets)).astype(np.uint16)
    codes, parts = kernels.dense_codes(scores, 300)
    order = dice.permutation(guesses).astype(np.int32)
    dense = np.zeros((BLOCK_COLUMNS, secrets), dtype=np.uint8)
    kernels.renumber(scores, codes, dense)
    kernels.put_in_order(dense[:guesses], order)
    for column, guess in enumerate(order):
        seen, place = np.unique(scores[guess], return_inverse=True)
        assert parts[guess] == len(seen)
        assert (dense[column] == place).all()
    wide = np.zeros((BLOCK_COLUMNS, secrets), dtype=np.uint16)
    assert (kernels.number_widely(scores, 300, wide[:guesses]) == parts).all()
    kernels.put_in_order(wide[:guesses], order)
    assert (wide == dense).all()
    for written in (dense, wide):
        blocks = kernels.in_blocks(written)
        assert (blocks == written.reshape(1, BLOCK_COLUMNS, secrets).transpose(0, 2, 1)).all()
        assert blocks.dtype == written.dtype


@example(game_of(["aa", "ab", "bb"]), 1, 3)  # as many as a byte numbers then
@given(made_up_games(max_words=100), st.sampled_from([1, 1 << 23]), st.sampled_from([0, 3, 8, 255]))
def test_blocks_are_those_of_the_whole_table(game: WordleGame, stride: int, narrow: int) -> None:
    """As if a byte numbered fewer scores: some block is the first with too many."""
    bytes_alone = score_table_of(game, hard=False, price=0)
    with patch.multiple(table_layout, _STRIDE_BYTES=stride, MOST_NARROW=narrow):
        whole = score_table_of(game, hard=False, price=0)
        table = possibility_table(game, all_secrets(game), whole.guess[whole.guess >= 0])
    for name in ("rows", "parts", "spread", "guess", "secret", "column"):
        assert np.array_equal(getattr(table, name), getattr(whole, name)), name
        assert np.array_equal(getattr(bytes_alone, name), getattr(whole, name)), name
    assert table.scores.size == 0
    kind = np.uint8 if whole.parts[0] <= narrow else np.uint16
    assert all(it.dtype == kind for it in (whole.rows, whole.scores, table.rows, table.parts))


def test_too_many_parts_are_refused_by_word() -> None:
    letters = "abcdefgh"
    words = [a + b + c + d + "zz" for a in letters for b in letters for c in letters for d in "ab"]
    game = game_of(words)
    everyone = all_secrets(game)
    with patch.multiple(table_layout, MOST_NARROW=10, MOST_WIDE=20):
        reason = "at most 20 different scores for a guess; '[a-z]{6}' has"
        refused(WrongInputError, reason, possibility_table, game, everyone, everyone)
        refused(WrongInputError, reason, score_table_of, game, hard=False)


@pytest.fixture(params=[0, 5])
def narrow(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """As if a byte numbered so many scores: then states narrow again as they get smaller."""
    for module in (table_layout, kernels):
        monkeypatch.setattr(module, "MOST_NARROW", request.param)
    return int(request.param)


@pytest.mark.parametrize(("objective", "hard", "within"), COMBINATIONS)
def test_random_worlds(narrow: int, objective: str, hard: bool, within: int | None) -> None:
    dice = random.Random(f"long {objective} {hard} {within} {narrow}")
    for _ in range(3):
        check_world(long_world(dice, 8, 20), objective, hard, within)


@pytest.mark.parametrize("seed", range(6))
def test_beams(narrow: int, seed: int) -> None:
    """As wide as all guesses a beam is exact; narrower it is no better, and within the limit."""
    dice = random.Random(f"long beams {seed} {narrow}")
    game, hard = long_world(dice, 6, 14), seed % 3 == 0
    limit = None if hard else dice.choice([None, 3, 4])
    least = min(values_of_guesses(game.guesses, game.secrets, limit or 99, hard).values())
    for width in (1, len(game.guesses)):
        answer = beamed(Problem(game, hard, limit), width, (), "total")
        assert (answer.tree is None and answer.proved) == (least[0] > 0)
        if answer.tree is not None:
            total = answer.first_guesses[0].total
            assert total >= least[1] if width == 1 else total == least[1]


@pytest.mark.parametrize("seed", range(12))
def test_weights(narrow: int, seed: int) -> None:
    dice = random.Random(f"long weights {seed} {narrow}")
    game, hard, within = long_world(dice, 3, 12), seed % 2 == 0, dice.choice([2, 3, None])
    weights = tuple(dice.randint(1, 9) for _ in game.secrets)
    problem = Problem(game, hard, within, weights=weights)
    check_answer(game, problem, best_strategy(problem), weighted_truth(game, problem))


@pytest.mark.parametrize("hard", [False, True])
def test_a_wide_table_is_narrow_where_it_can_be(hard: bool) -> None:
    """In every state of up to 255 candidates, and not before."""
    game = wide_world(1)
    table, everyone = score_table_of(game, hard), all_secrets(game)
    assert score_type(table) == np.uint16 and table.parts[0] > 255
    by_hand = [len(naive.split(game.guesses[guess], game.secrets)) for guess in table.guess[:99]]
    assert table.parts[:99].tolist() == by_hand
    for members in (everyone, everyone[:255], everyone[::2]):
        small = narrowed(table, members, NOTHING_REVEALED)
        most = max(len(set(line[members].tolist())) for line in table.scores)
        assert small.parts[0] == most
        assert score_type(small) == (np.uint8 if most <= 255 else np.uint16)


@pytest.mark.parametrize("hard", [False, True])
def test_a_wide_world_agrees_with_its_narrow_buckets(hard: bool) -> None:
    """A first guess costs what its buckets cost; these have tables of bytes of their own."""
    game = wide_world(2)
    context = SearchContext(Problem(game, hard, None))
    answer = best_strategy(Problem(game, hard, None))
    assert answer.proved
    best = {it.word: it.total for it in answer.first_guesses if it.exact}
    for column in sorted({*context.columns[:3], *context.columns[3::60]}):
        word, total = game.guesses[context.table.guess[column]], len(game.secrets)
        for bucket in naive.split(word, game.secrets).values():
            total += 0 if bucket == [word] else value_of_bucket(game, hard, word, bucket)
        assert context.value(column, NEVER).bound == total
        assert total == best.get(word, total) >= min(best.values())


def value_of_bucket(game: WordleGame, hard: bool, word: str, bucket: list[str]) -> int:
    if len(bucket) <= 2:
        return 2 * len(bucket) - 1
    secrets = np.array([game.secrets.index(it) for it in bucket], dtype=np.int32)
    table = score_table_of(game, hard, secrets)
    assert score_type(table) == np.uint8
    own = int(np.flatnonzero(table.guess == game.guess_id(word))[0])
    shown, everyone = kernels.revealed_by(table, [own], 0), np.arange(len(bucket), dtype=np.int32)
    value = Engine(table, 10).value_of_state(state_of(everyone, UNLIMITED, shown))
    assert value.exact
    return value.bound


def test_limits_of_a_wide_world() -> None:
    """By values, and by cores over both kinds of tables."""
    game = wide_world(3)
    everyone, table = all_secrets(game), score_table_of(game, False)
    order = table.guess[table.guess >= 0]
    met = []
    for left in (1, 2, 3, 4):
        value = Engine(table, 12).value_of_state(state_of(everyone, left), LOSS - 1)
        for of_limits in (table, possibility_table(game, everyone, order)):
            core = LimitSearch(of_limits).find_core(left, everyone)
            assert (core is None) == value.exact
        met.append(value.exact)
    assert met[:2] == [False, False] and met[-1]  # two have the same score, whatever is guessed


KINDS = st.sampled_from([np.uint8, np.uint16])

cap = kernel(lambda row, at, most: table_vectors.cap(row, at, most))  # noqa: PLW0108
bits_at_least = kernel(lambda row, at, need: table_vectors.at_least(row, at, need))  # noqa: PLW0108


def numbers(dice: Any, shape: Any, kind: Any) -> Any:
    """Numbers of a kind, small ones and large ones."""
    return dice.integers(0, dice.choice([9, np.iinfo(kind).max]) + 1, shape).astype(kind)


@kernel
def least_of(row: Any, at: int, tables: Any, places: Any, need: int, lanes: Any) -> Any:
    return table_vectors.least_of(row, at, tables, places, need, lanes)


@needs_compiler
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), KINDS)
def test_rows_are_capped_compared_and_lowered_as_by_the_plain_twins(
    seed: int, blocks: int, kind: Any
) -> None:
    """Whatever places of tables are none, in the middle of the list as well."""
    dice = np.random.default_rng(seed)
    row = numbers(dice, blocks * BLOCK_COLUMNS, kind)
    tables = numbers(dice, (5, blocks * BLOCK_COLUMNS), kind)
    most, need = (int(numbers(dice, 1, kind)[0]) for _ in range(2))
    places = dice.integers(-1, 5, 4).astype(np.int32)
    at = BLOCK_COLUMNS * int(dice.integers(blocks))
    mine, theirs = row.copy(), row.copy()
    cap(mine, at, most)
    table_vectors.plain_cap(theirs, at, most)
    assert (mine == theirs).all()
    assert bits_at_least(row, at, most) == table_vectors.plain_at_least(row, at, most)
    mine, theirs = np.zeros((2, BLOCK_COLUMNS), dtype=kind)
    bits = least_of(row, at, tables, places, need, mine)
    assert bits == table_vectors.plain_least_of(row, at, tables, places, need, theirs)
    assert (mine == theirs).all()


@needs_compiler
@pytest.mark.parametrize("size", range(1, 15))
def test_comparators_sort_all_zeros_and_ones(size: int) -> None:
    """Then they sort whatever there is (Knuth, 5.3.4); the large ones are made in the same way."""
    rows = np.array(list(product((0, 1), repeat=size)))
    expected = np.sort(rows, axis=1)
    for low, high in table_vectors._batcher(size):
        rows[:, [low, high]] = np.sort(rows[:, [low, high]], axis=1)
    assert (rows == expected).all()


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("kind", [np.uint8, pytest.param(np.uint16, marks=pytest.mark.long)])
def test_counters_agree_with_their_plain_twin(kind: Any) -> None:
    dice, wide = np.random.default_rng(3), kind == np.uint16
    for scores, sizes in (
        *((9, range(1, 9)), (12, range(9, 13)), (60, range(13, 17)), (243, range(17, 33))),
        (32, (25, 40, 90)),
        *((n, (33, 90)) for n in (60, 90, 120, 150, 243)),
        *((n, (33, 90)) for n in (256, 257, 700) if wide),
    ):
        for count in sizes:
            most = 65_536 if wide and count <= 24 else scores
            rows = dice.integers(most - scores, most, (2, 100, 64)).astype(kind)
            members = np.sort(dice.choice(100, count, replace=False)).astype(np.int32)
            for need, column in product((1, count // 2 + 1, count), (0, 64)):
                mine, theirs = np.zeros((2, 64), kind)
                asked = (rows, scores, members, 0, count, column, need)
                assert counted(*asked, mine) == table_vectors.plain_count(*asked, theirs)
                counts = theirs >= need
                assert (mine[counts] == theirs[counts]).all()


@kernel
def counted(rows, spread, members, first, end, column, need, out):  # type: ignore[no-untyped-def]
    return table_vectors.count_block(rows, spread, members, first, end, column, need, out)
