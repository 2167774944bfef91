"""The one door to numba: ``@kernel`` compiles a function and keeps the machine code.

Numba's own cache notices an edit of the file that a function is in, but not of the files whose
kernels it calls, and runs whatever it finds. ``KernelCache`` takes its place, so kernels may call
each other across files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast, overload

import numba
from numba.core import config as _numba_config
from numba.core import event as _numba_event
from numba.core import types as _numba_types

from .kernel_cache import KernelCache, kernel_folder

config: Any = _numba_config
event: Any = _numba_event
types: Any = _numba_types

P = ParamSpec("P")
R = TypeVar("R")


class InnerKernelError(TypeError):
    """Plain Python called an inner kernel; only kernels call those."""


class _Compilations(_numba_event.Listener):
    """Calls back whenever numba has to compile instead of loading from disk."""

    def __init__(self, began: Callable[[], None], ended: Callable[[], None]) -> None:
        self._began, self._ended = began, ended

    def on_start(self, _: Any) -> None:
        """A kernel is about to be compiled."""
        self._began()

    def on_end(self, _: Any) -> None:
        """It is done, or has failed."""
        self._ended()


def tell_when_compiling(
    began: Callable[[], None], ended: Callable[[], None] = lambda: None
) -> None:
    """Have ``began`` and ``ended`` called around each kernel that is really compiled.

    A kernel compiles those that it calls, so one may begin before another has ended.
    """
    event.register("numba:compile", _Compilations(began, ended))


def _one_form_for_constants(compiled: Any) -> None:
    """Compile no form of its own for a call with 0 where the argument is an integer like others.

    numba gives every constant argument a type of its own, and each kernel below one more form: a
    third of the time that the first run of ``optimal`` compiles, for nothing that runs faster.
    """
    answer = compiled.get_call_template

    def plain(args: Any, kws: Any) -> Any:
        return answer(
            tuple(types.unliteral(arg) for arg in args),
            {name: types.unliteral(arg) for name, arg in kws.items()},
        )

    compiled.get_call_template = plain


def _refuse_python(compiled: Any) -> None:
    """Turn calls from Python away: there is no code that would take their arguments apart."""

    def keep(result: Any) -> None:
        compiled.overloads[tuple(result.signature.args)] = result  # and none to call

    def refuse(*_: Any, **__: Any) -> None:
        raise InnerKernelError(compiled.__name__)

    compiled.add_overload = keep
    compiled._compile_for_args = refuse


def _compile(func: Callable[P, R], options: dict[str, Any], inner: bool) -> Callable[P, R]:
    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner, **options}
    compiled: Any = numba.njit(**options)(func)
    if not hasattr(compiled, "py_func"):  # NUMBA_DISABLE_JIT
        return cast("Callable[P, R]", compiled)
    _one_form_for_constants(compiled)
    if inner:
        _refuse_python(compiled)
    folder = kernel_folder()
    if folder is not None and Path(func.__code__.co_filename).is_file():
        compiled._cache = KernelCache(func, folder)
    return cast("Callable[P, R]", compiled)


@overload
def kernel(func: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def kernel(
    *, inner: bool = False, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(
    func: Callable[..., Any] | None = None, /, *, inner: bool = False, **options: Any
) -> Any:
    """Compile with numba and keep the machine code; typed as the plain function it wraps.

    An ``inner`` kernel is called by other kernels alone. The code that takes the arguments of a
    call from Python apart is left out, which takes longer to compile than many a kernel.
    """
    if func is None:
        return lambda it: _compile(it, options, inner)
    return _compile(func, options, inner)


@overload
def lean(func: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def lean(
    *, inner: bool = False, inline: bool = False
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def lean(
    func: Callable[..., Any] | None = None, /, *, inner: bool = False, inline: bool = False
) -> Any:
    """A kernel that makes no array, nor calls one that does: compiled without reference counts.

    Kernels that are handed many arrays and are called millions of times spend a quarter of their
    time on counting references, with atomic instructions, to arrays that outlive them anyway.
    What is left of a call is to hand them on, dozens of values in memory; an ``inline`` kernel
    becomes part of those that call it.
    """
    options: dict[str, Any] = {"_nrt": False, "forceinline": inline}
    if func is None:
        return lambda it: _compile(it, options, inner)
    return _compile(func, options, inner)
