"""The envelope of every file that knuthle writes: magic, version, kind, length, body, checksum.

    magic     8 bytes   b"KNUTHLE\\n"
    version   1 byte    1
    kind      1 byte    b"S" a strategy, b"P" the beginnings of one, b"R" a proof,
                        b"F" findings of an unfinished exact search
    length    4 bytes   of the body, little-endian
    body      a msgpack map
    checksum  32 bytes  sha256 of everything before it

Only the standard library and msgpack: the trusted checker reads through this module as well.
"""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path
from typing import Any

import msgpack

from ..errors import BadFileError, OutputError
from .text import printable, read_at_most

MAGIC = b"KNUTHLE\n"
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
_HEADER = struct.Struct("<8sBcI")
_CHECKSUM = 32
#: Bytes of a file, values in its body and maps within maps: what is large there are a few long
#: columns, and memory stays within a small multiple of the file.
LARGEST = 1 << 26
MOST_VALUES = 1 << 17
DEEPEST = 12
_SHOWN = 100


def pack(kind: bytes, body: dict[str, Any]) -> bytes:
    """Seal a body, if it could be read again, in its envelope: equal bodies give equal bytes."""
    packed = bytes(msgpack.packb(body, use_bin_type=True))
    reason = msgpack_flaw(packed)
    if reason or len(packed) > LARGEST - _HEADER.size - _CHECKSUM:
        raise OutputError(f"too large for a file: {reason or f'{len(packed):,} bytes'}")
    content = _HEADER.pack(MAGIC, VERSION, kind, len(packed)) + packed
    return content + hashlib.sha256(content).digest()


def is_ours(content: bytes) -> bool:
    """Whether a file is one of ours by how it begins, if only a part of that is there."""
    return bool(content) and content[: len(MAGIC)] == MAGIC[: len(content)]


def unpack(content: bytes, name: str) -> tuple[bytes, dict[str, Any]]:
    """The kind and the body of a file from its bytes; whatever breaks its envelope is named."""

    def bad(kind: str, reason: str) -> BadFileError:
        return BadFileError(kind, f"{name}: {reason}")

    if not content:
        raise bad("empty", "the file is empty")
    if not is_ours(content):
        raise bad("foreign", "not a knuthle file (it does not begin with KNUTHLE)")
    if len(content) < _HEADER.size:
        raise bad("truncated", f"truncated within its first {_HEADER.size} bytes")
    _, version, kind, length = _HEADER.unpack_from(content)
    if version > VERSION:
        raise bad("newer", f"format version {version}; this knuthle reads up to {VERSION}")
    expected = _HEADER.size + length + _CHECKSUM
    if len(content) < expected:
        raise bad("truncated", f"truncated: {len(content):,} bytes of {expected:,} are there")
    if len(content) > expected:
        raise bad("length", f"{len(content) - expected:,} bytes too long")
    if hashlib.sha256(memoryview(content)[:-_CHECKSUM]).digest() != content[-_CHECKSUM:]:
        raise bad("checksum", "damaged: its checksum is wrong")
    if version < 1 or kind not in KINDS:
        raise bad("format", f"unknown version {version} or kind {kind!r}")
    packed = memoryview(content)[_HEADER.size : -_CHECKSUM]
    if reason := msgpack_flaw(packed):
        raise bad("format", f"its body is not msgpack as knuthle writes it: {reason}")
    try:
        body = msgpack.unpackb(packed, raw=False, strict_map_key=True)
    except (ValueError, msgpack.exceptions.UnpackException) as error:
        raise bad("format", f"its body is not msgpack: {printable(error, _SHOWN)}") from None
    if not isinstance(body, dict):
        raise bad("format", "its body is no map")
    return kind, body


def read(path: str | Path) -> tuple[bytes, dict[str, Any]]:
    """Read a file that knuthle has written: its kind and its body."""
    return unpack(read_at_most(path, LARGEST, "foreign", " is no knuthle file"), str(path))


def refuse_newer_findings(body: dict[str, Any], name: str) -> None:
    """Refuse the body of findings that a later version of the program has written."""
    version = body.get("version")
    if type(version) is int and version > FINDINGS_VERSION:
        reason = f"findings of version {version}; this knuthle reads up to {FINDINGS_VERSION}"
        raise BadFileError("newer", f"{name}: {reason}")


# --- the size of what msgpack would build ----------------------------------------------------


def _kinds() -> list[tuple[int, int, int] | None]:
    """First byte → bytes of the value, bytes of a length before it, values for each one counted."""
    kinds: list[tuple[int, int, int] | None] = [(0, 0, 0)] * 256
    for low in range(16):
        kinds[0x80 | low], kinds[0x90 | low] = (2 * low, 0, 1), (low, 0, 1)
    for low in range(32):
        kinds[0xA0 | low] = (low, 0, 0)
    for first in (0xC1, *range(0xC7, 0xCA), *range(0xD4, 0xD9)):
        kinds[first] = None  # never used, or a type of its own
    for n in range(4):
        kinds[0xCC + n] = kinds[0xD0 + n] = (1 << n, 0, 0)
    kinds[0xCA], kinds[0xCB] = (4, 0, 0), (8, 0, 0)
    for n in range(3):
        kinds[0xC4 + n] = kinds[0xD9 + n] = (0, 1 << n, 0)
    for n in (1, 2):
        kinds[0xDB + n], kinds[0xDD + n] = (0, 2 * n, 1), (0, 2 * n, 2)
    return kinds


_KINDS = _kinds()


def msgpack_flaw(packed: bytes | memoryview) -> str:
    """What is wrong with a msgpack value before it is built: too many values, too deep, cut.

    A byte can stand for an empty map, which takes sixty in memory: so the values are counted by
    their headers alone. Empty if nothing is wrong.
    """
    at, values, end = 0, 0, len(packed)
    open_: list[int] = [1]  # values that are still to come, of each array and map
    while open_:
        if not open_[-1]:
            open_.pop()
            continue
        open_[-1] -= 1
        values += 1
        if values > MOST_VALUES:
            return f"more than {MOST_VALUES:,} values"
        if at >= end:
            return "it ends too early"
        kind = _KINDS[packed[at]]
        if kind is None:
            return f"the byte {packed[at]:#04x} begins no value"
        length, width, each = kind
        at += 1
        if width:
            length = int.from_bytes(packed[at : at + width], "big") * max(each, 1)
            at += width
        at += 0 if each else length
        if at > end or (each and length > end - at):
            return "it ends too early"
        if each:
            open_.append(length)
            if len(open_) > DEEPEST:
                return f"more than {DEEPEST} values within each other"
    return "" if at == end else "something follows its end"
