"""Object code made callable: laid into memory by a small linker of our own, or by LLVM's.

On Linux with an x86-64 or an AArch64 processor object code is linked when it is made, but for where
it will lie and where other functions are: an *image*, which a process maps, completes and runs
without LLVM, whose libraries alone would take longer to load than many a command. Elsewhere, and
where something is in it that the linker does not know, object code is kept as it is and LLVM links
it.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Sequence
from functools import cache, cached_property
from itertools import count, takewhile
from typing import TYPE_CHECKING, Any

from .forms import ENTRY

if TYPE_CHECKING:
    from .linker import Image  # which is loaded when something is compiled

_READ_AND_RUN = 0x1 | 0x4


def callable_form(code: bytes) -> Any:
    """What is stored of object code: an image where there can be one, else the code itself."""
    from .linker import UnknownObjectError, linked

    if sys.platform != "linux":
        return code
    try:
        return tuple(linked(code))
    except UnknownObjectError:
        return code


class Code:
    """Machine code of some kernels, which is laid into memory when the first of them is called."""

    def __init__(self, stored: Any) -> None:
        self.stored = stored

    @cached_property
    def addresses(self) -> Sequence[int]:
        """The addresses of the entries, in their order."""
        return _mapped(self.stored) if isinstance(self.stored, tuple) else _by_llvm(self.stored)


# ---- Loading into memory


def _mapped(image: Image | tuple[Any, ...]) -> list[int]:
    """Lay an image into memory and complete it there; the addresses of its entries.

    A processor for ARM fetches instructions past what was just written. Linux makes both agree
    when a page that it has just handed out becomes one whose content can be run, as here.
    """
    content, fixed, writable, entries, inside, outside = image
    size = writable + len(content) - fixed
    room = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    room[:fixed], room[writable:] = content[:fixed], content[fixed:]
    base = ctypes.addressof(ctypes.c_char.from_buffer(room))
    for place, distance in inside:
        struct.pack_into("<Q", room, place, base + distance)
    for place, name in outside:
        address = ctypes.cast(getattr(_libc(), name), ctypes.c_void_p).value
        struct.pack_into("<Q", room, place, address or 0)
    if _libc().mprotect(ctypes.c_void_p(base), writable, _READ_AND_RUN):
        raise OSError
    _rooms.append(room)
    return [base + entry for entry in entries]


#: Code stays where it is for as long as the process lives.
_rooms: list[Any] = []


@cache
def _libc() -> Any:
    return ctypes.CDLL(None)


def _by_llvm(code: bytes) -> list[int]:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _rooms.append(engine)
    addresses = (engine.get_function_address(f"{ENTRY}_{k}") for k in count())
    return list(takewhile(bool, addresses))
