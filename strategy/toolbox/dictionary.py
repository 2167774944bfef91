"""Words of one length out of a dictionary that is installed: what is taken, what is left out.

A dictionary is a word a line, as in ``/usr/share/dict``, or the ``.dic`` file of a spelling
checker (hunspell), whose flags are stripped; the endings that these allow are not made. Nothing of
it is trusted: what is no word of the wanted kind is left out, and counted by the reason.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unicodedata import category, normalize

from solver.errors import WrongInputError
from solver.game.letters import MOST_LETTERS, is_spelled, plain
from solver.game.words import LONGEST, MOST_WORDS, SHORTEST, words_digest

#: Why a line is left out, in the order in which it is asked.
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
    #: The encoding in which each file was read.
    encodings: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The digest of the words: the sha256 by which lists are compared."""
        return words_digest(self.words)

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
    >>> from strategy.toolbox.dictionary import words_from
    >>> _ = Path("dict").write_text("Madrid\\nniño\\nsílaba\\nárbol\\narbol\\n", encoding="utf-8")
    >>> words_from(["dict"], 4).words
    ('niño',)
    >>> found = words_from(["dict"], 5, fold=True, keep="ñ")
    >>> found.words, found.left_out
    (('arbol',), {'capital': 1, 'other length': 2, 'repeated': 1})
    """
    if not SHORTEST <= length <= LONGEST:
        raise WrongInputError(f"words of {length} letters: {SHORTEST} to {LONGEST} will do")
    taken: set[str] = set()
    left_out: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    encodings = []
    wanted, kept = letters_meant(letters), frozenset(plain(keep))
    for path in files:
        text, used = _text_of(Path(path), encoding)
        encodings.append(used)
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
        if len(taken) > MOST_WORDS:
            raise WrongInputError(f"{path}: more than {MOST_WORDS:,} words")
    counts = {reason: left_out[reason] for reason in REASONS if left_out[reason]}
    found = Gathered(tuple(sorted(taken)), counts, examples, tuple(encodings))
    if len(found.letters) > MOST_LETTERS:
        raise WrongInputError(
            f"the words have {len(found.letters)} different letters, and a list may have "
            f"{MOST_LETTERS}: name the wanted ones with --letters, or fold them with --fold"
        )
    return found


def letters_meant(text: str) -> frozenset[str]:
    """For ``knuthle words``, the letters that a text such as ``a-zñ`` means, a hyphen for a run."""
    found: set[str] = set()
    for first, last, alone in re.findall(r"(.)-(.)|(.)", plain(text), re.DOTALL):
        if alone:
            found.add(alone)
        elif first <= last:
            found.update(map(chr, range(ord(first), ord(last) + 1)))
        else:
            raise WrongInputError(f"{first}-{last}: no letters lie between them in this order")
    strange = sorted(letter for letter in found if not is_spelled(letter))
    if strange:
        raise WrongInputError(f"{strange[0]!r} is no letter and no digit")
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
    """What may be words, blank lines and comments left out."""
    for number, line in enumerate(text.splitlines()):
        if of_hunspell:
            if line[:1] in ("\t", "#", "/") or (number == 0 and line.strip().isdigit()):
                continue
            line = _FLAGS.split(line, maxsplit=1)[0].replace("\\/", "/")  # noqa: PLW2901
        line = line.strip()  # noqa: PLW2901
        if line:
            yield line


def _text_of(path: Path, encoding: str) -> tuple[str, str]:
    """The text of a file, and the encoding in which it was read."""
    content = _bytes_of(path)
    used = encoding or _declared(path) or "utf-8"
    try:
        return content.decode("utf-8-sig" if used.lower() in ("utf-8", "utf8") else used), used
    except LookupError:
        raise WrongInputError(f"no encoding is called {used!r}; such as utf-8, latin-1") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise WrongInputError(
            f"{path}:{line}: not a text in {used} (byte {error.start}); say --encoding, such as "
            "latin-1"
        ) from None
    except UnicodeError as error:
        raise WrongInputError(f"{path}: not a text in {used}: {error}") from None


def _declared(path: Path) -> str:
    """The encoding that the ``.aff`` file beside a ``.dic`` names."""
    if path.suffix.lower() != ".dic":
        return ""
    try:
        found = _SET.search(_bytes_of(path.with_suffix(".aff")))
    except WrongInputError:
        return ""
    name = found[1].decode("ascii") if found else ""
    return re.sub(r"(?i)^iso8859", "iso-8859", name)


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise WrongInputError(f"{path}: {error.strerror or error}") from None
    except ValueError as error:  # a zero byte in the name
        raise WrongInputError(f"{str(path)!r}: {error}") from None
    if len(content) > _LARGEST:
        raise WrongInputError(f"{path}: more than {_LARGEST:,} bytes is no dictionary")
    return content
