"""A sweep from its beginning to its end, or from where the last run was interrupted.

By a rule, the openers that have no row yet are computed. However a run was ended, the same call
resumes it, and ends with the same table as a run that nothing has disturbed.

An exact sweep goes as far as there is time. First every opener gets a quick lower bound. Then exact
values are searched, one opener after the other, the most promising first. If the time is limited,
its last quarter is for closer bounds of the others. A later run resumes whatever is not exact, and
the search of an opener where it was ended: the states that it has solved by then are saved.
"""

from __future__ import annotations

import contextlib
import math
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from solver.choices import GUESS_POOLS, LIMIT, OPTIMAL, SWEPT_OBJECTIVES
from solver.errors import WrongInputError
from solver.exact.table_layout import require_table
from solver.machine.clock import is_past

from ..solving.by_rule import Settings
from ..solving.progress import as_call, ignore, tells_progress
from ..solving.search import EXACT_TOTALS, Question, SearchProgress, game_played
from ..toolbox.guesses import openers as measured
from .question import ALL, SweepQuestion, by_common_letters, chosen_openers, shard_of
from .rows import BOUNDS, SavedSearch
from .runners import InThisProcess, SweepRunner, runner_of
from .store import SweepStore, check_database, locked
from .table import ExactTable, SweepTable, open_sweep
from .work import BEST, CLOSER, QUICK, BatchResult, SweepBatch, answer_batch

if TYPE_CHECKING:
    from solver.game.game import Game

#: One opener of so many is played by the trusted checker too, beginning with the first.
REPLAYED = 100
#: The most openers of a batch; and of a batch of exact searches, each of which may take seconds.
_MOST, _MOST_EXACT = 256, 16
#: A batch is one of so many shares, for each worker, of the openers that are left; but no shorter
#: than this fraction of the longest batch, so that it is worth handing over.
_TURNS, _FRACTION = 4, 8
#: The share of a limited time for closer bounds; and of the rest, that for the first exact value.
_CLOSER, _FIRST = 0.25, 0.25


@tells_progress("sweep")
def sweep_openers(
    game: Game,
    out: str | Path,
    openers: str | Path | Iterable[str] = ALL,
    settings: Settings | None = None,
    *,
    workers: int | None = None,
    shard: tuple[int, int] = (1, 1),
    runner: SweepRunner | None = None,
    progress: bool | SearchProgress = ignore,
) -> SweepTable:
    """Grow and play the whole strategy of every opener by a rule, its figures in a database.

    Every secret is played through every strategy by compiled code that grades from letters, and
    through every hundredth by the trusted checker too. The database is made where it is not there;
    one that is there is resumed.

    Args:
        game: What is played.
        out: The database, an SQLite file.
        openers: ``all``, ``answers``, a file or words.
        settings: The rule, the pool of guesses, hard mode; its start stays ``auto``.
        workers: Processes; ``None`` are as many as there are cores.
        shard: (I, N): do only the I-th of N equal parts of the openers.
        runner: Who does the work, if not processes of this machine.
        progress: Called with how far it is; ``True`` shows bars.

    Returns:
        The rows that are there in the end.

    Raises:
        WrongInputError: A word is no guess of this game, or the settings have a start.
        BadFileError: The database is damaged, or none.
        StrategyError: It is of another game, rule or version.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import load_game, sweep_openers
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = sweep_openers(game, Path(folder) / "sweep.sqlite", workers=1)
    >>> len(table), table["crane"].histogram, table["crane"].mean
    (5, (1, 4), 1.8)
    """
    settings = settings or Settings()
    if tuple(settings.start) != ("auto",):
        raise WrongInputError("a sweep has all openers for its start; name openers, not a start")
    question = SweepQuestion.of(game, settings.rule, settings.guess_from, settings.hard)
    run = _RuleRun(game, question, Path(out), runner or runner_of(workers), as_call(progress))
    run.work(shard_of(chosen_openers(game, openers), shard))
    return cast(SweepTable, open_sweep(out))


@tells_progress("sweep")
def sweep_optimal(  # noqa: PLR0913 - by name, but for the first three
    game: Game,
    out: str | Path,
    openers: str | Path | Iterable[str] = ALL,
    *,
    objective: str = SWEPT_OBJECTIVES[0],
    within: int | None = LIMIT,
    hard: bool = False,
    guess_from: str = GUESS_POOLS[0],
    workers: int | None = None,
    shard: tuple[int, int] = (1, 1),
    runner: SweepRunner | None = None,
    time_limit: float | None = None,
    progress: bool | SearchProgress = ignore,
) -> ExactTable:
    """The least value of each opener: exact as far as the time goes, else between bounds.

    An exact value has an exhaustive search behind it and a strategy that was played through every
    secret. The database is made where it is not there; one that is there is resumed: exact
    rows stay, bounds come closer.

    Args:
        game: What is played.
        out: The database, an SQLite file.
        openers: ``all``, ``answers``, a file or words.
        objective: What is least: ``total``, the guesses over all secrets; ``worst``, the number of
            guesses that always suffices; ``possible``, whether the limit can be met.
        within: No secret may take more guesses; ``None`` lifts the limit.
        hard: Keep to hard mode.
        guess_from: The pool: ``allowed`` or ``secrets``.
        workers: Processes; ``None`` are as many as there are cores.
        shard: (I, N): do only the I-th of N equal parts of the openers.
        runner: Who does the work, if not processes of this machine.
        time_limit: Seconds, after which no search is begun, and those at work are ended.
        progress: Called with how far it is; ``True`` shows bars.

    Returns:
        The rows that are there in the end.

    Raises:
        WrongInputError: A word is no guess of this game, or the question makes no sense.
        BadFileError: The database is damaged, or none.
        StrategyError: It is of another game, rule or version.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from strategy import load_game, sweep_optimal
    >>> game = load_game(["boxer", "cover", "foyer", "hover", "lover", "mover"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = sweep_optimal(game, Path(folder) / "best.sqlite", workers=1)
    >>> table["foyer"].value, table.n_open
    (18, 0)
    """
    question = SweepQuestion.of(game, OPTIMAL, guess_from, hard, objective, within)
    check_exact(game, question, timed=time_limit is not None)
    played = game_played(game, guess_from)
    run = _ExactRun(played, question, Path(out), runner or runner_of(workers), as_call(progress))
    run.work(shard_of(chosen_openers(played, openers), shard), time_limit)
    return cast(ExactTable, open_sweep(out))


def check_exact(game: Game, asked: SweepQuestion, *, timed: bool) -> None:
    """Refuse a question about the best that no sweep of a game can answer."""
    objective = asked.objective
    if objective not in SWEPT_OBJECTIVES:
        raise WrongInputError(f"no objective {objective!r}: {', '.join(SWEPT_OBJECTIVES)}")
    if objective == "possible" and asked.within is None:
        raise WrongInputError("--objective possible asks whether a limit can be met: --within K")
    if game.spec != "wordle":
        raise WrongInputError(
            f"a sweep by {OPTIMAL} is for Wordle; 'knuthle optimal --game {game.spec}' finds "
            "the best strategy over all first guesses, of which few are different"
        )
    Question(game, hard=asked.hard, guess_from=asked.guess_from)  # refuses what it cannot search
    if asked.guess_from == "candidates":
        raise WrongInputError(
            f"a sweep by {OPTIMAL} guesses from allowed or secrets, not candidates; "
            "'knuthle optimal --guess-from candidates --top N' ranks first guesses"
        )
    count = len(game.secrets)
    if objective == "total" and count > EXACT_TOTALS and not timed:
        raise WrongInputError(
            f"the least total of {count:,} secrets is out of reach: --secrets answers, "
            "--objective worst or possible, or --time-limit for bounds"
        )
    require_table(game_played(game, asked.guess_from), asked.hard)


@dataclass(eq=False)
class _SweepRun(ABC):
    """A run of a sweep on its database, of which it holds the lock."""

    _game: Game
    _question: SweepQuestion
    _place: Path
    _runner: SweepRunner
    _progress: SearchProgress
    #: Set by ``work``: the openers, rows that are there, and searches that were ended.
    _numbers: dict[str, int] = field(default_factory=dict, init=False)
    _rows: dict[int, Any] = field(default_factory=dict, init=False)
    _saved: dict[int, SavedSearch] = field(default_factory=dict, init=False)
    _replayed: frozenset[int] = field(default=frozenset(), init=False)

    _most = _MOST

    def work(self, openers: list[int], time_limit: float | None = None) -> None:
        """Compute what is not known yet of the openers, and store it batch by batch."""
        self._numbers = {self._game.guesses[opener]: opener for opener in openers}
        self._replayed = frozenset(openers[::REPLAYED])
        check_database(self._place)
        with locked(self._place):
            with SweepStore.open(self._place, self._question) as store:
                store.add_openers(self._numbers)
                rows = {row.opener: row for row in store.rows()}
                saved = store.saved_searches()
            self._rows = {number: rows[w] for w, number in self._numbers.items() if w in rows}
            self._saved = {number: saved[w] for w, number in self._numbers.items() if w in saved}
            self._stages(None if time_limit is None else time.time() + time_limit)

    @abstractmethod
    def _stages(self, end: float | None) -> None:
        """Do all stages of the work, the cheap ones first."""

    @abstractmethod
    def _note(self, rows: Sequence[Any], rate: float) -> str:
        """What progress says of new rows, made at this rate, besides their number."""

    def _do(
        self,
        what: str,
        left: Sequence[int],
        until: float | None = None,
        stage: str = BEST,
        alone: int = 1,
    ) -> None:
        """One stage of the work; its first openers are done ``alone``, in this process.

        That compiles what is to be compiled and makes the tables that forked workers find; and the
        last of them shows how long one takes.
        """
        if not left or is_past(until):
            return
        self._progress(what, len(self._numbers) - len(left), len(self._numbers), "")
        soon = until
        if until is not None and stage == BEST and self._runner.workers > 1:
            soon = time.time() + _FIRST * (until - time.time())  # all others are waiting
        took = 0.0
        first = self._batches([(opener,) for opener in left[:alone]], stage, soon)
        for rows in self._stored(InThisProcess().run(answer_batch, self._question, first), what):
            took = sum(row.seconds for row in rows)
        most = _MOST
        if stage != QUICK:
            most = min(int(self._runner.seconds / max(took, 1e-6)), self._most)
        shares = batches_of(left[alone:], most, self._runner.workers)
        if rest := self._batches(shares, stage, until):
            for _ in self._stored(self._runner.run(answer_batch, self._question, rest), what):
                pass

    def _batches(
        self, shares: Sequence[tuple[int, ...]], stage: str, until: float | None
    ) -> _UntilTimeIsUp:
        saved = self._saved if stage == BEST else {}
        return _UntilTimeIsUp(
            SweepBatch(
                *(share, self._replayed.intersection(share), stage, until),
                {opener: saved[opener].notes for opener in share if opener in saved},
            )
            for share in shares
        )

    def _stored(self, results: Iterator[BatchResult], what: str) -> Iterator[Sequence[Any]]:
        """Store rows as they come in, and report the progress.

        The first result is waited for before the database is opened: then the workers are there,
        which are not to inherit it.
        """
        start, made = time.monotonic(), 0
        with contextlib.ExitStack() as after:
            after.callback(getattr(results, "close", lambda: None))
            first = list(islice(results, 1))
            store = after.enter_context(SweepStore.open(self._place, self._question))
            for rows, saved in chain(first, results):
                known = store.improve(rows) if rows else []
                self._rows.update({self._numbers[row.opener]: row for row in known})
                if saved is not None:
                    store.save_search(saved)
                made += len(rows)
                note = self._note(known, made / max(time.monotonic() - start, 1e-9))
                self._progress(what, len(rows), len(self._numbers), note)
                yield rows


class _RuleRun(_SweepRun):
    """A run of a sweep by a rule: the whole strategy of each opener."""

    def _stages(self, end: float | None) -> None:
        left = [opener for opener in self._numbers.values() if opener not in self._rows]
        # the first opener also compiles, so it is the second that shows how long one takes
        self._do("openers", by_common_letters(self._game, left), end, alone=2)

    def _note(self, rows: Sequence[Any], rate: float) -> str:
        return f"{rate:.3g} a second"


class _ExactRun(_SweepRun):
    """A run of an exact sweep: the least value of each opener, as far as there is time."""

    _most = _MOST_EXACT

    #: The best value so far.
    _best = math.inf

    def _stages(self, end: float | None) -> None:
        self._note(list(self._rows.values()), 0.0)
        if self._question.objective != "total":
            self._do("openers", self._promising(), end)
            return
        new = [opener for opener in self._numbers.values() if opener not in self._rows]
        self._do("bounds", new, end, QUICK)
        if end is None:
            self._do("exact", self._promising())
            return
        left = max(end - time.time(), 0)
        self._do("exact", self._promising(), end - _CLOSER * left)
        self._do("closer bounds", self._without_strategy(), end, CLOSER)

    def _note(self, rows: Sequence[Any], rate: float) -> str:
        self._best = min([self._best, *(row.value or math.inf for row in rows)])
        return f"best {self._best:,}" if self._best < math.inf else ""

    def _promising(self) -> list[int]:
        """Openers that are open, the best bound first, and after each those of its letters.

        They share the state of the secrets that have none of these letters, often the hardest. But
        those whose search was ended most often come last: so none keeps the others waiting forever.
        """
        families = defaultdict(list)
        promise = self._promise()
        for word, opener in self._numbers.items():
            row = self._rows.get(opener)
            if row is None or row.open:
                families["".join(sorted(set(word)))].append((promise.get(opener, 0), opener))
        ordered = sorted(sorted(family) for family in families.values())
        found = [opener for family in ordered for _, opener in family]
        return sorted(found, key=lambda at: self._saved[at].times if at in self._saved else 0)

    def _promise(self) -> dict[int, int]:
        """For each opener a number, the less the better: its bound, else minus its parts."""
        if self._question.objective == "total":
            return {opener: row.lower or 0 for opener, row in self._rows.items()}
        found = measured(self._game, list(self._numbers), by="parts")
        return {self._numbers[row.word]: -row.parts for row in found}

    def _without_strategy(self) -> list[int]:
        """Openers that are open and without a strategy, the best bound first."""
        found = [
            (row.lower or 0, opener)
            for opener, row in self._rows.items()
            if row.state == BOUNDS and row.upper is None
        ]
        return [opener for _, opener in sorted(found)]


class _UntilTimeIsUp(list[SweepBatch]):
    """Batches, of which none is handed out when its time is up."""

    def __iter__(self) -> Iterator[SweepBatch]:
        return (batch for batch in super().__iter__() if not is_past(batch.until))


def batches_of(openers: Sequence[int], most: int, workers: int) -> list[tuple[int, ...]]:
    """The openers in batches of up to so many, shorter in the end: so no worker waits long."""
    batches, at, least = [], 0, max(1, most // _FRACTION)
    while at < len(openers):
        size = max(least, min(most, (len(openers) - at) // (_TURNS * workers)))
        batches.append(tuple(openers[at : at + size]))
        at += size
    return batches
