"""Mutation testing of the trusted checkers: change a line, and see whether a test notices.

    python tools/mutate.py [--only FILE…] [--lines FROM-TO] [--changes TEXT] [--jobs N]
        [--explained]

Every line of the checkers that compares, counts, combines, decides or calls is changed in all the
ways below, one at a time, in a copy of the project; the tests of that file that are not slow
run on it without compilation.
What no test notices is a survivor, printed with its line, unless ``mutants.txt`` beside this file
says why it may live; with ``--explained`` just these are tried, and those are printed that are
noticed after all (of several on one line that read the same, if all are). Run by hand: all files
take half an hour with two jobs.
"""

import argparse
import ast
import copy
import importlib
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
LEMMAS, STEPS, STATED, LISTS, READ = (
    f"tests/strategy/proofs/test_{name}.py"
    for name in ("lemmas", "steps", "statements", "lists", "proof_file")
)
ENVELOPE, WEIGHTS = "tests/strategy/files/test_envelope.py", "tests/strategy/cli/test_weights.py"
#: File → the tests that are to notice, those first that notice most.
TESTS = {
    "strategy/checkers/proof.py": (STATED, STEPS, READ, LISTS, LEMMAS),
    "strategy/checkers/lemmas.py": (LEMMAS, STEPS, LISTS, STATED),
    "strategy/checkers/lists.py": (
        "tests/strategy/checkers/test_lists.py",
        "tests/strategy/test_games.py",
        LISTS,
    ),
    "strategy/checkers/verify.py": (
        "tests/strategy/test_games.py",
        "tests/strategy/checkers/test_verify.py",
        "tests/strategy/checkers/test_lists.py",
        f"{ENVELOPE}::test_a_key_stands_once_and_is_a_text",
        f"{ENVELOPE}::test_the_limits_are_just_where_they_are_stated",
        f"{WEIGHTS}::test_both_readers_of_weights_say_the_same",
        f"{WEIGHTS}::test_the_checker_weighs_as_the_search_does",
    ),
}
#: Survivors that may live, and why: by file, line and change, each indented below the one before.
EXPLAINED = Path(__file__).with_name("mutants.txt")
#: A mutant that does not end is noticed too: so many times as long as the tests take as it is.
PATIENCE = 4
#: What every run needs is imported once; each run is a fork.
SHARED = ("numpy", "numba", "pytest", "msgpack", "hypothesis")
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "--assert=plain")

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


class Mutant(NamedTuple):
    """A changed source: where, the text of the line, what is changed, and the whole of it."""

    line: int
    text: str
    change: str
    source: str


def mutants(source: str) -> Iterator[Mutant]:
    """All the changes of a source, one at a time."""
    lines = source.splitlines()
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    left_out = {id(inner) for node in nodes for inner in _words_of(node)}
    for number, node in enumerate(nodes):
        if id(node) in left_out:
            continue
        for what, change in changes(node):
            changed = copy.deepcopy(tree)
            twin = list(ast.walk(changed))[number]
            before = ast.unparse(node).partition("\n")[0]
            change(twin)
            line = getattr(node, "lineno", 0)
            text = lines[line - 1].strip()
            yield Mutant(line, text, f"{before[:60]} → {what}", ast.unparse(changed))


def _words_of(node: ast.AST) -> Iterator[ast.AST]:
    """What is not changed: the text of an error, how a function is compiled, and its types."""
    if isinstance(node, ast.Raise):
        yield from (part for inner in ast.walk(node) for part in _inside_text(inner))
    elif isinstance(node, ast.FunctionDef):
        yield from (inner for decorator in node.decorator_list for inner in ast.walk(decorator))
        arguments = (argument.annotation for argument in ast.walk(node.args) if _has_type(argument))
        yield from (
            inner for kind in (*arguments, node.returns) if kind for inner in ast.walk(kind)
        )


def _has_type(node: ast.AST) -> bool:
    return isinstance(node, ast.arg) and node.annotation is not None


def _inside_text(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.JoinedStr):
        yield from ast.walk(node)


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
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        other = not node.value if isinstance(node.value, bool) else node.value + 1
        yield f"{other}", lambda twin: setattr(twin, "value", other)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = {"min": "max", "max": "min", "all": "any", "any": "all"}.get(node.func.id)
        if name:
            yield name, lambda twin: setattr(twin.func, "id", name)
    else:
        yield from _passed_over(node)


def _passed_over(node: ast.AST) -> Iterator[tuple[str, object]]:
    """What is decided or done is not."""
    if isinstance(node, ast.If | ast.IfExp):
        yield "never", lambda twin: setattr(twin, "test", ast.Constant(False))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield "left out", lambda twin: setattr(twin, "value", ast.Constant(None))


def _as_bool(node: ast.UnaryOp) -> None:
    """``not x`` becomes ``not not x``."""
    node.op = ast.Not()
    node.operand = ast.UnaryOp(ast.Not(), node.operand)


def _is_type(node: ast.BinOp | ast.AugAssign) -> bool:
    return "None" in ast.unparse(node) or "object" in ast.unparse(node)


def new_copy(folder: Path) -> Path:
    """A copy of what the tests need."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".git", ".venv*", "__pycache__"))
    return folder


def explained() -> dict[tuple[str, str, str], str]:
    """File, line and change of the survivors that may live → why."""
    found, file, line = {}, "", ""
    for row in EXPLAINED.read_text().splitlines():
        text = row.strip()
        if not text or text.startswith("#"):
            continue
        depth = len(row) - len(row.lstrip())
        if depth == 0:
            file = text
        elif depth == 4:
            line = text
        else:
            change, _, why = text.rpartition(" :: ")
            found[file, line, change] = why
    return found


def start(folder: Path, name: str, source: str) -> int:
    """Run the tests of a file on a changed source in a copy; the process that does it."""
    (folder / name).write_text(source)
    process = os.fork()
    if process:
        return process
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    code = 1
    try:
        pytest = importlib.import_module("pytest")
        code = pytest.main([*OPTIONS, *TESTS[name]])
    finally:
        os._exit(code)


def survivors(
    base: Path, jobs: int, name: str, found: list[Mutant], seconds: float
) -> Iterator[Mutant]:
    """Those of the mutants of a file that no test notices in some seconds, as they are found."""
    free = [base / str(number) for number in range(jobs)]
    running: dict[int, tuple[Path, Mutant, float]] = {}
    waiting = found[::-1]
    while waiting or running:
        while waiting and free:
            mutant, folder = waiting.pop(), free.pop()
            running[start(folder, name, mutant.source)] = folder, mutant, time.monotonic()
        time.sleep(0.02)
        for process, (folder, mutant, since) in list(running.items()):
            if time.monotonic() - since > seconds:
                os.killpg(process, signal.SIGKILL)
                os.waitpid(process, 0)
            else:
                ended, status = os.waitpid(process, os.WNOHANG)
                if not ended:
                    continue
                if status == 0:
                    yield mutant
            del running[process]
            (folder / name).write_text((ROOT / name).read_text())
            free.append(folder)


def main() -> int:
    """Try all mutants; the exit code is 1 if one survives without a reason, or a reason is idle."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", default=list(TESTS), metavar="FILE")
    parser.add_argument("--lines", default="0-100000", metavar="FROM-TO")
    parser.add_argument("--changes", default="", metavar="TEXT", help="those whose text has this")
    parser.add_argument("--jobs", type=int, default=2, metavar="N")
    parser.add_argument("--explained", action="store_true", help="those that may live")
    args = parser.parse_args()
    first, last = map(int, args.lines.split("-"))
    os.environ |= {"NUMBA_DISABLE_JIT": "1"}
    sys.dont_write_bytecode = True
    for module in SHARED:
        importlib.import_module(module)
    reasons, faults = explained(), 0
    with tempfile.TemporaryDirectory() as base:
        for number in range(args.jobs):
            new_copy(Path(base) / str(number))
        for name in args.only:
            source = (ROOT / name).read_text()
            whole = Mutant(0, "", "unchanged", source)
            since = time.monotonic()
            if not list(survivors(Path(base), 1, name, [whole], 3600)):
                print(f"{name}: its tests fail as it is")
                return 2
            everything = list(mutants(source))
            there = {(name, it.text, it.change) for it in everything}
            idle = [reason for reason in reasons if reason[0] == name and reason not in there]
            found = [
                it
                for it in everything
                if first <= it.line <= last
                and args.changes in it.change
                and ((name, it.text, it.change) in reasons) == args.explained
            ]
            seconds = PATIENCE * (5 + time.monotonic() - since)
            lived = set()
            for mutant in survivors(Path(base), args.jobs, name, found, seconds):
                lived.add(mutant)
                if not args.explained:
                    print(
                        f"{name}:{mutant.line}: {mutant.text}\n        {mutant.change}", flush=True
                    )
            if args.explained:
                alive = {(name, it.text, it.change) for it in lived}
                tried = dict.fromkeys((name, it.text, it.change) for it in found)
                idle += [reason for reason in tried if reason not in alive]
            for _, text, change in idle:
                print(f"{name}: a reason for nothing: {text}\n        {change}", flush=True)
            print(f"{name}: {len(found)} mutants, {len(lived)} live", flush=True)
            faults += len(idle) + (0 if args.explained else len(lived))
    print(f"{faults} live without a reason, or have one for nothing")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
