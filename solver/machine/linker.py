"""A small linker: lays object code for x86-64 and AArch64 out in one piece, as an image.

What it knows is what LLVM writes of kernels: code that runs wherever it lies, in ELF. For which
processor it is says the object code itself, so code for one can be linked on another.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from .forms import ENTRY

#: How code is to be compiled: so that it runs wherever it lies, in one piece.
RELOCATION, CODE_MODEL = "pic", "small"

_ELF = b"\x7fELF\x02\x01\x01"
_HEAD = "<IIQQQQIIQQ"
#: Kinds of sections, and flags of them.
_SYMBOLS, _RELOCATIONS, _NO_BITS = 2, 4, 8
_WRITE, _ALLOC = 1, 2
_UNDEFINED = 0


class UnknownObjectError(Exception):
    """The linker does not know what is in some object code."""


class Image(NamedTuple):
    """Linked machine code: what to lay down, and what is to be completed where it lies."""

    #: Code and constants, and behind them what may be written.
    content: bytes
    #: How many bytes of it are code and constants: they lie at the beginning of the memory.
    fixed: int
    #: Where in memory lies what may be written: on a page of its own, however large pages are.
    writable: int
    #: The places of the entries, in their order.
    entries: tuple[int, ...]
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


# ---- Whatever the processor


class _Linker:
    """Lays the sections of object code one behind the other, and writes where they are."""

    #: The number of its processor in ELF, and the largest pages that Linux may have there.
    machine: ClassVar[int]
    page: ClassVar[int]
    #: Kinds of relocations: addresses, and calls, which may be of a function elsewhere.
    absolute: ClassVar[int]
    calls: ClassVar[tuple[int, ...]]

    def __init__(self, code: bytes) -> None:
        self._code = code
        (begin,) = struct.unpack_from("<Q", code, 40)
        size, count, names = struct.unpack_from("<HHH", code, 58)
        heads = (code[begin + size * k :][: struct.calcsize(_HEAD)] for k in range(count))
        self._sections = [_Section(*struct.unpack(_HEAD, head)) for head in heads]
        self._names = self._sections[names]
        self._content = bytearray()
        self._places: dict[int, int] = {}
        self._jumps: dict[str, int] = {}
        self._inside: list[tuple[int, int]] = []

    def image(self) -> Image:
        """The whole, with the entry's place in it."""
        self._lay(writable=False)
        relocations = [it for it in self._relocations() if it.section in self._kept]
        for it in relocations:
            if it.symbol.section == _UNDEFINED and it.kind in self.calls:
                self._jumps.setdefault(it.symbol.name, self._room(16, 8))
        fixed, writable = len(self._content), self._room(0, self.page)
        self._lay(writable=True)
        outside = [(self._room(8, 8), name) for name in self._jumps]
        for slot, name in outside:
            self._write_jump(self._jumps[name], slot)
        for it in relocations:
            place = self._places[it.section] + it.offset
            if it.kind != self.absolute:
                self._relocate(place, it)
            else:
                self._inside.append((place, self._place(it.symbol) + it.addend))
        places = {it.name: self._place(it) for it in self._symbols() if it.name.startswith(ENTRY)}
        entries = tuple(places[f"{ENTRY}_{k}"] for k in range(len(places)))
        content = bytes(self._content[:fixed] + self._content[writable:])
        inside = tuple(self._inside)
        return Image(content, fixed, writable, entries, inside, tuple(outside))

    def _write_jump(self, place: int, slot: int) -> None:
        """Write a jump to a function elsewhere, whose address is in a word."""
        raise NotImplementedError

    def _relocate(self, place: int, it: _Relocation) -> None:
        """Write where something is, in the way of the processor."""
        raise NotImplementedError

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

    def _target(self, it: _Relocation) -> int:
        """The place that is meant; of a function elsewhere that of the jump to it."""
        if it.kind in self.calls and it.symbol.section == _UNDEFINED:
            return self._jumps[it.symbol.name] + it.addend
        return self._place(it.symbol) + it.addend

    def _write(self, place: int, kind: str, *values: int) -> None:
        try:
            struct.pack_into(kind, self._content, place, *values)
        except struct.error as error:
            raise UnknownObjectError from error


# ---- x86-64: distances of four bytes behind the code of an instruction

#: ``jmp [rip + …]``, and how long it is.
_JUMP, _JUMP_LENGTH = b"\xff\x25", 6
#: A distance, and one that is called.
_PC32, _PLT32 = 2, 4


class _LinkerX86(_Linker):
    """Links code for x86-64."""

    machine, page = 62, 1 << 12
    absolute, calls = 1, (_PC32, _PLT32)

    def _write_jump(self, place: int, slot: int) -> None:
        self._content[place : place + len(_JUMP)] = _JUMP
        self._write(place + len(_JUMP), "<i", slot - place - _JUMP_LENGTH)

    def _relocate(self, place: int, it: _Relocation) -> None:
        if it.kind not in self.calls:
            raise UnknownObjectError
        self._write(place, "<i", self._target(it) - place)


# ---- AArch64: numbers in some bits of an instruction
#
# What is far is reached in two steps: ``adrp`` adds the distance between pages of 4096 bytes, and
# an instruction behind it the place in the page. So an image must begin where such a page does.

_PAGE_BITS = 12
#: Kinds of relocations: branches that come back and that do not; how far away a page is, and a
#: byte; the place of a word in its page.
_CALL26, _JUMP26, _PAGE, _PREL32, _WORD = 283, 282, 275, 261, 286
#: What is added to the beginning of a page, by how many bits it is shifted in the instruction: the
#: places of words are counted in words.
_IN_PAGE = {277: 0, 278: 0, 284: 1, 285: 2, _WORD: 3, 299: 4}
_IN_PAGE_AT = 10
#: ``adrp x16, …``, ``ldr x16, [x16, …]``, ``br x16``.
_JUMP_ARM = (0x90000010, 0xF9400210, 0xD61F0200)


class _LinkerArm(_Linker):
    """Links code for AArch64."""

    machine, page = 183, 1 << 16
    absolute, calls = 257, (_JUMP26, _CALL26)

    def _write_jump(self, place: int, slot: int) -> None:
        self._write(place, "<III", *_JUMP_ARM)
        self._write_page(place, slot)
        self._write_in_page(place + 4, _WORD, slot)

    def _relocate(self, place: int, it: _Relocation) -> None:
        kind, target = it.kind, self._target(it)
        if kind == _PREL32:
            self._write(place, "<i", target - place)
        elif kind == _PAGE:
            self._write_page(place, target)
        elif kind in _IN_PAGE:
            self._write_in_page(place, kind, target)
        elif kind in self.calls:
            distance = _signed(_without(target - place, 2), 26)
            self._write_bits(place, 26, 0, distance)
        else:
            raise UnknownObjectError

    def _write_page(self, place: int, target: int) -> None:
        """Complete ``adrp``, which has the two lowest bits apart from the others."""
        distance = _signed((target >> _PAGE_BITS) - (place >> _PAGE_BITS), 21)
        self._write_bits(place, 2, 29, distance)
        self._write_bits(place, 19, 5, distance >> 2)

    def _write_in_page(self, place: int, kind: int, target: int) -> None:
        shift, within = _IN_PAGE[kind], target & ((1 << _PAGE_BITS) - 1)
        self._write_bits(place, _PAGE_BITS, _IN_PAGE_AT, _without(within, shift))

    def _write_bits(self, place: int, bits: int, at: int, value: int) -> None:
        (word,) = struct.unpack_from("<I", self._content, place)
        mask = ((1 << bits) - 1) << at
        self._write(place, "<I", word & ~mask | value << at & mask)


def _signed(value: int, bits: int) -> int:
    """A number that must have so few bits."""
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise UnknownObjectError
    return value


def _without(value: int, bits: int) -> int:
    """A number without its lowest bits, which must be zero."""
    if value & ((1 << bits) - 1):
        raise UnknownObjectError
    return value >> bits


# ---- Any processor

_LINKERS = {it.machine: it for it in (_LinkerX86, _LinkerArm)}


def linked(code: bytes) -> Image:
    """The image of some object code; an ``UnknownObjectError`` if there can be none."""
    linker = None
    if code.startswith(_ELF):
        linker = _LINKERS.get(struct.unpack_from("<H", code, 18)[0])
    if linker is None:
        raise UnknownObjectError
    return linker(code).image()
