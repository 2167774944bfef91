"""Cores: small sets of candidates that cannot be solved within few guesses, and how to find them.

Where a set cannot be solved, neither can any set that contains it (docs/exact.md, lemma 7). So
every failure is boiled down to few candidates and kept, with the guesses that leave it undivided:
in any state that contains the core, those guesses need not be tried. It is the conflict learning of
SAT solvers (Marques-Silva and Sakallah, "GRASP", 1996): a core is the clause, its few candidates
the reason for the conflict, and a state is refuted once the clauses in it cover every guess. Which
of them to keep as reasons is a set cover, taken greedily.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.arrays import copy_into, returning
from ...machine.jit import kernel
from ...machine.vectors import bit_count, first_bit
from .score_table import apart
from .table_vectors import ALL, BLOCK_COLUMNS, Bits, Bytes, Rows, Scores, Sums, alike

#: Of more candidates than these only a part is looked at for a core with two guesses left.
_LARGEST_PART = 24


class Cores(NamedTuple):
    """All cores for one number of guesses left; core ``c`` is rows[start[c] : start[c + 1]]."""

    #: How many there are, in an array, so that kernels can raise it.
    total: Sums
    start: Sums
    rows: Rows
    #: For each core the guesses that leave it undivided.
    helpless: Bits


def new_cores(blocks: int, most: int, words: int) -> Cores:
    """Space for so many cores with so many words in all."""
    return Cores(
        np.zeros(1, dtype=np.int64),
        np.zeros(most + 1, dtype=np.int64),
        returning((words,), np.int32),
        returning((most, blocks), np.uint64),
    )


def enlarged(cores: Cores, more: int) -> Cores:
    """These cores in space for twice as many, and for ``more`` words at least."""
    most, words = len(cores.helpless), len(cores.rows)
    wider = new_cores(cores.helpless.shape[1], 2 * most, 2 * words + more)
    wider.total[0] = cores.total[0]
    wider.start[: most + 1] = cores.start
    wider.rows[:words] = cores.rows
    wider.helpless[:most] = cores.helpless
    return wider


def core_rows(cores: Cores, number: int) -> Rows:
    """The candidates of a core."""
    return cores.rows[cores.start[number] : cores.start[number + 1]]


@kernel
def has_space(cores: Cores, words: int) -> bool:
    """Whether a core of so many words can still be taken into the store."""
    number = cores.total[0]
    fits = cores.start[number] + words <= cores.rows.shape[0]
    return bool(fits and number < cores.helpless.shape[0])


@kernel
def add_core(cores: Cores, scores: Scores, members: Rows, count: int) -> int:
    """Take a core into the store, and work out which guesses leave it undivided; its number."""
    number = cores.total[0]
    start = cores.start[number]
    copy_into(cores.rows[start:], members[:count])
    cores.start[number + 1] = start + count
    for block in range(cores.helpless.shape[1]):
        word = ALL
        for k in range(1, count):
            word &= alike(scores, block, members[0], members[k])
        cores.helpless[number, block] = word
    cores.total[0] = number + 1
    return int(number)


@kernel(inner=True)
def is_inside(cores: Cores, number: int, inside: Bytes) -> bool:
    """Whether all candidates of a core are marked."""
    for k in range(cores.start[number], cores.start[number + 1]):
        if inside[cores.rows[k]] == 0:
            return False
    return True


@kernel
def core_inside(cores: Cores, inside: Bytes) -> int:
    """The first core whose candidates are all marked, or −1."""
    for number in range(cores.total[0]):
        if is_inside(cores, number, inside):
            return number
    return -1


@kernel
def gather(cores: Cores, inside: Bytes, covered: Bits, found: Rows) -> int:
    """Cover the guesses that leave some core among marked candidates undivided; how many cores.

    Lists those cores; how many they are.
    """
    count = 0
    for number in range(cores.total[0]):
        if is_inside(cores, number, inside):
            found[count] = number
            count += 1
            for block in range(covered.shape[0]):
                covered[block] |= cores.helpless[number, block]
    return count


@kernel
def choose(cores: Cores, found: Rows, count: int, union: Bytes, chosen: Rows) -> int:
    """Of some cores a few that together cover all guesses, with few candidates in their union.

    Greedy: the most guesses newly covered per candidate newly needed. Marks the union and lists
    the cores in ``chosen``; how many they are. A core's gain only ever falls, so most of them need
    not be looked at again.
    """
    blocks = cores.helpless.shape[1]
    covered = np.zeros(blocks, dtype=np.uint64)
    gain = np.full(count, BLOCK_COLUMNS * blocks, dtype=np.int64)
    picked = 0
    while True:
        best, best_rate = -1, 0.0
        for k in range(count):
            number = found[k]
            fresh = 0.2
            for at in range(cores.start[number], cores.start[number + 1]):
                fresh += 1 - union[cores.rows[at]]
            if gain[k] <= best_rate * fresh:
                continue
            total = 0
            for block in range(blocks):
                total += bit_count(cores.helpless[number, block] & ~covered[block])
            gain[k] = total
            if total > best_rate * fresh:
                best, best_rate = k, total / fresh
        if best < 0:
            return picked
        number = found[best]
        chosen[picked] = number
        picked += 1
        for at in range(cores.start[number], cores.start[number + 1]):
            union[cores.rows[at]] = 1
        for block in range(blocks):
            covered[block] |= cores.helpless[number, block]


@kernel
def core_of_two(scores: Scores, members: Rows, count: int, core: Rows) -> int:
    """Some members that no guess sets apart, if none sets all of them apart; how many.

    Members that few guesses tell apart come first: a core is worth the more, the more guesses
    leave it undivided. What is not needed is dropped in the end.
    """
    looked_at = min(count, _LARGEST_PART)
    while apart(scores, members, looked_at) >= 0:
        looked_at = min(count, 2 * looked_at)
    size = _grow(scores, members, looked_at, core)
    k = 0
    while k < size and size > 2:
        left_out = core[k]
        for at in range(k, size - 1):
            core[at] = core[at + 1]
        if apart(scores, core, size - 1) < 0:
            size -= 1
        else:
            for at in range(size - 1, k, -1):
                core[at] = core[at - 1]
            core[k] = left_out
            k += 1
    return size


@kernel(inner=True)
def _grow(scores: Scores, members: Rows, count: int, core: Rows) -> int:
    """Collect the members that are most alike until no guess sets them apart."""
    blocks = scores.shape[0]
    first, second = _most_alike(scores, members, count)
    used = np.zeros(count, dtype=np.uint8)
    used[first] = used[second] = 1
    core[0], core[1] = members[first], members[second]
    size = 2
    left = np.empty(blocks, dtype=np.uint64)
    for block in range(blocks):
        left[block] = alike(scores, block, core[0], core[1])
    while size < 3 or apart(scores, core, size) >= 0:
        best, most = -1, -1
        for k in range(count):
            if used[k] == 0:
                total = 0
                for block in range(blocks):
                    total += bit_count(left[block] & alike(scores, block, core[0], members[k]))
                if total > most:
                    best, most = k, total
        used[best] = 1
        core[size] = members[best]
        size += 1
        for block in range(blocks):
            left[block] &= alike(scores, block, core[0], members[best])
    return size


@kernel(inner=True)
def _most_alike(scores: Scores, members: Rows, count: int) -> tuple[int, int]:
    """The two members that the fewest guesses tell apart."""
    first, second, most = 0, 1, -1
    for k in range(1, count):
        for j in range(k):
            total = 0
            for block in range(scores.shape[0]):
                total += bit_count(alike(scores, block, members[k], members[j]))
            if total > most:
                first, second, most = j, k, total
    return first, second


# ---- Three guesses left: the kernel that the limit search rests on
#
# After the first guess every bucket must have a guess that sets it apart entirely. The first bucket
# that has none gives a core, and the core takes along all other guesses that leave it undivided; so
# a few dozen guesses stand for all of them.

#: What ``three_left`` may find.
SOLVED, FAILED, NO_SPACE = 1, 0, -1


@kernel
def three_left(
    scores: Scores,
    spread: int,
    members: Rows,
    twos: Cores,
    inside: Bytes,
    union: Bytes,
    found: Rows,
) -> tuple[int, int]:
    """With three guesses: (SOLVED, column to guess), (FAILED, number of ``twos``) or NO_SPACE.

    Scores are below ``spread``; ``inside`` marks the members. On failure ``found`` begins with the
    cores, and ``union`` marks their candidates.
    """
    blocks = scores.shape[0]
    covered = np.zeros(blocks, dtype=np.uint64)
    listed = np.empty(twos.helpless.shape[0], dtype=np.int32)
    count = gather(twos, inside, covered, listed)
    sorted_rows = np.empty(members.shape[0], dtype=np.int32)
    ends = np.empty(spread + 1, dtype=np.int64)
    core = np.empty(members.shape[0], dtype=np.int32)
    block = 0
    while True:
        while block < blocks and covered[block] == ALL:
            block += 1
        if block == blocks:
            return FAILED, choose(twos, listed, count, union, found)
        lane = first_bit(~covered[block])
        _sort_by_score(scores, block, lane, members, sorted_rows, ends)
        start, size = _stuck_bucket(scores, sorted_rows, ends)
        if size == 0:
            return SOLVED, block * BLOCK_COLUMNS + lane
        if not has_space(twos, size):
            return NO_SPACE, 0
        width = core_of_two(scores, sorted_rows[start : start + size], size, core)
        number = add_core(twos, scores, core, width)
        listed[count] = number
        count += 1
        for other in range(blocks):
            covered[other] |= twos.helpless[number, other]


@kernel(inner=True)
def _sort_by_score(
    scores: Scores, block: int, lane: int, members: Rows, sorted_rows: Rows, ends: Sums
) -> None:
    """Members by their score; those of score s end before ``ends[s]``."""
    ends[:] = 0
    for k in range(members.shape[0]):
        ends[np.int64(scores[block, members[k], lane]) + 1] += 1
    for score in range(ends.shape[0] - 1):
        ends[score + 1] += ends[score]
    for k in range(members.shape[0]):
        place = np.int64(scores[block, members[k], lane])
        sorted_rows[ends[place]] = members[k]
        ends[place] += 1


@kernel(inner=True)
def _stuck_bucket(scores: Scores, sorted_rows: Rows, ends: Sums) -> tuple[int, int]:
    """Where a bucket lies that no guess sets apart, the largest first, and its size; or (0, 0)."""
    above = sorted_rows.shape[0] + 1
    while True:
        size = 2
        for score in range(ends.shape[0] - 1):
            here = ends[score] - (ends[score - 1] if score > 0 else 0)
            if size < here < above:
                size = here
        if size == 2:
            return 0, 0
        for score in range(ends.shape[0] - 1):
            start = ends[score - 1] if score > 0 else 0
            if ends[score] - start == size and apart(scores, sorted_rows[start:], size) < 0:
                return start, size
        above = size
