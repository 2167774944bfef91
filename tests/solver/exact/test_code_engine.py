"""Optimal Mastermind against brute force on tiny boards, and the published optima."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.errors import CouldNotFinishError
from solver.exact.code_engine import ExactCodes, ideal_totals, solve_exactly
from solver.exact.kernels.code_bounds import bounds_of_guesses, code_scratch, split_state
from solver.exact.kernels.lemmas import LOSS, UNLIMITED
from solver.machine.clock import OutOfTimeError
from tests.support import naive, raising, refused
from tests.support.commands import Knuthle
from tests.support.pegs import game, small_boards, space_of
from tests.support.trees import histogram
from tests.support.worlds import some_candidates

#: Published figures: the least total, and the least within a number of guesses.
OPTIMA = [
    ("3x8", None, 2359), ("4x5", None, 2463), ("4x6", None, 5625), ("4x6", 5, 5626),
    pytest.param("5x4", None, 3954, marks=pytest.mark.slow),
]  # fmt: skip


def brute(guesses: tuple[str, ...], candidates: frozenset[str], left: int) -> float:
    """The least total over all strategies, every guess tried everywhere."""

    @cache
    def least(state: frozenset[str], left: int) -> float:
        if left == 0:
            return float("inf")
        if len(state) == 1:
            return 1
        best = float("inf")
        for guess in guesses:
            parts = naive.split(guess, sorted(state), naive.pegs).values()
            if len(parts) > 1:
                rest = [frozenset(part) for part in parts if part != [guess]]
                best = min(best, len(state) + sum(least(part, left - 1) for part in rest))
        return best

    return least(candidates, left)


PLAIN_2X2 = pytest.param("2x2", marks=pytest.mark.plain)


@pytest.mark.parametrize("board", ["1x2", "1x4", PLAIN_2X2, "2x3", "3x2", "2x4:distinct"])
@pytest.mark.parametrize("within", [1, 2, 3, 4, None])
def test_tiny_boards_by_brute_force(board: str, within: int | None) -> None:
    here = game(board)
    found = solve_exactly(here, within)
    expected = brute(here.guesses, frozenset(here.guesses), within or UNLIMITED)
    assert (found.total if found else float("inf")) == expected


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 8), st.data())
def test_a_fixed_first_guess(first: int, data: st.DataObject) -> None:
    here = game("2x3")
    within = data.draw(st.sampled_from([2, 3, 4, None]))
    found = solve_exactly(here, within, (first,))
    parts = naive.split(here.guesses[first], here.guesses, naive.pegs).values()
    rest = [frozenset(part) for part in parts if part != [here.guesses[first]]]
    expected = 9 + sum(brute(here.guesses, part, (within or UNLIMITED) - 1) for part in rest)
    assert (found.total if found else float("inf")) == expected


@pytest.mark.parametrize(("board", "within", "total"), OPTIMA)
def test_published_optima(board: str, within: int | None, total: int) -> None:
    """The proof, and the strategy that it hands over."""
    found = solve_exactly(game(board), within)
    assert found is not None and found.total == total
    counts = histogram(game(board), found.tree)
    assert sum(turn * count for turn, count in enumerate(counts, 1)) == total
    assert len(counts) == found.worst <= (within or UNLIMITED)


def test_four_guesses_do_not_suffice() -> None:
    assert solve_exactly(game("4x6"), 4) is None


def test_the_ideal_is_what_one_would_count() -> None:
    """Four holes: one code at once, 13 at the second guess, 169 at the third."""
    ideal = ideal_totals(4, 200, 3)
    assert ideal[:4].tolist() == [0, 1, 3, 5] and ideal[14] == 1 + 13 * 2
    assert ideal[183] == 1 + 13 * 2 + 169 * 3 and ideal[184] == LOSS


def test_time_can_run_out() -> None:
    stop = raising(CouldNotFinishError("out of time"))
    refused(CouldNotFinishError, "", solve_exactly, game("4x6"), check_time=stop)


def test_the_same_strategy_again() -> None:
    one, other = (solve_exactly(game("3x4")) for _ in "ab")
    assert one is not None and other is not None
    assert np.array_equal(one.tree.guess, other.tree.guess)


@pytest.mark.parametrize(("start", "least"), [("auto", 3), ("11,22", 4)])
def test_the_least_worst_case_is_the_bound(knuthle: Knuthle, start: str, least: int) -> None:
    board = ("--game", "mastermind:2x3", "--objective", "worst", "--start", start)
    report = json.loads(knuthle("optimal", *board, "--json", "-").out)
    assert (report["worst"], report["lower_bound"], report["proved"]) == (least, least, True)
    assert set(report["seconds"]) == {"search", "verify", "compile", "all"}
    outcome = knuthle("optimal", *board, "--within", least - 1, "--json", "-")
    assert (outcome.code, json.loads(outcome.out)["lower_bound"]) == (1, least)


# --- bounds and splits


@pytest.mark.plain
@settings(max_examples=40, deadline=None)
@given(small_boards, st.data())
def test_a_split_is_the_plain_one(board: str, data: st.DataObject) -> None:
    here, space = game(board), space_of(board)
    members = some_candidates(data, len(here.secrets), 1, 30)
    guess = data.draw(st.integers(0, len(here.guesses) - 1))
    heads, scores, order, starts = split_state(space, code_scratch(space), guess, members)
    word = here.guesses[guess]
    plain = [naive.pegs(word, here.guesses[at]) for at in members]
    assert scores.tolist() == sorted(plain)
    assert order.tolist() == [int(members[at]) for at in np.argsort(plain, kind="stable")]
    edges = [at for at in range(len(plain)) if at == 0 or scores[at] != scores[at - 1]]
    assert starts.tolist() == [*edges, len(plain)]
    assert heads.tolist() == [-1 if score == here.solved else plain.index(score) for score in plain]


@pytest.mark.plain
@settings(max_examples=40, deadline=None)
@given(small_boards, st.data())
def test_bounds_are_the_ideal_totals_of_the_buckets(board: str, data: st.DataObject) -> None:
    """And what is not offered is not better than what is."""
    here, space = game(board), space_of(board)
    members = some_candidates(data, len(here.secrets), 1, 30)
    ideal = ideal_totals(here.length, len(here.secrets), 5)
    guesses, bounds = bounds_of_guesses(space, code_scratch(space), members, ideal)

    def bound(guess: int) -> int:
        words = [here.guesses[at] for at in members]
        buckets = naive.split(here.guesses[guess], words, naive.pegs)
        return len(words) + sum(
            int(ideal[len(bucket)])
            for bucket in buckets.values()
            if bucket != [here.guesses[guess]]
        )

    assert bounds.tolist() == [bound(guess) for guess in guesses]
    assert min(bounds) == min(bound(guess) for guess in range(len(here.guesses)))


def test_what_is_broken_off_goes_on_from_the_best_guess_so_far() -> None:
    """As soon as a first guess has a value, the strategy at once begins with it."""
    here = game("4x6")
    whole = np.arange(len(here.secrets), dtype=np.int32).tobytes(), len(here.secrets)
    seen: list[int] = []

    def look() -> None:
        if whole in search._best_yet:
            seen.append(search._best_yet[whole])
            raise OutOfTimeError("undecided")

    search = ExactCodes(here, look)
    with pytest.raises(OutOfTimeError):
        search.solve(UNLIMITED)
    tree = search.best_so_far(UNLIMITED)
    assert seen == [tree.guess[0]]
    assert search.least_total(UNLIMITED) <= 5625
    assert tree.height <= 12
