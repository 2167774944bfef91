"""Words and scores as others spell them; every one is checked before anything is made of it.

The notations of scores are those that states are read in; the file's own lines do it here, since
whoever judges a strategy must not ask the solver what a score looks like.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...errors import BadFileError
from ..letters import is_word, plain
from ..names import quoted
from ..notation import solved_score
from ..strategy_file import LONGEST_WORD

#: Marks for grey, yellow, green; those of ``_GREY`` stand for grey in each.
_NOTATIONS = ("byg", "xyg", "xpo", "012", "_?!", "⬛🟨🟩", "⬜🟨🟩", "⬛🟦🟧", "⬜🟦🟧")
_GREY = "._-"
_MARKS = frozenset("".join((*_NOTATIONS, _GREY)))
_PEGS = re.compile(r"([0-9]{1,2})\s*,\s*([0-9]{1,2})")
#: A number as a score: no leading zero, or it would be digits of base three.
_NUMBER = re.compile(r"0|[1-9][0-9]{0,5}")
_SHORTEST, _LONGEST = 2, 11
_CODE = re.compile(rf"[a-z0-9]{{1,{LONGEST_WORD}}}")


class Spelling:
    """What words and scores look like in one foreign file, settled by the first that come.

    The game may be known before; then nothing else is read.
    """

    def __init__(self, name: str, game: str = "") -> None:
        self.name = name
        #: ``wordle``, ``mastermind…``, or nothing while it is not known.
        self.game = game
        self.length = 0
        #: Whether scores were written as numbers, whose digits may begin at either end.
        self.numbers = False
        #: Whether it is taken for Mastermind only because a word has digits: marks tell otherwise.
        self._doubtful = False
        self._words: dict[str, str] = {}
        self._scores: dict[str, int] = {}

    def word(self, text: str, line: int) -> str:
        """A word of the file in lower case; what is none, or has another length, is refused."""
        known = self._words.get(text)
        if known is not None:
            return known
        word = plain(text.strip())
        if not self._is_word(word):
            what = "code" if self.is_pegs else "word"
            raise self.bad(line, f"{quoted(text)} is no {what}")
        self.length = self.length or len(word)
        if len(word) != self.length:
            raise self.bad(
                line, f"{quoted(text)} is not as long as the words before it: {self.length}"
            )
        if not self.game and word.isascii() and not word.isalpha():
            self.game, self._doubtful = "mastermind", True
        self._words[text] = word
        return word

    def _is_word(self, word: str) -> bool:
        if self.is_pegs or len(word) < _SHORTEST:
            return self.game != "wordle" and _CODE.fullmatch(word) is not None
        return len(word) <= (_LONGEST if self.game else LONGEST_WORD) and is_word(word)

    def looks_like_word(self, text: str) -> bool:
        """Whether a text would be read as a word of this file."""
        word = plain(text.strip())
        return self._is_word(word) and self.length in (0, len(word))

    @property
    def is_pegs(self) -> bool:
        """Whether the scores of the file are black and white pegs."""
        return self.game.startswith("mastermind")

    @property
    def solved(self) -> int:
        """The score that ends a game of this file."""
        return solved_score(self.game or "wordle", self.length)

    def score(self, text: str, line: int) -> int:
        """The integer of a score that the file has in any notation."""
        known = self._scores.get(text)
        if known is None:
            found = self.score_or_none(text)
            if found is None:
                raise self.bad(line, f"{quoted(text)} is no score")
            if _NUMBER.fullmatch(text.strip()) and not self._is_marks(text):
                self.numbers = not self.is_pegs
            self._scores[text] = known = found
        return known

    def score_or_none(self, text: str) -> int | None:
        """The integer of a score, or None if it is none.

        The length of words must be known.
        """
        marks = text.strip().lower().replace("\ufe0f", "")
        if pegs := _PEGS.fullmatch(marks):
            return self._pegs(int(pegs[1]), int(pegs[2]))
        if self._doubtful and self._is_marks(marks) and not marks.isdigit():
            self.game, self._doubtful = "wordle", False
        if not self.is_pegs and self._is_marks(marks):
            return _colours(marks)
        if _NUMBER.fullmatch(marks) and int(marks) <= self.solved:
            return int(marks)
        return None

    def _is_marks(self, text: str) -> bool:
        marks = text.strip().lower().replace("\ufe0f", "")
        return len(marks) == self.length and _colours(marks) is not None

    def _pegs(self, black: int, white: int) -> int | None:
        if self.game == "wordle" or black + white > self.length:
            return None
        self.game = self.game or "mastermind"
        return black * (self.length + 1) + white

    def bad(self, line: int, reason: str) -> BadFileError:
        """The error for what stands in a line of the file."""
        return BadFileError("format", f"{self.name}:{line}: {reason}")


#: Grades a guess against a secret.
Grader = Callable[[str, str], int]


def _colours(marks: str) -> int | None:
    """The integer of a row of marks, or None if they are of no one notation."""
    if not _MARKS.issuperset(marks):
        return None
    for symbols in _NOTATIONS:
        if all(mark in symbols or mark in _GREY for mark in marks):
            digits = [max(symbols.find(mark), 0) for mark in marks]
            return sum(int(digit * 3**place) for place, digit in enumerate(digits))
    return None
