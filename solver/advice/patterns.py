"""Patterns: what is known of the secret beside clues, as one would say it of a crossword.

A pattern is one condition or several, with commas between them:

* ``c.a.e``: these letters at these places, a dot for any letter;
* ``b at 3``: the letter at this place; ``b not 3`` or ``b not 1 3``: at none of these places;
* ``contains ab``: each of these letters, a letter that is written twice at least twice;
* ``exactly 2 e``: the letter so many times, no more and no fewer (0: not at all);
* ``without xyz``, ``no xyz``: none of these letters.

Places are counted from 1; ``first`` to ``fifth`` and ``last`` are places too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..errors import WrongInputError
from ..words.text import is_spelled, plain

if TYPE_CHECKING:
    from ..game.game import Game

#: A longer text is no pattern.
LONGEST = 500
GRAMMAR = "c.a.e; b at 3; b not 3; contains ab; exactly 2 e; without xyz"
_PLACES = {name: at for at, name in enumerate("first second third fourth fifth".split(), 1)}
_ANY = "."
Test = Callable[[str], bool]


@dataclass(frozen=True)
class Condition:
    """One condition of a pattern: how it was written, and which words keep to it.

    >>> from solver.advice.patterns import read_patterns
    >>> from solver.game.load import load_game
    >>> game = load_game(["abide", "crane", "raise", "slate", "stare"])
    >>> conditions = read_patterns(game, ["..a.e, contains r", "s not first"])
    >>> [word for word in game.secrets if all(each.allows(word) for each in conditions)]
    ['crane', 'stare']
    """

    text: str
    allows: Test


def read_patterns(game: Game, texts: Sequence[str]) -> list[Condition]:
    """The conditions of some patterns; one that makes no sense is refused with the reason."""
    if texts and game.letters is None:
        raise WrongInputError(f"patterns are about letters; {game.spec} has none")
    found = []
    for text in texts:
        if len(text) > LONGEST:
            raise WrongInputError(f"a pattern has at most {LONGEST} characters, not {len(text):,}")
        for part in plain(text).split(","):
            words = part.split()
            if not words:
                raise WrongInputError(f"the pattern {text!r} has an empty condition; {_such_as()}")
            found.append(Condition(" ".join(words), _test_of(game, words)))
    return found


def _such_as() -> str:
    return f"conditions are such as: {GRAMMAR}"


def _test_of(game: Game, words: list[str]) -> Test:
    """What the words of one condition mean."""
    text = " ".join(words)
    if len(words) == 1:
        return _fixed(game, text)
    if words[0] == "contains" and words[1:2] == ["exactly"]:
        words = words[1:]
    if words[0] == "exactly":
        return _exactly(game, words, text)
    if words[0] in ("contains", "without", "no"):
        letters = _letters(game, "".join(words[1:]), text)
        wanted = Counter(letters)
        if words[0] != "contains":
            return lambda word: wanted.keys().isdisjoint(word)
        if wanted.total() > game.length:
            raise WrongInputError(
                f"the pattern {text!r} has {wanted.total()} letters; words have {game.length}"
            )
        return lambda word: wanted <= Counter(word)
    if len(words) > 2 and words[1] in ("at", "not"):
        letter = _letters(game, words[0], text, one=True)
        places = [_place(game, each, text) for each in words[2:]]
        if words[1] == "not":
            return lambda word: all(word[at] != letter for at in places)
        return lambda word: all(word[at] == letter for at in places)
    raise WrongInputError(f"the pattern {text!r} makes no sense; {_such_as()}")


def _fixed(game: Game, text: str) -> Test:
    """Letters at their places, with dots between them."""
    if len(text) != game.length:
        raise WrongInputError(
            f"the pattern {text!r} has {len(text)} places; words have {game.length} "
            f"(a dot stands for any letter); {_such_as()}"
        )
    _letters(game, text.replace(_ANY, ""), text, none=True)
    fixed = [(at, sign) for at, sign in enumerate(text) if sign != _ANY]
    return lambda word: all(word[at] == sign for at, sign in fixed)


def _exactly(game: Game, words: list[str], text: str) -> Test:
    """A letter so many times."""
    if len(words) != 3 or not (words[1].isascii() and words[1].isdigit()):
        raise WrongInputError(f"the pattern {text!r} must be such as 'exactly 2 e'")
    times, letter = int(words[1][:4]), _letters(game, words[2], text, one=True)
    if times > game.length:
        raise WrongInputError(f"the pattern {text!r}: words have {game.length} letters")
    return lambda word: word.count(letter) == times


def _letters(game: Game, letters: str, text: str, *, one: bool = False, none: bool = False) -> str:
    """Letters of a condition, each of which some word of the list may have."""
    for letter in letters:
        if not is_spelled(letter):
            raise WrongInputError(f"the pattern {text!r} has {letter!r}, which is no letter")
    if one and len(letters) != 1:
        raise WrongInputError(f"the pattern {text!r} needs one letter, not {letters!r}")
    if not letters and not none:
        raise WrongInputError(f"the pattern {text!r} names no letter")
    return letters


def _place(game: Game, name: str, text: str) -> int:
    """A place of a word, counted from 0."""
    place = _PLACES.get(name, game.length if name == "last" else 0)
    if name.isascii() and name.isdigit():
        place = int(name[:4])
    if not 1 <= place <= game.length:
        raise WrongInputError(
            f"the pattern {text!r}: {name!r} is no place; places are 1 to {game.length}"
        )
    return place - 1
