"""Types of a kernel's arguments as plain values, and how such arguments lie in memory.

The types of all arguments of a call are its *form*. A form is made of text and tuples, so it can be
compared, written into a file, and named in a list of what a command needs. Leaves are ``int``,
``bool``, ``float``, ``none``, a scalar of numpy (``@uint64``) and an array, ``uint8 2 C w``: its
items, its dimensions, whether it is contiguous in the order of C or Fortran or any other, and
whether it may be written or read. A tuple is its class, the names of its fields, and the forms of
its parts.
"""

from __future__ import annotations

import ctypes
import importlib
import pickle
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Protocol, TypeVar

import numpy as np

#: A leaf, or (class, fields, parts).
ArgTypes = Any

_KINDS = frozenset("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split())
_DTYPES = {np.dtype(kind): kind for kind in _KINDS}
_SCALARS = {np.dtype(kind).type: f"@{kind}" for kind in _KINDS}
_OTHERS = {bool: "bool", float: "float", type(None): "none"}
_CONSTANTS: dict[str, object] = {
    "none": None,
    "true": True,
    "false": False,
    "int": int,
    "float": float,
    "array": np.ndarray,
}
_LARGEST = 2**63
_CLASSES: dict[str, type] = {}
_RECORDS: set[type] = set()

Kind = TypeVar("Kind", bound=type)

#: Where things lie in memory: what is behind the head of an object, and the first part of a tuple.
HEAD, ITEMS = object.__basicsize__, tuple.__basicsize__
#: What the names of entries begin with, and what one returns for arguments of another form: in C,
#: and in Python.
ENTRY, OTHER_FORM = "knuthle_entry", -100
OTHER = object()


class KernelLike(Protocol):
    """What is known of a kernel where its machine code is made, stored and called."""

    py_func: Callable[..., Any]
    options: dict[str, Any]
    __name__: str
    __qualname__: str
    __module__: str
    #: Entries by form; None where numba must take the call.
    entries: dict[ArgTypes, Any]
    #: The entries that there are, the last used first.
    ready: list[Any]

    def __hash__(self) -> int: ...


class NoFormError(TypeError):
    """The arguments of a call have no form: the compiler itself must take them apart."""


def arg_types_of(value: Any) -> ArgTypes:
    """The form of an argument of a kernel."""
    kind = type(value)
    if kind is np.ndarray:
        return _form_of_array(value)
    if kind is int and -_LARGEST <= value < _LARGEST:
        return "int"
    if issubclass(kind, tuple):
        fields = tuple(getattr(kind, "_fields", ()))
        if kind is not tuple and len(fields) != len(value):
            raise NoFormError
        name = f"{kind.__module__}:{kind.__qualname__}"
        if _CLASSES.setdefault(name, kind) is not kind:
            raise NoFormError
        return (name, fields, tuple(arg_types_of(part) for part in value))
    known = _OTHERS.get(kind) or _SCALARS.get(kind)
    if known is None:
        raise NoFormError
    return known


def _form_of_array(array: Any) -> ArgTypes:
    kind, flags = _DTYPES.get(array.dtype), array.flags
    if kind is None or not (flags.aligned and array.dtype.isnative):
        raise NoFormError
    layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    return f"{kind} {array.ndim} {layout} {'w' if flags.writeable else 'r'}"


def class_of(name: str) -> Any:
    """The class, in the form of a kernel's arguments, that has a name: module and name in it."""
    return _CLASSES[name] if name in _CLASSES else named(name)


def record(kind: Kind) -> Kind:
    """Declare a named tuple of many arrays one argument of kernels, handed on by its address.

    Otherwise all that it holds is handed on from kernel to kernel, which takes its time, and the
    compiler far more. But kernels only read its fields: they cannot unpack, make or return it.
    """
    _RECORDS.add(kind)
    return kind


def is_record(kind: type) -> bool:
    """Whether a class of named tuples is handed to kernels by its address."""
    return kind in _RECORDS


def named(name: str) -> Any:
    """The object that has a name ``module:path`` in the form of a kernel's arguments."""
    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def leaves(form: ArgTypes) -> Iterator[str]:
    """All leaves of the form of a kernel's argument; before those of a tuple its class's name."""
    if isinstance(form, str):
        yield form
        return
    yield form[0]
    for part in form[2]:
        yield from leaves(part)


def known_names(form: ArgTypes) -> list[str]:
    """What an entry compares addresses with, in its order: classes, item types, constants."""
    names: dict[str, None] = {}
    for leaf in leaves(form):
        kind, *array = leaf.split()
        more = ("true", "false") if leaf == "bool" else (kind, *(("array",) if array else ()))
        names |= dict.fromkeys(more)
    return list(names)


def thing_of(name: str) -> Any:
    """What a name in the form of a kernel's argument stands for: its entry compares the address."""
    if ":" in name:
        return class_of(name)
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    return np.dtype(name[1:]).type if name[0] == "@" else np.dtype(name)


# ---- The memory layout of tuples and arrays, as machine code reads them

#: Where the fields of an array lie behind its head.
DATA, NDIM, SHAPE, STRIDES, DTYPE, FLAGS = 0, 8, 16, 24, 40, 48
#: And of what tells the type of its items: kind, letter, byte order and number.
TYPE = 8
#: The flags that are looked at.
C_ORDER, F_ORDER, ALIGNED, WRITEABLE = 0x1, 0x2, 0x100, 0x400


def _word(address: int, kind: Any = ctypes.c_int64) -> int:
    return int(kind.from_address(address).value)


def _type_of_items(dtype: Any) -> int:
    return _word(id(dtype) + HEAD + TYPE)


def _beliefs() -> Iterator[tuple[str, bool]]:
    """What entries believe of memory, and whether it is so in a tuple, an array and a number.

    No address is followed that what came before does not vouch for.
    """
    array = np.zeros((3, 5), dtype=np.uint16)
    pair, here = (array, None), id(array) + HEAD
    yield "addresses", ctypes.sizeof(ctypes.c_void_p) == 8
    yield "classes", all(_word(id(it) + HEAD - 8) == id(type(it)) for it in (pair, array, 1.5))
    things = [_word(id(pair) + at) for at in (HEAD, ITEMS, ITEMS + 8)]
    yield "tuples", things == [2, id(array), id(None)]
    yield "numbers of numpy", _word(id(np.int64(-77)) + HEAD) == -77
    yield "elements of arrays", _word(here + DATA) == array.ctypes.data
    yield "dimensions of arrays", _word(here + NDIM, ctypes.c_int32) == 2
    yield "flags of arrays", _word(here + FLAGS, ctypes.c_int32) & 0x501 == 0x501
    shape, strides = _word(here + SHAPE), _word(here + STRIDES)
    yield "shapes of arrays", shape > 0 and shape % 8 == 0 and strides == shape + 16
    sizes = [_word(row + at) for row in (shape, strides) for at in (0, 8)]
    yield "shapes of arrays", sizes == [3, 5, 10, 2]
    yield "items of arrays", _word(here + DTYPE) == id(array.dtype)
    unpickled = pickle.loads(pickle.dumps(array)).dtype
    yield "types of items", _type_of_items(array.dtype) == _type_of_items(unpickled)
    others = {_type_of_items(np.dtype(kind)) for kind in ("u2", ">u2", "i2", "u4")}
    yield "types of items", len(others) == 4


@cache
def unknown_memory() -> str | None:
    """What lies in memory in another way than entries believe; None if all is as they believe.

    The versions of Python and numpy are not asked: their memory is looked at.
    """
    return next((what for what, is_so in _beliefs() if not is_so), None)


def memory_is_known() -> bool:
    """Whether Python's and numpy's objects lie in memory as entries believe."""
    return unknown_memory() is None
