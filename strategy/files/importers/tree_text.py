"""The indented tree: a game a line, a run of spaces for what it shares with the line above.

    crane BBBBB1 moist BBBBB2 puppy GGGGG3
                       GGGGG2
          GGGGG1

A guess is followed by its score, of B, Y and G, and the number of the guess; G throughout ends
the game. In Mastermind ``1,2:1`` is one black peg and two white ones after the first guess.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from ..names import quoted
from .draft import Draft
from .spelling import Spelling

FORM = "tree"
_SCORE = re.compile(r"([BYGbyg]{2,11})(\d{1,4})|(\d{1,2},\d{1,2}):(\d{1,4})", re.ASCII)
_TOKEN = re.compile(r"\S+")


def is_tree(line: str) -> bool:
    """Whether a foreign line is the first of a strategy written as an indented tree."""
    tokens = line.split(None, 2)
    return len(tokens) > 1 and _SCORE.fullmatch(tokens[1]) is not None


def read(lines: Iterable[tuple[int, str]], spelling: Spelling) -> Draft:
    """The states of a foreign strategy that is written as an indented tree of text."""
    return _Reader(spelling).read(lines)


class _Reader:
    """Reads line after line; of the one above it keeps what the next may share."""

    def __init__(self, spelling: Spelling) -> None:
        self._draft = Draft(FORM, spelling)
        self._spelling = spelling
        #: Where each token of the line above begins, from left to right, words and scores in turn.
        self._starts: list[int] = []
        self._words: list[str] = []
        self._scores: list[int] = []
        self._indent = -1

    def read(self, lines: Iterable[tuple[int, str]]) -> Draft:
        for number, line in lines:
            self._share(line, number)
            self._take(line, number)
            self._draft.add_game(self._words, self._scores, number)
        return self._draft

    def _share(self, line: str, number: int) -> None:
        """Keep of the line above what the spaces of this one stand for."""
        blank = len(line) - len(line.lstrip(" "))
        if line[blank].isspace():
            raise self._spelling.bad(number, "a tab or the like where only spaces mean something")
        if self._indent < 0:
            self._indent = blank
        if not self._starts:
            return
        starts = self._starts
        kept = bisect_left(starts, blank)
        if kept == len(starts) or starts[kept] != blank:
            raise self._spelling.bad(
                number, f"its {blank} spaces do not end where a word or score above begins"
            )
        del starts[kept:]
        del self._words[(kept + 1) // 2 :], self._scores[kept // 2 :]

    def _take(self, line: str, number: int) -> None:
        """Read the tokens of a line, after what it shares."""
        spelling = self._spelling
        blank = len(line) - len(line.lstrip(" "))
        for token in _TOKEN.finditer(line, blank):
            if len(self._starts) % 2 == 0:
                self._words.append(spelling.word(token[0], number))
            else:
                self._scores.append(self._score(token[0], number))
            self._starts.append(token.start())
        if len(self._starts) % 2:
            raise spelling.bad(number, f"{self._words[-1]!r} ends the line, without its score")

    def _score(self, text: str, number: int) -> int:
        """A score with the number of its guess behind it."""
        found = _SCORE.fullmatch(text)
        turn = len(self._scores) + 1
        if found is None:
            raise self._spelling.bad(number, f"{quoted(text)} is no score with its guess's number")
        if int(found[2] or found[4]) != turn:
            raise self._spelling.bad(
                number, f"{quoted(text)} says guess {found[2] or found[4]}; it is guess {turn}"
            )
        return self._spelling.score(found[1] or found[3], number)
