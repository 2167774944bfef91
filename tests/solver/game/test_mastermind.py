"""Mastermind: boards, codes and their spelling, grading, and the symmetries."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.load import load_game
from solver.game.symmetry import rank, rank_weights, representatives
from solver.rules.searcher import Searcher
from strategy.referee import grade_pegs
from tests.support import naive
from tests.support.pegs import boards, everything, game, small_boards

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


# --- grading ------------------------------------------------------------------------------


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


# --- symmetry -----------------------------------------------------------------------------


@pytest.mark.plain
@given(boards, st.data())
def test_ranks_are_positions(board: str, data: st.DataObject) -> None:
    here = game(board)
    place = data.draw(st.integers(0, len(here.guesses) - 1))
    assert rank(here.packed[place], rank_weights(here), here.board.distinct) == place


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
    found = representatives(game(board), everything(board))
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
    kept = representatives(here, candidates).tolist()
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
    kept = {here.guesses[guess] for guess in representatives(here, members)}
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
