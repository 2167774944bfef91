"""Exact search, weighted too, against brute force on random worlds, and published figures."""

import contextlib
import random
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from operator import mul
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.advice.suggest import candidates_after
from solver.choices import OBJECTIVES
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import problem as problems
from solver.exact.best_strategy import LeastWorst, NextWords, best_strategy, plain_tree
from solver.exact.engine import Engine
from solver.exact.kernels.lemmas import LOSS, NEVER, UNLIMITED
from solver.exact.kernels.search import INTERRUPTED, search
from solver.exact.limit_search import LimitCheck
from solver.exact.problem import Answer, GuessBounds, Problem, SearchContext, least_open
from solver.exact.table_layout import score_table_of
from solver.exact.values import state_of
from solver.exact.weighted_engine import WeightedEngine
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from strategy.solving.optimal import strategy_of_answer
from strategy.solving.search import Question
from tests.support import naive, raising, refused
from tests.support.exact_worlds import drawn_state, rhymes, some_weights, truth_of, weighted_problem
from tests.support.naive_exact import IMPOSSIBLE, Brute, brute, weighted_values
from tests.support.naive_exact import UNLIMITED as NO_LIMIT
from tests.support.trees import taken
from tests.support.worlds import EVERYTHING, alike, all_secrets, game_of, of_few_letters, some_world

LIMITS = (2, 3, 4, 5, 6, None)
COMBINATIONS = list(product(OBJECTIVES, (False, True), LIMITS))


def least_worst_case(problem: Problem, start: Sequence[str] = ()) -> Answer:
    """The smallest limit that some strategy meets; ``problem.within`` is the largest tried."""
    return LeastWorst(problem, start).settle()


def least_limit(game: WordleGame, hard: bool) -> int:
    """Brute force: the fewest guesses within which some strategy solves all."""
    return brute(game.guesses, game.secrets, hard).least_worst()


def check_world(game: WordleGame, objective: str, hard: bool, within: int | None) -> None:
    """One question of the user, answered by the search and by brute force."""
    if objective == "worst":
        least = least_limit(game, hard)
        answer = least_worst_case(Problem(game, hard, within))
        if within is not None and within < least:
            assert answer.tree is None and answer.proved
        else:
            assert answer.within == least and answer.tree is not None
            assert max(taken(game, answer.tree, hard=hard)) <= least
        return
    truth = truth_of(game, within, hard)
    best = min(truth.values())
    answer = best_strategy(Problem(game, hard, within, losses=objective == "losses"))
    assert answer.proved
    if objective == "total" and best[0] > 0:
        assert answer.tree is None
        return
    for opener in answer.first_guesses:
        value = (opener.losses, opener.total)
        if opener.exact:
            assert value == truth[opener.word]
        elif opener.word in truth:
            assert value <= truth[opener.word] > best
    ties = {opener.word for opener in answer.first_guesses if opener.exact}
    assert ties == {word for word, value in truth.items() if value == best}
    assert answer.first_guesses[0].exact and answer.tree is not None
    turns = taken(game, answer.tree, hard=hard)
    assert (sum(number > (within or NO_LIMIT) for number in turns), sum(turns)) == best


@pytest.mark.parametrize(("objective", "hard", "within"), COMBINATIONS)
def test_random_worlds(objective: str, hard: bool, within: int | None) -> None:
    dice = random.Random(f"{objective} {hard} {within}")
    worlds = [some_world(dice, 8, 24) for _ in range(4)]
    rare = COMBINATIONS.index((objective, hard, within)) % 7 == 0
    for least in (20, 50) if rare else (20,):
        worlds.append(game_of(dice.sample(EVERYTHING, dice.randint(least, least + 10))))
    if (objective, within) == ("losses", 4):  # a family among others
        others = [f"{letter}bb" for letter in "bcdefghij"]
        worlds.append(game_of(["aaa", "aab", "aba", "abb", "baa", "bab", "bba", *others]))
        worlds += [rhymes(seed, 32) for seed in range(12)]
    for game in worlds:
        check_world(game, objective, hard, within)


@pytest.mark.parametrize("hard", [False, True])
def test_value_of_every_guess(hard: bool) -> None:
    dice = random.Random(f"every guess {hard}")
    for _ in range(10):
        game, within = some_world(dice, 8, 20), dice.choice((1, *LIMITS))
        truth, state = (
            truth_of(game, within, hard),
            state_of(all_secrets(game), within or UNLIMITED),
        )
        for price in (0, 1):
            engine = Engine(score_table_of(game, hard, price=price), 10)
            for column, guess in enumerate(engine.table.guess[: len(game.guesses)]):
                if game.guesses[guess] in truth:
                    losses, total = truth[game.guesses[guess]]
                    value = engine.value_of_guess(state, column).bound
                    assert divmod(value, LOSS) == (losses, price * total)
                    below = engine.value_of_guess(state, column, limit=value - 1)
                    assert not below.exact and below.bound == value


def test_published_best_opener_and_next_word() -> None:
    game = load_game()
    context = SearchContext(Problem(game))
    column = context.column_of[game.guess_id("salet")]
    assert context.value(column, LOSS - 1).bound == 7920
    assert not context.value(column, 7919).exact
    left = candidates_after(game, game.parse_state("lares.bbbbb.clint.bbyyb"))
    search = NextWords(Problem(game, False, 4, tuple(left.tolist())))
    search.settle()
    assert search.proved
    assert [(opener.word, opener.total) for opener in search.best()] == [("podgy", 22)]


@pytest.mark.parametrize("number", range(12))
def test_the_least_limit_after_two_guesses(number: int) -> None:
    dice = random.Random(f"two guesses {number}")
    game = some_world(dice, 4, 16)
    start = dice.sample(game.guesses, 2)
    answer = least_worst_case(Problem(game, hard=False, within=None), start)
    limits = range(1, len(game.secrets) + 3)
    trees = (best_strategy(Problem(game, False, limit), start).tree for limit in limits)
    assert answer.within == 1 + next(at for at, tree in enumerate(trees) if tree is not None)
    assert answer.tree is not None and max(answer.tree.depths()) == answer.within
    for guess, depth in zip(answer.tree.guess, answer.tree.depths(), strict=True):
        assert depth > 2 or game.guesses[guess] == start[depth - 1]
    nothing = game_of(["bbb", "ccc"], ["ccc"])  # a start that tells nothing needs one more
    answer = least_worst_case(Problem(nothing, hard=False, within=None), ["bbb"])
    assert (answer.within, answer.proved) == (2, True)


@pytest.mark.long
def test_the_ten_best_first_guesses() -> None:
    """SALET is the best, alone; the totals of the ten are those of each by itself."""
    game = load_game()
    answer = best_strategy(Problem(game), top=10, workers=2)
    assert answer.proved and len(answer.first_guesses) == len(game.guesses)
    exact = [opener for opener in answer.first_guesses if opener.exact]
    assert [(o.word, o.total) for o in exact if o.total == exact[0].total] == [("salet", 7920)]
    assert all(o.total > exact[9].total for o in answer.first_guesses if not o.exact)
    for opener in exact:
        assert best_strategy(Problem(game), (opener.word,)).first_guesses == [opener]


@pytest.mark.parametrize("seed", range(24))
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


@pytest.mark.parametrize(("seed", "top", "effort"), [
    *((seed, 2, -1) for seed in range(60, 72)), *((seed, 1, None) for seed in range(9)),
])  # fmt: skip
@pytest.mark.parametrize("hard", [False, True])
def test_without_effort_or_time_bounds_hold(
    seed: int, top: int, effort: int | None, hard: bool
) -> None:
    _, problem, truth = drawn_state(seed, hard)
    over = raising(OutOfTimeError("over"), 0 if effort is None else 10**9)
    search = NextWords(problem, top, over, effort=effort)
    with contextlib.suppress(OutOfTimeError):  # some states are settled before anybody asks
        search.settle()
    least = min(truth.values())
    assert search.least_losses <= least[0]
    for opener in search.best():
        value, known = (opener.losses, opener.total), opener.exact or search.proved
        assert value == truth[opener.word] if known else value >= truth[opener.word]
    assert search.proved or effort is None or least[0] > 0 or len(truth) > 1


@pytest.mark.parametrize("seed", range(15))
@pytest.mark.parametrize("hard", [False, True])
def test_what_possibility_refutes_loses_some(seed: int, hard: bool) -> None:
    """Whole states and first guesses; without hard mode whatever is not refuted is possible."""
    game, problem, truth = drawn_state(seed, hard)
    context = SearchContext(problem)
    limit_check = LimitCheck(context.table)
    refuted = limit_check.refutes(context.state)
    lost = min(truth.values())[0]
    assert lost > 0 if refuted else hard or lost == 0
    for word, (losses, _) in truth.items():
        column = context.column_of[game.guess_id(word)]
        refuted = limit_check.refutes_guess(context.state, column)
        assert losses > 0 if refuted else hard or losses == 0


def test_what_is_open_and_the_bound_for_all() -> None:
    found = {0: (40, True), 1: (38, False), 2: (41, False), 3: (39, False)}
    state = GuessBounds(1, LOSS - 1, found)
    assert least_open(state, 10, 4) == (38, 2) and least_open(state, 10, 9) == (19, 7)
    state.add((1, 41, False))
    state.add((3, 41, False))
    assert least_open(state, 10, 4) == (40, 0)


def few_letters(seed: int) -> WordleGame:
    return of_few_letters(random.Random(seed), "abcde", 22, 3)


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("hard", [False, True])
def test_the_least_limit_and_those_that_cannot_be_met(seed: int, hard: bool) -> None:
    """The total is the least after the first guess; of limits every first guess is excluded."""
    game = few_letters(seed)
    answer = least_worst_case(Problem(game, hard, None))
    least = least_limit(game, hard)
    assert (answer.within, answer.lower_bound, answer.proved) == (least, least, True)
    strategy, _ = strategy_of_answer(Question(game, (), "worst", least, hard), answer)
    word = strategy.origin.start[0]
    assert strategy.worst == least
    assert truth_of(game, least, hard)[word] == (0, strategy.total)
    [first] = answer.first_guesses
    assert (first.word, first.total, first.exact) == (word, strategy.total, True)
    given = random.Random(seed).choice(list(truth_of(game, 9, hard)))
    for limit in (2, 3):
        truth = truth_of(game, limit, hard)
        for start, (lost, _) in (((), min(truth.values())), ((given,), truth[given])):
            answer = best_strategy(Problem(game, hard, limit), start)
            assert (answer.tree is None and answer.proved) == (lost > 0)
            if answer.tree is None:
                assert not any(opener.exact for opener in answer.first_guesses)
                assert {o.word for o in answer.first_guesses} == set(start or game.guesses)


@pytest.mark.parametrize("seed", range(10))
def test_what_mere_possibility_refutes_is_impossible_in_hard_mode(seed: int) -> None:
    game = few_letters(seed)
    limit_check = LimitCheck(score_table_of(game, hard=True))
    for limit in (1, 2, 3, 4):
        state = state_of(all_secrets(game), limit)
        met = limit_check.loses_nothing(state, ())
        lost, lost_if_hard = (
            min(truth_of(game, limit, hard).values())[0] for hard in (False, True)
        )
        assert met == (lost == 0) and (met or lost_if_hard > 0)
        if met:
            nodes = limit_check.plan(state)
            assert len(set(zip(nodes.parent, nodes.score, strict=True))) == len(nodes.guess)


@pytest.mark.slow
def test_out_of_time_says_what_is_proved() -> None:
    clock = raising(CouldNotFinishError("out of time"), 8)
    search = LeastWorst(Problem(load_game()), check_time=clock)
    refused(CouldNotFinishError, "out of time; proved: within 3 is impossible", search.settle)
    assert search.answer() is None


def test_a_strategy_within_the_limit_is_told_of_before_the_best() -> None:
    """Two fixed guesses: the limit search comes first."""
    found: list[Answer] = []
    game = few_letters(7)
    start = game.guesses[:2]
    best = best_strategy(Problem(game, within=9), start, found=found.append)
    [early] = found
    assert (early.proved, early.within) == (False, 9)
    strategy, _ = strategy_of_answer(Question(game, start, within=9), early)
    assert early.lower_bound is not None and best.lower_bound is not None
    assert early.lower_bound <= best.lower_bound <= strategy.total
    assert best.tree is not None and strategy.worst <= 9


@pytest.mark.long
@pytest.mark.parametrize(("secrets", "within", "hard"), [
    ("answers", 6, False), ("answers", 6, True), ("allowed", 5, False),
])  # fmt: skip
def test_published_least_worst_cases(secrets: str, within: int, hard: bool) -> None:
    """Five guesses suffice for the answers, in hard mode too, four do not; nor do five for all."""
    game = load_game(secrets=secrets)
    answer = least_worst_case(Problem(game, hard, within))
    assert answer.proved
    if secrets == "allowed":  # that six do is among published limits
        assert (answer.tree, answer.lower_bound) == (None, 6)
        return
    strategy, _ = strategy_of_answer(Question(game, (), "worst", 5, hard), answer)
    assert (answer.within, strategy.worst) == (5, 5)


@pytest.mark.parametrize("wrong", [-1, 0, 5])
def test_a_strategy_in_between_does_not_depend_on_a_right_value(wrong: int) -> None:
    """What a search that is broken off hands out: its value may come from a file."""
    game = game_of([a + b + c for a, b, c in product("abcd", "efg", "hij")])
    context = SearchContext(Problem(game, within=None))
    for column in context.columns[:5]:
        value = context.value(column, 10**6).bound
        assert sum(taken(game, plain_tree(context, column, value + wrong))) == value


WITHIN = (1, 2, 3, 4, 6, None)


def weighted_truth(game: WordleGame, problem: Problem) -> dict[str, int]:
    assert problem.weights is not None
    by_word = dict(zip(game.secrets, problem.weights, strict=True))
    return weighted_values(game.guesses, by_word, problem.within or NO_LIMIT, problem.hard)


def check_answer(game: WordleGame, problem: Problem, answer: Answer, truth: dict[str, int]) -> None:
    least = min(truth.values())
    assert answer.proved
    if least >= IMPOSSIBLE:
        assert answer.tree is None
        return
    assert answer.lower_bound == least
    ties = {opener.word for opener in answer.first_guesses if opener.exact}
    assert ties == {word for word, value in truth.items() if value == least}
    for opener in answer.first_guesses:
        assert opener.losses or opener.total <= truth.get(opener.word, IMPOSSIBLE)
    assert answer.tree is not None and problem.weights is not None
    turns = taken(game, answer.tree, hard=problem.hard)
    assert sum(map(mul, problem.weights, turns)) == least
    assert max(turns) <= (problem.within or NO_LIMIT)


@settings(max_examples=75, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(WITHIN), st.booleans(), st.integers(0, 2))
def test_brute_force(seed: int, within: int | None, hard: bool, kind: int) -> None:
    """Of all first guesses, or, of three worlds in one, after a first guess that is given."""
    dice, problem = weighted_problem(seed, 12, hard, within)
    game, truth = problem.game, weighted_truth(problem.game, problem)
    start = [dice.choice(list(truth))] if kind == 0 else []
    truth = {word: truth[word] for word in start or truth}
    answer = best_strategy(problem, start)
    check_answer(game, problem, answer, truth)
    assert answer.tree is None or not start or game.guesses[answer.tree.guess[0]] == start[0]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(WITHIN[2:]), st.booleans())
def test_fixed_first_guesses(seed: int, within: int | None, hard: bool) -> None:
    """Two guesses are given: what follows them is best, state by state."""
    dice, problem = weighted_problem(seed, 12, hard, within)
    game = problem.game
    first, second = dice.sample(game.guesses, 2)
    others = (secret for secret in game.secrets if secret != first)
    if hard and not all(naive.may_follow(second, first, secret) for secret in others):
        return
    assert problem.weights is not None
    by_word = dict(zip(game.secrets, problem.weights, strict=True))
    search = Brute(game.guesses, game.secrets, hard, weights=by_word)
    lost, total = search.after([first, second], within or NO_LIMIT)
    answer = best_strategy(problem, [first, second])
    assert answer.tree is None if lost else answer.lower_bound == total


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(WITHIN), st.booleans(), st.integers(1, 1000))
def test_a_factor_changes_nothing(seed: int, within: int | None, hard: bool, factor: int) -> None:
    """Nor does the size of equal weights: the total is that without weights, times the weight."""
    _, problem = weighted_problem(seed, 40, hard, within)
    assert problem.weights is not None
    larger = tuple(factor * weight for weight in problem.weights)
    equal = (factor,) * len(larger)
    for of, weights in ((problem, larger), (replace(problem, weights=None), equal)):
        one, other = best_strategy(of), best_strategy(replace(problem, weights=weights))
        assert (one.tree is None) == (other.tree is None)
        if one.lower_bound is not None:
            assert other.lower_bound == factor * one.lower_bound
            exact = [{o.word for o in it.first_guesses if o.exact} for it in (one, other)]
            assert exact[0] == exact[1]


@pytest.mark.parametrize("hard", [False, True])
def test_larger_states_as_without_weights(hard: bool) -> None:
    """Equal weights in worlds whose buckets get score tables of their own."""
    game = alike(3, 250, 200)
    plain, equal = (SearchContext(Problem(game, hard, weights=it)) for it in (None, (1,) * 200))
    for guess in random.Random(1).sample(range(len(game.guesses)), 12):
        columns = [context.column_of[guess] for context in (plain, equal)]
        value = plain.value(columns[0], NEVER)
        if value.bound < LOSS:
            assert equal.value(columns[1], NEVER) == value
            assert equal.value(columns[1], value.bound) == value
            below = equal.value(columns[1], value.bound - 1)
            assert not below.exact and below.bound == value.bound
            assert equal.bounds([columns[1]], NEVER)[0] <= value.bound
        else:
            assert not equal.value(columns[1], NEVER).exact


def test_states_that_recur_are_searched_once() -> None:
    """A full memo forgets all, and changes no value."""
    game = alike(5, 150, 120)
    dice = random.Random(2)
    problem = Problem(game, within=None, weights=some_weights(dice, 120))
    context = SearchContext(problem)
    small = WeightedEngine(context.table, problem.candidate_weights, 4)
    for guess in dice.sample(range(len(game.guesses)), 5):
        column = context.column_of[guess]
        value = context.value(column, NEVER)
        assert small.value_of_guess(context.state, column) == value
        found, tree = context.plan(column)
        assert found == value and len(tree) > 1


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is checked within one state; a search goes on from where it was interrupted."""
    monkeypatch.setattr("solver.exact.weighted_engine.CHECK_INTERVAL", 16)
    game = alike(5, 400, 150)
    problem = Problem(game, within=None, weights=some_weights(random.Random(2), 150))
    context = SearchContext(problem)
    ends: list[int] = []

    def searched(*state: Any) -> tuple[int, int, int]:
        found = search(*state)
        ends.append(found[1])
        return found

    monkeypatch.setattr("solver.exact.values.search", searched)
    often = WeightedEngine(context.table, problem.candidate_weights)
    value = often.value_of_state(context.state)
    assert INTERRUPTED in ends
    monkeypatch.undo()
    assert value == context.engine.value_of_state(context.state)
    late = raising(CouldNotFinishError("time"))
    timed = WeightedEngine(context.table, problem.candidate_weights, check_time=late)
    refused(CouldNotFinishError, "", timed.value_of_state, context.state)


@pytest.mark.parametrize("hard", [False, True])
def test_rhymes_take_no_time(hard: bool) -> None:
    """Every guess takes one away, the heaviest first: there are a million subsets of these."""
    rhymes = [f"{letter}zzzz" for letter in "abcdefghijklmnopqrst"]
    dice = random.Random(1)
    weights = tuple(dice.randint(1, 100) for _ in rhymes)
    answer = best_strategy(Problem(game_of(rhymes), hard, None, weights=weights))
    heaviest_first = sorted(weights, reverse=True)
    assert answer.lower_bound == sum(k * w for k, w in enumerate(heaviest_first, 1))


def test_workers_find_the_same() -> None:
    game = alike(7, 1500, 120)
    problem = Problem(game, weights=some_weights(random.Random(4), 120))
    alone, together = best_strategy(problem), best_strategy(problem, workers=2)
    assert alone == together
    start = [alone.first_guesses[0].word]
    assert best_strategy(problem, start) == best_strategy(problem, start, workers=2)


def test_weights_as_they_are_written() -> None:
    """As whole numbers, rounded where there is no room."""
    assert problems.whole_weights([0.1, 0.25, 3]) == (2, 5, 60)
    assert problems.whole_weights([6, 4, 10]) == (3, 2, 5)
    assert problems.whole_weights([1e-9]) == (1,)
    dice = random.Random(1)
    for _ in range(50):
        given = [round(dice.uniform(0.001, 20), dice.randint(0, 3)) or 1.0 for _ in range(9)]
        whole = problems.whole_weights(given)
        ratios = {Fraction(str(weight)) / n for weight, n in zip(given, whole, strict=True)}
        assert len(ratios) == 1
    whole = problems.rounded_weights([1 / 3, 1e-12, 0.25])
    assert min(whole) == 1 and sum(whole) <= problems.most_weight(None, 3)
    assert whole[0] / whole[2] == pytest.approx(4 / 3, rel=1e-6)
    assert problems.rounded_weights([0.5, 1.5]) == (1, 3)


def test_no_total_is_taken_for_a_loss() -> None:
    game = alike(1, 20, 10)
    refused(WrongInputError, "round the weights", Problem, game, weights=(1 << 31,) * 10)
    refused(WrongInputError, "whole numbers", Problem, game, weights=(0,) + (1,) * 9)
    problems.require_weights((1, 2**29), 6)
    for weights, within in (((1 << 30, 1 << 30), 2), ((0, 1), 6), ((2**26,) * 70, None)):
        refused(WrongInputError, "", problems.require_weights, weights, within)
