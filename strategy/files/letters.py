"""Letters of any script, as files and the trusted checker spell them. Standard library only.

Words in files are composed (NFC) and in lower case, the Greek ``ς`` is ``σ``, the Turkish ``İ`` is
``i``; what is neither a Unicode letter nor a decimal digit then is no letter. The solver has the
same rule in lines of its own (``solver/game/letters.py``): neither asks the other.
"""

from __future__ import annotations

import unicodedata

#: So many different letters may the words of a list have.
MOST_LETTERS = 64
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
    if not text or plain(text) != text:
        return False
    return all(map(is_letter, text))


def is_letter(sign: str) -> bool:
    """Whether a character may stand in a word of a file, in whatever case."""
    return sign.isalpha() or sign.isdecimal()


def capitals(word: str) -> str:
    """For files and screens, a word in capitals: each letter that has one of its own, as that.

    What is shown is read back as the same word, and has as many letters.

    >>> from strategy.files.letters import capitals
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

    >>> from strategy.files.letters import is_right_to_left
    >>> is_right_to_left("שלום"), is_right_to_left("peace")
    (True, False)
    """
    return not word.isascii() and unicodedata.bidirectional(word[:1]) in ("R", "AL")


def columns_of(text: str) -> int:
    """How many columns the letters of a text take: wide letters two, marks none.

    >>> from strategy.files.letters import columns_of
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
