"""Lists that somebody keeps under a name, as the trusted checker reads them. Standard library only.

``knuthle lists add`` keeps them in the folder for data of the user's own; what lies there is
believed only as far as it has the digest that is asked for.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

from .letters import is_word
from .names import is_name

_LARGEST = 1 << 26


def kept_list(name: str, part: str, digest: str = "") -> list[str] | None:
    """The words that a file names as a kept list; None if there is none, or its digest differs."""
    if part not in ("allowed", "answers") or not is_name(name):
        return None
    try:
        with (_folder() / f"{name}-{part}.txt").open("rb") as source:
            content = source.read(_LARGEST)
    except (OSError, ValueError):
        return None
    found = hashlib.sha256(content.removesuffix(b"\n")).hexdigest()
    words = content.decode("utf-8", "replace").split()
    if (digest and found != digest) or not words or not is_word("".join(words)):
        return None
    return words


def _folder() -> Path:
    """Where such lists lie."""
    home = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(home):  # noqa: PTH117 - a relative one is to be ignored
        return Path(home, "knuthle", "lists")
    if sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        return Path(os.environ["LOCALAPPDATA"], "knuthle", "lists")
    return Path("~/.local/share/knuthle/lists").expanduser()
