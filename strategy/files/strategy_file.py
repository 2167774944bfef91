"""The file of a strategy: all of it in one self-contained file, written at once, read with care.

``docs/strategy-format.md`` is the grammar. Whoever reads a file through here gets a tree in which
every guess is a word, every node hangs below the root and the counts are those of the tree; whether
the games come out as the file says is the checker's business (``verify``).
"""

from __future__ import annotations

import math
import re
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from itertools import compress, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from ..errors import BadFileError, OutputError
from . import envelope
from .output import write_whole
from .text import GAME, is_name, is_word, printable, quoted, require_known

if TYPE_CHECKING:
    from solver.game.game import Game

_WIDTHS = {1: "B", 2: "H", 4: "I"}
DIGEST = re.compile(r"[0-9a-f]{64}")
_TREE = ("guess", "parent", "score", "hit")
_KEYS = ("origin", "length", "words", *_TREE, "nodes", "histogram", "digest")
LONGEST_WORD = 16
#: Words and nodes of a strategy; the largest board that was ever searched has a tenth of it.
MOST_WORDS = MOST_NODES = 1 << 20
_MOST_SHOWN = 400
#: More guesses than any list makes necessary; a bound for whoever follows a path.
DEEPEST = 1000


class Contents(NamedTuple):
    """What a strategy file holds: the head, the words, the columns of the tree, its results."""

    origin: Origin
    words: tuple[str, ...]
    guess: array[int]
    parent: array[int]
    score: array[int]
    hit: array[int]
    #: How many secrets take 1, 2, … guesses.
    histogram: Sequence[int]
    #: The sha256 of the text form; what a file says of it is for the checker to compare.
    digest: str


def save(strategy: Contents, path: str | Path, *, force: bool = False) -> None:
    """Write a strategy file, whole or not at all; ``force`` replaces what is no strategy."""
    write_whole(path, to_bytes(strategy), force=force)


def to_bytes(strategy: Contents) -> bytes:
    """The bytes of a strategy file; equal strategies have equal bytes."""
    return envelope.pack(envelope.STRATEGY, to_body(strategy))


def to_body(strategy: Contents) -> dict[str, Any]:
    """The body of a strategy file, before it is packed."""
    require_known(strategy.origin.game)
    if len(strategy.words) > MOST_WORDS or len(strategy.guess) > MOST_NODES:
        raise OutputError(f"a file holds {MOST_WORDS:,} words and {MOST_NODES:,} nodes at most")
    return {
        "origin": head_of(strategy.origin),
        "length": len(strategy.words[0]),
        "words": "".join(strategy.words),
        **{column: pack_column(getattr(strategy, column)) for column in _TREE},
        "nodes": len(strategy.guess),
        "histogram": list(strategy.histogram),
        "digest": strategy.digest,
    }


def head_of(origin: Origin) -> dict[str, Any]:
    """The head of a strategy file as a map that msgpack can hold."""
    return asdict(origin) | {"start": list(origin.start)}


def load(path: str | Path) -> Contents:
    """Read a strategy file; whatever is wrong with it is named."""
    return _from_envelope(*envelope.read(path), str(path))


def from_bytes(content: bytes, name: str) -> Contents:
    """The contents of a strategy file from its bytes; whatever is wrong with them is named."""
    return _from_envelope(*envelope.unpack(content, name), name)


def _from_envelope(kind: bytes, body: dict[str, Any], name: str) -> Contents:
    if kind != envelope.STRATEGY:
        use = "solve-all --resume continues it"
        if kind == envelope.PROOF:
            use = "check-proof checks it"
        raise BadFileError("kind", f"{name}: {envelope.KINDS[kind]}; {use}")
    return from_body(body, name)


def from_body(body: dict[str, Any], name: str) -> Contents:
    """The contents of a strategy file, from its body, with everything checked on the way."""
    read = Reader(body, name)
    read.only(_KEYS)
    origin = read_origin(read)
    words = read.words("words", "length")
    columns = {column: read.column(column, read.whole("nodes")) for column in _TREE}
    depth = check_tree(words, **columns, fail=read.fail)
    solved = sum(columns["hit"])
    if solved != origin.secrets:
        read.fail("counts", f"it solves {solved:,} secrets; its head says {origin.secrets:,}")
    histogram = read.take("histogram", list)
    counts = histogram_of(depth, columns["hit"])
    if histogram != counts or any(type(n) is not int for n in histogram):
        read.fail("counts", "its counts are not those of its tree")
    return Contents(origin, words, **columns, histogram=histogram, digest=read.take("digest", str))


def histogram_of(depth: Iterable[int], hit: Iterable[int]) -> list[int]:
    """From the columns of a strategy file, how many secrets take 1, 2, … guesses."""
    counts = Counter(compress(depth, hit))
    return [counts[number] for number in range(1, max(counts) + 1)]


class Reader:
    """Typed access to the body of a file; the first wrong thing raises BadFileError."""

    def __init__(self, body: dict[str, Any], name: str) -> None:
        self.body = body
        self.name = name

    def fail(self, kind: str, reason: str) -> NoReturn:
        """Refuse the file, with the kind of the fault and the reason."""
        raise BadFileError(kind, f"{self.name}: {reason}")

    def take(self, key: str, kind: type) -> Any:
        """The value of a key, which must be of the right type."""
        value = self.body.get(key)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fail("format", f"{key!r} is {type(value).__name__}, expected {kind.__name__}")
        return value

    def whole(self, key: str, least: int = 1) -> int:
        """The whole number of a key, which must not be too small."""
        number = self.take(key, int)
        if number < least:
            self.fail("format", f"{key!r} is {number}, expected at least {least}")
        return int(number)

    def name_at(self, key: str) -> str:
        """The name of a key, as the writers of files give names."""
        if not is_name(text := self.take(key, str)):
            self.fail("format", f"{key!r} is {quoted(text)}, which is no name")
        return str(text)

    def digest_at(self, key: str) -> str:
        """The sha256 of a key, in hexadecimal digits."""
        if not DIGEST.fullmatch(text := self.take(key, str)):
            self.fail("format", f"{key!r} is {quoted(text)}, which is no sha256")
        return str(text)

    def words(self, key: str, length_key: str) -> tuple[str, ...]:
        """The words of a column: of one length, in a row, sorted, each once."""
        text, length = self.take(key, str), self.whole(length_key)
        if length > LONGEST_WORD or not text or len(text) % length:
            self.fail("format", f"{len(text)} letters do not make words of {length}")
        if len(text) > length * MOST_WORDS:
            self.fail("format", f"it has more than {MOST_WORDS:,} words")
        words = [text[at : at + length] for at in range(0, len(text), length)]
        if not is_word(text):
            self.fail("format", "its words are not of letters or digits")
        if words != sorted(set(words)):
            self.fail("format", "its words are not sorted, or one stands there twice")
        return tuple(words)

    def column(self, key: str, length: int) -> array[int]:
        """The numbers of a column, which must be so many."""
        packed = self.take(key, list)
        if length > MOST_NODES:
            self.fail("format", f"it has more than {MOST_NODES:,} nodes")
        if (
            len(packed) != 2
            or type(packed[0]) is not int
            or packed[0] not in _WIDTHS
            or not isinstance(packed[1], bytes)
            or len(packed[1]) != packed[0] * length
        ):
            self.fail("format", f"the column {key!r} does not hold {length} numbers")
        column = array(_WIDTHS[packed[0]], packed[1])
        if sys.byteorder == "big":
            column.byteswap()
        if packed[0] != _width(column):
            self.fail("format", f"the column {key!r} is wider than its numbers need")
        return column

    def only(self, keys: Iterable[str]) -> None:
        """Refuse a file with other keys than these: equal strategies have equal bytes."""
        expected = sorted(keys)
        if set(self.body) != set(expected):
            found = printable(", ".join(sorted(map(str, self.body))), _MOST_SHOWN) or "nothing"
            self.fail("format", f"it holds {found}; expected {', '.join(expected)}")


def pack_column(numbers: Sequence[int]) -> list[Any]:
    """A column for a file: a width, the least that its numbers need, and little-endian bytes."""
    width = _width(numbers)
    column = array(_WIDTHS[width], numbers)
    if sys.byteorder == "big":
        column.byteswap()
    return [width, column.tobytes()]


def _width(numbers: Sequence[int]) -> int:
    largest = max(numbers, default=0)
    return 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4


def read_origin(read: Reader) -> Origin:
    """The head of a strategy file: known keys of the right types, nothing else."""
    head = read.take("origin", dict)
    inner = Reader(head, read.name)
    inner.only(item.name for item in fields(Origin))
    for key in ("guesses", "secrets"):
        inner.whole(key)
    for key in ("list_name", "secrets_name", "rule"):
        inner.name_at(key)
    for key in ("guesses_digest", "secrets_digest"):
        inner.digest_at(key)
    if not GAME.fullmatch(inner.take("game", str)):
        read.fail("format", f"it is of a game {quoted(head['game'])} that is not known")
    if inner.take("guess_from", str) not in GUESS_POOLS:
        read.fail("format", "'guess_from' is none of " + ", ".join(GUESS_POOLS))
    inner.take("hard", bool)
    if not _is_plain(inner.take("claim", dict)):
        read.fail("format", "its claim is not made of plain values")
    start = inner.take("start", list)
    if not start or not all(isinstance(word, str) and is_name(word) for word in start):
        read.fail("format", "its start is not a list of words")
    return Origin(**(head | {"start": tuple(start)}))


#: The question of an unfinished exact search, and the columns of what it has found.
QUESTION = (
    *("game", "guesses_digest", "secrets_digest", "candidates_digest", "history"),
    *("hard", "within", "losses", "price"),
)
FOUND = ("guess", "lost", "total", "exact")


class FindingRows(NamedTuple):
    """What an unfinished exact search knows: its question, and the columns of its findings."""

    question: dict[str, Any]
    #: In ascending order; the bound of each guess as losses and total, and whether it is exact.
    guess: array[int]
    lost: array[int]
    total: array[int]
    exact: array[int]


def read_findings(body: dict[str, Any], name: str) -> FindingRows:
    """The findings of an unfinished exact search, every value of the type that it must have."""
    read = Reader(body, name)
    envelope.refuse_newer_findings(body, name)
    if type(body.get("version")) is not int or body["version"] != envelope.FINDINGS_VERSION:
        read.fail("version", "findings of another version; without it the search begins anew")
    read.only((*QUESTION, "version", "count", *FOUND))
    if not GAME.fullmatch(read.take("game", str)):
        read.fail("format", f"it is of a game {quoted(body['game'])} that is not known")
    for key in ("guesses_digest", "secrets_digest", "candidates_digest"):
        read.digest_at(key)
    for key in ("hard", "losses"):
        read.take(key, bool)
    if body["within"] is not None:
        read.whole("within", 0)
    if read.whole("price", 0) > 1:
        read.fail("format", f"'price' is {body['price']}, expected 0 or 1")
    for step in read.take("history", list):
        if not (isinstance(step, list) and len(step) == 2 and all(type(n) is int for n in step)):
            read.fail("format", "its history is not made of guesses and scores")
    columns = [read.column(key, read.whole("count", 0)) for key in FOUND]
    if any(above >= below for above, below in pairwise(columns[0])):
        read.fail("format", "its guesses are not in order, or one stands there twice")
    return FindingRows({key: body[key] for key in QUESTION}, *columns)


def _is_plain(value: Any, depth: int = 8) -> bool:
    """Whether a value is of the kinds that JSON has, and not nested without end."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, dict):
        return all(isinstance(key, str) for key in value) and _is_plain([*value.values()], depth)
    if isinstance(value, list):
        return depth > 0 and all(_is_plain(item, depth - 1) for item in value)
    return value is None or isinstance(value, str | int)


def check_tree(
    words: Sequence[str],
    guess: Sequence[int],
    parent: Sequence[int],
    score: Sequence[int],
    hit: Sequence[int],
    fail: Callable[[str, str], NoReturn],
) -> list[int]:
    """Refuse a strategy file that is no tree of guesses: wrong ranges, cycles, twins, out of order.

    Returns the number of the guess made at each node, the first being 1.
    """
    if (largest := max(guess)) >= len(words):
        fail("guess", f"node {guess.index(largest)} guesses word {largest} of {len(words)}")
    if parent[0] or score[0]:
        fail("root", "its first node is no root")
    depth = _check_order(parent, score, fail)
    if max(hit) != 1:
        fail("format", "the column 'hit' does not hold yes and no")
    hits = list(compress(guess, hit))
    if len(set(hits)) != len(hits):
        word, _ = Counter(hits).most_common(1)[0]
        fail("twin", f"{words[word]!r} is solved in two places")
    return depth


def _check_order(
    parents: Sequence[int], scores: Sequence[int], fail: Callable[[str, str], NoReturn]
) -> list[int]:
    """Refuse nodes that are not in preorder, children by ascending score; the depths of all."""
    depth = [1]
    latest = [0] * (DEEPEST + 2)  # by depth: the last node, and the last score below it
    score_below = [-1] * (DEEPEST + 2)
    for node in range(1, len(parents)):
        parent, score = parents[node], scores[node]
        if parent >= node:
            fail(*_name_disorder(parents, node))
        above = depth[parent]
        if latest[above] != parent or above > depth[-1]:
            fail("order", f"node {node} is unreachable in preorder: its parent {parent} is done")
        if score <= score_below[above]:
            twin = "twice" if score == score_below[above] else "out of order"
            fail("twin", f"node {node}: the score {score} comes {twin} below node {parent}")
        if above == DEEPEST:
            fail("deep", f"node {node} is guess number {DEEPEST + 1}; {DEEPEST} are enough")
        score_below[above] = score
        depth.append(above + 1)
        latest[above + 1] = node
        score_below[above + 1] = -1
    return depth


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


# --- the head -----------------------------------------------------------------------------

#: What ``guess_from`` can be.
GUESS_POOLS = ("allowed", "secrets", "candidates")


def identity_of(game: Game) -> dict[str, Any]:
    """Which game it is, as the heads of strategies and of proofs have it: lists, digests.

    A name that no reader would accept is refused here, where all files get theirs.
    """
    for name in (game.list_name, game.secrets_name):
        if not is_name(name):
            raise OutputError(
                f"{quoted(name)} cannot be the name of a list in a file: at most 200 characters, "
                "all of them visible, no slash and no backslash; rename the list"
            )
    return {
        "game": game.spec,
        "list_name": game.list_name,
        "guesses": len(game.guesses),
        "guesses_digest": game.guesses_digest,
        "secrets_name": game.secrets_name,
        "secrets": len(game.secrets),
        "secrets_digest": game.secrets_digest,
    }


@dataclass(frozen=True)
class GameLists:
    """A game by its rule and its lists: what the heads of all files begin with."""

    game: str
    list_name: str
    guesses: int
    guesses_digest: str
    secrets_name: str
    secrets: int
    secrets_digest: str


@dataclass(frozen=True)
class Origin(GameLists):
    """Which game a strategy is for, and how it was chosen: the head of its file."""

    rule: str
    start: tuple[str, ...]
    guess_from: str = "allowed"
    hard: bool = False
    #: What an exact search claims for it (objective, limit, bound, proved); empty for a rule's.
    claim: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, rule: str, start: Sequence[str], **more: Any) -> Origin:
        """The head of a strategy for ``game``, chosen by ``rule`` from ``start`` on."""
        return cls(**identity_of(game), rule=rule, start=tuple(start), **more)

    @property
    def weights(self) -> dict[str, Any]:
        """What is claimed of the weights of secrets: their digest, sum, total; nothing: none."""
        claimed = self.claim.get("weights")
        return claimed if isinstance(claimed, dict) else {}

    @property
    def then(self) -> dict[str, Any]:
        """What is claimed of a second objective: objective, value, proved; nothing: none."""
        claimed = self.claim.get("then")
        return claimed if isinstance(claimed, dict) else {}

    @property
    def file_name(self) -> str:
        """The usual name of its file: START-LIST-SECRETS-RULE[-weighted][-hard].strategy."""
        hard = "-weighted" if "weights" in self.claim else ""
        hard += "-hard" if self.hard else ""
        start = "+".join(self.start)
        name = f"{start}-{self.list_name}-{self.secrets_name}-{self.rule}{hard}.strategy"
        return name.replace(":", "_")
