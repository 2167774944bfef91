"""Letters of any script: what is one, and how a word is spelled so that equal words are equal.

A letter is a Unicode letter or a decimal digit that is one character once text is composed (NFC)
and in lower case. So ``ñ`` is one letter however it was typed, ``ß`` stays one, the Greek ``ς`` at
the end of words is ``σ``, and the Turkish ``İ`` becomes ``i``, while ``ı`` is a letter of its own
(``I`` is always read as ``i``: Turkish lists are best written in small letters). A mark that no
letter takes in, such as a Hebrew point, is no letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category, name, normalize

#: The letters of words that have no others: numbered so whether they occur or not.
LATIN = "abcdefghijklmnopqrstuvwxyz"
#: So many different letters may the words of a list have.
MOST_LETTERS = 64


def plain(text: str) -> str:
    """Letters as words of a game are compared: composed, in lower case, ``ς`` as ``σ``."""
    if text.isascii():
        return text.lower()
    composed = normalize("NFC", text).replace("İ", "i").lower()
    return normalize("NFC", composed).replace("ς", "σ")


def is_spelled(text: str) -> bool:
    """Whether a text can be a word of a game: letters and digits throughout, and not empty."""
    if text.isascii():
        return text.isalnum()
    return all(letter.isalpha() or letter.isdecimal() for letter in text)


def first_non_letter(text: str) -> str:
    """The first character of a text that no word of a game can have, as a message names it."""
    wrong = next(sign for sign in text if not is_spelled(sign))
    if category(wrong).startswith("M"):
        return f"U+{ord(wrong):04X} {name(wrong, 'a mark')}, which fits no letter before it"
    return f"{wrong!r}, which is neither a letter nor a digit"


def alphabet_of(words: Iterable[str]) -> str:
    """The letters by whose places words are numbered: a-z, or else those that occur, in order."""
    text = "".join(words)
    if text.isascii() and text.isalpha():
        return LATIN
    return "".join(sorted(set(text)))
