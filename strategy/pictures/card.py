"""A cheat sheet as a card that prints: panels of a bank card's size, side by side, to be folded.

One layout, measured in millimetres, is drawn as SVG, as HTML around that SVG, or as PDF. The PDF is
written by hand and uses the Courier and Helvetica that every viewer has. These have the letters of
western Europe; where words have others, ``fonts`` writes the PDF, with a font in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from solver.advice.cheatsheet import Row, Sheet

from ..files.letters import capitals, columns_of, is_right_to_left
from ..files.names import shown
from .shapes import BLACK, Box, Colour, Page, Text
from .splits import TILES

#: A bank card.
PANEL_WIDTH, PANEL_HEIGHT = 85.6, 54.0
#: Panels beside each other on a page before the next row of panels begins.
ACROSS = 2
#: Rows of panels that fit on a page, A4 or Letter.
DOWN = 4
#: Where hard mode allows no word.
NO_WORD = "none"
_MARGIN, _EDGE, _TITLE, _FOOT = 10.0, 4.0, 7.6, 6.0
#: Lines of a panel; fewer rows are drawn larger, as if there were so many.
_LINES, _FEWEST_LINES = 8, 6
#: Lines and columns of a panel with more rows than that, the largest drawing first.
_SIZES = ((8, 2), (10, 2), (13, 3))
#: How far a reply to a later word is set in, and what is free between columns.
_INDENT, _BETWEEN = 2.5, 2.4
_POINTS = 72 / 25.4
_FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "Courier-Bold"}

_QUIET: Colour = (110, 110, 110)
_FOLD: Colour = (170, 170, 170)
_GROUND: Colour = (232, 232, 232)


def lay_out(sheet: Sheet, down: int | None = None) -> list[Page]:
    """The pages of a cheat sheet as a card: rows shared out among panels, panels among pages.

    A page has ``down`` rows of panels; if None, there is one page of any height.
    """
    grid = _grid(sheet)
    columns = list(_columns(sheet.rows, grid.lines))
    panels = [columns[at : at + grid.columns] for at in range(0, len(columns), grid.columns)]
    a_page = len(panels) if down is None else ACROSS * down
    return [_page(sheet, grid, panels, first, a_page) for first in range(0, len(panels), a_page)]


class _Entry(NamedTuple):
    """A line of a panel: a row, or once more one that the lines after it belong to."""

    row: Row
    again: bool = False


Column = list[_Entry]


def _columns(rows: Sequence[Row], lines: int) -> Iterator[Column]:
    """The rows in columns of so many lines; each begins with the words that came before."""
    column: Column = []
    above: list[Row] = []
    for row, after in zip(rows, [*rows[1:], None], strict=False):
        above = above[: len(row.key) - 1]
        leads = after is not None and len(after.key) > len(row.key)  # and must not be the last
        if len(column) >= lines - leads:
            yield column
            column = [_Entry(word, again=True) for word in above]
        column.append(_Entry(row))
        above.append(row)
    yield column


def _page(
    sheet: Sheet, grid: _Grid, panels: Sequence[Sequence[Column]], first: int, a_page: int
) -> Page:
    mine = panels[first : first + a_page]
    across = min(ACROSS, len(mine))
    down = -(-len(mine) // across)
    shapes: list[Text | Box] = []
    for place, panel in enumerate(mine):
        x = _MARGIN + place % across * PANEL_WIDTH
        y = _MARGIN + place // across * PANEL_HEIGHT
        number = f"{first + place + 1}/{len(panels)}" if len(panels) > 1 else ""
        shapes += _panel(sheet, grid, panel, x, y, number)
    width = 2 * _MARGIN + across * PANEL_WIDTH
    return Page(width, 2 * _MARGIN + down * PANEL_HEIGHT, shapes)


class _Grid(NamedTuple):
    """How the rows stand in a panel: lines, columns, and how large everything is drawn."""

    lines: int
    columns: int
    scale: float


def _grid(sheet: Sheet) -> _Grid:
    """The largest drawing that fits on one page, else the smallest.

    A few rows are drawn in one column; long words need more of the width than others.
    """
    deepest = max((len(row.key) for row in sheet.rows), default=1)
    if len(sheet.rows) <= _LINES and deepest == 1:
        lines = max(len(sheet.rows), _FEWEST_LINES)
        return _Grid(lines, 1, _LINES / lines)
    needed = _key_width(sheet) + _INDENT * (deepest - 1) + 0.6 * 4.4 * columns_of(sheet.opener) + 4
    for lines, columns in _SIZES:
        scale = _LINES / lines
        fitting = int((PANEL_WIDTH - 2 * _EDGE + _BETWEEN) / (needed * scale + _BETWEEN))
        grid = _Grid(lines, max(1, min(columns, fitting)), scale)
        if len(list(_columns(sheet.rows, lines))) <= ACROSS * DOWN * grid.columns:
            break
    return grid


def _panel(
    sheet: Sheet, grid: _Grid, columns: Sequence[Column], x: float, y: float, number: str
) -> Iterator[Text | Box]:
    yield Box(x, y, PANEL_WIDTH, PANEL_HEIGHT, _FOLD, filled=False)
    yield Text(x + _EDGE, y + 6.6, 5, capitals(sheet.opener), bold=True)
    aside = x + _EDGE + 4 * columns_of(sheet.opener) + 3
    whose = f"{shown(sheet.list_name, 24)}, {sheet.answers:,} {shown(sheet.secrets_name, 16)}"
    yield Text(aside, y + 3.8, 2.2, f"{whose}   {number}", colour=_QUIET)
    what = {"score": "score", "hits": "letters hit", "colours": "yellow, green"}[sheet.group]
    then = f"then, by {what}" if sheet.rows else "leaves nothing to guess"
    yield Text(aside, y + 6.6, 2.6, then, colour=_QUIET)
    if sheet.rows:
        yield from _legend(sheet, x + _EDGE, y + PANEL_HEIGHT - 3.4)
    width = (PANEL_WIDTH - 2 * _EDGE + _BETWEEN) / grid.columns
    line = (PANEL_HEIGHT - _TITLE - _FOOT) / grid.lines
    for number_of, column in enumerate(columns):
        left = x + _EDGE + number_of * width
        for place, entry in enumerate(column):
            base = y + _TITLE + (place + 0.8) * line
            yield from _line(sheet, grid.scale, entry, left, base, width - _BETWEEN)


def _line(
    sheet: Sheet, scale: float, entry: _Entry, left: float, base: float, width: float
) -> Iterator[Text | Box]:
    """A reply, the word for it, and how many answers are left."""
    row, again = entry
    deep = len(row.key) - 1
    if deep == 0 and any(len(other.key) > 1 for other in sheet.rows):
        yield Box(left - 0.4, base - 3.9 * scale, width + 0.8, 4.9 * scale, _GROUND)
    start = left + _INDENT * deep * scale
    yield from _key(sheet, row.key[-1], start, base, scale)
    word = NO_WORD if row.word is None else capitals(row.word)
    colour = _QUIET if again else BLACK
    after = start + _key_width(sheet) * scale
    yield Text(after, base, 4.4 * scale, word, bold=True, mono=True, colour=colour)
    count = "..." if again else f"{row.answers:,}"
    size = 2.8 * scale
    yield Text(left + width - _figures_width(count, size), base, size, count, colour=_QUIET)


def _legend(sheet: Sheet, left: float, base: float) -> Iterator[Text | Box]:
    """What the signs mean, and in which order the rows stand."""
    size, home = 2.1, left
    left_over = "number: answers left"
    if any(len(row.key) > 1 for row in sheet.rows):
        left_over += "; set in: the reply to the word above"
    if sheet.group == "hits":
        words = ("letters that are not grey", "sorted by their number")
    elif sheet.group == "colours":
        words = ("letters that are yellow, that are green", "sorted by yellow, then by green")
    elif not _tiled(sheet):
        words = ("pegs right in place, right elsewhere", "sorted by both")
    else:
        for mark, name in zip("byg", ("grey", "yellow", "green"), strict=True):
            yield from _tile(mark, left, base, 0.6)
            yield Text(left + 2.1, base, size, name, colour=_QUIET)
            left += 2.1 + 0.56 * size * len(name) + 1
        words = (
            "",
            "sorted by the first tile (grey, yellow, green), then by the second, and so on",
        )
    first = "; ".join(filter(None, (words[0], left_over)))
    yield Text(left, base, size, first, colour=_QUIET)
    yield Text(home, base + 2.4, size, words[1], colour=_QUIET)


def _key(sheet: Sheet, key: str, left: float, base: float, scale: float) -> Iterator[Text | Box]:
    """What one sees of the reply: tiles for a score, counts on coloured ground else."""
    if sheet.group == "colours":
        for place, count in enumerate(key.split(",")):
            at = left + place * 5.2 * scale
            yield Box(at, base - 3.7 * scale, 4.8 * scale, 4.8 * scale, TILES[1 + place])
            yield Text(at + 1.3 * scale, base, 4 * scale, count, bold=True)
    elif _tiled(sheet):
        for place, mark in enumerate(reversed(key) if is_right_to_left(sheet.opener) else key):
            yield from _tile(mark, left + place * 3 * scale, base, scale)
    else:
        yield Text(left, base, 4.4 * scale, key, bold=True)


def _tile(mark: str, left: float, base: float, scale: float) -> Iterator[Text | Box]:
    """A letter's colour, with its initial to tell it by on a black and white print too."""
    yield Box(left, base - 3 * scale, 2.7 * scale, 3.4 * scale, TILES["byg".index(mark)])
    if mark != "b":
        yield Text(left + 0.5 * scale, base - 0.4 * scale, 2.6 * scale, mark.upper(), bold=True)


def _tiled(sheet: Sheet) -> bool:
    """Whether a reply is a row of tiles."""
    return sheet.group == "score" and all(set(row.key[0]) <= set("byg") for row in sheet.rows)


def _key_width(sheet: Sheet) -> float:
    """Where the word stands, counted from the left of the longest key, at scale one."""
    longest = max((len(row.key[-1]) for row in sheet.rows), default=0)
    if sheet.group == "colours":
        return 2 * 5.2 + 1.6
    return 3 * longest + 1.6 if _tiled(sheet) else 0.6 * 4.4 * longest + 2


def _figures_width(text: str, size: float) -> float:
    """How wide a number is in Helvetica."""
    return size * sum(0.278 if sign in ",." else 0.556 for sign in text)


def card_in_form(name: str, sheet: Sheet) -> bytes:
    """A cheat sheet as a card, in the form that the end of the file's name asks for."""
    if name.lower().endswith(".pdf"):
        return as_pdf(sheet)
    return (as_svg if name.lower().endswith(".svg") else as_html)(sheet).encode()


def as_svg(sheet: Sheet) -> str:
    """A cheat sheet as a card in SVG, in real size, all panels in one picture."""
    return _svg(lay_out(sheet)[0])


def _svg(page: Page) -> str:
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
    """A cheat sheet as a card in HTML: pages to print from a browser, in real size."""
    pages = "".join(map(_svg, lay_out(sheet, DOWN)))
    title = escape(f"{capitals(sheet.opener)}: the next word")
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{title}</title>\n"
        "<style>@page { margin: 5mm } body { margin: 0 } "
        "svg { display: block; break-after: page }</style>\n"
        f"</head>\n<body>\n{pages}</body>\n</html>\n"
    )


def as_pdf(sheet: Sheet) -> bytes:
    """A cheat sheet as a card in PDF, on pages that fit on A4 and on Letter."""
    pages = lay_out(sheet, DOWN)
    if not _is_western(sheet):
        from .fonts import pdf_of

        return pdf_of(pages)
    first = 3 + len(_FONTS)  # objects before the pages: catalogue, tree, fonts
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    fonts = " ".join(f"/{name} {3 + at} 0 R" for at, name in enumerate(_FONTS))
    bodies = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{font} "
            f"/Encoding /WinAnsiEncoding >>".encode()
            for font in _FONTS.values()
        ),
    ]
    for number, page in enumerate(pages):
        drawn = "\n".join(_pdf_shape(page, shape) for shape in page.shapes).encode(
            "cp1252", "replace"
        )
        box = f"[0 0 {page.width * _POINTS:.2f} {page.height * _POINTS:.2f}]"
        bodies += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox {box} /Contents {first + 2 * number + 1} 0 R "
            f"/Resources << /Font << {fonts} >> >> >>".encode(),
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


def _is_western(sheet: Sheet) -> bool:
    """Whether the fonts that every viewer has can show the words."""
    words = [sheet.opener, *(row.word or "" for row in sheet.rows)]
    try:
        "".join(words).encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


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
    text = shape.text.replace("ẞ", "ß").replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    place = f"{shape.x * _POINTS:.2f} {(page.height - shape.y) * _POINTS:.2f}"
    return f"BT {colour} rg /{font} {shape.size * _POINTS:.2f} Tf {place} Td ({text}) Tj ET"
