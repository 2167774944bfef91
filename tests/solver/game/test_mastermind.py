"""Mastermind: boards, codes, packed codes and their symmetry; search, figures, vector steps."""

import random
from collections import Counter
from dataclasses import replace
from itertools import product
from math import perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.choices import GUESS_POOLS
from solver.game.alike import count_alike
from solver.game.codes import Codes, CodeSpace, codes_by_hole, rank, representatives
from solver.game.load import load_game
from solver.game.mastermind import parse_board
from solver.machine.jit import kernel
from solver.rules import code_choice
from solver.rules.searcher import RULES, Searcher
from strategy.checkers.verify import grade_pegs
from tests.support import PLAIN, naive
from tests.support.trees import described
from tests.support.worlds import (
    all_secrets,
    board_of,
    boards,
    orbits,
    plain,
    small_boards,
    space_of,
)


@pytest.mark.plain
@pytest.mark.parametrize(("board", "first", "last", "count"), [
    ("4x6", "1111", "6666", 1296), ("2x9", "11", "99", 81), ("2x10", "00", "99", 100),
    ("2x12", "00", "bb", 144), ("4x10:distinct", "0123", "9876", 5040),
    ("5x8", "11111", "88888", 32768),
])  # fmt: skip
def test_codes_are_all_there_and_sorted(board: str, first: str, last: str, count: int) -> None:
    codes = board_of(board).guesses
    assert (codes[0], codes[-1], len(codes)) == (first, last, count)
    assert list(codes) == sorted(set(codes)) and board_of(board).secrets == codes


@given(boards, st.data())
def test_grading_and_spelling(board: str, data: st.DataObject) -> None:
    here = board_of(board)
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
        assert board_of("4x6").parse_state(text) == wanted


def test_what_the_game_says() -> None:
    here = board_of("4x6")
    scores, every = here.score_rows(), all_secrets(here)
    assert (scores == scores.T).all() and ((scores == 20) == np.eye(1296, dtype=bool)).all()
    assert len(np.unique(scores)) == 14
    expected = representatives(space_of("4x6"), every)
    assert here.worth_trying(every).tolist() == expected.tolist() and len(expected) == 5
    part = replace(here, secrets=here.secrets[:100])
    assert part.code_space is None and len(part.worth_trying(every[:100])) == 1296
    assert here.letters is None and not here.has_hard_mode
    words = load_game("original")
    assert words.letters is not None and words.letters.shape == (12_972, 5) and words.has_hard_mode
    assert words.code_space is None and len(words.worth_trying(words.secret_ids)) == 12_972
    assert count_alike(words, words.secret_ids, [0, 1]) == [0, 0]


@pytest.mark.plain
@given(boards, st.data())
def test_rows_are_the_plain_grades(board: str, data: st.DataObject) -> None:
    here, space = board_of(board), space_of(board)
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
    found = representatives(with_turns(board), all_secrets(board_of(board)))
    assert [board_of(board).guesses[guess] for guess in found] == kinds


@settings(max_examples=60, deadline=None)
@given(small_boards, st.data())
def test_every_guess_splits_like_a_representative(board: str, data: st.DataObject) -> None:
    here = board_of(board)
    candidates = all_secrets(board_of(board))
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
    here = board_of(board)
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


tiny_boards, pools = st.sampled_from(["2x2", "2x3"]), st.sampled_from(GUESS_POOLS)


@pytest.mark.plain
@settings(max_examples=15 if PLAIN else 40, deadline=None)
@given(tiny_boards if PLAIN else small_boards, st.sampled_from(list(RULES)), pools)
def test_every_rule_and_pool(board: str, rule: str, pool: str) -> None:
    here = board_of(board)
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
    opener = board_of(board).guess_id(start)
    reference = Searcher(plain(board), rule)
    assert plain(board).code_space is None and board_of(board).code_space is not None
    grown = Searcher(board_of(board), rule).grow(all_secrets(board_of(board)), [opener])
    assert grown == reference.grow(None, [opener])


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(list(RULES)), st.integers(3, 400), st.randoms(use_true_random=False))
def test_any_candidates_get_the_same_guess(rule: str, count: int, random) -> None:  # type: ignore[no-untyped-def]
    chosen = np.array(sorted(random.sample(range(1296), count)), dtype=np.int32)
    guess = Searcher(board_of("4x6"), rule).next_guess(chosen)
    assert guess == Searcher(plain("4x6"), rule).next_guess(chosen)


def test_memory_and_counts_of_codes() -> None:
    space = space_of("5x8")
    arrays = [space.codes, *code_choice.peg_scratch(space)]
    assert sum(array.nbytes for array in arrays) < 100 * len(board_of("5x8").guesses)
    assert code_choice.CANDIDATES_FIRST < 256  # counted in bytes
    # The number of codes is what listing them gives.
    for holes, colours in product((1, 2, 3), (2, 3, 11)):
        assert parse_board(f"mastermind:{holes}x{colours}").n_codes == colours**holes
        if holes <= colours:
            board = parse_board(f"mastermind:{holes}x{colours}:distinct")
            assert board.n_codes == perm(colours, holes) == len(board.codes)


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
