"""The work on a batch of openers: a function that any executor can call, anywhere.

A task is a question and the numbers of some openers. Each process builds its game once and keeps
it. Every strategy is played by compiled code that grades from letters (``strategy/replay``), some
of them by the trusted checker besides, and what the checkers say must be one and the same.
"""

from __future__ import annotations

import threading
import time
from typing import NamedTuple

from solver.memory import available
from solver.rules.searcher import Searcher

from ..build.checks import play_every_secret
from ..errors import WrongStrategyError
from ..replay.replay import Replayer
from ..tree import Strategy
from .question import SweepQuestion
from .rows import OpenerRow

#: Bytes for choices that come up again, in each process; of what memory is left, a small part.
_REMEMBERED, _SHARE = 1 << 27, 16


class SweepBatch(NamedTuple):
    """Openers by their numbers in the list of guesses; which of them the trusted checker plays."""

    openers: tuple[int, ...]
    replayed: frozenset[int] = frozenset()


class SweepBench:
    """All that one process needs to answer batches of one question."""

    def __init__(self, question: SweepQuestion) -> None:
        self.question = question
        self.game = question.build()
        self.searcher = Searcher(
            self.game, question.rule, guess_from=question.guess_from, hard=question.hard
        )
        self.searcher.prepare()
        self.searcher.remember(min(_REMEMBERED, (available() or _REMEMBERED) // _SHARE))
        self._replayer = Replayer(self.game.spec, self.game.guesses, self.game.secrets)

    def row(self, opener: int, replayed: bool) -> OpenerRow:
        """The strategy of one opener: grown, played, and its figures."""
        begun = time.process_time()
        word, asked = self.game.guesses[opener], self.question
        tree = self.searcher.grow(None, (opener,))
        try:
            played = self._replayer.play(tree, opener, asked.guess_from, asked.hard)
        except WrongStrategyError as error:
            raise WrongStrategyError(f"the strategy of {word!r}: {error}") from None
        if replayed:
            strategy = Strategy.of_tree(self.game, self.question.origin_of(word), tree)
            play_every_secret(strategy, self.game)
            if (tuple(strategy.histogram), strategy.digest) != (played.histogram, played.digest):
                raise WrongStrategyError(f"{word!r}: the two checkers do not agree")
        took = time.process_time() - begun
        return OpenerRow(word, played.histogram, played.nodes, played.digest, took, replayed)


_lock = threading.Lock()
_bench: SweepBench | None = None


def bench_of(question: SweepQuestion) -> SweepBench:
    """The bench of this process, which is made when another question is asked."""
    global _bench
    if _bench is None or _bench.question != question:
        _bench = None  # its matrix goes before the next one comes
        _bench = SweepBench(question)
    return _bench


def answer_batch(question: SweepQuestion, batch: SweepBatch) -> list[OpenerRow]:
    """The rows of some openers. Threads of one process take turns: the bench is one."""
    with _lock:
        bench = bench_of(question)
        return [bench.row(opener, opener in batch.replayed) for opener in batch.openers]
