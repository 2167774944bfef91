"""The house: who imports whom, floor by floor, and ARCHITECTURE.md as the map of it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.support import ROOT
from tests.support.imports import FILES, asked, circles, file_of, imports, loaded

#: From the ground up: whatever stands in a line imports nothing that is listed after it.
#: A folder stands for all modules in it (its ``__init__`` too) that are not listed by themselves.
FLOORS = """
solver/__init__.py
solver/errors.py
solver/choices.py
solver/memory_limits.py
solver/aligned_arrays.py
solver/tree.py
solver/machine/argument_forms.py
solver/machine/memory_layout.py
solver/machine/sources.py
solver/machine/object_code.py
solver/machine/compiler
solver/machine/cache
solver/machine
solver/game
solver/splits
solver/rules
solver/pairs
solver/five_words
solver/exact
solver/exact/lemmas.py
solver/exact/table
solver/exact/state_values
solver/exact/guess_values
solver/exact/feasibility
solver/exact/first_guesses
solver/exact/mastermind_bounds.py
solver/exact/mastermind_engine.py
solver/exact/repair
solver/exact/questions
solver/advice
strategy/errors.py
strategy/files
strategy/files/importers
strategy/tree.py
strategy/exports.py
strategy/checkers/grading.py
strategy/checkers/word_lists.py
strategy/referee.py
strategy/checkers
strategy/replay
strategy/pictures
strategy/proofs
strategy/proofs/checker
strategy/proofs/writer
strategy/build
strategy/verification.py
strategy/any_form.py
strategy/toolbox
strategy/sweep
strategy/sweep/optimal
strategy/play
strategy/play/arena
strategy/cli
strategy/cli/strategies
strategy/cli/sweep
strategy/cli/files
strategy/cli/toolbox
strategy/cli/play
strategy/cli/__init__.py
strategy/cli/completion.py
strategy/entry.py
strategy/console
strategy/__init__.py
strategy/__main__.py
""".split()

#: What is trusted stands on little: all that may be loaded with it, through whatever it imports.
TRUSTED = {
    "strategy/files": {"strategy/errors.py", "strategy/files", "msgpack"},
    "strategy/checkers/word_lists.py": {"strategy/errors.py", "strategy/files", "msgpack"},
    "strategy/referee.py": {
        "strategy/errors.py",
        "strategy/files",
        "strategy/tree.py",
        "strategy/checkers/grading.py",
        "strategy/checkers/word_lists.py",
        "msgpack",
    },
    "strategy/checkers/fault_finder.py": {
        "strategy/errors.py",
        "strategy/files",
        "strategy/tree.py",
        "strategy/checkers/grading.py",
        "strategy/checkers/word_lists.py",
        "strategy/referee.py",
        "msgpack",
    },
    "strategy/replay": {
        "strategy/errors.py",
        "strategy/files",
        "strategy/tree.py",
        "strategy/checkers/grading.py",
        "strategy/checkers/word_lists.py",
        "strategy/referee.py",
        "solver/errors.py",
        "solver/machine",
        "msgpack",
        "numba",
        "llvmlite",
        "numpy",
    },
    "strategy/proofs/checker": {
        "strategy/errors.py",
        "strategy/files",
        "strategy/tree.py",
        "strategy/checkers/grading.py",
        "strategy/checkers/word_lists.py",
        "strategy/referee.py",
        "strategy/proofs",
        "solver/errors.py",
        "solver/machine",
        "msgpack",
        "numba",
        "llvmlite",
        "numpy",
    },
}

MOST_MODULES = 12


@cache
def _floor(path: str) -> str:
    """The line of FLOORS in which a file stands: its own, or that of the nearest folder."""
    stem = path
    while stem not in FLOORS:
        assert "/" in stem, f"{path} stands on no floor: list it, or its folder, in FLOORS"
        stem = stem.rpartition("/")[0]
    return stem


def _said(lines: Iterator[str]) -> str:
    return "\n".join(lines)


def test_every_floor_is_there() -> None:
    assert sorted({_floor(path) for path in FILES}) == sorted(FLOORS)


def test_no_circle_of_imports() -> None:
    found = [_said(f"  {step}" for step in circle) for circle in circles()]
    assert not found, "in a circle:\n" + "\n\n".join(found)


def test_nothing_imports_what_is_listed_after_it() -> None:
    upwards = [
        str(step)
        for path in FILES
        for step in imports(path)
        if step.of in FILES and FLOORS.index(_floor(step.of)) > FLOORS.index(_floor(path))
    ]
    assert not upwards, "upwards:\n" + "\n".join(upwards)


def test_solver_never_imports_strategy() -> None:
    """Not for types either: the engines know nothing of files and commands."""
    for path in FILES:
        if path.startswith("solver/"):
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                for name in asked(path, node):
                    assert name.split(".")[0] != "strategy", f"{path}:{node.lineno}"  # type: ignore[attr-defined]


@pytest.mark.parametrize("trusted", TRUSTED)
def test_what_is_trusted_stands_on_little(trusted: str) -> None:
    allowed = TRUSTED[trusted] | sys.stdlib_module_names | {trusted}
    for path in FILES:
        if path != trusted and not path.startswith(f"{trusted}/"):
            continue
        for of, way in loaded(path).items():
            top = of if of not in FILES else of.removesuffix("/__init__.py")
            stems = {top, *("/".join(top.split("/")[:n]) for n in range(2, top.count("/") + 1))}
            assert stems & allowed, "not allowed:\n" + _said(f"  {step}" for step in way)


def test_what_is_loaded_with_the_checkers() -> None:
    program = "import sys, strategy.{0}; print(*(m for m in sys.modules if m[:6] in {1}))"
    packages = ("solver", "numpy", "numba")
    for module, expected in (
        ("referee", set()),
        ("checkers.fault_finder", set()),
        ("any_form", set()),
        ("proofs.checker.check", {"solver.machine", "solver.errors"}),
    ):
        told = subprocess.run(
            [sys.executable, "-c", program.format(module, packages)],
            cwd=ROOT, capture_output=True, text=True, check=True,
        )  # fmt: skip
        loaded = {".".join(name.split(".")[:2]) for name in told.stdout.split()}
        assert {name for name in loaded if name.startswith("solver.")} <= expected
        assert expected or not loaded, "opening a strategy loads no numpy"


def test_no_folder_holds_more_than_a_dozen_modules() -> None:
    sizes = Counter(path.rpartition("/")[0] for path in FILES if not path.endswith("/__init__.py"))
    crowded = {folder: count for folder, count in sizes.items() if count > MOST_MODULES}
    assert not crowded


def test_every_folder_is_a_package() -> None:
    folders = {path.rpartition("/")[0] for path in FILES}
    assert not [folder for folder in folders if f"{folder}/__init__.py" not in FILES]
    unknown = [path for path in FILES if path.startswith("strategy/build/")]
    assert unknown, "a line of .gitignore hides it"


def test_no_name_of_a_class_stands_for_two() -> None:
    names = Counter(
        node.name
        for path in FILES
        for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert not {name: count for name, count in names.items() if count > 1}


def test_tests_mirror_the_folders() -> None:
    """Each folder of tests is one of the house; what they share lies in tests/support."""
    houses = {"tools", "support", *(str(Path(path).parent) for path in FILES)}
    houses |= {str(parent) for house in list(houses) for parent in Path(house).parents}
    for path in (ROOT / "tests").rglob("*.py"):
        assert path.parent.relative_to(ROOT / "tests").as_posix() in houses, path
        if not path.name.startswith("test_"):
            assert path.name in ("__init__.py", "conftest.py") or "support" in path.parts, path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                last = node.module.rpartition(".")[2]
                assert not last.startswith("test_"), f"{path}:{node.lineno} imports from a test"


def test_no_folder_of_tests_is_left_out(pytestconfig: pytest.Config) -> None:
    left_out = pytestconfig.getini("norecursedirs")
    for path in (ROOT / "tests").rglob("*"):
        if path.is_dir() and "__pycache__" not in path.parts:
            assert not any(path.match(pattern) for pattern in left_out), path


# ---- the map


def _map() -> dict[str, list[str]]:
    """ARCHITECTURE.md: the modules that each folder's table lists, in the order of the page."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    folder = None
    for line in text.splitlines():
        if heading := re.match(r"#+ (.*)", line):
            named = re.match(r"`([\w/]+)/`", heading[1])
            folder = named[1] if named else None
            if folder:
                found[folder] = []
        elif folder and (row := re.match(r"\| `(\w+)`(?:, `(\w+)`)* \| \S", line)):
            found[folder] += re.findall(r"`(\w+)`", row[0])
    return found


def test_the_map_names_every_module_where_it_is() -> None:
    expected: dict[str, set[str]] = {}
    for path in FILES:
        folder, _, name = path.rpartition("/")
        modules = expected.setdefault(folder, set())
        if name != "__init__.py":
            modules.add(name.removesuffix(".py"))
    expected = {folder: modules for folder, modules in expected.items() if modules}
    found = _map()
    assert {folder: set(modules) for folder, modules in found.items()} == expected
    twice = {folder: rows for folder, rows in found.items() if len(set(rows)) < len(rows)}
    assert not twice


def test_the_map_goes_through_the_house_from_the_ground_up() -> None:
    folders = [floor for floor in FLOORS if "." not in floor]
    met = [folder for folder in _map() if folder in folders]
    order = [folder for folder in folders if folder in met]
    assert met == order


def test_the_drawing_shows_the_floors() -> None:
    """The first block of code draws them: each folder and root module, in the order of FLOORS."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    drawing = re.search(r"## The floors.*?```\n(.*?)```", text, re.DOTALL)
    assert drawing
    drawn = re.findall(r"^ *((?:solver|strategy)/[\w/.]*?)/? ", drawing[1], re.MULTILINE)
    assert drawn == [floor for floor in FLOORS if not floor.endswith(("__.py", "completion.py"))]


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs"])
def test_files_that_the_docs_name_are_there(page: str) -> None:
    for path in [ROOT / page] if page.endswith(".md") else (ROOT / page).glob("*.md"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"\b(?:solver|strategy|tests|tools|docs)/[\w./-]*\w(?![\w*])", text):
            found = (ROOT / name).exists() or (ROOT / f"{name}.py").exists()
            assert found, f"{path.name} names {name}"


def test_the_lemmas_name_what_rests_on_them() -> None:
    """Behind each lemma of docs/exact.md stand modules or functions of the exact search."""
    there = set[str]()
    for path in FILES:
        if path.startswith("solver/exact/"):
            there.add(Path(path).stem)
            tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
            there |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    text = (ROOT / "docs/exact.md").read_text(encoding="utf-8")
    named = re.findall(r"^\*\*\d+a?\. [^*]+\*\* \(([^)]+)\)", text, re.MULTILINE)
    names = {name for group in named for name in re.findall(r"`(\w+)`", group)}
    assert len(named) > 10
    assert names <= there, names - there


def _imports_in_text(text: str) -> Iterator[tuple[str, str]]:
    """Modules of the house and names out of them that a text imports, line by line."""
    pattern = r"^\s*from ((?:solver|strategy)[\w.]*) import (\w+(?:, \w+)*)"
    for module, names in re.findall(pattern, text, re.MULTILINE):
        for name in names.split(", "):
            yield module, name


def test_programs_within_programs_import_what_is_there() -> None:
    """Tools and tests start programs whose text no type checker reads."""
    lost = []
    for path in [*(ROOT / "tools").rglob("*"), *(ROOT / "tests").rglob("*.py")]:
        if path.is_dir() or path.suffix in (".pyc", ".json"):
            continue
        for module, name in _imports_in_text(path.read_text(encoding="utf-8")):
            file = file_of(module)
            text = (ROOT / file).read_text(encoding="utf-8") if file else ""
            if not (file_of(f"{module}.{name}") or re.search(rf"\b{name}\b", text)):
                lost.append(f"{path.relative_to(ROOT)}: from {module} import {name}")
    assert not lost
