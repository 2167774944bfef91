"""Kernels as one WebAssembly object file: numba's front end, LLVM, entries of 64-bit words.

All kernels are one LLVM module, so what several of them call is there once. An entry is a function
``int32 NAME(words, results)``. ``words`` are the arguments, flattened: an integer or a floating
number is one word, an array its address, its lengths and its strides, a tuple its parts one after
the other, ``None`` nothing. The results are written as words in the same way as for Python: of an
array that the kernel has made its head, its address and its lengths.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import binding, ir
from numba.core import types
from numba.core.compiler_lock import global_compiler_lock

from solver.machine import compiler, forms, numba_code, vectors

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
_I1, _I32, _I64 = (ir.IntType(bits) for bits in (1, 32, 64))
_DOUBLE, _ADDRESS = ir.DoubleType(), ir.IntType(8).as_pointer()


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
    with global_compiler_lock, numba_code.without_layout(), vectors.by_registers(_REGISTER):
        library = compiler.Library(WordsEntry)
        for it in exported:
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


def _target_machine() -> Any:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(TRIPLE).create_target_machine(
        cpu="generic", features=FEATURES, opt=3, reloc="static", codemodel="default"
    )


class WordsEntry(compiler.EntryCode):
    """The function that reads the arguments of a call of a kernel from one array of words."""

    def __init__(self, context: Any, module: Any, form: forms.ArgTypes, name: str) -> None:
        self._context = context
        self._form = form
        kind = ir.FunctionType(_I32, [_I64.as_pointer(), _I64.as_pointer()])
        function = ir.Function(module, kind, name)
        self._words, self._results = function.args
        self._arguments = None
        self._builder = ir.IRBuilder(function.append_basic_block())
        self._taken = 0

    def write(self, kernel: Any, argument_types: Any, result: Any, nogil: bool) -> None:
        """Write the entry; there is no lock that a kernel could do without."""
        super().write(kernel, argument_types, result, nogil=False)

    def _next(self) -> Any:
        """The next of the words."""
        place = self._builder.gep(self._words, [_I64(self._taken)])
        self._taken += 1
        return self._builder.load(place)

    def _things(self, thing: Any, form: forms.ArgTypes) -> list[Any]:
        """The parts of a tuple follow each other: there is nothing to look up."""
        return [None] * len(form[2])

    def _array(self, thing: Any, form: str, kind: Any) -> Any:
        address = self._builder.inttoptr(self._next(), _ADDRESS)
        shape = [self._next() for _ in range(kind.ndim)]
        strides = [self._next() for _ in range(kind.ndim)]
        return self._array_at(address, kind, shape, strides)

    def _number(self, thing: Any, form: str, kind: Any) -> Any:
        b = self._builder
        if form == "none":
            return self._context.get_dummy_value()
        word = self._next()
        if isinstance(kind, types.Float):
            return b.bitcast(word, _DOUBLE)
        wanted = _I1 if form == "bool" else self._context.get_value_type(kind)
        return word if wanted == _I64 else b.trunc(word, wanted)
