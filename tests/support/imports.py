"""Who imports whom: read from the source of the two packages, without running any of it."""

import ast
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from tests.support import ROOT


class Import(NamedTuple):
    """A line that imports: where it stands, and the file of the project or the package it asks."""

    path: str
    line: int
    of: str
    #: Whether a function does it, when it is called.
    late: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line} imports {self.of}"


class _Found(NamedTuple):
    """A statement that imports: whether a function does it, and whether for type checkers."""

    node: ast.Import | ast.ImportFrom
    late: bool
    typed: bool


FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("knuthle", "solver", "strategy")
    for path in (ROOT / package).rglob("*.py")
)


_THERE = frozenset(FILES)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _nodes(tree: ast.AST, late: bool = False, typed: bool = False) -> Iterator[_Found]:
    """All statements of a tree that import, and where they stand."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield _Found(node, late, typed)
        elif not isinstance(node, (ast.expr, ast.arguments)):  # in which nothing is imported
            is_late = late or isinstance(node, ast.FunctionDef)
            yield from _nodes(node, is_late, typed or _is_for_types(node))


def imported(path: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The dotted names that a statement imports, as far as they may be modules."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    else:
        package = path.split("/")[:-1]
        base = package[: len(package) - node.level + 1] if node.level else []
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            name = ".".join([*base, alias.name])
            yield name if file_of(name) else ".".join(base)


def file_of(name: str) -> str | None:
    stem = name.replace(".", "/")
    return next((path for path in (f"{stem}.py", f"{stem}/__init__.py") if path in _THERE), None)


@cache
def _imports(path: str) -> tuple[tuple[Import, bool], ...]:
    """What a file imports, and whether for types alone."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = []
    for node, late, typed in _nodes(tree):
        for name in imported(path, node):
            of = file_of(name) or name.split(".")[0]
            if of not in (path, "__future__"):
                found.append((Import(path, node.lineno, of, late), typed))
    return tuple(found)


def imports(path: str, types: bool = False) -> list[Import]:
    """What a file imports when it runs, at its beginning or later; or for types alone, too."""
    return [step for step, typed in _imports(path) if types or not typed]


def circles() -> Iterator[list[Import]]:
    """Circles of imports, those for types included, each as the lines that make it."""
    done: set[str] = set()
    way: list[Import] = []

    def walk(path: str) -> Iterator[list[Import]]:
        met = [step.path for step in way]
        if path in met:
            yield way[met.index(path) :]
            return
        if path in done:
            return
        for step in imports(path, types=True):
            if step.of in FILES:
                way.append(step)
                yield from walk(step.of)
                way.pop()
        done.add(path)

    for path in FILES:
        yield from walk(path)


def loaded(path: str) -> dict[str, list[Import]]:
    """All that a file imports, through whatever it imports, and the lines that lead there.

    What the functions of others import when they are called is not followed: see the test that
    looks at what is loaded in the end.
    """
    found: dict[str, list[Import]] = {}
    todo: list[tuple[str, list[Import]]] = [(path, [])]
    while todo:
        here, way = todo.pop()
        for step in imports(here):
            if step.of not in found and not (way and step.late):
                found[step.of] = [*way, step]
                if step.of in FILES:
                    todo.append((step.of, found[step.of]))
    return found
