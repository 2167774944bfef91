"""Mastermind: search, published figures, commands, and the vector steps against their twins."""

from itertools import product
from math import perm
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.choices import GUESS_POOLS
from solver.game.codes import Codes
from solver.game.mastermind import parse_board
from solver.machine.jit import kernel
from solver.rules import code_choice
from solver.rules.searcher import RULES, Searcher
from solver.tree import Tree
from tests.support import PLAIN, naive
from tests.support.commands import Knuthle, report_of
from tests.support.pegs import everything, game, plain, small_boards, space_of
from tests.support.trees import described

tiny_boards, pools = st.sampled_from(["2x2", "2x3"]), st.sampled_from(GUESS_POOLS)


def grown(board: str, rule: str, start: str) -> Tree:
    opener = game(board).guess_id(start)
    return Searcher(game(board), rule).grow(everything(board), [opener])


@pytest.mark.plain
@settings(max_examples=15 if PLAIN else 40, deadline=None)
@given(tiny_boards if PLAIN else small_boards, st.sampled_from(list(RULES)), pools)
def test_every_rule_and_pool(board: str, rule: str, pool: str) -> None:
    here = game(board)
    tree = Searcher(here, rule, guess_from=pool).grow()
    expected = naive.nodes(
        here.guesses, here.secrets, rule, guess_from=pool, secrets=here.secrets, grader=naive.pegs
    )
    assert described(here, tree) == list(expected)


BOARDS = [("4x6", "1122"), ("3x9", "123"), ("5x4", "11234")]


@pytest.mark.parametrize(("board", "start", "rule"), [
    *((*board, rule) for rule in RULES for board in BOARDS),
    *(("4x8:distinct", "1234", rule) for rule in ("minimax", "entropy", "proportion")),
])  # fmt: skip
def test_the_reductions_change_no_tree(board: str, start: str, rule: str) -> None:
    """With symmetry and without a matrix, or with a matrix and without symmetry: the same."""
    opener = game(board).guess_id(start)
    reference = Searcher(plain(board), rule)
    assert plain(board).code_space is None and game(board).code_space is not None
    assert grown(board, rule, start) == reference.grow(None, [opener])


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(list(RULES)), st.integers(3, 400), st.randoms(use_true_random=False))
def test_any_candidates_get_the_same_guess(rule: str, count: int, random) -> None:  # type: ignore[no-untyped-def]
    chosen = np.array(sorted(random.sample(range(1296), count)), dtype=np.int32)
    guess = Searcher(game("4x6"), rule).next_guess(chosen)
    assert guess == Searcher(plain("4x6"), rule).next_guess(chosen)


def test_memory_and_counts_of_codes() -> None:
    space = space_of("5x8")
    arrays = [space.codes, *code_choice.peg_scratch(space)]
    assert sum(array.nbytes for array in arrays) < 100 * len(game("5x8").guesses)
    assert code_choice.CANDIDATES_FIRST < 256  # counted in bytes
    # The number of codes is what listing them gives.
    for holes, colours in product((1, 2, 3), (2, 3, 11)):
        assert parse_board(f"mastermind:{holes}x{colours}").n_codes == colours**holes
        if holes <= colours:
            board = parse_board(f"mastermind:{holes}x{colours}:distinct")
            assert board.n_codes == perm(colours, holes) == len(board.codes)


def test_commands(knuthle: Knuthle) -> None:
    report = report_of(knuthle, "solve-all", "--game", "mastermind:4x6", "--start", "1122")
    assert report["file"] == "1122-mastermind_4x6-allowed-minimax.strategy"
    assert report_of(knuthle, "verify", report["file"])["total"] == report["total"] == 5801
    solve = ("solve-all", "--game", "mastermind:3x5", "--workers")
    for workers in (1, 2):
        assert knuthle(*solve, workers, "--out", f"{workers}.strategy", "--quiet").code == 0
    assert Path("1.strategy").read_bytes() == Path("2.strategy").read_bytes()


COLOURS = 5


@kernel
def matched(rows: Codes, layout: code_choice.Layout, hole: int, colour: int, had: int) -> None:
    code_choice.match_peg(rows, layout, hole, colour, had)


@kernel
def counted(
    rows: Codes, layout: code_choice.Layout, colour: int, had: int, scores: Codes, first: int
) -> tuple[int, int, int, int]:
    return code_choice.count_peg(rows, layout, colour, had, scores, first)


unbeaten = kernel(
    lambda rows, layout, asked, used, scores, weights, limit, by_largest: (
        code_choice.unbeaten_by_largest(rows, layout, asked, used, scores, weights, limit)
        if by_largest
        else code_choice.unbeaten_by_sum(rows, layout, asked, used, scores, weights, limit)
    )
)


def laid_out(codes: Codes) -> tuple[Codes, code_choice.Layout]:
    """The rows of some candidates, spelt out."""
    n, holes = codes.shape
    width = -(-n // code_choice.VECTOR_CODES) * code_choice.VECTOR_CODES
    rows = np.zeros((1 + 2 * holes + COLOURS, width), dtype=np.uint8)
    rows[0, n:] = code_choice.NOBODY
    rows[1 + holes : 1 + 2 * holes] = code_choice.NOBODY
    rows[1 + holes : 1 + 2 * holes, :n] = codes.T
    for colour in range(COLOURS):
        rows[1 + 2 * holes + colour, :n] = (codes == colour).sum(axis=1)
    layout = code_choice.Layout(n, width, (1 + holes) * width, (1 + 2 * holes) * width, holes)
    return rows.ravel(), layout


def some_codes(n: int, holes: int) -> Codes:
    return np.random.default_rng(n).integers(0, COLOURS, (n, holes)).astype(np.uint8)


def text(code: Codes) -> str:
    return "".join(map(str, code))


@pytest.mark.plain
@pytest.mark.parametrize("n", [1, 63, 64, 65, 200])
def test_pegs_one_after_the_other_come_to_the_scores(n: int) -> None:
    codes = some_codes(n, 4)
    rows, layout = laid_out(codes)
    plain = rows.copy()
    guess = some_codes(n + 1, 4)[0]
    for hole, colour in enumerate(guess.tolist()):
        had = int((guess[:hole] == colour).sum())
        matched(rows, layout, hole, colour, had)
        code_choice.match_peg_plain(plain, layout, hole, colour, had)
        assert (rows == plain).all()
    end = 4 * layout.width
    expected = [naive.pegs(text(guess), text(code)) for code in codes]
    assert rows[end : end + n].tolist() == expected
    assert (rows[end + n : end + layout.width] == code_choice.NOBODY).all()


@pytest.mark.plain
@pytest.mark.parametrize("n", [3, 64, 300])
@pytest.mark.parametrize("by_largest", [True, False])
def test_last_pegs_are_counted_and_judged(n: int, by_largest: bool) -> None:
    codes = some_codes(n, 3)
    rows, layout = laid_out(codes)
    first_pegs = [2, 2]
    for hole, colour in enumerate(first_pegs):
        code_choice.match_peg_plain(rows, layout, hole, colour, hole)
    used = np.bincount(first_pegs, minlength=COLOURS)
    scores = np.array([0, 1, 4, 2, 8, 3, 5, code_choice.NOBODY - 1], dtype=np.uint8)
    weights = (np.arange(n + 1) ** 2).astype(np.int64)
    costs = []
    for colour in range(COLOURS):
        found = [naive.pegs(text(np.array([*first_pegs, colour])), text(code)) for code in codes]
        for first in (0, code_choice.TOGETHER):
            some = scores[first : first + code_choice.TOGETHER].tolist()
            counts = tuple(found.count(score) for score in some)
            asked = rows, layout, colour, int(used[colour]), scores, first
            assert counted(*asked) == code_choice.count_peg_plain(*asked) == counts
        few = [found.count(int(score)) for score in scores[: code_choice.TOGETHER]]
        costs.append(max(few) if by_largest else sum(count**2 for count in few))
    step: Any = code_choice.unbeaten_by_largest if by_largest else code_choice.unbeaten_by_sum
    twin = getattr(step, "plain", step)
    for limit in {*costs, 0, 1 << 61}:
        for asked_for in (0b11111, 0b01010, 0):
            expected = sum(
                1 << at for at in range(COLOURS) if asked_for >> at & 1 and costs[at] < limit
            )
            given = rows, layout, asked_for, used, scores, weights, limit
            assert unbeaten(*given, by_largest) == expected and twin(*given) == expected
