"""Symmetry: of guesses that a state cannot tell apart, the lowest is looked at."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.packed_codes import CodeSpace
from solver.game.symmetry import representatives
from solver.rules.searcher import Searcher
from tests.support.pegs import everything, game, small_boards, space_of


def with_turns(board: str) -> CodeSpace:
    """A board whose turns are sought for every state, however small."""
    return space_of(board)._replace(turns_from=0)


@pytest.mark.parametrize(
    ("board", "kinds"),
    [
        ("4x6", ["1111", "1112", "1122", "1123", "1234"]),
        ("5x8", ["11111", "11112", "11122", "11123", "11223", "11234", "12345"]),
        ("4x10:distinct", ["0123"]),
        ("3x2", ["111", "112"]),
    ],
)
def test_first_guesses_are_the_kinds(board: str, kinds: list[str]) -> None:
    found = representatives(with_turns(board), everything(board))
    assert [game(board).guesses[guess] for guess in found] == kinds


@settings(max_examples=60, deadline=None)
@given(small_boards, st.data())
def test_every_guess_splits_like_a_representative_not_above_it(
    board: str, data: st.DataObject
) -> None:
    here = game(board)
    candidates = everything(board)
    for _ in range(data.draw(st.integers(0, 3))):
        guess = data.draw(st.sampled_from(range(len(here.guesses))))
        buckets = Searcher(here, "parts").children(guess, candidates)
        candidates = data.draw(st.sampled_from([bucket for _, bucket in buckets]))
    kept = representatives(with_turns(board), candidates).tolist()
    rows = here.score_rows(None, candidates)
    own = set(candidates.tolist())
    seen = set()
    for guess in range(len(here.guesses)):
        sizes = tuple(sorted(Counter(rows[guess].tolist()).values()))
        if guess in kept:
            seen.add((sizes, guess in own))
        assert (sizes, guess in own) in seen


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["3x3", "2x4", "3x4:distinct"]), st.data())
def test_classes_are_sound_on_any_set_of_candidates(board: str, data: st.DataObject) -> None:
    """Every orbit of the group that really keeps the candidates has its lowest guess kept."""
    here = game(board)
    symbols = here.board.symbols
    chosen = data.draw(st.sets(st.sampled_from(here.guesses), min_size=1))
    members = np.array(sorted(map(here.guess_id, chosen)), dtype=np.int32)
    kept = {here.guesses[guess] for guess in representatives(with_turns(board), members)}
    orbit = {code: code for code in here.guesses}
    for holes in permutations(range(here.length)):
        for painted in permutations(symbols):
            paint = dict(zip(symbols, painted, strict=True))

            def turn(code: str, holes=holes, paint=paint) -> str:  # type: ignore[no-untyped-def]
                return "".join(paint[code[hole]] for hole in holes)

            if {turn(code) for code in chosen} == chosen:
                for code in here.guesses:
                    orbit[turn(code)] = min(orbit[turn(code)], code)
    if not here.board.distinct:
        alive = set("".join(chosen))
        dead = [symbol for symbol in symbols if symbol not in alive]
        for code in here.guesses:
            lowest = "".join(dead[0] if symbol in dead else symbol for symbol in code)
            orbit[code] = min(orbit[code], lowest)
    assert {code for code in here.guesses if orbit[code] == code} <= kept
