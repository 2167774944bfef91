"""Refutations of limits, derived again from letters before a row says that an opener fails.

A refutation is a list of sets of secrets, each with the sets before it that are its reasons. It is
followed on the board of the checker of proofs (see ``derivation``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from solver.exact.limit_search import RefutedSet

from ..errors import BadFileError, WrongStrategyError
from ..proofs.checker import board
from ..proofs.checker.check import CheckedWords, WrongProofError
from .derivation import WORD, ListedSets, first_that_does_not_follow

if TYPE_CHECKING:
    from solver.game.game import Game

#: Refuted sets that are remembered as derived, two kilobytes each; space for the first of them.
_DERIVED, _FIRST_DERIVED = 1 << 17, 1 << 10


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
        try:
            self._derive(opener, limit, refutation)
        except BaseException:
            self._derived.clear()  # what is noted there has not been derived yet
            raise

    def _derive(self, opener: int, limit: int, refutation: Sequence[RefutedSet]) -> None:
        if len(self._derived) + len(refutation) > _DERIVED:
            self._derived.clear()
        known = np.zeros(len(refutation), dtype=np.uint8)
        places = np.empty(len(refutation), dtype=np.int64)
        for number, one in enumerate(refutation):
            place = self._derived.get((one.left, one.rows))
            known[number] = place is not None
            places[number] = self._note(one) if place is None else place
        wrong = first_that_does_not_follow(
            self._board, _listed(refutation), places, known, self._helpless
        )
        if wrong >= 0 or not self._excludes(opener, limit, refutation[-1]):
            word = self._game.guesses[opener]
            raise WrongStrategyError(f"the refutation of {word!r} does not follow")

    def _excludes(self, opener: int, limit: int, refuted: RefutedSet) -> bool:
        """Whether a refuted set, which is derived, excludes an opener: it leaves it undivided."""
        column = int(np.flatnonzero(self._board.guess == opener)[0])
        rows = np.array(refuted.rows, dtype=np.int32)
        return refuted.left >= limit - 1 and board.leaves_whole(self._board, column, rows)

    def _note(self, one: RefutedSet) -> int:
        """Give a set that is about to be derived a place."""
        place = self._derived[one.left, one.rows] = len(self._derived)
        space = len(self._helpless)
        if place >= space:
            words = self._board.rows.shape[1] // WORD
            wider = np.empty((max(_FIRST_DERIVED, 2 * space), words), dtype=np.uint64)
            if space:
                wider[:space] = self._helpless
            self._helpless = wider
        return place


def _listed(refutation: Sequence[RefutedSet]) -> ListedSets:
    """A refutation as arrays."""
    sizes = [0, *(len(one.rows) for one in refutation)]
    reasons = [0, *(len(one.reasons) for one in refutation)]
    return ListedSets(
        np.array([one.left for one in refutation], dtype=np.int32),
        np.array([row for one in refutation for row in one.rows], dtype=np.int32),
        np.cumsum(sizes, dtype=np.int64),
        np.array([at for one in refutation for at in one.reasons], dtype=np.int64),
        np.cumsum(reasons, dtype=np.int64),
    )
