"""Makes a module of WebAssembly of the one object file that all kernels are in.

Of an object file LLVM leaves little to do: where memory begins is not known yet, and the memory and
the pointer to its stack are still wanted from outside. So no linker has to be there, and the same
object gives the same bytes everywhere. Memory is laid out like this: a page that nobody may use,
the stack, which grows towards that page, constants, and what is reserved at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

_MAGIC = b"\0asm\1\0\0\0"
_CUSTOM, TYPE, _IMPORT, FUNCTION, _MEMORY, _GLOBAL, EXPORT = 0, 1, 2, 3, 5, 6, 7
CODE, _DATA, _DATA_COUNT = 10, 11, 12
_I32, _I32_CONST, _END = 0x7F, 0x41, 0x0B
_FUNCTION_KIND, _TABLE_KIND, _MEMORY_KIND, _GLOBAL_KIND = range(4)
#: Kinds of symbols and of relocations that object files of kernels have.
_FUNCTION_SYMBOL, _DATA_SYMBOL, _GLOBAL_SYMBOL, _SECTION_SYMBOL = range(4)
_FUNCTION_INDEX, _ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32, _TYPE_INDEX, _GLOBAL_INDEX = (
    0, 3, 4, 5, 6, 7,
)  # fmt: skip
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
_PAGE = 1 << 16
STACK = 1 << 20
#: Pages of memory at most: 200 MB.
MOST_PAGES = 200_000_000 // _PAGE
HEAP_BASE = "__heap_base"


class LinkError(Exception):
    """An object file has something that kernels were not expected to have."""


class _Symbol(NamedTuple):
    """A name in an object file: of a function its number, of data its segment and offset."""

    kind: int
    name: str
    is_defined: bool
    number: int
    offset: int = 0


class _Relocation(NamedTuple):
    """A place in a section whose value depends on where a symbol is."""

    kind: int
    place: int
    symbol: int
    addend: int


class _Bytes:
    """Reads an object file from front to end."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def __bool__(self) -> bool:
        return self.at < len(self.content)

    def take(self, count: int) -> bytes:
        """So many bytes."""
        self.at += count
        return self.content[self.at - count : self.at]

    def byte(self) -> int:
        """The next byte."""
        return self.take(1)[0]

    def number(self) -> int:
        """The next whole number, without a sign."""
        found = shift = 0
        while True:
            byte = self.byte()
            found |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return found

    def signed(self) -> int:
        """The next whole number, with a sign."""
        begin = self.at
        found = self.number()
        bits = 7 * (self.at - begin)
        return found - (1 << bits) if found >> (bits - 1) else found

    def part(self) -> bytes:
        """So many bytes as the number before them says."""
        return self.take(self.number())

    def text(self) -> str:
        """A text with its length before it."""
        return self.part().decode()

    def many(self, read: Callable[[], Any]) -> list[Any]:
        """As many things as the number before them says."""
        return [read() for _ in range(self.number())]


def _leb(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


def _sleb(number: int) -> bytes:
    found = bytearray()
    while not -0x40 <= number < 0x40:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number & 0x7F])


def _sized(content: bytes) -> bytes:
    return _leb(len(content)) + content


def _row(parts: Sequence[bytes]) -> bytes:
    return _leb(len(parts)) + b"".join(parts)


def _aligned(address: int, unit: int) -> int:
    return -(-address // unit) * unit


# ---- What an object file holds


class _Object:
    """An object file, taken apart."""

    def __init__(self, content: bytes) -> None:
        if content[:8] != _MAGIC:
            raise LinkError("this is no object file of WebAssembly")
        self.sections: dict[int, bytes] = {}
        self.symbols: list[_Symbol] = []
        self.relocations: dict[int, list[_Relocation]] = {}
        self.alignments: list[int] = []
        numbers: list[int] = []
        read = _Bytes(content)
        read.take(8)
        while read:
            kind, part = read.byte(), read.part()
            numbers.append(kind)
            if kind != _CUSTOM:
                self.sections[kind] = part
                continue
            inner = _Bytes(part)
            name = inner.text()
            if name == "linking":
                self._read_linking(inner)
            elif name.startswith("reloc."):
                section = numbers[inner.number()]
                self.relocations[section] = inner.many(partial(_relocation, inner))

    def _read_linking(self, read: _Bytes) -> None:
        if read.number() != 2:
            raise LinkError("object files have another version")
        while read:
            kind, part = read.byte(), _Bytes(read.part())
            if kind == 5:
                self.alignments = part.many(partial(_alignment, part))
            elif kind == 8:
                self.symbols = part.many(partial(_symbol, part))

    def missing(self) -> list[str]:
        """The functions that are wanted from outside."""
        read = _Bytes(self.sections[_IMPORT])
        return list(filter(None, read.many(partial(_wanted_function, read))))

    def segments(self) -> list[tuple[int, bytes]]:
        """The constants: where each segment begins in its section, and its bytes."""
        if _DATA not in self.sections:
            return []
        read = _Bytes(self.sections[_DATA])

        def segment() -> tuple[int, bytes]:
            if (read.number(), read.byte(), read.signed(), read.byte())[::3] != (0, _END):
                raise LinkError("a segment of data is not where it can be")
            content = read.part()
            return read.at - len(content), content

        return read.many(segment)


def _alignment(read: _Bytes) -> int:
    """At what multiples a segment of constants may begin."""
    _, power, _ = read.text(), read.number(), read.number()
    return int(1 << power)


def _relocation(read: _Bytes) -> _Relocation:
    kind, place, index = read.byte(), read.number(), read.number()
    if kind not in (_FUNCTION_INDEX, *_ADDRESSES, _TYPE_INDEX, _GLOBAL_INDEX):
        raise LinkError(f"an object file has relocations of kind {kind}")
    return _Relocation(kind, place, index, read.signed() if kind in _ADDRESSES else 0)


_ADDRESSES = (_ADDRESS_LEB, _ADDRESS_SLEB, _ADDRESS_I32)


def _symbol(read: _Bytes) -> _Symbol:
    kind, flags = read.byte(), read.number()
    is_defined = not flags & _UNDEFINED
    if kind == _DATA_SYMBOL:
        name = read.text()
        if not is_defined:
            return _Symbol(kind, name, False, -1)
        segment, offset, _ = read.number(), read.number(), read.number()
        return _Symbol(kind, name, True, segment, offset)
    if kind == _SECTION_SYMBOL:
        return _Symbol(kind, "", True, read.number())
    index = read.number()
    name = read.text() if is_defined or flags & _EXPLICIT_NAME else ""
    return _Symbol(kind, name, is_defined, index)


def _wanted_function(read: _Bytes) -> str:
    """The name of something that is wanted from outside; none of what is no function."""
    _, name, kind = read.text(), read.text(), read.byte()
    if kind == _FUNCTION_KIND:
        read.number()
        return name
    if kind == _GLOBAL_KIND:
        read.take(2)
    else:
        if kind == _TABLE_KIND:
            read.byte()
        if read.number() & 1:
            read.number()
        read.number()
    return ""


# ---- The module


def link(content: bytes, exported: Iterable[str]) -> bytes:
    """The module of an object file, with memory of its own, and these functions to call."""
    found = _Object(content)
    if missing := found.missing():
        raise LinkError(f"functions are missing: {', '.join(missing)}")
    starts, end = _laid_out(found)
    base = _aligned(end, 64)
    address = _addresses(found, starts, base)
    code = _relocated(found, CODE, address)
    data = _relocated(found, _DATA, address)
    segments = [
        b"\0" + _constant(start) + _sized(data[at : at + len(content)])
        for start, (at, content) in zip(starts, found.segments(), strict=True)
    ]
    places = {it.name: it.number for it in found.symbols if it.kind == _FUNCTION_SYMBOL}
    memory = [bytes([1]) + _leb(base // _PAGE + 1) + _leb(MOST_PAGES)]
    stack = [bytes([_I32, 1]) + _constant(STACK + _PAGE)]
    parts = {
        TYPE: found.sections[TYPE],
        FUNCTION: found.sections[FUNCTION],
        _MEMORY: _row(memory),
        _GLOBAL: _row(stack),
        EXPORT: exports({name: places[name] for name in exported}),
        _DATA_COUNT: _leb(len(segments)),
        CODE: code,
        _DATA: _row(segments),
    }
    if _DATA_COUNT not in found.sections:
        del parts[_DATA_COUNT]
    return packed(parts.items())


def exports(places: Mapping[str, int]) -> bytes:
    """The exports of a module: functions, of which these are the numbers, and the memory."""
    functions = [_sized(it.encode()) + bytes([_FUNCTION_KIND]) + _leb(places[it]) for it in places]
    return _row([*functions, _sized(b"memory") + bytes([_MEMORY_KIND, 0])])


def packed(sections: Iterable[tuple[int, bytes]]) -> bytes:
    """The module of some sections."""
    return _MAGIC + b"".join(bytes([kind]) + _sized(part) for kind, part in sections)


def _constant(value: int) -> bytes:
    return bytes([_I32_CONST]) + _sleb(value) + bytes([_END])


def _laid_out(found: _Object) -> tuple[list[int], int]:
    """The address of each segment of constants, behind the stack, and where they end."""
    end, starts = _PAGE + STACK, []
    for (_, content), alignment in zip(found.segments(), found.alignments, strict=True):
        starts.append(_aligned(end, alignment))
        end = starts[-1] + len(content)
    return starts, end


def _addresses(found: _Object, starts: Sequence[int], base: int) -> list[int | None]:
    """The address of each symbol; of functions none."""
    addresses: list[int | None] = []
    for symbol in found.symbols:
        if symbol.kind != _DATA_SYMBOL:
            addresses.append(None)
        elif symbol.is_defined:
            addresses.append(starts[symbol.number] + symbol.offset)
        elif symbol.name == HEAP_BASE:
            addresses.append(base)
        else:
            raise LinkError(f"{symbol.name!r} is missing")
    return addresses


def _relocated(found: _Object, section: int, address: Sequence[int | None]) -> bytes:
    """A section with all addresses in it; functions, types and the stack keep their numbers."""
    content = bytearray(found.sections.get(section, b""))
    for kind, place, index, addend in found.relocations.get(section, ()):
        if kind not in _ADDRESSES:
            continue
        start = address[index]
        if start is None:
            raise LinkError("the address of something that is no data is asked for")
        value = start + addend
        if kind == _ADDRESS_I32:
            content[place : place + 4] = value.to_bytes(4, "little")
        else:  # five bytes are there for any address
            sevens = [value >> shift & 0x7F for shift in (0, 7, 14, 21, 28)]
            content[place : place + 5] = bytes([*(seven | 0x80 for seven in sevens[:4]), sevens[4]])
    return bytes(content)
