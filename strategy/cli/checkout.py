"""What ``--version`` prints: name and version, and of a checkout the commit.

Git is asked, if there is one, about the folder in which the packages themselves lie and none above
it: an installed knuthle, or its unpacked source distribution, may lie within somebody else's
repository.
"""

import os
import re
import subprocess
from importlib import metadata
from pathlib import Path

#: Where the packages lie.
ROOT = Path(__file__).resolve().parents[2]
#: Seconds that git has for its answer.
_PATIENCE = 10


def version() -> str:
    """The version with a note, if there is one: ``knuthle 1.0 (commit 6deef76)``."""
    try:
        name, notes = f"knuthle {metadata.version('knuthle')}", [described()]
    except metadata.PackageNotFoundError:
        name, notes = "knuthle", ["not installed", described()]
    noted = ", ".join(filter(None, notes))
    return f"{name} ({noted})" if noted else name


def described(root: Path = ROOT) -> str:
    """``commit 6deef76``, or ``commit 6deef76 with changes``; empty where nobody knows."""
    there = [(root / name).exists() for name in (".git", "pyproject.toml", "PKG-INFO")]
    if there != [True, True, False]:  # a source distribution has a PKG-INFO
        return ""
    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", str(root)]
    command += ["describe", "--always", "--abbrev=7", "--exclude=*", "--dirty"]
    # within a hook these name another repository, or another index of this one
    settings = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    try:
        said = subprocess.run(
            command, env=settings, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=_PATIENCE, check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return ""
    commit = re.fullmatch(r"([0-9a-f]{7,})(-dirty)?\n", said)
    return f"commit {commit[1]}{' with changes' if commit[2] else ''}" if commit else ""
