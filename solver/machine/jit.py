"""Compiled functions: what ``@kernel`` decorates runs as machine code when it is called.

A kernel knows nothing of the compiler. A call is answered by the machine code for the form of its
arguments (see ``forms``): what is ready, else what lies in the cache, else what ``compiler`` makes,
which is then stored. Where all is in the cache no compiler is loaded. Arguments without a form, and
kernels that no entry can be made for, numba takes in its own way, and nothing of that is stored.

With ``NUMBA_DISABLE_JIT=1`` kernels are the plain functions that they are written as.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import partial, update_wrapper
from typing import Any, ParamSpec, TypeVar, cast, overload

from .forms import OTHER, named

P = ParamSpec("P")
R = TypeVar("R")

#: Whether nothing is compiled.
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0").strip() not in ("", "0")


class LazyModule:
    """A module that is imported at its first use: the one that compiles kernels."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(importlib.import_module(self._name), name)
        setattr(self, name, found)
        return found


class Kernel:
    """A kernel: called from Python it runs as machine code; other kernels call it directly."""

    __name__: str
    __qualname__: str

    def __init__(self, func: Callable[..., Any], options: dict[str, Any], inner: bool) -> None:
        update_wrapper(self, func)
        self.py_func = func
        self.options = options
        #: Whether only other kernels call it; ``test_sources`` reads all calls.
        self.inner = inner
        #: Entries by form; None where numba must take the call.
        self.entries: dict[Any, Any] = {}
        #: The entries that there are, the last used first.
        self.ready: list[Any] = []

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
        from .dispatch import answer_call

        return answer_call(self, args, named)

    @property
    def _numba_type_(self) -> Any:
        """Its numba type, when another kernel calls it."""
        from .numba_code import type_of_kernel

        return type_of_kernel(self)


class VectorStep:
    """A vector step written for the compiler in its own terms, beside its plain twin.

    ``write`` writes the step where it is taken: it is handed what numba compiles with, the types
    of the arguments, and the arguments. The names and what is returned are those of the twin.
    """

    def __init__(self, write: Callable[..., Any], plain: Callable[..., Any]) -> None:
        update_wrapper(self, plain)
        self.write = write
        self.plain = plain

    def __call__(self, *args: Any) -> Any:
        """Take the step in plain Python."""
        return self.plain(*args)

    @property
    def _numba_type_(self) -> Any:
        """Its numba type, when a kernel takes it."""
        from .numba_code import type_of_step

        return type_of_step(self.write, self.plain)


def vector_step(write: Callable[..., Any], plain: Callable[P, R]) -> Callable[P, R]:
    """A vector step that kernels take as written for the compiler, typed as its plain twin."""
    return plain if PLAIN else cast("Callable[P, R]", VectorStep(write, plain))


class _KernelMaker:
    """What makes kernels, with options for numba; typed as the functions that it decorates."""

    def __init__(self, **options: Any) -> None:
        self._options = options

    @overload
    def __call__(self, func: Callable[P, R], /) -> Callable[P, R]: ...
    @overload
    def __call__(
        self, /, *, inner: bool = False, inline: bool = False, **options: Any
    ) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
    def __call__(
        self, func: Any = None, /, *, inner: bool = False, inline: bool = False, **options: Any
    ) -> Any:
        """A function as a kernel; without a function, what makes kernels with more options.

        An ``inner`` kernel is called by other kernels alone, an ``inline`` one becomes part of
        those that call it.
        """
        made = partial(self._made, self._options | options | {"forceinline": inline}, inner)
        return made if func is None else made(func)

    @staticmethod
    def _made(options: dict[str, Any], inner: bool, func: Callable[..., Any]) -> Any:
        return func if PLAIN else Kernel(func, options, inner)


#: A kernel: compiled with numba, its code stored.
kernel = _KernelMaker()

#: A kernel that makes no array, nor calls one that does: compiled without reference counts.
#:
#: Kernels that are handed many arrays and are called millions of times spend a quarter of their
#: time on counting references, with atomic instructions, to arrays that outlive them anyway.
#: What is left of a call is to hand them on, dozens of values in memory, unless it is ``inline``.
noalloc = _KernelMaker(_nrt=False)
