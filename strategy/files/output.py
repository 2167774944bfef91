"""Writing files whole or not at all, and refusing early what cannot be written."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..errors import OutputError, UnfinishedError

_LONGEST_NAME = 255


def check_target(path: str | Path | None) -> None:
    """Refuse an output path that cannot work *before* the long computation, not after it."""
    if path is None or str(path) == "-":
        return
    place = Path(path)
    folder = _behind_links(place).parent
    if place.is_dir():
        raise OutputError(f"{path}: is a directory, not a file to write")
    if _is_in_place(place):
        if not os.access(place, os.W_OK):
            raise OutputError(f"{path}: cannot be written")
    elif not folder.is_dir():
        raise OutputError(f"{path}: there is no directory {place.parent}")
    elif not os.access(folder, os.W_OK):
        raise OutputError(f"{path}: the directory {place.parent} cannot be written")
    elif len(os.fsencode(place.name)) > _LONGEST_NAME:
        raise OutputError(f"{place.name[:40]}…: too long for a file name; --out gives another")


def check_apart(
    targets: Iterable[str | Path | None], inputs: Iterable[str | Path | None] = ()
) -> None:
    """Refuse to write two things into one file, or over what is being read."""
    written = [_behind_links(Path(path)) for path in targets if path is not None]
    read = {_behind_links(Path(path)) for path in inputs if path is not None}
    for place in written:
        if (written.count(place) > 1 or place in read) and not _is_in_place(place):
            raise OutputError(f"{place}: named for two things at once")


def write_whole(path: str | Path, content: bytes) -> None:
    """Write under a temporary name and rename: never half a file under the real name.

    Links are followed. Devices and pipes cannot be replaced, only written to.
    """
    check_target(path)
    place = Path(path)
    temporary: Path | None = None
    try:
        if _is_in_place(place):
            place.write_bytes(content)
            return
        place = _behind_links(place)
        handle, name = tempfile.mkstemp(dir=place.parent, prefix=".knuthle-")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        temporary.chmod(_permissions())
        temporary.replace(place)
    except OSError as error:
        raise UnfinishedError(f"{path}: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _links(path: Path) -> Iterator[Path]:
    """The path and what it links to, link by link."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _behind_links(path: Path) -> Path:
    """The file that a path leads to, in one spelling."""
    *_, last = _links(path)
    return last.parent.resolve() / last.name


def _is_in_place(path: Path) -> bool:
    """Whether a path leads to something that must not be replaced: a device, a pipe, a stream."""
    return any(
        link.is_absolute() and link.parts[1:2] in (("dev",), ("proc",)) for link in _links(path)
    ) or (path.exists() and not path.is_file() and not path.is_dir())


def _permissions() -> int:
    """What a newly created file would get; a temporary file is private otherwise."""
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
