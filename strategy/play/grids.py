"""Share grids: rows of colours as games share them, with their words or without.

A grid may have its heading (``Wordle 1,234 3/6*``) and its words: one beside each row, or as many
as there are rows below them or above them, in the order of the rows. A grid alone has no words, and
of it can only be said how many words fit each row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.errors import WrongInputError
from solver.game.game import SEPARATORS, Game, History
from solver.game.wordle import NOTATIONS
from solver.splits.fitting import count_fitting, count_words
from solver.splits.measures import chances_of, mean_of

from ..files.text import counted, plain, quoted

#: Marks that stand for nothing but tiles.
_TILES = "".join(sorted({mark for it in NOTATIONS.values() for mark in it if mark > "\u2000"}))
_ROW = re.compile(f"[{_TILES}\ufe0f]+")
#: What a game calls itself above a grid it shares: ``Wordle 1,234 4/6*``, and what this program
#: writes, ``knuthle nyt-2023 4/6``. The star stands for hard mode.
_HEADING = re.compile(
    r"(?:\bwordle[\s\d.,'’]{0,30}|\bknuthle\s+\S{1,60})\s"
    r"(?P<count>[0-9]{1,2}|x)/(?P<limit>[0-9]{1,2})(?P<hard>\*?)(?=\s|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class SharedGrid:
    """A share grid as it was pasted: its rows, its words if there are any, what its heading says.

    >>> from strategy import load_game
    >>> from strategy.play.grids import read_shared
    >>> game = load_game(["abide", "crane", "slate"])
    >>> found = read_shared(game, "Wordle 1,234 2/6* 🟨⬛⬛⬛🟩 🟩🟩🟩🟩🟩 abide CRANE")
    >>> found.words, found.hard, found.history(game)
    (('abide', 'crane'), True, (('abide', 163), ('crane', 242)))
    """

    scores: tuple[int, ...]
    words: tuple[str, ...]
    #: Whether the heading has the star of hard mode.
    hard: bool

    def history(self, game: Game) -> History:
        """The words with their scores; a grid must have a word for each row."""
        if len(self.words) != len(self.scores):
            rows, words = counted(len(self.scores), "row"), counted(len(self.words), "word")
            raise WrongInputError(
                f"the grid has {rows}, but there {'is' if len(self.words) == 1 else 'are'} {words} "
                f"({' '.join(self.words[:8])}); write one word for each row, in their order"
            )
        spelled = [game.guesses[game.guess_id(word)] for word in self.words]
        return tuple(zip(spelled, self.scores, strict=True))


def read_shared(game: Game, text: str) -> SharedGrid | None:
    """The share grid in a text; None if there are no tiles in it.

    A heading that does not agree with the rows below it is refused: then rows are missing.
    """
    heading, bare = _HEADING.search(text), without_heading(text)
    rows = [row.replace("\ufe0f", "") for row in _ROW.findall(bare)]
    if not any(rows):
        return None
    if game.letters is None:
        raise WrongInputError(f"only Wordle has share grids, not {game.spec}")
    scores = tuple(map(game.parse_score, filter(None, rows)))
    if game.solved in scores[:-1]:
        at = scores.index(game.solved) + 1
        raise WrongInputError(f"row {at} of the grid is all green, so row {at + 1} cannot follow")
    words = tuple(words_of(_ROW.sub(" ", bare).replace("\r", " ")))
    if heading is None:
        return SharedGrid(scores, words, hard=False)
    said, failed = quoted(" ".join(heading[0].split())), heading["count"].lower() == "x"
    wanted = int(heading["limit"] if failed else heading["count"])
    if len(scores) != wanted:
        rows_said, needed = counted(len(scores), "row"), counted(wanted, "row")
        raise WrongInputError(f"{said} means {needed}, but the grid has {rows_said}")
    if failed == (scores[-1] == game.solved):
        end = "was not solved, but the last row is" if failed else "was solved, but no row is"
        raise WrongInputError(f"{said} means that the game {end} all green")
    return SharedGrid(scores, words, heading["hard"] == "*")


def words_of(text: str) -> list[str]:
    """The words in a text, whatever stands between them."""
    return [word for word in re.split(f"[{re.escape(SEPARATORS)}]+", plain(text)) if word]


def scores_in(game: Game, marks: Sequence[str]) -> list[int] | None:
    """The scores that texts are, if they all are some."""
    try:
        return [game.parse_score(mark) for mark in marks]
    except WrongInputError:
        return None


def without_heading(text: str) -> str:
    """A text without what a game calls itself above a grid that it shares."""
    return _HEADING.sub(" ", text)


def is_tiles(text: str) -> bool:
    """Whether a text is a row of tiles and nothing else."""
    return _ROW.fullmatch(text.strip()) is not None


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
    """The review of a share grid without words: how many words fit each row."""

    rows: tuple[GridRow, ...]
    #: Secrets for which each row can be had.
    n_secrets: int
    #: Of so many.
    n_of: int


def review_grid(
    game: Game,
    scores: tuple[int, ...],
    secret: str | None = None,
    weights: NDArray[Any] | None = None,
) -> GridReview:
    """How many allowed words fit each row of a share grid.

    The secret is known, or any that can be. Each row is judged by itself: what one word says
    about another is not known. ``weights`` say how likely each secret is.
    """
    whose = "any secret that fits the rows above"
    if secret is None:
        chances = np.ones(len(game.secrets)) if weights is None else weights
    else:
        secret, chances = game.guesses[game.guess_id(secret)], np.ones(1)
        game, whose = replace(game, secrets=(secret,)), f"the secret {secret}"
    grades, wanted = game.all_scores(), np.array(scores, dtype=np.int32)
    words = np.zeros((len(scores), len(chances)), dtype=np.int32)
    count_words(grades, wanted, words)
    texts, possible = [*map(game.format_score, scores)], np.ones(len(chances), dtype=np.bool_)
    for number, (text, fitting) in enumerate(zip(texts, words, strict=True), 1):
        possible &= fitting > 0
        if not possible.any():
            row = f"row {number}, {text}"
            raise WrongInputError(f"this grid is impossible: no word gives {row}, for {whose}")
    found = np.zeros(len(scores), dtype=np.int32)
    count_fitting(grades, wanted, possible.astype(np.uint8), found)
    share = chances_of(chances[possible])
    means = [mean_of(fitting[possible], share) for fitting in words]
    rows = map(GridRow, scores, texts, found.tolist(), means)
    return GridReview(tuple(rows), int(possible.sum()), len(possible))
