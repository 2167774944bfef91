"""Arrays that lie well in memory, or give it back at once."""

from __future__ import annotations

import mmap
import sys
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Smaller arrays are the allocator's business.
_LARGE = 1 << 20
#: Bytes of a line of a processor's caches, and of the longest vector.
LINE = 64


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
