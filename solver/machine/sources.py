"""A digest of a source file and of all project files that it is made from.

A kernel becomes part of every kernel that calls it, so compiled code is filed under the text of
its own file *and* of the files which that imports, and so on. Imports are read from the text by
a pattern, without running anything: those that begin a line. What a function imports for itself,
or a type checker alone reads, is no part of compiled code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from os.path import dirname, isfile, join  # every start asks for hundreds: text is quick
from pathlib import Path

_PROJECT = ("solver", "strategy")

_IMPORT = re.compile(
    r"from[ \t]+(\.*)([\w.]*)(?:[ \t]|\\\n)+import[ \t]*(\([^)]*\)|(?:\\\n|[^\n])*)"
    r"|import[ \t]+([^\n]*)"
)


@cache
def source_digest(source: str | Path) -> str:
    """Digest of a source file and of everything it imports from the project, transitively."""
    found: set[str] = set()
    todo = {str(source)}
    while todo:
        path = todo.pop()
        found.add(path)
        todo |= imported_files(path) - found
    root = _root(dirname(str(source)))
    digest = hashlib.sha256()
    for name, path in sorted((_name(path, root), path) for path in found):
        digest.update(name.encode() + b"\0" + _file_digest(path))
    return digest.hexdigest()


@cache
def imported_files(source: str) -> frozenset[str]:
    """The project files that a file imports at the beginning of a line."""
    folder = dirname(source)
    root = _root(folder)
    ours = {*_PROJECT, _name(source, root).split("/")[0]}
    files: set[str] = set()
    for dots, module, names, plain in _statements(_text(source).decode()):
        if plain:
            for name in re.findall(r"[\w.]+", plain):
                if name.split(".")[0] in ours:
                    files.update(_files_of(join(root, *name.split(".")), []))
        elif dots or module.split(".")[0] in ours:
            base = root if not dots else folder
            for _ in dots[1:]:
                base = dirname(base)
            files.update(_files_of(join(base, *module.split(".")), re.findall(r"\w+", names)))
    return frozenset(files - {source})


def _statements(text: str) -> Iterator[tuple[str, ...]]:
    """Dots, module and names of what a text imports from somewhere; or plainly imported modules."""
    text = f"\n{text}"
    for begin in ("\nfrom", "\nimport"):  # a search for fixed text is far quicker than a pattern
        at = text.find(begin)
        while at >= 0:
            found = _IMPORT.match(text, at + 1)
            if found:
                yield found.groups(default="")
            at = text.find(begin, at + 1)


def _files_of(base: str, names: list[str]) -> Iterator[str]:
    """The file of a module; or of a package, and those of its modules that are named."""
    base = base.rstrip("/\\")
    if isfile(f"{base}.py"):
        yield f"{base}.py"
        return
    for stem in ("__init__", *names):
        for path in (join(base, f"{stem}.py"), join(base, stem, "__init__.py")):
            if isfile(path):
                yield path


@cache
def _root(folder: str) -> str:
    """The folder that holds the outermost package around a folder."""
    return _root(dirname(folder)) if isfile(join(folder, "__init__.py")) else folder


def _name(path: str, root: str) -> str:
    """A path below a folder, written the same on every system."""
    return path[len(root) :].replace("\\", "/").lstrip("/")


@cache
def _text(path: str) -> bytes:
    return Path(path).read_bytes()


@cache
def _file_digest(path: str) -> bytes:
    return hashlib.sha256(_text(path)).digest()
