"""Code for AArch64, read again instruction by instruction; and a module that has every kind."""

import struct
from typing import NamedTuple

PAGE = 4096


class Seen(NamedTuple):
    """What code for AArch64 does: addresses it makes, what it loads from where, where it goes."""

    made: list[int]
    loaded: list[tuple[int, int]]
    called: list[int]
    jumped: list[int]


def read_code(memory: bytes, begin: int, end: int) -> Seen:
    """Follow the instructions from one to the next: what makes addresses, loads and branches."""
    seen, pages = Seen([], [], [], []), {}
    for place in range(begin, end, 4):
        (word,) = struct.unpack_from("<I", memory, place)
        register, base, immediate = word & 31, word >> 5 & 31, word >> 10 & 0xFFF
        if word >> 24 & 0x9F == 0x90:  # adrp
            high = (word >> 5 & 0x7FFFF) << 2 | word >> 29 & 3
            pages[register] = (place // PAGE + high - (high >> 20 << 21)) * PAGE
        elif word >> 22 == 0b1001000100 and base in pages:  # add x, x, #
            seen.made.append(pages[base] + immediate)
        elif word >> 27 & 7 == 0b111 and word >> 24 & 3 == 1 and base in pages:  # ldr, unsigned
            wide = word >> 26 & 1 and word >> 23 & 1
            size = 4 if wide else word >> 30
            seen.loaded.append((pages[base] + (immediate << size), 1 << size))
        elif word >> 26 in (0b100101, 0b000101):  # bl, b
            distance = word & 0x3FFFFFF
            target = place + 4 * (distance - (distance >> 25 << 26))
            (seen.called if word >> 31 else seen.jumped).append(target)
    return seen


#: Every kind of relocation that is known, for LLVM writes each of them for some of this.
EVERY_KIND = """
@before = private constant [5001 x i8] zeroinitializer
@byte = private constant i8 17
@pair = private constant i16 8721
@four = private constant i32 875770417
@eight = internal global i64 4050765991979987505
@sixteen = private constant [16 x i8] c"0123456789abcdef", align 16
@text = private constant [7 x i8] c"pointed"
@pointer = internal constant ptr getelementptr (i8, ptr @text, i64 2)
@distance = private constant i32 trunc (i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @text,
  i64 3) to i64), i64 ptrtoint (ptr @distance to i64)) to i32)

declare void @see(i8, i16, i32, i64, <16 x i8>)
declare void @look(ptr, i32)
declare void @last(ptr)

define internal void @within() noinline {
  call void @look(ptr @text, i32 1)
  %d = load volatile i32, ptr @distance
  call void @look(ptr @text, i32 %d)
  ret void
}

define void @knuthle_entry_0() {
  %a = load volatile i8, ptr @byte
  %b = load volatile i16, ptr @pair
  %c = load volatile i32, ptr @four
  %d = load volatile i64, ptr @eight
  %e = load volatile <16 x i8>, ptr @sixteen
  call void @see(i8 %a, i16 %b, i32 %c, i64 %d, <16 x i8> %e)
  call void @within()
  %p = load volatile ptr, ptr @pointer
  tail call void @last(ptr %p)
  ret void
}
"""


def adds_products(word: int) -> bool:
    """Whether an instruction adds a product that was not rounded: ``fmadd`` and its like, on one
    number or on several."""
    several, one_of_several = word & 0xBF20FC00 == 0x0E20CC00, word & 0xBF80B400 == 0x0F801000
    return word >> 24 == 0x1F or several or one_of_several
