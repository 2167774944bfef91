"""The problem of an exact search, its answer, and the context that it searches in."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..choices import HIGHEST_LIMIT
from ..errors import WrongFindingError, WrongInputError
from ..game.game import Game
from ..machine.arrays import Ids
from ..tree import Tree
from .engine import THREE, Engine, LossCounter, ceilings_of
from .kernels.fewest_lost import MOST_LOST
from .kernels.guess_race import list_first_guesses
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, least
from .kernels.memo import State
from .kernels.score_table import ScoreTable, revealed_by
from .kernels.state_search import next_too_deep
from .kernels.table_vectors import Bits
from .kernels.table_vectors import Sums as Totals
from .limit_search import LimitCheck
from .table_layout import score_table_of
from .values import CheckTime, HardBucket, Share, TopValues, Value, state_of
from .weighted_engine import WeightedEngine

#: A guess, a bound, and whether the bound is its value.
Finding = tuple[int, int, bool]
#: Called with what is known of first guesses, and how many there are.
Progress = Callable[["GuessBounds", int], None]


def require_limit(within: int | None) -> None:
    """Refuse a limit that is no number of guesses which a search can count down from."""
    if within is not None and not 0 <= within <= HIGHEST_LIMIT:
        raise WrongInputError(
            f"a limit is a number of guesses from 1 to {HIGHEST_LIMIT:,}, not {within}"
        )


# ---- Weights as whole numbers in the same ratio, which exact search adds up

#: Guesses that weights leave room for where there is no limit.
_LONGEST = 64


def whole_weights(weights: Iterable[float]) -> tuple[int, ...]:
    """The least whole numbers in the ratio of some weights above 0, each taken as it is written.

    So 0.1 is one tenth, not the binary fraction next to it.
    """
    exact = [Fraction(repr(float(weight))) for weight in weights]
    scale = math.lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * scale) for weight in exact]
    common = math.gcd(*whole)
    return tuple(weight // common for weight in whole)


def rounded_weights(weights: Iterable[float]) -> tuple[int, ...]:
    """Whole numbers in the ratio of some weights, rounded where exact search has no room for them.

    Then they are off by less than one part in 30 million of their sum.
    """
    given = list(weights)
    whole, most = whole_weights(given), most_weight(None, len(given))
    if sum(whole) <= most:
        return whole
    scale = (most // 2) / math.fsum(given)
    return tuple(max(1, round(weight * scale)) for weight in given)


def most_weight(within: int | None, count: int) -> int:
    """What the weights of so many secrets may add up to, so that no total is taken for a loss."""
    return (LOSS - 1) // max(1, min(count, _LONGEST if within is None else within))


def require_weights(weights: tuple[int, ...], within: int | None) -> None:
    """Refuse weights that exact search cannot add up."""
    most = most_weight(within, len(weights))
    if min(weights) < 1 or sum(weights) > most:
        raise WrongInputError(
            "exact search adds up whole numbers; in the ratio of these weights they come to "
            f"{sum(weights):,}, and {most:,} is the most: round the weights"
        )


@dataclass(frozen=True)
class Problem:
    """A state of a game, and the question about it."""

    game: Game
    hard: bool = False
    #: Guesses left; None: no limit.
    within: int | None = 6
    #: Positions of the candidates among the secrets; None: all of them.
    candidates: tuple[int, ...] | None = None
    #: The (guess, score) pairs so far: hard mode has to know.
    history: tuple[tuple[int, int], ...] = ()
    #: Whether secrets beyond the limit are allowed, and counted first.
    losses: bool = False
    #: What a guess costs: 1, or 0 where only the limit matters.
    price: int = 1
    #: What each secret of the game weighs, a whole number of 1 or more; None: all weigh the same.
    #: With weights the candidates stand in their order, the heaviest first.
    weights: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        require_limit(self.within)
        if self.weights is not None:
            require_weights(self.weights, self.within)
            chosen = range(len(self.weights)) if self.candidates is None else self.candidates
            weights = self.weights
            order = sorted(chosen, key=lambda at: (-weights[at], at))
            object.__setattr__(self, "candidates", tuple(order))

    @cached_property
    def candidate_weights(self) -> NDArray[np.int64]:
        """What each candidate weighs: one, where there are no weights."""
        if self.weights is None:
            return np.ones(len(self.secrets), dtype=np.int64)
        assert self.candidates is not None
        return np.array([self.weights[at] for at in self.candidates], dtype=np.int64)

    @property
    def least(self) -> int:
        """The total that no strategy is below, by the size of the problem (lemmas 1 and 16)."""
        weights = self.candidate_weights
        return 2 * int(weights.sum()) - int(weights[0])

    @cached_property
    def positions(self) -> Ids:
        """The candidates as positions among the secrets of the game."""
        chosen, count = self.candidates, len(self.game.secrets)
        return np.array(range(count) if chosen is None else chosen, dtype=np.int32)

    @cached_property
    def secrets(self) -> Sequence[str]:
        """The candidates, as words."""
        secrets = self.game.secrets
        return secrets if self.candidates is None else [secrets[at] for at in self.candidates]

    def graded(self, tree: Tree) -> Tree:
        """A tree as the search has grown it, with the scores that its secrets stand for."""
        game, secrets = self.game, self.secrets
        return tree.graded(lambda guess, row: game.grade(game.guesses[guess], secrets[row]))

    @property
    def left(self) -> int:
        """Guesses left in the problem, in the form that kernels want."""
        return UNLIMITED if self.within is None else self.within

    def limits(self, fixed: int) -> range:
        """The limits among which the least is looked for that can be met, after fixed guesses.

        n guesses suffice for n candidates, but what is fixed may tell nothing.
        """
        return range(1, (len(self.secrets) + fixed if self.within is None else self.within) + 1)

    @property
    def highest_value(self) -> int:
        """The value that no strategy of the problem may exceed."""
        return NEVER if self.losses or self.within is None else LOSS - 1


# ---- What is known about first guesses


@dataclass
class GuessBounds:
    """What is known about the first guesses of a state so far."""

    #: How many of the best are to be exact.
    top: int = 1
    highest_value: int = NEVER
    #: Guess → bound, and whether it is the value.
    found: dict[int, tuple[int, bool]] = field(default_factory=dict)
    #: Whether promising guesses have higher values.
    tight: bool = False

    #: The values among them, ascending; the bounds that were not above the limit so far.
    _values: list[int] = field(init=False, repr=False)
    _open: dict[int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._values = sorted(bound for bound, exact in self.found.values() if exact)
        self._open = {guess: bound for guess, (bound, exact) in self.found.items() if not exact}

    @property
    def limit(self) -> int:
        """The value above which a first guess is of no interest any more; it never rises."""
        return self.top_values().limit

    def top_values(self) -> TopValues:
        """The values of first guesses that hold a place."""
        return TopValues(self.top, self.highest_value, tuple(self._values[: self.top]), self.tight)

    @property
    def best(self) -> int | None:
        """The least value of a first guess so far."""
        return self._values[0] if self._values else None

    def add(self, finding: Finding) -> None:
        """Take over a finding; values stay, bounds rise."""
        guess, bound, exact = finding
        old, was_exact = self.found.get(guess, (0, False))
        if was_exact or not (exact or bound > old):
            return
        self.found[guess] = (bound, exact)
        if exact:
            insort(self._values, bound)
            self._open.pop(guess, None)
        else:
            self._open[guess] = bound

    def add_all(self, findings: Iterable[Finding]) -> None:
        """Take over findings."""
        for finding in findings:
            self.add(finding)

    def still_open(self) -> dict[int, int]:
        """First guess → bound, of those looked at that are neither exact nor excluded."""
        limit = self.limit
        self._open = {guess: bound for guess, bound in self._open.items() if bound <= limit}
        return self._open

    def ties(self) -> list[int]:
        """The first guesses that attain the least value, ascending."""
        best = self.best
        return sorted(g for g, (bound, exact) in self.found.items() if exact and bound == best)

    def table(self) -> list[Finding]:
        """All first guesses, best first; one above the limit is only said to be above it."""
        limit = self.limit
        rows = [
            (guess, bound if bound <= limit else limit + 1, exact and bound <= limit)
            for guess, (bound, exact) in self.found.items()
        ]
        return sorted(rows, key=lambda row: (row[1], not row[2], row[0]))

    def first_guesses(self, game: Game) -> list[FirstGuess]:
        """All first guesses, best first, each with its value or its bound."""
        words = game.guesses
        return [FirstGuess.of(words[guess], bound, exact) for guess, bound, exact in self.table()]


def least_open(state: GuessBounds, candidates: int, count: int) -> tuple[int, int]:
    """The value that no first guess is below, and how many may still be as good as the best.

    Of those that were not looked at, nothing is known but the size of the state (lemma 1).
    """
    limit = state.limit
    bounds = state.still_open().values()
    unseen = count - len(state.found)
    least = min([*bounds, 2 * candidates - 1] if unseen else bounds, default=limit)
    return min(least, limit), len(bounds) + unseen


# ---- The context of a search
#
# Every search gets it as ``context``: it holds all that is made once for a problem.

_MEMO_BITS = 19
#: Guesses of a task.
BATCH = 1024

AnyEngine = Engine | WeightedEngine

#: Searches a large state below a problem, for its engine; a strategy too, if one is wanted.
LargeStates = Callable[[Problem, AnyEngine, HardBucket, bool], tuple[Value, Tree]]


class ProblemTable:
    """A problem with its score table, and as a state of it."""

    def __init__(self, problem: Problem, below: tuple[ScoreTable, Bits] | None = None) -> None:
        """``below``: the table of the candidates and what hard mode has revealed, where known."""
        self.problem = problem
        secrets = None if problem.candidates is None else problem.positions
        hard, price = problem.hard, problem.price
        table = below[0] if below else score_table_of(problem.game, hard, secrets, price)
        self.table = table
        self.members: Ids = np.arange(len(table.column), dtype=np.int32)
        self.column_of = {g: c for c, g in enumerate(table.guess.tolist()) if g >= 0}
        guesses = (self.column_of[guess] for guess, _ in (problem.history if hard else ()))
        #: What the history has revealed; every candidate is a witness of the scores.
        self.revealed = below[1] if below else revealed_by(table, guesses, 0)
        #: The state of the problem.
        self.state = state_of(self.members, problem.left, self.revealed)

    def columns_of(self, words: Sequence[str]) -> list[int]:
        """The columns of some guesses."""
        return [self.column_of[self.problem.game.guess_id(word)] for word in words]


class SearchContext(ProblemTable):
    """A problem with its score table, its engine and the limit search."""

    def __init__(
        self,
        problem: Problem,
        check_time: CheckTime = lambda: None,
        large: LargeStates | None = None,
        below: tuple[ScoreTable, Bits] | None = None,
    ) -> None:
        """``large``: who searches large states (see ``first_guesses``); None: all are deepened."""
        super().__init__(problem, below)
        self.large = large
        #: Called now and then; it may raise what breaks the search off.
        self.check_time = check_time
        game, table = problem.game, self.table
        check = self.limit_check = LimitCheck(table, check_time)
        counts = problem.losses and not problem.hard and problem.weights is None
        #: What counts the losses of states with three guesses left, where losses matter.
        self.losses = LossCounter(table, check_time) if counts else None
        self.engine: AnyEngine
        if problem.weights is not None:
            weights = problem.candidate_weights
            self.engine = WeightedEngine(table, weights, _MEMO_BITS, check_time)
        else:
            ids = game.secret_ids[problem.positions]
            self.engine = Engine(
                *(table, _MEMO_BITS, check_time, ceilings_of(game, table, ids), BATCH),
                hopeless=check.refutes,
                losses=self.losses,
                large=partial(large, problem) if large else None,
            )
        listed = np.empty(len(table.guess), dtype=np.int32)
        count = list_first_guesses(table, self.revealed, listed)
        #: The guesses that may exclude a candidate; no other is ever of use.
        self.columns: list[int] = listed[:count].tolist()

    def pacing(self, limit: int) -> list[Finding]:
        """The value, within a limit, of a guess that is known to meet that of guesses, if any."""
        limited = not self.table.hard and self.problem.within is not None
        if not limited or self.limit_check.refutes(self.state):
            return []
        guess = self.limit_check.plan(self.state).guess[0]
        value = self.value(self.column_of[guess], limit)
        return [(guess, value.bound, value.exact)]

    def bounds(self, columns: Sequence[int], limit: int) -> NDArray[np.int64]:
        """Bounds of some guesses without a search."""
        return self.engine.screen(self.state, np.array(columns, dtype=np.int32), limit)

    def value(self, column: int, limit: int, patient: bool = True) -> Value:
        """The value of one guess within a limit."""
        return self.engine.value_of_guess(self.state, column, limit, patient)

    def plan(
        self, column: int, limit: int = NEVER, share: Share | None = None
    ) -> tuple[Value, Tree]:
        """The value of one guess within a limit, and a strategy that attains it."""
        return self.engine.plan_of_guess(self.state, column, limit, share)

    def screened(
        self, columns: Sequence[int], top_values: TopValues, patient: bool
    ) -> list[Finding]:
        """Screen a batch, and search what it leaves; without patience, only the easy ones."""
        found = self._losing_more(columns, top_values.limit)
        excluded = {column for column, _, _ in found}
        rest = [column for column in columns if column not in excluded]
        wanted = np.array(rest, dtype=np.int32)
        refutes = partial(self.limit_check.refutes_guess, self.state)
        found += self.engine.screened(self.state, wanted, top_values, patient, refutes)
        return [(int(self.table.guess[column]), bound, exact) for column, bound, exact in found]

    def _losing_more(self, columns: Sequence[int], limit: int) -> list[Finding]:
        """Of some guesses (columns) those that a count of losses shows to be above a limit."""
        most, left = limit // LOSS + 1, self.problem.left
        if self.losses is None or left != THREE + 1 or most > MOST_LOST:
            return []
        counted = [(column, self.losses.after(self.members, column, most)) for column in columns]
        others = least(self.problem.price, len(self.members), left)
        return [(column, lost * LOSS + others, False) for column, lost in counted if lost >= most]


# ---- Strategies of first guesses


def plan_of(context: SearchContext, column: int, best: int) -> Tree:
    """The strategy of value ``best`` with a given first guess, whatever was searched before.

    Which of several equally good guesses a state gets may depend on what is known already: so it is
    found after this guess alone. A wrong value, of a file for example, is found out here.
    """
    context.engine.forget()
    highest = context.problem.highest_value
    context.value(column, highest, patient=False)
    value, tree = context.plan(column, highest)
    if (value.bound, value.exact) != (best, True):
        word = context.problem.game.guesses[context.table.guess[column]]
        raise WrongFindingError(f"the best strategy that begins with {word} is another")
    return least_worst(context, column, best, context.problem.graded(tree))


def least_worst(context: SearchContext, column: int, value: int, tree: Tree) -> Tree:
    """Of a first guess's strategies that have this value, one with the least worst case."""
    if value >= LOSS:
        return tree
    problem, below = context.problem, tree.below()
    game, weights = problem.game, problem.candidate_weights
    states, word = list(context.engine.buckets(context.state, column)), game.guesses[tree.guess[0]]
    scores = [game.grade(word, problem.secrets[state.members[0]]) for state in states]

    def within(state: State, tree: Tree) -> Tree | None:
        lengths = lengths_of(game, tree, problem.positions[state.members])
        total = int(lengths @ weights[state.members])
        value, grown = context.engine.solved(HardBucket(state, total, total))
        return problem.graded(grown) if value.exact and value.bound <= total else None

    trees = [below[score] for score in scores]
    least_deep(states, trees, within)
    return Tree.joined(tree.guess[0], dict(zip(scores, trees, strict=True)))


def least_deep(
    states: Sequence[State], trees: list[Tree], within: Callable[[State, Tree], Tree | None]
) -> None:
    """Put strategies with a smaller worst case of all in their places, until there are none.

    ``within`` has one of the same value within the guesses left of a state, if there is any. Only
    the strategies that reach the worst case are to be replaced.
    """
    sizes = np.array([state.size for state in states], dtype=np.int64)
    heights = np.array([tree.height for tree in trees], dtype=np.int64)
    while (left := int(heights.max(initial=0)) - 1) > 0:
        less = [*trees]
        while (at := next_too_deep(sizes, heights, left)) >= 0:
            tree = within(states[at]._replace(left=left), trees[at])
            if tree is None:
                return
            less[at], heights[at] = tree, tree.height
        trees[:] = less


def lengths_of(game: Game, tree: Tree, secrets: Ids) -> Totals:
    """The guesses that a strategy takes for each of some secrets, which are positions."""
    lengths = np.zeros(len(secrets), dtype=np.int64)
    depths, below = tree.depths(), tree.children()
    guesses, places = np.unique(np.array(tree.guess, dtype=np.int32), return_inverse=True)
    rows = game.score_rows(guesses, secrets)
    waiting = [(0, np.arange(len(secrets), dtype=np.int32))]
    while waiting:
        node, members = waiting.pop()
        row = rows[places[node], members]
        lengths[members[row == game.solved]] = depths[node]
        waiting += [(child, members[row == score]) for score, child in below[node].items()]
    return lengths


# ---- Answers


@dataclass(frozen=True)
class FirstGuess:
    """A first guess with its exact result, or with the bound that excludes it."""

    word: str
    total: int
    losses: int
    exact: bool
    #: The fixed guesses that follow it whatever the reply.
    more: tuple[str, ...] = ()
    #: The best value of a second objective with this total, where one is sought.
    then: int | None = None

    @classmethod
    def of(cls, word: str, value: int, exact: bool, more: Sequence[str] = ()) -> FirstGuess:
        """A first guess by its value, losses and all, or a bound of it."""
        return cls(word, value % LOSS, value // LOSS, exact, tuple(more))

    @property
    def words(self) -> tuple[str, ...]:
        """The first guess and the fixed guesses that follow it."""
        return (self.word, *self.more)


@dataclass(frozen=True)
class Then:
    """What is known of a second objective among strategies of equal value."""

    #: ``worst``, ``most-within:K`` or ``fewest-of:K``.
    objective: str
    #: What the strategy attains: its worst case, or a number of secrets.
    value: int
    #: Whether no strategy of the least value attains a better one, and none has a lesser value.
    proved: bool

    def facts(self) -> dict[str, Any]:
        """The objective, its value and whether it is proved, for a JSON object."""
        return asdict(self)


@dataclass(frozen=True)
class Answer:
    """What an exact search found out about a problem."""

    #: None: proved that nothing meets the limit, or nothing was found in time.
    tree: Tree | None
    #: First guesses that were looked at, best first, each with its value or its bound.
    first_guesses: list[FirstGuess]
    proved: bool
    #: Of the objective: no strategy is better than this.
    lower_bound: int | None
    #: The limit in force: for ``worst``, what ``tree`` meets, or without one the largest tried.
    within: int | None
    #: The second objective, where one was sought and there is a strategy.
    then: Then | None = None


def least_limit(problem: Problem, fixed: int, tried: Callable[[int], Answer | None]) -> Answer:
    """The answer for the least limit that is met after fixed guesses: limits are tried upwards.

    Where all are refuted, the proof that the largest is too small.
    """
    limits = problem.limits(fixed)
    for limit in limits:
        answer = tried(limit)
        if answer is not None:
            return replace(answer, lower_bound=limit)
    return Answer(None, [], True, limits.stop, limits.stop - 1)
