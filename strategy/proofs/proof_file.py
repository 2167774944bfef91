"""The file of a proof is written here; it is read by the checker (``strategy.checkers.proof``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..checkers import lists
from ..checkers.lemmas import LOSS, UNLIMITED
from ..checkers.proof import Proof, read_body
from ..errors import BadFileError
from ..files import envelope
from ..files.output import write_whole
from ..files.strategy_file import Origin, body_of, named
from ..files.text import quoted


def load(path: str | Path) -> Proof:
    """Read a proof from a file; whatever is wrong with the file is named."""
    return from_bytes(envelope.bytes_of(path), str(path))


def from_bytes(content: bytes, name: str) -> Proof:
    """The proof that the bytes of a file hold."""
    kind, body = envelope.unpack(content, name)
    if kind != envelope.PROOF:
        raise BadFileError("kind", f"{name}: {envelope.KINDS[kind]}, not a proof")
    return from_body(body, name)


def from_body(body: dict[str, Any], name: str) -> Proof:
    """The proof that the body of a file holds."""
    with named(name):
        return read_body(body)


def save(proof: Proof, path: str | Path, *, force: bool = False) -> None:
    """Write a proof to a file, whole or not at all; ``force`` replaces what is no proof."""
    write_whole(path, to_bytes(proof), force=force)


def to_bytes(proof: Proof) -> bytes:
    """The bytes of a proof's file; equal proofs have equal bytes."""
    return envelope.pack(envelope.PROOF, to_body(proof))


def to_body(proof: Proof) -> dict[str, Any]:
    """The body of a proof's file, before it is packed."""
    statement, tree = asdict(proof.statement), proof.strategy
    if proof.statement.guess_from == "allowed":
        del statement["guess_from"]
    shown = sorted({claim.shown for claim in proof.claims})
    symmetries = sorted({one for claim in proof.claims for one in claim.fixing + claim.images})
    text, place = ({one: at for at, one in enumerate(listed)} for listed in (shown, symmetries))
    claims, refutations = bytearray(), bytearray()
    for claim in proof.claims:
        left = 0 if claim.left == UNLIMITED else claim.left
        value = divmod(claim.value, LOSS)
        _append(claims, len(claim.members), left, text[claim.shown], *value)
        _append(claims, *_gaps(claim.members))
        for some in (claim.fixing, claim.images) if proof.statement.is_pegs else ():
            places = sorted(map(place.__getitem__, some))
            _append(claims, len(places), *_gaps(places))
    for one in proof.refutations:
        _append(refutations, len(one.members), one.left, *_gaps(one.members))
        _append(refutations, len(one.cites), *_gaps(one.cites))
    body: dict[str, Any] = {
        "statement": statement,
        "strategy": None if tree is None else body_of(Origin.of_head(tree.head), tree),
        "shown": shown,
        "count": len(proof.claims),
        "claims": bytes(claims),
        "refutation_count": len(proof.refutations),
        "refutations": bytes(refutations),
    }
    if proof.statement.is_pegs:
        body["symmetries"] = [bytes(one.holes + one.colours) for one in symmetries]
    return body


def summary(proof: Proof) -> str:
    """What a proof that was checked proves, in a line."""
    statement = proof.statement
    opener = proof.strategy.head["start"][0] if proof.strategy else ""
    within = f" within {statement.limit}" if statement.limit else ""
    who = f"no strategy from {statement.start}" if statement.start else "no strategy"
    if statement.guess_from != "allowed":
        who += f" that guesses {statement.guess_from} only"
    names = statement.game
    if not statement.is_pegs:
        known = lists.shipped(statement.list_name, "allowed") is not None
        has_meaning = known and statement.secrets_name == "answers"
        has_meaning = has_meaning or statement.secrets_name == "allowed"
        # a quote within a name is shown as another sign, so that no name ends before its end
        name, part = (
            it.replace("'", "\u2019") for it in (statement.list_name, statement.secrets_name)
        )
        names = name if known else quoted(name)
        names += f" {part if has_meaning else quoted(part)}"
    hard = " in hard mode" if statement.hard else ""
    game = f"{names}, {statement.secrets:,} {'codes' if statement.is_pegs else 'secrets'}{hard}"
    if statement.objective == "worst":
        attained = f"; {statement.limit + 1} are enough" if opener else ""
        return f"{game}: {who} solves all{within} guesses{attained}"
    text = f"{game}: {who}{within} takes fewer than {value_text(statement.value)}"
    return f"{text}; the one from {opener} takes as many"


def value_text(value: int) -> str:
    """A value in words."""
    losses, total = divmod(value, LOSS)
    return f"{losses:,} losses and {total:,} guesses" if losses else f"{total:,} guesses"


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
