"""The layout of the program: who may import whom, and that documents name what exists."""

import re
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support import ROOT, said_by
from tests.support.imports import FILES, circle, file_of, imports, loaded

#: From the ground up: whatever stands in a line imports nothing that is listed after it.
#: A folder stands for all modules in it (its ``__init__`` too) that are not listed by themselves.
FLOORS = """
solver/__init__.py
solver/errors.py
solver/choices.py
solver/shown.py
solver/words
solver/memory_limits.py
solver/tree.py
solver/machine
solver/game
solver/splits
solver/rules
solver/word_sets
solver/exact/__init__.py
solver/exact/kernels
solver/exact
solver/advice
strategy/errors.py
strategy/files/__init__.py
strategy/files/text.py
strategy/checkers/__init__.py
strategy/checkers/lists.py
strategy/checkers/verify.py
strategy/checkers
strategy/files
strategy/tree.py
strategy/exports.py
strategy/columns.py
strategy/foreign
strategy/web
strategy/pictures
strategy/proofs
strategy/verification.py
strategy/toolbox/machine_code.py
strategy/solving
strategy/toolbox
strategy/sweep
strategy/play
strategy/cli
strategy/entry.py
strategy/__init__.py
strategy/__main__.py
knuthle
""".split()

_READERS = {"strategy/errors.py", "strategy/files/__init__.py", "strategy/files/text.py"}
_VERIFY = {*_READERS, "strategy/checkers/lists.py", "msgpack"}
#: What is trusted depends on little: all that may be loaded with it, through whatever it imports.
TRUSTED = {
    "strategy/checkers/lists.py": _READERS,
    "strategy/checkers/verify.py": _VERIFY,
    "strategy/files": {*_VERIFY, "strategy/checkers/verify.py", "strategy/files"},
    "strategy/checkers": {
        *_VERIFY, "strategy/checkers", "solver/errors.py", "solver/machine", "numba", "llvmlite",
        "numpy",
    },
}  # fmt: skip


@cache
def _floor(path: str) -> str:
    """The line of FLOORS in which a file stands: its own, or that of the nearest folder."""
    stem = path
    while stem not in FLOORS:
        assert "/" in stem, f"{path} stands on no floor: list it, or its folder, in FLOORS"
        stem = stem.rpartition("/")[0]
    return stem


def test_nothing_imports_what_is_listed_after_it() -> None:
    """Nor in a circle; and ``solver`` nothing of ``strategy``, not for types either."""
    assert not circle(), "in a circle: " + ", ".join(circle())
    upwards = [
        str(step)
        for path in FILES
        for step in imports(path)
        if step.of in FILES and FLOORS.index(_floor(step.of)) > FLOORS.index(_floor(path))
    ]
    assert not upwards, "upwards:\n" + "\n".join(upwards)
    steps = (step for path in FILES for step in imports(path, types=True))
    assert not [step for step in steps if (step.path[:7], step.of[:8]) == ("solver/", "strategy")]


@pytest.mark.parametrize("trusted", TRUSTED)
def test_what_is_trusted_stands_on_little(trusted: str) -> None:
    allowed = TRUSTED[trusted] | sys.stdlib_module_names | {trusted}
    for path in FILES:
        if path != trusted and not path.startswith(f"{trusted}/"):
            continue
        for of, way in loaded(path).items():
            top = of if of not in FILES else of.removesuffix("/__init__.py")
            stems = {top, *("/".join(top.split("/")[:n]) for n in range(2, top.count("/") + 1))}
            assert stems & allowed, "not allowed:\n" + "\n".join(f"  {step}" for step in way)


def test_what_is_loaded_with_the_checkers() -> None:
    program = "import sys, strategy.{0}; print(*(m for m in sys.modules if m[:6] in {1}))"
    packages = ("solver", "numpy", "numba")
    machine = {"solver.machine", "solver.errors"}
    for module, expected in (
        ("checkers.verify", set()), ("verification", set()), ("checkers.proof", machine),
    ):  # fmt: skip
        names = said_by(program.format(module, packages)).split()
        loaded = {".".join(name.split(".")[:2]) for name in names}
        assert {name for name in loaded if name.startswith("solver.")} <= expected
        assert expected or not loaded, "opening a strategy loads no numpy"


def test_every_folder_is_a_package_and_every_floor_is_there() -> None:
    assert sorted({_floor(path) for path in FILES}) == sorted(FLOORS)
    folders = {path.rpartition("/")[0] for path in FILES}
    assert not [folder for folder in folders if f"{folder}/__init__.py" not in FILES]
    unknown = [path for path in FILES if path.startswith("strategy/solving/")]
    assert unknown, "a line of .gitignore hides it"


def test_no_folder_of_tests_is_left_out(pytestconfig: pytest.Config) -> None:
    left_out = pytestconfig.getini("norecursedirs")
    for path in (ROOT / "tests").rglob("*"):
        if path.is_dir() and "__pycache__" not in path.parts:
            assert not any(path.match(pattern) for pattern in left_out), path


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs"])
def test_files_that_the_docs_name_are_there(page: str) -> None:
    for path in [ROOT / page] if page.endswith(".md") else (ROOT / page).glob("*.md"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"\b(?:solver|strategy|tests|tools|docs)/[\w./-]*\w(?![\w*])", text):
            found = (ROOT / name).exists() or (ROOT / f"{name}.py").exists()
            assert found, f"{path.name} names {name}"


def test_the_lemmas_name_what_rests_on_them() -> None:
    """Behind each lemma of docs/exact.md stand modules or functions; proofs number them alike."""
    there = set[str]()
    for path in FILES:
        if path.startswith("solver/exact/"):
            there.add(Path(path).stem)
            text = (ROOT / path).read_text(encoding="utf-8")
            there.update(re.findall(r"^ *def (\w+)", text, re.MULTILINE))
    text = (ROOT / "docs/exact.md").read_text(encoding="utf-8")
    named = re.findall(r"^\*\*\d+a?\. [^*]+\*\* \(([^)]+)\)", text, re.MULTILINE)
    names = {name for group in named for name in re.findall(r"`(\w+)`", group)}
    assert len(named) > 10
    assert names <= there, names - there
    searched = dict(re.findall(r"^\*\*(\d+a?)\. ([^*]+)\*\*", text, re.MULTILINE))
    text = (ROOT / "docs/proof-format.md").read_text(encoding="utf-8")
    checked = dict(re.findall(r"^\*\*Lemma (\d+a?) \(([^)]+)\)", text, re.MULTILINE))
    assert len(checked) == 10
    assert checked.items() <= {at: name.lower() for at, name in searched.items()}.items()


def test_programs_within_programs_import_what_is_there() -> None:
    """Tools and tests start programs whose text no type checker reads."""
    lost = []
    pattern = r"^\s*from ((?:solver|strategy)[\w.]*) import (\w+(?:, \w+)*)"
    for path in [*(ROOT / "tools").rglob("*"), *(ROOT / "tests").rglob("*.py")]:
        if path.is_dir() or path.suffix in (".pyc", ".json"):
            continue
        for module, names in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE):
            file = file_of(module)
            text = (ROOT / file).read_text(encoding="utf-8") if file else ""
            for name in names.split(", "):
                if not (file_of(f"{module}.{name}") or re.search(rf"\b{name}\b", text)):
                    lost.append(f"{path.relative_to(ROOT)}: from {module} import {name}")
    assert not lost
