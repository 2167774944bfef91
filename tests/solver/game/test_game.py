"""States: histories as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.load import load_game

pytestmark = pytest.mark.plain

GAME = load_game()
STEPS = st.lists(
    st.tuples(st.sampled_from(GAME.secrets), st.integers(min_value=0, max_value=242)), max_size=6
)


@pytest.mark.parametrize(
    ("text", "history"),
    [
        ("", ()),
        ("lares.......", (("lares", 0),)),
        ("lares.....", (("lares", 0),)),
        ("LARES ⬛⬛⬛⬛⬛", (("lares", 0),)),
        ("parse.BYBBB.clint.bbyyb", (("parse", 3), ("clint", 36))),
        ("sigma xxxxx tenor xpppx", (("sigma", 0), ("tenor", 39))),
        ("sigma:00000, tenor:01110", (("sigma", 0), ("tenor", 39))),
        ("lares.......cling.bybbb", (("lares", 0), ("cling", 3))),
        ("laresbbbbbclingbybbb", (("lares", 0), ("cling", 3))),
    ],
)
def test_states_are_read(text: str, history: tuple[tuple[str, int], ...]) -> None:
    assert GAME.parse_state(text) == history


@given(STEPS, st.sampled_from([".", " "]))
def test_states_are_read_back(steps: list[tuple[str, int]], between: str) -> None:
    text = GAME.format_state(steps).replace(".", between)
    assert GAME.parse_state(text) == tuple(steps)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("lares", "'lares' has no score after it"),
        ("lares.byb", "has 3 marks"),
        ("lares.bypbb", "mixes notations"),
        ("larez.bbbbb", "'larez' is not among the 12,972 guesses of original; did you mean"),
        ("lares.bbbbb.cl", "expected a word of 5, found 'cl'"),
        ("bbbbb", "has no score"),
    ],
)
def test_wrong_states_are_refused(text: str, reason: str) -> None:
    with pytest.raises(WrongInputError, match=reason):
        GAME.parse_state(text)


def test_one_separator_is_the_first_guess() -> None:
    assert GAME.parse_state("lares.y....") == (("lares", 1),)
    assert GAME.parse_state("lares...y..") == (("lares", 9),)
    assert GAME.parse_state("lares   y....") == (("lares", 1),)


def test_separators_are_the_same_in_the_whole_state() -> None:
    """Read step by step, LOGOS would get yellow first: ``logos.1....pyral.22..`` has two styles."""
    assert GAME.parse_state("logos.1....pyral.22..") == (("logos", 3), ("pyral", 24))


def test_long_and_tangled_states_are_read_at_once() -> None:
    assert len(GAME.parse_state("lares.bbbbb." * 3000)) == 3000
    assert len(GAME.parse_state("lares...y..." * 200)) == 200
