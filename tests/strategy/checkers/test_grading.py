"""The checkers' own grading: many words at a time as each pair by itself."""

from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strategy.checkers import grading
from tests.support import naive


def words_of(length: int) -> st.SearchStrategy[str]:
    """Words with many letters in common, of any script."""
    return st.text("abz\u00df\u0431\u5e740", min_size=length, max_size=length)


@given(
    st.integers(1, 11).flatmap(
        lambda length: st.lists(st.tuples(words_of(length), words_of(length)), min_size=1)
    )
)
def test_pairs_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    guesses, secrets = zip(*pairs, strict=True)
    expected = [naive.grade(guess, secret) for guess, secret in pairs]
    assert grading.grade_pairs(guesses, secrets) == expected
    assert [grading.grade_wordle(*pair) for pair in pairs] == expected


@pytest.mark.parametrize("length", [1, 3, 4])
def test_all_words_of_three_letters(length: int) -> None:
    words = list(map("".join, product("abc", repeat=length)))
    pairs = list(product(words, words))
    guesses, secrets = zip(*pairs, strict=True)
    assert grading.grade_pairs(guesses, secrets) == [naive.grade(*pair) for pair in pairs]


def codes_of(length: int) -> st.SearchStrategy[str]:
    """Codes with many colours in common, and some that no board has."""
    return st.text("012az\u00df", min_size=length, max_size=length)


@given(
    st.integers(1, 16).flatmap(
        lambda length: st.lists(st.tuples(codes_of(length), codes_of(length)), min_size=1)
    )
)
@example([("0", "\u00df"), ("0", "0")])
@example([("0\u00df", "\u00df0")])
@example([(chr(48 + at) * 5, chr(48 + at) * 4 + "0") for at in range(64)])
def test_pairs_of_codes_are_graded_as_each_by_itself(pairs: list[tuple[str, str]]) -> None:
    guesses, secrets = zip(*pairs, strict=True)
    expected = [naive.pegs(guess, secret) for guess, secret in pairs]
    assert grading.grade_peg_pairs(guesses, secrets) == expected
    assert [grading.grade_pegs(*pair) for pair in pairs] == expected


@pytest.mark.parametrize(("holes", "colours"), [(1, 2), (3, 3), (7, 2), (2, 36), (3, 36)])
def test_codes_of_few_holes_or_colours(holes: int, colours: int) -> None:
    """As many colours as make every peg a number below 128, and one board with more."""
    codes = list(
        map("".join, product("0123456789abcdefghijklmnopqrstuvwxyz"[:colours], repeat=holes))
    )
    pairs = [(code, codes[-number]) for number, code in enumerate(codes)]
    guesses, secrets = zip(*pairs, strict=True)
    assert grading.grade_peg_pairs(guesses, secrets) == [naive.pegs(*pair) for pair in pairs]


def test_a_code_of_one_colour_against_itself() -> None:
    """The highest scores there are, up to one more peg than a byte can tell."""
    for holes in range(1, 17):
        code = "7" * holes
        assert grading.grade_peg_pairs([code], [code]) == [holes * (holes + 1)]
