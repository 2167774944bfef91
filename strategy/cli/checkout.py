"""Which commit a checkout is at: what ``--version`` says beside the version.

The files of git are read, so it needs no git; a repository of another form, or one that is damaged,
gives no answer rather than a wrong one. Only the folder in which the packages themselves lie is
asked, and none above it: an installed knuthle, or its unpacked source distribution, may lie within
somebody else's repository. Whether files have changed since the commit is asked of git where there
is one.
"""

import os
import string
from pathlib import Path

#: Where the packages lie.
ROOT = Path(__file__).resolve().parents[2]
#: The digits of a commit that are shown.
SHOWN = 7
#: So many names may stand for one another before one stands for a commit.
_NAMES = 5
#: Seconds that git has for its answer.
_PATIENCE = 10


def described(root: Path = ROOT) -> str:
    """``commit 6deef76``, or ``commit 6deef76 with changes``; empty where there is no checkout."""
    if not is_checkout(root):
        return ""
    commit = commit_of(root)
    if not commit:
        return ""
    return f"commit {commit[:SHOWN]}{' with changes' if has_changes(root) else ''}"


def is_checkout(root: Path) -> bool:
    """Whether a folder is our repository's own: a source distribution in one has a PKG-INFO."""
    there = [(root / name).exists() for name in (".git", "pyproject.toml", "PKG-INFO")]
    return there == [True, True, False]


def commit_of(root: Path) -> str:
    """The commit that a repository is at, all digits; empty if it cannot be read."""
    try:
        own = _own_folder(root / ".git")
        return _commit(own, _common_folder(own))
    except (OSError, UnicodeError):
        return ""


def _own_folder(git: Path) -> Path:
    """The folder of git: of a further worktree, and of a submodule, a file names it."""
    if git.is_dir():
        return git
    return git.parent / _text(git).removeprefix("gitdir:").strip()


def _common_folder(own: Path) -> Path:
    """Where the names are that all worktrees share."""
    named = own / "commondir"
    return own / _text(named) if named.exists() else own


def _commit(own: Path, common: Path) -> str:
    """Follow HEAD: to a commit, or to a name in a file of its own or in the list of all names."""
    content = _text(own / "HEAD")
    for _ in range(_NAMES):
        if not content.startswith("ref:"):
            return content if _is_digest(content) else ""
        name = content.removeprefix("ref:").strip()
        if not name.startswith("refs/") or ".." in name:
            return ""
        files = [folder / name for folder in (own, common) if (folder / name).is_file()]
        content = _text(files[0]) if files else _packed(common, name)
    return ""


def _packed(common: Path, name: str) -> str:
    """What a name stands for in the list of names; empty if it is not there."""
    listed = common / "packed-refs"
    for line in _text(listed).splitlines() if listed.exists() else []:
        digest, _, found = line.partition(" ")
        if found == name:
            return digest
    return ""


def _is_digest(text: str) -> bool:
    return len(text) in (40, 64) and set(text) <= set(string.hexdigits)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip()


def has_changes(root: Path) -> bool:
    """Whether git says that tracked files differ from the commit; without git nothing is known."""
    import subprocess

    command = ["git", "--no-optional-locks", "-c", "core.fsmonitor=false", "-C", str(root)]
    command += ["status", "--porcelain", "--untracked-files=no", "--ignore-submodules"]
    # within a hook these name another repository, or another index of this one
    settings = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
    try:
        said = subprocess.run(
            command, env=settings, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_PATIENCE, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return bool(said.stdout)
