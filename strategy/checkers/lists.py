"""The word lists that a strategy and a proof are checked by, read by the checkers' own lines.

They are given, or named by a file, or found by their likeness to what a file solves. Like the
referee this shares nothing with the solver and loads no numpy: a list is read, and compared with
the digest that a file names, by lines of its own.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import BadFileError, WrongStrategyError
from ..files.draft import Draft
from ..files.strategy_file import LONGEST_WORD, MOST_WORDS, Origin
from ..files.text import (
    MOST_LETTERS,
    is_known,
    is_letter,
    is_name,
    is_pegs,
    is_word,
    plain,
    quoted,
    read_at_most,
)

if TYPE_CHECKING:
    from ..tree import Strategy

#: The shipped lists by name and part: how many words each has, and their digest.
SHIPPED = {
    ("original", "answers"): (
        2315,
        "5209b35f823f8b80f0404f863bd80df06d6a966c6eb1016d69f38badc6eed5d0",
    ),
    ("original", "allowed"): (
        12972,
        "498f38211e3bafbfd6cc824ed10537a974d502377aa92459d06ff6a5b6110bb8",
    ),
    ("nyt-2022", "answers"): (
        2309,
        "b8f8854e42a0dd46dfa13f42453620e17abc1114b9c0eef5cab8d6b2b2ad04be",
    ),
    ("nyt-2022", "allowed"): (
        12947,
        "e4a7befed83e650b46d669dfa6e7c4ce08f50720af7931121377c3f5bd06deaf",
    ),
    ("nyt-2023", "answers"): (
        3158,
        "761b933d6047bfcc0d529baf8c0be03df788d69b4acfdd78ed020f65aa47d3fc",
    ),
    ("nyt-2023", "allowed"): (
        14855,
        "a7898cd20f36686d4c5b43ece226c36eb41a701df36da35bd18e21af41cfead4",
    ),
}
#: Letters of a word in Wordle; codes have LONGEST_WORD pegs at most.
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
    return None


def check_words(words: Iterable[object], game: str = "wordle") -> None:
    """Refuse lists with words that no game is played with.

    Wordle: 2 to 11 letters or digits of any script, not too many different ones. Mastermind: the
    pegs 0-9 and a-z. All of one length.
    """
    given = tuple(words)
    plain = [word for word in given if isinstance(word, str)]
    pegs, kind = is_pegs(game), game.partition(":")[0]
    if len(plain) < len(given) or not _are_latin(plain):
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
    """The words of a list, a file with a word a line, sorted, each once.

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
    if (digest and found != digest) or not is_word("".join(words)):
        return None
    return words


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


# --- the lists that a strategy is checked by ------------------------------------------------

#: A list of words, the name of a shipped one, or the file that holds it, one a line.
Listed = str | Path | Iterable[str]
#: The shipped lists, the usual one first.
NAMED = ("original", "nyt-2022", "nyt-2023")
_PARTS = ("answers", "allowed")
#: What words are called that have no name.
_UNNAMED = "words"
_PEG_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class ReferenceLists:
    """The words that a strategy is checked by, with the names that a file can have for them."""

    game: str
    name: str
    part: str
    #: None: any word may be guessed.
    guesses: Sequence[str] | None
    secrets: Sequence[str]
    #: How they were found, for people.
    how: str

    def origin(self, words: Sequence[str], **more: Any) -> Origin:
        """The head of a strategy file for these lists of words.

        ``words`` are the guesses where none are known.
        """
        guesses = sorted(words if self.guesses is None else self.guesses)
        secrets = sorted(self.secrets)
        return Origin(
            self.game, self.name, len(guesses), words_digest(guesses),
            self.part, len(secrets), words_digest(secrets), **more,
        )  # fmt: skip


def given_lists(
    words: Listed | None, secrets: Listed | None, list_name: str = NAMED[0]
) -> tuple[list[str] | None, list[str] | None]:
    """The guesses and secrets that are given to check a strategy by; None for what is not.

    ``answers`` are those of the list that is named, or of ``list_name`` if none is.
    """
    guesses = None if words is None else _words_of(words)
    name = list_name if words is None else _name_of(words)
    if secrets is None:
        return guesses, None
    if secrets == "allowed" or (secrets == "answers" and by_name(name, "answers") is None):
        hidden = by_name(name, "allowed") if guesses is None else guesses
    elif secrets == "answers":
        hidden = by_name(name, "answers")
    else:
        hidden = _words_of(secrets)
    return guesses, hidden


def of_strategy(
    strategy: Strategy, guesses: Sequence[str] | None, secrets: Sequence[str] | None
) -> ReferenceLists:
    """What to check a strategy of ours by: lists given, else those it names, else its own words."""
    origin = strategy.origin
    fits = len(strategy.words[0])
    if guesses is None:
        guesses = shipped(origin.list_name, "allowed")
        if guesses is None:
            guesses = kept_list(origin.list_name, "allowed", origin.guesses_digest)
    elif secrets is None and origin.secrets_name == "allowed":
        secrets = guesses
    if secrets is None:
        secrets = shipped(origin.list_name, origin.secrets_name)
    if not secrets or len(secrets[0]) != fits:
        secrets = strategy.secrets
    if not guesses or len(guesses[0]) != fits:
        guesses = None
    return ReferenceLists(origin.game, origin.list_name, origin.secrets_name, guesses, secrets, "")


def of_draft(
    draft: Draft, words: Listed | None = None, secrets: Listed | None = None, game: str = ""
) -> ReferenceLists:
    """What to check a draft by: lists given, else those it names, else those it resembles.

    Only shipped lists are looked at for a likeness.
    """
    game = _game_of(draft, game)
    if is_pegs(game):
        if words is not None or secrets not in (None, "allowed"):
            raise BadFileError("lists", f"{game} is played with all its codes, not with a list")
        codes = board_codes(game, _count_of(game))
        return ReferenceLists(game, game, "allowed", codes, codes, f"all codes of {game}")
    if words is None and secrets is None:
        return _named(draft) or _resembling(draft)
    chosen = NAMED[0] if words is None else words
    guesses, hidden = given_lists(chosen, "answers" if secrets is None else secrets)
    assert guesses is not None
    assert hidden is not None
    name = _name_of(chosen)
    part = "answers" if secrets is None else _name_of(secrets)
    if part == "answers" and by_name(name, part) is None:
        part = "allowed"
    for listed, meant in ((guesses, shipped(name, "allowed")),
                          (hidden, shipped(name, part))):  # fmt: skip
        if meant is not None and listed != meant:
            raise BadFileError("lists", f"{quoted(name)} and {quoted(part)} are the names of other "
                               "lists; rename the file")  # fmt: skip
    unknown = sorted(set(hidden) - set(guesses))
    if unknown:
        raise BadFileError("lists", f"the secret {unknown[0]!r} is no guess of list {quoted(name)}")
    check_words(guesses)
    return ReferenceLists(game, name, part, guesses, hidden, "lists as given")


def _game_of(draft: Draft, game: str) -> str:
    """The game of a file, with its board."""
    game = game or draft.game
    if not is_pegs(game) or is_known(game):
        if not is_known(game):
            known = "known: wordle, mastermind:HxC[:distinct]"
            raise BadFileError("game", f"unknown game {quoted(game)}; {known}")
        return game
    pegs = {peg for word in set(draft.guess) for peg in word}
    holes = draft.spelling.length
    strange = sorted(pegs - set(_PEG_SIGNS))
    if strange:
        raise BadFileError("game", f"{draft.spelling.name}: it has digits, but {strange[0]!r} is "
                           "no peg; if these are words, say --game wordle")  # fmt: skip
    colours = max(map(_PEG_SIGNS.index, pegs)) + ("0" in pegs)
    solved = len(draft.named)
    for distinct, count in (("", colours**holes), (":distinct", perm(colours, holes))):
        if draft.says_all_ends and solved == count:
            return f"mastermind:{holes}x{colours}{distinct}"
    raise BadFileError(
        "game", f"{draft.spelling.name}: codes, and it does not show of which board; say "
        f"--game mastermind:{holes}x{colours} or the like"
    )  # fmt: skip


def _count_of(game: str) -> int:
    """How many codes a board has; too many are refused."""
    _, board, *distinct = game.split(":")
    holes, colours = map(int, board.split("x"))
    count = perm(colours, holes) if distinct else colours**holes
    if not 0 < count <= MOST_WORDS or colours > len(_PEG_SIGNS):
        raise BadFileError("game", f"{game} has {count:,} codes; 1 to {MOST_WORDS:,} will do")
    return count


def _named(draft: Draft) -> ReferenceLists | None:
    """The shipped lists that the head of a file names."""
    guesses = shipped(draft.list_name, "allowed")
    secrets = shipped(draft.list_name, draft.secrets_name)
    if guesses is None or secrets is None or len(guesses[0]) != draft.spelling.length:
        return None
    how = f"list {draft.list_name} {draft.secrets_name} as shipped"
    return ReferenceLists("wordle", draft.list_name, draft.secrets_name, guesses, secrets, how)


def _resembling(draft: Draft) -> ReferenceLists:
    """The shipped list whose secrets differ least from the words that a file solves.

    If not half of them are the same, it is about a list of its own: what it solves.
    """
    solves = draft.named if draft.says_all_ends else set(draft.guess)
    found: list[tuple[int, str, str, list[str]]] = []
    for name, part in ((name, part) for name in NAMED for part in _PARTS):
        secrets = shipped(name, part) or []
        differ = len(solves.symmetric_difference(secrets))
        if 2 * differ <= len(solves) + len(secrets):
            found.append((differ, name, part, secrets))
    if found:
        _, name, part, secrets = min(found, key=lambda each: each[0])
        guesses = shipped(name, "allowed")
        return ReferenceLists(
            "wordle", name, part, guesses, secrets, f"list {name} {part} as shipped"
        )
    if not draft.says_all_ends:
        raise BadFileError(
            "lists", f"{draft.spelling.name}: it does not say where secrets are solved, and "
            "resembles no shipped list; name its list with --list"
        )  # fmt: skip
    return ReferenceLists("wordle", _UNNAMED, _UNNAMED, None, sorted(solves), "list not verified")


def by_name(name: str, part: str) -> list[str] | None:
    """Words to check a strategy by, of a list with a name, shipped or kept; None if none is."""
    found = shipped(name, part)
    return kept_list(name, part) if found is None else found


def _name_of(listed: Listed) -> str:
    """What a file may call a list: its name, the stem of its file."""
    if not isinstance(listed, str | Path):
        return _UNNAMED
    is_kept = isinstance(listed, str) and kept_list(listed, "allowed") is not None
    name = listed if is_kept else Path(listed).stem
    if not is_name(str(name)):
        raise BadFileError("lists", f"{quoted(listed)}: cannot be the name of a list; rename it")
    return str(name)


def _words_of(listed: Listed) -> list[str]:
    """The words of a list, sorted, each once."""
    named = by_name(listed, "allowed") if isinstance(listed, str) else None
    if named is not None:
        return named
    if isinstance(listed, str | Path):
        words = read_list(str(listed))
    else:
        words = sorted({plain(word.strip()) for word in listed})
    if not words:
        raise BadFileError("lists", f"{quoted(_name_of(listed))}: no words in it")
    return words
