"""Wordle as a game: words of one length, graded green, yellow and grey."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..errors import WrongInputError
from . import grading
from .game import SEPARATORS, Game, refuse_other_rule
from .letters import LATIN, MOST_LETTERS, alphabet_of

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class WordleGame(Game):
    """Wordle with words of one length: greens, yellows and greys."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        refuse_other_rule(cls, WordleGame)

    @property
    def spec(self) -> str:
        """The name of the game, always ``wordle``; the lists make the difference."""
        return "wordle"

    @property
    def n_scores(self) -> int:
        """The number that scores are below: three colours at every place."""
        return int(3**self.length)

    @property
    def solved(self) -> int:
        """The score of a guess that is the secret: all green."""
        return grading.solved_score(self.length)

    @cached_property
    def alphabet(self) -> str:
        """The letters: a-z if the guesses have no others, else those that occur, in order."""
        letters = alphabet_of(self.guesses)
        if len(letters) > MOST_LETTERS:
            raise WrongInputError(
                f"the words of {self.list_name} have {len(letters)} different letters; "
                f"at most {MOST_LETTERS} will do"
            )
        return letters

    @cached_property
    def letters(self) -> NDArray[np.uint8]:
        """The guesses as numbers of letters in the alphabet, a row each."""
        import numpy as np

        text = "".join(self.guesses)
        if self.alphabet == LATIN:
            plain = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
            return plain.reshape(-1, self.length) - np.uint8(ord("a"))
        points, known = (
            np.frombuffer(each.encode("utf-32-le"), dtype=np.uint32)
            for each in (text, self.alphabet)
        )
        return np.searchsorted(known, points).astype(np.uint8).reshape(-1, self.length)

    @property
    def has_hard_mode(self) -> bool:
        """Whether the game has hard mode, Wordle's own rule: it has."""
        return True

    def grade(self, guess: str, secret: str) -> int:
        """The score of a guess: greens first, then yellows left to right from what is left."""
        return grading.grade(guess, secret)

    def parse_score(self, text: str) -> int:
        """Read a score in any notation that ``grading`` knows."""
        return grading.parse_score(text, self.length)

    def format_score(self, score: int) -> str:
        """Write a score in lower-case ``byg`` from left to right."""
        return grading.format_score(score, self.length)

    def score_rows(
        self,
        guess_ids: NDArray[np.int32] | None = None,
        secret_ids: NDArray[np.int32] | None = None,
    ) -> NDArray[Any]:
        """Rows of the score matrix by column sums."""
        from .score_matrix import sums_of_columns

        guesses = self.letters if guess_ids is None else self.letters[guess_ids]
        hidden = self.secret_ids if secret_ids is None else self.secret_ids[secret_ids]
        return sums_of_columns(guesses, self.letters[hidden], self.score_dtype, True)

    def row_source(
        self, guess_ids: NDArray[np.int32] | None = None
    ) -> Callable[[NDArray[np.int32]], NDArray[Any]]:
        """Score rows of some secrets at a time, in the same memory."""
        from .score_matrix import ColumnSums

        guesses = self.letters if guess_ids is None else self.letters[guess_ids]
        secrets = self.letters[self.secret_ids]
        return ColumnSums(secrets, guesses, self.score_dtype, False).rows_of

    def _score_texts(self, text: str, start: int) -> list[int]:
        marks = text[start : start + self.length]
        if len(marks) < self.length:
            return []
        try:
            self.parse_score(marks)
        except WrongInputError:
            return []
        return [start + self.length]

    def _is_doubtful(self, text: str, begin: int, end: int) -> bool:
        """Whether the first or last mark is a grey one only because the score needs one more."""
        marks, before, after = text[begin:end], text[:begin], text[end:]
        if not marks.strip("."):
            return False  # all grey, whatever the first dot is
        if before[-1] not in SEPARATORS:
            if marks[0] == "." or (marks[0] in "-_" and not {marks[0], *"?!"} & {*marks[1:]}):
                return True
        elif marks[0] == before[-1] and before[-2] in SEPARATORS:
            return True
        if marks[-1] != ".":
            return False
        greys = zip(marks, grading.colours_of(self.parse_score(marks), self.length), strict=True)
        mixed = any(mark != "." and colour == grading.GREY for mark, colour in greys)
        if mixed and "." not in marks.strip("."):
            return True
        return bool(after) and after[0] not in SEPARATORS and before[-1] in SEPARATORS
