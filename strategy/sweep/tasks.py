"""The work on a batch of a sweep by a rule: a function that any executor can call, anywhere.

A task is a question and the numbers of some openers. Each process builds its game once and keeps
it. Every strategy is played by compiled code that grades from letters (``strategy/replay``), some
of them by the trusted checker besides, and what the checkers say must be one and the same.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from solver.memory_limits import available
from solver.rules.searcher import Searcher

from ..build.preconditions import play_every_secret
from ..errors import WrongStrategyError
from ..replay.replay import Replayed, Replayer
from ..tree import Strategy
from .question import SweepQuestion
from .rows import OpenerRow

if TYPE_CHECKING:
    from solver.game.game import Game
    from solver.tree import Tree

    from ..files.origin import Origin

#: Bytes for choices that come up again, in each process; of what memory is left, a small part.
_REMEMBERED, _SHARE = 1 << 27, 16


class SweepBatch(NamedTuple):
    """A batch of a sweep: openers by their numbers, and which the trusted checker plays."""

    openers: tuple[int, ...]
    replayed: frozenset[int] = frozenset()


class AllGames:
    """All games of strategies of one game, played by both checkers."""

    def __init__(self, game: Game, guess_from: str, hard: bool) -> None:
        self._game = game
        self._rules = guess_from, hard
        self._replayer = Replayer(game.spec, game.guesses, game.secrets)

    def played(self, opener: int, tree: Tree, origin: Origin | None = None) -> Replayed:
        """The replay of a strategy; told its origin, the trusted checker must say the same."""
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


class SweepBench:
    """All that one process needs to answer batches of one sweep by a rule."""

    def __init__(self, question: SweepQuestion) -> None:
        self.question = question
        self.game = question.build()
        self.searcher = Searcher(
            self.game, question.rule, guess_from=question.guess_from, hard=question.hard
        )
        self.searcher.prepare()
        self.searcher.remember(min(_REMEMBERED, (available() or _REMEMBERED) // _SHARE))
        self._games = AllGames(self.game, question.guess_from, question.hard)

    def row(self, opener: int, replayed: bool) -> OpenerRow:
        """The row of one opener: its strategy grown, played, and in figures."""
        begun = time.process_time()
        word = self.game.guesses[opener]
        tree = self.searcher.grow(None, (opener,))
        origin = self.question.origin_of(word) if replayed else None
        played = self._games.played(opener, tree, origin)
        took = time.process_time() - begun
        return OpenerRow(word, played.histogram, played.nodes, played.digest, took, replayed)


B = TypeVar("B")


class OneBench(Generic[B]):
    """The bench of this process, kept until another question is asked; then it is made anew.

    Threads of one process take turns.
    """

    def __init__(self, made: Callable[[SweepQuestion], B]) -> None:
        self._made = made
        self._lock = threading.Lock()
        self._kept: tuple[SweepQuestion, B] | None = None

    @contextlib.contextmanager
    def of(self, question: SweepQuestion) -> Iterator[B]:
        """The bench of a question, for the thread whose turn it is."""
        with self._lock:
            if self._kept is None or self._kept[0] != question:
                self._kept = None  # its tables go before the next ones come
                self._kept = question, self._made(question)
            yield self._kept[1]

    def forget(self) -> None:
        """Let the bench go, with all that it has found out."""
        with self._lock:
            self._kept = None


#: That of sweeps by a rule.
BENCH = OneBench(SweepBench)


def answer_batch(question: SweepQuestion, batch: SweepBatch) -> list[OpenerRow]:
    """The rows of a batch of a sweep by a rule, by the bench of this process."""
    with BENCH.of(question) as bench:
        return [bench.row(opener, opener in batch.replayed) for opener in batch.openers]
