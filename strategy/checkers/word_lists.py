"""The word lists that a strategy and a proof are about, as the trusted checkers read them.

Like the referee this shares nothing with the solver: a list is read, and compared with the digest
that a file names, by lines of its own.
"""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadFileError, WrongStrategyError
from ..files.kept_lists import kept_list
from ..files.letters import MOST_LETTERS, is_letter, is_word, plain
from ..files.names import is_name, quoted
from ..files.notation import is_pegs
from ..files.strategy_file import LONGEST_WORD, MOST_WORDS
from ..files.text import read_at_most

if TYPE_CHECKING:
    from ..tree import Strategy

#: Letters of a word in Wordle; of codes the readers of files ask for no more than LONGEST_WORD.
SHORTEST, LONGEST = 2, 11
_LARGEST_LIST = 1 << 26
_CODE = re.compile(f"[a-z0-9]{{1,{LONGEST_WORD}}}")


def check_lists(
    strategy: Strategy, guesses: Sequence[str] | None, secrets: Sequence[str] | None
) -> str:
    """Compare the words of a strategy with the word lists it names and with those given.

    What they were compared with is returned, for people.
    """
    origin = strategy.origin
    if words_digest(strategy.secrets) != origin.secrets_digest:
        raise WrongStrategyError("its secrets are not the list that its head names")
    seen = []
    if is_pegs(origin.game):
        codes = board_codes(origin.game, origin.secrets)
        if _agree(strategy, codes, codes):
            seen.append(f"all codes of {origin.game}")
    else:
        allowed = shipped(origin.list_name, "allowed")
        same = origin.secrets_name == "allowed"
        part = allowed if same else shipped(origin.list_name, origin.secrets_name)
        if _agree(strategy, allowed, part):
            seen.append(f"list {origin.list_name} as shipped")
        elif _agree(strategy, *_kept_lists(strategy)):
            seen.append(f"list {origin.list_name} as kept here")
    if _agree(strategy, guesses, secrets):
        seen.append("lists as given")
    return ", ".join(seen) or "list not verified"


def _kept_lists(strategy: Strategy) -> tuple[list[str] | None, list[str] | None]:
    """The lists that are kept under the names of a strategy's, if they are the same ones."""
    origin = strategy.origin
    guesses = kept_list(origin.list_name, "allowed", origin.guesses_digest)
    if origin.secrets_name == "allowed":
        return guesses, guesses
    return guesses, kept_list(origin.list_name, origin.secrets_name, origin.secrets_digest)


def board_codes(game: str, count: int) -> list[str]:
    """All codes of a Mastermind board, in order, as the trusted checkers list them.

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


def _agree(
    strategy: Strategy, guesses: Sequence[str] | None, secrets: Sequence[str] | None
) -> bool:
    """Whether both lists were there to compare; raise WrongStrategyError if one differs."""
    origin = strategy.origin
    if guesses is not None:
        _compare("guesses", guesses, origin.guesses, origin.guesses_digest)
        unknown = sorted(set(strategy.words) - set(guesses))
        if unknown:
            raise WrongStrategyError(f"{unknown[0]!r} is no guess of the list {origin.list_name}")
    if secrets is not None:
        _compare("secrets", secrets, origin.secrets, origin.secrets_digest)
    return guesses is not None and secrets is not None


def _compare(what: str, words: Sequence[str], count: int, digest: str) -> None:
    if len(words) != count or words_digest(sorted(words)) != digest:
        raise WrongStrategyError(
            f"it is for another list: {count:,} {what} with digest {digest[:12]}, "
            f"not these {len(words):,} with {words_digest(sorted(words))[:12]}"
        )


def words_digest(words: Iterable[str]) -> str:
    """The digest of a word list, as the files hold it, by the trusted checkers' own code."""
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def shipped(list_name: str, part: str) -> list[str] | None:
    """The words of a shipped list as the trusted checkers read them; None if there is none."""
    root = Path(__file__).resolve().parent.parent.parent
    if part not in ("allowed", "answers") or not is_name(list_name):
        return None
    for folder in (root / "solver" / "_data" / "words", root / "data" / "words"):
        path = folder / f"{list_name}-{part}.txt"
        if path.is_file():
            return read_list(str(path))
    return None


def check_words(words: Iterable[object], game: str = "wordle") -> None:
    """Refuse, for the trusted checkers, lists with words that no game is played with.

    Wordle: 2 to 11 letters or digits of any script, not too many different ones. Mastermind: the
    pegs 0-9 and a-z. All of one length.
    """
    given = tuple(words)
    plain = [word for word in given if isinstance(word, str)]
    pegs, kind = is_pegs(game), game.partition(":")[0]
    if pegs or len(plain) < len(given) or not _are_latin(plain):
        is_fit = _is_code if pegs else _is_word
        for word in given:
            if not isinstance(word, str) or not is_fit(word):
                raise BadFileError("lists", f"{quoted(word)} is no word of {kind}")
            if len(word) != len(plain[0]):
                reason = f"{word!r} is not as long as the words before it: {len(plain[0])}"
                raise BadFileError("lists", reason)
    letters = set("".join(plain))
    if len(letters) > MOST_LETTERS:
        raise BadFileError(
            "lists", f"its words have {len(letters)} different letters, more than {MOST_LETTERS}"
        )


def _are_latin(words: Sequence[str]) -> bool:
    """Whether all are words of a-z, of one length: most are, and it is seen at once."""
    text, lengths = "".join(words), set(map(len, words))
    fit = len(lengths) == 1 and SHORTEST <= min(lengths) <= LONGEST
    return fit and text.isascii() and text.isalpha() and text == text.lower()


def _is_code(text: str) -> bool:
    return _CODE.fullmatch(text) is not None


def _is_word(text: str) -> bool:
    return SHORTEST <= len(text) <= LONGEST and is_word(text)


def read_list(path: str) -> list[str]:
    """The words of a list, a file with a word a line, sorted, each once, for the trusted checkers.

    Whatever is no word is refused with its line; codes of Mastermind pass as well.
    """
    content = read_at_most(path, _LARGEST_LIST, "lists", " is no word list")
    return sorted(_plain_words(content) or _read_lines(content, path))


def _read_lines(content: bytes, path: str) -> set[str]:
    words: set[str] = set()
    for number, line in enumerate(_lines_of(content, path), 1):
        text = line.partition("#")[0].strip()
        word = plain(text)
        if not word:
            continue
        if not all(map(is_letter, word)) or len(word) > LONGEST_WORD:
            raise BadFileError("lists", f"{path}:{number}: {quoted(text)} is no word")
        if words and len(word) != len(next(iter(words))):
            raise BadFileError("lists", f"{path}:{number}: {word!r} is not as long as the others")
        words.add(word)
        if len(words) > MOST_WORDS:
            raise BadFileError("lists", f"{path}: more than {MOST_WORDS:,} words")
    return words


def _plain_words(content: bytes) -> set[str]:
    """The words of a list with nothing but words in it, a line each; none if there is more."""
    text = content.decode("utf-8", "replace")
    lines = text.removesuffix("\n").split("\n")
    fit = len(lines[0]) <= LONGEST_WORD and set(map(len, lines)) == {len(lines[0])}
    return set(lines) if fit and len(lines) <= MOST_WORDS and is_word("".join(lines)) else set()


def _lines_of(content: bytes, path: str) -> Iterator[str]:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{path}:{line}: not a text file (byte {error.start} is not UTF-8)"
        raise BadFileError("unreadable", reason) from None
    return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig")
