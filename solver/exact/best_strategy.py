"""The best strategy, the best next words and the smallest worst case, each proved or not.

Every answer says whether it is proved. What the kernels know as one value is taken apart again
here: losses (secrets beyond the limit) and total (guesses summed over the secrets).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ..errors import CouldNotFinishError
from ..tree import Tree
from .first_guesses import Helpers, search_context, settle, shared
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, guesses_left
from .limit_search import LimitCheck
from .losses import BudgetSpentError, LossesByCores, LossesCounted, rank
from .problem import (
    Answer,
    FirstGuess,
    GuessBounds,
    Problem,
    ProblemTable,
    Progress,
    SearchContext,
    least_limit,
    least_worst,
    plan_of,
)
from .set_engine import ExactCodes
from .values import Beam, CheckTime, TooWideError, Value, state_of

# ---- Without a proof


def bound_answer(
    context: SearchContext,
    problem: Problem,
    tree: Tree,
    start: Sequence[str],
    objective: str,
    least: int = 0,
) -> Answer:
    """A strategy that nobody has proved to be the best, with a bound that holds without a search.

    ``start`` are the first guesses, if they were given; ``least`` is what is known besides.
    """
    game = problem.game
    if len(start) == 1:
        lower = int(context.bounds([context.column_of[game.guess_id(start[0])]], NEVER)[0])
    else:
        lower = _least_of_all(context)
    if objective == "total":
        lower = max(lower, least)
    word = game.guesses[tree.guess[0]]
    opener = FirstGuess.of(word, lower, False, start[1:])
    bound = {"worst": 1, "losses": lower // LOSS}.get(objective, lower % LOSS)
    return Answer(problem.graded(tree), [opener], False, max(bound, least), problem.within)


#: Guesses that a beam tries in a state, to see at once that a limit can be met.
_NARROW = 2
#: Limits that a narrow beam tries at once, where the least worst case is sought.
_LIMITS_AT_ONCE = 5


def quick_strategy(
    problem: Problem,
    start: Sequence[str] = (),
    objective: str = "total",
    least: int = 0,
    state: GuessBounds | None = None,
) -> Answer:
    """A strategy that is there at once, by a narrow beam: for whoever breaks a search off.

    It is a bound, and need not meet the limit. ``least``, and what an unfinished search knows of
    first guesses: what is known of the objective.
    """
    context = SearchContext(problem)
    if state is not None and state.found:
        least = _unproved_bound(context, state)
    beam = Beam(context.table, _NARROW)
    columns = context.columns_of(start)

    def found(within: int | None) -> tuple[int, Tree]:
        """The best strategy within a limit that the beam sees, and its value."""
        left = UNLIMITED if within is None else within
        left = left if columns else guesses_left(left, len(context.members))
        state = context.state._replace(left=left)
        return beam.value_of_forced(state, columns).bound, beam.plan_of_forced(state, columns)

    limit = problem.within
    _, tree = found(limit)
    if objective == "worst":
        least = max(least, 1)
        tries = range(least, min(limit or least + _LIMITS_AT_ONCE, least + _LIMITS_AT_ONCE))
        seen = ((it, *found(it)) for it in tries)
        limit, tree = next(((it, tree) for it, value, tree in seen if value < LOSS), (limit, tree))
    return bound_answer(context, replace(problem, within=limit), tree, start, objective, least)


#: Where some of so many secrets at most must be lost, first guesses are ranked by branch and bound.
_RANKED = 128


def best_strategy(
    problem: Problem,
    start: Sequence[str] = (),
    top: int = 1,
    workers: int | Helpers = 1,
    state: GuessBounds | None = None,
    progress: Progress = lambda state, count: None,
    check_time: CheckTime = lambda: None,
    found: Callable[[Answer], None] = lambda answer: None,
) -> Answer:
    """The strategy of least value, after the given first guesses or over all of them.

    Among equal totals the one with the smaller worst case. ``state`` carries what an interrupted
    search had found; it is updated in place. ``found`` gets a strategy that meets the limit,
    if one is found long before the best.
    """
    context = search_context(problem, check_time)
    state = GuessBounds(top) if state is None else state
    if state.best is None:
        refutation = refuted(context, start, found)
        if refutation is not None:
            return refutation
    if start:
        return _after_start(context, start, workers if isinstance(workers, int) else 1)
    state.top, state.highest_value = top, problem.highest_value
    is_small = problem.losses and len(context.members) <= _RANKED
    if is_small and context.limit_check.refutes(context.state):
        rank(context, state)
    plans = settle(state, context, workers, progress, planned=True)
    return concluded(context, state, True, plans)


def refuted(
    context: SearchContext,
    start: Sequence[str],
    found: Callable[[Answer], None] = lambda answer: None,
) -> Answer | None:
    """The answer, proved, where no strategy can meet the limit."""
    problem, columns = context.problem, context.columns_of(start)
    if problem.within is None or problem.losses or _seen_at_once(context, columns):
        return None
    if not context.limit_check.loses_nothing(context.state, columns):
        return proved_impossible(problem, start)
    if not problem.hard:
        tree = problem.graded(context.limit_check.plan_of_forced(context.state, columns))
        found(Answer(tree, [], False, problem.least, problem.within))
    return None


def proved_impossible(problem: Problem, start: Sequence[str]) -> Answer:
    """The answer where it is proved that the limit cannot be met: every first guess loses one."""
    words, more = start[:1] or problem.game.guesses, tuple(start[1:])
    excluded = [FirstGuess(word, problem.least, 1, exact=False, more=more) for word in words]
    return Answer(None, excluded, True, None, problem.within)


def _seen_at_once(context: SearchContext, columns: Sequence[int]) -> bool:
    """Whether a first guess meets the limit, without any hard state being searched.

    The search stops at the first hard bucket; a narrow beam may find a way through it. Of a guess
    that is given the search is of use later on, so it comes first there.
    """
    if len(columns) > 1:
        return False
    column = columns[0] if columns else context.columns[0]

    def searched() -> bool:
        return context.value(column, context.problem.highest_value, patient=False).exact

    def beamed() -> bool:
        return Beam(context.table, _NARROW).loses_nothing(context.state, [column])

    return searched() or beamed() if columns else beamed() or searched()


def concluded(
    context: SearchContext,
    state: GuessBounds,
    proved: bool,
    plans: Mapping[int, Tree] | None = None,
) -> Answer:
    """The answer by what is known about first guesses; ``plans``: strategies of the best."""
    problem, ties = context.problem, state.ties()
    table = state.first_guesses(problem.game)
    if not ties:
        return Answer(None, table, proved, None, problem.within)
    best = state.best
    assert best is not None
    if proved:
        trees = [
            (plans or {}).get(guess) or plan_of(context, context.column_of[guess], best)
            for guess in ties
        ]
        tree = min(trees, key=lambda tree: (tree.height, tree.guess[0]))
    else:  # somebody waits for it, and better ones may follow
        tree = plain_tree(context, context.column_of[ties[0]], best)
    lower = best % LOSS if proved else _unproved_bound(context, state)
    return Answer(tree, table, proved, lower, problem.within)


def _unproved_bound(context: SearchContext, state: GuessBounds) -> int:
    """What holds for all first guesses when the search was broken off, of the losses or the total.

    Of those that it has not come to nothing is known but what any guess leaves (docs/exact.md,
    lemma 2).
    """
    losses, known = context.problem.losses, 0 if context.problem.losses else _least_of_all(context)
    if len(state.found) < len(context.columns):
        return known
    bounds = (bound for _, bound, _ in state.table())
    return max(known, min(bound // LOSS if losses else bound % LOSS for bound in bounds))


def _least_of_all(context: SearchContext) -> int:
    """The total that no strategy is below, by the most parts that a guess has (lemmas 2, 17a)."""
    parts, weights = int(context.table.parts[0]), context.problem.candidate_weights
    return 3 * int(weights.sum()) - int(weights[:parts].sum()) - int(weights[0])


def plain_tree(context: SearchContext, column: int, best: int) -> Tree:
    """A strategy that begins with a guess, of whatever worst case: quick if its value is ``best``.

    A wrong value, of a file for example, only makes it slow.
    """
    value, tree = context.plan(column, best)
    return context.problem.graded(tree if value.exact else context.plan(column)[1])


def _after_start(context: SearchContext, start: Sequence[str], workers: int) -> Answer:
    """The best strategy after forced first guesses."""
    problem, state, columns = context.problem, context.state, context.columns_of(start)
    tree = None
    if len(columns) == 1:
        share = shared(context, workers)
        value, found = context.plan(columns[0], problem.highest_value, share)
        if value.exact:
            tree = least_worst(context, columns[0], value.bound, problem.graded(found))
    else:
        value = context.engine.value_of_forced(state, columns, problem.highest_value)
        if value.exact:
            tree = problem.graded(context.engine.plan_of_forced(state, columns))
    opener = FirstGuess.of(start[0], value.bound, value.exact, start[1:])
    total = value.bound % LOSS if value.exact else None
    return Answer(tree, [opener], True, total, problem.within)


# ---- The smallest worst case
#
# Limits are tried upwards, so that what refutes one serves for the next. Without hard mode, and
# in hard mode as a first sieve (docs/exact.md, lemma 8), the limit search decides:
# it refutes a limit for all first guesses together. What it does not refute is left, in hard
# mode, to the exact search, one first guess after the other. In the end, where the secrets are
# not too many, the total is made least after the first guess that was found.

#: Called with the limit under test, the first guesses excluded so far, and how many there are.
Excluded = Callable[[int, int, int], None]
#: Of so many secrets the total is made least as well; of more that would take too long.
POLISHED = 4_000


class LeastWorst:
    """The least worst case, the limit raised until it is met; ``answer`` is what is known."""

    def __init__(
        self,
        problem: Problem,
        start: Sequence[str] = (),
        progress: Excluded = lambda limit, excluded, whole: None,
        check_time: CheckTime = lambda: None,
    ) -> None:
        self._problem, self._start = problem, tuple(start)
        self._progress, self._check_time = progress, check_time
        #: No strategy meets a limit below this one.
        self.least = 1
        self._found: Answer | None = None
        self._plain = ProblemTable(replace(problem, hard=False, price=0))
        #: One search for all limits: what it learns from one serves for the next.
        self._limit_check = LimitCheck(self._plain.table, check_time)

    def settle(self) -> Answer:
        """Refute limits until one is met, or the largest is refuted."""
        try:
            self._found = least_limit(self._problem, len(self._start), self._tried)
            return self._found
        except CouldNotFinishError as error:
            if self._found is None and self.least > 1:
                proved = f"{error}; proved: within {self.least - 1} is impossible"
                raise type(error)(proved) from None
            raise

    def answer(self) -> Answer | None:
        """The smallest limit with a strategy, or the proof that the largest is too small."""
        return self._found

    def _tried(self, limit: int) -> Answer | None:
        """A strategy within a limit, its total made least if that can be done; None: there is none.

        It is kept at once: to make its total least may take long.
        """
        self.least = limit
        tree = self._tree(limit)
        if tree is None:
            return None
        problem = replace(self._problem, within=limit)
        word = problem.game.guesses[tree.guess[0]]
        opener = FirstGuess(word, problem.least, 0, False, self._start[1:])
        answer = self._found = Answer(problem.graded(tree), [opener], True, limit, limit)
        if len(problem.secrets) <= POLISHED:
            with contextlib.suppress(CouldNotFinishError):  # the question is answered already
                best = best_strategy(problem, self._start or (word,), check_time=self._check_time)
                return replace(answer, tree=best.tree, first_guesses=best.first_guesses)
        return answer

    def _tree(self, limit: int) -> Tree | None:
        """A strategy within a limit; None: it is proved that there is none."""
        limit_check = self._limit_check
        limit_check.search.progress = partial(self._progress, limit)
        state, columns = self._plain.state._replace(left=limit), self._plain.columns_of(self._start)
        if not limit_check.loses_nothing(state, columns):
            return None
        if self._problem.hard:
            return self._tree_in_hard_mode(limit)
        return limit_check.plan_of_forced(state, columns)

    def _tree_in_hard_mode(self, limit: int) -> Tree | None:
        """A strategy within a limit in hard mode, by exact search; None: proved there is none."""
        context = SearchContext(replace(self._problem, within=limit, price=0), self._check_time)
        fixed = context.columns_of(self._start)
        tries = [fixed] if fixed else [[column] for column in context.columns]
        for number, firsts in enumerate(tries):
            self._check_time()
            self._progress(limit, number, len(tries))
            if len(firsts) == 1:
                is_met = context.value(firsts[0], LOSS - 1).exact
            else:
                is_met = context.engine.loses_nothing(context.state, firsts)
            if is_met:
                return context.engine.plan_of_forced(context.state, firsts)
        return None


# ---- Mastermind


class PegSearch:
    """The best strategy of a whole Mastermind game, proved over all first guesses or the given."""

    def __init__(
        self,
        problem: Problem,
        start: Sequence[str],
        objective: str,
        check_time: CheckTime = lambda: None,
    ) -> None:
        self._problem, self._start, self._objective = problem, start, objective
        self._guesses = [problem.game.guess_id(word) for word in start]
        self._codes = ExactCodes(problem.game, check_time, problem.losses)
        self._begin(1 if objective == "worst" else problem.within)

    def _begin(self, limit: int | None) -> None:
        """Begin with a limit: nothing is known of it yet."""
        self._state = state_of(self._codes.members, limit or UNLIMITED)

    def answer(self) -> Answer:
        """Search for the best strategy."""
        if self._objective == "worst":
            return least_limit(self._problem, len(self._start), self._found)
        within = self._problem.within
        return self._found(within) or Answer(None, [], True, None, within)

    def _found(self, limit: int | None) -> Answer | None:
        """The best strategy within a limit; None: there is none that loses no more than it may."""
        self._begin(limit)
        value = self._codes.value_of_forced(self._state, self._guesses)
        if not value.exact:
            return None
        tree = self._codes.plan_of_forced(self._state, self._guesses)
        return self._answer(tree, value, value.bound % LOSS, limit)

    def best_so_far(self) -> Answer:
        """A strategy by what the search knows now, and a bound that holds for every strategy."""
        tree = self._codes.best_so_far(self._state, self._guesses)
        value = self._codes.least_value(self._state, self._guesses)
        bounds = {"total": value % LOSS, "losses": value // LOSS, "worst": self._state.left}
        least = bounds[self._objective]
        return self._answer(tree, Value(value, False), least, self._problem.within)

    def _answer(self, plan: Tree, value: Value, least: int, limit: int | None) -> Answer:
        word = self._problem.game.guesses[plan.guess[0]]
        opener = FirstGuess.of(word, value.bound, value.exact, self._start[1:])
        return Answer(self._problem.graded(plan), [opener], value.exact, least, limit)


# ---- Next words
#
# Words that lose nothing come first, whatever their total, and need no search of the others.
# Where none is left, or too few, secrets must be given up: the exact search of the fewest losses
# is tried with a fixed effort, counted in steps and not in seconds, so that the same question
# gets the same answer. Where that does not do, a beam says what can be attained, and cores how
# few losses are not excluded.

#: Units of work that an exact search of losses may take.
EFFORT = 3_000_000
#: Cores that are sought for a lower bound of the losses.
_CORES = 16
#: Guesses that the beam tries in a state, and first guesses that it tries beyond those wanted.
_WIDTH = 10
_MORE = 3
#: Checks of the time limit after which the beam is given up for a narrow one.
_LOOKS = 10


class NextWords:
    """The best next words of a state, narrowed down; at any time ``best`` is what is known."""

    def __init__(
        self,
        problem: Problem,
        top: int = 1,
        check_time: CheckTime = lambda: None,
        effort: int | None = EFFORT,
    ) -> None:
        """``effort``: of a search of losses; None: until it is done, or ``check_time`` raises."""
        self._problem = replace(problem, losses=False)
        self._top = top
        self._effort = effort
        self._context = SearchContext(self._problem, check_time)
        self._state = GuessBounds(top, self._problem.highest_value)
        self._beam: list[FirstGuess] = []
        #: Whether ``best`` is exact, ties included.
        self.proved = False
        #: No word loses fewer.
        self.least_losses = 0

    def settle(self) -> None:
        """Search for the best next words of the state."""
        context = self._context
        if refuted(context, ()) is None:
            settle(self._state, context)
            exact = sum(exact for _, _, exact in self._state.table())
            if exact >= min(self._top, len(context.columns)):
                self.proved = True
                return
            self.least_losses = 1 if self._state.best is None else 0
        self._state = GuessBounds(self._top)
        self._settle_losses()

    def best(self) -> list[FirstGuess]:
        """The best next words in order; those not exact lose no more, or take no more in all."""
        words = self._state.first_guesses(self._problem.game)
        found = [replace(word, exact=self.proved) for word in words if word.exact]
        if not (found or self._beam):
            self._beam = self._seen_by(Beam(self._context.table, 1))  # somebody waits for it
        return found or self._beam

    # --- losses ---------------------------------------------------------------------------

    def _settle_losses(self) -> None:
        """The fewest losses exactly, if that can be done; else bounds."""
        context = self._context
        try:
            self._beam = self._seen_by(Beam(context.table, _WIDTH, context.check_time, _LOOKS))
        except TooWideError:
            self._beam = self._seen_by(Beam(context.table, 1))
        last = NEVER  # the value above which a word wins no place, once as many are attained
        if len(self._beam) >= self._top:
            attained = self._beam[self._top - 1]
            last = attained.losses * LOSS + attained.total
        state = GuessBounds(self._top, last)
        effort = float("inf") if self._effort is None else self._effort
        try:
            rank(context, state, effort)
        except BudgetSpentError:
            self._raise_bound()
            return
        self._state, self.proved = state, True
        self.least_losses = min(value for _, value, exact in state.table() if exact) // LOSS

    def _raise_bound(self) -> None:
        """Find cores, all of which lose a member; then count losses alone."""
        context, left = self._context, self._problem.left
        search, rows = context.limit_check.search_of(context.state)
        by_cores = LossesByCores(search, left, rows)
        by_cores.narrow(NEVER, _CORES)
        counted = LossesCounted(context)
        counted.settle(self._beam[0].losses, 1)
        self.least_losses = max(self.least_losses, by_cores.least, counted.least)

    def _seen_by(self, beam: Beam) -> list[FirstGuess]:
        """What a beam makes of promising words, best first."""
        context, game = self._context, self._problem.game
        column = beam.value_of_state(context.state).guess
        others = context.columns[: self._top + _MORE] if self._top > 1 else []
        values = {
            beam.number(at): beam.value_of_forced(context.state, [at]).bound
            for at in {column, *others}
        }
        ranked = sorted(values.items(), key=lambda item: (item[1], item[0]))
        return [
            FirstGuess.of(game.guesses[guess], value, exact=False)
            for guess, value in ranked[: self._top]
        ]
