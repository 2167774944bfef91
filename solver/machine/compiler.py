"""Compiles kernels, each for a form of its arguments, with entries that read Python's objects."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding, ir
from numba.core import cgutils, config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.np import arrayobj, numpy_support

from . import forms, numba_code
from .linker import CODE_MODEL, RELOCATION
from .numba_code import Record

_I1, _I8, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
_ADDRESS = _I8.as_pointer()
#: Functions outside that entries may call: they are in every process.
_OUTSIDE = {
    "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble", "PyEval_SaveThread", "PyEval_RestoreThread",
    "PyMem_RawMalloc", "PyMem_RawFree", "memcpy", "memset", "memmove",
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

    def __init__(self, entry: type[EntryCode] | None = None) -> None:
        self._context = cpu_target.target_context
        self._context.refresh()
        self._library = self._context.codegen().create_library(forms.ENTRY)
        self._module = self._library.create_ir_module(forms.ENTRY)
        self._entry = entry or EntryCode
        self._kernels: list[Any] = []
        #: The forms of what the kernels return.
        self.returned: list[forms.ArgTypes] = []

    def add(self, kernel: forms.KernelLike, form: forms.ArgTypes, name: str = "") -> None:
        """Write a kernel for a form of its arguments, and its entry: by its number or a name."""
        argument_types = tuple(type_of(part) for part in form[2])
        with global_compiler_lock, _without_garbage():
            dispatcher = numba_code.numba_kernel_of(kernel)
            dispatcher.compile(argument_types)
            overload = dispatcher.overloads[argument_types]
            result = overload.signature.return_type
            returned = form_of_result(result)
            name = name or f"{forms.ENTRY}_{len(self.returned)}"
            nogil = bool(kernel.options.get("nogil"))
            entry = self._entry(self._context, self._module, form, name)
            entry.write(overload.fndesc, argument_types, result, nogil)
        self._kernels.append(overload.library)
        self.returned.append(returned)

    def made_for(self, processors: Sequence[Processor]) -> list[bytes]:
        """The object code of all kernels for each processor."""
        if unknown := forms.unknown_memory():
            raise UnfitError(unknown)
        kept = {f"{forms.ENTRY}_{k}" for k in range(len(self.returned))}
        with global_compiler_lock, _without_garbage():
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
        with _optimised_for(machine):
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


@contextlib.contextmanager
def _without_garbage() -> Iterator[None]:
    """While this lasts, no garbage is looked for: all that a compiler makes is in use."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextlib.contextmanager
def _optimised_for(machine: Any) -> Iterator[None]:
    """While this lasts, numba optimises for another processor than the one it was set up for."""
    code = cpu_target.target_context.codegen()
    before, code._tm = code._tm, machine
    try:
        yield
    finally:
        code._tm = before


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
    if kind in ("int", "none", "float", "bool"):
        named = {"int": types.int64, "none": types.none, "float": types.float64}
        return named.get(kind, types.boolean)
    return _scalar(kind)


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


# ---- The entry of a kernel: ``int32 entry(arguments, results, known)``, a function of our own
#
# ``arguments`` is the tuple of a call as Python has it in memory. The entry takes it apart, and
# answers ``OTHER_FORM`` unless every class, item type, dimension and flag is that of its form; then
# it calls what numba made of the kernel, and writes what comes back as 64-bit words. ``known``
# holds the addresses of the classes and item types of the form in this process, and behind them
# where the first part of a tuple lies: that is not the same in every version of Python.


class EntryCode:
    """The function that takes the arguments of a call of a kernel apart."""

    def __init__(self, context: Any, module: Any, form: forms.ArgTypes, name: str) -> None:
        self._context = context
        self._form = form
        kind = ir.FunctionType(_I32, [_ADDRESS, _I64.as_pointer(), _ADDRESS.as_pointer()])
        function = ir.Function(module, kind, name)
        self._arguments, self._results, self._known = function.args
        self._builder = ir.IRBuilder(function.append_basic_block())
        self._other = function.append_basic_block()
        ir.IRBuilder(self._other).ret(_I32(forms.OTHER_FORM))
        self._names = {name: k for k, name in enumerate(forms.known_names(form))}

    def write(self, kernel: Any, argument_types: Sequence[Any], result: Any, nogil: bool) -> None:
        """Write the entry of a kernel: take arguments apart, call, write down what it returns."""
        b, convention = self._builder, self._context.call_conv
        whole = types.BaseTuple.from_types(argument_types, tuple)
        arguments = self._parts(self._arguments, self._form, whole)
        kind = convention.get_function_type(result, argument_types)
        function = ir.Function(b.module, kind, kernel.llvm_func_name)
        thread = self._call(_ADDRESS, "PyEval_SaveThread") if nogil else None
        status, returned = convention.call_function(b, function, result, argument_types, arguments)
        if thread is not None:
            self._call(ir.VoidType(), "PyEval_RestoreThread", thread)
        with b.if_then(status.is_error, likely=False):
            error = b.load(status.excinfoptr)
            self._put(0, b.ptrtoint(b.extract_value(error, 0), _I64))
            self._put(1, b.sext(b.extract_value(error, 1), _I64))
            b.ret(status.code)
        self._store(0, returned, result)
        b.ret(_I32(0))

    # -- arguments

    def _at(self, address: Any, offset: int, kind: Any) -> Any:
        b = self._builder
        return b.load(b.bitcast(b.gep(address, [_I64(offset)]), kind.as_pointer()))

    def _want(self, right: Any) -> None:
        block = self._builder.append_basic_block()
        self._builder.cbranch(right, block, self._other)
        self._builder.position_at_end(block)

    def _known_address(self, name: str) -> Any:
        return self._builder.load(self._builder.gep(self._known, [_I64(self._names[name])]))

    def _same(self, address: Any, name: str) -> Any:
        b = self._builder
        known = b.ptrtoint(self._known_address(name), _I64)
        return b.icmp_unsigned("==", b.ptrtoint(address, _I64), known)

    def _want_class(self, thing: Any, name: str) -> None:
        self._want(self._same(self._at(thing, forms.HEAD - 8, _ADDRESS), name))

    def _call(self, kind: Any, name: str, *args: Any) -> Any:
        b = self._builder
        wanted = ir.FunctionType(kind, [arg.type for arg in args])
        return b.call(cgutils.get_or_insert_function(b.module, wanted, name), args)

    def _things(self, thing: Any, form: forms.ArgTypes) -> list[Any]:
        """What a tuple holds, as Python has it."""
        self._want_class(thing, form[0])
        b = self._builder
        count = self._at(thing, forms.HEAD, _I64)
        self._want(b.icmp_unsigned("==", count, _I64(len(form[2]))))
        items = b.load(b.gep(self._known, [_I64(len(self._names))]))
        parts = b.gep(thing, [b.ptrtoint(items, _I64)])
        return [self._at(parts, 8 * k, _ADDRESS) for k in range(len(form[2]))]

    def _parts(self, thing: Any, form: forms.ArgTypes, kind: Any) -> list[Any]:
        """The parts of a tuple, as numba has them."""
        things = zip(self._things(thing, form), form[2], strict=True)
        return [self._value(it, part, kind[k]) for k, (it, part) in enumerate(things)]

    def _tuple(self, thing: Any, form: forms.ArgTypes, kind: Any) -> Any:
        return self._context.make_tuple(self._builder, kind, self._parts(thing, form, kind))

    def _record(self, thing: Any, form: forms.ArgTypes, kind: Any) -> Any:
        room = numba_code.room_for(self._builder, kind)
        self._lay(thing, form, kind, room)
        return room

    def _lay(self, thing: Any, form: forms.ArgTypes, kind: Any, address: Any) -> None:
        """Lay a record into memory."""
        b = self._builder
        for k, (it, part) in enumerate(zip(self._things(thing, form), form[2], strict=True)):
            place = numba_code.place_of(b, kind, address, k)
            if isinstance(kind[k], Record):
                self._lay(it, part, kind[k], place)
            else:
                value = self._value(it, part, kind[k])
                numba_code.store_part(self._context, b, kind[k], place, value)

    def _value(self, thing: Any, form: forms.ArgTypes, kind: Any) -> Any:
        if not isinstance(form, str):
            is_record = isinstance(kind, Record)
            return (self._record if is_record else self._tuple)(thing, form, kind)
        return (self._array if " " in form else self._number)(thing, form, kind)

    def _number(self, thing: Any, form: str, kind: Any) -> Any:
        b = self._builder
        if form in ("none", "bool"):
            return self._constant(thing, form)
        self._want_class(thing, form)
        if form == "float":
            return self._call(ir.DoubleType(), "PyFloat_AsDouble", thing)
        if form == "int":
            over = cgutils.alloca_once(b, _I32)
            value = self._call(_I64, "PyLong_AsLongLongAndOverflow", thing, over)
            self._want(b.icmp_signed("==", b.load(over), _I32(0)))
            return value
        held = self._context.get_data_type(kind)
        value = self._at(thing, forms.HEAD, held)
        return self._context.data_model_manager[kind].from_data(b, value)

    def _constant(self, thing: Any, form: str) -> Any:
        if form == "none":
            self._want(self._same(thing, "none"))
            return self._context.get_dummy_value()
        true = self._same(thing, "true")
        self._want(self._builder.or_(true, self._same(thing, "false")))
        return true

    def _array(self, thing: Any, form: str, kind: Any) -> Any:
        b = self._builder
        item, ndim, order, access = form.split()
        self._want_class(thing, "array")
        dimensions = self._at(thing, forms.HEAD + forms.NDIM, _I32)
        self._want(b.icmp_signed("==", dimensions, _I32(int(ndim))))
        # what an array holds is found by a word: numpy has several objects for one type of items
        held = self._at(thing, forms.HEAD + forms.DTYPE, _ADDRESS)
        known = self._known_address(item)
        one, other = (self._at(dtype, forms.HEAD + forms.TYPE, _I64) for dtype in (held, known))
        self._want(b.icmp_unsigned("==", one, other))
        # an array of one dimension is contiguous in both ways, and then of the first
        looked_at = forms.ALIGNED | forms.WRITEABLE | forms.C_ORDER
        looked_at |= 0 if order == "C" else forms.F_ORDER
        wanted = forms.ALIGNED | {"C": forms.C_ORDER, "F": forms.F_ORDER, "A": 0}[order]
        wanted |= forms.WRITEABLE if access == "w" else 0
        flags = b.and_(self._at(thing, forms.HEAD + forms.FLAGS, _I32), _I32(looked_at))
        self._want(b.icmp_unsigned("==", flags, _I32(wanted)))
        shape, strides = (
            [self._at(row, 8 * k, _I64) for k in range(int(ndim))]
            for row in (
                self._at(thing, forms.HEAD + place, _ADDRESS)
                for place in (forms.SHAPE, forms.STRIDES)
            )
        )
        address = self._at(thing, forms.HEAD + forms.DATA, _ADDRESS)
        return self._array_at(address, kind, shape, strides)

    def _array_at(self, address: Any, kind: Any, shape: list[Any], strides: list[Any]) -> Any:
        """An array as numba has it, of its address."""
        b = self._builder
        array = self._context.make_array(kind)(self._context, b)
        data = b.bitcast(address, array.data.type)
        size = numpy_support.as_dtype(kind.dtype).itemsize
        arrayobj.populate_array(
            array, data=data, shape=shape, strides=strides, itemsize=size, meminfo=None
        )
        return array._getvalue()

    # -- results

    def _put(self, at: int, word: Any) -> None:
        self._builder.store(word, self._builder.gep(self._results, [_I64(at)]))

    def _store(self, at: int, value: Any, kind: Any) -> int:
        """Write a value; the place behind it."""
        b = self._builder
        if isinstance(kind, types.NoneType):
            return at
        if isinstance(kind, types.BaseTuple):
            for k, part in enumerate(kind):
                at = self._store(at, b.extract_value(value, k), part)
            return at
        if isinstance(kind, types.Array):
            array = self._context.make_array(kind)(self._context, b, value)
            self._put(at, b.ptrtoint(array.meminfo, _I64))
            self._put(at + 1, b.ptrtoint(array.data, _I64))
            for k, length in enumerate(cgutils.unpack_tuple(b, array.shape, kind.ndim)):
                self._put(at + 2 + k, length)
            return at + 2 + int(kind.ndim)
        if isinstance(kind, types.Float):
            self._put(at, b.bitcast(value, _I64))
        elif isinstance(kind, types.Boolean):
            self._put(at, b.zext(b.trunc(value, _I1), _I64))
        elif value.type == _I64:
            self._put(at, value)
        else:
            self._put(at, (b.sext if kind.signed else b.zext)(value, _I64))
        return at + 1


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
