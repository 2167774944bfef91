"""Mastermind: the search against the slow truth, published figures, and the commands."""

from __future__ import annotations

import json
from itertools import product
from math import factorial, perm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game.game import GUESS_POOLS
from solver.game.mastermind import MastermindGame, parse_board
from solver.rules.mastermind_choice import FEW, peg_scratch
from solver.rules.rules import RULES
from solver.rules.searcher import Searcher
from solver.tree import Tree
from strategy.cli import main
from tests.support import naive
from tests.support.pegs import everything, game, small_boards, space_of
from tests.support.trees import described, histogram

#: Published figures: first guess and rule, secrets solved in 1, 2, … guesses.
KNUTH = ("1122", [1, 6, 62, 533, 694], 5801)
#: Rule, first guess, total over the 1,296 codes of 4x6.
OTHER_RULES = [("expected-size", "1123", 5696), ("parts", "1123", 5668), ("entropy", "1234", 5722)]
SUPER = ("11223", [1, 9, 98, 1258, 11373, 18638, 1391], 183_775)
SUPER_OTHER = ("11234", 183_966)


def grown(board: str, rule: str, start: str) -> Tree:
    opener = game(board).guess_id(start)
    return Searcher(game(board), rule).grow(everything(board), [opener])


def total(counts: list[int]) -> int:
    return sum(number * count for number, count in enumerate(counts, 1))


# --- the search ---------------------------------------------------------------------------


class Plain(MastermindGame):
    """The same game without a search of its own: by the score matrix, all guesses looked at."""

    code_space = None


def plain(board: str) -> Plain:
    here = game(board)
    return Plain("plain", "plain", here.guesses, here.secrets, here.board)


def same(one: Tree, other: Tree) -> bool:
    return one == other


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
    assert plain(board).code_space is None
    assert game(board).code_space is not None
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
    space = space_of("5x8")
    arrays = [space.codes, *peg_scratch(space)]
    assert sum(array.nbytes for array in arrays) < 100 * len(game("5x8").guesses)
    assert FEW < 256  # counted in bytes


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
