"""What is known of states that are sets of candidates with guesses left: a transposition table.

A state is filed under a hash of its members, as in chess programs; but an entry holds all members,
and they are compared, so that no two states can be confused. When the table is full it forgets all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...machine.arrays import Ids
from ...machine.jit import noalloc


class SetMemo(NamedTuple):
    """What is known of states: ``slots`` points into entries, their members lie in ``members``."""

    slots: Ids
    #: See the columns below.
    facts: NDArray[np.int64]
    members: Ids
    #: A random word for each candidate, whose sum without carries is the hash of a state.
    salt: NDArray[np.uint64]
    #: Entries and members in use.
    used: NDArray[np.int64]


#: Columns of ``SetMemo.facts``.
_HASH, _START, _SIZE, _LEFT, _BOUND, _EXACT, _GUESS, _FACTS = range(8)
#: Members kept for an entry on average.
_MEMBERS_PER_ENTRY = 16


def new_set_memo(count: int) -> SetMemo:
    """An empty memo for sets of so many candidates at most."""
    bits = 18 if count <= 2000 else 22
    entries = 1 << (bits - 1)
    salt = np.random.default_rng(1).integers(0, 1 << 63, count, dtype=np.uint64)
    return SetMemo(
        np.full(1 << bits, -1, dtype=np.int32),
        np.empty((entries, _FACTS + 1), dtype=np.int64),
        np.empty(max(entries * _MEMBERS_PER_ENTRY, count), dtype=np.int32),
        salt << np.uint64(1) | np.uint64(1),
        np.zeros(2, dtype=np.int64),
    )


@noalloc
def forget_sets(memo: SetMemo) -> None:
    """Empty a memo."""
    memo.slots[:] = -1
    memo.used[:] = 0


@noalloc(inner=True)
def _hash(memo: SetMemo, members: Ids, first: int, size: int, left: int) -> np.uint64:
    key = np.uint64(left) << np.uint64(40)
    for k in range(first, first + size):
        key ^= memo.salt[members[k]]
    return key


@noalloc(inner=True)
def _find(memo: SetMemo, members: Ids, first: int, size: int, left: int) -> int:
    """The entry of a state, or ``-1 - slot`` where it would go."""
    key = _hash(memo, members, first, size, left)
    last = memo.slots.shape[0] - 1
    slot: int = int(np.int64(key >> np.uint64(20))) & last
    while True:
        entry = int(memo.slots[slot])
        if entry < 0:
            return -1 - slot
        facts = memo.facts[entry]
        if facts[_HASH] == np.int64(key) and facts[_SIZE] == size and facts[_LEFT] == left:
            start, same = facts[_START], True
            for k in range(size):
                if memo.members[start + k] != members[first + k]:
                    same = False
                    break
            if same:
                return entry
        slot = (slot + 1) & last


@noalloc
def known_of_set(
    memo: SetMemo, members: Ids, first: int, size: int, left: int
) -> tuple[int, int, int]:
    """What a memo knows of a state: (bound, exact, guess); a bound of -1: nothing.

    Its members are ``members[first : first + size]``, ascending.
    """
    entry = _find(memo, members, first, size, left)
    if entry < 0:
        return -1, 0, -1
    facts = memo.facts[entry]
    return facts[_BOUND], facts[_EXACT], facts[_GUESS]


@noalloc(inner=True)
def note_set(
    memo: SetMemo, members: Ids, state: tuple[int, int, int], found: tuple[int, int, int]
) -> None:
    """Keep what was ``found`` out, (bound, exact, guess), about a state, (first, size, left)."""
    first, size, left = state
    entry = _find(memo, members, first, size, left)
    if entry < 0:
        if memo.used[0] == len(memo.facts) or memo.used[1] + size > len(memo.members):
            forget_sets(memo)
            entry = _find(memo, members, first, size, left)
        slot, entry, start = -1 - entry, memo.used[0], memo.used[1]
        memo.slots[slot] = entry
        memo.used[0] += 1
        memo.used[1] += size
        facts = memo.facts[entry]
        facts[_HASH] = np.int64(_hash(memo, members, first, size, left))
        facts[_START], facts[_SIZE], facts[_LEFT] = start, size, left
        for k in range(size):
            memo.members[start + k] = members[first + k]
    facts = memo.facts[entry]
    facts[_BOUND], facts[_EXACT], facts[_GUESS] = found
