"""Kernels that take single vector steps, as a module of WebAssembly of their own.

    python -m tests.support.web_steps FILE.wasm

writes the module, and prints the forms of its kernels as JSON.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from solver.exact.kernels import table_vectors
from solver.machine import forms, vectors
from solver.machine.jit import kernel, noalloc
from tools.web.emit import RUNTIME_FUNCTIONS, emit
from tools.web.folder import _described
from tools.web.kernels import Exported
from tools.web.link import link

COLUMNS = table_vectors.BLOCK_COLUMNS


@noalloc(inline=True)
def _hopeful(parts: Any, tables: Any, places: Any, column: int, need: int, lanes: Any) -> Any:
    hopeful = table_vectors.least_of(parts, column, tables, places, need, lanes)
    if need > 100 and hopeful != np.uint64(0):
        for lane in range(COLUMNS):
            if parts[column + lane] > need:
                lanes[lane] = 0
        hopeful = table_vectors.at_least(lanes, 0, need)
    return hopeful


@noalloc
def least_of(row: Any, tables: Any, places: Any, need: Any, lanes: Any, found: Any) -> None:
    """The least of some tables for some needs: the columns that are good enough, by their bits."""
    for column in range(0, len(row), COLUMNS):
        going = False
        for at in range(len(need)):
            if need[at] > int(row[column]) + 30:
                continue
            going = True
            hopeful = _hopeful(row, tables, places[at], column, int(need[at]), lanes)
            if hopeful == np.uint64(0):
                continue
            while hopeful != np.uint64(0):
                lane = vectors.first_bit(hopeful)
                hopeful &= hopeful - np.uint64(1)
                found[at, column + lane] = lanes[lane]
        if not going:
            break


@kernel
def alike(rows: Any, found: Any) -> None:
    """Which columns are alike in two rows, and which are at least 9."""
    for block in range(len(rows)):
        found[0, block] = table_vectors.alike(rows, block, 0, 1)
        found[1, block] = table_vectors.at_least(rows[block, 0], 0, 9)


@kernel
def counted(masks: Any, counts: Any, found: Any) -> None:
    """Masks that are apart, and counts of at least so many."""
    for at in range(len(masks) // vectors.MASKS):
        found[0, at] = vectors.disjoint(masks, at * vectors.MASKS, np.uint64(5))
    for at in range(len(counts) // COLUMNS):
        found[1, at] = table_vectors.at_least(counts, at * COLUMNS, 700)


#: Each kernel with the types of its arguments and how many dimensions they have.
_ARGUMENTS: dict[Callable[..., Any], str] = {
    least_of: "uint8:1 uint8:2 int32:2 int64:1 uint8:1 uint8:2",
    alike: "uint8:3 uint64:2", counted: "uint64:1 uint16:1 uint64:2",
}  # fmt: skip


def main(path: Path) -> None:
    exported = []
    for it, arguments in _ARGUMENTS.items():
        kinds = [one.split(":") for one in arguments.split()]
        made_up = tuple(np.zeros((1,) * int(dimensions), dtype=kind) for kind, dimensions in kinds)
        exported.append(Exported(it.__name__, it, forms.arg_types_of(made_up)))  # type: ignore[arg-type]
    made = emit(exported)
    path.write_bytes(link(made.code, [*(it.name for it in exported), *RUNTIME_FUNCTIONS]))
    returned = zip(exported, made.returned, strict=True)
    described = {
        it.name: {"args": [_described(part) for part in it.form[2]], "result": _described(result)}
        for it, result in returned
    }
    print(json.dumps(described))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
