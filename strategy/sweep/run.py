"""A sweep from its beginning to its end, or from where the last run was broken off.

What is to be done is what was asked for and has no row yet. So whatever ended a run, the same call
goes on, and ends with the same table as a run that nothing has disturbed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from solver.errors import WrongInputError

from ..build.by_rule import Settings
from ..build.preconditions import ignore_progress
from .lock import locked
from .openers import ALL, by_common_letters, chosen_openers, shard_of
from .question import SweepQuestion
from .rows import OpenerRow
from .runners import InThisProcess, SweepRunner, runner_of
from .store import RowStore, SweepStore, check_database
from .tasks import SweepBatch, answer_batch
from .view import SweepTable, open_sweep

if TYPE_CHECKING:
    from solver.game.game import Game

R = TypeVar("R")
S = TypeVar("S", bound=RowStore)

#: Called with what is being done, how much of it is new, how much it is in all, and how fast.
SweepProgress = Callable[[str, int, int, str], None]
#: Every so many openers the trusted checker plays all games too, the first one included.
REPLAYED = 100
#: A batch has so many openers at most, and of what is left one of so many parts for each worker;
#: but one that takes a fraction of the usual time is worth no handing over.
_MOST, _TURNS, _FRACTION = 256, 4, 8


def sweep_openers(
    game: Game,
    out: str | Path,
    openers: str | Path | Iterable[str] = ALL,
    settings: Settings | None = None,
    *,
    workers: int | None = None,
    shard: tuple[int, int] = (1, 1),
    runner: SweepRunner | None = None,
    progress: SweepProgress = ignore_progress,
) -> SweepTable:
    """Grow and play the whole strategy of every opener by a rule, its figures in a database.

    Every secret is played through every strategy by compiled code that grades from letters, and
    through every hundredth by the trusted checker too. The database is made where it is not there;
    one that is there goes on where it was broken off.

    Args:
        game: What is played.
        out: The database, an SQLite file.
        openers: ``all``, ``answers``, a file or words.
        settings: The rule, the pool of guesses, hard mode; its start stays ``auto``.
        workers: Processes; ``None`` are as many as there are cores.
        shard: (I, N): do only the I-th of N equal parts of the openers.
        runner: Who does the work, if not processes of this machine.
        progress: Hears how far it is.

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
    wanted = shard_of(chosen_openers(game, openers), shard)
    place = Path(out)
    check_database(place)
    with locked(place):
        with SweepStore.open(place, question) as store:
            store.require_openers(game)
            store.ask(game.guesses[opener] for opener in wanted)
            done = store.done()
        left = by_common_letters(
            game, [opener for opener in wanted if game.guesses[opener] not in done]
        )
        replayed = frozenset(wanted[::REPLAYED])
        if left:
            how = _Sweep(question, place, len(wanted), progress)
            how.go_on(left, replayed, runner or runner_of(workers))
    return open_sweep(place)


class _Sweep:
    """A run on a database that it has the lock of."""

    def __init__(
        self, question: SweepQuestion, place: Path, whole: int, progress: SweepProgress
    ) -> None:
        self._question = question
        self._place = place
        self._whole = whole
        self._progress = progress

    def go_on(self, left: Sequence[int], replayed: frozenset[int], runner: SweepRunner) -> None:
        """Do what is left, and store it batch by batch.

        The first two openers are done here, be there workers or not: one compiles what is to be
        compiled and makes the matrix that forked workers find, the other shows how long one takes.
        """
        self._progress("openers", self._whole - len(left), self._whole, "")
        first = [SweepBatch((opener,), replayed & {opener}) for opener in left[:2]]
        here = InThisProcess().run(answer_batch, self._question, first)
        rows = [row for some in self._stored(here) for row in some]
        if len(left) > len(first):
            most = int(runner.seconds / max(rows[-1].seconds, 1e-6))
            parts = batches_of(left[len(first) :], min(most, _MOST), runner.workers)
            batches = [SweepBatch(part, replayed.intersection(part)) for part in parts]
            for _ in self._stored(runner.run(answer_batch, self._question, batches)):
                pass

    def _stored(self, answers: Iterator[list[OpenerRow]]) -> Iterator[list[OpenerRow]]:
        """Store rows as they come in, and tell of them."""
        begun, made = time.monotonic(), 0
        opened = partial(SweepStore.open, self._place, self._question)
        with store_and_answers(answers, opened) as (store, batches):
            for rows in batches:
                store.add(rows)
                made += len(rows)
                rate = made / max(time.monotonic() - begun, 1e-9)
                self._progress("openers", len(rows), self._whole, f"{rate:.3g} a second")
                yield rows


@contextlib.contextmanager
def store_and_answers(
    answers: Iterator[R], opened: Callable[[], S]
) -> Iterator[tuple[S, Iterator[R]]]:
    """The open database of a sweep and the answers that it is to take in, closed in the end.

    The first answer is waited for before the database is opened: then the workers are there, which
    are not to inherit it.
    """
    with contextlib.ExitStack() as after:
        after.callback(getattr(answers, "close", lambda: None))
        first = list(islice(answers, 1))
        store = opened()
        after.enter_context(store)
        yield store, chain(first, answers)


def batches_of(openers: Sequence[int], most: int, workers: int) -> list[tuple[int, ...]]:
    """The openers of a sweep in batches of up to so many, shorter in the end: all stay busy.

    They are long enough to be worth handing over. So all workers are busy nearly to the last
    moment.
    """
    batches, at, least = [], 0, max(1, most // _FRACTION)
    while at < len(openers):
        share = (len(openers) - at) // (_TURNS * workers)
        size = max(least, min(most, share))
        batches.append(tuple(openers[at : at + size]))
        at += size
    return batches
