"""Mastermind: the game, its edges, the symmetries, and the search against the slow truth."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import permutations, product
from math import factorial, perm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver import peg_search
from solver.errors import WrongInputError
from solver.game import load_game
from solver.mastermind import MastermindGame, mastermind_game, parse_board
from solver.minimax import GUESS_POOLS, Searcher, Subtree
from solver.peg_search import PegSearch
from solver.rules import RULES, find_rule
from solver.symmetry import rank, rank_weights, representatives
from strategy.cli import main
from strategy.verify import grade_pegs

from . import naive
from .test_minimax import described, histogram

#: Published figures: first guess and rule, secrets solved in 1, 2, … guesses.
KNUTH = ("1122", [1, 6, 62, 533, 694], 5801)
#: Rule, first guess, total over the 1,296 codes of 4x6.
OTHER_RULES = [("expected-size", "1123", 5696), ("parts", "1123", 5668), ("entropy", "1234", 5722)]
SUPER = ("11223", [1, 9, 98, 1258, 11373, 18638, 1391], 183_775)
SUPER_OTHER = ("11234", 183_966)


@cache
def game(board: str) -> MastermindGame:
    """A board, made once for all tests."""
    return mastermind_game(f"mastermind:{board}")


def everything(board: str) -> np.ndarray:
    return np.arange(len(game(board).secrets), dtype=np.int32)


def grown(board: str, rule: str, start: str) -> Subtree:
    opener = game(board).guess_id(start)
    return Searcher(game(board), rule).grow(everything(board), [opener])


def total(counts: list[int]) -> int:
    return sum(number * count for number, count in enumerate(counts, 1))


small_boards = st.sampled_from(
    ["1x2", "1x6", "2x2", "2x5", "3x2", "3x3", "3x4", "4x3", "5x2", "2x4:distinct", "3x5:distinct"]
)
boards = st.one_of(
    small_boards, st.sampled_from(["4x6", "2x12", "3x10", "6x4", "4x7:distinct", "8x3", "10x2"])
)


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


# --- the search ---------------------------------------------------------------------------


class Plain(MastermindGame):
    """The same game without a search of its own: by the score matrix, all guesses looked at."""

    def own_search(self, rule: object, from_pool: bool) -> None:  # type: ignore[override]
        return None


def plain(board: str) -> Plain:
    here = game(board)
    return Plain("plain", "plain", here.guesses, here.secrets, here.board)


def same(one: Subtree, other: Subtree) -> bool:
    return all(
        (getattr(one, column) == getattr(other, column)).all()
        for column in ("guess", "score", "parent")
    )


@settings(max_examples=40, deadline=None)
@given(small_boards, st.sampled_from(list(RULES)), st.sampled_from(GUESS_POOLS))
def test_every_rule_and_pool_is_the_plain_one(board: str, rule: str, pool: str) -> None:
    here = game(board)
    tree = Searcher(here, rule, guess_from=pool).grow()
    expected = naive.nodes(
        here.guesses,
        here.secrets,
        rule,
        guess_from=pool,
        secrets=here.secrets,
        grader=naive.pegs,
    )
    assert described(here, tree) == list(expected)


@pytest.mark.parametrize("rule", list(RULES))
@pytest.mark.parametrize(("board", "start"), [("4x6", "1122"), ("3x9", "123"), ("5x4", "11234")])
def test_the_reductions_change_no_tree(rule: str, board: str, start: str) -> None:
    """With symmetry and without a matrix, or with a matrix and without symmetry: the same."""
    opener = game(board).guess_id(start)
    reference = Searcher(plain(board), rule)
    assert reference.has_matrix
    assert not Searcher(game(board), rule).has_matrix
    assert same(grown(board, rule, start), reference.grow(None, [opener]))


@pytest.mark.parametrize("rule", ["minimax", "entropy", "proportion"])
def test_distinct_codes_by_both_searches(rule: str) -> None:
    board = "4x8:distinct"
    opener = game(board).guess_id("1234")
    assert same(grown(board, rule, "1234"), Searcher(plain(board), rule).grow(None, [opener]))


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(list(RULES)), st.integers(3, 400), st.randoms(use_true_random=False))
def test_any_candidates_get_the_same_guess(rule: str, count: int, random) -> None:  # type: ignore[no-untyped-def]
    chosen = np.array(sorted(random.sample(range(1296), count)), dtype=np.int32)
    guess = Searcher(game("4x6"), rule).next_guess(chosen)
    assert guess == Searcher(plain("4x6"), rule).next_guess(chosen)


def test_memory_grows_with_the_codes_not_with_their_square() -> None:
    desk = PegSearch(game("5x8"), find_rule("minimax")).desk
    arrays = [value for value in desk if isinstance(value, np.ndarray)]
    assert sum(array.nbytes for array in arrays) < 100 * len(game("5x8").guesses)
    assert peg_search.FEW < 256  # counted in bytes


@pytest.mark.plain
@pytest.mark.parametrize("rule", ["minimax", "entropy"])
def test_a_tiny_tree(rule: str) -> None:
    """Small enough to run without compilation too."""
    here = game("2x3")
    expected = naive.nodes(here.guesses, here.secrets, rule, grader=naive.pegs)
    assert described(here, Searcher(here, rule).grow()) == list(expected)


# --- published figures --------------------------------------------------------------------


def test_knuth() -> None:
    start, counts, whole = KNUTH
    found = histogram(game("4x6"), grown("4x6", "minimax", start))
    assert (found, total(found)) == (counts, whole)
    assert game("4x6").guesses[Searcher(game("4x6")).next_guess(everything("4x6"))] == start


@pytest.mark.parametrize(("rule", "start", "whole"), OTHER_RULES)
def test_other_rules(rule: str, start: str, whole: int) -> None:
    assert total(histogram(game("4x6"), grown("4x6", rule, start))) == whole


def test_super_mastermind() -> None:
    start, counts, whole = SUPER
    found = histogram(game("5x8"), grown("5x8", "minimax", start))
    assert (found, total(found)) == (counts, whole)


@pytest.mark.slow
def test_super_mastermind_from_another_start() -> None:
    start, whole = SUPER_OTHER
    assert total(histogram(game("5x8"), grown("5x8", "minimax", start))) == whole


# --- the commands -------------------------------------------------------------------------


def test_solve_all_writes_a_strategy_that_the_checker_plays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["solve-all", "--game", "mastermind:4x6", "--start", "1122", "--json", "-"]
    assert main(command) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["histogram"] == KNUTH[1]
    assert report["file"] == "1122-mastermind_4x6-allowed-minimax.strategy"
    assert main(["verify", report["file"], "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == KNUTH[2]


def test_workers_change_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files = []
    for workers in ("1", "2"):
        options = ["--workers", workers, "--out", f"{workers}.strategy", "--quiet"]
        assert main(["solve-all", "--game", "mastermind:3x5", *options]) == 0
        files.append(Path(f"{workers}.strategy").read_bytes())
    assert files[0] == files[1]


def test_counting_codes() -> None:
    """The number of codes is what listing them gives."""
    for holes, colours in product((1, 2, 3), (2, 3, 11)):
        assert parse_board(f"mastermind:{holes}x{colours}").n_codes == colours**holes
        if holes <= colours:
            board = parse_board(f"mastermind:{holes}x{colours}:distinct")
            assert board.n_codes == perm(colours, holes) == len(board.codes)
    assert factorial(3) == len(game("3x3:distinct").guesses)
