"""Which commit a checkout is at: what ``--version`` says beside the version.

Git is asked, if there is one, about the folder in which the packages themselves lie and none above
it: an installed knuthle, or its unpacked source distribution, may lie within somebody else's
repository.
"""

import subprocess
from pathlib import Path

#: Where the packages lie.
ROOT = Path(__file__).resolve().parents[2]
#: Seconds that git has for its answer.
_PATIENCE = 10


def described(root: Path = ROOT) -> str:
    """``commit 6deef76``, or ``commit 6deef76 with changes``; empty where nobody knows."""
    there = [(root / name).exists() for name in (".git", "pyproject.toml", "PKG-INFO")]
    if there != [True, True, False]:  # a source distribution has a PKG-INFO
        return ""
    command = ["git", "--no-optional-locks", "-C", str(root), "describe", "--always", "--abbrev=7"]
    command += ["--exclude=*", "--dirty= with changes"]
    try:
        said = subprocess.check_output(
            command, stderr=subprocess.DEVNULL, text=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return f"commit {said.strip()}"
