"""How many pairs are better than a given one, by a tree of letters instead of counting each.

One guess A after the other is fixed, and its partners B hang on a tree by their columns (see
``score_matrix``), the letter with most holders first. To A's *classes*, the buckets of its score, a
node of the tree adds the columns P that its partners have in common: those who have the letter
leave their classes for new ones. The joint weight W(A, P) then says about all partners B below:

1. W(A, B) <= W(A, P), because B splits the classes further. All of B's are better at once where
   this is, and the same holds of W(A, c) for each single column c of B.
2. W(A, B) >= W(A, P) - sum of (W(A) - W(A, c)) over the columns c of B that P lacks: what is known
   already leaves less for c to tell. The largest sum below a node, over the partners still
   wanted, decides whether any of them can be better.

So most partners are decided near the root, and where the walk goes on to the last column, only the
holders of one letter are counted. Both bounds are instances of the chain rule of entropy and of its
submodularity (Cover and Thomas, Elements of Information Theory, chapter 2; Fujishige 1978), and
leave room for rounding as in ``pairs``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..game.score_matrix import Letters, Scores, letter_shares, letters_in, place_sets, take_apart
from ..machine.arrays import Ids, copy_into
from ..machine.jit import kernel, noalloc
from ..splits.joint_splits import Blocks, sort_by_bucket
from ..splits.measures import Costs

# ---- The tree of partners, and the secrets that each column moves

Fours = NDArray[np.uint64]

#: Movers are loaded by fours.
_FOUR = 4


class Partners(NamedTuple):
    """The tree of all guesses as partners, each node before those below it; node 0 is the root."""

    columns: Ids
    levels: Ids
    parents: Ids
    #: The first node behind those below.
    ends: Ids
    #: Whether a guess ends here, and where each one does, in the order in which they are A.
    is_last: NDArray[np.bool_]
    places: Ids


class Movers(NamedTuple):
    """The secrets whose scores a column changes: a run for each value that it adds."""

    #: The runs of column ``c`` are ``first[c]`` to ``first[c + 1] - 1``.
    first: Ids
    #: Where each run begins in ``fours``, and where the last one ends.
    starts: Ids
    #: Secrets, four to an entry; a run is filled up with the place behind the last secret.
    fours: Fours


def partners_of(guesses: Letters, secrets: Letters, dtype: Any) -> tuple[Partners, Movers]:
    """The tree of guesses as partners, in the order in which they are A, and its movers.

    Words are numbers of letters; ``dtype`` is that of their scores.
    """
    terms, _, letter, places = take_apart(guesses)
    sets = place_sets(secrets, letters_in(guesses, secrets))
    order = _tree_order(terms, np.count_nonzero(sets, axis=1)[letter])
    shares = letter_shares(guesses.shape[1], dtype)[places]
    return _partners(terms, order), _movers(letter, sets, shares)


def _tree_order(terms: Ids, holders: NDArray[Any]) -> Ids:
    """The order of guesses on a tree of their letters; terms of each sorted, most holders first."""
    most_first = -holders.astype(np.int64)
    most_first[0] = 1  # nobody's column is the last of all
    rank = np.empty(len(holders), dtype=np.int32)
    rank[np.argsort(most_first, kind="stable")] = np.arange(len(holders))
    terms[:] = np.take_along_axis(terms, np.argsort(rank[terms], axis=1, kind="stable"), axis=1)
    levels = rank[terms][:, : max(1, terms.shape[1] - 1)]  # no guess shares its last one
    return np.lexsort(levels.T[::-1]).astype(np.int32)


def _partners(terms: Ids, order: Ids) -> Partners:
    """The tree: guesses in their order share the nodes of the columns in which they begin alike."""
    columns, levels, parents, path = [0], [0], [0], [0]
    places = np.zeros(len(order), dtype=np.int32)
    for guess in order.tolist():
        mine = [column for column in terms[guess].tolist() if column]
        level = 0
        while level + 1 < len(path) and mine[level] == columns[path[level + 1]]:
            level += 1
        del path[level + 1 :]
        for column in mine[level:]:
            columns.append(column)
            levels.append(len(path))
            parents.append(path[-1])
            path.append(len(columns) - 1)
        places[guess] = path[-1]
    ends = np.arange(1, len(columns) + 1, dtype=np.int32)
    for node in range(len(columns) - 1, 0, -1):
        ends[parents[node]] = max(ends[parents[node]], ends[node])
    is_last = np.zeros(len(columns), dtype=np.bool_)
    is_last[places] = True
    return Partners(
        np.array(columns, dtype=np.int32),
        np.array(levels, dtype=np.int32),
        np.array(parents, dtype=np.int32),
        ends,
        is_last,
        places,
    )


def _movers(letter: Ids, sets: Ids, shares: NDArray[Any]) -> Movers:
    """The runs of all columns; ``shares[column, places]`` is what is added."""
    first, starts, runs = [0, 0], [0], []
    nobody = sets.shape[1]
    for column in range(1, len(letter)):
        added = shares[column][sets[letter[column]]]
        for value in np.unique(added[added > 0]):
            run = np.flatnonzero(added == value)
            runs.append(np.append(run, np.full(-len(run) % _FOUR, nobody)).astype(np.uint16))
            starts.append(starts[-1] + len(runs[-1]) // _FOUR)
        first.append(len(runs))
    fours = np.concatenate([*runs, np.zeros(0, dtype=np.uint16)]).view(np.uint64)
    return Movers(np.array(first, dtype=np.int32), np.array(starts, dtype=np.int32), fours)


@kernel
def want_all_partners(partners: Partners, wanted: Ids) -> None:
    """Want every guess as a partner of A."""
    for place in partners.places:
        want_partners(place, 1, partners, wanted)


@kernel(inner=True)
def want_partners(node: int, more: int, partners: Partners, wanted: Ids) -> None:
    """Add to the number of partners that are wanted at a node and at all above it."""
    while node:
        wanted[node] += more
        node = int(partners.parents[node])


# ---- The walk through the tree

Labels = NDArray[np.uint16]

#: Secrets alone in their classes need no counting: they share the first labels, which are not
#: looked at. There are several, because an increment waits for the last one of the same counter.
_ALONE = 16
#: Labels of classes are two bytes.
_LABELS = 1 << 16


class Walk(NamedTuple):
    """What the walk through the tree works with, level by level: classes by A and the columns."""

    #: The class of each secret.
    labels: Labels
    #: The size of each class, and how many labels are in use.
    sizes: Labels
    used: NDArray[np.int64]
    #: W(A, P).
    weights: Costs
    #: Scratch: how many of each class are in each run, are left, where the members of a run go.
    counts: Labels
    left: Labels
    names: Labels


class Standings(NamedTuple):
    """Which partners may still be better together with A, and how many are known to be."""

    #: How many partners below each node are still wanted, and the most that their columns tell.
    wanted: Ids
    most: Costs
    #: W(A) - W(A, c) of each column.
    gains: Costs
    #: Partners from the first to before the second may be wanted.
    reach: NDArray[np.int64]
    #: Pairs evaluated, pairs found within the limit, the limit.
    tally: Costs


class PairTree(NamedTuple):
    """The partners on their tree, and all that counting them takes."""

    #: Memory for A's row of scores, and for its buckets.
    row: Scores
    blocks: Blocks
    partners: Partners
    movers: Movers
    walk: Walk
    standings: Standings


def tree_counts(length: int, secrets: int) -> bool:
    """Whether pairs of words of a length can be counted here; codes without letters cannot."""
    return length > 0 and _labels(length, secrets) < _LABELS


def pair_tree(
    guesses: Letters, hidden: Letters, row: Scores, blocks: Blocks, tally: Costs
) -> PairTree:
    """The tree of the guesses as partners, in the order in which they are A; words as numbers.

    ``row`` and ``blocks`` are memory for a row of scores and its partition; the tally goes on.
    """
    partners, movers = partners_of(guesses, hidden, row.dtype)
    secrets, length = hidden.shape
    labels = _labels(length, secrets)
    levels, runs = int(partners.levels.max()) + 1, int(np.diff(movers.first).max())
    walk = Walk(
        np.zeros((levels, secrets + 1), dtype=np.uint16),
        np.zeros((levels, labels), dtype=np.uint16),
        np.zeros(levels, dtype=np.int64),
        np.zeros(levels, dtype=np.int64),
        np.zeros((runs, labels), dtype=np.uint16),
        *np.zeros((2, labels), dtype=np.uint16),
    )
    wanted = np.zeros(len(partners.columns), dtype=np.int32)
    want_all_partners(partners, wanted)
    standings = Standings(
        wanted,
        np.zeros(len(wanted), dtype=np.int64),
        np.zeros(len(movers.first) - 1, dtype=np.int64),
        np.array([0, len(guesses)], dtype=np.int64),
        tally,
    )
    return PairTree(row, blocks, partners, movers, walk, standings)


def _labels(length: int, secrets: int) -> int:
    """Labels enough: a new class has two secrets, and each column moves a secret once."""
    return _ALONE + (length + 1) * secrets // 2 + 1


@kernel
def count_pairs(
    first: int,
    last: int,
    scores: Scores,
    rows: Ids,
    weights: Costs,
    log_weights: Costs,
    tree: PairTree,
    slack: int,
) -> bool:
    """Count the pairs (A, B) within the limit, for A in first..last; True if no later A has one."""
    row, blocks, partners, movers, walk, standings = tree
    reach, limit = standings.reach, standings.tally[2]
    whole = log_weights[log_weights.shape[0] - 1]
    for a in range(first, last):
        while reach[0] <= a:
            want_partners(partners.places[reach[0]], -1, partners, standings.wanted)
            reach[0] += 1
        while reach[1] > a + 1 and weights[a] + weights[reach[1] - 1] - whole > limit + slack:
            reach[1] -= 1  # W(A, B) >= W(A) + W(B) - whole, and later As have larger weights
            want_partners(partners.places[reach[1]], -1, partners, standings.wanted)
        if reach[1] <= a + 1:
            return True
        if weights[a] + slack <= limit:
            standings.tally[1] += reach[1] - a - 1
            continue
        copy_into(row, scores[rows[a]])
        _begin(row, weights[a], blocks, walk)
        _gain(movers, walk, log_weights, standings.gains)
        _sum_gains(partners, standings)
        _walk(tree, slack, log_weights)
    return False


@kernel(inner=True)
def _begin(row: Scores, weight: int, blocks: Blocks, walk: Walk) -> None:
    """Fill in the classes by A alone, where the walk begins."""
    labels, sizes = walk.labels[0], walk.sizes[0]
    for secret in range(labels.shape[0]):
        labels[secret] = secret % _ALONE
    classes = sort_by_bucket(row, blocks)
    for block in range(classes):
        begin, end = blocks.starts[block], blocks.starts[block + 1]
        sizes[_ALONE + block] = end - begin
        for at in range(begin, end):
            labels[blocks.members[at]] = _ALONE + block
    walk.used[0] = _ALONE + classes
    walk.weights[0] = weight


@kernel(inner=True)
def _gain(movers: Movers, walk: Walk, log_weights: Costs, gains: Costs) -> None:
    """What every single column tells once A is known."""
    for column in range(1, gains.shape[0]):
        runs = _count(0, column, movers, walk)
        gains[column] = walk.weights[0] - _weigh(0, runs, walk, log_weights)
        _forget(0, runs, walk)


@kernel(inner=True)
def _sum_gains(partners: Partners, standings: Standings) -> None:
    """The largest sum of gains below each node, over the partners wanted."""
    columns, parents = partners.columns, partners.parents
    wanted, most, gains = standings.wanted, standings.most, standings.gains
    most[:] = 0
    for node in range(columns.shape[0] - 1, 0, -1):
        if wanted[node]:
            above = parents[node]
            most[above] = max(most[above], most[node] + gains[columns[node]])


@kernel(inner=True)
def _walk(tree: PairTree, slack: int, log_weights: Costs) -> None:
    """Walk down the tree and count A's partners within the limit."""
    _, _, partners, movers, walk, standings = tree
    wanted, most, gains, tally = standings.wanted, standings.most, standings.gains, standings.tally
    limit = tally[2]
    alone = walk.weights[0]
    node = 1
    while node < partners.columns.shape[0]:
        column, level = partners.columns[node], partners.levels[node] - 1
        begun = walk.weights[level]
        if not wanted[node] or begun - gains[column] - most[node] > limit + slack:
            node = partners.ends[node]  # 2.
            continue
        if alone - gains[column] + slack <= limit:
            tally[1] += wanted[node]  # 1.
            node = partners.ends[node]
            continue
        runs = _count(level, column, movers, walk)
        weight = _weigh(level, runs, walk, log_weights)
        is_last = partners.is_last[node]
        better = weight <= limit if is_last else weight + slack <= limit
        tally[0] += is_last
        if is_last or better or weight - most[node] > limit + slack:
            tally[1] += wanted[node] if better else 0
            _forget(level, runs, walk)
            node = partners.ends[node]
            continue
        _split_classes(level, column, runs, movers, walk)
        _forget(level, runs, walk)
        walk.weights[level + 1] = weight
        node += 1


@noalloc(inner=True)
def _count(level: int, column: int, movers: Movers, walk: Walk) -> int:
    """Count how many of each class are in each run of a column; returns the number of runs."""
    labels = walk.labels[level]
    first = movers.first[column]
    runs = movers.first[column + 1] - first
    for run in range(runs):
        fours = movers.fours[movers.starts[first + run] : movers.starts[first + run + 1]]
        _count_run(fours, labels, walk.counts[run])
    return int(runs)


@noalloc(inner=True)
def _count_run(fours: Fours, labels: Labels, counts: Labels) -> None:
    """Count the members of one run by their classes."""
    one, place = np.uint16(1), np.uint64(0xFFFF)
    for four in fours:
        a = np.uint64(labels[four & place])
        b = np.uint64(labels[four >> np.uint64(16) & place])
        c = np.uint64(labels[four >> np.uint64(32) & place])
        d = np.uint64(labels[four >> np.uint64(48)])
        counts[a] += one
        counts[b] += one
        counts[c] += one
        counts[d] += one


@noalloc(inner=True)
def _weigh(level: int, runs: int, walk: Walk, log_weights: Costs) -> int:
    """The joint weight once the members of the runs have left; ``left`` is who has not."""
    used = walk.used[level]
    sizes, left = walk.sizes[level][_ALONE:used], walk.left[_ALONE:used]
    weight = 0
    if runs == 2:  # green and yellow, almost always
        green, yellow = walk.counts[0][_ALONE:used], walk.counts[1][_ALONE:used]
        for label in range(sizes.shape[0]):
            others = sizes[label] - green[label] - yellow[label]
            left[label] = others
            weight += log_weights[green[label]] + log_weights[yellow[label]] + log_weights[others]
        return weight
    for label in range(sizes.shape[0]):
        left[label] = sizes[label]
    for run in range(runs):
        counts = walk.counts[run][_ALONE:used]
        for label in range(sizes.shape[0]):
            left[label] -= counts[label]
            weight += log_weights[counts[label]]
    for label in range(sizes.shape[0]):
        weight += log_weights[left[label]]
    return weight


@noalloc(inner=True)
def _split_classes(level: int, column: int, runs: int, movers: Movers, walk: Walk) -> None:
    """The classes of the next level: the members of each run leave theirs for new ones."""
    labels, after = walk.labels[level], walk.labels[level + 1]
    used, sizes, names = walk.used[level], walk.sizes[level + 1], walk.names
    copy_into(after, labels)
    copy_into(sizes, walk.left[:used])
    for label in range(_ALONE):
        names[label] = label
    new_names, fresh = names[_ALONE:used], np.uint64(used)
    for run in range(runs):
        counts = walk.counts[run][_ALONE:used]
        for label in range(counts.shape[0]):
            several = np.uint64(counts[label] > 1)
            new_names[label] = fresh if several else np.uint64(label) % np.uint64(_ALONE)
            sizes[fresh] = counts[label]
            fresh += several
        first = movers.first[column] + run
        _move(movers.fours[movers.starts[first] : movers.starts[first + 1]], labels, names, after)
    walk.used[level + 1] = np.int64(fresh)


@noalloc(inner=True)
def _move(fours: Fours, labels: Labels, names: Labels, after: Labels) -> None:
    """Name the new classes of the members of a run."""
    place = np.uint64(0xFFFF)
    for four in fours:
        for shift in range(0, 64, 16):
            secret = four >> np.uint64(shift) & place
            after[secret] = names[np.uint64(labels[secret])]


@noalloc(inner=True)
def _forget(level: int, runs: int, walk: Walk) -> None:
    """Zero the counters of a column's runs."""
    for run in range(runs):
        counts = walk.counts[run][: walk.used[level]]
        for label in range(counts.shape[0]):
            counts[label] = 0
