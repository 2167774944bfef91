"""A sweep for what every opener is worth at best, as far as the time goes.

First every opener gets a bound at a glance. Then exact values are sought, one opener after the
other, the most promising first. If the time is limited, its last quarter is for closer bounds of
those that are left. A later run takes up whatever is not exact, and an opener that was given up
where its search was: the states that it has solved by then are kept.
"""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.choices import OPTIMAL, SWEPT_OBJECTIVES
from solver.errors import WrongInputError
from solver.exact.table.layout import require_table
from solver.machine.clock import is_past

from ...build.optimal_question import EXACT_TOTALS, Question, game_played
from ...build.preconditions import ignore_progress
from ...build.within_limit import LIMIT
from ...toolbox.openers import openers as measured
from ..lock import locked
from ..openers import ALL, chosen_openers, shard_of
from ..question import SweepQuestion
from ..run import REPLAYED, SweepProgress, batches_of, store_and_answers
from ..runners import InThisProcess, SweepRunner, runner_of
from ..store import check_database
from .resumed import Begun
from .rows import BOUNDS, ExactRow
from .store import ExactStore
from .tasks import BEST, CLOSER, GLANCE, Answered, ExactBatch, answer_exactly
from .view import ExactTable, open_exact_sweep

if TYPE_CHECKING:
    from solver.game.game import Game

#: Openers of a batch: at a glance, so many; else a few at most, since each may take seconds.
_GLANCED, _MOST = 256, 16
#: The part of a limited time that closer bounds get.
_CLOSER = 0.25
#: And of what is left of it, the first exact value.
_FIRST = 0.25


@dataclass(frozen=True)
class ExactSettings:
    """What an exact sweep asks of every opener: objective, limit, hard mode, guesses.

    ``objective`` is ``total`` (the fewest guesses over all secrets), ``worst`` (the number of
    guesses that always suffices) or ``possible`` (whether the limit can be met). ``within``: no
    secret may take more guesses; None lifts the limit.
    """

    objective: str = "total"
    within: int | None = LIMIT
    hard: bool = False
    guess_from: str = "allowed"

    def question(self, game: Game, timed: bool) -> SweepQuestion:
        """The question of an exact sweep of a game.

        What cannot be asked is refused with the reason.
        """
        if self.objective not in SWEPT_OBJECTIVES:
            raise WrongInputError(f"no objective {self.objective!r}: {', '.join(SWEPT_OBJECTIVES)}")
        if self.objective == "possible" and self.within is None:
            raise WrongInputError(
                "--objective possible asks whether a limit can be met: --within K"
            )
        asked = SweepQuestion.of(
            *(game, OPTIMAL, self.guess_from, self.hard), self.objective, self.within
        )
        if game.spec != "wordle":
            raise WrongInputError(
                f"a sweep by {OPTIMAL} is for Wordle; 'knuthle optimal --game {game.spec}' finds "
                "the best strategy over all first guesses, of which few are different"
            )
        Question(game, hard=self.hard, guess_from=self.guess_from)  # refuses what it cannot search
        count = len(game.secrets)
        if self.objective == "total" and count > EXACT_TOTALS and not timed:
            raise WrongInputError(
                f"the least total of {count:,} secrets is out of reach: --secrets answers, "
                "--objective worst or possible, or --time-limit for bounds"
            )
        require_table(game_played(game, self.guess_from), self.hard)
        return asked


def sweep_optimal(  # noqa: PLR0913 - by name, but for the first four
    game: Game,
    out: str | Path,
    openers: str | Path | Iterable[str] = ALL,
    settings: ExactSettings | None = None,
    *,
    workers: int | None = None,
    shard: tuple[int, int] = (1, 1),
    runner: SweepRunner | None = None,
    time_limit: float | None = None,
    progress: SweepProgress = ignore_progress,
) -> ExactTable:
    """What every opener is worth at best: exact as far as the time goes, else between bounds.

    An exact value has an exhaustive search behind it and a strategy that was played through every
    secret. The database is made where it is not there; one that is there goes on: exact rows
    stay, bounds come closer.

    Args:
        game: What is played.
        out: The database, an SQLite file.
        openers: ``all``, ``answers``, a file or words.
        settings: What is least, the limit, hard mode, the pool of guesses.
        workers: Processes; ``None`` are as many as there are cores.
        shard: (I, N): do only the I-th of N equal parts of the openers.
        runner: Who does the work, if not processes of this machine.
        time_limit: Seconds, after which no more is begun, and searches are given up.
        progress: Hears how far it is.

    Returns:
        The rows that are there in the end.

    Raises:
        WrongInputError: A word is no guess of this game, or the question cannot be asked.
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
    settings = settings or ExactSettings()
    question = settings.question(game, timed=time_limit is not None)
    played = game_played(game, settings.guess_from)
    wanted = shard_of(chosen_openers(played, openers), shard)
    place = Path(out)
    check_database(place)
    with locked(place):
        with ExactStore.open(place, question) as store:
            store.require_openers(played)
            store.ask(played.guesses[opener] for opener in wanted)
            rows = {row.opener: row for row in store.rows()}
            store.asked(rows)
            begun = store.begun()
        words = {played.guesses[opener]: opener for opener in wanted}
        known = {opener: rows[word] for word, opener in words.items() if word in rows}
        left = {words[word]: begun[word] for word in words if word in begun}
        run = _ExactRun(played, question, place, words, (known, left), progress)
        run.go_on(runner or runner_of(workers), time_limit)
    return open_exact_sweep(place)


class _ExactRun:
    """A run on a database that it has the lock of."""

    def __init__(
        self,
        game: Game,
        question: SweepQuestion,
        place: Path,
        words: dict[str, int],
        found: tuple[dict[int, ExactRow], dict[int, Begun]],
        progress: SweepProgress,
    ) -> None:
        """``found``: rows, and what is left of searches that were given up."""
        self._game = game
        self._question = question
        self._place = place
        self._numbers = words
        self._words = {opener: word for word, opener in words.items()}
        known, self._begun = found
        self._known = known
        self._progress = progress
        #: The best value so far.
        self._best: float = min((row.value or math.inf for row in known.values()), default=math.inf)
        self._replayed = frozenset(list(self._words)[::REPLAYED])

    def go_on(self, runner: SweepRunner, time_limit: float | None) -> None:
        """Do what is left, the cheap things first."""
        end = None if time_limit is None else time.time() + time_limit
        if self._question.objective == "total":
            new = [opener for opener in self._words if opener not in self._known]
            self._do(GLANCE, new, runner, end, "bounds")
            if end is None:
                self._do(BEST, self._promising(), runner, None, "exact")
                return
            left = max(end - time.time(), 0)
            self._do(BEST, self._promising(), runner, end - _CLOSER * left, "exact")
            self._do(CLOSER, self._without_strategy(), runner, end, "closer bounds")
        else:
            self._do(BEST, self._promising(), runner, end, "openers")

    def _promising(self) -> list[int]:
        """Openers that are open, the best bound first, and after each those of its letters.

        They share the state of the secrets that have none of these letters, often the hardest. But
        those come last that were given up most often: so none keeps the others waiting for good.
        """
        families = defaultdict(list)
        promise = self._promise()
        for opener, word in self._words.items():
            row = self._known.get(opener)
            if row is None or row.open:
                families["".join(sorted(set(word)))].append((promise.get(opener, 0), opener))
        ordered = sorted(sorted(family) for family in families.values())
        found = [opener for family in ordered for _, opener in family]
        return sorted(found, key=lambda at: self._begun[at].times if at in self._begun else 0)

    def _promise(self) -> dict[int, int]:
        """Less is better: the bound of a total, else the parts that an opener does not make."""
        if self._question.objective == "total":
            return {opener: row.lower or 0 for opener, row in self._known.items()}
        found = measured(self._game, list(self._numbers), by="parts")
        return {self._numbers[row.word]: -row.parts for row in found}

    def _without_strategy(self) -> list[int]:
        """Openers that are open and without a strategy, the best bound first."""
        found = [
            (row.lower or 0, opener)
            for opener, row in self._known.items()
            if row.state == BOUNDS and row.upper is None
        ]
        return [opener for _, opener in sorted(found)]

    def _do(
        self, stage: str, left: Sequence[int], runner: SweepRunner, until: float | None, what: str
    ) -> None:
        """One stage of the work; its first opener is done here, be there workers or not.

        That compiles what is to be compiled and makes the tables that forked workers find.
        """
        if not left or is_past(until):
            return
        whole = len(self._words)
        self._progress(what, whole - len(left), whole, "")
        soon = until
        if until is not None and stage == BEST and runner.workers > 1:
            soon = time.time() + _FIRST * (until - time.time())  # all others are waiting
        first = self._batches(stage, [tuple(left[:1])], soon)
        here = InThisProcess().run(answer_exactly, self._question, first)
        took = sum(row.seconds for row in self._stored(here, what))
        most = _GLANCED
        if stage != GLANCE:
            most = max(1, min(int(runner.seconds / max(took, 1e-6)), _MOST))
        if rest := self._batches(stage, batches_of(left[1:], most, runner.workers), until):
            for _ in self._stored(runner.run(answer_exactly, self._question, rest), what):
                pass

    def _batches(
        self, stage: str, parts: Sequence[tuple[int, ...]], until: float | None
    ) -> _InTime:
        again, begun = self._replayed.intersection, self._begun if stage == BEST else {}
        return _InTime(
            [
                ExactBatch(
                    *(stage, part, again(part), until),
                    {opener: begun[opener].notes for opener in part if opener in begun},
                )
                for part in parts
            ]
        )

    def _stored(self, answers: Iterator[Answered], what: str) -> Iterator[ExactRow]:
        """Store rows as they come in, and tell of them."""
        opened = partial(ExactStore.open, self._place, self._question)
        with store_and_answers(answers, opened) as (store, batches):
            for rows, begun in batches:
                for row in store.improve(rows) if rows else ():
                    self._known[self._numbers[row.opener]] = row
                    self._best = min(self._best, row.value or math.inf)
                if begun is not None:
                    store.begin(begun)
                yield from rows
                best = f"best {self._best:,}" if self._best < math.inf else ""
                self._progress(what, len(rows), len(self._words), best)


class _InTime(Sequence[ExactBatch]):
    """Batches that nobody is handed any more when time is up."""

    def __init__(self, batches: Sequence[ExactBatch]) -> None:
        self._batches = batches

    def __len__(self) -> int:
        return len(self._batches)

    def __getitem__(self, at: Any) -> Any:
        return self._batches[at]

    def __iter__(self) -> Iterator[ExactBatch]:
        return (batch for batch in self._batches if not is_past(batch.until))
