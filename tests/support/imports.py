"""Who imports whom: read from the source of the packages, without running any of it."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from tests.support import ROOT


class Import(NamedTuple):
    """A line that imports: where it stands, and the file of the project or the package it asks."""

    path: str
    line: int
    of: str
    #: Whether a function does it, when it is called; and whether it is for type checkers.
    late: bool
    typed: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line} imports {self.of}"


FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for package in ("knuthle", "solver", "strategy")
    for path in (ROOT / package).rglob("*.py")
)


def file_of(name: str) -> str | None:
    """The file of a module, if it is one of ours."""
    stem = name.replace(".", "/")
    return next((path for path in (f"{stem}.py", f"{stem}/__init__.py") if path in FILES), None)


def _nodes(
    tree: ast.AST, late: bool = False, typed: bool = False
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    """All statements of a tree that import; whether a function does it, and whether for types."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, late, typed
        elif not isinstance(node, (ast.expr, ast.arguments)):  # in which nothing is imported
            is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            yield from _nodes(
                node, late or isinstance(node, ast.FunctionDef), typed or is_for_types
            )


def _names(path: str, node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """The dotted names that a statement imports, as far as they may be modules."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    package = path.split("/")[:-1]
    base = package[: len(package) - node.level + 1] if node.level else []
    base += node.module.split(".") if node.module else []
    for alias in node.names:
        name = ".".join([*base, alias.name])
        yield name if file_of(name) else ".".join(base)


@cache
def _imports(path: str) -> tuple[Import, ...]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    found = []
    for node, late, typed in _nodes(tree):
        for name in _names(path, node):
            of = file_of(name) or name.split(".")[0]
            if of not in (path, "__future__"):
                found.append(Import(path, node.lineno, of, late, typed))
    return tuple(found)


def imports(path: str, types: bool = False) -> list[Import]:
    """What a file imports when it runs, at its beginning or later; or for types alone, too."""
    return [step for step in _imports(path) if types or not step.typed]


def circle() -> list[str]:
    """Files that import each other in a circle, be it for types alone; none if there is none."""
    steps = {path: imports(path, types=True) for path in FILES}
    graph = {path: [step.of for step in steps[path] if step.of in FILES] for path in FILES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


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
