"""The file of a strategy: all of it in one self-contained file, written at once, read with care.

``docs/strategy-format.md`` is the grammar. Whoever reads a file through here gets a tree in which
every guess is a word, every node hangs below the root and the counts are those of the tree; whether
the games come out as the file says is the checker's business (``verify``).
"""

from __future__ import annotations

import contextlib
import sys
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import compress, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..checkers import lists, verify
from ..errors import BadFileError, OutputError
from . import envelope
from .output import write_whole
from .text import is_known, is_name, quoted, require_known

if TYPE_CHECKING:
    from solver.game.game import Game

_WIDTHS = {1: "B", 2: "H", 4: "I"}
#: Words and nodes of a strategy; the largest board that was ever searched has a tenth of it.
MOST_WORDS = MOST_NODES = verify.MOST


def save(strategy: Stored, path: str | Path, *, force: bool = False) -> None:
    """Write a strategy file, whole or not at all; ``force`` replaces what is no strategy."""
    write_whole(path, to_bytes(strategy), force=force)


def to_bytes(strategy: Stored) -> bytes:
    """The bytes of a strategy file; equal strategies have equal bytes."""
    return envelope.pack(envelope.STRATEGY, to_body(strategy))


def to_body(strategy: Stored) -> dict[str, Any]:
    """The body of a strategy file, before it is packed."""
    require_known(strategy.origin.game)
    if len(strategy.words) > MOST_WORDS or len(strategy.guess) > MOST_NODES:
        raise OutputError(f"a file holds {MOST_WORDS:,} words and {MOST_NODES:,} nodes at most")
    return body_of(strategy.origin, strategy)


def body_of(origin: Origin, tree: Any) -> dict[str, Any]:
    """The body of the file of a strategy with this head, whether or not it was read from one."""
    return {
        "origin": head_of(origin),
        "length": len(tree.words[0]),
        "words": "".join(tree.words),
        **{column: pack_column(getattr(tree, column)) for column in verify.COLUMNS},
        "nodes": len(tree.guess),
        "histogram": histogram_of(compress(tree.depth, tree.hit)),
        "digest": tree.digest,
    }


def head_of(origin: Origin) -> dict[str, Any]:
    """The head of a strategy file as a map that msgpack can hold."""
    return asdict(origin) | {"start": list(origin.start)}


def load_tree(path: str | Path) -> verify.Tree:
    """Read a strategy file as the checker has it; whatever is wrong with it is named."""
    return tree_from_bytes(envelope.bytes_of(path), str(path))


def tree_from_bytes(content: bytes, name: str) -> verify.Tree:
    """A strategy as the checker has it, from the bytes of its file."""
    kind, body = envelope.unpack(content, name)
    if kind != envelope.STRATEGY:
        use = "solve-all --resume continues it"
        if kind == envelope.PROOF:
            use = "check-proof checks it"
        raise BadFileError("kind", f"{name}: {envelope.KINDS[kind]}; {use}")
    return from_body(body, name)


def from_body(body: dict[str, Any], name: str) -> verify.Tree:
    """A strategy as the checker has it, from the body of its file."""
    with named(name):
        return verify.read_tree(body)


def tree_of(strategy: Stored) -> verify.Tree:
    """A strategy as the checker reads it from its file."""
    return verify.read_tree(verify.unseal(to_bytes(strategy))[1])


@contextlib.contextmanager
def named(name: str) -> Iterator[None]:
    """Say of a file that cannot be read which one it is."""
    try:
        yield
    except BadFileError as error:
        raise BadFileError(error.kind, f"{name}: {error}") from None


class Tallied:
    """What counts the guesses of secrets: its worst case, total and mean."""

    #: A sequence: how many secrets take 1, 2, … guesses.
    histogram: Any

    @property
    def worst(self) -> int:
        """Most guesses that any secret takes."""
        return len(self.histogram)

    @property
    def total(self) -> int:
        """Guesses summed over the secrets."""
        return sum(number * count for number, count in enumerate(self.histogram, 1))

    @property
    def mean(self) -> float:
        """Guesses a secret on average."""
        count: int = sum(self.histogram)
        return self.total / count


@dataclass(frozen=True, eq=False, repr=False)
class Stored(Tallied):
    """What the file of a strategy is written of: the columns of a ``Strategy``."""

    origin: Origin
    #: Every word the tree needs, sorted: the secrets and the other guesses.
    words: tuple[str, ...]
    guess: array[int]
    parent: array[int]
    score: array[int]
    hit: array[int]


def histogram_of(taken: Iterable[int]) -> list[int]:
    """How many secrets take 1, 2, … guesses, of what each takes."""
    counts = Counter(taken)
    return [counts[number] for number in range(1, max(counts, default=0) + 1)]


class Taken:
    """The guesses ``taken`` by each secret that was found, of which there may be none."""

    taken: Any

    @property
    def histogram(self) -> list[int]:
        """How many secrets took 1, 2, … guesses."""
        return histogram_of(self.taken.values())

    @property
    def worst(self) -> int | None:
        """Most guesses that any secret took; None if none was found."""
        return max(self.taken.values(), default=None)

    @property
    def total(self) -> int | None:
        """Guesses over all secrets that were found."""
        return sum(self.taken.values()) if self.taken else None

    @property
    def mean(self) -> float | None:
        """Guesses for a secret that was found, on average; None if none was."""
        return sum(self.taken.values()) / len(self.taken) if self.taken else None


#: Who graded the games of a verdict: the checker, or the game, for want of its lines.
BY_REFEREE, OWN_GRADE = "the referee", "the game itself"


@dataclass(frozen=True, repr=False)
class Verdict(Tallied):
    """What the games of a strategy came to: how many guesses each secret took."""

    taken: dict[str, int]
    #: Whether the lists are the shipped ones (or those given), or could not be compared.
    lists: str = "list not verified"
    #: Who graded: BY_REFEREE, or OWN_GRADE where only the game knows its rule.
    graded_by: str = BY_REFEREE

    def __repr__(self) -> str:
        figures = f"worst {self.worst}, total {self.total:,}" if self.taken else "nothing"
        return f"<Verdict: {len(self.taken):,} secrets played, {figures}, {self.lists}>"

    @cached_property
    def histogram(self) -> list[int]:
        """How many secrets took 1, 2, … guesses."""
        return histogram_of(self.taken.values())

    def beyond(self, limit: int) -> list[str]:
        """The secrets that took more than ``limit`` guesses."""
        return sorted(word for word, number in self.taken.items() if number > limit)


def pack_column(numbers: Sequence[int]) -> list[Any]:
    """A column for a file: a width, the least that its numbers need, and little-endian bytes."""
    largest = max(numbers, default=0)
    width = 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else 4
    column = array(_WIDTHS[width], numbers)
    if sys.byteorder == "big":
        column.byteswap()
    return [width, column.tobytes()]


def read_origin(head: Any, name: str) -> Origin:
    """The head of a strategy file: known keys of the right types, nothing else."""
    with named(name):
        verify.read_head(head)
    return Origin.of_head(head)


def read_partial(body: dict[str, Any], name: str) -> tuple[array[int], array[int], array[int]]:
    """The guesses, parents and scores of an unfinished strategy."""
    columns = ("guess", "parent", "score")
    with named(name):
        verify.read_keys(body, {"origin": dict, "nodes": int} | dict.fromkeys(columns, list))
        verify.need(0 <= body["nodes"] <= MOST_NODES, "its number of nodes is out of range")
        guess, parent, score = (verify.read_column(body[key], body["nodes"]) for key in columns)
    return guess, parent, score


#: The question of an unfinished exact search (and ``within``, which may be null), and the columns
#: of what it has found.
_DIGESTS = ("guesses_digest", "secrets_digest", "candidates_digest")
_QUESTION = {
    **dict.fromkeys(("game", *_DIGESTS), str),
    **{"history": list, "hard": bool, "losses": bool, "price": int},
}
FOUND = ("guess", "lost", "total", "exact")
_FINDINGS = _QUESTION | {"version": int, "count": int} | dict.fromkeys(FOUND, list)


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
    version, known = body.get("version"), envelope.FINDINGS_VERSION
    with named(name):
        fits = type(version) is not int or version <= known
        reason = f"findings of version {version}; this knuthle reads up to {known}"
        verify.need(fits, reason, "newer")
        fits = type(version) is int and version == known
        verify.need(
            fits, "findings of another version; without it the search begins anew", "version"
        )
        verify.read_keys(body, _FINDINGS | {"within": type(body.get("within"))})
        fits = all(verify.DIGEST.fullmatch(body[key]) for key in _DIGESTS)
        verify.need(fits and is_known(body["game"]), "its game or lists are none")
        within = body["within"]
        fits = within is None or (type(within) is int and within >= 0)
        verify.need(fits and body["price"] in (0, 1), "'within' or 'price' is out of range")
        steps = all(
            type(it) is list and list(map(type, it)) == [int, int] for it in body["history"]
        )
        verify.need(steps, "its history is not made of guesses and scores")
        count = body["count"]
        verify.need(0 <= count <= MOST_WORDS, "it has too many findings")
        columns = [verify.read_column(body[key], count) for key in FOUND]
        rising = all(above < below for above, below in pairwise(columns[0]))
        verify.need(rising, "its guesses are not in order, or one stands there twice")
    return FindingRows({key: body[key] for key in (*_QUESTION, "within")}, *columns)


# --- the head -----------------------------------------------------------------------------


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
class Origin(lists.GameLists):
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

    @classmethod
    def of_head(cls, head: Mapping[str, Any]) -> Origin:
        """The head of a strategy file, which was read."""
        return cls(**{**head, "start": tuple(head["start"])})

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
