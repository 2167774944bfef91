"""The questions that exact search answers: the best guess, the best strategy, the least worst case.

Every answer says whether it is proved. What the kernels know as one value is taken apart again
here: losses (secrets beyond the limit) and total (guesses summed over the secrets).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...game.game import Game
from ...tree import Tree
from ..first_guesses.best_guess import Progress, settle
from ..first_guesses.problem import Problem
from ..first_guesses.ranking_by_losses import Ranking
from ..first_guesses.standings import FirstGuesses
from ..first_guesses.strategy_of_guess import least_worst, plan_of
from ..first_guesses.workbench import Workbench
from ..first_guesses.workers import Helpers, shared
from ..lemmas import LOSS
from ..state_values.beam_bounds import Beam
from ..state_values.forced_guesses import loses_nothing, solve_forced
from .answer import Answer, FirstGuess

#: Guesses that a beam tries in a state, to see at once that a limit can be met.
_NARROW = 2
#: Where some of so many secrets at most must be lost, first guesses are ranked by branch and bound.
_RANKED = 128


def best_strategy(
    problem: Problem,
    start: Sequence[str] = (),
    top: int = 1,
    workers: int | Helpers = 1,
    state: FirstGuesses | None = None,
    progress: Progress = lambda state, count: None,
    check_time: Callable[[], None] = lambda: None,
    found: Callable[[Answer], None] = lambda answer: None,
) -> Answer:
    """The strategy of least value, after the given first guesses or over all of them.

    Among equal totals the one with the smaller worst case. ``state`` carries what an interrupted
    search had found; it is updated in place. ``found`` is told of a strategy that meets the limit,
    if one is found long before the best.
    """
    bench = Workbench(problem, check_time)
    state = FirstGuesses(top) if state is None else state
    if state.best is None:
        refutation = refuted(bench, start, check_time, found)
        if refutation is not None:
            return refutation
    if start:
        return _after_start(bench, start, workers if isinstance(workers, int) else 1)
    state.top, state.ceiling = top, problem.ceiling
    if problem.losses and len(bench.members) <= _RANKED and _hopeless(bench):
        Ranking(bench, lambda work: check_time()).settle(state)
    plans = settle(state, bench, workers, progress, check_time, planned=True)
    return concluded(bench, state, True, plans)


def _hopeless(bench: Workbench) -> bool:
    """Whether it is proved that some candidates are lost."""
    return bench.possibility.refutes(bench.members, bench.problem.left, bench.shown)


def refuted(
    bench: Workbench,
    start: Sequence[str],
    check_time: Callable[[], None],
    found: Callable[[Answer], None],
) -> Answer | None:
    """Exact search's answer, with the proof, where no best strategy can meet the limit."""
    problem, game = bench.problem, bench.problem.game
    guesses = [game.guess_id(word) for word in start]
    if problem.within is None or problem.losses or _seen_at_once(bench, guesses):
        return None
    possibility = bench.possibility
    least = 2 * len(bench.members) - 1
    if not possibility.meets(problem.within, guesses, bench.shown):
        words = start[:1] or game.guesses
        more = tuple(start[1:])
        excluded = [FirstGuess(word, least, 1, exact=False, more=more) for word in words]
        return Answer(None, excluded, True, None, problem.within)
    if not problem.hard:
        tree = problem.graded(possibility.tree(problem.within, guesses))
        found(Answer(tree, [], False, least, problem.within))
    return None


def _seen_at_once(bench: Workbench, guesses: Sequence[int]) -> bool:
    """Whether a first guess meets the limit, without any hard state being searched.

    The search stops at the first hard bucket; a narrow beam may find a way through it. Of a guess
    that is given the search is of use later on, so it comes first there.
    """
    if len(guesses) > 1:
        return False
    column = bench.column_of[guesses[0]] if guesses else bench.columns[0]

    def searched() -> bool:
        return bench.value(column, bench.problem.ceiling, patient=False).exact

    def beamed() -> bool:
        beam, left = Beam(bench.table, _NARROW), bench.problem.left
        return loses_nothing(beam, bench.members, [column], left, bench.shown)

    return searched() or beamed() if guesses else beamed() or searched()


def concluded(
    bench: Workbench,
    state: FirstGuesses,
    proved: bool,
    plans: Mapping[int, Tree] | None = None,
) -> Answer:
    """The answer of exact search by what is known about first guesses; ``plans``: of the best."""
    problem = bench.problem
    table = [_opener(problem.game, *finding) for finding in state.table()]
    ties = state.ties()
    if not ties:
        return Answer(None, table, proved, None, problem.within)
    best = state.best
    assert best is not None
    if proved:
        trees = [
            (plans or {}).get(guess) or plan_of(bench, bench.column_of[guess], best)
            for guess in ties
        ]
        tree = min(trees, key=lambda tree: (tree.height, tree.guess[0]))
    else:  # somebody waits for it, and better ones may follow
        tree = plain_tree(bench, bench.column_of[ties[0]])
    lower = best % LOSS if proved else _unproved_bound(bench, table)
    return Answer(tree, table, proved, lower, problem.within)


def _unproved_bound(bench: Workbench, table: list[FirstGuess]) -> int:
    """What holds for all first guesses when the search was broken off: of those that it has not
    come to, nothing is known but the size of the state (docs/exact.md, lemma 1)."""
    known = 2 * len(bench.members) - 1
    if len(table) < len(bench.columns):
        return known
    return max(known, min(opener.total for opener in table))


def _opener(game: Game, guess: int, bound: int, exact: bool) -> FirstGuess:
    return FirstGuess(game.guesses[guess], bound % LOSS, bound // LOSS, exact)


def plain_tree(bench: Workbench, column: int) -> Tree:
    """Exact search asked in a hurry for a best strategy: one that begins with a guess."""
    _, tree = bench.engine.plan_of_guess(bench.members, column, bench.problem.left, bench.shown)
    return bench.problem.graded(tree)


def _after_start(bench: Workbench, start: Sequence[str], workers: int) -> Answer:
    """The best strategy after forced first guesses."""
    problem = bench.problem
    columns = [bench.column_of[problem.game.guess_id(word)] for word in start]
    if len(columns) == 1:
        value, tree = bench.engine.plan_of_guess(
            bench.members,
            columns[0],
            problem.left,
            bench.shown,
            problem.ceiling,
            shared(bench, workers),
        )
        opener = FirstGuess(start[0], value.total, value.losses, value.exact)
        if not value.exact:
            return Answer(None, [opener], True, None, problem.within)
        tree = least_worst(bench, columns[0], value.bound, problem.graded(tree))
        return Answer(tree, [opener], True, value.total, problem.within)
    tree = Tree()
    bound = solve_forced(bench.engine, bench.members, columns, problem.left, bench.shown, tree)
    opener = FirstGuess(start[0], bound % LOSS, bound // LOSS, True, tuple(start[1:]))
    if bound > problem.ceiling:
        return Answer(None, [replace(opener, exact=False)], True, None, problem.within)
    return Answer(problem.graded(tree), [opener], True, bound % LOSS, problem.within)
