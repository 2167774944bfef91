"""Text that people write: its lines, or why it is none."""

from __future__ import annotations

import io
from pathlib import Path

from ..errors import BadFileError
from .names import shown

#: No list, no table and no diary of games is larger.
LARGEST = 1 << 26


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file in UTF-8, without their ends; what is no text is refused."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise BadFileError("unreadable", f"{shown(path)}: {error.strerror or error}") from None
    if len(content) > LARGEST:
        raise BadFileError("too large", f"{shown(path)}: more than {LARGEST:,} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{shown(path)}:{line}: not a text file (not UTF-8)"
        raise BadFileError("not text", reason) from None
    return [line.rstrip("\r\n") for line in io.StringIO(text, newline=None)]
