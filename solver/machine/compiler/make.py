"""Machine code for one form of one kernel: an entry around what numba makes of it, linked."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numba.core import types as _types
from numba.np import numpy_support as _numpy_support

from ..argument_forms import ENTRY, Form, Kernel, class_of, is_record
from ..memory_layout import memory_is_known
from ..object_code import CODE_MODEL, RELOCATION
from . import numba_code
from .allocator import write_memory
from .records import Record
from .wrapper import EntryCode

types: Any = _types
numpy_support: Any = _numpy_support

#: Functions outside that entries may call: they are in every process.
_OUTSIDE = {
    "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble", "PyEval_SaveThread", "PyEval_RestoreThread",
    "PyMem_RawMalloc", "PyMem_RawFree", "memcpy", "memset", "memmove",
}  # fmt: skip


class UnfitError(Exception):
    """No entry of our own can be made for a kernel."""


class Processor(NamedTuple):
    """A processor that code is made for: its name and what it has besides, as LLVM calls them."""

    name: str
    features: str


def numba_processor() -> Processor:
    """The processor that code is compiled for: this one, unless numba's settings say otherwise."""
    code = numba_code.cpu_target.target_context.codegen()
    return Processor(code._get_host_cpu_name(), code._tm_features)


def compiled(door: Kernel, form: Form) -> tuple[Form, bytes]:
    """The form of what a kernel returns, and the object code of its entry for this processor."""
    returned, (code,) = compiled_for(door, form, [numba_processor()])
    return returned, code


def compiled_for(
    door: Kernel, form: Form, processors: Sequence[Processor]
) -> tuple[Form, list[bytes]]:
    """The form of what a kernel returns, and object code of its entry for each processor."""
    if not memory_is_known():
        raise UnfitError
    context = numba_code.cpu_target.target_context
    context.refresh()
    argument_types = tuple(_type_of(part) for part in form[2])
    with numba_code.global_compiler_lock:
        dispatcher = numba_code.numba_kernel_of(door)
        dispatcher.compile(argument_types)
        kernel = dispatcher.overloads[argument_types]
        result = kernel.signature.return_type
        returned = _form_of_result(result)
        library = context.codegen().create_library(ENTRY)
        module = library.create_ir_module(ENTRY)
        nogil = bool(door.options.get("nogil"))
        EntryCode(context, module, form).write(kernel.fndesc, argument_types, result, nogil)
        write_memory(module)
        library.add_ir_module(module)
        _link(library, kernel.library)
        linked = library._final_module.as_bitcode()
        return returned, [_emit(library, linked, processor) for processor in processors]


def _type_of(form: Form) -> Any:
    """What numba calls a form."""
    if not isinstance(form, str):
        parts = [_type_of(part) for part in form[2]]
        kind = class_of(form[0])
        if is_record(kind):
            return Record(kind, form[1], parts)
        return types.BaseTuple.from_types(parts, kind)
    kind, *array = form.lstrip("@").split()
    if array:
        ndim, layout, access = array
        return types.Array(_scalar(kind), int(ndim), layout, readonly=access == "r")
    if kind in ("int", "none", "float", "bool"):
        named = {"int": types.int64, "none": types.none, "float": types.float64}
        return named.get(kind, types.boolean)
    return _scalar(kind)


def _scalar(kind: str) -> Any:
    return numpy_support.from_dtype(np.dtype(kind))


def _form_of_result(result: Any) -> Any:
    if isinstance(result, types.BaseTuple):
        made = getattr(result, "instance_class", tuple)
        name = f"{made.__module__}:{made.__qualname__}"
        return (name, tuple(getattr(result, "fields", ())), tuple(map(_form_of_result, result)))
    if isinstance(result, types.Array) and result.layout == "C":
        return f"{numpy_support.as_dtype(result.dtype).name} {result.ndim} C w"
    if isinstance(result, types.NoneType):
        return "none"
    if isinstance(result, types.Boolean):
        return "bool"
    if isinstance(result, types.Integer):
        return "int" if result.signed else "uint"
    if result == types.float64:
        return "float"
    raise UnfitError


# ---- machine code


def _link(entry: Any, kernel: Any) -> None:
    """Link an entry with all that it calls."""
    module = entry._final_module
    for library in kernel.needed():
        module.link_in(numba_code.module_of(library), preserve=True)
    for function in module.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "linkonce_odr"


def _emit(entry: Any, linked: bytes, processor: Processor) -> bytes:
    """Optimise what is linked, and make machine code of it."""
    machine = _target_machine(processor)
    entry._final_module = numba_code.binding.parse_bitcode(linked)
    with _optimised_for(machine):
        entry._optimize_final_module()
    module = entry._final_module
    for function in module.functions:
        if function.is_declaration:
            if not function.name.startswith("llvm.") and function.name not in _OUTSIDE:
                raise UnfitError(function.name)
        elif function.name != ENTRY:
            function.linkage = "internal"
    for variable in module.global_variables:
        if variable.name.startswith("numba.dynamic.globals"):
            raise UnfitError(variable.name)
        variable.linkage = "internal"
    module.verify()
    return bytes(machine.emit_object(module))


@contextlib.contextmanager
def _optimised_for(machine: Any) -> Iterator[None]:
    """While this lasts, numba optimises for another processor than the one it was set up for."""
    code = numba_code.cpu_target.target_context.codegen()
    before, code._tm = code._tm, machine
    try:
        yield
    finally:
        code._tm = before


@cache
def _target_machine(processor: Processor) -> Any:
    known = numba_code.binding.Target.from_triple(numba_code.binding.get_process_triple())
    return known.create_target_machine(
        cpu=processor.name,
        features=processor.features,
        opt=numba_code.numba.core.config.OPT,
        reloc=RELOCATION,
        codemodel=CODE_MODEL,
    )
