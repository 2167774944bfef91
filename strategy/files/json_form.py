"""Strategies as nested JSON: an object a state, with its guess and, by score, what follows.

Keys are read in the spellings of GUESS, BRANCHES and SCORE, whatever their case and with ``_`` or
``-`` anywhere; other keys mean nothing. ``docs/foreign-files.md`` has examples.

Objects come from the library as pairs, since a strategy may have two guesses under one key; and
numbers as they stand there. They know no lines, so what is wrong is named without one.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from .draft import Draft, Fault, FaultKind, Spelling
from .strategy_file import MOST_NODES
from .text import is_known, plain, quoted

#: Characters of a text in JSON: what is built of them takes at most thirty times the room.
LONGEST_JSON = 1 << 24


class _Object(tuple[tuple[str, Any], ...]):
    """An object of JSON: its keys in order, also equal ones, with their values."""

    __slots__ = ()


def _number(text: str) -> str:
    """A number as it stands there; what JSON has no number for is refused."""
    if text[-1].isalpha():
        raise ValueError(text)
    return text


# --- the states ---------------------------------------------------------------------------

JSON_FORM, KEYED_FORM = "json", "json by words"
#: The guess of a state.
GUESS = frozenset("guess word next nextguess nextword bestguess bestword play move".split())
#: Score → what follows, or a list of states that name their score.
BRANCHES = frozenset(
    "map then next children branches replies responses results outcomes scores patterns colors "
    "colours clues feedback feedbacks nodes states subtree subtrees nextguesses".split()
)
#: The score of a state in a list.
SCORE = frozenset(
    "score reply response result results outcome pattern color colour colors colours clue "
    "feedback hint answer".split()
)
#: What may stand around the whole tree.
AROUND = frozenset("tree strategy root decisiontree solution data".split())
_PLAIN = re.compile(r"[^a-z0-9]+")
_A_KEY = re.compile(r'"([A-Za-z_ -]{1,40})"\s*+:\s*+"')


@dataclass(slots=True)
class _Frame:
    """An object or list that is open."""

    #: ``state``; ``words``: a state whose guess is its key; ``branches``; ``list``; ``skipped``.
    kind: str
    #: The entry that it is, or belongs to.
    entry: int = -1
    key: str = ""


@dataclass(slots=True)
class _Entry:
    """What stands behind a score, as it stands there."""

    above: int
    score: str | None = None
    guess: str | None = None
    #: Whether anything may follow: it has branches, and they are not empty.
    inner: bool = False


def read_json(text: str, spelling: Spelling) -> Draft:
    """The states of a foreign strategy that is written as nested JSON, an object a state."""
    keys = {_plain(found[1]) for found in _A_KEY.finditer(text)}
    collector = _Collector(spelling, by_words=not keys & GUESS)
    if len(text) > LONGEST_JSON:
        raise spelling.bad(None, f"more than {LONGEST_JSON:,} characters of JSON", "large")
    try:
        found = json.loads(
            text,
            object_pairs_hook=_Object,
            parse_int=_number,
            parse_float=_number,
            parse_constant=_number,
        )
        collector.take(found)
    except ValueError as error:
        line, what = getattr(error, "lineno", None), getattr(error, "msg", error)
        raise spelling.bad(line, f"no JSON: {what}") from None
    except RecursionError:
        raise spelling.bad(None, "objects and lists too deep within each other", "deep") from None
    return _drafted(collector)


class _Collector:
    """Follows what was read with a row of open frames.

    The keys of an object come in any order, so scores are kept as they are spelt until all is read.
    """

    def __init__(self, spelling: Spelling, by_words: bool) -> None:
        self.spelling = spelling
        self.by_words = by_words
        self.entries: list[_Entry] = []
        #: What the head of our own export says of its lists.
        self.head: dict[str, str] = {}
        self._frames: list[_Frame] = []

    def take(self, value: Any) -> None:
        """The whole, or what is within it."""
        if not isinstance(value, _Object | list):
            self._value(value)
            return
        frame = self._opened(isinstance(value, list))
        self._frames.append(frame)
        if isinstance(value, _Object):
            for key, inner in value:
                frame.key = key
                self.take(inner)
        else:
            for inner in value:
                self.take(inner)
        self._frames.pop()

    def _opened(self, is_list: bool) -> _Frame:
        """The frame of an object or list, by where it stands."""
        if not self._frames:
            if is_list:
                raise self.spelling.bad(None, "a list; a strategy begins with an object")
            return self._state(-1)
        frame = self._frames[-1]
        if frame.kind in ("branches", "list"):
            if is_list:
                raise self.spelling.bad(None, "a list where a state is to come")
            return self._state(frame.entry, frame.key if frame.kind == "branches" else None)
        return frame if frame.kind == "skipped" else self._within(frame, is_list)

    def _state(self, above: int, score: str | None = None) -> _Frame:
        self._add(_Entry(above, score))
        return _Frame("words" if self.by_words else "state", len(self.entries) - 1)

    def _add(self, entry: _Entry) -> None:
        if len(self.entries) > 2 * MOST_NODES:
            raise self.spelling.bad(None, f"more than {MOST_NODES:,} states", "large")
        if entry.above >= 0:
            self.entries[entry.above].inner = True
        self.entries.append(entry)

    def _within(self, frame: _Frame, is_list: bool) -> _Frame:
        """What a key of a state opens."""
        key = _plain(frame.key)
        around = len(self._frames) == 1 and key in AROUND and not is_list
        if around and self.entries[0].guess is None:
            return _Frame(frame.kind, 0)
        if frame.kind == "words":
            if is_list:
                raise self.spelling.bad(None, "a list where the scores of a guess are to come")
            self._guess(frame, frame.key)
            return _Frame("branches", frame.entry)
        if key in BRANCHES:
            return _Frame("list" if is_list else "branches", frame.entry)
        return _Frame("skipped")

    def _value(self, value: str | bool | None) -> None:
        """A text, a number, true, false or null."""
        if not self._frames:
            raise self.spelling.bad(None, "no object; a strategy begins with one")
        frame = self._frames[-1]
        if frame.kind == "branches":
            if value is True:
                raise self.spelling.bad(None, "true where a state is to come")
            self._add(_Entry(frame.entry, frame.key, str(value) if value else None))
        elif frame.kind == "list":
            raise self.spelling.bad(None, "a list of states holds something else")
        elif frame.kind == "words":
            self._guess(frame, frame.key)
        elif frame.kind == "state" and isinstance(value, str):
            self._fact(frame, value)

    def _fact(self, frame: _Frame, value: str) -> None:
        """A key of a state that has a text or number."""
        key, entry = _plain(frame.key), self.entries[frame.entry]
        if key in GUESS:
            self._guess(frame, value)
        elif key in SCORE and entry.above >= 0 and entry.score is None:
            entry.score = value
        elif len(self._frames) == 1:
            self.head[key] = value

    def _guess(self, frame: _Frame, value: str) -> None:
        entry = self.entries[frame.entry]
        if entry.guess is not None and plain(entry.guess) != plain(value):
            words = f"{quoted(entry.guess)} and {quoted(value)}"
            raise self.spelling.bad(None, f"two guesses in one object: {words}")
        entry.guess = value


def _drafted(collected: _Collector) -> Draft:
    """The states of what was collected, now that the words are known."""
    spelling = collected.spelling
    game = collected.head.get("game", "")
    if not spelling.game and is_known(game):
        spelling.game = game
    draft = Draft(KEYED_FORM if collected.by_words else JSON_FORM, spelling)
    draft.says_all_ends = False
    draft.list_name = collected.head.get("list", "")
    draft.secrets_name = collected.head.get("secretsname", "")
    if collected.entries[0].guess is None:
        raise spelling.bad(None, "no guess at its beginning")
    nodes: list[int] = []
    for entry in collected.entries:
        above = nodes[entry.above] if entry.above >= 0 else -1
        skipped = entry.above >= 0 and above < 0
        nodes.append(-1 if skipped else _entered(draft, entry, above))
    return draft


def _entered(draft: Draft, entry: _Entry, above: int) -> int:
    """The node of an entry below the node ``above``; -1 if it is none."""
    spelling = draft.spelling
    if above < 0:
        score = 0
    elif entry.score is None:
        raise spelling.bad(None, "a state in a list that says no score")
    elif (score := spelling.score(entry.score, 0)) == spelling.solved:
        _solved(draft, entry, above)
        return -1
    if entry.guess is None:
        if entry.inner:
            raise spelling.bad(None, "a state without a guess")
        return -1
    word = spelling.word(entry.guess, 0)
    known = draft.child(above, score) if above >= 0 else None
    if known is not None:
        draft.named.add(word)
        text = f"{word!r} where {draft.guess[known]!r} is guessed already"
        draft.note(Fault(FaultKind.TWO_GUESSES, text, word))
        return -1
    node = draft.add(above, score, word, 0)
    if not entry.inner:
        draft.end(node, 0)
    return node


def _solved(draft: Draft, entry: _Entry, node: int) -> None:
    """The branch of the solved score: the guess above may be the secret."""
    guess = draft.guess[node]
    draft.says_all_ends = True
    draft.end(node, 0)
    after = plain(entry.guess or guess)
    if after != guess and draft.spelling.looks_like_word(after):
        text = f"{guess!r} is solved, and {after!r} follows"
        draft.note(Fault(FaultKind.NO_END, text, guess))


def _plain(key: str) -> str:
    """A key without case, spaces, hyphens and the like."""
    return _PLAIN.sub("", key.lower())
