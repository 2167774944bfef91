"""Refutations of limits, derived again from letters before a row says that an opener fails.

A refutation is a list of sets of secrets, each with the sets before it that are its reasons. Each
is derived by Theorem 2 of docs/proof-format.md, on the board of the checker of proofs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.exact.limit_search import RefutedSet

from ..checkers import lemmas, lists, proof
from ..errors import BadFileError, WrongStrategyError

if TYPE_CHECKING:
    from solver.game.game import Game

#: Refuted sets that are remembered as derived, two kilobytes each.
_DERIVED = 1 << 17


class RefutationReplay:
    """Derives refutations again from letters, on the board of the checker of proofs.

    What was derived once is not derived again: openers share most of it. Of each derived set it is
    kept, as bits, which guesses leave it undivided: what rests on it is refuted for these.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._derived: dict[tuple[int, tuple[int, ...]], NDArray[np.uint8]] = {}

    @cached_property
    def is_possible(self) -> bool:
        """Whether the checker of proofs takes the words of the game."""
        guesses, secrets = self._game.guesses, self._game.secrets
        try:
            lists.check_words(guesses, self._game.spec)
        except BadFileError:
            return False
        return len(guesses) * len(secrets) <= proof.MOST_SCORES

    @cached_property
    def _board(self) -> lemmas.Board:
        return lemmas.new_board(self._game.guesses, self._game.secrets, 0, False)

    def replay(self, opener: int, limit: int, refutation: Sequence[RefutedSet]) -> None:
        """Refuse a refutation that does not show that an opener cannot meet a limit."""
        if len(self._derived) + len(refutation) > _DERIVED:
            self._derived.clear()
        follows = all(self._follows(number, refutation) for number in range(len(refutation)))
        last = refutation[-1]
        if not (follows and last.left >= limit - 1 and self._whole(last)[opener]):
            word = self._game.guesses[opener]
            raise WrongStrategyError(f"the refutation of {word!r} does not follow")

    def _follows(self, number: int, refutation: Sequence[RefutedSet]) -> bool:
        """Whether a set follows from those before it, which do."""
        one = refutation[number]
        if (one.left, one.rows) in self._derived:
            return True
        board, rows = self._board, np.array(one.rows, dtype=np.int64)
        if len(rows) < 2 or one.left < 1 or (np.diff(rows) <= 0).any():
            return False
        if rows[0] < 0 or rows[-1] >= len(board.scores):
            return False
        members = rows.astype(np.int32)
        whole = lemmas.leaves_whole(board, members)
        fails = whole | (one.left == 1)
        if one.left == 2:
            fails |= lemmas.parts_of(board, members, lemmas.every_guess(board)) < len(rows)
        for reason in one.reasons:
            other = refutation[reason] if 0 <= reason < number else one
            if other is one or other.left < one.left - 1 or not {*other.rows} <= {*one.rows}:
                return False
            fails |= self._whole(other)
        if fails.all():
            self._derived[one.left, one.rows] = np.packbits(whole)
        return bool(fails.all())

    def _whole(self, one: RefutedSet) -> NDArray[np.bool_]:
        """Which guesses leave a set undivided that was derived."""
        bits = np.unpackbits(self._derived[one.left, one.rows], count=len(self._game.guesses))
        return bits.astype(np.bool_)
