"""The machine code that commands need, compiled beforehand on all cores.

``kernels.json`` lists the kernels of each command and the types of arguments they are called with
(``tools/list_kernels`` writes it from what a few calls of each command need). It is only ever a
help: what is not in it is compiled when it is called for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from solver.errors import CouldNotFinishError, WrongInputError

from ..files.text import quoted

_LIST = Path(__file__).with_name("kernels.json")
#: Called with the number of the next kernel, and how many there are.
Report = Callable[[int, int], None]


@lru_cache
def _listed() -> dict[str, Any]:
    return dict(json.loads(_LIST.read_text(encoding="utf-8")))


def commands_with_kernels() -> list[str]:
    """The commands that need machine code."""
    return list(_listed()["commands"])


def kernels_of(commands: Iterable[str], further: bool = True) -> list[tuple[Any, Any]]:
    """The kernels of some commands with the types of their arguments, the largest first.

    With ``further`` also those that not every call needs: of hard mode, of proofs.
    """
    from solver.machine.forms import named

    listed = _listed()
    forms: list[Any] = []
    for name, fields, held in listed["tuples"]:
        whole = (forms[part] if isinstance(part, int) else part for part in held)
        forms.append((name, tuple(fields), tuple(whole)))
    parts = ("commands", "further") if further else ("commands",)
    of_each = (listed[part].get(command, ()) for command in commands for part in parts)
    numbers = sorted({number for of_it in of_each for number in of_it})
    wanted = (listed["kernels"][number] for number in numbers)
    return [(named(name), forms[form]) for name, form in wanted]


def wanted_commands(named: Sequence[str]) -> list[str]:
    """Commands whose machine code is to be made ahead: those named, or all."""
    known = commands_with_kernels()
    for command in named:
        if command not in known:
            raise WrongInputError(
                f"{quoted(command)} compiles nothing; choose among " + ", ".join(known)
            )
    return list(named) or known


#: How long it takes what a command, or a function of the library, needs.
_TIME = "a quarter of a minute to a minute on an idle machine"
_ALL_AT_ONCE = "unless 'knuthle compile' does all at once"


def notice(command: str = "") -> str:
    """What is said when a first run compiles: how long, whether it is kept, and what compiles yet.

    Without a command: for all that are compiled beforehand.
    """
    from solver.machine import cache

    lost, folder = cache.why_nothing_is_kept(), cache.kernel_folder()
    if lost is not None or folder is None:
        return (
            f"compiling: {_TIME}. Nothing of it can be kept, so every run compiles again: {lost}. "
            f"{_remedy()}…"
        )
    if folder.is_temporary:
        return (
            f"compiling: {_TIME}. It is kept in {folder.path} only until you log out or the "
            f"machine restarts, because of {'; '.join(cache.places_refused())}. {_remedy()}…"
        )
    if not command:
        return f"compiling, this once: {_TIME} a command; later runs start at once …"
    return (
        f"compiling, this once: {_TIME}; the next '{command}' starts at once.\n"
        f"Other commands compile too when they are first used, {_ALL_AT_ONCE} …"
    )


def _remedy() -> str:
    """What helps where the folder is at fault."""
    from solver.machine.forms import memory_is_known

    where = "NUMBA_CACHE_DIR can name a folder that only you can write "
    return where if memory_is_known() else ""


def compile_for(
    commands: Sequence[str], workers: int | None, report: Report, further: bool = True
) -> tuple[int, int]:
    """Compile the kernels that some commands need; how many there were to do, and of how many."""
    from solver.machine import cache, dispatch, jit, pool

    if jit.PLAIN:
        return 0, 0
    wanted = kernels_of(commands, further)
    lost = cache.why_nothing_is_kept()
    if lost is not None and any(cache.load_shipped(*it) is None for it in wanted):
        raise CouldNotFinishError(f"compiled kernels cannot be kept: {lost}. {_remedy()}".rstrip())
    return dispatch.prepare(wanted, workers or pool.available_cores(), report), len(wanted)
