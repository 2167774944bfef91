"""Folders whose files are run: nobody else can have written what is loaded from them.

A folder that we write belongs to this user (or root) and nobody else may write it, nor a file in
it; what came with the package may be written by nobody who could not write the package. Neither is
a link. They are looked at through the descriptors that are then read, so nothing can be exchanged
between the look and the reading.

A temporary folder lies where others may make folders too, perhaps by this very name and before us.
So it must belong to this user, who alone may even look into it, and nobody else may rename it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_AS_IT_IS = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_BY_DESCRIPTOR = {os.open, os.rename, os.unlink} <= os.supports_dir_fd


def _is_ours_alone(status: os.stat_result) -> bool:
    """Whether what has this status belongs to us (or root) and nobody else may write it."""
    if not hasattr(os, "geteuid"):
        return True  # Windows: what lies in a user's profile is that user's
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & 0o022


def _is_private(status: os.stat_result) -> bool:
    """Whether what has this status belongs to us, and nobody else may do anything with it."""
    return status.st_uid == os.geteuid() and not status.st_mode & 0o077


def _holds_safely(parent: Path) -> bool:
    """Whether nobody but us and root can rename what we have made in a folder."""
    status = parent.stat()
    is_trusted = status.st_uid in (os.geteuid(), 0)
    return is_trusted and (not status.st_mode & 0o022 or bool(status.st_mode & stat.S_ISVTX))


def as_safe_as(source: Path) -> Callable[[os.stat_result], bool]:
    """Whether something can be written by nobody who cannot write a source file, which is run too.

    What everybody may write is never safe.
    """
    source_status = source.stat()
    owners = {source_status.st_uid, os.geteuid(), 0}

    def is_safe(status: os.stat_result) -> bool:
        by_group = status.st_mode & stat.S_IWGRP
        same = source_status.st_mode & stat.S_IWGRP and status.st_gid == source_status.st_gid
        open_to_all = status.st_mode & stat.S_IWOTH
        return status.st_uid in owners and not open_to_all and (not by_group or bool(same))

    return is_safe


@dataclass(frozen=True)
class KernelFolder:
    """A folder of machine code that only this user writes, by its descriptor or its path."""

    path: Path
    descriptor: int | None
    #: Whether a file may be read, by its status.
    is_safe: Callable[[os.stat_result], bool] = _is_ours_alone
    #: Whether it goes when the user logs out or the machine starts anew.
    is_temporary: bool = False

    @classmethod
    def tried(cls, path: Path, is_temporary: bool = False) -> KernelFolder | str:
        """The folder of kernels at a path, made if need be; or why it is not used, in words."""
        try:
            if is_temporary and not _holds_safely(path.parent):
                return f"other users may exchange what lies in {path.parent}"
            path.mkdir(mode=0o700, parents=not is_temporary, exist_ok=True)
            is_safe = _is_private if is_temporary else _is_ours_alone
            folder = cls._opened(path, is_safe, is_temporary)
        except OSError as error:
            return error.strerror or str(error)
        except ValueError as error:  # a name with a null character
            return str(error)
        if folder is None:
            return "other users own it or may write in it"
        if os.access(path, os.W_OK):
            return folder
        if folder.descriptor is not None:
            os.close(folder.descriptor)
        return "it cannot be written"

    @classmethod
    def open_shipped(cls, path: Path) -> KernelFolder | None:
        """The folder of kernels that came with the package, read only; None if none is safe."""
        with contextlib.suppress(OSError, ValueError):
            return cls._opened(path, as_safe_as(Path(__file__)))
        return None

    @classmethod
    def _opened(
        cls, path: Path, is_safe: Callable[[os.stat_result], bool], is_temporary: bool = False
    ) -> KernelFolder | None:
        """A folder that is there; None if it is not safe."""
        if not _BY_DESCRIPTOR:
            status = path.lstat()
            is_folder = stat.S_ISDIR(status.st_mode)
            return cls(path, None, is_safe) if is_folder and is_safe(status) else None
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | _AS_IT_IS)
        if is_safe(os.fstat(descriptor)):
            return cls(path, descriptor, is_safe, is_temporary)
        os.close(descriptor)
        return None

    def _name(self, name: str) -> str:
        return name if self.descriptor is not None else str(self.path / name)

    def read(self, name: str) -> bytes | None:
        """The content of a file of the folder; None if there is none, or not one of ours alone."""
        waits_for_nobody = getattr(os, "O_NONBLOCK", 0)  # as a named pipe would have us do
        try:
            file = os.open(
                self._name(name), os.O_RDONLY | _AS_IT_IS | waits_for_nobody, dir_fd=self.descriptor
            )
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode) or not self.is_safe(status):
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
        """The names of the files in the folder, the newest last."""
        with contextlib.suppress(OSError):
            where = self.path if self.descriptor is None else self.descriptor
            with os.scandir(where) as found:
                times = {it.name: it.stat(follow_symlinks=False).st_mtime_ns for it in found}
            return sorted(times, key=lambda name: (times[name], name))
        return []

    def remove(self, name: str) -> None:
        """Take a file of the folder away, if there is one."""
        with contextlib.suppress(OSError):
            os.unlink(self._name(name), dir_fd=self.descriptor)


def homes() -> Iterator[Path]:
    """Where compiled kernels may be stored, best place first."""
    for variable in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / "knuthle"
    with contextlib.suppress(RuntimeError):  # a user without a home
        yield Path("~").expanduser() / ".cache" / "knuthle"


def temporary_homes() -> Iterator[Path]:
    """Where compiled kernels may be stored for a while, if nowhere else.

    First in ``XDG_RUNTIME_DIR``, the folder that the system makes for a user at login and deletes
    at logout; then in a folder of this user in ``TMPDIR``. Only where files have owners.
    """
    if _BY_DESCRIPTOR and hasattr(os, "geteuid"):
        session = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
        if session.is_absolute():
            yield session / "knuthle"
        shared = Path(os.environ.get("TMPDIR") or "/tmp")
        if shared.is_absolute():
            yield shared / f"knuthle-{os.geteuid()}"
