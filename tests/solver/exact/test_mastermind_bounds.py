"""Guesses with their bounds, and splits, against plain lists of codes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.exact.mastermind_bounds import bounds_of_guesses, code_scratch, split_state
from solver.exact.mastermind_engine import ideal_totals
from solver.machine.rows import Ids
from tests.support import naive
from tests.support.pegs import game, small_boards, space_of


def some_codes(board: str, data: st.DataObject) -> Ids:
    places = st.integers(0, len(game(board).guesses) - 1)
    chosen = data.draw(st.sets(places, min_size=1, max_size=30))
    return np.array(sorted(chosen), dtype=np.int32)


@pytest.mark.plain
@settings(max_examples=40, deadline=None)
@given(small_boards, st.data())
def test_a_split_is_the_plain_one(board: str, data: st.DataObject) -> None:
    here, space = game(board), space_of(board)
    members = some_codes(board, data)
    guess = data.draw(st.integers(0, len(here.guesses) - 1))
    heads, scores, order, starts = split_state(space, code_scratch(space), guess, members)
    word = here.guesses[guess]
    plain = [naive.pegs(word, here.guesses[at]) for at in members]
    assert scores.tolist() == sorted(plain)
    assert order.tolist() == [int(members[at]) for at in np.argsort(plain, kind="stable")]
    edges = [at for at in range(len(plain)) if at == 0 or scores[at] != scores[at - 1]]
    assert starts.tolist() == [*edges, len(plain)]
    assert heads.tolist() == [-1 if score == here.solved else plain.index(score) for score in plain]


@pytest.mark.plain
@settings(max_examples=40, deadline=None)
@given(small_boards, st.data())
def test_bounds_are_the_ideal_totals_of_the_buckets(board: str, data: st.DataObject) -> None:
    """And what is not offered is not better than what is."""
    here, space = game(board), space_of(board)
    members = some_codes(board, data)
    ideal = ideal_totals(here.length, len(here.secrets), 5)
    guesses, bounds = bounds_of_guesses(space, code_scratch(space), members, ideal)

    def bound(guess: int) -> int:
        words = [here.guesses[at] for at in members]
        buckets = naive.split(here.guesses[guess], words, naive.pegs)
        return len(words) + sum(
            int(ideal[len(bucket)])
            for bucket in buckets.values()
            if bucket != [here.guesses[guess]]
        )

    assert bounds.tolist() == [bound(guess) for guess in guesses]
    assert min(bounds) == min(bound(guess) for guess in range(len(here.guesses)))
