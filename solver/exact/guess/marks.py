"""Which marks the letters of a game make: the ground that ceilings stand on (see ``ceilings``)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...game.game import Game
from ...game.score_matrix import letter_shares, take_apart
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
    """Letters of the columns, marks of the secrets, bearers of the marks."""
    apart = take_apart(words)
    secrets = words[ids]
    places = 1 << np.arange(game.length)
    shares = letter_shares(game.length, game.score_dtype)
    number: dict[bytes, int] = {}
    bearers: list[NDArray[np.bool_]] = []
    mark = np.zeros((len(apart.letter), len(ids)), dtype=np.int32)
    for row in range(1, len(apart.letter)):
        held = ((secrets == apart.letter[row]) * places).sum(axis=1)
        share = shares[apart.places[row]][held]
        for value in np.unique(share):
            inside = share == value
            key = inside.tobytes()  # no S in the first place is no S in the second
            if key not in number:
                number[key] = len(bearers)
                bearers.append(inside)
            mark[row, inside] = number[key]
    letters = np.full((len(table.guess), apart.terms.shape[1]), -1, dtype=np.int32)
    real = table.guess >= 0
    terms = apart.terms[table.guess[real]]
    letters[real] = np.where(terms > 0, terms, -1)
    return LetterMarks(letters, mark, np.array(bearers, dtype=np.uint8))
