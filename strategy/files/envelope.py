"""The envelope of every file that knuthle writes: it is written here, and its faults are named.

It is read by the checker (``strategy.checkers.verify``); docs/strategy-format.md is its page.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgpack

from ..checkers.verify import CHECKSUM, HEADER, LARGEST, MAGIC, unseal
from ..errors import BadFileError, OutputError
from .text import read_at_most

VERSION = 1
STRATEGY, PARTIAL, PROOF, FINDINGS = b"S", b"P", b"R", b"F"
KINDS = {
    STRATEGY: "a strategy",
    PARTIAL: "an unfinished strategy",
    PROOF: "a proof",
    FINDINGS: "findings of an unfinished exact search",
}
#: Of the body of findings; 1 had no version, and bounds as they were.
FINDINGS_VERSION = 2


def pack(kind: bytes, body: dict[str, Any]) -> bytes:
    """Seal a body, if it could be read again, in its envelope: equal bodies give equal bytes."""
    packed = bytes(msgpack.packb(body, use_bin_type=True))
    content = HEADER.pack(MAGIC, VERSION, kind, len(packed)) + packed
    content += hashlib.sha256(content).digest()
    reason = f"{len(content):,} bytes" if len(content) > LARGEST else ""
    try:
        unseal(content)
    except BadFileError as error:
        reason = reason or str(error)
    if reason:
        raise OutputError(f"too large for a file: {reason}")
    return content


def is_ours(content: bytes) -> bool:
    """Whether a file is one of ours by how it begins, if only a part of that is there."""
    return bool(content) and content[: len(MAGIC)] == MAGIC[: len(content)]


def unpack(content: bytes, name: str) -> tuple[bytes, dict[str, Any]]:
    """The kind and the body of a file from its bytes; whatever breaks its envelope is named."""
    try:
        return unseal(content)
    except BadFileError as error:
        kind, reason = _fault_of(content) or (error.kind, str(error))
        raise BadFileError(kind, f"{name}: {reason}") from None


def _fault_of(content: bytes) -> tuple[str, str] | None:
    """What is wrong with an envelope before its checksum: the kind of the fault, and a sentence."""
    if not content:
        return "empty", "the file is empty"
    if not is_ours(content):
        return "foreign", "not a knuthle file (it does not begin with KNUTHLE)"
    if len(content) < HEADER.size:
        return "truncated", f"truncated within its first {HEADER.size} bytes"
    _, version, _, length = HEADER.unpack_from(content)
    if version > VERSION:
        return "newer", f"format version {version}; this knuthle reads up to {VERSION}"
    more = len(content) - HEADER.size - length - CHECKSUM
    if more < 0:
        whole = len(content) - more
        return "truncated", f"truncated: {len(content):,} bytes of {whole:,} are there"
    return ("length", f"{more:,} bytes too long") if more else None


def bytes_of(path: str | Path) -> bytes:
    """The bytes of a file, if they are not too many."""
    return read_at_most(path, LARGEST, "foreign", " is no knuthle file")


def read(path: str | Path) -> tuple[bytes, dict[str, Any]]:
    """Read a file that knuthle has written: its kind and its body."""
    return unpack(bytes_of(path), str(path))
