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

import contextlib
import hashlib
import os
import struct
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgpack

from .errors import BadFileError, OutputError, UnfinishedError

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
_LONGEST_NAME = 255


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


def check_target(path: str | Path | None) -> None:
    """Refuse an output path that cannot work *before* the long computation, not after it."""
    if path is None or str(path) == "-":
        return
    place = Path(path)
    folder = _behind_links(place).parent
    if place.is_dir():
        raise OutputError(f"{path}: is a directory, not a file to write")
    if _is_in_place(place):
        if not os.access(place, os.W_OK):
            raise OutputError(f"{path}: cannot be written")
    elif not folder.is_dir():
        raise OutputError(f"{path}: there is no directory {place.parent}")
    elif not os.access(folder, os.W_OK):
        raise OutputError(f"{path}: the directory {place.parent} cannot be written")
    elif len(os.fsencode(place.name)) > _LONGEST_NAME:
        raise OutputError(f"{place.name[:40]}…: too long for a file name; --out gives another")


def check_apart(
    targets: Iterable[str | Path | None], inputs: Iterable[str | Path | None] = ()
) -> None:
    """Refuse to write two things into one file, or over what is being read."""
    written = [_behind_links(Path(path)) for path in targets if path is not None]
    read = {_behind_links(Path(path)) for path in inputs if path is not None}
    for place in written:
        if (written.count(place) > 1 or place in read) and not _is_in_place(place):
            raise OutputError(f"{place}: named for two things at once")


def write_whole(path: str | Path, content: bytes) -> None:
    """Write under a temporary name and rename: never half a file under the real name.

    Links are followed. Devices and pipes cannot be replaced, only written to.
    """
    check_target(path)
    place = Path(path)
    temporary: Path | None = None
    try:
        if _is_in_place(place):
            place.write_bytes(content)
            return
        place = _behind_links(place)
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=".knuthle-")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        temporary.chmod(_permissions())
        temporary.replace(place)
    except OSError as error:
        raise UnfinishedError(f"{path}: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _links(path: Path) -> Iterator[Path]:
    """The path and what it links to, link by link."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _behind_links(path: Path) -> Path:
    """The file that a path leads to, in one spelling."""
    *_, last = _links(path)
    return last.parent.resolve() / last.name


def _is_in_place(path: Path) -> bool:
    """Whether a path leads to something that must not be replaced: a device, a pipe, a stream."""
    return any(
        link.is_absolute() and link.parts[1:2] in (("dev",), ("proc",)) for link in _links(path)
    ) or (path.exists() and not path.is_file() and not path.is_dir())


def _permissions() -> int:
    """What a newly created file would get; a temporary file is private otherwise."""
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
