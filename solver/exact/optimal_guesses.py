"""All guesses that attain the value of a state: the choice that is left to a second objective.

The search of values stops at the first guess that has the least value. Here the others are found as
well: those that no bound excludes are tested one by one, each only up to the value of the state.
Words, codes of Mastermind and candidates as the only guesses have a search of values each; to
whoever asks for optimal guesses they look alike (``States``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from ..game.game import Game
from .candidate_engine import CandidateEngine
from .code_engine import ExactCodes
from .engine import Engine
from .kernels.lemmas import NEVER, after_guess, lost
from .kernels.table_vectors import Bits, Rows
from .values import NOTHING_REVEALED, buckets_of

#: It takes longer to find the kinds of fewer codes than to try them all.
_MANY = 24

#: A bucket, and what hard mode has revealed in it.
Bucket = tuple[Rows, Bits]


class States(Protocol):
    """The states of one exact search, their values and their optimal guesses."""

    def value(self, rows: Rows, left: int, revealed: Bits) -> tuple[int, int]:
        """The value of a state, and one guess that attains it."""

    def optimal_guesses(self, rows: Rows, left: int, revealed: Bits, value: int) -> Iterator[int]:
        """The guesses that attain the value of a state, one of each kind, in a fixed order.

        Guesses that leave the same buckets, or buckets that are each other with the colours
        renamed, are of one kind: whatever follows the one follows the other as well.
        """

    def buckets(self, rows: Rows, guess: int, revealed: Bits) -> Sequence[Bucket]:
        """The buckets of a guess but its own."""

    def number(self, guess: int) -> int:
        """The guess as a number of the game."""


class WordStates:
    """States of a score table; guesses are its columns."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def value(self, rows: Rows, left: int, revealed: Bits) -> tuple[int, int]:
        """The value of a state, and one column that attains it."""
        value, column = self._engine.value_of_state(rows, left, revealed)
        return value.bound, column

    def optimal_guesses(self, rows: Rows, left: int, revealed: Bits, value: int) -> Iterator[int]:
        """The columns that attain the value of a state, by their bounds, then by their order."""
        for _, column in self._engine.listed(rows, left, revealed, value):
            if self._engine.value_of_guess(rows, column, left, revealed, value).exact:
                yield column

    def buckets(self, rows: Rows, guess: int, revealed: Bits) -> Sequence[Bucket]:
        """The buckets of a column but its own."""
        return list(buckets_of(self._engine.table, rows, guess, revealed))

    def number(self, guess: int) -> int:
        """The word of a column."""
        return int(self._engine.table.guess[guess])


class CodeStates:
    """Sets of codes of a whole Mastermind game; guesses are its codes."""

    def __init__(self, codes: ExactCodes) -> None:
        self._codes = codes

    def value(self, rows: Rows, left: int, revealed: Bits) -> tuple[int, int]:
        """The value of a state, and one code that attains it."""
        known = self._codes.value(rows, left)
        return known.bound, known.guess

    def optimal_guesses(self, rows: Rows, left: int, revealed: Bits, value: int) -> Iterator[int]:
        """One code of each kind that attains the value of a state, by its bound, then ascending."""
        codes = self._codes
        for code, bound in codes.open_guesses(rows, left, value):
            slack = value - bound
            for bucket in sorted(codes.buckets(rows, code), key=len):
                more = len(bucket) * lost(left)
                least = codes.least(len(bucket), left - 1) - more
                slack -= codes.value(bucket, after_guess(left), least + slack).bound - least
                if slack < 0:
                    break
            if slack == 0:
                yield code

    def buckets(self, rows: Rows, guess: int, revealed: Bits) -> Sequence[Bucket]:
        """The buckets of a code but its own."""
        return [(bucket, NOTHING_REVEALED) for bucket in self._codes.buckets(rows, guess)]

    def number(self, guess: int) -> int:
        """The code itself."""
        return guess


class CandidateStates:
    """Sets of candidates, which are the only guesses; guesses are rows of their table."""

    def __init__(self, engine: CandidateEngine, game: Game) -> None:
        self._engine = engine
        #: Who knows which codes are of one kind.
        self._game = game if game.code_space is not None else None

    def value(self, rows: Rows, left: int, revealed: Bits) -> tuple[int, int]:
        """The value of a state, and one candidate that attains it."""
        if self._game is None or len(rows) < _MANY:
            value, row = self._engine.value(rows, left)
            return value.bound, row
        best, found = NEVER, -1
        for bound, row in self._tried(rows, left):
            if bound >= best:
                break
            value, _ = self._engine.value(rows, left, best - 1, row)
            if value.exact:
                best, found = value.bound, row
        return best, found

    def optimal_guesses(self, rows: Rows, left: int, revealed: Bits, value: int) -> Iterator[int]:
        """One candidate of each kind that attains the value, by its bound, then ascending."""
        for bound, row in self._tried(rows, left):
            if bound > value:
                return
            if self._engine.value(rows, left, value, row)[0].exact:
                yield row

    def _tried(self, rows: Rows, left: int) -> list[tuple[int, int]]:
        """One candidate of each kind, with what it costs at least: rising."""
        tried = rows
        if self._game is not None and len(rows) >= _MANY:
            codes = np.array(self._engine.guess_of, dtype=np.int32)[rows]
            tried = rows[np.isin(codes, self._game.worth_trying(codes))]
        bounds = self._engine.bounds(rows, tried, left).tolist()
        return sorted(zip(bounds, tried.tolist(), strict=True))

    def buckets(self, rows: Rows, guess: int, revealed: Bits) -> Sequence[Bucket]:
        """The buckets of a candidate but its own."""
        return [(bucket, NOTHING_REVEALED) for _, bucket in self._engine.buckets(rows, guess)]

    def number(self, guess: int) -> int:
        """The guess of a row."""
        return self._engine.guess_of[guess]
