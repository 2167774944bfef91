"""Kernels as one WebAssembly object file: numba's front end, LLVM, entries of 64-bit words.

All kernels are one LLVM module, so what several of them call is there once. Entries are those that
every machine has (see ``solver.machine.compiler``), under the names of their kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from inspect import isfunction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload

from solver.machine import arrays, compiler, forms, numba_code, vectors

from .kernels import Exported

TRIPLE = "wasm32-unknown-unknown"
#: What every browser of the last years has; no threads.
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
#: Bits of a vector register.
_REGISTER = 128
#: What the module exports besides kernels (see ``runtime.ll``).
RUNTIME_FUNCTIONS = ("reserve", "mark", "release", "__multi3")
_ADDRESSES = ("PyMem_RawMalloc", "PyMem_RawFree")
_RUNTIME = Path(__file__).with_name("runtime.ll")


class Emitted(NamedTuple):
    """An object file, and the form of what each of its kernels returns."""

    code: bytes
    returned: list[forms.ArgTypes]


def emit(exported: Sequence[Exported]) -> Emitted:
    """The kernels as an object file of WebAssembly; the same bytes on any processor."""
    if numba_code.has_compiled():
        raise RuntimeError("kernels for WebAssembly are compiled in a process of their own")
    machine = _target_machine()
    kept = {*(it.name for it in exported), *RUNTIME_FUNCTIONS}
    registers = numba_code.changed(vectors, register_bits=_REGISTER)
    with global_compiler_lock, numba_code.without_layout(), registers:
        library = compiler.Library()
        for it in exported:
            _teach(it.kernel.py_func)
            library.add(it.kernel, it.form, it.name)
        runtime = binding.parse_assembly(_RUNTIME.read_text(encoding="utf-8"))
        linked = binding.parse_bitcode(library.linked(kept, runtime))
        for name in _ADDRESSES:
            linked.get_function(name).linkage = "internal"
        optimised = library.optimised(linked.as_bitcode(), TRIPLE, machine, kept)
    for function in optimised.functions:
        if function.is_declaration and not compiler.is_known_outside(function.name, ()):
            raise compiler.UnfitError(f"WebAssembly has no function {function.name}")
    return Emitted(bytes(machine.emit_object(optimised)), library.returned)


@cache
def _teach(function: Any) -> None:
    """Have the compiler know all plain functions that a function calls, and what these call."""
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if isfunction(called):
            _teach(called)
            written = _STAND_INS.get(called, called)
            overload(called, strict=False)(lambda *_, written=written: written)


def _empty(shape: Any, dtype: Any = np.uint8) -> Any:
    """An array as the page has it: there all begin where a line of the caches does."""
    return np.empty(shape, dtype)


#: What functions that Python alone can run are on the page.
_STAND_INS = {arrays.aligned: _empty, arrays.returning: _empty}


def _target_machine() -> Any:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )
