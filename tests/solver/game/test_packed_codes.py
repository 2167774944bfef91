"""Packed codes: ranked, tabled and graded in bulk as the plain rule says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.game.packed_codes import codes_by_hole, rank
from tests.support import naive
from tests.support.pegs import boards, game, space_of


@pytest.mark.plain
@given(boards, st.data())
def test_ranks_are_positions(board: str, data: st.DataObject) -> None:
    here = game(board)
    place = data.draw(st.integers(0, len(here.guesses) - 1))
    space = space_of(board)
    assert rank(space.codes[place], space.weights, space.distinct) == place


@pytest.mark.plain
@given(boards, st.data())
def test_rows_are_the_plain_grades(board: str, data: st.DataObject) -> None:
    here = game(board)
    ids = st.lists(st.integers(0, len(here.guesses) - 1), min_size=1, max_size=30)
    guesses, secrets = (np.array(data.draw(ids), dtype=np.int32) for _ in "ab")
    rows = here.score_rows(guesses, secrets)
    assert rows.tolist() == [
        [naive.pegs(here.guesses[g], here.secrets[s]) for s in secrets] for g in guesses
    ]


def test_the_whole_matrix_is_symmetric_and_solved_on_the_diagonal() -> None:
    scores = game("4x6").score_rows()
    assert (scores == scores.T).all()
    assert ((scores == 20) == np.eye(1296, dtype=bool)).all()
    assert len(np.unique(scores)) == 14


@pytest.mark.plain
@given(boards, st.data())
def test_a_table_holds_the_codes_twice(board: str, data: st.DataObject) -> None:
    here, space = game(board), space_of(board)
    ids = data.draw(st.lists(st.integers(0, len(here.guesses) - 1), min_size=1, max_size=30))
    places, tallies = codes_by_hole(space.codes[ids], space.n_colours)
    symbols = here.board.symbols
    for at, code in enumerate(here.guesses[place] for place in ids):
        assert "".join(symbols[peg] for peg in places[:, at]) == code
        assert tallies[:, at].tolist() == [code.count(symbol) for symbol in symbols]
