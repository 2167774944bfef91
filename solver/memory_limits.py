"""The free memory, and the refusal of work that needs more before it begins."""

from __future__ import annotations

import os
from collections.abc import Sized
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from .errors import CouldNotFinishError

#: Scores of up to this size are not worth a word, though they are computed in portions as well.
_UNSAID = 1 << 30
#: What a search needs beside the scores of its states: the program, blocks of scores, columns.
_PROGRAM, _BLOCKS = 60 << 20, 3 << 26
#: And for each guess and each secret: letters, places, nodes of the tree, games.
_GUESS, _SECRET = 600, 1500
_MEMINFO = Path("/proc/meminfo")
#: Limits of containers, and what they use: cgroups, version 2 and version 1.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


class GameSize(Protocol):
    """What of a game says how much memory its search takes."""

    @property
    def guesses(self) -> Sized:
        """All guesses."""

    @property
    def secrets(self) -> Sized:
        """All secrets."""

    @property
    def score_dtype(self) -> Any:
        """The dtype of a score."""

    @property
    def code_space(self) -> object:
        """None if the scores are computed from a matrix."""


def require_room(size: int, what: str) -> None:
    """Refuse work that needs more than the free memory of the system."""
    left = available()
    if left is not None and size > left:
        raise CouldNotFinishError(
            f"{what} needs {in_words(size)} of memory, but only {in_words(left)} is free; "
            "close other programs, or use shorter lists"
        )


def matrix_bytes(game: GameSize, candidates: int | None = None, guesses: int | None = None) -> int:
    """The memory that the scores of a game would take: of some secrets or all, guesses likewise."""
    rows = len(game.guesses) if guesses is None else guesses
    columns = len(game.secrets) if candidates is None else candidates
    return rows * columns * int(np.dtype(game.score_dtype).itemsize)


def search_bytes(game: GameSize, candidates: int | None = None) -> int:
    """About what a one-step search takes at most: never all scores of a large game.

    Over some of the secrets, or (None) over all.
    """
    count = len(game.secrets) if candidates is None else candidates
    words = len(game.guesses) * _GUESS + count * _SECRET
    return _PROGRAM + min(matrix_bytes(game, candidates), _BLOCKS) + words


def require_room_to_rank(game: GameSize, candidates: int) -> None:
    """Refuse to measure all guesses of a game against candidates where memory is too short."""
    if game.code_space is None:
        require_room(search_bytes(game, candidates), "this ranking")


def what_it_takes(game: GameSize) -> str | None:
    """A sentence on the memory for a large game's search; None if it is not worth one."""
    if matrix_bytes(game) <= _UNSAID or game.code_space is not None:
        return None
    return (
        f"{len(game.guesses):,} guesses against {len(game.secrets):,} secrets: "
        f"{in_words(matrix_bytes(game))} of scores, computed in portions; "
        f"needs about {in_words(search_bytes(game))} of memory"
    )


def in_words(size: int) -> str:
    """A number of bytes, of memory that is needed or left, for people."""
    return f"{size / 1e9:,.1f} GB" if size >= 10**9 else f"{max(1, size // 10**6):,} MB"


def available() -> int | None:
    """Bytes that this process may still take without harm; None if the system does not say."""
    known = [left for left in (_system_left(), *map(_group_left, _GROUPS), _own_left()) if left]
    return min(known, default=None)


def _system_left() -> int | None:
    """What the machine has left: on Linux by its own estimate, else half of all there is."""
    try:
        for line in _MEMINFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError, IndexError):
        pass
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return None


def _group_left(files: tuple[str, str]) -> int | None:
    """What the container has left, if it has a limit."""
    try:
        limit, used = (int(Path(file).read_text()) for file in files)
    except (OSError, ValueError):
        return None
    return max(limit - used, 1)


def _own_left() -> int | None:
    """What ``ulimit -v`` leaves to this process."""
    try:
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (ImportError, OSError, ValueError):
        return None
    return None if limit == resource.RLIM_INFINITY else max(limit - used, 1)
