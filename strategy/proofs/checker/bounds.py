"""The lemmas: what a state and a guess cost at least, tried with every guess there is.

A state is a set of candidates, the guesses left, and in hard mode what has been shown. Its value
is the least sum, over its candidates, of the guesses still to be made, at ``price`` each (1, or 0
where only the limit counts); a candidate that falls after the last allowed guess costs ``LOSS``
more, which exceeds every sum of guesses, and is then played on without a limit.

``docs/proof-format.md`` states and proves the lemmas.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

from .board import LANES, LetterBoard, is_legal, nothing_shown, show
from .facts import Facts, chain_start, known_bound, new_facts, note_bound
from .parts import Tally, count_parts, new_tally

#: The price of a candidate that falls after the last allowed guess.
LOSS = 1 << 32
#: Guesses left when their number does not matter (any more).
UNLIMITED = 1 << 20
#: One-step bounds that are remembered, and members of their sets.
_MEMO = (1 << 17, 1 << 22)
#: Values are far below.
_NEVER = 1 << 60


class CheckSpace(NamedTuple):
    """Scratch memory of the checker of proofs, and the one-step bounds computed before."""

    memo: Facts
    tally: Tally
    lanes: NDArray[np.int64]
    inner_lanes: NDArray[np.int64]
    times: NDArray[np.int64]
    members: NDArray[np.int32]
    sizes: NDArray[np.int64]
    codes: NDArray[np.int64]
    starts: NDArray[np.int64]
    bounds: NDArray[np.int64]
    shown: NDArray[np.uint8]


def new_workspace(board: LetterBoard) -> CheckSpace:
    """Scratch memory of the checker of proofs for a board."""
    secrets, width = board.rows.shape[0], int(board.parts.max()) + 1
    numbers = np.zeros((4, width), dtype=np.int64)
    return CheckSpace(
        new_facts(board, *_MEMO),
        new_tally(),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(LANES, dtype=np.int64),
        np.zeros(width, dtype=np.int64),
        np.zeros(secrets, dtype=np.int32),
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        np.zeros(nothing_shown(board).shape, dtype=np.uint8),
    )


@kernel
def after_guess(left: int) -> int:
    """How many guesses are left to a state of a proof after one more is made.

    After the last allowed one the rest is played without a limit.
    """
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


@kernel
def least(price: int, count: int, left: int) -> int:
    """Lemma 1 of proofs: what a state costs at least, by its candidates and guesses left.

    One candidate takes a guess, every other at least two; one is hit by the last guess.
    """
    value = (2 * count - 1) * price
    if left == 1:
        value += (count - 1) * LOSS
    return value


@kernel
def least_by_parts(price: int, count: int, parts: int, hit: int, left: int) -> int:
    """For the checker of proofs, lemma 2: what a guess costs at least, by how many parts it makes.

    ``hit`` is 1 if the guess is a candidate.
    """
    value = (3 * count - parts - hit) * price
    if left == 1:
        value += (count - hit) * LOSS
    elif left == 2:
        value += (count - parts) * LOSS
    return value


@kernel(inner=True)
def _holds(members: NDArray[np.int32], secret: int) -> bool:
    """Whether a sorted set has a secret."""
    low, high = 0, len(members)
    while low < high:
        middle = (low + high) >> 1
        if members[middle] < secret:
            low = middle + 1
        else:
            high = middle
    return low < len(members) and members[low] == secret


@kernel
def split(board: LetterBoard, work: CheckSpace, members: NDArray[np.int32], column: int) -> int:
    """Part candidates, in the checker of proofs, into ``work.members``; returns how many buckets.

    Buckets stand in order of size, largest first.
    """
    buckets = 0
    for member in members:
        code = np.int64(board.rows[member, column])
        if work.times[code] == 0:
            work.codes[buckets] = code
            buckets += 1
        work.times[code] += 1
    for k in range(1, buckets):
        code = work.codes[k]
        at = k
        while at > 0 and work.times[work.codes[at - 1]] < work.times[code]:
            work.codes[at] = work.codes[at - 1]
            at -= 1
        work.codes[at] = code
    top = 0
    for k in range(buckets):
        code = work.codes[k]
        work.starts[k] = top
        work.sizes[k] = work.times[code]
        top += work.times[code]
        work.times[code] = work.starts[k]
    for member in members:
        code = np.int64(board.rows[member, column])
        work.members[work.times[code]] = member
        work.times[code] += 1
    for k in range(buckets):
        work.times[work.codes[k]] = 0
    return buckets


@kernel(inner=True)
def _largest(numbers: NDArray[np.int64]) -> int:
    """The largest of some numbers that are not negative."""
    most = 0
    for number in numbers:
        most = max(most, number)
    return most


@kernel(inner=True)
def _one_step(
    board: LetterBoard,
    work: CheckSpace,
    members: NDArray[np.int32],
    left: int,
    shown: NDArray[np.uint8],
) -> int:
    """The least of Lemma 2 over all legal guesses: a lower bound of the state."""
    count, price = len(members), board.price
    best = _NEVER
    for member in members:
        column = board.column[member]
        parts = 0
        for other in members:
            code = board.rows[other, column]
            parts += work.times[code] == 0
            work.times[code] = 1
        for other in members:
            work.times[board.rows[other, column]] = 0
        if not board.hard or is_legal(board.letters[column], shown):
            best = min(best, least_by_parts(price, count, parts, 1, left))
    for first in range(0, board.rows.shape[1], LANES):
        most = min(count, board.parts[first])
        if least_by_parts(price, count, most, 0, left) >= best:
            break  # columns are sorted by parts
        count_parts(board, work.tally, members, first, work.inner_lanes)
        if least_by_parts(price, count, _largest(work.inner_lanes), 0, left) >= best:
            continue
        for lane in range(LANES):
            value = least_by_parts(price, count, work.inner_lanes[lane], 0, left)
            if value >= best or board.guess[first + lane] < 0:
                continue
            if not board.hard or is_legal(board.letters[first + lane], shown):
                best = value
    return best


@kernel(inner=True)
def _same(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Whether two rows of one length hold the same."""
    same = True
    for at in range(len(one)):
        same = same and one[at] == other[at]
    return same


@kernel(inner=True)
def _remembered(board: LetterBoard, work: CheckSpace, members: NDArray[np.int32], left: int) -> int:
    """``_one_step`` of a bucket, computed once for exactly this state."""
    memo = work.memo
    entry = memo.heads[chain_start(memo, members)]
    while entry >= 0:
        start = memo.start[entry]
        if (
            memo.size[entry] == len(members)
            and memo.left[entry] == left
            and _same(memo.members[start : start + len(members)], members)
            and (not board.hard or _same(memo.shown[entry], work.shown))
        ):
            return int(memo.value[entry])
        entry = memo.after[entry]
    value = _one_step(board, work, members, left, work.shown)
    note_bound(board, memo, members, left, work.shown, value)
    return value


@kernel
def bound_of_guess(
    board: LetterBoard,
    facts: Facts,
    work: CheckSpace,
    members: NDArray[np.int32],
    column: int,
    left: int,
    shown: NDArray[np.uint8],
    goal: int,
) -> int:
    """Lemma 4 of proofs: what a guess costs at least, counted until ``goal`` is reached.

    Leaves the buckets in ``work`` with their bounds.
    """
    then = after_guess(left)
    lost = LOSS if left == 1 else 0
    buckets = split(board, work, members, column)
    total = len(members) * board.price
    for k in range(buckets):
        start, size = work.starts[k], work.sizes[k]
        work.bounds[k] = 0
        if work.members[start] != board.secret[column]:
            work.bounds[k] = least(board.price, size, then) + size * lost
        total += work.bounds[k]
    for thorough in range(2):
        for k in range(buckets):
            start, size = work.starts[k], work.sizes[k]
            if total >= goal or size < 3:
                break
            bucket = work.members[start : start + size]
            if board.hard:
                show(
                    board.letters[column],
                    board.letters[board.column[bucket[0]]],
                    shown,
                    work.shown,
                )
            value = known_bound(board, facts, bucket, then, work.shown)
            if thorough:
                value = max(value, _remembered(board, work, bucket, then))
            value += size * lost
            if value > work.bounds[k]:
                total += value - work.bounds[k]
                work.bounds[k] = value
    return total


@kernel
def first_open(
    board: LetterBoard,
    facts: Facts,
    work: CheckSpace,
    members: NDArray[np.int32],
    left: int,
    shown: NDArray[np.uint8],
    goal: int,
    columns: tuple[int, int],
) -> int:
    """The first column of a proof's board whose guess may cost less than ``goal``; -1 if none."""
    count = len(members)
    begin, end = columns
    for first in range(begin // LANES * LANES, min(end, board.rows.shape[1]), LANES):
        most = min(count, board.parts[first])
        if least_by_parts(board.price, count, most, 1, left) >= goal:
            break  # columns are sorted by parts
        count_parts(board, work.tally, members, first, work.lanes)
        for column in range(max(first, begin), min(first + LANES, end)):
            if board.guess[column] < 0:
                continue
            parts = work.lanes[column - first]
            hit = 1 if board.secret[column] >= 0 and _holds(members, board.secret[column]) else 0
            if parts == 1 and count > hit:
                continue  # Lemma 5: a guess that tells nothing is never needed
            if least_by_parts(board.price, count, parts, hit, left) >= goal:
                continue
            if board.hard and not is_legal(board.letters[column], shown):
                continue
            found = bound_of_guess(board, facts, work, members, column, left, shown, goal)
            if found < goal:
                return column
    return -1
