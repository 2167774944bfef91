"""A bare share grid: rows of colours without their words, and how many words fit each row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.game.game import SEPARATORS
from solver.game.grading import NOTATIONS
from solver.splits.weighted_measures import chances_of

if TYPE_CHECKING:
    from solver.game.game import Game

#: Marks that stand for nothing but tiles.
_TILES = "".join(
    sorted({mark for marks in NOTATIONS.values() for mark in marks if mark > "\u2000"})
)
_ROW = re.compile(f"[{_TILES}\ufe0f]+")
#: What a game calls itself above a grid it shares: ``Wordle 1,234 4/6*``.
_HEADING = re.compile(r"wordle\s*[\d.,\s]*\s[1-9x]/\d\*?", re.IGNORECASE)


@dataclass(frozen=True)
class GridRow:
    """A row of a share grid: its colours, and how many words fit it."""

    score: int
    #: The score as people write it.
    text: str
    #: Words that may have been guessed: they give the row for one of the secrets, at least.
    n_words: int
    #: Words that give the row for a secret, on average over the secrets.
    mean: float


@dataclass(frozen=True)
class GridReview:
    """What a share grid without words tells: how many words fit each row."""

    rows: tuple[GridRow, ...]
    #: Secrets for which each row can be had.
    n_secrets: int
    #: Of so many.
    n_of: int


def read_grid(game: Game, text: str) -> tuple[int, ...] | None:
    """The scores of a share grid, if the text is nothing but one; None if it has words in it."""
    bare = _HEADING.sub(" ", text)
    rows = [row.replace("\ufe0f", "") for row in _ROW.findall(bare)]
    if not rows or _ROW.sub(" ", bare).strip(SEPARATORS + "\r"):
        return None
    if game.letters is None:
        raise WrongInputError(f"a share grid is Wordle's; {game.spec} has none")
    scores = tuple(map(game.parse_score, rows))
    if game.solved in scores[:-1]:
        at = scores.index(game.solved) + 1
        raise WrongInputError(
            f"row {at} of the grid is all green: row {at + 1} comes after the end"
        )
    return scores


def review_grid(
    game: Game,
    scores: tuple[int, ...],
    secret: str | None = None,
    weights: NDArray[Any] | None = None,
) -> GridReview:
    """How many allowed words fit each row of a share grid.

    The secret is known, or any that can be. Rows are looked at one by one: what one word tells
    about another is not known. ``weights`` say how likely each secret is.
    """
    grades: NDArray[Any]
    if secret is None:
        alone, grades = "", game.all_scores()
        chances = np.ones(len(game.secrets)) if weights is None else weights
    else:
        alone, chances = game.guesses[game.guess_id(secret)], np.ones(1)
        grades = np.array([[game.grade(word, alone)] for word in game.guesses])
    possible = np.ones(len(chances), dtype=np.bool_)
    for number, score in enumerate(scores, 1):
        possible &= (grades == score).any(axis=0)
        if not possible.any():
            whose = f"the secret {alone}" if secret else "any secret that fits the rows above"
            row = f"row {number}, {game.format_score(score)}"
            raise WrongInputError(f"the grid cannot be: no word gives {row}, for {whose}")
    rows = []
    share = chances_of(chances[possible])
    for score in scores:
        fits = grades[:, possible] == score
        mean = float(fits.sum(axis=0) @ share)
        rows.append(GridRow(score, game.format_score(score), int(fits.any(axis=1).sum()), mean))
    return GridReview(tuple(rows), int(possible.sum()), len(possible))
