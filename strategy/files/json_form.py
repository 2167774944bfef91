"""Strategies as nested JSON: an object a state, with its guess and, by score, what follows.

Keys are read in the spellings of GUESS, BRANCHES and SCORE, whatever their case and with ``_`` or
``-`` anywhere; other keys mean nothing. ``docs/foreign-files.md`` has examples.

JSON is read piece by piece: what is nested may be nested deeply, and nothing large is built. A
library that builds values would call itself for every level, keep the last of two equal keys
without a word, and take many times the size of the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from ..errors import BadFileError
from .draft import Draft, Fault, FaultKind, Spelling
from .strategy_file import DEEPEST, MOST_NODES
from .text import is_known, plain, quoted

# --- the pieces of a text -----------------------------------------------------------------

#: Objects and lists within each other: for every guess an object, one for its scores, a list.
MOST_NESTED = 4 * DEEPEST
_LONGEST_TEXT = 1 << 12
#: Pieces of a text, brackets, commas and all.
MOST_PIECES = 1 << 23
_TOKEN = re.compile(
    r'[ \t\r\n]*+(?:([{}\[\],:])|("[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+")|'
    r"(-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)|(true|false|null))"
)
_BLANK = re.compile(r"[ \t\r\n]*+")
_NAMES = {"true": True, "false": False, "null": None}

#: A text, a number as it stands there, true, false, null.
Scalar = str | bool | None


class Event(NamedTuple):
    """A piece of a JSON text: ``{``, ``}``, ``[``, ``]``, ``key`` or ``value``."""

    kind: str
    value: Scalar
    line: int


def events(text: str, name: str) -> Iterator[Event]:
    """All pieces of a foreign JSON text in order; the first misfit is named with its line."""
    return _Scanner(text, name).run()


class _Scanner:
    def __init__(self, text: str, name: str) -> None:
        self._text, self._name = text, name
        self._at, self._line, self._counted, self._pieces = 0, 1, 0, 0
        self._open: list[str] = []

    def run(self) -> Iterator[Event]:
        """Go from token to token, knowing what may come next."""
        expects = "value"
        while expects != "end":
            token = self._token()
            first = token[0]
            if expects in ("key", "key or }") and first == '"':
                yield Event("key", self._string(token), self._line)
                if (colon := self._token()) != ":":
                    self._fail(f"{quoted(colon[:40])} where : is to come")
                expects = "value"
                continue
            if first in "}]" and expects.endswith(f" or {first}"):
                self._open.pop()
                yield Event(first, None, self._line)
            elif first == "," and expects.startswith(","):
                expects = "key" if self._open[-1] == "}" else "value"
                continue
            elif expects.startswith("value") and first in "{[":
                self._open.append("}" if first == "{" else "]")
                if len(self._open) > MOST_NESTED:
                    self._fail(f"more than {MOST_NESTED:,} objects and lists within each other")
                yield Event(first, None, self._line)
                expects = "key or }" if first == "{" else "value or ]"
                continue
            elif expects.startswith("value") and first not in "}],:":
                value = self._string(token) if first == '"' else _NAMES.get(token, token)
                yield Event("value", value, self._line)
            else:
                self._fail(f"{quoted(token[:40])} where {expects} is to come")
            expects = f", or {self._open[-1]}" if self._open else "end"
        if _BLANK.match(self._text, self._at).end() < len(self._text):  # type: ignore[union-attr]
            self._fail("something follows its end")

    def _token(self) -> str:
        self._pieces += 1
        if self._pieces > MOST_PIECES:
            self._fail(f"more than {MOST_PIECES:,} pieces of JSON")
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            self._skip_blank()
            rest = self._text[self._at : self._at + 20]
            self._fail(f"{quoted(rest)} is not JSON" if rest else "it ends too early")
        token = found[found.lastindex or 0]
        self._at = found.end()
        start = self._at - len(token)
        self._line += self._text.count("\n", self._counted, start)
        self._counted = start
        return token

    def _skip_blank(self) -> None:
        blank = _BLANK.match(self._text, self._at)
        self._at = blank.end() if blank else self._at
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at

    def _string(self, token: str) -> str:
        if len(token) > _LONGEST_TEXT:
            self._fail(f"a text of more than {_LONGEST_TEXT:,} characters")
        if "\\" not in token:
            return token[1:-1]
        try:
            return str(json.loads(token))
        except ValueError:
            self._fail(f"{quoted(token[:40])} is not JSON")

    def _fail(self, reason: str) -> NoReturn:
        raise BadFileError("format", f"{self._name}:{self._line}: {reason}")


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
    line: int
    score: str | None = None
    guess: str | None = None
    #: Whether anything may follow: it has branches, and they are not empty.
    inner: bool = False


def read_json(text: str, spelling: Spelling) -> Draft:
    """The states of a foreign strategy that is written as nested JSON, an object a state."""
    keys = {_plain(found[1]) for found in _A_KEY.finditer(text)}
    collector = _Collector(spelling, by_words=not keys & GUESS)
    for event in events(text, spelling.name):
        collector.take(event)
    return _drafted(collector)


class _Collector:
    """Follows the pieces of the text with a row of open frames; it never calls itself.

    The keys of an object come in any order, so scores are kept as they are spelt until all is read.
    """

    def __init__(self, spelling: Spelling, by_words: bool) -> None:
        self.spelling = spelling
        self.by_words = by_words
        self.entries: list[_Entry] = []
        #: What the head of our own export says of its lists.
        self.head: dict[str, str] = {}
        self._frames: list[_Frame] = []

    def take(self, event: Event) -> None:
        """The next piece."""
        if event.kind == "key":
            self._frames[-1].key = str(event.value)
        elif event.kind in "{[":
            self._frames.append(self._opened(event))
        elif event.kind in "}]":
            self._frames.pop()
        else:
            self._value(event)

    def _opened(self, event: Event) -> _Frame:
        """The frame of an object or list, by where it stands."""
        if not self._frames:
            if event.kind == "[":
                raise self.spelling.bad(event.line, "a list; a strategy begins with an object")
            return self._state(-1, event)
        frame = self._frames[-1]
        if frame.kind in ("branches", "list"):
            if event.kind == "[":
                raise self.spelling.bad(event.line, "a list where a state is to come")
            return self._state(frame.entry, event, frame.key if frame.kind == "branches" else None)
        if frame.kind == "skipped":
            return frame
        return self._within(frame, event)

    def _state(self, above: int, event: Event, score: str | None = None) -> _Frame:
        self._add(_Entry(above, event.line, score))
        return _Frame("words" if self.by_words else "state", len(self.entries) - 1)

    def _add(self, entry: _Entry) -> None:
        if len(self.entries) > 2 * MOST_NODES:
            raise self.spelling.bad(entry.line, f"more than {MOST_NODES:,} states", "large")
        if entry.above >= 0:
            self.entries[entry.above].inner = True
        self.entries.append(entry)

    def _within(self, frame: _Frame, event: Event) -> _Frame:
        """What a key of a state opens."""
        key = _plain(frame.key)
        around = len(self._frames) == 1 and key in AROUND and event.kind == "{"
        if around and self.entries[0].guess is None:
            return _Frame(frame.kind, 0)
        if frame.kind == "words":
            if event.kind == "[":
                raise self.spelling.bad(
                    event.line, "a list where the scores of a guess are to come"
                )
            self._guess(frame, frame.key, event)
            return _Frame("branches", frame.entry)
        if key in BRANCHES:
            return _Frame("branches" if event.kind == "{" else "list", frame.entry)
        return _Frame("skipped")

    def _value(self, event: Event) -> None:
        """A text, a number, true, false or null."""
        if not self._frames:
            raise self.spelling.bad(event.line, "no object; a strategy begins with one")
        frame, value = self._frames[-1], event.value
        if frame.kind == "branches":
            if value is True:
                raise self.spelling.bad(event.line, "true where a state is to come")
            guess = str(value) if value else None
            self._add(_Entry(frame.entry, event.line, frame.key, guess))
        elif frame.kind == "list":
            raise self.spelling.bad(event.line, "a list of states holds something else")
        elif frame.kind == "words":
            self._guess(frame, frame.key, event)
        elif frame.kind == "state" and isinstance(value, str):
            self._fact(frame, value, event)

    def _fact(self, frame: _Frame, value: str, event: Event) -> None:
        """A key of a state that has a text or number."""
        key, entry = _plain(frame.key), self.entries[frame.entry]
        if key in GUESS:
            self._guess(frame, value, event)
        elif key in SCORE and entry.above >= 0 and entry.score is None:
            entry.score = value
        elif len(self._frames) == 1:
            self.head[key] = value

    def _guess(self, frame: _Frame, value: str, event: Event) -> None:
        entry = self.entries[frame.entry]
        if entry.guess is not None and plain(entry.guess) != plain(value):
            words = f"{quoted(entry.guess)} and {quoted(value)}"
            raise self.spelling.bad(event.line, f"two guesses in one object: {words}")
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
        raise spelling.bad(1, "no guess at its beginning")
    nodes: list[int] = []
    for entry in collected.entries:
        above = nodes[entry.above] if entry.above >= 0 else -1
        skipped = entry.above >= 0 and above < 0
        nodes.append(-1 if skipped else _entered(draft, entry, above))
    return draft


def _entered(draft: Draft, entry: _Entry, above: int) -> int:
    """The node of an entry below the node ``above``; -1 if it is none."""
    spelling, line = draft.spelling, entry.line
    if above < 0:
        score = 0
    elif entry.score is None:
        raise spelling.bad(line, "a state in a list that says no score")
    elif (score := spelling.score(entry.score, line)) == spelling.solved:
        _solved(draft, entry, above)
        return -1
    if entry.guess is None:
        if entry.inner:
            raise spelling.bad(line, "a state without a guess")
        return -1
    word = spelling.word(entry.guess, line)
    known = draft.child(above, score) if above >= 0 else None
    if known is not None:
        draft.named.add(word)
        text = f"{word!r} where line {draft.line[known]} guesses {draft.guess[known]!r} already"
        draft.note(Fault(FaultKind.TWO_GUESSES, text, word, line))
        return -1
    node = draft.add(above, score, word, line)
    if not entry.inner:
        draft.end(node, line)
    return node


def _solved(draft: Draft, entry: _Entry, node: int) -> None:
    """The branch of the solved score: the guess above may be the secret."""
    guess = draft.guess[node]
    draft.says_all_ends = True
    draft.end(node, entry.line)
    after = plain(entry.guess or guess)
    if after != guess and draft.spelling.looks_like_word(after):
        text = f"{guess!r} is solved, and {after!r} follows"
        draft.note(Fault(FaultKind.NO_END, text, guess, entry.line))


def _plain(key: str) -> str:
    """A key without case, spaces, hyphens and the like."""
    return _PLAIN.sub("", key.lower())
