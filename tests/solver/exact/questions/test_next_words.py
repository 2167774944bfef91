"""The best next words, exact and as bounds, with and without losses, against brute force."""

from __future__ import annotations

import contextlib
import random

import pytest

from solver.exact.feasibility.limit_first import Possibility
from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.standings import FirstGuesses, least_open
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.lemmas import LOSS
from solver.exact.questions import next_words
from solver.exact.questions.next_words import NextWords
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from tests.support.naive_exact import NOTHING_FOUND, legal_after, marks, values_of_guesses
from tests.support.worlds import game_of

World = tuple[WordleGame, Problem, dict[str, tuple[int, int]]]


def drawn_state(seed: int, hard: bool) -> World:
    """A game after one guess: the problem, and the true value of every word."""
    dice = random.Random(seed)
    words = sorted({"".join(dice.choices("abcdef", k=3)) for _ in range(dice.randint(8, 26))})
    game = game_of(words, dice.sample(words, dice.randint(3, len(words))))
    first, hidden = dice.choice(words), dice.choice(game.secrets)
    colours, score = marks(first, hidden), game.grade(first, hidden)
    left = [at for at, word in enumerate(game.secrets) if marks(first, word) == colours]
    legal = legal_after(first, colours, words) if hard else words
    limit = 1 + seed % 3
    rest = [game.secrets[at] for at in left]
    truth = {
        word: value
        for word, value in values_of_guesses(legal, rest, limit, hard).items()
        if word in rest or len({marks(word, other) for other in rest}) > 1  # it tells something
    }
    history = ((game.guess_id(first), score),)
    return game, Problem(game, hard, limit, tuple(left), history), truth


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("hard", [False, True])
def test_best_words_as_brute_force_says(seed: int, hard: bool) -> None:
    _, problem, truth = drawn_state(seed, hard)
    top = 1 + seed % 2
    search = NextWords(problem, top)
    search.settle()
    assert search.proved
    found = {opener.word: (opener.losses, opener.total) for opener in search.best()}
    last = sorted(truth.values())[min(top, len(truth)) - 1]
    assert found == {word: value for word, value in truth.items() if value <= last}
    assert search.least_losses <= min(truth.values())[0]


@pytest.mark.parametrize("seed", range(60, 90))
@pytest.mark.parametrize("hard", [False, True])
def test_bounds_hold_where_the_effort_is_not_enough(
    seed: int, hard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(next_words, "_EFFORT", -1)
    _, problem, truth = drawn_state(seed, hard)
    search = NextWords(problem, 2)
    search.settle()
    least = min(truth.values())
    assert search.least_losses <= least[0]
    for opener in search.best():
        value = opener.losses, opener.total
        assert value == truth[opener.word] if opener.exact else value >= truth[opener.word]
    assert search.proved or least[0] > 0 or len(truth) > 1


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("hard", [False, True])
def test_out_of_time_leaves_a_bound(seed: int, hard: bool) -> None:
    _, problem, truth = drawn_state(seed, hard)

    def over() -> None:
        raise OutOfTimeError("over")

    search = NextWords(problem, 1, over, patient=True)
    with contextlib.suppress(OutOfTimeError):  # some states are settled before anybody asks
        search.settle()
    assert search.least_losses <= min(truth.values())[0]
    for opener in search.best():
        value = opener.losses, opener.total
        assert value == truth[opener.word] if search.proved else value >= truth[opener.word]


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("hard", [False, True])
def test_what_possibility_refutes_loses_some(seed: int, hard: bool) -> None:
    """Whole states and first guesses; without hard mode whatever is not refuted is possible."""
    game, problem, truth = drawn_state(seed, hard)
    bench = Workbench(problem)
    possibility = Possibility(bench.table)
    refuted = possibility.refutes(bench.members, problem.left, bench.shown)
    lost = min(truth.values())[0]
    assert lost > 0 if refuted else hard or lost == 0
    for word, (losses, _) in truth.items():
        if truth[word] == NOTHING_FOUND:
            continue
        column = bench.column_of[game.guess_id(word)]
        refuted = possibility.refutes_guess(bench.members, problem.left, bench.shown, column)
        assert losses > 0 if refuted else hard or losses == 0


def test_what_is_open_and_the_bound_for_all() -> None:
    state = FirstGuesses(
        1, LOSS - 1, {0: (40, True), 1: (38, False), 2: (41, False), 3: (39, False)}
    )
    assert least_open(state, 10, 4) == (38, 2)
    assert least_open(state, 10, 9) == (19, 7)
    state.add((1, 41, False))
    state.add((3, 41, False))
    assert least_open(state, 10, 4) == (40, 0)
