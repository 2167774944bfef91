"""Mutation testing of the trusted checkers: change a line, and see whether a test notices.

    python tools/mutate.py [--only FILE…] [--lines FROM-TO] [--jobs N]

Every line of the checkers that compares, counts or combines is changed in all the ways below, one
at a time, in a copy of the project; the quick tests of that file run on it without compilation.
What no test notices is a survivor, printed with its line. Run by hand: it takes an hour.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).resolve().parents[1]
CHECKER = "strategy/proofs/checker"
PROOFS = tuple(f"tests/strategy/proofs/test_{name}.py" for name in ("lemmas", "steps", "lists"))
#: File → the tests that are to notice.
TESTS = {"strategy/referee.py": ("tests/strategy/test_games.py", PROOFS[-1])}
TESTS |= {
    f"{CHECKER}/{name}.py": PROOFS
    for name in ("board", "bounds", "check", "facts", "parts", "refutations", "steps")
}
TESTS[f"{CHECKER}/proof_file.py"] = (*PROOFS, "tests/strategy/proofs/test_proof_file.py")
#: A mutant that does not end is noticed too.
PATIENCE = 120

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
COMBINED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Line, what is changed, and the whole changed source."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    for number, node in enumerate(nodes):
        for what, change in changes(node):
            changed = copy.deepcopy(tree)
            twin = list(ast.walk(changed))[number]
            before = ast.unparse(node)
            change(twin)
            line = getattr(node, "lineno", 0)
            yield line, f"{before[:60]}  →  {what}", ast.unparse(changed)


def changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    """The ways in which a node of the syntax tree is changed."""
    if isinstance(node, ast.Compare):
        for at, op in enumerate(node.ops):
            for new in COMPARED.get(type(op), ()):
                yield new.__name__, lambda twin, at=at, new=new: twin.ops.__setitem__(at, new())
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in COMBINED:
        if isinstance(node.op, ast.BitOr) and _is_type(node):
            return
        new_op = COMBINED[type(node.op)]
        yield new_op.__name__, lambda twin: setattr(twin, "op", new_op())
    elif isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            yield f"without its part {at + 1}", lambda twin, at=at: twin.values.pop(at)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "its contrary", lambda twin: setattr(twin, "op", ast.UAdd()) or _as_bool(twin)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value + 1}", lambda twin: setattr(twin, "value", twin.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield f"{not node.value}", lambda twin: setattr(twin, "value", not twin.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        other = {"min": "max", "max": "min", "all": "any", "any": "all"}.get(node.func.id)
        if other:
            yield other, lambda twin: setattr(twin.func, "id", other)


def _as_bool(node: ast.UnaryOp) -> None:
    """``not x`` becomes ``not not x``."""
    node.op = ast.Not()
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _is_type(node: ast.BinOp | ast.AugAssign) -> bool:
    return "None" in ast.unparse(node) or "object" in ast.unparse(node)


def new_copy(folder: Path) -> Path:
    """A copy of what the tests need, with few lanes: without compilation they cost time each."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__"))
    board = folder / CHECKER / "board.py"
    board.write_text(board.read_text().replace("LANES = 256", "LANES = 16"))
    return folder


def survives(folder: Path, name: str, source: str) -> bool:
    """Whether no test notices a changed source; the copy is mended afterwards."""
    place = folder / name
    whole = place.read_text()
    place.write_text(source.replace("LANES = 256", "LANES = 16"))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *TESTS[name]]
    surroundings = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    surroundings["PYTHONPATH"] = str(folder)
    with subprocess.Popen(
        command,
        cwd=folder,
        env=surroundings,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as run:
        try:
            return run.wait(PATIENCE) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return False
        finally:
            place.write_text(whole)


def main() -> int:
    """Try all mutants; the exit code is 1 if one survives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=list(TESTS), metavar="FILE")
    parser.add_argument("--lines", default="0-100000", metavar="FROM-TO")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    args = parser.parse_args()
    first, last = map(int, args.lines.split("-"))
    survivors = tried = 0
    with tempfile.TemporaryDirectory() as base, ThreadPoolExecutor(args.jobs) as pool:
        copies: Queue[Path] = Queue()
        for number in range(args.jobs):
            copies.put(new_copy(Path(base) / str(number)))

        def attempt(name: str, source: str) -> bool:
            folder = copies.get()
            try:
                return survives(folder, name, source)
            finally:
                copies.put(folder)

        for name in args.only:
            if survives(Path(base) / "0", name, (ROOT / name).read_text()) is False:
                print(f"{name}: its tests fail as it is")
                return 2
            found = [m for m in mutants((ROOT / name).read_text()) if first <= m[0] <= last]
            runs = [pool.submit(attempt, name, source) for _, _, source in found]
            for (line, what, _), run in zip(found, runs, strict=True):
                tried += 1
                if run.result():
                    survivors += 1
                    print(f"{name}:{line}: {what}", flush=True)
            print(f"{name}: {len(found)} mutants", flush=True)
    print(f"{survivors} of {tried} survive")
    return int(survivors > 0)


if __name__ == "__main__":
    sys.exit(main())
