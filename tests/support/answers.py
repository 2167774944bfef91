"""Questions of tests to exact search, in one call."""

from __future__ import annotations

from collections.abc import Sequence

from solver.exact.first_guesses.problem import Problem
from solver.exact.questions.answer import Answer
from solver.exact.questions.least_worst import LeastWorst


def least_worst_case(problem: Problem, start: Sequence[str] = ()) -> Answer:
    """The smallest limit that some strategy meets; ``problem.within`` is the largest tried."""
    search = LeastWorst(problem, start)
    search.settle()
    answer = search.answer()
    assert answer is not None
    return answer
