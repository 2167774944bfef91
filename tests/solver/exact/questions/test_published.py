"""The published exact results: the best strategies, and that no first guess does better."""

from __future__ import annotations

import pytest

from solver.exact.first_guesses.problem import Problem
from solver.exact.questions.best_strategy import best_strategy
from solver.game.load import load_game
from strategy.build.by_rule import Settings, solve
from strategy.build.optimal import strategy_of_answer
from strategy.build.optimal_question import Question
from strategy.build.within_limit import EXACT, REPAIR
from tests.support.published import OPTIMA


@pytest.mark.slow
@pytest.mark.parametrize("case", OPTIMA, ids=str)
def test_the_least_total_after_a_first_guess(case: tuple[str, str, bool, int | None, int]) -> None:
    words, opener, hard, within, total = case
    game = load_game(words)
    answer = best_strategy(Problem(game, hard, within), (opener,))
    strategy, _ = strategy_of_answer(Question(game, (opener,), "total", within, hard), answer)
    assert (answer.proved, answer.lower_bound, strategy.total) == (True, total, total)
    assert within is None or strategy.worst <= within


@pytest.mark.slow(24)
def test_the_ten_best_first_guesses() -> None:
    """SALET is the best, alone; the totals of the ten are those of each by itself."""
    game = load_game()
    answer = best_strategy(Problem(game), top=10, workers=2)
    assert answer.proved
    exact = [opener for opener in answer.first_guesses if opener.exact]
    assert [(o.word, o.total) for o in exact if o.total == exact[0].total] == [("salet", 7920)]
    assert len(answer.first_guesses) == len(game.guesses)
    assert len(exact) >= 10
    assert all(o.total > exact[9].total for o in answer.first_guesses if not o.exact)
    for opener in exact:
        alone = best_strategy(Problem(game), (opener.word,))
        assert alone.first_guesses == [opener]


@pytest.mark.slow
@pytest.mark.parametrize(("opener", "method"), [("lares", EXACT), ("lants", REPAIR)])
def test_all_words_within_six(opener: str, method: str) -> None:
    """No strategy from LARES solves the 12,972 words within six; one from LANTS does."""
    game = load_game(secrets="allowed")
    solved = solve(game, Settings(start=(opener,)), within=6)
    assert (solved.outcome.met, solved.outcome.method) == (method == REPAIR, method)
    assert solved.outcome.proved
    assert (solved.strategy.worst <= 6) == solved.outcome.met
