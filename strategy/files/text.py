"""The text of files: how it is read, which letters, words and names it may hold, how scores look.

Standard library only: the trusted checkers read through this module, and must not rely on the
solver for what a word or a score looks like.

Words in files are composed (NFC) and in lower case, the Greek ``ς`` is ``σ``, the Turkish ``İ`` is
``i``; what is neither a Unicode letter nor a decimal digit then is no letter. The solver has the
same rule in lines of its own (``solver/words/text.py``): neither uses the other.
"""

from __future__ import annotations

import io
import re
import unicodedata
from pathlib import Path
from typing import NamedTuple

from ..errors import BadFileError, OutputError

# --- letters and words --------------------------------------------------------------------

#: So many different letters may the words of a list have.
MOST_LETTERS = 64
#: What colours may be shown: on a terminal unless NO_COLOR is set, anyway, not at all, or as auto
#: with colours that the colour-blind tell apart.
COLOURS = ("auto", "always", "never", "colourblind")
#: Capitals that do not come from ``upper``, which writes two letters.
_CAPITALS = {"ß": "ẞ"}


def plain(text: str) -> str:
    """Text as words are written in files, and compared."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFC", text).replace("\u0130", "i")
    return unicodedata.normalize("NFC", text.lower()).replace("\u03c2", "\u03c3")


def is_word(text: str) -> bool:
    """Whether a text is nothing but letters and digits, spelled as in files."""
    if text.isascii():
        return text.isalnum() and text == text.lower()
    return all(map(is_letter, text)) and plain(text) == text  # no run of marks is composed


def is_letter(sign: str) -> bool:
    """Whether a character may stand in a word of a file, in whatever case."""
    return sign.isalpha() or sign.isdecimal()


def capitals(word: str) -> str:
    """For files and screens, a word in capitals: each letter that has one of its own, as that.

    What is shown is read back as the same word, and has as many letters.

    >>> from strategy.files.text import capitals
    >>> capitals("crane"), capitals("straße"), capitals("ırmak")
    ('CRANE', 'STRAẞE', 'ıRMAK')
    """
    if word.isascii():
        return word.upper()
    return "".join(map(_capital, word))


def _capital(letter: str) -> str:
    capital = _CAPITALS.get(letter) or letter.upper()
    return capital if len(capital) == 1 and plain(capital) == letter else letter


def is_right_to_left(word: str) -> bool:
    """Whether a word is written from right to left, as Hebrew and Arabic are.

    >>> from strategy.files.text import is_right_to_left
    >>> is_right_to_left("שלום"), is_right_to_left("peace")
    (True, False)
    """
    return not word.isascii() and unicodedata.bidirectional(word[:1]) in ("R", "AL")


def columns_of(text: str) -> int:
    """How many columns the letters of a text take: wide letters two, marks none.

    >>> from strategy.files.text import columns_of
    >>> columns_of("crane"), columns_of("年月")
    (5, 4)
    """
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


# --- names and quotations -----------------------------------------------------------------

#: Not in names: what ends a line, moves the cursor, turns the text round or cannot be seen, and
#: what parts a path. By number, so that every Python has the same rule.
_NAME = re.compile(
    r"[^\x00-\x1f\x7f-\x9f/\\\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]{1,200}"
)
#: So much of a foreign text is shown in a message.
_MOST_QUOTED = 200


def is_name(text: str) -> bool:
    """Whether a list, a rule or a word may be called so in a file: one line, all of it visible."""
    return _NAME.fullmatch(text) is not None


def printable(text: object, most: int = 0) -> str:
    """Foreign text as it may reach a terminal: whatever is not plainly visible is escaped.

    ``most`` cuts what is longer, with three dots at its end.
    """
    whole = str(text)
    if most and len(whole) > most:
        whole = whole[: most - 1] + "…"
    if whole.isprintable():
        return whole
    return "".join(x if x.isprintable() else x.encode("unicode_escape").decode() for x in whole)


def quoted(text: object) -> str:
    """Foreign text within a message: shown, cut and in quotes."""
    return f"'{printable(text, _MOST_QUOTED)}'"


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun, as all texts note it: ``1 secret``, ``2,315 secrets``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


# --- games and scores ---------------------------------------------------------------------

#: ``wordle``, or ``mastermind:HOLESxCOLOURS`` with an optional ``:distinct``.
GAME = re.compile(r"wordle|mastermind:[1-9][0-9]?x[1-9][0-9]?(:distinct)?")


class Terms(NamedTuple):
    """What people call the things of a game: words with colours, or codes with pegs."""

    word: str
    words: str
    reply: str
    #: A guess with its reply.
    example: str
    #: The word that is hidden, as one speaks of it.
    hidden: str
    #: What the list of those that may be hidden has.
    secret: str


_WORDLE = Terms("word", "words", "colours", "crane bybbb", "the answer", "answer")
_MASTERMIND = Terms("code", "codes", "pegs", "1122 2,1", "the hidden code", "code")


def terms_of(game: str) -> Terms:
    """What people call the things of a game.

    >>> from strategy.files.text import terms_of
    >>> terms_of("wordle").reply, terms_of("mastermind:4x6").reply
    ('colours', 'pegs')
    """
    return _MASTERMIND if is_pegs(game) else _WORDLE


def is_known(game: str) -> bool:
    """Whether strategy files and the trusted checker have a notation for a game's rule."""
    return GAME.fullmatch(game) is not None


def require_known(game: str) -> None:
    """Refuse to write files of a game with a rule of somebody's own: nobody could read them."""
    if not is_known(game):
        raise OutputError(
            f"no file holds and no text shows the strategies of {game!r}: "
            "they know the rules of wordle and mastermind:HxC[:distinct]"
        )


def is_pegs(game: str) -> bool:
    """Whether files note the scores of a game as black and white pegs."""
    return game.startswith("mastermind")


def solved_score(game: str, length: int) -> int:
    """The score of a solved word, of so many letters, as strategy files write it."""
    return length * (length + 1) if is_pegs(game) else 3**length - 1


def score_text(game: str, length: int, score: int) -> str:
    """A score as people write it: ``bbygb`` in Wordle, ``1,2`` in Mastermind."""
    require_known(game)
    if is_pegs(game):
        black, white = divmod(score, length + 1)
        return f"{black},{white}"
    return "".join("byg"[score // 3**place % 3] for place in range(length))


# --- reading ------------------------------------------------------------------------------

#: No list, no table and no diary of games is larger.
LARGEST_TEXT = 1 << 26


def read_at_most(path: str | Path, most: int, kind: str, what: str = "", name: str = "") -> bytes:
    """The content of a file, unless it has more than ``most`` bytes: an error of a ``kind`` then.

    ``what`` ends the sentence that says so; ``name`` is the path as messages have it.
    """
    name = name or str(path)
    try:
        with Path(path).open("rb") as source:
            content = source.read(most + 1)
    except OSError as error:
        raise BadFileError("unreadable", f"{name}: {error.strerror or error}") from None
    if len(content) > most:
        raise BadFileError(kind, f"{name}: more than {most:,} bytes{what}")
    return content


def decoded(content: bytes, name: str, kind: str = "not text") -> str:
    """Text in UTF-8, without the mark that some editors put before it; an error of a ``kind``."""
    try:
        return content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{name}:{line}: not a text file (byte {error.start} is not UTF-8)"
        raise BadFileError(kind, reason) from None


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file in UTF-8, without their ends; what is no text is refused."""
    content = read_at_most(path, LARGEST_TEXT, "too large", name=printable(path))
    text = decoded(content, printable(path))
    return [line.rstrip("\r\n") for line in io.StringIO(text, newline=None)]
