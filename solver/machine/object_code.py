"""Object code made callable: laid into memory by a small linker of our own, or by LLVM's.

On Linux with an x86-64 processor object code is linked when it is made, but for where it will lie
and where other functions are: an *image*, which a process maps, completes and runs without LLVM,
whose libraries alone would take longer to load than many a command. Elsewhere, and where something
is in it that the linker does not know, object code is kept as it is and LLVM links it.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from .forms import ENTRY

#: How code is to be compiled: so that it runs wherever it lies, in one piece.
RELOCATION, CODE_MODEL = "pic", "small"

_ELF = b"\x7fELF\x02\x01\x01"
_X86_64 = 62
_HEAD = "<IIQQQQIIQQ"
#: Kinds of sections, and flags of them.
_SYMBOLS, _RELOCATIONS, _NO_BITS = 2, 4, 8
_WRITE, _ALLOC = 1, 2
_UNDEFINED = 0
#: Kinds of relocations: addresses, distances to them, and distances to words that hold them.
_ABSOLUTE, _RELATIVE, _CALL = 1, 2, 4
_BY_SLOT = (9, 41, 42)
#: ``jmp [rip + …]``, by which a function elsewhere is called, and how long it is.
_JUMP, _JUMP_LENGTH = b"\xff\x25", 6
_READ_AND_RUN = 0x1 | 0x4


class UnknownObjectError(Exception):
    """The linker does not know what is in some object code."""


class Image(NamedTuple):
    """Linked machine code: what to lay down, and what is to be completed where it lies."""

    content: bytes
    #: What lies before is code and constants.
    writable: int
    entry: int
    #: Words that hold addresses in the image: where, and how far from its beginning.
    inside: tuple[tuple[int, int], ...]
    #: Words that hold addresses of functions: where, and their names.
    outside: tuple[tuple[int, str], ...]


class _Section(NamedTuple):
    """A section of an object file, as its head says."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    item: int


class _Symbol(NamedTuple):
    """A name, and where it is in which section."""

    name: str
    section: int
    value: int


class _Relocation(NamedTuple):
    """What is to be written where, once it is known where things lie."""

    section: int
    offset: int
    kind: int
    symbol: _Symbol
    addend: int


def callable_form(code: bytes) -> Any:
    """What is stored of object code: an image where there can be one, else the code itself."""
    try:
        return tuple(_Linker(code).image())
    except UnknownObjectError:
        return code


def address_of(stored: Any) -> int:
    """The address of an entry, after its machine code has been laid into memory."""
    return _mapped(Image(*stored)) if isinstance(stored, tuple) else _by_llvm(stored)


# ---- Linking


class _Linker:
    """Lays the sections of object code one behind the other, and writes where they are."""

    def __init__(self, code: bytes) -> None:
        known = sys.platform == "linux" and code.startswith(_ELF)
        if not known or struct.unpack_from("<H", code, 18)[0] != _X86_64:
            raise UnknownObjectError
        self._code = code
        (begin,) = struct.unpack_from("<Q", code, 40)
        size, count, names = struct.unpack_from("<HHH", code, 58)
        heads = (code[begin + size * k :][: struct.calcsize(_HEAD)] for k in range(count))
        self._sections = [_Section(*struct.unpack(_HEAD, head)) for head in heads]
        self._names = self._sections[names]
        self._content = bytearray()
        self._places: dict[int, int] = {}
        self._jumps: dict[str, int] = {}
        self._slots: dict[_Symbol, int] = {}
        self._inside: list[tuple[int, int]] = []

    def image(self) -> Image:
        """The whole, with the entry's place in it."""
        self._lay(writable=False)
        relocations = [it for it in self._relocations() if it.section in self._kept]
        for it in relocations:
            if it.symbol.section == _UNDEFINED and it.kind in (_RELATIVE, _CALL):
                self._jumps.setdefault(it.symbol.name, self._room(16, 8))
        self._room(0, mmap.PAGESIZE)
        writable = len(self._content)
        self._lay(writable=True)
        for name, place in self._jumps.items():
            slot = self._slot(_Symbol(name, _UNDEFINED, 0))
            self._write(place, _JUMP, slot - place - _JUMP_LENGTH)
        for it in relocations:
            self._relocate(it)
        (entry,) = (it for it in self._symbols() if it.name == ENTRY)
        outside = [(at, it.name) for it, at in self._slots.items() if it.section == _UNDEFINED]
        place = self._place(entry)
        return Image(bytes(self._content), writable, place, tuple(self._inside), tuple(outside))

    def _text(self, section: _Section, at: int) -> str:
        begin = section.offset + at
        return self._code[begin : self._code.index(b"\0", begin)].decode()

    def _symbols(self) -> Iterator[_Symbol]:
        for section in self._sections:
            if section.kind == _SYMBOLS:
                table = self._code[section.offset : section.offset + section.size]
                for name, _, _, where, value, _ in struct.iter_unpack("<IBBHQQ", table):
                    yield _Symbol(self._text(self._sections[section.link], name), where, value)

    def _relocations(self) -> Iterator[_Relocation]:
        symbols = list(self._symbols())
        for section in self._sections:
            if section.kind == _RELOCATIONS:
                table = self._code[section.offset : section.offset + section.size]
                for offset, packed_kind, addend in struct.iter_unpack("<QQq", table):
                    kind, symbol = packed_kind & 0xFFFFFFFF, symbols[packed_kind >> 32]
                    yield _Relocation(section.info, offset, kind, symbol, addend)

    @property
    def _kept(self) -> list[int]:
        """The sections that are loaded; what only serves to unwind a stack is not."""
        return [
            k
            for k, it in enumerate(self._sections)
            if it.flags & _ALLOC and self._text(self._names, it.name) != ".eh_frame"
        ]

    def _lay(self, writable: bool) -> None:
        for k in self._kept:
            it = self._sections[k]
            if bool(it.flags & _WRITE) == writable:
                self._places[k] = self._room(it.size, max(1, it.alignment))
                if it.kind != _NO_BITS:
                    place = self._places[k]
                    held = self._code[it.offset : it.offset + it.size]
                    self._content[place : place + it.size] = held

    def _room(self, size: int, alignment: int) -> int:
        """The place of so many new bytes."""
        place = -(-len(self._content) // alignment) * alignment
        self._content.extend(bytes(place + size - len(self._content)))
        return place

    def _place(self, symbol: _Symbol) -> int:
        if symbol.section not in self._places:
            raise UnknownObjectError
        return self._places[symbol.section] + symbol.value

    def _slot(self, symbol: _Symbol) -> int:
        """A word with the address of a symbol."""
        if symbol not in self._slots:
            self._slots[symbol] = place = self._room(8, 8)
            if symbol.section != _UNDEFINED:
                self._inside.append((place, self._place(symbol)))
        return self._slots[symbol]

    def _relocate(self, it: _Relocation) -> None:
        place = self._places[it.section] + it.offset
        if it.kind in _BY_SLOT:
            self._write(place, b"", self._slot(it.symbol) + it.addend - place)
        elif it.kind in (_RELATIVE, _CALL):
            within = it.symbol.section != _UNDEFINED
            target = self._place(it.symbol) if within else self._jumps[it.symbol.name]
            self._write(place, b"", target + it.addend - place)
        elif it.kind == _ABSOLUTE and it.symbol.section != _UNDEFINED:
            self._inside.append((place, self._place(it.symbol) + it.addend))
        else:
            raise UnknownObjectError

    def _write(self, place: int, before: bytes, distance: int) -> None:
        written = before + struct.pack("<i", distance)
        self._content[place : place + len(written)] = written


# ---- Loading into memory


def _mapped(image: Image) -> int:
    room = mmap.mmap(-1, len(image.content), mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    room.write(image.content)
    base = ctypes.addressof(ctypes.c_char.from_buffer(room))
    for place, distance in image.inside:
        struct.pack_into("<Q", room, place, base + distance)
    for place, name in image.outside:
        address = ctypes.cast(getattr(_libc(), name), ctypes.c_void_p).value
        struct.pack_into("<Q", room, place, address or 0)
    if _libc().mprotect(ctypes.c_void_p(base), image.writable, _READ_AND_RUN):
        raise OSError
    _rooms.append(room)
    return base + image.entry


#: Code stays where it is for as long as the process lives.
_rooms: list[Any] = []


@cache
def _libc() -> Any:
    return ctypes.CDLL(None)


def _by_llvm(code: bytes) -> int:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _rooms.append(engine)
    return int(engine.get_function_address(ENTRY))
