"""What is known about states: a transposition table that cannot confuse two of them.

Searches reach a state on many ways. As in chess programs (Zobrist, "A new hashing method with
application for game playing", 1970), each row has a random word, and a state is hashed as the sum
without carries of the words of its rows. But a proof must not rest on 64 bits: an entry holds the
whole state (the sorted rows, the guesses left, in hard mode all that was shown) and a hit is
compared with it in full; the hash only says where to look. When the table is full it forgets
everything: nothing in progress refers to an entry, so a search merely repeats some work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...aligned_arrays import aligned
from ...machine.jit import lean
from ..table.score_table import ScoreTable
from .scratch_memory import State

#: Columns of ``Memo.facts``.
HASH, START, SIZE, LEFT, BOUND, EXACT, GUESS = range(7)
#: One line of a processor's cache: to look at an entry is to wait for memory once.
_FIELDS = 8
#: Rows kept for an entry on average; most states that recur are small.
_ROWS_PER_ENTRY = 24
#: All the bits of a slot that is not negative, and one more.
_MOST = 1 << 31


class Memo(NamedTuple):
    """A transposition table of states: ``slots`` points into entries, rows lie in ``rows``."""

    #: The number of an entry, topped by some bits of its hash; -1 where there is none.
    slots: NDArray[np.int32]
    facts: NDArray[np.int64]
    shown: NDArray[np.uint64]
    rows: NDArray[np.int32]
    #: Entries and rows in use.
    used: NDArray[np.int64]


def new_memo(table: ScoreTable, bits: int = 18) -> Memo:
    """An empty memo of ``2 ** bits`` slots, at most half of them filled."""
    entries = 1 << (bits - 1)
    return Memo(
        np.full(1 << bits, -1, dtype=np.int32),
        aligned((entries, _FIELDS), np.int64),
        np.empty((entries if table.hard else 1, 2 + table.letters.shape[1]), dtype=np.uint64),
        np.empty(entries * _ROWS_PER_ENTRY, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
    )


@lean
def forget(memo: Memo) -> None:
    """Empty a memo of states."""
    if memo.used[0] > 0:
        memo.slots[:] = -1
        memo.used[:] = 0


@lean(inline=True)
def find(table: ScoreTable, memo: Memo, state: State) -> int:
    """The entry of a state in the memo, or ``-1 - slot`` where it would go."""
    return _seek(table, memo, _hash(table, state), state)


@lean(inner=True, inline=True)
def _seek(table: ScoreTable, memo: Memo, key: np.uint64, state: State) -> int:
    """The entry of a state whose hash is ``key``, or ``-1 - slot`` where it would go."""
    last = memo.slots.shape[0] - 1
    slot: int = int(np.int64(key >> np.uint64(20))) & last
    entries = memo.facts.shape[0]
    mark = _mark(key, entries)
    while True:
        found: int = int(np.int64(memo.slots[np.uint64(slot)]))
        if found < 0:
            return -1 - slot
        entry: int = found & (entries - 1)
        if found - entry == mark and _is_state(table, memo, entry, key, state):
            return entry
        slot = (slot + 1) & last


@lean
def note(table: ScoreTable, memo: Memo, state: State, bound: int, exact: int, guess: int) -> None:
    """Keep what was found out about a state in the memo."""
    key = _hash(table, state)
    entry = _seek(table, memo, key, state)
    if entry < 0:
        size = state.size
        if memo.used[0] == memo.facts.shape[0] or memo.used[1] + size > memo.rows.shape[0]:
            if size > memo.rows.shape[0]:
                return
            forget(memo)
            entry = _seek(table, memo, key, state)
        slot = -1 - entry
        entry = memo.used[0]
        start = memo.used[1]
        memo.slots[slot] = entry + _mark(key, memo.facts.shape[0])
        memo.used[0] += 1
        memo.used[1] += size
        memo.facts[entry, HASH] = np.int64(key)
        memo.facts[entry, START] = start
        memo.facts[entry, SIZE] = size
        memo.facts[entry, LEFT] = state.left
        for k in range(size):
            memo.rows[start + k] = state.members[state.first + k]
        if table.hard:
            for k in range(2 + table.letters.shape[1]):
                memo.shown[entry, k] = state.shown[k]
    memo.facts[entry, BOUND] = bound
    memo.facts[entry, EXACT] = exact
    memo.facts[entry, GUESS] = guess


@lean(inner=True, inline=True)
def _hash(table: ScoreTable, state: State) -> np.uint64:
    key = np.uint64(state.left) << np.uint64(40)
    for k in range(np.uint64(state.first), np.uint64(state.first + state.size)):
        key ^= table.salt[np.uint32(state.members[k])]
    if table.hard:
        for k in range(2 + table.letters.shape[1]):
            part = state.shown[k] ^ np.uint64(k + 1)
            key ^= (part << np.uint64(9 + k)) ^ (part >> np.uint64(17)) ^ (part << np.uint64(31))
    return key


@lean(inner=True)
def _mark(key: np.uint64, entries: int) -> int:
    """Bits of the hash above the number of an entry, as far as 31 bits go."""
    return int(np.int64(key >> np.uint64(33))) & (_MOST - entries)


@lean(inner=True, inline=True)
def _is_state(table: ScoreTable, memo: Memo, entry: int, key: np.uint64, state: State) -> bool:
    facts = memo.facts[np.uint64(entry)]
    if facts[HASH] != np.int64(key) or facts[SIZE] != state.size or facts[LEFT] != state.left:
        return False
    start = np.uint64(facts[START])
    for k in range(np.uint64(state.size)):
        if memo.rows[start + k] != state.members[np.uint64(state.first) + k]:
            return False
    if table.hard:
        for k in range(2 + table.letters.shape[1]):
            if memo.shown[entry, k] != state.shown[k]:
                return False
    return True
