"""The text of a file that somebody else has written, if it is text at all, and not too large."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from ...errors import BadFileError
from ..envelope import LARGEST
from ..strategy_file import MOST_NODES
from ..text import read_at_most

#: Characters of a line in a file of lines: a thousand guesses with their scores.
LONGEST_LINE = 1 << 15
#: Lines of a file, blank ones too.
MOST_LINES = 2 * MOST_NODES
_WIDE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


def bytes_of(path: str | Path) -> bytes:
    """The content of a foreign file, as far as any file of a strategy may be long."""
    content = read_at_most(path, LARGEST, "large", " is no strategy")
    if not content:
        raise BadFileError("empty", f"{path}: the file is empty")
    return content


def text_of(content: bytes, name: str) -> str:
    """The text of a foreign file, without the mark that some editors put before it."""
    wide = _WIDE.get(content[:2])
    if wide:
        raise BadFileError("foreign", f"{name}: text in {wide}; save it as UTF-8")
    if (zero := content.find(0)) >= 0:
        raise BadFileError("foreign", f"{name}: not a text file (byte {zero} is zero)")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        reason = f"{name}:{line}: not a text file (byte {error.start} is not UTF-8)"
        raise BadFileError("foreign", reason) from None


def lines_of(text: str, name: str) -> Iterator[tuple[int, str]]:
    """The lines of a foreign strategy with their numbers; no blank ones and no comments.

    Spaces at their ends are taken away.
    """
    for number, whole in enumerate(io.StringIO(text, newline=None), 1):
        if number > MOST_LINES:
            raise BadFileError("large", f"{name}: more than {MOST_LINES:,} lines is no strategy")
        if len(whole) > LONGEST_LINE:
            reason = f"{name}:{number}: more than {LONGEST_LINE:,} characters in a line"
            raise BadFileError("format", reason)
        line = whole.rstrip()
        if line and not line.lstrip().startswith("#"):
            yield number, line
