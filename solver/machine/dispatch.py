"""Where calls from Python enter machine code: found in the cache, or compiled and put there."""

from __future__ import annotations

import contextlib
import ctypes
import math
import pickle
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .argument_forms import (
    ITEMS,
    OTHER,
    OTHER_FORM,
    Form,
    Kernel,
    NoFormError,
    class_of,
    form_of,
    known_names,
    thing_of,
)
from .cache.kernel_cache import is_missing, keep, kept
from .object_code import address_of, callable_form

#: Who is told that a kernel is compiled, and that it is done.
listeners: list[tuple[Callable[[], None], Callable[[], None]]] = []
_opening = threading.RLock()
_ENTRY = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p)
_WORDS_OF_A_FAULT = 2


@contextlib.contextmanager
def _told() -> Iterator[None]:
    for began, _ in listeners:
        began()
    try:
        yield
    finally:
        for _, ended in listeners:
            ended()


# ---- entries


class Entry:
    """Machine code for one form of a kernel. It looks at the arguments itself, in memory."""

    def __init__(self, form: Form, returned: Form, code: Any) -> None:
        self._things = [thing_of(name) for name in known_names(form)]  # so they stay where they are
        known = [*(id(thing) for thing in self._things), ITEMS]
        #: How many bytes it is.
        self.size = len(code[0] if isinstance(code, tuple) else code)
        self._known = (ctypes.c_int64 * len(known))(*known)
        self._enter = _ENTRY(address_of(code))
        self._room = ctypes.c_int64 * max(_WORDS_OF_A_FAULT, _words(returned))
        self._read = _reader(returned)

    def __call__(self, args: tuple[Any, ...]) -> Any:
        """What the kernel returns; ``OTHER`` if these arguments are of another form."""
        words = self._room()
        status = self._enter(args, words, self._known)
        if status:
            if status == OTHER_FORM:
                return OTHER
            raise _fault(words)
        return self._read(words, args)


def _fault(words: Any) -> BaseException:
    """The exception that a kernel raised: it was laid down when the kernel was compiled."""
    kind, args, *_ = pickle.loads(ctypes.string_at(words[0], words[1]))
    error: BaseException = kind(*(args or ()))
    return error


def _words(returned: Form) -> int:
    """How many words hold what is returned."""
    if not isinstance(returned, str):
        return sum(map(_words, returned[2]))
    if " " in returned:
        return 2 + int(returned.split()[1])
    return 0 if returned == "none" else 1


# What makes of words, and of the arguments where it lies in one, what Python is handed.
_Read = Callable[[Any, tuple[Any, ...]], Any]


def _reader(returned: Form, at: int = 0) -> _Read:
    """What reads a value from the words that begin at ``at``."""
    if isinstance(returned, str):
        return _array_reader(returned, at) if " " in returned else _number_reader(returned, at)
    reads = []
    for part in returned[2]:
        reads.append(_reader(part, at))
        at += _words(part)
    if returned[0] == "builtins:tuple":
        return lambda words, args: tuple([read(words, args) for read in reads])
    made = class_of(returned[0])
    return lambda words, args: made(*[read(words, args) for read in reads])


def _number_reader(kind: str, at: int) -> _Read:
    numbers: dict[str, _Read] = {
        "none": lambda _words, _args: None,
        "int": lambda words, _args: words[at],
        "uint": lambda words, _args: words[at] & 0xFFFFFFFFFFFFFFFF,
        "bool": lambda words, _args: words[at] != 0,
        "float": lambda words, _args: ctypes.c_double.from_buffer(words, 8 * at).value,
    }
    return numbers[kind]


_release = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("PyMem_RawFree", ctypes.pythonapi))
#: Arrays of no more bytes are copied: that takes less time than telling numpy of memory.
_SMALL = 1 << 14


class _Memory:
    """Where a returned array lies: memory that a kernel reserved, or part of an argument."""

    def __init__(self, interface: dict[str, Any], owner: int, args: Any) -> None:
        self.__array_interface__ = interface
        self._owner = owner
        self._args = None if owner else args

    def __del__(self, release: Callable[[int], Any] = _release) -> None:
        if self._owner:
            release(self._owner)


def _array_reader(form: str, at: int) -> _Read:
    name, dimensions, *_ = form.split()
    kind, ndim = np.dtype(name), int(dimensions)

    def read(words: Any, args: tuple[Any, ...]) -> Any:
        owner, address, *shape = words[at : at + 2 + ndim]
        size = kind.itemsize * math.prod(shape)
        if owner and 0 < size <= _SMALL:
            copied = np.frombuffer(bytearray(ctypes.string_at(address, size)), kind)
            _release(owner)
            return copied if ndim == 1 else copied.reshape(shape)
        interface = {
            "version": 3,
            "typestr": kind.str,
            "shape": tuple(shape),
            "data": (address, False),
        }
        return np.asarray(_Memory(interface, owner, args))

    return read


# ---- the first call with arguments of a form


def answer_call(door: Kernel, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The answer of a kernel to a call that none of its ready entries takes."""
    if named or len(args) != door.py_func.__code__.co_argcount:
        import inspect

        bound = inspect.signature(door.py_func).bind(*args, **named)
        bound.apply_defaults()
        args = bound.args
    try:
        entry = entry_of(door, form_of(args))
    except NoFormError:
        entry = None
    answer = OTHER if entry is None else entry(args)
    return _by_numba(door)(*args) if answer is OTHER else answer


def entry_of(door: Kernel, form: Form) -> Entry | None:
    """The entry of a kernel for a form of arguments; None where there can be none."""
    with _opening:
        if form not in door.entries:
            door.entries[form] = made = _from_cache(door, form) or _compiled(door, form)
            if made is not None:
                door.ready = [made, *door.ready]
        entry: Entry | None = door.entries[form]
        return entry


def _from_cache(door: Kernel, form: Form) -> Entry | None:
    stored = kept(door, form)
    if stored is not None:
        with contextlib.suppress(Exception):  # stored whole, but by something else than this
            return Entry(form, *stored)
    return None


def _compiled(door: Kernel, form: Form) -> Entry | None:
    while _expected:
        with contextlib.suppress(Exception):  # this one can be compiled all the same
            _expected.pop()()
        made = _from_cache(door, form)
        if made is not None:
            return made
    with _told():
        code = _code(door, form)
        if code is not None:
            with contextlib.suppress(Exception):  # it cannot be laid into memory here
                made = Entry(form, *code)
                keep(door, form, code)
                return made
    return None


def _code(door: Kernel, form: Form) -> tuple[Form, Any] | None:
    """What is kept of a kernel; None if no entry can be made for it."""
    from .compiler.make import compiled

    try:
        returned, code = compiled(door, form)
        return returned, callable_form(code)
    except Exception:  # if the kernel is at fault, numba will say so in its own way
        return None


def _by_numba(door: Kernel) -> Callable[..., Any]:
    """The kernel as numba calls it: for what has no form, or is no code of its own."""
    from .compiler.numba_code import dispatcher_in_full

    def call(*args: Any) -> Any:
        with _told():
            compiled = dispatcher_in_full(door, args)
        return compiled(*args)

    return call


# ---- many at once

#: What is to be done before the first kernel is compiled.
_expected: list[Callable[[], object]] = []


def expect(preparation: Callable[[], object]) -> None:
    """Have a preparation called when the first kernel called is missing: others will be too."""
    _expected[:] = [preparation]


def prepare(
    wanted: Iterable[tuple[Kernel, Form]], workers: int, report: Callable[[int, int], None]
) -> int:
    """Have kernels ready before any is called: compile all that the cache lacks, and count them.

    ``report`` hears which of how many is next. Those that take longest should come first.
    """
    todo = [it for it in dict.fromkeys(wanted) if is_missing(*it)]
    if todo:
        from .compiler import make
        from .pool import Pool

        assert make  # loaded once, for all workers
        with Pool(_put_by, (todo,), min(workers, len(todo))) as pool:
            report(1, len(todo))
            for done, _ in enumerate(pool.run(range(len(todo))), 2):
                report(min(done, len(todo)), len(todo))
    return len(todo)


def _put_by(todo: Sequence[tuple[Kernel, Form]]) -> Callable[[int], None]:
    def put(number: int) -> None:
        code = _code(*todo[number])
        if code is not None:
            keep(*todo[number], code)

    return put
