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
from tests.support.exact_worlds import drawn_state, rhymes, truth_of
from tests.support.naive_exact import UNLIMITED as NO_LIMIT
from tests.support.naive_exact import brute
from tests.support.published import OPTIMA
from tests.support.trees import taken
from tests.support.worlds import EVERYTHING, all_secrets, game_of, of_few_letters, some_world

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


def test_a_single_guess_needs_no_proof(knuthle: Knuthle, tiny: Path) -> None:
    Path("one.txt").write_text("crane\n")
    words = ("--list", tiny, "--secrets", "one.txt", "--objective", "worst")
    outcome = knuthle("optimal", *words, "--proof", "one.proof", "--json", "-")
    assert (outcome.code, json.loads(outcome.out)["worst"]) == (0, 1)
    assert "one guess is the least there is; one.proof is not written" in outcome.err
    assert not Path("one.proof").exists()


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


def alike(seed: int) -> WordleGame:
    return of_few_letters(random.Random(seed), "abcde", 22, 3)


@pytest.mark.parametrize("seed", range(16))
@pytest.mark.parametrize("hard", [False, True])
def test_the_least_limit_and_those_that_cannot_be_met(seed: int, hard: bool) -> None:
    """The total is the least after the first guess; of limits every first guess is excluded."""
    game = alike(seed)
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
    game = alike(seed)
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
    game = alike(7)
    start = game.guesses[:2]
    best = best_strategy(Problem(game, within=9), start, found=found.append)
    [early] = found
    assert (early.proved, early.within) == (False, 9)
    strategy, _ = strategy_of_answer(Question(game, start, within=9), early)
    assert early.lower_bound is not None and best.lower_bound is not None
    assert early.lower_bound <= best.lower_bound <= strategy.total
    assert best.tree is not None and strategy.worst <= 9


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
        assert sum(taken(game, plain_tree(context, column, value + wrong))) == value
