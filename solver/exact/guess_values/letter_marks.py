"""Which marks the letters of a game make: the ground that ceilings stand on (see ``ceilings``)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...game.game import Game
from ...game.score_matrix import letter_shares, letters_in, place_sets, take_apart
from ..table.score_table import ScoreTable
from .ceilings import Ceilings, LetterMarks, new_ceilings, no_ceilings


def ceilings_of(game: Game, table: ScoreTable, ids: NDArray[np.int32]) -> Ceilings:
    """The ceilings of a table whose rows are the secrets at ``ids`` among the guesses."""
    if game.letters is None:
        return no_ceilings(table)
    return new_ceilings(marks_of(game, game.letters, table, ids))


def marks_of(
    game: Game, words: NDArray[np.uint8], table: ScoreTable, ids: NDArray[np.int32]
) -> LetterMarks:
    """The letters of a table's columns, the marks of its secrets, the bearers of the marks."""
    apart = take_apart(words)
    sets = place_sets(words[ids], letters_in(words))
    shares = letter_shares(game.length, game.score_dtype)
    numbers = _Numbers()
    mark = np.zeros((len(apart.letter), len(ids)), dtype=np.int32)
    for letter, (first, end) in enumerate(pairwise(apart.first.tolist())):
        present, held = np.unique(sets[letter], return_inverse=True)
        for row in range(first, end):
            mark[row] = numbers.of(letter, shares[apart.places[row]][present], held)[held]
    letters = np.full((len(table.guess), apart.terms.shape[1]), -1, dtype=np.int32)
    real = table.guess >= 0
    terms = apart.terms[table.guess[real]]
    letters[real] = np.where(terms > 0, terms, -1)
    return LetterMarks(letters, mark, np.array(numbers.bearers, dtype=np.uint8))


class _Numbers:
    """The marks by those who bear them: no S in the first place is no S in the second."""

    def __init__(self) -> None:
        self.bearers: list[NDArray[np.bool_]] = []
        self._by_bearers: dict[bytes, int] = {}
        #: The same by a letter, and which of the sets of places that it is found in they are.
        self._by_sets: dict[tuple[int, int], int] = {}

    def of(self, letter: int, share: NDArray[Any], held: NDArray[np.intp]) -> NDArray[np.int32]:
        """For each set of places that a letter is found in, the mark of its share of the score.

        ``held``: which of these sets each secret has.
        """
        number = np.empty(len(share), dtype=np.int32)
        alike: dict[int, list[int]] = {}
        for at, value in enumerate(share.tolist()):
            alike.setdefault(value, []).append(at)
        for _, places in sorted(alike.items()):
            key = letter, sum(1 << at for at in places)
            if key not in self._by_sets:
                inside = np.zeros(len(share), dtype=np.bool_)
                inside[places] = True
                self._by_sets[key] = self._number(inside[held])
            number[places] = self._by_sets[key]
        return number

    def _number(self, inside: NDArray[np.bool_]) -> int:
        """The number of the mark that these secrets bear."""
        number = self._by_bearers.setdefault(inside.tobytes(), len(self.bearers))
        if number == len(self.bearers):
            self.bearers.append(inside)
        return number
