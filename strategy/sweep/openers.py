"""Which openers a sweep is about, and which of them fall to one of several machines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from solver.errors import WrongInputError
from solver.game.words import NAMED_LISTS, named_list, read_words

from ..files.letters import plain
from ..files.names import quoted
from ..files.output import is_file

if TYPE_CHECKING:
    from solver.game.game import Game

#: The openers that have a name: every guess, and the answers of the list.
ALL, ANSWERS = "all", "answers"


def chosen_openers(game: Game, source: str | Path | Iterable[str] = ALL) -> list[int]:
    """The numbers of the openers that a sweep is to look at, ascending, each once.

    ``all``, ``answers``, the name of a file with a word a line, or words with commas between them;
    a word of the list is a word even where a file is called so. Whatever is no guess is refused.
    """
    if source == ALL:
        return list(range(len(game.guesses)))
    if source == ANSWERS:
        return sorted(map(game.guess_id, _answers(game)))
    words = _words(game, source)
    if not words:
        raise WrongInputError("no opener is named: all, answers, a file, or words with commas")
    return sorted({game.guess_id(word) for word in words})


def _answers(game: Game) -> tuple[str, ...]:
    """The answers of a shipped list; elsewhere, as everywhere, the secrets."""
    if game.spec == "wordle" and game.list_name in NAMED_LISTS:
        return named_list(game.list_name, ANSWERS).words
    return game.secrets


def _words(game: Game, source: str | Path | Iterable[str]) -> list[str]:
    if isinstance(source, str):
        named = [word.strip() for word in source.split(",") if word.strip()]
        if "," in source or not is_file(source) or plain(source) in game.guesses:
            if len(named) == 1 and plain(named[0]) not in game.guesses:
                _refuse_place(named[0])
            return named
    if isinstance(source, str | Path):
        return list(read_words(source).words)
    return list(source)


def _refuse_place(name: str) -> None:
    """Say that there is no such file, of what cannot be meant for a word."""
    if not name.isalnum():
        raise WrongInputError(f"--openers: no file named {quoted(name)}")


def shard_of(openers: list[int], shard: tuple[int, int]) -> list[int]:
    """The part of a sweep's openers that falls to machine I of N: every N-th, from the I-th."""
    number, count = shard
    if not 1 <= number <= count:
        raise WrongInputError(f"--shard {number}/{count}: the first is 1/{count}, the last {count}")
    return openers[number - 1 :: count]


def by_common_letters(game: Game, openers: list[int]) -> list[int]:
    """The openers of a sweep, ordered so that those with most letters in common are neighbours.

    First those with the commonest letter, and so on down: neighbours are made of the same letters,
    or differ in a rare one. So they leave the same sets of secrets more often than others do.
    """
    common = Counter(letter for word in game.guesses for letter in set(word))

    def letters(opener: int) -> list[tuple[int, str]]:
        return sorted((-common[letter], letter) for letter in game.guesses[opener])

    return sorted(openers, key=letters)
