"""Writing files whole or not at all, and refusing early what cannot be written.

What stands at a place already is replaced only by its like: a strategy by a strategy, a table by a
table. Anything else, a word list for instance, stays unless the caller insists (``force``), and
the lists that are shipped stay in any case.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from ..errors import OutputError, UnfinishedError

_Error = TypeVar("_Error", bound=BaseException)
_LONGEST_NAME = 255
#: So many bytes of a file show what it is.
_HEAD = 512
_ROOT = Path(__file__).resolve().parents[2]
_SHIPPED = (_ROOT / "solver" / "_data" / "words", _ROOT / "data" / "words")


class Kind(Enum):
    """The kinds of files that are written here, recognised by how they begin."""

    STRATEGY = rb"KNUTHLE\n.S"
    PARTIAL = rb"KNUTHLE\n.P"
    PROOF = rb"KNUTHLE\n.R"
    FINDINGS = rb"KNUTHLE\n.F"
    JSON = rb'\{"'
    CSV = rb"\w[\w #%()/-]*(?:,[\w #%()/-]+)+\r?\n"
    TEXT = rb"(?:[a-z0-9\x80-\xff]+ (?:[byg]+|\d+,\d+) )*[a-z0-9\x80-\xff]+ (?:g+|\d+,0)\n"
    TREE = rb"[a-z0-9\x80-\xff]+ (?:[BYG]+1|\d+,\d+:1)[ \n]"
    DOT = rb"digraph "
    SVG = rb"(?:<\?xml[^>]*>\s*)?<svg "
    PAGE = rb'<!doctype html>\n<html lang="en" data-of="knuthle">'
    HTML = rb"<!doctype html>|<!DOCTYPE html>"
    PDF = rb"%PDF-"
    PNG = rb"\x89PNG"
    PARQUET = rb"PAR1"

    @classmethod
    def of_picture(cls, path: str | None) -> Kind | None:
        """The kind of a picture or card, by the ending of its name; None for no picture."""
        if path is None:
            return None
        endings = {".svg": cls.SVG, ".pdf": cls.PDF, ".png": cls.PNG, ".html": cls.HTML}
        return endings.get(Path(path).suffix.lower())

    @classmethod
    def of(cls, head: bytes) -> Kind | None:
        """The kind of a file that begins so; None if it is none that is written here."""
        return next((kind for kind in cls if re.match(kind.value, head, re.DOTALL)), None)


def check_target(path: str | Path | None, kind: Kind | None = None, *, force: bool = False) -> None:
    """Refuse a file to write that cannot be written *before* the long computation, not after it.

    With ``kind``, the one that is to be written, also a place where something else stands.
    """
    if path is None or str(path) == "-":
        return
    with faults_named(path):
        _check_place(Path(path))
        if kind is not None:
            _check_kind(Path(path), kind, force)


@contextlib.contextmanager
def faults_named(what: object) -> Iterator[None]:
    """Say, of what the system refuses, which place or thing it is about."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{what}: {error.strerror or error}") from None


def _check_place(place: Path) -> None:
    behind = _behind_links(place)
    if len(os.fsencode(behind.name)) > _LONGEST_NAME:
        raise OutputError(f"{behind.name[:40]}…: too long for a file name; --out gives another")
    if place.is_dir():
        raise OutputError(f"{place}: is a directory, not a file to write")
    if not _is_in_place(place):
        if not behind.parent.is_dir():
            raise OutputError(f"{place}: there is no directory {place.parent}")
        if not os.access(behind.parent, os.W_OK):
            raise OutputError(f"{place}: no permission to write in this folder")
        if _is_shipped(behind):
            raise OutputError(f"{place}: is a word list that is shipped, and stays as it is")
    # root could write in any case, and is refused too where the owner lets nobody
    if place.exists() and not (os.access(place, os.W_OK) and place.stat().st_mode & 0o222):
        raise OutputError(f"{place}: cannot be written")


def _is_shipped(place: Path) -> bool:
    """Whether it is one of the shipped lists, by whatever name."""
    shipped = (path for folder in _SHIPPED for path in folder.glob("*.txt"))
    return place.parent in _SHIPPED or (place.exists() and any(map(place.samefile, shipped)))


def _check_kind(place: Path, kind: Kind | None, force: bool) -> None:
    if force or _is_in_place(place) or not place.is_file():
        return
    with place.open("rb") as found:
        head = found.read(_HEAD)
    if head and (kind is None or Kind.of(head) != kind):
        raise OutputError(f"{place}: holds something else already; --force replaces it")


def is_file(path: str | Path) -> bool:
    """Whether there is a file; a name that no file can have is none."""
    return os.path.isfile(path)  # noqa: PTH113 - Path.is_file raises for names that are too long


def is_readable(path: str | Path) -> bool:
    """Whether there is a file, or a pipe that can be read as one."""
    try:
        return is_file(path) or stat.S_ISFIFO(Path(path).stat().st_mode)
    except (OSError, ValueError):
        return False


def bound_name(path: str | Path) -> str:
    """Where a strategy goes that is only a bound: ``X-bound.strategy``, not ``X.strategy``."""
    place = Path(path)
    with contextlib.suppress(OSError):  # whatever is wrong with it is said when it is looked at
        if _is_in_place(place):
            return str(path)  # nothing is replaced there
    stem = place.name.removesuffix(".strategy").removesuffix("-bound")
    return str(place.with_name(f"{stem}-bound.strategy"))


def check_apart(
    targets: Iterable[str | Path | None], inputs: Iterable[str | Path | None] = ()
) -> None:
    """Refuse to write two things into one file, or over a file that is being read."""
    written = [_behind_links(Path(path)) for path in targets if path is not None]
    read = {_behind_links(Path(path)) for path in inputs if path is not None}
    for place in written:
        if (written.count(place) > 1 or place in read) and not _is_in_place(place):
            raise OutputError(f"{place}: named for two things at once")


def write_whole(path: str | Path, content: bytes, *, force: bool = False) -> None:
    """Write a file under a temporary name and rename it: it is whole or not there at all.

    Links are followed, and a file that is replaced keeps its permissions. Devices and pipes cannot
    be replaced, only written to.
    """
    check_target(path)
    place = Path(path)
    temporary: Path | None = None
    try:
        _check_kind(place, Kind.of(content[:_HEAD]), force)
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
        _give_permissions(temporary, place)
        temporary.replace(place)
    except OSError as error:
        raise UnfinishedError(f"{path}: {error.strerror or error}") from error
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


class Attempts:
    """Outputs tried one after the other, most valuable first; what failed is said at the end."""

    def __init__(self) -> None:
        self.failures: list[str] = []

    def make(self, write: Callable[[], object]) -> None:
        """Try to write one output; a failure keeps no other from being tried."""
        try:
            write()
        except (OutputError, UnfinishedError) as error:
            self.failures.append(str(error))

    def noted(self, error: _Error) -> _Error:
        """An exception with a note for each output that failed."""
        for failure in self.failures:
            error.add_note(failure)
        return error

    def conclude(self, best: Any = None) -> None:
        """Raise what has failed, if any output has; ``best`` is what was to be written."""
        if self.failures:
            error = UnfinishedError("; ".join(self.failures))
            error.best = best
            raise error


def _links(path: Path) -> Iterator[Path]:
    """The path and what it links to, link by link."""
    for _ in range(40):
        yield path
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _behind_links(path: Path) -> Path:
    """The file that a path leads to, in one spelling; whatever is wrong with it is said later."""
    try:
        *_, last = _links(path)
    except OSError:
        last = path
    return Path(os.path.realpath(last.parent)) / last.name


#: Streams that are open already; what they lead to may be a file, and is not to be replaced.
_STREAM = re.compile(r"/dev/(?:fd/\d+|stdin|stdout|stderr)|/proc/(?:self|\d+)/fd/\d+")


def _is_in_place(path: Path) -> bool:
    """Whether a path leads to something that must not be replaced: a device, a pipe, a stream."""
    if any(_STREAM.fullmatch(os.path.normpath(link)) for link in _links(path)):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _give_permissions(new: Path, place: Path) -> None:
    """Those of the file that is replaced, its owner too if we may; or what a new one would get."""
    try:
        old = place.stat()
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        new.chmod(0o666 & ~umask)
        return
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(new, old.st_uid, old.st_gid)
    new.chmod(stat.S_IMODE(old.st_mode) & 0o777)
