"""A strategy as a file of somebody else states it: its words, its states, and the faults it shows.

None of it is believed yet. Words and scores are read in the notations that people use, each of them
checked before anything is made of it, by lines of this folder alone: a checker of strategies must
not rely on the solver for what a score looks like.

A state is a node: the guess that is made there, the state that it came from, the score between.
Parents come before their children. Where the file says that a secret is solved stands apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from ..checkers.lists import LONGEST_WORD
from ..checkers.verify import DEEPEST
from ..errors import BadFileError
from .strategy_file import MOST_NODES
from .text import is_word, plain, quoted, solved_score


class FaultKind(StrEnum):
    """The kinds of faults that a strategy can have, in the order in which they are listed."""

    #: What a strategy file says of itself is not so.
    HEAD = "head"
    NOT_ALLOWED = "guess not allowed"
    TWO_GUESSES = "two guesses in one state"
    #: What the file says a guess was answered is not what the secret answers.
    WRONG_SCORE = "wrong score"
    #: A game has no end, or goes on after it.
    NO_END = "game without end"
    #: A secret is solved in two places, or stands in two lines.
    TWICE = "secret twice"
    #: A game is for a word that may not be hidden.
    NO_SECRET = "not a secret"
    MISSING = "secret missing"
    UNREACHED = "state never reached"
    HARD_MODE = "guess forbidden in hard mode"
    #: A secret takes more guesses than were demanded.
    BEYOND = "beyond the limit"


class Fault(NamedTuple):
    """One fault of a strategy: its kind, a sentence, the word it is about, the line of the file."""

    kind: FaultKind
    text: str
    word: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        where = f"line {self.line}: " if self.line else ""
        return f"{self.kind}: {where}{self.text}"


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults ordered by kind, and then as they were found."""
    order = {kind: at for at, kind in enumerate(FaultKind)}
    return tuple(sorted(faults, key=lambda fault: order[fault.kind]))


# --- words and scores ---------------------------------------------------------------------

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
    """How one foreign file writes words and scores; the first ones of it decide.

    The game may be known before; then nothing else is read.
    """

    def __init__(self, name: str, game: str = "") -> None:
        self.name = name
        #: ``wordle``, ``mastermind…``, or nothing while it is not known.
        self.game = game
        self.length = 0
        #: Whether scores were written as numbers, whose digits may begin at either end.
        self.numbers = False
        #: Whether it is taken for Mastermind because a word has digits: marks may correct that.
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
        """The integer of a score, or None if it is none; the length of words must be known."""
        marks = text.strip().lower().replace("\ufe0f", "")
        if pegs := _PEGS.fullmatch(marks):
            black, white = int(pegs[1]), int(pegs[2])
            if self.game == "wordle" or black + white > self.length:
                return None
            self.game = self.game or "mastermind"
            return black * (self.length + 1) + white
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

    def bad(self, line: int | None, reason: str, kind: str = "format") -> BadFileError:
        """The error for what stands in a line of the file, if lines are known."""
        where = f"{self.name}:{line}" if line else self.name
        return BadFileError(kind, f"{where}: {reason}")


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


# --- states -------------------------------------------------------------------------------

#: More than any list has secrets to be wrong about.
MOST_FAULTS = 1 << 16


@dataclass
class Draft:
    """The states of a foreign strategy file, and the faults that show without playing."""

    #: What the file is: a tree of text, JSON, …
    form: str
    spelling: Spelling
    guess: list[str] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    score: list[int] = field(default_factory=list)
    #: The number of the guess made at each node, the first being 1.
    depth: list[int] = field(default_factory=list)
    line: list[int] = field(default_factory=list)
    #: Node → the line that says the guess there may be the secret.
    ends: dict[int, int] = field(default_factory=dict)
    #: Whether the file says of every secret where it is solved; if not, playing shows.
    says_all_ends: bool = True
    faults: list[Fault] = field(default_factory=list)
    #: The words that games of the file end in, whatever is wrong with those.
    named: set[str] = field(default_factory=set)
    #: What the head of the file calls its list and the part that may be hidden.
    list_name: str = ""
    secrets_name: str = ""
    _below: dict[tuple[int, int], int] = field(default_factory=dict)

    def note(self, fault: Fault) -> None:
        """Keep a fault of the file; with too many of them it is no strategy at all."""
        self.faults.append(fault)
        if len(self.faults) > MOST_FAULTS:
            reason = f"more than {MOST_FAULTS:,} faults, the last: {fault.kind}"
            raise self.spelling.bad(fault.line, reason)

    @property
    def game(self) -> str:
        """The game of the draft: ``wordle``, or ``mastermind`` with or without a board."""
        return self.spelling.game or "wordle"

    def add(self, parent: int, score: int, guess: str, line: int) -> int:
        """Add a new node below another (-1 for the first); the number that it has."""
        node = len(self.guess)
        depth = self.depth[parent] + 1 if node else 1
        if node >= MOST_NODES:
            raise self.spelling.bad(line, f"more than {MOST_NODES:,} states", "large")
        if depth > DEEPEST:
            raise self.spelling.bad(line, f"more than {DEEPEST} guesses in a game", "deep")
        self.guess.append(guess)
        self.parent.append(parent)
        self.score.append(score)
        self.depth.append(depth)
        self.line.append(line)
        if node:
            self._below[parent, score] = node
        return node

    def child(self, parent: int, score: int) -> int | None:
        """The node below another by a score; None if there is none."""
        return self._below.get((parent, score))

    def enter(self, parent: int, score: int, guess: str, line: int) -> int | None:
        """The node of a state, new or known; None, and a fault, where it has another guess."""
        node = self.child(parent, score) if parent >= 0 else (0 if self.guess else None)
        if node is None:
            return self.add(parent, score, guess, line)
        if self.guess[node] != guess:
            text = f"{guess!r} where line {self.line[node]} guesses {self.guess[node]!r}"
            self.note(Fault(FaultKind.TWO_GUESSES, text, guess, line))
            return None
        return node

    def end(self, node: int, line: int) -> None:
        """Note that the file has the guess of a node for a secret."""
        self.named.add(self.guess[node])
        if node in self.ends:
            word = self.guess[node]
            where = f"stands in line {self.ends[node]}" if line else "is there"
            text = f"the game of {word!r} {where} already"
            self.note(Fault(FaultKind.TWICE, text, word, line or None))
        else:
            self.ends[node] = line

    def add_game(self, words: Sequence[str], scores: Sequence[int], line: int) -> None:
        """Add the states of a whole game to the draft; its last score may be left out."""
        solved = self.spelling.solved
        self.named.add(words[-1])
        node, score = -1, 0
        for number, word in enumerate(words):
            entered = self.enter(node, score, word, line)
            if entered is None:
                return
            node = entered
            score = scores[number] if number < len(scores) else solved
            if score == solved:
                self.end(node, line)
                if number < len(words) - 1:
                    text = f"the game goes on when {word!r} is solved"
                    self.note(Fault(FaultKind.NO_END, text, word, line))
                return
        text = f"the game ends before its secret is found, with {words[-1]!r}"
        self.note(Fault(FaultKind.NO_END, text, words[-1], line))

    def history(self, node: int) -> list[tuple[str, int]]:
        """The guesses and scores that lead to a node."""
        steps = []
        while (above := self.parent[node]) >= 0:
            steps.append((self.guess[above], self.score[node]))
            node = above
        return steps[::-1]

    def mirrored(self) -> Draft:
        """The same draft with the digits of all scores read from the other end."""
        last = self.spelling.length - 1
        turned = {
            score: sum(score // 3**place % 3 * 3 ** (last - place) for place in range(last + 1))
            for score in set(self.score)
        }
        return replace(self, score=[turned[score] for score in self.score], _below={})
