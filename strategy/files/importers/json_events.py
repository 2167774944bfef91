"""JSON read piece by piece: what is nested may be nested deeply, and nothing large is built.

A library that builds values would call itself for every level, keep the last of two equal keys
without a word, and take many times the size of the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from ...errors import BadFileError
from ..names import quoted
from ..strategy_file import DEEPEST

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
                self._colon()
                expects = "value"
                continue
            if first in "}]" and expects in (
                f"key or {first}",
                f"value or {first}",
                f", or {first}",
            ):
                self._open.pop()
                yield Event(first, None, self._line)
            elif first == "," and expects.startswith(","):
                expects = "key" if self._open[-1] == "}" else "value"
                continue
            elif expects.startswith("value") and first in "{[":
                self._enter("}" if first == "{" else "]")
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

    def _colon(self) -> None:
        if (token := self._token()) != ":":
            self._fail(f"{quoted(token[:40])} where : is to come")

    def _enter(self, closing: str) -> None:
        self._open.append(closing)
        if len(self._open) > MOST_NESTED:
            self._fail(f"more than {MOST_NESTED:,} objects and lists within each other")

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
