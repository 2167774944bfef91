"""Sources of kernels: digests that change with what is called, and who calls inner kernels."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from solver.machine.cache import imported_files, source_digest
from tests.support import ROOT
from tests.support.imports import FILES, imports

PACKAGES = ("solver", "strategy")

_DIGESTS = """
import sys
from solver.machine.cache import source_digest
print(*map(source_digest, sys.argv[1:]), sep="\\n")
"""

_DOORS = ("kernel", "noalloc", "vector_step")


def _door(node: ast.AST) -> ast.expr | None:
    """What makes a kernel of a function, or a step that kernels take; None if it is plain."""
    for it in (node, *getattr(node, "decorator_list", ())):
        name = it.func if isinstance(it, ast.Call) else it
        if isinstance(name, ast.Name) and name.id in _DOORS:
            return it
    return None


def _is_inner(node: ast.AST) -> bool:
    door = _door(node)
    return isinstance(door, ast.Call) and any(word.arg == "inner" for word in door.keywords)


def kernel_files() -> list[Path]:
    files = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    others = [path for path in files if path.name not in ("jit.py", "dispatch.py")]
    return [path for path in others if _has_kernels(path.read_text("utf-8"))]


def _has_kernels(text: str) -> bool:
    """Only what names a door is parsed: this runs whenever tests are collected."""
    return any(door in text for door in _DOORS) and any(map(_door, ast.walk(ast.parse(text))))


#: Many kernels are made from the same files, which are read once.
_imported_files = cache(imported_files)


def _made_from(source: Path) -> set[Path]:
    found: set[str] = set()
    todo = {str(source)}
    while todo:
        found.add(path := todo.pop())
        todo |= _imported_files(path) - found
    return {Path(path) for path in found}


@cache
def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _raises_with_a_text(path: Path) -> list[int]:
    return [
        node.lineno
        for node in ast.walk(_parsed(path))
        if isinstance(node, ast.Raise) and node.exc is not None
        if any(isinstance(getattr(it, "value", None), str) for it in ast.walk(node.exc))
    ]


KERNEL_FILES = kernel_files()
#: What has words for people: files, and whole folders.
WITH_WORDS = (
    "solver/errors.py", "solver/choices.py", "solver/memory_limits.py", "solver/words/",
    "solver/game/game.py", "solver/game/load.py", "solver/game/mastermind.py",
    "solver/game/wordle.py", "strategy/errors.py", "strategy/files/", "strategy/cli/",
    "strategy/checkers/lists.py", "strategy/checkers/verify.py", "strategy/checkers/proof.py",
    "strategy/proofs/proof_file.py",
)  # fmt: skip


def test_there_are_kernels() -> None:
    assert len(KERNEL_FILES) > 30
    assert all((ROOT / name).exists() for name in WITH_WORDS)


@pytest.mark.parametrize("path", KERNEL_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_that_kernels_are_made_from_has_words_for_people(path: Path) -> None:
    made_from = _made_from(path)
    names = [it.relative_to(ROOT).as_posix() for it in made_from]
    with_words = [name for name in names if name.startswith(WITH_WORDS)]
    assert not with_words, "kernels would be compiled anew for a message"
    raising = {f"{it.relative_to(ROOT)}:{at}" for it in made_from for at in _raises_with_a_text(it)}
    assert not raising, "a message belongs to the public function above the kernel"


@pytest.mark.parametrize("path", KERNEL_FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_are_read_as_python_reads_them(path: Path) -> None:
    """The pattern finds in each kernel file and below what a parser finds, and their packages."""
    for it in _made_from(path):
        found = {Path(file) for file in _imported_files(str(it))}
        steps = (step for step in imports(it.relative_to(ROOT).as_posix()) if not step.late)
        parsed = {ROOT / step.of for step in steps if step.of in FILES} - {it}
        assert parsed <= found, it
        assert found - parsed <= {file.parent / "__init__.py" for file in parsed}, it


def _digests(root: Path, files: list[Path]) -> dict[str, str]:
    names = [str(path.relative_to(ROOT)) for path in files]
    command = [sys.executable, "-c", _DIGESTS, *(str(root / name) for name in names)]
    said = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout
    return dict(zip(names, said.split(), strict=True))


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("_*cache_*"))
    shutil.copytree(ROOT / "docs", root / "docs")
    return root


def test_edited_sources(copy: Path) -> None:
    before = _digests(copy, KERNEL_FILES)
    for name in (
        "solver/errors.py",
        "strategy/errors.py",
        "solver/words/lists.py",
        "docs/exact.md",
    ):
        with (copy / name).open("a") as out:
            out.write('\nAPOLOGY = "we are sorry"\n')
    assert _digests(copy, KERNEL_FILES) == before
    shared = "solver/machine/arrays.py"
    callers = {str(it.relative_to(ROOT)) for it in KERNEL_FILES if ROOT / shared in _made_from(it)}
    assert len(callers) > 1
    with (copy / shared).open("a") as out:
        out.write("\n# edited\n")
    after = _digests(copy, KERNEL_FILES)
    assert {name for name in before if after[name] != before[name]} == callers


SMALL = {
    "pkg/__init__.py": "",
    "pkg/top.py": "from . import face\nfrom .inner import shown\nimport pkg.named\n",
    "pkg/face.py": "from pkg.deep.below import f  # absolutely\n",
    "pkg/named.py": "def n(): ...\n",
    "pkg/inner/__init__.py": "from .hidden import (\n    shown,  # behind an __init__\n)\n",
    "pkg/inner/hidden.py": "def shown(): ...\n", "pkg/deep/__init__.py": "",
    "pkg/deep/below.py": "from ..inner \\\n    import other as o\ndef f(): ...\n",
    "pkg/inner/other.py": "def g(): ...\n", "pkg/aside.py": "from .top import shown\n",
    "pkg/messages.py": "SORRY = 'sorry'\n",
    "pkg/late.py": "if TYPE_CHECKING:\n    from .messages import SORRY\n"
    "def f():\n    from .messages import SORRY\n",
}  # fmt: skip


def _written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(("edited", "changed"), [
    ("pkg/inner/hidden.py", {"top", "face", "aside", "below", "__init__", "hidden"}),
    ("pkg/inner/__init__.py", {"top", "face", "aside", "below", "__init__"}),
    ("pkg/inner/other.py", {"top", "face", "aside", "below", "other"}),
    ("pkg/deep/below.py", {"top", "face", "aside", "below"}),
    ("pkg/named.py", {"top", "aside", "named"}), ("pkg/aside.py", {"aside"}),
    ("pkg/messages.py", {"messages"}),
])  # fmt: skip
def test_a_small_package(tmp_path: Path, edited: str, changed: set[str]) -> None:
    before = _written(tmp_path / "before", SMALL)
    after = _written(tmp_path / "after", SMALL | {edited: f"{SMALL[edited]}# edited\n"})
    differ = {n for n in SMALL if source_digest(before / n) != source_digest(after / n)}
    assert {Path(n).stem for n in differ} == changed


def test_the_same_names_with_their_texts_exchanged_are_not_the_same(tmp_path: Path) -> None:
    digests = set()
    for root, texts in (("one", "ab"), ("two", "ba")):
        files = {
            f"pkg/{name}.py": f"V = {it!r}\n" for name, it in zip(("l", "r"), texts, strict=True)
        }
        top = {"pkg/__init__.py": "", "pkg/top.py": "from . import l, r\n"}
        digests.add(source_digest(_written(tmp_path / root, files | top) / "pkg" / "top.py"))
    assert len(digests) == 2


def test_no_kernel_file_imports_the_project_where_the_pattern_does_not_look() -> None:
    """An import in a ``try`` or an ``if`` would be missed, if compiled code rested on it."""
    pattern = re.compile(
        r"^(try|if (?!TYPE_CHECKING|__name__)[^\n]*):\n\s+(from|import) \.*\w", re.M
    )
    for path in KERNEL_FILES:
        assert not pattern.search(path.read_text(encoding="utf-8")), path


def _called_by_plain_code(tree: ast.AST) -> Iterator[str]:
    """Names that are called anywhere but in a kernel."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and _door(node):
            continue
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        yield from _called_by_plain_code(node)


def test_no_plain_function_calls_an_inner_kernel() -> None:
    files = [path for room in PACKAGES for path in (ROOT / room).rglob("*.py")]
    texts = {path: path.read_text(encoding="utf-8") for path in files}
    inner = {
        (path, node.name)
        for path, text in texts.items()
        if "inner=" in text
        for node in _parsed(path).body
        if isinstance(node, ast.FunctionDef) and _is_inner(node)
    }
    names = {name for _, name in inner}
    assert names
    named = re.compile(rf"\b({'|'.join(names)})\(")
    for path in (path for path, text in texts.items() if named.search(text)):
        steps = [node for node in ast.walk(_parsed(path)) if isinstance(node, ast.ImportFrom)]
        imported = {alias.name for node in steps for alias in node.names}
        for name in names & {*_called_by_plain_code(_parsed(path))}:
            assert (path, name) not in inner and name not in imported, (path, name)
