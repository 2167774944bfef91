"""The best third word for two: bounded by letters, and counted only where the bound leaves it open.

Two words part the secrets into blocks; what a third one tells beyond them is at most what its
questions about letters tell beyond them one by one (see ``letter_bounds``, where A is one word: the
proof asks nothing of A but that it parts the secrets). So guesses are taken by that bound, those
that may tell most first, and the others need not be counted once it is above the best weight.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.game import Game
from ..splits.joint_splits import SEGMENTS, Blocks, Partition, joint_measures, partition_by
from ..splits.logarithms import Costs, Places, fixed_log_weights
from .guesses_by_weight import letters_of, slack_of
from .letter_bounds import Questions, answer_questions, questions_about

#: How many guesses are counted before the bound is asked again: first, and at most.
_FEW, _MANY = 16, 1024
#: Above every weight.
NO_WEIGHT = 1 << 62

#: Two guesses, in order.
Two = tuple[int, int]


class Third(NamedTuple):
    """The best third guess for two: the weight of the three, and how many had to be counted."""

    weight: int
    guess: int
    counted: int


class Thirds:
    """Finds third words in one game; the scores are computed once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.scores: NDArray[Any] = game.all_scores()
        self._log_weights = fixed_log_weights(len(game.secrets))

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as a recipe: rebuilding the scores is faster than sending them."""
        return Thirds, (self.game,)

    @cached_property
    def _questions(self) -> Questions:
        everyone = np.arange(len(self.game.guesses), dtype=np.int32)
        return questions_about(*letters_of(self.game, everyone))

    def weights(self, two: Sequence[int], after: int = -1) -> Costs:
        """The joint weight of two guesses with every guess ``after`` one of them."""
        return self._counted(self.scores[after + 1 :], self._parted(two))

    def best(self, two: Two) -> Third:
        """The best third guess for two, the first one of equals."""
        partition = self._parted(two)
        leasts = self._leasts(partition)
        leasts[list(two)] = NO_WEIGHT
        order = np.argsort(leasts, kind="stable")[: len(leasts) - len(two)]
        leasts = leasts[order]
        best, third = NO_WEIGHT, -1
        done, more = 0, _FEW
        while done < (still_open := int(np.searchsorted(leasts, best, side="right"))):
            some = order[done : min(done + more, still_open)]
            weights = self._counted(self.scores[some], partition)
            least = int(weights.min())
            first = int(some[weights == least].min())
            best, third = min((best, third), (least, first))
            done, more = done + len(some), min(_MANY, 4 * more)
        return Third(best, third, done)

    def _parted(self, two: Sequence[int]) -> Partition:
        return partition_by([self.scores[guess] for guess in two])

    def _counted(self, rows: NDArray[Any], partition: Partition) -> Costs:
        return joint_measures(rows, partition, self.game.n_scores).weights

    def _leasts(self, partition: Partition) -> Costs:
        """Lower bounds of the weight of some words with each guess; all 0 without letters."""
        questions = self._questions
        if not questions.codes.shape[1]:
            return np.zeros(len(self.game.guesses), dtype=np.int64)
        answer_questions(
            _as_blocks(partition), len(partition.starts) - 1, questions, self._log_weights
        )
        known = questions.known[0]
        sizes = np.diff(partition.starts.astype(np.int64))
        together = int(self._log_weights[sizes].sum())
        gains = (together - known)[questions.asked].sum(axis=1)
        return np.asarray(together - questions.beyond - gains - self._slack, dtype=np.int64)

    @cached_property
    def _slack(self) -> int:
        """How far rounded weights may put a bound too high."""
        return slack_of(len(self.game.secrets), max(2, self._questions.codes.shape[1]))


def _as_blocks(partition: Partition) -> Blocks:
    """A partition as kernels of pairs take it, in one segment."""
    nothing: Places = np.zeros(0, dtype=np.uint32)
    cuts = np.full(SEGMENTS + 1, max(0, len(partition.starts) - 1), dtype=np.uint32)
    cuts[0] = 0
    return Blocks(*(nothing,) * 4, partition.members, partition.starts, cuts)
