"""The file of a proof: a statement, the strategy that attains it, claims and refutations.

``docs/proof-format.md`` is the grammar. Nothing here believes anything: reading gives well-formed
claims, and whether they hold is for ``check``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, NamedTuple

from ...files import envelope, strategy_file
from ...files.output import write_whole
from ...files.strategy_file import GUESS_POOLS, GameLists
from ...files.text import GAME, is_pegs
from ...tree import Strategy
from .bounds import LOSS, UNLIMITED

OBJECTIVES = ("total", "losses", "worst")
#: Most claims, and most refutations, of a proof; the largest so far has a fiftieth of it.
MOST_LISTED = 1 << 20
_KEYS = (
    "statement",
    "strategy",
    "shown",
    "count",
    "claims",
    "refutation_count",
    "refutations",
)
#: Only in proofs about Mastermind.
_SYMMETRIES = "symmetries"


@dataclass(frozen=True)
class Statement(GameLists):
    """What a proof states, and of which game.

    Of all strategies (those that open with ``start``, if there is one) the least value is
    ``losses`` and then ``total``; a ``worst`` proof says that none stays within ``limit``.
    """

    hard: bool
    start: str
    objective: str
    #: Guesses allowed; 0 for no limit.
    limit: int
    losses: int
    total: int
    #: Which guesses its strategies may make; in the file only if it is not ``allowed``.
    guess_from: str = GUESS_POOLS[0]

    @property
    def is_pegs(self) -> bool:
        """Whether it is about Mastermind."""
        return is_pegs(self.game)

    @property
    def board(self) -> tuple[int, int]:
        """The holes and colours of Mastermind."""
        holes, colours = self.game.split(":")[1].split("x")
        return int(holes), int(colours)

    @property
    def price(self) -> int:
        """What a guess costs in the proof: nothing where only the limit counts."""
        return 0 if self.objective == "worst" else 1

    @property
    def left(self) -> int:
        """Guesses left at the start; UNLIMITED where there is no limit."""
        return self.limit or UNLIMITED

    @property
    def value(self) -> int:
        """Losses and total of the statement as one number."""
        return self.losses * LOSS + self.total


class Symmetry(NamedTuple):
    """A symmetry of a Mastermind board: permutations of its holes and of its colours.

    It maps a code to the one that has in hole ``i`` the colour ``colours[c]``, where ``c`` is the
    colour in hole ``holes[i]``.
    """

    holes: tuple[int, ...]
    colours: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim of a proof: no strategy for these candidates costs less than ``value``."""

    members: tuple[int, ...]
    left: int
    #: Hard mode: greens by place with dots elsewhere, a bar, the letters to use, sorted.
    revealed: str
    value: int
    #: Mastermind: those that map the candidates onto themselves, so that fewer guesses differ.
    symmetries: tuple[Symmetry, ...] = ()
    #: Mastermind: those whose images of the candidates the proof rests on, too.
    images: tuple[Symmetry, ...] = ()


@dataclass(frozen=True, slots=True)
class Refutation:
    """A refutation of a proof: no strategy solves these candidates within ``left`` guesses."""

    members: tuple[int, ...]
    left: int
    #: Refutations before this one, by number, that make its guesses fail; ascending.
    cites: tuple[int, ...]


@dataclass(frozen=True)
class Proof:
    """A proof: a statement with all that it rests on, each after what it rests on itself."""

    statement: Statement
    claims: tuple[Claim, ...]
    strategy: Strategy | None
    refutations: tuple[Refutation, ...] = ()

    @property
    def all_revealed(self) -> list[str]:
        """All that hard mode shows anywhere in the proof, each once."""
        return sorted({claim.revealed for claim in self.claims})

    @property
    def all_symmetries(self) -> list[Symmetry]:
        """All symmetries that a claim names, each once."""
        return sorted({one for claim in self.claims for one in claim.symmetries + claim.images})


def save(proof: Proof, path: str | Path, *, force: bool = False) -> None:
    """Write a proof to a file, whole or not at all; ``force`` replaces what is no proof."""
    write_whole(path, envelope.pack(envelope.PROOF, to_body(proof)), force=force)


def to_body(proof: Proof) -> dict[str, Any]:
    """The body of a proof's file, before it is packed."""
    revealed = proof.all_revealed
    number = {text: at for at, text in enumerate(revealed)}
    symmetries = proof.all_symmetries
    place = {symmetry: at for at, symmetry in enumerate(symmetries)}
    claims, refutations = bytearray(), bytearray()
    for claim in proof.claims:
        left = 0 if claim.left == UNLIMITED else claim.left
        value = divmod(claim.value, LOSS)
        _append(claims, len(claim.members), left, number[claim.revealed], *value)
        _append(claims, *_gaps(claim.members))
        for named in (claim.symmetries, claim.images) if proof.statement.is_pegs else ():
            places = sorted(place[symmetry] for symmetry in named)
            _append(claims, len(places), *_gaps(places))
    for one in proof.refutations:
        _append(refutations, len(one.members), one.left, *_gaps(one.members))
        _append(refutations, len(one.cites), *_gaps(one.cites))
    return {
        "statement": _statement_body(proof.statement),
        "strategy": None
        if proof.strategy is None
        else strategy_file.to_body(proof.strategy.contents),
        "shown": revealed,
        "count": len(proof.claims),
        "claims": bytes(claims),
        "refutation_count": len(proof.refutations),
        "refutations": bytes(refutations),
    } | _symmetries_body(proof.statement, symmetries)


def load(path: str | Path) -> Proof:
    """Read a proof from a file; whatever is wrong with the file is named."""
    kind, body = envelope.read(path)
    read = strategy_file.Reader(body, str(path))
    if kind != envelope.PROOF:
        read.fail("kind", f"{envelope.KINDS[kind]}, not a proof")
    return from_body(body, str(path))


def from_body(body: dict[str, Any], name: str) -> Proof:
    """The proof that the body of a file holds, its form checked on the way."""
    read = strategy_file.Reader(body, name)
    statement = _statement(strategy_file.Reader(read.take("statement", dict), name))
    read.only((*_KEYS, _SYMMETRIES) if statement.is_pegs else _KEYS)
    symmetries = _symmetries(read, statement)
    strategy = None
    if body["strategy"] is not None:
        strategy = Strategy.of_file(strategy_file.from_body(read.take("strategy", dict), name))
    revealed = read.take("shown", list)
    if not all(isinstance(text, str) for text in revealed):
        read.fail("format", "the list of shown letters is not text")
    claims = _Numbers(read, "claims")
    refutations = _Numbers(read, "refutations")
    count, refutation_count = read.whole("count", 0), read.whole("refutation_count", 0)
    if max(count, refutation_count) > MOST_LISTED:
        read.fail("format", f"one of its lists has more than {MOST_LISTED:,} entries")
    proof = Proof(
        statement,
        tuple(_claim(claims, revealed, symmetries, statement) for _ in range(count)),
        strategy,
        tuple(_refutation(refutations, statement.secrets, at) for at in range(refutation_count)),
    )
    claims.finish()
    refutations.finish()
    if proof.all_revealed != revealed:
        read.fail("format", "texts of shown letters: out of order, repeated, or used by no claim")
    if proof.all_symmetries != symmetries:
        read.fail("format", "symmetries: out of order, repeated, or used by no claim")
    return proof


def _symmetries_body(statement: Statement, symmetries: Sequence[Symmetry]) -> dict[str, Any]:
    """The symmetries of a proof about Mastermind: a byte for each hole, then for each colour."""
    if not statement.is_pegs:
        return {}
    return {_SYMMETRIES: [bytes(one.holes + one.colours) for one in symmetries]}


def _symmetries(read: strategy_file.Reader, statement: Statement) -> list[Symmetry]:
    if not statement.is_pegs:
        return []
    listed = read.take(_SYMMETRIES, list)
    holes, colours = statement.board
    if not all(isinstance(one, bytes) and len(one) == holes + colours for one in listed):
        read.fail("format", "a symmetry has not a byte for each hole and each colour")
    return [Symmetry(tuple(one[:holes]), tuple(one[holes:])) for one in listed]


def _statement_body(statement: Statement) -> dict[str, Any]:
    body = asdict(statement)
    if body["guess_from"] == GUESS_POOLS[0]:
        del body["guess_from"]
    return body


def _statement(read: strategy_file.Reader) -> Statement:
    keys = [item.name for item in fields(Statement)]
    read.only(keys if "guess_from" in read.body else keys[:-1])
    if read.body.get("guess_from", GUESS_POOLS[1]) not in GUESS_POOLS[1:]:
        read.fail("format", "'guess_from' is none of " + ", ".join(GUESS_POOLS[1:]))
    for key in ("limit", "losses", "total"):
        read.whole(key, 0)
    for key in ("guesses", "secrets"):
        read.whole(key)
        if read.body[key] > strategy_file.MOST_WORDS:
            read.fail("format", f"{key!r} is {read.body[key]:,}, more than the limit")
    for key in ("list_name", "secrets_name"):
        read.name_at(key)
    for key in ("guesses_digest", "secrets_digest"):
        read.digest_at(key)
    for key in ("game", "objective", "start"):
        read.take(key, str)
    if read.body["start"]:
        read.name_at("start")
    read.take("hard", bool)
    statement = Statement(**read.body)
    if not GAME.fullmatch(statement.game) or statement.objective not in OBJECTIVES:
        read.fail("format", "its game or objective is not known")
    if statement.limit >= UNLIMITED or statement.losses > statement.secrets:
        read.fail("format", "its limit or losses are out of range")
    if statement.total >= LOSS:
        read.fail("format", "its total is out of range")
    return statement


class _Numbers:
    """The numbers of a packed list, one after the other."""

    def __init__(self, read: strategy_file.Reader, key: str) -> None:
        self.read = read
        self._what = key
        self._bytes: Iterator[int] = iter(read.take(key, bytes))
        #: Equal numbers are one object: a member takes eight bytes, however many sets it is in.
        self._same: dict[int, int] = {}

    def next(self, below: int) -> int:
        """The next number, which must be below a bound."""
        number, shift = 0, 0
        while True:
            byte = next(self._bytes, None)
            if byte is None:
                self.read.fail("format", f"its {self._what} end too early")
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128 and number < below:
                return number
            if byte < 128 or shift > 63:
                self.read.fail("format", f"a number in its {self._what} is out of range")

    def ascending(self, count: int, below: int) -> tuple[int, ...]:
        """So many numbers, each above the one before, from their differences."""
        last, numbers = -1, []
        for _ in range(count):
            gap = self.next(below - last)
            if gap == 0:
                self.read.fail("format", f"something comes twice in its {self._what}")
            last += gap
            numbers.append(self._same.setdefault(last, last))
        return tuple(numbers)

    def finish(self) -> None:
        """Refuse what comes after the end."""
        if next(self._bytes, None) is not None:
            self.read.fail("format", f"its {self._what} have data after their end")


def _claim(
    numbers: _Numbers,
    revealed: Sequence[str],
    symmetries: Sequence[Symmetry],
    statement: Statement,
) -> Claim:
    secrets = statement.secrets
    count = numbers.next(secrets + 1)
    left, text = numbers.next(UNLIMITED), numbers.next(len(revealed))
    losses, total = numbers.next(secrets + 1), numbers.next(LOSS)
    members = numbers.ascending(count, secrets)
    if not members:
        numbers.read.fail("format", "a claim has no candidates")
    claim = Claim(members, left or UNLIMITED, revealed[text], losses * LOSS + total)
    if not statement.is_pegs:
        return claim
    known = len(symmetries)
    named = [numbers.ascending(numbers.next(known + 1), known) for _ in range(2)]
    fixing, images = (tuple(symmetries[at] for at in places) for places in named)
    return replace(claim, symmetries=fixing, images=images)


def _refutation(numbers: _Numbers, secrets: int, place: int) -> Refutation:
    count, left = numbers.next(secrets + 1), numbers.next(UNLIMITED)
    members = numbers.ascending(count, secrets)
    if not members or not left:
        numbers.read.fail("format", "a refutation has no candidates")
    cites = numbers.ascending(numbers.next(place + 1), place)
    return Refutation(members, left, cites)


def _gaps(ascending: Sequence[int]) -> Iterator[int]:
    """The differences of ascending numbers, the first from -1."""
    return (b - a for a, b in zip((-1, *ascending), ascending, strict=False))


def _append(out: bytearray, *numbers: int) -> None:
    """Seven bits a byte, the lowest first; the top bit says that more follows."""
    for number in numbers:
        rest = number
        while rest >= 128:
            out.append(rest & 127 | 128)
            rest >>= 7
        out.append(rest)
