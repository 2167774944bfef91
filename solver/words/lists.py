"""Named word lists and word files: load, validate, digest.

A list that passes here is safe for every module behind it: sorted by code points, each word once,
of letters and digits only (see ``text``), not too many different ones, one length throughout.
Whatever is wrong with a file is said with its line and a reason; that a word stands in it more than
once is no harm, but ``remark`` is called with a sentence on it.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from ..errors import WrongInputError
from .text import MOST_LETTERS, first_non_letter, is_spelled, plain

NAMED_LISTS = ("original", "nyt-2022", "nyt-2023", "nyt-2026")
#: What works on a whole game uses this list: published results are about it.
DEFAULT_LIST = "original"
#: What advises a player uses the list of today's puzzle.
ADVICE_LIST = "nyt-2026"
SHORTEST, LONGEST = 2, 11
LARGEST_FILE = 1 << 26
MOST_WORDS = 1 << 20
#: The form of a shipped list; its words are compared where digests are.
_SHIPPED = re.compile(rb"(?:[a-z]{5}\n)+")
_LONGEST_QUOTE = 40
#: So many of the words that stand in a list more than once are named.
_REPEATS_SHOWN = 5
#: Somebody's own words: the file that lists them, one a line, or the words themselves.
Source = str | Path | Iterable[str]
#: Called with a sentence about a list that is in order all the same.
Remark = Callable[[str], object]


def ignore_remarks(sentence: str) -> None:
    """Ignore what is remarked where a game's word list is read: the default."""


@dataclass(frozen=True)
class WordList:
    """Words in the order of their letters under one name; equal lists have equal digests."""

    name: str
    words: tuple[str, ...]

    @cached_property
    def digest(self) -> str:
        """The sha256 of the list: its words joined by newlines, no newline at the end."""
        return words_digest(self.words)

    @property
    def length(self) -> int:
        """The number of letters in every word of the list."""
        return len(self.words[0])


def words_digest(words: Iterable[str]) -> str:
    """The digest of the words of a game, by which its lists are compared with those of others."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def data_folder() -> Path:
    """Where the shipped lists lie: in the package when installed, in ``data/`` in a checkout."""
    here = Path(__file__).resolve().parents[1]
    installed = here / "_data" / "words"
    return installed if installed.is_dir() else here.parent / "data" / "words"


@cache
def named_list(name: str, part: str) -> WordList:
    """A shipped word list: ``part`` is ``allowed`` or ``answers``."""
    path = data_folder() / f"{name}-{part}.txt"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise WrongInputError(f"the shipped list {path.name} cannot be read: {error}") from error
    if _SHIPPED.fullmatch(content):
        return WordList(part, tuple(content.decode("ascii").split()))
    _numbered_words(path)  # it names the line, if one is to blame
    raise WrongInputError(f"{path}: the file has been changed; install knuthle again")


def is_named(source: object) -> bool:
    """Whether a source is the name of a word list: a shipped one, or one that is kept."""
    return isinstance(source, str) and (source in NAMED_LISTS or is_kept(source))


def list_by_name(name: str, part: str) -> WordList:
    """A part of a shipped word list or of a kept one; without answers, all words are."""
    if name in NAMED_LISTS:
        return named_list(name, part)
    if part not in kept_facts(name)["digests"]:
        return WordList("allowed", list_by_name(name, "allowed").words)
    found = WordList(part, read_words(kept_path(name, part)).words)
    check_kept(name, part, found.digest)
    return found


def read_words(source: Source, remark: Remark = ignore_remarks) -> WordList:
    """Read a word list that a user has for a game: a word a line, in any script and case.

    There may be ``#`` comments, CRLF and repeats.
    """
    return WordList(_name_of(source), tuple(sorted(_numbered_words(source, remark))))


def load_words(source: Source, remark: Remark = ignore_remarks) -> WordList:
    """The words of a list by its name, of a file, or words themselves; for a list of used ones."""
    if isinstance(source, str) and is_named(source):
        return WordList(source, list_by_name(source, "allowed").words)
    _check_there(source)
    return read_words(source, remark)


def _name_of(source: Source) -> str:
    """The stem, by which files and reports call a user's list; words have no name of their own."""
    if not isinstance(source, str | Path):
        return "words"
    path = Path(source)
    try:
        path.stem.encode()
    except UnicodeEncodeError:
        raise WrongInputError(f"{path!r}: the name of the file is not UTF-8; rename it") from None
    return path.stem


def _numbered_words(source: Source, remark: Remark = ignore_remarks) -> dict[str, int]:
    """The words of a list with their first lines, all of them fit for a game."""
    where = source if isinstance(source, str | Path) else "words"
    seen: dict[str, int] = {}
    again: dict[str, int] = {}
    for number, line in enumerate(_lines_of(source), 1):
        written = line.partition("#")[0].strip()
        word = plain(written)
        if word in seen:
            again.setdefault(word, number)
        elif word:
            _check_word(word, written, f"{where}:{number}", seen)
            seen[word] = number
        if len(seen) > MOST_WORDS:
            raise WrongInputError(f"{where}:{number}: more than {MOST_WORDS:,} words, the limit")
    if not seen:
        raise WrongInputError(f"{where}: the file has no words")
    _check_letters(where, seen)
    if again:
        some = [f"{word!r} (lines {seen[word]} and {again[word]})" for word in again]
        more = f" and {len(again) - _REPEATS_SHOWN:,} more" if len(again) > _REPEATS_SHOWN else ""
        remark(f"{where}: repeated words count once: {', '.join(some[:_REPEATS_SHOWN])}{more}")
    return seen


def _lines_of(source: Source) -> Iterable[str]:
    """The lines of a text file that is not too large; words are lines already."""
    if not isinstance(source, str | Path):
        return source
    path = Path(source)
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise WrongInputError(
                f"{path}: larger than {LARGEST_FILE:,} bytes, the limit for a word list"
            )
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        place = content.count(b"\n", 0, error.start) + 1
        raise WrongInputError(
            f"{path}:{place}: not a text file (byte {error.start} is not UTF-8)"
        ) from None
    except OSError as error:
        raise WrongInputError(f"{path}: {error.strerror or error}") from None
    return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig")


def _check_word(word: str, written: str, where: str, seen: dict[str, int]) -> None:
    """Refuse a word that no game can have, or not in one list with those seen."""
    quoted = repr(written if len(written) <= _LONGEST_QUOTE else f"{written[:_LONGEST_QUOTE]}…")
    if len(word.split()) > 1:
        raise WrongInputError(f"{where}: more than one word on the line: {quoted}")
    if not is_spelled(word):
        raise WrongInputError(f"{where}: {quoted} has {first_non_letter(word)}")
    if not SHORTEST <= len(word) <= LONGEST:
        raise WrongInputError(
            f"{where}: {quoted} has {_letters(word)}; length must be {SHORTEST}–{LONGEST}"
        )
    if seen:
        first, line = next(iter(seen.items()))
        if len(first) != len(word):
            raise WrongInputError(
                f"{where}: {word!r} has {_letters(word)}, {first!r} on line {line} has "
                f"{len(first)}; all words must have the same length"
            )


def _check_letters(where: object, lines: dict[str, int]) -> None:
    """Refuse a list with too many different letters, with the word that has the first too many."""
    text = "".join(lines)
    if text.isascii() or len(set(text)) <= MOST_LETTERS:
        return
    met: set[str] = set()
    for word, line in lines.items():
        met.update(word)
        if len(met) > MOST_LETTERS:
            raise WrongInputError(
                f"{where}:{line}: with {word!r} the words have more than {MOST_LETTERS} different "
                "letters; make a list with fewer by knuthle lists make --letters"
            )


def _letters(word: str) -> str:
    return "1 letter" if len(word) == 1 else f"{len(word)} letters"


def _check_there(source: Source) -> None:
    """Refuse what is neither a list nor a file, with the nearest name."""
    # os.path, since Path.exists raises where a name is too long
    if not isinstance(source, str | Path) or os.path.exists(source):  # noqa: PTH110
        return
    name = str(source)
    known = (*NAMED_LISTS, *kept_names())
    hint = did_you_mean(name, known)
    raise WrongInputError(
        f"there is no list or file named {name!r}{hint}; lists: {', '.join(known)}"
    )


def load_lists(
    source: Source = DEFAULT_LIST, secrets: Source = "answers", remark: Remark = ignore_remarks
) -> tuple[str, WordList, WordList]:
    """The lists of a game: its short name, the guesses, the secrets.

    The guesses are a named list, shipped or kept, or a user's own. ``secrets`` is ``allowed``
    (every guess may be hidden), ``answers`` (those of a named list; a user's has no answers of its
    own, so there it means the same as ``allowed``) or a list of its own. ``remark`` is called
    for words that stand in a user's list more than once.
    """
    named = is_named(source)
    if isinstance(source, str) and named:
        short, guesses = source, list_by_name(source, "allowed")
    else:
        _check_there(source)
        guesses = read_words(source, remark)
        short = guesses.name
        if short in NAMED_LISTS:
            _check_same(source, guesses, named_list(short, "allowed"))
    if secrets == "allowed" or (secrets == "answers" and not named):
        return short, guesses, WordList("allowed", guesses.words)
    if secrets == "answers":
        return short, guesses, list_by_name(short, "answers")
    same = isinstance(source, str | Path) and source == secrets  # one remark on a list is enough
    hidden = _hidden_words(secrets, short, guesses, ignore_remarks if same else remark)
    return short, guesses, hidden


def _hidden_words(source: Source, short: str, guesses: WordList, remark: Remark) -> WordList:
    """The secrets of somebody's own list, all of them guesses."""
    lines = _numbered_words(source, remark)
    hidden = WordList(_name_of(source), tuple(sorted(lines)))
    where = source if isinstance(source, str | Path) else "secrets"
    if hidden.length != guesses.length:
        raise WrongInputError(
            f"{where}: its words have {hidden.length} letters, those of list {short} "
            f"{guesses.length}"
        )
    known = set(guesses.words)
    for word in hidden.words:
        if word not in known:
            raise WrongInputError(
                f"{where}:{lines[word]}: the secret {word!r} is not a guess of list {short}"
            )
    if hidden.name == "allowed":
        _check_same(where, hidden, guesses)
    if hidden.name == "answers" and short in NAMED_LISTS:
        _check_same(where, hidden, named_list(short, "answers"))
    return hidden


def _check_same(path: object, mine: WordList, meant: WordList) -> None:
    """A user's list goes by its stem; under a name that has a meaning it must be what is meant."""
    if mine.words != meant.words:
        raise WrongInputError(f"{path}: {mine.name!r} is the name of another list; rename the file")


#: Keys that lie side by side are neighbours in it.
_KEYS = "qwertyuiop asdfghjkl zxcvbnm"


def did_you_mean(
    word: str, known: Sequence[str], count: int = 3, likely: Iterable[str] = ()
) -> str:
    """For a word that is on no list: ``"; did you mean …?"`` with the closest ones, or nothing.

    First stand those with two neighbours in the other order or one other letter, among them those
    that are ``likely``, then what a key beside the right one makes of them.
    """
    import difflib

    first, near = set(likely), dict[str, tuple[int, bool, float]]()
    for other in known:
        far = _distance(word, other)
        if far is not None:
            near[other] = (0, other not in first, far)
    for place, other in enumerate(difflib.get_close_matches(word, known, n=3 * count, cutoff=0.6)):
        near.setdefault(other, (1, other not in first, place))
    close = sorted(near, key=near.__getitem__)[:count]
    return f"; did you mean {' or '.join(close)}?" if close else ""


def _distance(one: str, other: str) -> float | None:
    """0 for two neighbours in the other order, a half for the key beside it, 1 for a letter."""
    if len(one) != len(other):
        return None
    apart = [at for at in range(len(one)) if one[at] != other[at]]
    if len(apart) == 1:
        keys = one[apart[0]] + other[apart[0]]
        return 0.5 if keys in _KEYS or keys[::-1] in _KEYS else 1
    if len(apart) != 2 or apart[1] != apart[0] + 1:
        return None
    pair = slice(apart[0], apart[1] + 1)
    return 0 if one[pair] == other[pair][::-1] else None


# ---- Kept lists: files that ``knuthle lists add`` has stored under a name

#: What a list may be called: letters and digits of any script, dots, underlines, hyphens.
_LIST_NAME = re.compile(r"[^\W_][\w.-]{0,59}")
#: Names that mean something else wherever a list is named.
TAKEN = ("allowed", "answers", "words", "auto")
_LARGEST_FACTS = 1 << 16


def is_list_name(name: str) -> bool:
    """Whether a word list can be kept under a name."""
    return _LIST_NAME.fullmatch(name) is not None and plain(name) == name and name not in TAKEN


def kept_folder() -> Path:
    """The folder of kept lists: ``knuthle/lists`` in ``XDG_DATA_HOME``, or its usual place."""
    return user_folder("XDG_DATA_HOME", "LOCALAPPDATA", "~/.local/share") / "lists"


def user_folder(variable: str, on_windows: str, usual: str) -> Path:
    """The folder ``knuthle`` among a user's own: where a variable of the environment says.

    Where it says nothing, or no absolute path, another variable names the place on Windows;
    elsewhere it is the ``usual`` one. Of a user without a home nothing is found, and nothing can be
    written: the folder lies below what is no folder.
    """
    home = os.environ.get(variable, "")
    if os.path.isabs(home):  # noqa: PTH117 - a relative one is to be ignored
        base = Path(home)
    elif sys.platform == "win32" and os.environ.get(on_windows):
        base = Path(os.environ[on_windows])
    else:
        try:
            base = Path(usual).expanduser()
        except RuntimeError:  # as a number that no account has, in a container
            base = Path(os.devnull) / "no home folder"
    return base / "knuthle"


def kept_names() -> list[str]:
    """The names under which word lists are kept, in order."""
    try:
        found = [path.stem for path in kept_folder().glob("*.json")]
    except OSError:
        return []
    return sorted(name for name in found if is_list_name(name))


def is_kept(name: object) -> bool:
    """Whether a word list is kept under this name, so that a game can be played with it."""
    if not isinstance(name, str) or not is_list_name(name):
        return False
    return os.path.isfile(kept_folder() / f"{name}.json")  # noqa: PTH113 - it never raises


def kept_facts(name: str) -> dict[str, Any]:
    """What is written of a list kept for games: its parts with digests, and where it came from."""
    path = kept_folder() / f"{name}.json"
    try:
        with path.open("rb") as file:
            facts = json.loads(file.read(_LARGEST_FACTS))
        digests = facts["digests"]
        whole = set(digests) in ({"allowed"}, {"allowed", "answers"})
        if whole and all(isinstance(digest, str) for digest in digests.values()):
            return {"digests": digests, "origin": str(facts["origin"])}
    except OSError as error:
        raise WrongInputError(f"{path}: {error.strerror or error}; {_remedy(name)}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise WrongInputError(f"{path}: the file is damaged; {_remedy(name)}")


def kept_path(name: str, part: str) -> Path:
    """The file of a part of a kept word list."""
    return kept_folder() / f"{name}-{part}.txt"


def check_kept(name: str, part: str, digest: str) -> None:
    """Refuse the words of a kept list that are no longer those that were kept."""
    if kept_facts(name)["digests"].get(part) != digest:
        path = kept_path(name, part)
        raise WrongInputError(f"{path}: the words have been changed; {_remedy(name)}")


def _remedy(name: str) -> str:
    return f"add the list again, or knuthle lists remove {name}"
