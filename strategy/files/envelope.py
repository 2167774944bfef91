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

from ..errors import BadFileError

MAGIC = b"KNUTHLE\n"
VERSION = 1
STRATEGY, PARTIAL, PROOF, FINDINGS = b"S", b"P", b"R", b"F"
KINDS = {
    STRATEGY: "a strategy",
    PARTIAL: "an unfinished strategy",
    PROOF: "a proof",
    FINDINGS: "findings of an unfinished exact search",
}
_HEADER = struct.Struct("<8sBcI")
_CHECKSUM = 32
LARGEST = 1 << 28


def pack(kind: bytes, body: dict[str, Any]) -> bytes:
    """Seal a body: the same body gives the same bytes."""
    packed = bytes(msgpack.packb(body, use_bin_type=True))
    content = _HEADER.pack(MAGIC, VERSION, kind, len(packed)) + packed
    return content + hashlib.sha256(content).digest()


def unpack(content: bytes, name: str) -> tuple[bytes, dict[str, Any]]:
    """Open an envelope; every way it can be broken is named."""
    if not content:
        raise BadFileError("empty", f"{name}: the file is empty")
    if content[: len(MAGIC)] != MAGIC[: len(content)]:
        raise BadFileError(
            "foreign", f"{name}: not a knuthle file (it does not begin with KNUTHLE)"
        )
    if len(content) < _HEADER.size:
        raise BadFileError("truncated", f"{name}: truncated within its first {_HEADER.size} bytes")
    _, version, kind, length = _HEADER.unpack_from(content)
    if version > VERSION:
        raise BadFileError(
            "newer", f"{name}: format version {version}; this knuthle reads up to {VERSION}"
        )
    expected = _HEADER.size + length + _CHECKSUM
    if len(content) < expected:
        raise BadFileError(
            "truncated", f"{name}: truncated: {len(content):,} bytes of {expected:,} are there"
        )
    if len(content) > expected:
        raise BadFileError("length", f"{name}: {len(content) - expected:,} bytes too long")
    if hashlib.sha256(content[:-_CHECKSUM]).digest() != content[-_CHECKSUM:]:
        raise BadFileError("checksum", f"{name}: damaged: its checksum is wrong")
    if version < 1 or kind not in KINDS:
        raise BadFileError("format", f"{name}: unknown version {version} or kind {kind!r}")
    return kind, _body(content[_HEADER.size : -_CHECKSUM], name)


def _body(packed: bytes, name: str) -> dict[str, Any]:
    try:
        body = msgpack.unpackb(packed, raw=False, strict_map_key=True)
    except (ValueError, msgpack.exceptions.UnpackException, RecursionError) as error:
        raise BadFileError("format", f"{name}: its body is not msgpack: {error}") from None
    if not isinstance(body, dict):
        raise BadFileError("format", f"{name}: its body is no map")
    return body


def read(path: str | Path) -> tuple[bytes, dict[str, Any]]:
    """Read and open a file."""
    try:
        with Path(path).open("rb") as source:
            content = source.read(LARGEST + 1)
    except OSError as error:
        raise BadFileError("unreadable", f"{path}: {error.strerror or error}") from None
    if len(content) > LARGEST:
        raise BadFileError("foreign", f"{path}: more than {LARGEST:,} bytes is no knuthle file")
    return unpack(content, str(path))
