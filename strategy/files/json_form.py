"""Strategies as nested JSON: an object a state, with its guess and, by score, what follows.

Keys are read in the spellings of GUESS, BRANCHES and SCORE, whatever their case and with ``_`` or
``-`` anywhere; other keys mean nothing. ``docs/foreign-files.md`` has examples.

Objects come from the library as pairs, since a strategy may have two guesses under one key; and
numbers as they stand there. They know no lines, so what is wrong is named without one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
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
class _Entry:
    """One state of the JSON: its score and its guess, still as they are spelt."""

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
    """Collects the states of what was read, each after the one above it, unchecked.

    The keys of an object come in any order, so scores are kept as they are spelt until all is read.
    """

    def __init__(self, spelling: Spelling, by_words: bool) -> None:
        self.spelling = spelling
        self.by_words = by_words
        self.entries: list[_Entry] = []
        #: What the head of our own export says of its lists.
        self.head: dict[str, str] = {}

    def take(self, whole: Any) -> None:
        """The whole: a state, or an object with the states within it."""
        if isinstance(whole, list):
            raise self.spelling.bad(None, "a list; a strategy begins with an object")
        if not isinstance(whole, _Object):
            raise self.spelling.bad(None, "no object; a strategy begins with one")
        self._state(whole, self._added(_Entry(-1)), is_outermost=True)

    def _added(self, entry: _Entry) -> int:
        """The number of a new entry."""
        if len(self.entries) > 2 * MOST_NODES:
            raise self.spelling.bad(None, f"more than {MOST_NODES:,} states", "large")
        if entry.above >= 0:
            self.entries[entry.above].inner = True
        self.entries.append(entry)
        return len(self.entries) - 1

    def _state(self, state: _Object, number: int, is_outermost: bool = False) -> None:
        """The keys of a state; other keys with an object or a list mean nothing."""
        for key, value in state:
            name, is_object = _plain(key), isinstance(value, _Object)
            if is_object and is_outermost and name in AROUND and self.entries[0].guess is None:
                self._state(value, 0)
            elif self.by_words:
                if isinstance(value, list):
                    raise self.spelling.bad(None, "a list where the scores of a guess are to come")
                self._guess(key, number)
                self._branches(value if is_object else (), number)
            elif name in BRANCHES and is_object:
                self._branches(value, number)
            elif name in BRANCHES and isinstance(value, list):
                self._branches([(None, inner) for inner in value], number)
            elif isinstance(value, str):
                self._fact(name, value, number, is_outermost)

    def _branches(self, branches: Iterable[tuple[str | None, Any]], above: int) -> None:
        """What follows a guess: states, each behind a score or in a list, or the next guess."""
        for score, value in branches:
            if isinstance(value, _Object):
                self._state(value, self._added(_Entry(above, score)))
            elif isinstance(value, list):
                raise self.spelling.bad(None, "a list where a state is to come")
            elif score is None:
                raise self.spelling.bad(None, "a list of states holds something else")
            elif value is True:
                raise self.spelling.bad(None, "true where a state is to come")
            else:
                self._added(_Entry(above, score, str(value) if value else None))

    def _fact(self, name: str, value: str, number: int, is_outermost: bool) -> None:
        """A key of a state that has a text or number."""
        entry = self.entries[number]
        if name in GUESS:
            self._guess(value, number)
        elif name in SCORE and entry.above >= 0 and entry.score is None:
            entry.score = value
        elif is_outermost:
            self.head[name] = value

    def _guess(self, word: str, number: int) -> None:
        entry = self.entries[number]
        if entry.guess is not None and plain(entry.guess) != plain(word):
            words = f"{quoted(entry.guess)} and {quoted(word)}"
            raise self.spelling.bad(None, f"two guesses in one object: {words}")
        entry.guess = word


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
