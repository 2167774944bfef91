"""What somebody at the table types, understood: commands, guesses and colours in any notation.

A line is a guess with its colours, colours alone (for the word that was proposed, or the one that
was named before), a guess alone (whose colours are asked for then), or a command. A word of the
list is always a guess; with a slash before it a command is a command whatever the list holds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import WrongInputError

from ..files.letters import capitals, is_word, plain
from ..files.names import quoted
from ..files.notation import counted, is_pegs
from .helper import Helper, tokens_of

if TYPE_CHECKING:
    from .boards import Turn

#: What may be typed → the command that is meant.
COMMANDS = {
    **{"?": "help", "help": "help"},
    **{"undo": "undo", "u": "undo", "back": "undo"},
    **{"left": "left", "list": "left", "words": "left"},
    "top": "top",
    **{"rate": "rate", "try": "rate"},
    "why": "why",
    **{"save": "save", "state": "save"},
    **{"new": "new", "again": "new"},
    **{"quit": "quit", "q": "quit", "exit": "quit", "bye": "quit"},
}
#: Commands that are followed by a number, or by a word.
_NUMBERED, _WORDED = ("undo", "top"), ("rate",)
#: A longer line is nothing that was meant for a game.
_LONGEST = 4_000


class Heard(NamedTuple):
    """What a line typed at the table meant, and what became of it."""

    #: ``told`` (turns were made), ``asking`` (colours are missing), ``nothing``, or a command.
    kind: str
    #: Sentences that should be said about it.
    notes: tuple[str, ...] = ()
    #: The number behind a command, if there was one; of turns that were told.
    number: int | None = None
    #: The word behind a command.
    word: str = ""
    #: Turns that were taken back.
    taken: tuple[Turn, ...] = ()


class Asked(NamedTuple):
    """A guess whose colours are not all told yet."""

    word: str
    scores: tuple[int, ...] = ()


class Talk:
    """A conversation at the table, line by line, over a game that is played elsewhere."""

    def __init__(self, helper: Helper) -> None:
        """Talk about one game; ``new`` begins another one."""
        self.helper = helper
        #: The guess whose colours are asked for; None: a guess is.
        self.asked: Asked | None = None

    def hear(self, line: str) -> Heard:
        """Do what a typed line says; what cannot be understood raises WrongInputError.

        Nothing is done then.
        """
        text = line.replace("\ufe0f", "").strip()
        if len(text) > _LONGEST:
            raise WrongInputError(f"a line of {len(text):,} characters is no guess")
        if not text:
            return Heard("nothing")
        command = self._command(text)
        if command is None:
            return self._clue(text)
        if command.kind == "undo":
            return self._undo(command.number or 1)
        if command.kind == "new":
            self.asked = None
            return command._replace(taken=self.helper.undo(len(self.helper.turns)))
        return command

    # --- commands -------------------------------------------------------------------------

    def _command(self, text: str) -> Heard | None:
        """The command that a line is, if it is one."""
        name, _, rest = text.partition(" ")
        spelled = plain(name).lstrip("/")
        if not name.startswith("/"):
            helper = self.helper
            if len(spelled) == helper.game.length and not helper.is_strange(spelled):
                return None
            if spelled not in COMMANDS:
                return None
        if spelled not in COMMANDS:
            raise WrongInputError(f"no command {quoted(name)}; ? shows them")
        kind, rest = COMMANDS[spelled], rest.strip()
        if kind in _WORDED:
            if not rest:
                raise WrongInputError(f"{spelled}: which word? such as {spelled} crane")
            return Heard(kind, word=self.helper.check_word(rest))
        if rest and kind not in _NUMBERED:
            raise WrongInputError(f"{spelled} stands alone; what is {quoted(rest)}?")
        if rest and not re.fullmatch("[1-9][0-9]{0,4}", rest):
            raise WrongInputError(
                f"{spelled} {quoted(rest)}: a number is meant, such as {spelled} 3"
            )
        return Heard(kind, number=int(rest) if rest else None)

    def _undo(self, count: int) -> Heard:
        if self.asked is not None:
            self.asked = None
            return Heard("undo")
        taken = self.helper.undo(count)
        if not taken:
            raise WrongInputError("nothing to undo: no guess was told")
        return Heard("undo", taken=taken)

    # --- clues ----------------------------------------------------------------------------

    def _clue(self, text: str) -> Heard:
        helper = self.helper
        if helper.position.solved:
            raise WrongInputError("the game is over; new begins another one, undo takes back")
        text = _mended(text, is_pegs(helper.game.spec), helper.game.length)
        scores = self._scores_alone(text)
        if scores is not None:
            asked = self.asked or Asked(helper.proposal().word)
            return self._more(asked, scores)
        tokens = tokens_of(helper.game, text)
        n_open = len(helper.position.open)
        if len(tokens) == 1 and self._is_word(tokens[0]):
            return self._more(Asked(helper.check_word(tokens[0])), ())
        if n_open > 1 and 1 < len(tokens) <= n_open:
            scores = self._parsed(tokens[1:])
            if scores is not None:
                return self._more(Asked(helper.check_word(tokens[0])), scores)
        before = helper.position
        helper.tell_state(text)
        self.asked = None
        return self._told(before.turns)

    def _more(self, asked: Asked, scores: Sequence[int]) -> Heard:
        """A guess with some more of its scores: made, once they are all there."""
        helper = self.helper
        told, n_open = (*asked.scores, *scores), len(helper.position.open)
        if len(told) > n_open:
            raise WrongInputError(
                f"{counted(len(told), 'score')} for {capitals(asked.word)}, but "
                f"{counted(n_open, 'board')} {'is' if n_open == 1 else 'are'} open"
            )
        if len(told) < n_open:
            strange = () if self.asked else self._strange(asked.word)
            self.asked = Asked(asked.word, told)
            return Heard("asking", strange)
        before = helper.turns
        was_asked, self.asked = self.asked, None
        try:
            helper.tell(asked.word, *told)
        except WrongInputError:
            self.asked = was_asked and Asked(was_asked.word)
            raise
        return self._told(before, named=was_asked is not None)

    def _scores_alone(self, text: str) -> list[int] | None:
        """The scores that a line is made of, if there is nothing else in it."""
        tokens = tokens_of(self.helper.game, text)
        if self.asked is None and any(map(self._is_guess, [text, *tokens[:1]])):
            return None  # words of digits may look like scores
        scores = self._parsed([text])
        return self._parsed(tokens) if scores is None else scores

    def _parsed(self, marks: Sequence[str]) -> list[int] | None:
        try:
            return [self.helper.game.parse_score(mark) for mark in marks]
        except WrongInputError:
            return None

    def _is_guess(self, text: str) -> bool:
        return not self.helper.is_strange(plain(text))

    def _is_word(self, text: str) -> bool:
        """Whether it is meant as a word, on the list or not."""
        return len(plain(text)) == self.helper.game.length and is_word(plain(text))

    def _told(self, before: Sequence[Turn], named: bool = False) -> Heard:
        notes = self._notes(before, named)
        return Heard("told", notes, number=len(self.helper.turns) - len(before))

    def _notes(self, before: Sequence[Turn], named: bool = False) -> tuple[str, ...]:
        """What should be said of the turns since then."""
        helper = self.helper
        notes: list[str] = []
        for word, _ in () if named else helper.turns[len(before) :]:
            notes += self._strange(word)
        earlier = helper.earlier(len(before)).boards
        likely = helper.position.lexicon.likely_name
        for number, board in enumerate(helper.position.boards, 1):
            if board.widened and not earlier[number - 1].widened and board.solved is None:
                where = f"board {number}: " if len(helper.position.boards) > 1 else ""
                many = f"{len(helper.position.lexicon.game.secrets):,}"
                notes.append(
                    f"{where}no secret of {helper.game.list_name} ({likely}) fits these clues; "
                    f"from here on all {many} allowed words are looked at"
                )
        return tuple(notes)

    def _strange(self, word: str) -> tuple[str, ...]:
        helper = self.helper
        if not helper.is_strange(word):
            return ()
        near = helper.neighbours(word)
        return (f"{capitals(word)} is not on the list {helper.game.list_name}{near}",)


def _mended(text: str, pegs: bool, length: int) -> str:
    """A line with single marks moved together, and the comma that pegs are told without."""
    if pegs:
        return re.sub(r"(^|\s)([0-9]{1,2})\s+([0-9]{1,2})$", r"\1\2,\3", text)
    tokens = text.split()
    if len(tokens) > length and all(len(token) == 1 for token in tokens[-length:]):
        return " ".join([*tokens[:-length], "".join(tokens[-length:])])
    return "".join(tokens) if len(tokens) == length and set(map(len, tokens)) == {1} else text
