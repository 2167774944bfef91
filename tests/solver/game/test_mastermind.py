"""Mastermind as a game: boards, codes and their spelling, the rule, and what the game says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.symmetry import representatives
from strategy.checkers.grading import grade_pegs
from tests.support import naive
from tests.support.pegs import boards, everything, game, space_of

# --- codes and boards ---------------------------------------------------------------------


@pytest.mark.plain
@pytest.mark.parametrize(
    ("board", "first", "last", "count"),
    [
        ("4x6", "1111", "6666", 1296),
        ("2x9", "11", "99", 81),
        ("2x10", "00", "99", 100),
        ("2x12", "00", "bb", 144),
        ("4x10:distinct", "0123", "9876", 5040),
        ("5x8", "11111", "88888", 32768),
    ],
)
def test_codes_are_all_there_and_sorted(board: str, first: str, last: str, count: int) -> None:
    codes = game(board).guesses
    assert (codes[0], codes[-1], len(codes)) == (first, last, count)
    assert list(codes) == sorted(set(codes))
    assert game(board).secrets == codes


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("mastermind:4x1", "nothing to guess"),
        ("mastermind:0x6", "at least one hole"),
        ("mastermind:40x40", "at most 15 holes"),
        ("mastermind:3x37", "at most 36 colours"),
        ("mastermind:10x10", "10,000,000,000 codes"),
        ("mastermind:6x5:distinct", "cannot all differ"),
        ("mastermind:4x6:odd", "holes x colours"),
        ("mastermind", "holes x colours"),
        ("mastermind:-4x6", "holes x colours"),
        ("bulls", "known: wordle, mastermind"),
        ("wordle:5", "known: wordle, mastermind"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(spec: str, reason: str) -> None:
    with pytest.raises(WrongInputError, match=reason):
        load_game(spec=spec)


def test_a_word_list_is_refused() -> None:
    with pytest.raises(WrongInputError, match="all its codes"):
        load_game("words.txt", spec="mastermind:4x6")


@pytest.mark.parametrize(
    ("code", "reason"),
    [("1127", "no colour '7'"), ("112", "3 pegs"), ("11223", "5 pegs"), ("112a", "no colour 'a'")],
)
def test_what_is_no_code_is_refused_with_the_reason(code: str, reason: str) -> None:
    with pytest.raises(WrongInputError, match=reason):
        game("4x6").guess_id(code)


def test_a_colour_twice_is_refused_where_all_differ() -> None:
    with pytest.raises(WrongInputError, match="twice"):
        game("4x10:distinct").guess_id("0112")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("3,1", "impossible"), ("5,0", "more than 4"), ("2,3", "more than 4"), ("2", "black,white")],
)
def test_impossible_pegs_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(WrongInputError, match=reason):
        game("4x6").parse_score(text)


@given(boards, st.data())
def test_scores_are_read_back(board: str, data: st.DataObject) -> None:
    here = game(board)
    guess, secret = (data.draw(st.sampled_from(here.guesses)) for _ in "ab")
    score = here.grade(guess, secret)
    assert here.parse_score(here.format_score(score)) == score
    assert (score == here.solved) == (guess == secret)
    history = ((guess, score), (secret, here.solved))
    assert here.parse_state(here.format_state(history)) == history


def test_states_are_read_in_several_spellings() -> None:
    wanted = (("1122", 6), ("1344", 2))
    for text in ("1122.1,1.1344.0,2", "1122 1,1 1344 0,2", "1122 1, 1 1344 0, 2"):
        assert game("4x6").parse_state(text) == wanted


# --- the rule ------------------------------------------------------------------------------


@given(boards, st.data())
def test_pegs_by_independent_formulas(board: str, data: st.DataObject) -> None:
    """The checker's, the naive one, and pegs taken out one by one, as at the table."""
    here = game(board)
    guess, secret = (data.draw(st.sampled_from(here.guesses)) for _ in "ab")
    left = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    white = 0
    for g, s in zip(guess, secret, strict=True):
        if g != s and left[g]:
            left[g] -= 1
            white += 1
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    score = black * (len(guess) + 1) + white
    assert here.grade(guess, secret) == naive.pegs(guess, secret) == score
    assert grade_pegs(guess, secret) == score
    assert here.grade(secret, guess) == score


# --- what the game says -------------------------------------------------------------------


def test_a_whole_board_names_the_guesses_worth_trying() -> None:
    here = game("4x6")
    expected = representatives(space_of("4x6"), everything("4x6"))
    assert here.worth_trying(everything("4x6")).tolist() == expected.tolist()
    assert len(expected) == 5


def test_a_part_of_a_board_is_no_code_space() -> None:
    part = replace(game("4x6"), secrets=game("4x6").secrets[:100])
    assert part.code_space is None
    assert len(part.worth_trying(everything("4x6")[:100])) == 1296


def test_pegs_show_no_letters() -> None:
    here = game("4x6")
    assert here.letters is None
    assert not here.has_hard_mode
    words = load_game("original")
    assert words.letters is not None
    assert words.letters.shape == (12_972, 5)
    assert words.has_hard_mode
    assert words.code_space is None
    assert len(words.worth_trying(words.secret_ids)) == 12_972
