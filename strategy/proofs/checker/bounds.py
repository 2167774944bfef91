"""The lemmas as kernels: what a state and a guess cost at least, tried with every guess.

A state is a set of candidates, the guesses left, and in hard mode what has been revealed. Its value
is the least sum, over its candidates, of the guesses still to be made, at ``price`` each (1, or 0
where only the limit counts); a candidate that falls after the last allowed guess costs ``LOSS``
more, which exceeds every sum of guesses, and is then played on without a limit.

``docs/proof-format.md`` states and proves the lemmas.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import noalloc

from .board import (
    BLOCK,
    KnownBounds,
    LetterBoard,
    Members,
    State,
    Tally,
    are_equal,
    chain_start,
    count_parts,
    entry_about,
    is_legal,
    known_bound,
    leaves_whole,
    mark_splitting,
    new_known_bounds,
    new_tally,
    note_bound,
    nothing_revealed,
    reveal,
)

#: The price of a candidate that falls after the last allowed guess.
LOSS = 1 << 32
#: Guesses left when their number does not matter (any more).
UNLIMITED = 1 << 20
#: One-step bounds that are remembered, and members of their sets.
_MEMO = (1 << 17, 1 << 22)
#: Bytes for the scores of the columns that are sorted for the subsets of one set.
_NEAR = 1 << 24
#: By column: not 0 where a guess need not be looked at.
Spared = NDArray[np.uint8]
#: Values are far below.
_NEVER = 1 << 60


class Columns(NamedTuple):
    """The guesses in an order, the one with most parts of some set first, and their scores."""

    rows: NDArray[Any]
    parts: NDArray[np.int64]
    #: Which column of the board is at which place, and the reverse.
    column: NDArray[np.int32]
    place: NDArray[np.int32]


class NearSet(NamedTuple):
    """The set whose subsets are asked for, as rows of columns that are sorted for it."""

    members: Members
    #: By secret: its row.
    row: NDArray[np.int32]
    #: Rows of a subset.
    chosen: NDArray[np.int32]
    #: For sorting: by number of parts.
    times: NDArray[np.int64]
    #: How many members, 0 for none; and whether the columns are sorted for them.
    state: NDArray[np.int64]


class CheckSpace(NamedTuple):
    """Scratch memory, and the one-step bounds computed before."""

    memo: KnownBounds
    tally: Tally
    inner_tally: Tally
    #: By code, of any column of the board: how many candidates have it.
    times: NDArray[np.int64]
    #: Candidates split into buckets: the code, size and first place of each, and its bound.
    members: Members
    codes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    starts: NDArray[np.int64]
    bounds: NDArray[np.int64]
    #: What hard mode requires in a bucket.
    revealed: NDArray[np.uint8]
    #: By column: whether the guess is settled by a bucket of another; scratch memory.
    settled: NDArray[np.uint8]
    splitting: NDArray[np.uint8]
    #: The columns as they are on the board, and as they are sorted for the set of a claim.
    everywhere: Columns
    near: Columns
    near_set: NearSet


def new_workspace(board: LetterBoard) -> CheckSpace:
    """New scratch memory for a board."""
    times, codes, sizes, starts, bounds = np.zeros((5, int(board.parts.max()) + 1), dtype=np.int64)
    secrets, columns = board.rows.shape
    order = np.arange(columns, dtype=np.int32)
    room = min(secrets, _NEAR // (columns * board.rows.itemsize))
    numbers, chosen = np.zeros((2, room), dtype=np.int32)
    return CheckSpace(
        memo=new_known_bounds(board, *_MEMO),
        tally=new_tally(),
        inner_tally=new_tally(),
        times=times,
        members=np.zeros(board.rows.shape[0], dtype=np.int32),
        codes=codes,
        sizes=sizes,
        starts=starts,
        bounds=bounds,
        revealed=nothing_revealed(board),
        settled=np.zeros(len(board.guess), dtype=np.uint8),
        splitting=np.zeros(len(board.guess), dtype=np.uint8),
        everywhere=Columns(board.rows, board.parts, order, order),
        near=Columns(
            np.zeros((room, columns), dtype=board.rows.dtype),
            *(np.zeros(columns, dtype=np.int64), order.copy(), order.copy()),
        ),
        near_set=NearSet(
            *(numbers, np.zeros(secrets, dtype=np.int32), chosen),
            *(np.zeros(room + 2, dtype=np.int64), np.zeros(2, dtype=np.int64)),
        ),
    )


@noalloc
def after_guess(left: int) -> int:
    """How many guesses are left to a state after one more is made.

    After the last allowed one the rest is played without a limit.
    """
    return UNLIMITED if left in (1, UNLIMITED) else left - 1


@noalloc
def least(price: int, others: int, count: int, left: int) -> int:
    """Lemma 1: what a state costs at least, by its candidates and guesses left.

    One candidate takes a guess, as many as a guess leaves states (``others``) two, all further ones
    three or more.
    """
    return _by_depth(price, others, count, (1, others), left)


@noalloc
def least_by_parts(price: int, others: int, count: int, parts: int, hit: int, left: int) -> int:
    """Lemma 2: what a guess costs at least, by how many parts it makes.

    ``hit`` is 1 if the guess is a candidate.
    """
    return _by_depth(price, others, count, (hit, max(1, parts - hit)), left)


@noalloc
def _by_depth(price: int, others: int, count: int, found: tuple[int, int], left: int) -> int:
    """What candidates cost if each takes as few guesses as it may.

    ``found``: how many the first guess finds, and the second; each further one finds ``others``
    times as many. Those that take more than ``left`` are lost.
    """
    now, following = found
    depth, rest, value = 1, count, 0
    while rest > 0:
        now = min(now, rest)
        value += now * depth * price
        if depth > left:
            value += now * LOSS
        rest -= now
        now, following = following, min(following * others, rest)
        depth += 1
    return value


@noalloc(inner=True)
def _holds(members: Members, secret: int) -> bool:
    """Whether a set has a secret."""
    found = False
    for member in members:
        found = found or member == secret
    return found


@noalloc
def split(board: LetterBoard, work: CheckSpace, members: Members, column: int) -> int:
    """Split candidates into buckets in ``work.members``; returns how many buckets there are.

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


@noalloc(inner=True)
def _largest(numbers: NDArray[np.int64]) -> int:
    """The largest of some numbers that are not negative."""
    most = 0
    for number in numbers:
        most = max(most, number)
    return most


# --- the one-step bound ----------------------------------------------------------------------
#
# Of a subset a guess makes no more parts than of the set itself. So the columns are sorted by the
# parts that they make of the set of a claim, and few of them have to be counted for its subsets:
# as soon as a column has so few parts that no subset can cost less by it, all others have no more.


@noalloc(inner=True)
def _come_near(work: CheckSpace, members: Members) -> None:
    """Ask for subsets of a set from now on; of a set that is too large, of all."""
    near_set = work.near_set
    near_set.state[0], near_set.state[1] = 0, 0
    if len(members) <= len(near_set.members):
        near_set.state[0] = len(members)
        for at in range(len(members)):
            near_set.members[at] = members[at]


@noalloc(inner=True)
def _sort_near(board: LetterBoard, work: CheckSpace) -> None:
    """Sort the columns by the parts that they make of the near set."""
    near, near_set = work.near, work.near_set
    members = near_set.members[: near_set.state[0]]
    times, parts = near_set.times, near.place
    times[:] = 0
    for first in range(0, len(near.parts), BLOCK):
        count_parts(board.rows, len(work.times), work.inner_tally, members, first)
        for lane in range(BLOCK):
            found = work.inner_tally.parts[lane] if board.guess[first + lane] >= 0 else 0
            parts[first + lane] = found
            times[found] += 1
    start = 0
    for many in range(len(members), -1, -1):
        times[many], start = start, start + times[many]
    for column in range(len(near.parts)):
        at = times[parts[column]]
        times[parts[column]] += 1
        near.column[at] = column
        near.parts[at] = parts[column]
        near.place[column] = at
    for row in range(len(members)):
        near_set.row[members[row]] = row
        scores = board.rows[members[row]]
        for at in range(len(near.parts)):
            near.rows[row, at] = scores[near.column[at]]
    near_set.state[1] = 1


@noalloc(inner=True)
def _one_step(board: LetterBoard, work: CheckSpace, state: State) -> int:
    """The least of Lemma 2 over all legal guesses: a lower bound of the state."""
    near_set, members = work.near_set, state.members
    if near_set.state[0] == 0 or board.consistent:
        return _least_of_columns(board, work, state, work.everywhere, members)
    if near_set.state[1] == 0:
        _sort_near(board, work)
    for at in range(len(members)):
        near_set.chosen[at] = near_set.row[members[at]]
    chosen = near_set.chosen[: len(members)]
    return _least_of_columns(board, work, state, work.near, chosen)


@noalloc(inner=True)
def _least_of_columns(
    board: LetterBoard, work: CheckSpace, state: State, columns: Columns, rows: Members
) -> int:
    """The least of Lemma 2 over all legal guesses, of candidates that stand in some rows."""
    left, count, price, others = state.left, len(rows), board.price, board.others
    best = _NEVER
    for member in state.members:
        at = columns.place[board.column[member]]
        most = min(count, columns.parts[at])
        if least_by_parts(price, others, count, most, 1, left) >= best:
            continue
        parts = 0
        for row in rows:
            code = columns.rows[row, at]
            parts += work.times[code] == 0
            work.times[code] = 1
        for row in rows:
            work.times[columns.rows[row, at]] = 0
        value = least_by_parts(price, others, count, parts, 1, left)
        if value < best and is_legal(board.letters[board.column[member]], state.revealed):
            best = value
    if board.consistent:
        return best  # no other may be guessed
    counts = work.inner_tally.parts
    for first in range(0, len(columns.parts), BLOCK):
        most = min(count, columns.parts[first])
        if least_by_parts(price, others, count, most, 0, left) >= best:
            break  # columns are sorted by parts
        count_parts(columns.rows, len(work.times), work.inner_tally, rows, first)
        if least_by_parts(price, others, count, _largest(counts), 0, left) >= best:
            continue
        for lane in range(BLOCK):
            column = columns.column[first + lane]
            value = least_by_parts(price, others, count, counts[lane], 0, left)
            if value >= best or board.guess[column] < 0:
                continue
            if is_legal(board.letters[column], state.revealed):
                best = value
    return best


@noalloc(inner=True)
def _remembered(board: LetterBoard, work: CheckSpace, state: State) -> int:
    """``_one_step`` of a state, computed once for exactly this state."""
    memo, members = work.memo, state.members
    entry = entry_about(memo, members, memo.heads[chain_start(memo, members)])
    while entry >= 0:
        if memo.left[entry] == state.left and are_equal(memo.revealed[entry], state.revealed):
            return int(memo.value[entry])
        entry = entry_about(memo, members, memo.after[entry])
    value = _one_step(board, work, state)
    note_bound(memo, state, value)
    return value


@noalloc(inner=True)
def _has_subsets(board: LetterBoard) -> bool:
    """Whether Lemma 13 holds: where the same guesses are legal in a set and in its subsets."""
    return not (board.hard or board.consistent)


@noalloc(inner=True)
def _raise_by_subsets(
    board: LetterBoard,
    known: KnownBounds,
    work: CheckSpace,
    buckets: int,
    column: int,
    then: int,
    lost: int,
) -> None:
    """Lemma 13: raise the bounds of buckets of all secrets by what is known of their subsets."""
    for k in range(buckets):
        work.times[work.codes[k]] = k
    for entry in range(known.used[0]):
        start, count = known.start[entry], known.size[entry]
        members = known.members[start : start + count]
        code = board.rows[members[0], column]
        if count >= 2 and known.left[entry] >= then and leaves_whole(board, column, members):
            k = work.times[code]
            value = known.value[entry] + (work.sizes[k] - count) * board.price
            work.bounds[k] = max(work.bounds[k], value + work.sizes[k] * lost)
    for k in range(buckets):
        work.times[work.codes[k]] = 0


@noalloc
def bound_of_guess(
    board: LetterBoard, known: KnownBounds, work: CheckSpace, state: State, column: int, goal: int
) -> int:
    """Lemma 6: what a guess costs at least, counted until ``goal`` is reached.

    Leaves the buckets in ``work`` with their bounds.
    """
    _come_near(work, state.members)
    return _bound_of_guess(board, known, work, state, column, goal)


@noalloc(inner=True)
def _bound_of_guess(
    board: LetterBoard, known: KnownBounds, work: CheckSpace, state: State, column: int, goal: int
) -> int:
    """``bound_of_guess`` in a state that is near."""
    then = after_guess(state.left)
    lost = LOSS if state.left == 1 else 0
    buckets = split(board, work, state.members, column)
    for k in range(buckets):
        start, size = work.starts[k], work.sizes[k]
        work.bounds[k] = 0
        if work.members[start] != board.secret[column]:
            work.bounds[k] = least(board.price, board.others, size, then) + size * lost
    if _has_subsets(board) and len(state.members) == board.rows.shape[0]:
        _raise_by_subsets(board, known, work, buckets, column, then, lost)
    total = len(state.members) * board.price
    for k in range(buckets):
        total += work.bounds[k]
    for thorough in range(2):
        for k in range(buckets):
            start, size = work.starts[k], work.sizes[k]
            if total >= goal or size < 3:
                break
            bucket = State(work.members[start : start + size], then, work.revealed)
            if board.hard:
                secret = board.letters[board.column[bucket.members[0]]]
                reveal(board.letters[column], secret, state.revealed, work.revealed)
            value = known_bound(board, known, bucket)
            if thorough:
                value = max(value, _remembered(board, work, bucket))
            value += size * lost
            if value > work.bounds[k]:
                total += value - work.bounds[k]
                work.bounds[k] = value
    return total


@noalloc
def first_open(
    board: LetterBoard,
    known: KnownBounds,
    work: CheckSpace,
    state: State,
    goal: int,
    columns: tuple[int, int],
    spared: Spared,
) -> int:
    """The first column whose guess may cost less than ``goal``; -1 if none.

    ``spared``: guesses that symmetry makes equal to others, which are looked at.
    """
    members, left = state.members, state.left
    count = len(members)
    begin, end = columns
    _come_near(work, members)
    for column in range(len(spared)):
        work.settled[column] = spared[column]
    for first in range(begin // BLOCK * BLOCK, min(end, board.rows.shape[1]), BLOCK):
        most = min(count, board.parts[first])
        if least_by_parts(board.price, board.others, count, most, 1, left) >= goal:
            break  # columns are sorted by parts
        count_parts(board.rows, len(work.times), work.tally, members, first)
        for column in range(max(first, begin), min(first + BLOCK, end)):
            if board.guess[column] < 0 or work.settled[column] != 0:
                continue
            parts = work.tally.parts[column - first]
            hit = 1 if board.secret[column] >= 0 and _holds(members, board.secret[column]) else 0
            if board.consistent and hit == 0:
                continue  # it may not be guessed
            if parts == 1 and count > hit:
                continue  # Lemma 15: a guess that splits nothing is never needed
            if least_by_parts(board.price, board.others, count, parts, hit, left) >= goal:
                continue
            if not is_legal(board.letters[column], state.revealed):
                continue
            if _bound_of_guess(board, known, work, state, column, goal) < goal:
                return column
            if count * board.price + work.bounds[0] >= goal:
                _settle_others(board, work, state, goal)
    return -1


@noalloc(inner=True)
def _settle_others(board: LetterBoard, work: CheckSpace, state: State, goal: int) -> None:
    """Settle all guesses that leave a bucket together which reaches the goal by itself.

    By its one-step bound, which no larger set falls below: a candidate more is at most a part more.
    That is so where all guesses are legal, and a guess may leave any number of states.
    """
    size, left = work.sizes[0], state.left
    if size < 3 or not _has_subsets(board) or board.others < board.rows.shape[0]:
        return
    members = work.members[:size]
    value = _remembered(board, work, State(members, after_guess(left), state.revealed))
    lost = size * LOSS if left == 1 else 0
    if len(state.members) * board.price + value + lost < goal:
        return
    work.splitting[:] = 0
    mark_splitting(board, members, work.splitting)
    for column in range(len(work.settled)):
        work.settled[column] |= np.uint8(work.splitting[column] == 0)
