"""Beams that are widened, and strategies by the most parts: never below the least."""

import random
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest

from solver.choices import HIGHEST_LIMIT
from solver.errors import CouldNotFinishError, WrongInputError
from solver.exact import widening
from solver.exact.best_strategy import best_strategy, quick_strategy
from solver.exact.kernels.greedy_growth import GrownNodes, grow_greedily
from solver.exact.problem import Answer, Problem, SearchContext
from solver.exact.table_layout import score_table_of
from solver.exact.widening import BeamSearch, widths_up_to
from solver.game.wordle import WordleGame
from solver.machine.clock import OutOfTimeError
from solver.tree import Tree
from tests.support import raising, refused, trees
from tests.support.exact_worlds import drawn_problem, hard_words, rhymes
from tests.support.naive import split
from tests.support.naive_exact import NOTHING_FOUND
from tests.support.trees import beamed
from tests.support.worlds import EVERYTHING, alike, all_secrets, game_of, some_world

RHYMES = game_of([f"{letter}ight" for letter in "bdefhlmnrstw"] + ["blend", "forms", "would"])


def taken(tree: Tree | None, problem: Problem) -> tuple[int, int]:
    """Losses and total of a strategy, every secret played."""
    assert tree is not None
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
        assert not answer.proved
        values.append(taken(answer.tree, problem))
        assert values[-1] >= least
    assert within or values[-1] == least


@pytest.mark.parametrize("seed", range(8))
def test_a_search_never_gets_worse_from_width_to_width(seed: int) -> None:
    game, limit = game_of(random.Random(seed).sample(EVERYTHING, 60)), 4 + seed % 2
    search, totals = BeamSearch(Problem(game, within=limit)), []
    for width in (1, 3, 2, 1, 4):
        search._search(width, 1)
        answer = search.answer()
        assert answer is not None
        if answer.tree is None:
            return
        totals.append(taken(answer.tree, search._problem))
    assert totals == sorted(totals, reverse=True) and totals[0][0] == 0


def test_a_poor_strategy_to_begin_with_is_bettered() -> None:
    problem = Problem(RHYMES, within=None)
    search, poor = BeamSearch(problem), BeamSearch(problem, ("bight",))
    poor.settle(1)
    [branch] = search._branches
    branch.tree = poor._grower.plan_of_forced(poor._whole, poor._columns)
    branch.value = poor._value()
    search._search(20, 1)
    assert (branch.value, poor._value()) == (39, 51)


def test_limits_that_a_beam_does_not_meet() -> None:
    """In hard mode that proves nothing: others do. A guess that tells nothing counts as well."""
    refused(CouldNotFinishError, "undecided", beamed, Problem(rhymes(44, 30), True, 4), 1)
    game = game_of(["aab", "aac", "aad", "xyz"], ["aab", "aac", "aad"])
    assert beamed(Problem(game, within=3), 2, ["xyz"]).tree is None
    assert taken(beamed(Problem(game, within=4), 2, ["xyz"]).tree, Problem(game)) == (0, 9)
    quick = quick_strategy(Problem(game, within=None), ["xyz"], "worst")
    assert quick.tree is not None and (quick.within, quick.tree.height) == (4, 4)


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
    one, two = (
        beamed(Problem(hard_words(), within=within), 4, ("amnia",), workers=workers)
        for workers in (1, 2)
    )
    assert one.tree is not None and one.tree == two.tree and one.first_guesses == two.first_guesses


def test_the_search_ends_when_two_widths_have_bettered_nothing() -> None:
    widths: list[int] = []
    search = BeamSearch(Problem(RHYMES, within=None), progress=lambda it, *_: widths.append(it))
    search.settle_as_long_as_it_pays(timed=False)
    assert widths[0] == 2 and len(set(widths)) == 3
    widths.clear()
    search.settle_as_long_as_it_pays(timed=True)
    assert max(widths) >= len(RHYMES.guesses), "with a time limit until every guess was tried"


def test_whatever_ends_it_leaves_the_best_so_far() -> None:
    words, endless = Problem(hard_words(), within=6), Problem(alike(3, 300, 100), within=None)
    late = OutOfTimeError("out of time")
    for problem, start, error, looks, ask, how in (
        (words, "amnia", KeyboardInterrupt(), 0, BeamSearch.settle, 30),
        (endless, endless.game.guesses[5], late, 3, BeamSearch.raise_bounds, True),
    ):
        search = BeamSearch(problem, (start,))
        search._search(2, 1)
        search.context.check_time = raising(error, looks)
        refused(type(error), "", ask, search, how)
        answer = search.answer()
        assert answer is not None and not answer.proved and taken(answer.tree, problem)[0] == 0


def test_a_time_limit_ends_it_with_the_best_so_far() -> None:
    problem, start = Problem(hard_words(), within=None), ("amnia",)
    search = BeamSearch(problem, start)
    search._search(2, 1)
    search.context.check_time = raising(OutOfTimeError("over"), 2)  # in the midst of the next width
    search.settle_as_long_as_it_pays(timed=True)
    answer = search.answer()
    assert answer is not None
    assert taken(answer.tree, problem) <= taken(beamed(problem, 2, start).tree, problem)
    search = BeamSearch(problem, start, check_time=raising(OutOfTimeError("over"), 3))
    refused(OutOfTimeError, "", search.settle_as_long_as_it_pays, timed=True)
    assert search.answer() is None, "there was no strategy"


def test_widths() -> None:
    assert widths_up_to(1) == [1] and widths_up_to(15) == [2, 4, 8, 15]
    assert widths_up_to(100) == [2, 4, 8, 15, 30, 60, 100]
    search = BeamSearch(Problem(RHYMES, within=None), objective="worst")
    refused(WrongInputError, "worst case", search.settle_as_long_as_it_pays, timed=False)


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
    word, bounds = random.Random(seed).choice(game.guesses), list[int]()
    least = best_strategy(problem, (word,)).lower_bound
    assert least is not None
    for turns in ([], [0.0], [0.0, 0.0], [0.001, 0.004]):
        answer = narrowed(problem, word, turns)
        assert answer.lower_bound is not None
        assert answer.lower_bound <= least <= sum(taken(answer.tree, problem))
        bounds.append(answer.lower_bound)
    assert bounds[:3] == sorted(bounds[:3])
    whole = narrowed(problem, word, [0.0, 60.0])
    assert (whole.proved, whole.lower_bound) == (True, least)
    assert taken(whole.tree, problem) == (0, least)


def test_two_workers_raise_the_same_bounds() -> None:
    problem = Problem(alike(3, 300, 100), within=6)
    word = problem.game.guesses[5]
    alone, together = (narrowed(problem, word, [60.0], workers) for workers in (1, 2))
    assert alone.proved and together.proved
    assert (alone.lower_bound, alone.tree) == (together.lower_bound, together.tree)


def grown(game: WordleGame, left: int, first: int) -> Tree | None:
    table, everyone = score_table_of(game, False), all_secrets(game)
    nodes = GrownNodes(*(np.empty(2 * len(everyone), dtype=np.int32) for _ in range(3)))
    column = int(np.flatnonzero(table.guess == first)[0])
    count = grow_greedily(table, everyone, left, column, nodes)
    columns, parents, rows = (array[: max(count, 0)] for array in nodes)
    tree = Tree.of_rows(table.guess[columns], parents, rows)
    return Problem(game).graded(tree) if count >= 0 else None


@pytest.mark.parametrize("seed", range(20))
def test_what_is_grown_solves_all_in_time(seed: int) -> None:
    dice = random.Random(seed)
    game, found = some_world(dice, 6, 40), 0
    for first, left in product(dice.sample(range(len(game.guesses)), 4), range(1, 7)):
        if (tree := grown(game, left, first)) is not None:
            found += 1
            assert tree.guess[0] == first and max(trees.taken(game, tree)) <= left
    assert found


def test_three_guesses_left_look_further_than_the_most_parts() -> None:
    """Somewhere with three left a guess is made that has fewer parts than another one."""
    assert any(looks_further(seed) for seed in range(140, 200))  # one world in a hundred


def looks_further(seed: int) -> bool:
    game = some_world(random.Random(seed), 6, 40)
    for first, opener in enumerate(game.guesses[:3]):
        tree = grown(game, 4, first)
        for score, node in tree.children()[0].items() if tree is not None else ():
            left = split(opener, game.secrets)[score]
            parts = [len(split(guess, left)) for guess in game.guesses]
            if len(left) > 2 and parts[tree.guess[node]] < max(parts):
                return True
    return False
