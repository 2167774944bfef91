"""Exact search against brute force on hundreds of random worlds, and the published figures."""

import contextlib
import json
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pytest

from solver.advice.suggest import candidates_after
from solver.choices import OBJECTIVES
from solver.errors import CouldNotFinishError
from solver.exact.best_strategy import LeastWorst, NextWords, best_strategy, plain_tree
from solver.exact.engine import Engine
from solver.exact.kernels.lemmas import LOSS, UNLIMITED
from solver.exact.limit_search import LimitCheck
from solver.exact.problem import Answer, GuessBounds, Problem, SearchContext, least_open
from solver.exact.table_layout import score_table_of
from solver.exact.values import state_of
from solver.game.load import load_game
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from strategy.solving.optimal import strategy_of_answer
from strategy.solving.search import Question
from tests.support import raising, refused
from tests.support.commands import Knuthle
from tests.support.naive import legal_after, marks
from tests.support.naive_exact import NOTHING_FOUND, Value, values_of_guesses
from tests.support.naive_exact import UNLIMITED as NO_LIMIT
from tests.support.published import OPTIMA
from tests.support.trees import histogram, taken
from tests.support.worlds import EVERYTHING, all_secrets, game_of, of_few_letters, some_world

LIMITS = (2, 3, 4, 5, 6, None)
COMBINATIONS = list(product(OBJECTIVES, (False, True), LIMITS))
WORLDS_EACH = 4


def least_worst_case(problem: Problem, start: Sequence[str] = ()) -> Answer:
    """The smallest limit that some strategy meets; ``problem.within`` is the largest tried."""
    return LeastWorst(problem, start).settle()


def truth_of(game: WordleGame, within: int | None, hard: bool) -> dict[str, Value]:
    """Brute force: (losses, total) of every first guess that tells anything."""
    values = values_of_guesses(game.guesses, game.secrets, within or NO_LIMIT, hard)
    return {word: value for word, value in values.items() if value != NOTHING_FOUND}


def least_limit(game: WordleGame, hard: bool) -> int:
    """Brute force: the fewest guesses within which some strategy solves all."""
    limits = range(1, len(game.secrets) + 1)
    return next(k for k in limits if min(truth_of(game, k, hard).values())[0] == 0)


def check_world(game: WordleGame, objective: str, hard: bool, within: int | None) -> None:
    """One question of the user, answered by the search and by brute force."""
    if objective == "worst":
        least = least_limit(game, hard)
        answer = least_worst_case(Problem(game, hard, within))
        if within is not None and within < least:
            assert answer.tree is None and answer.proved
        else:
            assert answer.within == least
            check_tree(game, answer, hard, least, None)
        return
    truth = truth_of(game, within, hard)
    best = min(truth.values())
    answer = best_strategy(Problem(game, hard, within, losses=objective == "losses"))
    assert answer.proved
    if objective == "total" and best[0] > 0:
        assert answer.tree is None and answer.proved
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
    game: WordleGame, answer: Answer, hard: bool, within: int | None, value: tuple[int, int] | None
) -> None:
    assert answer.tree is not None
    turns = taken(game, answer.tree, hard=hard)
    losses = 0 if within is None else sum(number > within for number in turns)
    assert losses == 0 if value is None else (losses, sum(turns)) == value


@pytest.mark.parametrize(("objective", "hard", "within"), COMBINATIONS)
def test_random_worlds(objective: str, hard: bool, within: int | None) -> None:
    dice = random.Random(f"{objective} {hard} {within}")
    for _ in range(WORLDS_EACH):
        check_world(some_world(dice, 8, 24), objective, hard, within)
    larger = game_of(dice.sample(EVERYTHING, dice.randint(20, 30)))
    check_world(larger, objective, hard, within)


@pytest.mark.parametrize("hard", [False, True])
def test_losses_of_a_family_among_others(hard: bool) -> None:
    words = ["aaa", "aab", "aba", "abb", "baa", "bab", "bba", *(f"{c}bb" for c in "bcdefghij")]
    check_world(game_of(words), "losses", hard, 4)


@pytest.mark.parametrize("number", range(5))
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
        state = state_of(all_secrets(game), left)
        for price in (0, 1):
            engine = Engine(score_table_of(game, hard, price=price), 10)
            for column, guess in enumerate(engine.table.guess[: len(game.guesses)]):
                word = game.guesses[guess]
                if word not in truth:
                    continue
                losses, total = truth[word]
                value = engine.value_of_guess(state, column)
                assert divmod(value.bound, LOSS) == (losses, price * total)
                below = engine.value_of_guess(state, column, limit=value.bound - 1)
                assert not below.exact and below.bound == value.bound


def test_published_best_opener() -> None:
    context = SearchContext(Problem(load_game()))
    column = context.column_of[context.problem.game.guess_id("salet")]
    assert context.value(column, LOSS - 1).bound == 7920
    assert not context.value(column, 7919).exact


def test_best_next_of_a_state() -> None:
    game = load_game()
    left = candidates_after(game, game.parse_state("lares.bbbbb.clint.bbyyb"))
    search = NextWords(Problem(game, False, 4, tuple(left.tolist())))
    search.settle()
    assert search.proved
    assert [(opener.word, opener.total) for opener in search.best()] == [("podgy", 22)]


# --- Fixed first guesses -----------------------------------------------------------------
@pytest.mark.parametrize("number", range(12))
def test_the_least_limit_after_two_guesses(number: int) -> None:
    dice = random.Random(f"two guesses {number}")
    game = some_world(dice, 4, 16)
    start = dice.sample(game.guesses, 2)
    answer = least_worst_case(Problem(game, hard=False, within=None), start)
    limits = range(1, len(game.secrets) + 3)
    totals = [best_strategy(Problem(game, False, limit), start).tree for limit in limits]
    assert answer.within == 1 + next(at for at, tree in enumerate(totals) if tree is not None)
    assert answer.tree is not None and max(answer.tree.depths()) == answer.within
    for guess, depth in zip(answer.tree.guess, answer.tree.depths(), strict=True):
        assert depth > 2 or game.guesses[guess] == start[depth - 1]


def test_a_start_that_tells_nothing_needs_one_more() -> None:
    game = game_of(["bbb", "ccc"], ["ccc"])
    answer = least_worst_case(Problem(game, hard=False, within=None), ["bbb"])
    assert (answer.within, answer.proved) == (2, True)


def test_a_single_guess_needs_no_proof(knuthle: Knuthle, tiny: Path) -> None:
    Path("one.txt").write_text("crane\n")
    words = ("--list", tiny, "--secrets", "one.txt", "--objective", "worst")
    outcome = knuthle("optimal", *words, "--proof", "one.proof", "--json", "-")
    assert (outcome.code, json.loads(outcome.out)["worst"]) == (0, 1)
    assert "one guess is the least there is; one.proof is not written" in outcome.err
    assert not Path("one.proof").exists()


# --- Published results -------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("case", OPTIMA, ids=str)
def test_the_least_total_after_a_first_guess(case: tuple[str, str, bool, int | None, int]) -> None:
    words, opener, hard, within, total = case
    game = load_game(words)
    answer = best_strategy(Problem(game, hard, within), (opener,))
    strategy, _ = strategy_of_answer(Question(game, (opener,), "total", within, hard), answer)
    assert (answer.proved, answer.lower_bound, strategy.total) == (True, total, total)
    assert within is None or strategy.worst <= within


@pytest.mark.long
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


# --- the best next words of a state
World = tuple[WordleGame, Problem, dict[str, Value]]


def drawn_state(seed: int, hard: bool) -> World:
    """A game after one guess: the problem, and the true value of every word."""
    dice = random.Random(seed)
    game = of_few_letters(dice, "abcdef", 26, 3)
    first, hidden = dice.choice(game.guesses), dice.choice(game.secrets)
    colours, score = marks(first, hidden), game.grade(first, hidden)
    left = [at for at, word in enumerate(game.secrets) if marks(first, word) == colours]
    legal = legal_after(first, colours, game.guesses) if hard else game.guesses
    limit = 1 + seed % 3
    rest = [game.secrets[at] for at in left]
    truth = {
        word: value
        for word, value in values_of_guesses(legal, rest, limit, hard).items()
        if word in rest or len({marks(word, other) for other in rest}) > 1  # it tells something
    }
    history = ((game.guess_id(first), score),)
    return game, Problem(game, hard, limit, tuple(left), history), truth


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


@pytest.mark.parametrize("seed", range(60, 72))
@pytest.mark.parametrize("hard", [False, True])
def test_bounds_hold_where_the_effort_is_not_enough(seed: int, hard: bool) -> None:
    _, problem, truth = drawn_state(seed, hard)
    search = NextWords(problem, 2, effort=-1)
    search.settle()
    least = min(truth.values())
    assert search.least_losses <= least[0]
    for opener in search.best():
        value = opener.losses, opener.total
        assert value == truth[opener.word] if opener.exact else value >= truth[opener.word]
    assert search.proved or least[0] > 0 or len(truth) > 1


@pytest.mark.parametrize("seed", range(9))
@pytest.mark.parametrize("hard", [False, True])
def test_out_of_time_leaves_a_bound(seed: int, hard: bool) -> None:
    _, problem, truth = drawn_state(seed, hard)
    search = NextWords(problem, 1, raising(OutOfTimeError("over")), effort=None)
    with contextlib.suppress(OutOfTimeError):  # some states are settled before anybody asks
        search.settle()
    assert search.least_losses <= min(truth.values())[0]
    for opener in search.best():
        value = opener.losses, opener.total
        assert value == truth[opener.word] if search.proved else value >= truth[opener.word]


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


# --- the least worst case and impossible limits
def alike(seed: int) -> WordleGame:
    return of_few_letters(random.Random(seed), "abcde", 22, 3)


def least_lost(game: WordleGame, limit: int, hard: bool, start: str = "") -> int:
    """Brute force: secrets that must be lost, after a first guess or the best."""
    values = truth_of(game, limit, hard)
    return (values[start] if start else min(values.values()))[0]


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("hard", [False, True])
def test_the_total_is_least_after_the_first_guess(seed: int, hard: bool) -> None:
    game = alike(seed)
    answer = least_worst_case(Problem(game, hard, None))
    least = least_limit(game, hard)
    assert (answer.within, answer.lower_bound, answer.proved) == (least, least, True)
    strategy, _ = strategy_of_answer(Question(game, (), "worst", least, hard), answer)
    word = strategy.origin.start[0]
    assert strategy.worst == least
    assert values_of_guesses(game.guesses, game.secrets, least, hard)[word] == (0, strategy.total)
    [first] = answer.first_guesses
    assert (first.word, first.total, first.exact) == (word, strategy.total, True)


@pytest.mark.parametrize("seed", range(14))
@pytest.mark.parametrize("hard", [False, True])
def test_limits_that_cannot_be_met(seed: int, hard: bool) -> None:
    """Every first guess is excluded, the given one or all of them, where brute force says so."""
    game = alike(seed)
    dice = random.Random(seed)
    for limit in (2, 3):
        for start in ((), (dice.choice(list(truth_of(game, 9, hard))),)):
            answer = best_strategy(Problem(game, hard, limit), start)
            lost = least_lost(game, limit, hard, *start)
            assert (answer.tree is None and answer.proved) == (lost > 0)
            if answer.tree is None:
                assert not any(opener.exact for opener in answer.first_guesses)
                assert {o.word for o in answer.first_guesses} == set(start or game.guesses)


@pytest.mark.parametrize("seed", range(10))
def test_what_mere_possibility_refutes_is_impossible_in_hard_mode(seed: int) -> None:
    game = alike(seed)
    limit_check = LimitCheck(score_table_of(game, hard=True))
    for limit in (1, 2, 3, 4):
        state = state_of(all_secrets(game), limit)
        met = limit_check.loses_nothing(state, ())
        assert met == (least_lost(game, limit, hard=False) == 0)
        assert met or least_lost(game, limit, hard=True) > 0
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
    game = alike(7)
    best = best_strategy(Problem(game, within=9), game.guesses[:2], found=found.append)
    assert best.tree is not None
    [early] = found
    assert (early.proved, early.within) == (False, 9)
    strategy, _ = strategy_of_answer(Question(game, game.guesses[:2], within=9), early)
    assert strategy.worst <= 9
    assert early.lower_bound is not None
    assert best.lower_bound is not None
    assert early.lower_bound <= best.lower_bound <= strategy.total


@pytest.mark.long
@pytest.mark.parametrize("hard", [False, True])
def test_published_least_worst_cases(hard: bool) -> None:
    """Five guesses suffice for the answers, in hard mode too; four do not."""
    game = load_game()
    answer = least_worst_case(Problem(game, hard))
    assert (answer.within, answer.proved) == (5, True)
    strategy, _ = strategy_of_answer(Question(game, (), "worst", 5, hard), answer)
    assert strategy.worst == 5


@pytest.mark.long
def test_published_least_worst_case_of_all_words() -> None:
    """Five guesses do not suffice for the 12,972 words; that six do is among published limits."""
    answer = least_worst_case(Problem(load_game(secrets="allowed"), within=5))
    assert (answer.tree, answer.proved, answer.lower_bound) == (None, True, 6)


@pytest.mark.parametrize("wrong", [-1, 0, 5])
def test_a_strategy_in_between_does_not_depend_on_a_right_value(wrong: int) -> None:
    """What a search that is broken off hands out: its value may come from a file."""
    game = game_of([a + b + c for a, b, c in product("abcd", "efg", "hij")])
    context = SearchContext(Problem(game, within=None))
    for column in context.columns[:5]:
        value = context.value(column, 10**6).bound
        tree = plain_tree(context, column, value + wrong)
        solved = histogram(game, tree)
        assert sum(turn * count for turn, count in enumerate(solved, 1)) == value
