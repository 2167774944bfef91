"""Write strategy/toolbox/kernels.json: which kernels each command needs, in which forms.

    .venv/bin/python -m tools.list_kernels

Each command is called as people call it, in this process, and what has then been called is listed.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from solver.machine.forms import Form
from solver.machine.jit import Door
from strategy.cli import main as run

LIST = Path(__file__).parent.parent / "strategy" / "toolbox" / "kernels.json"
#: What is called of each command; files are written into a folder that goes.
CALLS = {
    "solve-all": ["--start lares"],
    "optimal": ["--start salet"],
    "sweep": ["run --openers lares,salet --workers 1 --out s.sqlite"],
    "five-words": [""],
    "openers": ["--top 3"],
    "buckets": ["crane"],
    "pairs": ["--top 3"],
    "triples": ["--top 3"],
    "cheatsheet": ["crane"],
    "suggest": ["crane.bybbb", "crane.bybbb.moist.bbbbb"],
    "review": ["crane.bybbb.sloth.bbbbb.ruddy.ggggg"],
    "play": ["", "--boards 2"],
    "game": ["--secret ruddy"],
}  # fmt: skip
#: What is typed, for those commands that ask.
TYPED = {"play": "crane bybbb\nsloth bbbbb\n", "game": "crane\nsloth\nruddy\n"}


def _doors() -> list[Door]:
    """All kernels that are loaded, by name."""
    found = {
        id(it): it
        for name, module in sorted(sys.modules.items())
        if name.startswith(("solver.", "strategy."))
        for it in list(vars(module).values())
        if isinstance(it, Door)
    }
    return sorted(found.values(), key=lambda it: (it.__module__, it.__qualname__))


#: The name of a kernel and a form.
Call = tuple[str, Form]


def needed() -> tuple[dict[str, list[Call]], dict[Call, int]]:
    """The kernels of each command in their forms, and how much code each is."""
    told: dict[str, list[Call]] = {}
    sizes: dict[Call, int] = {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for command, calls in CALLS.items():
            for door in _doors():
                door.entries, door.ready = {}, []
            for call in calls:
                sys.stdin = io.StringIO(TYPED.get(command, ""))
                with contextlib.redirect_stdout(io.StringIO()):
                    code = run([command, *call.split()])
                if code:
                    raise SystemExit(f"{command} {call}: exit code {code}")
            for door in _doors():
                for form, entry in door.entries.items():
                    if entry is not None:
                        name = f"{door.__module__}:{door.__qualname__}"
                        told.setdefault(command, []).append((name, form))
                        sizes[name, form] = entry.size
    return told, sizes


def as_json(told: dict[str, list[Call]], sizes: dict[Call, int]) -> str:
    """The file: forms of tuples, each before those that it is part of; kernels; and commands."""
    tuples: list[Any] = []
    numbers: dict[Form, int] = {}

    def number(form: Form) -> int | str:
        if isinstance(form, str):
            return form
        if form not in numbers:
            parts = list(map(number, form[2]))
            numbers[form] = len(tuples)
            tuples.append([form[0], form[1], parts])
        return numbers[form]

    order = sorted(sizes, key=lambda it: (-sizes[it], it[0], repr(it[1])))
    kernels = [[name, number(form)] for name, form in order]
    commands = {it: sorted(map(order.index, of_it)) for it, of_it in told.items()}
    parts = []
    for key, rows in (("tuples", tuples), ("kernels", kernels)):
        parts.append(f'"{key}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]")
    return "{\n" + ",\n".join(parts) + f',\n"commands": {json.dumps(commands)}\n}}\n'


def main() -> None:
    """Write the file."""
    LIST.write_text(as_json(*needed()), encoding="utf-8")


if __name__ == "__main__":
    main()
