"""Pictures of splits as bars, and cheat sheets as cards to print."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.sax.saxutils import escape

from solver.advice.cheatsheet import Row, Sheet
from solver.game.game import Game
from solver.game.wordle import colours_of
from solver.splits.ranking import Bucket, Split

from ..errors import OutputError
from ..files.text import (
    capitals,
    columns_of,
    counted,
    is_pegs,
    is_right_to_left,
    printable,
    terms_of,
)

Colour = tuple[int, int, int]
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True)
class Text:
    """Text on a page: its baseline's left end, and its size."""

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
    """Everything that is drawn on a page, from its upper left corner: in millimetres, or pixels."""

    width: float
    height: float
    shapes: list[Text | Box]


#: Grey, yellow, green, as Wordle shows them.
TILES: tuple[Colour, Colour, Colour] = ((120, 124, 126), (201, 180, 88), (106, 170, 100))
_BAR: Colour = (60, 90, 150)
#: Scores shown for a word; the title says so.
SHOWN = 40

_ROW, _TILE, _TOP, _GAP, _LONGEST, _SIZE = 18, 14, 40, 24, 320, 12

# ---- Splits: a bar for each score


def splits_as_svg(game: Game, splits: Sequence[Split]) -> str:
    """A picture of splits as SVG: a bar a score, the tiles beneath it."""
    largest = max(split.buckets[0].size for split in splits)
    figures = (len(f"{largest:,}") + 1) * 8 + 30
    panel = max(_label_width(game) + _LONGEST + figures, 460)
    rows = max(min(len(split.buckets), SHOWN) for split in splits)
    unit = _LONGEST / largest  # pixels a secret
    shapes: list[Text | Box] = []
    for place, split in enumerate(splits):
        left = _GAP + place * panel
        secrets = counted(split.secrets, terms_of(game.spec).secret)
        title = f"{capitals(split.word)}: {secrets}, {counted(len(split.buckets), 'bucket')}"
        title += f", {SHOWN} shown" if len(split.buckets) > SHOWN else ""
        shapes.append(Text(left, 24, _SIZE, title, bold=True))
        for at, bucket in enumerate(split.buckets[:SHOWN]):
            top = _TOP + at * _ROW
            shapes += _label(game, bucket, left, top)
            start, bar = left + _label_width(game), max(1, round(bucket.size * unit))
            shapes.append(Box(start, top, bar, _TILE, _BAR))
            shapes.append(Text(start + bar + 5, top + 11, _SIZE, f"{bucket.size:,}"))
    width, height = 2 * _GAP + panel * len(splits), _TOP + rows * _ROW + _GAP
    return _svg(Page(width, height, shapes), unit="")


def _label_width(game: Game) -> int:
    return max(game.length * (_TILE + 1), 45) + 10


def _label(game: Game, bucket: Bucket, left: int, top: int) -> list[Text] | list[Box]:
    """What stands before a bar: the tiles of a score, or the pegs."""
    if game.letters is None:
        return [Text(left, top + 11, _SIZE, bucket.text)]
    step, colours = _TILE + 1, colours_of(bucket.score, game.length)
    if is_right_to_left(game.guesses[0]):  # tiles stand as the letters of the words do
        colours = colours[::-1]
    return [
        Box(left + tile * step, top, _TILE, _TILE, TILES[colour])
        for tile, colour in enumerate(colours)
    ]


# ---- Cheat sheets: panels of a bank card's size, side by side, to be folded
#
# One layout, measured in millimetres, is drawn as SVG, as HTML around that SVG, or as PDF. The PDF
# is written by hand and uses the Courier and Helvetica that every viewer has. These have the
# letters of western Europe; words with others are refused.

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
#: How wide a small letter is at most on average, in sizes of its font.
_LETTER = 0.6
_FONTS = {"F1": "Helvetica", "F2": "Helvetica-Bold", "F3": "Courier-Bold"}

#: What the panels of each group of replies say beside the opener.
_PURPOSE = {
    "score": "next guess for each reply",
    "hits": "next guess by letters hit",
    "colours": "next guess by colours",
}

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
    needed = _key_width(sheet) + _INDENT * (deepest - 1) + 0.6 * 4.4 * columns_of(sheet.opener) + 4
    room = PANEL_WIDTH - 2 * _EDGE
    if len(sheet.rows) <= _LINES and deepest == 1:
        lines = max(len(sheet.rows), _FEWEST_LINES)
        return _Grid(lines, 1, min(_LINES / lines, room / needed))
    for lines, columns in _SIZES:
        scale = min(_LINES / lines, room / needed)
        fitting = int((room + _BETWEEN) / (needed * scale + _BETWEEN))
        grid = _Grid(lines, max(1, min(columns, fitting)), scale)
        if len(list(_columns(sheet.rows, lines))) <= ACROSS * DOWN * grid.columns:
            break
    return grid


def _panel(
    sheet: Sheet, grid: _Grid, columns: Sequence[Column], x: float, y: float, number: str
) -> Iterator[Text | Box]:
    yield Box(x, y, PANEL_WIDTH, PANEL_HEIGHT, _FOLD, filled=False)
    letters = columns_of(sheet.opener)
    yield Text(x + _EDGE, y + 6.6, min(5, 40 / letters), capitals(sheet.opener), bold=True)
    aside, size = _EDGE + 4.4 * min(letters, 8) + 2, 2.2
    end = PANEL_WIDTH - _EDGE - _figures_width(number, size)
    secrets = printable(sheet.secrets_name, 16)
    if secrets == "allowed":
        secrets = "codes" if is_pegs(sheet.list_name) else "words"
    whose = f"{sheet.answers:,} {secrets}, {printable(sheet.list_name)}"
    whose = printable(whose, int((end - aside) / (_LETTER * size)))
    yield Text(x + aside, y + 3.8, size, whose, colour=_QUIET)
    if number:
        yield Text(x + end, y + 3.8, size, number, colour=_QUIET)
    then = _PURPOSE[sheet.group] if sheet.rows else "solves every game"
    yield Text(x + aside, y + 6.6, 2.6, then, colour=_QUIET)
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
    """What stands on the left of a word and what on its right: two lines that fit in a panel."""
    size, home = 2.1, left
    if _tiled(sheet):
        for mark, name in zip("byg", ("grey", "yellow", "green"), strict=True):
            yield from _tile(mark, left, base, 0.6)
            yield Text(left + 2.1, base, size, name, colour=_QUIET)
            left += 2.1 + _LETTER * size * len(name) + 1
        key = "sorted in this order, tile by tile"
    elif sheet.group == "hits":
        key = "left: number of yellow and green letters"
    elif sheet.group == "colours":
        key = "left: yellow letters, green letters"
    else:
        key = "left: black pegs, white pegs"
    if any(row.word is None for row in sheet.rows):
        key += f"; {NO_WORD}: no legal word"
    count = "right: possible answers"
    if any(len(row.key) > 1 for row in sheet.rows):
        count += "; indented: reply to the guess above"
    yield Text(left, base, size, key, colour=_QUIET)
    yield Text(home, base + 2.4, size, count, colour=_QUIET)


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
    """A cheat sheet as a card in real size, in the form of the file's ending; SVG has no pages."""
    if name.lower().endswith(".pdf"):
        return as_pdf(sheet)
    if name.lower().endswith(".svg"):
        return _svg(lay_out(sheet)[0]).encode()
    return as_html(sheet).encode()


def _svg(page: Page, unit: str = "mm") -> str:
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{page.width:g}{unit}" '
        f'height="{page.height:g}{unit}" viewBox="0 0 {page.width:g} {page.height:g}">',
        f'<rect width="{page.width:g}" height="{page.height:g}" fill="white"/>',
    ]
    for shape in page.shapes:
        colour = "#{:02x}{:02x}{:02x}".format(*shape.colour)
        if isinstance(shape, Box):
            dashed = f'fill="none" stroke="{colour}" stroke-width="0.2" stroke-dasharray="2 1.5"'
            paint = f'fill="{colour}"' if shape.filled else dashed
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
    words = [sheet.opener, *(row.word or "" for row in sheet.rows)]
    try:
        "".join(words).encode("cp1252")
    except UnicodeEncodeError as error:
        raise OutputError(
            f"the fonts of a PDF have no {error.object[error.start]!r}; a file that ends in .svg "
            "or .html is drawn with the fonts of whoever looks at it"
        ) from None
    pages = lay_out(sheet, DOWN)
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
        shapes = "\n".join(_pdf_shape(page, shape) for shape in page.shapes)
        drawn = shapes.encode("cp1252", "replace")
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
