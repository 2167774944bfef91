"""Text of any script, drawn with the font that comes with matplotlib (the extra ``plot``).

DejaVu has Latin, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian letters. What it does not
have is refused by name, with the forms that a browser draws with fonts of its own.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import Any

from ..errors import OutputError
from ..files.letters import is_right_to_left
from .plot import require_matplotlib
from .shapes import Box, Page, Text

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
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    font = FT2Font(findfont(_SANS[0]))
    font.set_size(height * 1.35, 72)
    font.set_text(_as_seen(text), 0)
    font.draw_glyphs_to_bitmap(antialiased=True)
    return [[bool(point >= _OPAQUE) for point in row] for row in font.get_image()]


def _require_letters(text: str, what: str, others: str) -> None:
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    font = FT2Font(findfont(_SANS[0]))
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
