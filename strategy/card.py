"""A cheat sheet as a card that prints: panels of a bank card's size, side by side, to be folded.

One layout, measured in millimetres, is drawn as SVG, as HTML around that SVG, or as PDF. The PDF is
written by hand and uses the Courier and Helvetica that every viewer has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from solver.cheatsheet import Row, Sheet

from .split_picture import TILES

#: A bank card.
PANEL_WIDTH, PANEL_HEIGHT = 85.6, 54.0
#: Panels beside each other on a page before the next row of panels begins.
ACROSS = 2
_MARGIN, _EDGE, _TITLE, _FOOT = 10.0, 4.0, 8.5, 3.5
_LINES = 8
_POINTS = 72 / 25.4

Colour = tuple[int, int, int]
_BLACK: Colour = (0, 0, 0)
_QUIET: Colour = (110, 110, 110)
_FOLD: Colour = (170, 170, 170)


@dataclass(frozen=True)
class Text:
    """Text with its baseline's left end, in millimetres, and its size."""

    x: float
    y: float
    size: float
    text: str
    bold: bool = False
    mono: bool = False
    colour: Colour = _BLACK


@dataclass(frozen=True)
class Box:
    """A filled rectangle, or its dashed outline."""

    x: float
    y: float
    width: float
    height: float
    colour: Colour
    filled: bool = True


@dataclass(frozen=True)
class Page:
    """Everything drawn on a sheet of paper, from its upper left corner."""

    width: float
    height: float
    shapes: list[Text | Box]


def lay_out(sheet: Sheet) -> Page:
    """Share the rows out among panels, and the panels among the paper."""
    rows = [row for row in sheet.rows if len(row.key) == 1]
    room = _LINES * _columns(sheet)
    panels = [rows[at : at + room] for at in range(0, len(rows), room)] or [[]]
    across = min(ACROSS, len(panels))
    down = -(-len(panels) // across)
    shapes: list[Text | Box] = []
    for place, panel in enumerate(panels):
        x = _MARGIN + place % across * PANEL_WIDTH
        y = _MARGIN + place // across * PANEL_HEIGHT
        shapes += _panel(sheet, panel, x, y, place + 1, len(panels))
    width = 2 * _MARGIN + across * PANEL_WIDTH
    return Page(width, 2 * _MARGIN + down * PANEL_HEIGHT, shapes)


def _columns(sheet: Sheet) -> int:
    """Columns of a panel: long words with their scores need its whole width."""
    return 2 if len(sheet.opener) <= 5 else 1


def _panel(
    sheet: Sheet, rows: Sequence[Row], x: float, y: float, number: int, of: int
) -> Iterator[Text | Box]:
    yield Box(x, y, PANEL_WIDTH, PANEL_HEIGHT, _FOLD, filled=False)
    yield Text(x + _EDGE, y + 7, 5, sheet.opener.upper(), bold=True)
    what = {"score": "score", "hits": "letters hit", "colours": "yellow, green"}[sheet.group]
    aside = f"then, by {what}" + (f"  ({number}/{of})" if of > 1 else "")
    yield Text(x + _EDGE + 4 * len(sheet.opener) + 3, y + 7, 3.2, aside, colour=_QUIET)
    column = (PANEL_WIDTH - 2 * _EDGE) / _columns(sheet)
    line = (PANEL_HEIGHT - _TITLE - _FOOT) / _LINES
    for place, row in enumerate(rows):
        left = x + _EDGE + place // _LINES * column
        base = y + _TITLE + (place % _LINES + 0.8) * line
        after = left
        for piece in _key(sheet, row, left, base):
            yield piece
            end = piece.x + (piece.width if isinstance(piece, Box) else _width(piece))
            after = max(after, end)
        yield Text(after + 2, base, 4.4, row.word.upper(), bold=True, mono=True)
        count = f"{row.answers:,}"
        yield Text(left + column - 3 - 1.6 * len(count), base, 2.8, count, colour=_QUIET)


def _key(sheet: Sheet, row: Row, left: float, base: float) -> Iterator[Text | Box]:
    """What one sees of the reply: tiles for a score, counts on coloured ground else."""
    (key,) = row.key
    if sheet.group == "colours":
        for place, count in enumerate(key.split(",")):
            yield Box(left + place * 5.2, base - 3.7, 4.8, 4.8, TILES[1 + place])
            yield Text(left + place * 5.2 + 1.3, base, 4, count, bold=True)
    elif sheet.group == "score" and set(key) <= set("byg"):
        for place, mark in enumerate(key):
            yield Box(left + place * 3, base - 3, 2.7, 3.4, TILES["byg".index(mark)])
            if mark != "b":  # letters tell the colours apart on a black and white print too
                yield Text(left + place * 3 + 0.5, base - 0.4, 2.6, mark.upper(), bold=True)
    else:
        yield Text(left, base, 4.4, key, bold=True)


def _width(text: Text) -> float:
    """About how wide a text is."""
    return 0.6 * text.size * len(text.text)


def as_svg(sheet: Sheet) -> str:
    """The card as SVG in real size."""
    page = lay_out(sheet)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.width:g}mm" '
        f'height="{page.height:g}mm" viewBox="0 0 {page.width:g} {page.height:g}">',
        f'<rect width="{page.width:g}" height="{page.height:g}" fill="white"/>',
    ]
    for shape in page.shapes:
        colour = "#{:02x}{:02x}{:02x}".format(*shape.colour)
        if isinstance(shape, Box):
            paint = (
                f'fill="{colour}"'
                if shape.filled
                else f'fill="none" stroke="{colour}" stroke-width="0.2" stroke-dasharray="2 1.5"'
            )
            out.append(
                f'<rect x="{shape.x:.2f}" y="{shape.y:.2f}" width="{shape.width:.2f}" '
                f'height="{shape.height:.2f}" {paint}/>'
            )
        else:
            family = "Courier, monospace" if shape.mono else "Helvetica, Arial, sans-serif"
            weight = ' font-weight="bold"' if shape.bold else ""
            out.append(
                f'<text x="{shape.x:.2f}" y="{shape.y:.2f}" font-family="{family}" '
                f'font-size="{shape.size:g}" fill="{colour}"{weight}>{escape(shape.text)}</text>'
            )
    return "\n".join([*out, "</svg>", ""])


def as_html(sheet: Sheet) -> str:
    """The card as a page to print from a browser, in real size."""
    title = escape(f"{sheet.opener.upper()}: the second word")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        "<style>@page { margin: 5mm } body { margin: 0 } svg { display: block }</style>\n"
        f"</head>\n<body>\n{as_svg(sheet)}</body>\n</html>\n"
    )


def as_pdf(sheet: Sheet) -> bytes:
    """The card as a PDF of one page."""
    page = lay_out(sheet)
    drawn = "\n".join(_pdf_shape(page, shape) for shape in page.shapes).encode("latin-1")
    fonts = "/F1 4 0 R /F2 5 0 R /F3 6 0 R"
    box = f"[0 0 {page.width * _POINTS:.2f} {page.height * _POINTS:.2f}]"
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents 7 0 R "
        f"/Resources << /Font << {fonts} >> >> >>".encode(),
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>".encode()
            for name in ("Helvetica", "Helvetica-Bold", "Courier-Bold")
        ),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn),
    ]
    out = bytearray(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(bodies, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1)
    out += b"".join(b"%010d 00000 n \n" % place for place in places)
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\n" % (len(bodies) + 1)
    out += b"startxref\n%d\n%%%%EOF\n" % table
    return bytes(out)


def _pdf_shape(page: Page, shape: Text | Box) -> str:
    """PDF operators; its origin is the lower left corner, its unit a 72nd of an inch."""
    colour = " ".join(f"{part / 255:.3f}" for part in shape.colour)
    if isinstance(shape, Box):
        corner = f"{shape.x * _POINTS:.2f} {(page.height - shape.y - shape.height) * _POINTS:.2f}"
        area = f"{corner} {shape.width * _POINTS:.2f} {shape.height * _POINTS:.2f} re"
        if shape.filled:
            return f"{colour} rg {area} f"
        return f"{colour} RG 0.5 w [5 4] 0 d {area} S"
    font = "F3" if shape.mono else "F2" if shape.bold else "F1"
    text = shape.text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    place = f"{shape.x * _POINTS:.2f} {(page.height - shape.y) * _POINTS:.2f}"
    return f"BT {colour} rg /{font} {shape.size * _POINTS:.2f} Tf {place} Td ({text}) Tj ET"
