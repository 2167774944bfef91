"""A strategy as a file of somebody else says it: nothing of it is believed yet.

A state is a node: the guess that is made there, the state that it came from, the score between.
Parents come before their children. Where the file says that a secret is solved stands apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ...errors import BadFileError
from ..faults import NO_END, TWICE, TWO_GUESSES, Fault
from ..strategy_file import DEEPEST, MOST_NODES
from .spelling import Spelling

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
    #: The line that each node stands in.
    line: list[int] = field(default_factory=list)
    #: Node → the line that says the guess there may be the secret.
    ends: dict[int, int] = field(default_factory=dict)
    #: Whether the file says of every secret where it is solved; if not, only playing tells.
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
            name, line = self.spelling.name, fault.line
            reason = f"{name}:{line}: more than {MOST_FAULTS:,} faults, the last: {fault.kind}"
            raise BadFileError("format", reason)

    @property
    def game(self) -> str:
        """The game of the draft: ``wordle``, or ``mastermind`` with or without a board."""
        return self.spelling.game or "wordle"

    def add(self, parent: int, score: int, guess: str, line: int) -> int:
        """Add a new node below another (-1 for the first); the number that it has."""
        node = len(self.guess)
        depth = self.depth[parent] + 1 if node else 1
        name = self.spelling.name
        if node >= MOST_NODES:
            raise BadFileError("large", f"{name}:{line}: more than {MOST_NODES:,} states")
        if depth > DEEPEST:
            raise BadFileError("deep", f"{name}:{line}: more than {DEEPEST} guesses in a game")
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
            self.note(Fault(TWO_GUESSES, text, guess, line))
            return None
        return node

    def end(self, node: int, line: int) -> None:
        """Note that the file has the guess of a node for a secret."""
        self.named.add(self.guess[node])
        if node in self.ends:
            word = self.guess[node]
            text = f"the game of {word!r} stands in line {self.ends[node]} already"
            self.note(Fault(TWICE, text, word, line))
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
            last = number == len(words) - 1
            score = scores[number] if number < len(scores) else solved
            if score == solved:
                self.end(node, line)
                if not last:
                    text = f"the game goes on when {word!r} is solved"
                    self.note(Fault(NO_END, text, word, line))
                return
        text = f"the game ends before its secret is found, with {words[-1]!r}"
        self.note(Fault(NO_END, text, words[-1], line))

    def history(self, node: int) -> list[tuple[str, int]]:
        """The guesses and scores that lead to a node."""
        steps = []
        while (above := self.parent[node]) >= 0:
            steps.append((self.guess[above], self.score[node]))
            node = above
        return steps[::-1]

    def mirrored(self) -> Draft:
        """The same draft with the digits of all scores read from the other end."""
        from dataclasses import replace

        length = self.spelling.length
        turned = {score: _mirrored(score, length) for score in set(self.score)}
        return replace(self, score=[turned[score] for score in self.score], _below={})


def _mirrored(score: int, length: int) -> int:
    digits = [score // 3**place % 3 for place in range(length)]
    return sum(digit * 3**place for place, digit in enumerate(reversed(digits)))
