"""That a limit cannot be kept: which guesses fail, and by which smaller failures.

A refutation says of a set of candidates that no strategy solves them all with so many guesses. If
it holds for a set, it holds for every set that contains it; so a guess fails as soon as it leaves
all members of a set that is refuted with one guess less in one bucket. A refutation cites the sets
that together make every guess fail.

``docs/proof-format.md`` states and proves the lemmas.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.jit import kernel

from .board import LANES, Board, is_legal, nothing_shown, show
from .facts import asks_no_more


class Refuted(NamedTuple):
    """No strategy solves these candidates within ``left`` guesses."""

    #: Positions among the secrets, ascending.
    members: NDArray[np.int32]
    left: int
    #: What hard mode asks for, as ``board.show`` writes it.
    shown: NDArray[np.uint8]


def holds_in(refuted: Refuted, members: NDArray[np.int32], left: int) -> bool:
    """Whether it speaks of a part of a set, with as many guesses or more (Lemmas 3 and 6)."""
    return refuted.left >= left and bool(np.isin(refuted.members, members).all())


def promising(board: Board, state: Refuted) -> NDArray[np.uint8]:
    """The columns whose guesses do not fail by themselves, marked with 1."""
    marks = np.zeros(board.rows.shape[1], dtype=np.uint8)
    if state.left > 1:
        _mark_telling(board, state.members, marks)
        if state.left == 2:
            _keep_parting(board, state.members, marks)
        if board.hard:
            _keep_legal(board, state.shown, marks)
    return marks


def strike(board: Board, state: Refuted, cited: Refuted, marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that fail in a state because of a refuted part of it (Lemma 7)."""
    if board.hard:
        _strike_shown(board, state.shown, cited.members, cited.shown, marks)
    else:
        _strike(board, cited.members, marks)


def fails(board: Board, column: int, shown: NDArray[np.uint8], cited: Refuted) -> bool:
    """Whether one guess fails because of a refuted set, if that set is among the candidates."""
    marks = np.zeros(board.rows.shape[1], dtype=np.uint8)
    marks[column] = 1
    strike(board, Refuted(cited.members, 0, shown), cited, marks)
    return not marks[column]


# --- kernels: a whole row of columns at once --------------------------------------------------


@kernel
def _mark_telling(board: Board, members: NDArray[np.int32], marks: NDArray[np.uint8]) -> None:
    """Mark the guesses that leave the members in more than one bucket."""
    marks[:] = 0
    first = board.rows[members[0]]
    for member in members[1:]:
        row = board.rows[member]
        for column in range(len(marks)):
            marks[column] |= row[column] != first[column]


@kernel
def _keep_parting(board: Board, members: NDArray[np.int32], marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that leave two members in one bucket."""
    for first in range(0, len(marks), LANES):
        lanes = marks[first : first + LANES]
        for at in range(1, len(members)):
            row = board.rows[members[at], first : first + LANES]
            for before in range(at):
                other = board.rows[members[before], first : first + LANES]
                for lane in range(LANES):
                    lanes[lane] &= row[lane] != other[lane]
            if not np.any(lanes):
                break


@kernel
def _keep_legal(board: Board, shown: NDArray[np.uint8], marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that hard mode forbids."""
    for column in range(len(marks)):
        if marks[column] and not is_legal(board.letters[column], shown):
            marks[column] = 0


@kernel
def _strike(board: Board, members: NDArray[np.int32], marks: NDArray[np.uint8]) -> None:
    """Unmark the guesses that leave all members in one bucket."""
    apart = np.zeros(len(marks), dtype=np.uint8)
    _mark_telling(board, members, apart)
    for column in range(len(marks)):
        marks[column] &= apart[column]


@kernel
def _strike_shown(
    board: Board,
    shown: NDArray[np.uint8],
    members: NDArray[np.int32],
    asked: NDArray[np.uint8],
    marks: NDArray[np.uint8],
) -> None:
    """The same in hard mode: what is shown after the guess must be all that the set asks for."""
    apart = np.zeros(len(marks), dtype=np.uint8)
    _mark_telling(board, members, apart)
    after = np.zeros_like(shown)
    secret = board.letters[board.column[members[0]]]
    for column in range(len(marks)):
        if marks[column] and not apart[column]:
            show(board.letters[column], secret, shown, after)
            if asks_no_more(asked, after, board.letters.shape[1]):
                marks[column] = 0


__all__ = ["Refuted", "fails", "holds_in", "nothing_shown", "promising", "strike"]
