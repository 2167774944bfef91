"""Read any file of words, forgivingly: a line that is no word of the wanted length is skipped.

The lists of a game are read strictly (``words.py``), since a slip there would change the game. A
dictionary is somebody else's file with 600,000 lines, of which only some are wanted at all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ..errors import WrongInputError
from ..game import words
from ..game.letters import plain


@dataclass(frozen=True)
class Dictionary:
    """The different words of one length in alphabetical order, and how many lines were skipped."""

    words: tuple[str, ...]
    skipped: int


def read_dictionaries(
    sources: Iterable[str | Path], length: int, given: Iterable[str] = ()
) -> Dictionary:
    """The dictionary that five words are searched in: words of files, of named lists, and given.

    Words are spelled as in all lists (``letters``) before their letters are counted. Lines with
    anything but letters, or with another number of them, are skipped; blank lines do not count.
    """
    found: set[str] = set()
    skipped = 0
    for text in chain(map(_read, sources), ["\n".join(given)]):
        lines = [line.strip() for line in plain(text).splitlines()]
        wanted = [line for line in lines if len(line) == length and line.isalpha()]
        found.update(wanted)
        skipped += sum(map(bool, lines)) - len(wanted)
    return Dictionary(tuple(sorted(found)), skipped)


def _read(source: str | Path) -> str:
    """The text; bytes that are no UTF-8 become marks that no word can have."""
    if source in words.NAMED_LISTS:
        source = words.data_folder() / f"{source}-allowed.txt"
    elif words.is_named(source):
        return "\n".join(words.list_by_name(str(source), "allowed").words)
    try:
        content = _standard_input() if source == "-" else Path(source).read_bytes()
    except FileNotFoundError:
        hint = words.did_you_mean(str(source), words.NAMED_LISTS)
        raise WrongInputError(
            f"no file and no list named {str(source)!r}{hint}; lists: "
            f"{', '.join(words.NAMED_LISTS)}"
        ) from None
    except OSError as error:
        raise WrongInputError(f"{source}: {error.strerror or error}") from None
    return content.decode("utf-8-sig", errors="replace")


def _standard_input() -> bytes:
    if sys.stdin is None:  # <&-
        raise WrongInputError("-: there is no standard input to read")
    return sys.stdin.buffer.read()
