"""The fewest secrets beyond a limit: of one first guess, and of all of them in order."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from ..errors import CouldNotFinishError
from ..tree import Tree
from .engine import THREE, Engine, LossCounter
from .first_guesses import context_below
from .kernels.lemmas import LOSS, guesses_left, lost
from .kernels.memo import State
from .kernels.state import work_done
from .kernels.table_columns import effects_on, narrowed
from .kernels.table_vectors import Bits, Rows
from .limit_search import LimitSearch
from .problem import Answer, FirstGuess, GuessBounds, Problem, SearchContext, lengths_of
from .values import Beam, CheckTime, TooWideError, state_of

_MEMO_BITS = 18


@dataclass
class LossBudget:
    """What one turn of a search may use: so many units of work, or seconds.

    It knows a measure of what is used, not the search: else the search would refer to itself.
    """

    _used: Callable[[], float]
    _check_time: CheckTime
    _end: float = float("inf")

    @classmethod
    def of_work(cls, engine: Engine, check_time: CheckTime) -> LossBudget:
        """A budget of work, which an engine checks from now on."""
        budget = cls(partial(work_done, engine.scratch), check_time)
        engine.check_time = budget.check
        return budget

    def begin(self, amount: float) -> None:
        """Begin a turn that may use so much."""
        self._end = self._used() + amount

    def check(self) -> None:
        """Raise an error if the time is up, or the budget of this turn spent."""
        self._check_time()
        if self._used() > self._end:
            raise BudgetSpentError("the budget is spent")


class BudgetSpentError(CouldNotFinishError):
    """The budget of a turn was not enough."""


# ---- The ranking
#
# The guesses are taken in the order of their bounds, by branch and bound over a table of those that
# differ (lemma 5), until the next bound is above the last place. What holds for one of equal
# guesses holds for the others, but that a candidate may be right.


def rank(context: SearchContext, state: GuessBounds, effort: float = float("inf")) -> None:
    """Settle all guesses of a state that may win a place, where losses cannot be avoided.

    ``effort``: the units of work after which `BudgetSpentError` is raised.
    """
    table = narrowed(context.table, context.members, context.revealed)
    effects = effects_on(context.table, context.members)
    engine = Engine(table, _MEMO_BITS)
    LossBudget.of_work(engine, context.check_time).begin(effort)
    for bound, column in engine.listed(context.state, state.limit):
        if bound > state.limit:
            break
        value = engine.branch(context.state, state.limit, column)
        guess = int(table.guess[column])
        for other in _equals(context, effects, guess) if value.exact else []:
            state.add((other, value.bound + _dearer(context, guess, other), True))


def _equals(context: SearchContext, effects: Bits, guess: int) -> list[int]:
    """A guess of the game and those that are equal to it (lemma 5), candidates apart."""
    table, column = context.table, context.column_of[guess]
    others = np.array(context.columns, dtype=np.int64)
    others = others[(table.parts[others] == table.parts[column]) & (table.secret[others] < 0)]
    order = np.argsort(table.scores[column, context.members], kind="stable")
    scores = table.scores[:, context.members[order]]
    mine = scores[column]
    together = mine[1:] == mine[:-1]
    alike = (scores[others, 1:] == scores[others, :-1])[:, together].all(axis=1)
    alike &= (effects[others] == effects[column]).all(axis=1)
    found = {guess, *table.guess[others[alike]].tolist()}
    return sorted(found)


def _dearer(context: SearchContext, guess: int, other: int) -> int:
    """What a word costs more than an equal guess that is a candidate."""
    table = context.table
    if other == guess or table.secret[context.column_of[guess]] < 0:
        return 0
    return table.price + lost(guesses_left(context.problem.left, len(context.members)))


# ---- Losses by cores
#
# Every core of a state must lose a member: no strategy solves them all. So a smallest set that
# hits all cores found so far bounds the losses from below (docs/exact.md, lemma 9). If the state
# without that set can be solved, the bound is attained; if not, the search has found another
# core, which the set misses. Each core excludes the set that led to it, so this ends.

Core = frozenset[int]
#: Steps after which a smallest hitting set is no longer sought.
PATIENCE = 20_000


@dataclass(eq=False)
class LossesByCores:
    """Narrows the losses of one state down, a core at a time."""

    _search: LimitSearch
    _left: int
    _members: Rows
    _cores: list[Core] = field(default_factory=list)
    #: How often a candidate occurs in the roots of the refutations: whom to give up first.
    _weight: Counter[int] = field(default_factory=Counter)
    #: No strategy loses fewer.
    least: int = 0
    #: Candidates without which the state can be solved.
    given_up: Rows | None = None

    def narrow(self, most: int, cores: int) -> None:
        """Take so many cores into account, until it is proved that ``most`` are lost."""
        search = self._search
        for _ in range(cores):
            if self.least >= most:
                return
            least, chosen = smallest_hitting_set(self._cores, self._weight)
            self.least = max(self.least, least)
            given_up = np.array(sorted(chosen), dtype=np.int32)
            others = np.setdiff1d(self._members, given_up).astype(np.int32)
            core = search.find_core(self._left, others)
            if core is None:
                self.given_up = given_up
                return
            self._cores.append(frozenset(search.rows_of(core).tolist()))
            self.least = max(self.least, 1)
            for refuted in search.refutation(core):
                if refuted.left <= 2:
                    self._weight.update(refuted.rows)


def smallest_hitting_set(
    sets: Sequence[Core], weight: Counter[int], patience: int = PATIENCE
) -> tuple[int, list[int]]:
    """A set that meets each of some sets, and how small it can be.

    Deepened from the number of disjoint sets on. When patience ends before a smallest one is
    found, a greedy one is returned, and the bound stays below its size.
    """
    tried = 0

    def hit(rest: list[Core], most: int) -> list[int] | None:
        nonlocal tried
        if not rest:
            return []
        tried += 1
        if tried > patience or count_disjoint(rest) > most:
            return None
        for member in by_use(min(rest, key=len), rest):
            found = hit([other for other in rest if member not in other], most - 1)
            if found is not None:
                return [member, *found]
        return None

    def by_use(some: Core, rest: list[Core]) -> list[int]:
        used = Counter(member for other in rest for member in other & some)
        return sorted(some, key=lambda member: (-used[member], -weight[member], member))

    least = count_disjoint(sets)
    while tried <= patience:
        found = hit(list(sets), least)
        if found is not None:
            return least, found
        if tried <= patience:
            least += 1
    rest, greedy = list(sets), list[int]()
    while rest:
        greedy.append(by_use(frozenset().union(*rest), rest)[0])
        rest = [some for some in rest if greedy[-1] not in some]
    return least, greedy


def count_disjoint(sets: Sequence[Core]) -> int:
    """How many sets without a common member are easily found, smallest first."""
    seen: set[int] = set()
    count = 0
    for some in sorted(sets, key=len):
        if seen.isdisjoint(some):
            seen |= some
            count += 1
    return count


# ---- Losses counted
#
# For no loss, for one, and so on, branch and bound refutes one number after the other,
# until a strategy loses no more. Where that takes too long for a large state, it is done for its
# families: losses add up over disjoint sets of candidates (docs/exact.md, lemma 13), and words
# that have a letter in the same place are hard to separate.

#: Units of work that the whole state gets at first; a family gets a fraction of it.
EFFORT = 4_000_000
_SHARE = 4
#: Candidates of a family at most.
FAMILY = 64
_COUNTING_MEMO_BITS = 17


class LossesCounted:
    """The fewest losses of a state: its bound raised, and a strategy that attains it sought."""

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self._whole = _StateLosses(context, context.members)
        self._families: list[_StateLosses] = []
        #: What the next turn may use.
        self._effort = EFFORT

    @property
    def least(self) -> int:
        """The losses that no strategy of the state goes below."""
        return max(self._whole.least, sum(family.least for family in self._families))

    @property
    def tree(self) -> Tree | None:
        """A strategy of the state that loses no more than ``least``, once it is found."""
        graded = self._context.problem.graded
        return graded(self._whole.plan()) if self._whole.is_exact else None

    def settle(self, most: int, rounds: int) -> None:
        """Go on until no strategy is left that loses less than ``most``, or one is found."""
        for _ in range(rounds):
            self._whole.least = self.least
            self._whole.narrow(most, self._effort)
            if self._whole.is_exact or self.least >= most:
                return
            self._families = self._families or [
                _StateLosses(self._context, np.array(rows, dtype=np.int32))
                for rows in word_families(self._context.problem.secrets, FAMILY)
            ]
            for family in self._families:
                family.narrow(most, self._effort // _SHARE)
                if self.least >= most:
                    return
            self._effort *= 4


class _StateLosses:
    """The fewest losses of some candidates of a state: bounds from below, and in the end exact."""

    def __init__(self, context: SearchContext, rows: Rows) -> None:
        table = narrowed(context.table._replace(price=0), rows, context.revealed)
        self._engine, self._check_time = Engine(table, _COUNTING_MEMO_BITS), context.check_time
        self._budget = LossBudget.of_work(self._engine, self._check_time)
        everyone = np.arange(len(rows), dtype=np.int32)
        self._state = state_of(everyone, context.problem.left, context.revealed)
        #: No strategy loses fewer; whether one loses no more.
        self.least, self.is_exact = 0, False

    def narrow(self, most: int, effort: int) -> None:
        """Raise the lower bound up to ``most``, as far as the effort goes."""
        self._budget.begin(effort)
        while not self.is_exact and self.least < most:
            limit = self.least * LOSS
            try:
                value = self._engine.branch(self._state, limit)
            except BudgetSpentError:
                self._check_time()  # it may have been the budget of who asks
                return
            self.least, self.is_exact = max(self.least, -(-value.bound // LOSS)), value.exact

    def plan(self) -> Tree:
        """A strategy that loses so few."""
        self._budget.begin(float("inf"))
        return self._engine.plan(self._state)


def word_families(words: Sequence[str], most: int) -> list[list[int]]:
    """Disjoint sets of words with a letter in the same place, ``most`` at most.

    The largest set first, of those that remain then; a set of one is none.
    """
    rest = dict(enumerate(words))
    found: list[list[int]] = []
    while True:
        shared = Counter(mark for word in rest.values() for mark in enumerate(word))
        mark = max(
            (mark for mark, count in shared.items() if 1 < count <= most),
            key=lambda mark: (shared[mark], mark),
            default=None,
        )
        if mark is None:
            return found
        place, letter = mark
        found.append([row for row, word in rest.items() if word[place] == letter])
        for row in found[-1]:
            del rest[row]


# ---- The losses of one first guess
#
# The buckets of the first guess are independent, so the losses of a strategy are the sum over
# them, and so are the bounds. A beam gives each bucket a strategy, a narrow one at once, a wider
# one in its turn. Where that loses secrets, the fewest that must be given up are sought: counted
# where three guesses are left (``LossCounter``), else by cores (``LossesByCores``). The others are
# solved by the search that says so, and those given up follow wherever the replies lead. Where that
# does not do, and in hard mode, a search counts losses alone (``LossesCounted``). The last two may
# take very long where much is lost: without a time limit they get a fixed effort, counted in steps,
# and the bounds stay apart where that does not do.

#: Guesses that the beam tries in a state.
WIDTH = 10
#: Cores after which the losses of a bucket stay between their bounds: where so many must be hit,
#: more of them raise the bound too slowly.
MOST_CORES = 64
#: Guesses that the beam tries in a state which all buckets get at once.
_NARROW = 1
#: Checks of the time limit after which a beam is given up.
_LOOKS = 12
#: Rounds of growing effort that a bucket gets where time is not short.
_ROUNDS = 1
#: Seconds that a bucket gets at first when time is short; every round gives them four times more.
_FIRST_SLICE = 1.0
_ENDLESS = 1_000


@dataclass
class _BucketLosses:
    """A bucket of the first guess: its best strategy so far, and what must be lost in it."""

    state: State
    tree: Tree
    #: The value of that strategy.
    value: int
    #: The search for those to give up; none in hard mode.
    by_cores: LossesByCores | None
    #: Whether the wide beam has had its turn.
    widened: bool
    #: The search that counts losses alone, once it has begun.
    counted: LossesCounted | None = None
    settled: bool = False
    #: No strategy loses fewer.
    least: int = 0

    @property
    def most(self) -> int:
        """What the strategy so far loses."""
        return self.value // LOSS

    @property
    def is_exact(self) -> bool:
        """Whether the fewest losses are known."""
        return self.least >= self.most


class LeastLosses:
    """The fewest losses after a first guess, narrowed down; ``answer`` is what is known."""

    def __init__(self, problem: Problem, word: str, check_time: CheckTime | None = None) -> None:
        self._problem = problem
        self._timed = check_time is not None
        self._budget = LossBudget(time.monotonic, check_time or (lambda: None))
        self._context = context = SearchContext(problem, self._budget.check)
        self._guess = problem.game.guess_id(word)
        self._quick, self._wide = (
            Beam(context.table, width, self._budget.check, _LOOKS) for width in (_NARROW, WIDTH)
        )
        self._search = search = context.limit_check.search
        self._buckets: dict[int, _BucketLosses] = {}
        for score, state in self._after(self._guess, context.state):
            by_cores = None if problem.hard else LossesByCores(search, state.left, state.members)
            tree = self._beamed(self._quick, state) if self._timed else self._grown(state)
            value = self._value(tree, state)
            self._buckets[score] = _BucketLosses(state, tree, value, by_cores, not self._timed)

    def _after(self, guess: int, state: State) -> Iterator[tuple[int, State]]:
        """The states that a guess leads to, but its own bucket, each with its score."""
        game, context = self._problem.game, self._context
        for after in context.engine.buckets(state, context.column_of[guess]):
            yield game.grade(game.guesses[guess], game.secrets[after.members[0]]), after

    def settle(self) -> None:
        """Narrow every bucket of the guess down until its losses are known, small ones first.

        With a time limit the buckets take turns, so that a hard one keeps none from being decided.
        """
        turn = _FIRST_SLICE
        while True:
            undecided = [
                bucket
                for bucket in self._buckets.values()
                if not bucket.settled and not (bucket.widened and bucket.is_exact)
            ]
            if not undecided:
                return
            for bucket in sorted(undecided, key=lambda bucket: bucket.state.size):
                if self._timed:
                    self._budget.begin(turn)
                with contextlib.suppress(BudgetSpentError):
                    self._narrow(bucket)
                bucket.settled |= not self._timed
            turn *= 4

    def answer(self) -> Answer:
        """The best strategy so far, and how few losses are not excluded."""
        game = self._problem.game
        buckets = self._buckets
        least = sum(bucket.least for bucket in buckets.values())
        if self._problem.left == 1:  # no guess is left for any of them
            least += sum(bucket.state.size for bucket in buckets.values())
        tree = Tree.joined(self._guess, {score: bucket.tree for score, bucket in buckets.items()})
        opener = FirstGuess(game.guesses[self._guess], 2 * len(game.secrets) - 1, least, False)
        return Answer(tree, [opener], False, least, self._problem.within)

    def _narrow(self, bucket: _BucketLosses) -> None:
        """Bring the bounds of a bucket together, as far as they will come."""
        if not bucket.widened:
            self._take(bucket, self._grown(bucket.state))
            bucket.widened = True
        if self._context.losses is not None and bucket.state.left == THREE:
            self._count(bucket, self._context.losses)
        if bucket.by_cores is not None and not bucket.is_exact:
            self._give_up(bucket, bucket.by_cores)
        if not bucket.is_exact:
            self._lose_fewer(bucket)
        bucket.settled = True

    def _take(self, bucket: _BucketLosses, tree: Tree) -> None:
        """Keep a strategy if it is better."""
        value = self._value(tree, bucket.state)
        if value < bucket.value:
            bucket.tree, bucket.value = tree, value

    def _give_up(self, bucket: _BucketLosses, by_cores: LossesByCores) -> None:
        """Give up as few candidates as can be, or as few as the beam does."""
        try:
            by_cores.narrow(bucket.most, MOST_CORES)
        finally:
            bucket.least = max(bucket.least, by_cores.least)
        if by_cores.given_up is not None:
            self._solve_others(bucket, by_cores.given_up)

    def _count(self, bucket: _BucketLosses, counter: LossCounter) -> None:
        """Give up as few candidates as a count says, unless the beam loses no more."""
        rows = bucket.state.members
        bucket.least = max(bucket.least, counter.fewest(rows, bucket.most))
        given_up = None if bucket.is_exact else counter.given_up(rows, bucket.most)
        if given_up is not None:
            self._solve_others(bucket, given_up)

    def _solve_others(self, bucket: _BucketLosses, given_up: Rows) -> None:
        """Keep a strategy that loses candidates which are given up, if it is better."""
        others = np.setdiff1d(bucket.state.members, given_up).astype(np.int32)
        rest, found = state_of(others, bucket.state.left), None
        if self._search.find_core(rest.left, others) is None:
            found = self._problem.graded(self._search.plan(rest))
        self._take(bucket, self._extended(found, bucket.state, set(given_up.tolist())))

    def _extended(self, found: Tree | None, state: State, given_up: set[int]) -> Tree:
        """A strategy of some candidates for all of them; the beam's own where it loses no more."""
        own = self._grown(state)
        lost_here = len(given_up.intersection(state.members.tolist()))
        if found is None or self._value(own, state) // LOSS <= lost_here:
            return own
        guess, below = found.guess[0], found.below()
        return Tree.joined(
            guess,
            {
                score: self._extended(below.get(score), after, given_up)
                for score, after in self._after(guess, state)
            },
        )

    def _lose_fewer(self, bucket: _BucketLosses) -> None:
        """Count losses alone, from the bound upwards."""
        if bucket.counted is None:
            below = context_below(self._problem, self._context.engine, bucket.state)
            bucket.counted = LossesCounted(below)
        counted = bucket.counted
        try:
            counted.settle(bucket.most, _ENDLESS if self._timed else _ROUNDS)
        finally:
            bucket.least = max(bucket.least, counted.least)
        tree = counted.tree
        if tree is not None:
            self._take(bucket, tree)

    def _grown(self, state: State) -> Tree:
        """What the wide beam makes of a state, the narrow one where that would take too long."""
        try:
            return self._beamed(self._wide, state)
        except TooWideError:
            return self._beamed(self._quick, state)

    def _beamed(self, beam: Beam, state: State) -> Tree:
        """The strategy that a beam makes of a state."""
        return self._problem.graded(beam.plan(state))

    def _value(self, tree: Tree, state: State) -> int:
        """The value of a strategy: guesses from this state on, and LOSS for each secret lost."""
        lengths = lengths_of(self._problem.game, tree, state.members)
        return int(lengths.sum()) + LOSS * int((lengths > state.left).sum())
