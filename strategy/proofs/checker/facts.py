"""Bounds of states that are known to hold, to be looked up by the whole state."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

from .board import LetterBoard, nothing_shown


class Facts(NamedTuple):
    """Lower bounds of states that are known to hold, filed under the whole state, not a digest."""

    heads: NDArray[np.int32]
    after: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int64]
    left: NDArray[np.int64]
    value: NDArray[np.int64]
    shown: NDArray[np.uint8]
    members: NDArray[np.int32]
    #: Entries and members in use.
    used: NDArray[np.int64]


def new_facts(board: LetterBoard, entries: int, members: int) -> Facts:
    """A table of facts for the checker of proofs: so many bounds, and their states' members."""
    numbers = np.zeros((4, entries), dtype=np.int64)
    return Facts(
        np.full(1 << max(8, entries.bit_length()), -1, dtype=np.int32),
        np.zeros(entries, dtype=np.int32),
        numbers[0],
        numbers[1],
        numbers[2],
        numbers[3],
        np.zeros((entries, len(nothing_shown(board)) if board.hard else 1), dtype=np.uint8),
        np.zeros(members, dtype=np.int32),
        np.zeros(2, dtype=np.int64),
    )


@kernel(inner=True)
def asks_no_more(looser: NDArray[np.uint8], tighter: NDArray[np.uint8], length: int) -> bool:
    """Whether, to the checker of proofs, hard mode under ``looser`` allows all of ``tighter``."""
    for at in range(len(looser)):
        if at < length and looser[at] > 0 and looser[at] != tighter[at]:
            return False
        if at >= length and looser[at] > tighter[at]:
            return False
    return True


@kernel
def chain_start(facts: Facts, members: NDArray[np.int32]) -> int:
    """Where in a proof's table of facts the chain of a set of candidates begins.

    The chain is searched by members.
    """
    mixed = len(members)
    for member in members:
        mixed = (mixed * 1_000_003 + int(member)) % 2_147_483_647
    return int(mixed % facts.heads.shape[0])


@kernel
def known_bound(
    board: LetterBoard,
    facts: Facts,
    members: NDArray[np.int32],
    left: int,
    shown: NDArray[np.uint8],
) -> int:
    """The best lower bound of a state by the facts of a proof, or -1 if there is none.

    Lemma 3: a bound of a set holds with fewer guesses left and with more shown, too.
    """
    best = -1
    entry = facts.heads[chain_start(facts, members)]
    while entry >= 0:
        if facts.size[entry] == len(members) and facts.left[entry] >= left:
            start = facts.start[entry]
            same = facts.value[entry] > best
            for at in range(len(members)):
                if not same or facts.members[start + at] != members[at]:
                    same = False
                    break
            if same and board.hard:
                same = asks_no_more(facts.shown[entry], shown, board.letters.shape[1])
            if same:
                best = facts.value[entry]
        entry = facts.after[entry]
    return best


@kernel
def note_bound(
    board: LetterBoard,
    facts: Facts,
    members: NDArray[np.int32],
    left: int,
    shown: NDArray[np.uint8],
    value: int,
) -> None:
    """Add a lower bound to the facts of a proof; without room all others are forgotten."""
    count = len(members)
    entry, start = facts.used[0], facts.used[1]
    if entry == len(facts.size) or start + count > len(facts.members):
        facts.heads[:] = -1
        entry, start = 0, 0
    if count > len(facts.members) or len(facts.size) == 0:
        return
    head = chain_start(facts, members)
    facts.after[entry] = facts.heads[head]
    facts.heads[head] = entry
    facts.start[entry] = start
    facts.size[entry] = count
    facts.left[entry] = left
    facts.value[entry] = value
    for at in range(count):
        facts.members[start + at] = members[at]
    if board.hard:
        for at in range(len(shown)):
            facts.shown[entry, at] = shown[at]
    facts.used[0] = entry + 1
    facts.used[1] = start + count
