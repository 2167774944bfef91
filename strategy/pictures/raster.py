"""Pictures without a drawing library: a grid of pixels, written as PNG by hand."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

Colour = tuple[int, int, int]

#: Digits, signs and letters: five rows of three pixels, a row as an octal digit.
_GLYPHS = {
    "0": "75557",
    "1": "26227",
    "2": "71747",
    "3": "71717",
    "4": "55711",
    "5": "74717",
    "6": "74757",
    "7": "71122",
    "8": "75757",
    "9": "75717",
    ",": "00024",
    ".": "00002",
    ":": "02020",
    " ": "00000",
    "a": "75755",
    "b": "65656",
    "c": "74447",
    "d": "65556",
    "e": "74647",
    "f": "74644",
    "g": "74557",
    "h": "55755",
    "i": "72227",
    "j": "11157",
    "k": "55655",
    "l": "44447",
    "m": "57755",
    "n": "57775",
    "o": "75557",
    "p": "75744",
    "q": "75573",
    "r": "75655",
    "s": "74717",
    "t": "72222",
    "u": "55557",
    "v": "55552",
    "w": "55775",
    "x": "55255",
    "y": "55722",
    "z": "71247",
}
GLYPH_WIDTH, GLYPH_HEIGHT = 3, 5


def can_write(text: str) -> bool:
    """Whether the pixel font has a glyph for every letter of a text."""
    return all(sign.lower() in _GLYPHS for sign in text)


class Raster:
    """A picture of pixels that can be filled with rectangles and plain text."""

    def __init__(self, width: int, height: int, background: Colour = (255, 255, 255)) -> None:
        self.width, self.height = width, height
        self._rows = [bytearray(bytes(background) * width) for _ in range(height)]

    def rectangle(self, x: int, y: int, width: int, height: int, colour: Colour) -> None:
        """Fill a rectangle; what lies outside of the picture is left out."""
        left, right = max(x, 0), min(x + width, self.width)
        if right <= left:
            return
        stripe = bytes(colour) * (right - left)
        for row in self._rows[max(y, 0) : max(min(y + height, self.height), 0)]:
            row[3 * left : 3 * right] = stripe

    def text(self, x: int, y: int, text: str, colour: Colour, scale: int = 2) -> None:
        """Write a text from its upper left corner on; letters come out as capitals."""
        for place, sign in enumerate(text):
            for down, bits in enumerate(_GLYPHS[sign.lower()]):
                for across in range(GLYPH_WIDTH):
                    if int(bits) >> (GLYPH_WIDTH - 1 - across) & 1:
                        left = x + (place * (GLYPH_WIDTH + 1) + across) * scale
                        self.rectangle(left, y + down * scale, scale, scale, colour)

    def stamp(self, x: int, y: int, pixels: Sequence[Sequence[bool]], colour: Colour) -> None:
        """Colour the pixels of the picture that are set in a grid."""
        for down, row in enumerate(pixels):
            for across, is_set in enumerate(row):
                if is_set:
                    self.rectangle(x + across, y + down, 1, 1, colour)

    def png(self) -> bytes:
        """The picture as a PNG file."""
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self._rows), 9)
        chunks = _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")
        return b"\x89PNG\r\n\x1a\n" + chunks


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
