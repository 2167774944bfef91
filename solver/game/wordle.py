"""Wordle: the grading rule, its notations, hard mode, and the game itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from ..errors import WrongInputError
from ..words.text import LATIN, MOST_LETTERS, alphabet_of
from .game import SEPARATORS, Game, refuse_other_rule

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from ..machine.arrays import Ids
    from .score_matrix import Scores

# ---- The Wordle rule itself, as one would explain it, and its scores in every common notation
#
# A score is one integer: base-3 digits, the first letter least significant; 0 grey, 1 yellow, 2
# green. ``solved_score(5)`` is 242. The fast paths elsewhere are tested against this module.

GREY, YELLOW, GREEN = 0, 1, 2
SYMBOLS = "byg"

#: The notations that are read. A score must fit one of them as a whole; the marks in
#: ``_ANY_GREY`` and ``_GREY_LETTERS`` stand for grey in each.
NOTATIONS = {
    "byg": "byg",
    "xyg": "xyg",
    "xpo": "xpo",
    "012": "012",
    "_?!": "_?!",
    "tiles": "⬛🟨🟩",
    "white tiles": "⬜🟨🟩",
    "high-contrast tiles": "⬛🟦🟧",
    "white high-contrast tiles": "⬜🟦🟧",
}
_ANY_GREY, _GREY_LETTERS = "._-", "bx"
SCORE_MARKS = frozenset("".join(NOTATIONS.values()) + _ANY_GREY)
_VARIATION_SELECTOR = "\ufe0f"


def solved_score(length: int) -> int:
    """The number that Wordle's rule gives a guess that is the secret: all green."""
    return int(3**length - 1)


def grade(guess: str, secret: str) -> int:
    """Score a guess in a game of Wordle: greens first, then yellows out of what is left."""
    colours = [GREEN if g == s else GREY for g, s in zip(guess, secret, strict=True)]
    left = [s for g, s in zip(guess, secret, strict=True) if g != s]
    for place, letter in enumerate(guess):
        if colours[place] == GREY and letter in left:
            left.remove(letter)
            colours[place] = YELLOW
    return sum(colour * 3**place for place, colour in enumerate(colours))


def colours_of(score: int, length: int) -> list[int]:
    """The colour of each place in a Wordle score, from left to right."""
    return [score // 3**place % 3 for place in range(length)]


def format_score(score: int, length: int, symbols: str = SYMBOLS) -> str:
    """Write a Wordle score from left to right, lower-case ``byg`` or other letters."""
    return "".join(symbols[colour] for colour in colours_of(score, length))


def parse_score(text: str, length: int) -> int:
    """Read a score in a game of Wordle, in any notation of ``NOTATIONS``; refuse what fits none.

    No mark means different colours in two notations, so a score that fits several has one reading.
    """
    marks = text.strip().lower().replace(_VARIATION_SELECTOR, "")
    if len(marks) != length:
        raise WrongInputError(
            f"the score {text!r} has {len(marks)} marks; the words have {length} letters"
        )
    for mark in marks:
        if mark not in SCORE_MARKS:
            raise WrongInputError(
                f"the score {text!r} has {mark!r}, which is not a colour; "
                f"write {SYMBOLS} for grey, yellow, green"
            )
    for symbols in NOTATIONS.values():
        if (colours := _read(marks, symbols)) is not None:
            return sum(colour * 3**place for place, colour in enumerate(colours))
    raise WrongInputError(
        f"the score {text!r} mixes notations; use only one of {', '.join(NOTATIONS.values())}"
    )


def _read(marks: str, symbols: str) -> tuple[int, ...] | None:
    """The colours of a score in one notation, or None if a mark is foreign to it."""
    if all(mark in symbols + _ANY_GREY + _GREY_LETTERS for mark in marks):
        return tuple(max(symbols.find(mark), 0) for mark in marks)
    return None


# ---- Hard mode, Wordle's own rule: greens stay, and every letter shown is used again
#
# A letter shown twice (greens and yellows together) must be used twice. Nothing is asked of grey
# letters, nor that a yellow letter moves.


def require_hard_mode(game: Game) -> NDArray[np.uint8]:
    """The letters of the guesses, which hard mode needs; a game without letters is refused."""
    if game.letters is None or not game.has_hard_mode:
        raise WrongInputError(f"hard mode is a rule of Wordle; {game.spec} has none")
    return game.letters


def legal_after(game: Game, history: Iterable[tuple[int, int]]) -> Ids:
    """The guesses that hard mode allows after a history of (guess, score), ascending."""
    import numpy as np

    legal = np.arange(len(game.guesses), dtype=np.int32)
    for guess, score in history:
        legal = still_legal(game, legal, guess, score)
    return legal


def require_legal(game: Game, history: Sequence[tuple[int, int]]) -> Ids:
    """As ``legal_after``; a history that cannot have been played in hard mode is refused."""
    import numpy as np

    legal = np.arange(len(game.guesses), dtype=np.int32)
    for number, (guess, score) in enumerate(history):
        if guess not in legal:
            before = game.format_state([(game.guesses[g], s) for g, s in history[:number]])
            raise WrongInputError(f"hard mode forbids {game.guesses[guess]!r} after {before}")
        legal = still_legal(game, legal, guess, score)
    return legal


def still_legal(game: Game, legal: Ids, guess: int, score: int) -> Ids:
    """Those of the ``legal`` guesses that one more (guess, score) leaves legal."""
    import numpy as np

    letters = require_hard_mode(game)
    shown, green = Counter[int](), Counter[int]()
    for place, colour in enumerate(colours_of(score, game.length)):
        letter = int(letters[guess, place])
        if colour == GREEN:
            legal = legal[letters[legal, place] == letter]
            green[letter] += 1
        if colour != GREY:
            shown[letter] += 1
    for letter, times in shown.items():
        if times > green[letter]:
            there = letters[legal] == letter
            enough = there.any(axis=1) if times == 1 else np.count_nonzero(there, axis=1) >= times
            legal = legal[enough]
    return legal


@dataclass(frozen=True, eq=False, repr=False)
class WordleGame(Game):
    """Wordle with words of one length: greens, yellows and greys."""

    reply_noun: ClassVar[str] = "colours"

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
        return solved_score(self.length)

    @cached_property
    def alphabet(self) -> str:
        """The letters: a-z if the guesses have no others, else those that occur, in order."""
        letters = alphabet_of(self.guesses)
        if len(letters) > MOST_LETTERS:
            raise WrongInputError(
                f"the words of {self.list_name} have {len(letters)} different letters; "
                f"the limit is {MOST_LETTERS}"
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
        return grade(guess, secret)

    def parse_score(self, text: str) -> int:
        """Read a score in any notation of ``NOTATIONS``."""
        return parse_score(text, self.length)

    def format_score(self, score: int) -> str:
        """Write a score in lower-case ``byg`` from left to right."""
        return format_score(score, self.length)

    def score_rows(self, guess_ids: Ids | None = None, secret_ids: Ids | None = None) -> Scores:
        """Rows of the score matrix by column sums."""
        from .score_matrix import sums_of_columns

        guesses = self.letters if guess_ids is None else self.letters[guess_ids]
        hidden = self.secret_ids if secret_ids is None else self.secret_ids[secret_ids]
        return sums_of_columns(guesses, self.letters[hidden], self.score_dtype, True)

    def row_source(self, guess_ids: Ids | None = None) -> Callable[[Ids], Scores]:
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
        marks, before, after = text[begin:end], text[begin - 2 : begin], text[end : end + 1]
        if not marks.strip("."):
            return False  # all grey, whatever the first dot is
        if before[-1] not in SEPARATORS:
            if marks[0] == "." or (marks[0] in "-_" and not {marks[0], *"?!"} & {*marks[1:]}):
                return True
        elif marks[0] == before[-1] and before[-2] in SEPARATORS:
            return True
        if marks[-1] != ".":
            return False
        greys = zip(marks, colours_of(self.parse_score(marks), self.length), strict=True)
        mixed = any(mark != "." and colour == GREY for mark, colour in greys)
        if mixed and "." not in marks.strip("."):
            return True
        return bool(after) and after not in SEPARATORS and before[-1] in SEPARATORS
