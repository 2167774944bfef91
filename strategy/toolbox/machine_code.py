"""The machine code that commands need, compiled beforehand on all cores.

``kernels.json`` lists the kernels of each command and the types of arguments they are called with
(``tools/list_kernels`` writes it from what a few calls of each command need). It is only ever a
help: what is not in it is compiled when it is called for. Of each command it has what plain calls
need, and under labels what further ones need besides: of options, of long words, of Mastermind.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from solver.errors import CouldNotFinishError, WrongInputError

from ..files.text import quoted

_LIST = Path(__file__).with_name("kernels.json")
#: Labels of what no option chooses: kinds of games.
LONG, CODES = "words of six letters or more", "Mastermind"
#: Called with the number of the next step, and how many there are.
Report = Callable[[int, int], None]


def read_list(path: Path) -> dict[str, Any]:
    """A list of kernels: names with forms, and by command and label the numbers of those."""
    listed = dict(json.loads(path.read_text(encoding="utf-8")))
    forms: list[Any] = []
    for name, fields, held in listed["tuples"]:
        whole = (forms[part] if isinstance(part, int) else part for part in held)
        forms.append((name, tuple(fields), tuple(whole)))
    return listed | {"kernels": [(name, forms[form]) for name, form in listed["kernels"]]}


@lru_cache
def _listed() -> dict[str, Any]:
    listed = read_list(_LIST)
    asked = [listed["commands"][command] for command in ("suggest", "regret", "review")]
    made: dict[str, list[int]] = {}
    for label in dict.fromkeys(label for command in asked for label in command):  # plain ones first
        numbers = {number for command in asked for number in command.get(label, ())}
        if more := numbers.difference(*made.values()):
            made[label] = sorted(more)
    listed["commands"]["mcp"] = made
    return listed


def commands_with_kernels() -> list[str]:
    """The commands that need machine code."""
    return list(_listed()["commands"])


def listed_calls() -> dict[str, dict[str, list[tuple[str, Any]]]]:
    """For each command what it needs plainly, and what with options besides: names and forms."""
    kernels, commands = _listed()["kernels"], _listed()["commands"]
    return {
        command: {label: [kernels[it] for it in numbers] for label, numbers in of_it.items()}
        for command, of_it in commands.items()
    }


def kernels_of(
    commands: Iterable[str], labels: Collection[str] | None = None
) -> list[tuple[Any, Any]]:
    """The kernels of some commands with the types of their arguments, the largest first.

    All of them, or those that stand under some labels: what an option needs; plain calls have "".
    """
    from solver.machine.forms import named

    of_each = [_listed()["commands"].get(command, {}) for command in commands]
    listed = (it for labelled in of_each for it in labelled.items())
    numbers = {it for label, them in listed if labels is None or label in labels for it in them}
    wanted = (_listed()["kernels"][number] for number in sorted(numbers))
    return [(named(name), form) for name, form in wanted]


def labels_of(command: str, missing: Any, form: Any, asked: Collection[str] = ()) -> Sequence[str]:
    """What of a command needs a kernel, and what else was asked for; nothing if no list has it."""
    call = (f"{missing.__module__}:{missing.__qualname__}", form)
    kernels, labels = _listed()["kernels"], _listed()["commands"].get(command, {})
    number = kernels.index(call) if call in kernels else -1
    own = [label for label, numbers in labels.items() if number in numbers]
    return [label for label in labels if label in own or (own and label in asked)]


def is_plainly_ready(command: str) -> bool:
    """Whether nothing is missing of what plain calls of a command need."""
    from solver.machine.cache import is_missing

    return not any(is_missing(*it) for it in kernels_of([command], [""]))


def wanted_commands(named: Sequence[str]) -> list[str]:
    """Commands whose machine code is to be made ahead: those named, or all."""
    known = commands_with_kernels()
    for command in named:
        if command not in known:
            raise WrongInputError(
                f"{quoted(command)} compiles nothing; choose among " + ", ".join(known)
            )
    return list(named) or known


_REMEDY = "NUMBA_CACHE_DIR can name a folder that only you can write"
#: How long it takes what a command, or a function of the library, needs.
_TIME = "some seconds to a minute on an idle machine"
_ALL = "some minutes for all that there are"


def notice(command: str = "", labels: Sequence[str] = ("",), kernels: int = 0) -> str:
    """What is said when a first run compiles: what for, whether it is kept, what compiles yet.

    Without a command: for what a function of the library needs, or so many kernels. Without
    labels: for this very call, which no list has.
    """
    from solver.machine import cache

    lost, folder = cache.why_nothing_is_kept(), cache.kernel_folder()
    if lost is not None or folder is None:
        return (
            f"compiling: {_TIME}. Nothing of it can be kept, so every run compiles again: {lost}. "
            f"{_REMEDY} …"
        )
    if folder.is_temporary:
        return (
            f"compiling: {_TIME}. It is kept in {folder.path} only until you log out or the "
            f"machine restarts, because of {'; '.join(cache.places_refused())}. {_REMEDY} …"
        )
    options = ", ".join(filter(None, labels))
    if not command or "" not in labels:
        needed = f"what this call of '{command}' needs besides" if command else "what this needs"
        if options:
            needed = f"what '{command}' needs besides for {options}"
        what, time = (f"{kernels} kernels", _ALL) if kernels else (needed, _TIME)
        return f"compiling {what}, this once: {time} …"
    others = [label for label in _listed()["commands"].get(command, {}) if label not in labels]
    also = f", and '{command}' with {', '.join(others)}," if others else ""
    needed = f"'{command}' with {options}" if options else f"a plain '{command}'"
    return (
        f"compiling what {needed} needs, this once: {_TIME}.\n"
        f"Other commands{also} compile more when they are first used, unless 'knuthle compile' "
        "does it all …"
    )


def compile_for(
    commands: Sequence[str],
    workers: int | None,
    report: Report,
    labels: Collection[str] | None = None,
) -> tuple[int, int]:
    """Compile the kernels that some commands need, or those that stand under some labels.

    How many there were to do, and of how many.
    """
    from solver.machine import cache, dispatch, jit, pool

    if jit.PLAIN:
        return 0, 0
    wanted = kernels_of(commands, labels)
    lost = cache.why_nothing_is_kept()
    if lost is not None and any(cache.load_shipped(*it) is None for it in wanted):
        raise CouldNotFinishError(f"compiled kernels cannot be kept: {lost}. {_REMEDY}")
    return dispatch.prepare(wanted, workers or pool.available_cores(), report), len(wanted)
