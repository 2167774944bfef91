"""The work on a batch of a sweep: a function that any executor can call, on any machine.

A task is a question and the numbers of some openers. Each process makes its game, its tables and
its searches once and keeps them, so that what one opener has proved serves the next. Every
strategy is played by compiled code that grades from letters (``Replayer``), some of them by
the trusted checker too, and both must come to the same result before a row is believed.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.choices import OPTIMAL
from solver.errors import CouldNotFinishError
from solver.exact.first_guesses import Screening, search_context
from solver.exact.kernels.lemmas import LOSS
from solver.exact.limit_search import LimitCheck, RefutedSet
from solver.exact.problem import Finding, Problem, ProblemTable, SearchContext
from solver.exact.values import Beam, CheckTime, HardBucket, Value, state_of
from solver.machine.clock import Deadline, OutOfTimeError, working_cpu
from solver.memory_limits import available
from solver.rules.searcher import Searcher
from solver.tree import Tree

from ..checkers import lemmas, lists, proof
from ..errors import BadFileError, WrongStrategyError
from ..files.strategy_file import Origin
from ..solving.checks import play_every_secret
from ..solving.search import Question, game_played
from ..tree import Strategy
from . import rows
from .question import SweepQuestion
from .replay import Replayer
from .runners import SweepRunner

if TYPE_CHECKING:
    from solver.exact.engine import Engine
    from solver.game.game import Game

#: What is computed of a batch: the whole row; or, for the least total, quick lower bounds, or
#: closer bounds with a strategy.
BEST, QUICK, CLOSER = "best", "quick", "closer"
#: Bytes for choices that come up again, in each process; at most one of so many parts of the free
#: memory.
_REMEMBERED, _SHARE = 1 << 27, 16
#: States whose values or strategies are remembered by an exact search, some kilobytes each.
_STATES = 4096
#: Refuted sets that are remembered as derived, two kilobytes each.
_DERIVED = 1 << 17
#: Guesses that a beam tries in a state: one to see whether a limit can be met, two for a bound.
_NARROW, _WIDER = 1, 2


class SweepBatch(NamedTuple):
    """A batch of a sweep: openers by their numbers, and what is computed of them."""

    openers: tuple[int, ...]
    #: Which of them the trusted checker plays.
    replayed: frozenset[int] = frozenset()
    stage: str = BEST
    #: When it must be done, in seconds since 1970, as all machines know them; None: no limit.
    until: float | None = None
    #: What earlier exact searches have saved of some of them.
    notes: Mapping[int, str] = {}


class BatchResult(NamedTuple):
    """The rows of a batch, as far as there was time."""

    rows: Sequence[Any]
    #: The exact search that was ended by the time limit.
    saved: rows.SavedSearch | None = None


class BothCheckers:
    """Plays all games of strategies of one game by compiled code, and by the trusted checker."""

    def __init__(self, game: Game, guess_from: str, hard: bool) -> None:
        self._game = game
        self._rules = guess_from, hard
        self._replayer = Replayer(game.spec, game.guesses, game.secrets)

    def played(self, opener: int, tree: Tree, origin: Origin | None = None) -> rows.OpenerRow:
        """The replay of a strategy; with its origin, the trusted checker must agree."""
        word = self._game.guesses[opener]
        try:
            played = self._replayer.play(tree, opener, *self._rules)
        except WrongStrategyError as error:
            raise WrongStrategyError(f"the strategy of {word!r}: {error}") from None
        if origin is not None:
            strategy = Strategy.of_tree(self._game, origin, tree)
            play_every_secret(strategy, self._game)
            if (tuple(strategy.histogram), strategy.digest) != (played.histogram, played.digest):
                raise WrongStrategyError(f"{word!r}: the two checkers do not agree")
        return played


# --- by a rule ----------------------------------------------------------------------------


class RuleWorker:
    """All that one process needs to answer batches of one sweep by a rule."""

    def __init__(self, question: SweepQuestion) -> None:
        self.question = question
        self.game = question.build()
        guess_from, hard = question.guess_from, question.hard
        self.searcher = Searcher(self.game, question.rule, guess_from=guess_from, hard=hard)
        self.searcher.prepare()
        self.searcher.remember(min(_REMEMBERED, (available() or _REMEMBERED) // _SHARE))
        self._checkers = BothCheckers(self.game, guess_from, hard)

    def answer(self, batch: SweepBatch) -> BatchResult:
        """The rows of a batch."""
        return BatchResult([self.row(opener, opener in batch.replayed) for opener in batch.openers])

    def row(self, opener: int, replayed: bool) -> rows.OpenerRow:
        """The row of one opener: its strategy grown, played, and in figures."""
        start = working_cpu()
        tree = self.searcher.grow(None, (opener,))
        origin = self.question.origin_of(self.game.guesses[opener]) if replayed else None
        played = self._checkers.played(opener, tree, origin)
        return replace(played, seconds=working_cpu() - start, replayed=replayed)


# --- exactly ------------------------------------------------------------------------------


class StateSolver:
    """Solves the hard states of openers, and remembers them for openers that leave the same ones.

    The key of a state is its secrets, the guesses left, and what hard mode has seen. Those of the
    current opener are noted by their first secrets too, with those that an earlier search of it has
    solved.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: OrderedDict[tuple[bytes, int, bytes], tuple[Value, Tree]] = OrderedDict()
        #: Of the current opener: what is solved, and bounds of what is not.
        self.noted: dict[int, rows.SolvedState] = {}
        #: By how much the search that was ended has raised the bound of the opener.
        self.raised = 0

    def begin(self, noted: Mapping[int, rows.SolvedState]) -> None:
        """Begin with another opener, of which an earlier search has saved these states."""
        self.noted, self.raised = dict(noted), 0

    def __call__(self, buckets: Sequence[HardBucket]) -> Iterator[tuple[Value, Tree]]:
        """The values of states, each exact if within its limit, and strategies."""
        for bucket in buckets:
            members, _, _, left, revealed = bucket.state
            key = members.tobytes(), left, revealed.tobytes()
            first = int(members[0])
            found, noted = self._known.get(key), self.noted.get(first)
            if found is None and noted is not None and noted.is_solved:
                found = Value(noted.value, True), noted.tree
            if found is None or not (found[0].exact or found[0].bound > bucket.limit):
                found = self._searched(bucket, 0 if noted is None else noted.value)
            self._known[key] = found
            if len(self._known) > _STATES:
                self._known.popitem(last=False)
            self._known.move_to_end(key)
            if found[0].exact:
                self.noted[first] = rows.SolvedState(found[0].bound, found[1])
            yield found

    def _searched(self, bucket: HardBucket, least: int) -> tuple[Value, Tree]:
        """A state solved from the bound of an earlier search upwards; a closer one is noted."""
        try:
            return self._engine.solved(replace(bucket, least=least))
        except CouldNotFinishError:
            reached = max(least, self._engine.reached)
            if reached > bucket.bound:
                self.raised = reached - bucket.bound
                self.noted[int(bucket.state.members[0])] = rows.SolvedState(reached, Tree())
            raise


class TotalSearch:
    """Least totals of the openers of one problem: quick bounds, closer bounds, exact values.

    One score table, one engine and one memory of solved states serve all openers of a process.
    Openers of the same letters share their hardest state, the secrets that have none of these: so
    they are searched one after the other (``by_common_letters``).
    """

    def __init__(self, problem: Problem, check_time: CheckTime) -> None:
        self._problem = problem
        self._context = context = search_context(problem, check_time)
        self._states = StateSolver(cast("Engine", context.engine))
        self._beams = [Beam(context.table, width, check_time) for width in (_NARROW, _WIDER)]
        #: Values above this are against the limit.
        self._highest = problem.highest_value
        #: Whether the states of the current opener are being solved.
        self._is_solving = False

    def quick_bounds(self, openers: Sequence[int]) -> list[int | None]:
        """Quick lower bounds of the totals of some openers; None for an impossible limit."""
        columns = [self._context.column_of[opener] for opener in openers]
        found = self._context.bounds(columns, self._highest).tolist()
        return [None if bound > self._highest else int(bound) for bound in found]

    def closer(self, opener: int) -> tuple[int | None, Tree | None]:
        """A closer lower bound of an opener's total, and a good strategy within the limit.

        It takes longer than a quick bound. None as the bound: no strategy meets the limit.
        """
        context, column = self._context, self._context.column_of[opener]
        bound = context.value(column, self._highest, patient=False).bound
        if bound > self._highest:
            return None, None
        value = self._beams[1].value_of_forced(context.state, [column]).bound
        tree = self._beams[1].plan_of_forced(context.state, [column])
        kept = value <= self._highest and (self._problem.within is None or value < LOSS)
        return int(bound), self._problem.graded(tree) if kept else None

    def best(
        self, opener: int, solved: Mapping[int, rows.SolvedState] | None = None
    ) -> tuple[int, Tree] | None:
        """The least total of an opener, and a strategy that attains it.

        None: no strategy meets the limit. ``solved``: states that an earlier search has solved, or
        bounded.
        """
        context, column = self._context, self._context.column_of[opener]
        self._is_solving = False
        self._states.begin(solved or {})
        if not solved and self._is_impossible(column):
            return None
        self._is_solving = True
        value, tree = context.plan(column, self._highest, self._states)
        return (value.bound, self._problem.graded(tree)) if value.exact else None

    def found_in_time(self) -> tuple[int, dict[int, rows.SolvedState]]:
        """What ``best`` knew of an opener when the time was up: a lower bound or 0, and states."""
        if not self._is_solving:
            return 0, self._states.noted
        return self._context.engine.bound_of_guess + self._states.raised, self._states.noted

    def _is_impossible(self, column: int) -> bool:
        """Whether the limit is refuted, which the search for totals would take long to see."""
        state = self._context.state
        if self._problem.within is None or self._beams[0].loses_nothing(state, [column]):
            return False
        return self._context.limit_check.refutes_guess(state, column)


class OpenerLimits:
    """Whether openers of one problem can meet a limit, without totals.

    A search for nothing but the limit decides. It remembers from opener to opener the small sets of
    secrets that cannot be solved in time. In hard mode it only refutes: the exact search decides
    about the other openers.
    """

    def __init__(self, problem: Problem, check_time: CheckTime) -> None:
        self._problem = replace(problem, price=0)
        self._check_time = check_time
        plain = ProblemTable(replace(problem, hard=False, price=0))
        self._limit_check = LimitCheck(plain.table, check_time)
        self._everyone, self._column_of = plain.members, plain.column_of
        #: Why the last limit cannot be met, reasons first; empty if no cores say so.
        self.refutation: list[RefutedSet] = []
        #: Hard mode: the exact searches, by limit.
        self._hard: dict[int, SearchContext] = {}

    def within(self, opener: int, limit: int) -> Tree | None:
        """A strategy of an opener within a limit; None if it is proved that none exists."""
        column, search = self._column_of[opener], self._limit_check.search
        search.forget(_STATES)
        self.refutation = []
        if limit == 1:
            if search.refutes_guess(limit, self._everyone, column):
                return None
        elif core := search.core_against(limit, self._everyone, column):
            self.refutation = search.refutation(core)
            return None
        if not self._problem.hard:
            state = state_of(self._everyone, limit)
            return self._problem.graded(self._limit_check.plan_of_forced(state, [column]))
        if limit not in self._hard:
            problem = replace(self._problem, within=limit)
            self._hard[limit] = search_context(problem, self._check_time)
        context = self._hard[limit]
        value, tree = context.plan(context.column_of[opener], LOSS - 1)
        return self._problem.graded(tree) if value.exact else None


class RefutationReplay:
    """Derives refutations of limits again from letters, before a row says that an opener fails.

    A refutation is a list of sets of secrets, each with the sets before it that are its reasons.
    Each is derived by Theorem 2 of docs/proof-format.md, on the board of the checker of proofs.
    What was derived once is not derived again: openers share most of it. Of each derived set it is
    kept, as bits, which guesses leave it undivided: what rests on it is refuted for these.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._derived: dict[tuple[int, tuple[int, ...]], NDArray[np.uint8]] = {}

    @cached_property
    def is_possible(self) -> bool:
        """Whether the checker of proofs takes the words of the game."""
        guesses, secrets = self._game.guesses, self._game.secrets
        try:
            lists.check_words(guesses, self._game.spec)
        except BadFileError:
            return False
        return len(guesses) * len(secrets) <= proof.MOST_SCORES

    @cached_property
    def _board(self) -> lemmas.Board:
        return lemmas.new_board(self._game.guesses, self._game.secrets, 0, False)

    def replay(self, opener: int, limit: int, refutation: Sequence[RefutedSet]) -> None:
        """Refuse a refutation that does not show that an opener cannot meet a limit."""
        if len(self._derived) + len(refutation) > _DERIVED:
            self._derived.clear()
        follows = all(self._follows(number, refutation) for number in range(len(refutation)))
        last = refutation[-1]
        if not (follows and last.left >= limit - 1 and self._whole(last)[opener]):
            word = self._game.guesses[opener]
            raise WrongStrategyError(f"the refutation of {word!r} does not follow")

    def _follows(self, number: int, refutation: Sequence[RefutedSet]) -> bool:
        """Whether a set follows from those before it, which do."""
        one = refutation[number]
        if (one.left, one.rows) in self._derived:
            return True
        board, rows = self._board, np.array(one.rows, dtype=np.int64)
        if len(rows) < 2 or one.left < 1 or (np.diff(rows) <= 0).any():
            return False
        if rows[0] < 0 or rows[-1] >= len(board.scores):
            return False
        members = rows.astype(np.int32)
        whole = lemmas.leaves_whole(board, members)
        fails = whole | (one.left == 1)
        if one.left == 2:
            fails |= lemmas.parts_of(board, members, lemmas.every_guess(board)) < len(rows)
        for reason in one.reasons:
            other = refutation[reason] if 0 <= reason < number else one
            if other is one or other.left < one.left - 1 or not {*other.rows} <= {*one.rows}:
                return False
            fails |= self._whole(other)
        if fails.all():
            self._derived[one.left, one.rows] = np.packbits(whole)
        return bool(fails.all())

    def _whole(self, one: RefutedSet) -> NDArray[np.bool_]:
        """Which guesses leave a set undivided that was derived."""
        bits = np.unpackbits(self._derived[one.left, one.rows], count=len(self._game.guesses))
        return bits.astype(np.bool_)


class ExactWorker:
    """All that one process needs to answer batches of one exact sweep."""

    def __init__(self, question: SweepQuestion) -> None:
        self.question = question
        self._deadline = Deadline()
        #: No limit below this one is met after the current opener.
        self._least = 1
        self.game = game = game_played(question.build(), question.guess_from)
        problem = Problem(game, question.hard, question.within)
        self._limits = None
        if question.objective == "total":  # else there are no stages but the best
            self._totals = TotalSearch(problem, self._deadline.check)
        else:
            self._limits = OpenerLimits(problem, self._deadline.check)
        self._checkers = BothCheckers(game, "allowed", question.hard)
        self._refutations = RefutationReplay(game)

    def answer(self, batch: SweepBatch) -> BatchResult:
        """The rows of those openers of a batch about which something was found in time."""
        self._deadline.until = batch.until
        if batch.stage == QUICK:
            return BatchResult([] if self._deadline.is_over() else self._quick(batch.openers))
        found: list[rows.ExactRow] = []
        saved = None
        for opener in batch.openers:
            if saved is not None or self._deadline.is_over():
                break
            start = working_cpu()
            try:
                if batch.stage == CLOSER:
                    row = self._closer(opener, opener in batch.replayed)
                else:
                    row = self._best(opener, opener in batch.replayed, batch.notes.get(opener))
            except OutOfTimeError:
                if batch.stage == CLOSER:
                    break
                row, saved = self._out_of_time(opener)
            found.append(replace(row, seconds=working_cpu() - start))
        return BatchResult(found, saved)

    def _out_of_time(self, opener: int) -> tuple[rows.ExactRow, rows.SavedSearch]:
        """What is known of an opener when the time for its search is up."""
        word = self.game.guesses[opener]
        if self._limits is not None:
            bound, notes = self._least, str(self._least)
        else:
            bound, solved = self._totals.found_in_time()
            notes = rows.states_to_text(solved)
        return rows.ExactRow(word, rows.BOUNDS, bound), rows.SavedSearch(word, notes)

    def _quick(self, openers: tuple[int, ...]) -> list[rows.ExactRow]:
        start = working_cpu()
        bounds = self._totals.quick_bounds(openers)
        took = (working_cpu() - start) / len(openers)
        words = [self.game.guesses[opener] for opener in openers]
        states = [rows.IMPOSSIBLE if bound is None else rows.BOUNDS for bound in bounds]
        figures = zip(words, states, bounds, strict=True)
        return [rows.ExactRow(word, state, bound, None, took) for word, state, bound in figures]

    def _closer(self, opener: int, replayed: bool) -> rows.ExactRow:
        word = self.game.guesses[opener]
        lower, tree = self._totals.closer(opener)
        if lower is None:
            return rows.ExactRow(word, rows.IMPOSSIBLE)
        upper = None if tree is None else self._played(opener, tree, replayed)
        replayed &= upper is not None
        state = rows.EXACT if lower == upper else rows.BOUNDS
        return rows.ExactRow(word, state, lower, upper, 0.0, replayed)

    def _best(self, opener: int, replayed: bool, notes: str | None) -> rows.ExactRow:
        if self._limits is not None:
            self._least = 1
            with contextlib.suppress(ValueError):  # what cannot be read is found out again
                self._least = rows.limit_of_text(notes or "")
            return self._least_limit(self._limits, opener, replayed)
        sizes = len(self.game.guesses), len(self.game.secrets)
        solved = None
        with contextlib.suppress(ValueError):
            solved = rows.states_of_text(notes or "", *sizes)
        word, found = self.game.guesses[opener], self._totals.best(opener, solved)
        if found is None:
            return rows.ExactRow(word, rows.IMPOSSIBLE)
        value, tree = found
        total = self._played(opener, tree, replayed)
        if total != value:
            raise WrongStrategyError(
                f"{word!r}: the strategy takes {total} guesses, and the search says {value}"
            )
        return rows.ExactRow(word, rows.EXACT, value, value, 0.0, replayed)

    def _least_limit(self, limits: OpenerLimits, opener: int, replayed: bool) -> rows.ExactRow:
        """Whether the limit can be met; or the least that can, tried upwards."""
        word, within = self.game.guesses[opener], self.question.within
        only = self.question.objective == rows.POSSIBLE
        most = len(self.game.secrets) + 1 if within is None else within
        refuted = False
        for limit in range(most if only else self._least, most + 1):
            if not only:
                self._least = limit
            tree = limits.within(opener, limit)
            if tree is not None:
                self._played(opener, tree, replayed, limit)
                if only:
                    return rows.ExactRow(word, rows.POSSIBLE, replayed=replayed)
                return rows.ExactRow(word, rows.EXACT, limit, limit, 0.0, replayed)
            refuted = limit == most and self._is_replayed(opener, limit, limits.refutation)
        return rows.ExactRow(word, rows.IMPOSSIBLE, replayed=refuted)

    def _is_replayed(self, opener: int, limit: int, refutation: Sequence[RefutedSet]) -> bool:
        """Whether there is a refutation that can be derived again; one that is wrong is refused."""
        if not refutation or not self._refutations.is_possible:
            return False
        self._refutations.replay(opener, limit, refutation)
        return True

    def _played(self, opener: int, tree: Tree, replayed: bool, limit: int | None = None) -> int:
        """The total of a strategy, every secret of it played; it must meet the limit."""
        question, word = self.question, self.game.guesses[opener]
        limit = question.within if limit is None else limit
        origin = Origin.of(self.game, OPTIMAL, (word,), hard=question.hard) if replayed else None
        played = self._checkers.played(opener, tree, origin)
        if limit is not None and played.worst > limit:
            raise WrongStrategyError(f"a strategy of {word!r} does not keep to {limit} guesses")
        return played.total


# --- what executors call ------------------------------------------------------------------

#: The worker of this process, and its helper, each by its question: threads take turns with them.
WORKERS: dict[SweepQuestion, RuleWorker | ExactWorker] = {}
_HELPERS: dict[SweepQuestion, _Helper] = {}
_TURN = threading.Lock()
W = TypeVar("W")


def _kept(made: dict[SweepQuestion, W], question: SweepQuestion, make: Callable[..., W]) -> W:
    """What was made for a question, kept until there is another; then it is made anew."""
    if question not in made:
        made.clear()  # its tables go before the next ones come
        made[question] = make(question)
    return made[question]


def answer_batch(question: SweepQuestion, batch: SweepBatch) -> BatchResult:
    """The rows of a batch of a sweep, by the worker of this process."""
    made_by = ExactWorker if question.rule == OPTIMAL else RuleWorker
    with _TURN:
        return _kept(WORKERS, question, made_by).answer(batch)


# --- helpers of ``optimal`` ---------------------------------------------------------------


class OptimalHelpers:
    """The workers of a runner as helpers of ``optimal``; each makes the game and tables once.

    With a time limit, in seconds from now on, they end their search when it is over: one first
    guess may take them hours.
    """

    def __init__(
        self, runner: SweepRunner, question: Question, time_limit: float | None = None
    ) -> None:
        self._runner = runner
        self._time_limit = time_limit
        self._until = None if time_limit is None else time.time() + time_limit
        shared = question.guess_from, question.hard, question.objective, question.within
        self._question = SweepQuestion.of(question.game, OPTIMAL, *shared)

    @property
    def count(self) -> int:
        """How many tasks these helpers work on at a time."""
        return self._runner.workers

    def run(self, tasks: Sequence[Any]) -> Iterator[list[Finding]]:
        """The findings about first guesses, in the order in which helpers make them."""
        try:
            answer = partial(findings_of_task, self._until)
            yield from self._runner.run(answer, self._question, tasks)
        except OutOfTimeError:
            raise OutOfTimeError(
                f"undecided after {self._time_limit:g} s, the time limit"
            ) from None


class _Helper:
    """The search of a process that helps, and its clock."""

    def __init__(self, question: SweepQuestion) -> None:
        game = game_played(question.build(), question.guess_from)
        losses = question.objective == "losses"
        problem = Problem(game, question.hard, question.within, losses=losses)
        self.deadline = Deadline()
        self.context = search_context(problem, self.deadline.check)


def findings_of_task(
    until: float | None, question: SweepQuestion, task: Screening
) -> list[Finding]:
    """The findings about the first guesses of a task, by the helper of this process."""
    with _TURN:
        helper = _kept(_HELPERS, question, _Helper)
        helper.deadline.until = until
        return task.by(helper.context)
