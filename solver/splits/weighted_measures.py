"""How good splits are where some secrets are likelier than others.

Every secret has a chance, and the chances sum to one. What a guess is expected to leave or to tell
is an expectation over them; how many buckets there are and how large the largest is are counts as
ever.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel

if TYPE_CHECKING:
    from ..game.game import Game
    from ..machine.rows import Ids

Chances = NDArray[np.float64]
#: A block of rows this large is measured at a time.
_BLOCK_BYTES = 1 << 26
#: Costs are rounded to this unit, far above what sums of floats are off: equal ones are equal.
_UNIT = 2.0**-30


class WeightedMeasures(NamedTuple):
    """What the splits of some guesses are worth over chances, one entry a guess."""

    parts: NDArray[np.int32]
    largest: NDArray[np.int32]
    #: How many candidates are left, on average.
    kept: NDArray[np.float64]
    #: The information that is still missing, on average, in bits.
    missing: NDArray[np.float64]

    def entropy(self, unknown: float) -> NDArray[np.float64]:
        """The expected information, of so many bits that are not known."""
        told = np.where(self.parts == 1, 0.0, unknown - self.missing)
        return np.maximum(told, 0.0)

    def costs(self, by: str, hits: Chances, candidates: int) -> NDArray[np.int64]:
        """What a guess is sorted by over chances, the smaller the better.

        The measure is one of ``choices.MEASURES``; ``hits`` is the chance that a guess is right.
        """
        if by == "parts":
            return -self.parts.astype(np.int64)
        if by == "minimax":
            return self.largest.astype(np.int64)
        costs = {
            "entropy": self.missing,
            "remaining": self.missing,
            "expected-size": self.kept,
            "proportion": self.kept / candidates - hits,
        }[by]
        return np.rint(costs / _UNIT).astype(np.int64)


def chances_of(weights: NDArray[Any]) -> Chances:
    """For weighted measures, the weights of secrets as chances that sum to one.

    At least one is positive, and none is negative.
    """
    scaled = np.asarray(weights, dtype=np.float64) / np.max(weights)  # their sum could overflow
    chances: Chances = scaled / scaled.sum()
    return chances


def uncertainty(chances: Chances) -> float:
    """Shannon's entropy of chances, in bits."""
    return max(0.0, -float(_own_bits(chances).sum()))


def weighted_measures(
    game: Game, guess_ids: Ids, candidates: Ids | None, chances: Chances
) -> WeightedMeasures:
    """The measures of guesses against candidates (all secrets, if None) with these chances."""
    parts, largest = np.empty((2, len(guess_ids)), dtype=np.int32)
    kept, missing = np.empty((2, len(guess_ids)), dtype=np.float64)
    bits = _own_bits(chances)
    sums = np.zeros((3, game.n_scores), dtype=np.float64)
    row_bytes = len(chances) * np.dtype(game.score_dtype).itemsize
    stride = max(1, _BLOCK_BYTES // max(1, row_bytes))
    for at in range(0, len(guess_ids), stride):
        some = slice(at, at + stride)
        rows = game.score_rows(guess_ids[some], candidates)
        found = WeightedMeasures(parts[some], largest[some], kept[some], missing[some])
        _measure(rows, chances, bits, sums, found)
    return WeightedMeasures(parts, largest, kept, missing)


def _own_bits(chances: Chances) -> Chances:
    """``p * log2(p)`` of every chance; nothing for one that is nothing."""
    bits: Chances = chances * np.log2(np.where(chances > 0.0, chances, 1.0))
    return bits


@kernel
def _measure(
    rows: NDArray[Any],
    chances: Chances,
    bits: Chances,
    sums: NDArray[np.float64],
    measures: WeightedMeasures,
) -> None:
    """Sum row after row; read and clear only the counters that a row touched.

    A bucket of the chance P leaves ``log2(P) - sum(p * log2(p)) / P`` bits missing and is met with
    the chance P; a bucket of one leaves exactly nothing.
    """
    for guess in range(rows.shape[0]):
        row = rows[guess]
        for at in range(rows.shape[1]):
            score = row[at]
            sums[0, score] += chances[at]
            sums[1, score] += bits[at]
            sums[2, score] += 1.0
        found = 0
        most = 0.0
        kept = 0.0
        missing = 0.0
        for at in range(rows.shape[1]):
            score = row[at]
            size = sums[2, score]
            if size > 0.0:
                chance = sums[0, score]
                found += 1
                most = max(most, size)
                kept += chance * size
                if size > 1.0 and chance > 0.0:
                    missing += chance * math.log2(chance) - sums[1, score]
                sums[0, score] = 0.0
                sums[1, score] = 0.0
                sums[2, score] = 0.0
        measures.parts[guess] = found
        measures.largest[guess] = int(most)
        measures.kept[guess] = kept
        measures.missing[guess] = missing
