"""Compiled kernels on disk: read only from where nobody else can write, believed only if whole.

What lies in the cache is unpickled and run, so two things are made sure of first.

* *Nobody else put it there.* Folder and files belong to this user (or root), nobody else may
  write them, and neither is a link. They are looked at through the descriptors that are then
  read, so nothing can be exchanged between the look and the reading. There is no cache in a
  shared temporary folder: where no folder is safe, kernels are compiled at every start.
* *It is what was stored.* Each file begins with a SHA-256 over its name's key and its bytes.
  Cut, flipped or misplaced, it is compiled anew without a word.

One file holds one form of one kernel. Its key says all that the machine code rests on: the text
of the sources (see ``sources``), the types of the arguments, the processor, Python and numba.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
import stat
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core import types as _numba_types
from numba.core.caching import NullCache as _NullCache
from numba.core.compiler import CompileResult as _CompileResult
from numba.core.serialize import dumps as _numba_dumps

from .sources import source_digest

types: Any = _numba_types
NullCache: Any = _NullCache
CompileResult: Any = _CompileResult
dumps: Any = _numba_dumps

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
        new = self._name(f"{name}.{uuid.uuid4().hex}")
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


@cache
def _machine(codegen: Any) -> str:
    """What compiled code rests on, sources and arguments aside."""
    return repr((codegen.magic_tuple(), numba.__version__, sys.version))


def _form(it: Any) -> str:
    """A type in full: numba names a named tuple by its class and types, without its fields."""
    if isinstance(it, types.BaseTuple):
        parts = [_form(part) for part in it]
        made = getattr(it, "instance_class", tuple)
        fields = getattr(it, "fields", ())
        return f"{made.__module__}.{made.__qualname__}({fields}: {', '.join(parts)})"
    return str(it)


class KernelCache(NullCache):  # type: ignore[misc]  # numba has no types
    """What numba asks for compiled forms of one function, and hands new ones to.

    It is only ever a help: whatever goes wrong with it, the kernel is compiled as if there were
    no cache.
    """

    def __init__(self, func: Callable[..., Any], folder: KernelFolder) -> None:
        code = func.__code__
        self._folder = folder
        self._name = f"{Path(code.co_filename).stem}.{func.__name__}"
        closure = [cell.cell_contents for cell in func.__closure__ or ()]
        self._what = repr(
            (
                source_digest(code.co_filename),
                func.__module__,
                func.__qualname__,
                code.co_firstlineno,
                code.co_code,
                dumps(closure) if closure else b"",
            )
        )

    def _key(self, sig: Any, codegen: Any) -> bytes:
        """Digest of all that the machine code for a signature rests on."""
        forms = "; ".join(_form(it) for it in getattr(sig, "args", sig))
        told = f"{self._what}\n{_machine(codegen)}\n{forms} -> {getattr(sig, 'return_type', None)}"
        return hashlib.sha256(told.encode()).digest()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code for a signature, or None."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        content = self._folder.read(f"{self._name}-{key.hex()[:32]}")
        stored = None if content is None else unsealed(key, content)
        if stored is None:
            return None
        try:
            return CompileResult._rebuild(target_context, *pickle.loads(stored))
        except Exception:  # stored whole, but by a numba that is built in another way
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code, if it can be kept."""
        if any(not loop.can_cache for loop in data.lifted) or data.library.has_dynamic_globals:
            return
        key = self._key(sig, data.codegen)
        try:
            stored = dumps(data._reduce())
        except Exception:  # something in it has no form on disk
            return
        self._folder.write(f"{self._name}-{key.hex()[:32]}", sealed(key, stored))
