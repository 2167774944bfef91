"""Shapes on a page, a grid of pixels that becomes a PNG, and text in any script."""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import OutputError
from ..files.text import is_right_to_left
from .plot import require_matplotlib

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True)
class Text:
    """Text on a page: its baseline's left end, in millimetres, and its size."""

    x: float
    y: float
    size: float
    text: str
    bold: bool = False
    mono: bool = False
    colour: Colour = BLACK


@dataclass(frozen=True)
class Box:
    """A filled rectangle on a page, or its dashed outline."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    filled: bool = True


@dataclass(frozen=True)
class Page:
    """Everything that is drawn on a page, from its upper left corner, in millimetres."""

    width: float
    height: float
    shapes: list[Text | Box]


# ---- Text of any script, drawn with the font that comes with matplotlib
#
# DejaVu has Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian letters. What it does not
# have is refused by name, with the forms that a browser draws with fonts of its own.

#: The second has what the first one lacks.
_MONO, _SANS = ["DejaVu Sans Mono", "DejaVu Sans"], ["DejaVu Sans"]
_INCH = 25.4
_POINTS = 72 / _INCH
_OPAQUE = 128


def pdf_of(pages: Sequence[Page]) -> bytes:
    """Drawn pages as PDF, with the letters that they need of the font."""
    require_matplotlib()
    texts = [shape.text for page in pages for shape in page.shapes if isinstance(shape, Text)]
    _require_letters("".join(texts), "the PDF", ".svg or .html")
    import matplotlib as mpl
    from matplotlib.backends.backend_pdf import PdfPages

    out = io.BytesIO()
    nameless = {"Creator": None, "Producer": None, "CreationDate": None}
    with mpl.rc_context({"pdf.fonttype": 42}), PdfPages(out, metadata=nameless) as pdf:
        for page in pages:
            pdf.savefig(_figure(page))
    return out.getvalue()


def _figure(page: Page) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(page.width / _INCH, page.height / _INCH))
    for shape in page.shapes:
        across, up = 1 / page.width, 1 / page.height
        colour = [part / 255 for part in shape.colour]
        if isinstance(shape, Box):
            figure.add_artist(_rectangle(shape, page, colour))
        else:
            figure.text(
                shape.x * across,
                1 - shape.y * up,
                _as_seen(shape.text),
                family=_MONO if shape.mono else _SANS,
                weight="bold" if shape.bold else "normal",
                size=shape.size * _POINTS,
                color=colour,
                parse_math=False,
            )
    return figure


def _rectangle(box: Box, page: Page, colour: list[float]) -> Any:
    from matplotlib.patches import Rectangle

    paint: dict[str, Any] = {"facecolor": colour, "linewidth": 0}
    if not box.filled:
        paint = {"fill": False, "edgecolor": colour, "linewidth": 0.5, "linestyle": (0, (10, 8))}
    corner = box.x / page.width, 1 - (box.y + box.height) / page.height
    return Rectangle(corner, box.width / page.width, box.height / page.height, **paint)


def pixels_of(text: str, height: int) -> list[list[bool]]:
    """A line of text as rows of pixels, its letters about so many pixels high."""
    require_matplotlib()
    _require_letters(text, "the PNG", ".svg")
    font = _sans()
    font.set_size(height * 1.35, 72)
    font.set_text(_as_seen(text), 0)
    font.draw_glyphs_to_bitmap(antialiased=True)
    return [[bool(point >= _OPAQUE) for point in row] for row in font.get_image()]


def _sans() -> Any:
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    return FT2Font(findfont(_SANS[0]))


def _require_letters(text: str, what: str, others: str) -> None:
    font = _sans()
    for letter in sorted(set(text)):
        if letter.isalpha() and not font.get_char_index(ord(letter)):
            raise OutputError(
                f"the font of {what} has no {letter!r}; a file that ends in {others} is drawn "
                "with the fonts of whoever looks at it"
            )


def _as_seen(text: str) -> str:
    """Text whose words from right to left are turned round, where all is drawn left to right.

    From 3.11 on matplotlib lays such words out itself, joined letters too.
    """
    from matplotlib import ft2font

    if hasattr(ft2font, "__libraqm_version__"):
        mixed = is_right_to_left(text) and " " in text
        return f"\u200e{text}" if mixed else text  # its base direction stays left to right
    return re.sub(
        r"[^\W\d_]+", lambda run: run[0][::-1] if is_right_to_left(run[0]) else run[0], text
    )


# ---- Pixels, written as PNG by hand

#: Digits, signs and letters: five rows of three pixels, a row as an octal digit.
_SIGNS = "0123456789,.: abcdefghijklmnopqrstuvwxyz"
_DRAWN = (
    "75557 26227 71747 71717 55711 74717 74757 71122 75757 75717 00024 00002 02020 00000 "
    "75755 65656 74447 65556 74647 74644 74557 55755 72227 "
    "11157 55655 44447 57755 57775 75557 75744 75573 75655 "
    "74717 72222 55557 55552 55775 55255 55722 71247"
)
_GLYPHS = dict(zip(_SIGNS, _DRAWN.split(), strict=True))
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
