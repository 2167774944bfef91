"""Numba's part: what it writes of a kernel, which stays as it is written, and what it calls itself.

Kernels become machine code only as part of an entry: numba's library of each is left as it was
written, and an entry links all that it needs and optimises it once.
"""

from __future__ import annotations

import contextlib
import ctypes
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numba as _numba
from llvmlite import binding as _binding
from numba.core import codegen as _codegen
from numba.core import types as _types
from numba.core.callconv import CPUCallConv as _CPUCallConv
from numba.core.compiler import Flags as _Flags
from numba.core.compiler_lock import global_compiler_lock as _global_compiler_lock
from numba.core.registry import cpu_target as _cpu_target
from numba.core.types.functions import BaseFunction as _BaseFunction
from numba.extending import intrinsic as _intrinsic

from ..argument_forms import Kernel
from .records import mark_records

numba: Any = _numba
binding: Any = _binding
types: Any = _types
intrinsic: Any = _intrinsic
cpu_target: Any = _cpu_target
global_compiler_lock: Any = _global_compiler_lock
CPUCallConv: Any = _CPUCallConv
Flags: Any = _Flags
BaseFunction: Any = _BaseFunction
JITCodeLibrary: Any = _codegen.JITCodeLibrary


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
        """The library and all those it calls, each once; those of numba's own come last.

        Of these only what is asked for by then is linked.
        """
        found: dict[Any, None] = {self: None}
        todo = [self]
        while todo:
            for library in todo.pop()._linking_libraries:
                if library not in found:
                    found[library] = None
                    if isinstance(library, Written):
                        todo.append(library)
        return dict.fromkeys(sorted(found, key=lambda it: not isinstance(it, Written)))

    def _get_module_for_linking(self) -> Any:
        """For libraries of numba's own: whole, with everything that is called."""
        if self._shared_module is None:
            module = binding.parse_bitcode(self._final_module.as_bitcode())
            for library in self.needed():
                if library is not self:
                    module.link_in(module_of(library), preserve=True)
            for function in module.functions:
                if not function.is_declaration and function.linkage == binding.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = module
        return self._shared_module


def module_of(library: Any) -> Any:
    """The LLVM module that is linked of a numba library."""
    if isinstance(library, Written):
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

    def told(_: Any, kind: Any, args: Any, *__: Any) -> tuple[Any, ...]:
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
        _changed(code, _library_class=Written),
        _changed(
            context,
            get_executable=inert,
            create_cfunc_wrapper=left_out,
            create_cpython_wrapper=left_out,
        ),
        _changed(Flags, values=values),
        _changed(CPUCallConv, build_excinfo_struct=told, decorate_function=marked),
        _changed(BaseFunction, get_call_type=remembered),
    ):
        yield


@contextlib.contextmanager
def _changed(owner: Any, **attributes: Any) -> Iterator[None]:
    """While this lasts, something has other attributes."""
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


@cache
def numba_kernel_of(door: Kernel) -> Any:
    """The compiler's own object for a kernel that other kernels call: what numba knows it by."""
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
    """The numba type of a kernel that another one calls."""
    return types.Dispatcher(numba_kernel_of(door))


@cache
def type_of_step(write: Callable[..., Any]) -> Any:
    """The compiler's type of a vector step that a kernel takes, as numba has it."""
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
