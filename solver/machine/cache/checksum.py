"""What machine code rests on, sources first; and whether it is what was stored."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import NoneType
from typing import Any

from ..argument_forms import Kernel
from ..sources import source_digest

#: By this file and what it imports code is made, and would be another with other sources.
_MAKER = Path(__file__).parents[1] / "compiler" / "make.py"
#: How much of a key a file's name ends with.
DIGITS = 32
_CHECKSUM = hashlib.sha256().digest_size


def sources_of(door: Kernel) -> tuple[Any, ...] | None:
    """What a checksum in the cache is taken of: a kernel's sources, as plain values.

    None: they cannot be told.
    """
    code = door.py_func.__code__
    source, closure = Path(code.co_filename), _closure(door.py_func)
    if closure is None or not source.is_file():
        return None
    digests = (source_digest(_MAKER), source_digest(source))
    return digests, code.co_firstlineno, closure, sorted(door.options.items())


def _closure(func: Callable[..., Any]) -> str | None:
    """What a function has from those around it, as text; None if it is no plain value."""
    values = [cell.cell_contents for cell in func.__closure__ or ()]
    plain = all(isinstance(it, int | float | str | bytes | NoneType) for it in values)
    return repr(values) if plain else None


def key_of(*told: object) -> bytes:
    """The digest of plain values that a kernel's machine code rests on, to find it in the cache."""
    return hashlib.sha256(repr(told).encode()).digest()


def named_by(door: Kernel, key: bytes, kind: str = "") -> str:
    """The name of a file for a kernel's machine code, which ends with part of its key."""
    stem = Path(door.py_func.__code__.co_filename).stem
    return "-".join([f"{stem}.{door.__name__}", *filter(None, [kind]), key.hex()[:DIGITS]])


def sealed(key: bytes, stored: bytes) -> bytes:
    """What is stored of machine code under a key, behind a checksum over both."""
    return hashlib.sha256(key + stored).digest() + stored


def unsealed(key: bytes, content: bytes) -> memoryview | None:
    """What was stored of machine code under a key; None if a bit of it, or the key, is another."""
    stored = memoryview(content)[_CHECKSUM:]
    digest = hashlib.sha256(key)
    digest.update(stored)
    return stored if digest.digest() == content[:_CHECKSUM] else None
