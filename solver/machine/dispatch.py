"""Where calls from Python enter machine code: found in the cache, or compiled and put there."""

from __future__ import annotations

import contextlib
import ctypes
import pickle
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from . import forms
from .cache import Stored, is_missing, load, remove_unused, store, store_together
from .clock import compile_time
from .object_code import Code, callable_form

#: Functions called before a kernel is compiled.
listeners: list[Callable[[], None]] = []
_opening = threading.RLock()
_TAKER = ctypes.PYFUNCTYPE(ctypes.c_int32, ctypes.py_object, ctypes.c_void_p, ctypes.c_void_p)
_WORDS_OF_A_FAULT = 2


@contextlib.contextmanager
def _announced() -> Iterator[None]:
    """Tell the listeners that a compilation begins, and count its seconds."""
    for began in listeners:
        began()
    with compile_time.counted():
        yield


# ---- Entries: machine code for one form of a kernel


class Entry:
    """Machine code for one form of a kernel. It takes the arguments apart itself, by a table."""

    def __init__(self, kernel: forms.KernelLike, form: forms.ArgTypes, stored: Stored) -> None:
        results = max(_WORDS_OF_A_FAULT, _words(stored.returned))
        rows, size = forms.table_of(form, results)
        self._classes = [row.kind for row in rows]  # held, so that they stay where they are
        *entries, taker = stored.code.addresses
        table = [entries[stored.number], bool(kernel.options.get("nogil")), results, len(rows)]
        for holder, at, kind, *rest in rows:
            table += [holder, at, id(kind), *rest]
        self._table = (ctypes.c_int64 * len(table))(*table)
        self._room = ctypes.c_int64 * size
        self._take = _TAKER(taker)
        self._read = _reader(stored.returned)

    def __call__(self, args: tuple[Any, ...]) -> Any:
        """What the kernel returns; ``OTHER`` if these arguments are of another form."""
        room = self._room()
        status = self._take((args,), self._table, room)
        if status:
            if status == forms.OTHER_FORM:
                return forms.OTHER
            raise _fault(room)
        return self._read(room, args)


def _fault(words: Any) -> BaseException:
    """The exception that a kernel raised: it was laid down when the kernel was compiled."""
    kind, args, *_ = pickle.loads(ctypes.string_at(words[0], words[1]))
    error: BaseException = kind(*(args or ()))
    return error


def _words(returned: forms.ArgTypes) -> int:
    """How many words hold what is returned."""
    if not isinstance(returned, str):
        return sum(map(_words, returned[2]))
    if " " in returned:
        return 2 + int(returned.split()[1])
    return 0 if returned == "none" else 1


# What makes of words, and of the arguments where it lies in one, what Python is handed.
_Read = Callable[[Any, tuple[Any, ...]], Any]


def _reader(returned: forms.ArgTypes, at: int = 0) -> _Read:
    """What reads a value from the words that begin at ``at``."""
    if isinstance(returned, str):
        return _array_reader(returned, at) if " " in returned else _number_reader(returned, at)
    reads = []
    for part in returned[2]:
        reads.append(_reader(part, at))
        at += _words(part)
    if returned[0] == "builtins:tuple":
        return lambda words, args: tuple([read(words, args) for read in reads])
    made = forms.class_of(returned[0])
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
        data, shape = (address, False), tuple(shape)
        interface = {"version": 3, "typestr": kind.str, "shape": shape, "data": data}
        return np.asarray(_Memory(interface, owner, args))

    return read


# ---- The first call with arguments of a form


def answer_call(kernel: forms.KernelLike, args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    """The answer of a kernel to a call that none of its ready entries takes."""
    if named or len(args) != kernel.py_func.__code__.co_argcount:
        import inspect

        bound = inspect.signature(kernel.py_func).bind(*args, **named)
        bound.apply_defaults()
        args = bound.args
    try:
        entry = entry_of(kernel, forms.arg_types_of(args))
    except forms.NoFormError:
        entry = None
    answer = forms.OTHER if entry is None else entry(args)
    return _by_numba(kernel, args) if answer is forms.OTHER else answer


def entry_of(kernel: forms.KernelLike, form: forms.ArgTypes) -> Entry | None:
    """The entry of a kernel for a form of arguments; None where there can be none."""
    with _opening:
        if form not in kernel.entries:
            kernel.entries[form] = made = _from_cache(kernel, form) or _compiled(kernel, form)
            if made is not None:
                kernel.ready = [made, *kernel.ready]
        entry: Entry | None = kernel.entries[form]
        return entry


def _from_cache(kernel: forms.KernelLike, form: forms.ArgTypes) -> Entry | None:
    stored = load(kernel, form)
    if stored is not None:
        with contextlib.suppress(Exception):  # stored whole, but by something else than this
            return Entry(kernel, form, stored)
    return None


def _compiled(kernel: forms.KernelLike, form: forms.ArgTypes) -> Entry | None:
    for preparation in _expected:
        # this one can be compiled all the same
        with contextlib.suppress(Exception), compile_time.counted():
            preparation(kernel, form)
        made = _from_cache(kernel, form)
        if made is not None:
            return made
    with _announced():
        code = _code(kernel, form)
        if code is not None:
            with contextlib.suppress(Exception):  # it cannot be laid into memory here
                made = Entry(kernel, form, Stored(code[0], Code(code[1])))
                store(kernel, form, *code)
                return made
    return None


def _code(kernel: forms.KernelLike, form: forms.ArgTypes) -> tuple[forms.ArgTypes, Any] | None:
    """What a kernel returns, and its code; None if no entry can be made for it."""
    from .compiler import compiled_for, numba_processor

    try:
        (returned,), (code,) = compiled_for([(kernel, form)], [numba_processor()])
        return returned, callable_form(code)
    except Exception as error:  # if the kernel is at fault, numba will say so in its own way
        _failures.setdefault(kernel, error)
        return None


def _by_numba(kernel: forms.KernelLike, args: tuple[Any, ...]) -> Any:
    """The answer by numba's own way: where arguments have no form, or no entry can be made."""
    from .numba_code import dispatcher_in_full

    with _announced():
        compiled = dispatcher_in_full(kernel, args)
    _warn_of_failure(kernel)
    return compiled(*args)


#: Kernels for which no entry could be made although their arguments have a form, and why.
_failures: dict[forms.KernelLike, Exception] = {}


def _warn_of_failure(kernel: forms.KernelLike) -> None:
    """Log, once in a process, that numba compiled a kernel that cannot be stored."""
    global _warned
    if not _warned and kernel in _failures:
        import logging
        import platform

        import numba

        _warned = True
        error = _failures[kernel]
        logging.getLogger(__name__.partition(".")[0]).warning(
            "knuthle: kernels cannot be stored with Python %s, numpy %s and numba %s and are "
            "compiled again in every run, which takes longer (%s: %s)",
            platform.python_version(),
            np.__version__,
            numba.__version__,
            kernel.__name__,
            str(error) or type(error).__name__,
        )


_warned = False

# ---- Many kernels at once

#: What may be done before a kernel is compiled that is missing.
Preparation = Callable[[forms.KernelLike, forms.ArgTypes], object]
_expected: list[Preparation] = []


def expect(preparation: Preparation | None) -> None:
    """Have a preparation called when a kernel is missing, with its form: others may be too."""
    _expected[:] = [] if preparation is None else [preparation]


def prepare(
    required: Iterable[tuple[forms.KernelLike, forms.ArgTypes]],
    workers: int,
    progress: Callable[[int, int], None],
) -> int:
    """Have kernels ready before any is called: compile all that the cache lacks, and count them.

    Each worker takes the kernels of one file after the other, of its own package if it can, as they
    call much of the same, and makes one library of all that it has taken, or of each part that took
    long. ``progress`` hears which of how many steps is next: each kernel is written, and then made
    machine code of. Files that take longest come first.
    """
    todo = [it for it in dict.fromkeys(required) if is_missing(*it)]
    if todo:
        from . import compiler  # noqa: F401 - loaded once, for all workers
        from .pool import Pool

        files: dict[str, list[int]] = {}
        for number, (kernel, _) in enumerate(todo):
            files.setdefault(kernel.__module__, []).append(number)
        steps, done = 2 * len(todo), 0
        with Pool(_compile_and_store, (todo,), min(workers, len(files))) as pool:
            progress(1, steps)
            for _, made in pool.serve(_handed_out(files)):
                for _ in range(made):
                    done += 1
                    progress(min(done + 1, steps), steps)
        remove_unused()
    return len(todo)


def _handed_out(files: dict[str, list[int]]) -> Callable[[int], list[int] | None]:
    """The kernels that a worker is given next, by its number: those of a file; none at its end."""
    package_of = {file: file.rpartition(".")[0] for file in files}
    taken: dict[int, set[str]] = {}  # the packages of each worker that has got some

    def task_for(worker: int) -> list[int] | None:
        if not files:  # machine code is made of what it has taken
            return [] if taken.pop(worker, None) else None
        mine = taken.setdefault(worker, set())
        others = set().union(*taken.values())

        def distance(file: str) -> int:
            return 0 if package_of[file] in mine else 1 + (package_of[file] in others)

        file = min(files, key=distance)  # the first of those that are nearest
        mine.add(package_of[file])
        return files.pop(file)

    return task_for


#: After so many seconds of processor time a worker makes a library of what it has written: an
#: interrupted run goes on from there. Each one more makes again what several kernels call.
_LONGEST = 30.0


def _compile_and_store(
    todo: Sequence[tuple[forms.KernelLike, forms.ArgTypes]],
) -> Callable[[list[int]], int]:
    import gc
    import time

    from .compiler import Library, numba_processor

    gc.disable()  # almost all is in use until the library is made, and this process ends with it
    library, written, begun = Library(), [], time.process_time()

    def put(numbers: list[int]) -> int:
        nonlocal library, written, begun
        for number in numbers:
            with contextlib.suppress(Exception):  # whoever calls it will hear of it
                library.add(*todo[number])
                written.append(todo[number])
        if numbers and time.process_time() - begun < _LONGEST:
            return len(numbers)
        done = len(numbers) + len(written)
        if written:
            try:
                (code,) = library.made_for([numba_processor()])
                store_together(written, library.returned, callable_form(code))
            except Exception:  # one of them cannot be stored: then each by itself
                for it in written:
                    if made := _code(*it):
                        store(*it, *made)
            library, written, begun = Library(), [], time.process_time()
        return done

    return put
