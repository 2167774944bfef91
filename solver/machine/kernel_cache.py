"""Compiled kernels on disk: read only from where nobody else can write, believed only if whole.

What lies in the cache is run, so two things are made sure of first.

* *Nobody else put it there.* Folder and files belong to this user (or root), nobody else may
  write them, and neither is a link. They are looked at through the descriptors that are then
  read, so nothing can be exchanged between the look and the reading. There is no cache in a
  shared temporary folder: where no folder is safe, kernels are compiled at every start.
* *It is what was stored.* Each file begins with a SHA-256 over its name's key and its bytes.
  Cut, flipped or misplaced, it is compiled anew without a word.

One file holds one form of one kernel. Its key says all that the machine code rests on: the text
of the sources (see ``sources``), the form of the arguments, the processor, Python, numpy and numba.
When the sources change, the two newest versions stay.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import marshal
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import NoneType
from typing import Any

import numpy

from .forms import Form, Kernel
from .sources import source_digest

#: By this file and what it imports code is made, and would be another with other sources.
_MAKER = Path(__file__).with_name("compiler.py")

#: How much of its key a file's name ends with.
_DIGITS = 32
#: So many versions of one form of a kernel are kept.
_VERSIONS = 2
#: Names of files here, those that were written before and those half written too.
_OURS = re.compile(r"[\w<>]+\.[\w<>]+-[0-9a-f-]{32,}(\.[0-9a-f]{32})?$")
_CHECKSUM = hashlib.sha256().digest_size
_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_BY_DESCRIPTOR = {os.open, os.rename, os.unlink, os.access} <= os.supports_dir_fd


def _is_ours_alone(status: os.stat_result) -> bool:
    """Whether what has this status belongs to us (or root) and nobody else may write it."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: what lies in a user's profile is that user's
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & 0o022


@dataclass(frozen=True)
class KernelFolder:
    """A folder that only this user writes: by its descriptor, or by its path where it must be."""

    path: Path
    descriptor: int | None

    @classmethod
    def open(cls, path: Path) -> KernelFolder | None:
        """The folder, made if need be; None if it is not safe or cannot be written."""
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _BY_DESCRIPTOR:
                status = path.lstat()
                safe = stat.S_ISDIR(status.st_mode) and _is_ours_alone(status)
                return cls(path, None) if safe and os.access(path, os.W_OK) else None
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _AS_IT_IS)
        except (OSError, ValueError):  # a name with a null character is a ValueError
            return None
        if _is_ours_alone(os.fstat(descriptor)) and os.access(".", os.W_OK, dir_fd=descriptor):
            return cls(path, descriptor)
        os.close(descriptor)
        return None

    def _name(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def read(self, name: str) -> bytes | None:
        """What a file holds; None if there is none, or not one of ours alone."""
        waits_for_nobody = getattr(os, "O_NONBLOCK", 0)  # as a named pipe would have us do
        try:
            file = os.open(
                self._name(name), os.O_RDONLY | _AS_IT_IS | waits_for_nobody, dir_fd=self.descriptor
            )
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode) or not _is_ours_alone(status):
                os.close(file)
                return None
            with os.fdopen(file, "rb") as whole:
                return whole.read()
        except OSError:
            return None

    def write(self, name: str, content: bytes) -> None:
        """Put a file in its place, whole or not at all; nothing happens where there is no room."""
        new = self._name(f"{name}.{os.urandom(16).hex()}")
        where = self.descriptor
        with contextlib.suppress(OSError):
            file = os.open(
                new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _AS_IT_IS, 0o600, dir_fd=where
            )
            try:
                with os.fdopen(file, "wb") as whole:
                    whole.write(content)
                if where is None:
                    Path(new).replace(self._name(name))
                else:
                    os.rename(new, name, src_dir_fd=where, dst_dir_fd=where)
            except BaseException:
                os.unlink(new, dir_fd=where)
                raise

    def names(self) -> list[str]:
        """What lies in it, the newest last."""
        with contextlib.suppress(OSError):
            where = self.path if self.descriptor is None else self.descriptor
            with os.scandir(where) as found:
                times = {it.name: it.stat(follow_symlinks=False).st_mtime_ns for it in found}
            return sorted(times, key=lambda name: (times[name], name))
        return []

    def remove(self, name: str) -> None:
        """Take a file away, if there is one."""
        with contextlib.suppress(OSError):
            os.unlink(self._name(name), dir_fd=self.descriptor)


def _homes() -> Iterator[Path]:
    """Where compiled kernels may be kept, best place first."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / "knuthle"
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path("~").expanduser() / ".cache" / "knuthle"


@cache
def kernel_folder() -> KernelFolder | None:
    """The first folder that is safe and can be written, or None (then nothing is kept)."""
    return next((folder for home in _homes() if (folder := KernelFolder.open(home))), None)


def sealed(key: bytes, stored: bytes) -> bytes:
    """What is stored under a key, behind a checksum over both."""
    return hashlib.sha256(key + stored).digest() + stored


def unsealed(key: bytes, content: bytes) -> memoryview | None:
    """What was stored under a key; None if a bit of it, or the key, is another."""
    stored = memoryview(content)[_CHECKSUM:]
    digest = hashlib.sha256(key)
    digest.update(stored)
    return stored if digest.digest() == content[:_CHECKSUM] else None


def kept(door: Kernel, form: Form) -> tuple[Form, Any] | None:
    """What an entry for a form is made from: the form of what it returns, and code."""
    place = _place(door, form)
    if place is None:
        return None
    folder, name, key = place
    content = folder.read(name)
    stored = None if content is None else unsealed(key, content)
    return None if stored is None else marshal.loads(stored)


def is_missing(door: Kernel, form: Form) -> bool:
    """Whether there is a place for it, and it is not there."""
    place = _place(door, form)
    return place is not None and place[0].read(place[1]) is None


def keep(door: Kernel, form: Form, made: tuple[Form, Any]) -> None:
    """Put it where ``kept`` finds it, if there is such a place."""
    place = _place(door, form)
    if place is not None:
        folder, name, key = place
        folder.write(name, sealed(key, marshal.dumps(made)))
        kind = name[:-_DIGITS]
        for old in [it for it in folder.names() if it.startswith(kind)][:-_VERSIONS]:
            folder.remove(old)


def clear() -> int:
    """Take all kernels away; how many there were."""
    folder = kernel_folder()
    found = [] if folder is None else [it for it in folder.names() if _OURS.match(it)]
    for name in found:
        folder.remove(name)  # type: ignore[union-attr]  # then there is nothing to be found
    return len(found)


def _place(door: Kernel, form: Form) -> tuple[KernelFolder, str, bytes] | None:
    """The folder, the file, and the digest of all that its machine code rests on."""
    folder, code = kernel_folder(), door.py_func.__code__
    source, closure = Path(code.co_filename), _closure(door.py_func)
    if folder is None or closure is None or not source.is_file():
        return None
    kind = (door.__module__, door.__qualname__, form, machine())
    version = (source_digest(_MAKER), source_digest(source), code.co_firstlineno, code.co_code)
    told = repr((kind, version, closure, sorted(door.options.items())))
    key = hashlib.sha256(told.encode()).digest()
    of_a_kind = hashlib.sha256(repr(kind).encode()).hexdigest()[:16]
    return folder, f"{source.stem}.{door.__name__}-{of_a_kind}-{key.hex()[:_DIGITS]}", key


def _closure(func: Callable[..., Any]) -> str | None:
    """What a function has from those around it, as text; None if it is no plain value."""
    values = [cell.cell_contents for cell in func.__closure__ or ()]
    plain = all(isinstance(it, int | float | str | bytes | NoneType) for it in values)
    return repr(values) if plain else None


@cache
def machine() -> str:
    """What compiled code rests on, sources and arguments aside."""
    settings = sorted(
        item for item in os.environ.items()
        if item[0].startswith("NUMBA_") and item[0] != "NUMBA_CACHE_DIR"
    )  # fmt: skip
    memory = (object.__basicsize__, tuple.__basicsize__, numpy.__version__)
    made_by = [_version_of(name) for name in ("numba", "llvmlite")]
    return repr(
        (source_digest(_MAKER), sys.version, sys.platform, made_by, memory, settings, _processor())
    )


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


_CORES = Path("/proc/cpuinfo")
#: What tells one processor from another, in the words of Linux on one kind or another.
_TELLING = re.compile(
    r"vendor_id|cpu family|model|stepping|flags|Features|CPU (implementer|architecture|variant|part"
    r"|revision)"
)


def _processor() -> str:
    """The processor and what it can do."""
    with contextlib.suppress(OSError), _CORES.open(encoding="utf-8") as told:
        lines = list(itertools.takewhile(str.strip, told))  # those of the first core
        telling = [" ".join(line.split()) for line in lines if _TELLING.match(line)]
        if any(line.startswith(("flags", "Features")) for line in telling):
            return "\n".join(telling)
    from llvmlite import binding

    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
