"""Write strategy/toolbox/kernels.json: which kernels each command needs, in which forms.

    .venv/bin/python -m tools.list_kernels
    .venv/bin/python -m tools.list_kernels --check
    .venv/bin/python -m tools.list_kernels --compile    of commands, and what tests need besides
    .venv/bin/python -m tools.list_kernels --tests      write tests/kernels.json

Each command is called as people call it, in a process of its own, and what has then been called is
listed: what its plain calls need is compiled together when it is first run, what its calls with an
option need besides when that is first asked for. ``knuthle compile`` compiles all of it, and so do
those who build wheels. What only its workers call, a call with one worker lists. What the list
names and is still there is compiled first, by all cores.

tests/kernels.json lists what tests compiled themselves, though all of that was there, since it was
written last; a run of the tests names them at its end. Written anew without that file, after a run
with an empty cache, it has nothing that is not needed.
"""

import ast
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

from solver.game.score_matrix import letter_shares
from solver.machine.cache import is_missing, sources_below
from solver.machine.dispatch import prepare
from solver.machine.forms import ArgTypes, named
from solver.machine.jit import Kernel
from solver.machine.pool import available_cores
from solver.splits.measures import fixed_log_weights
from solver.words.lists import named_list
from strategy.cli import main as run
from strategy.toolbox import machine_code
from strategy.toolbox.machine_code import CODES, LONG

ROOT = Path(__file__).parent.parent
LIST = ROOT / "strategy" / "toolbox" / "kernels.json"
#: What tests need besides; and what they compiled themselves, a line each (tests/conftest.py).
OF_TESTS, BY_TESTS = ROOT / "tests" / "kernels.json", ROOT / "build" / "kernels-of-tests"
#: What is called of each command: plainly, and then with what the words before it name. Files are
#: written into a folder that goes; a command finds there what those before it in a group have left.
CALLS: dict[str, dict[str, list[str]]] = {
    "optimal": {
        "": ["--start salet", "--start salet --workers 1"],
        "all first guesses": ["--secrets alike.txt --workers 1 --out alike"],
        "--proof": [
            "--start salet --workers 1 --proof salet-proof --out salet",
            "--secrets few.txt --within 2 --proof never --out none",
            "--secrets few.txt --guess-from candidates --proof candidates --out few-candidates",
        ],
        "--hard": ["--start salet --hard --workers 1 --out hard-salet"],
        "--within": ["--start fuzzy --within none --workers 1 --out fuzzy"],
        "--width": ["--secrets few.txt --width 2 --out beam"],
        "--state": ["--state crane.bybbb --within 3"],
        "--objective": [
            "--start crane --objective losses --within 4 --workers 1 --out crane-losses",
            "--start crane --hard --objective losses --within 4 --workers 1 --out hard-losses",
        ],
        "--opponent": [
            "--start salet --opponent adversary --workers 1",
            "--game mastermind:3x4 --opponent adversary --workers 1",
        ],
        "--weights": ["--secrets alike.txt --weights weights.txt --workers 1 --out weighed"],
        CODES: ["--game mastermind:4x5 --then worst --workers 1 --out codes-then"],
        LONG: [
            "--list long.txt --workers 1 --out long",
            "--list six.txt --workers 1 --out six",
            "--list wide.txt --start {wide} --objective worst --workers 1 --out wide-worst",
        ],
    },
    "check-proof": {"": ["salet-proof --workers 1"]},
    "solve-all": {
        "": ["--start lares"],
        "--hard": ["--start lares --hard --force"],
        "--rule": [
            "--start lares --rule entropy --out rule",
            "--start auto --secrets answers --out auto --force",
        ],
        "--guess-from": ["--secrets few.txt --guess-from candidates --out from"],
        "--within": [
            "--start salet --within 5 --hard --out within --force",
            "--start lares --rule entropy --within 6 --out within --force",
        ],
        "--rule optimal": [
            "--secrets few.txt --rule optimal --out optimal --force",
            "--start lares --rule optimal --workers 1 --out optimal --force",
        ],
        CODES: [
            "--game mastermind:3x4 --out codes",
            "--game mastermind:3x4 --rule entropy --out codes --force",
            "--game mastermind:4x5 --rule optimal --out codes --force",
        ],
        LONG: [
            "--list long.txt --out long",
            "--list long.txt --hard --out long --force",
            "--list long.txt --rule entropy --out long --force",
        ],
    },
    "sweep": {
        "": ["run --openers lares --out table --workers 1"],
        "--hard": ["run --openers lares --out hard-table --hard --workers 1"],
        "--rule": [
            "run --openers lares --out rules --rule entropy --workers 1",
            "run --openers birth,first --secrets few.txt --rule optimal --out exact --workers 1",
        ],
        "--objective": [
            "run --openers birth --secrets few.txt --rule optimal --objective worst"
            " --out worst --workers 1"
        ],
        LONG: ["run --openers {long} --list long.txt --out long-table --workers 1"],
    },
    "five-words": {"": [""]},
    "openers": {
        "": ["--top 3"],
        "--weights": ["--secrets alike.txt --weights weights.txt"],
        CODES: ["--game mastermind:4x6"],
        LONG: ["--list six.txt"],
    },
    "buckets": {
        "": ["crane"],
        "--weights": ["crane --secrets alike.txt --weights weights.txt"],
        CODES: ["1122 --game mastermind:4x6"],
        LONG: ["{long} --list long.txt"],
    },
    "pairs": {
        "": ["--top 3"],
        "--third": ["--third --top 1"],
        CODES: ["--game mastermind:3x4"],
        LONG: ["--list six.txt --third"],
    },
    "cheatsheet": {
        "": ["crane"],
        "--rule": ["crane --rule optimal"],
        CODES: ["1122 --game mastermind:4x6"],
        LONG: ["{long} --list long.txt"],
    },
    "suggest": {
        "": ["", "crane.bybbb"],
        "--hard": ["crane.bybbb --hard"],
        "--weights": ["--secrets alike.txt --weights weights.txt"],
        CODES: ["1122.1,1 --game mastermind:4x6", "--game mastermind:4x6"],
        LONG: ["--list six.txt"],
    },
    "review": {
        "": ["crane.bybbb.sloth.bbbbb.ruddy.ggggg"],
        "--secrets": ["crane moist ruddy --secret ruddy --secrets allowed"],
        "--hard": ["crane.bybbb.first.bbybb.ruddy.ggggg --hard"],
        "--weights": ["birth first --secret first --weights alike-weights.txt --secrets few.txt"],
        CODES: ["1122 1134 --secret 1134 --game mastermind:4x6"],
        LONG: [
            "{long} {long2} --secret {long2} --list long.txt",
            "{wide} {wide2} --secret {wide2} --list wide.txt --weights wide-weights.txt",
            "{wide} {wide2} --secret {wide2} --list wide.txt --secrets fewer.txt",
            "{wide} {wide2} --secret {wide2} --list wide.txt --weights fewer-weights.txt"
            " --secrets fewer.txt",
        ],
    },
    "regret": {
        "": ["crane,sloth crane.bybbb", "sloth fuzzy.bbbbb"],
        "--hard": ["sloth crane.bybbb --hard"],
        "--weights": ["first --weights alike-weights.txt --secrets few.txt"],
        CODES: ["1122 --game mastermind:4x6"],
    },
    "play": {
        "": ["", "--boards 2 --state crane.bybbb.bybbb.moist.bbbbb.bbbbb"],
        "--hard": ["--hard"],
        "--weights": ["--secrets few.txt --weights alike-weights.txt"],
        CODES: ["--game mastermind:4x6"],
        LONG: ["--list six.txt"],
    },
    "game": {
        "": ["--secret ruddy"],
        "--hard": ["--secret ruddy --hard"],
        "--adversary": ["--adversary"],
    },
    "solve": {
        "": ["ruddy"],
        "--hard": ["ruddy --hard"],
        "--rule": ["ruddy --rule minimax", "ruddy --rule entropy"],
        CODES: ["1134 --game mastermind:4x6"],
        LONG: ["{six} --list six.txt"],
    },
}
#: Commands that one process calls, those that take longest first.
GROUPS = ["optimal check-proof", "solve-all sweep", "suggest play solve review game"]
GROUPS.append(" ".join(it for it in CALLS if not any(it in group.split() for group in GROUPS)))
#: What is typed, for those commands that ask.
TYPED = {"play": "crane bybbb\nfirst bbybb\n", "game": "crane\nfirst\nruddy\n"}
#: Secrets that take a moment to be searched, for proofs.
FEW = """
birth blurb blurt burly burst dirty dowry first fjord flirt floor flour forgo forth forty forum
""".split()
#: Secrets of which most first guesses leave some that are hard to tell apart.
ALIKE = [word for word in named_list("original", "answers").words if word.endswith("er")]
#: Words of eight letters, with more scores than a byte numbers; of six, with fewer at a time; and
#: of six, of which some guess has more.
LONG_WORDS, SIX, WIDE = (
    sorted({"".join(random.Random(seed).choices(letters, k=k)) for seed in range(count)})
    for letters, k, count in (("abcdefgh", 8, 600), ("abcdefgh", 6, 150), ("abcdefg", 6, 620))
)
WORDS = {
    f"{name}{number}": word
    for name, words in (("long", LONG_WORDS), ("six", SIX), ("wide", WIDE))
    for number, word in zip(("", "2"), words, strict=False)
}


def _all_kernels() -> list[Kernel]:
    """All kernels that are loaded, by name."""
    found = {
        id(it): it
        for name, module in sorted(sys.modules.items())
        if name.startswith(("solver.", "strategy."))
        for it in list(vars(module).values())
        if isinstance(it, Kernel)
    }
    return sorted(found.values(), key=lambda it: (it.__module__, it.__qualname__))


#: The name of a kernel and a form.
Call = tuple[str, ArgTypes]
#: What commands need: of each its labels, with the kernels that no label before has.
Needed = dict[str, dict[str, list[Call]]]


def as_json(found: Needed) -> str:
    """The file: forms of tuples, each before those that it is part of; kernels; commands."""
    tuples: list[Any] = []
    numbers: dict[ArgTypes, int] = {}

    def number(form: ArgTypes) -> int | str:
        if isinstance(form, str):
            return form
        if form not in numbers:
            parts = list(map(number, form[2]))
            numbers[form] = len(tuples)
            tuples.append([form[0], form[1], parts])
        return numbers[form]

    calls = {it for of_it in found.values() for listed in of_it.values() for it in listed}
    order = sorted(calls, key=lambda it: (-_weight(it[0]), it[0], repr(it[1])))
    kernels = [[name, number(form)] for name, form in order]
    parts = []
    for key, listed in (("tuples", tuples), ("kernels", kernels)):
        parts.append(f'"{key}": [\n' + ",\n".join(map(json.dumps, listed)) + "\n]")
    commands = {
        command: {label: sorted(map(order.index, it)) for label, it in of_it.items()}
        for command, of_it in found.items()
    }
    rows = [f"{json.dumps(command)}: {json.dumps(of_it)}" for command, of_it in commands.items()]
    parts.append('"commands": {\n' + ",\n".join(rows) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _weight(name: str) -> int:
    """How much text a kernel can be made of: what takes longest to compile has most."""
    source = sys.modules[name.partition(":")[0]].__file__ or ""
    return sum(Path(it).stat().st_size for it in sources_below(source))


def needed_in(group: str) -> Needed:
    """Call the commands of a group, and see what was called by that."""
    os.environ["KNUTHLE_SETTINGS"] = ""
    found: Needed = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        files = {
            "few.txt": FEW,
            "alike.txt": ALIKE,
            "long.txt": LONG_WORDS,
            "six.txt": SIX,
            "wide.txt": WIDE,
            "fewer.txt": WIDE[:500],
            "weights.txt": _weighed(ALIKE),
            "alike-weights.txt": _weighed(FEW),
            "wide-weights.txt": _weighed(WIDE),
            "fewer-weights.txt": _weighed(WIDE[:500]),
        }
        for name, words in files.items():
            Path(name).write_text("\n".join(words), encoding="utf-8")
        for command in group.split():
            found[command] = {}
            known: set[Call] = set()
            for label, calls in CALLS[command].items():
                called = set(_called(command, [call.format(**WORDS) for call in calls]))
                found[command][label] = sorted(called - known, key=repr)
                known |= called
    return {command: {k: v for k, v in it.items() if v} for command, it in found.items()}


def _weighed(words: list[str]) -> list[str]:
    return [f"{word} {1 + at % 7}" for at, word in enumerate(words)]


def _called(command: str, calls: list[str]) -> list[Call]:
    for kernel in _all_kernels():
        kernel.entries, kernel.ready = {}, []
    for remembered in (letter_shares, fixed_log_weights):  # else a later command would not call
        remembered.cache_clear()
    for call in calls:
        sys.stdin = io.StringIO(TYPED.get(command, ""))
        begin = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            code = run([command, *call.split()])
        print(f"{time.perf_counter() - begin:6.1f} s  {command} {call}", file=sys.stderr)
        if code > 1:  # 1: it cannot be done
            raise SystemExit(f"{command} {call}: exit code {code}")
    return [
        (f"{it.__module__}:{it.__qualname__}", form)
        for it in _all_kernels()
        for form, entry in it.entries.items()
        if entry is not None
    ]


def needed() -> Needed:
    """What all commands need, found by two processes at a time."""

    def of_group(group: str) -> Needed:
        command = [sys.executable, "-m", "tools.list_kernels", "--group", group]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found: Needed = ast.literal_eval(done.stdout)
        return found

    with ThreadPoolExecutor(2) as pool:
        by_name = {name: it for found in pool.map(of_group, GROUPS) for name, it in found.items()}
    return {command: by_name[command] for command in CALLS}


def needed_by_tests() -> list[Call]:
    """What tests/kernels.json lists."""
    return machine_code.read_list(OF_TESTS)["kernels"] if OF_TESTS.exists() else []


def still_there(calls: Iterable[Call]) -> Iterator[tuple[Any, ArgTypes]]:
    """The kernels of a list with their forms, as far as there are such yet."""
    for name, form in calls:
        with contextlib.suppress(AttributeError, ImportError):
            yield named(name), form


def prepare_listed(tests: bool) -> None:
    """Compile by all cores what the lists name, as far as it is still there."""
    with contextlib.suppress(KeyError, TypeError):  # lists of another form
        of_commands = (
            it for labels in machine_code.listed_calls().values() for it in labels.values()
        )
        calls = [*chain(*of_commands), *(needed_by_tests() if tests else ())]
        there = dict.fromkeys(still_there(calls))  # several commands need the same
        by_weight = sorted(there, key=lambda it: -_weight(it[0].__module__))
        prepare(by_weight, available_cores(), lambda *_: None)
        for missing, _ in (it for it in by_weight if is_missing(*it)):
            print(f"could not be compiled: {missing.__qualname__}", file=sys.stderr)


def _write(path: Path, found: Needed) -> None:
    for name in {it[0] for of_it in found.values() for listed in of_it.values() for it in listed}:
        __import__(name.partition(":")[0])
    path.write_text(as_json(found), encoding="utf-8")


def outdated() -> list[str]:
    """The commands of which the file lists other kernels than they call."""
    listed, found = machine_code.listed_calls(), needed()
    return [
        f"{command} {label}"
        for command, of_it in found.items()
        for label in {*of_it, *listed.get(command, {})}
        if set(of_it.get(label, [])) != set(listed.get(command, {}).get(label, []))
    ]


def main() -> None:
    """Write the file, or say what in it is not so any more."""
    if sys.argv[1:2] == ["--group"]:
        print(repr(needed_in(sys.argv[2])))
        return
    if sys.argv[1:] == ["--tests"]:
        lines = BY_TESTS.read_text(encoding="utf-8").splitlines() if BY_TESTS.exists() else []
        more = sorted({*needed_by_tests(), *map(ast.literal_eval, lines)}, key=repr)
        _write(OF_TESTS, {"tests": {"": more}})
        BY_TESTS.unlink(missing_ok=True)
        return
    prepare_listed(tests=sys.argv[1:] == ["--compile"])
    if sys.argv[1:] == ["--compile"]:
        return
    if sys.argv[1:] == ["--check"]:
        raise SystemExit("".join(f"{it}: other kernels are called\n" for it in outdated()) or 0)
    _write(LIST, needed())


if __name__ == "__main__":
    main()
