"""The file of a proof: a statement, the strategy that attains it, and a list of claims.

``docs/proof-format.md`` is the grammar. Nothing here believes anything: reading gives well-formed
claims, and whether they hold is for ``check``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from .. import container, lookup
from ..notation import GAME
from ..tree import Strategy
from .bounds import LOSS, UNLIMITED

OBJECTIVES = ("total", "losses", "worst")
_KEYS = ("statement", "strategy", "shown", "count", "claims")


@dataclass(frozen=True)
class Statement:
    """What is said to be proved, and of which game.

    Of all strategies (those that open with ``start``, if there is one) the least value is
    ``losses`` and then ``total``; a ``worst`` proof says that none stays within ``limit``.
    """

    game: str
    list_name: str
    guesses: int
    guesses_digest: str
    secrets_name: str
    secrets: int
    secrets_digest: str
    hard: bool
    start: str
    objective: str
    #: Guesses allowed; 0 for no limit.
    limit: int
    losses: int
    total: int

    @property
    def price(self) -> int:
        """What a guess costs: nothing where only the limit counts."""
        return 0 if self.objective == "worst" else 1

    @property
    def left(self) -> int:
        """Guesses left at the start."""
        return self.limit or UNLIMITED

    @property
    def value(self) -> int:
        """Losses and total as one number."""
        return self.losses * LOSS + self.total


@dataclass(frozen=True)
class Claim:
    """No strategy for these candidates costs less than ``value``."""

    members: tuple[int, ...]
    left: int
    #: Hard mode: greens by place with dots elsewhere, a bar, the letters to use, sorted.
    shown: str
    value: int


@dataclass(frozen=True)
class Proof:
    """A statement with all that it rests on; each claim may rest on those before it."""

    statement: Statement
    claims: tuple[Claim, ...]
    strategy: Strategy | None


def save(proof: Proof, path: str | Path) -> None:
    """Write a proof, whole or not at all."""
    container.write_whole(path, container.pack(container.PROOF, to_body(proof)))


def to_body(proof: Proof) -> dict[str, Any]:
    """The body of the file, before it is packed."""
    shown = sorted({claim.shown for claim in proof.claims})
    number = {text: at for at, text in enumerate(shown)}
    claims = bytearray()
    for claim in proof.claims:
        left = 0 if claim.left == UNLIMITED else claim.left
        losses, total = divmod(claim.value, LOSS)
        gaps = (b - a for a, b in zip((-1, *claim.members), claim.members, strict=False))
        for value in (len(claim.members), left, number[claim.shown], losses, total, *gaps):
            _append(claims, value)
    return {
        "statement": asdict(proof.statement),
        "strategy": None if proof.strategy is None else lookup.to_body(proof.strategy),
        "shown": shown,
        "count": len(proof.claims),
        "claims": bytes(claims),
    }


def load(path: str | Path) -> Proof:
    """Read a proof; whatever is wrong with the file is named."""
    kind, body = container.read(path)
    read = lookup.Reader(body, str(path))
    if kind != container.PROOF:
        read.fail("kind", f"{container.KINDS[kind]}, not a proof")
    return from_body(body, str(path))


def from_body(body: dict[str, Any], name: str) -> Proof:
    """Build the proof, checking its form on the way."""
    read = lookup.Reader(body, name)
    read.only(_KEYS)
    statement = _statement(lookup.Reader(read.take("statement", dict), name))
    strategy = None
    if body["strategy"] is not None:
        strategy, _ = lookup.from_body(read.take("strategy", dict), name)
    shown = read.take("shown", list)
    if not all(isinstance(text, str) for text in shown):
        read.fail("format", "what is shown is not text")
    numbers = _numbers(read, read.take("claims", bytes))
    claims = tuple(
        _claim(read, numbers, shown, statement.secrets) for _ in range(read.whole("count", 0))
    )
    if next(numbers, None) is not None:
        read.fail("format", "there is more after its last claim")
    return Proof(statement, claims, strategy)


def _statement(read: lookup.Reader) -> Statement:
    read.only(item.name for item in fields(Statement))
    for key in ("limit", "losses", "total"):
        read.whole(key, 0)
    for key in ("guesses", "secrets"):
        read.whole(key)
    texts = ("list_name", "secrets_name", "guesses_digest", "secrets_digest", "start")
    for key in ("game", "objective", *texts):
        read.take(key, str)
    read.take("hard", bool)
    statement = Statement(**read.body)
    if not GAME.fullmatch(statement.game) or statement.objective not in OBJECTIVES:
        read.fail("format", "its game or objective is not known")
    if statement.limit >= UNLIMITED or statement.losses > statement.secrets:
        read.fail("format", "its limit or losses are out of range")
    if statement.total >= LOSS:
        read.fail("format", "its total is out of range")
    return statement


def _claim(
    read: lookup.Reader, numbers: Iterator[int], shown: Sequence[str], secrets: int
) -> Claim:
    try:
        count, left, text, losses, total = (next(numbers) for _ in range(5))
        if not 0 < count <= secrets or text >= len(shown) or left >= UNLIMITED:
            read.fail("format", "a claim is out of range")
        if losses > secrets or total >= LOSS:
            read.fail("format", "the value of a claim is out of range")
        member, members = -1, []
        for _ in range(count):
            gap = next(numbers)
            member += gap
            members.append(member)
            if gap == 0 or member >= secrets:
                read.fail("format", "a claim is not about a set of secrets")
    except (StopIteration, RuntimeError):
        read.fail("format", "its claims end too early")
    return Claim(tuple(members), left or UNLIMITED, shown[text], losses * LOSS + total)


def _append(out: bytearray, number: int) -> None:
    """Seven bits a byte, the lowest first; the top bit says that more follows."""
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _numbers(read: lookup.Reader, packed: bytes) -> Iterator[int]:
    number, shift = 0, 0
    for byte in packed:
        number |= (byte & 127) << shift
        shift += 7
        if shift > 63:
            read.fail("format", "a number has no end")
        if byte < 128:
            yield number
            number, shift = 0, 0
    if shift:
        read.fail("format", "its claims end within a number")
