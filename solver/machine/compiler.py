"""Machine code for one form of one kernel: all that knows numba, loaded only to compile.

A kernel is entered through an *entry* of our own, ``int32 entry(arguments, results, known)``.
``arguments`` is the tuple of a call as Python has it in memory. The entry takes it apart, and
answers ``OTHER_FORM`` unless every class, item type, dimension and flag is that of its form; then
it calls what numba made of the kernel, and writes what comes back as 64-bit words. ``known`` holds
the addresses of the classes and item types of the form in this process.

Kernels become machine code only as part of an entry: numba's library of each is left as it was
written, and an entry links all that it needs and optimises it once.
"""

from __future__ import annotations

import contextlib
import ctypes
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numba as _numba
import numpy as np
from llvmlite import binding as _binding
from llvmlite import ir
from numba.core import cgutils as _cgutils
from numba.core import codegen as _codegen
from numba.core import types as _types
from numba.core.compiler import Flags as _Flags
from numba.core.compiler_lock import global_compiler_lock as _global_compiler_lock
from numba.core.registry import cpu_target as _cpu_target
from numba.extending import intrinsic as _intrinsic
from numba.np import arrayobj as _arrayobj
from numba.np import numpy_support as _numpy_support

from .forms import ENTRY, HEAD, ITEMS, OTHER_FORM, Form, Kernel, class_of, known_names
from .object_code import CODE_MODEL, RELOCATION

numba: Any = _numba
binding: Any = _binding
cgutils: Any = _cgutils
types: Any = _types
arrayobj: Any = _arrayobj
numpy_support: Any = _numpy_support
intrinsic: Any = _intrinsic
cpu_target: Any = _cpu_target
global_compiler_lock: Any = _global_compiler_lock
Flags: Any = _Flags
JITCodeLibrary: Any = _codegen.JITCodeLibrary

_I1, _I8, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
_ADDRESS = _I8.as_pointer()
#: Where the fields of an array lie behind its head, and the flags that are looked at.
_DATA, _NDIM, _SHAPE, _STRIDES, _DTYPE, _FLAGS = 0, 8, 16, 24, 40, 48
#: And of what tells the type of its items: kind, letter, byte order and number.
_TYPE = 8
_C, _F, _ALIGNED, _WRITEABLE = 0x1, 0x2, 0x100, 0x400
#: Functions outside that entries may call: they are in every process.
_OUTSIDE = {
    "PyLong_AsLongLongAndOverflow", "PyFloat_AsDouble", "PyEval_SaveThread", "PyEval_RestoreThread",
    "PyMem_RawMalloc", "PyMem_RawFree", "memcpy", "memset", "memmove",
}  # fmt: skip


class UnfitError(Exception):
    """No entry of our own can be made for this."""


# ---- numba's part: libraries that stay as they are written, and dispatchers


class _Written(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """A library that is neither linked nor optimised nor made machine code of: others do that."""

    _shared_module: Any

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def needed(self) -> dict[Any, None]:
        """This and all libraries that it calls, each once; those of numba's own come last.

        Of these only what is asked for by then is linked.
        """
        found: dict[Any, None] = {self: None}
        todo = [self]
        while todo:
            for library in todo.pop()._linking_libraries:
                if library not in found:
                    found[library] = None
                    if isinstance(library, _Written):
                        todo.append(library)
        return dict.fromkeys(sorted(found, key=lambda it: not isinstance(it, _Written)))

    def _get_module_for_linking(self) -> Any:
        """For libraries of numba's own: whole, with everything that is called."""
        if self._shared_module is None:
            module = binding.parse_bitcode(self._final_module.as_bitcode())
            for library in self.needed():
                if library is not self:
                    module.link_in(_module_of(library), preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


def _module_of(library: Any) -> Any:
    if isinstance(library, _Written):
        return library._final_module
    return library._get_module_for_linking()


@contextlib.contextmanager
def _only_written() -> Iterator[None]:
    """While this lasts, what numba compiles is only written, never made machine code of."""
    context = cpu_target.target_context
    code = context.codegen()

    def inert(library: Any, described: Any, environment: Any) -> Any:
        """What numba looks a function up by; whoever calls it is out of memory."""
        return numba._dynfunc.make_function(
            described.lookup_module(), described.qualname, "", nothing, environment, (library,)
        )

    nothing = ctypes.cast(ctypes.pythonapi.PyErr_NoMemory, ctypes.c_void_p).value

    defaults = {name: option.default for name, option in Flags.options.items()}

    def values(flags: Any) -> dict[str, Any]:
        """As numba's own, which asks for each by name, millions of times."""
        return {**defaults, **flags._values}

    def left_out(*_: Any, **__: Any) -> None:
        """No way into what others alone call."""

    if code._library_class is _Written:  # a kernel calls another
        yield
        return
    with global_compiler_lock:
        code._library_class, context.get_executable = _Written, inert
        context.create_cfunc_wrapper = context.create_cpython_wrapper = left_out
        Flags.values = values
        try:
            yield
        finally:
            del code._library_class, context.get_executable
            del context.create_cfunc_wrapper, context.create_cpython_wrapper, Flags.values


@cache
def _dispatcher(door: Kernel) -> Any:
    """What numba knows a kernel by that other kernels call."""
    made: Any = numba.njit(no_cfunc_wrapper=True, no_cpython_wrapper=True, **door.options)(
        door.py_func
    )
    plainly = made.compile

    def keep(result: Any) -> None:
        made.overloads[tuple(result.signature.args)] = result  # and none for Python to call

    def compile_written(signature: Any) -> Any:
        with _only_written():
            return plainly(signature)

    made.add_overload, made.compile = keep, compile_written
    _one_form_for_constants(made)
    return made


def _one_form_for_constants(dispatcher: Any) -> None:
    """Compile no form of its own for a call with 0 where the argument is an integer like others.

    numba gives every constant argument a type of its own, and each kernel below one more form: a
    third of the time that the first run of ``optimal`` compiles, for nothing that runs faster.
    """
    answer = dispatcher.get_call_template

    def plain(args: Any, kws: Any) -> Any:
        return answer(
            tuple(types.unliteral(arg) for arg in args),
            {name: types.unliteral(arg) for name, arg in kws.items()},
        )

    dispatcher.get_call_template = plain


def type_of_door(door: Kernel) -> Any:
    """What numba takes a kernel for that another one calls."""
    return types.Dispatcher(_dispatcher(door))


@cache
def type_of_step(write: Callable[..., Any]) -> Any:
    """What numba takes a step for that a kernel takes."""
    made = intrinsic(write)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


@cache
def _in_full(door: Kernel) -> Any:
    made = numba.njit(no_cfunc_wrapper=True, **door.options)(door.py_func)
    _one_form_for_constants(made)
    return made


def dispatcher_in_full(door: Kernel, args: tuple[Any, ...]) -> Any:
    """The kernel as numba itself calls it, compiled for these arguments."""
    made = _in_full(door)
    made.compile(tuple(numba.typeof(arg) for arg in args))
    return made


# ---- the entry


def compiled(door: Kernel, form: Form) -> tuple[Form, bytes]:
    """The form of what a kernel returns, and the object code of its entry."""
    if not _memory_is_known():
        raise UnfitError
    context = cpu_target.target_context
    context.refresh()
    argument_types = tuple(_type_of(part) for part in form[2])
    with global_compiler_lock:
        dispatcher = _dispatcher(door)
        dispatcher.compile(argument_types)
        kernel = dispatcher.overloads[argument_types]
        result = kernel.signature.return_type
        returned = _form_of_result(result)
        library = context.codegen().create_library(ENTRY)
        module = library.create_ir_module(ENTRY)
        nogil = bool(door.options.get("nogil"))
        _Entry(context, module, form).write(kernel.fndesc, argument_types, result, nogil)
        _write_memory(module)
        library.add_ir_module(module)
        return returned, _emit(library, kernel.library)


def _type_of(form: Form) -> Any:
    """What numba calls a form."""
    if not isinstance(form, str):
        parts = [_type_of(part) for part in form[2]]
        return types.BaseTuple.from_types(parts, class_of(form[0]))
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


class _Entry:
    """The function that takes the arguments of a call apart."""

    def __init__(self, context: Any, module: Any, form: Form) -> None:
        self._context = context
        self._form = form
        kind = ir.FunctionType(_I32, [_ADDRESS, _I64.as_pointer(), _ADDRESS.as_pointer()])
        function = ir.Function(module, kind, ENTRY)
        self._arguments, self._results, self._known = function.args
        self._builder = ir.IRBuilder(function.append_basic_block())
        self._other = function.append_basic_block()
        ir.IRBuilder(self._other).ret(_I32(OTHER_FORM))
        self._names = {name: k for k, name in enumerate(known_names(form))}

    def write(self, kernel: Any, argument_types: Sequence[Any], result: Any, nogil: bool) -> None:
        """Take apart, call, write down."""
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
            told = b.load(status.excinfoptr)
            self._put(0, b.ptrtoint(b.extract_value(told, 0), _I64))
            self._put(1, b.sext(b.extract_value(told, 1), _I64))
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
        self._want(self._same(self._at(thing, HEAD - 8, _ADDRESS), name))

    def _call(self, kind: Any, name: str, *args: Any) -> Any:
        b = self._builder
        wanted = ir.FunctionType(kind, [arg.type for arg in args])
        return b.call(cgutils.get_or_insert_function(b.module, wanted, name), args)

    def _parts(self, thing: Any, form: Form, kind: Any) -> list[Any]:
        """The parts of a tuple, as numba has them."""
        self._want_class(thing, form[0])
        b = self._builder
        count = self._at(thing, HEAD, _I64)
        self._want(b.icmp_unsigned("==", count, _I64(len(form[2]))))
        return [
            self._value(self._at(thing, ITEMS + 8 * k, _ADDRESS), part, kind[k])
            for k, part in enumerate(form[2])
        ]

    def _value(self, thing: Any, form: Form, kind: Any) -> Any:
        b = self._builder
        if not isinstance(form, str):
            return self._context.make_tuple(b, kind, self._parts(thing, form, kind))
        if " " in form:
            return self._array(thing, form, kind)
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
        value = self._at(thing, HEAD, held)
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
        item, ndim, layout, access = form.split()
        self._want_class(thing, "array")
        self._want(b.icmp_signed("==", self._at(thing, HEAD + _NDIM, _I32), _I32(int(ndim))))
        # what an array holds is told by a word: numpy has several objects for one type of items
        held, known = self._at(thing, HEAD + _DTYPE, _ADDRESS), self._known_address(item)
        one, other = (self._at(dtype, HEAD + _TYPE, _I64) for dtype in (held, known))
        self._want(b.icmp_unsigned("==", one, other))
        # an array of one dimension is contiguous in both ways, and then of the first
        looked_at = _C | _ALIGNED | _WRITEABLE | (0 if layout == "C" else _F)
        wanted = _ALIGNED | {"C": _C, "F": _F, "A": 0}[layout] | (access == "w") * _WRITEABLE
        flags = b.and_(self._at(thing, HEAD + _FLAGS, _I32), _I32(looked_at))
        self._want(b.icmp_unsigned("==", flags, _I32(wanted)))
        shape, strides = (
            [self._at(row, 8 * k, _I64) for k in range(int(ndim))]
            for row in (self._at(thing, HEAD + place, _ADDRESS) for place in (_SHAPE, _STRIDES))
        )
        array = self._context.make_array(kind)(self._context, b)
        data = self._at(thing, HEAD + _DATA, _ADDRESS)
        arrayobj.populate_array(
            array,
            data=b.bitcast(data, array.data.type),
            shape=shape,
            strides=strides,
            itemsize=np.dtype(item).itemsize,
            meminfo=None,
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


# ---- memory


def _write_memory(module: Any) -> None:
    """What numba asks for arrays that a kernel makes: a head of five words, then the items.

    The words are: references, two that numba fills and nobody needs, where the items are, and how
    many bytes.
    """
    word = _I64

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
        head = b.call(reserve, [b.add(b.add(size, align), word(40))])
        with b.if_then(b.icmp_unsigned("==", b.ptrtoint(head, word), word(0))):
            b.ret(head)
        behind = b.add(b.ptrtoint(head, word), b.add(word(39), align))
        data = b.sub(behind, b.urem(behind, align))
        words = b.bitcast(head, word.as_pointer())
        for k, value in enumerate((word(1), word(0), word(0), data, size)):
            b.store(value, b.gep(words, [word(k)]))
        b.ret(head)
    gone = ir.Function(module, ir.FunctionType(ir.VoidType(), [_ADDRESS]), "NRT_MemInfo_call_dtor")
    b = ir.IRBuilder(gone.append_basic_block())
    b.call(release, gone.args)
    b.ret_void()


# ---- machine code


def _emit(entry: Any, kernel: Any) -> bytes:
    """Link an entry with all that it calls, optimise it, and make machine code of it."""
    module = entry._final_module
    for library in kernel.needed():
        module.link_in(_module_of(library), preserve=True)
    for function in module.functions:
        if not function.is_declaration and function.name != ENTRY:
            function.linkage = "linkonce_odr"
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
    return bytes(_target_machine().emit_object(module))


@cache
def _target_machine() -> Any:
    code = cpu_target.target_context.codegen()
    target = binding.Target.from_triple(binding.get_process_triple())
    return target.create_target_machine(
        cpu=code._get_host_cpu_name(),
        features=code._tm_features,
        opt=numba.core.config.OPT,
        reloc=RELOCATION,
        codemodel=CODE_MODEL,
    )


def _type_of_items(dtype: Any) -> int:
    return int(ctypes.c_int64.from_address(id(dtype) + HEAD + _TYPE).value)


@cache
def _memory_is_known() -> bool:
    """Whether tuples and arrays lie in memory as entries believe: looked at in two of them."""
    array = np.zeros((3, 5), dtype=np.uint16)
    pair = (array, None)

    def word(address: int, kind: Any = ctypes.c_int64) -> int:
        return int(kind.from_address(address).value)

    here = id(array) + HEAD
    shape, strides = word(here + _SHAPE), word(here + _STRIDES)
    return (
        ctypes.sizeof(ctypes.c_void_p) == 8
        and word(id(pair) + HEAD - 8) == id(tuple)
        and [word(id(pair) + at) for at in (HEAD, ITEMS, ITEMS + 8)] == [2, id(array), id(None)]
        and word(here + _DATA) == array.ctypes.data
        and word(here + _NDIM, ctypes.c_int32) == 2
        and [word(row + at) for row in (shape, strides) for at in (0, 8)] == [3, 5, 10, 2]
        and word(here + _DTYPE) == id(array.dtype)
        and _type_of_items(array.dtype) == _type_of_items(pickle.loads(pickle.dumps(array)).dtype)
        and len({_type_of_items(np.dtype(kind)) for kind in ("u2", ">u2", "i2", "u4")}) == 4
        and word(here + _FLAGS, ctypes.c_int32) & 0x501 == 0x501
    )
