"""Draws the icons of the page as PNG files: the same tiles as in ``icons/icon.svg``."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

ICONS = Path(__file__).parents[2] / "strategy" / "web" / "site" / "icons"
SIZES = (192, 512)
#: The colours, and the tiles that have them: left, top, right, bottom in sixteenths of the picture.
PAPER = 0x2A5B74
TILES = (
    (0x8A8F95, (3, 3, 7.5, 7.5)),
    (0xD0A92A, (8.5, 3, 13, 7.5)),
    (0x58A35F, (3, 8.5, 13, 13)),
)


def png(size: int) -> bytes:
    """The icon with so many pixels a side."""
    palette = [PAPER, *(colour for colour, _ in TILES)]
    rows = bytearray()
    for y in range(size):
        rows.append(0)  # no filter
        rows += bytes(_colour((x + 0.5) * 16 / size, (y + 0.5) * 16 / size) for x in range(size))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(colour.to_bytes(3, "big") for colour in palette)),
        (b"IDAT", zlib.compress(bytes(rows), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in parts)


def _colour(x: float, y: float) -> int:
    """The number of a colour in the palette."""
    for number, (_, (left, top, right, bottom)) in enumerate(TILES, 1):
        if left <= x < right and top <= y < bottom:
            return number
    return 0


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
