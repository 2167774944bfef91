"""Types of a kernel's arguments as plain values, and how such arguments become 64-bit words.

The types of all arguments of a call are its *form*. A form is made of text and tuples, so it can be
compared, written into a file, and named in a list of what a command needs. Leaves are ``int``,
``bool``, ``float``, ``none``, a scalar of numpy (``@uint64``) and an array, ``uint8 2 C w``: its
items, its dimensions, whether it is contiguous in the order of C or Fortran or any other, and
whether it may be written or read. A tuple is its class, the names of its fields, and the forms of
its parts.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

#: A leaf, or (class, fields, parts).
ArgTypes = Any

_KINDS = frozenset("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64".split())
_DTYPES = {np.dtype(kind): kind for kind in _KINDS}
_SCALARS = {np.dtype(kind).type: f"@{kind}" for kind in _KINDS}
_SCALARS |= {bool: "bool", float: "float", type(None): "none"}
_LARGEST = 2**63
_CLASSES: dict[str, type] = {}
_RECORDS: set[type] = set()

Kind = TypeVar("Kind", bound=type)

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
    if kind not in _SCALARS:
        raise NoFormError
    return _SCALARS[kind]


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


# ---- The table by which machine code takes arguments apart (``compiler``)

#: What a row is for: by what a thing becomes words.
TUPLE, NOTHING, TRUTH, NUMBER, SCALAR, FLOAT, ARRAY = range(7)
_NUMBERS: dict[str, tuple[type, int]] = {
    "none": (type(None), NOTHING),
    "bool": (bool, TRUTH),
    "@bool": (np.bool_, TRUTH),
    "int": (int, NUMBER),
    "float": (float, FLOAT),
    "@float32": (np.float32, FLOAT),
    "@float64": (np.float64, FLOAT),
}
#: Where in the word that describes an array its dimensions and whether it may only be read begin,
#: in bits. Below is the type of its items: one letter, as the buffer protocol writes it.
DIMENSIONS, READ_ONLY = 16, 32
#: For each order what is asked of the buffer protocol (the type of items, strides, contiguity), and
#: in which order an array must not be, as ``PyBuffer_IsContiguous`` calls it: A is C or F.
_ORDERS = {"C": (0x04 | 0x38, 0), "F": (0x04 | 0x58, ord("C")), "A": (0x04 | 0x18, ord("A"))}
#: How many words a buffer has, in the stable interface.
_BUFFER = 10


class Row(NamedTuple):
    """One thing that is taken out of a tuple; places are words of the room for a call."""

    #: The place of the tuple, and where in that the thing is.
    holder: int
    at: int
    #: Its class exactly, what is done with it, and the place of what it becomes.
    kind: type
    use: int
    to: int
    #: How long a tuple is, or what an array is like.
    wanted: int = 0
    #: Of an array: what is asked for, the order it must not have, the place of its buffer.
    asked: int = 0
    refused: int = 0
    buffer: int = 0


def table_of(form: ArgTypes, words: int) -> tuple[list[Row], int]:
    """The rows for all arguments of a call, whose words have a place, and how large the room is."""
    rows: list[Row] = []
    size = words + _word_count(form)

    def add(part: ArgTypes, holder: int, at: int) -> None:
        nonlocal words, size
        if not isinstance(part, str):
            here, size = size, size + 1
            rows.append(Row(holder, at, class_of(part[0]), TUPLE, here, len(part[2])))
            for k, it in enumerate(part[2]):
                add(it, here, k)
            return
        kind, *array = part.split()
        if array:
            dimensions, order, access = array
            letter = memoryview(np.empty(0, kind).data).format
            wanted = ord(letter) | int(dimensions) << DIMENSIONS | (access == "r") << READ_ONLY
            asked = *_ORDERS[order], size
            rows.append(Row(holder, at, np.ndarray, ARRAY, words, wanted, *asked))
            size += _BUFFER
        else:
            made, use = _NUMBERS.get(kind) or (np.dtype(kind[1:]).type, SCALAR)
            rows.append(Row(holder, at, made, use, words))
        words += _word_count(part)

    add(form, 0, 0)
    return rows, size


def _word_count(form: ArgTypes) -> int:
    """How many words hold a value: of an array its address, its lengths and its strides."""
    if not isinstance(form, str):
        return sum(map(_word_count, form[2]))
    return 1 + 2 * int(form.split()[1]) if " " in form else int(form != "none")
