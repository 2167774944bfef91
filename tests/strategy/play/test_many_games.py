"""Games that the helper plays by itself: the quick way beside its own proposals, and figures."""

import math
import random
import statistics
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.boards import OpenBoard, rank_over_boards
from solver.advice.summed_entropy import MOST, best_by_sum, missing_bits
from solver.errors import WrongInputError
from solver.game.game import Game
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.splits.measures import fixed_log_weight_steps
from solver.splits.ranking import measures_of
from strategy.play import many_games
from strategy.play.game import Hidden, limit_of
from strategy.play.helper import Helper
from strategy.play.many_games import Estimate, Share, play_games
from strategy.play.proposals import Choice
from tests.support import refused
from tests.support.worlds import made_up_games, of_few_letters, small_game


def by_helper(game: Game, boards: int, seed: int, choice: Choice) -> int:
    """How many guesses the helper's own proposals take, told to it one after the other."""
    host, helper = Hidden.drawn(game, boards, seed), Helper(game, choice, boards=boards)
    while not helper.position.solved:
        word = helper.proposal().word
        helper.tell(word, *(host.answer(at, word) for at in helper.position.open))
    return len(helper.turns)


def check(game: Game, boards: int, choice: Choice, count: int = 3) -> None:
    found = play_games(game, boards, count, seed=5, choice=choice, workers=1)
    assert [it.n_taken for it in found.games] == [
        by_helper(game, boards, 5 + at, choice) for at in range(count)
    ]


@pytest.mark.plain
@settings(max_examples=20)
@given(made_up_games(max_words=10, longest=4), st.integers(1, 4))
def test_small_worlds_take_what_the_helper_takes(game: WordleGame, boards: int) -> None:
    check(game, min(boards, len(game.secrets)), Choice(within=limit_of(game, boards)))


@settings(max_examples=12)
@given(st.randoms(use_true_random=False), st.integers(2, 6), st.integers(0, 2))
def test_words_that_are_hard_to_tell_apart(dice: random.Random, boards: int, forced: int) -> None:
    game = of_few_letters(dice, "abcd", 40, 8)
    boards = min(boards, len(game.secrets))
    check(game, boards, Choice(start=tuple(game.guesses[:forced])), 2)


@pytest.mark.parametrize(
    "about",
    [
        {"by": "parts"},
        {"guess_from": "candidates"},
        {"guess_from": "secrets"},
        {"common": True},
        {"worlds": 50},
    ],
)
def test_all_choices_take_what_the_helper_takes(about: dict[str, Any]) -> None:
    check(small_game(4, 200, 90), 3, Choice(**about))


def test_one_board_and_hard_mode_and_codes() -> None:
    game = small_game(4, 200, 90)
    check(game, 1, Choice(within=6, hard=True))
    check(game, 1, Choice(within=6, hard=True, start=(game.guesses[0], game.guesses[100])), 8)
    check(load_game(spec="mastermind:3x4"), 3, Choice())


@pytest.mark.slow
def test_real_words(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_game("original")
    check(game, 4, Choice(within=9))
    quick = play_games(game, 2, 3, workers=1)
    monkeypatch.setattr(many_games, "_TABLE_BYTES", 0)
    assert play_games(game, 2, 3, workers=1).games == quick.games


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.plain
@given(st.data(), made_up_games(max_words=12, longest=4))
def test_bits_are_those_of_the_ranking(data: st.DataObject, game: WordleGame) -> None:
    places = st.sets(st.integers(0, len(game.secrets) - 1), min_size=2).map(sorted)
    if len(game.secrets) < 2:
        return
    pool = np.arange(len(game.guesses), dtype=np.int32)
    common = np.array(data.draw(st.sets(st.sampled_from(pool.tolist())).map(sorted)), np.int32)
    boards = [np.array(data.draw(places), dtype=np.int32) for _ in range(2)]
    scores = np.ascontiguousarray(game.score_rows().T)
    costs, hits = np.zeros((2, len(pool)))
    for left in boards:
        missing = np.empty(len(pool))
        missing_bits(scores, left, fixed_log_weight_steps(MOST), missing)
        assert missing.tolist() == measures_of(game, pool, left).remaining().tolist()
        costs += missing
        hits[game.secret_ids[left]] += 1.0 / len(left)
    ranking = rank_over_boards(game, [*map(OpenBoard, boards)], pool, common)
    flags = np.isin(pool, common).astype(np.uint8)
    assert best_by_sum(costs, hits, flags) == ranking.guesses[0]


def test_workers_and_pieces_make_no_difference() -> None:
    game = small_game(4, 200, 90)
    whole = play_games(game, 3, 30, workers=1).games
    assert play_games(game, 3, 30, workers=2).games == whole
    pieces = [play_games(game, 3, 10, seed=seed, workers=1).games for seed in (1, 11, 21)]
    assert sum(pieces, ()) == whole
    assert [it.words for it in whole] == [
        tuple(Hidden.drawn(game, 3, seed).possible(at)[0] for at in range(3))
        for seed in range(1, 31)
    ]


def test_words_played_out_are_compared_in_the_same_games() -> None:
    game = small_game(4, 200, 90)
    plain = play_games(game, 4, 6, workers=1)
    found = play_games(game, 4, 6, choice=Choice(worlds=40), workers=1)
    saved = [one.n_taken - it.n_taken for one, it in zip(plain.games, found.games, strict=True)]
    assert [it.n_by_entropy for it in found.games] == [it.n_taken for it in plain.games]
    assert found.gain == Estimate.of(saved) and plain.gain is None


def test_figures() -> None:
    found = play_games(small_game(4, 200, 90), 2, 20, choice=Choice(within=4), workers=1)
    taken = [it.n_taken for it in found.games]
    assert found.taken is not None and found.won is not None
    assert math.isclose(found.taken.mean, statistics.fmean(taken))
    assert found.taken.error is not None
    assert math.isclose(found.taken.error, statistics.stdev(taken) / 20**0.5)
    assert found.worst == max(taken) and sum(found.histogram.values()) == 20
    assert found.won.n_games == sum(it <= 4 for it in taken)
    assert Estimate.of([3]) == (3.0, None)
    none = Share.of(0, 10)  # Wilson: from 0 to z² / (n + z²)
    assert none == pytest.approx((0, 0.0, 0.0, 1.96**2 / (10 + 1.96**2)), abs=1e-4)
    assert Share.of(10, 10) == pytest.approx((10, 1.0, 1.0 - none.high, 1.0))
    no_limit = play_games(load_game(spec="mastermind:2x3"), 2, 2, workers=1)
    assert no_limit.won is None and repr(no_limit).startswith("<PlayedGames: 2 games on 2 boards")


def test_refusals() -> None:
    game = load_game(["crane", "slate", "stare"])
    refused(WrongInputError, "4 boards, but only 3 secrets", play_games, game, 4, 1)
    refused(WrongInputError, "33 boards", play_games, small_game(4, 200, 90), 33, 1)
    hard = Choice(hard=True)
    refused(WrongInputError, "hard mode is for one board", play_games, game, 2, 1, choice=hard)
