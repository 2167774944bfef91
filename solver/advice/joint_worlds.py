"""Kernels: all that several boards may hide, kinds of guesses, and memory to search them.

``boards`` says what a world is; ``joint_search`` looks through them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..machine.arrays import Ids
from ..machine.forms import record
from ..machine.jit import kernel, noalloc

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

#: With more worlds, or more different candidates, nothing is searched.
MOST_WORLDS, MOST_CANDIDATES = 1_000, 64
#: Work before a state is given up: scores looked at, and so many for each part made.
EFFORT = 2_500_000
TRIED = 1_000
#: Values that are remembered at most: each has taken the effort of a part at least.
_KEPT, _SLOTS = EFFORT // TRIED + 1, 1 << 13
#: Sums of so many are taken in one piece.
_PIECE = 128


@record
class JointBoards(NamedTuple):
    """The candidates of all open boards side by side, as places among all candidates."""

    #: Where each board begins, and where the last one ends.
    starts: Ids
    members: Ids
    #: How likely each candidate is on its board.
    chances: Numbers


@record
class Worlds(NamedTuple):
    """What may be hidden, a row for each world: the secret of every board."""

    #: As a place on its board, and as a place among all candidates.
    places: Ids
    secrets: Ids
    chances: Numbers


@record
class GuessKinds(NamedTuple):
    """Guesses that split the candidates alike and are no candidates are of one kind."""

    kind_of: Ids
    #: The candidate that a kind solves, or -1.
    solves: Ids
    #: For each candidate of each board the first one of this board that has the same score.
    labels: NDArray[np.uint8]
    #: The kind that solves a candidate, or -1; and their order where several are certain.
    solving: Ids
    order: Ids


@record
class JointMemory(NamedTuple):
    """Memory for a search, and what it has found out."""

    #: The effort that is left, and how many values are remembered.
    counts: Counts
    frames: Counts
    numbers: Numbers
    #: Worlds, part after part, and for each part where it begins, its size, the boards open after
    #: it, and its share.
    worlds: Ids
    parts: Ids
    still: Counts
    shares: Numbers
    #: Kinds to be tried, with their bounds.
    kinds: Ids
    bounds: Numbers
    #: Remembered values: their numbers in a table of slots, the worlds as bits, the boards open.
    slots: Ids
    bits: NDArray[np.uint64]
    open: Counts
    values: Numbers
    #: For counting, and for sums.
    tally: Ids
    keys: Ids
    number_of_parts: Ids
    hits: Numbers
    row: Numbers
    sums: Numbers
    sizes: Counts


@record
class JointSearch(NamedTuple):
    """All that a search works with."""

    boards: JointBoards
    worlds: Worlds
    kinds: GuessKinds
    memory: JointMemory
    n_worlds: int
    n_kinds: int
    #: Whether no two boards hide the same.
    apart: bool


# ---- What there is: worlds, and kinds of guesses


@kernel
def list_worlds(boards: JointBoards, worlds: Worlds, sums: Numbers) -> tuple[int, bool]:
    """Write all worlds in which no two boards hide the same, or all; how many, and which."""
    count, n_boards = 1, len(boards.starts) - 1
    for board in range(n_boards):
        count *= int(boards.starts[board + 1] - boards.starts[board])
    apart = False
    place, secret = np.zeros((2, n_boards), dtype=np.int32)
    for number in range(count):
        _world(boards, number, place, secret)
        apart |= _are_apart(secret)
    found = 0
    for number in range(count):
        _world(boards, number, place, secret)
        if apart and not _are_apart(secret):
            continue
        chance = 1.0
        for board in range(n_boards):
            worlds.places[found, board] = place[board]
            worlds.secrets[found, board] = secret[board]
            chance *= boards.chances[boards.starts[board] + place[board]]
        worlds.chances[found] = chance
        found += 1
    sizes = np.zeros(16, dtype=np.int64)
    whole = sum_of(worlds.chances, found, sums, sizes)
    for world in range(found):
        worlds.chances[world] /= whole
    return found, apart


@noalloc(inner=True)
def _world(boards: JointBoards, number: int, place: Ids, secret: Ids) -> None:
    """A world by its number: the last board changes first."""
    for board in range(len(place) - 1, -1, -1):
        begin = int(boards.starts[board])
        size = int(boards.starts[board + 1]) - begin
        place[board] = number % size
        secret[board] = boards.members[begin + number % size]
        number //= size


@noalloc(inner=True)
def _are_apart(secret: Ids) -> bool:
    apart = True
    for one in range(len(secret)):
        for other in range(one):
            apart &= secret[one] != secret[other]
    return apart


@kernel
def sort_guesses(
    scores: NDArray[np.unsignedinteger], solved: int, n_scores: int, boards: JointBoards,
    kinds: GuessKinds,
) -> int:  # fmt: skip
    """Put guesses into kinds by their scores with all candidates; how many kinds there are.

    Kinds are in the order of their first guesses.
    """
    n_guesses, n_candidates = scores.shape
    seen, first = np.zeros((2, n_scores), dtype=np.int32)
    labels = np.zeros((n_guesses, n_candidates + 1), dtype=np.uint8)
    slots = np.full(2 * n_guesses + 1, -1, dtype=np.int32)
    kinds.solving[:] = -1
    found = 0
    for guess in range(n_guesses):
        row = labels[found]
        row[n_candidates] = n_candidates
        mixed = 0
        for at in range(n_candidates):
            score = int(scores[guess, at])
            if seen[score] != guess + 1:
                seen[score], first[score] = guess + 1, at
            row[at] = first[score]
            if score == solved and row[n_candidates] == n_candidates:
                row[n_candidates] = at
            mixed = (mixed ^ int(row[at])) * 0x5851F5 & 0xFFFFFFFFFF
            mixed ^= mixed >> 19
        slot = (mixed ^ int(row[n_candidates])) % len(slots)
        while slots[slot] >= 0 and _compare(labels[slots[slot]], row) != 0:
            slot = (slot + 1) % len(slots)
        if slots[slot] < 0:
            slots[slot] = found
            kinds.solves[found] = int(row[n_candidates]) if row[n_candidates] < n_candidates else -1
            if row[n_candidates] < n_candidates:
                kinds.solving[row[n_candidates]] = found
            found += 1
        kinds.kind_of[guess] = slots[slot]
    _label_boards(labels, boards, kinds, found)
    _order_solving(labels, kinds)
    return found


@noalloc(inner=True)
def _compare(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> int:
    """Which of two rows comes first: below 0, or above, or 0 if they are the same."""
    for at in range(len(one)):
        if one[at] != other[at]:
            return -1 if one[at] < other[at] else 1
    return 0


@kernel(inner=True)
def _label_boards(
    labels: NDArray[np.uint8], boards: JointBoards, kinds: GuessKinds, count: int
) -> None:
    """For each board the first of its own candidates that has the same score as another."""
    first = np.zeros(labels.shape[1], dtype=np.int32)
    for kind in range(count):
        for board in range(len(boards.starts) - 1):
            begin, end = int(boards.starts[board]), int(boards.starts[board + 1])
            first[:] = -1
            for at in range(begin, end):
                label = labels[kind, boards.members[at]]
                if first[label] < 0:
                    first[label] = at - begin
                kinds.labels[kind, at] = first[label]


@noalloc(inner=True)
def _order_solving(labels: NDArray[np.uint8], kinds: GuessKinds) -> None:
    """The order of the kinds that solve candidates: by their labels."""
    for one in range(len(kinds.solving)):
        kinds.order[one] = 0
        for other in range(len(kinds.solving)):
            if kinds.solving[one] >= 0 and kinds.solving[other] >= 0:
                compared = _compare(labels[kinds.solving[other]], labels[kinds.solving[one]])
                kinds.order[one] += int(compared < 0)


# ---- Sums


@noalloc(inner=True)
def sum_of(row: Numbers, count: int, sums: Numbers, sizes: Counts) -> float:
    """The sum of some numbers in the order of ``np.sum``: halves, and pieces eight by eight."""
    if count <= _PIECE:
        return _sum_piece(row, 0, count)
    sizes[0] = count
    for level in range(4):
        for at in range((1 << level) - 1, -1, -1):
            half = size = int(sizes[at])
            if size > _PIECE:
                half = size // 2 - size // 2 % 8
            sizes[2 * at], sizes[2 * at + 1] = half, size - half
    begin = 0
    for at in range(16):
        sums[at] = _sum_piece(row, begin, int(sizes[at]))
        begin += int(sizes[at])
    for level in range(3, -1, -1):
        for at in range(1 << level):
            sums[at] = sums[2 * at] + sums[2 * at + 1]
    return float(sums[0])


@noalloc(inner=True)
def _sum_piece(row: Numbers, begin: int, count: int) -> float:
    """A piece as ``np.sum`` adds it up: eight sums side by side, then what is left over."""
    found, whole = 0.0, begin + count // 8 * 8
    if count >= 8:
        one, two, three, four = row[begin], row[begin + 1], row[begin + 2], row[begin + 3]
        five, six, seven, eight = row[begin + 4], row[begin + 5], row[begin + 6], row[begin + 7]
        for at in range(begin + 8, whole, 8):
            one, two, three, four = (
                one + row[at], two + row[at + 1], three + row[at + 2], four + row[at + 3]
            )  # fmt: skip
            five, six, seven, eight = (
                five + row[at + 4], six + row[at + 5], seven + row[at + 6], eight + row[at + 7]
            )  # fmt: skip
        found = ((one + two) + (three + four)) + ((five + six) + (seven + eight))
    for at in range(whole, begin + count):
        found += row[at]
    return float(found)


# ---- Memory


def joint_memory(n_worlds: int, n_boards: int, n_kinds: int, n_candidates: int) -> JointMemory:
    """Memory for a search among so many worlds, boards, kinds and candidates."""
    depth = n_worlds + n_boards + 2
    room = n_worlds * (n_worlds + 1) // 2 + (n_boards + 4) * n_worlds + 2
    listed = min(EFFORT // 2, depth * n_kinds) + n_kinds
    counts = np.zeros(3, dtype=np.int64)
    counts[0] = EFFORT
    return JointMemory(
        counts=counts,
        frames=np.zeros((depth, 10), dtype=np.int64),
        numbers=np.zeros((depth, 4), dtype=np.float64),
        worlds=np.empty(room, dtype=np.int32),
        parts=np.empty((room, 2), dtype=np.int32),
        still=np.empty(room, dtype=np.int64),
        shares=np.empty(room, dtype=np.float64),
        kinds=np.empty(listed, dtype=np.int32),
        bounds=np.empty(listed, dtype=np.float64),
        slots=np.full(_SLOTS, -1, dtype=np.int32),
        bits=np.empty((_KEPT, -(-n_worlds // 64)), dtype=np.uint64),
        open=np.empty(_KEPT, dtype=np.int64),
        values=np.empty(_KEPT, dtype=np.float64),
        tally=np.zeros(MOST_WORLDS + 2, dtype=np.int32),
        keys=np.zeros(MOST_WORLDS, dtype=np.int32),
        number_of_parts=np.empty(n_kinds, dtype=np.int32),
        hits=np.zeros(n_candidates, dtype=np.float64),
        row=np.empty(n_worlds, dtype=np.float64),
        sums=np.empty(16, dtype=np.float64),
        sizes=np.empty(16, dtype=np.int64),
    )
