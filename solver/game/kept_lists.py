"""Lists that somebody has kept under a name of their own (``knuthle lists add``).

They lie in the folder for data of the user's own: ``NAME-allowed.txt``, with ``NAME-answers.txt``
beside it if some words are likelier to be hidden, and ``NAME.json``, which says what they are and
by which digests. Whatever does not agree with these is refused.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from ..errors import WrongInputError
from .letters import plain

#: What a list may be called: letters and digits of any script, dots, underlines, hyphens.
_NAME = re.compile(r"[^\W_][\w.-]{0,59}")
#: Names that mean something else wherever a list is asked for.
TAKEN = ("allowed", "answers", "words", "auto")
_LARGEST = 1 << 16


def is_list_name(name: str) -> bool:
    """Whether a word list can be kept under a name."""
    return _NAME.fullmatch(name) is not None and plain(name) == name and name not in TAKEN


def kept_folder() -> Path:
    """The folder of kept lists: ``knuthle/lists`` in ``XDG_DATA_HOME``, or its usual place."""
    home = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(home):  # noqa: PTH117 - a relative one is to be ignored
        base = Path(home)
    elif sys.platform == "win32" and os.environ.get("LOCALAPPDATA"):
        base = Path(os.environ["LOCALAPPDATA"])
    else:
        base = Path("~/.local/share").expanduser()
    return base / "knuthle" / "lists"


def kept_names() -> list[str]:
    """The names under which word lists are kept, in order."""
    try:
        found = [path.stem for path in kept_folder().glob("*.json")]
    except OSError:
        return []
    return sorted(name for name in found if is_list_name(name))


def is_kept(name: object) -> bool:
    """Whether a word list is kept under this name, so that a game can be played with it."""
    if not isinstance(name, str) or not is_list_name(name):
        return False
    return os.path.isfile(kept_folder() / f"{name}.json")  # noqa: PTH113 - it never raises


def kept_facts(name: str) -> dict[str, Any]:
    """What is written of a list kept for games: its parts with digests, and where it came from."""
    path = kept_folder() / f"{name}.json"
    try:
        with path.open("rb") as file:
            facts = json.loads(file.read(_LARGEST))
        digests = facts["digests"]
        whole = set(digests) in ({"allowed"}, {"allowed", "answers"})
        if whole and all(isinstance(digest, str) for digest in digests.values()):
            return {"digests": digests, "origin": str(facts["origin"])}
    except OSError as error:
        raise WrongInputError(f"{path}: {error.strerror or error}; {_remedy(name)}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        pass
    raise WrongInputError(f"{path}: not what lists add has written; {_remedy(name)}")


def kept_path(name: str, part: str) -> Path:
    """The file of a part of a kept word list."""
    return kept_folder() / f"{name}-{part}.txt"


def check_kept(name: str, part: str, digest: str) -> None:
    """Refuse the words of a kept list that are no longer those that were kept."""
    if kept_facts(name)["digests"].get(part) != digest:
        path = kept_path(name, part)
        raise WrongInputError(f"{path}: not the words that were kept; {_remedy(name)}")


def _remedy(name: str) -> str:
    return f"add the list again, or knuthle lists remove {name}"
