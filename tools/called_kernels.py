"""A plugin of pytest: write down which kernels the tests call, in which forms.

    CALLED_KERNELS=FOLDER .venv/bin/python -m pytest -p tools.called_kernels …

Each process of pytest writes a file of its own into the folder, a line for each kernel and form.
``tools/elsewhere`` has them compiled beforehand for a processor that is emulated, on which a
compiler would take hours.
"""

import ast
import os
import sys
from pathlib import Path
from typing import Any

from solver.machine.forms import named
from solver.machine.jit import Kernel

_FOLDER = "CALLED_KERNELS"


def pytest_sessionfinish() -> None:
    """Write what this process has called."""
    modules = [it for name, it in sys.modules.items() if name.startswith(("solver.", "strategy."))]
    kernels = {it for module in modules for it in vars(module).values() if isinstance(it, Kernel)}
    lines = {
        f"{(f'{it.__module__}:{it.__qualname__}', form)!r}\n"
        for it in kernels
        for form, entry in it.entries.items()
        if entry is not None
    }
    path = Path(os.environ[_FOLDER], f"{os.getpid()}.txt")
    path.write_text("".join(sorted(lines)), encoding="utf-8")


def called(folder: Path) -> list[tuple[Any, Any]]:
    """The kernels and forms that were written into a folder."""
    lines = {line for file in folder.glob("*.txt") for line in file.read_text("utf-8").splitlines()}
    return [(named(name), form) for name, form in map(ast.literal_eval, sorted(lines))]
