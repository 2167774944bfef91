"""The rule of grading: properties that any grader must have, and every way to write a score."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game import grading
from strategy.checkers.grading import grade_wordle
from tests.support import naive

pytestmark = pytest.mark.plain

WORDS = st.text(alphabet="abcde", min_size=5, max_size=5)
SCORES = st.integers(min_value=0, max_value=242)


@pytest.mark.parametrize(
    ("guess", "secret", "score"),
    [
        ("speed", "abide", "bbyby"),
        ("speed", "erase", "ybyyb"),
        ("speed", "steal", "gbgbb"),
        ("speed", "crepe", "bygyb"),
        ("allee", "eagle", "yybyg"),
        ("geese", "these", "bbggg"),
        ("aabbb", "bbbaa", "yygyy"),
    ],
)
def test_repeated_letters(guess: str, secret: str, score: str) -> None:
    assert grading.format_score(grading.grade(guess, secret), 5) == score


@given(WORDS, WORDS)
def test_all_graders_agree(guess: str, secret: str) -> None:
    score = grading.grade(guess, secret)
    assert score == naive.grade(guess, secret) == grade_wordle(guess, secret)


@given(WORDS, WORDS)
def test_solved_means_equal(guess: str, secret: str) -> None:
    assert (grading.grade(guess, secret) == grading.solved_score(5)) == (guess == secret)


@given(WORDS, WORDS)
def test_greens_and_hits_are_symmetric(one: str, two: str) -> None:
    there = Counter(grading.colours_of(grading.grade(one, two), 5))
    back = Counter(grading.colours_of(grading.grade(two, one), 5))
    assert there == back


@given(WORDS, WORDS)
def test_as_many_hits_as_the_multisets_share(guess: str, secret: str) -> None:
    colours = grading.colours_of(grading.grade(guess, secret), 5)
    for letter in set(guess):
        hits = sum(1 for g, c in zip(guess, colours, strict=True) if g == letter and c)
        assert hits == min(guess.count(letter), secret.count(letter))


@given(WORDS, WORDS, st.permutations("abcde"))
def test_renaming_letters_changes_nothing(guess: str, secret: str, names: list[str]) -> None:
    table = str.maketrans("abcde", "".join(names))
    renamed = grading.grade(guess.translate(table), secret.translate(table))
    assert renamed == grading.grade(guess, secret)


@given(WORDS, st.lists(WORDS, min_size=1, unique=True))
def test_filtering_keeps_exactly_what_would_have_answered_so(guess: str, words: list[str]) -> None:
    for secret in words:
        kept = naive.split(guess, words)[grading.grade(guess, secret)]
        assert secret in kept
        assert all(grading.grade(guess, word) == grading.grade(guess, secret) for word in kept)


@given(SCORES, st.sampled_from(sorted(grading.NOTATIONS.values())))
def test_every_notation_is_read_back(score: int, symbols: str) -> None:
    text = grading.format_score(score, 5, symbols)
    assert grading.parse_score(text, 5) == score
    assert grading.parse_score(text.upper(), 5) == score


@given(SCORES, st.sampled_from("._-"))
def test_any_grey_goes_with_any_notation(score: int, grey: str) -> None:
    assert grading.parse_score(grading.format_score(score, 5, f"{grey}yg"), 5) == score
    assert grading.parse_score(grading.format_score(score, 5, f"{grey}po"), 5) == score


def test_tiles_may_carry_variation_selectors() -> None:
    assert grading.parse_score("⬛\ufe0f🟨🟩⬛⬛", 5) == naive.score_of("bygbb")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bygb", "has 4 marks; the words have 5 letters"),
        ("bygbbb", "has 6 marks"),
        ("bygbq", "has 'q', which means nothing"),
        ("bpgbb", "mixes notations"),
        ("🟩🟦⬛⬛⬛", "mixes notations"),
        ("01ybb", "mixes notations"),
        ("", "has 0 marks"),
    ],
)
def test_wrong_scores_are_refused(text: str, reason: str) -> None:
    with pytest.raises(WrongInputError, match=reason):
        grading.parse_score(text, 5)
