"""What numba makes of a kernel: its LLVM code, records, and the helpers that it calls.

Kernels become machine code only as part of an entry: numba's library of each is left as it was
written, and an entry links all that it needs and optimises it once.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import accumulate
from typing import Any

import numba
from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.callconv import CPUCallConv
from numba.core.codegen import CPUCodeLibrary, JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.datamodel import models
from numba.core.datamodel.registry import register_default
from numba.core.imputils import lower_constant, lower_getattr_generic
from numba.core.registry import cpu_target
from numba.core.runtime import nrtdynmod
from numba.core.types.functions import BaseFunction
from numba.core.typing import templates
from numba.extending import intrinsic
from numba.np import arrayobj, numpy_support

from .forms import KernelLike

# ---- Arguments as 64-bit words
#
# A number is one word, an array its address, its lengths and its strides, a tuple its parts one
# after the other, ``None`` nothing.

_WORD, _DOUBLE = ir.IntType(64), ir.DoubleType()
_ADDRESS = ir.IntType(8).as_pointer()


def word_count(kind: Any) -> int:
    """How many words hold a value."""
    if isinstance(kind, Record):
        return kind.places[-1]
    if isinstance(kind, types.Array):
        return 1 + 2 * int(kind.ndim)
    if isinstance(kind, types.BaseTuple):
        return sum(map(word_count, kind))
    return int(not isinstance(kind, types.NoneType))


def values_of(context: Any, builder: Any, kinds: Iterable[Any], words: Any) -> list[Any]:
    """Values as numba has them, of the words that begin at an address."""
    values, at = [], 0
    for kind in kinds:
        place = builder.gep(words, [_WORD(at)])
        values.append(_value_of(context, builder, kind, place))
        at += word_count(kind)
    return values


def _value_of(context: Any, builder: Any, kind: Any, words: Any) -> Any:
    if isinstance(kind, Record):
        return builder.bitcast(words, _ADDRESS)
    if isinstance(kind, types.BaseTuple):
        return context.make_tuple(builder, kind, values_of(context, builder, kind, words))
    if isinstance(kind, types.Array):
        return _array_of(context, builder, kind, words)
    if isinstance(kind, types.NoneType):
        return context.get_dummy_value()
    word, wanted = builder.load(words), context.get_value_type(kind)
    if isinstance(kind, types.Float):
        double = builder.bitcast(word, _DOUBLE)
        return double if wanted == _DOUBLE else builder.fptrunc(double, wanted)
    return word if wanted == _WORD else builder.trunc(word, wanted)


def _array_of(context: Any, builder: Any, kind: Any, words: Any) -> Any:
    array = context.make_array(kind)(context, builder)
    address = builder.bitcast(words, array.data.type.as_pointer())
    bounds = [builder.load(builder.gep(words, [_WORD(1 + k)])) for k in range(2 * kind.ndim)]
    arrayobj.populate_array(
        array,
        data=builder.load(address),
        shape=bounds[: kind.ndim],
        strides=bounds[kind.ndim :],
        itemsize=numpy_support.as_dtype(kind.dtype).itemsize,
        meminfo=None,  # to whom it belongs: nobody asks
    )
    return array._getvalue()


# ---- Records (``forms.record``), and how kernels read their fields
#
# Numba takes a tuple apart wherever one kernel hands it to another, every array of it into seven
# words or more. Where a hundred arrays travel together, most of what it writes, and of what LLVM
# then reads, are those words. A record is handed on by the address of its words among those of a
# call. Nothing can write there while a kernel runs, and what a record holds belongs to the caller:
# no references are counted.


class Record(types.Type):  # type: ignore[misc]  # numba has no types
    """The numba type of a record: the types of its parts, and where each is, in words."""

    def __init__(self, kind: type, fields: Sequence[str], parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)
        self.number = {name: k for k, name in enumerate(fields)}
        self.places = [0, *accumulate(map(word_count, parts))]
        held = zlib.crc32(f"{kind.__module__}{parts}".encode())
        super().__init__(f"{kind.__name__}_{held:08x}")


@register_default(Record)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    """A record is its address."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _ADDRESS)


@templates.infer_getattr
class _Fields(templates.AttributeTemplate):  # type: ignore[misc]
    """What type a field has."""

    key = Record

    def generic_resolve(self, record: Record, name: str) -> Any:
        """The type, or None if there is no such field."""
        k = record.number.get(name)
        return None if k is None else record.parts[k]


def _field(context: Any, builder: Any, record: Record, address: Any, name: str) -> Any:
    """Read a field."""
    k = record.number[name]
    words = builder.bitcast(address, _WORD.as_pointer())
    place = builder.gep(words, [_WORD(record.places[k])])
    return _value_of(context, builder, record.parts[k], place)


lower_getattr_generic(Record)(_field)


def mark_records(arguments: Sequence[Any], kinds: Sequence[Any]) -> None:
    """Tell LLVM of those arguments of a function that are records: nobody writes there."""
    for argument, kind in zip(arguments, kinds, strict=True):
        if isinstance(kind, Record):
            for attribute in ("noalias", "captures(none)", "nonnull"):
                argument.add_attribute(attribute)
            argument.attributes.dereferenceable = 8 * word_count(kind)


# ---- Numba libraries that are written, neither linked nor optimised


class Written(JITCodeLibrary):  # type: ignore[misc]  # numba has no types
    """A library of numba that is only written, neither linked nor optimised: others do that."""

    _shared_module: Any

    def finalize(self) -> None:
        """Leave the library as it is written."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """No function of the library can be called: there is no machine code."""
        return 0

    def needed(self) -> dict[Any, None]:
        """The library and all those it calls, each once."""
        found: dict[Any, None] = {self: None}
        todo = [self]
        while todo:
            for library in todo.pop()._linking_libraries:
                if library not in found:
                    found[library] = None
                    if isinstance(library, Written):
                        todo.append(library)
        return found

    def _get_module_for_linking(self) -> Any:
        """For libraries of numba's own: whole, with everything that is called."""
        if self._shared_module is None:
            module = binding.parse_bitcode(self._final_module.as_bitcode())
            for library in in_linking_order(self.needed()):
                if library is not self:
                    module.link_in(module_of(library), preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


def in_linking_order(libraries: Iterable[Any]) -> list[Any]:
    """Libraries of numba with its own last: of these only what is missing by then is linked."""
    return sorted(libraries, key=lambda library: not isinstance(library, Written))


def module_of(library: Any) -> Any:
    """The LLVM module that is linked of a numba library."""
    if isinstance(library, Written):
        return library._final_module
    return _references() if library.name == "nrt" else library._get_module_for_linking()


@cache
def _references() -> Any:
    """The functions by which numba counts references to arrays, as they are written.

    Of those in its library numba has made machine code, and LLVM then leaves in them what only this
    machine has.
    """
    written, _ = nrtdynmod.create_nrt_module(cpu_target.target_context)
    module = binding.parse_assembly(cgutils.normalize_ir_text(str(written)))
    for function in module.functions:
        if not function.is_declaration:
            function.linkage = "linkonce_odr"
    return module


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

    # each function less carefully than numba does: all are optimised together later
    tidied_up = partial(code._function_pass_manager, opt=1)

    def left_out(*_: Any, **__: Any) -> None:
        """No way into what others alone call."""

    def without_place(_: Any, kind: Any, args: Any, *__: Any) -> tuple[Any, ...]:
        """An exception without the place that raises it: where files lie is nobody's business."""
        return kind, args, None

    resolved, decorated = BaseFunction.get_call_type, CPUCallConv.decorate_function

    def remembered(function: Any, typing: Any, args: Any, named: dict[str, Any]) -> Any:
        """As numba's own, which at every call tries all that a function can mean."""
        known = vars(function).setdefault("knuthle_known", {})
        key = args, tuple(named.items())
        if key not in known:
            known[key] = resolved(function, typing, args, named)
        return known[key]

    def marked(self: Any, function: Any, args: Any, kinds: Any, noalias: bool = False) -> None:
        """As numba's own, and records are marked."""
        decorated(self, function, args, kinds, noalias=noalias)
        packer = self._get_arg_packer(kinds)
        mark_records(packer._unflattener.unflatten(self.get_arguments(function)), kinds)

    if code._library_class is Written:  # a kernel calls another
        yield
        return
    with (
        global_compiler_lock,
        changed(code, _library_class=Written, _function_pass_manager=tidied_up),
        changed(
            context,
            get_executable=inert,
            create_cfunc_wrapper=left_out,
            create_cpython_wrapper=left_out,
            # asked of LLVM again and again, with the same answer
            get_abi_sizeof=cache(context.get_abi_sizeof),
            get_abi_alignment=cache(context.get_abi_alignment),
        ),
        changed(CPUCallConv, build_excinfo_struct=without_place, decorate_function=marked),
        changed(BaseFunction, get_call_type=remembered),
    ):
        yield


def has_compiled() -> bool:
    """Whether numba has been asked for any kernel in this process."""
    return numba_kernel_of.cache_info().currsize > 0


@contextlib.contextmanager
def without_layout() -> Iterator[None]:
    """While this lasts, what numba writes says nothing of how long an address is.

    Else it is optimised for this machine function by function, and LLVM then counts on its layout.
    Nothing may have been compiled before (``has_compiled``): much of it would be taken again.
    """

    def left(*_: Any) -> None:
        """Optimise nothing yet."""

    with changed(CPUCodeLibrary, _optimize_functions=left):
        yield


@contextlib.contextmanager
def changed(owner: Any, **attributes: Any) -> Iterator[None]:
    """While this lasts, something has other attributes, all of which it must have already.

    So a numba that is built otherwise is noticed, and the ``AttributeError`` says by what.
    """
    for name in attributes:
        getattr(owner, name)
    before = {name: vars(owner)[name] for name in attributes if name in vars(owner)}
    for name, value in attributes.items():
        setattr(owner, name, value)
    try:
        yield
    finally:
        for name in attributes:
            if name in before:
                setattr(owner, name, before[name])
            else:
                delattr(owner, name)


# ---- Kernels and vector steps as numba knows them


@cache
def numba_kernel_of(kernel: KernelLike) -> Any:
    """Numba's own object for a kernel that other kernels call."""
    inner = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, "pipeline_class": _Passes}
    made: Any = numba.njit(**inner, **kernel.options)(kernel.py_func)
    plainly = made.compile

    def keep(result: Any) -> None:
        made.overloads[tuple(result.signature.args)] = result  # and none for Python to call

    def compile_written(signature: Any) -> Any:
        with _only_written():
            return plainly(signature)

    made.add_overload, made.compile = keep, compile_written
    _one_form_for_integers(made)
    return made


#: Passes of numba's that kernels do not need: none has a function inside it, or a ``with``; and
#: what they do with whole arrays at once is too little to be made one loop.
_NEEDLESS = (
    "WithLifting InlineClosureLikes MakeFunctionToJitFunction InlineInlinables FindLiterallyCalls "
    "LiteralUnroll LiteralPropagationSubPipelinePass NopythonRewrites"
).split()


class _Passes(CompilerBase):  # type: ignore[misc]  # numba has no types
    """What numba does to a kernel, without that: a tenth of the time that it takes."""

    def define_pipelines(self) -> list[PassManager]:
        """The passes, as numba asks for them."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [it for it in passes.passes if it[0].__name__ not in _NEEDLESS]
        return [passes]


def _one_form_for_integers(dispatcher: Any) -> None:
    """Compile no form of its own for a call with 0, or an integer of 32 bits, where others have 64.

    numba gives every constant argument a type of its own, and each kernel below one more form: a
    third of the time that the first run of ``optimal`` compiles, for nothing that runs faster.
    """
    answer = dispatcher.get_call_template

    def widened(kind: Any) -> Any:
        kind = types.unliteral(kind)
        return types.int64 if kind in types.signed_domain else kind

    def plain(args: Any, kws: Any) -> Any:
        return answer(tuple(map(widened, args)), {name: widened(it) for name, it in kws.items()})

    dispatcher.get_call_template = plain


class _Callee(types.Dispatcher):  # type: ignore[misc]  # numba has no types
    """The numba type of a kernel that another one calls, or hands on to be called.

    The type says which one it is: no address is written into the code, which is stored.
    """


register_default(_Callee)(models.OpaqueModel)


@lower_constant(_Callee)  # type: ignore[untyped-decorator]  # numba has no types
def _nothing(context: Any, _builder: Any, _kind: Any, _kernel: Any) -> Any:
    return context.get_dummy_value()


def type_of_kernel(kernel: KernelLike) -> Any:
    """The numba type of a kernel that another one calls."""
    return _Callee(numba_kernel_of(kernel))


@cache
def type_of_step(write: Callable[..., Any], plain: Callable[..., Any]) -> Any:
    """The numba type of a vector step that a kernel takes, called as its plain twin is.

    Its whole numbers have 64 bits.
    """
    called = inspect.signature(plain)
    returned = _type_of_result(called.return_annotation)

    def step(_typing: Any, *kinds: Any) -> Any:
        wide = (types.int64 if isinstance(kind, types.Integer) else kind for kind in kinds)
        return returned(*wide), write

    first, _ = inspect.signature(step).parameters.values()
    parameters = [first, *called.parameters.values()]
    step.__signature__ = called.replace(parameters=parameters)  # type: ignore[attr-defined]
    made = intrinsic(step)
    cpu_target.typing_context.refresh()
    return cpu_target.typing_context.resolve_value_type(made)


def _type_of_result(annotation: str) -> Any:
    """What numba calls the type that a plain twin returns."""
    known = {"None": types.none, "bool": types.boolean, "int": types.int64}
    if annotation.startswith("tuple["):
        parts = annotation.removeprefix("tuple[").removesuffix("]").split(", ")
        return types.BaseTuple.from_types([known[part] for part in parts])
    return types.uint64 if annotation == "np.uint64" else known[annotation]


@cache
def _in_full(kernel: KernelLike) -> Any:
    made = numba.njit(no_cfunc_wrapper=True, **kernel.options)(kernel.py_func)
    _one_form_for_integers(made)
    return made


def dispatcher_in_full(kernel: KernelLike, args: tuple[Any, ...]) -> Any:
    """The kernel as numba itself calls it, compiled for these arguments."""
    made = _in_full(kernel)
    made.compile(tuple(numba.typeof(arg) for arg in args))
    return made
