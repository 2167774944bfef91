"""Files as they are read: no more bytes than may be, or lines of text that people write."""

from __future__ import annotations

import io
from pathlib import Path

from ..errors import BadFileError
from .names import shown

#: No list, no table and no diary of games is larger.
LARGEST = 1 << 26


def read_at_most(path: str | Path, most: int, kind: str, what: str = "", name: str = "") -> bytes:
    """The content of a file, unless it has more than ``most`` bytes: an error of a ``kind`` then.

    ``what`` ends the sentence that says so; ``name`` is the path as it is told.
    """
    name = name or str(path)
    try:
        with Path(path).open("rb") as source:
            content = source.read(most + 1)
    except OSError as error:
        raise BadFileError("unreadable", f"{name}: {error.strerror or error}") from None
    if len(content) > most:
        raise BadFileError(kind, f"{name}: more than {most:,} bytes{what}")
    return content


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file in UTF-8, without their ends; what is no text is refused."""
    content = read_at_most(path, LARGEST, "too large", name=shown(path))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{shown(path)}:{line}: not a text file (not UTF-8)"
        raise BadFileError("not text", reason) from None
    return [line.rstrip("\r\n") for line in io.StringIO(text, newline=None)]
