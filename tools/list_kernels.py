"""Write strategy/toolbox/kernels.json: which kernels each command needs, in which forms.

    .venv/bin/python -m tools.list_kernels
    .venv/bin/python -m tools.list_kernels --check

Each command is called as people call it, in this process, and what has then been called is listed:
what its first calls need is compiled together when it is first run, what further ones need besides
by ``knuthle compile`` and for wheels. What only its workers call, a call with one worker lists.
What the list names and is still there is compiled first, by all cores.
"""

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from solver.machine.dispatch import prepare
from solver.machine.forms import ArgTypes
from solver.machine.jit import Kernel
from solver.machine.pool import available_cores
from solver.words.lists import named_list
from strategy.cli import main as run
from strategy.toolbox import machine_code

LIST = Path(__file__).parent.parent / "strategy" / "toolbox" / "kernels.json"
#: What is called of each command first; files are written into a folder that goes.
CALLS = {
    "solve-all": ["--start lares"],
    "optimal": ["--start salet", "--start salet --workers 1"],
    "five-words": [""],
    "openers": ["--top 3"],
    "buckets": ["crane"],
    "pairs": ["--top 3"],
    "cheatsheet": ["crane"],
    "suggest": ["crane.bybbb", "crane.bybbb.moist.bbbbb"],
    "review": ["crane.bybbb.sloth.bbbbb.ruddy.ggggg"],
    "play": ["", "--boards 2", "--boards 2 --state crane.bybbb.bybbb.moist.bbbbb.bbbbb"],
    "solve": ["ruddy"],
    "game": ["--secret ruddy"],
    "sweep": ["run --openers lares --out table --workers 1"],
    "check-proof": ["proof --secrets few.txt --workers 1", "never --secrets few.txt --workers 1"],
}
#: And then: in hard mode, by another rule, with a proof, which is checked afterwards.
FURTHER = {
    "pairs": ["--third --top 1"],
    "solve-all": ["--start lares --hard --force", "--start lares --rule entropy --out rule"],
    "optimal": [
        "--secrets few.txt --proof proof --out few",
        "--secrets few.txt --hard --proof hard --out few-hard",
        "--secrets few.txt --within 2 --proof never --out none",
        "--game mastermind:3x4 --out codes",
        "--secrets few.txt --width 2 --out beam",
        "--secrets few.txt --guess-from candidates --proof candidates --out few-candidates",
        "--secrets alike.txt --workers 1 --out alike",
        "--secrets few.txt --opponent adversary --workers 1",
        "--game mastermind:3x4 --opponent adversary --workers 1",
        "--secrets alike.txt --weights weights.txt --workers 1 --out weighed",
        "--list long.txt --workers 1 --out long",
        "--state crane.bybbb",
        "--start salet --hard --workers 1 --out hard-salet",
    ],
    "openers": ["--by letters"],
    "cheatsheet": ["crane --hard"],
    "suggest": ["crane.bybbb --hard", "crane.bybbb.first.bbybb --hard"],
    "review": ["crane.bybbb.first.bbybb.ruddy.ggggg --hard"],
    "play": [
        "--hard",
        "--boards 3 --state crane.bybbb.bybbb.bbbbb",
    ],
    "solve": ["ruddy --hard", "ruddy --rule minimax", "ruddy --rule entropy"],
    "game": ["--secret ruddy --hard"],
    "sweep": [
        "run --openers lares --out hard-table --hard --workers 1",
        "run --openers birth,first --secrets few.txt --rule optimal --out exact --workers 1",
    ],
    "check-proof": [
        "hard --secrets few.txt --workers 1",
        "candidates --secrets few.txt --workers 1",
    ],
}
#: What is typed, for those commands that ask.
TYPED = {"play": "crane bybbb\nfirst bbybb\n", "game": "crane\nfirst\nruddy\n"}
#: Secrets that take a moment to be searched, for proofs.
FEW = """
birth blurb blurt burly burst dirty dowry first fjord flirt floor flour forgo forth forty forum
""".split()
#: Secrets of which most first guesses leave some that are hard to tell apart.
ALIKE = [word for word in named_list("original", "answers").words if word.endswith("er")]
#: Words of eight letters, with more scores than a byte numbers.
LONG = sorted({"".join(random.Random(seed).choices("abcdefgh", k=8)) for seed in range(600)})


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


class Needed:
    """What commands need, first and further on: kernels in their forms, and how much code it is."""

    def __init__(self) -> None:
        self.first: dict[str, list[Call]] = {}
        self.further: dict[str, list[Call]] = {}
        self._sizes: dict[Call, int] = {}

    def note(self, calls_by_key: dict[str, list[Call]], command: str) -> None:
        """List what has been called in this round, unless it comes first anyway."""
        for called in _all_kernels():
            for form, entry in called.entries.items():
                call = (f"{called.__module__}:{called.__qualname__}", form)
                if entry is not None and call not in self.first.get(command, []):
                    calls_by_key.setdefault(command, []).append(call)
                    self._sizes[call] = entry.size

    def as_json(self) -> str:
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

        order = sorted(self._sizes, key=lambda it: (-self._sizes[it], it[0], repr(it[1])))
        kernels = [[name, number(form)] for name, form in order]
        parts = []
        for key, rows in (("tuples", tuples), ("kernels", kernels)):
            parts.append(f'"{key}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]")
        for key, calls_by_key in (("commands", self.first), ("further", self.further)):
            listed = {it: sorted(map(order.index, of_it)) for it, of_it in calls_by_key.items()}
            parts.append(f'"{key}": {json.dumps(listed)}')
        return "{\n" + ",\n".join(parts) + "\n}\n"


def needed() -> Needed:
    """Call everything, and see what was called by that."""
    os.environ["KNUTHLE_SETTINGS"] = ""
    found = Needed()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        weighed = [f"{word} {1 + at % 7}" for at, word in enumerate(ALIKE)]
        files = {"few.txt": FEW, "alike.txt": ALIKE, "weights.txt": weighed, "long.txt": LONG}
        for name, words in files.items():
            Path(name).write_text("\n".join(words), encoding="utf-8")
        for command, calls in CALLS.items():
            _call(command, calls)
            found.note(found.first, command)
            _call(command, FURTHER.get(command, []))
            found.note(found.further, command)
    return found


def _call(command: str, calls: list[str]) -> None:
    for called in _all_kernels():
        called.entries, called.ready = {}, []
    for call in calls:
        sys.stdin = io.StringIO(TYPED.get(command, ""))
        begin = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            code = run([command, *call.split()])
        print(f"{time.perf_counter() - begin:6.1f} s  {command} {call}", file=sys.stderr)
        if code > 1:  # 1: it cannot be done
            raise SystemExit(f"{command} {call}: exit code {code}")


def prepare_listed() -> None:
    """Compile by all cores what the list names, as far as it is still there."""
    commands = machine_code.commands_with_kernels()
    with contextlib.suppress(AttributeError, ImportError, KeyError):
        wanted = machine_code.kernels_of(commands)
        prepare(wanted, available_cores(), lambda *_: None)


def outdated() -> list[str]:
    """The commands of which the file lists other kernels than they call."""
    found = needed()
    listed = machine_code.kernels_of
    return [
        command
        for command, first in found.first.items()
        if {_named(*it) for it in listed([command], further=False)} != set(first)
        or {_named(*it) for it in listed([command])} != {*first, *found.further.get(command, [])}
    ]


def _named(called: Kernel, form: ArgTypes) -> Call:
    return f"{called.__module__}:{called.__qualname__}", form


def main() -> None:
    """Write the file, or say what in it is not so any more."""
    prepare_listed()
    if sys.argv[1:] == ["--check"]:
        raise SystemExit("".join(f"{it}: other kernels are called\n" for it in outdated()) or 0)
    LIST.write_text(needed().as_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
