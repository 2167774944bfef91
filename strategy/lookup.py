"""The lookup file: a whole strategy in one self-contained file, written at once, read with care.

``docs/strategy-format.md`` is the grammar. Whoever reads a file through here gets a tree in which
every guess is a word, every node hangs below the root and the counts are those of the tree; whether
the games come out as the file says is the checker's business (``verify``).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from . import container
from .errors import BadFileError
from .tree import Origin, Strategy

_WIDTHS = {1: "B", 2: "H", 4: "I"}


def save(strategy: Strategy, path: str | Path) -> None:
    """Write a strategy file, whole or not at all."""
    container.write_whole(path, to_bytes(strategy))


def to_bytes(strategy: Strategy) -> bytes:
    """The bytes of a strategy file; equal strategies have equal bytes."""
    return container.pack(container.STRATEGY, to_body(strategy))


def to_body(strategy: Strategy) -> dict[str, Any]:
    """The body of the file, before it is packed."""
    return {
        "origin": head_of(strategy.origin),
        "length": len(strategy.words[0]),
        "words": "".join(strategy.words),
        "guess": pack_column(strategy.guess),
        "parent": pack_column(strategy.parent),
        "score": pack_column(strategy.score),
        "hit": pack_column(strategy.hit),
        "nodes": strategy.nodes,
        "histogram": list(strategy.histogram),
        "digest": strategy.digest,
    }


def head_of(origin: Origin) -> dict[str, Any]:
    """The head as a map that msgpack can hold."""
    return asdict(origin) | {"start": list(origin.start)}


def load(path: str | Path) -> Strategy:
    """Read a strategy file; whatever is wrong with it is named."""
    return load_with_digest(path)[0]


def load_with_digest(path: str | Path) -> tuple[Strategy, str]:
    """Read a strategy file and the digest that it says it has."""
    kind, body = container.read(path)
    if kind != container.STRATEGY:
        raise BadFileError(
            "kind", f"{path}: {container.KINDS[kind]}; it is continued with solve-all --resume"
        )
    return from_body(body, str(path))


def from_body(body: dict[str, Any], name: str) -> tuple[Strategy, str]:
    """Build the strategy, checking everything on the way."""
    read = Reader(body, name)
    origin = read_origin(read)
    words = read.words("words", "length")
    columns = {
        column: read.column(column, read.whole("nodes"))
        for column in ("guess", "parent", "score", "hit")
    }
    strategy = Strategy(origin, words, **columns)
    check_tree(strategy, read.fail)
    if read.take("histogram", list) != strategy.histogram:
        read.fail("counts", "its counts are not those of its tree")
    if len(strategy.secrets) != origin.secrets:
        read.fail(
            "counts",
            f"it solves {len(strategy.secrets):,} secrets; its head says {origin.secrets:,}",
        )
    return strategy, read.take("digest", str)


class Reader:
    """Typed access to the body of a file; the first wrong thing raises BadFileError."""

    def __init__(self, body: dict[str, Any], name: str) -> None:
        self.body = body
        self.name = name

    def fail(self, kind: str, reason: str) -> NoReturn:
        """Refuse the file."""
        raise BadFileError(kind, f"{self.name}: {reason}")

    def take(self, key: str, kind: type) -> Any:
        """A value of the right type."""
        value = self.body.get(key)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fail("format", f"{key!r} is {type(value).__name__}, expected {kind.__name__}")
        return value

    def whole(self, key: str, least: int = 1) -> int:
        """A number that is not too small."""
        number = self.take(key, int)
        if number < least:
            self.fail("format", f"{key!r} is {number}, expected at least {least}")
        return int(number)

    def words(self, key: str, length_key: str) -> tuple[str, ...]:
        """A word column: words of one length in a row, sorted, each once."""
        text, length = self.take(key, str), self.whole(length_key)
        if not text or len(text) % length:
            self.fail("format", f"{len(text)} letters do not make words of {length}")
        words = tuple(text[at : at + length] for at in range(0, len(text), length))
        if not (text.isascii() and text.isalnum() and text == text.lower()):
            self.fail("format", "its words are not of letters or digits")
        if any(one >= two for one, two in pairwise(words)):
            self.fail("format", "its words are not sorted, or one stands there twice")
        return words

    def column(self, key: str, length: int) -> array[int]:
        """A column of numbers of the right length."""
        packed = self.take(key, list)
        if (
            len(packed) != 2
            or packed[0] not in _WIDTHS
            or not isinstance(packed[1], bytes)
            or len(packed[1]) != packed[0] * length
        ):
            self.fail("format", f"the column {key!r} does not hold {length} numbers")
        column = array(_WIDTHS[packed[0]], packed[1])
        if sys.byteorder == "big":
            column.byteswap()
        return column


def pack_column(numbers: Sequence[int]) -> list[Any]:
    """A column as width and little-endian bytes, as narrow as its largest number allows."""
    largest = max(numbers, default=0)
    width = 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4
    column = array(_WIDTHS[width], numbers)
    if sys.byteorder == "big":
        column.byteswap()
    return [width, column.tobytes()]


def read_origin(read: Reader) -> Origin:
    """The head of a file: known keys of the right types, nothing else."""
    head = read.take("origin", dict)
    known = {item.name for item in fields(Origin)}
    if set(head) != known:
        read.fail("format", f"its head has the keys {sorted(head)}, expected {sorted(known)}")
    inner = Reader(head, read.name)
    for key in ("guesses", "secrets"):
        inner.whole(key)
    for key in known - {"guesses", "secrets", "start", "hard", "claim"}:
        inner.take(key, str)
    inner.take("hard", bool)
    inner.take("claim", dict)
    if not all(isinstance(word, str) for word in inner.take("start", list)):
        read.fail("format", "its start is not a list of words")
    return Origin(**(head | {"start": tuple(head["start"])}))


def check_tree(strategy: Strategy, fail: Callable[[str, str], NoReturn]) -> None:
    """Refuse what is not a tree of guesses: wrong ranges, cycles, twins, nodes out of order."""
    nodes, words = strategy.nodes, len(strategy.words)
    for node, guess in enumerate(strategy.guess):
        if guess >= words:
            fail("guess", f"node {node} guesses word {guess} of {words}")
    if strategy.parent[0] or strategy.score[0]:
        fail("root", "its first node is no root")
    if max(strategy.hit) > 1:
        fail("format", "the column 'hit' holds more than yes and no")
    path = [0]
    last = [-1]  # the greatest score seen below each node of the path
    for node in range(1, nodes):
        parent, score = strategy.parent[node], strategy.score[node]
        if parent >= node:
            fail(*_name_disorder(strategy.parent, node))
        while path and path[-1] != parent:
            path.pop()
            last.pop()
        if not path:
            fail("order", f"node {node} is unreachable in preorder: its parent {parent} is done")
        if score <= last[-1]:
            twin = "twice" if score == last[-1] else "out of order"
            fail("twin", f"node {node}: the score {score} comes {twin} below node {parent}")
        last[-1] = score
        path.append(node)
        last.append(-1)
    hits = [guess for guess, hit in zip(strategy.guess, strategy.hit, strict=True) if hit]
    if len(set(hits)) != len(hits):
        word = next(guess for guess in hits if hits.count(guess) > 1)
        fail("twin", f"{strategy.words[word]!r} is solved in two places")


def _name_disorder(parent: Sequence[int], node: int) -> tuple[str, str]:
    """What is wrong with a node whose parent does not come before it."""
    seen: set[int] = set()
    above = node
    while above and above not in seen:
        seen.add(above)
        if parent[above] >= len(parent):
            return "parent", f"node {above} hangs below node {parent[above]}, which does not exist"
        above = parent[above]
    if above:
        return "cycle", f"node {above} is its own ancestor: a cycle, unreachable from the root"
    return "order", f"node {node} comes before its parent {parent[node]}"
