"""Mastermind: boards, codes and their spelling, the rule, packed codes and their symmetry."""

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import WrongInputError
from solver.game.alike import count_alike
from solver.game.codes import CodeSpace, codes_by_hole, rank, representatives
from solver.game.load import load_game
from solver.rules.searcher import Searcher
from strategy.checkers.verify import grade_pegs
from tests.support import naive, refused
from tests.support.pegs import boards, everything, game, orbits, small_boards, space_of


@pytest.mark.plain
@pytest.mark.parametrize(("board", "first", "last", "count"), [
    ("4x6", "1111", "6666", 1296), ("2x9", "11", "99", 81), ("2x10", "00", "99", 100),
    ("2x12", "00", "bb", 144), ("4x10:distinct", "0123", "9876", 5040),
    ("5x8", "11111", "88888", 32768),
])  # fmt: skip
def test_codes_are_all_there_and_sorted(board: str, first: str, last: str, count: int) -> None:
    codes = game(board).guesses
    assert (codes[0], codes[-1], len(codes)) == (first, last, count)
    assert list(codes) == sorted(set(codes)) and game(board).secrets == codes


@pytest.mark.parametrize(("spec", "reason"), [
    ("mastermind:4x1", "at least two colours"), ("mastermind:0x6", "at least one hole"),
    ("mastermind:40x40", "at most 15 holes"), ("mastermind:3x37", "at most 36 colours"),
    ("mastermind:10x10", "10,000,000,000 codes"), ("mastermind:6x5:distinct", "cannot all differ"),
    ("mastermind:4x6:odd", "holes x colours"), ("mastermind", "holes x colours"),
    ("mastermind:-4x6", "holes x colours"), ("bulls", "known: wordle, mastermind"),
    ("wordle:5", "known: wordle, mastermind"),
])  # fmt: skip
def test_what_is_no_board_is_refused_with_the_reason(spec: str, reason: str) -> None:
    refused(WrongInputError, reason, load_game, spec=spec)


@pytest.mark.parametrize(("code", "pegs", "reason"), [
    ("1127", "", "'7' is not a colour"), ("112a", "", "'a' is not a colour"),
    ("112", "", "3 pegs"), ("11223", "", "5 pegs"), ("", "3,1", "impossible"),
    ("", "5,0", "at most 4"), ("", "2,3", "at most 4"), ("", "2", "black,white"),
])  # fmt: skip
def test_wrong_codes_and_pegs_are_refused(code: str, pegs: str, reason: str) -> None:
    read = game("4x6").guess_id if code else game("4x6").parse_score
    refused(WrongInputError, reason, read, code or pegs)


@given(boards, st.data())
def test_grading_and_spelling(board: str, data: st.DataObject) -> None:
    here = game(board)
    guess, secret = (data.draw(st.sampled_from(here.guesses)) for _ in "ab")
    score = here.grade(guess, secret)
    assert here.parse_score(here.format_score(score)) == score
    assert (score == here.solved) == (guess == secret)
    history = ((guess, score), (secret, here.solved))
    assert here.parse_state(here.format_state(history)) == history
    # The checker's, the naive one, and pegs taken out one by one, as at the table.
    left = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    white = 0
    for g, s in zip(guess, secret, strict=True):
        if g != s and left[g]:
            left[g] -= 1
            white += 1
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    assert score == black * (len(guess) + 1) + white
    graders = (here.grade, naive.pegs, grade_pegs)
    assert all(grader(guess, secret) == grader(secret, guess) == score for grader in graders)


def test_states_are_read_in_several_spellings() -> None:
    wanted = (("1122", 6), ("1344", 2))
    for text in ("1122.1,1.1344.0,2", "1122 1,1 1344 0,2", "1122 1, 1 1344 0, 2"):
        assert game("4x6").parse_state(text) == wanted
    refused(WrongInputError, "all its codes", load_game, "words.txt", spec="mastermind:4x6")
    refused(WrongInputError, "must be different", game("4x10:distinct").guess_id, "0112")


def test_what_the_game_says() -> None:
    here = game("4x6")
    scores = here.score_rows()
    assert (scores == scores.T).all() and ((scores == 20) == np.eye(1296, dtype=bool)).all()
    assert len(np.unique(scores)) == 14
    expected = representatives(space_of("4x6"), everything("4x6"))
    assert here.worth_trying(everything("4x6")).tolist() == expected.tolist() and len(expected) == 5
    part = replace(here, secrets=here.secrets[:100])
    assert part.code_space is None and len(part.worth_trying(everything("4x6")[:100])) == 1296
    assert here.letters is None and not here.has_hard_mode
    words = load_game("original")
    assert words.letters is not None and words.letters.shape == (12_972, 5) and words.has_hard_mode
    assert words.code_space is None and len(words.worth_trying(words.secret_ids)) == 12_972
    assert count_alike(words, words.secret_ids, [0, 1]) == [0, 0]


@pytest.mark.plain
@given(boards, st.data())
def test_rows_are_the_plain_grades(board: str, data: st.DataObject) -> None:
    here, space = game(board), space_of(board)
    place = data.draw(st.integers(0, len(here.guesses) - 1))
    assert rank(space.codes[place], space.weights, space.distinct) == place
    ids = st.lists(st.integers(0, len(here.guesses) - 1), min_size=1, max_size=30)
    guesses, secrets = (np.array(data.draw(ids), dtype=np.int32) for _ in "ab")
    rows = here.score_rows(guesses, secrets)
    truth = [[naive.pegs(here.guesses[g], here.secrets[s]) for s in secrets] for g in guesses]
    assert rows.tolist() == truth
    places, tallies = codes_by_hole(space.codes[guesses], space.n_colours)
    symbols = here.board.symbols
    for at, code in enumerate(here.guesses[place] for place in guesses):
        assert "".join(symbols[peg] for peg in places[:, at]) == code
        assert tallies[:, at].tolist() == [code.count(symbol) for symbol in symbols]


def with_turns(board: str) -> CodeSpace:
    """A board whose turns are sought for every state, however small."""
    return space_of(board)._replace(turns_from=0)


@pytest.mark.parametrize(("board", "kinds"), [
    ("4x6", ["1111", "1112", "1122", "1123", "1234"]),
    ("5x8", ["11111", "11112", "11122", "11123", "11223", "11234", "12345"]),
    ("4x10:distinct", ["0123"]), ("3x2", ["111", "112"]),
])  # fmt: skip
def test_first_guesses_are_the_kinds(board: str, kinds: list[str]) -> None:
    found = representatives(with_turns(board), everything(board))
    assert [game(board).guesses[guess] for guess in found] == kinds


@settings(max_examples=60, deadline=None)
@given(small_boards, st.data())
def test_every_guess_splits_like_a_representative(board: str, data: st.DataObject) -> None:
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
    chosen = data.draw(st.sets(st.sampled_from(here.guesses), min_size=1))
    members = np.array(sorted(map(here.guess_id, chosen)), dtype=np.int32)
    kept = {here.guesses[guess] for guess in representatives(with_turns(board), members)}
    assert {min(alike) for alike in orbits(here, chosen).values()} <= kept


@pytest.mark.parametrize("spec", ["mastermind:3x4", "mastermind:2x5", "mastermind:3x4:distinct"])
def test_as_many_are_alike_as_renamings_make(spec: str) -> None:
    game, dice, counted = load_game(spec=spec), random.Random(7), 0
    for number in range(6):
        secret, left = dice.choice(game.guesses), list(game.guesses)
        for _ in range(number % 3):
            guess = dice.choice(game.guesses)
            score = game.grade(guess, secret)
            left = [code for code in left if game.grade(guess, code) == score]
        candidates = np.array([game.guess_id(code) for code in left], dtype=np.int32)
        kept = game.worth_trying(candidates)
        found = count_alike(game, candidates, kept.tolist())
        truth = orbits(game, {*left})
        for guess, others in zip(kept.tolist(), found, strict=True):
            assert 0 <= others < len(truth[game.guesses[guess]])
        assert sum(found) + len(kept) == len(game.guesses), "each code is like one that is kept"
        counted += len(kept) < len(game.guesses)
    assert counted > 2
