"""Strategies by a beam that is widened step by step, within a limit if there is one.

A beam tries a few guesses of every state (``kernels/beam``). Its first strategy is there
soon; after that each branch of it is searched again by a wider beam, which begins with what the
branch costs already. So no width makes a strategy worse, and a search can be ended at any time.

A limit is met wherever it can be met: a state in which the beam's guesses fail is given to the
limit search, which names a guess that does or proves that there is none. What follows this guess is
searched by the beam again. Any strategy can be mended likewise: its branches are seeds, and those
beyond the limit have no cost that is to be undercut.

Each branch is searched by itself, with nothing that was learnt in another, so that it makes no
difference which worker searches which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, count, takewhile

from ..errors import CouldNotFinishError, WrongInputError
from ..machine.clock import OutOfTimeError, limit_clock
from ..tree import Tree
from .best_strategy import bound_answer, proved_impossible
from .engine import Engine
from .first_guesses import MakeContext, done_by, search_context, solved_whole
from .kernels.beam import HOPELESS, SEED, UNKNOWN, new_beaming
from .kernels.lemmas import LOSS, NEVER, UNLIMITED, guesses_left, lost
from .kernels.memo import State, forget, note
from .kernels.search_frames import new_stack
from .problem import Answer, FirstGuess, Problem, SearchContext, least_deep
from .values import Beam, CheckTime, HardBucket, OfTable, Value, state_of

#: Guesses that are ranked in a state for each one that is tried.
_RANKED = 8
#: The first widths; each further one is twice the one before.
WIDTHS = (2, 4, 8, 15)
#: Without a time limit the search ends when so many widths in a row have bettered nothing.
_IN_VAIN = 2
#: Fewer candidates are searched by one process.
_SHARED = 1_000


class RankedBeam(Beam):
    """Solves the states of a problem by a beam; what it has found in a state it knows again."""

    def __init__(self, context: SearchContext) -> None:
        """A beam of width one: see ``widen``."""
        check_time, stack = context.engine.check_time, new_stack(context.table, 12)
        super().__init__(context.table, 1, check_time, stack=stack)
        self._context = context

    def widen(self, width: int, strict: bool) -> None:
        """Begin anew with another width; ``strict``: all must be solved within the limit."""
        guesses, found = len(self.table.guess), self._beaming.found
        tried, ranked = min(width, guesses), min(_RANKED * width, guesses)
        self._beaming = new_beaming(self.table, found, tried, ranked, strict)
        self.forget()
        forget(found)

    def _decided(self, level: int) -> int:
        """A column that solves the state of a frame within its limit, or that there is none."""
        first, count, left = self._work.stack.frames[level, :3].tolist()
        rows = self._work.scratch.members[first : first + count].copy()
        check = self._context.limit_check
        if check.refutes(state_of(rows, left, self._work.stack.revealed[level])):
            return HOPELESS
        if self.table.hard:
            return UNKNOWN
        return self._context.column_of[check.plan(state_of(rows, left)).guess[0]]

    # --- seeds ----------------------------------------------------------------------------

    def seed(self, tree: Tree, state: State) -> None:
        """Begin with a strategy of a state, rows of the table for scores, and what it costs."""
        self._cost(tree, tree.children(), 0, state)

    def _cost(self, tree: Tree, children: list[dict[int, int]], node: int, state: State) -> int:
        """What a strategy costs from a node on, for its candidates; each of its states is noted."""
        left, column = state.left, self._context.column_of[tree.guess[node]]
        after = {
            int(self.table.scores[column, row]): below for row, below in children[node].items()
        }
        total = self.price_of(state)
        for bucket in self.buckets(state, column):
            below = after[int(self.table.scores[column, bucket.members[0]])]
            total += self._cost(tree, children, below, bucket) + bucket.size * lost(left)
        filed = state._replace(left=guesses_left(state.left, state.size))
        # beyond the limit it is a guess to begin with, and no more
        is_beyond = self._beaming.strict and total >= LOSS
        note(self._beaming.found, filed, NEVER if is_beyond else total, SEED, column)
        return total


# ---- Bounds of branches from below
#
# A beam says what a branch takes at most. An exact search of the same branch shows that nothing
# takes less, or finds what does: with the beam's value as its limit it excludes most guesses at
# once. What it cannot show in its time it tries half way between the bounds. So all branches get a
# turn, the smallest first, and those that are left get another, four times as long.

#: Seconds of the first turn of a branch; each further one is so many times as long.
_FIRST_TURN = 2.0
_LONGER = 4
#: Branches of fewer candidates are deepened, others searched over all guesses side by side.
_LARGE = 100

#: What a branch takes, or takes at least, and its strategy, where that is found.
_Found = tuple[int, Tree | None]


@dataclass(frozen=True)
class _Raising:
    """A task: a branch is searched for a while; its limit is what a strategy of it takes."""

    bucket: HardBucket
    seconds: float

    def by(self, context: SearchContext) -> _Found:
        """What the branch takes at least, and its best strategy if that is found."""
        turn, engine = limit_clock(self.seconds), context.engine
        assert isinstance(engine, Engine)  # weights have no beam
        check_time = engine.check_time

        def check() -> None:
            check_time()
            turn()

        engine.check_time = check
        try:
            is_large = self.bucket.state.size >= _LARGE
            least, plan = self._raced(context) if is_large else self._deepened(engine)
            return least, plan if least <= self.bucket.limit else None
        finally:
            engine.check_time = check_time

    def _raced(self, context: SearchContext) -> _Found:
        """Look at all guesses side by side: for what does with half the gap, then for all."""
        least, most = self.bucket.least, self.bucket.limit
        with suppress(OutOfTimeError):
            for goal in sorted({(least + most) // 2, most}):
                value, plan = solved_whole(
                    context.problem, context.engine, replace(self.bucket, limit=goal)
                )
                if value.exact:
                    return value.bound, plan
                least = max(least, value.bound)
        return least, None

    def _deepened(self, engine: Engine) -> _Found:
        """Raise the bound level by level."""
        try:
            value, plan = engine.solved(self.bucket)
        except OutOfTimeError:
            return max(self.bucket.least, engine.reached), None
        return value.bound, plan if value.exact else None


def turns() -> Iterator[float]:
    """The seconds of each branch in the first turn, the second, and so on."""
    return (_FIRST_TURN * _LONGER**turn for turn in count())


# ---- Branches: the states after the given first guesses, each a task


@dataclass(frozen=True)
class _Task:
    """A state to search by a beam, and the best strategy of it so far."""

    state: State
    width: int
    strict: bool
    seed: Tree | None

    def by(self, beam: RankedBeam) -> _Found:
        """The value of the state and its strategy, no worse than the seed; None: none was found."""
        beam.widen(self.width, self.strict)
        if self.seed is not None:
            beam.seed(self.seed, self.state)
        value = beam.value_of_state(self.state).bound
        if self.strict and value >= LOSS:
            return LOSS, None
        return value, beam.plan(self.state)


@dataclass
class _Branch:
    """A state after the given first guesses, and what is known of it."""

    state: State
    value: int = NEVER
    tree: Tree | None = None
    #: No strategy takes less.
    least: int = 0

    @property
    def bucket(self) -> HardBucket:
        """The branch as it is to be searched exactly."""
        return HardBucket(self.state, -1, self.value, least=self.least)


class _Branches(OfTable):
    """The branches as a solver, which finds them, and puts them together."""

    def __init__(self, context: SearchContext) -> None:
        self.table = context.table
        self.by_rows: dict[bytes, _Branch] = {}

    def value_of_state(self, state: State, limit: int = NEVER) -> Value:
        """Note a branch, of which nothing is known."""
        self.by_rows[state.members.tobytes()] = _Branch(state)
        return Value(0, exact=False)

    def plan(self, state: State) -> Tree:
        """The strategy of a branch; a single node as long as there is none."""
        return self.by_rows[state.members.tobytes()].tree or Tree.joined(0, {})


# ---- The search

#: Called with the width (0: an exact search), the secrets of a branch that is done, how many there
#: are in all, and what the best strategy so far takes, or None.
Widened = Callable[[int, int, int, int | None], None]


class BeamSearch:
    """The best strategy that a beam finds; ``answer`` is the best so far at any time."""

    def __init__(
        self,
        problem: Problem,
        start: Sequence[str] = (),
        objective: str = "total",
        check_time: CheckTime = lambda: None,
        progress: Widened = lambda width, new, whole, best: None,
    ) -> None:
        if problem.game.code_space is not None:
            raise WrongInputError("--width is for Wordle; Mastermind is searched whole")
        self._problem, self._objective = problem, objective
        self._start = tuple(start)
        self._progress = progress
        self.context = search_context(problem, check_time)
        self._columns = self.context.columns_of(start)
        self._begin(problem.within)

    def _begin(self, limit: int | None) -> None:
        """Find the branches within a limit; nothing is known of them."""
        whole = self.context.state
        #: The limit that is being tried.
        self._limit = limit
        left = UNLIMITED if limit is None else limit
        left = left if self._columns else guesses_left(left, whole.size)
        self._whole, self._grower = whole._replace(left=left), _Branches(self.context)
        #: What the given guesses cost, and the branches after them, the largest first.
        self._given = self._grower.value_of_forced(self._whole, self._columns).bound
        by_rows = self._grower.by_rows.values()
        self._branches = sorted(by_rows, key=lambda branch: -branch.state.size)
        self._strict = self._objective == "total" and limit is not None

    def _value(self) -> int:
        """What the strategies of all branches cost together with the given guesses."""
        return self._given + sum(branch.value for branch in self._branches)

    # --- widths ---------------------------------------------------------------------------

    def settle(self, width: int, workers: int = 1) -> None:
        """Search by all widths up to this one."""
        if self._objective == "worst":
            for limit in self._problem.limits(len(self._start)):
                self._begin(limit)
                self._search(width, workers)
                if self._value() < LOSS:
                    return
        else:
            for step in widths_up_to(width):
                self._search(step, workers)
                if self.is_impossible:
                    return
        self._require_strategy(f"among the {width} most promising guesses of every state")

    def settle_as_long_as_it_pays(self, timed: bool, workers: int = 1) -> None:
        """Search by one width after the other.

        With a time limit until it is over, or every guess was tried; without one until two widths
        in a row have bettered nothing. A time limit is no error once there is a strategy.
        """
        if self._objective == "worst":
            raise WrongInputError("--width auto makes totals or losses less, not the worst case")
        in_vain = 0
        try:
            for step in widths_up_to(len(self.context.table.guess)):
                before = self._best
                self._search(step, workers)
                in_vain = in_vain + 1 if self._best == before else 0
                if self.is_impossible or (in_vain == _IN_VAIN and not timed):
                    break
        except OutOfTimeError:
            if self._best is None:
                raise
        if not self.is_impossible:
            self._require_strategy("that a beam finds")

    def raise_bounds(self, timed: bool, workers: int = 1) -> None:
        """Search the branches after the given guesses exactly until all are settled.

        With a time limit in turns, so that a hard one keeps none from being settled.
        """
        if self._objective != "total" or not self._columns or self.is_impossible:
            return
        branches = [it for it in reversed(self._branches) if it.value < NEVER]
        for seconds in turns() if timed else (float("inf"),):
            open_ = [branch for branch in branches if branch.least < branch.value]
            if not open_:
                break
            tasks = [_Raising(branch.bucket, seconds) for branch in open_]
            whole = len(self.context.members)
            for at, (least, tree) in done_by(self.context, tasks, workers):
                branch = open_[at]
                branch.least = max(branch.least, least)
                if tree is not None:
                    branch.value, branch.tree = least, tree
                self._progress(0, branch.state.size, whole, self._value() % LOSS)
                self.context.check_time()

    def _require_strategy(self, where: str) -> None:
        if self._value() >= LOSS and self._objective != "losses":
            raise CouldNotFinishError(
                f"undecided: no strategy within {self._limit} {where}; a wider beam, or a search "
                "without --width, may find one"
            )

    @property
    def _best(self) -> int | None:
        """The value of the best strategy so far; None: there is none yet."""
        value = self._value()
        return None if value >= NEVER or (self._strict and value >= LOSS) else value

    @property
    def is_impossible(self) -> bool:
        """Whether it is proved that a branch cannot be solved within the limit."""
        sure = self._strict and not self._problem.hard
        return sure and any(branch.value == LOSS for branch in self._branches)

    def _search(self, width: int, workers: int) -> None:
        """Search all branches by one width, and keep what is better."""
        branches = self._branches
        tasks = [_Task(it.state, width, self._strict, it.tree) for it in branches]
        whole = len(self.context.members)
        workers = workers if whole >= _SHARED else 1
        for number, found in done_by(self.context, tasks, workers, _searcher):
            branch = branches[number]
            if found[0] < branch.value:
                branch.value, branch.tree = found[0], found[1] or branch.tree
            best = self._best
            self._progress(width, branch.state.size, whole, None if best is None else best % LOSS)
            self.context.check_time()

    # --- answers --------------------------------------------------------------------------

    def answer(self) -> Answer | None:
        """The best strategy so far, or the proof that the limit cannot be met."""
        problem = replace(self._problem, within=self._limit)
        if self.is_impossible:
            return proved_impossible(problem, self._start)
        if self._best is None:
            return None
        value, tree = self._value(), self._grower.plan_of_forced(self._whole, self._columns)
        least = 0
        if self._objective == "total":
            least = self._given + sum(branch.least for branch in self._branches)
        if self._columns and least == value:
            opener = FirstGuess(self._start[0], value, 0, True, self._start[1:])
            return Answer(problem.graded(tree), [opener], True, value, self._limit)
        return bound_answer(self.context, problem, tree, self._start, self._objective, least)

    def make_worst_less(self) -> None:
        """Give settled branches the least worst case that goes with their values.

        Only those that reach the worst case of all can do with less.
        """
        branches = self._branches
        if any(branch.tree is None or branch.least < branch.value for branch in branches):
            return

        def within(state: State, tree: Tree) -> Tree | None:
            branch = self._grower.by_rows[state.members.tobytes()]
            bucket = replace(branch.bucket, state=state)
            return _Raising(bucket, float("inf")).by(self.context)[1]

        trees = [branch.tree or Tree() for branch in branches]
        try:
            least_deep([branch.state for branch in branches], trees, within)
        finally:
            for branch, tree in zip(branches, trees, strict=True):
                branch.tree = tree


def _searcher(make: MakeContext) -> Callable[[_Task], _Found]:
    """What a worker does: it searches the states of tasks by one beam."""
    beam = RankedBeam(make())
    return lambda task: task.by(beam)


def widths_up_to(width: int) -> list[int]:
    """The widths of a search, one after the other, the last of which is this one."""
    wider = (WIDTHS[-1] * 2**step for step in count(1))
    return [*takewhile(lambda step: step < width, chain(WIDTHS, wider)), width]
