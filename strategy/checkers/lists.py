"""The reader of lists for the checkers: what a word is, and which words a list has.

Lists are given, or named by a file, or found by the names in its head. This shares nothing with the
solver and loads no numpy: a list is read, and its digest found, by lines of its own.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import perm
from pathlib import Path
from typing import Any

from ..errors import BadFileError, WrongStrategyError
from ..files.text import (
    MOST_LETTERS,
    decoded,
    is_letter,
    is_name,
    is_pegs,
    is_word,
    plain,
    quoted,
    read_at_most,
)

#: Pegs of a code, and letters of a word that is not looked at yet; words of a list.
LONGEST_WORD, MOST_WORDS = 16, 1 << 20


@dataclass(frozen=True)
class GameLists:
    """A game by its rule and its lists: what the heads of all files begin with."""

    game: str
    list_name: str
    guesses: int
    guesses_digest: str
    secrets_name: str
    secrets: int
    secrets_digest: str


_SHIPPED = """
original answers 2315 5209b35f823f8b80f0404f863bd80df06d6a966c6eb1016d69f38badc6eed5d0
original allowed 12972 498f38211e3bafbfd6cc824ed10537a974d502377aa92459d06ff6a5b6110bb8
nyt-2022 answers 2309 b8f8854e42a0dd46dfa13f42453620e17abc1114b9c0eef5cab8d6b2b2ad04be
nyt-2022 allowed 12947 e4a7befed83e650b46d669dfa6e7c4ce08f50720af7931121377c3f5bd06deaf
nyt-2023 answers 3158 761b933d6047bfcc0d529baf8c0be03df788d69b4acfdd78ed020f65aa47d3fc
nyt-2023 allowed 14855 a7898cd20f36686d4c5b43ece226c36eb41a701df36da35bd18e21af41cfead4
nyt-2026 answers 3160 110b5c9fa3194b43bb7b559cd777057e5dbf7111e2c3d7b941b1c88b7cfe10c4
nyt-2026 allowed 14855 a7898cd20f36686d4c5b43ece226c36eb41a701df36da35bd18e21af41cfead4
"""
#: The shipped lists by name and part: how many words each has, and their digest.
SHIPPED = {
    (name, part): (int(count), digest)
    for name, part, count, digest in map(str.split, _SHIPPED.strip().split("\n"))
}
#: Letters of a word in Wordle.
SHORTEST, LONGEST = 2, 11
_LARGEST_LIST = 1 << 26


def known_lists(head: Mapping[str, Any]) -> dict[str, Sequence[list[str] | None]]:
    """The guesses and secrets that the names in a head mean, by what people call them.

    Those of a board, or the shipped ones, or those that are kept under these names and digests.
    """
    game, name, parts = head["game"], head["list_name"], ("allowed", head["secrets_name"])
    if is_pegs(game):
        codes = board_codes(game, head["secrets"])
        return {f"all codes of {game}": (codes, codes)}
    found = [shipped(name, part) for part in parts]
    if found == [None, None]:
        digests = head["guesses_digest"], head["secrets_digest"]
        found = list(map(kept_list, (name, name), parts, digests))
        return {f"list {name} as kept here": found}
    return {f"list {name} as shipped": found}


def board_codes(game: str, count: int) -> list[str]:
    """All codes of a Mastermind board, in order.

    ``count`` is how many the file says there are, and bounds the work on a file that lies.
    """
    _, board, *rest = game.split(":")
    holes, colours = map(int, board.split("x"))
    digits = "123456789" if colours <= 9 else "0123456789abcdefghijklmnopqrstuvwxyz"
    if count != (perm(colours, holes) if rest else colours**holes):
        raise WrongStrategyError(f"{game} does not have {count:,} codes")
    pegs = digits[:colours]
    codes = permutations(pegs, holes) if rest else product(pegs, repeat=holes)
    return ["".join(code) for code in codes]


def words_digest(words: Iterable[str]) -> str:
    """The digest of a word list, as the files hold it."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def shipped(list_name: str, part: str) -> list[str] | None:
    """The words of a shipped list; None if there is none.

    They are compared with ``SHIPPED``, so that no other file passes for a list of that name.
    """
    if (list_name, part) not in SHIPPED:
        return None
    root = Path(__file__).resolve().parent.parent.parent
    for folder in (root / "solver" / "_data" / "words", root / "data" / "words"):
        path = folder / f"{list_name}-{part}.txt"
        if path.is_file():
            words = read_list(str(path))
            if (len(words), words_digest(words)) != SHIPPED[list_name, part]:
                raise BadFileError("lists", f"{path}: not the list that was shipped")
            return words
    raise BadFileError("lists", f"the shipped list {list_name}-{part} is missing")


def check_words(words: Iterable[object], game: str = "wordle") -> None:
    """Refuse lists with words that no game is played with.

    Wordle: 2 to 11 letters or digits of any script, not too many different ones. Mastermind: the
    pegs 0-9 and a-z. All of one length.
    """
    given: tuple[Any, ...] = tuple(words)
    shortest, longest = (1, LONGEST_WORD) if is_pegs(game) else (SHORTEST, LONGEST)
    for word in given:
        fits = isinstance(word, str) and shortest <= len(word) <= longest and is_word(word)
        if not fits or (is_pegs(game) and not word.isascii()):
            raise BadFileError("lists", f"{quoted(word)} is no word of {game.partition(':')[0]}")
        if len(word) != len(given[0]):
            reason = f"{word!r} is not as long as the words before it: {len(given[0])}"
            raise BadFileError("lists", reason)
    letters = set("".join(given))
    if len(letters) > MOST_LETTERS:
        raise BadFileError(
            "lists", f"its words have {len(letters)} different letters, more than {MOST_LETTERS}"
        )


def read_list(path: str) -> list[str]:
    """The words of a list, a file with a word a line, sorted, each once.

    Whatever is no word is refused with its line; codes of Mastermind pass as well.
    """
    content = read_at_most(path, _LARGEST_LIST, "lists", " is no word list")
    lines = io.StringIO(decoded(content, path, "unreadable"), newline=None)
    words: set[str] = set()
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        word = plain(text[: 4 * LONGEST_WORD])  # a letter may be written as several signs
        if not word:
            continue
        if not all(map(is_letter, word)) or len(word) > LONGEST_WORD:
            raise BadFileError("lists", f"{path}:{number}: {quoted(text)} is no word")
        if words and len(word) != len(next(iter(words))):
            raise BadFileError("lists", f"{path}:{number}: {word!r} is not as long as the others")
        words.add(word)
        if len(words) > MOST_WORDS:
            raise BadFileError("lists", f"{path}: more than {MOST_WORDS:,} words")
    return sorted(words)


def kept_list(name: str, part: str, digest: str = "") -> list[str] | None:
    """The words that a file names as a kept list; None if there is none, or its digest differs."""
    if part not in ("allowed", "answers") or not is_name(name):
        return None
    try:
        with (_kept_folder() / f"{name}-{part}.txt").open("rb") as source:
            content = source.read(_LARGEST_LIST)
    except (OSError, ValueError):
        return None
    found = hashlib.sha256(content.removesuffix(b"\n")).hexdigest()
    words = content.decode("utf-8", "replace").split()
    if digest and found != digest:
        return None
    return words if words and all(map(is_word, words)) else None


def _kept_folder() -> Path:
    """Where such lists lie."""
    home = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(home):  # noqa: PTH117 - a relative one is to be ignored
        return Path(home, "knuthle", "lists")
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "knuthle", "lists")
    try:
        return Path("~/.local/share/knuthle/lists").expanduser()
    except RuntimeError:  # a user without a home has kept no lists
        return Path(os.devnull) / "no home folder"
