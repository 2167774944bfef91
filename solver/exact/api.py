"""The questions that exact search answers: the best guess, the best strategy, the least worst case.

Every answer says whether it is proved. What the kernels know as one value is taken apart again
here: losses (secrets beyond the limit) and total (guesses summed over the secrets).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..game import Game
from .engine import Nodes, OutOfTimeError
from .forced import loses_nothing, solve_forced
from .openers import Openers, Problem, Progress, Workbench, settle
from .states import LOSS

Ids = NDArray[np.int32]
OBJECTIVES = ("total", "worst", "losses")


@dataclass(frozen=True)
class Opener:
    """A first guess with its exact result, or with the bound that excludes it."""

    word: str
    total: int
    losses: int
    exact: bool


@dataclass(frozen=True)
class Tree:
    """A strategy as flat columns: guess of the game, position of the parent, score from there."""

    guess: list[int]
    parent: list[int]
    score: list[int]

    def depths(self) -> list[int]:
        """The number of the guess made at each node."""
        depths: list[int] = []
        for above in self.parent:
            depths.append(1 if above < 0 else depths[above] + 1)
        return depths


@dataclass(frozen=True)
class Answer:
    """What an exact search found out."""

    #: None: proved that nothing meets the limit, or nothing was found in time.
    tree: Tree | None
    openers: list[Opener]
    proved: bool
    #: Of the objective: no strategy is better than this.
    lower_bound: int | None
    #: The limit in force: for ``worst``, the least that can be met.
    within: int | None

    @property
    def impossible(self) -> bool:
        """Whether it is proved that the limit cannot be met."""
        return self.tree is None and self.proved


def best_strategy(
    problem: Problem,
    start: Sequence[str] = (),
    top: int = 1,
    workers: int = 1,
    state: Openers | None = None,
    progress: Progress = lambda state, count: None,
    check_time: Callable[[], None] = lambda: None,
) -> Answer:
    """The strategy of least value, after the given first guesses or over all of them.

    Among equal totals the one with the smaller worst case. ``state`` carries what an interrupted
    search had found; it is updated in place.
    """
    bench = Workbench(problem, check_time)
    if start:
        return _after_start(bench, start)
    state = Openers(top) if state is None else state
    state.top, state.ceiling = top, problem.ceiling
    settle(problem, state, bench, workers, progress, check_time)
    return concluded(bench, state, proved=True)


def concluded(bench: Workbench, state: Openers, proved: bool) -> Answer:
    """The answer from what is known about the openers."""
    problem = bench.problem
    table = [_opener(problem.game, *finding) for finding in state.table()]
    ties = state.ties()
    if not ties:
        return Answer(None, table, proved, None, problem.within)
    best = state.best
    assert best is not None
    trees = [least_worst(bench, bench.column_of[guess], best) for guess in ties]
    tree = min(trees, key=lambda tree: (max(tree.depths()), tree.guess[0]))
    lower = best % LOSS if proved else _unproved_bound(problem, table)
    return Answer(tree, table, proved, lower, problem.within)


def _unproved_bound(problem: Problem, table: list[Opener]) -> int:
    """What holds for all first guesses when the search was broken off: of those that it has not
    come to, nothing is known but the size of the state (docs/exact.md, lemma 1)."""
    count = len(problem.game.secrets if problem.candidates is None else problem.candidates)
    known = 2 * count - 1
    if len(table) < len(problem.game.guesses):
        return known
    return max(known, min(opener.total for opener in table))


def _opener(game: Game, guess: int, bound: int, exact: bool) -> Opener:
    return Opener(game.guesses[guess], bound % LOSS, bound // LOSS, exact)


def least_worst(bench: Workbench, column: int, value: int) -> Tree:
    """Of the strategies of this value that begin with a guess, one with the least worst case."""
    members, shown = bench.members, bench.shown
    left = bench.problem.left
    tree = tree_of(bench.problem, bench.engine.plan_of_guess(members, column, left, shown))
    if value >= LOSS:
        return tree
    while True:
        fewer = max(tree.depths()) - 1
        if fewer < 1:
            return tree
        better = bench.engine.value_of_guess(members, column, fewer, shown, value)
        if not better.exact:
            return tree
        tree = tree_of(bench.problem, bench.engine.plan_of_guess(members, column, fewer, shown))


def tree_of(problem: Problem, nodes: Nodes) -> Tree:
    """Nodes with the scores that their edges stand for."""
    game, chosen = problem.game, problem.candidates
    secrets = game.secrets if chosen is None else [game.secrets[at] for at in chosen]
    score = [
        -1 if above < 0 else game.grade(game.guesses[nodes.guess[above]], secrets[witness])
        for above, witness in zip(nodes.parent, nodes.witness, strict=True)
    ]
    return Tree(nodes.guess, nodes.parent, score)


def _after_start(bench: Workbench, start: Sequence[str]) -> Answer:
    """The best strategy after forced first guesses."""
    problem = bench.problem
    columns = [bench.column_of[problem.game.guess_id(word)] for word in start]
    if len(columns) == 1:
        value = bench.value(columns[0], problem.ceiling)
        opener = Opener(start[0], value.total, value.losses, value.exact)
        if not value.exact:
            return Answer(None, [opener], True, None, problem.within)
        tree = least_worst(bench, columns[0], value.bound)
        return Answer(tree, [opener], True, value.total, problem.within)
    nodes = Nodes()
    bound = solve_forced(bench.engine, bench.members, columns, problem.left, bench.shown, nodes)
    opener = Opener(start[0], bound % LOSS, bound // LOSS, True)
    if bound > problem.ceiling:
        return Answer(None, [replace(opener, exact=False)], True, None, problem.within)
    return Answer(tree_of(bench.problem, nodes), [opener], True, bound % LOSS, problem.within)


def least_limit(
    problem: Problem,
    start: Sequence[str] = (),
    progress: Progress = lambda state, count: None,
    check_time: Callable[[], None] = lambda: None,
) -> Answer:
    """The smallest limit that some strategy meets, with such a strategy.

    A limit is excluded only if every first guess is proved to fail it. ``problem.within`` is the
    largest limit that is tried.
    """
    count = len(problem.game.secrets if problem.candidates is None else problem.candidates)
    # n guesses suffice for n candidates, after fixed ones that may tell nothing
    largest = count + len(start) if problem.within is None else problem.within
    for limit in range(1, largest + 1):
        bench = Workbench(replace(problem, within=limit, price=0, losses=False), check_time)
        firsts = [bench.column_of[problem.game.guess_id(word)] for word in start]
        if firsts:
            found = firsts if _can_follow(bench, firsts) else None
        else:
            found = _first_that_meets_the_limit(bench, progress, check_time)
        if found is not None:
            nodes = Nodes()
            solve_forced(bench.engine, bench.members, found, limit, bench.shown, nodes)
            opener = Opener(problem.game.guesses[nodes.guess[0]], 0, 0, True)
            return Answer(tree_of(bench.problem, nodes), [opener], True, limit, limit)
    return Answer(None, [], True, largest + 1, largest)


def _can_follow(bench: Workbench, columns: Sequence[int]) -> bool:
    """Whether the limit can be met after these guesses."""
    return loses_nothing(bench.engine, bench.members, columns, bench.problem.left, bench.shown)


def _first_that_meets_the_limit(
    bench: Workbench, progress: Progress, check_time: Callable[[], None]
) -> list[int] | None:
    """The first guess, in the order of the columns, that some strategy within the limit makes."""
    failed = []
    for column in bench.columns:
        if bench.value(column, LOSS - 1).exact:
            return [column]
        failed.append(int(bench.room.guess[column]))
        check_time()
        progress(Openers(found=dict.fromkeys(failed, (LOSS, False))), len(bench.columns))
    return None


def best_next(
    game: Game,
    candidates: Ids,
    guesses_left: int | None,
    hard: bool = False,
    history: Sequence[tuple[int, int]] = (),
    top: int = 1,
) -> list[Opener]:
    """The best next words of a state, ties included, each with its exact total and losses."""
    chosen = tuple(int(at) for at in candidates)
    problem = Problem(game, hard, guesses_left, chosen, tuple(history), losses=True)
    bench = Workbench(problem)
    state = Openers(top, problem.ceiling)
    settle(problem, state, bench)
    return [_opener(game, *row) for row in state.table() if row[2]]


__all__ = [
    "OBJECTIVES",
    "Answer",
    "Opener",
    "OutOfTimeError",
    "Tree",
    "best_next",
    "best_strategy",
    "least_limit",
    "tree_of",
]
