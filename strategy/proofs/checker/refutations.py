"""That a limit cannot be kept: which guesses fail, and by which smaller failures.

A refutation says of a set of candidates that no strategy solves them all with so many guesses. If
it holds for a set, it holds for every set that contains it; so a guess fails as soon as it leaves
all members of a set that is refuted with one guess less in one bucket. A refutation cites the sets
that together make every guess fail. It is about all guesses; hard mode only forbids some of them.

``docs/proof-format.md`` states and proves the lemmas.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.machine.jit import kernel

from .board import LANES, LetterBoard


class KnownRefutations(NamedTuple):
    """A refutation that is known: no strategy solves these members within ``left``."""

    #: Positions among the secrets, ascending.
    members: NDArray[np.int32]
    left: int


def holds_in(refuted: KnownRefutations, inside: NDArray[np.bool_], left: int) -> bool:
    """Whether a refutation of a proof holds in a larger set with no more guesses left (Lemma 6)."""
    return refuted.left >= left and bool(inside[refuted.members].all())


def promising(board: LetterBoard, state: KnownRefutations) -> NDArray[np.uint8]:
    """The guesses, marked with 1, that a proof's Lemmas 1, 2, 5 do not refute in a state."""
    marks = np.zeros(board.rows.shape[1], dtype=np.uint8)
    if state.left > 1:
        _mark_telling(board, state.members, marks)
    if state.left == 2:
        _keep_parting(board, state.members, marks)
    return marks


def unmark_refuted(board: LetterBoard, cited: KnownRefutations, marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that leave a set refuted by a proof in one bucket (Lemma 7)."""
    apart = np.zeros_like(marks)
    _mark_telling(board, cited.members, apart)
    marks &= apart


def leaves_whole(board: LetterBoard, column: int, members: NDArray[np.int32]) -> bool:
    """Whether, to the checker of proofs, a guess leaves a refuted set in one bucket."""
    codes = board.rows[members, column]
    return bool((codes == codes[0]).all())


# --- kernels: a whole row of columns at once --------------------------------------------------


@kernel
def _mark_telling(board: LetterBoard, members: NDArray[np.int32], marks: NDArray[np.uint8]) -> None:
    """Mark the guesses that leave the members in more than one bucket."""
    first = board.rows[members[0]]
    for member in members[1:]:
        row = board.rows[member]
        for column in range(len(marks)):
            marks[column] |= np.uint8(row[column] != first[column])


@kernel
def _keep_parting(board: LetterBoard, members: NDArray[np.int32], marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that leave two members in one bucket."""
    for first in range(0, len(marks), LANES):
        lanes = marks[first : first + LANES]
        for at in range(1, len(members)):
            row = board.rows[members[at], first : first + LANES]
            for before in range(at):
                other = board.rows[members[before], first : first + LANES]
                for lane in range(LANES):
                    lanes[lane] &= np.uint8(row[lane] != other[lane])
            left = np.uint8(0)
            for lane in range(LANES):
                left |= lanes[lane]
            if left == 0:
                break
