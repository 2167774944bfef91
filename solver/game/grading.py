"""The Wordle rule itself, as one would explain it, and its scores in every common notation.

A score is one integer: base-3 digits, the first letter least significant; 0 grey, 1 yellow,
2 green. ``solved_score(5)`` is 242. The fast paths elsewhere are tested against this module.
"""

from __future__ import annotations

from collections import Counter

from ..errors import WrongInputError

GREY, YELLOW, GREEN = 0, 1, 2
SYMBOLS = "byg"

#: The notations that are read. A score must fit one of them as a whole; the marks in
#: ``_ANY_GREY`` stand for grey in each.
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
_ANY_GREY = "._-"
SCORE_MARKS = frozenset("".join(NOTATIONS.values()) + _ANY_GREY)
_VARIATION_SELECTOR = "\ufe0f"


def solved_score(length: int) -> int:
    """The number that Wordle's rule gives a guess that is the secret: all green."""
    return int(3**length - 1)


def grade(guess: str, secret: str) -> int:
    """Score a guess in a game of Wordle: greens first, then yellows out of what is left."""
    colours = [GREEN if g == s else GREY for g, s in zip(guess, secret, strict=True)]
    left = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    for place, letter in enumerate(guess):
        if colours[place] == GREY and left[letter]:
            left[letter] -= 1
            colours[place] = YELLOW
    return sum(colour * 3**place for place, colour in enumerate(colours))


def colours_of(score: int, length: int) -> list[int]:
    """The colour of each place in a Wordle score, from left to right."""
    return [score // 3**place % 3 for place in range(length)]


def format_score(score: int, length: int, symbols: str = SYMBOLS) -> str:
    """Write a Wordle score from left to right, lower-case ``byg`` unless told otherwise."""
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
                f"the score {text!r} has {mark!r}, which means nothing in a score; "
                f"write {SYMBOLS} for grey, yellow, green"
            )
    for symbols in NOTATIONS.values():
        if (colours := _read(marks, symbols)) is not None:
            return sum(colour * 3**place for place, colour in enumerate(colours))
    raise WrongInputError(
        f"the score {text!r} mixes notations; write all of it as one of "
        f"{', '.join(NOTATIONS.values())}"
    )


def _read(marks: str, symbols: str) -> tuple[int, ...] | None:
    """The colours of a score in one notation, or None if a mark is foreign to it."""
    if all(mark in symbols or mark in _ANY_GREY for mark in marks):
        return tuple(max(symbols.find(mark), 0) for mark in marks)
    return None
