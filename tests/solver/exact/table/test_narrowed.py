"""Narrow rooms: labels against their plain twin, columns against all partitions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba.core import config
from numpy.typing import NDArray

from solver.exact.table import label_lanes
from solver.exact.table.layout import score_table_of
from solver.exact.table.narrowed import narrowed
from solver.exact.table.score_table import ScoreTable, is_legal, shown_by
from solver.game.wordle import WordleGame
from solver.machine.jit import kernel
from tests.support.worlds import made_up_games, real_games


def test_labels_agree_with_their_plain_twin() -> None:
    if config.DISABLE_JIT:
        pytest.skip("the plain twin is in use")

    @kernel
    def label(rows, column, members, salt, out):  # type: ignore[no-untyped-def]
        label_lanes.label_lanes(rows, column, members, salt, out[0], out[1], out[2], out[3])

    dice = np.random.default_rng(5)
    for count, kinds in ((4, 1), (4, 2), (8, 255), (32, 9), (100, 255), (300, 254), (300, 40)):
        rows = dice.integers(0, kinds, (2, 400, 64)).astype(np.uint8)
        members = np.sort(dice.choice(400, count, replace=False)).astype(np.int32)
        salt = dice.integers(0, 2**32, count).astype(np.uint32)
        for column in (0, 64):
            mine, theirs = (
                (
                    np.zeros((count, 64), np.uint8),
                    np.zeros((count, 64), np.uint8),
                    np.zeros(64, np.uint8),
                    np.zeros(64, np.uint32),
                )
                for _ in range(2)
            )
            label(rows, column, members, salt, mine)
            label_lanes.plain_label(rows, column, members, salt, *theirs)
            for ours, plain in zip(mine, theirs, strict=True):
                assert (ours == plain).all()


@given(st.one_of(made_up_games(longest=7), real_games()), st.booleans(), st.data())
def test_a_narrow_room_keeps_every_way_to_part(
    game: WordleGame, hard: bool, data: st.DataObject
) -> None:
    table = score_table_of(game, hard)
    rows = st.lists(st.integers(0, len(game.secrets) - 1), min_size=1, max_size=40, unique=True)
    members = np.array(sorted(data.draw(rows)), dtype=np.int32)
    first = data.draw(st.integers(0, len(game.guesses) - 1))
    shown = shown_by(table, [first] if hard else [], int(members[0]))
    small = narrowed(table, members, shown)
    blocks = narrowed(table, members, shown, by_column=False)
    assert (blocks.rows == small.rows).all() and (blocks.guess == small.guess).all()
    kept = {partition(small, column, None) for column in np.flatnonzero(small.guess >= 0)}
    legal = [c for c in np.flatnonzero(table.guess >= 0) if is_legal(table, int(c), shown)]
    there = {partition(table, column, members) for column in legal}
    assert kept == {one for one in there if len(set(one)) > 1 or len(members) == 1}
    assert (np.diff(small.parts.astype(int)) <= 0).all()
    own = {int(table.column[m]) for m in members if is_legal(table, int(table.column[m]), shown)}
    if len(members) > 1:
        own = {c for c in own if len(set(partition(table, c, members))) > 1}
    assert {int(table.guess[c]) for c in own} <= set(small.guess.tolist())
    for column in np.flatnonzero(small.guess >= 0):
        assert len(set(partition(small, column, None))) == small.parts[column]


def partition(table: ScoreTable, column: int, members: NDArray[Any] | None) -> tuple[int, ...]:
    scores = table.scores[column] if members is None else table.scores[column, members]
    number: dict[int, int] = {}
    return tuple(number.setdefault(score, len(number)) for score in scores.tolist())
