"""Records (``argument_forms.record``) as numba is told of them: where fields lie, how one reads.

Numba takes a tuple apart wherever one kernel hands it to another, every array of it into seven
words or more. Where a hundred arrays travel together, most of what it writes, and of what LLVM then
reads, are those words. A record is laid into memory by the entry of a call, and handed on by its
address. Nothing can write there while a kernel runs, and what a record holds belongs to the caller:
no references are counted.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from llvmlite import ir
from numba.core import cgutils as _cgutils
from numba.core import types as _types
from numba.core.datamodel import models as _models
from numba.core.datamodel.registry import register_default as _register_default
from numba.core.imputils import lower_getattr_generic as _lower_getattr_generic
from numba.core.typing import templates as _templates

cgutils: Any = _cgutils
types: Any = _types
models: Any = _models
templates: Any = _templates
register_default: Any = _register_default
lower_getattr_generic: Any = _lower_getattr_generic

_WORD = ir.IntType(64)
_ADDRESS = ir.IntType(8).as_pointer()


class Record(types.Type):  # type: ignore[misc]  # numba has no types
    """The numba type of a record: the types of its parts, and where each is, in words."""

    def __init__(self, kind: type, fields: Sequence[str], parts: Sequence[Any]) -> None:
        self.parts = tuple(parts)
        self.number = {name: k for k, name in enumerate(fields)}
        self.places = [0, *accumulate(map(_words, parts))]
        self.words = self.places[-1]
        held = zlib.crc32(f"{kind.__module__}{parts}".encode())
        super().__init__(f"{kind.__name__}_{held:08x}")

    def __getitem__(self, k: int) -> Any:
        """The type of a part."""
        return self.parts[k]


def _words(part: Any) -> int:
    if isinstance(part, Record):
        return part.words
    if isinstance(part, types.Array):
        return 5 + 2 * int(part.ndim)
    if isinstance(part, types.BaseTuple):
        return sum(map(_words, part))
    return 1


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
    part, place = record.parts[k], place_of(builder, record, address, k)
    if isinstance(part, Record):
        return place
    model = context.data_model_manager[part]
    value = model.load_from_data_pointer(builder, _typed(builder, place, model))
    if isinstance(part, types.Array):
        for at in (0, 1):  # to whom it belongs: nobody asks
            value = builder.insert_value(value, ir.Constant(value.type.elements[at], None), at)
    return value


lower_getattr_generic(Record)(_field)


def _typed(builder: Any, place: Any, model: Any) -> Any:
    return builder.bitcast(place, model.get_data_type().as_pointer())


def room_for(builder: Any, record: Record) -> Any:
    """Memory for a record, while a function runs."""
    room = cgutils.alloca_once(builder, ir.ArrayType(_WORD, record.words))
    return builder.bitcast(room, _ADDRESS)


def place_of(builder: Any, record: Record, address: Any, k: int) -> Any:
    """The address of a part of a record."""
    return builder.gep(address, [_WORD(8 * record.places[k])])


def store_part(context: Any, builder: Any, kind: Any, place: Any, value: Any) -> None:
    """Store a part of a record, which is no record itself, where it belongs."""
    model = context.data_model_manager[kind]
    builder.store(model.as_data(builder, value), _typed(builder, place, model))


def mark_records(arguments: Sequence[Any], kinds: Sequence[Any]) -> None:
    """Tell LLVM of those arguments of a function that are records: nobody writes there."""
    for argument, kind in zip(arguments, kinds, strict=True):
        if isinstance(kind, Record):
            for attribute in ("noalias", "captures(none)", "nonnull"):
                argument.add_attribute(attribute)
            argument.attributes.dereferenceable = 8 * kind.words
