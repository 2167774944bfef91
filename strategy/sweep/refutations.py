"""Refutations of limits, derived again from letters before a row says that an opener fails.

A refutation is a list of sets of secrets, each with the sets before it that are its reasons. It is
followed on the board of the checker of proofs (docs/exact.md, lemmas 7 and 7a): a set cannot be
solved with two guesses left if no guess sets it apart, and with more if each guess leaves some
reason undivided, which lies in the set and cannot be solved with one guess less.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.exact.limit_search import RefutedSet
from solver.machine.jit import kernel

from ..errors import BadFileError, WrongStrategyError
from ..proofs.checker import board
from ..proofs.checker.check import CheckedWords, WrongProofError

if TYPE_CHECKING:
    from solver.game.game import Game

#: Refuted sets that are remembered as derived, two kilobytes each; space for the first of them.
_DERIVED, _FIRST_DERIVED = 1 << 17, 1 << 10
_WORD = 64


class ListedSets(NamedTuple):
    """A refutation as arrays: secrets and reasons of all sets, one after the other."""

    left: NDArray[np.int32]
    rows: NDArray[np.int32]
    #: The secrets of set ``k`` begin at start[k]; so do its reasons at why_start[k].
    start: NDArray[np.int64]
    why: NDArray[np.int64]
    why_start: NDArray[np.int64]

    @classmethod
    def of(cls, refutation: Sequence[RefutedSet]) -> ListedSets:
        """These sets as arrays."""
        sizes = [0, *(len(one.rows) for one in refutation)]
        reasons = [0, *(len(one.reasons) for one in refutation)]
        return cls(
            np.array([one.left for one in refutation], dtype=np.int32),
            np.array([row for one in refutation for row in one.rows], dtype=np.int32),
            np.cumsum(sizes, dtype=np.int64),
            np.array([at for one in refutation for at in one.reasons], dtype=np.int64),
            np.cumsum(reasons, dtype=np.int64),
        )


@kernel
def first_that_does_not_follow(
    letters: board.LetterBoard,
    sets: ListedSets,
    places: NDArray[np.int64],
    known: NDArray[np.uint8],
    helpless: NDArray[np.uint64],
) -> int:
    """The first set that is not known and does not follow from those before it; -1 if all do.

    Writes the guesses that leave a set undivided, as bits, to its place in ``helpless``.
    """
    marks = np.empty(letters.rows.shape[1], dtype=np.uint8)
    inside = np.zeros(letters.rows.shape[0], dtype=np.uint8)
    for number in range(places.shape[0]):
        if known[number] == 1:
            continue
        rows = sets.rows[sets.start[number] : sets.start[number + 1]]
        if rows.shape[0] < 2:
            return number
        left, mine = sets.left[number], helpless[places[number]]
        marks[:] = 0
        board.mark_splitting(letters, rows, marks)
        for word in range(mine.shape[0]):
            bits = np.uint64(0)
            for lane in range(_WORD):
                bits |= np.uint64(marks[_WORD * word + lane] == 0) << np.uint64(lane)
            mine[word] = bits
        if left == 1:
            continue
        if left == 2:
            board.keep_full_splits(letters, rows, marks)
            if marks.any():
                return number
            continue
        for row in rows:
            inside[row] = 1
        follows = _rests_on_reasons(sets, number, places, inside, helpless)
        for row in rows:
            inside[row] = 0
        if not follows:
            return number
    return -1


@kernel(inner=True)
def _rests_on_reasons(
    sets: ListedSets,
    number: int,
    places: NDArray[np.int64],
    inside: NDArray[np.uint8],
    helpless: NDArray[np.uint64],
) -> bool:
    """Whether the reasons of a set, whose secrets are marked, refute all guesses that divide it."""
    refuted = helpless[places[number]].copy()
    for at in range(sets.why_start[number], sets.why_start[number + 1]):
        reason = sets.why[at]
        if not 0 <= reason < number or sets.left[reason] < sets.left[number] - 1:
            return False
        for k in range(sets.start[reason], sets.start[reason + 1]):
            if inside[sets.rows[k]] == 0:
                return False
        theirs = helpless[places[reason]]
        for word in range(refuted.shape[0]):
            refuted[word] |= theirs[word]
    open_guesses = np.uint64(0)
    for word in range(refuted.shape[0]):
        open_guesses |= ~refuted[word]
    return bool(open_guesses == 0)


class RefutationReplay:
    """Derives refutations again from letters, on the board of the checker of proofs.

    What was derived once is not derived again: openers share most of it. Of each derived set the
    guesses are kept that leave it undivided: what rests on it is refuted for these.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        #: The place of each derived set among ``_helpless``.
        self._derived: dict[tuple[int, tuple[int, ...]], int] = {}
        self._helpless = np.empty((0, 0), dtype=np.uint64)

    @cached_property
    def is_possible(self) -> bool:
        """Whether the checker of proofs takes the words of the game."""
        try:
            CheckedWords(tuple(self._game.guesses), tuple(self._game.secrets))
        except (BadFileError, WrongProofError):
            return False
        return True

    @cached_property
    def _board(self) -> board.LetterBoard:
        return board.new_board(self._game.guesses, self._game.secrets, 0, False, False)

    def replay(self, opener: int, limit: int, refutation: Sequence[RefutedSet]) -> None:
        """Refuse a refutation that does not show that an opener cannot meet a limit."""
        if len(self._derived) + len(refutation) > _DERIVED:
            self._derived.clear()
        known = np.zeros(len(refutation), dtype=np.uint8)
        places = np.empty(len(refutation), dtype=np.int64)
        for number, one in enumerate(refutation):
            place = self._derived.get((one.left, one.rows))
            known[number] = place is not None
            places[number] = self._note(one) if place is None else place
        wrong = first_that_does_not_follow(
            self._board, ListedSets.of(refutation), places, known, self._helpless
        )
        last = refutation[-1]
        column = int(np.flatnonzero(self._board.guess == opener)[0])
        whole = board.leaves_whole(self._board, column, np.array(last.rows, dtype=np.int32))
        if wrong >= 0 or last.left < limit - 1 or not whole:
            self._derived.clear()
            word = self._game.guesses[opener]
            raise WrongStrategyError(f"the refutation of {word!r} does not follow")

    def _note(self, one: RefutedSet) -> int:
        """Give a set that is about to be derived a place."""
        place = self._derived[one.left, one.rows] = len(self._derived)
        space = len(self._helpless)
        if place >= space:
            words = self._board.rows.shape[1] // _WORD
            wider = np.empty((max(_FIRST_DERIVED, 2 * space), words), dtype=np.uint64)
            if space:
                wider[:space] = self._helpless
            self._helpless = wider
        return place
