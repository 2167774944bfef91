"""Score tables: narrow rooms, blocks, columns against partitions; made at once and in parts."""

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.exact import table_layout
from solver.exact.kernels.score_table import (
    ScoreTable,
    dense_codes,
    in_blocks,
    is_legal,
    number_widely,
    put_in_order,
    renumber,
    revealed_by,
)
from solver.exact.kernels.table_columns import _labelled, narrowed
from solver.exact.kernels.table_vectors import BLOCK_COLUMNS
from solver.exact.table_layout import possibility_table, score_table_of
from solver.exact.values import NOTHING_REVEALED
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from tests.support import refused
from tests.support.worlds import alike, all_secrets, game_of, made_up_games, real_games


@given(st.one_of(made_up_games(longest=7), real_games()), st.booleans(), st.data())
def test_a_narrow_room_keeps_every_split(game: WordleGame, hard: bool, data: st.DataObject) -> None:
    table = score_table_of(game, hard)
    rows = st.lists(st.integers(0, len(game.secrets) - 1), min_size=1, max_size=40, unique=True)
    members = np.array(sorted(data.draw(rows)), dtype=np.int32)
    first = data.draw(st.integers(0, len(game.guesses) - 1))
    shown = revealed_by(table, [first] if hard else [], int(members[0]))
    small = narrowed(table, members, shown)
    column_of = {int(guess): c for c, guess in enumerate(table.guess) if guess >= 0}
    left = [column_of[int(guess)] for guess in small.guess if guess >= 0]
    kept = {(partition(small, c, None), effects(table, left[c], members)) for c in range(len(left))}
    legal = [c for c in np.flatnonzero(table.guess >= 0) if is_legal(table, int(c), shown)]
    there = {(partition(table, c, members), effects(table, int(c), members)) for c in legal}
    assert kept == {one for one in there if len(set(one[0])) > 1 or len(members) == 1}
    others = [c for c in left if table.secret[c] not in members]
    told = [(partition(table, c, members), effects(table, c, members)) for c in others]
    assert len(set(told)) == len(told)
    assert (np.diff(small.parts.astype(int)) <= 0).all()
    own = {int(table.column[m]) for m in members if is_legal(table, int(table.column[m]), shown)}
    if len(members) > 1:
        own = {c for c in own if len(set(partition(table, c, members))) > 1}
    assert {int(table.guess[c]) for c in own} <= set(small.guess.tolist())
    for column in np.flatnonzero(small.guess >= 0):
        assert len(set(partition(small, column, None))) == small.parts[column]


def effects(table: ScoreTable, column: int, members: NDArray[Any]) -> tuple[bytes, ...]:
    """What a column reveals of each member, which tells guesses apart in hard mode."""
    return tuple(revealed_by(table, [column], int(row)).tobytes() for row in members)


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_labels_number_the_scores_of_a_column_as_they_come(kind: Any) -> None:
    dice, plain = np.random.default_rng(5), score_table_of(alike(3, 20, 9), False)
    worlds = [
        (4, 1),
        (4, 2),
        (8, 255),
        (32, 9),
        (100, 255),
        (300, 254),
        (300, 40),
        (1, 5),
        (7, 5),
        (30, 9),
    ]
    if kind == np.uint16:
        worlds += [(8, 65_535), (400, 700), (400, 65_535)]
    for count, kinds in worlds:
        rows = dice.integers(0, kinds, (2, 400, 64)).astype(kind)
        members = np.sort(dice.choice(400, count, replace=False)).astype(np.int32)
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


# --- scores renumbered and cut into blocks
@given(st.integers(1, 9), st.integers(1, 150), st.integers(1, 300), st.integers(0, 1000))
def test_dense_scores_of_both_widths(guesses: int, secrets: int, kinds: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    scores = dice.integers(0, kinds, (guesses, secrets)).astype(np.uint16)
    codes, parts = dense_codes(scores, 300)
    order = dice.permutation(guesses).astype(np.int32)
    dense = np.zeros((BLOCK_COLUMNS, secrets), dtype=np.uint8)
    renumber(scores, codes, dense)
    put_in_order(dense[:guesses], order)
    for column, guess in enumerate(order):
        seen, place = np.unique(scores[guess], return_inverse=True)
        assert parts[guess] == len(seen)
        assert (dense[column] == place).all()
    wide = np.zeros((BLOCK_COLUMNS, secrets), dtype=np.uint16)
    assert (number_widely(scores, 300, wide[:guesses]) == parts).all()
    put_in_order(wide[:guesses], order)
    assert (wide == dense).all()
    for written in (dense, wide):
        blocks = in_blocks(written)
        assert (blocks == written.reshape(1, BLOCK_COLUMNS, secrets).transpose(0, 2, 1)).all()
        assert blocks.dtype == written.dtype


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
