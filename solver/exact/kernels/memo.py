"""States, and what is known of them: a transposition table that cannot confuse two of them.

Searches reach a state on many ways. As in chess programs (Zobrist, "A new hashing method with
application for game playing", 1970), each row has a random word, and a state is hashed as the sum
without carries of the words of its rows. But a proof must not rest on 64 bits: an entry holds the
whole state (the sorted rows, the guesses left, in hard mode all that was revealed) and a hit is
compared with it in full; the hash only says where to look. When the table is full it forgets
everything: nothing in progress refers to an entry, so a search merely repeats some work.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...machine.arrays import aligned
from ...machine.forms import record
from ...machine.jit import noalloc
from .score_table import REVEALED_WORDS, ScoreTable
from .table_vectors import Bits, Rows, Sums


class State(NamedTuple):
    """Candidates, and what may still be done about them.

    It is made where it is needed and lives in registers: to hand it on costs what its parts cost.
    """

    #: The candidates are the rows ``members[first : first + size]``, ascending.
    members: Rows
    first: int
    size: int
    #: Guesses left; UNLIMITED where their number does not matter.
    left: int
    #: What hard mode has seen, in four words (see ``score_table.reveal``).
    revealed: Bits


@noalloc(inner=True)
def copy_state(state: State, members: Rows, revealed: Bits) -> None:
    """Copy the rows of a state to the first places of others, and what hard mode has seen."""
    for k in range(state.size):
        members[k] = state.members[state.first + k]
    for k in range(REVEALED_WORDS):
        revealed[k] = state.revealed[k]


#: Columns of ``Memo.facts``.
_HASH, _START, _SIZE, _LEFT, _BOUND, _EXACT, _GUESS = range(7)
#: One line of a processor's cache: to look at an entry is to wait for memory once.
_FIELDS = 8
#: Rows kept for an entry on average; most states that recur are small.
_ROWS_PER_ENTRY = 24
#: All the bits of a slot that is not negative, and one more.
_MOST = 1 << 31


@record
class Memo(NamedTuple):
    """A transposition table of states: ``slots`` points into entries, rows lie in ``rows``."""

    #: The number of an entry, topped by some bits of its hash; -1 where there is none.
    slots: Rows
    facts: Sums
    #: Of hard mode, what each entry has seen; no words where nothing is revealed.
    revealed: Bits
    rows: Rows
    #: A random word for each row.
    salt: Bits
    #: Entries and rows in use, and how often all was forgotten.
    used: Sums


def new_memo(salt: Bits, bits: int, words: int = 0) -> Memo:
    """An empty memo of ``2 ** bits`` slots, at most half of them filled.

    For sets of rows with these random words; hard mode sees so many ``words`` of each state.
    """
    entries = 1 << (bits - 1)
    return Memo(
        np.full(1 << bits, -1, dtype=np.int32),
        aligned((entries, _FIELDS), np.int64),
        np.empty((entries if words else 1, words), dtype=np.uint64),
        np.empty(max(entries * _ROWS_PER_ENTRY, len(salt)), dtype=np.int32),
        salt,
        np.zeros(3, dtype=np.int64),
    )


def memo_of_sets(count: int) -> Memo:
    """An empty memo for sets of so many candidates at most, of which nothing is revealed."""
    return new_memo(salt_of(count), 18 if count <= 2000 else 22)


def salt_of(count: int) -> Bits:
    """Fixed words that look random, so that equal runs take equal paths: those of splitmix64."""
    words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(20)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ words >> np.uint64(shift)) * np.uint64(factor)
    return words ^ words >> np.uint64(31)


def memo_of(table: ScoreTable, bits: int = 18) -> Memo:
    """An empty memo for the states of a table."""
    return new_memo(table.salt, bits, 2 + table.letters.shape[1] if table.hard else 0)


@noalloc
def forget(memo: Memo) -> None:
    """Empty a memo."""
    if memo.used[0] > 0:
        memo.slots[:] = -1
        memo.used[0] = memo.used[1] = 0
        memo.used[2] += 1


@noalloc(inline=True)
def known(memo: Memo, state: State) -> tuple[int, int, int]:
    """What a memo knows of a state: (bound, exact, guess); a bound of -1: nothing."""
    entry = _seek(memo, _hash(memo, state), state)
    if entry < 0:
        return -1, 0, -1
    facts = memo.facts[np.uint64(entry)]
    return facts[_BOUND], facts[_EXACT], facts[_GUESS]


@noalloc(inner=True, inline=True)
def set_of(memo: Memo, members: Rows, first: int, size: int, left: int) -> State:
    """A set of candidates as a state, of which nothing is revealed."""
    return State(members, first, size, left, memo.revealed[0])


@noalloc(inner=True, inline=True)
def _seek(memo: Memo, key: np.uint64, state: State) -> int:
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
        if found - entry == mark and _is_state(memo, entry, key, state):
            return entry
        slot = (slot + 1) & last


@noalloc
def note(memo: Memo, state: State, bound: int, exact: int, guess: int) -> None:
    """Keep what was found out about a state in the memo."""
    key = _hash(memo, state)
    entry = _seek(memo, key, state)
    if entry < 0:
        size = state.size
        if memo.used[0] == memo.facts.shape[0] or memo.used[1] + size > memo.rows.shape[0]:
            if size > memo.rows.shape[0]:
                return
            forget(memo)
            entry = _seek(memo, key, state)
        slot = -1 - entry
        entry = memo.used[0]
        start = memo.used[1]
        memo.slots[slot] = entry + _mark(key, memo.facts.shape[0])
        memo.used[0] += 1
        memo.used[1] += size
        memo.facts[entry, _HASH] = np.int64(key)
        memo.facts[entry, _START] = start
        memo.facts[entry, _SIZE] = size
        memo.facts[entry, _LEFT] = state.left
        for k in range(size):
            memo.rows[start + k] = state.members[state.first + k]
        for k in range(memo.revealed.shape[1]):
            memo.revealed[entry, k] = state.revealed[k]
    memo.facts[entry, _BOUND] = bound
    memo.facts[entry, _EXACT] = exact
    memo.facts[entry, _GUESS] = guess


@noalloc(inner=True, inline=True)
def _hash(memo: Memo, state: State) -> np.uint64:
    key = np.uint64(state.left) << np.uint64(40)
    for k in range(np.uint64(state.first), np.uint64(state.first + state.size)):
        key ^= memo.salt[np.uint32(state.members[k])]
    for k in range(memo.revealed.shape[1]):
        part = state.revealed[k] ^ np.uint64(k + 1)
        key ^= (part << np.uint64(9 + k)) ^ (part >> np.uint64(17)) ^ (part << np.uint64(31))
    return key


@noalloc(inner=True)
def _mark(key: np.uint64, entries: int) -> int:
    """Bits of the hash above the number of an entry, as far as 31 bits go."""
    return int(np.int64(key >> np.uint64(33))) & (_MOST - entries)


@noalloc(inner=True, inline=True)
def _is_state(memo: Memo, entry: int, key: np.uint64, state: State) -> bool:
    facts = memo.facts[np.uint64(entry)]
    if facts[_HASH] != np.int64(key) or facts[_SIZE] != state.size or facts[_LEFT] != state.left:
        return False
    start = np.uint64(facts[_START])
    for k in range(np.uint64(state.size)):
        if memo.rows[start + k] != state.members[np.uint64(state.first) + k]:
            return False
    for k in range(memo.revealed.shape[1]):  # noqa: SIM110 - kernels have no generators
        if memo.revealed[entry, k] != state.revealed[k]:
            return False
    return True
