"""The folder of the page for any browser: its files, served to this machine or written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ..errors import OutputError, UnfinishedError
from ..files.output import faults_named, write_whole
from .server import File

#: The media types of the files, by the endings of their names.
KINDS = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "ts": "text/plain; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "wasm": "application/wasm",
    "webmanifest": "application/manifest+json",
}
FIRST = "index.html"
_SITE = files(__package__).joinpath("site")


@cache
def contents() -> dict[str, bytes]:
    """The files of the page: their paths within the folder, in order, and their bytes."""
    return dict(sorted(_below(_SITE, "")))


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()


def find(path: str) -> File | None:
    """The file for a path such as ``/page/main.js``; None if there is none."""
    name = path.removeprefix("/") or FIRST
    if name not in contents():
        return None
    return File(KINDS[name.rpartition(".")[2]], contents()[name])


def policy() -> str:
    """The content security policy of the page: its own, and that nothing may frame it."""
    page = contents()[FIRST].decode()
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert found is not None
    return f"{unescape(found[1])}; frame-ancestors 'none'"


def check_folder(folder: Path, *, force: bool = False) -> None:
    """Refuse a folder to write into that holds something already, unless ``force`` is given."""
    with faults_named(folder):
        if folder.exists() and not folder.is_dir():
            raise OutputError(f"{folder}: is a file, not a folder")
        if folder.is_dir() and any(folder.iterdir()) and not force:
            raise OutputError(
                f"{folder}: is not empty; --force writes the page into it all the same"
            )


def write(folder: Path, *, force: bool = False) -> int:
    """Write the page into a folder, which is made if there is none; the number of bytes."""
    check_folder(folder, force=force)
    for number, (name, content) in enumerate(contents().items()):
        try:
            place = folder / name
            with faults_named(place.parent):
                place.parent.mkdir(parents=True, exist_ok=True)
            write_whole(place, content, force=True)
        except (OutputError, UnfinishedError) as error:
            if number:
                error.add_note(
                    f"{folder}: holds {number} of the {len(contents())} files of the page, which "
                    "does not work without the others"
                )
            raise
    return sum(map(len, contents().values()))
