"""What a further guess adds to a partition of the secrets: joint splits.

The words guessed so far part the secrets into *blocks*; another guess parts each block by its
score. The joint split of all the words is what can be told apart. Blocks are kept as the secrets in
a row, block after block, the largest first: what spoils a joint split is seen early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .jit import kernel
from .rules import Costs, Measures, fixed_log_weights

Ids = NDArray[np.int32]
#: Positions and counters inside kernels: an unsigned index needs no test for being negative.
Places = NDArray[np.uint32]
Scores = NDArray[Any]

#: Up to this many scores, the counters of a big block are cleared all at once.
_CLEAR_ALL = 1024


@dataclass(frozen=True, eq=False)
class Partition:
    """The secrets, block after block, the largest block first; blocks of one are left out.

    A secret alone in its block cannot be split and weighs nothing, so nothing counts it but
    ``singles``.
    """

    #: Positions of the secrets.
    members: Places
    #: Where each block begins in ``members``, and where the last one ends.
    starts: Places
    #: Secrets that are alone in their blocks.
    singles: int

    @property
    def candidates(self) -> int:
        """All secrets, also those alone."""
        return len(self.members) + self.singles


def partition_by(rows: Sequence[Scores], candidates: Ids | None = None) -> Partition:
    """The candidates (all, if None) parted by the score rows of the words guessed so far."""
    count = len(rows[0]) if candidates is None else len(candidates)
    labels = np.zeros(count, dtype=np.int64)
    for row in rows:
        scores = row if candidates is None else row[candidates]
        _, labels = np.unique(labels * (int(row.max()) + 1) + scores, return_inverse=True)
    sizes = np.bincount(labels)
    # stable: equal blocks in the order of their scores, secrets in alphabetical order
    order = np.lexsort((np.arange(count), labels, -sizes[labels]))
    kept = order[sizes[labels[order]] > 1]
    inside = labels[kept]
    cuts = np.flatnonzero(np.diff(inside)) + 1 if len(kept) else np.empty(0, dtype=np.int64)
    members = kept if candidates is None else candidates[kept]
    starts = np.concatenate(([0], cuts, [len(kept)] if len(kept) else []))
    return Partition(members.astype(np.uint32), starts.astype(np.uint32), count - len(kept))


def joint_measures(scores: Scores, partition: Partition, n_scores: int) -> Measures:
    """The measures of the joint split for every guess in ``scores[guess, secret]``."""
    count, n = len(scores), partition.candidates
    measures = Measures(
        n,
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int32),
        np.empty(count, dtype=np.int64),
        np.empty(count, dtype=np.int64),
    )
    _measure_joint(
        scores,
        partition.members,
        partition.starts,
        partition.singles,
        fixed_log_weights(n),
        np.zeros(n_scores, dtype=np.uint32),
        *measures[1:],
    )
    return measures


@kernel
def _measure_joint(
    scores: Scores,
    members: Places,
    starts: Places,
    singles: int,
    log_weights: Costs,
    counts: Places,
    parts: Ids,
    largest: Ids,
    squares: Costs,
    weights: Costs,
) -> None:
    """Count block after block; read and clear only the counters that a block touched."""
    for guess in range(scores.shape[0]):
        row = scores[guess]
        found = singles
        most = 1 if singles else 0
        square = singles
        weight = 0
        for block in range(starts.shape[0] - 1):
            begin = starts[block]
            end = starts[block + 1]
            for at in range(begin, end):
                counts[row[members[at]]] += np.uint32(1)
            for at in range(begin, end):
                size = int(np.int64(counts[row[members[at]]]))
                if size:
                    counts[row[members[at]]] = 0
                    found += 1
                    most = max(most, size)
                    square += size * size
                    weight += log_weights[size]
        parts[guess] = found
        largest[guess] = most
        squares[guess] = square
        weights[guess] = weight


@kernel
def sort_by_bucket(
    row: Scores, sizes: Places, by_size: Places, where: Places, members: Places, starts: Places
) -> int:
    """``Partition`` of all secrets by one row, into given arrays; returns the number of blocks.

    ``sizes`` and ``where`` have an entry a score; ``by_size`` and ``members`` an entry a secret and
    one more, ``starts`` two more.
    """
    one = np.uint32(1)
    sizes[:] = 0
    by_size[:] = 0
    for score in row:
        sizes[score] += one
    largest = 0
    for score in range(sizes.shape[0]):
        size = sizes[score]
        by_size[size] += one
        largest = max(largest, int(size))
    blocks = 0
    for big in range(largest, 1, -1):  # from counts of sizes to the first block of each size
        same = int(by_size[big])
        by_size[big] = blocks
        blocks += same
    for score in range(sizes.shape[0]):
        size = sizes[score]
        if size > 1:
            block = by_size[size]
            by_size[size] += one
            where[score] = block
            starts[block + one] = size
    starts[0] = 0
    for block in range(blocks):
        starts[block + 1] += starts[block]
    for score in range(sizes.shape[0]):
        if sizes[score] > 1:
            where[score] = starts[where[score]]
    for secret in range(row.shape[0]):
        score = row[secret]
        if sizes[score] > 1:
            members[where[score]] = secret
            where[score] += one
    return int(blocks)


@kernel
def joint_weight(
    row: Scores,
    members: Places,
    starts: Places,
    blocks: int,
    steps: Costs,
    counts: Places,
    limit: int,
) -> int:
    """The joint weight of a row and a partition, or anything above ``limit`` once it is above.

    A bucket growing from k to k + 1 adds ``steps[k]``, never less than nothing, so a weight above
    the limit stays above.
    """
    weight = 0
    n_scores = counts.shape[0]
    for block in range(blocks):
        begin = starts[block]
        end = starts[block + 1]
        if end - begin == 2:
            if row[members[begin]] == row[members[begin + 1]]:
                weight += steps[1]
            continue
        for at in range(begin, end):
            score = row[members[at]]
            size = counts[score]
            weight += steps[size]
            counts[score] = size + np.uint32(1)
        if end - begin > n_scores >> 4 and n_scores <= _CLEAR_ALL:
            counts[:] = 0
        else:
            for at in range(begin, end):
                counts[row[members[at]]] = 0
        if weight > limit:
            break
    return weight
