"""A second objective among strategies of equal value: worst case, or secrets by their guesses.

The value of a state is a sum over its buckets; so a strategy attains it if and only if every guess
of it attains the value of the state in which it is made. Among these guesses
the second objective is free to choose:

    second(C, d) = min over optimal guesses g of  cost(d + 1) if g is in C
                                                  and second(bucket, d + 1) for each of its buckets

after d guesses, put together as a sum, or as the larger of both for the worst case. Most states are
decided at once: by their size, or because their value leaves no room for candidates that take so
many guesses (docs/exact.md). In the others a guess ends as soon as it is no better than the best
before it, and the search ends at the first that attains the lower bound.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from ..choices import HIGHEST_LIMIT, THEN
from ..errors import WrongInputError
from ..tree import Tree
from .engine import Engine
from .first_guesses import context_below, search_context, settle
from .kernels.lemmas import NEVER
from .kernels.memo import State
from .problem import Answer, FirstGuess, GuessBounds, Problem, SearchContext, Then, lengths_of
from .set_engine import CandidateEngine, ExactCodes
from .values import CheckTime, Solver, Value, state_of


@dataclass(frozen=True)
class SecondObjective:
    """What is made least among strategies of equal value: a cost by the guesses of each secret."""

    #: One of ``THEN``.
    kind: str
    #: The number of guesses that it is about; 0 for the worst case.
    guesses: int = 0

    @classmethod
    def of(cls, text: str) -> SecondObjective:
        """The second objective that a text names: ``worst``, ``most-within:4``, ``fewest-of:5``."""
        kind, colon, number = text.partition(":")
        named = kind in THEN and (kind == "worst") == (not colon)
        if not named or (colon and not (number.isascii() and number.isdigit())):
            raise WrongInputError(
                f"no second objective {text!r}: worst, most-within:K or fewest-of:K, K a number"
            )
        guesses = int(number) if colon and len(number) < 10 else 0  # as many digits as a limit
        if colon and not 1 <= guesses <= HIGHEST_LIMIT:
            raise WrongInputError(f"{text}: a number of guesses is from 1 to {HIGHEST_LIMIT:,}")
        return cls(kind, guesses)

    @property
    def text(self) -> str:
        """The name by which it is chosen."""
        return self.kind if self.kind == "worst" else f"{self.kind}:{self.guesses}"

    def cost(self, taken: int) -> int:
        """What a secret that takes so many guesses adds."""
        if self.kind == "worst":
            return taken
        if self.kind == "most-within":
            return int(taken > self.guesses)
        return int(taken == self.guesses)

    def joined(self, costs: Iterable[int]) -> int:
        """The cost of sets of secrets together."""
        return max(costs, default=0) if self.kind == "worst" else sum(costs)

    def cost_of(self, taken: Iterable[int]) -> int:
        """The cost of a strategy by the guesses that each secret takes."""
        return self.joined(map(self.cost, taken))

    def value(self, cost: int, secrets: int) -> int:
        """What people call the value: of ``most-within`` how many secrets are within."""
        return secrets - cost if self.kind == "most-within" else cost

    def least(self, size: int, made: int) -> int:
        """The cost that no state of so many candidates is below, after so many guesses.

        One candidate takes one guess, two take one and two; of more one at most is found at once.
        """
        if size <= 2 or self.kind == "worst":
            return self.cost_of(range(made + 1, made + 1 + min(size, 2)))
        if self.kind == "fewest-of" or made + 1 < self.guesses:
            return 0
        return size - (made < self.guesses)

    def settled(self, size: int, made: int, value: int) -> int | None:
        """The cost of all strategies of a state that have a value, if size and value decide it.

        Let e be what the value is above 2n - 1. Without losses no candidate takes more than 2 + e
        guesses; with e = 0 one takes one guess, all others two.
        """
        if size <= 2:
            return self.least(size, made)
        extra = value - (2 * size - 1)
        if extra == 0:
            return self.cost_of([made + 1, *[made + 2] * (size - 1)])
        if self.kind == "fewest-of":
            out_of_reach = made >= self.guesses or made + 2 + extra < self.guesses
            return 0 if out_of_reach else None
        if self.kind == "most-within" and made >= self.guesses:
            return size
        if self.kind == "most-within" and made + 2 + extra <= self.guesses:
            return 0
        return None


# ---- The search
#
# The search of values stops at the first guess that has the least value. Here the others are found
# as well: those that no bound excludes are tested one by one, each only up to the value of the
# state (``Solver.optimal_guesses``). Guesses that leave the same buckets, or buckets that are each
# other with the colours renamed, are of one kind: whatever follows the one follows the other as
# well. One of each kind is tried.

#: Guesses made before a state, its rows, and what hard mode has revealed.
StateKey = tuple[int, bytes, bytes]


def _key(state: State, made: int) -> StateKey:
    """What tells a state from others of a search; the guesses left follow from those made."""
    return made, state.members.tobytes(), state.revealed.tobytes()


#: From so many candidates on the highest value tells how all are found.
_RHYMES = 5
#: States nest as deep as those of the search of values, with a few calls for each.
_CALLS = 5_000


@contextmanager
def nested_deeply() -> Iterator[None]:
    """Allow as many nested calls as the states of a search are nested deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class SecondSearch:
    """The least cost of the second objective in the states of one exact search."""

    def __init__(self, solver: Solver, objective: SecondObjective, hard: bool = False) -> None:
        """``hard``: whether it is hard mode, where guesses differ by what they reveal."""
        self._solver, self._hard = solver, hard
        self._objective = objective
        #: The least cost of states, or a lower bound of it, and a guess that attains it; -1: any
        #: guess that attains the value of the state does.
        self._known: dict[StateKey, Value] = {}
        #: Strategies of states that were not searched by the solver.
        self._trees: dict[StateKey, Tree] = {}

    def least(
        self, state: State, made: int, limit: int = NEVER, forced: Sequence[int] = ()
    ) -> Value:
        """The least cost of a state if it is below ``limit``; else a bound that is not.

        So many guesses were ``made`` before it. The first guesses may be forced.
        """
        if forced:
            cost = self._cost_of_guess(state, made, forced[0], limit, forced[1:])
            return Value(cost, cost < limit, forced[0])
        objective, size = self._objective, state.size
        bound = objective.least(size, made)
        if size <= 2 or bound >= limit:
            return Value(bound, size <= 2)
        key = _key(state, made)
        known = self._known.get(key)
        if known is None or not (known.exact or known.bound >= limit):
            known = self._known[key] = self._searched(state, made, bound, limit)
        return known

    def better(
        self, state: State, made: int, firsts: Iterable[Sequence[int]], limit: int
    ) -> Iterator[tuple[int, Tree]]:
        """Costs below ``limit``, each below the one before, and strategies that have them.

        A strategy begins with some of the ``firsts``; of equally good ones the first counts.
        """
        bound = self._objective.least(state.size, made)
        for forced in firsts:
            if limit <= bound:
                return
            known = self.least(state, made, limit, forced)
            if known.exact and known.bound < limit:
                limit = known.bound
                yield limit, self.plan(state, made, forced)

    def _searched(self, state: State, made: int, bound: int, limit: int) -> Value:
        size, value = state.size, self._solver.best(state).bound
        settled = self._objective.settled(size, made, value)
        one_by_one = size >= _RHYMES and state.left >= size and value == size * (size + 1) // 2
        if one_by_one and not self._hard:  # nothing else helps (lemma 21)
            settled = self._objective.cost_of(range(made + 1, made + size + 1))
        if settled is not None:
            return Value(settled, True)
        best = Value(limit, False)
        for guess in self._solver.optimal_guesses(state, value):
            cost = self._cost_of_guess(state, made, guess, best.bound)
            if cost < best.bound:
                best = Value(cost, True, guess)
            if best.bound <= bound:
                break
        return best

    def _cost_of_guess(
        self, state: State, made: int, guess: int, limit: int, forced: Sequence[int] = ()
    ) -> int:
        """The least cost after a guess if it is below ``limit``; else a bound that is not.

        Each bucket counts by its bound until its turn comes; where more guesses are forced nothing
        is known of it.
        """
        objective, made = self._objective, made + 1
        buckets = sorted(self._solver.buckets(state, guess), key=lambda bucket: bucket.size)
        bounds = [0 if forced else objective.least(bucket.size, made) for bucket in buckets]
        hit = sum(bucket.size for bucket in buckets) < state.size
        cost = objective.joined([objective.cost(made) if hit else 0, *bounds])
        for bucket, bound in zip(buckets, bounds, strict=True):
            if cost >= limit:
                break
            if objective.kind == "worst":
                cost = max(cost, self.least(bucket, made, limit, forced).bound)
            else:
                cost += self.least(bucket, made, limit - cost + bound, forced).bound - bound
        return cost

    def plan(self, state: State, made: int, forced: Sequence[int] = ()) -> Tree:
        """A strategy of the cost that ``least`` has found; rows stand for its scores."""
        key = _key(state, made)
        if not forced and key in self._trees:
            return self._trees[key]
        known = self._known.get(key, Value(0, False))
        guess = forced[0] if forced else known.guess
        guess = guess if guess >= 0 else self._solver.best(state).guess

        def follow(after: State) -> Tree:
            return self.plan(after, made + 1, forced[1:])

        return self._solver.grown(state, [guess], follow)


# ---- Words
#
# The optimal first guesses are known from the search of values. Each of their buckets is searched
# in a table of its own, in which guesses that part it alike are one (docs/exact.md, lemma 5); a
# large one as a problem of its own, as it is where values are sought.

#: A bucket of so many candidates is searched as a problem of its own.
_LARGE = 400


class SecondOfWords(SecondSearch):
    """The second objective below the first guesses of a problem of words."""

    def __init__(self, context: SearchContext, objective: SecondObjective) -> None:
        assert isinstance(context.engine, Engine)  # weights have no second objective
        super().__init__(context.engine, objective)
        self._context, self._engine = context, context.engine

    def _searched(self, state: State, made: int, bound: int, limit: int) -> Value:
        search = self._as_problem if state.size >= _LARGE else self._in_a_table
        known, tree = search(state, made, limit)
        if tree is not None:
            self._trees[_key(state, made)] = tree.of_secrets(state.members.tolist())
        return known

    def _in_a_table(self, state: State, made: int, limit: int) -> tuple[Value, Tree | None]:
        """A state in a score table of its own."""
        engine = self._engine.narrow(state)
        search = SecondSearch(engine, self._objective, engine.table.hard)
        own = state._replace(members=np.arange(state.size, dtype=np.int32))
        known = search.least(own, made, limit)
        return known, search.plan(own, made) if known.exact else None

    def _as_problem(self, state: State, made: int, limit: int) -> tuple[Value, Tree | None]:
        """A large state, whose optimal guesses are looked for side by side."""
        context = context_below(self._context.problem, self._engine, state)
        bounds = GuessBounds()
        settle(bounds, context)
        search = SecondOfWords(context, self._objective)
        firsts = [[context.column_of[guess]] for guess in bounds.ties()]
        known, tree = Value(limit, False), None
        for cost, tree in search.better(context.state, made, firsts, limit):  # noqa: B007 - the last
            known = Value(cost, True)
        return known, tree


# ---- Answers


def _search_of(
    problem: Problem,
    objective: SecondObjective,
    candidates_only: bool,
    check_time: CheckTime,
    forced: Sequence[int] = (),
) -> tuple[SecondSearch, State, Mapping[int, int] | Sequence[int]]:
    """The search of a problem, its state there, and what the search calls guesses of the game.

    ``forced``: guesses that may be no candidates.
    """
    if candidates_only:
        engine = CandidateEngine(problem.game, problem.positions, forced, check_time)
        state = state_of(engine.members, problem.left)
        return SecondSearch(engine, objective), state, engine.row_of
    if problem.game.code_space is not None and problem.candidates is None:
        codes = ExactCodes(problem.game, check_time, problem.losses)
        state = state_of(codes.members, problem.left)
        return SecondSearch(codes, objective), state, range(len(problem.game.guesses))
    context = search_context(problem, check_time)
    return SecondOfWords(context, objective), context.state, context.column_of


class BestSecond:
    """An answer of proved least value, and its second objective made least.

    Of equally good strategies it is the one that is there without a second objective; if a better
    one is found, that with the first guess which comes first in the alphabet.
    """

    def __init__(
        self,
        problem: Problem,
        answer: Answer,
        objective: SecondObjective,
        check_time: CheckTime = lambda: None,
    ) -> None:
        """``answer``: of the problem, with a strategy."""
        assert answer.tree is not None
        self._problem, self._answer, self._objective = problem, answer, objective
        self._tree, self._check_time = answer.tree, check_time
        #: The cost of the best strategy so far.
        lengths = lengths_of(problem.game, answer.tree, problem.positions)
        self._cost = objective.cost_of(lengths.tolist())
        self._proved = False

    def answer(self) -> Answer:
        """What is known: the strategy, and what is proved of the second objective."""
        value = self._objective.value(self._cost, len(self._problem.secrets))
        then = Then(self._objective.text, value, self._proved and self._answer.proved)
        return replace(self._answer, tree=self._tree, then=then)

    def settle(self, start: Sequence[str], ties: Sequence[int], candidates_only: bool) -> None:
        """Make the second objective least, after given first guesses or over the best ones.

        Of words the best ones are the ``ties``; the searches of others find them again.
        """
        problem = self._problem
        forced = [problem.game.guess_id(word) for word in start]
        with nested_deeply():
            search, state, own = _search_of(
                problem, self._objective, candidates_only, self._check_time, forced
            )
            over_ties = not forced and isinstance(search, SecondOfWords)
            firsts = [[guess] for guess in ties] if over_ties else [forced]
            named = ([own[guess] for guess in guesses] for guesses in firsts)
            for cost, tree in search.better(state, 0, named, self._cost):
                self._cost, self._tree = cost, problem.graded(tree)
        self._proved = True


def with_second(
    problem: Problem,
    objective: SecondObjective,
    words: Sequence[FirstGuess],
    made: int,
    candidates_only: bool = False,
    check_time: CheckTime = lambda: None,
) -> list[FirstGuess]:
    """Next words of a state, all of them exact, with the value of a second objective for each.

    Words of equal total are sorted by it. ``problem`` is the state, in which so many guesses were
    ``made`` before.
    """
    search, state, own = _search_of(problem, objective, candidates_only, check_time)
    firsts = [own[problem.game.guess_id(word.word)] for word in words]
    with nested_deeply():
        costs = [search.least(state, made, forced=[first]).bound for first in firsts]
    ranked = sorted(
        zip(words, costs, strict=True), key=lambda it: (it[0].losses, it[0].total, it[1])
    )
    secrets = len(problem.secrets)
    return [replace(word, then=objective.value(cost, secrets)) for word, cost in ranked]
