"""What a further guess adds to a partition of the secrets: joint splits.

The words guessed so far split the secrets into *blocks*; another guess splits each block by its
score. The joint split is what all the words separate together. Blocks are kept as the secrets in a
row, block after block, the largest first: what spoils a joint split is seen early.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ..game.score_matrix import Scores
from ..machine.arrays import Ids
from ..machine.jit import noalloc
from .measures import Costs, Measures, Places, block_measures, fixed_log_weights

#: Up to this many scores, the counters of a big block are cleared all at once.
_CLEAR_ALL = 1024
#: Where counting a joint split may end early: segment ``k`` begins behind the block that reaches so
#: many parts of the secrets.
_PARTS, _CUTS = 16, (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14)
SEGMENTS = len(_CUTS)


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
    """The candidates (all, if None) as split jointly by the score rows of the words guessed."""
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
    members, starts, singles = partition.members, partition.starts, partition.singles
    return block_measures(scores, n_scores, members, starts, singles)


class Blocks(NamedTuple):
    """Memory for a ``Partition`` of all secrets by one row, which kernels make again and again."""

    #: An entry a score: the size of its bucket, and where its next member goes, of the first half
    #: of the secrets and of the second.
    sizes: Places
    where: Places
    later: Places
    #: How many blocks have a size.
    by_size: Places
    #: As in ``Partition``, with places to spare.
    members: Places
    starts: Places
    #: Segments of blocks: the first block of each, and where the last one ends.
    cuts: Places


def memory_for_blocks(n_scores: int, secrets: int) -> Blocks:
    """Memory for joint splits: a partition of so many secrets by a row of such scores."""
    sizes = (*(n_scores,) * 3, secrets + 1, secrets + 1, secrets + 2, SEGMENTS + 1)
    return Blocks(*(np.zeros(size, dtype=np.uint32) for size in sizes))


def one_block(secrets: int) -> Blocks:
    """All secrets together, before any split: the partition by no guess at all."""
    blocks = memory_for_blocks(0, secrets)
    blocks.members[:secrets] = np.arange(secrets)
    blocks.starts[1] = secrets
    blocks.cuts[1:] = 1
    return blocks


@noalloc
def sort_by_bucket(row: Scores, blocks: Blocks) -> int:
    """Split all secrets by one row, for joint splits; returns the number of blocks.

    Both halves of the secrets are gone through at the same time: where one score follows on
    another of the same, its counter is waited for. Those alone go behind the last block.
    """
    sizes, where, later, by_size, members, starts, _ = blocks
    one = np.uint32(1)
    half = row.shape[0] // 2
    by_size[:] = 0
    _count_halves(row, blocks)
    largest = 0
    for score in range(sizes.shape[0]):
        size = sizes[score]
        by_size[size] += one
        largest = max(largest, int(size))
    count = 0
    for big in range(largest, 1, -1):  # from counts of sizes to the first block of each size
        same = int(by_size[big])
        by_size[big] = count
        count += same
    for score in range(sizes.shape[0]):
        size = sizes[score]
        if size > 1:
            block = by_size[size]
            by_size[size] += one
            where[score] = block
            starts[block + one] = size
    starts[0] = 0
    for block in range(count):
        starts[block + 1] += starts[block]
    alone = starts[count]
    for score in range(sizes.shape[0]):
        if sizes[score] > 1:
            where[score] = starts[where[score]]
        else:
            where[score] = alone
            alone += sizes[score]
        later[score] += where[score]
    for secret in range(half):
        score, other = row[secret], row[half + secret]
        members[where[score]] = secret
        where[score] += one
        members[later[other]] = half + secret
        later[other] += one
    if 2 * half < row.shape[0]:
        members[later[row[2 * half]]] = 2 * half
    _cut(count, blocks)
    return int(count)


@noalloc(inner=True)
def _count_halves(row: Scores, blocks: Blocks) -> None:
    """Fill in the sizes of the buckets, and in ``where`` and ``later`` those of the first half."""
    sizes, where, later = blocks.sizes, blocks.where, blocks.later
    one = np.uint32(1)
    half = row.shape[0] // 2
    sizes[:] = 0
    where[:] = 0
    for secret in range(half):
        where[row[secret]] += one
        sizes[row[half + secret]] += one
    if 2 * half < row.shape[0]:
        sizes[row[2 * half]] += one
    for score in range(sizes.shape[0]):
        later[score] = where[score]
        sizes[score] += where[score]


@noalloc(inner=True)
def _cut(count: int, blocks: Blocks) -> None:
    """Fill in where the segments begin."""
    starts, cuts = blocks.starts, blocks.cuts
    whole = int(starts[count])
    cuts[:] = count
    cuts[0] = 0
    segment = 1
    for block in range(count):
        while segment < SEGMENTS and _PARTS * int(starts[block + 1]) >= _CUTS[segment] * whole:
            cuts[segment] = block + 1
            segment += 1


class Counting(NamedTuple):
    """What counting a joint split takes: logarithms as ``fixed_log_weights``, and counters."""

    log_weights: Costs
    #: What a bucket's growing from k to k + 1 adds.
    steps: Costs
    #: A counter a score, zero before and after.
    counts: Places
    #: The row that is counted. Copied whole it is in the cache before it is read here and there;
    #: and kernels are compiled for the one kind of row that it is.
    row: Scores
    #: The weights of the blocks from each segment on.
    rest: Costs


def counting_for(n_scores: int, secrets: int, dtype: Any) -> Counting:
    """The logarithms and counters to count joint splits of so many secrets and scores."""
    counts = np.zeros(n_scores, dtype=np.uint32)
    row = np.zeros(secrets, dtype=dtype)
    rest = np.zeros(SEGMENTS + 1, dtype=np.int64)
    log_weights = fixed_log_weights(secrets)
    return Counting(log_weights, np.diff(log_weights), counts, row, rest)


@noalloc
def weights_of_rest(blocks: Blocks, log_weights: Costs, rest: Costs) -> None:
    """Of a joint split, for each segment of its blocks the weight of it and of all after it."""
    weight = 0
    for segment in range(SEGMENTS, 0, -1):
        rest[segment] = weight
        for block in range(blocks.cuts[segment - 1], blocks.cuts[segment]):
            weight += log_weights[blocks.starts[block + 1] - blocks.starts[block]]
    rest[0] = weight


@noalloc(inner=True, inline=True)
def segment_weight(blocks: Blocks, counting: Counting, segment: int) -> int:
    """Of a joint split, the weight of the row that is counted and the blocks of a segment."""
    members, starts, cuts = blocks.members, blocks.starts, blocks.cuts
    row, steps, counts = counting.row, counting.steps, counting.counts
    weight = 0
    n_scores = counts.shape[0]
    for block in range(cuts[segment], cuts[segment + 1]):
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
    return weight
