"""The form of a kernel's arguments: all that machine code for a call rests on, as plain tuples.

A form is made of text and tuples, so it can be compared, written into a file, and named in a list
of what a command needs. Leaves are ``int``, ``bool``, ``float``, ``none``, a scalar of numpy
(``@uint64``) and an array, ``uint8 2 C w``: its items, its dimensions, whether it is contiguous in
the order of C or Fortran or any other, and whether it may be written or read. A tuple is its class,
the names of its fields, and the forms of its parts.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

import numpy as np

#: A leaf, or (class, fields, parts).
Form = Any

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
#: What an entry is called, and what it answers to arguments of another form.
ENTRY, OTHER_FORM = "knuthle_entry", -100
#: The same as an answer in Python.
OTHER = object()


class Kernel(Protocol):
    """A kernel, as those see it that make and keep its machine code."""

    py_func: Callable[..., Any]
    options: dict[str, Any]
    __name__: str
    __qualname__: str
    __module__: str
    #: By form, None where numba must take it; and those that are, the last one first.
    entries: dict[Form, Any]
    ready: list[Any]

    def __hash__(self) -> int: ...


class NoFormError(TypeError):
    """The arguments of a call have no form: the compiler itself must take them apart."""


def form_of(value: Any) -> Form:
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
        return (name, fields, tuple(form_of(part) for part in value))
    known = _OTHERS.get(kind) or _SCALARS.get(kind)
    if known is None:
        raise NoFormError
    return known


def _form_of_array(array: Any) -> Form:
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


def leaves(form: Form) -> Iterator[str]:
    """All leaves of the form of a kernel's argument; before those of a tuple its class's name."""
    if isinstance(form, str):
        yield form
        return
    yield form[0]
    for part in form[2]:
        yield from leaves(part)


def known_names(form: Form) -> list[str]:
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
