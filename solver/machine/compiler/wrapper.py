"""The entry of a kernel: ``int32 entry(arguments, results, known)``, a function of our own.

``arguments`` is the tuple of a call as Python has it in memory. The entry takes it apart, and
answers ``OTHER_FORM`` unless every class, item type, dimension and flag is that of its form; then
it calls what numba made of the kernel, and writes what comes back as 64-bit words. ``known`` holds
the addresses of the classes and item types of the form in this process, and behind them where the
first part of a tuple lies: that is not the same in every version of Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils as _cgutils
from numba.core import types as _types
from numba.np import arrayobj as _arrayobj

from .. import memory_layout as layout
from ..argument_forms import ENTRY, HEAD, OTHER_FORM, Form, known_names
from . import records

cgutils: Any = _cgutils
types: Any = _types
arrayobj: Any = _arrayobj

_I1, _I8, _I32, _I64 = (ir.IntType(bits) for bits in (1, 8, 32, 64))
_ADDRESS = _I8.as_pointer()


class EntryCode:
    """The function that takes the arguments of a call of a kernel apart."""

    def __init__(self, context: Any, module: Any, form: Form) -> None:
        self._context = context
        self._form = form
        kind = ir.FunctionType(_I32, [_ADDRESS, _I64.as_pointer(), _ADDRESS.as_pointer()])
        function = ir.Function(module, kind, ENTRY)
        self._arguments, self._results, self._known = function.args
        self._builder = ir.IRBuilder(function.append_basic_block())
        self._other = function.append_basic_block()
        ir.IRBuilder(self._other).ret(_I32(OTHER_FORM))
        self._names = {name: k for k, name in enumerate(known_names(form))}

    def write(self, kernel: Any, argument_types: Sequence[Any], result: Any, nogil: bool) -> None:
        """Write the entry of a kernel: take arguments apart, call, write down what it returns."""
        b, convention = self._builder, self._context.call_conv
        whole = types.BaseTuple.from_types(argument_types, tuple)
        arguments = self._parts(self._arguments, self._form, whole)
        kind = convention.get_function_type(result, argument_types)
        function = ir.Function(b.module, kind, kernel.llvm_func_name)
        thread = self._call(_ADDRESS, "PyEval_SaveThread") if nogil else None
        status, returned = convention.call_function(b, function, result, argument_types, arguments)
        if thread is not None:
            self._call(ir.VoidType(), "PyEval_RestoreThread", thread)
        with b.if_then(status.is_error, likely=False):
            told = b.load(status.excinfoptr)
            self._put(0, b.ptrtoint(b.extract_value(told, 0), _I64))
            self._put(1, b.sext(b.extract_value(told, 1), _I64))
            b.ret(status.code)
        self._store(0, returned, result)
        b.ret(_I32(0))

    # -- arguments

    def _at(self, address: Any, offset: int, kind: Any) -> Any:
        b = self._builder
        return b.load(b.bitcast(b.gep(address, [_I64(offset)]), kind.as_pointer()))

    def _want(self, right: Any) -> None:
        block = self._builder.append_basic_block()
        self._builder.cbranch(right, block, self._other)
        self._builder.position_at_end(block)

    def _known_address(self, name: str) -> Any:
        return self._builder.load(self._builder.gep(self._known, [_I64(self._names[name])]))

    def _same(self, address: Any, name: str) -> Any:
        b = self._builder
        known = b.ptrtoint(self._known_address(name), _I64)
        return b.icmp_unsigned("==", b.ptrtoint(address, _I64), known)

    def _want_class(self, thing: Any, name: str) -> None:
        self._want(self._same(self._at(thing, HEAD - 8, _ADDRESS), name))

    def _call(self, kind: Any, name: str, *args: Any) -> Any:
        b = self._builder
        wanted = ir.FunctionType(kind, [arg.type for arg in args])
        return b.call(cgutils.get_or_insert_function(b.module, wanted, name), args)

    def _things(self, thing: Any, form: Form) -> list[Any]:
        """What a tuple holds, as Python has it."""
        self._want_class(thing, form[0])
        b = self._builder
        count = self._at(thing, HEAD, _I64)
        self._want(b.icmp_unsigned("==", count, _I64(len(form[2]))))
        items = b.load(b.gep(self._known, [_I64(len(self._names))]))
        parts = b.gep(thing, [b.ptrtoint(items, _I64)])
        return [self._at(parts, 8 * k, _ADDRESS) for k in range(len(form[2]))]

    def _parts(self, thing: Any, form: Form, kind: Any) -> list[Any]:
        """The parts of a tuple, as numba has them."""
        things = self._things(thing, form)
        return [
            self._value(it, part, kind[k])
            for k, (it, part) in enumerate(zip(things, form[2], strict=True))
        ]

    def _tuple(self, thing: Any, form: Form, kind: Any) -> Any:
        return self._context.make_tuple(self._builder, kind, self._parts(thing, form, kind))

    def _record(self, thing: Any, form: Form, kind: Any) -> Any:
        room = records.room_for(self._builder, kind)
        self._lay(thing, form, kind, room)
        return room

    def _lay(self, thing: Any, form: Form, kind: Any, address: Any) -> None:
        """Lay a record into memory."""
        b = self._builder
        for k, (it, part) in enumerate(zip(self._things(thing, form), form[2], strict=True)):
            place = records.place_of(b, kind, address, k)
            if isinstance(kind[k], records.Record):
                self._lay(it, part, kind[k], place)
            else:
                value = self._value(it, part, kind[k])
                records.store_part(self._context, b, kind[k], place, value)

    def _value(self, thing: Any, form: Form, kind: Any) -> Any:
        b = self._builder
        if not isinstance(form, str):
            is_record = isinstance(kind, records.Record)
            return (self._record if is_record else self._tuple)(thing, form, kind)
        if " " in form:
            return self._array(thing, form, kind)
        if form in ("none", "bool"):
            return self._constant(thing, form)
        self._want_class(thing, form)
        if form == "float":
            return self._call(ir.DoubleType(), "PyFloat_AsDouble", thing)
        if form == "int":
            over = cgutils.alloca_once(b, _I32)
            value = self._call(_I64, "PyLong_AsLongLongAndOverflow", thing, over)
            self._want(b.icmp_signed("==", b.load(over), _I32(0)))
            return value
        held = self._context.get_data_type(kind)
        value = self._at(thing, HEAD, held)
        return self._context.data_model_manager[kind].from_data(b, value)

    def _constant(self, thing: Any, form: str) -> Any:
        if form == "none":
            self._want(self._same(thing, "none"))
            return self._context.get_dummy_value()
        true = self._same(thing, "true")
        self._want(self._builder.or_(true, self._same(thing, "false")))
        return true

    def _array(self, thing: Any, form: str, kind: Any) -> Any:
        b = self._builder
        item, ndim, order, access = form.split()
        self._want_class(thing, "array")
        self._want(b.icmp_signed("==", self._at(thing, HEAD + layout.NDIM, _I32), _I32(int(ndim))))
        # what an array holds is told by a word: numpy has several objects for one type of items
        held, known = (
            self._at(thing, HEAD + layout.DTYPE, _ADDRESS),
            self._known_address(item),
        )
        one, other = (self._at(dtype, HEAD + layout.TYPE, _I64) for dtype in (held, known))
        self._want(b.icmp_unsigned("==", one, other))
        # an array of one dimension is contiguous in both ways, and then of the first
        looked_at = layout.ALIGNED | layout.WRITEABLE | layout.C_ORDER
        looked_at |= 0 if order == "C" else layout.F_ORDER
        wanted = layout.ALIGNED | {"C": layout.C_ORDER, "F": layout.F_ORDER, "A": 0}[order]
        wanted |= layout.WRITEABLE if access == "w" else 0
        flags = b.and_(self._at(thing, HEAD + layout.FLAGS, _I32), _I32(looked_at))
        self._want(b.icmp_unsigned("==", flags, _I32(wanted)))
        shape, strides = (
            [self._at(row, 8 * k, _I64) for k in range(int(ndim))]
            for row in (
                self._at(thing, HEAD + place, _ADDRESS) for place in (layout.SHAPE, layout.STRIDES)
            )
        )
        array = self._context.make_array(kind)(self._context, b)
        data = self._at(thing, HEAD + layout.DATA, _ADDRESS)
        arrayobj.populate_array(
            array,
            data=b.bitcast(data, array.data.type),
            shape=shape,
            strides=strides,
            itemsize=np.dtype(item).itemsize,
            meminfo=None,
        )
        return array._getvalue()

    # -- results

    def _put(self, at: int, word: Any) -> None:
        self._builder.store(word, self._builder.gep(self._results, [_I64(at)]))

    def _store(self, at: int, value: Any, kind: Any) -> int:
        """Write a value; the place behind it."""
        b = self._builder
        if isinstance(kind, types.NoneType):
            return at
        if isinstance(kind, types.BaseTuple):
            for k, part in enumerate(kind):
                at = self._store(at, b.extract_value(value, k), part)
            return at
        if isinstance(kind, types.Array):
            array = self._context.make_array(kind)(self._context, b, value)
            self._put(at, b.ptrtoint(array.meminfo, _I64))
            self._put(at + 1, b.ptrtoint(array.data, _I64))
            for k, length in enumerate(cgutils.unpack_tuple(b, array.shape, kind.ndim)):
                self._put(at + 2 + k, length)
            return at + 2 + int(kind.ndim)
        if isinstance(kind, types.Float):
            self._put(at, b.bitcast(value, _I64))
        elif isinstance(kind, types.Boolean):
            self._put(at, b.zext(b.trunc(value, _I1), _I64))
        elif value.type == _I64:
            self._put(at, value)
        else:
            self._put(at, (b.sext if kind.signed else b.zext)(value, _I64))
        return at + 1
