"""The lists that a strategy of any form is checked by: given, named by it, or resembled by it.

What an OK rests on is ``strategy.checkers``; here is found what to compare a file with.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import perm
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..checkers.lists import (
    MOST_WORDS,
    board_codes,
    check_words,
    kept_list,
    read_list,
    shipped,
    words_digest,
)
from ..errors import BadFileError
from ..files.draft import Draft
from ..files.strategy_file import Origin
from ..files.text import is_known, is_name, is_pegs, plain, quoted

if TYPE_CHECKING:
    from ..tree import Strategy

#: A list of words, the name of a shipped one, or the file that holds it, one a line.
Listed = str | Path | Iterable[str]
#: The shipped lists, the usual one first.
NAMED = ("original", "nyt-2022", "nyt-2023", "nyt-2026")
_PARTS = ("answers", "allowed")
#: What words are called that have no name.
_UNNAMED = "words"
#: The game of a file of codes before it shows of which board they are.
_ANY_BOARD = "mastermind"
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
    if secrets is None:
        return guesses, None
    if not (isinstance(secrets, str) and secrets in ("allowed", "answers")):
        return guesses, _words_of(secrets)
    name = list_name if words is None else _name_of(words)
    hidden = by_name(name, "answers") if secrets == "answers" else None
    if hidden is None:
        hidden = by_name(name, "allowed") if guesses is None else guesses
    if hidden is None and not is_pegs(name):
        raise BadFileError("lists", f"{quoted(name)} is no list that is known; --list gives words")
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
    if is_known(game):
        return game
    if game != _ANY_BOARD:
        known = "known: wordle, mastermind:HxC[:distinct]"
        raise BadFileError("game", f"unknown game {quoted(game)}; {known}")
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
