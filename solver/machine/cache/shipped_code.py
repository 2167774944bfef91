"""Machine code that came with the package: for the levels of x86-64, from whoever built the wheel.

It is believed only where it fits, as what lies in the cache is: its key is made of the sources as
they are here, the form of the arguments, the level of the processor and the layout of objects in
memory, which is looked at besides. What does not fit is not found, and goes the ordinary way. The
file must be as safe as the sources beside it, which are run as well, and it must be whole.

The version of Python is no part of the key: a kernel means the same in every one, and what the
code asks of Python are functions that all of them have. Nor are numba's and LLVM's: it is made.
"""

from __future__ import annotations

import marshal
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

from ..argument_forms import HEAD, Form, Kernel
from ..memory_layout import memory_is_known
from .checksum import key_of, named_by, sealed, sources_of, unsealed
from .processor import level
from .safe_folder import KernelFolder

#: In a wheel for one platform it stands here, a folder for each level.
PLACE = Path(__file__).parents[2] / "_data" / "machine_code"
#: Values in it are written once each: else its bytes would tell how they lay in memory.
_PLAINLY = 2
#: Settings of numba's that change no code.
_HARMLESS = {"NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS"}


def found(door: Kernel, form: Form) -> tuple[Form, Any] | None:
    """The shipped machine code for a form of a kernel: the form of what it returns, and code."""
    folder, now = _folder(), level()
    place = None if folder is None or now is None else place_of(door, form, now)
    if folder is None or place is None:
        return None
    name, key = place
    content = folder.read(name)
    stored = None if content is None else unsealed(key, content)
    return None if stored is None else marshal.loads(stored)


def place_of(door: Kernel, form: Form, for_level: str) -> tuple[str, bytes] | None:
    """The name of a shipped kernel's file, and the digest of all that its machine code rests on."""
    sources = sources_of(door)
    if sources is None or "<" in door.__qualname__:  # one of many that are made by a function
        return None
    memory = (sys.implementation.name, sys.byteorder, HEAD)
    key = key_of(door.__module__, door.__qualname__, form, sources, for_level, memory)
    return named_by(door, key), key


def packed(made: tuple[Form, Any], key: bytes) -> bytes:
    """What the file of a kernel shipped in the package holds: the same bytes for the same code."""
    return sealed(key, marshal.dumps(made, _PLAINLY))


@cache
def _folder() -> KernelFolder | None:
    """The folder for this processor, if any came with the package and its code can be run here."""
    now = level()
    fits = sys.platform == "linux" and now is not None and PLACE.is_dir()
    if not fits or any(it.startswith("NUMBA_") and it not in _HARMLESS for it in os.environ):
        return None
    return KernelFolder.open_shipped(PLACE / str(now)) if memory_is_known() else None
