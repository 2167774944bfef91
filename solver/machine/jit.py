"""Compiled functions: ``@kernel`` makes a door to machine code, loaded or made when it is called.

A door knows nothing of the compiler. A call is answered by the machine code for the form of its
arguments (see ``argument_forms``): what is ready, else what lies in the cache, else what
``compiler`` makes, which is then kept. Where all is in the cache no compiler is loaded. What has no
form, or is no code that an entry can be made for, numba takes in its own way, and nothing of that
is kept.

With ``NUMBA_DISABLE_JIT=1`` kernels are the plain functions that they are written as.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast, overload

from .argument_forms import OTHER, named

P = ParamSpec("P")
R = TypeVar("R")

#: Whether nothing is compiled.
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0").strip() not in ("", "0")


class InnerKernelError(TypeError):
    """Plain Python called an inner kernel; only kernels call those."""


def tell_when_compiling(
    began: Callable[[], None], ended: Callable[[], None] = lambda: None
) -> None:
    """Have ``began`` and ``ended`` called around each kernel that is really compiled."""
    from .dispatch import listeners

    listeners.append((began, ended))


class Later:
    """A module that is imported when something of it is asked for: where kernels are compiled."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(importlib.import_module(self._name), name)
        setattr(self, name, found)
        return found


class Door:
    """A kernel: called from Python it runs as machine code; other kernels call it directly."""

    def __init__(self, func: Callable[..., Any], options: dict[str, Any], inner: bool) -> None:
        self.py_func = func
        self.options = options
        self.inner = inner
        self.__name__, self.__qualname__ = func.__name__, func.__qualname__
        self.__module__, self.__doc__ = func.__module__, func.__doc__
        #: By form, None where numba must take it; and those that are, the last one first.
        self.entries: dict[Any, Any] = {}
        self.ready: list[Any] = []

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The function, for those who ask for its signature."""
        return self.py_func

    def __reduce__(self) -> tuple[Any, ...]:
        return named, (f"{self.__module__}:{self.__qualname__}",)

    def __repr__(self) -> str:
        return f"<kernel {self.__module__}.{self.__qualname__}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Run the kernel."""
        if not named:
            for entry in self.ready:
                answer = entry(args)
                if answer is not OTHER:
                    if entry is not self.ready[0]:
                        self.ready = [entry, *(it for it in self.ready if it is not entry)]
                    return answer
        if self.inner:
            raise InnerKernelError(self.__name__)
        from .dispatch import answer_call

        return answer_call(self, args, named)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes it for when another kernel calls it."""
        from .compiler.numba_code import type_of_door

        return type_of_door(self)


class VectorStep:
    """A vector step written for the compiler in its own terms, beside its plain twin.

    ``write`` is what numba calls an intrinsic: of the types of arguments it makes a signature and a
    function that writes the step.
    """

    def __init__(self, write: Callable[..., Any], plain: Callable[..., Any]) -> None:
        self.write = write
        self.plain = plain
        self.__name__, self.__doc__ = plain.__name__, plain.__doc__

    def __call__(self, *args: Any) -> Any:
        """Take the step in plain Python."""
        return self.plain(*args)

    @property
    def _numba_type_(self) -> Any:
        """What numba takes it for when a kernel calls it."""
        from .compiler.numba_code import type_of_step

        return type_of_step(self.write)


def vector_step(write: Callable[..., Any], plain: Callable[P, R]) -> Callable[P, R]:
    """A vector step that kernels take as written for the compiler, typed as its plain twin."""
    return plain if PLAIN else cast("Callable[P, R]", VectorStep(write, plain))


def _door(func: Callable[..., Any], options: dict[str, Any], inner: bool) -> Any:
    return func if PLAIN else Door(func, options, inner)


@overload
def kernel(func: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def kernel(
    *, inner: bool = False, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def kernel(
    func: Callable[..., Any] | None = None, /, *, inner: bool = False, **options: Any
) -> Any:
    """A kernel: compiled with numba, its machine code kept; typed as the plain function it wraps.

    An ``inner`` kernel is called by other kernels alone.
    """
    if func is None:
        return lambda it: _door(it, options, inner)
    return _door(func, options, inner)


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
        return lambda it: _door(it, options, inner)
    return _door(func, options, inner)
