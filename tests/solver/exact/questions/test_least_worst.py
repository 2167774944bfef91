"""The least worst case and impossible limits: against brute force, and the published figures."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from solver.errors import CouldNotFinishError
from solver.exact.feasibility.limit_first import Possibility
from solver.exact.first_guesses.problem import Problem
from solver.exact.questions.answer import Answer
from solver.exact.questions.best_strategy import best_strategy
from solver.exact.questions.least_worst import LeastWorst
from solver.exact.table.layout import score_table_of
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from strategy.build.optimal import strategy_of_answer
from strategy.build.optimal_question import Question
from tests.support.answers import least_worst_case
from tests.support.naive_exact import NOTHING_FOUND, values_of_guesses
from tests.support.worlds import game_of


def alike(seed: int) -> WordleGame:
    """Words over few letters: hard to tell apart, so that small limits cannot be met."""
    dice = random.Random(seed)
    words = sorted({"".join(dice.choices("abcde", k=3)) for _ in range(dice.randint(8, 22))})
    return game_of(words, dice.sample(words, dice.randint(3, len(words))))


def least_lost(game: WordleGame, limit: int, hard: bool, start: str = "") -> int:
    """Brute force: secrets that must be lost, after a first guess or the best."""
    values = values_of_guesses(game.guesses, game.secrets, limit, hard)
    if start:
        return values[start][0]
    return min(value for value in values.values() if value != NOTHING_FOUND)[0]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("hard", [False, True])
def test_the_total_is_least_after_the_first_guess(seed: int, hard: bool) -> None:
    game = alike(seed)
    answer = least_worst_case(Problem(game, hard, None))
    least = next(k for k in range(1, len(game.secrets) + 1) if least_lost(game, k, hard) == 0)
    assert (answer.within, answer.lower_bound, answer.proved) == (least, least, True)
    strategy, _ = strategy_of_answer(Question(game, (), "worst", least, hard), answer)
    word = strategy.origin.start[0]
    assert strategy.worst == least
    assert values_of_guesses(game.guesses, game.secrets, least, hard)[word] == (0, strategy.total)
    assert [(o.word, o.total, o.exact) for o in answer.first_guesses] == [
        (word, strategy.total, True)
    ]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("hard", [False, True])
def test_limits_that_cannot_be_met(seed: int, hard: bool) -> None:
    """Every first guess is excluded, the given one or all of them, where brute force says so."""
    game = alike(seed)
    dice = random.Random(seed)
    values = values_of_guesses(game.guesses, game.secrets, 9, hard)
    useful = [word for word, value in values.items() if value != NOTHING_FOUND]
    for limit in (2, 3):
        for start in ((), (dice.choice(useful),)):
            answer = best_strategy(Problem(game, hard, limit), start)
            lost = least_lost(game, limit, hard, *start)
            assert answer.impossible == (lost > 0)
            if answer.impossible:
                assert not any(opener.exact for opener in answer.first_guesses)
                assert {o.word for o in answer.first_guesses} == set(start or game.guesses)


@pytest.mark.parametrize("seed", range(20))
def test_what_mere_possibility_refutes_is_impossible_in_hard_mode(seed: int) -> None:
    game = alike(seed)
    possibility = Possibility(score_table_of(game, hard=True))
    for limit in (1, 2, 3, 4):
        met = possibility.meets(limit)
        assert met == (least_lost(game, limit, hard=False) == 0)
        assert met or least_lost(game, limit, hard=True) > 0
        if met:
            nodes = possibility.tree(limit)
            assert len(set(zip(nodes.parent, nodes.score, strict=True))) == len(nodes.guess)


def out_of_time_after(calls: int) -> Callable[[], None]:
    """A clock that runs out when it has been looked at so often."""
    left = iter(range(calls))

    def check() -> None:
        if next(left, None) is None:
            raise CouldNotFinishError("out of time")

    return check


def test_out_of_time_says_what_is_proved() -> None:
    game = load_game()
    search = LeastWorst(Problem(game), check_time=out_of_time_after(30))
    with pytest.raises(CouldNotFinishError, match="out of time; proved: within 3 is impossible"):
        search.settle()
    assert search.answer() is None


def test_a_strategy_within_the_limit_is_told_of_before_the_best() -> None:
    """Two fixed guesses: mere possibility is asked first."""
    told: list[Answer] = []
    game = alike(7)
    best = best_strategy(Problem(game, within=9), game.guesses[:2], found=told.append)
    assert best.tree is not None
    [early] = told
    assert (early.proved, early.within) == (False, 9)
    strategy, _ = strategy_of_answer(Question(game, game.guesses[:2], within=9), early)
    assert strategy.worst <= 9
    assert early.lower_bound is not None
    assert best.lower_bound is not None
    assert early.lower_bound <= best.lower_bound <= strategy.total


@pytest.mark.slow(38)
def test_published_least_worst_cases() -> None:
    """Five guesses suffice for the answers, in hard mode too; four do not.

    What refutes four guesses without hard mode is the first sieve of the search in hard mode, and
    is made once for both.
    """
    game = load_game()
    mere = None
    for hard in (False, True):
        search = LeastWorst(Problem(game, hard))
        if mere is not None:
            search.__dict__["_mere"] = mere
        search.settle()
        answer, mere = search.answer(), search._mere
        assert answer is not None
        assert (answer.within, answer.proved) == (5, True)
        strategy, _ = strategy_of_answer(Question(game, (), "worst", 5, hard), answer)
        assert strategy.worst == 5


@pytest.mark.slow
def test_published_least_worst_case_of_all_words() -> None:
    """Five guesses do not suffice for the 12,972 words; that six do is among published limits."""
    answer = least_worst_case(Problem(load_game(secrets="allowed"), within=5))
    assert (answer.impossible, answer.lower_bound) == (True, 6)
