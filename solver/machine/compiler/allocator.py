"""Memory for arrays that a kernel makes: what numba's runtime would do, of Python's allocator."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils as _cgutils

cgutils: Any = _cgutils

_I32, _I64 = ir.IntType(32), ir.IntType(64)
_ADDRESS = ir.IntType(8).as_pointer()


def write_memory(module: Any) -> None:
    """Write what numba asks of arrays that a kernel makes: a head of five words, then the items.

    The words are: references, two that numba fills and nobody needs, where the items are, and how
    many bytes.
    """
    word = _I64

    def define(name: str, *kinds: Any) -> tuple[Any, Any]:
        function = ir.Function(module, ir.FunctionType(_ADDRESS, kinds), name)
        return function, ir.IRBuilder(function.append_basic_block())

    reserve = cgutils.get_or_insert_function(
        module, ir.FunctionType(_ADDRESS, [word]), "PyMem_RawMalloc"
    )
    release = cgutils.get_or_insert_function(
        module, ir.FunctionType(ir.VoidType(), [_ADDRESS]), "PyMem_RawFree"
    )
    for safe in ("", "_safe"):
        function, b = define(f"NRT_MemInfo_alloc{safe}_aligned", word, _I32)
        size, align = function.args
        align = b.zext(align, word)
        head = b.call(reserve, [b.add(b.add(size, align), word(40))])
        with b.if_then(b.icmp_unsigned("==", b.ptrtoint(head, word), word(0))):
            b.ret(head)
        behind = b.add(b.ptrtoint(head, word), b.add(word(39), align))
        data = b.sub(behind, b.urem(behind, align))
        words = b.bitcast(head, word.as_pointer())
        for k, value in enumerate((word(1), word(0), word(0), data, size)):
            b.store(value, b.gep(words, [word(k)]))
        b.ret(head)
    gone = ir.Function(module, ir.FunctionType(ir.VoidType(), [_ADDRESS]), "NRT_MemInfo_call_dtor")
    b = ir.IRBuilder(gone.append_basic_block())
    b.call(release, gone.args)
    b.ret_void()
