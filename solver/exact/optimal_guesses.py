"""All guesses that attain the value of a state: the choice that is left to a second objective.

The search of values stops at the first guess that has the least value. Here the others are found as
well: those that no bound excludes are tested one by one, each only up to the value of the state.
Words, codes of Mastermind and candidates as the only guesses have a search of values each; to
whoever asks for optimal guesses they look alike (``States``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from .candidate_engine import CandidateEngine
from .code_engine import ExactCodes
from .engine import NOTHING_REVEALED, Engine
from .kernels.table_vectors import Bits, Rows
from .values import buckets_of

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
                least = codes.least(len(bucket), left - 1)
                slack -= codes.value(bucket, left - 1, least + slack).bound - least
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

    def __init__(self, engine: CandidateEngine) -> None:
        self._engine = engine

    def value(self, rows: Rows, left: int, revealed: Bits) -> tuple[int, int]:
        """The value of a state, and one candidate that attains it."""
        value, row = self._engine.value(rows, left)
        return value.bound, row

    def optimal_guesses(self, rows: Rows, left: int, revealed: Bits, value: int) -> Iterator[int]:
        """The candidates that attain the value of a state, by their bounds, then ascending."""
        bounds = self._engine.bounds(rows, rows, left).tolist()
        for bound, row in sorted(zip(bounds, rows.tolist(), strict=True)):
            if bound > value:
                return
            if self._engine.value(rows, left, value, row)[0].exact:
                yield row

    def buckets(self, rows: Rows, guess: int, revealed: Bits) -> Sequence[Bucket]:
        """The buckets of a candidate but its own."""
        return [(bucket, NOTHING_REVEALED) for _, bucket in self._engine.buckets(rows, guess)]

    def number(self, guess: int) -> int:
        """The guess of a row."""
        return self._engine.guess_of[guess]
