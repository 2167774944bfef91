"""Compiles kernels, each for a form of its arguments, with the way into them from Python."""

from __future__ import annotations

import contextlib
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np import numpy_support

from . import forms, numba_code
from .linker import CODE_MODEL, RELOCATION
from .numba_code import Record

_I1, _I8, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
_DOUBLE, _NOTHING = ir.DoubleType(), ir.VoidType()
_ADDRESS, _WORDS = _I8.as_pointer(), _I64.as_pointer()
#: Functions outside that may be called: they are in every process.
_OUTSIDE = {
    "PyTuple_GetItem", "PyTuple_Size", "PyObject_Type", "Py_DecRef", "PyErr_Occurred",
    "PyErr_Clear", "PyObject_GetBuffer", "PyBuffer_Release", "PyBuffer_IsContiguous",
    "PyObject_IsTrue", "PyLong_AsLongLong", "PyLong_AsUnsignedLongLongMask", "PyFloat_AsDouble",
    "PyEval_SaveThread", "PyEval_RestoreThread", "PyMem_RawMalloc", "PyMem_RawFree",
    "memcpy", "memset", "memmove",
}  # fmt: skip


class UnfitError(Exception):
    """No entry of our own can be made for a kernel."""


class Processor(NamedTuple):
    """A processor that code is made for, in LLVM's words.

    Its name, what it has besides, and for which machine and system code is.
    """

    name: str
    features: str
    triple: str


def numba_processor() -> Processor:
    """The processor that code is compiled for: this one, unless numba's settings say otherwise."""
    code = cpu_target.target_context.codegen()
    triple = binding.get_process_triple()
    return Processor(code._get_host_cpu_name(), code._tm_features, triple)


def compiled_for(
    wanted: Iterable[tuple[forms.KernelLike, forms.ArgTypes]], processors: Sequence[Processor]
) -> tuple[list[forms.ArgTypes], list[bytes]]:
    """The forms of what kernels return, and object code of them all for each processor."""
    library = Library()
    for kernel, form in wanted:
        library.add(kernel, form)
    return library.returned, library.made_for(processors)


class Library:
    """Kernels that become one module of machine code: what several of them call is there once.

    Each is written when it is added; then all are linked, optimised and made together.
    """

    def __init__(self) -> None:
        self._context = cpu_target.target_context
        self._context.refresh()
        self._library = self._context.codegen().create_library(forms.ENTRY)
        self._module = self._library.create_ir_module(forms.ENTRY)
        self._kernels: list[Any] = []
        #: The forms of what the kernels return.
        self.returned: list[forms.ArgTypes] = []

    def add(self, kernel: forms.KernelLike, form: forms.ArgTypes, name: str = "") -> None:
        """Write a kernel for a form of its arguments, and its entry: by its number or a name."""
        argument_types = tuple(type_of(part) for part in form[2])
        with global_compiler_lock:
            dispatcher = numba_code.numba_kernel_of(kernel)
            dispatcher.compile(argument_types)
            overload = dispatcher.overloads[argument_types]
            returned = form_of_result(overload.signature.return_type)
            name = name or f"{forms.ENTRY}_{len(self.returned)}"
            _write_entry(self._context, self._module, name, overload.fndesc, overload.signature)
        self._kernels.append(overload.library)
        self.returned.append(returned)

    def made_for(self, processors: Sequence[Processor]) -> list[bytes]:
        """The object code of all kernels for each processor; last comes the way in from Python."""
        kept = [f"{forms.ENTRY}_{k}" for k in range(len(self.returned) + 1)]
        with global_compiler_lock:
            _TakerCode(self._module, kept[-1]).write()
            linked = self.linked(kept)
            return [self._emit(linked, processor, kept) for processor in processors]

    def linked(self, kept: Container[str], *more: Any) -> bytes:
        """All kernels linked with all that they call, each once, and with more modules."""
        write_memory(self._module)
        self._library.add_ir_module(self._module)
        module = self._library._final_module
        needed = dict.fromkeys(it for kernel in self._kernels for it in kernel.needed())
        for library in numba_code.in_linking_order(needed):
            module.link_in(numba_code.module_of(library), preserve=True)
        for function in module.functions:
            if not function.is_declaration and function.name not in kept:
                function.linkage = "linkonce_odr"
        for other in more:
            module.link_in(other)
        return bytes(module.as_bitcode())

    def _emit(self, linked: bytes, processor: Processor, kept: Container[str]) -> bytes:
        """Optimise what is linked for a processor of whichever machine; its machine code."""
        machine = _target_machine(processor)
        module = self.optimised(linked, processor.triple, machine, kept)
        for function in module.functions:
            if function.is_declaration and not is_known_outside(function.name, _OUTSIDE):
                raise UnfitError(function.name)
        return bytes(machine.emit_object(module))

    def optimised(self, linked: bytes, triple: str, machine: Any, kept: Container[str]) -> Any:
        """What is linked, optimised for a machine; all but the functions to keep is internal."""
        self._library._final_module = binding.parse_bitcode(linked)
        self._library._final_module.triple = triple
        self._library._final_module.data_layout = str(machine.target_data)
        with numba_code.changed(self._context.codegen(), _tm=machine):
            self._library._optimize_final_module()
        module = self._library._final_module
        for function in module.functions:
            if not function.is_declaration and function.name not in kept:
                function.linkage = "internal"
        for variable in module.global_variables:
            if variable.name.startswith("numba.dynamic.globals"):
                raise UnfitError(variable.name)
            if not variable.is_declaration:
                variable.linkage = "internal"
        module.verify()
        return module


def is_known_outside(name: str, outside: Container[str]) -> bool:
    """Whether a function that is not there is one of LLVM's own, or of those that will be."""
    return name.startswith("llvm.") or name in outside


@cache
def _target_machine(processor: Processor) -> Any:
    cpu, features, triple = processor
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    return binding.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=config.OPT, reloc=RELOCATION, codemodel=CODE_MODEL
    )


def type_of(form: forms.ArgTypes) -> Any:
    """What numba calls a form."""
    if not isinstance(form, str):
        parts = [type_of(part) for part in form[2]]
        kind = forms.class_of(form[0])
        if forms.is_record(kind):
            return Record(kind, form[1], parts)
        return types.BaseTuple.from_types(parts, kind)
    kind, *array = form.lstrip("@").split()
    if array:
        ndim, layout, access = array
        return types.Array(_scalar(kind), int(ndim), layout, readonly=access == "r")
    named = {"int": types.int64, "none": types.none, "float": types.float64}
    return named[kind] if kind in named else _scalar(kind)


def _scalar(kind: str) -> Any:
    return numpy_support.from_dtype(np.dtype(kind))


def form_of_result(result: Any) -> Any:
    """The form of what numba says that a kernel returns."""
    if isinstance(result, types.BaseTuple):
        made = getattr(result, "instance_class", tuple)
        name = f"{made.__module__}:{made.__qualname__}"
        return (name, tuple(getattr(result, "fields", ())), tuple(map(form_of_result, result)))
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


# ---- The entry of a kernel: ``int32 entry(words, results)``, a function of our own
#
# It is the same for every machine. ``words`` are the arguments (see ``numba_code``). Results are
# written in the same way, but of an array its head (0: the kernel has not made it), its address and
# its lengths. An entry answers 0, or a status if the kernel raised an exception: then the results
# are where in memory that is described, and in how many bytes.


def _write_entry(context: Any, module: Any, name: str, kernel: Any, signature: Any) -> None:
    """Write the entry of a kernel: read arguments, call, write down what it returns."""
    function = ir.Function(module, ir.FunctionType(_I32, [_WORDS, _WORDS]), name)
    words, results = function.args
    b, convention = ir.IRBuilder(function.append_basic_block()), context.call_conv
    result, argument_types = signature.return_type, signature.args
    arguments = numba_code.values_of(context, b, argument_types, words)
    kind = convention.get_function_type(result, argument_types)
    # Two forms can be one to numba: a number of Python, and one of numpy.
    called = cgutils.get_or_insert_function(module, kind, kernel.llvm_func_name)
    status, returned = convention.call_function(b, called, result, argument_types, arguments)
    with b.if_then(status.is_error, likely=False):
        error = b.load(status.excinfoptr)
        address, size = (b.extract_value(error, k) for k in range(2))
        _put_words(b, results, [b.ptrtoint(address, _I64), b.sext(size, _I64)])
        b.ret(status.code)
    _put_words(b, results, _result_words(context, b, returned, result))
    b.ret(_I32(0))


def _put_words(b: Any, results: Any, words: Iterable[Any]) -> None:
    for at, word in enumerate(words):
        b.store(word, b.gep(results, [_I64(at)]))


def _result_words(context: Any, b: Any, value: Any, kind: Any) -> Iterator[Any]:
    """The words that a value becomes."""
    if isinstance(kind, types.BaseTuple):
        for k, part in enumerate(kind):
            yield from _result_words(context, b, b.extract_value(value, k), part)
    elif isinstance(kind, types.Array):
        array = context.make_array(kind)(context, b, value)
        yield b.ptrtoint(array.meminfo, _I64)
        yield b.ptrtoint(array.data, _I64)
        yield from cgutils.unpack_tuple(b, array.shape, kind.ndim)
    elif isinstance(kind, types.Float):
        yield b.bitcast(value, _I64)
    elif isinstance(kind, types.Boolean):
        yield b.zext(b.trunc(value, _I1), _I64)
    elif isinstance(kind, types.Integer):
        yield value if value.type == _I64 else (b.sext if kind.signed else b.zext)(value, _I64)


# ---- The way in from Python: ``int32 taker(things, table, room)``, one for all kernels
#
# ``things`` is a tuple that holds the tuple of arguments. It is taken apart by a table of rows
# (``forms.table_of``); the words that it becomes are in the room for the call, behind that for the
# results. The taker calls the entry with them, and answers ``OTHER_FORM`` unless every class, item
# type, dimension, order and permission is that of the form. It knows nothing of how objects lie in
# memory: it asks functions of Python's stable interface. What it holds of tuples belongs to the
# caller's; of an array it holds a buffer for as long as the kernel runs. The room is of zeros, and
# to release a buffer of zeros does nothing.

_ROW = len(forms.Row._fields)
#: ``Py_buffer``: address, owner, bytes, bytes of an item, read-only, dimensions, type of items,
#: lengths, strides, and what is of no use here.
_BUFFER = ir.LiteralStructType(
    [_ADDRESS, _ADDRESS, _I64, _I64, _I32, _I32, _ADDRESS, _WORDS, _WORDS, _ADDRESS, _ADDRESS]
)
#: What makes a word of a number.
_CONVERTED = {
    forms.TRUTH: (_I32, "PyObject_IsTrue"),
    forms.NUMBER: (_I64, "PyLong_AsLongLong"),
    forms.SCALAR: (_I64, "PyLong_AsUnsignedLongLongMask"),
    forms.FLOAT: (_DOUBLE, "PyFloat_AsDouble"),
}


class _TakerCode:
    """The function that takes the arguments of a call from Python apart."""

    def __init__(self, module: Any, name: str) -> None:
        kind = ir.FunctionType(_I32, [_ADDRESS, _WORDS, _WORDS])
        function = ir.Function(module, kind, name)
        self._things, self._table, self._room = function.args
        self._builder = b = ir.IRBuilder(function.append_basic_block())
        self._other, self._end = (function.append_basic_block() for _ in range(2))
        self._entry, self._unlocked, self._words, count = (
            self._load(self._table, _I64(k)) for k in range(4)
        )
        self._rows = b.gep(self._table, [_I64(4)])
        self._behind = b.mul(count, _I64(_ROW))

    def write(self) -> None:
        """Write the function."""
        b = self._builder
        status = cgutils.alloca_once_value(b, _I32(forms.OTHER_FORM))
        thread = cgutils.alloca_once(b, _ADDRESS)
        self._put(_I64(0), b.ptrtoint(self._things, _I64))
        with self._each_row() as row:
            self._take(row)
        unlocked = b.icmp_unsigned("!=", self._unlocked, _I64(0))
        with b.if_then(unlocked):
            b.store(self._call(_ADDRESS, "PyEval_SaveThread"), thread)
        entry = b.inttoptr(self._entry, ir.FunctionType(_I32, [_WORDS, _WORDS]).as_pointer())
        b.store(b.call(entry, [b.gep(self._room, [self._words]), self._room]), status)
        with b.if_then(unlocked):
            self._call(_NOTHING, "PyEval_RestoreThread", b.load(thread))
        b.branch(self._end)
        b.position_at_end(self._other)
        self._call(_NOTHING, "PyErr_Clear")
        b.branch(self._end)
        b.position_at_end(self._end)
        with self._each_row() as row, self._used(row, forms.ARRAY):
            self._call(_NOTHING, "PyBuffer_Release", self._buffer(row))
        b.ret(b.load(status))

    @contextlib.contextmanager
    def _each_row(self) -> Iterator[forms.Row]:
        b = self._builder
        with cgutils.for_range_slice(b, _I64(0), self._behind, _I64(_ROW)) as (at, _):
            yield forms.Row(*(self._load(self._rows, b.add(at, _I64(k))) for k in range(_ROW)))

    def _take(self, row: forms.Row) -> None:
        """Take a thing out of its tuple, if it is of the right kind; put down what it becomes."""
        b = self._builder
        holder = b.inttoptr(self._load(self._room, row.holder), _ADDRESS)
        thing = self._call(_ADDRESS, "PyTuple_GetItem", holder, row.at)
        kind = self._call(_ADDRESS, "PyObject_Type", thing)
        self._call(_NOTHING, "Py_DecRef", kind)
        self._want(b.ptrtoint(kind, _I64), row.kind)
        with self._used(row, forms.TUPLE):
            self._want(self._call(_I64, "PyTuple_Size", thing), row.wanted)
            self._put(row.to, b.ptrtoint(thing, _I64))
        with self._used(row, forms.ARRAY):
            self._take_array(thing, row)
        for use, (returned, name) in _CONVERTED.items():
            with self._used(row, use):
                value = self._call(returned, name, thing)
                error = self._call(_ADDRESS, "PyErr_Occurred")
                self._want(b.ptrtoint(error, _I64), _I64(0))
                self._put(
                    row.to, b.sext(value, _I64) if returned == _I32 else b.bitcast(value, _I64)
                )

    def _take_array(self, thing: Any, row: forms.Row) -> None:
        b, buffer = self._builder, self._buffer(row)
        asked, order = b.trunc(row.asked, _I32), b.trunc(row.refused, _I8)
        self._want(self._call(_I32, "PyObject_GetBuffer", thing, buffer, asked), _I32(0))
        with b.if_then(b.icmp_unsigned("!=", row.refused, _I64(0))):
            self._want(self._call(_I32, "PyBuffer_IsContiguous", buffer, order), _I32(0))
        address, *_, read_only, dimensions, letters, lengths, strides, _, _ = (
            b.load(b.gep(buffer, [_I32(0), _I32(k)])) for k in range(len(_BUFFER.elements))
        )
        found = b.zext(self._load(letters, _I64(0)), _I64)
        for value, place in (
            (self._load(letters, _I64(1)), 8),  # zero: it is a single letter
            (dimensions, forms.DIMENSIONS),
            (read_only, forms.READ_ONLY),
        ):
            found = b.or_(found, b.shl(b.zext(value, _I64), _I64(place)))
        self._want(found, row.wanted)
        self._put(row.to, b.ptrtoint(address, _I64))
        count = b.zext(dimensions, _I64)
        with cgutils.for_range(b, count) as loop:
            place = b.add(b.add(row.to, _I64(1)), loop.index)
            self._put(place, self._load(lengths, loop.index))
            self._put(b.add(place, count), self._load(strides, loop.index))

    def _buffer(self, row: forms.Row) -> Any:
        b = self._builder
        return b.bitcast(b.gep(self._room, [row.buffer]), _BUFFER.as_pointer())

    def _used(self, row: forms.Row, use: int) -> Any:
        """Where what follows is only for rows of one use."""
        return self._builder.if_then(self._builder.icmp_unsigned("==", row.use, _I64(use)))

    def _want(self, one: Any, other: Any) -> None:
        """Go on only if two values are the same."""
        b = self._builder
        block = b.append_basic_block()
        b.cbranch(b.icmp_unsigned("==", one, other), block, self._other)
        b.position_at_end(block)

    def _call(self, kind: Any, name: str, *args: Any) -> Any:
        b = self._builder
        plain = [b.bitcast(it, _ADDRESS) if it.type.is_pointer else it for it in args]
        wanted = ir.FunctionType(kind, [it.type for it in plain])
        return b.call(cgutils.get_or_insert_function(b.module, wanted, name), plain)

    def _load(self, first: Any, at: Any) -> Any:
        return self._builder.load(self._builder.gep(first, [at]))

    def _put(self, at: Any, word: Any) -> None:
        self._builder.store(word, self._builder.gep(self._room, [at]))


# ---- Memory for the arrays that a kernel makes


def write_memory(module: Any) -> None:
    """Write what numba asks of arrays that a kernel makes: a head, then the items.

    The head has: references, two addresses that numba fills and nobody needs, where the items are,
    how many bytes, and an address that nobody needs. It is as long as addresses make it.
    """
    word = _I64
    head_kind = ir.LiteralStructType([word, _ADDRESS, _ADDRESS, _ADDRESS, word, _ADDRESS])

    def define(name: str, *kinds: Any) -> tuple[Any, Any]:
        function = ir.Function(module, ir.FunctionType(_ADDRESS, kinds), name)
        return function, ir.IRBuilder(function.append_basic_block())

    reserve = cgutils.get_or_insert_function(
        module, ir.FunctionType(_ADDRESS, [word]), "PyMem_RawMalloc"
    )
    release = cgutils.get_or_insert_function(
        module, ir.FunctionType(ir.VoidType(), [_ADDRESS]), "PyMem_RawFree"
    )
    for safe in ("", "_safe"):
        function, b = define(f"NRT_MemInfo_alloc{safe}_aligned", word, _I32)
        size, align = function.args
        align = b.zext(align, word)
        nowhere = ir.Constant(head_kind.as_pointer(), None)
        length = b.ptrtoint(b.gep(nowhere, [_I32(1)]), word)
        room = b.call(reserve, [b.add(b.add(size, align), length)])
        with b.if_then(b.icmp_unsigned("==", b.ptrtoint(room, word), word(0))):
            b.ret(room)
        behind = b.add(b.ptrtoint(room, word), b.add(b.sub(length, word(1)), align))
        data = b.inttoptr(b.sub(behind, b.urem(behind, align)), _ADDRESS)
        head, nobody = b.bitcast(room, head_kind.as_pointer()), ir.Constant(_ADDRESS, None)
        for k, value in enumerate((word(1), nobody, nobody, data, size)):
            b.store(value, b.gep(head, [_I32(0), _I32(k)]))
        b.ret(room)
    gone = ir.Function(module, ir.FunctionType(ir.VoidType(), [_ADDRESS]), "NRT_MemInfo_call_dtor")
    b = ir.IRBuilder(gone.append_basic_block())
    b.call(release, gone.args)
    b.ret_void()
