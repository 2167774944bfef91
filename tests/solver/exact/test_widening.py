"""Beams that are widened, and strategies by the most parts: never below the least."""

import random
from unittest.mock import patch

import numpy as np
import pytest

from solver.choices import HIGHEST_LIMIT
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import widening
from solver.exact.best_strategy import best_strategy
from solver.exact.kernels.greedy_growth import GrownNodes, grow_greedily
from solver.exact.kernels.lemmas import LOSS
from solver.exact.problem import Answer, Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.widening import BeamSearch, widths_up_to
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from solver.tree import Tree
from tests.support import raising, refused, trees
from tests.support.naive_exact import NOTHING_FOUND, values_of_guesses
from tests.support.trees import beamed, histogram
from tests.support.worlds import EVERYTHING, alike, all_secrets, game_of, some_world

RHYMES = game_of([f"{letter}ight" for letter in "bdefhlmnrstw"] + ["blend", "forms", "would"])


def drawn_problem(seed: int) -> tuple[Problem, tuple[str, ...], str, tuple[int, int]]:
    """A small problem with its first guesses, its objective and the least (losses, total)."""
    dice = random.Random(seed)
    game = some_world(dice, 3, 14)
    hard, limit = dice.random() < 0.3, dice.choice([None, 2, 3, 3, 4, 5])
    start = dice.choice([(), (dice.choice(game.guesses),)])
    objective = "total" if limit is None else dice.choice(["total", "total", "losses"])
    values = values_of_guesses(game.guesses, game.secrets, limit or HIGHEST_LIMIT, hard)
    least = values[start[0]] if start else min(values.values())
    problem = Problem(game, hard, limit, losses=objective == "losses")
    return problem, start, objective, least


def taken(tree: Tree, problem: Problem) -> tuple[int, int]:
    """Losses and total of a strategy, every secret played."""
    counts = trees.taken(problem.game, tree)
    limit = problem.within or HIGHEST_LIMIT
    return sum(count > limit for count in counts), sum(counts)


@pytest.mark.parametrize("seed", range(24))
def test_no_width_is_below_the_least_or_worse_and_the_widest_is_exact(seed: int) -> None:
    problem, start, objective, least = drawn_problem(seed)
    if least == NOTHING_FOUND:
        return
    within = objective == "total" and least[0] > 0
    values = []
    for width in (1, 2, 3, len(problem.game.guesses)):
        try:
            answer = beamed(problem, width, start, objective)
        except CouldNotFinishError:
            assert problem.hard, "only in hard mode does nobody know whether a limit can be met"
            assert within or width < len(problem.game.guesses)
            continue
        if within:
            assert (answer.tree, answer.proved) == (None, True)
            continue
        assert answer.tree is not None and not answer.proved
        values.append(taken(answer.tree, problem))
        assert values[-1] >= least
    assert within or values[-1] == least


@pytest.mark.parametrize("seed", range(8))
def test_a_search_never_gets_worse_from_width_to_width(seed: int) -> None:
    game = game_of(random.Random(seed).sample(EVERYTHING, 60))
    search, totals = BeamSearch(Problem(game, within=4 + seed % 2)), []
    for width in (1, 3, 2, 1, 4):
        search._search(width, 1)
        answer = search.answer()
        assert answer is not None
        if answer.tree is None:
            return
        assert answer.tree.height <= 4 + seed % 2
        totals.append(taken(answer.tree, search._problem))
    assert totals == sorted(totals, reverse=True)


def hard_words() -> WordleGame:
    """Rhymes among other words: a narrow beam takes seven guesses after AMNIA, six suffice."""
    rhymes = [word for word in EVERYTHING if word[1:] == "ooks"]
    return game_of(sorted({*rhymes, *random.Random(5).sample(EVERYTHING, 150)}))


def test_the_limit_search_answers_where_the_beam_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = hard_words(), []
    decided = widening.RankedBeam._decided

    def counted(self: widening.RankedBeam, level: int) -> int:
        asked.append(decided(self, level))
        return asked[-1]

    monkeypatch.setattr(widening.RankedBeam, "_decided", counted)
    context = SearchContext(Problem(game))
    states = (context.state._replace(left=limit) for limit in range(3, 9))
    least = next(it.left for it in states if not context.limit_check.refutes(it))
    answer = beamed(Problem(game, within=least), 1)
    assert answer.tree is not None and answer.tree.height == least
    assert any(answer >= 0 for answer in asked) and any(answer < 0 for answer in asked)
    impossible = beamed(Problem(game, within=least - 1), 1)
    assert (impossible.tree, impossible.proved) == (None, True)


@pytest.mark.parametrize("within", [None, 6])
def test_two_workers_find_the_same(within: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(widening, "_SHARED", 0)
    problem, start = Problem(hard_words(), within=within), ("amnia",)
    answers = [beamed(problem, 4, start, workers=workers) for workers in (1, 2)]
    assert answers[0].tree is not None and answers[0].tree == answers[1].tree
    assert answers[0].first_guesses == answers[1].first_guesses


# ---- At any time


def test_the_search_ends_when_two_widths_have_bettered_nothing() -> None:
    widths: list[int] = []
    search = BeamSearch(RHYMES_WITHIN, progress=lambda width, *_: widths.append(width))
    search.settle_as_long_as_it_pays(timed=False)
    assert widths[0] == 2 and len(set(widths)) == 3
    widths.clear()
    search.settle_as_long_as_it_pays(timed=True)
    assert max(widths) >= len(RHYMES.guesses), "with a time limit until every guess was tried"


RHYMES_WITHIN = Problem(RHYMES, within=None)


def test_a_time_limit_ends_it_with_the_best_so_far() -> None:
    problem, start = Problem(hard_words(), within=None), ("amnia",)
    looks = [0]
    whole = beamed(problem, 2, start).tree

    def look() -> None:
        looks[0] += 1
        if looks[0] > most:
            raise OutOfTimeError("over")

    most = 10**9
    search = BeamSearch(problem, start, check_time=look)
    search._search(2, 1)
    most = looks[0] + 2  # in the midst of the next width
    search.settle_as_long_as_it_pays(timed=True)
    answer = search.answer()
    assert answer is not None and answer.tree is not None and whole is not None
    assert taken(answer.tree, problem) <= taken(whole, problem)
    most = 3  # before there is a strategy
    looks[0] = 0
    search = BeamSearch(problem, start, check_time=look)
    refused(OutOfTimeError, "", search.settle_as_long_as_it_pays, timed=True)
    assert search.answer() is None


def test_an_interrupt_leaves_the_best_so_far() -> None:
    problem, start = Problem(hard_words(), within=6), ("amnia",)
    search = BeamSearch(problem, start)
    search._search(2, 1)
    search.context.check_time = raising(KeyboardInterrupt())
    refused(KeyboardInterrupt, "", search.settle, 30)
    answer = search.answer()
    assert answer is not None and answer.tree is not None and answer.tree.height <= 6


def test_widths() -> None:
    assert widths_up_to(1) == [1]
    assert widths_up_to(15) == [2, 4, 8, 15]
    assert widths_up_to(100) == [2, 4, 8, 15, 30, 60, 100]


def test_the_worst_case_has_no_width_of_its_own() -> None:
    search = BeamSearch(RHYMES_WITHIN, objective="worst")
    refused(WrongInputError, "worst case", search.settle_as_long_as_it_pays, timed=False)


def test_losses_are_counted_first() -> None:
    problem = Problem(RHYMES, within=3, losses=True)
    answer = beamed(problem, len(RHYMES.guesses), objective="losses")
    least = min(values_of_guesses(RHYMES.guesses, RHYMES.secrets, 3).values())
    assert answer.tree is not None and taken(answer.tree, problem) == least
    assert least[1] < LOSS


def narrowed(problem: Problem, word: str, turns: list[float], workers: int = 1) -> Answer:
    """What a narrow beam and some turns of exact search say of a first guess.

    Branches of 10 candidates or more are searched over all guesses side by side.
    """
    with patch.multiple(widening, _LARGE=10, turns=lambda: iter(turns)):
        search = BeamSearch(problem, (word,))
        search.settle(2)
        search.raise_bounds(True, workers)
    answer = search.answer()
    assert answer is not None
    return answer


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_bounds_from_below_never_pass_the_least_and_meet_it(seed: int, hard: bool) -> None:
    game = alike(seed, 300, 100)
    problem = Problem(game, hard, within=None if seed % 2 else 6)
    word = random.Random(seed).choice(game.guesses)
    least = best_strategy(problem, (word,)).lower_bound
    assert least is not None
    bounds = []
    for turns in ([], [0.0], [0.0, 0.0], [0.001, 0.004]):
        answer = narrowed(problem, word, turns)
        assert answer.tree is not None and answer.lower_bound is not None
        assert answer.lower_bound <= least <= sum(taken(answer.tree, problem))
        bounds.append(answer.lower_bound)
    assert bounds[:3] == sorted(bounds[:3])
    whole = narrowed(problem, word, [0.0, 60.0])
    assert whole.tree is not None
    assert (whole.proved, whole.lower_bound) == (True, least)
    assert taken(whole.tree, problem) == (0, least)


def test_two_workers_raise_the_same_bounds() -> None:
    problem = Problem(alike(3, 300, 100), within=6)
    word = problem.game.guesses[5]
    alone, together = (narrowed(problem, word, [60.0], workers) for workers in (1, 2))
    assert alone.proved and together.proved
    assert (alone.lower_bound, alone.tree) == (together.lower_bound, together.tree)


def test_time_that_ends_while_bounds_are_raised_leaves_what_is_known() -> None:
    problem = Problem(alike(3, 300, 100), within=None)
    search = BeamSearch(problem, (problem.game.guesses[5],))
    search.settle(2)
    search.context.check_time = raising(OutOfTimeError("out of time"), 3)
    refused(OutOfTimeError, "out of time", search.raise_bounds, True)
    answer = search.answer()
    assert answer is not None and answer.tree is not None and not answer.proved


def grown(game: WordleGame, left: int, first: int) -> Tree | None:
    table, everyone = score_table_of(game, False), all_secrets(game)
    nodes = GrownNodes(*(np.empty(2 * len(everyone), dtype=np.int32) for _ in range(3)))
    column = int(np.flatnonzero(table.guess == first)[0])
    count = grow_greedily(table, everyone, left, column, nodes)
    if count < 0:
        return None
    columns, parents, rows = (array[:count] for array in nodes)
    return Tree.of_rows(table.guess[columns], parents, rows).graded(
        lambda guess, secret: game.grade(game.guesses[guess], game.secrets[secret])
    )


@pytest.mark.parametrize("seed", range(20))
def test_what_is_grown_solves_all_in_time(seed: int) -> None:
    dice = random.Random(seed)
    game = some_world(dice, 6, 40)
    found = 0
    for first in dice.sample(range(len(game.guesses)), 4):
        for left in range(1, 7):
            tree = grown(game, left, first)
            if tree is None:
                continue
            found += 1
            assert tree.guess[0] == first
            assert len(histogram(game, tree)) <= left
            lost, _ = values_of_guesses(game.guesses, game.secrets, left)[game.guesses[first]]
            assert lost == 0
    assert found


def test_three_guesses_left_look_further_than_the_most_parts() -> None:
    """Somewhere with three left a guess is made that has fewer parts than another one."""
    assert any(looks_further(seed) for seed in range(140, 200))  # one world in a hundred


def looks_further(seed: int) -> bool:
    game = some_world(random.Random(seed), 6, 40)
    for first in range(min(3, len(game.guesses))):
        tree = grown(game, 4, first)
        if tree is None:
            continue
        for score, node in tree.children()[0].items():
            left = [it for it in game.secrets if game.grade(game.guesses[first], it) == score]
            parts = [len({game.grade(guess, it) for it in left}) for guess in game.guesses]
            if len(left) > 2 and parts[tree.guess[node]] < max(parts):
                return True
    return False
