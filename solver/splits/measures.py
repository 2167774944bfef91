"""How good splits are, by every measure at once: parts, largest bucket, squares, information.

Scores are counted into buckets, and each bucket is read once for all measures. The information is
Shannon's (1948), summed in fixed point so that equal splits have equal numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.jit import kernel
from .logarithms import Costs, Places, fixed_log_weights, information

#: From this many candidates on, sweeping over all counters is faster than visiting those in use.
_DENSE = 256


class Measures(NamedTuple):
    """What the splits of some guesses are worth, one entry a guess."""

    candidates: int
    parts: NDArray[np.int32]
    largest: NDArray[np.int32]
    #: The sum of the squared bucket sizes.
    squares: NDArray[np.int64]
    #: The sum of ``n * log2(n)`` over the buckets, as in ``fixed_log_weights``.
    weights: NDArray[np.int64]

    def entropy(self) -> NDArray[np.float64]:
        """The expected information in bits."""
        return np.asarray(information(self.weights, self.candidates)[0], dtype=np.float64)

    def remaining(self) -> NDArray[np.float64]:
        """The expected information that is still missing, in bits."""
        return np.asarray(information(self.weights, self.candidates)[1], dtype=np.float64)

    def expected_size(self) -> NDArray[np.float64]:
        """The mean number of candidates left."""
        return self.squares / self.candidates

    def eliminated(self) -> NDArray[np.float64]:
        """The mean share of the candidates that the score rules out."""
        return 1.0 - self.squares / self.candidates**2


def split_measures(rows: NDArray[Any], n_scores: int) -> Measures:
    """All measures of the splits in ``rows[guess, candidate]``, scores below ``n_scores``."""
    count, candidates = rows.shape
    if rows.dtype == np.uint8 and candidates >= _DENSE and _rows_are_words(rows):
        measures = empty_measures(count, candidates)
        # the row's padding is there, whatever it holds: a row is read eight scores at a time
        width = -(-candidates // 8) * 8
        words = np.lib.stride_tricks.as_strided(rows, (count, width), rows.strides).view(np.uint64)
        _measure_words(words, rows, fixed_log_weights(candidates), measures)
        return measures
    members = np.arange(candidates, dtype=np.uint32)
    return block_measures(rows, n_scores, members, np.array([0, candidates], dtype=np.uint32), 0)


def block_measures(
    rows: NDArray[Any], n_scores: int, members: Places, starts: Places, singles: int
) -> Measures:
    """All measures of the joint splits of candidates that are parted into blocks already.

    Block ``k`` is ``members[starts[k] : starts[k + 1]]``, columns of ``rows``. A candidate alone in
    its block is told apart by any guess: it is only one of ``singles``.
    """
    measures = empty_measures(len(rows), len(members) + singles)
    logs, counts = fixed_log_weights(measures.candidates), np.zeros(n_scores, dtype=np.uint32)
    _measure_blocks(rows, members, starts, singles, logs, counts, measures)
    return measures


def empty_measures(count: int, candidates: int) -> Measures:
    """Memory for the measures of the splits of so many guesses."""
    return Measures(
        candidates,
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )


def _rows_are_words(rows: NDArray[Any]) -> bool:
    """Whether rows begin and end at multiples of eight bytes, as ``aligned_rows`` makes them."""
    stride, step = rows.strides
    return step == 1 and stride % 8 == 0 and stride >= rows.shape[1] and rows.ctypes.data % 8 == 0


@kernel
def _measure_words(
    words: NDArray[np.uint64],
    rows: NDArray[np.uint8],
    log_weights: Costs,
    measures: Measures,
) -> None:
    """Measure long rows of bytes: one load for eight scores, four sets of counters.

    An increment waits for the last one of the same counter; with four sets, neighbours in a row
    never do. What remains is about one increment a cycle, and the counters are read in one sweep.
    """
    counts = np.zeros((4, 256), dtype=np.uint32)
    sizes = np.zeros(256, dtype=np.int64)
    byte = np.uint64(255)
    one = np.uint32(1)
    n = rows.shape[1]
    for guess in range(rows.shape[0]):
        row = words[guess]
        for at in range(n // 8):
            eight = row[at]
            counts[0, eight & byte] += one
            counts[1, eight >> np.uint64(8) & byte] += one
            counts[2, eight >> np.uint64(16) & byte] += one
            counts[3, eight >> np.uint64(24) & byte] += one
            counts[0, eight >> np.uint64(32) & byte] += one
            counts[1, eight >> np.uint64(40) & byte] += one
            counts[2, eight >> np.uint64(48) & byte] += one
            counts[3, eight >> np.uint64(56)] += one
        for at in range(n // 8 * 8, n):
            counts[0, rows[guess, at]] += one
        for score in range(256):
            sizes[score] = (
                np.int64(counts[0, score]) + counts[1, score] + counts[2, score] + counts[3, score]
            )
        counts[:] = 0
        found = 0
        most = 0
        square = 0
        weight = 0
        for score in range(256):
            size = sizes[score]
            if size:
                found += 1
                most = max(most, size)
                square += size * size
                weight += log_weights[size]
        measures.parts[guess] = found
        measures.largest[guess] = most
        measures.squares[guess] = square
        measures.weights[guess] = weight


@kernel
def _measure_blocks(
    rows: NDArray[Any],
    members: Places,
    starts: Places,
    singles: int,
    log_weights: Costs,
    counts: Places,
    measures: Measures,
) -> None:
    """Count block after block; read and clear only the counters that a block touched.

    Whether a score is new is anybody's guess, so there is no branch on it: each is written behind
    the ones that are there, and overwritten unless it was new. Half of all blocks are pairs.
    """
    seen = np.empty(counts.shape[0] + 1, dtype=np.uint32)
    for guess in range(rows.shape[0]):
        row = rows[guess]
        found = singles
        most = 1 if singles else 0
        square = singles
        weight = 0
        for block in range(starts.shape[0] - 1):
            begin = starts[block]
            end = starts[block + 1]
            if end - begin == 2:
                same = int(row[members[begin]] == row[members[begin + np.uint32(1)]])
                found += 2 - same
                most = max(most, 1 + same)
                square += 2 + 2 * same
                weight += same * log_weights[2]
                continue
            distinct = np.uint32(0)
            for at in range(begin, end):
                score = row[members[at]]
                seen[distinct] = score
                distinct += np.uint32(counts[score] == 0)
                counts[score] += np.uint32(1)
            found += int(np.int64(distinct))
            for at in range(distinct):
                size = int(np.int64(counts[seen[at]]))
                counts[seen[at]] = 0
                most = max(most, size)
                square += size * size
                weight += log_weights[size]
        measures.parts[guess] = found
        measures.largest[guess] = most
        measures.squares[guess] = square
        measures.weights[guess] = weight
