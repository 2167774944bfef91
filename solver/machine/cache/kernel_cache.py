"""Compiled kernels on disk: read only from where nobody else can write, believed only if whole.

What lies in the cache is run, so two things are made sure of first.

* *Nobody else put it there.* See ``safe_folder``. There is no cache in a shared temporary folder:
  where no folder is safe, kernels are compiled at every start.
* *It is what was stored.* Each file begins with a SHA-256 over its name's key and its bytes.
  Cut, flipped or misplaced, it is compiled anew without a word.

One file holds one form of one kernel. Its key says all that the machine code rests on: the text
of the sources (see ``sources``), the form of the arguments, the processor, Python, numpy and numba.
When the sources change, the two newest versions stay. What came with the package (see
``shipped_code``) is taken first.
"""

from __future__ import annotations

import hashlib
import marshal
import os
import re
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy

from ..argument_forms import HEAD, Form, Kernel
from . import shipped_code
from .checksum import DIGITS, key_of, named_by, sealed, sources_of, unsealed
from .processor import processor
from .safe_folder import KernelFolder, homes

#: So many versions of one form of a kernel are kept.
_VERSIONS = 2
#: Names of files here, those that were written before and those half written too.
_OURS = re.compile(r"[\w<>]+\.[\w<>]+-[0-9a-f-]{32,}(\.[0-9a-f]{32})?$")


@cache
def kernel_folder() -> KernelFolder | None:
    """The first folder for kernels that is safe and can be written; None: nothing is kept."""
    return next((folder for home in homes() if (folder := KernelFolder.open(home))), None)


def kept(door: Kernel, form: Form) -> tuple[Form, Any] | None:
    """The kept machine code for a form of a kernel: the form of what it returns, and code."""
    came = shipped_code.found(door, form)
    if came is not None:
        return came
    place = _place(door, form)
    if place is None:
        return None
    folder, name, key = place
    content = folder.read(name)
    stored = None if content is None else unsealed(key, content)
    return None if stored is None else marshal.loads(stored)


def is_missing(door: Kernel, form: Form) -> bool:
    """Whether machine code for a form of a kernel could be kept, and is not there."""
    if shipped_code.found(door, form) is not None:
        return False
    place = _place(door, form)
    return place is not None and place[0].read(place[1]) is None


def keep(door: Kernel, form: Form, made: tuple[Form, Any]) -> None:
    """Keep the machine code for a form of a kernel, if there is a place for it."""
    place = _place(door, form)
    if place is not None:
        folder, name, key = place
        folder.write(name, sealed(key, marshal.dumps(made)))
        kind = name[:-DIGITS]
        for old in [it for it in folder.names() if it.startswith(kind)][:-_VERSIONS]:
            folder.remove(old)


def clear() -> int:
    """Take all kernels kept in the cache away; how many there were."""
    folder = kernel_folder()
    found = [] if folder is None else [it for it in folder.names() if _OURS.match(it)]
    for name in found:
        folder.remove(name)  # type: ignore[union-attr]  # then there is nothing to be found
    return len(found)


def _place(door: Kernel, form: Form) -> tuple[KernelFolder, str, bytes] | None:
    """The folder, the file, and the digest of all that its machine code rests on."""
    folder, sources = kernel_folder(), sources_of(door)
    if folder is None or sources is None:
        return None
    kind = (door.__module__, door.__qualname__, form, machine())
    key = key_of(kind, sources, door.py_func.__code__.co_code)
    of_a_kind = hashlib.sha256(repr(kind).encode()).hexdigest()[:16]
    return folder, named_by(door, key, of_a_kind), key


@cache
def machine() -> str:
    """What compiled code rests on, sources and arguments aside."""
    settings = sorted(
        item for item in os.environ.items()
        if item[0].startswith("NUMBA_") and item[0] != "NUMBA_CACHE_DIR"
    )  # fmt: skip
    memory = (HEAD, numpy.__version__)
    made_by = [_version_of(name) for name in ("numba", "llvmlite")]
    return repr((sys.version, sys.platform, made_by, memory, settings, processor()))


def _version_of(package: str) -> str:
    """The version of a package, without loading it: that would take longer than a command."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        return "none"
    told = Path(spec.origin).with_name("_version.py")
    if told.is_file():
        return told.read_text(encoding="utf-8")
    from importlib.metadata import version

    return version(package)
