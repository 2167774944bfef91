"""Exact search against brute force on hundreds of random worlds, and the published figures."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import numpy as np
import pytest
from numba.core import config

from solver.exact.first_guesses.problem import Problem
from solver.exact.first_guesses.workbench import Workbench
from solver.exact.guess_values.engine import Engine
from solver.exact.lemmas import LOSS, UNLIMITED
from solver.exact.questions.answer import OBJECTIVES, Answer, FirstGuess
from solver.exact.questions.best_strategy import best_strategy
from solver.exact.questions.next_words import NextWords
from solver.exact.table import count_lanes
from solver.exact.table.layout import score_table_of
from solver.game.hard_mode import legal_after
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.game.words import named_list
from solver.machine.jit import kernel
from tests.support import naive
from tests.support.answers import least_worst_case
from tests.support.naive_exact import NOTHING_FOUND, values_of_guesses
from tests.support.naive_exact import UNLIMITED as NO_LIMIT
from tests.support.worlds import game_of, some_world

EVERYTHING = named_list("original", "allowed").words
LIMITS = (2, 3, 4, 5, 6, None)
COMBINATIONS = list(product(OBJECTIVES, (False, True), LIMITS))
WORLDS_EACH = 9


def truth_of(game: WordleGame, within: int | None, hard: bool) -> dict[str, tuple[int, int]]:
    """Brute force: (losses, total) of every first guess that tells anything."""
    limit = NO_LIMIT if within is None else within
    values = values_of_guesses(game.guesses, game.secrets, limit, hard)
    return {word: value for word, value in values.items() if value != NOTHING_FOUND}


def check_world(game: WordleGame, objective: str, hard: bool, within: int | None) -> None:
    """One question of the user, answered by the search and by brute force."""
    if objective == "worst":
        least = next(
            k
            for k in range(1, len(game.secrets) + 1)
            if min(truth_of(game, k, hard).values())[0] == 0
        )
        answer = least_worst_case(Problem(game, hard, within))
        if within is not None and within < least:
            assert answer.impossible
        else:
            assert answer.within == least
            check_tree(game, answer, hard, least, None)
        return
    truth = truth_of(game, within, hard)
    best = min(truth.values())
    answer = best_strategy(Problem(game, hard, within, losses=objective == "losses"))
    assert answer.proved
    if objective == "total" and best[0] > 0:
        assert answer.impossible
        return
    assert answer.first_guesses[0].exact
    for opener in answer.first_guesses:
        value = (opener.losses, opener.total)
        if opener.exact:
            assert value == truth[opener.word]
        elif opener.word in truth:
            assert value <= truth[opener.word] > best
    ties = {opener.word for opener in answer.first_guesses if opener.exact}
    assert ties == {word for word, value in truth.items() if value == best}
    check_tree(game, answer, hard, within, best)


def check_tree(
    game: WordleGame,
    answer: Answer,
    hard: bool,
    within: int | None,
    value: tuple[int, int] | None,
) -> None:
    """Play every secret through the tree."""
    tree = answer.tree
    assert tree is not None
    below = {
        (parent, score): node
        for node, (parent, score) in enumerate(zip(tree.parent, tree.score, strict=True))
    }
    taken = []
    for secret in game.secrets:
        node, history = 0, []
        while True:
            word = game.guesses[tree.guess[node]]
            score = naive.grade(word, secret)
            if hard:
                legal = legal_after(game, [(game.guess_id(w), s) for w, s in history])
                assert game.guess_id(word) in legal
            history.append((word, score))
            if word == secret:
                break
            node = below[node, score]
        taken.append(len(history))
    losses = 0 if within is None else sum(1 for number in taken if number > within)
    if value is None:
        assert losses == 0
    else:
        assert (losses, sum(taken)) == value


@pytest.mark.parametrize(("objective", "hard", "within"), COMBINATIONS)
def test_random_worlds(objective: str, hard: bool, within: int | None) -> None:
    dice = random.Random(f"{objective} {hard} {within}")
    for _ in range(WORLDS_EACH):
        check_world(some_world(dice, 8, 24), objective, hard, within)
    larger = game_of(dice.sample(EVERYTHING, dice.randint(20, 30)))
    check_world(larger, objective, hard, within)


@pytest.mark.parametrize("number", range(20))
def test_larger_worlds(number: int) -> None:
    dice = random.Random(number)
    game = game_of(dice.sample(EVERYTHING, dice.randint(50, 60)))
    objective, hard, within = COMBINATIONS[7 * number % len(COMBINATIONS)]
    check_world(game, objective, hard, within)


@pytest.mark.parametrize("hard", [False, True])
def test_value_of_every_guess(hard: bool) -> None:
    dice = random.Random(f"every guess {hard}")
    for _ in range(10):
        game = some_world(dice, 8, 20)
        within = dice.choice((1, *LIMITS))
        left = UNLIMITED if within is None else within
        truth = truth_of(game, within, hard)
        members = np.arange(len(game.secrets), dtype=np.int32)
        for price in (0, 1):
            engine = Engine(score_table_of(game, hard, price=price), 10)
            for column, guess in enumerate(engine.table.guess[: len(game.guesses)]):
                word = game.guesses[guess]
                if word not in truth:
                    continue
                losses, total = truth[word]
                value = engine.value_of_guess(members, column, left)
                assert (value.losses, value.total) == (losses, price * total)
                below = engine.value_of_guess(members, column, left, limit=value.bound - 1)
                assert not below.exact
                assert below.bound == value.bound


def test_counters_agree_with_their_plain_twin() -> None:
    dice = np.random.default_rng(3)
    for counter, scores, sizes in (
        (count_lanes.count_sorted_8, 9, range(1, 9)),
        (count_lanes.count_sorted_12, 12, range(9, 13)),
        (count_lanes.count_sorted_16, 60, range(13, 17)),
        (count_lanes.count_sorted_20, 243, range(17, 21)),
        (count_lanes.count_sorted_24, 243, range(21, 25)),
        (count_lanes.count_sorted_32, 243, range(25, 33)),
        (count_lanes.count_by_bits_32, 32, (2, 11, 90)),
        (count_lanes.count_by_bits_64, 60, (2, 11, 90)),
        (count_lanes.count_by_bits_96, 90, (3, 30, 90)),
        (count_lanes.count_by_bits_128, 120, (7, 30, 90)),
        (count_lanes.count_by_bits_160, 150, (7, 30, 90)),
        (count_lanes.count_by_bits_256, 243, (7, 90)),
    ):
        compiled = counter_as_kernel(counter)
        for count in sizes:
            rows = dice.integers(0, scores, (2, 100, 64)).astype(np.uint8)
            members = np.sort(dice.choice(100, count, replace=False)).astype(np.int32)
            for need in (1, count // 2 + 1, count):
                compare_counter(compiled, rows, members, need)


def counter_as_kernel(counter: count_lanes.Counter) -> count_lanes.Counter:
    """One counter as compiled code of its own, to be called from a test."""
    if config.DISABLE_JIT:
        pytest.skip("the plain twin is in use")

    @kernel
    def counted(rows, members, first, end, column, need, out):  # type: ignore[no-untyped-def]
        return counter(rows, members, first, end, column, need, out)

    return counted


def compare_counter(
    compiled: count_lanes.Counter,
    rows: np.ndarray,  # type: ignore[type-arg]
    members: np.ndarray,  # type: ignore[type-arg]
    need: int,
) -> None:
    for column in (0, 64):
        mine, theirs = np.zeros(64, np.uint8), np.zeros(64, np.uint8)
        asked = (rows, members, 0, len(members), column, need)
        assert compiled(*asked, mine) == count_lanes.plain_count(*asked, theirs)
        lanes_that_count = theirs >= need
        assert (mine[lanes_that_count] == theirs[lanes_that_count]).all()


def best_words(text: str, left: int | None = 6) -> Sequence[FirstGuess]:
    game = load_game()
    history = game.parse_state(text)
    left_over = np.array(
        [
            at
            for at, secret in enumerate(game.secrets)
            if all(naive.grade(word, secret) == score for word, score in history)
        ],
        dtype=np.int32,
    )
    search = NextWords(Problem(game, False, left, tuple(left_over.tolist())))
    search.settle()
    assert search.proved
    return search.best()


def test_published_best_opener() -> None:
    bench = Workbench(Problem(load_game()))
    column = bench.column_of[bench.problem.game.guess_id("salet")]
    assert bench.value(column, LOSS - 1).total == 7920
    assert not bench.value(column, 7919).exact


def test_best_next_of_a_state() -> None:
    best = best_words("lares.bbbbb.clint.bbyyb", 4)
    assert [(opener.word, opener.total) for opener in best] == [("podgy", 22)]
