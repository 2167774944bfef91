"""The machine code that commands need, compiled beforehand and by all processors.

``kernels.json`` lists the kernels of each command and the forms of arguments they are called with
(``tools/list_kernels`` writes it from what a few calls of each command need). It is only ever a
help: what is not in it is compiled when it is called for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from solver.errors import CouldNotFinishError, WrongInputError

from ..files.names import quoted

_LIST = Path(__file__).with_name("kernels.json")
#: Hears which of how many kernels is next.
Report = Callable[[int, int], None]


@cache
def _listed() -> dict[str, Any]:
    listed: dict[str, Any] = json.loads(_LIST.read_text(encoding="utf-8"))
    return listed


def commands_with_kernels() -> list[str]:
    """The commands that need machine code."""
    return list(_listed()["commands"])


def kernels_of(commands: Iterable[str], further: bool = True) -> list[tuple[Any, Any]]:
    """The kernels of some commands with the forms they are called with, the largest first.

    With ``further`` also those that not every call needs: of hard mode, of proofs.
    """
    from solver.machine.argument_forms import named

    listed = _listed()
    forms: list[Any] = []
    for name, fields, held in listed["tuples"]:
        whole = (forms[part] if isinstance(part, int) else part for part in held)
        forms.append((name, tuple(fields), tuple(whole)))
    parts = ("commands", "further") if further else ("commands",)
    of_each = (listed[part].get(command, ()) for command in commands for part in parts)
    numbers = {number for of_it in of_each for number in of_it}
    wanted = (listed["kernels"][k] for k in sorted(numbers))
    return [(named(name), forms[form]) for name, form in wanted]


def wanted_commands(named: Sequence[str]) -> list[str]:
    """Commands whose machine code is to be made ahead: those named, or all."""
    known = commands_with_kernels()
    for command in named:
        if command not in known:
            raise WrongInputError(
                f"{quoted(command)} is no command that compiles anything; these do: "
                + ", ".join(known)
            )
    return list(named) or known


def compile_for(
    commands: Sequence[str], workers: int | None, report: Report, further: bool = True
) -> tuple[int, int]:
    """Compile the kernels that some commands need; how many there were to do, and of how many."""
    from solver.machine import dispatch, jit, pool
    from solver.machine.cache import kernel_cache, shipped_code

    if jit.PLAIN:
        return 0, 0
    wanted = kernels_of(commands, further)
    nowhere = kernel_cache.kernel_folder() is None
    if nowhere and any(shipped_code.found(*it) is None for it in wanted):
        raise CouldNotFinishError(
            "no folder is safe to keep compiled kernels in: have NUMBA_CACHE_DIR name one that "
            "only you can write"
        )
    return dispatch.prepare(wanted, workers or pool.available_cores(), report), len(wanted)


def clear_cache() -> int:
    """For ``knuthle compile --clear``: take compiled kernels from the disk; how many there were."""
    from solver.machine.cache.kernel_cache import clear

    return clear()
