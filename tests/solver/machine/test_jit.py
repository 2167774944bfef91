"""The door to numba: inner kernels are called by kernels alone, or refuse."""

import ast
import re
from collections.abc import Iterator

import numpy as np
import pytest

from solver.machine.arrays import copy_into
from solver.machine.jit import InnerKernelError, kernel
from tests.support import PLAIN, ROOT, refused


@kernel
def _through_a_kernel(target: np.ndarray, source: np.ndarray) -> None:
    copy_into(target, source)


def _door(function: ast.FunctionDef) -> ast.expr | None:
    for decorator in function.decorator_list:
        name = decorator.func if isinstance(decorator, ast.Call) else decorator
        if isinstance(name, ast.Name) and name.id in ("kernel", "noalloc"):
            return decorator
    return None


def _is_inner(function: ast.FunctionDef) -> bool:
    door = _door(function)
    return isinstance(door, ast.Call) and any(word.arg == "inner" for word in door.keywords)


def _called_by_plain_code(tree: ast.AST) -> Iterator[str]:
    """Names that are called anywhere but in a kernel."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and _door(node):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        yield from _called_by_plain_code(node)


def test_no_plain_function_calls_an_inner_kernel() -> None:
    files = [path for room in ("solver", "strategy") for path in (ROOT / room).rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    with_inner = {path: ast.parse(text) for path, text in texts.items() if "inner=" in text}
    inner = {
        (path, node.name)
        for path, tree in with_inner.items()
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and _is_inner(node)
    }
    assert inner
    names = {name for _, name in inner}
    named = re.compile(rf"\b({'|'.join(names)})\(")
    for path, text in texts.items():
        if not named.search(text):
            continue
        tree = with_inner.get(path) or ast.parse(text)
        imported = {
            alias.name
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for name in _called_by_plain_code(tree):
            if name in names:
                assert (path, name) not in inner and name not in imported, (path, name)


@pytest.mark.skipif(PLAIN, reason="without compilation every kernel is a plain function")
def test_an_inner_kernel_refuses_a_call_from_python() -> None:
    target, source = np.zeros(3, dtype=np.int64), np.arange(3)
    refused(InnerKernelError, "copy_into", copy_into, target, source)
    _through_a_kernel(target, source)  # now there is code for these very types
    assert target.tolist() == [0, 1, 2]
    refused(InnerKernelError, "copy_into", copy_into, target, source)
