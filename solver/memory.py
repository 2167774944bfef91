"""Memory: how much of it there is, and arrays that lie well in it or give it back at once."""

from __future__ import annotations

import mmap
import os
import sys
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Smaller arrays are the allocator's business.
_LARGE = 1 << 20
#: Bytes of a line of a processor's caches, and of the longest vector.
LINE = 64
_MEMINFO = Path("/proc/meminfo")
#: Limits of containers, and what they use: cgroups, version 2 and version 1.
_GROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def aligned(shape: tuple[int, ...], dtype: Any = np.uint8) -> NDArray[Any]:
    """An array like ``np.empty`` that begins where a line of a processor's caches does.

    An allocator begins anywhere in a line: then each vector of 64 bytes lies in two of them.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    room = np.empty(size + LINE, dtype=np.uint8)
    first = -room.__array_interface__["data"][0] % LINE
    array: NDArray[Any] = room[first : first + size].view(dtype).reshape(shape)
    return array


def returning(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array like ``aligned``, whose memory goes back to the system when nobody needs it.

    What an allocator has got it keeps in the hope of more of the kind; where hundreds of large
    tables of all sizes come and go, that comes to twice what is in use.
    """
    size = prod(shape) * np.dtype(dtype).itemsize
    if size < _LARGE:
        return aligned(shape, dtype)
    private = {} if sys.platform == "win32" else {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
    return np.frombuffer(mmap.mmap(-1, size, **private), dtype=dtype).reshape(shape)


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
