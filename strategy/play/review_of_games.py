"""Several games graded: each one's skill and luck, and the means."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from solver.errors import WrongInputError

from ..files.names import shown
from .review import Review, Reviewer, read_game


@dataclass(frozen=True)
class Diary:
    """Reviews of several games."""

    reviews: tuple[Review, ...]

    @property
    def skill(self) -> float:
        """The mean skill over the games."""
        return self._mean([review.skill for review in self.reviews])

    @property
    def luck(self) -> float:
        """The mean luck over the games, in bits."""
        return self._mean([review.luck for review in self.reviews])

    @property
    def luck_guesses(self) -> float:
        """The mean luck over the games, in guesses."""
        return self._mean([review.luck_guesses for review in self.reviews])

    def _mean(self, values: list[float]) -> float:
        return math.fsum(values) / len(values)


def review_lines(reviewer: Reviewer, lines: Iterable[str], where: str) -> Diary:
    """The reviews of games that are written a game a line.

    ``#`` begins a comment, blank lines do not count.
    """
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        try:
            found.append(reviewer.review(read_game(reviewer.game, text)))
        except WrongInputError as error:
            raise WrongInputError(f"{shown(where)}:{number}: {error}") from None
    if not found:
        raise WrongInputError(f"{shown(where)}: no games in it")
    return Diary(tuple(found))
