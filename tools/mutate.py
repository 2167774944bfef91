"""Mutation testing: change the program in places drawn by chance, and see whether a test notices.

    .venv/bin/python tools/mutate.py [--number N] [--seed TEXT] [--only FILE-OR-FOLDER…] [--jobs N]

Of all that compares, counts, combines, decides or calls in ``solver`` and ``strategy`` so many
places are drawn, by today's date unless another seed is given, and changed one at a time in a copy
of the project. The tests that are not slow run on it: first those of the folder and those that name
the module, and where these notice nothing all others of both packages. What nothing notices is a
survivor, printed with its line, unless ``mutants.txt`` beside this file says why it may live.
Two hundred take a night.
"""

import argparse
import ast
import copy
import datetime
import os
import queue
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Lock
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("solver", "strategy")
WHOLE = ("tests/solver", "tests/strategy")
#: Survivors that may live, and why, below their files.
EXPLAINED = Path(__file__).with_name("mutants.txt")
#: A mutant that does not end in so many seconds is noticed, by the tests near to it and by all.
NEAR, ALL = 900, 3600
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-m", "not slow and not long")
#: What looks at the sources themselves.
OF_SOURCES = "tests/strategy/test_machine_code.py"
COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
COMBINED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
CALLED = {"min": "max", "max": "min", "all": "any", "any": "all"}


class Mutant(NamedTuple):
    """A change: the file, the place in it, what stands there, and what is to stand there."""

    file: str
    line: int
    #: Where it begins and ends, in bytes of the file.
    place: tuple[int, int]
    before: str
    after: str
    text: str

    @property
    def change(self) -> str:
        """What is changed."""
        return f"{self.before} → {self.after}"

    @property
    def source(self) -> bytes:
        """The changed file."""
        whole = (ROOT / self.file).read_bytes()
        return whole[: self.place[0]] + self.after.encode() + whole[self.place[1] :]


def mutants(file: str, source: str) -> Iterator[Mutant]:
    """All the changes of a file."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    nodes = list(ast.walk(ast.parse(source)))
    left_out = {id(inner) for node in nodes for part in _words_of(node) for inner in ast.walk(part)}
    for node in nodes:
        for part, after in () if id(node) in left_out else changes(node):
            first, last = part.lineno, part.end_lineno or part.lineno
            end = starts[last - 1] + (part.end_col_offset or 0)
            place = starts[first - 1] + part.col_offset, end
            before = source.encode()[place[0] : end].decode()
            yield Mutant(file, first, place, before, after, lines[first - 1].strip())


def _words_of(node: ast.AST) -> Iterator[ast.AST]:
    """What is not changed: texts that are put together, how a function is compiled, types."""
    if isinstance(node, ast.JoinedStr):
        yield node
    elif isinstance(node, ast.FunctionDef):
        yield from node.decorator_list
        yield from filter(None, [node.returns])
    elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation:
        yield node.annotation


Part = ast.expr | ast.stmt


def changes(node: ast.AST) -> Iterator[tuple[Part, str]]:
    """The ways in which a node is changed: the part of it, and what takes its place."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            for new in COMPARED[type(op)]:
                yield node, _with(node, ops=[*node.ops[:at], new(), *node.ops[at + 1 :]])
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in COMBINED:
        yield node, _with(node, op=COMBINED[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            yield node, _with(node, values=[*node.values[:at], *node.values[at + 1 :]])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"bool({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, str(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield node.func, CALLED[node.func.id]
    elif isinstance(node, ast.If | ast.IfExp):
        yield node.test, "False"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield node, "pass"


def _with(node: Part, **changed: object) -> str:
    """The text of a node with other fields."""
    twin = copy.copy(node)
    for name, value in changed.items():
        setattr(twin, name, value)
    text = ast.unparse(twin)
    return text if isinstance(node, ast.stmt) else f"({text})"


def explained() -> set[tuple[str, str]]:
    """File and change of the survivors that may live."""
    found, file = set(), ""
    for row in EXPLAINED.read_text(encoding="utf-8").splitlines():
        if row.startswith(" "):
            found.add((file, row.strip().rpartition(" :: ")[0]))
        else:
            file = row
    return found


@cache
def near(file: str) -> tuple[str, ...]:
    """The tests of a file's folder, and those that name its module."""
    module = file.removesuffix(".py").replace("/", ".")
    package, _, name = module.rpartition(".")
    words = (module, f"from {package} import {name}")
    folder = ROOT / "tests" / Path(file).parent
    while not folder.is_dir():  # kernels are tested with what calls them
        folder = folder.parent
    found = set[str]()
    for path in sorted(ROOT.glob("tests/**/test_*.py")):
        test = path.relative_to(ROOT).as_posix()
        if test.startswith(("tests/solver/", "tests/strategy/")) and test != OF_SOURCES:
            text = path.read_text(encoding="utf-8")
            if path.parent == folder or any(it in text for it in words):
                found.add(test)
    named = f"test_{name}.py"  # what has its name notices most
    return tuple(sorted(found, key=lambda it: (not it.endswith(named), it)))


def passes(folder: Path, tests: tuple[str, ...], seconds: float) -> bool:
    """Whether tests notice nothing in a copy of the project."""
    command = [sys.executable, "-m", "pytest", *OPTIONS, f"--ignore={OF_SOURCES}", *tests]
    quiet = subprocess.DEVNULL
    settings = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    running = subprocess.Popen(
        command, cwd=folder, env=settings, stdin=quiet, stdout=quiet, stderr=quiet,
        start_new_session=True,
    )  # fmt: skip
    try:
        return running.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        if running.poll() is None:
            os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def drawn(only: list[str], number: int, seed: str) -> list[Mutant]:
    """So many of the changes of some files, all that have no reason to live."""
    files = {it for name in only for it in [ROOT / name, *(ROOT / name).rglob("*.py")]}
    names = sorted(it.relative_to(ROOT).as_posix() for it in files if it.is_file())
    known = explained()
    found = [
        it
        for name in names
        for it in mutants(name, (ROOT / name).read_text(encoding="utf-8"))
        if (name, it.change) not in known
    ]
    return random.Random(seed).sample(found, min(number, len(found)))


def main() -> int:
    """Try some mutants; the exit code is 1 if one survives."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--number", type=int, default=200, metavar="N")
    parser.add_argument("--seed", default=datetime.date.today().isoformat(), metavar="TEXT")
    parser.add_argument("--only", nargs="+", default=list(PACKAGES), metavar="FILE-OR-FOLDER")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    args = parser.parse_args()
    some = drawn(args.only, args.number, args.seed)
    print(f"{len(some)} mutants, --seed {args.seed}", flush=True)
    with tempfile.TemporaryDirectory() as base, ThreadPoolExecutor(args.jobs) as pool:
        free: queue.Queue[Path] = queue.Queue()
        left_out = shutil.ignore_patterns(".git", ".venv*", "__pycache__", "build")
        same, *changed = (
            Path(shutil.copytree(ROOT, Path(base) / str(number), ignore=left_out))
            for number in range(args.jobs + 1)
        )
        for folder in changed:
            free.put(folder)
        asked = Lock()

        @cache
        def hold(tests: tuple[str, ...], seconds: float) -> bool:
            if fit := passes(same, tests, seconds):
                return fit
            print(f"left out, since they fail without a change: {' '.join(tests)}", flush=True)
            return False

        def notice_nothing(folder: Path, tests: tuple[str, ...], seconds: float) -> bool:
            with asked:
                fit = hold(tests, seconds)
            return not fit or passes(folder, tests, seconds)

        def lives(mutant: Mutant) -> bool:
            folder = free.get()
            path = folder / mutant.file
            path.write_bytes(mutant.source)
            alive = notice_nothing(folder, near(mutant.file), NEAR)
            alive = alive and notice_nothing(folder, WHOLE, ALL)
            shutil.copyfile(ROOT / mutant.file, path)
            free.put(folder)
            return alive

        survivors = 0
        for mutant, alive in zip(some, pool.map(lives, some), strict=True):
            if alive:
                survivors += 1
                print(f"{mutant.file}:{mutant.line}: {mutant.text}")
                print(f"        {mutant.change}", flush=True)
    print(f"{survivors} of {len(some)} live")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
